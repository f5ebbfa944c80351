"""What training needs, and a sentence where it is missing."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError


class Missing(CoterieError, ImportError):
    """A module that could not be imported, in a sentence."""


def needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Missing(f"Training needs the package {module.partition('.')[0]}: pip install 'coterie[learn]'.") from None
