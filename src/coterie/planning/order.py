"""Plans as partial orders: what has to be over before what, so that robots work at the same time.

A step comes after an earlier one if one of them changes what the other counts on or changes, or if both are done by the
same robot. Numbers that are only added to and taken from are a store: whoever takes from it waits for those who brought
what it takes, and not for everybody who was there before. All else can go on together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from coterie.planning.answer import Use
from coterie.planning.question import Key, Step


class Part(NamedTuple):
    """The reads and writes of a step, for ordering alone: `stores` are names with how much must be there, and how much
    is added or taken."""

    robot: str
    reads: frozenset[Hashable]
    writes: frozenset[Hashable]
    stores: tuple[tuple[Hashable, float, float], ...] = ()


class _Store:
    def __init__(self, amount: float):
        self.units: list[list[float]] = [[amount, -1]]  # how much, and who brought it, in the order of the plan
        self.readers: list[int] = []

    def first(self, amount: float) -> set[int]:
        """The steps that brought the first of what is left, up to an amount."""
        found: set[int] = set()
        for much, who in self.units:
            if amount <= 0:
                break
            if much > 0:
                found.add(int(who))
                amount -= much
        return found

    def take(self, amount: float) -> set[int]:
        found = self.first(amount)
        for unit in self.units:
            taken = min(unit[0], amount)
            unit[0] -= taken
            amount -= taken
        return found


def precedence(parts: Sequence[Part], amounts: Callable[[Hashable], float]) -> list[set[int]]:
    """For each step those that have to be over before it, some of which may follow from others."""
    wrote: dict[Hashable, int] = {}
    read: dict[Hashable, list[int]] = {}
    last: dict[str, int] = {}
    stores: dict[Hashable, _Store] = {}
    before: list[set[int]] = []
    for i, part in enumerate(parts):
        mine = {last[part.robot]} if part.robot in last else set[int]()
        mine.update(wrote[k] for k in part.reads if k in wrote)
        for key in part.writes:
            mine.update(read.get(key, ()))
            if key in wrote:
                mine.add(wrote[key])
        for key, least, added in part.stores:
            store = stores.get(key)
            if store is None:
                store = stores[key] = _Store(amounts(key))
            mine |= store.first(least)
            if added < 0:
                mine |= store.take(-added)
                mine.update(store.readers)
            elif added > 0:
                store.units.append([added, i])
            else:
                store.readers.append(i)
        mine -= {-1, i}
        before.append(mine)
        last[part.robot] = i
        for key in part.reads:
            read.setdefault(key, []).append(i)
        for key in part.writes:
            wrote[key] = i
            read[key] = []
    return before


def reduced(before: Sequence[set[int]]) -> tuple[frozenset[int], ...]:
    """Without what follows from others."""
    behind: list[set[int]] = []
    after: list[frozenset[int]] = []
    for mine in before:
        far = set[int]().union(*(behind[i] for i in mine))
        behind.append(mine | far)
        after.append(frozenset(mine - far))
    return tuple(after)


def partial_order(
    steps: Sequence[Step], uses: Sequence[Use], amounts: Callable[[Key], float] | None = None
) -> tuple[frozenset[int], ...]:
    """For each step those right before it. Without the `amounts` at the start no number is taken for a store."""
    stores = _stores(uses) if amounts is not None else set()
    parts = []
    for step, use in zip(steps, uses):
        mine = tuple((k, use.needs.get(k, 0.0), use.adds.get(k, 0.0)) for k in use.reads | use.writes if k in stores)
        mine = tuple(sorted(mine, key=str))
        parts.append(Part(step.robot, use.reads - stores, use.writes - stores, mine))
    return reduced(precedence(parts, amounts or (lambda key: 0.0)))  # type: ignore[arg-type]


def _stores(uses: Sequence[Use]) -> set[Key]:
    """Numbers that are only added to, taken from, and asked whether there is enough."""
    touched = {k for use in uses for k in use.reads | use.writes}
    return {k for k in touched if all(_stored(use, k) for use in uses)}


def _stored(use: Use, key: Key) -> bool:
    asked = key not in use.reads or key in use.needs
    changed = key not in use.writes or key in use.adds
    return asked and changed and use.needs.get(key, 0.0) >= -use.adds.get(key, 0.0)
