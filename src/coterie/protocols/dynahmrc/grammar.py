"""The actions a robot can name, as a grammar that holds a model's reply to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.facts import UNKNOWN
from coterie.protocols.shared.reading import Reading

#: The most characters of a thought and of a message, by style: a reply that is cut off before its action says nothing.
LENGTHS = {"compact": (48, 100), "full": (400, 300)}


def action_grammar(r: Reading, style: str = "compact") -> dict[str, str]:
    """GBNF for `Thought: ...` and `Action: skill(names)`; names are those the robot knows of."""
    thought, message = LENGTHS[style]
    furniture: Any = r.look("all_furniture")
    platforms: Any = r.look("platforms")
    things = sorted({f.args[0] for f in r.belief.facts("where") if f.value is not UNKNOWN} | set(r.goal.targets))
    most = max(len(r.look("all_stands", f)) for f in furniture)  # type: ignore[arg-type]
    forms = {
        "navigate": '"navigate(" place ", " side ")"',
        "open": '"open(" place ")"',
        "close": '"close(" place ")"',
        "pick": '"pick(" thing ")"',
        "place": '"place(" thing ", " (place | platform) ")"',
        "move": '"move()"',
        "communicate": '"communicate(\\"" words "\\", " who ")"',
        "wait": '"wait()"',
    }
    usable = [f"a-{s}" for s in r.card.skills if s in forms]
    lines = [
        'root ::= "Thought: " thought "\\nAction: " action',
        f"action ::= {' | '.join(usable)}",
        *(f"a-{s} ::= {forms[s]}" for s in r.card.skills if s in forms),
        f"thought ::= [a-zA-Z0-9_ ,.;:'-]{{1,{thought}}}",
        f"words ::= [a-zA-Z0-9_ ,.;:'-]{{1,{message}}}",
        f"place ::= {_alternatives(furniture)}",
        f"platform ::= {_alternatives(platforms)}",
        f"thing ::= {_alternatives(things)}",
        f"side ::= [0-{max(0, most - 1)}]",
        f"who ::= {_alternatives(['all', *(n for n in r.online if n != r.name)])}",
    ]
    return {"gbnf": "\n".join(lines)}


def _alternatives(names: Iterable[str]) -> str:
    safe = ["".join(c for c in n if c.isalnum() or c in "_-@.") for n in names]
    return " | ".join(f'"{n}"' for n in safe if n) or '"nothing"'
