"""Questions about plans: what will be done, for how long, how likely it is to work, what if, and why not."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.agenda import Item
from coterie.mission.assess import Assessment, Assessor, PlanStep
from coterie.mission.dialogue.answers import Answers
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.zones import against
from coterie.mission.domain import context_of, minutes
from coterie.mission.goals import STATES, Goal
from coterie.planning.answer import Answer
from coterie.planning.question import Step
from coterie.talk import meanings as m
from coterie.talk.meanings import Ask, Claim, Want
from coterie.talk.wording import listed, number, upper

MOST_STEPS = 30  # of a plan that is described
MOST_KITS = 50  # of which is asked whether they can be made


class PlanAnswers(Answers):
    """Those of a mission. Nothing here changes what is planned or done."""

    def __init__(self, mission: Mission, speech: Speech, looks: bool = False):
        """Of what only `looks`, nobody is taken to know what is answered: the mission will say it, and then they do."""
        super().__init__(mission)
        self.mission, self.speech, self.looks = mission, speech, looks

    # -- what is planned ----------------------------------------------------------------------------------------------
    def offer(self, thread: Thread) -> Any:
        """The way out that waits for approval, this person's first."""
        waiting = self.mission.goals.all("waiting")
        mine = [g for g in waiting if thread.person in self.mission.wanted_of(g).asked] or waiting
        offers = self.mission.recovery.of(mine[-1]).offers if mine else []
        return offers[0] if offers else None

    def listed(self, steps: Sequence[Step]) -> str:
        rows = [f"  {i:2d}  {w}" for i, w in enumerate(self.mission.desk.steps(steps[:MOST_STEPS]), 1)]
        return "\n".join([*rows, *([f"  and {len(steps) - MOST_STEPS} more"] if len(steps) > MOST_STEPS else [])])

    def steps_of(self, goals: Sequence[Goal]) -> list[Item]:
        """The steps still to be done for some goals."""
        ids = {g.id for g in goals}
        return [i for i in self.mission.agenda if self.mission._root(self.mission.goals[i.goal]).id in ids]

    def rest_of(self, goals: Sequence[Goal]) -> Assessment | None:
        """An assessment of the steps still to be done for some goals."""
        items = self.steps_of(goals)
        numbers = {i.number for i in items}
        steps = [
            PlanStep(str(i.number), i.action.skill, i.robot, i.action.args,
                     tuple(str(n) for n in i.after if n in numbers), self.mission._usual_s(i.robot, i.action),
                     context_of(i.action, self.mission.domain.skills.find(i.action.skill)))
            for i in items
        ]  # fmt: skip
        return self._assessor.assess(steps) if steps else None

    @property
    def _assessor(self) -> Assessor:
        """The mission's own; beside the mission, a copy: what one learns when is part of its log."""
        return copy.copy(self.mission.assessor) if self.looks else self.mission.assessor

    def _assess(self, plan: Answer) -> Assessment:
        """A plan that nobody has begun with."""
        return self._assessor.assess(self.mission._plan_steps([plan]))

    def _plan(self, thread: Thread, q: Ask) -> str:
        offer = self.offer(thread)
        if offer is not None and not q.robot:
            return self._offered(thread, offer)
        if steps := [i.step for i in self.mission.agenda if not q.robot or i.robot == q.robot]:
            return f"The plan:\n{self.listed(steps)}"
        live = self.mission.ordered()
        state = f"{self.mission.name_of(live[0])} {STATES[live[0].state]}" if live else "nobody wants anything"
        return f"I have no plan at the moment: {state}."

    def _offered(self, thread: Thread, offer: Any) -> str:
        """The proposal, step by step, and the numbered alternatives; a person who was told may say yes."""
        goal = self.mission._awaited(thread.person)
        offers = self.mission.recovery.of(goal).offers
        if not self.looks:
            told = self.mission.wanted_of(goal).told.setdefault(thread.person, set())
            told.update(self.mission.offered(o) for o in offers)
        rows = [f"  plan {i}: {self.mission.offered(o)}" for i, o in enumerate(offers[1:], 2)]
        others = ["Other ways; for one say: Yes, plan 2."] if rows else []
        return "\n".join([f"I propose to {offer.words}:", self.listed(offer.steps), *others, *rows])

    def _compare(self, thread: Thread, q: Ask) -> str:
        return str(self.partner.proposed(thread.person) or "I propose nothing that could be compared.")

    # -- how long, and how likely -------------------------------------------------------------------------------------
    def _guess(self, thread: Thread, q: Ask) -> tuple[str, Assessment | Any] | None:
        offer = self.offer(thread)
        goals = [g for g in self.mission.ordered(q.what, q.where) if self.steps_of([g])]
        if offer is not None and not q.what:
            return f"What I propose ({offer.words})", offer
        if (found := self.rest_of(goals) if goals else None) is not None:
            return upper(listed([self.mission.name_of(g) for g in goals])), found
        if self.partner.vocabulary.kind_of(q.what) != "kit":
            return None
        plan = self._supposed(self.speech.wish(m.KIT, q.what, q.where, 1, True))  # one that nobody has ordered
        some = self.wording.some(q.what, 1)
        to = f"To bring {some} to {self.wording.name(q.where)}" if q.where else f"To pack {q.what}"
        return (to, self._assess(plan)) if plan.found else None

    def _unplanned(self, thread: Thread, q: Ask) -> str:
        """Goals that are wanted and have no plan yet, of which nothing can be said."""
        proposed = self.offer(thread) is not None and not q.what
        waits = [g for g in self.mission.ordered(q.what) if not proposed and not self.steps_of([g])]
        return " ".join(f"There is no plan for {self.mission.name_of(g)}: it {STATES[g.state]}." for g in waits)

    def _duration(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._unplanned(thread, q) or "Nothing is under way that would take time."
        about, found = guess
        seconds = found.duration_s if isinstance(found, Assessment) else found.seconds
        span = f"most likely {minutes(found.low_s)} to {minutes(found.high_s)}"
        return f"{about} takes about {minutes(seconds)}, {span}. {self._unplanned(thread, q)}".rstrip()

    def _chance(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._unplanned(thread, q) or "Nothing is under way that could succeed or fail."
        about, found = guess
        by = {str(i.number): i for i in self.mission.agenda}
        worst = next((by[w.step] for w in getattr(found, "weakest", ()) if w.step in by), None)
        more = f" The weakest step: {self.mission.domain.step_words(worst.robot, worst.action)}." if worst else ""
        words = f"{about} works {found.chance:.0%} of the time without trouble.{more}"
        return f"{words} {self._unplanned(thread, q)}".rstrip()

    # -- what if ------------------------------------------------------------------------------------------------------
    def _supposed(self, wish: Any, facts: Any = (), without: Sequence[Any] = (), alone: bool = False) -> Answer:
        """The plan for a wish from now on, under facts that need not be so."""
        mission = self.mission
        start = mission.now_only() if alone else mission.now_like()
        start.suppose(dict(facts))
        rules = (*mission.recovery.rules.values(), *without)
        first: Answer | None = None
        for _, conditions in mission.domain.meanings(wish, start.look, mission._taken() if not alone else (), ""):
            answer = mission.plan_from(start, conditions, rules, alone=alone)
            if answer.found:
                return answer
            first = first or answer
        return first or Answer("none")

    def _what_if(self, thread: Thread, q: Ask) -> str:
        """A case as facts, and as rules against steps; each goal is planned in it."""
        words, facts = self.wording._claims(q.claims), self.mission.doing.facts(q.claims)
        steps = [s for c in q.claims if not c.holds for s in self.speech.limits(c.kind, c.what, c.where, c.holds) or ()]
        for c in (c for c in q.claims if c.kind == m.CLOSED and c.holds):
            robots = [c.what] if c.what else self.partner.robots()
            steps += [(s, {**about, "robot": r}) for r in robots for s, about in self.speech.ways(c.where)]
        rules = [against(skill, about, "it is supposed.") for skill, about in steps]
        if not facts and not rules:
            return f"I cannot tell what would change if {words}."
        rows = [f"If {words}, {self._in_case(goal, facts, rules)}" for goal in self.mission.ordered()]
        return "\n".join(rows) or f"Nobody wants anything, so nothing would change if {words}."

    def _in_case(self, goal: Goal, facts: Any, rules: Sequence[Any]) -> str:
        name = self.mission.name_of(goal)
        if self._still(goal, facts, rules):
            return f"my plan for {name} still works."
        plan = self._supposed(self.mission.wanted_of(goal).wish, facts, rules, alone=True)
        if not plan.found:
            return f"I would have no plan for {name}: {self._reason(plan)}"
        guess = self._assess(plan)
        took = f"{minutes(guess.duration_s)} and works {guess.chance:.0%} of the time"
        return f"I would do {name} otherwise, in about {took}:\n{self.listed(plan.steps)}"

    def _still(self, goal: Goal, facts: Any, rules: Sequence[Any]) -> bool:
        """True if the plan for a goal also works in a case."""
        mine, later = self.steps_of([goal]), self.mission.now_only()
        later.suppose(dict(facts))
        for item in mine:
            if later.flaw(item.robot, item.action, rules) is not None:
                return False
            later.do(item.robot, item.action)
        return bool(mine) and goal.holds(later.look) is not False

    def _reason(self, plan: Answer) -> str:
        cause = plan.why.cause if plan.why is not None else None
        if cause is not None and cause.fact is not None:
            return f"{self.mission.desk.words(cause)}, and nobody here can change that."
        return plan.words or "nobody here can bring it about."

    # -- why not, and whether one can -----------------------------------------------------------------------------
    def could(self, thread: Thread, q: Ask, asked: bool, say: str = "") -> str:
        """`say`: by what it is had, if not by ordering it."""
        return "\n".join(self._one(q, want, asked, say) for want in q.wants) or "What do you mean?"

    def _one(self, q: Ask, want: Want, asked: bool, say: str = "") -> str:
        mission, no = self.mission, "No: " if asked else ""
        robot = q.robot if q.robot in mission.cards else ""
        robots = (robot,) if robot else ()
        say = say or self.wording.sentence(m.Order((want,), robots))
        if want.kind == m.STOCK and not want.where:
            there = replace(want, where=next(iter(self.partner.vocabulary.names("table")), ""))
            return f"Where should it go? Ask for example: Can you {self.wording.want(there)}?"
        if want.kind == m.AT and (want.where, robot) in mission.zones.closed:
            return no + upper(mission.zones.so(Claim(m.CLOSED, robot, want.where)).removeprefix("Yes, "))
        try:
            if want.kind == m.TASK:  # what was taught, as it was taught
                steps = self.partner.teaching.steps(want.what, robots)
                mission.doing.wishes(steps[0])
                rows = " ".join(self.wording.sentence(s) for s in steps)
                return f"{'Yes' if asked else 'Nobody has asked for it'}. It is: {rows} To have it done, say: {say}"
            wish = self.speech.wish(want.kind, want.what, want.where, want.count, want.holds, robot)
            mission.doing.check(wish, robot)
            many = want.count if want.kind == m.KIT else 1
            mission.doing.room_for([wish] * min(many, MOST_KITS))
        except CoterieError as err:
            not_begun = (" So I have not begun", ", so I have not begun with any")  # of what nobody has ordered
            return f"{no}{str(err).partition(not_begun[0])[0].replace(not_begun[1], '')}"
        same = [g for g in mission.goals.all() if mission.wanted_of(g).wish == wish]
        if same and not asked:
            explained = mission.wanted_of(same[-1]).explanation
            why = f": {explained['words'] or explained['why']}" if explained is not None else ""
            return f"{upper(mission.name_of(same[-1]))} {STATES[same[-1].state]}{why}."
        plan = self._supposed(wish, without=mission.doing._only(wish, robot), alone=True)
        if not plan.found or not plan.steps:
            return "It is so already." if plan.found else f"{no}{self._reason(plan)}"
        who = listed(sorted({s.robot for s in plan.steps}))
        can = f"{'Yes, with' if asked else 'Nobody has asked for it. It could be done by'} {who}"
        order = f" To have it done{' so' * bool(robots)}, say: {say}" if asked else ""
        each = f" for each of the {number(many)}" if many > 1 else ""
        return f"{can}, in about {minutes(self._assess(plan).duration_s)}{each}.{order}"
