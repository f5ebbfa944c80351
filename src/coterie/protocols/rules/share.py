"""Dividing the search without a word: every robot computes the same shares from the map and the team."""

from __future__ import annotations

from coterie.protocols.shared.reading import Reading


def shares(r: Reading) -> dict[str, list[str]]:
    """For every explorer, the places it should search, in order.

    Places that few can search are given away first, each to the able robot with the least to do; opening counts as
    work. Everyone begins with the places that others could least do instead.
    """
    return _division(r)[1]


def _division(r: Reading) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Who could search each place, and who should search which: worked out once for all who know the same."""
    return r.keep("division", (r.team, r.stamps.get("allowed")), lambda: _divided(r))


def _divided(r: Reading) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    barred = frozenset([f.args for f in r.belief.facts("allowed") if f.value is False])
    cards = [r.cards[n] for n in r.explorers]
    known = ("division", r.arm is None, tuple(r.explorers), tuple(map(id, cards)), barred)

    def make() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        able = _able(r, barred)
        return able, _shares(r, able)

    found: tuple[dict[str, list[str]], dict[str, list[str]]] = r.places.worked_out(known, cards, make)
    return found


def _shares(r: Reading, able: dict[str, list[str]]) -> dict[str, list[str]]:
    load = dict.fromkeys(r.explorers, 0)
    out: dict[str, list[str]] = {n: [] for n in r.explorers}
    for f in sorted(r.furniture, key=lambda f: (len(able[f]), f)):
        if able[f]:
            robot = min(able[f], key=lambda n: (load[n], n))
            load[robot] += 2 if f in r.places.openable else 1
            out[robot].append(f)
    return out


def _able(r: Reading, barred: frozenset[tuple[str, ...]]) -> dict[str, list[str]]:
    """Who could search each place, as `Reading.can_visit` says, but asked for a whole team at once.

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
    """Steps that it takes somebody to search what is left of the places that no other can search."""
    able, alone = _division(r)[0], [name]
    return sum([2 if r.shut(f) else 1 for f in r.unseen if able[f] == alone])


def _help(r: Reading, division: dict[str, list[str]], fresh: list[str]) -> str | None:
    """Whose share is done helps those who have most left, each at another place; who knows the same sees it alike."""
    unseen = set(r.unseen)
    left = {n: [f for f in places if f in unseen] for n, places in division.items()}
    for name in sorted(n for n, places in left.items() if not places):
        able = [f for n in left for f in left[n][1:] if r.can_search(name, f)]
        if not able:
            continue
        whose = {f: n for n in left for f in left[n]}
        place = max(able, key=lambda f: (not r.shut(f), len(left[whose[f]]), f))
        if name == r.name:
            return place if place in fresh else None
        left[whose[place]].remove(place)
    return None


def somewhere_left(r: Reading) -> bool:
    """Whether there is a place that I could search and that nobody has looked at, as far as I know."""
    return bool(_searchable(r))


def _searchable(r: Reading) -> list[str]:
    """Places that nobody has looked at and that I could search."""
    opens, openable, known = "open" in r.card.skills, r.places.openable, r.known
    able = [f for f in r.unseen if opens or f not in openable or known["open", f] is True]
    return [f for f in able if r.can_visit(r.name, f)]


def next_place(r: Reading, may_have_moved: bool) -> tuple[str, bool] | None:
    """Where to search next, and whether it is in my own share. None when there is nothing left that I could search.

    Places that were searched are searched again only if something may have moved since.
    """
    division = shares(r)
    fresh = _searchable(r)
    if "open" not in r.card.skills:  # what lies behind a closed door comes last
        fresh = [f for f in fresh if r.behind(f) is None] or fresh
    mine = [f for f in division.get(r.name, []) if f in fresh]
    if mine:
        return max(mine, key=lambda f: (r.hunch(f), not r.shut(f))), True  # what is to be opened costs a step more
    taken = _help(r, division, fresh)
    if taken is not None:
        return taken, False
    theirs = [f for n, places in sorted(division.items()) if n != r.name for f in reversed(places) if f in fresh]
    nobodys = [f for f in fresh if f not in theirs]
    if nobodys or theirs:
        return max(nobodys + theirs, key=lambda f: (r.hunch(f), not r.shut(f))), False
    again = [f for f in r.furniture if r.can_search(r.name, f) and f != r.at]
    if not again or not may_have_moved:
        return None
    return min(again, key=lambda f: (r.looked_at(f) or 0.0, f)), False  # what was seen longest ago
