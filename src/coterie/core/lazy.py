"""Values and modules that are made when they are first used.

from coterie.core.lazy import kept, lazy, np
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from coterie.core.errors import CoterieError

__all__ = ["Later", "kept", "lazy", "np"]
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


class lazy(Generic[T]):
    """`functools.cached_property` without its lock, which takes longer than most of what it guards."""

    def __init__(self, make: Callable[[Any], T]):
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, of: Any, owner: type | None = None) -> T:
        value = of.__dict__[self.name] = self.make(of)
        return value


def kept(make: F) -> F:
    """A method whose results are kept with its object, by the arguments, which are given by position."""
    name = f"_kept_{make.__name__}"

    @wraps(make)
    def found(self: Any, *args: Any) -> Any:
        known = self.__dict__.get(name)
        if known is None:
            known = self.__dict__[name] = {}
        if args not in known:
            known[args] = make(self, *args)
        return known[args]

    return found  # type: ignore[return-value]


class Later:
    """Stands for a module that is imported when one of its names is first used: a start without numpy takes a quarter
    less."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(importlib.import_module(self._name), name)
        return value


if TYPE_CHECKING:
    import numpy as np
else:
    np = Later("numpy")


# -- optional extras --------------------------------------------------------------------------------------------------
# Packages of the optional extras, imported where they are used.
def need(module: str, extra: str, what: str, package: str = "") -> Any:
    """Import a module of an extra, or raise the sentence that says how to get it; `what` is like "Arms need"."""
    try:
        return importlib.import_module(module)
    except (ImportError, OSError) as error:  # a library of the machine may be missing
        raise CoterieError(
            f"{what} the package '{package or module.partition('.')[0]}', which could not be loaded ({error}). "
            f"Get it with: pip install 'coterie[{extra}]'"
        ) from error
