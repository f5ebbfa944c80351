"""What happened in an episode, for people: what was carried from where to where, by whom, and whether it was right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from coterie.houses.model import FLOOR
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
    """Everything that robots carried, in order; what was misplaced at first, or what they are to look for."""

    misplaced: tuple[str, ...] = ()
    sought: tuple[str, ...] = ()
    carried: list[Carried] = field(default_factory=list)
    lying: dict[str, tuple[str, Spot]] = field(default_factory=dict)
    in_hand: dict[str, Carried] = field(default_factory=dict)

    @classmethod
    def begun(cls, plan: Plan, state: State) -> Story:
        """Before anything happened."""
        lying = {t.name: (t.on, tuple(t.spot)) for t in plan.house.things}
        if state.goal.get("things"):  # they are asked for by name, and nobody tidies up
            return cls((), tuple(t for t in state.goal["things"] if t in plan.house.thing), lying=lying)
        return cls(tuple(t.name for t in plan.house.things if not plan.tidy(t.name, t.on, t.spot)), lying=lying)

    @classmethod
    def told(cls, plan: Plan, moments: Iterable[State]) -> Story:
        story: Story | None = None
        for state in moments:
            story = story or cls.begun(plan, state)
            story.follow(state)
        return story or cls()

    def follow(self, state: State) -> None:
        """Take in the next state."""
        for name in self.lying:
            place = str(state.true.get(("where", name), self.lying[name][0]))
            if place in state.robots:
                if name not in self.in_hand:
                    self.in_hand[name] = Carried(name, place, max(state.step, 0), *self.lying[name])
                    self.carried.append(self.in_hand[name])
                continue
            spot = tuple(state.true.get(("spot", name)) or ())
            if name in self.in_hand:
                one = self.in_hand.pop(name)
                one.put, one.to, one.there = max(state.step, 0), place, spot
            self.lying[name] = (place, spot or self.lying[name][1])

    def right(self, plan: Plan, one: Carried) -> bool | None:
        """Whether a thing was laid where it belongs; None while it is in a hand."""
        return None if one.put is None else plan.tidy(one.thing, one.to, one.there)

    def marked(self, plan: Plan, state: State) -> list[str]:
        """What the episode is about at a moment: what is misplaced, or what is looked for."""
        return list(self.sought) or self.still_misplaced(plan, state)

    def still_misplaced(self, plan: Plan, state: State) -> list[str]:
        """What was misplaced at first and still is."""
        found = []
        for name in self.misplaced:
            place, spot = str(state.true.get(("where", name), FLOOR)), state.true.get(("spot", name)) or ()
            if not plan.tidy(name, place, spot):
                found.append(name)
        return found
