"""Recovery from a failure: people are told, a way out is begun, or the goal is given up with an explanation."""

from __future__ import annotations

from coterie.core.action import Cause
from coterie.core.expr import All, compile_expr
from coterie.core.facts import Fact
from coterie.core.skill import Rule
from coterie.mission.agenda import scope
from coterie.mission.base import Request
from coterie.mission.desk import data_of
from coterie.mission.goals import Failure, Goal
from coterie.mission.policies import LUCK, Alternative, about, justification
from coterie.mission.projection import Projection
from coterie.mission.reports import MISSION
from coterie.mission.serving import Serving
from coterie.planning.answer import Answer

HELP_S = 240.0  # for which a person is given to do what was asked


class Mending(Serving):
    """From a failure to a way out, or to an explanation."""

    def _tell_failure(self, goal: Goal, failure: Failure) -> None:
        words, cause = self._because(goal, failure), failure.cause
        step = {"robot": failure.robot, "skill": failure.skill, "args": list(failure.args)} if failure.skill else {}
        self.desk.note(
            "failure", goal=goal.id, stage=failure.stage, why=justification(cause), words=words, cause=data_of(cause),
            **step,
        )  # fmt: skip
        person = self._root(goal).by
        barred = self.recovery.of(goal).barred
        if barred or (cause is not None and cause.fact is not None and self.desk.lacks(person, cause)):
            self.desk.tell(person, f"I {self._failed_how(failure)} because {words}.", failure=justification(cause),
                           goal=goal.id)  # fmt: skip
            if cause is not None and not barred:
                self.desk.taught(person, cause)

    @staticmethod
    def _failed_how(failure: Failure) -> str:
        what = {"PLAN": "found no plan", "PRECONDITION": "cannot go on", "EFFECT": "did not get what I wanted"}
        return what.get(failure.stage, "failed execution")

    def _because(self, goal: Goal, failure: Failure) -> str:
        """Why something failed, in words."""
        cause = failure.cause
        said = failure.words.rstrip(".") if cause is None or cause.fact is None else ""  # of no condition: no plan
        return self.recovery.of(goal).barred or said or self.desk.words(cause)

    def trouble(self, goal: Goal, person: str) -> str:
        """The trouble of a goal, for a person who was not told: the goal, whose it is, and what failed last."""
        root, failures = self._root(goal), self.recovery.of(goal).failures
        why = ""
        if failures and failures[-1].cause is not None:
            why = f" I {self._failed_how(failures[-1])} because {self._because(goal, failures[-1])}."
        wants = "you want" if root.by == person else f"{root.by} wants"
        return f"This is for {self.name_of(root)}, which {wants}.{why}"

    def _learn(self, goal: Goal, failure: Failure, rule: Rule) -> None:
        """Stop counting on what experience contradicts."""
        pred, args = about(failure.cause)
        declared = (self.domain.skills.fluents or {}).get(pred)
        if declared is not None and declared.hoped:
            self.knowledge.tell(Fact(pred, args, False, self.now, MISSION))
        self.desk.note("learnt", goal=goal.id, rule=rule.name, skill=rule.skill)

    def _accept(self, goal: Goal, offer: Alternative) -> None:
        """Carry out a way out that was approved, or needs no approval."""
        self.recovery.choose(goal, offer)
        self.desk.note("recovery", goal=goal.id, policy=offer.policy, words=offer.words)
        wanted = self.wanted_of(goal)
        if offer.approval:
            wanted.scope |= scope(offer.steps, self.domain.people())
        if offer.request is not None:
            self._ask_person(goal, offer)
        elif offer.first is not None and offer.want is not None:
            self._go(self._part(goal, offer.want, offer.words), offer.first)
        else:
            assert offer.then is not None
            self._go(goal, offer.then)

    def _go(self, goal: Goal, plan: Answer) -> None:
        """Begin with a way out; less urgent goals make way for it as for any plan."""
        behind, _ = self._make_way(goal)
        self._start(goal, self._fresh(plan, goal), told=False)
        self._put_behind(goal, behind)

    def _fresh(self, plan: Answer, goal: Goal) -> Answer:
        """The plan that was approved, if it still leads there; otherwise another one for the same end with nobody new
        in it. Where there is none either, the plan as it was: its flaw is noticed at once, and people are told."""
        if self._leads_to(plan, goal, self.now_like()) is not False:
            return plan
        new, people = self.plan_from(self.now_like(), goal, self._rules(goal)), self.domain.people()
        known = self.wanted_of(goal).scope | scope(plan.steps, people)
        return new if new.found and scope(new.steps, people) <= known else plan

    def _leads_to(self, plan: Answer, goal: Goal, later: Projection) -> object:
        """True if a plan leads to its goal from a moment on, as far as is known; not where a step of it cannot be done,
        or a robot or person in it is gone."""
        for step in plan.steps:
            here = all(n in self.reports.robots for n in (step.robot, *step.action.args) if n in self.cards)
            if not here or later.flaw(*step) is not None:
                return False
            later.do(*step)
        bound = self._bindings.get(plan.steps)
        what = All(bound[1]) if bound is not None and self.wanted_of(goal).wish is not None else goal.what
        return compile_expr(what)(later.look, {})

    def _ask_person(self, goal: Goal, offer: Alternative) -> None:
        request = dict(offer.request or {})
        pred, args, value = request["fact"]
        facts = [(tuple(key), new) for key, new in request["facts"]]
        until = self.now + HELP_S
        changes = tuple(request.get("changes", [request["change"]] if "change" in request else ()))
        fact = (pred, tuple(args), value)
        self.wanted_of(goal).request = Request(request["person"], until, fact, facts, request["words"], changes)
        self.goals.move(goal.id, "recovering", why=f"{request['person']} was asked for help")
        self.desk.note(
            "request", goal=goal.id, to=request["person"], **{k: v for k, v in request.items() if k != "person"}
        )
        self.desk.tell(request["person"], f"Could you please {request['words']}? Say done when it is.", request=goal.id)

    def _no_help(self, goal: Goal, person: str) -> None:
        self.knowledge.tell(Fact("answers", (person,), False, self.now, MISSION))
        cause = Cause("answers", ("answers", (person,), False), "after")
        if goal.state == "recovering":  # it may rest by now, or go on without
            self._failures.append((goal.id, Failure("EXECUTION", cause)))

    def _was_helped(self, id: str, person: str) -> None:
        """Plan a goal anew when its request to a person was fulfilled, if it waited for that and does not rest."""
        self.wanted[id].request = None
        if self.goals[id].state == "recovering":
            self.goals.move(id, "submitted", why=f"{person} helped")

    def _give_up(self, goal: Goal, why: str, cause: Cause | None) -> None:
        mine = self.recovery.of(goal)
        known = dict.fromkeys(f.cause for f in mine.failures if f.cause is not None and f.cause.fact is not None)
        causes = list(known) or ([cause] if cause is not None else [])
        told = [c for c in causes if about(c)[0] != LUCK] or causes  # bad luck that was mended explains nothing
        words = mine.barred or " and ".join(dict.fromkeys(self.desk.words(c) for c in told))
        if mine.failures and all(c.fact is None for c in told):
            words = self._because(goal, mine.failures[-1])
        explanation = {"why": why, "because": [justification(c) for c in causes], "words": words}
        self.wanted_of(goal).explanation = explanation
        self._lose([goal.id])
        self.goals.move(goal.id, "failed", why=why)
        self.desk.note("failed", goal=goal.id, **explanation)
        parent = self.goals[goal.parent] if goal.parent else None
        if parent is None:
            self.desk.tell(goal.by, f"I give up {self.name_of(goal)}: {words or why}, and {why}.")
        elif not parent.over and parent.state == "recovering":
            outer = self.recovery.of(parent)
            outer.failures.extend(mine.failures)
            outer.last_try = True
            self.goals.move(parent.id, "submitted", why="what should mend it failed; a last attempt")
