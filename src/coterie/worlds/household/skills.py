"""The low-level actions, each of one step, with the kinds of names and the fluents that they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.expr import Fluent, eq, fl, le, ne, no
from coterie.core.fact_world import WAITING
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import ANY, NUMBER, TEXT, Declared, fluent
from coterie.core.kinds import Kind, Knower
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.core.skills import Skills
from coterie.houses.model import FLOOR
from coterie.houses.placement import kinds as table
from coterie.worlds.household.bodies import KEEP, REPORT, STOP


def _things(me: Knower) -> Sequence[str]:
    return [f.args[0] for f in me.belief.facts("where") if f.value is not UNKNOWN]


def things_named(me: Knower, before: tuple[Any, ...] = ()) -> Sequence[str]:
    """Things of the goal, and those it has heard of, whether it knows where they are or not."""
    goal = me.belief.value("goal")
    return list(dict.fromkeys([*getattr(goal, "things", ()), *(f.args[0] for f in me.belief.facts("where"))]))


def _where_known(me: Knower, before: tuple[Any, ...]) -> Sequence[str]:
    where = me.belief.value("where", before[-1])
    return (where,) if isinstance(where, str) else ()


def _pieces(me: Knower) -> Sequence[str]:
    return [f.args[0] for f in me.belief.facts("box")]


def _receptacles(me: Knower) -> Sequence[str]:
    known = table()
    kinds = ((p, me.belief.value("kind", p)) for p in _pieces(me))
    return [p for p, kind in kinds if kind in known and known[str(kind)].receptacle]


ITEM = Kind("item", names=lambda me: [*_things(me), *_pieces(me)])
THING = Kind("thing", names=_things, tried=things_named, parent="item", held=True)
PIECE = Kind("piece", names=_pieces, parent="item")
RECEPTACLE = Kind("receptacle", names=_receptacles, parent="piece")
PLACE = Kind("place", names=lambda me: [*_pieces(me), FLOOR], tried=_where_known)
WAY = Kind("way", names=lambda me: ("ahead", "back", "left", "right"), planned=False)
KINDS = (ITEM, THING, PIECE, RECEPTACLE, PLACE, WAY)

FLUENTS: tuple[Declared, ...] = (
    # of robots
    fluent("pose", "robot", value=ANY),  # x, y [m], heading, tilt [deg]
    fluent("holding", "robot", value="thing"),
    fluent("battery", "robot", value=NUMBER),  # actions that are left; none: no end to it
    fluent("stopped", "robot"),
    fluent("arm", "robot"),
    fluent("payload", "robot", value=NUMBER),
    fluent("reach", "robot", value=NUMBER),
    # of things and furniture
    fluent("kind", "item", value=TEXT),
    fluent("where", "thing", value="place"),
    fluent("spot", "thing", value=ANY),
    fluent("mass", "thing", value=NUMBER),
    fluent("reported", "thing", value="place"),
    fluent("keep", "thing", value=ANY),  # where somebody who lives here wants it to stay
    # what follows from that
    fluent("clear", "robot", "way"),
    fluent("moved", "robot", "way", value=ANY),
    fluent("in_way", "robot", "way", value=TEXT),
    fluent("turned", "robot", "way", value=ANY),
    fluent("tilts", "robot", "way"),
    fluent("tilted", "robot", "way", value=ANY),
    fluent("in_view", "robot", "item"),
    fluent("gap", "robot", "item", value=NUMBER),
    fluent("receptacle", "piece"),
    fluent("free_spot", "robot", "piece", value=ANY),
    fluent("drop_spot", "robot", value=ANY),
    fluent("place", "place"),
)


SKILLS = Skills("household", KINDS, FLUENTS, example="PickUp(mug_0)")

_ON = (
    Clause(ne(fl("battery", "?robot"), 0), "{robot}'s battery is flat.", "battery"),
    Clause(no(fl("stopped", "?robot")), "{robot} has stopped for good.", "stopped_for_good"),
)
_BLOCKED = "{robot} cannot move WAY: {in_way(robot, WAY)} is in the way."
_ARM = Clause(fl("arm", "?robot"), "{robot} has no arm.", "arm")


def _put(
    name: str, params: tuple[Param, ...], when: tuple[Clause, ...], then: tuple[Effect, ...], says: str, does: str
) -> None:
    SKILLS.put(name, Skill(name, params, when=(*_ON, *when), then=then, says=says, help=does))


for _name, _way in (("MoveAhead", "ahead"), ("MoveBack", "back"), ("MoveLeft", "left"), ("MoveRight", "right")):
    _blocked = f"{{robot}} cannot move {_way}: {{in_way(robot, {_way})}} is in the way."
    _put(
        _name,
        (),
        (Clause(fl("clear", "?robot", _way), _BLOCKED.replace("WAY", _way), "blocked"),),
        (Effect(fl("pose", "?robot"), fl("moved", "?robot", _way)),),
        f"{{robot}} moved {_way}.",
        f"one step {_way}, looking the same way",
    )  # fmt: skip

for _name, _way in (("RotateLeft", "left"), ("RotateRight", "right")):
    _put(
        _name,
        (),
        (),
        (Effect(fl("pose", "?robot"), fl("turned", "?robot", _way)),),
        f"{{robot}} turned {_way}.",
        f"turn {_way} on the spot",
    )

for _name, _way in (("LookUp", "up"), ("LookDown", "down")):
    _put(
        _name,
        (),
        (Clause(fl("tilts", "?robot", _way), f"{{robot}}'s camera tilts no further {_way}.", "tilt"),),
        (Effect(fl("pose", "?robot"), fl("tilted", "?robot", _way)),),
        f"{{robot}} looks further {_way}.",
        f"tilt the camera {_way}",
    )


def _near(what: str) -> tuple[Clause, ...]:
    """It must be seen, and within reach; how far off something is that is not in view, nobody is told."""
    return (
        Clause(fl("in_view", "?robot", f"?{what}"), f"{{{what}}} is not in {{robot}}'s view.", "in_view"),
        Clause(
            le(fl("gap", "?robot", f"?{what}"), fl("reach", "?robot")),
            f"{{{what}}} is too far away: {{gap(robot, {what}):.2f}} m, and {{robot}} reaches {{reach(robot):.2f}} m.",
            "too_far",
        ),
    )


def _held() -> tuple[Fluent, Clause]:
    holding = fl("holding", "?robot")
    return holding, Clause(ne(holding, None), "{robot} holds nothing.", "holding")


_put(
    "PickUp",
    (Param("object", "thing"),),
    (
        _ARM,
        Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}.", "hand_full"),
        *_near("object"),
        Clause(
            le(fl("mass", "?object"), fl("payload", "?robot")),
            "{object} is too heavy: {mass(object):.2f} kg, and {robot} lifts {payload(robot):.2f} kg.",
            "too_heavy",
        ),
    ),
    (
        Effect(fl("where", "?object"), "?robot"),
        Effect(fl("spot", "?object"), None),
        Effect(fl("holding", "?robot"), "?object"),
    ),
    "{robot} picked up {object}.",
    "take a thing that is in view and within reach",
)

_HOLDING, _SOMETHING = _held()
_put(
    "PutDown",
    (Param("receptacle", "receptacle"),),
    (
        _ARM,
        _SOMETHING,
        Clause(fl("receptacle", "?receptacle"), "nothing can be put on {receptacle}.", "receptacle"),
        *_near("receptacle"),
        Clause(ne(fl("free_spot", "?robot", "?receptacle"), None), "there is no room on {receptacle}.", "no_room"),
    ),
    (
        Effect(fl("where", _HOLDING), "?receptacle"),
        Effect(fl("spot", _HOLDING), fl("free_spot", "?robot", "?receptacle")),
        Effect(fl("holding", "?robot"), None),
    ),
    "{robot} put it on {receptacle}.",
    "put what you hold on a piece of furniture that is in view and within reach",
)

_put(
    "Drop",
    (),
    (_ARM, _SOMETHING),
    (
        Effect(fl("where", _HOLDING), FLOOR),
        Effect(fl("spot", _HOLDING), fl("drop_spot", "?robot")),
        Effect(fl("holding", "?robot"), None),
    ),
    "{robot} dropped it.",
    "let what you hold fall to the floor",
)

_put(
    REPORT,
    (Param("object", "thing"), Param("place", "place")),
    (Clause(fl("place", "?place"), "there is no place named {place}.", "place"),),
    (Effect(fl("reported", "?object"), "?place"),),
    "{robot} reported that {object} is at {place}.",
    f"report where a thing is: on which piece of furniture, or on the {FLOOR}",
)

_put(
    KEEP,
    (Param("object", "thing"),),
    (Clause(ne(fl("spot", "?object"), None), "{object} lies nowhere.", "lies"),),
    (Effect(fl("keep", "?object"), fl("spot", "?object")),),
    "{robot} wants {object} to stay where it lies.",
    "let a thing stay where it lies, as one who lives here",
)

_put(STOP, (), (), (Effect(fl("stopped", "?robot"), True),), "{robot} has stopped.", "stop here for good")
_put(WAITING.name, (), (), (), WAITING.says, WAITING.help)
