"""Goals of a team of a house, as people change them in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.task import goal_from_json


def bring(pairs: dict[str, str]) -> Any:
    """A goal that wants each thing at its place."""
    return goal_from_json({"kind": "bring", "pairs": [list(p) for p in pairs.items()]})


def with_more(goal: Any, pairs: list[tuple[str, str]]) -> Any:
    """The goal with more in it; where it is of another kind, one that only brings."""
    if getattr(goal, "kind", "") == "pack" and all(place == goal.into for _, place in pairs):
        return replace(goal, targets=tuple(dict.fromkeys((*goal.targets, *(t for t, _ in pairs)))))
    if getattr(goal, "kind", "") == "bring":
        return bring({**dict(goal.pairs), **dict(pairs)})
    return bring({**_homes(goal), **dict(pairs)})


def with_less(goal: Any, thing: str) -> Any:
    """The goal without a thing that is part of it."""
    if getattr(goal, "kind", "") == "pack":
        new = replace(goal, targets=tuple(t for t in goal.targets if t != thing))
    elif getattr(goal, "kind", "") == "bring":
        new = replace(goal, pairs=tuple(p for p in goal.pairs if p[0] != thing))
    else:
        raise CoterieError("Nothing can be left out of this goal.")
    if not new.targets:
        raise CoterieError("Nothing would be left to be done.")
    return new


def changes(old: Any, new: Any) -> bool:
    """Whether something that was wanted is wanted elsewhere, or no longer."""
    homes = _homes(new)
    return any(homes.get(thing) != place for thing, place in _homes(old).items())


def taken_back(now: Any, old: Any, new: Any) -> Any:
    """The goal as it is now without what made the new of the old; what was wanted since stays."""
    if now == new:
        return old
    was, then, still = (_homes(g) for g in (old, new, now))
    changed = {t for t in {*was, *then} if was.get(t) != then.get(t) and still.get(t) == then.get(t)}
    kept = {t: p for t, p in still.items() if t not in changed}
    back = {**kept, **{t: was[t] for t in changed if t in was}}
    if not back:
        raise CoterieError("Nothing would be left to be done.")
    if getattr(now, "kind", "") == "pack" and set(back.values()) == {now.into}:
        return replace(now, targets=tuple(back))
    return bring(back)


def _homes(goal: Any) -> dict[str, str]:
    """Where a goal wants things, as far as it says so."""
    return {t: str(goal.home(t)) for t in goal.targets if goal.home(t)}
