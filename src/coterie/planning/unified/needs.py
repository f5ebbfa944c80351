"""The package that planning problems are made with: asked for where it is used."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.extras import need


def shortcuts() -> Any:
    """`unified_planning.shortcuts`, or the sentence that says how to get it."""
    return load("unified_planning.shortcuts")


def load(name: str) -> Any:
    module = need(name, "planning", "Planning problems need", "unified-planning")
    importlib.import_module("unified_planning.shortcuts").get_environment().credits_stream = None  # no banners
    return module


def ready() -> None:
    """Load the package if it is there; whoever needs it and has it not is told later."""
    try:
        shortcuts()
    except CoterieError:
        return
