"""A world that is real: what is known of it is what its robots report. The same for every kind of world.

`Reported` stands before the class of a simulated world. The map is given; where robots and things are, what is held and
what is open is known from reports. An action has ended as its driver says. Robots without a driver are simulated, on
what the others have reported.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from coterie.core.action import Outcome
from coterie.core.causes import by_driver
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.sight import Detection, Sight
from coterie.core.skill import Key, outcome_of
from coterie.core.wire import pack, unpack
from coterie.core.world import ACCIDENT

SAME_M = 0.5  # a thing of the same kind that is seen this near to where one was is that one
TOLD = {"holding": "holds", "open": "is open:", "at": "is at"}  # effects that robots perceive, and their words


class Reported(ABC):
    """The base of worlds of reports. `seen` is what each robot that reports perceived at its last look."""

    now: float
    look: Any  # of the simulated world, as the next two
    robots: Any
    skill: Any
    lose: Any  # of a thing: nobody knows where it is

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.seen: dict[str, list[Fact]] = {}
        self._before: dict[str, dict[Key, Any]] = {}  # by robot: what was so before it reported otherwise

    # -- what a world says ------------------------------------------------------------------------------------------
    @abstractmethod
    def read(self, robot: str, sight: Sight) -> Iterable[Fact]:
        """Take in a report with `note`, and return the facts that its robot learns from it."""

    @abstractmethod
    def value(self, key: Key) -> Any:
        """The known value of a fluent, or UNKNOWN."""

    @abstractmethod
    def learn(self, key: Key, value: Any) -> None:
        """Something has become known."""

    def perceives(self, robot: str, key: Key) -> bool:
        """Whether a robot has itself seen what an effect is about, so that its driver's word for it is not needed."""
        return any(key == (f.pred, *f.args) for f in self.seen[robot])

    def believes(self, fact: Fact) -> bool:
        """Whether what a driver adds to the end of an action is about something here."""
        return False

    # -- what robots report -----------------------------------------------------------------------------------------
    def sense(self, robot: str, sight: Sight) -> None:
        """Take in what a robot reports."""
        if robot in self.robots():  # and has not left
            people = [self.fact(robot, ("person", who), at) for who, at in sight.people]
            self.seen[robot] = [*self.read(robot, sight), *people]

    def fact(self, robot: str, key: Key, value: Any) -> Fact:
        return Fact(key[0], key[1:], value, self.now, robot)

    def note(self, robot: str, key: Key, value: Any) -> None:
        """A robot reports that something is so."""
        old = self.value(key)
        if old is not UNKNOWN and old != value:
            self._before.setdefault(robot, {}).setdefault(key, old)
        if old is UNKNOWN or old != value:
            self.learn(key, value)

    def grasp(self, robot: str, holds: str, at: tuple[float, ...], tracker: Tracker) -> str | None:
        """Take in the content of a gripper, a name or the kind of the nearest such thing; what is newly held."""
        before = self.value(("holding", robot))
        if before is not None and holds in (before, tracker.kinds()[before]):
            return None
        others = {h for r in self.robots() if r != robot and (h := self.value(("holding", r))) is not None}
        held = tracker.held(holds, at, others) if holds else None
        if before is not None and tracker.place(before)[0] == robot:  # and nobody has taken it since
            self.lose(before, robot)
        self.note(robot, ("holding", robot), held)
        return held

    def ended(self, outcome: Outcome) -> Outcome:
        """An action has ended as its driver says. What it declares to change has changed, but for what its robot
        perceives itself: where that does not fit, the reason says so."""
        robot, action = outcome.robot, outcome.action
        before = self._before.pop(robot, {})
        for fact in filter(self.believes, outcome.facts):
            self.learn((fact.pred, *fact.args), fact.value)
        skill = self.skill(action.skill)
        bound = None if skill is None else skill.bind(robot, action.args)
        if not outcome.ok or skill is None or bound is None:
            return outcome if outcome.ok else by_driver(outcome)

        def look(pred: str, *args: Any) -> object:
            return before[pred, *args] if (pred, *args) in before else self.look(pred, *args)

        odd, learnt = "", []
        for key, value in outcome_of(skill, bound, look).items():
            if not self.perceives(robot, key):
                self.learn(key, value)
                learnt.append(self.fact(robot, key, value))
            elif not odd and key[0] in TOLD and (found := self.value(key)) not in (value, UNKNOWN):
                odd = f"But {key[1]} {TOLD[key[0]]} {_said(found)}, as is reported, and not {_said(value)}."
        if odd:
            self.learn((ACCIDENT, robot), odd)
            outcome = outcome._replace(reason=f"{outcome.reason} {odd}".strip())
        return outcome._replace(facts=tuple(learnt)) if learnt else outcome

    # -- snapshots --------------------------------------------------------------------------------------------------
    def packed(self, state: bytes, *more: Any) -> bytes:
        return pack((state.decode(), {r: tuple(f) for r, f in self.seen.items()}, self._before, more))

    def unpacked(self, data: bytes) -> tuple[bytes, tuple[Any, ...]]:
        state, seen, self._before, more = unpack(data)
        self.seen = {robot: list(facts) for robot, facts in seen.items()}
        return state.encode(), more


def _said(value: Any) -> str:
    return "nothing" if value is None else str(value)


class Tracker:
    """Names detections. What has no counterpart in the task gets a new name; such a name is provisional: it is given up
    when a thing of the task turns out to be missing, as that one was seen before the robot that held it said so.

    A world says the `kinds` of the things that it knows, the `place` of one and its position (None: not known), how it
    adds one, and how it forgets one that was another."""

    def __init__(
        self,
        kinds: Callable[[], Mapping[str, str]],
        place: Callable[[str], tuple[Any, Any]],
        add: Callable[[str, str, float | None], None],
        forget: Callable[[str], None],
    ):
        self.kinds, self.place, self.add, self.forget = kinds, place, add, forget
        self.of_task = frozenset(kinds())

    def in_order(self, seen: Iterable[Detection], taken: Collection[str]) -> list[Detection]:
        """Detections that carry a name first, then those nearest to where a thing was: these keep their names."""
        return sorted(seen, key=lambda d: (not d.name, self._nearest(d.kind, d.at, taken)[0], d))

    def seen(self, d: Detection, taken: Collection[str]) -> str:
        """Return the name of a thing that is seen; `taken` are names of other things in view, or held."""
        if d.name:
            return d.name if d.name in self.kinds() else self._new(d.name, d.kind, d.mass_kg)
        return self._known(d.kind, d.at, taken) or self._new("", d.kind, d.mass_kg)

    def held(self, word: str, pose: tuple[float, ...], taken: Collection[str]) -> str:
        """Return the name of what a robot at `pose` has in its gripper, which it calls by a name or a kind."""
        if word in self.kinds():
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
            self.forget(near)
        return missing

    def _nearest(self, kind: str, at: tuple[float, ...], taken: Collection[str]) -> tuple[float, str]:
        spots = [(self.place(t)[1], t) for t in self._free(kind, taken)]
        return min(((math.dist(s[: len(at)], at), t) for s, t in spots if s is not None), default=(math.inf, ""))

    def _missing(self, kind: str, taken: Collection[str]) -> str:
        """A thing that nobody has seen yet, else one of the task that is not where it was seen; empty: none is."""
        free = self._free(kind, taken)
        unseen = [t for t in free if self.place(t)[1] is None]
        lost = [t for t in free if self.place(t)[0] is None and t in self.of_task]
        return next(iter((*unseen, *lost)), "")

    def _free(self, kind: str, taken: Collection[str]) -> list[str]:
        return [t for t, k in self.kinds().items() if k == kind and t not in taken]

    def _new(self, name: str, kind: str, mass_kg: float | None) -> str:
        known = self.kinds()
        name = name or next(n for i in range(len(known) + 1) if (n := f"{kind}_{i}") not in known)
        self.add(name, kind, mass_kg)
        return name
