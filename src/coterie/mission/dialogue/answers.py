"""Questions of people, answered from what the mission has: plans, reasons, abilities, progress, history, knowledge."""

from __future__ import annotations

import contextlib
import copy
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.mission.agenda import Item
from coterie.mission.assess import Assessment, Assessor, PlanStep
from coterie.mission.dialogue.speech import Mission, Speech
from coterie.mission.dialogue.supposing import Supposing
from coterie.mission.dialogue.thread import Thread
from coterie.mission.estimate import context_of, minutes
from coterie.mission.goals import STATES, Goal
from coterie.mission.knowledge.authority import ACTS
from coterie.mission.language.meanings import Ask
from coterie.mission.language.wording import Wording, listed
from coterie.planning.answer import Answer
from coterie.planning.question import Step

MOST_STEPS = 30  # of a plan that is described
MOST_EVENTS = 8
RIGHTS = {"prioritise": "priority"}


class Answers:
    """One for a mission."""

    def __init__(self, mission: Mission, speech: Speech):
        self.mission, self.speech = mission, speech
        self.supposing = Supposing(mission, speech)
        self._only_looks = threading.local()

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """In this thread nobody is taken to know what is answered: the mission will say it again, and then they do."""
        self._only_looks.on = True
        try:
            yield
        finally:
            self._only_looks.on = False

    @property
    def _looks(self) -> bool:
        return bool(getattr(self._only_looks, "on", False))

    @property
    def wording(self) -> Wording:
        return Wording(self.mission.partner.vocabulary)

    def of(self, thread: Thread, q: Ask) -> str:
        if q.given or q.unheard:
            return self._supposed(thread, q)
        made: str = getattr(self, f"_{q.about.replace(' ', '_')}")(thread, q)
        return made

    def _supposed(self, thread: Thread, q: Ask) -> str:
        """A question with a condition: answered as if that were so, or it is said that it cannot be."""
        plain = replace(q, given=(), unheard="")
        told = self.supposing.given(plain, q.given, self._about(thread, q.what)) if q.given else None
        if told is not None:
            return told
        return f"I cannot tell what changes {self.wording.condition(q)}. As things are: {self.of(thread, plain)}"

    def _label(self, name: str) -> str:
        return self.mission.domain.label(name)

    def _about(self, thread: Thread, what: str = "") -> list[Goal]:
        """The goals that a question is about: those of a kit, or all that are not over."""
        live = [g for g in self.mission.goals.live() if not g.parent]
        if what:
            return [g for g in live if getattr(self.mission.wanted_of(g).wish, "what", "") == what]
        return live

    # -- plans ----------------------------------------------------------------------------------------------------
    def _offer(self, thread: Thread) -> Any:
        """The way out that waits for somebody's yes, this person's first."""
        waiting = self.mission.goals.all("waiting")
        mine = [g for g in waiting if thread.person in self.mission.wanted_of(g).asked] or waiting
        offers = self.mission.recovery.of(mine[-1]).offers if mine else []
        return offers[0] if offers else None

    def _plan(self, thread: Thread, q: Ask) -> str:
        offer = self._offer(thread)
        if offer is not None and not q.robot:
            return self._offered(thread, offer)
        steps = [i.step for i in self.mission.agenda if not q.robot or i.robot == q.robot]
        if steps:
            return f"The plan:\n{self._listed(steps)}"
        live = self._about(thread)
        if live:
            soon = self._promised(thread, q)
            if soon:
                return soon
            return f"I have no plan at the moment: {self.mission.name_of(live[0])} {STATES[live[0].state]}."
        return "I have no plan at the moment; nobody wants anything."

    def _offered(self, thread: Thread, offer: Any) -> str:
        """What is proposed, step by step, and the other ways, by their numbers; whoever was told may say yes."""
        goal = self.mission._awaited(thread.person)
        offers = self.mission.recovery.of(goal).offers
        if not self._looks:
            told = self.mission.wanted_of(goal).told.setdefault(thread.person, set())
            told.update(self.mission.offered(o) for o in offers)
        rows = [f"  plan {i}: {self.mission.offered(o)}" for i, o in enumerate(offers[1:], 2)]
        lead = (
            "Another way; for it say: Yes, plan 2."
            if len(rows) == 1
            else "Other ways; for them say: Yes, plan 2, or 3 ..."
        )
        others = "\n".join([lead, *rows]) if rows else ""
        return "\n".join(filter(None, [f"I propose to {offer.words}:", self._listed(offer.steps), others]))

    def _listed(self, steps: Sequence[Step]) -> str:
        rows = [f"  {i:2d}  {w}" for i, w in enumerate(self.mission.desk.steps(steps[:MOST_STEPS]), 1)]
        return "\n".join([*rows, *([f"  and {len(steps) - MOST_STEPS} more"] if len(steps) > MOST_STEPS else [])])

    def steps_of(self, goals: Sequence[Goal]) -> list[Item]:
        """What is still to be done for some goals."""
        ids = {g.id for g in goals}
        return [i for i in self.mission.agenda if self.mission._root(self.mission.goals[i.goal]).id in ids]

    def _rest(self, goals: Sequence[Goal]) -> Assessment | None:
        """What is still to be done for some goals, assessed."""
        items = self.steps_of(goals)
        numbers = {i.number for i in items}
        steps = [
            PlanStep(
                str(i.number), i.action.skill, i.robot, i.action.args, tuple(str(n) for n in i.after if n in numbers),
                self.mission._usual_s(i.robot, i.action),
                context_of(i.action, self.mission.domain.skills.find(i.action.skill)),
            )
            for i in items
        ]  # fmt: skip
        return self._assessor.assess(steps) if steps else None

    @property
    def _assessor(self) -> Assessor:
        """The mission's own; beside the mission, a copy: what one learns when is part of its log."""
        return copy.copy(self.mission.assessor) if self._looks else self.mission.assessor

    def assess(self, plan: Answer) -> Assessment:
        """A plan that nobody has begun with."""
        return self._assessor.assess(self.mission._plan_steps([plan]))

    def _guess(self, thread: Thread, q: Ask) -> tuple[str, Assessment | Any] | None:
        offer = self._offer(thread)
        goals = [g for g in self._about(thread, q.what) if self.steps_of([g])]
        if offer is not None and not q.what:
            return f"What I propose ({offer.words})", offer
        found = self._rest(goals) if goals else None
        if found is not None:
            return listed([self.mission.name_of(g) for g in goals]).capitalize(), found
        if q.what and self.mission.partner.vocabulary.kind_of(q.what) == "kit":
            return self.supposing.kit(q.what)
        return None

    def _no_plan_yet(self, thread: Thread, q: Ask) -> str:
        """What is wanted and not planned, of which nothing can be said."""
        soon = self._promised(thread, q)
        if soon:
            return soon
        proposed = self._offer(thread) is not None and not q.what
        waits = [g for g in self._about(thread, q.what) if not proposed and not self.steps_of([g])]
        return " ".join(f"There is no plan for {self.mission.name_of(g)}: it {STATES[g.state]}." for g in waits)

    def _promised(self, thread: Thread, q: Ask) -> str:
        """Where a plan is about to be sought, the question is answered again when that is over; what is said of it."""
        soon = [g for g in self._about(thread, q.what) if g.state == "submitted" and self.mission._may_plan(g)]
        if self._looks or not soon or not self.mission.promise(thread.person, q):
            return ""
        return (
            f"I am about to look for a plan for {listed([self.mission.name_of(g) for g in soon])}, and tell you then."
        )

    def _duration(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._no_plan_yet(thread, q) or "Nothing is under way that would take time."
        about, found = guess
        seconds = found.duration_s if isinstance(found, Assessment) else found.seconds
        span = f"most likely {minutes(found.low_s)} to {minutes(found.high_s)}"
        return f"{about} takes about {minutes(seconds)}, {span}. {self._no_plan_yet(thread, q)}".rstrip()

    def _chance(self, thread: Thread, q: Ask) -> str:
        guess = self._guess(thread, q)
        if guess is None:
            return self._no_plan_yet(thread, q) or "Nothing is under way that could succeed or fail."
        about, found = guess
        weak = getattr(found, "weakest", ())
        by = {str(i.number): i for i in self.mission.agenda}
        worst = next((by[w.step] for w in weak if w.step in by), None)
        more = f" The weakest step: {self.mission.domain.step_words(worst.robot, worst.action)}." if worst else ""
        words = f"{about} works {found.chance:.0%} of the time without trouble.{more}"
        return f"{words} {self._no_plan_yet(thread, q)}".rstrip()

    def _what_if(self, thread: Thread, q: Ask) -> str:
        return self.supposing.what_if(q.claims)

    # -- reasons --------------------------------------------------------------------------------------------------
    def _why(self, thread: Thread, q: Ask) -> str:
        failed = [(f, g) for g in self.mission.goals.all() for f in self.mission.recovery.of(g).failures]
        if not failed:
            return "Nothing has failed so far."
        failure, goal = failed[-1]
        words = self.mission.desk.words(failure.cause)
        if failure.cause is not None and not self._looks:
            self.mission.desk.taught(thread.person, failure.cause)
        end = ""
        root = self.mission._root(goal)
        explained = self.mission.wanted_of(root).explanation
        if explained is not None:
            end = f" I gave it up: {explained['why']}."
        elif root.state == "waiting":
            end = " A way out waits for a yes."
        return f"{self.mission.name_of(root).capitalize()}: {words} ({failure.stage.lower()}).{end}"

    def _why_that(self, thread: Thread, q: Ask) -> str:
        items = [i for i in self.mission.agenda.running() if not q.robot or i.robot == q.robot]
        rows = []
        for item in items:
            goal = self.mission._root(self.mission.goals[item.goal])
            step = self.mission.domain.step_words(item.robot, item.action)
            rows.append(f"{step}, since {goal.by} wants {self.mission.name_of(goal)}.")
        if rows:
            return "\n".join(rows)
        waits = [g for g in self._about(thread) if g.state in ("waiting", "paused")]
        if waits:
            return f"{self.mission.name_of(waits[0]).capitalize()} {STATES[waits[0].state]}."
        return f"{q.robot or 'Nobody'} {'does nothing' if q.robot else 'does anything'} at the moment."

    def _why_not(self, thread: Thread, q: Ask) -> str:
        return self.supposing.why_not(q) if q.wants or not q.robot else self._unused(thread, q.robot)

    def _unused(self, thread: Thread, robot: str) -> str:
        """Why a robot has no part in what is planned; or which it has."""
        card, skills = self.mission.cards.get(robot), self.mission.domain.skills
        if card is None or robot not in self.mission.reports.robots:
            return f"{robot} is not here."
        offer = self._offer(thread)
        steps = list(offer.steps) if offer is not None else [i.step for i in self.mission.agenda]
        mine = [s for s in steps if s.robot == robot]
        if mine:
            return f"I do count on {robot}:\n{self._listed(mine)}"
        if not steps:
            return f"There is no plan at the moment in which {robot} could have a part."
        lacks = [s.action.skill for s in steps if s.action.skill not in card.skills]
        found = [k.help or k.name for s in dict.fromkeys(lacks) if (k := skills.find(s)) is not None]
        limits = [r for r in self.mission.recovery.rules.values() if robot in r.name]
        stopper = self.mission.doing.steering.held.get(robot)
        if stopper is not None:
            return f"I plan without {robot}: {stopper} has stopped it. Say: {robot}, continue."
        if limits:
            return f"I plan without {robot}: {limits[0].clause.words}"
        if found:
            return f"{robot}, {card.about}, has no part in the plan. It lacks skills of it: {'; '.join(found)}."
        return f"{robot} could do it, too; the plan that I found needs only {listed(sorted({s.robot for s in steps}))}."

    # -- abilities ------------------------------------------------------------------------------------------------
    def _who_can(self, thread: Thread, q: Ask) -> str:
        who = [r for r in self.mission.cards if self._able(r, q)]
        what = self.wording._skill(q)
        return f"{listed(who)} can {what}." if who else f"Nobody here can {what}."

    def _able(self, robot: str, q: Ask) -> bool:
        if robot not in self.mission.reports.robots:
            return False
        skills = set(self.speech.abilities(q.skill)) & set(self.mission.cards[robot].skills)
        if q.skill == "open" and q.what and self._kind(q.what) != "door":
            return False
        banned = {r.skill for r in self.mission.recovery.rules.values() if robot in r.name}
        if q.skill in ("pick", "carry") and q.what:
            carried = self.speech.containers()[0] if self._kind(q.what) == "kit" else q.what
            if self.mission.now_only().look("carries", robot, carried) is not True:
                return False
        return bool(skills - banned)

    def _kind(self, name: str) -> str:
        return self.mission.partner.vocabulary.kind_of(name)

    def _can(self, thread: Thread, q: Ask) -> str:
        if q.wants:
            return self.supposing.why_not(q, asked=True)
        if not q.robot:
            who = [r for r in self.mission.cards if self._able(r, q)]
            what = self.wording._skill(q)
            return f"Yes: {listed(who)} can {what}." if who else f"No, nobody here can {what}."
        if self._able(q.robot, q):
            return f"Yes, {q.robot} can {self.wording._skill(q)}."
        others = [r for r in self.mission.cards if self._able(r, q)]
        more = f" {listed(others)} can." if others else ""
        return f"No, {q.robot} cannot {self.wording._skill(q)}.{more}"

    def _ability(self, thread: Thread, q: Ask) -> str:
        robots = [q.robot] if q.robot else sorted(self.mission.reports.robots)
        rows = []
        for robot in robots:
            card = self.mission.cards.get(robot)
            if card is None:
                raise CoterieError(f"{robot} is not here.")
            found = [self.mission.domain.skills.find(s) for s in card.skills]
            helps = [s.help or s.name for s in found if s is not None and s.name != "wait"]
            rows.append(f"{robot}, {card.about}: {'; '.join(helps)}." if q.robot else f"{robot}: {card.about}.")
        return "\n".join(rows)

    # -- how it goes ----------------------------------------------------------------------------------------------
    def _doing(self, thread: Thread, q: Ask) -> str:
        running = {i.robot: i for i in self.mission.agenda.running()}
        robots = [q.robot] if q.robot else sorted(self.mission.reports.robots)
        rows = []
        for robot in robots:
            item = running.get(robot)
            if item is not None:
                rows.append(self.mission.domain.step_words(robot, item.action) + ".")
            elif q.robot:
                waits = any(i.robot == robot for i in self.mission.agenda)
                rows.append(f"{robot} {'waits for others' if waits else 'has nothing to do'}.")
        live = self._about(thread)
        if not q.robot:
            rows += [f"{self._state(g)}" for g in live]
        last = f" The last thing: {self.mission.events[-1][1]}" if self.mission.events else ""
        return "\n".join(rows) or f"Nothing; nobody wants anything.{last}"

    def _state(self, goal: Goal) -> str:
        by = f"{goal.by} wants {self.mission.name_of(goal)}"
        return f"{by}: it {STATES[goal.state]}."

    def _progress(self, thread: Thread, q: Ask) -> str:
        rows = []
        for goal in self._about(thread, q.what):
            mine = {goal.id, *(c.id for c in self.mission.goals.children(goal.id))}
            done = sum(i.goal in mine and i.state == "done" for i in self.mission.agenda.past)
            left = sum(i.goal in mine for i in self.mission.agenda)
            rest = self._rest([goal])
            more = f"; about {minutes(rest.duration_s)} are left" if rest is not None else ""
            rows.append(
                f"{self.mission.name_of(goal).capitalize()} {STATES[goal.state]}: "
                f"{done} steps done, {left} to come{more}."
            )
        if rows:
            return "\n".join(rows)
        over = [g for g in self.mission.goals.all() if g.over and not g.parent]
        if q.what:
            over = [g for g in over if getattr(self.mission.wanted_of(g).wish, "what", "") == q.what]
        last = f" The last one: {self.mission.name_of(over[-1])} {STATES[over[-1].state]}." if over else ""
        return f"Nothing is under way.{last}"

    def _history(self, thread: Thread, q: Ask) -> str:
        return self._told(thread, self.mission.events[-MOST_EVENTS:], "Nothing has happened yet.")

    def _changed(self, thread: Thread, q: Ask) -> str:
        return self._told(thread, self.mission.events[thread.seen :][-MOST_EVENTS:], "Nothing new since you asked.")

    def _told(self, thread: Thread, events: Sequence[tuple[float, str]], nothing: str) -> str:
        thread.seen = len(self.mission.events)
        return "\n".join(f"{_clock(t)} {words}" for t, words in events) or nothing

    def _goals(self, thread: Thread, q: Ask) -> str:
        rows = [self._state(g) for g in self._about(thread)]
        rows += [
            f"{s.person} wants something as soon as {s.words}." for s in self.mission.doing.standing if not s.stands
        ]
        return "\n".join(rows) or "Nobody wants anything at the moment."

    # -- knowledge ------------------------------------------------------------------------------------------------
    def _where(self, thread: Thread, q: Ask) -> str:
        look = self.mission.now_only().look
        held = [r for r in self.mission.reports.robots if look("holding", r) == q.what]
        places = self.speech.where(q.what, look)
        name = self.wording.name(q.what)
        if self._kind(q.what) == "robot":
            return f"{q.what} is at {self._label(places[0][0])}." if places else f"I do not know where {q.what} is."
        rows = [f"{self.wording.some(q.what, n)} at {self._label(p)}" for p, n in places]
        rows += [f"one with {r}" for r in held]
        if self._kind(q.what) == "person":
            return (
                f"{name.capitalize()} is in {self._label(places[0][0])}."
                if places
                else f"I do not know where {name} is."
            )
        who = self.speech.people_of(q.what)
        more = f" {listed([self.wording.name(p) for p in who]).capitalize()} may have some." if who and not rows else ""
        if not rows:
            return f"I know of no {self.mission.partner.vocabulary.phrase(q.what)} anywhere.{more}"
        self._knows(thread, [("stock", q.what, p) for p, _ in places])
        return (
            f"There is {listed(rows)}." if sum(n for _, n in places) + len(held) == 1 else f"There are {listed(rows)}."
        )

    def _how_many(self, thread: Thread, q: Ask) -> str:
        look = self.mission.now_only().look
        places = self.speech.where(q.what, look)
        if q.where:
            if look("stock", q.what, q.where) is UNKNOWN:
                return f"I do not know; nobody has looked at {self._label(q.where)}."
            places = [(p, n) for p, n in places if p == q.where]
            self._knows(thread, [("stock", q.what, q.where)])
        total = sum(n for _, n in places)
        some = self.wording.some(q.what, total) if total else f"no {self.mission.partner.vocabulary.phrase(q.what)}"
        at = f" at {self._label(q.where)}" if q.where else " that I know of"
        return f"There {'is' if total < 2 else 'are'} {some}{at}."

    def _is_it_so(self, thread: Thread, q: Ask) -> str:
        claims = self.wording._claims(q.claims)
        so = self.mission.doing.so(self.mission.doing.conditions(q.claims))
        if so is None:
            return f"I do not know whether {claims}."
        return f"Yes, {claims}." if so else f"No, it is not so that {claims}."

    def _contents(self, thread: Thread, q: Ask) -> str:
        found = self.speech.contents(q.what, self.mission.now_only().look)
        name = self.wording.name(q.what)
        if found is None:
            return f"I do not know what is at {self._label(q.what)}; nobody has looked."
        rows = listed([self.wording.some(t, n) for t, n in found])
        if self._kind(q.what) == "kit":
            return f"{self.wording.some(q.what, 1).capitalize()} contains {rows}."
        return f"{rows.capitalize()}." if rows else f"There is nothing in or on {name}, as far as I know."

    def _knows(self, thread: Thread, keys: Sequence[tuple[str, ...]]) -> None:
        """A person has been told facts, and knows them from now on."""
        if self._looks:
            return
        facts = [self.mission.knowledge.fact(*k) for k in keys]
        self.mission.knowledge.told(thread.person, [f for f in facts if f is not None])

    # -- the talk itself ------------------------------------------------------------------------------------------
    def _taught(self, thread: Thread, q: Ask) -> str:
        rows = [f"  {x.words} ({x.by})" for x in self.mission.lessons]
        kits = ", ".join(self.speech.kit_names())
        known = f"I know the kits {kits}."
        return "\n".join([known, "I was taught:", *rows]) if rows else f"{known} Nobody has taught me anything yet."

    def _who_may(self, thread: Thread, q: Ask) -> str:
        act = RIGHTS.get(q.right, q.right)
        who = self.mission.authority.who_may(act)
        return f"{listed([self.wording.name(p) for p in who]).capitalize()} may {ACTS[act]}." if who else (
            f"Nobody here may {ACTS[act]}."
        )  # fmt: skip

    def _rights(self, thread: Thread, q: Ask) -> str:
        authority, person = self.mission.authority, thread.person
        may = [words for act, words in ACTS.items() if authority.may(person, act)]
        roles = " and ".join(authority.roles_of(person)) or "a visitor"
        return f"You are {person} ({roles}) and may {listed(may)}. Say help for what can be said."

    def _who(self, thread: Thread, q: Ask) -> str:
        people = [f"{p} ({' and '.join(self.mission.authority.roles_of(p))})" for p in self.mission.authority.people()]
        return f"Robots: {listed(sorted(self.mission.reports.robots))}. People: {listed(people)}."

    def _help(self, thread: Thread, q: Ask) -> str:
        return "You can say, for example:\n" + "\n".join(f"  {e}" for e in self.mission.partner.tips())


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
