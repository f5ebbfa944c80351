"""A skill: rinse what one holds, at a place that has water."""

from coterie import Clause, Effect, Param, Skill
from coterie.core.expr import eq, fl, gt
from coterie.core.fluents import fluent
from coterie.core.skill import decrease
from coterie.worlds.indoor.skills import skills

skills.declare(
    fluent("rinsed", "thing", seen=True),
    fluent("water", "furniture", value="number", seen=True),  # for so many rinses
)
RINSE = Skill(
    "rinse",
    (Param("object", "thing"), Param("furniture", "furniture", shown="place")),
    help="rinse what you hold at a place with water",
    when=(
        Clause(eq(fl("holding", "?robot"), "?object"), "{robot} does not hold {object}."),
        Clause(eq(fl("at", "?robot"), "?furniture"), "{robot} does not stand at {furniture}."),
        Clause(gt(fl("water", "?furniture"), 0), "There is no water at {furniture}."),
    ),
    then=(Effect(fl("rinsed", "?object"), True), decrease(fl("water", "?furniture"), 1)),
    duration_s=4.0,
    says="{robot} rinsed {object}.",
)
skills.put(RINSE.name, RINSE)
