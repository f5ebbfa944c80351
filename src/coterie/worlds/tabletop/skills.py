"""Skills of the arms at the table, as data: for prompts, guard rails and the command line.

The conditions that a robot can judge from its belief stand here; reach, collision and a task's own rules are checked by
the world, for all arms together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.core.expr import eq, fl
from coterie.core.fluents import Declared
from coterie.core.kinds import Kind, Knower
from coterie.core.skill import Clause, Effect, Param, Skill
from coterie.core.skills import Skills

_EMPTY = Clause(eq(fl("holding", "?robot"), None), "{robot} already holds {holding(robot)}.")
_REACH = Clause(fl("way", "?robot"), "There is no way for {robot} to do this.")  # unknown to all until arms are planned
_MAY_WAIT = Clause(fl("may_wait", "?robot"), "{robot} may not wait now.")  # some tasks know no waiting, or not for all
_HOLDS = Clause(eq(fl("holding", "?robot"), "?object"), "{robot} does not hold {object}.", name="holds_object")
_LIES = Effect(fl("on", "?object"), "?target")

_ALL = (
    Skill(
        "pick",
        (Param("object", "thing"),),
        when=(_EMPTY, _REACH),
        then=(Effect(fl("holding", "?robot"), "?object"), Effect(fl("on", "?object"), None)),
        duration_s=3.0,
        says="{robot} holds {object}.",
        help="take a thing and keep it in hand",
    ),
    Skill(
        "pick_place",
        (Param("object", "thing"), Param("target", "place")),
        when=(_EMPTY, _REACH),
        then=(_LIES,),
        duration_s=6.0,
        says="{robot} put {object} at {target}.",
        help="take a thing and put it somewhere, in one go",
        form="PICK {object} PLACE {target}",
    ),
    Skill(
        "place",
        (Param("object", "thing"), Param("target", "place")),
        when=(_HOLDS, _REACH),
        then=(Effect(fl("holding", "?robot"), None), _LIES),
        duration_s=3.0,
        says="{robot} placed {object} at {target}.",
        help="lay down what is in hand",
    ),
    Skill(
        "put",
        (Param("object", "thing"), Param("target", "place")),
        when=(_HOLDS, _REACH),
        then=(Effect(fl("holding", "?robot"), None), _LIES),
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


def _things(me: Knower) -> Sequence[str]:
    known = me.belief.value("things")
    return known if isinstance(known, tuple) else ()


def _targets(me: Knower) -> Sequence[str]:
    """Whatever some action of this robot can put a thing at."""
    found = (v for k, v in me.belief.base.items() if k[0] == "targets" and k[1] == me.name)
    return list(dict.fromkeys(t for targets in found for t in targets))  # type: ignore[attr-defined]


KINDS = (Kind("thing", _things, usual=True, held=True), Kind("place", _targets, usual=True))
FLUENTS = (
    Declared("holding", ("robot",), "thing"),
    Declared("on", ("thing",), "place"),
    Declared("way", ("robot",)),
    Declared("may_wait", ("robot",)),
)

VERBS = Skills("tabletop", KINDS, FLUENTS, {"way": None, "may_wait": None})
for _skill in _ALL:
    VERBS.put(_skill.name, _skill)


def keywords(skill: Skill) -> list[str]:
    """The words in capitals that an action is written with: PICK and PLACE for `pick_place`."""
    return re.findall(r"[A-Z]+", re.sub(r"\{[^}]*\}", "", skill.form)) if skill.form else [skill.name.upper()]


def spelt(skill: Skill, args: Sequence[object]) -> str:
    """An action as planners on the table write it: `PICK apple PLACE bin`."""
    if skill.form and len(args) == len(skill.params):
        return skill.form.format(**{p.name: a for p, a in zip(skill.params, args)})
    return " ".join([skill.name.upper(), *map(str, args)])


def unknown(verb: str) -> str:
    """Why a verb that a robot does not have cannot be done: some jobs know no waiting."""
    if verb.lower() == "wait":
        return "nobody may WAIT in this task: every robot acts in every round"
    return f"unknown action {verb.upper()}"
