"""Skills of robots in the tiny world, as data."""

from __future__ import annotations

from coterie.core.action import COMMUNICATE
from coterie.core.expr import all_of, eq, fl, ne
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.core.skills import Skills
from coterie.worlds.yard.declared import FLUENTS, KINDS, READINGS

STEPS: dict[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _step(way: str) -> Skill:
    return Skill(
        name=way,
        params=(),
        help=f"go one cell {way}",
        when=(
            Clause(ne(fl("next", "?robot", way), None), f"{{robot}} stands at the edge: no cell lies {way} of it."),
            Clause(
                eq(fl("occupant", "?robot", way), None),
                f"{{occupant(robot, {way})}} stands in cell {{next(robot, {way})}}.",
            ),
        ),
        then=(Effect(fl("at", "?robot"), fl("next", "?robot", way)),),
        says="{robot} went to cell {at(robot)}.",
    )


_ALL = (
    *(_step(way) for way in STEPS),
    Skill(
        name="grab",
        params=(Param("thing", "thing"),),
        help="take a light thing from the cell of the robot",
        when=(
            Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}."),
            Clause(eq(fl("where", "?thing"), fl("at", "?robot")), "{thing} is not in the cell of {robot}."),
            Clause(ne(fl("beam", "?thing"), True), "{thing} is too heavy for one robot; lift it with a partner."),
        ),
        then=(Effect(fl("where", "?thing"), "?robot"), Effect(fl("holding", "?robot"), "?thing")),
        duration_s=2.0,
        says="{robot} grabbed {thing}.",
    ),
    Skill(
        name="drop",
        params=(Param("thing", "thing"),),
        help="put the held thing down in the cell of the robot",
        when=(Clause(eq(fl("holding", "?robot"), "?thing"), "{robot} does not hold {thing}."),),
        then=(Effect(fl("where", "?thing"), fl("at", "?robot")), Effect(fl("holding", "?robot"), None)),
        duration_s=0.5,
        says="{robot} dropped {thing} in cell {at(robot)}.",
    ),
    Skill(
        name="lift",
        params=(Param("beam", "thing"), Param("partner", "robot")),
        help="lift a beam together with a partner who lifts it too; both stand in or beside its cell",
        when=(
            Clause(eq(fl("beam", "?beam"), True), "{beam} is not a beam."),
            Clause(eq(fl("holding", "?robot"), None), "{robot} has no free hand: it holds {holding(robot)}."),
            Clause(eq(fl("near", "?robot", "?beam"), True), "{robot} does not stand beside {beam}."),
            Clause(
                all_of(ne("?robot", "?partner"), eq(fl("joined", "?robot", "?beam", "?partner"), True)),
                "{partner} does not lift {beam} together with {robot}.",
                name="joined",
            ),
        ),
        then=(Effect(fl("lifted", "?beam"), True),),
        duration_s=3.0,
        says="{robot} and {partner} lifted {beam}.",
    ),
    Skill(
        name=COMMUNICATE,
        params=(Param("content", "text", shown='"words"'), Param("recipients", "robots", shown="name or all")),
        help="send a message to one teammate, to several, or to all",
        when=(Clause(fl("hearers", "?robot", "?recipients"), "nobody named {recipients} is there to hear it."),),
        duration_s=0.5,
        says="{robot} sent the message.",
    ),
    Skill(name="wait", params=(), help="do nothing for a second", says="{robot} waited."),
)
SKILLS = Skills("yard", KINDS, FLUENTS, READINGS)
for _skill in _ALL:
    SKILLS.put(_skill.name, _skill)
