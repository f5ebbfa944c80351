"""Action types as data: those of `built_in.toml`, and what else lies in this folder, which registers itself."""

from __future__ import annotations

from coterie.core.registry import import_all
from coterie.worlds.indoor.declared import DECLARED, KINDS

skills = DECLARED.of("indoor", KINDS, example="pick(apple_0)")

#: In the order of prompts and lists; others come after them.
FIRST = tuple(skill.name for skill in DECLARED.skills)
import_all(__name__, __path__)
