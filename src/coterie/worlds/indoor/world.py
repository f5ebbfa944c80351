"""The indoor world: rooms, furniture, things, ground and flying robots, and one fixed arm.

Its truth is a store of facts (`state.py`), which a driver acts on, perception reads and changes alter; here they are
put together into what the loop asks of a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from coterie.core.action import Action, Outcome, Verdict
from coterie.core.errors import unknown_name
from coterie.core.event import Event
from coterie.core.expr import Lookup
from coterie.core.fact_world import Acting
from coterie.core.facts import Belief, Fact
from coterie.core.task import Change, Progress, Task
from coterie.core.wire import carry_record, pack, unpack
from coterie.core.world import Observation
from coterie.houses.scene import dist
from coterie.worlds.indoor.changes import apply_change, check_change
from coterie.worlds.indoor.continuous_traffic import Route
from coterie.worlds.indoor.driver import EPS, Flaw, SimDriver, Underway
from coterie.worlds.indoor.perception import Perception
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.state import HouseState

ARMS = ("geometric", "planned")
CLEAR_M = 0.1  # between things on a surface
Settle = Callable[["IndoorWorld", Change], Change]


class IndoorWorld(HouseState, Acting):
    def __init__(
        self,
        task: Task,
        seed: int = 0,
        noise: Noise | None = None,
        settle: Settle | None = None,
        arms: str = "geometric",
    ):
        if arms not in ARMS:
            raise unknown_name("kind of arms", arms, ARMS)
        super().__init__(task, seed, noise or Noise())
        self.settle = settle
        self.underway = {}
        self.perception = Perception(self)
        self.driver = SimDriver(self, self.perception)
        if arms == "planned":
            from coterie.worlds.indoor.arms.planned import PlannedArms  # only planned arms need the engines

            self.arms = PlannedArms(self)

    def remove_robot(self, name: str) -> str | None:
        self.underway.pop(name, None)
        self.driver.routes.pop(name, None)
        return super().remove_robot(name)

    # -- interface ------------------------------------------------------------------------------------------------
    def map(self) -> Mapping[tuple[str, ...], object]:
        return self.fluents.map

    def listings(self) -> Mapping[str, str]:
        return LISTINGS

    def lookup(self, belief: Belief) -> Lookup:
        return self.fluents.of_belief(belief)

    def observe(self, robot: str) -> Observation:
        return self.perception.observe(robot)

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        """Judge a joint action on the truth of now, by public rules only. Not offered to protocols here."""
        verdicts = {}
        for robot, action in joint.items():
            failure = self.driver.judge(robot, action, public_only=True).failure
            verdicts[robot] = Verdict(False, failure.words, failure.cause) if failure else Verdict(True)
        return verdicts

    def start(self, joint: Mapping[str, Action]) -> None:
        # All are judged on the same moment: nothing has an effect before all have started.
        self.driver.setting_out = frozenset([r for r, a in joint.items() if a.skill in ("navigate", "move")])
        super().start(joint)

    def _begun(self, robot: str, action: Action) -> Underway:
        return self.driver.start(robot, action, self.now)

    def advance(self, until: float | None = None) -> list[Outcome]:
        if not self.underway:
            if until is not None:
                self.now = max(self.now, until)
            return []
        underway = list(self.underway.values())
        end = min([u.end for u in underway])
        if until is not None and end > until + EPS:
            self.now = max(self.now, until)
            return []
        self.now = max(self.now, end)
        latest = self.now + EPS
        due = [u for u in underway if u.end <= latest]
        if len(due) > 1:
            due.sort(key=lambda u: (u.end, u.order))
        outcomes = []
        for u in due:
            del self.underway[u.robot]
            outcomes.append(self.driver.finish(u))
        return outcomes

    def accept(self, outcome: Outcome) -> Outcome:
        return self.driver.accept(outcome)

    def cancel(self, robot: str) -> Outcome | None:
        u = self.underway.pop(robot, None)
        return u.cancel(self.now) if u is not None else None

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """Where what an action names is: kinds and positions of things, stand poses, and the middle of surfaces."""
        found: list[Fact] = []
        names = tuple(arg for arg in action.args if isinstance(arg, str))
        for i, arg in enumerate(names):
            thing, platform = self.things.get(arg), self.fluents.platforms.get(arg)
            f = self.scene.piece.get(arg)
            if thing is not None:
                found += [self._known("kind", arg, thing.kind), self._known("spot", arg, self.truth["spot", arg])]
            elif platform is not None:
                found.append(self._known("centre", arg, (*platform.centre, platform.height_m)))
            elif f is not None:
                found.append(self._known("centre", arg, (*f.centre, f.surface_m)))
            stand = self.scene.stand_poses.get((arg, names[i + 1])) if i + 1 < len(names) else None
            if stand is not None:
                found.append(self._known("stand_pose", arg, stand))
        if action.skill == "place" and len(names) == 2 and names[1] not in self.things:
            found.append(self._known("free_spot", names[1], self._free_spot(robot, names[1])))
        return tuple(f for f in found if f.value is not None)

    def _free_spot(self, robot: str, place: str) -> tuple[float, float, float] | None:
        lying = [s for t in self.inside.get(place, ()) if (s := self.truth["spot", t]) is not None]
        spots = self.fluents.free_spots(self.look, self.cards[robot], self.truth["pose", robot], place)
        return next((s for s in spots if place in self.fluents.platforms or _clear(s, lying)), None)

    def _known(self, pred: str, name: str, value: object) -> Fact:
        return Fact(pred, (name,), value, self.now, "map")

    # -- change, progress, snapshots ------------------------------------------------------------------------------
    def apply(self, change: Change) -> list[Event]:
        check_change(self, change)
        settled = self.settle(self, change) if self.settle is not None else change
        return apply_change(self, settled)

    def progress(self) -> Progress:
        return self.goal.progress(self.look)

    def trace(self) -> list[list[Any]]:
        changed = [[k[0], k[1:], self.truth[k]] for k in self._traced if k in self.truth]
        self._traced.clear()
        return changed

    def start_data(self) -> dict[str, Any]:
        """The house, its things and its robots, for readers of the log."""
        scene = self.scene
        return {
            "robots": {n: {"card": c, "pose": self.truth["pose", n]} for n, c in self.cards.items()},
            "scene": {
                "name": scene.name,
                "rooms": [[r.name, r.kind, r.rect, *([r.polygon] if not r.is_rect else [])] for r in scene.rooms],
                "doors": [
                    [d.name, d.rect, d.open, d.swings, *([hole] if (hole := d.hole) else [])] for d in scene.doors
                ],
                "furniture": [
                    {
                        "name": f.name,
                        "kind": f.kind,
                        "room": f.room,
                        "rect": f.rect,
                        "height_m": f.surface_m,
                        "base_m": f.base_m,
                        "top_m": f.top_m,
                        "opens": f.opens,
                        "open": f.open,
                        "stands": f.stands,
                        **({"obstacle": True} if not f.receptacle else {}),
                    }
                    for f in scene.furniture
                ],
                "work": {"table": scene.work.table, "arm": scene.work.arm} if scene.work is not None else {},
                **({"holders": self.setting.holders} if self.setting.holders else {}),
            },
            "platforms": [[p.name, p.kind, p.colour, p.centre] for p in self.setting.platforms],
            "things": [[t.name, t.kind, t.colour, place, spot] for t, place, spot in self.setting.things],
        }

    def snapshot(self) -> bytes:
        underway = [
            (u.robot, u.action, u.order, u.start, u.end, u.failure, u.version, u.route.kept if u.route else None)
            for u in self.underway.values()
        ]
        state = (
            self.now, self.version, dict(self.truth), self.inside, self.cards, self.goal, self.rules, underway,
            self.driver.order, self.rng.getstate(), list(self._traced),
        )  # fmt: skip
        return pack(state)

    def restore(self, data: bytes) -> None:
        (
            self.now, self.version, truth, self.inside, cards, self.goal, self.rules, underway,
            self.driver.order, rng, traced,
        ) = unpack(data)  # fmt: skip
        self.truth.clear()
        self.truth.update(truth)
        self.cards.clear()
        self.cards.update(cards)
        self.rng.setstate(rng)
        self._traced = dict.fromkeys(traced)
        self.perception.forget()
        self.underway = {}
        self.driver.routes.clear()
        for robot, action, order, start, end, failure, version, route in underway:
            u = Underway(self.driver, robot, action, start, order)
            u.end, u.failure, u.version = end, failure, version
            u.skill = self.skill(action.skill) if action.skill in self.cards[robot].skills else None
            u.bound = (u.skill.bind(robot, action.args) or {}) if u.skill is not None else {}
            if route is not None:
                card = self.cards[robot]
                u.route = self.driver.routes[robot] = Route(route[0], route[1], card.speed_mps, card.footprint_m)
            self.underway[robot] = u


carry_record(Flaw, "indoor_flaw")

LISTINGS = {"contents": "where"}


def _clear(spot: tuple[float, ...], others: Iterable[tuple[float, ...]]) -> bool:
    return all(dist(spot[:2], other[:2]) >= CLEAR_M for other in others)  # type: ignore[arg-type]
