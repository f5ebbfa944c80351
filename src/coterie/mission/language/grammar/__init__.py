"""The grammar of what can be said, in one file for each topic; together they are one grammar for lark. What its
alternatives mean is in `meanings.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

#: In this order: where a sentence can be read in two ways, what stands first may win.
PARTS = ("names", "orders", "facts", "questions", "answers", "steering", "teaching", "policies", "zones", "signs")


@cache
def grammar() -> str:
    folder = files(__package__)
    return "".join((folder / f"{part}.lark").read_text(encoding="utf-8") for part in PARTS)


def meanings() -> dict[str, dict[str, Any]]:
    """The rows of each kind, by the alternatives that they are of."""
    return tomllib.loads((files(__package__) / "meanings.toml").read_text(encoding="utf-8"))
