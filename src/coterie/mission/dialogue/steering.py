"""Stopping robots, letting goals rest and go on, calling them off and hurrying: for whom, and whose goals it concerns.

A stop holds until a person says continue: a robot that was stopped is not planned with, and nothing that waits begins
by itself. "Cancel that" is about the speaker's own orders; where there are none, they are asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.skill import Rule
from coterie.mission.dialogue.conversation import NO_GOAL, Deed, Thread
from coterie.mission.dialogue.correction import undo_last
from coterie.mission.dialogue.counterpart import stop_holds
from coterie.mission.dialogue.effects import Confirm, call
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.zones import STOPPED, against, enforced
from coterie.mission.goals import OVER, STATES, Goal
from coterie.mission.reports import MISSION
from coterie.talk import meanings as m
from coterie.talk.wording import listed, upper

ALL = ""  # in the place of a robot: everybody was stopped
MY_OWN = "mine"
URGENT, LATER = 10, -10


class Rest(NamedTuple):
    """A pause of a goal: the person, and how: stop (everything), robots (some), pause (that goal)."""

    person: str
    how: str


class Meant(NamedTuple):
    """The referents of a command: goals, and orders that wait for a condition."""

    goals: list[Goal]
    waiting: list[Any] = []


class Steering:
    """One for a mission."""

    def __init__(self, mission: Mission):
        self.mission = mission
        self.held: dict[str, str] = {}  # who stopped which robot
        self.rests: dict[str, Rest] = {}
        self.said: list[str] = []  # who has stopped robots and let them go on, the last at the end

    def stop(self, thread: Thread, stop: m.Stop) -> str:
        person, mission = thread.person, self.mission
        thread.did(Deed(stop, undo=stop_holds))
        self.said.append(f"{person} stopped {listed(stop.robots) or 'everything'}")
        if not stop.robots:
            owners = {mission._root(g).by for g in mission.goals.live()}
            self.rests |= {g.id: Rest(person, "stop") for g in self.mission.ordered() if g.state != "paused"}
            mission._stop_all(person)
            self.held[ALL] = person
            mission.inform(owners, person, f"{person} has stopped everything.")
            return "Everything stops. Say continue to go on."
        who = listed(stop.robots)
        for goal in self._pause(self._of_robots(stop.robots), Rest(person, "robots"), f"{person} stopped {who}"):
            mission.inform({goal.by}, person, f"{person} has stopped {who}: {goal.name} rests.")
        for robot in stop.robots:
            self.held[robot] = person
            enforced(mission, self._against_moving(robot, f"{person} has stopped {robot}."), True)
        return f"{who} stop{'s' * (len(stop.robots) == 1)}. Say continue to go on."

    def _pause(self, goals: Iterable[Goal], rest: Rest, why: str) -> list[Goal]:
        """Let goals rest that do not yet; which these are."""
        found = [g for g in goals if not g.over and g.state != "paused"]
        for goal in found:
            self.rests[goal.id] = rest
            self.mission.goals.pause(goal.id, MISSION, why)
            self.mission._withdraw(self.mission.goals[goal.id])
        return found

    def _of_robots(self, robots: Iterable[str]) -> list[Goal]:
        """Goals for which robots have something to do, now or later."""
        mission, names = self.mission, set(robots)
        ids = {mission._root(mission.goals[i.goal]).id for i in mission.agenda if names & {i.robot, *i.action.args}}
        return [mission.goals[i] for i in sorted(ids)]

    def _against_moving(self, robot: str, words: str = "") -> list[Rule]:
        """No plan counts on a robot that was stopped. Not by its name: it can do it, and is not to."""
        number = sorted(self.mission.cards).index(robot) if robot in self.mission.cards else robot
        steps = self.mission.speech.limits(m.ABLE, robot, "", False) or () if robot else ()
        return [against(s, about, words)._replace(name=f"{STOPPED}{number}: {s}") for s, about in steps]

    def _let_go(self, robots: Iterable[str]) -> set[str]:
        """Robots may move again; who had stopped them."""
        held = [r for r in robots if r in self.held]
        enforced(self.mission, [rule for robot in held for rule in self._against_moving(robot)], False)
        return {self.held.pop(robot) for robot in held}

    def stopper(self, person: str, robots: Iterable[str]) -> str:
        """Words for the stop by another person that keeps an order from beginning."""
        held = ((self.held.get(robot, person), robot) for robot in (ALL, *robots))
        return next((f"{by} has stopped {robot or 'everything'}." for by, robot in held if by != person), "")

    def ordered(self, thread: Thread, robots: Iterable[str]) -> None:
        """A robot that is named in an order moves again; a stop of which nothing rests any more is over."""
        self._let_go(r for r in robots if r)
        if not self.mission.doing.chains and not self._paused():
            self.held.pop(ALL, None)

    def rest(self, thread: Thread) -> str:
        """Pause the last order until a person says continue, as the order that it replaces was."""
        goals = [self.mission.goals[id] for id in (thread.last.goals if thread.last is not None else ())]
        self._pause(goals, Rest(thread.person, "stop"), "what it replaces rested")
        return " It rests, as before; say continue to go on."

    def who(self, robot: str) -> str:
        """The people who have stopped a robot, or all, or let them go on; empty where nobody did."""
        said = f"{upper(', then '.join(self.said[-2:]))}." if self.said else ""
        held = robot in self.held or ALL in self.held
        resting = [g for g in self._paused() if not robot or g in self._of_robots([robot])]
        rests = " It rests until somebody says continue." if held else self._left() if resting else ""
        return f"{said}{rests}".strip()

    def _paused(self) -> list[Goal]:
        return list(self.mission.ordered(states=("paused",)))

    def _rest(self, goal: Goal) -> Rest:
        return self.rests.get(goal.id, Rest("", "stop"))

    def _left(self) -> str:
        """Words for the goals that stay paused."""
        resting = self._paused()
        names = listed([self.mission.name_of(g) for g in resting])
        by = listed(sorted({self._rest(g).person for g in resting} - {""}))
        return f" Still at rest{f', by {by}' if by else ''}: {names}." if resting else ""

    # -- what is meant ------------------------------------------------------------------------------------------------
    def meant(self, thread: Thread, steer: m.Steer) -> Meant:
        """Resolve what a command is about: a kit or a place, robots, the person's own goals, or their last order."""
        live = self.mission.ordered()
        if steer.how in ("resume", "pause"):
            live = [g for g in live if (g.state == "paused") == (steer.how == "resume")]
        off = steer.how == "cancel" and not steer.robots  # which is all that can be done to an order that waits
        waiting = [s for s in self.mission.doing.standing if off and s.person == thread.person and not s.stands]
        if steer.what or steer.where:
            return self._named(thread, steer, live, waiting)
        if steer.robots and steer.how == "resume":
            return Meant([g for g in live if self.mission.wanted_of(g).scope & set(steer.robots)])
        if steer.robots:
            mine = self._of_robots(steer.robots)
            return Meant([g for g in live if g in mine])
        if steer.level == MY_OWN or (steer.level == "all" and steer.how not in ("resume", "pause")):
            return Meant([g for g in live if g.by == thread.person], waiting)
        if steer.how == "pause":
            return Meant(live)
        return Meant(self._resting(thread, live)) if steer.how == "resume" else self._latest(thread, live, waiting)

    def _named(self, thread: Thread, steer: m.Steer, live: list[Goal], waiting: list[Any]) -> Meant:
        named, what = self.mission.ordered(steer.what, steer.where), self.mission.wording.name(steer.what)
        late = [s for s in waiting
                if any(steer.what in ("", w.what) and steer.where in ("", w.where) for w in s.order.wants)]  # fmt: skip
        found = [g for g in live if g in named]
        own = [g for g in found if g.by == thread.person]
        if own or late:  # the person's own orders come first
            return Meant(own, late)
        if steer.level == MY_OWN:
            raise CoterieError(f"You have ordered nothing with {what}.")
        if found:
            return Meant(found)
        if named:  # which go on, or rest, already
            raise CoterieError(f"{upper(self.mission.name_of(named[0]))} {STATES[named[0].state]}.")
        about = " for ".join(self.mission.wording.name(n) for n in (steer.what, steer.where) if n)
        raise CoterieError(f"{NO_GOAL}{about}.")

    def _resting(self, thread: Thread, live: list[Goal]) -> list[Goal]:
        """Goals that go on at a bare "continue": what a stop stopped, and nothing that others paused by name."""
        if ALL in self.held:
            return [g for g in live if self._rest(g).how == "stop"]
        person = thread.person
        return [g for g in live if person in (self._rest(g).person, g.by) or self._rest(g).how != "pause"]

    def _latest(self, thread: Thread, live: list[Goal], waiting: list[Any]) -> Meant:
        """The last order of theirs that is not over, or their last goal."""
        for deed in (d for d in thread.deeds if isinstance(d.meaning, m.Order)):
            late = [s for s in waiting if s.order == deed.meaning]
            found = Meant([g for g in live if g.id in deed.goals], late)
            if any(found):
                return found
        mine = [g for g in live if g.by == thread.person]
        return Meant([max(mine, key=lambda g: g.submitted_s)] if mine else [])

    def _leave(self, thread: Thread, steer: m.Steer, waiting: Collection[Any]) -> str:
        self.drop(waiting)
        thread.did(Deed(steer, undo=_for_good))
        return f"All right, I leave that: {' '.join(self.mission.wording.sentence(s.order) for s in waiting)}"

    def drop(self, waiting: Collection[Any]) -> None:
        """Orders that wait until something is so are called off."""
        self.mission.doing.standing = [s for s in self.mission.doing.standing if s not in waiting]

    # -- doubts ---------------------------------------------------------------------------------------------------
    def doubts(self, thread: Thread, steer: m.Steer) -> Confirm | None:
        """The confirmation to ask before changing a goal that its speaker has not named, and that is not theirs."""
        if steer.how == "resume" and not (steer.what or steer.where):
            return self._doubts_going_on(thread, steer)
        if steer.how == "cancel" and (steer.what or steer.where):
            return self._doubts_which(thread, steer)
        if steer.what or steer.where or steer.how not in ("cancel", "prioritise"):
            return None
        last = thread.last
        reversible = last is not None and isinstance(last.meaning, (m.Zone, m.Permit, m.Tell, m.Alter))
        if last is not None and reversible and steer.how == "cancel" and steer.level != "all":
            return undo_last(self.mission.wording, last)
        may, live = self.mission.authority.may(thread.person, _right(steer)), self.mission.ordered()
        if any(self.meant(thread, steer)) or not may:
            return None
        none = "You have ordered nothing that is under way."
        if steer.level == MY_OWN:
            raise CoterieError(none)
        asked = [g for g in live if thread.person in self.mission.wanted_of(g).asked and g.state == "waiting"]
        others = live if steer.level == "all" else [max(asked or live, key=lambda g: g.submitted_s)] if live else []
        word = "call off" if steer.how == "cancel" else "see first to"
        return self.doubt(thread, steer, others, none, word) if others else None

    def _doubts_which(self, thread: Thread, steer: m.Steer) -> Confirm | None:
        """The confirmation to ask before several orders are called off by the name of one thing."""
        goals, waiting = self.meant(thread, steer)
        orders = {next((i for i, d in enumerate(thread.deeds) if g.id in d.goals), g.id) for g in goals}
        if len(orders) + len(waiting) < 2:
            return None
        what, where = self.mission.subject(goals[-1]) if goals else (steer.what, steer.where)
        one = self.mission.wording.sentence(m.Steer("cancel", what, where=where))
        doubt = self.doubt(thread, steer, goals, "There is more than one.", "call off")
        late = "".join(f" Also: {self.mission.wording.sentence(s.order)}" for s in waiting)
        then = [*(doubt.then or ())] if goals else []
        then += [call(partial(self._leave, thread, steer, waiting))] if waiting else []
        return replace(doubt, words=f"{doubt.words}{late} For one of them, say: {one}", then=then)

    def _doubts_going_on(self, thread: Thread, steer: m.Steer) -> Confirm | None:
        found, resting = self.meant(thread, steer).goals, self._paused()
        if steer.robots:  # no robot moves that was stopped and not named
            more = {n for g in found for n in self.mission.wanted_of(g).scope if n in self.mission.cards}
            others = sorted(more - set(steer.robots))
            stopped = all(self._rest(g).how == "robots" for g in found) and set(self.held) <= set(steer.robots)
            if not others or stopped:  # what was stopped is let go, and no more
                return None
            return self.doubt(thread, steer, found, f"{listed(others)} would go on, too.", "go on with")
        if found or not resting or steer.level == MY_OWN or ALL in self.held:
            return None
        by = listed(sorted({self._rest(g).person for g in resting}))
        return self.doubt(thread, steer, resting, f"{by} paused that.", "go on with")

    def doubt(self, thread: Thread, steer: m.Steer, goals: list[Goal], lead: str, word: str) -> Confirm:
        shown = self._shown(thread, goals) or ["what waits"]
        ids = [g.id for g in goals]

        def then() -> str:
            still = [self.mission.goals[i] for i in ids if not self.mission.goals[i].over]
            return self.change(thread, steer, still)

        return Confirm(steer, f"{lead} Do you want me to {word} {listed(shown)}?".strip(), [call(then)])

    def _shown(self, thread: Thread, goals: Iterable[Goal]) -> list[str]:
        """Return names of goals, each with its owner unless the person of the thread owns it."""
        return [f"{self.mission.name_of(g)}{f' for {g.by}' * (g.by != thread.person)}" for g in goals]

    # -- doing it -------------------------------------------------------------------------------------------------
    def steer(self, thread: Thread, steer: m.Steer) -> str:
        if steer.how == "help":  # a mission plans by itself: what it has found is what it can offer
            self.mission.authority.require(thread.person, "command")
            return str(self.mission.partner.answers.of(thread, m.Ask("plan")))
        if steer.how == "retry":
            return self._retry(thread, steer)
        if self._only_stops(thread, steer):
            return self.stop(thread, m.Stop(steer.robots))
        found, words = self.meant(thread, steer), ""
        if found.goals or not found.waiting:
            words = self.change(thread, steer, found.goals)
        if found.waiting:
            words = f"{words} {self._leave(thread, steer, found.waiting)}".lstrip()
        return self._others_too(thread, steer, words) if m.cancels_all(steer) else words

    def _retry(self, thread: Thread, steer: m.Steer) -> str:
        """Order again what failed of this person's orders; where nothing did, resume what is paused."""
        for deed in thread.deeds:
            states = [self.mission.goals[g].state for g in deed.goals]
            if isinstance(deed.meaning, m.Order) and "failed" in states and all(s in OVER for s in states):
                return self.mission.doing.order(thread, deed.meaning)
        resting = self._paused()
        return self.steer(thread, replace(steer, how="resume")) if resting else "Nothing of yours has failed."

    def _others_too(self, thread: Thread, steer: m.Steer, words: str) -> str:
        """Leave the goals of others where everything is called off; a person who may call them off, too, is asked."""
        others = [g for g in self.mission.ordered() if g.by != thread.person]
        if not others or not self.mission.authority.may(thread.person, _right(steer)):
            return f"{words} You may not call off {listed(self._shown(thread, others))}." if others else words
        doubt = self.doubt(thread, steer, others, words, "call off")
        asks = doubt.words.replace("want me to", "want me also to")
        return replace(doubt, words=asks)(self.mission.dialogue, thread)

    def _only_stops(self, thread: Thread, steer: m.Steer) -> bool:
        """True if "Wait!" is a stop: from a person who may not let goals rest, while robots are at work."""
        if not m.only_waits(steer) or not self.mission.agenda:
            return False
        theirs = all(g.by == thread.person for g in self.meant(thread, steer).goals)
        return not theirs and not self.mission.authority.may(thread.person, "command")

    def change(self, thread: Thread, steer: m.Steer, goals: list[Goal]) -> str:
        person, mission = thread.person, self.mission
        lifted = self._lift(thread, steer, goals) if steer.how == "resume" else set()
        if not goals:
            mission.authority.require(person, _right(steer))
            if lifted:
                return f"All right, {'everybody may' if not steer.robots else 'they may'} move again.{self._left()}"
            if steer.how != "resume":
                return "Nothing is under way." if steer.how == "pause" else "There is no goal at the moment."
            on = ": everything goes on" if any(g.state == "running" for g in self.mission.ordered()) else ""
            none = f"Nothing rests{' of yours' * (steer.level == MY_OWN)}{on}."
            return f"{none}\n{mission.partner.proposed(person)}".rstrip()
        before = {g.id: g.priority for g in goals}
        for goal in goals:
            level = {"high": URGENT, "low": LATER}.get(steer.level, 0)
            how = "priority" if steer.how == "prioritise" else steer.how
            mission._change(person, how, goal.id, level)
            if steer.how == "pause":
                named = steer.what or steer.where or steer.robots
                self.rests[goal.id] = Rest(person, "pause" if named else "stop")
        ids = tuple(g.id for g in goals)
        thread.did(Deed(steer, ids, partial(self._undo, thread, steer, before)))
        if steer.how in ("pause", "resume"):
            self.said.append(f"{person} {'said wait' if steer.how == 'pause' else 'said continue'}")
        first = "comes first" if steer.level == "high" else "can wait"
        word = {"pause": "rests", "resume": "goes on", "cancel": "is called off"}.get(steer.how, first)
        if steer.how == "resume" and all(mission.goals[i].state == "waiting" for i in ids):
            word = "waits for a yes, as before"
        for goal in goals:
            self.mission.inform({goal.by} | lifted, person, f"{person} has spoken: {mission.name_of(goal)} {word}.")
        left = self._left() if steer.how == "resume" else ""
        again = f"\n{mission.partner.proposed(person)}" if steer.how == "resume" else ""
        return f"All right: {listed([mission.name_of(g) for g in goals])} {word}.{left}{again}".rstrip()

    def _lift(self, thread: Thread, steer: m.Steer, goals: list[Goal]) -> set[str]:
        """Let robots move again, for a person who may command: all, those named, or those that a goal needs. Who had
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

    def _undo(self, thread: Thread, steer: m.Steer, before: Mapping[str, int], deed: Deed) -> None:
        """Undo a person's change of goals; `before` are their priorities."""
        goals = [g for i in deed.goals if not (g := self.mission.goals[i]).over]
        if steer.how == "cancel" or not goals:
            _for_good(deed)
        for goal in goals:
            change = {"pause": "resume", "resume": "pause", "prioritise": "priority"}[steer.how]
            self.mission._change(thread.person, change, goal.id, before.get(goal.id, 0))
            if change == "pause":
                self.rests[goal.id] = Rest(thread.person, "pause")
            else:
                self.rests.pop(goal.id, None)


def _for_good(deed: Deed) -> None:
    raise CoterieError("That cannot be undone; say again what you want.")


def _right(steer: m.Steer) -> str:
    return "priority" if steer.how == "prioritise" else "command"
