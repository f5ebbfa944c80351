"""Goals of people in a mission, folded from its log: how each stands, and what its plan still has in store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from coterie.core.action import Action
from coterie.core.event import Event
from coterie.core.record import DAMAGE
from coterie.core.visible import visible
from coterie.page.scenery import Pool
from coterie.worlds import worlds

Step = tuple[str, ...]  # robot, skill, and its arguments
STATES = {
    "plan": "under way",
    "proposal": "waits for a yes",
    "approved": "under way",
    "recovery": "is recovering",
    "blocked": "waits for others",
    "preempted": "makes way",
    "resumed": "under way",
    "failed": "given up",
    "done": "done",
}
CHANGES = {"cancel": "cancelled", "pause": "paused", "resume": "under way"}
OVER = ("done", "given up", "cancelled")


def step_words(world: str) -> Callable[[Sequence[Any]], str]:
    """How steps of plans are told in a world: its own words, or the action as it stands in the log."""
    try:
        domain: Any = worlds.get(world).domain({})
    except Exception:  # noqa: BLE001 (a world of somebody's own, or one without missions)
        domain = None

    def words(row: Sequence[Any]) -> str:
        robot, skill, *args = row
        if domain is None:
            return visible(f"{robot}: {skill}({', '.join(map(str, args))})")
        return visible(str(domain.step_words(robot, Action(skill, tuple(args)))))

    return words


class Goals:
    """The goals so far, in the order in which they were given: done, under way, and in the queue."""

    def __init__(self, world: str, words: Pool):
        self._words, self._world = words, world
        self._told: Callable[[Sequence[Any]], str] | None = None
        self._goals: dict[str, dict[str, Any]] = {}
        self._left: dict[str, list[Step]] = {}  # by goal: steps that are not done
        self._acts: dict[int, Step] = {}  # under way, by the number of their event

    def take(self, event: Event) -> None:
        try:
            if event.kind == "mission":
                self._mission(event.data)
            elif self._left and event.kind in ("act", "outcome"):
                self._act(event, event.data)
        except DAMAGE:  # a line that says less than it should is told elsewhere
            return

    def _mission(self, data: Mapping[str, Any]) -> None:
        what, goal = str(data["what"]), visible(str(data.get("goal", "")))
        if what in ("goal", "amended"):
            text, by = visible(str(data["text"])), visible(str(data["by"]))
            self._goals[goal] = {"id": goal, "text": text, "by": by, "state": "in the queue"}
            self._left.pop(goal, None)
        if goal not in self._goals:
            return
        if what == "plan":
            self._left[goal] = [tuple(map(str, row)) for row in data["steps"]]
            self._goals[goal]["of"] = len(self._left[goal])
        if what in STATES:
            self._goals[goal]["state"] = STATES[what]
        elif what == "changed":
            self._goals[goal]["state"] = CHANGES.get(data["to"], self._goals[goal]["state"])

    def _act(self, event: Event, data: Mapping[str, Any]) -> None:
        if event.kind == "act":
            self._acts[event.seq] = (event.who, str(data["skill"]), *map(str, data["args"]))
            return
        step = self._acts.pop(event.causes[0], None) if event.causes else None
        if data["status"] == "done":
            for left in self._left.values():
                if step in left:
                    left.remove(step)
                    return

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each goal with the steps that are left, as numbers in the pool of words."""
        for goal, row in self._goals.items():
            left = self._left.get(goal, ()) if row["state"] not in OVER else ()
            self._told = self._told or step_words(self._world)
            yield {**row, "left": [self._words.id(self._told(step)) for step in left]}
