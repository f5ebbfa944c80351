"""Perceptions of a robot: itself, the goal, the status line, and what lies where it stands.

Facts about itself and the status carry the time at which they came to be, and are made once; what it sees around it
carries the time of the look.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coterie.core.facts import Fact
from coterie.core.seeds import rng_of
from coterie.core.world import Observation
from coterie.worlds.indoor.fluents import Look
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.state import HouseState

_new = tuple.__new__  # as `Fact(...)` does, at a third of the time: many are made in every step
OWN = ("at", "stand", "pose", "holding", "used")  # what a robot knows of itself


class Perception:
    def __init__(self, world: HouseState):
        self.world = world
        self._own: dict[str, tuple[Any, list[Fact]]] = {}
        self._status: tuple[Any, list[Fact]] = (None, [])
        self._read: tuple[int, Any] = (-1, None)  # of which state of the world the status was made
        self._here: tuple[str, ...] = ()
        self._rest: dict[str, tuple[str, ...]] = {}  # those of them who are not this one

    def forget(self) -> None:
        """After going back in time."""
        self._own.clear()
        self._status = (None, [])
        self._read = (-1, None)

    def observe(self, robot: str) -> Observation:
        world = self.world
        facts = [*self.about_itself(robot), *self.status_line()]
        at = world.truth["at", robot]
        if at is not None:
            self._look_around(robot, at, facts)
        for declared in skills.seen:  # what skills of a user's own brought into the house
            held = self.world.truth["holding", robot]
            things = [*(f.args[0] for f in facts if f.pred == "spot"), *([held] if held is not None else ())]
            about = {"robot": [robot], "thing": things}
            for name in about.get(declared.args[0], [at] if at is not None else []):
                value = self.world.look(declared.name, name)
                facts.append(Fact(declared.name, (name,), value, self.world.now, robot))
        return _new(Observation, (robot, world.now, tuple(facts), self.others(robot), None, ()))

    def others(self, robot: str) -> tuple[str, ...]:
        """The other robots; made anew when a robot joins or leaves."""
        here = tuple(self.world.cards)
        if here != self._here:
            self._here = here
            self._rest = {robot: tuple([n for n in here if n != robot]) for robot in here}
        return self._rest[robot]

    def about_itself(self, robot: str) -> list[Fact]:
        truth, card = self.world.truth, self.world.cards[robot]
        held = truth.get(("felt", robot), truth["holding", robot])  # what it takes itself to hold
        state: tuple[Any, ...] = (truth["at", robot], truth["stand", robot], truth["pose", robot], held)
        if card.battery_steps is not None:
            state += (truth["used", robot],)
        known = self._own.get(robot)
        if known is not None and known[0] == state:
            return known[1]
        now = self.world.now
        facts = [Fact("card", (robot,), card, now, robot)]
        facts += [Fact(pred, (robot,), value, now, robot) for pred, value in zip(OWN, state)]
        if held is not None:
            facts.append(Fact("where", (held,), robot, now, robot))
            self._in_holders(robot, [held], facts)
        self._own[robot] = (state, facts)
        return facts

    def status_line(self) -> list[Fact]:
        """The goal and what is on the platforms: both reach every robot in every step."""
        world = self.world
        if self._read[0] == world.version and self._read[1] is world.goal:
            return self._status[1]
        self._read = (world.version, world.goal)
        inside = {p: tuple(world.inside.get(p, ())) for p in world.fluents.platforms}
        home = self._at_home() if not world.goal.platforms else ()
        if self._status[0] != (world.goal, inside, home):
            facts = [Fact(f.pred, f.args, f.value, world.now, "task") for f in world.goal.facts()]
            facts += [Fact("contents", (p,), things, world.now, "status") for p, things in inside.items()]
            facts += [Fact("where", (t,), place, world.now, "status") for t, place in home]
            self._status = ((world.goal, inside, home), facts)
        return self._status[1]

    def _at_home(self) -> tuple[tuple[str, str], ...]:
        """The things that are in place, for goals all over the house; the status line names them."""
        world = self.world
        missing = {w.thing for w in world.goal.missing(world.look)}
        return tuple((t, world.truth["where", t]) for t in world.goal.targets if t not in missing)

    def _look_around(self, robot: str, at: str, facts: list[Fact]) -> None:
        world = self.world
        now, truth, things = world.now, world.truth, world.things
        f = world.scene.piece.get(at)
        if f is None:  # at a door
            facts.append(Fact("open", (at,), truth["open", at], now, robot))
            return
        places = [f"floor@{at}"]
        if f.opens:
            facts.append(Fact("open", (at,), truth["open", at], now, robot))
        if not f.opens or truth["open", at]:
            places.append(at)
        seen: list[str] = []
        sure = world.noise.miss <= 0
        for place in places:
            here = tuple(world.inside.get(place, ())) if sure else self.seen(robot, place)
            facts.append(_new(Fact, ("contents", (place,), here, now, robot)))
            seen += here
        if world.fluents.holders:
            seen += self._in_holders(robot, seen, facts)
        for platform in world.fluents.platforms.values():
            if platform.on == at:
                seen += world.inside.get(platform.name, ())
        for name in seen:
            thing = things.get(name)
            mass = thing.mass_kg if thing is not None and not thing.holds else world.mass(name)
            facts.append(_new(Fact, ("spot", (name,), truth["spot", name], now, robot)))
            facts.append(_new(Fact, ("mass", (name,), mass, now, robot)))
        for other in self.others(robot):
            if truth["at", other] == at:
                held = truth["holding", other]
                facts.append(_new(Fact, ("holding", (other,), held, now, robot)))
                if held is not None:
                    facts.append(_new(Fact, ("where", (held,), other, now, robot)))

    def _in_holders(self, robot: str, things: list[str], facts: list[Fact]) -> list[str]:
        """The contents of the caddies among some things, nested ones included."""
        found: list[str] = []
        for holder in (t for t in things if t in self.world.fluents.holders):
            here = self.seen(robot, holder)
            facts.append(Fact("contents", (holder,), here, self.world.now, robot))
            found += [*here, *self._in_holders(robot, list(here), facts)]
        return found

    def seen(self, robot: str, place: str) -> tuple[str, ...]:
        """The things of a place that a robot standing there detects."""
        world = self.world
        things = tuple(world.inside.get(place, ()))
        if world.noise.miss <= 0 or not things:
            return things
        # Misses depend on the moment and the thing alone: looking twice has no side effects, looking later may
        # show it.
        moment = round(world.now, 6)
        return tuple(t for t in things if rng_of(world.seed, "miss", robot, t, moment).random() >= world.noise.miss)

    def look_of(self, robot: str) -> Look:
        """The lookup for words about what a robot sees: without the things it failed to detect."""
        world = self.world
        if world.noise.miss <= 0:
            return world.look
        more: dict[str, Callable[..., Any]] = {
            "robots": lambda look: tuple(world.cards),
            "bodies": lambda look: world.cards.items(),
        }

        def get(key: tuple[str, ...]) -> object:
            return self.seen(robot, key[1]) if key[0] == "contents" else world.get(key)

        return world.fluents.over(get, more)
