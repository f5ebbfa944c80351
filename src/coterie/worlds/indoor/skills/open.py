"""Open a container or a door."""

from coterie.core.expr import eq, fl, le, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="open",
    params=(Param("container", "container", shown="box"),),
    help="open a box you stand at and look inside",
    when=(
        Clause(fl("fixture", "?container"), "{container} is not in the scene graph."),
        Clause(fl("openable", "?container"), "{container} cannot be opened."),
        Clause(
            le(fl("gap_to", "?robot", "?container"), fl("reach", "?robot")),
            "{container} is out of range: {gap_to(robot, container):.2f} m away, "
            "the arm of {robot} reaches {reach(robot):.2f} m.",
        ),
        Clause(eq(fl("open", "?container"), False), "{container} is already open."),
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(Effect(fl("open", "?container"), True),),
    duration_s=2.0,
    says="{container} is open. {sight(container)}",
)
skills.put(SKILL.name, SKILL)
