"""What is under way of something that is forgotten: whoever forgets it calls off their own run, and is asked about
those of others. A kit that is on its way goes on, and that is said."""

from __future__ import annotations

from typing import Any

from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.thread import Thread
from coterie.mission.goals import Goal
from coterie.talk import meanings as m
from coterie.talk.wording import listed, upper


class Runs:
    """What is under way under one label; it is looked for before the label is forgotten."""

    def __init__(self, mission: Mission, label: str):
        self.mission, self.label = mission, label
        self.chains = [c for c in mission.doing.chains if c.label == label]
        ids = {g for c in self.chains for g in c.goals} | {g for t in mission.dialogue.threads for g in _of(t, label)}
        self.goals: list[Goal] = [g for g in mission.goals.live() if g.id in ids]
        wishes = [(g, getattr(mission.wanted_of(g).wish, "what", "")) for g in mission.goals.live() if not g.parent]
        self.kits = [g for g, what in wishes if what == label]

    def doubt(self, thread: Thread, built_in: bool) -> str:
        """What is asked before a kit is forgotten that an order is of, or that nobody has taught; empty where it is
        neither."""
        mission: Any = self.mission
        off = mission.doing.wording.sentence(m.Steer("cancel", self.label))
        if self.kits:
            names = listed([f"{mission.name_of(g)}{_for(g.by, thread)}" for g in self.kits])
            words = f"Do you mean the order or the kit? To call off {names}, say: {off}"
            return f"{words} Say yes if I should forget for everybody what a {self.label} is; the order goes on then."
        return f"Do you want me to forget for everybody what a {self.label} is?" if built_in else ""

    def left(self, thread: Thread) -> str:
        """What becomes of it; empty where nothing is under way."""
        mission: Any = self.mission
        if self.kits:
            names = listed([f"{mission.name_of(g)}{_for(g.by, thread)}" for g in self.kits])
            where = getattr(mission.wanted_of(self.kits[0]).wish, "where", "")
            cancel = mission.doing.wording.sentence(m.Steer("cancel", where=where)) if where else "Cancel everything."
            return f" What is ordered already goes on: {names}. To end that, say: {cancel}"
        mine = self._off(thread, thread.person)
        others = sorted({*(c.person for c in self.chains), *(g.by for g in self.goals)} - {thread.person})
        if not others:
            return mine
        if not mission.authority.may(thread.person, "command"):
            return f"{mine} {upper(listed(others))} has begun {self.label}, and that goes on."

        def then() -> str:
            return " ".join(self._off(thread, person).strip() for person in others)

        words = f"{upper(listed(others))} has begun {self.label}. Do you want me to call that off, too?"
        return f"{mine} {mission.dialogue.confirm(thread, m.Steer('cancel'), then, words)}"

    def _off(self, thread: Thread, person: str) -> str:
        """The runs of a person are called off, with the steps that have not begun."""
        mission: Any = self.mission
        chains = [c for c in self.chains if c.person == person and c in mission.doing.chains]
        mission.doing.chains = [c for c in mission.doing.chains if c not in chains]
        live = [g for g in self.goals if g.by == person and not mission.goals[g.id].over]
        if not chains and not live:
            return ""
        if not live:
            return f" I leave the rest of {self.label}."
        return f" {mission.doing.steering.change(thread, m.Steer('cancel'), live)}"


def _of(thread: Thread, label: str) -> set[str]:
    """Goals of what somebody had done under a label."""
    orders = [d for d in thread.deeds if isinstance(d.meaning, m.Order)]
    return {g for d in orders if any(w.kind == m.TASK and w.what == label for w in d.meaning.wants) for g in d.goals}  # type: ignore[attr-defined]


def _for(by: str, thread: Thread) -> str:
    return f" for {by}" if by != thread.person else ""
