"""Frozen dataclasses that are quick to define: a start of the program defines some seventy of them.

`dataclass(frozen=True)` writes six functions for a class and compiles each by itself; `frozen` writes one, and the
other five are the same for all. What it makes is a dataclass for everybody who asks (`fields`, `replace`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")
_LEFT_OUT: Any = type("_LeftOut", (), {"__repr__": lambda self: "<factory>"})()


@dataclass_transform(frozen_default=True, field_specifiers=(field, Field))
def frozen(cls: type[T]) -> type[T]:
    """Return a frozen dataclass, as `dataclass(frozen=True)` makes it."""
    known = [getattr(base, "__dataclass_params__", None) for base in cls.__mro__[1:]]
    before = [params for params in known if params is not None and params.frozen]
    for params in before:
        params.frozen = False
    made: Any = dataclass(init=False, repr=False, eq=False)(cls)
    for params in (*before, made.__dataclass_params__):
        params.frozen = True  # as they are, for whoever derives classes from them in the usual way
    every = fields(made)
    same = [f.name for f in every if f.compare]
    key = attrgetter(*same) if same else lambda _: ()
    own: dict[str, Any] = {"__init__": _init(cls, every), "__setattr__": _refuse, "__delattr__": _refuse}
    own |= {"__eq__": _eq(key), "__hash__": lambda self: hash(key(self)), "__repr__": _repr}
    for name, function in own.items():
        if name not in cls.__dict__:
            setattr(made, name, function)
    return cast(type[T], made)


def _init(cls: type, every: tuple[Field[Any], ...]) -> Callable[..., None]:
    """`__init__(self, a, b=..., *, c=...)`, which fills in all fields at once."""
    head, more, body = ["self"], list[str](), ["own = self.__dict__"]
    names: dict[str, Any] = {"left_out": _LEFT_OUT}
    for f in every:
        default = "" if f.default is MISSING and f.default_factory is MISSING else f"=default_{f.name}"
        names |= {
            f"default_{f.name}": _LEFT_OUT if f.default is MISSING else f.default,
            f"new_{f.name}": f.default_factory,
        }
        value = f.name if f.default_factory is MISSING else f"new_{f.name}() if {f.name} is left_out else {f.name}"
        (more if f.kw_only else head).append(f.name + default)
        body.append(f"own['{f.name}'] = {value}")
    body += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    found: dict[str, Any] = {}
    exec(f"def __init__({', '.join(head + (['*', *more] if more else []))}):\n " + "\n ".join(body), names, found)
    made: Callable[..., None] = found["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {**{f.name: f.type for f in every}, "return": None}
    return made


def _refuse(self: object, name: str, *value: Any) -> None:
    raise FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _eq(key: Callable[[Any], Any]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:
        return bool(key(self) == key(other)) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _repr(self: Any) -> str:
    said = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({said})"
