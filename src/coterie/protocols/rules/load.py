"""How much somebody still has to do, in steps, and whom to ask for a thing: who would have it brought first."""

from __future__ import annotations

from coterie.protocols.rules.share import only_mine
from coterie.protocols.shared.reading import Reading

BRING, HERE = 4, 3  # go, take, go, lay down; one less where it stands already
IN_HAND = 2  # go, lay down


def helper_for(r: Reading, thing: str, given: dict[str, int] | None = None) -> str | None:
    """The teammate to ask for a thing: able, and soonest done with what else it has to do; who can open is spared for
    boxes. `given` counts what was given to somebody just now."""
    able = [n for n in r.carriers if n != r.name and r.can_take(n, thing)]

    def cost(name: str) -> tuple[int, bool, str]:
        return load(r, name, thing) + BRING * (given or {}).get(name, 0), "open" in r.cards[name].skills, name

    return min(able, key=cost, default=None)


def load(r: Reading, name: str, thing: str) -> int:
    """Steps that somebody needs for the rest, before it brings this: things that it holds or was asked for, and places
    that nobody else could search."""
    first = r.missing
    if r.goal.kind == "stack" and thing in first:  # what lies above it can wait
        first = first[: first.index(thing)]
    jobs, held = r.jobs, name in [r.where(t) for t in r.missing]
    steps = IN_HAND * held + BRING * len([t for t in first if jobs[t] == name and t != thing and r.where(t) != name])
    return steps + (only_mine(r, name) if r.lost else 0)
