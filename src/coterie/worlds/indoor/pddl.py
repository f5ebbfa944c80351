"""The indoor world as planning text: a domain from the skills, a problem from what a lookup knows.

The problem is a view of a belief (or of the truth): what is unknown is not stated, so a plan counts only on what its
author knows. Which side of the furniture to stand on, and what is within reach from there, is left to execution.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coterie.core.card import Card
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.skill import Rule
from coterie.planning.pddl import Readings, action, atom, name
from coterie.worlds.indoor.skills import skills

_NEAR = "(exists (?f - place) (and (at %0 ?f) (part-of %1 ?f)))"
_SEEN = (
    "(exists (?p - place ?f - place) (and (where %1 ?p) (part-of ?p ?f) (at %0 ?f) (or (not (openable ?p)) (open ?p))))"
)

#: How a plan reads what the world computes: a condition, or None for what execution judges.
READINGS: Readings = {
    **dict.fromkeys(("destination", "fixture", "platform", "has_stand", "stand_allowed", "start_free", "goal_free")),
    **dict.fromkeys(("path", "occupant", "flat", "cover", "height_ok", "room_on", "stand", "pose", "gap")),
    **dict.fromkeys(("arm_finds", "arm_finds_to")),
    "in_view": _SEEN,
    "gap_to": _NEAR,
    "mass": "(liftable %1 %0)",
}
VALUES = {"at": "place", "where": "location", "holding": "thing"}
PLANNED = ("navigate", "open", "pick", "place")


def domain(rules: Iterable[Rule] = ()) -> str:
    rules = tuple(rules)
    actions = "\n".join(action(skills.get(n), READINGS, VALUES, rules, drop=("stand",)) for n in PLANNED)
    return f"""(define (domain indoor)
(:requirements :adl)
(:types location thing - object place robot - location platform - place furniture - platform container - furniture)
(:constants none - thing)
(:predicates
  (can-navigate ?r - robot) (can-open ?r - robot) (can-pick ?r - robot) (can-place ?r - robot)
  (at ?r - robot ?p - place) (where ?t - thing ?l - location) (holding ?r - robot ?t - thing)
  (open ?p - place) (openable ?p - place) (part-of ?p - place ?f - place)
  (level-ok ?r - robot ?p - place) (allowed ?r - robot ?p - place)
  (liftable ?r - robot ?t - thing) (may-place ?r - robot ?p - place))
{actions}
)
"""


def problem(look: Lookup, robots: Iterable[str], things: Iterable[str], goal: Any) -> str:
    """What `look` knows of robots and things, and the goal: every target on its platform."""
    furniture: tuple[str, ...] = look("all_furniture")  # type: ignore[assignment]
    platforms: tuple[str, ...] = look("platforms")  # type: ignore[assignment]
    robots, things = list(robots), list(things)
    boxes = [f for f in furniture if look("openable", f)]
    init: list[str] = []
    for f in (*furniture, *platforms):
        init.append(atom("part_of", (f, look("part_of", f))))
        if f in boxes:
            init.append(atom("openable", (f,)))
            if look("open", f) is True:
                init.append(atom("open", (f,)))
    for r in robots:
        card = look("card", r)
        assert isinstance(card, Card)
        init += [atom(f"can_{s}", (r,)) for s in PLANNED if s in card.skills]
        at, held = look("at", r), look("holding", r)
        if isinstance(at, str):
            init.append(atom("at", (r, at)))
        init.append(atom("holding", (r, held if isinstance(held, str) else None)))
        for f in furniture:
            if look("level_ok", r, f) is not False:
                init.append(atom("level_ok", (r, f)))
            if look("allowed", r, f) is not False:
                init.append(atom("allowed", (r, f)))
        init += [atom("may_place", (r, p)) for p in (*furniture, *platforms) if look("may_place", r, p) is not False]
        for t in things:
            mass = look("mass", t)
            if mass is UNKNOWN or mass <= card.payload_kg:  # type: ignore[operator]
                init.append(atom("liftable", (r, t)))
    for t in things:
        place = look("where", t)
        if isinstance(place, str) and (place in robots or place in furniture or place in platforms):
            init.append(atom("where", (t, place)))
    wanted = " ".join(atom("where", (t, goal.home(t))) for t in goal.targets)
    plain = [f for f in furniture if f not in boxes]
    return f"""(define (problem now) (:domain indoor)
(:objects {" ".join(map(name, robots))} - robot {" ".join(map(name, plain))} - furniture
  {" ".join(map(name, boxes))} - container {" ".join(map(name, platforms))} - platform
  {" ".join(map(name, things))} - thing)
(:init {" ".join(init)})
(:goal (and {wanted})))
"""
