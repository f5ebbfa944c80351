"""The belief of a robot in the house, as numbers for learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.core.senses import Senses, read_columns
from coterie.core.task import Task
from coterie.worlds.indoor.declared import STAND, places_known, things_named

SPAN_M = 10.0  # distances are told as shares of this
THINGS = 32
TOLD = ("where", "spot", "mass", "contents", "open")  # what travels with words

Row = tuple[float, ...]


class HouseSenses(Senses):
    own, tables = read_columns(__package__)
    kinds = {
        "furniture": "places",
        "container": "places",
        "platform": "places",
        "thing": "things",
        "robot": "robots",
    }
    values = {"stand": tuple(f"{STAND}{i}" for i in range(4))}

    def room(self, task: Task) -> Mapping[str, int]:
        setting: Any = task.setting
        doors = sum(d.swings for d in setting.scene.doors)
        coming = {str(c.data.get("robot")) for c in task.changes if c.kind == "join"}
        places = len(setting.scene.places) + doors + len(setting.platforms) + len(setting.holders)
        return {"places": places, "things": THINGS, "robots": len(task.robots) + len(coming) - 1}

    def names(self, me: RobotView) -> Mapping[str, Sequence[str]]:
        robots = [*me.heartbeat, *(f.args[0] for f in me.belief.facts("card"))]
        return {
            "places": places_known(me),
            "things": things_named(me),
            "robots": [r for r in dict.fromkeys(robots) if r != me.name],
        }

    def about_me(self, me: RobotView) -> Row:
        return _Reading(me).itself()

    def about(self, me: RobotView, table: str, names: Sequence[str]) -> Sequence[Row]:
        r = _Reading(me)
        row = {"places": r.place, "things": r.thing, "robots": r.robot}[table]
        return [row(name) for name in names]

    # -- talk -----------------------------------------------------------------------------------------------------
    def news(self, me: RobotView, since: int | None) -> tuple[str, Sequence[Fact]]:
        seen = {(f.pred, *f.args): f for f in me.belief.since(since or 0) if f.source == me.name and f.pred in TOLD}
        facts = tuple(f for f in seen.values() if f.value is not UNKNOWN)
        places = [f for f in facts if f.pred == "contents"]
        words = "; ".join(f"{', '.join(map(str, f.value)) or 'nothing'} at {f.args[0]}" for f in places)  # type: ignore[call-overload]
        return (f"I saw {words or 'something new'}.", facts) if facts else ("", ())


class _Reading:
    """One look into a belief; what all rows need is worked out once."""

    def __init__(self, me: RobotView):
        self.me, self.value = me, me.belief.value
        goal: Any = self.value("goal")
        self.homes: dict[str, Any] = {t: goal.home(t) for t in getattr(goal, "targets", ())}
        self.missing = {w.thing for w in goal.missing(me.look)} if hasattr(goal, "missing") else set()
        pose = self.value("pose", me.name)
        self.pose: tuple[float, float] | None = pose if isinstance(pose, tuple) else None
        self.at, held = self.value("at", me.name), self.value("holding", me.name)
        self.held = held if isinstance(held, str) else ""
        self.robots = {f.args[0] for f in me.belief.facts("card")} | {me.name, *me.heartbeat}

    def itself(self) -> Row:
        me, card = self.me, self.me.card
        x, y = self.pose or (0.0, 0.0)
        return (
            me.step / me.step_limit if me.step_limit else 0.0,
            card.mobility == "air",
            card.mobility == "ground",
            card.reach_m / SPAN_M,
            card.payload_kg / 10,
            x / SPAN_M,
            y / SPAN_M,
            bool(self.held),
            self.held in self.homes,
            me.outcome is not None and not me.outcome.ok,
            1 - len(self.missing) / len(self.homes) if self.homes else 0.0,
        )

    def place(self, name: str) -> Row:
        value = self.value
        known = value("contents", name)
        lying = known if isinstance(known, tuple) else ()
        door, piece, is_open = value("door", name) is True, value("furniture", name) is True, value("open", name)
        meant = (name, value("room", name))
        home = self.homes.get(self.held)
        return (
            piece,
            door,
            not piece and not door,
            value("openable", name) is True,
            is_open is True,
            is_open is False,
            self.at == (name if piece or door else value("part_of", name)),
            *self.offset(self.centre(name)),
            isinstance(known, tuple),
            len(lying) / 10,
            sum(t in self.homes for t in lying) / 10,
            any(h in meant or value("part_of", h) == name for h in self.homes.values()),
            home is not None and (home in meant or value("part_of", home) == name),
            value("allowed", self.me.name, name) is False,
        )

    def thing(self, name: str) -> Row:
        value, card, mine = self.value, self.me.card, self.me.name
        where, spot, mass = value("where", name), value("spot", name), value("mass", name)
        if where in self.robots or not isinstance(spot, tuple):
            spot = self.pose if where == mine else self.centre(where)
        lies = isinstance(where, str) and where not in self.robots
        reach = 0.0
        if lies and isinstance(spot, tuple) and len(spot) == 3 and self.pose is not None and card.reach_m:
            reach = card.gap(self.pose, spot) / card.reach_m / 2
        return (
            isinstance(where, str),
            where == mine,
            where in self.robots and where != mine,
            lies and self.at in (value("part_of", str(where)), str(where).removeprefix("floor@")),
            *self.offset(spot),
            reach,
            mass / card.payload_kg / 2 if isinstance(mass, float) and card.payload_kg else 0.0,
            name in self.homes,
            name in self.missing,
        )

    def robot(self, name: str) -> Row:
        mobility = getattr(self.value("card", name), "mobility", "")
        pose = self.value("pose", name)
        return (
            name in self.me.heartbeat,
            mobility == "air",
            mobility == "ground",
            isinstance(pose, tuple),
            *self.offset(pose),
            isinstance(self.value("holding", name), str),
        )

    def centre(self, place: object) -> Any:
        """The middle of a place, as the map has it; None where it is not on it."""
        if not isinstance(place, str):
            return None
        for name in (place, place.removeprefix("floor@"), self.value("part_of", place), self.value("where", place)):
            rect: Any = self.value("rect", name) if isinstance(name, str) else UNKNOWN
            if isinstance(rect, tuple):
                return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2
        return self.value("stand_pose", place, f"{STAND}0")  # of a door

    def offset(self, point: Any) -> tuple[float, float]:
        if self.pose is None or not isinstance(point, tuple):
            return 0.0, 0.0
        return (point[0] - self.pose[0]) / SPAN_M, (point[1] - self.pose[1]) / SPAN_M
