"""Going on, calling off and hurrying: for whom, and whose goals it concerns.

Whoever says "cancel that" speaks of what they did themselves; where that is nothing, they are asked.
"""

from __future__ import annotations

from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.counterpart import Doubt
from coterie.mission.dialogue.meant import MY_OWN, Meant
from coterie.mission.dialogue.resting import ALL, Rest
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.goals import Goal
from coterie.talk import meanings as m
from coterie.talk.wording import listed

URGENT, LATER = 10, -10
OVER = ("failed", "done", "cancelled")


class Steering(Meant):
    """One for a mission."""

    # -- doubts ---------------------------------------------------------------------------------------------------
    def doubts(self, thread: Thread, steer: m.Steer) -> Doubt | None:
        """What is asked before something happens to a goal that its speaker has not named, and that is not theirs."""
        if steer.how == "cancel" and (steer.what or steer.where):
            return self._doubts_which(thread, steer)
        if steer.how not in ("cancel", "prioritise", "resume") or steer.what or steer.where:
            return None
        if steer.how == "resume":
            return self._doubts_going_on(thread, steer)
        last = thread.last.meaning if thread.last is not None else None
        if steer.how == "cancel" and steer.level != "all" and isinstance(last, (m.Zone, m.Permit, m.Tell, m.Alter)):
            words = f"Do you want me to undo the last thing that you said: {self.doing.wording.sentence(last)}"
            undo = m.Forget()
            deed = thread.last
            return Doubt(words, undo, lambda: str(self.mission.dialogue.undone(thread, deed)))
        if self.meant(thread, steer) or self._put_off(thread, steer):
            return None
        if steer.level == "all" and any(s.person == thread.person and not s.stands for s in self.doing.standing):
            return None
        if steer.level == MY_OWN and self.mission.authority.may(thread.person, _right(steer)):
            raise CoterieError("You have ordered nothing that is under way.")
        live = self._live()
        asked = [g for g in live if thread.person in self.mission.wanted_of(g).asked and g.state == "waiting"]
        others = live if steer.level == "all" else [max(asked or live, key=lambda g: g.submitted_s)] if live else []
        if not others or not self.mission.authority.may(thread.person, _right(steer)):
            return None
        word = "call off" if steer.how == "cancel" else "see first to"
        return self._doubt(thread, steer, others, "You have ordered nothing that is under way.", word)

    def _doubts_which(self, thread: Thread, steer: m.Steer) -> Doubt | None:
        """What is asked before several orders are called off by the name of one thing."""
        found = self.meant(thread, steer)
        orders = {next((i for i, d in enumerate(thread.deeds) if g.id in d.goals), g.id) for g in found}
        if len(orders) < 2:
            return None
        wish = self.mission.wanted_of(found[-1]).wish
        one = m.Steer("cancel", getattr(wish, "what", ""), where=getattr(wish, "where", ""))
        doubt = self._doubt(thread, steer, found, "There is more than one.", "call off")
        return doubt._replace(words=f"{doubt.words} For one of them, say: {self.doing.wording.sentence(one)}")

    def _doubts_going_on(self, thread: Thread, steer: m.Steer) -> Doubt | None:
        found, resting = self.meant(thread, steer), [g for g in self._live() if g.state == "paused"]
        if steer.robots:
            more = {n for g in found for n in self.mission.wanted_of(g).scope if n in self.mission.cards}
            others = sorted(more - set(steer.robots))
            stopped = {g.id for g in found if self._rest(g).how == "robots"}
            these = set(self.held) <= set(steer.robots)  # what was stopped is let go, and no more
            if not found or not others or (these and len(stopped) == len(found)):
                return None
            return self._doubt(thread, steer, found, f"{listed(others)} would go on, too.", "go on with")
        if found or not resting or steer.level == MY_OWN or ALL in self.held:
            return None
        by = listed(sorted({self._rest(g).person for g in resting}))
        return self._doubt(thread, steer, resting, f"{by} paused that.", "go on with")

    def _doubt(self, thread: Thread, steer: m.Steer, goals: list[Goal], lead: str, word: str) -> Doubt:
        shown = [f"{self.mission.name_of(g)}{self._whose(g, thread)}" for g in goals]
        ids = [g.id for g in goals]

        def then() -> str:
            still = [self.mission.goals[i] for i in ids if not self.mission.goals[i].over]
            return self.change(thread, steer, still)

        return Doubt(f"{lead} Do you want me to {word} {listed(shown)}?".strip(), steer, then)

    @staticmethod
    def _whose(goal: Goal, thread: Thread) -> str:
        return f" for {goal.by}" if goal.by != thread.person else ""

    # -- doing it -------------------------------------------------------------------------------------------------
    def steer(self, thread: Thread, steer: m.Steer) -> str:
        if steer.how == "help":  # a mission plans by itself: what it has found is what it can offer
            self.mission.authority.require(thread.person, "command")
            return str(self.mission.partner.answers.of(thread, m.Ask("plan")))
        if steer.how == "retry":
            return self._retry(thread, steer)
        if self._only_stops(thread, steer):
            return self.stop(thread, m.Stop(steer.robots))
        if m.cancels_all(steer):
            return self._cancel_all(thread, steer)
        waiting = self._put_off(thread, steer)
        if waiting is not None:
            self.drop(thread, waiting)
            thread.did(Deed(steer))
            return f"All right, I leave that: {self.doing.wording.sentence(waiting)}"
        return self.change(thread, steer, self.meant(thread, steer))

    def _retry(self, thread: Thread, steer: m.Steer) -> str:
        """What failed of what somebody has ordered is ordered again; where nothing did, what rests goes on."""
        for deed in thread.deeds:
            states = [self.mission.goals[g].state for g in deed.goals]
            if isinstance(deed.meaning, m.Order) and "failed" in states and all(s in OVER for s in states):
                return self.doing.order(thread, deed.meaning)
        resting = [g for g in self._live() if g.state == "paused"]
        return self.steer(thread, replace(steer, how="resume")) if resting else "Nothing of yours has failed."

    def _cancel_all(self, thread: Thread, steer: m.Steer) -> str:
        """All that somebody has ordered, also what waits until something is so. What others want goes on; whoever may
        call that off, too, is asked."""
        person, mine = thread.person, self.meant(thread, steer)
        waiting = [s for s in self.doing.standing if s.person == person and not s.stands]
        words = self.change(thread, steer, mine) if mine or not waiting else ""
        for order in (s.order for s in waiting):
            self.drop(thread, order)
            words = f"{words} All right, I leave that: {self.doing.wording.sentence(order)}".lstrip()
        others = [g for g in self._live() if g.by != person]
        if not others or not self.mission.authority.may(person, _right(steer)):
            named = listed([f"{self.mission.name_of(g)}{self._whose(g, thread)}" for g in others])
            return f"{words} You may not call off {named}." if others else words
        doubt = self._doubt(thread, steer, others, words, "call off")
        asks = doubt.words.replace("want me to", "want me also to")
        return str(self.mission.dialogue.confirm(thread, doubt.meaning, doubt.then, asks))

    def _only_stops(self, thread: Thread, steer: m.Steer) -> bool:
        """Whether "Wait!" is a stop: from somebody who may not let goals rest, while robots are at work."""
        if not m.only_waits(steer) or not self.mission.agenda:
            return False
        theirs = all(g.by == thread.person for g in self.meant(thread, steer))
        return not theirs and not self.mission.authority.may(thread.person, "command")

    def change(self, thread: Thread, steer: m.Steer, goals: list[Goal]) -> str:
        person, mission = thread.person, self.mission
        lifted = self._lift(thread, steer, goals) if steer.how == "resume" else set()
        if not goals:
            mission.authority.require(person, _right(steer))
            if lifted:
                return f"All right, {'everybody may' if not steer.robots else 'they may'} move again.{self._left()}"
            on = ": everything goes on" if any(g.state == "running" for g in self._live()) else ""
            none = {
                "resume": f"Nothing rests{' of yours' * (steer.level == MY_OWN)}{on}.",
                "pause": "Nothing is under way.",
            }
            waits = f"\n{mission.partner.proposed(person)}" if steer.how == "resume" else ""
            return f"{none.get(steer.how, 'There is no goal at the moment.')}{waits}".rstrip()
        before = tuple((("priority", g.id), g.priority) for g in goals)
        for goal in goals:
            level = {"high": URGENT, "low": LATER}.get(steer.level, 0)
            how = "priority" if steer.how == "prioritise" else steer.how
            mission._change(person, how, goal.id, level)
            if steer.how == "pause":
                named = steer.what or steer.where or steer.robots
                self.rests[goal.id] = Rest(person, "pause" if named else "stop")
        ids = tuple(g.id for g in goals)
        thread.did(Deed(steer, ids, before))
        if steer.how in ("pause", "resume"):
            self.said.append(f"{person} {'said wait' if steer.how == 'pause' else 'said continue'}")
        word = {"pause": "rests", "resume": "goes on", "cancel": "is called off"}.get(
            steer.how, "comes first" if steer.level == "high" else "can wait"
        )
        if steer.how == "resume" and all(mission.goals[i].state == "waiting" for i in ids):
            word = "waits for a yes, as before"
        for goal in goals:
            self.inform({goal.by} | lifted, person, f"{person} has spoken: {mission.name_of(goal)} {word}.")
        left = self._left() if steer.how == "resume" else ""
        again = f"\n{mission.partner.proposed(person)}" if steer.how == "resume" else ""
        return f"All right: {listed([mission.name_of(g) for g in goals])} {word}.{left}{again}".rstrip()

    def _lift(self, thread: Thread, steer: m.Steer, goals: list[Goal]) -> set[str]:
        """Whoever may command lets robots move again: all, those that were named, or those that a goal needs. Who had
        stopped them is told."""
        if steer.what or steer.where or steer.level == MY_OWN:
            robots = {n for g in goals for n in self.mission.wanted_of(g).scope} & set(self.held)
        else:
            robots = set(steer.robots) & set(self.held) if steer.robots else set(self.held)
        if robots and not goals:
            self.mission.authority.require(thread.person, "command")
        for goal in goals:
            self.mission.goals._theirs(goal.id, thread.person)
        return self._let_go(robots) | {self.rests.pop(g.id).person for g in goals if g.id in self.rests}

    def undo(self, thread: Thread, deed: Deed) -> None:
        """What somebody did to goals is taken back; a `CoterieError` says what to say where that cannot be."""
        steer = deed.meaning
        goals = [g for i in deed.goals if not (g := self.mission.goals[i]).over]
        if isinstance(steer, m.Stop):
            raise CoterieError("A stop holds until somebody says continue.")
        assert isinstance(steer, m.Steer)
        if steer.how == "cancel" or not goals:
            raise CoterieError("That cannot be undone; say again what you want.")
        for goal in goals:
            change = {"pause": "resume", "resume": "pause", "prioritise": "priority"}[steer.how]
            level = int(dict(deed.before).get(("priority", goal.id), 0))
            self.mission._change(thread.person, change, goal.id, level)
            if change == "pause":
                self.rests[goal.id] = Rest(thread.person, "pause")
            else:
                self.rests.pop(goal.id, None)


def _right(steer: m.Steer) -> str:
    return "priority" if steer.how == "prioritise" else "command"
