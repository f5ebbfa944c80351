"""The text oracle's answers to the two prompts of `llm-mcts`.

It reads nothing but their text. What a robot should try it decides as in DynaHMRC: the prompt is put into the words of
an action prompt, without anything to tell, since the team pools what it knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.protocols.dynahmrc import oracle

MOST = 3  # of what each prompt asks for


def advise(system: str, text: str) -> str | None:
    """The reply to a prompt of `llm-mcts`; None for any other."""
    if system.startswith("You know how people keep their homes"):
        return _places(text)
    if "A search looks ahead for the whole team" in system:
        return "\n".join(_policy(text))
    return None


def _places(text: str) -> str:
    """What lies open is seen soonest. Nothing is known of habits here, so that things are spread over the places."""
    listed = re.findall(r"^- (\S+) \((.*)\)$", text, re.M)
    places = [p for p, about in listed if "container" not in about] + [p for p, about in listed if "container" in about]
    lines = []
    for i, thing in enumerate(_after(text, "Missing: ").split(", ")):
        start = MOST * i % max(1, len(places))
        lines.append(f"{thing}: {', '.join((places[start:] + places[:start])[:MOST])}")
    return "\n".join(lines)


def _policy(text: str) -> list[str]:
    """The action that DynaHMRC's oracle would take; where the search has no such action, what is at hand."""
    listed = _after(text, "Actions: ").split("; ")
    action = _decide(text)
    if any(_means(option, action) for option in listed):
        return [action]
    return [o for o in listed if o.startswith(("place(", "pick(", "open("))][:MOST] or ["wait()"]


def _decide(text: str) -> str:
    plan = _ask(text.replace("A search looks ahead", "Propose who searches where. A search looks ahead"), "Plan")
    needed = re.findall(r"(\S+) (?:at|not found|held by|in your hand)", _after(text, "Needed: "))
    told = f'Done lately: 0 communicate("{" ".join(needed)}") ok'
    lines = [*text.splitlines(), f'The plan: "{plan}"', told, f"Step 0 of 0. {_after(text, 'Now: ')}"]
    return _ask("\n".join(line for line in lines if not line.startswith("A search looks ahead")), "Action")


def _ask(text: str, heading: str) -> str:
    return _after(oracle.answer([("system", text)]), f"{heading}: ")


def _means(option: str, action: str) -> bool:
    """`navigate(bed, 0|2)` stands for both of its sides."""
    skill, _, inner = option.rstrip(")").partition("(")
    place, _, sides = inner.partition(", ")
    choices: Sequence[str] = sides.split("|") if skill == "navigate" else [sides]
    return action in [f"{skill}({', '.join(filter(None, (place, side)))})" for side in choices]


def _after(text: str, heading: str) -> str:
    found = re.search(rf"^{heading}(.*)$", text, re.M)
    return found.group(1).strip() if found else ""


oracle.others.append(advise)
