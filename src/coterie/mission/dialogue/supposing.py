"""What would be: plans for what nobody has ordered, and plans under facts that need not be so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.assess import Assessment
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.estimate import minutes
from coterie.mission.goals import STATES, Goal
from coterie.mission.language import meanings as m
from coterie.mission.language.meanings import Claim, Want
from coterie.mission.language.wording import listed
from coterie.planning.answer import Answer

MOST_STEPS = 12


class Supposing:
    """One for a mission. Nothing here changes what is known or done."""

    def __init__(self, mission: Mission, speech: Speech):
        self.mission, self.speech = mission, speech

    def _plan(self, wish: Any, facts: Any = (), without: Sequence[Any] = (), alone: bool = False) -> Answer:
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

    def kit(self, kit: str) -> tuple[str, Assessment] | None:
        """A kit that nobody has ordered."""
        plan = self._plan(self.speech.wish(m.KIT, kit, "", 1, True))
        if not plan.found:
            return None
        return f"To pack {kit}", self.mission.assess([plan])

    # -- what if --------------------------------------------------------------------------------------------------
    def what_if(self, claims: Sequence[Claim]) -> str:
        mission, doing = self.mission, self.mission.doing
        facts = doing.facts(claims)
        steps = [s for c in claims if not c.holds for s in self.speech.limits(c.kind, c.what, c.where, c.holds) or ()]
        rules = [doing.against(skill, about, "it is supposed.") for skill, about in steps]
        words = doing.wording._claims(claims)
        goals = [g for g in mission.goals.live() if not g.parent]
        if not facts and not rules:
            return f"I cannot tell what would change if {words}."
        if not goals:
            return f"Nobody wants anything, so nothing would change if {words}."
        return "\n".join(self._told(goal, facts, rules, words) for goal in goals)

    def _told(self, goal: Goal, facts: Any, rules: Sequence[Any], words: str) -> str:
        wish, name = self.mission.wanted_of(goal).wish, self.mission.name_of(goal)
        mine = [i for i in self.mission.agenda if self.mission._root(self.mission.goals[i.goal]).id == goal.id]
        later = self.mission.now_only()
        later.suppose(dict(facts))
        broken = False
        for item in mine:
            broken = broken or later.flaw(item.robot, item.action, rules) is not None
            later.do(item.robot, item.action)
        if mine and not broken and goal.holds(later.look) is not False:
            return f"If {words}, my plan for {name} still works."
        plan = self._plan(wish, facts, rules, alone=True)
        if not plan.found:
            return f"If {words}, I would have no plan for {name}: {self._reason(plan)}"
        guess = self.mission.assess([plan])
        steps = self.mission.desk.steps(plan.steps)
        shown = "\n".join(f"  {i:2d}  {w}" for i, w in enumerate(steps[:MOST_STEPS], 1))
        more = f"\n  and {len(steps) - MOST_STEPS} more" if len(steps) > MOST_STEPS else ""
        took = f"{minutes(guess.duration_s)} and works {guess.chance:.0%} of the time"
        return f"If {words}, I would do {name} otherwise, in about {took}:\n{shown}{more}"

    def _reason(self, plan: Answer) -> str:
        cause = plan.why.cause if plan.why is not None else None
        if cause is not None and cause.fact is not None:
            return f"{self.mission.desk.words(cause)}, and nobody here can change that."
        return plan.words or "nobody here can bring it about."

    # -- why not, and whether one can -----------------------------------------------------------------------------
    def why_not(self, q: m.Ask, asked: bool = False) -> str:
        return "\n".join(self._one(q, want, asked) for want in q.wants) or "What do you mean?"

    def _one(self, q: m.Ask, want: Want, asked: bool) -> str:
        mission, no = self.mission, "No: " if asked else ""
        robot = q.robot if q.robot in mission.cards else ""
        try:
            wish = self.speech.wish(want.kind, want.what, want.where, want.count, want.holds, robot)
            mission.doing._can(wish, robot)
        except CoterieError as err:
            return f"{no}{err}"
        same = [g for g in mission.goals.all() if mission.wanted_of(g).wish == wish]
        if same and not asked:
            goal = same[-1]
            explained = mission.wanted_of(goal).explanation
            why = f": {explained['words'] or explained['why']}" if explained is not None else ""
            return f"{mission.name_of(goal).capitalize()} {STATES[goal.state]}{why}."
        plan = self._plan(wish, without=mission.doing._only(wish, robot), alone=True)
        if not plan.found:
            return f"{no}{self._reason(plan)}"
        if not plan.steps:
            return "It is so already."
        guess = mission.assess([plan])
        who = listed(sorted({s.robot for s in plan.steps}))
        can = f"{'Yes, with' if asked else 'Nobody has asked for it. It could be done by'} {who}"
        robots = (robot,) if robot else ()
        order = f" To have it done, say: {mission.doing.wording.sentence(m.Order((want,), robots))}" if asked else ""
        return f"{can}, in about {minutes(guess.duration_s)}.{order}"
