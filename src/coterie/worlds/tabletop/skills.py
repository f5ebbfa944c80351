"""Skills of the arms at the table, and how planners write them; `skills.toml` declares them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from coterie.core.kinds import Kind, Knower
from coterie.core.skill import Skill
from coterie.core.skill_file import read_skills


def _things(me: Knower) -> Sequence[str]:
    known = me.belief.value("things")
    return known if isinstance(known, tuple) else ()


def _targets(me: Knower) -> Sequence[str]:
    """Whatever some action of this robot can put a thing at."""
    found = (v for k, v in me.belief.base.items() if k[0] == "targets" and k[1] == me.name)
    return list(dict.fromkeys(t for targets in found for t in targets))  # type: ignore[attr-defined]


KINDS = (Kind("thing", _things, usual=True, held=True), Kind("place", _targets, usual=True))
VERBS = read_skills(Path(__file__).with_name("skills.toml")).of("tabletop", KINDS)


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
