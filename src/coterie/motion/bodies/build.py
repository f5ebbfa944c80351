"""From a mount to an arm in a scene."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.motion.bodies.card import SUFFIX, load
from coterie.motion.bodies.parts import ARMS, Kit, Mount


class Tool(NamedTuple):
    """The gripper of a hand, relative to its point of aim."""

    tip: float  # [m] how far finger tips, cup or palm reach beyond that point
    opening: float = 0.0  # [m] half of the room between open fingers; 0 for a hand that takes hold with one face


class Body(NamedTuple):
    chains: tuple[str, ...]  # of links, the first from the base
    home: tuple[float, ...]  # joint values without the rail
    tool: Tool


BODIES = {
    name: Body(tuple(of["chains"]), tuple(of["home"]), Tool(of["tip"], of.get("opening", 0.0)))
    for name, of in ARMS["body"].items()
}


def tool_of(body: str) -> Tool:
    if not body.endswith(SUFFIX):
        return _body(body).tool
    card = load(body)
    return Tool(card.tip_m, card.opening_m)


def add_arm(spec: Any, mount: Mount) -> None:
    """Adds a robot to an MjSpec: base, links, tool, servos."""
    kit = Kit(spec, mount.name)
    turn = (math.cos(mount.yaw / 2), 0, 0, math.sin(mount.yaw / 2))
    card = load(mount.body) if mount.body.endswith(SUFFIX) else None
    if card is None:
        base = kit.body(spec.worldbody, "base", mount.at, turn)
    else:
        base = card.add(spec, kit, list(mount.at), list(turn))
    if mount.rail is not None:
        # The rail lies along world x whichever way the base is turned.
        kit.slide(base, "slide", (math.cos(mount.yaw), -math.sin(mount.yaw), 0), mount.rail, kp=60_000, force=1_500)
    if card is not None:
        card.drive(kit)
    else:
        for chain in _body(mount.body).chains:
            replace(kit, scale=mount.scale).chain(chain, {"base": base})


def home_of(mount: Mount) -> tuple[float, ...]:
    """Joint values at home, slide first when there is a rail."""
    own = load(mount.body).home if mount.body.endswith(SUFFIX) else _body(mount.body).home
    values = (0.0, *own) if mount.rail is not None else own
    if mount.home and len(mount.home) != len(values):
        raise CoterieError(
            f"The home of {mount.name} has {len(mount.home)} joint values; a {mount.body} here has {len(values)}."
        )
    return mount.home or values


def _body(name: str) -> Body:
    if name not in BODIES:
        raise unknown_name("arm body", name, BODIES)
    return BODIES[name]
