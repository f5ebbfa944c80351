"""Attributes that are worked out when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class lazy(Generic[T]):
    """`functools.cached_property` without its lock, which takes longer than most of what it guards."""

    def __init__(self, make: Callable[[Any], T]):
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, of: Any, owner: type | None = None) -> T:
        value = of.__dict__[self.name] = self.make(of)
        return value
