"""Stage 4: one atomic action from one robot's own view, and a second call where the base must shift a little."""

from __future__ import annotations

import re
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.facts import UNKNOWN, Fact
from coterie.protocols.dynahmrc import parse
from coterie.protocols.dynahmrc.grammar import action_grammar
from coterie.protocols.dynahmrc.state import Asking, Mind, ask
from coterie.protocols.reading import Reading
from coterie.protocols.rules.mover import shift_for

CELL_M = 0.2
HALF = 6  # cells of the costmap to each side


def act(mind: Mind) -> Asking[Action]:
    me, r = mind.me, mind.reading()
    prompt = mind.prompt("hmrc")
    others = [n for n in r.online if n != me.name]
    found = yield from ask(
        mind, "HMRC", prompt, lambda reply: parse.action(reply, others), action_grammar(r, mind.options.style)
    )
    if isinstance(found, parse.Misread):
        return Action(WAIT, (), f"unreadable reply: {found.reason}")
    if found.skill == "move" and "move" in r.card.skills:
        return (yield from shift(mind, r, found))
    if found.skill == COMMUNICATE and mind.options.share:
        return found._replace(facts=tuple(named_facts(r, str(found.args[0]))))
    return found


def named_facts(r: Reading, text: str) -> list[Fact]:
    """What the speaker believes of the things and places it names: the grounds of its words travel with them."""
    named = set(re.findall(r"[\w@-]+", text))
    facts = []
    for fact in r.belief.facts():
        if fact.value is UNKNOWN or fact.pred not in ("where", "spot", "mass", "contents", "open", "allowed"):
            continue
        if fact.pred == "allowed":  # of itself alone: where it may not go
            if fact.args[0] == r.name and fact.args[1] in named:
                facts.append(fact)
        elif fact.args[0] in named and not (fact.pred == "where" and fact.value == r.name):
            facts.append(fact)
    boxes = {f.value for f in facts if f.pred == "where"}  # and whether the box it lies in stands open
    facts += [f for f in r.belief.facts("open") if f.args[0] in boxes and f not in facts and f.value is not UNKNOWN]
    return facts[:60]


# -- move -------------------------------------------------------------------------------------------------------------
def shift(mind: Mind, r: Reading, first: Action) -> Asking[Action]:
    """The second call: a costmap around the robot, and a spot to choose on it. The rivals make it too."""
    thing = out_of_reach(r, first.why)
    if thing is None:
        return first if len(first.args) == 2 else Action(WAIT, (), "there is nothing here to move closer to")
    prompt = mind.prompt("move", object=thing, cell=f"{CELL_M:.1f}", costmap=costmap(r, thing))
    found = yield from ask(
        mind, "MV", prompt, lambda reply: parse.shift(reply) or parse.Misread("it has no two numbers")
    )
    if isinstance(found, parse.Misread):
        return first if len(first.args) == 2 else Action(WAIT, (), "unreadable reply: no shift")
    return Action("move", found, first.why)


def out_of_reach(r: Reading, why: str = "") -> str | None:
    """A needed thing in view that the arm does not reach from here, the one named if there are several."""
    near = [t for t in r.missing if r.in_view(t) and r.spot(t) is not None]
    far = [t for t in near if r.card.gap(r.pose, r.spot(t)) > r.card.reach_m]  # type: ignore[arg-type]
    return next((t for t in far if parse.names_it(t, why)), far[0] if far else None)


def costmap(r: Reading, thing: str) -> str:
    """The surroundings as text, +y up."""
    spot: Any = r.spot(thing)
    tx, ty = round((spot[0] - r.pose[0]) / CELL_M), round((spot[1] - r.pose[1]) / CELL_M)
    rows = []
    for j in range(HALF, -HALF - 1, -1):
        row = ""
        for i in range(-HALF, HALF + 1):
            dx, dy = i * CELL_M, j * CELL_M
            if (i, j) == (0, 0):
                row += "R"
            elif (i, j) == (tx, ty):
                row += "T"
            elif r.look("move_free", r.name, dx, dy) is False:
                row += "#"
            else:
                near = r.card.gap((r.pose[0] + dx, r.pose[1] + dy), spot) <= r.card.reach_m
                row += "o" if near else "."
        rows.append(f"{row}  dy={j * CELL_M:+.1f}")
    rows.append(f"dx runs from {-HALF * CELL_M:+.1f} (left) to {HALF * CELL_M:+.1f} (right)")
    if not any("o" in row.partition(" ")[0] for row in rows[:-1]):
        rows.append(_between_the_signs(r, spot))
    return "\n".join(rows)


def _between_the_signs(r: Reading, spot: Any) -> str:
    """Room may be so narrow that no sign of the map falls on a good spot: then the map says where one is."""
    found = shift_for(r, spot)
    if found is None:
        return "No spot here is close enough."
    return f"No sign falls on it, but this spot is free and close enough: {found[0]:+.2f}, {found[1]:+.2f}"
