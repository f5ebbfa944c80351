"""Questions about a mission, its plans and its world: what will be done, for how long, how likely it is to work, what
if, why and why not, what is being done, what was done, and where things are."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.mission.agenda import Item
from coterie.mission.assess import Assessment, Assessor
from coterie.mission.dialogue.answers import Answers
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.reference import THINGS
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.zones import against
from coterie.mission.domain import minutes
from coterie.mission.goals import OVER, STATES, Goal
from coterie.planning.answer import Answer
from coterie.planning.question import Step
from coterie.talk import meanings as m
from coterie.talk.meanings import Ask, Claim, Order, Want
from coterie.talk.wording import listed, number, upper

MOST_STEPS = 30  # of a plan that is described
MOST_KITS = 50  # of which is asked whether they can be made
MOST_BROUGHT = 10  # that are listed
NOTHING = "Nothing has failed so far."


class MissionAnswers(Answers):
    """Those of a mission. Nothing here changes what is planned or done."""

    def __init__(self, partner: Any, looks: bool = False):
        """Of what only `looks`, nobody is taken to know what is answered: the mission will say it, and then they do."""
        super().__init__(partner)
        self.mission: Mission = partner.mission
        self.speech: Speech = partner.speech
        self.looks = looks

    # -- what is planned ----------------------------------------------------------------------------------------------
    def offer(self, thread: Thread) -> Any:
        """The way out that waits for approval, this person's first."""
        mission = self.mission
        offers = mission.recovery.of(mission._awaited(thread.person)).offers if mission.goals.all("waiting") else []
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
        steps = [self.mission._plan_step(i.number, i.step, i.after & numbers) for i in items]
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

    def _kind(self, name: str) -> str:
        return str(self.partner.vocabulary.kind_of(name))

    def _name(self, goal: Goal) -> str:
        return str(self.mission.name_of(goal))

    def _knows(self, thread: Thread, keys: Sequence[tuple[str, ...]]) -> None:
        """A person has been told facts, and knows them from now on."""
        if self.looks:
            return
        facts = [self.mission.knowledge.fact(*k) for k in keys]
        self.mission.knowledge.told(thread.person, [f for f in facts if f is not None])

    # -- knowledge ------------------------------------------------------------------------------------------------
    def holds(self, claim: Claim) -> bool | None:
        """True if a statement holds: robots' limits that people have stated count as known."""
        steps = self.speech.limits(m.ABLE, claim.what, claim.where, False) or () if claim.kind == m.ABLE else ()
        rules, doing = self.mission.recovery.rules, self.mission.doing
        if steps and all(against(skill, about, "").name in rules for skill, about in steps):
            return not claim.holds
        so: bool | None = doing.so(doing.conditions([claim]))
        return so

    def because(self, claims: Sequence[Claim]) -> str:
        """The source of a fact: who has said or seen it; and what is planned about a door."""
        mission = self.mission
        facts = [mission.knowledge.fact(*key) for key, _ in mission.doing.facts(claims)]
        known = max((f for f in facts if f is not None), key=lambda f: f.time, default=None)
        who = "" if known is None else str(known.source)
        robot, person = who in mission.reports.robots, who in self.partner.people()
        by = f" {upper(who)} {'has seen it' if robot else 'said so'}." if robot or person else ""
        doors = {c.what for c in claims if self._kind(c.what) == "door"}
        return by + self._planned("opendoor", doors)

    def _planned(self, skill: str, about: set[str]) -> str:
        """The first step of the plan that has to do with these names."""
        steps = [i for i in self.mission.agenda if i.action.skill == skill and about & {*i.action.args}]
        return f" It is planned: {self._step(steps[0])}." if steps else ""

    def _step(self, item: Item) -> str:
        return str(self.mission.domain.step_words(item.robot, item.action))

    def inside(self, name: str) -> Sequence[tuple[str, int]] | None:
        return self.speech.contents(name, self.mission.now_only().look)

    def _where(self, thread: Thread, q: Ask) -> str:
        kind, look, name = self._kind(q.what), self.mission.now_only().look, self.wording.name(q.what)
        if kind == "kit":
            return self._progress(thread, q)
        places, label = self.speech.where(q.what, look), self.mission.domain.label
        if kind in ("robot", "person"):
            if not places:
                return f"I do not know where {name} is."
            return f"{upper(name)} is {'in' if kind == 'person' else 'at'} {label(places[0][0])}."
        held = [f"one with {r}" for r in self.mission.reports.robots if look("holding", r) == q.what]
        who = {p: f"with {self.wording.name(p)}" for p, _ in places if self._kind(p) == "person"}
        rows = [f"{self.wording.some(q.what, n)} {who.get(p, f'at {label(p)}')}" for p, n in places] + held
        if rows:
            self._knows(thread, [("stock", q.what, p) for p, _ in places])
            return f"There {'is' if sum(n for _, n in places) + len(held) == 1 else 'are'} {listed(rows)}."
        people = listed([self.wording.name(p) for p in self.speech.people_of(q.what)])
        more = f" {upper(people)} may have some." if people else ""
        return f"I know of no {self.partner.vocabulary.phrase(q.what)} anywhere.{more}"

    def _how_many(self, thread: Thread, q: Ask) -> str:
        look = self.mission.now_only().look
        places = self.speech.where(q.what, look)
        if q.where and look("stock", q.what, q.where) is UNKNOWN:
            return f"I do not know; nobody has looked at {self.mission.domain.label(q.where)}."
        if q.where:
            places = [(p, n) for p, n in places if p == q.where]
            self._knows(thread, [("stock", q.what, q.where)])
        total = sum(n for _, n in places)
        few = f"{'one' if total else 'no'} {self.partner.vocabulary.phrase(q.what)}"
        some = self.wording.some(q.what, total) if total > 1 else few
        at = f" at {self.mission.domain.label(q.where)}" if q.where else " that I know of"
        return f"There {'is' if total < 2 else 'are'} {some}{at}."

    def _who_said(self, thread: Thread, q: Ask) -> str:
        votes = [(by, name) for by, said, name in self.mission.votes if said == q.what]
        if not votes:
            others = "".join(f" {upper(by)} said {said}." for by, said, _ in self.mission.votes[-1:])
            return f"Nobody has said {q.what} to a plan so far.{others}"
        name = votes[-1][1]
        people = dict.fromkeys("you" if by == thread.person else by for by, of in votes if of == name)
        return f"{upper(listed(list(people)))} said {q.what} to a plan for {name}."

    def _reaction(self, thread: Thread, q: Ask) -> str:
        """The reaction to a kind of failure: what people have taught, else the usual one."""
        kinds = {(c.kind, c.holds) for c in q.claims}
        taught = self.mission.recovery.taught.values()
        mine = [s for s in taught if not s.trigger or not kinds or kinds & {(c.kind, c.holds) for c in s.trigger}]
        rows = [f"I was taught: {self.wording.sentence(said)}" for said in mine]
        lead = "Where that does not help" if rows else f"If {self.wording._claims(q.claims) or 'something fails'}"
        usual = "I look for another way, say how likely it is to work and how long it takes, and wait for a yes."
        return "\n".join([*rows, f"{lead}, {usual}"])

    def _taught(self, thread: Thread, q: Ask) -> str:
        rows = [f"  {x.words} ({x.by})" for x in self.mission.lessons]
        known = f"I know the kits {', '.join(self.speech.kit_names())}."
        return "\n".join([known, "I was taught:", *rows]) if rows else f"{known} Nobody has taught me anything yet."

    # -- reasons --------------------------------------------------------------------------------------------------
    def _why(self, thread: Thread, q: Ask) -> str:
        steering = self.mission.steering
        failed = self._failed(thread, q)
        if not steering.held:
            return failed
        stopped = steering.who("" if "" in steering.held else next(iter(steering.held)))
        return f"{stopped}\n{failed}".replace(f"\n{NOTHING}", "")

    def _failed(self, thread: Thread, q: Ask) -> str:
        turn, _, declined = thread.refused or (0, None, "")
        if declined and turn + 1 == thread.spoken:
            return f"I have not begun with what you ordered last: {declined}"
        failed = [(f, g) for g in self.mission.goals.all() for f in self.mission.recovery.of(g).failures]
        if not failed:
            return NOTHING
        failure, goal = failed[-1]
        if failure.cause is not None and not self.looks:
            self.mission.desk.taught(thread.person, failure.cause)
        root = self.mission._root(goal)
        explained = self.mission.wanted_of(root).explanation
        end = " A way out waits for a yes." if root.state == "waiting" else ""
        end = f" I gave it up: {explained['why']}." if explained is not None else end
        words = self.mission._because(goal, failure)
        return f"{upper(self._name(root))}: {words} ({failure.stage.lower()}).{end}"

    def _why_that(self, thread: Thread, q: Ask) -> str:
        if q.what or q.where:
            return self._why_name(thread, q.what or q.where)
        agenda = self.mission.agenda
        items = [i for i in agenda.running() if q.robot in ("", i.robot)]
        next_ = [i for i in agenda.waiting() if q.robot in ("", i.robot)][:1]
        if rows := [(i, self.mission._root(self.mission.goals[i.goal])) for i in items or next_]:
            return "\n".join(f"{self._step(i)}, since {goal.by} wants {self._name(goal)}." for i, goal in rows)
        if waits := [g for g in self.mission.ordered() if g.state in ("waiting", "paused")]:
            who = self.mission.steering.who(q.robot) if waits[0].state == "paused" else ""
            return f"{upper(self._name(waits[0]))} {STATES[waits[0].state]}. {who}".rstrip()
        return f"{q.robot or 'Nobody'} {'does nothing' if q.robot else 'does anything'} at the moment."

    def _why_name(self, thread: Thread, name: str) -> str:
        """The goals that want something of this name, or the step that uses it; or that there is none."""
        live = self.mission.ordered()
        about = [g for g in live if name in self.mission.subject(g)]
        step = next((i for i in self.mission.agenda if name in i.action.args), None)
        if about:
            return "\n".join(f"{self._wanted(thread, g)}." for g in about)
        if step is not None:
            goal = self.mission._root(self.mission.goals[step.goal])
            return f"It is planned: {self._step(step)}. {self._wanted(thread, goal)}."
        rest = listed([self._name(g) for g in live])
        under_way = f"Under way: {rest}." if rest else "Nothing is under way."
        return f"Nobody wants anything with {self.wording.name(name)}. {under_way}"

    def _wanted(self, thread: Thread, goal: Goal) -> str:
        who = "You want" if goal.by == thread.person else f"{upper(goal.by)} wants"
        return f"{who} {self._name(goal)}"

    def _who_stopped(self, thread: Thread, q: Ask) -> str:
        """The people who stopped robots or let them go on; where nobody did, what failed, or why they move."""
        if said := self.mission.steering.who(q.robot):
            return str(said)
        failed = any(self.mission.recovery.of(g).failures for g in self.mission.goals.live())
        more = self._why(thread, Ask("why")) if failed else self._why_that(thread, Ask("why that", robot=q.robot))
        return f"Nobody has stopped {q.robot or 'anything'}. {more}"

    def _why_not(self, thread: Thread, q: Ask) -> str:
        if q.what and q.where:  # why a thing is not taken from a place
            return f"{self._how_many(thread, q)}{self._planned('pickup', {q.what})}"
        if q.what or q.where:
            return self._why_name(thread, q.what or q.where)
        return self.could(thread, q, False) if q.wants or not q.robot else self._unused(thread, q.robot)

    def _unused(self, thread: Thread, robot: str) -> str:
        """Why a robot has no part in what is planned; or which it has."""
        card, mission = self.mission.cards.get(robot), self.mission
        if card is None or robot not in mission.reports.robots:
            return f"{robot} is not here."
        offer = self.offer(thread)
        steps = list(offer.steps) if offer is not None else [i.step for i in mission.agenda]
        if not steps:
            return f"There is no plan at the moment in which {robot} could have a part."
        if mine := [s for s in steps if s.robot == robot]:
            return f"I do count on {robot}:\n{self.listed(mine)}"
        stopper = mission.steering.held.get(robot)
        limits = [r.clause.words for r in mission.recovery.rules.values() if robot in r.name]
        if stopper is not None or limits:
            why = f"{stopper} has stopped it. Say: {robot}, continue." if stopper is not None else limits[0]
            return f"I plan without {robot}: {why}"
        lacks = dict.fromkeys(s.action.skill for s in steps if s.action.skill not in card.skills)
        if found := [k.help or k.name for s in lacks if (k := mission.domain.skills.find(s)) is not None]:
            return f"{robot}, {card.about}, has no part in the plan. It lacks skills of it: {'; '.join(found)}."
        return f"{robot} could do it, too; the plan that I found needs only {listed(sorted({s.robot for s in steps}))}."

    # -- abilities ------------------------------------------------------------------------------------------------
    def _last_order(self, thread: Thread) -> Order:
        """The person's last order, or the one that is under way if it is the only one."""
        found = next((d.meaning for d in thread.deeds if isinstance(d.meaning, Order) and d.meaning.wants), None)
        others = [d.meaning for t in self.mission.dialogue.threads for d in t.deeds
                  if isinstance(d.meaning, Order) and any(not self.mission.goals[g].over for g in d.goals)]  # fmt: skip
        if found is None and len(others) != 1:
            raise CoterieError("What do you mean by it? Say for example: Can Temi deliver a medkit to alpha?")
        return found or others[0]

    def of_last(self, thread: Thread, q: Ask) -> str:
        order, able = self._last_order(thread), []
        if q.robot:
            return self.could(thread, replace(q, wants=order.wants), True, f"Let {q.robot} do it.")
        for robot in self.partner.robots():
            try:
                for wish, _, _ in self.mission.doing.wishes(replace(order, robots=())):
                    self.mission.doing.check(wish, robot)
                able.append(robot)
            except CoterieError:
                continue
        words = self.wording.sentence(replace(order, robots=(), without=()))
        return f"{words} By their skills {listed(able) or 'nobody here'} could."

    def hindrance(self, robot: str, q: Ask) -> str | None:
        if robot not in self.mission.reports.robots:
            return "is not here"
        skills = set(self.speech.abilities(q.skill)) & set(self.mission.cards[robot].skills)
        if q.skill == "open" and q.what and self._kind(q.what) != "door":
            return ""
        banned = {r.skill for r in self.mission.recovery.rules.values() if robot in r.name}
        if q.skill in ("pick", "carry") and q.what:
            carried = self.speech.containers()[0] if self._kind(q.what) == "kit" else q.what
            if self.mission.now_only().look("carries", robot, carried) is not True:
                return ""
        return None if skills - banned else ""

    def _ability(self, thread: Thread, q: Ask) -> str:
        rows = []
        for robot in [q.robot] if q.robot else self.partner.robots():
            card = self.mission.cards.get(robot)
            if card is None:
                raise CoterieError(f"{robot} is not here.")
            found = [self.mission.domain.skills.find(s) for s in card.skills]
            helps = [s.help or s.name for s in found if s is not None and s.name != "wait"]
            rows.append(f"{robot}, {card.about}: {'; '.join(helps)}." if q.robot else f"{robot}: {card.about}.")
        return "\n".join(rows)

    # -- how it goes ----------------------------------------------------------------------------------------------
    def _state(self, goal: Goal) -> str:
        return f"{goal.by} wants {self._name(goal)}: it {STATES[goal.state]}."

    def _standing(self) -> list[str]:
        """Orders that wait until something is so."""
        waiting = [s for s in self.mission.doing.standing if not s.stands]
        return [f"{s.person} wants, as soon as {s.words}: {self.wording.sentence(s.then)}" for s in waiting]

    def _doing(self, thread: Thread, q: Ask) -> str:
        running = {i.robot: i for i in self.mission.agenda.running()}
        rows = [f"{self._step(i)}." for r, i in sorted(running.items()) if q.robot in ("", r)]
        if q.robot and not rows:
            waits = any(i.robot == q.robot for i in self.mission.agenda)
            return f"{q.robot} {'waits for others' if waits else 'has nothing to do'}."
        rows += [] if q.robot else [self._state(g) for g in self.mission.ordered()]
        last = f" The last thing: {self.mission.events[-1][1]}" if self.mission.events else ""
        return "\n".join(rows) or f"Nothing; nobody wants anything.{last}"

    def _progress(self, thread: Thread, q: Ask) -> str:
        rows, live = [], self.mission.ordered()
        named = self.mission.ordered(q.what) or [g for g in live if self._brings(g, q.what, "")]
        for goal in named:
            mine = {goal.id, *(c.id for c in self.mission.goals.children(goal.id))}
            done = sum(i.goal in mine and i.state == "done" for i in self.mission.agenda.past)
            left = sum(i.goal in mine for i in self.mission.agenda)
            rest = self.rest_of([goal])
            more = f"; about {minutes(rest.duration_s)} are left" if rest is not None else ""
            rows.append(f"{upper(self._name(goal))} {STATES[goal.state]}: {done} steps done, {left} to come{more}.")
        over = self.mission.ordered(q.what, states=OVER)
        if rows:
            own = [g for g in over if g.by == thread.person and q.what and g.by not in {n.by for n in named}]
            return "\n".join([*rows, *(f"What you ordered, {self._name(g)}, {STATES[g.state]}." for g in own[-1:])])
        last = f" The last one: {self._name(over[-1])} {STATES[over[-1].state]}." if over else ""
        of = f" with {self.wording.name(q.what)}" if q.what and live else ""  # something else is
        return f"Nothing{of} is under way.{last}"

    def _under_way(self, thread: Thread, q: Ask) -> str:
        """Answer whether a thing is on its way: a yes names the robot, a no says what is brought otherwise."""
        live = self.mission.ordered()
        about = [g for g in live if self._brings(g, q.what, q.where)]
        for goal in about:
            robots = sorted({i.robot for i in self.steps_of([goal])})
            if goal.state == "running" and robots and q.robot in ("", *robots):
                return f"Yes: {self._state(goal)} With a part in it: {listed(robots)}."
        who, what = q.robot or "nobody", self.wording.some(q.what, 1) if q.what else "anything"
        to = f" to {self.wording.name(q.where)}" if q.where else ""
        no = f"No, {who} is {'not ' * bool(q.robot)}bringing {what}{to} at the moment."
        return "\n".join([no, *map(self._state, about or live), *self._standing()])

    def _brings(self, goal: Goal, what: str, where: str) -> bool:
        """True if a goal is to have a thing, or a kit with that in it, somewhere."""
        brought, place = self.mission.subject(goal)
        inside = dict(self.speech.kit_names().get(brought, ("", {}))[1])
        if self._kind(brought) not in THINGS or where not in ("", place):
            return False
        return what in ("", brought) or bool(inside.get(what))

    def _goals(self, thread: Thread, q: Ask) -> str:
        over = self.mission.ordered(states=OVER)[-1:]
        last = "".join(f" The last was {self._name(g)} for {g.by}, which {STATES[g.state]}." for g in over)
        rows = [*map(self._state, self.mission.ordered()), *self._standing()]
        return "\n".join(rows) or f"Nobody wants anything at the moment.{last}"

    # -- what is over --------------------------------------------------------------------------------------------------
    def completed(self) -> Sequence[tuple[float, str]]:
        return [(i.ended_s, self._step(i)) for i in self.mission.agenda.past if i.state == "done"]

    def clock(self, time: float) -> str:
        return f"{int(time) // 60}:{int(time) % 60:02d}"

    def _delivered(self, thread: Thread, q: Ask) -> str:
        """The deliveries made, with place, time and person, and those on their way."""
        done = [g for g in self._done(q) if self._kind(self.mission.subject(g)[0]) in THINGS]
        at = f" to {self.wording.name(q.where)}" if q.where else ""
        whom = ["you" if g.by == thread.person else g.by for g in done]
        names = [f"{self._name(g)} for {w} at {self.clock(g.history[-1].time)}" for g, w in zip(done, whom)]
        left = f"{len(names) - MOST_BROUGHT} more, and " if len(names) > MOST_BROUGHT else ""
        what = f"Nobody has brought {self.wording.some(q.what, 1)}" if q.what else "Nothing was brought"
        said = f"Brought so far{at}: {left}{listed(names[-MOST_BROUGHT:])}." if names else f"{what}{at} so far."
        live = " ".join(f"{upper(self._name(g))} {STATES[g.state]}." for g in self.mission.ordered(q.what, q.where))
        return f"{said} {live}".rstrip()

    def _done(self, q: Ask) -> list[Goal]:
        """Goals that were reached, of a thing and at a place if those are named; the last at the end."""
        found: list[Goal] = self.mission.ordered(q.what, q.where, ("done",))
        return sorted(found, key=lambda g: g.history[-1].time if g.history else 0.0)

    def _when(self, thread: Thread, q: Ask) -> str:
        return self._duration(thread, q) if self.mission.ordered(q.what) else self._delivered(thread, q)

    def _took(self, thread: Thread, q: Ask) -> str:
        """How long the last one took, from when it was ordered; of what is under way, for how long it has been."""
        since = [(g, self.mission.now - g.submitted_s) for g in self.mission.ordered(q.what, q.where)]
        rows = [f"{upper(self._name(g))} is not done yet: it was ordered {minutes(s)} ago." for g, s in since]
        done = self._done(q)
        last = ([g for g in done if g.by == thread.person] or done)[-1:]
        took = [f"{upper(self._name(g))} took {minutes(g.history[-1].time - g.submitted_s)}." for g in last]
        return "\n".join(rows or took) or "Nothing like that is done so far."
