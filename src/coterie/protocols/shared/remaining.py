"""The work that is left, said outright: a small model copies and acts well, but cannot subtract one list from another.

Everything here follows from one robot's belief, its memory and the plan as it was told. A place with a side is one that
the reader can search itself, and the side is a name it can use: `drawer 0` is `navigate(drawer, 0)`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.reading import Reading

MOST_NAMED = 4  # of those who can do a thing: one is enough, and there may be sixteen
LATELY = 4  # actions after which a side that failed is worth another try
MOST_KEPT = 500  # of what was read in the words of the team: each is read by all of it, step after step
ASKED = "bring|fetch|take|get|carry|collect|grab|pick"


# -- the search -------------------------------------------------------------------------------------------------------
def to_search(r: Reading, memory: Memory, plan: str) -> str:
    """Places nobody has searched, as far as I know: mine by the plan, those of others, and those of nobody."""
    if not r.card.moves or not r.lost:
        return ""
    vain = in_vain(memory)
    unseen = set(r.unseen)
    fresh = [f for f in r.to_look_at if f in unseen]
    if not fresh:
        again = [_with_side(r, vain, f) for f in _oldest_first(r)[:MOST_NAMED]]
        return f"nothing new; look again: {', '.join(again)}" if again else ""
    for_me = {f: _with_side(r, vain, f) for f in fresh if r.can_search(r.name, f)}
    mine, others, free = _owners(r, fresh, plan)
    groups = [("yours", mine), *((f"{n}'s", places) for n, places in others.items())]
    groups = [(whose, [for_me.get(f, f) for f in places]) for whose, places in groups]
    groups.append(("nobody's", [for_me.get(f) or _with_names(r, f) for f in _turned(r, free)]))
    named = [f"{whose}: {', '.join(places)}" for whose, places in groups if places]
    if len(named) == 1 and free:  # without a plan nothing is anybody's
        named = [named[0].partition(": ")[2]]
    return "; ".join(named)


def who_searches(r: Reading) -> str:
    """Places nobody has searched, by who can: what a plan has to share out."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for f in r.to_look_at:
        if r.looked_at(f) is None:
            groups.setdefault(tuple(_searchers(r, f)), []).append(f)
    if not groups or not r.lost:
        return "nothing"
    shown = []
    for names, places in sorted(groups.items(), key=lambda g: (len(g[0]) or 99, g[0])):
        who = f"{names[0]} alone" if len(names) == 1 else " or ".join(names[:MOST_NAMED]) or "nobody can"
        shown.append(f"{who}: {', '.join(places)}")
    return "; ".join(shown)


def _searchers(r: Reading, furniture: str) -> list[str]:
    return [n for n in r.cards if r.can_search(n, furniture)]


def _oldest_first(r: Reading) -> list[str]:
    able = [f for f in r.to_look_at if f != r.at and r.can_search(r.name, f)]
    return sorted(able, key=lambda f: (r.looked_at(f) or 0.0, f))


def _owners(r: Reading, fresh: list[str], plan: str) -> tuple[list[str], dict[str, list[str]], list[str]]:
    """The owners of places by the plan: a part of a robot that is gone, or cannot do it, is nobody's."""
    whose = parts(plan, frozenset({*r.cards, *r.online}))
    free, shares = dict.fromkeys(fresh), dict[str, list[str]]()
    for name, named in whose.items():
        if name in r.online:
            for f in named:
                if f in free and (name not in r.cards or r.can_search(name, f)):
                    del free[f]
                    shares.setdefault(name, []).append(f)
    return shares.pop(r.name, []), shares, list(free)


@lru_cache(maxsize=256)
def parts(plan: str, names: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """The words of a plan by the robot they are about, in their order: behind `Name:`, or else behind the name."""
    words = "|".join(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)))
    heads = list(re.finditer(rf"(?<!\w)({words})\s*:", plan)) or list(re.finditer(rf"(?<!\w)({words})(?!\w)", plan))
    found: dict[str, list[str]] = {}
    for head, after in zip(heads, [*heads[1:], None]):
        said = plan[head.end() : after.start() if after is not None else None]
        found.setdefault(head.group(1), []).extend(re.findall(r"[\w-]+", said))
    return found


def _turned(r: Reading, places: list[str]) -> list[str]:
    """Each mover begins elsewhere in the same list, so that not all go to the same place."""
    if not places or r.name not in r.explorers:
        return places
    first = len(places) * r.explorers.index(r.name) // len(r.explorers)
    return places[first:] + places[:first]


def _with_names(r: Reading, furniture: str) -> str:
    """A place with those who can search it, which I cannot."""
    return f"{furniture} ({' or '.join(_searchers(r, furniture)[:MOST_NAMED]) or 'nobody can'})"


def _with_side(r: Reading, vain: Container[str], furniture: str) -> str:
    """A place that I can search with the side to go to."""
    side, door = free_side(vain, furniture, sides(r, furniture)), r.behind(furniture)
    return f"{furniture} {f'(behind {door}) ' if door else ''}{side}" if side is not None else f"{furniture} (blocked)"


def sides(r: Reading, furniture: str) -> list[str]:
    """The sides of a place that are not known to be closed to me, in order."""
    known: dict[str, list[str]] = r.keep("sides", r.stamps.get("stand_allowed"), dict)
    if furniture not in known:
        known[furniture] = [s for s, _ in sorted(r.stands(furniture))]
    return known[furniture]


def in_vain(memory: Memory) -> set[str]:
    """Actions that I have just failed to do; a robot that stood in the way may be gone by now."""
    deeds = memory.last_deeds()[-LATELY:] if memory.feedback else []
    return {d.action for d in deeds if not d.ok and (d is deeds[-1] or d.clause != "occupant")}


def free_side(vain: Container[str], furniture: str, sides: Iterable[str]) -> str | None:
    """The first of some sides where I have not just failed to get."""
    for stand in sides:
        side = stand.removeprefix("stand_pose_")
        if f"navigate({furniture}, {side})" not in vain:
            return side
    return None


# -- the things -------------------------------------------------------------------------------------------------------
def takers(r: Reading, thing: str, mine: bool = True) -> str:
    """The robots that can fetch a thing, I first."""
    able = [n for n in r.carriers if n != r.name and r.can_take(n, thing)]
    named = [*(["you"] if mine and r.name in r.carriers else []), *able]
    return " or ".join(named[:MOST_NAMED]) or "nobody can"


@lru_cache(maxsize=256)
def _request(names: tuple[str, ...], thing: str) -> re.Pattern[str]:
    """Words in which one of some robots is asked for a thing."""
    who = "|".join(re.escape(n) for n in names)
    return re.compile(rf"(?<!\w)({who})(?!\w)[^.;!?]*\b(?:{ASKED})\b[^.;!?]*(?<!\w){re.escape(thing)}(?!\w)", re.I)


@lru_cache(maxsize=MOST_KEPT)
def _asked(names: tuple[str, ...], thing: str, text: str) -> Sequence[str]:
    """The robots of some that a text asks for a thing, in its order."""
    named = {n.lower(): n for n in names}
    return [named[m.group(1).lower()] for m in _request(names, thing).finditer(text)]


def asked_for(r: Reading, memory: Memory, thing: str) -> str | None:
    """The robot that was last asked for a thing, as the words of the team say; None where nobody is waited for."""
    said = [(h.step - 1, h.text) for h in memory.last_heard()]
    said += [(d.step, d.action) for d in memory.last_deeds() if d.ok and d.action.startswith("communicate(")]
    found = [n for _, text in sorted(said) for n in _asked(r.online, thing, text)]
    able = [n for n in found if n in r.cards and r.can_take(n, thing)]  # nobody waits for one who cannot
    return able[-1] if able else None


def to_take(r: Reading) -> list[str]:
    """Things for me to pick, wherever they lie: for an arm what goes where it belongs now and what must come off."""
    if r.card.moves or r.brings:
        return r.missing
    ready = [t for t in r.goal.targets if t not in r.right and r.delivered(t)]
    if r.goal.kind == "stack":
        ready = [] if r.wrong else ready
        ready = [t for t in ready if next_layer(r) == f" Next on the {r.goal.on}: {t}."]
    return [*ready, *r.wrong[: 1 if r.goal.kind == "stack" else None]]


def next_layer(r: Reading) -> str:
    """For a stack: what comes next. A small model cannot lay the status line beside the goal."""
    if r.goal.kind != "stack":
        return ""
    stack = r.contents(r.goal.on)
    good = r.goal.good_layers(stack)
    if good < len(stack) or good >= len(r.goal.targets):
        return ""
    return f" Next on the {r.goal.on}: {r.goal.targets[good]}."
