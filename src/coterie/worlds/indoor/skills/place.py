"""Put the held thing on or into a platform."""

from coterie.core.expr import any_of, eq, fl, le, ne, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="place",
    params=(Param("object", "thing"), Param("platform", "platform", shown="place")),
    help="put the held object down where you stand",
    when=(
        Clause(ne(fl("holding", "?robot"), None), "The gripper of {robot} is empty.", name="holds_something"),
        Clause(
            eq(fl("holding", "?robot"), "?object"),
            "{robot} holds {holding(robot)}, not {object}.",
            name="holds_object",
        ),
        Clause(fl("platform", "?platform"), "{platform} is not in the scene graph or nothing can be placed there."),
        Clause(
            any_of(no(fl("openable", "?platform")), eq(fl("open", "?platform"), True)),
            "{platform} is closed; {object} was not placed.",
            name="open",
        ),
        Clause(
            le(fl("gap_to", "?robot", "?platform"), fl("reach", "?robot")),
            "{platform} is out of reach: it is {gap_to(robot, platform):.2f} m away, the arm of {robot} reaches "
            "{reach(robot):.2f} m.",
        ),
        Clause(fl("room_on", "?robot", "?platform"), "{platform} has no free spot within reach of {robot}."),
        Clause(
            ne(fl("arm_finds_to", "?robot", "?object", "?platform"), "no posture"),
            "{platform} is out of reach: it is {gap_to(robot, platform):.2f} m away, and no posture of the arm of "
            "{robot} gets there.",
            name="arm_posture",
        ),
        Clause(
            ne(fl("arm_finds_to", "?robot", "?object", "?platform"), "no free posture"),
            "The target state of the arm is invalid: at {platform} the arm of {robot} would touch "
            "{arm_touches(robot, object, platform)}.",
            name="arm_free_posture",
        ),
        Clause(
            ne(fl("arm_finds_to", "?robot", "?object", "?platform"), "no path"),
            "No path of the arm of {robot} to {platform} was found that touches nothing.",
            name="arm_path",
        ),
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(Effect(fl("where", "?object"), "?platform"), Effect(fl("holding", "?robot"), None)),
    duration_s=3.0,
    says="{put_words(robot, object, platform)}",
)
skills.put(SKILL.name, SKILL)
