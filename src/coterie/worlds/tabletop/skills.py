"""What hands can do on a table, as data: for prompts, guard rails and the command line.

The conditions that a robot can judge from its belief stand here; reach, collision and a task's own rules are checked by
the world, for all arms together.
"""

from __future__ import annotations

from coterie.core.expr import eq, fl
from coterie.core.skill import Clause, Effect, Param, Skill

_EMPTY = Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}.")
_REACH = Clause(fl("way", "?robot"), "There is no way for {robot} to do this.")  # unknown to all until arms are planned
_MAY_WAIT = Clause(fl("may_wait", "?robot"), "{robot} may not wait now.")  # some tasks know no waiting, or not for all
_HOLDS = Clause(eq(fl("holding", "?robot"), "?object"), "{robot} does not hold {object}.", name="holds_object")

_ALL = (
    Skill(
        "pick",
        (Param("object", "thing"),),
        when=(_EMPTY, _REACH),
        then=(Effect(fl("holding", "?robot"), "?object"),),
        duration_s=3.0,
        says="{robot} holds {object}.",
        help="take a thing and keep it in hand",
    ),
    Skill(
        "pick_place",
        (Param("object", "thing"), Param("target", "place")),
        when=(_EMPTY, _REACH),
        duration_s=6.0,
        says="{robot} put {object} at {target}.",
        help="take a thing and put it somewhere, in one go",
    ),
    Skill(
        "place",
        (Param("object", "thing"), Param("target", "place")),
        when=(_HOLDS, _REACH),
        then=(Effect(fl("holding", "?robot"), None),),
        duration_s=3.0,
        says="{robot} placed {object} at {target}.",
        help="lay down what is in hand",
    ),
    Skill(
        "put",
        (Param("object", "thing"), Param("target", "place")),
        when=(_HOLDS, _REACH),
        then=(Effect(fl("holding", "?robot"), None),),
        duration_s=3.0,
        says="{robot} put {object} on {target}.",
        help="put what is in hand on something",
    ),
    Skill(
        "open",
        (Param("object", "thing"),),
        when=(_HOLDS, _REACH),
        duration_s=4.0,
        says="{robot} opened the door at {object} and holds it.",
        help="swing the door open whose handle is in hand, and hold it",
    ),
    Skill(
        "move",
        (Param("target", "thing"),),
        when=(_REACH,),
        duration_s=3.0,
        says="{robot} stands ready at {target}.",
        help="go to the stance for a thing",
    ),
    Skill(
        "sweep",
        (Param("object", "thing"),),
        when=(_REACH,),
        duration_s=6.0,
        says="{robot} swept {object}.",
        help="push a thing into the dustpan",
    ),
    Skill(
        "dump",
        (),
        when=(_REACH,),
        duration_s=4.0,
        says="{robot} emptied the dustpan.",
        help="empty the dustpan into the bin",
    ),
    Skill("wait", (), when=(_MAY_WAIT,), duration_s=0.0, says="{robot} waited.", help="stay as you are"),
)

VERBS: dict[str, Skill] = {s.name: s for s in _ALL}
