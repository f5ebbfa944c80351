"""The packages of speech: asked for where they are used."""

from __future__ import annotations

from typing import Any

from coterie.core.extras import need


def load(name: str, what: str) -> Any:
    """A package by its name, or the sentence that says how to get it."""
    return need(name, "speech", f"{what} needs")
