"""The map and the pooled beliefs with everything numbered: furniture, locations to stand at, positions to lie at."""

from __future__ import annotations

import math
from typing import Any

from coterie.core.card import Card
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.mcts.model import Model
from coterie.protocols.mcts.past import Past

Point = tuple[float, float]
Spot = tuple[float, float, float]

FLOOR = "floor@"
TOO_NEAR_M = 0.3  # two robots of one layer cannot stand nearer


class Survey:
    """A model in the making: its tables, and the words they came from."""

    def __init__(self, team: TeamView, past: Past, goal: Any):
        self.past, self.goal = past, goal
        self.me: list[RobotView] = list(team.robots.values())
        self.belief = self.me[0].belief  # pooled: the same for all
        self.cards: list[Card] = [me.card for me in self.me]
        self.look = self.me[0].look
        self.furniture: tuple[str, ...] = self.look("all_furniture")  # type: ignore[assignment]
        self.number = {f: i for i, f in enumerate(self.furniture)}
        self.platforms: tuple[str, ...] = tuple(goal.platforms)
        self.held = [self._name("holding", me.name) for me in self.me]
        self.inside = [self._contents(p) for p in self.platforms]
        known = (*goal.targets, *(t for p in self.inside for t in p), *(h for h in self.held if h))
        self.things = tuple(dict.fromkeys(known))
        self.spots: list[Spot | None] = []  # of positions; None: anywhere there
        self.model = self._begin()
        for platform in self.platforms:  # their positions are the first
            self.position(platform, None)

    def _begin(self) -> Model:
        things, goal = self.things, self.goal
        order = tuple(things.index(t) for t in goal.targets)
        home = [self.platforms.index(p) if (p := goal.home(t)) in self.platforms else -1 for t in things]
        m = Model(
            robots=tuple(me.name for me in self.me),
            furniture=self.furniture,
            platforms=self.platforms,
            things=things,
            kind=goal.kind,
            order=order,
            targets=sum(1 << t for t in order),
            home=tuple(home),
            containers=sum(1 << i for i, f in enumerate(self.furniture) if self.look("openable", f)),
        )
        self._locations(m)
        return m

    def _name(self, pred: str, *args: str) -> str | None:
        value = self.belief.value(pred, *args)
        return value if isinstance(value, str) else None

    def _contents(self, place: str) -> tuple[str, ...]:
        listed = self.belief.value("contents", place)
        return listed if isinstance(listed, tuple) else ()

    # -- locations ------------------------------------------------------------------------------------------------
    def _locations(self, m: Model) -> None:
        for i, f in enumerate(self.furniture):
            for stand in self.look("all_stands", f) or ():  # type: ignore[attr-defined]
                self._location(m, i, stand, self.look("stand_pose", f, stand))
        for me in self.me:
            here = self.number.get(self._name("at", me.name) or "", -1)
            stand = self._name("stand", me.name)
            known = [k for k, s in enumerate(m.loc_stand) if s == stand and m.loc_furniture[k] == here >= 0]
            m.start.loc.append(known[0] if known else len(m.loc_pose))
            if not known:
                self._location(m, here, None, self.belief.value("pose", me.name))
        for p in m.loc_pose:
            near = [k for k, q in enumerate(m.loc_pose) if math.hypot(p[0] - q[0], p[1] - q[1]) < TOO_NEAR_M]
            m.near.append(sum(1 << k for k in near))

    def _location(self, m: Model, furniture: int, stand: str | None, pose: Any) -> None:
        m.loc_furniture.append(furniture)
        m.loc_stand.append(stand)
        m.loc_pose.append(pose if isinstance(pose, tuple) else (math.inf, math.inf))

    # -- positions ------------------------------------------------------------------------------------------------
    def furniture_of(self, place: str) -> int | None:
        owner = place.removeprefix(FLOOR) if place.startswith(FLOOR) else self.look("part_of", place)
        return self.number.get(owner) if isinstance(owner, str) else None

    def position(self, place: str, spot: Spot | None) -> int:
        m, f = self.model, self.furniture_of(place)
        assert f is not None
        m.pos_place.append(len(self.furniture) + self.platforms.index(place) if place in self.platforms else f)
        m.pos_furniture.append(f)
        m.pos_box.append(m.containers & 1 << f if place == self.furniture[f] else 0)
        self.spots.append(spot)
        return len(m.pos_place) - 1
