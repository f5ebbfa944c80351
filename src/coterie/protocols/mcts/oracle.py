"""The text oracle's answers to the two prompts of `llm-mcts`.

A robot should try what the oracle would do in DynaHMRC, without anything to tell, since the team pools what it knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.protocols.dynahmrc.oracle import answers, decided
from coterie.protocols.dynahmrc.oracle_scene import division, needed_of
from coterie.protocols.shared.templates import Page

MOST = 3  # of what each prompt asks for


def _places(page: Page) -> str:
    """Open places first, since they are seen soonest; without knowledge of habits, things are spread over them."""
    listed = re.findall(r"^- (\S+) \((.*)\)$", page["homes"], re.M)
    places = [p for p, about in listed if "container" not in about] + [p for p, about in listed if "container" in about]
    lines = []
    for i, thing in enumerate(page["missing"].split(", ")):
        start = MOST * i % max(1, len(places))
        lines.append(f"{thing}: {', '.join((places[start:] + places[:start])[:MOST])}")
    return "\n".join(lines)


def _policy(page: Page) -> str:
    """The action that DynaHMRC's oracle would take; where the search has no such action, what is at hand."""
    listed = page["options"].split("; ")
    told = f'0 communicate("{" ".join(needed_of(page))}") ok'
    _, action = decided(page.but(plan=f'The plan: "{division(page)}"', lately=told, step="0", options=""))
    if any(_means(option, action) for option in listed):
        return action
    return "\n".join([o for o in listed if o.startswith(("place(", "pick(", "open("))][:MOST] or ["wait()"])


def _means(option: str, action: str) -> bool:
    """`navigate(bed, 0|2)` stands for both of its sides."""
    skill, _, inner = option.rstrip(")").partition("(")
    place, _, sides = inner.partition(", ")
    choices: Sequence[str] = sides.split("|") if skill == "navigate" else [sides]
    return action in [f"{skill}({', '.join(filter(None, (place, side)))})" for side in choices]


answers.update({"mcts/places": _places, "mcts/policy": _policy})
