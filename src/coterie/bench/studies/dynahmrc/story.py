"""A log of rooms told step by step: before each action, where everything is, who holds what, who knows what, what the
goal asks. Failure modes and counts of poor coordination read an episode through this."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coterie.bench.story import Act, Story, plain
from coterie.core.event import Event


class HouseStory(Story):
    def __init__(self, events: Sequence[Event]):
        super().__init__(events)
        scene = self.start.get("scene", {})
        self.table: str = scene.get("work", {}).get("table", "")
        self.furniture: dict[str, dict[str, Any]] = {f["name"]: f for f in scene.get("furniture", ())}
        self.platforms: tuple[str, ...] = tuple(p[0] for p in self.start.get("platforms", ()))
        self.poses: dict[str, Any] = {n: r.get("pose") for n, r in self.start["robots"].items()}
        self.goal: dict[str, Any] = plain(self.start["goal"])
        self.where: dict[str, str] = {}
        self.inside: dict[str, list[str]] = {}
        self.spot: dict[str, Any] = {}
        for name, _, _, place, spot in self.start.get("things", ()):
            self._lay(name, place)
            self.spot[name] = spot
        self.holding: dict[str, str | None] = dict.fromkeys(self.cards)
        self.visited: dict[str, set[str]] = {n: set() for n in self.cards}
        self.known: dict[str, dict[str, str]] = {n: {} for n in self.cards}  # robot -> thing -> believed place
        self.names = _names(self.start)

    # -- reading along --------------------------------------------------------------------------------------------
    def settle(self, ended: Iterable[Act], truths: Iterable[Event]) -> None:
        for act in ended:
            if act.skill == "navigate":
                self.visited[act.robot].add(act.on)
        for e in truths:
            for pred, args, value in e.data["facts"]:
                if pred == "where":
                    self._lay(args[0], value)
                elif pred == "spot":
                    self.spot[args[0]] = value
                elif pred == "holding":
                    self.holding[args[0]] = value
                elif pred == "pose":
                    self.poses[args[0]] = value

    def _lay(self, thing: str, place: str) -> None:
        old = self.where.get(thing)
        if old is not None:
            self.inside[old].remove(thing)
        self.where[thing] = place
        self.inside.setdefault(place, []).append(thing)

    def see(self, e: Event) -> None:
        for pred, args, value, *_ in e.data["facts"]:
            if pred == "where":
                known = self.known.setdefault(e.who, {})
                if isinstance(value, str) and value != "?":
                    known[args[0]] = value
                else:  # it was thought to be somewhere and is not: "?" in a file, UNKNOWN in memory
                    known.pop(args[0], None)

    def change(self, data: Mapping[str, Any]) -> None:
        super().change(data)
        if data["kind"] == "goal":
            self.goal = plain(data["goal"])
        elif data["kind"] == "leave":
            self.holding[data["robot"]] = None

    def join(self, e: Event) -> None:
        super().join(e)
        self.holding.setdefault(e.who, None)
        self.visited.setdefault(e.who, set())
        self.known.setdefault(e.who, {})
        self.names = self.names | {e.who}

    def knows(self, robot: str) -> Mapping[str, str]:
        """Where this robot's mind takes things to be: from its own belief, everybody's, or the truth."""
        sees = self.start.get("sees", "own")
        if sees == "truth":
            return self.where
        if sees == "pooled":
            pooled: dict[str, str] = {}
            for name in sorted(self.online):
                pooled.update(self.known.get(name, {}))
            return {**pooled, **self.known[robot]}
        return self.known[robot]

    # -- the goal, read from its JSON -----------------------------------------------------------------------------
    @property
    def targets(self) -> tuple[str, ...]:
        if self.goal["kind"] == "sort":
            return tuple(pair[0] for pair in self.goal["pairs"])
        return tuple(self.goal.get("targets", ()))

    def home(self, thing: str) -> str | None:
        """Where a target is to end up; None for what is not a target."""
        if thing not in self.targets:
            return None
        if self.goal["kind"] == "sort":
            return str(dict(map(tuple, self.goal["pairs"]))[thing])
        return str(self.goal["into" if self.goal["kind"] == "pack" else "on"])

    def right(self, thing: str) -> bool:
        """Is a target where it belongs? In a stack, every layer below must be right too."""
        home = self.home(thing)
        if home is None or self.where.get(thing) != home:
            return False
        if self.goal["kind"] != "stack":
            return True
        n = self.targets.index(thing) + 1
        return tuple(self.inside[home][:n]) == self.targets[:n]

    def missing(self) -> list[str]:
        return [t for t in self.targets if not self.right(t)]

    def furniture_of(self, place: str | None) -> str:
        """The piece of furniture that a place belongs to."""
        if place is None:
            return ""
        if place in self.platforms:
            return self.table
        return place.removeprefix("floor@")

    def said(self, text: str) -> frozenset[str]:
        """The things, places and robots that a text names."""
        return frozenset(re.findall(r"\w+", text)) & self.names


def _names(start: Mapping[str, Any]) -> frozenset[str]:
    things = (t[0] for t in start.get("things", ()))
    furniture = (f["name"] for f in start.get("scene", {}).get("furniture", ()))
    platforms = (p[0] for p in start.get("platforms", ()))
    return frozenset((*things, *furniture, *platforms, *start["robots"]))
