"""The house for a page on which the team moves: what is known of it, what was carried, and robots that look about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from coterie.log.state import State
from coterie.render.labels import Area, Labels
from coterie.render.shapes import Path, Shape
from coterie.render.stage import Sign, Stage, sign
from coterie.worlds.household.pictures import house, team
from coterie.worlds.household.pictures.draw import LATELY
from coterie.worlds.household.pictures.layout import Page
from coterie.worlds.household.pictures.plan import Plan
from coterie.worlds.household.pictures.story import Story


def stages(states: Iterable[State]) -> Iterator[Stage]:
    scene: _Scene | None = None
    for state in states:
        scene = scene or _Scene(state)
        yield scene.stage(state)


class _Scene:
    """What the states of an episode have in common. Names are placed anew only where something lies elsewhere."""

    def __init__(self, first: State):
        self.plan = Plan.of(first.start)
        self.page = Page(self.plan, len(first.robots))
        self.story = Story.told(self.plan, [first])
        self.names = house.place_room_names(self.plan, self.page.map)
        self.floors, self.walls = (
            list(house.floors(self.plan, self.page.map)),
            list(house.walls(self.plan, self.page.map)),
        )
        self._saw: set[str] = set()
        self._read: dict[str, int] = {}
        self._key: Any = None
        self._over: list[Shape] = []
        self._matter: dict[str, None] = {}

    def stage(self, state: State) -> Stage:
        plan, m, hue = self.plan, self.page.map, team.hues(state)
        self._look(state)
        astray = self.story.marked(plan, state)
        held = {r.holding for r in state.robots.values() if r.holding in state.things}
        self._matter |= dict.fromkeys(sorted(map(str, held))) | dict.fromkeys(astray)
        under: list[Shape] = [*self.floors, house.fog(plan, plan.seen(state), m)]
        under += [*house.furniture(plan, m, self._saw), *self.walls]
        under += house.things(plan, state, m, astray, self._saw)
        signs = {}
        for name, robot in state.robots.items():
            if not robot.online or robot.pose is None:
                continue
            facing = math.radians(team.heading(state, name))
            thing = state.things.get(robot.holding or "")
            what = () if thing is None else (thing.name, thing.kind, thing.colour, True)
            shapes = sign(team.radius(m), robot.card, name, hue[name], facing, what)
            signs[name] = Sign(m.at(robot.pose), (_glance(robot.card, facing, hue[name], m.scale), *shapes))
        return Stage(m.whole.grown(6), under, signs, self._labels(state, astray), LATELY)

    def _look(self, state: State) -> None:
        for name, robot in state.robots.items():
            for told in robot.seen[self._read.get(name, 0) :]:
                self._saw |= {args[0] for pred, args, *_ in told.rows(name) if pred in ("box", "where") and args}
            self._read[name] = len(robot.seen)

    def _labels(self, state: State, astray: Sequence[str]) -> list[Shape]:
        plan, m = self.plan, self.page.map
        lying = [(n, state.things[n].place, state.things[n].spot) for n in self._matter]
        if lying == self._key:
            return self._over
        self._key, labels = lying, Labels(m.whole)
        house.avoid(plan, m, labels)
        labels.taken += self.names.values()
        for _, _, spot in lying:
            if len(spot) > 1:
                x, y = m.at(spot)
                labels.taken.append(Area(x - 7, y - 7, 14, 14))
        places = {place for _, place, _ in lying}
        self._over = [*house.thing_names(state, m, tuple(self._matter), labels), *house.room_names(plan, self.names)]
        self._over += house.furniture_names(plan, m, labels, places)
        return self._over


def _glance(card: Any, facing: float, colour: str, scale: float) -> Path:
    """A wedge of light where a robot looks."""
    half = math.radians(float(card.get("fov_deg") or 90.0)) / 2
    far = team.GLANCE_M * scale
    turns = [facing + half * k / 4 for k in range(-4, 5)]
    rim = tuple((far * math.cos(a), -far * math.sin(a)) for a in turns)
    return Path(((0.0, 0.0), *rim), f"{colour}30", closed=True)
