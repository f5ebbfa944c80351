"""What people have to do with a team, folded from its log: their words, proposals that wait for a yes, stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT
from coterie.core.event import Event
from coterie.core.record import DAMAGE
from coterie.core.visible import visible
from coterie.live.book import words
from coterie.page.goals import step_words
from coterie.talk.marks import unheard

Told = tuple[dict[str, Any], frozenset[str] | None]  # a row, and for whom it is
_OVER = {"approved": "approved", "rejected": "rejected", "failed": "given up", "changed": "changed", "done": "done"}


class Board:
    """Turns events into rows. `tells`: words of a mission are read from its log; a talk tells them itself."""

    def __init__(self, world: str, tells: bool, stopped: Mapping[str, str] | None = None):
        self.tells = tells
        self.offers: dict[str, dict[str, Any]] = {}  # by goal: the proposals that wait
        self.stopped = dict(stopped or {})  # who stands still: by whom
        self._step = step_words(world)

    def rows(self, event: Event) -> Iterator[Told]:
        tell = getattr(self, f"_{event.kind}", None)
        if tell is not None:
            try:
                yield from tell(event, event.data)
            except DAMAGE:  # a line that says less than it should is told elsewhere
                return

    def _input(self, event: Event, data: Mapping[str, Any]) -> Iterator[Told]:
        kind = data.get("kind")
        if kind == "utterance":
            person = str(data["person"])
            yield words(person, "team", unheard(str(data["text"])), event.t), frozenset({person})
        elif kind == "stop":
            for name in data["names"]:
                self.stopped[str(name)] = str(data["by"]) if data["on"] else ""
            if not data["on"] and "all" in data["names"]:
                self.stopped.clear()
            yield self.standing(event.t), None
        elif kind == "standing":
            self.stopped[str(data["robot"])] = str(data["stopped"]) if data["there"] else ""
            yield self.standing(event.t), None

    def _act(self, event: Event, data: Mapping[str, Any]) -> Iterator[Told]:
        """Where nothing was under way at a stop, nothing says that it is over, but for what is begun next."""
        if "all" in self.stopped and data["skill"] not in (WAIT, COMMUNICATE):
            del self.stopped["all"]
            yield self.standing(event.t), None

    def standing(self, t: float) -> dict[str, Any]:
        still = {visible(k): visible(v) for k, v in self.stopped.items() if v}
        return {"stopped": still, "t": round(t, 2)}

    def _mission(self, event: Event, data: Mapping[str, Any]) -> Iterator[Told]:
        what, goal = str(data["what"]), visible(str(data.get("goal", "")))
        if what == "tell" and self.tells:
            yield words("team", str(data["to"]), str(data["text"]), event.t), frozenset({str(data["to"])})
        elif what == "proposal":
            ways = [self._way(o) for o in data["alternatives"]]
            offer = {"goal": goal, "seq": event.seq, "to": visible(str(data["to"])), "ways": ways}
            self.offers[goal] = offer
            yield {"offer": offer}, None
        if what in _OVER and goal in self.offers:
            by = f" by {data['by']}" if data.get("by") else ""
            yield {"offer": {**self.offers.pop(goal), "over": visible(_OVER[what] + by)}}, None
        if what == "stop":
            self.stopped["all"] = str(data["person"])
            yield self.standing(event.t), None
        if what == "resumed" or (what == "changed" and data["to"] == "resume"):
            self.stopped.pop("all", None)
            yield self.standing(event.t), None

    def _way(self, offer: Mapping[str, Any]) -> dict[str, Any]:
        numbers = {k: round(float(offer[k]), 3) for k in ("chance", "seconds", "low_s", "high_s")}
        steps = [self._step(row) for row in (*offer["first"], *offer["then"])]
        return {"words": visible(str(offer["words"])), **numbers, "steps": steps}
