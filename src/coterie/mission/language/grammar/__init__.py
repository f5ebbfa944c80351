"""The grammar of what can be said, in one file for each topic; together they are one grammar for lark. What its
alternatives mean is in `meanings.toml`."""

from __future__ import annotations

from functools import cache
from typing import Any

from coterie.core.files import shipped, tables

#: In this order: where a sentence can be read in two ways, what stands first may win.
PARTS = ("names", "orders", "facts", "questions", "answers", "steering", "teaching", "policies", "zones", "signs")


@cache
def grammar() -> str:
    return "".join(shipped(__package__, f"{part}.lark") for part in PARTS)


def meanings() -> dict[str, dict[str, Any]]:
    """The rows of each kind, by the alternatives that they are of."""
    return tables(__package__, "meanings.toml")
