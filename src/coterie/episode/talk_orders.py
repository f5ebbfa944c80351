"""What somebody has ordered of a team of a house and not taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.episode.talk_goals import taken_back
from coterie.mission.dialogue.counterpart import Doubt
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.talk import meanings as m
from coterie.talk.wording import Wording


class TeamOrders:
    """One for a team."""

    def __init__(self, partner: Any):
        """`partner` is the one who takes the orders (`talk_partner.TeamPartner`)."""
        self.partner = partner

    def doubts_all(self, thread: Thread) -> Doubt | None:
        """Everything that somebody has ordered and not taken back, asked about as one."""
        orders = [d for d in thread.deeds if isinstance(d.meaning, m.Order) and self._still(d.meaning)]
        if not orders or not self.partner.hall.authority.may(thread.person, "command"):
            return None
        words = Wording(self.partner.vocabulary)
        said = " ".join(dict.fromkeys(words.sentence(d.meaning) for d in reversed(orders)))
        return Doubt(
            f"Do you want me to take back all that you ordered: {said}",
            m.Steer("cancel", level="all"),
            lambda: self._take_back(thread, orders),
        )

    def _still(self, order: m.Order) -> bool:
        """Whether anything of an order is still wanted."""
        goal = self.partner.goal
        return any(w.what in goal.targets and goal.home(w.what) == w.where for w in order.wants)

    def _take_back(self, thread: Thread, orders: Sequence[Deed]) -> str:
        """Several orders of one person, the last first; what was wanted before them, and by others, stays."""
        goal = self.partner.goal
        for deed in orders:
            before = dict(deed.before)
            goal = taken_back(goal, before[("goal",)], before[("new",)])
        self.partner._want(thread.person, goal)
        thread.deeds = [d for d in thread.deeds if d not in orders]
        thread.did(Deed(m.Refuse()))
        led = " I no longer lead the team." if self.partner.hall.helper.leave(thread.person) else ""
        return f"All right, I take that back. The goal is now: {goal.text()}{led}"
