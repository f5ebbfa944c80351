"""The packages of speech: asked for where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError


def load(name: str, what: str) -> Any:
    """A package by its name, or the sentence that says how to get it."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError) as error:  # a library of the machine may be missing
        raise CoterieError(
            f"{what} needs the package '{name}', which could not be loaded ({error}). "
            "Get it with: pip install 'coterie[speech]'"
        ) from error
