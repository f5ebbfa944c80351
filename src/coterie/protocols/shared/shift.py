"""Shifting the base a little: a second call that shows a costmap around the robot and asks for a spot on it."""

from __future__ import annotations

from typing import Any

from coterie.core.action import UNREAD, WAIT, Action
from coterie.protocols.shared import replies
from coterie.protocols.shared.mind import Asking, Mind, ask
from coterie.protocols.shared.reading import Reading, shift_for

CELL_M = 0.2
HALF = 6  # cells of the costmap to each side


def shift(mind: Mind, r: Reading, first: Action) -> Asking[Action]:
    """The second call: a costmap around the robot, and a spot to choose on it. The rivals make it too."""
    thing = out_of_reach(r, first.why)
    if thing is None:
        return first if len(first.args) == 2 else Action(WAIT, (), "there is nothing here to move closer to")
    prompt = mind.prompt("move", object=thing, cell=f"{CELL_M:.1f}", costmap=costmap(r, thing))
    found = yield from ask(
        mind, "MV", prompt, lambda reply: replies.shift(reply) or replies.Misread("it has no two numbers")
    )
    if isinstance(found, replies.Misread):
        return first if len(first.args) == 2 else Action(WAIT, (), "unreadable reply: no shift", origin=UNREAD)
    return Action("move", found, first.why)


def out_of_reach(r: Reading, why: str = "") -> str | None:
    """A needed thing in view that the arm does not reach from here, the one named if there are several."""
    near = [t for t in r.missing if r.in_view(t) and r.spot(t) is not None]
    far = [t for t in near if r.card.gap(r.pose, r.spot(t)) > r.card.reach_m]  # type: ignore[arg-type]
    return next((t for t in far if replies.names_it(t, why)), far[0] if far else None)


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
