"""What would be: plans for what nobody has ordered, and plans under facts that need not be so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.mission.assess import Assessment
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.estimate import minutes
from coterie.mission.goals import STATES, Goal
from coterie.planning.answer import Answer
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Want
from coterie.talk.wording import listed, number, upper

MOST_STEPS = 12
MOST_KITS = 50  # of which is asked whether they can be made


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

    def kit(self, kit: str, where: str = "") -> tuple[str, Assessment] | None:
        """A kit that nobody has ordered, packed or brought somewhere."""
        plan = self._plan(self.speech.wish(m.KIT, kit, where, 1, True))
        if not plan.found:
            return None
        name = self.mission.wording.some(kit, 1)
        to = f"To bring {name} to {self.mission.wording.name(where)}" if where else f"To pack {kit}"
        return to, self.mission.partner.answers.assess(plan)

    # -- what if --------------------------------------------------------------------------------------------------
    def _case(self, claims: Sequence[Claim]) -> tuple[Any, list[Any], str]:
        """A case as facts, as rules against steps, and in words."""
        doing = self.mission.doing
        steps = [s for c in claims if not c.holds for s in self.speech.limits(c.kind, c.what, c.where, c.holds) or ()]
        for c in (c for c in claims if c.kind == m.CLOSED and c.holds):
            robots = [c.what] if c.what else sorted(self.mission.reports.robots)
            steps += [(s, {**about, "robot": r}) for r in robots for s, about in self.speech.ways(c.where)]
        rules = [doing.against(skill, about, "it is supposed.") for skill, about in steps]
        return doing.facts(claims), rules, self.mission.wording._claims(claims)

    def _still(self, goal: Goal, facts: Any, rules: Sequence[Any]) -> bool:
        """Whether there is a plan for a goal that works in a case, too."""
        mine = [i for i in self.mission.agenda if self.mission._root(self.mission.goals[i.goal]).id == goal.id]
        later = self.mission.now_only()
        later.suppose(dict(facts))
        for item in mine:
            if later.flaw(item.robot, item.action, rules) is not None:
                return False
            later.do(item.robot, item.action)
        return bool(mine) and goal.holds(later.look) is not False

    def what_if(self, claims: Sequence[Claim]) -> str:
        mission = self.mission
        facts, rules, words = self._case(claims)
        goals = mission.ordered()
        if not facts and not rules:
            return f"I cannot tell what would change if {words}."
        if not goals:
            return f"Nobody wants anything, so nothing would change if {words}."
        return "\n".join(self._told(goal, facts, rules, words) for goal in goals)

    def _told(self, goal: Goal, facts: Any, rules: Sequence[Any], words: str) -> str:
        wish, name = self.mission.wanted_of(goal).wish, self.mission.name_of(goal)
        if self._still(goal, facts, rules):
            return f"If {words}, my plan for {name} still works."
        plan = self._plan(wish, facts, rules, alone=True)
        if not plan.found:
            return f"If {words}, I would have no plan for {name}: {self._reason(plan)}"
        guess = self.mission.partner.answers.assess(plan)
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
    def why_not(self, q: m.Ask, asked: bool = False, say: str = "") -> str:
        """`say`: by what it is had, if not by ordering it."""
        return "\n".join(self._one(q, want, asked, say) for want in q.wants) or "What do you mean?"

    def _one(self, q: m.Ask, want: Want, asked: bool, say: str = "") -> str:
        if want.kind == m.TASK:
            return self._taught(q, want.what, asked)
        mission, no = self.mission, "No: " if asked else ""
        robot = q.robot if q.robot in mission.cards else ""
        if want.kind == m.STOCK and not want.where:
            there = replace(want, where=next(iter(mission.partner.vocabulary.names("table")), ""))
            return f"Where should it go? Ask for example: Can you {mission.wording.want(there)}?"
        if want.kind == m.AT and (want.where, robot) in mission.doing.zones.closed:
            return no + upper(mission.doing.zones.so(Claim(m.CLOSED, robot, want.where)).removeprefix("Yes, "))
        try:
            wish = self.speech.wish(want.kind, want.what, want.where, want.count, want.holds, robot)
            mission.doing.check(wish, robot)
        except CoterieError as err:
            return f"{no}{err}"
        many = want.count if want.kind == m.KIT else 1
        try:
            mission.doing.room_for([wish] * min(many, MOST_KITS))
        except CoterieError as err:
            return f"{no}{_supposed(str(err))}"
        same = [g for g in mission.goals.all() if mission.wanted_of(g).wish == wish]
        if same and not asked:
            goal = same[-1]
            explained = mission.wanted_of(goal).explanation
            why = f": {explained['words'] or explained['why']}" if explained is not None else ""
            return f"{upper(mission.name_of(goal))} {STATES[goal.state]}{why}."
        plan = self._plan(wish, without=mission.doing._only(wish, robot), alone=True)
        if not plan.found:
            return f"{no}{self._reason(plan)}"
        if not plan.steps:
            return "It is so already."
        guess = mission.partner.answers.assess(plan)
        who = listed(sorted({s.robot for s in plan.steps}))
        can = f"{'Yes, with' if asked else 'Nobody has asked for it. It could be done by'} {who}"
        robots = (robot,) if robot else ()
        say = say or mission.wording.sentence(m.Order((want,), robots))
        order = f" To have it done{' so' * (len(robots) > 0)}, say: {say}" if asked else ""
        each = f" for each of the {number(many)}" if many > 1 else ""
        return f"{can}, in about {minutes(guess.duration_s)}{each}.{order}"

    def _taught(self, q: m.Ask, label: str, asked: bool) -> str:
        """Whether what was taught can be done by somebody, as it was taught."""
        robots = (q.robot,) if q.robot in self.mission.cards else ()
        try:
            steps = self.mission.partner.teaching.steps(label, robots)
            self.mission.doing.wishes(steps[0])
        except CoterieError as err:
            return f"{'No: ' if asked else ''}{err}"
        wording = self.mission.wording
        order = wording.sentence(m.Order((Want(m.TASK, label),), robots))
        rows = " ".join(wording.sentence(s) for s in steps)
        lead = "" if asked and not robots else "Yes. " if asked else "Nobody has asked for it. "
        return f"{lead}It is: {rows} To have it done, say: {order}"


def _supposed(words: str) -> str:
    """Why an order cannot be begun, of one that nobody has given."""
    return words.partition(" So I have not begun")[0].replace(", so I have not begun with any", "")
