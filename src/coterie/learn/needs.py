"""What training needs, and a sentence where it is missing."""

from __future__ import annotations

import importlib
from typing import Any

from coterie.core.errors import CoterieError


def needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise CoterieError(
            f"Training needs the package {module.partition('.')[0]}: pip install 'coterie[learn]'."
        ) from None
