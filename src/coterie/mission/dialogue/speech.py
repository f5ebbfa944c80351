"""The interface of a world that people can talk to, in plain words and names: its domain has one as `speech`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from coterie.core.expr import Expr, Lookup

Key = tuple[str, ...]
Mission = Any  # a `Talker`, which is made of what is made for it: naming it would go round in a circle
Steps = list[tuple[str, dict[str, str]]]  # skills with the arguments that matter


class Speech(Protocol):
    """Kinds are those of `talk/meanings.py`: kit, stock, door, at, hold, look, jammed, empty, supply ..."""

    def names(self) -> Mapping[str, str]:
        """Every name that people use, with its kind."""

    def labels(self) -> Mapping[str, str]: ...
    def containers(self) -> Sequence[str]: ...
    def kit_names(self) -> Mapping[str, tuple[str, Mapping[str, int]]]:
        """Kits with their container and contents."""

    def put_kit(self, name: str, container: str, contents: Mapping[str, int]) -> None: ...
    def drop_kit(self, name: str) -> None: ...
    def new_item(self, name: str) -> str:
        """Make a kind of thing known; the name that stands for it."""

    def wish(self, kind: str, what: str, where: str, count: int, holds: bool, robot: str = "") -> Any:
        """The wish that an order means; a `CoterieError` where it cannot be wanted here."""

    def again(self, wish: Any) -> Any:
        """A wish as it would be given now."""

    def doer(self, wish: Any) -> tuple[str, dict[str, str]]:
        """The step by which a wish comes true."""

    def elsewhere(self, wish: Any, source: str, look: Lookup) -> Steps:
        """Steps that would take a thing from anywhere but where it is to come from."""

    def condition(self, kind: str, what: str, where: str, count: int | None, holds: bool) -> list[Expr]: ...
    def facts(
        self, kind: str, what: str, where: str, count: int | None, holds: bool, look: Lookup
    ) -> list[tuple[Key, object]]: ...
    def limits(self, kind: str, what: str, where: str, holds: bool) -> Steps | None:
        """Steps that a claim says nobody can do; None where it is no such claim."""

    def ways(self, place: str) -> Steps:
        """Steps that lead to a place, or through a door."""

    def abilities(self, word: str) -> tuple[str, ...]:
        """Skills, of which one is enough for what people call by this word."""

    def where(self, name: str, look: Lookup) -> list[tuple[str, int]]: ...
    def amount(self, thing: str, place: str, look: Lookup) -> int:
        """How many of a thing are at one place, as far as that is known."""

    def contents(self, name: str, look: Lookup) -> list[tuple[str, int]] | None: ...
    def wants(self) -> Sequence[str]:
        """Kinds of what robots bring about here besides the usual ones."""

    def home(self, person: str) -> str: ...
    def holders(self, thing: str, able: Mapping[str, Sequence[str]], look: Lookup) -> list[str]:
        """Robots that could take a thing; `able` are their skills."""

    def people_of(self, thing: str) -> Sequence[str]: ...
    def views(self, person: str, robots: Sequence[str], look: Lookup) -> list[tuple[str, str]]:
        """Robots with what they see things on from where they stand; those near a person alone if there are any."""

    def shown(self, name: str, place: str, count: int) -> Mapping[str, Any]:
        """The changes in the world when an example is shown."""

    def put(self, name: str, place: str, count: int) -> Sequence[Any] | None:
        """The change of the world when a person puts things somewhere (below 0: takes away); None where they cannot."""

    def answered(self, person: str, says: str) -> Sequence[Any]:
        """The change of the world by what a person says to a robot that asks for a thing: its kind and data."""

    def trigger(self, kind: str, holds: bool) -> tuple[str, ...]:
        """The predicates that failures of this kind turn on."""
