"""Action types as data. Whatever lies in this folder is imported and registers itself."""

from __future__ import annotations

from coterie.core.registry import import_all
from coterie.core.skills import Skills
from coterie.worlds.indoor.declared import FLUENTS, KINDS, READINGS

skills = Skills("indoor", KINDS, FLUENTS, READINGS, example="pick(apple_0)")

#: In the order of prompts and lists; others come after them.
FIRST = ("navigate", "open", "close", "pick", "place", "move", "communicate", "wait")
import_all(__name__, __path__, ("built_in",))
