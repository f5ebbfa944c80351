"""The skills of the house, in the order of prompts and lists."""

from __future__ import annotations

from coterie.core.expr import any_of, eq, fl, le, ne, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

_CHARGED = Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat.")
_START_FREE = Clause(
    fl("start_free", "?robot"), "No path: the starting point of {robot} falls on an obstacle or outside the map."
)
_NEAR = Clause(
    le(fl("gap_to", "?robot", "?container"), fl("reach", "?robot")),
    "{container} is out of range: {gap_to(robot, container):.2f} m away, "
    "the arm of {robot} reaches {reach(robot):.2f} m.",
)
_CONTAINER = (Param("container", "container", shown="box"),)
_IN_SCENE = Clause(fl("fixture", "?container"), "{container} is not in the scene graph.")


NAVIGATE = Skill(
    name="navigate",
    params=(
        Param("furniture", "furniture", shown="place"),
        Param("stand", "stand", shown="side", default="stand_pose_0"),
    ),
    help="go there and look",
    when=(
        Clause(fl("destination", "?furniture"), "{furniture} is not in the scene graph or cannot be navigated to."),
        Clause(
            fl("has_stand", "?furniture", "?stand"),
            "{furniture} has no {stand}; its stand poses are {stands(furniture)}.",
        ),
        Clause(
            fl("level_ok", "?robot", "?furniture"),
            "{robot} cannot explore {furniture}: it is an elevated place, beyond this robot's abilities.",
        ),
        Clause(fl("allowed", "?robot", "?furniture"), "{furniture} lies in a zone that is closed to {robot}."),
        Clause(
            fl("stand_allowed", "?robot", "?furniture", "?stand"),
            "{stand} of {furniture} lies in a zone that is closed to {robot}.",
        ),
        Clause(
            eq(fl("closed_room", "?robot", "?furniture", "?stand"), None),
            "No path leads {robot} to {stand} of {furniture}: {closed_room(robot, furniture, stand)} is a zone that is "
            "closed to {robot}.",
        ),
        Clause(
            eq(fl("shut_door", "?robot", "?furniture", "?stand"), None),
            "No path leads {robot} to {stand} of {furniture}: {shut_door(robot, furniture, stand)} is closed.",
        ),
        _START_FREE,
        Clause(
            fl("goal_free", "?robot", "?furniture", "?stand"),
            "No path: the end point {stand} of {furniture} falls on an obstacle or outside the map.",
        ),
        Clause(
            fl("path", "?robot", "?furniture", "?stand"),
            "No path leads {robot} to {stand} of {furniture}: there is no way through.",
        ),
        Clause(
            eq(fl("occupant", "?robot", "?furniture", "?stand"), None),
            "{robot} stopped short of {stand} of {furniture}, off the target pose by more than the allowed 0.30 m: "
            "{occupant(robot, furniture, stand)} stands there.",
        ),
        _CHARGED,
    ),
    then=(
        Effect(fl("at", "?robot"), "?furniture"),
        Effect(fl("stand", "?robot"), "?stand"),
        Effect(fl("pose", "?robot"), fl("stand_pose", "?furniture", "?stand")),
    ),
    duration_s=1.0,
    says="{robot} reached {stand} of {furniture}. {sight(furniture)}",
)
OPEN = Skill(
    name="open",
    params=_CONTAINER,
    help="open a box you stand at and look inside",
    when=(
        _IN_SCENE,
        Clause(fl("openable", "?container"), "{container} cannot be opened."),
        _NEAR,
        Clause(eq(fl("open", "?container"), False), "{container} is already open."),
        _CHARGED,
    ),
    then=(Effect(fl("open", "?container"), True),),
    duration_s=2.0,
    says="{container} is open. {sight(container)}",
)
CLOSE = Skill(
    name="close",
    params=_CONTAINER,
    help="close an open container or door within reach",
    when=(
        _IN_SCENE,
        Clause(fl("openable", "?container"), "{container} cannot be closed."),
        _NEAR,
        Clause(eq(fl("open", "?container"), True), "{container} is already closed."),
        Clause(no(fl("in_doorway", "?container")), "A robot stands in the way of {container}."),
        _CHARGED,
    ),
    then=(Effect(fl("open", "?container"), False),),
    duration_s=2.0,
    says="{container} is closed.",
)
PICK = Skill(
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
        _CHARGED,
    ),
    then=(Effect(fl("where", "?object"), "?robot"), Effect(fl("holding", "?robot"), "?object")),
    duration_s=3.0,
    says="{robot} picked up {object}.",
)
PLACE = Skill(
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
        _CHARGED,
    ),
    then=(Effect(fl("where", "?object"), "?platform"), Effect(fl("holding", "?robot"), None)),
    duration_s=3.0,
    says="{put_words(robot, object, platform)}",
)
MOVE = Skill(
    name="move",
    params=(Param("dx", "metres", shown=""), Param("dy", "metres", shown="")),
    help="shift your base when an object here is just out of reach",
    unread="a shift is two small numbers, dx and dy in metres",
    when=(
        Clause(fl("short_move", "?dx", "?dy"), "Move takes two numbers in metres, together at most 1.5 m."),
        _START_FREE,
        Clause(
            fl("move_free", "?robot", "?dx", "?dy"),
            "No path: the end point of the move, or the straight way there, falls on an obstacle, outside the map or "
            "where another robot stands.",
        ),
        _CHARGED,
    ),
    then=(
        Effect(fl("at", "?robot"), fl("still_at", "?robot", "?dx", "?dy")),
        Effect(fl("pose", "?robot"), fl("moved", "?robot", "?dx", "?dy")),
        Effect(fl("stand", "?robot"), None),
    ),
    duration_s=1.0,
    says="{robot} moved by {dx:+.2f} m along x and {dy:+.2f} m along y.",
)
COMMUNICATE = Skill(
    name="communicate",
    params=(Param("content", "text", shown='"words"'), Param("recipients", "robots", shown="name or all")),
    help="tell teammates",
    when=(Clause(fl("hearers", "?robot", "?recipients"), "Nobody named {recipients} is there to hear it."),),
    duration_s=1.0,
    says="The message was sent to {heard_by(robot, recipients)}.",
)
WAIT = Skill(name="wait", params=(), help="do nothing for a step", duration_s=1.0, says="{robot} waited.")
for _skill in (NAVIGATE, OPEN, CLOSE, PICK, PLACE, MOVE, COMMUNICATE, WAIT):
    skills.put(_skill.name, _skill)
