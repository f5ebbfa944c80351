"""Action types as data, one file per skill, and the interpreters that read them."""

from __future__ import annotations

from coterie.core.registry import Registry
from coterie.core.skill import Skill

skills: Registry[Skill] = Registry("skill")


def _built_ins() -> None:
    from coterie.worlds.indoor.skills import close, communicate, move, navigate, open, pick, place, wait

    for module in (navigate, open, close, pick, place, move, communicate, wait):
        skills.put(module.SKILL.name, module.SKILL)


_built_ins()
