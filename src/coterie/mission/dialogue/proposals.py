"""Ways out that wait for a yes, when somebody says what speaks against one: they are looked for anew, and whoever was
asked is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.mission.asking import PATIENCE_S
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.effects import Call, Confirm
from coterie.mission.dialogue.speech import Mission
from coterie.mission.goals import Goal
from coterie.mission.policies import Alternative
from coterie.talk import meanings as m
from coterie.talk.wording import upper


class Proposals:
    """One for a mission."""

    def __init__(self, mission: Mission):
        self.mission = mission
        self.doubted: dict[str, tuple[str, str]] = {}  # goals whose ways out are looked at again; who said what
        self.late: dict[str, str] = {}  # goals that were given up, by whoever had been asked and did not answer
        self._reminded: set[tuple[str, int]] = set()

    def told(self, person: str, words: str) -> None:
        """Somebody has stated something new: the ways out that wait for a yes are looked at again."""
        for goal in self.mission.goals.all("waiting"):
            self.doubted.setdefault(goal.id, (person, words))

    # -- no answer ------------------------------------------------------------------------------------------------
    def _remind(self) -> None:
        """Whoever was asked and has not answered for half of the time is asked once more."""
        for goal in self.mission.goals.all("waiting"):
            proposal, asked = goal.proposal, self.mission.wanted_of(goal).asked
            late = proposal is not None and self.mission.now >= (proposal.until_s or 0.0) - PATIENCE_S / 2
            if late and asked and proposal is not None and (goal.id, proposal.number) not in self._reminded:
                self._reminded.add((goal.id, proposal.number))
                words = self.mission.partner.proposed(asked[-1])
                self.mission.desk.tell(asked[-1], f"I still wait for your yes or no. {words}")

    def unanswered(self, goal: Goal, asked: Sequence[str]) -> None:
        """Nobody has answered in time: those who were asked are told what becomes of it."""
        mission, root = self.mission, self.mission._root(goal)
        name = mission.name_of(root)
        if not goal.over:
            now = mission.wanted_of(goal).asked[-1]
            words = f"You have not answered, so I have asked {now} about {name}. Your yes or no still counts."
            mission.desk.tell(asked[-1], words)
            return
        for person in asked:
            self.late[person] = root.id
            if root.over:
                words = f"You have not answered, so I have given up {name}. If you want it after all, say yes."
                mission.desk.tell(person, words)

    def late_yes(self, thread: Thread) -> Confirm | None:
        """A yes to what was given up because nobody had answered: whether it is wanted again is asked."""
        goal = self.mission.goals[self.late[thread.person]] if thread.person in self.late else None
        if goal is None or goal.state != "failed":
            return None
        name = self.mission.name_of(goal)

        def then() -> str:
            self.late = {person: id for person, id in self.late.items() if id != goal.id}
            return f"All right: {self.mission.name_of(self.mission.doing.renewed(goal))}."

        words = f"I gave up {name}, since nobody answered in time. Do you want me to begin with it again?"
        return Confirm(m.Steer("retry"), words, [Call(then)])

    def watch(self) -> None:
        self._remind()
        for id in [i for i in self.doubted if self.mission.goals[i].state != "paused"]:
            (person, words), goal = self.doubted.pop(id), self.mission.goals[id]
            mine = self.mission.recovery.of(goal)
            if goal.state == "waiting":
                now = self.mission.recovery.alternatives(goal, mine.failures[-1])
                if [o.words for o in now[:1]] != [o.words for o in mine.offers[:1]]:
                    self._anew(goal, person, words, now)

    def _anew(self, goal: Goal, by: str, words: str, now: Sequence[Alternative]) -> None:
        """What was proposed is left for what is best by now; whoever was asked is told."""
        mission: Any = self.mission
        wanted, mine = mission.wanted_of(goal), mission.recovery.of(goal)
        asked = list(wanted.asked)
        wanted.asked.clear()
        mission.goals.move(goal.id, "recovering", why=f"{by} said: {words}")
        name = mission.name_of(mission._root(goal))
        for person in asked:
            said = "You" if person == by else upper(by)
            mission.desk.tell(person, f"{said} said: {words} So I leave what I proposed for {name}.")
        mine.offers = list(now)
        mission._best_offer(mission.goals[goal.id], mine.failures[-1])
