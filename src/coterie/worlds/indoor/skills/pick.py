"""Take a thing into the gripper."""

from coterie.core.expr import eq, fl, le, ne, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
    name="pick",
    params=(Param("object", "thing"),),
    help="take an object within your reach",
    when=(
        Clause(eq(fl("holding", "?robot"), None), "The gripper of {robot} already holds {holding(robot)}."),
        Clause(
            fl("in_view", "?robot", "?object"),
            "{object} is not in the scene graph of {robot}: nothing of that name is in view here.",
        ),
        Clause(
            eq(fl("cover", "?object"), None),
            "The grasp pose of {object} is invalid: {cover(object)} lies on top of it.",
        ),
        Clause(
            le(fl("gap", "?robot", "?object"), fl("reach", "?robot")),
            "{object} is out of reach: it is {gap(robot, object):.2f} m away, the arm of {robot} reaches "
            "{reach(robot):.2f} m{offset(robot, object)}.",
        ),
        Clause(
            ne(fl("arm_finds", "?robot", "?object"), "no posture"),
            "{object} is out of reach: it is {gap(robot, object):.2f} m away, and no posture of the arm of {robot} "
            "gets there{offset(robot, object)}.",
            name="arm_posture",
        ),
        Clause(
            fl("height_ok", "?robot", "?object"),
            "The target state of the arm is invalid: {object} lies at a height that {robot} cannot work at.",
        ),
        Clause(
            ne(fl("arm_finds", "?robot", "?object"), "no free posture"),
            "The target state of the arm is invalid: at {object} the arm of {robot} would touch "
            "{arm_touches(robot, object)}{offset(robot, object)}.",
            name="arm_free_posture",
        ),
        Clause(
            ne(fl("arm_finds", "?robot", "?object"), "no path"),
            "No path of the arm of {robot} to {object} was found that touches nothing{offset(robot, object)}.",
            name="arm_path",
        ),
        Clause(
            le(fl("mass", "?object"), fl("payload", "?robot")),
            "{object} weighs {mass(object):.1f} kg, more than the {payload(robot):.1f} kg {robot} can lift.",
        ),
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(Effect(fl("where", "?object"), "?robot"), Effect(fl("holding", "?robot"), "?object")),
    duration_s=3.0,
    says="{robot} picked up {object}.",
)
skills.put(SKILL.name, SKILL)
