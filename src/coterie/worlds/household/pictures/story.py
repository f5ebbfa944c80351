"""What happened in an episode, for people: what was carried from where to where, by whom, and whether it was right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from coterie.core.event import Event
from coterie.houses.model import FLOOR
from coterie.log.fold import states
from coterie.log.state import State
from coterie.worlds.household.pictures.plan import Plan

Spot = tuple[float, ...]


@dataclass
class Carried:
    """One thing in one hand, from when it was taken until it was laid down."""

    thing: str
    robot: str
    taken: int  # step
    place: str  # where it was taken
    spot: Spot
    put: int | None = None
    to: str = ""
    there: Spot = ()


@dataclass
class Story:
    """Everything that robots carried, in order; what lay astray at first, or what they are to look for."""

    astray: tuple[str, ...] = ()
    sought: tuple[str, ...] = ()
    carried: list[Carried] = field(default_factory=list)

    @classmethod
    def of(cls, plan: Plan, events: Sequence[Event], until: int | None = None) -> Story:
        return cls.told(plan, states(events), until)

    @classmethod
    def told(cls, plan: Plan, moments: Iterable[State], until: int | None = None) -> Story:
        story = cls(tuple(t.name for t in plan.house.things if not plan.tidy(t.name, t.on, t.spot)))
        first = True
        lying = {t.name: (t.on, tuple(t.spot)) for t in plan.house.things}
        open_: dict[str, Carried] = {}
        for state in moments:
            if first and state.goal.get("things"):  # they are asked for by name, and nobody tidies up
                story.astray, story.sought = (), tuple(t for t in state.goal["things"] if t in plan.house.thing)
            first = False
            if until is not None and state.step > until:
                break
            for name in lying:
                place = str(state.true.get(("where", name), lying[name][0]))
                spot = tuple(state.true.get(("spot", name)) or ())
                if place in state.robots:
                    if name not in open_:
                        open_[name] = Carried(name, place, max(state.step, 0), *lying[name])
                        story.carried.append(open_[name])
                else:
                    if name in open_:
                        one = open_.pop(name)
                        one.put, one.to, one.there = max(state.step, 0), place, spot
                    lying[name] = (place, spot or lying[name][1])
        return story

    def until(self, step: int) -> Story:
        """What of it had happened after a step."""
        found = []
        for one in self.carried:
            if one.taken <= step:
                under_way = one.put is None or one.put > step
                found.append(replace(one, put=None, to="", there=()) if under_way else one)
        return Story(self.astray, self.sought, found)

    def right(self, plan: Plan, one: Carried) -> bool | None:
        """Whether a thing was laid where it belongs; None while it is in a hand."""
        return None if one.put is None else plan.tidy(one.thing, one.to, one.there)

    def marked(self, plan: Plan, state: State) -> list[str]:
        """What the episode is about at a moment: what lies astray, or what is looked for."""
        return list(self.sought) or self.still_astray(plan, state)

    def still_astray(self, plan: Plan, state: State) -> list[str]:
        """What lay astray at first and still does."""
        found = []
        for name in self.astray:
            place, spot = str(state.true.get(("where", name), FLOOR)), state.true.get(("spot", name)) or ()
            if not plan.tidy(name, place, spot):
                found.append(name)
        return found
