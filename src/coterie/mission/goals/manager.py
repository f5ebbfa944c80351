"""The goals of a mission: who wants what, what becomes of it, which robots work for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from coterie.core.action import Cause
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import Expr
from coterie.core.fluents import Declared
from coterie.mission.goals.goal import (
    NEXT,
    OVER,
    STATES,
    Attempt,
    Failure,
    Goal,
    Moved,
    Proposal,
    Stage,
    State,
    Vote,
    check_goal,
)
from coterie.mission.journal import Journal
from coterie.mission.knowledge.authority import Authority

MISSION = "mission"


class Busy(CoterieError):
    """A robot works for a goal that is at least as urgent."""

    def __init__(self, robot: str, holder: Goal):
        super().__init__(f"{robot} works for {holder}, whose priority is {holder.priority}.")
        self.robot, self.holder = robot, holder


class Goals:
    """The part "goals" of a journal. Goals are values: read one anew after something has happened to it."""

    def __init__(
        self,
        journal: Journal | None = None,
        authority: Authority | None = None,
        fluents: Mapping[str, Declared] | None = None,
    ):
        """With `fluents`, goals about others are refused."""
        self.journal = journal or Journal()
        self.authority = authority or Authority(self.journal)
        self.fluents = fluents
        self._goals: dict[str, Goal] = {}
        self.journal.attach("goals", self._take)

    # -- reading --------------------------------------------------------------------------------------------------
    def __getitem__(self, id: str) -> Goal:
        found = self._goals.get(id)
        if found is None:
            raise unknown_name("goal", id, self._goals)
        return found

    def all(self, *states: State) -> list[Goal]:
        """Goals, those in some states or all, in the order in which they came."""
        return [g for g in list(self._goals.values()) if not states or g.state in states]

    def live(self) -> list[Goal]:
        """Goals that are not over, the most urgent first, then the oldest."""
        return sorted((g for g in list(self._goals.values()) if not g.over), key=lambda g: -g.priority)

    def ready(self) -> list[Goal]:
        """Goals with a plan that may begin: it needs no approval, or has it."""
        return [g for g in self.live() if g.state == "planned" and (g.proposal is None or g.proposal.approved)]

    def children(self, id: str) -> list[Goal]:
        return [g for g in list(self._goals.values()) if g.parent == id]

    def holder(self, robot: str) -> Goal | None:
        """The goal that a robot works for."""
        return next((g for g in list(self._goals.values()) if robot in g.robots), None)

    # -- what people do -------------------------------------------------------------------------------------------
    def submit(self, what: Expr, by: str, name: str = "", priority: int = 0, parent: str = "") -> Goal:
        """Add a goal, at any time, of a person who may command; `Refused` otherwise."""
        check_goal(what, self.fluents)
        with self.journal.mutex:
            self.authority.require(by, "command")
            if priority:
                self.authority.require(by, "priority")
            if parent:
                self[parent]  # complains
            id = f"g{len(self._goals) + 1}"
            data = {"id": id, "what": what, "by": by, "name": name, "priority": priority, "parent": parent}
            self._write("submit", data)
            return self[id]

    def set_priority(self, id: str, priority: int, by: str) -> Goal:
        with self.journal.mutex:
            self.authority.require(by, "priority", id)
            self._write("priority", {"id": self[id].id, "priority": priority, "by": by})
            return self[id]

    def amend(self, id: str, what: Expr, by: str, why: str = "") -> Goal:
        """Change what a goal wants: it stays the same goal, and has to be planned anew."""
        check_goal(what, self.fluents)
        with self.journal.mutex:
            self._theirs(id, by)
            if self[id].over:
                raise CoterieError(f"{self[id]} {STATES[self[id].state]}; submit a new goal instead.")
            with self.journal.together():
                self._write("amend", {"id": id, "what": what, "by": by})
                if self[id].state not in ("submitted", "paused"):
                    self.move(id, "submitted", by, why or "the goal has changed")
            return self[id]

    def pause(self, id: str, by: str, why: str = "") -> Goal:
        """Let a goal rest, with what belongs to it; its robots are free."""
        return self._with_children(id, "paused", by, why)

    def resume(self, id: str, by: str, why: str = "") -> Goal:
        """Take a paused goal up again: what waited waits, all else is planned anew, since the world went on."""
        with self.journal.mutex:
            self._theirs(id, by)
            goal = self[id]
            if goal.state != "paused":
                raise CoterieError(f"{goal} does not rest: it {STATES[goal.state]}.")
            back: State = "waiting" if goal.rested_from == "waiting" else "submitted"
            return self.move(id, back, by, why)

    def cancel(self, id: str, by: str, why: str = "") -> Goal:
        """Call a goal off, with what belongs to it."""
        return self._with_children(id, "cancelled", by, why)

    def stop(self, by: str, why: str = "stop") -> list[Goal]:
        """Pause all goals, for anybody; those who may command resume them."""
        with self.journal.mutex, self.journal.together():
            self._write("stop", {"by": by, "why": why})
            return [self.move(g.id, "paused", by, why) for g in self.live() if g.state != "paused"]

    def _theirs(self, id: str, by: str) -> None:
        """Require that this person submitted the goal, or may command."""
        if self[id].by != by or by == MISSION:
            self.authority.require(by, "command", id)

    def _with_children(self, id: str, state: State, by: str, why: str) -> Goal:
        with self.journal.mutex:
            self._theirs(id, by)
            with self.journal.together():
                for child in self.children(id):
                    if not child.over and child.state != state:
                        self._with_children(child.id, state, MISSION, why or f"{id} was {state} by {by}")
                return self.move(id, state, by, why)

    # -- approval -------------------------------------------------------------------------------------------------
    def propose(
        self,
        id: str,
        words: str,
        steps: Iterable[Any] = (),
        chance: float | None = None,
        duration_s: float | None = None,
        until_s: float | None = None,
    ) -> Proposal:
        """A plan waits for a yes. What was proposed before can no longer be approved."""
        with self.journal.mutex, self.journal.together():
            proposal = Proposal(self[id].proposed + 1, words, tuple(steps), chance, duration_s, until_s)
            self.move(id, "waiting", why="needs approval")
            self._write("propose", {"id": id, "proposal": proposal})
            return proposal

    def approve(self, id: str, by: str, number: int | None = None) -> Goal:
        """Approve a proposal, as a person who may. A yes to nothing does nothing and says so."""
        with self.journal.mutex:
            goal, proposal = self._proposal(id, by, number)
            against = [v.person for v in proposal.last_votes.values() if not v.yes and v.person != by]
            with self.journal.together():
                self._vote(goal, by, True)
                if against:
                    raise CoterieError(f"{' and '.join(against)} said no to the plan for {goal}; talk to each other.")
                return self.move(id, "planned", by, "approved")

    def reject(self, id: str, by: str, why: str = "") -> Goal:
        """Reject a proposal, which outweighs any yes until withdrawn. What has begun is cancelled, not rejected."""
        with self.journal.mutex:
            goal = self[id]
            if goal.proposal is not None and goal.state == "planned":
                self.authority.require(by, "approve", id)
                with self.journal.together():
                    self._vote(goal, by, False, why)
                    return self.move(id, "waiting", by, why or "the approval was withdrawn")
            goal, _ = self._proposal(id, by, None)
            self._vote(goal, by, False, why)
            return self[id]

    def _proposal(self, id: str, by: str, number: int | None) -> tuple[Goal, Proposal]:
        goal = self[id]
        self.authority.require(by, "approve", id)
        if goal.state != "waiting" or goal.proposal is None:
            raise CoterieError(f"Nothing waits for an approval: {goal} {STATES[goal.state]}.")
        if number is not None and number != goal.proposal.number:
            raise CoterieError(
                f"Plan {number} for {goal} is not proposed any more; it is now plan {goal.proposal.number}: "
                f"{goal.proposal.words}"
            )
        if goal.proposal.expired:
            raise CoterieError(f"The plan for {goal} waited too long and is withdrawn; ask for a new one.")
        return goal, goal.proposal

    def _vote(self, goal: Goal, by: str, yes: bool, why: str = "") -> None:
        self._write("vote", {"id": goal.id, "vote": Vote(self.journal.now(), by, yes, why)})

    def expire(self) -> list[Goal]:
        """Withdraw proposals whose time is over: nobody said yes."""
        now, found = self.journal.now(), []
        for goal in self.all("waiting"):
            p = goal.proposal
            if p is not None and not p.expired and p.until_s is not None and now >= p.until_s:
                self._write("expire", {"id": goal.id})
                found.append(self[goal.id])
        return found

    # -- what the mission does ------------------------------------------------------------------------------------
    def move(self, id: str, state: State, by: str = MISSION, why: str = "") -> Goal:
        """Bring a goal into another state, where that is possible; its robots are free unless it runs."""
        with self.journal.mutex:
            goal = self[id]
            if state not in STATES:
                raise unknown_name("state", state, STATES)
            if state not in NEXT[goal.state]:
                could = ", ".join(sorted(NEXT[goal.state])) or "nothing else"
                raise CoterieError(
                    f"{goal} {STATES[goal.state]} ({goal.state}), and cannot become {state}; it can: {could}."
                )
            if state in ("planned", "running") and goal.proposal is not None and not goal.proposal.approved:
                raise CoterieError(f"The plan for {goal} waits for approval; nobody has said yes.")
            with self.journal.together():
                self._write("moved", {"id": id, "moved": Moved(self.journal.now(), goal.state, state, by, why)})
                if state in OVER or state == "paused":
                    for other in self.all("paused"):
                        if other.preempted_by == id:
                            self.move(other.id, "submitted", why=f"{id} needs its robots no longer")
            return self[id]

    def take(self, id: str, robots: Iterable[str]) -> list[Goal]:
        """Robots work for a goal from now on. Less urgent goals that had them are paused, and taken up again when this
        one is over; `Busy` where one is at least as urgent. Those that were paused are returned."""
        wanted = tuple(dict.fromkeys(robots))
        with self.journal.mutex, self.journal.together():
            goal = self[id]
            if goal.over or goal.state == "paused":
                raise CoterieError(f"{goal} {STATES[goal.state]}; no robot can work for it.")
            held = {r: h for r in wanted if (h := self.holder(r)) is not None and h.id != id}
            for robot, other in held.items():
                if other.priority >= goal.priority:
                    raise Busy(robot, other)
            pushed = {h.id for h in held.values()}
            for other_id in sorted(pushed):
                self._write("preempt", {"id": other_id, "by": id})
                self.move(other_id, "paused", why=f"{id} is more urgent")
            self._write("robots", {"id": id, "robots": tuple(dict.fromkeys((*goal.robots, *wanted)))})
            return [self[i] for i in sorted(pushed)]

    def release(self, id: str, robots: Iterable[str] | None = None) -> None:
        """Robots no longer work for a goal; all of them if none is named."""
        with self.journal.mutex:
            gone = set(self[id].robots if robots is None else robots)
            kept = tuple(r for r in self[id].robots if r not in gone)
            if kept != self[id].robots:
                self._write("robots", {"id": id, "robots": kept})

    def begin(self, id: str, steps: Iterable[Any] = ()) -> Attempt:
        """A plan is tried: the goal runs."""
        with self.journal.mutex, self.journal.together():
            if self[id].state != "running":
                self.move(id, "running")
            attempt = Attempt(len(self[id].attempts) + 1, self.journal.now(), tuple(steps))
            self._write("begin", {"id": id, "attempt": attempt})
            return attempt

    def end(self, id: str, result: str, failure: Failure | None = None) -> Goal:
        """The attempt is over: done, failed or stopped. What becomes of the goal is for `move` to say."""
        with self.journal.mutex:
            if not self[id].attempts or self[id].attempts[-1].result:
                raise CoterieError(f"Nothing is tried for {self[id]} that could end.")
            data = {"id": id, "result": result, "failure": failure, "time": self.journal.now()}
            self._write("end", data)
            return self[id]

    def note_failure(self, id: str, stage: Stage, cause: Cause | None, words: str = "") -> Goal:
        """An attempt that ended before it began: no plan was found, or none that may be carried out."""
        with self.journal.mutex, self.journal.together():
            attempt = Attempt(len(self[id].attempts) + 1, self.journal.now())
            self._write("begin", {"id": id, "attempt": attempt})
            return self.end(id, "failed", Failure(stage, cause, words=words))

    # -- changes, now and from the journal ------------------------------------------------------------------------
    def _write(self, kind: str, data: Any) -> None:
        self.journal.write("goals", kind, data)

    def _take(self, kind: str, data: Any, time: float) -> None:
        if kind == "submit":
            moved = Moved(time, "", "submitted", data["by"])
            self._goals[data["id"]] = Goal(**data, submitted_s=time, history=(moved,))
            return
        if kind == "stop":
            return
        goal = self._goals[data["id"]]
        self._goals[goal.id] = _after(goal, kind, data)


def _after(goal: Goal, kind: str, data: Any) -> Goal:
    """A goal after one change."""
    if kind == "moved":
        moved: Moved = data["moved"]
        new: Any = moved.new
        kept = goal.robots if new == "running" else ()
        ended = replace(goal, state=new, history=(*goal.history, moved), robots=kept)
        if new == "paused":
            return replace(ended, rested_from=moved.old)
        ended = replace(ended, rested_from="", preempted_by="")
        return replace(ended, proposal=None) if new in ("submitted", "recovering") else ended
    if kind == "priority":
        return replace(goal, priority=data["priority"])
    if kind == "amend":
        return replace(goal, what=data["what"])
    if kind == "preempt":
        return replace(goal, preempted_by=data["by"])
    if kind == "robots":
        return replace(goal, robots=tuple(data["robots"]))
    if kind == "begin":
        return replace(goal, attempts=(*goal.attempts, data["attempt"]))
    if kind == "end":
        last = replace(goal.attempts[-1], ended_s=data["time"], result=data["result"], failure=data["failure"])
        return replace(goal, attempts=(*goal.attempts[:-1], last))
    if kind == "propose":
        return replace(goal, proposal=data["proposal"], proposed=data["proposal"].number)
    if kind == "vote" and goal.proposal is not None:
        return replace(goal, proposal=replace(goal.proposal, votes=(*goal.proposal.votes, data["vote"])))
    if kind == "expire" and goal.proposal is not None:
        return replace(goal, proposal=replace(goal.proposal, expired=True))
    return goal
