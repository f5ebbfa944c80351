"""Matches what robots see to the things of a house: robots report kinds and positions, and things have names."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable

from coterie.core.sight import Detection
from coterie.worlds.indoor.setting import Thing
from coterie.worlds.indoor.state import HouseState

SAME_M = 0.5  # a thing of the same kind that is seen this near to where one was is that one
USUAL_KG = 0.2  # of what nobody has weighed


class Tracker:
    """Names detections. What has no counterpart in the task gets a new name; such a name is provisional: it is given up
    when a thing of the task turns out to be missing, as that one was seen before the robot that held it said so."""

    def __init__(self, house: HouseState, forget: Callable[[str], None]):
        self.house, self._forget = house, forget
        self.of_task = frozenset(house.things)

    def in_order(self, seen: Iterable[Detection], taken: Collection[str]) -> list[Detection]:
        """Detections that carry a name first, then those nearest to where a thing was: these keep their names."""
        return sorted(seen, key=lambda d: (not d.name, self._nearest(d.kind, d.at, taken)[0], d))

    def seen(self, d: Detection, taken: Collection[str]) -> str:
        """Return the name of a thing that is seen; `taken` are names of other things in view, or held."""
        if d.name:
            return d.name if d.name in self.house.things else self._new(d.name, d.kind, d.mass_kg)
        return self._known(d.kind, d.at, taken) or self._new("", d.kind, d.mass_kg)

    def held(self, word: str, pose: tuple[float, ...], taken: Collection[str]) -> str:
        """Return the name of what a robot at `pose` has in its gripper, which it calls by a name or a kind."""
        if word in self.house.things:
            return word
        free = self._free(word, taken)
        return self._known(word, pose, taken) or (free[0] if free else self._new("", word, None))

    def _known(self, kind: str, at: tuple[float, ...], taken: Collection[str]) -> str:
        """The nearest thing of its kind, else one of the task that is nowhere else; empty: there is none."""
        gap, near = self._nearest(kind, at, taken)
        near = near if gap <= SAME_M else ""
        missing = self._missing(kind, taken)
        if near in self.of_task or not missing:
            return near
        if near:  # a provisional name
            self._forget(near)
        return missing

    def _nearest(self, kind: str, at: tuple[float, ...], taken: Collection[str]) -> tuple[float, str]:
        spots = [(self.house.truth["spot", t], t) for t in self._free(kind, taken)]
        return min(((math.dist(s[: len(at)], at), t) for s, t in spots if s is not None), default=(math.inf, ""))

    def _missing(self, kind: str, taken: Collection[str]) -> str:
        """A thing that nobody has seen yet, else one of the task that is not where it was seen; empty: none is."""
        truth, free = self.house.truth, self._free(kind, taken)
        unseen = [t for t in free if truth["spot", t] is None]
        lost = [t for t in free if truth["where", t] is None and t in self.of_task]
        return next(iter((*unseen, *lost)), "")

    def _free(self, kind: str, taken: Collection[str]) -> list[str]:
        return [t for t, x in self.house.things.items() if x.kind == kind and t not in taken]

    def _new(self, name: str, kind: str, mass_kg: float | None) -> str:
        things = self.house.things
        name = name or next(n for i in range(len(things) + 1) if (n := f"{kind}_{i}") not in things)
        things[name] = Thing(name, kind, USUAL_KG if mass_kg is None else mass_kg)
        self.house.truth["spot", name] = None
        return name
