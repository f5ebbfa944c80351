"""Action types as data, one file per skill."""

from __future__ import annotations

from coterie.core.skills import Skills
from coterie.worlds.indoor.declared import FLUENTS, KINDS, READINGS

skills = Skills("indoor", KINDS, FLUENTS, READINGS, example="pick(apple_0)")


def _built_ins() -> None:
    from coterie.worlds.indoor.skills import close, communicate, move, navigate, open, pick, place, wait

    for module in (navigate, open, close, pick, place, move, communicate, wait):
        skills.put(module.SKILL.name, module.SKILL)


_built_ins()
