"""Skills of robots in the hospital, as data. Their cards say which robot has which."""

from __future__ import annotations

from coterie.core.action import WAIT
from coterie.core.expr import Expr, all_of, eq, fl, ge, ne, no
from coterie.core.skill import Clause, Effect, Param, Skill, decrease, increase
from coterie.core.skills import Skills
from coterie.worlds.hospital.declared import FLUENTS, KINDS, READINGS

_AT = Clause(eq(fl("at", "?robot"), "?pose"), "{robot} is not at {pose}.")
_EMPTY = Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}.")
_CARRIES = Clause(fl("carries", "?robot", "?thing"), "{robot} cannot carry {thing}.")
_OVERLOOKS = Clause(fl("overlooks", "?pose", "?table"), "{table} is out of reach from {pose}.")
_THERE = Clause(fl("objectAt", "?thing", "?table"), "there is no {thing} on {table}.", name="object_at")
_POSE = Param("pose", "pose")
_TABLE = Param("table", "table")


def _move(*more: Clause) -> tuple[Clause, ...]:
    return (
        Clause(eq(fl("at", "?robot"), "?start"), "{robot} is not at {start}."),
        *more,
        Clause(fl("may", "?robot", "?to"), "{to} is no place for {robot}."),
        Clause(fl("free", "?to"), "somebody stands at {to}."),
    )


_MOVED = (
    Effect(fl("at", "?robot"), "?to"),
    Effect(fl("free", "?start"), True),
    Effect(fl("free", "?to"), False),
)


def _caddy_here(*more: Clause) -> tuple[Clause, ...]:
    here: Expr = fl("objectAt", "?caddy", "?table")
    return (
        _AT,
        _OVERLOOKS,
        *more,
        Clause(fl("perceived", "?caddy", "?table"), "{robot} has not seen {caddy} on {table}."),
        Clause(here, "there is no {caddy} on {table}.", name="object_at"),
    )


_ALL = (
    Skill(
        "goto",
        (Param("start", "pose"), Param("to", "pose")),
        help="go to another pose in the same room",
        when=_move(
            Clause(ne("?start", "?to"), "{robot} is already at {to}.", name="elsewhere"),
            Clause(eq(fl("room_of", "?start"), fl("room_of", "?to")), "{to} is in another room than {start}."),
        ),
        then=_MOVED,
        duration_s=2.0,  # and the way
        says="{robot} went to {to}.",
    ),
    Skill(
        "passdoor",
        (Param("start", "pose"), Param("door", "door"), Param("to", "pose")),
        help="go through an open door to a pose in the room behind it",
        when=_move(
            Clause(
                all_of(fl("beside", "?start", "?door"), fl("beside", "?to", "?door")),
                "{door} does not lead from {start} to {to}.",
                name="beside",
            ),
            Clause(ne(fl("room_of", "?start"), fl("room_of", "?to")), "{to} is in the same room as {start}."),
            Clause(fl("open", "?door"), "{door} is shut."),
        ),
        then=_MOVED,
        duration_s=3.0,  # and the way
        says="{robot} went through {door} to {to}.",
    ),
    Skill(
        "perceiveobject",
        (Param("thing", "thing"), _TABLE, _POSE),
        help="look for a thing on a table",
        when=(_AT, _OVERLOOKS, _THERE),
        then=(Effect(fl("perceived", "?thing", "?table"), True),),
        duration_s=4.0,
        says="{robot} sees {thing} on {table}.",
    ),
    Skill(
        "pickup",
        (Param("thing", "thing"), _TABLE, _POSE),
        help="take a thing that was seen from a table",
        when=(
            _AT,
            _OVERLOOKS,
            _EMPTY,
            _CARRIES,
            Clause(fl("perceived", "?thing", "?table"), "{robot} has not seen {thing} on {table}."),
            _THERE,
            Clause(fl("graspable", "?robot", "?thing"), "{thing} slips from the gripper of {robot}."),
        ),
        then=(Effect(fl("holding", "?robot"), "?thing"), decrease(fl("stock", "?thing", "?table"))),
        duration_s=12.0,
        says="{robot} picked up {thing}.",
    ),
    Skill(
        "putdown",
        (Param("thing", "thing"), _TABLE, _POSE),
        help="put the held thing on a table",
        when=(_AT, _OVERLOOKS, Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}.")),
        then=(
            Effect(fl("holding", "?robot"), None),
            increase(fl("stock", "?thing", "?table")),
            Effect(fl("perceived", "?thing", "?table"), True),
        ),
        duration_s=8.0,
        says="{robot} put {thing} on {table}.",
    ),
    Skill(
        "putin",
        (Param("item", "item"), Param("caddy", "caddy"), _TABLE, _POSE),
        help="put the held item into a caddy on a table",
        when=_caddy_here(Clause(eq(fl("holding", "?robot"), "?item"), "{robot} does not hold {item}.")),
        then=(Effect(fl("holding", "?robot"), None), increase(fl("amount", "?caddy", "?item"))),
        duration_s=8.0,
        says="{robot} put {item} into {caddy}.",
    ),
    Skill(
        "takeout",
        (Param("item", "item"), Param("caddy", "caddy"), _TABLE, _POSE),
        help="take an item out of a caddy on a table",
        when=(
            *_caddy_here(_EMPTY),
            Clause(ge(fl("amount", "?caddy", "?item"), 1), "there is no {item} in {caddy}."),
        ),
        then=(Effect(fl("holding", "?robot"), "?item"), decrease(fl("amount", "?caddy", "?item"))),
        duration_s=10.0,
        says="{robot} took {item} out of {caddy}.",
    ),
    Skill(
        "receiveitem",
        (Param("thing", "item"), Param("person", "person"), _POSE),
        help="ask a person for an item and take it",
        when=(
            _AT,
            Clause(fl("near", "?pose", "?person"), "{person} is not near {pose}."),
            _EMPTY,
            _CARRIES,
            Clause(fl("supplies", "?person", "?thing"), "{person} has no {thing}."),
            Clause(fl("answers", "?person"), "{person} does not answer."),
        ),
        then=(Effect(fl("holding", "?robot"), "?thing"),),
        duration_s=6.0,  # and the time that the person takes
        says="{person} gave {robot} {thing}.",
    ),
    Skill(
        "handover",
        (Param("thing", "thing"), Param("other", "robot"), _POSE, Param("theirs", "pose")),
        help="hand the held thing to another robot",
        when=(
            _AT,
            Clause(fl("meets", "?pose", "?theirs"), "nothing can be handed over from {pose} to {theirs}."),
            Clause(eq(fl("at", "?other"), "?theirs"), "{other} is not at {theirs}.", name="other_at"),
            Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}."),
            Clause(eq(fl("holding", "?other"), None), "{other} already holds {holding(other)}.", name="other_holding"),
            Clause(fl("carries", "?other", "?thing"), "{other} cannot carry {thing}."),
        ),
        then=(Effect(fl("holding", "?robot"), None), Effect(fl("holding", "?other"), "?thing")),
        duration_s=10.0,
        says="{robot} handed {thing} to {other}.",
    ),
    Skill(
        "opendoor",
        (Param("door", "door"), _POSE),
        help="open a door with an empty gripper",
        when=(
            _AT,
            Clause(fl("reaches", "?pose", "?door"), "{door} is out of reach from {pose}."),
            _EMPTY,
            Clause(no(fl("jammed", "?door")), "{door} is jammed."),
        ),
        then=(Effect(fl("open", "?door"), True),),
        duration_s=14.0,
        says="{robot} opened {door}.",
    ),
    Skill(
        "deliverkit",
        (Param("caddy", "caddy"), Param("room", "room"), _POSE),
        help="leave the carried caddy with the people in a room",
        when=(
            _AT,
            Clause(eq(fl("room_of", "?pose"), "?room"), "{pose} is not in {room}."),
            Clause(eq(fl("holding", "?robot"), "?caddy"), "{robot} does not carry {caddy}."),
        ),
        then=(
            Effect(fl("holding", "?robot"), None),
            increase(fl("stock", "?caddy", "?room")),
            Effect(fl("delivered", "?caddy", "?room"), True),
        ),
        duration_s=10.0,
        says="{robot} delivered {caddy} to {room}.",
    ),
    Skill(
        "lookat",
        (_TABLE, _POSE),
        help="look at all that is on a table or a piece of furniture",
        when=(_AT, _OVERLOOKS),
        then=(Effect(fl("seen", "?table"), True),),
        duration_s=6.0,
        says="{robot} looked at {table}.",
    ),
    Skill(
        "give",
        (Param("thing", "item"), Param("person", "person"), _POSE),
        help="hand the held item to a person",
        when=(
            _AT,
            Clause(fl("near", "?pose", "?person"), "{person} is not near {pose}."),
            Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}."),
            Clause(fl("answers", "?person"), "{person} does not answer."),
        ),
        then=(Effect(fl("holding", "?robot"), None), increase(fl("has", "?person", "?thing"))),
        duration_s=8.0,  # and the time that the person takes
        says="{robot} gave {person} {thing}.",
    ),
    Skill(
        WAIT,
        (),
        help="stand by until another robot has done something, ten seconds at most",
        duration_s=10.0,
        says="{robot} waited.",
    ),
)
SKILLS = Skills("hospital", KINDS, FLUENTS, READINGS)
BUILT_IN = frozenset(skill.name for skill in _ALL)
for _skill in _ALL:
    SKILLS.put(_skill.name, _skill)
