"""How much a robot still has to do, in steps, and whom to ask for a thing: who would have it brought first."""

from __future__ import annotations

from coterie.protocols.rules.search_shares import only_mine
from coterie.protocols.shared.reading import Reading

BRING, HERE = 4, 3  # go, take, go, lay down; one less where it stands already
IN_HAND = 2  # go, lay down


def helper_for(r: Reading, thing: str, given: dict[str, int] | None = None) -> str | None:
    """The teammate to ask for a thing: able, and soonest done with what else it has to do; who can open is spared for
    boxes. `given` counts what was given to a robot just now."""
    return _soonest(r, thing, [n for n in r.carriers if n != r.name], given)


def soonest(r: Reading, thing: str) -> str | None:
    """The carrier that would have a thing brought first, of all."""
    return _soonest(r, thing, r.carriers)


def _soonest(r: Reading, thing: str, carriers: list[str], given: dict[str, int] | None = None) -> str | None:
    able = [n for n in carriers if r.can_take(n, thing)]

    def cost(name: str) -> tuple[int, bool, str]:
        return load(r, name, thing) + BRING * (given or {}).get(name, 0), "open" in r.cards[name].skills, name

    return min(able, key=cost, default=None)


def load(r: Reading, name: str, thing: str) -> int:
    """Steps that a robot needs for the rest, before it brings this: things that it holds or was asked for, and places
    that nobody else could search."""
    first = r.missing
    if r.goal.kind == "stack" and thing in first:  # what lies above it can wait
        first = first[: first.index(thing)]
    return busy(r, name, [t for t in first if t != thing]) + (only_mine(r, name) if r.lost else 0)


def busy(r: Reading, name: str, things: list[str] | None = None) -> int:
    """Steps that a robot needs to bring what it holds and what it was asked for, of some things or of all."""
    jobs, held = r.jobs, name in [r.where(t) for t in r.missing]
    asked = [t for t in (r.missing if things is None else things) if jobs[t] == name and r.where(t) != name]
    return IN_HAND * held + BRING * len(asked)
