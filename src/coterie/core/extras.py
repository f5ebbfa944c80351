"""Packages of the optional extras, imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError


def need(module: str, extra: str, what: str, package: str = "") -> Any:
    """Import a module of an extra, or raise the sentence that says how to get it; `what` is like "Arms need"."""
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:  # a library of the machine may be missing
        raise CoterieError(
            f"{what} the package '{package or module.partition('.')[0]}', which could not be loaded ({error}). "
            f"Get it with: pip install 'coterie[{extra}]'"
        ) from error
