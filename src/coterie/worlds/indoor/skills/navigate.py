"""Drive or fly to a stand pose beside a piece of furniture or a door."""

from coterie.core.expr import eq, fl, no
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.worlds.indoor.skills import skills

SKILL = Skill(
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
        Clause(
            fl("start_free", "?robot"),
            "No path: the starting point of {robot} falls on an obstacle or outside the map.",
        ),
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
        Clause(no(fl("flat", "?robot")), "The battery of {robot} is flat."),
    ),
    then=(
        Effect(fl("at", "?robot"), "?furniture"),
        Effect(fl("stand", "?robot"), "?stand"),
        Effect(fl("pose", "?robot"), fl("stand_pose", "?furniture", "?stand")),
    ),
    duration_s=1.0,
    says="{robot} reached {stand} of {furniture}. {sight(furniture)}",
)
skills.put(SKILL.name, SKILL)
