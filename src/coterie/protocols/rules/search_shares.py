"""Dividing the search without a word: every robot computes the same shares from the map and the team, and from how
much of a piece of furniture arms reach: what is to be brought lies where a robot can take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.core.card import Card
from coterie.protocols.shared.reading import Reading
from coterie.protocols.shared.together import shared_out

BRING, HERE = 4, 3  # go, take, go, lay down; one less where it stands already
IN_HAND = 2  # go, lay down
PARTS = 5  # of a surface to each side


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


Late = Mapping[str, int] | None  # steps for which others will not search; None where that cannot be told


def shares(r: Reading) -> dict[str, list[str]]:
    """For every explorer, the places it should search, in order.

    Places that few can search are given away first, to able robots with the least to do; opening counts as work.
    Everyone begins with the places that others could least do instead, and, where all is heard, gets those where it
    could take what it finds at once rather than others could.
    """
    return _division(r)[1]


def _division(r: Reading) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The robots that could search each place, and the shares of all: worked out once for all who know the same."""
    return r.keep("division", (r.team, r.stamps.get("allowed")), lambda: _divided(r))


def _divided(r: Reading) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    barred = frozenset([f.args for f in r.belief.facts("allowed") if f.value is False])
    cards = [r.cards[n] for n in r.explorers]
    known = ("division", r.me.sure, tuple(r.carriers), r.arm is None, tuple(r.explorers), tuple(map(id, cards)), barred)

    def make() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        able = _able(r, barred)
        return able, _by_reach(r, able) if r.me.sure else shared_out(able, r.places.openable, r.explorers)

    found: tuple[dict[str, list[str]], dict[str, list[str]]] = r.places.worked_out(known, cards, make)
    return found


def _by_reach(r: Reading, able: dict[str, list[str]]) -> dict[str, list[str]]:
    """Robots take turns: who has the least to do gets, of the places that the fewest can search, the one where its arm
    has the most to say beside the others'. What is within anybody's reach is looked at first."""
    load = dict.fromkeys(r.explorers, 0)
    out: dict[str, list[str]] = {n: [] for n in r.explorers}
    left = [f for f in r.furniture if able[f]]

    def unfit(robot: str, f: str) -> tuple[float, float, str]:
        others = [at_once(r, n, f) for n in able[f] if n != robot]
        return max(others, default=0.0) - at_once(r, robot, f), -likely(r, f), f

    while left:
        least = min([len(able[f]) for f in left])
        few = [f for f in left if len(able[f]) == least]
        robot = min({n for f in few for n in able[f]}, key=lambda n: (load[n], n))
        place = min([f for f in few if robot in able[f]], key=lambda f: unfit(robot, f))
        load[robot] += 2 if place in r.places.openable else 1
        out[robot].append(place)
        left.remove(place)
    return {n: sorted(places, key=lambda f: (len(able[f]), -likely(r, f))) for n, places in out.items()}


def _able(r: Reading, barred: frozenset[tuple[str, ...]]) -> dict[str, list[str]]:
    """The robots that could search each place, as `Reading.can_visit` says, but asked for a whole team at once.

    Judged on the map, not on what I saw opened: the shares must come out alike for everybody.
    """
    level = {n: r.cards[n].camera_high_m for n in r.explorers}
    opens = {n: "open" in r.cards[n].skills for n in r.explorers}
    able: dict[str, list[str]] = {}
    for f in r.furniture:
        height, room, shut = r.places.height[f], r.places.room[f], f in r.places.openable
        may = [n for n in r.explorers if (n, f) not in barred and (n, room) not in barred]
        able[f] = [n for n in may if height <= level[n] and (opens[n] or not shut)]
    return able


def only_mine(r: Reading, name: str) -> int:
    """Steps that it takes a robot to search what is left of the places that no other can search."""
    able, alone = _division(r)[0], [name]
    return sum([2 if r.shut(f) else 1 for f in r.unseen if able[f] == alone])


def _help(r: Reading, division: dict[str, list[str]], fresh: list[str], late: Late) -> str | None:
    """A place of others to search when nothing is left of my own, each helper at another; all who know the same see it
    alike. Where it can be told who is late, one who has only boxes left helps too, if that place is seen sooner by more
    steps than the boxes are seen later."""
    unseen = set(r.unseen)
    left = {n: [f for f in places if f in unseen] for n, places in division.items()}
    wait = {n: (late or {}).get(n, 0) for n in left}
    busy = [n for n in left if left[n]]  # of many robots few have anything left that could be taken over
    for name in sorted(n for n in left if n == r.name or not wait[n]):
        own = left[name]
        if own and (late is None or any(not r.shut(f) for f in own)):
            continue
        able: dict[str, str] = {}
        for n in busy:
            if n == name or (own and wait[n] + len(left[n]) <= len(own) + 1):
                continue
            spare = left[n][1:] if late is None else [f for f in left[n] if wait[n] or f != _first(r, left[n])]
            able.update({f: n for f in spare if r.can_search(name, f) and not (own and r.shut(f))})
        if not able:
            continue
        place = max(able, key=lambda f: (not r.shut(f), wait[able[f]] + len(left[able[f]]), f))
        if name == r.name:
            return place if place in fresh else None
        left[able[place]].remove(place)
    return None


def _first(r: Reading, places: list[str]) -> str:
    """Where a robot goes first: what is to be opened costs a step more."""
    return max(places, key=lambda f: (r.hunch(f), not r.shut(f)))


def somewhere_left(r: Reading) -> bool:
    """True if there is a place that I could search and that nobody has looked at, as far as I know."""
    return bool(_searchable(r))


def _searchable(r: Reading) -> list[str]:
    """Places that nobody has looked at and that I could search."""
    opens, openable, known = "open" in r.card.skills, r.places.openable, r.known
    able = [f for f in r.unseen if opens or f not in openable or known["open", f] is True]
    return [f for f in able if r.can_visit(r.name, f)]


def next_place(r: Reading, may_have_moved: bool, late: Late = None) -> tuple[str, bool] | None:
    """Where to search next, and whether it is in my own share. None when there is nothing left that I could search.

    Places that were searched are searched again only if something may have moved since. `late` says for how many steps
    others will not search.
    """
    division = shares(r)
    fresh = _searchable(r)
    if "open" not in r.card.skills:  # what lies behind a closed door comes last
        fresh = [f for f in fresh if r.behind(f) is None] or fresh
    mine = [f for f in division.get(r.name, []) if f in fresh]
    own = _first(r, mine) if mine else None
    if own is not None and (late is None or r.hunch(own) > 0 or not r.shut(own)):
        return own, True
    place = _help(r, division, fresh, late) or own
    if place is not None:
        return place, bool(mine)
    theirs = [f for n, places in sorted(division.items()) if n != r.name for f in reversed(places) if f in fresh]
    nobodys = [f for f in fresh if f not in theirs]
    if nobodys or theirs:
        return _first(r, nobodys + theirs), False
    again = [f for f in r.furniture if r.can_search(r.name, f) and f != r.at]
    if not again or not may_have_moved:
        return None
    return min(again, key=lambda f: (r.looked_at(f) or 0.0, f)), False  # what was seen longest ago


# -- reach ------------------------------------------------------------------------------------------------------------
def within_reach(r: Reading, card: Card, furniture: str, stand: str) -> frozenset[int]:
    """The parts of a piece of furniture that an arm reaches from one of its sides."""

    def parts() -> frozenset[int]:
        rect: Any = r.look("rect", furniture)
        pose: Any = r.look("stand_pose", furniture, stand)
        height: Any = r.look("height", furniture)
        x0, y0, x1, y1 = rect
        middles = [(i + 0.5) / PARTS for i in range(PARTS)]
        spots = [(x0 + a * (x1 - x0), y0 + b * (y1 - y0), height) for a in middles for b in middles]
        return frozenset(i for i, spot in enumerate(spots) if card.gap(pose, spot) <= card.reach_m)

    found: frozenset[int] = r.places.worked_out(("reached", id(card), furniture, stand), card, parts)
    return found


def at_once(r: Reading, robot: str, furniture: str) -> float:
    """The share of a piece of furniture that a robot's arm reaches from its best side."""
    card = r.cards[robot]
    if not card.manipulates:
        return 0.0
    return max([len(within_reach(r, card, furniture, s)) for s, _ in r.places.stands[furniture]], default=0) / PARTS**2


def likely(r: Reading, furniture: str) -> float:
    """The share of a piece of furniture that a robot of the team reaches from one side or another; all of it where
    nobody is there who takes anything."""
    cards = [r.cards[n] for n in r.carriers]

    def share() -> float:
        height, sides = r.places.height[furniture], r.places.stands[furniture]
        able = [c for c in cards if c.reach_low_m <= height <= min(c.reach_high_m, c.camera_high_m)]
        return len({part for c in able for s, _ in sides for part in within_reach(r, c, furniture, s)}) / PARTS**2

    return r.places.worked_out(("likely", tuple(map(id, cards)), furniture), cards, share) if cards else 1.0
