"""Questions about what is over: how long it took, and what was brought where."""

from __future__ import annotations

from coterie.mission.dialogue.answering import Answering
from coterie.mission.dialogue.answers_work import clock
from coterie.mission.dialogue.thread import Thread
from coterie.mission.estimate import minutes
from coterie.mission.goals import STATES, Goal
from coterie.talk.meanings import Ask
from coterie.talk.wording import listed, upper

MOST_BROUGHT = 10  # that are listed


class PastAnswers(Answering):
    def _done(self, what: str, where: str) -> list[Goal]:
        """Goals that were reached, of a thing and at a place if those are named; the last at the end."""
        over = [g for g in self.mission.goals.all() if g.state == "done" and not g.parent]
        wishes = self.mission.wanted_of
        named = [g for g in over if what in ("", getattr(wishes(g).wish, "what", ""))]
        found = [g for g in named if where in ("", getattr(wishes(g).wish, "where", ""))]
        return sorted(found, key=lambda g: g.history[-1].time if g.history else 0.0)

    def _under_way_now(self, what: str, where: str) -> str:
        live = [g for g in self.mission.goals.live() if not g.parent]
        wishes = self.mission.wanted_of
        named = [g for g in live if what in ("", getattr(wishes(g).wish, "what", ""))]
        found = [g for g in named if where in ("", getattr(wishes(g).wish, "where", ""))]
        return " ".join(f"{upper(self.mission.name_of(g))} {STATES[g.state]}." for g in found)

    def _took(self, thread: Thread, q: Ask) -> str:
        """How long the last one took, from when it was ordered; of what is under way, for how long it has been."""
        now = self.mission.now
        live = [g for g in self._about(thread, q.what) if q.where in ("", getattr(self._wish(g), "where", ""))]
        rows = [f"{upper(self.mission.name_of(g))} is not done yet: it was ordered {_ago(now - g.submitted_s)}."
                for g in live]  # fmt: skip
        done = self._done(q.what, q.where)
        mine = [g for g in done if g.by == thread.person] or done
        if mine and not live:
            goal = mine[-1]
            rows.append(
                f"{upper(self.mission.name_of(goal))} took {minutes(goal.history[-1].time - goal.submitted_s)}."
            )
        return "\n".join(rows) or "Nothing like that is done so far."

    def _wish(self, goal: Goal) -> object:
        return self.mission.wanted_of(goal).wish

    def _delivered(self, thread: Thread, q: Ask) -> str:
        """What was brought, where, when and for whom, and what is on its way."""
        kinds = ("kit", "item", "caddy")
        done = [g for g in self._done(q.what, q.where) if self._kind(getattr(self._wish(g), "what", "")) in kinds]
        at = f" to {self.wording.name(q.where)}" if q.where else ""
        names = [f"{self.mission.name_of(g)} for {self._whom(g, thread)}" for g in done]
        left = f"{len(names) - MOST_BROUGHT} more, and " if len(names) > MOST_BROUGHT else ""
        what = f"Nobody has brought {self.wording.some(q.what, 1)}" if q.what else "Nothing was brought"
        said = f"Brought so far{at}: {left}{listed(names[-MOST_BROUGHT:])}." if names else f"{what}{at} so far."
        return f"{said} {self._under_way_now(q.what, q.where)}".rstrip()

    def _whom(self, goal: Goal, thread: Thread) -> str:
        return f"{'you' if goal.by == thread.person else goal.by} at {clock(goal.history[-1].time)}"


def _ago(seconds: float) -> str:
    return f"{minutes(seconds)} ago" if seconds >= 1 else "just now"
