"""The package of the environments: asked for where it is used."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError


def need_pettingzoo() -> Any:
    """`pettingzoo`, or the sentence that says how to get it."""
    try:
        return importlib.import_module("pettingzoo")
    except ImportError as error:
        raise CoterieError(
            f"Environments for learners need the package 'pettingzoo', which could not be loaded ({error}). "
            "Get it with: pip install 'coterie[gym]'"
        ) from error
