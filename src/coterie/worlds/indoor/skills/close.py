"""Close a container or a door. None of the four benchmark bodies has it; a card may list it."""

from coterie.core.expr import eq, fl, le, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="close",
    params=(Param("container", "container", shown="box"),),
    help="close an open container or door within reach",
    when=(
        Clause(fl("fixture", "?container"), "{container} is not in the scene graph."),
        Clause(fl("openable", "?container"), "{container} cannot be closed."),
        Clause(
            le(fl("gap_to", "?robot", "?container"), fl("reach", "?robot")),
            "{container} is out of range: {gap_to(robot, container):.2f} m away, "
            "the arm of {robot} reaches {reach(robot):.2f} m.",
        ),
        Clause(eq(fl("open", "?container"), True), "{container} is already closed."),
        Clause(no(fl("in_doorway", "?container")), "A robot stands in the way of {container}."),
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(Effect(fl("open", "?container"), False),),
    duration_s=2.0,
    says="{container} is closed.",
)
skills.put(SKILL.name, SKILL)
