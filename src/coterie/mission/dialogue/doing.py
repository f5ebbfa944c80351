"""Orders, statements and changes by people, done on a mission: from those who may, and told to those concerned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import All, Expr, compile_expr
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.skill import Rule
from coterie.mission.dialogue.conversation import Deed, Thread
from coterie.mission.dialogue.speech import Key, Mission, Speech
from coterie.mission.dialogue.steering import ALL, URGENT
from coterie.mission.dialogue.zones import against, enforced
from coterie.mission.goals import Goal
from coterie.mission.reports import MISSION
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Want
from coterie.talk.wording import listed

MOST_AT_ONCE = 1000  # kits in one order
MOST_OF_ONE = 50  # of a thing in one order, or in one kit
NOT_DONE = {"failed": "did not work", "cancelled": "was called off"}
ASKED = "asked"  # the name of the clause of rules that are part of an order


@dataclass
class Standing:
    """An order that waits until something is so; one that stands comes again whenever it becomes so."""

    person: str
    order: m.Order
    when: tuple[Expr, ...]
    words: str
    stands: str = ""  # the policy that it belongs to
    was: bool = False

    @property
    def then(self) -> m.Order:
        """The order without its condition."""
        return replace(self.order, when=())


@dataclass
class Chain:
    """Steps that are done one after the other, and the goals of the one that is under way."""

    person: str
    label: str
    left: list[m.Order]
    goals: tuple[str, ...] = ()


class Doing:
    """One for a mission."""

    def __init__(self, mission: Mission, speech: Speech):
        self.mission, self.speech = mission, speech
        self.standing: list[Standing] = []
        self.chains: list[Chain] = []

    # -- orders ---------------------------------------------------------------------------------------------------
    def order(self, thread: Thread, order: m.Order) -> str:
        person, wording = thread.person, self.mission.wording
        self.mission.authority.require(person, "command")
        if order.when:
            words = wording.claim(order.when[0])
            waiting = Standing(person, order, tuple(self.conditions(order.when)), words)
            self.standing.append(waiting)
            thread.did(Deed(order, undo=lambda _: self.mission.steering.drop([waiting])))
            return f"All right, as soon as {words}: {wording.sentence(waiting.then)}"
        self.mission.steering.ordered(thread, order.robots)
        goals = self.submit(person, order)
        thread.did(Deed(order, tuple(g.id for g in goals), partial(self._call_off, person)))
        if not goals:
            return "All right."
        less = f", without {listed(order.without)}" if order.without else ""
        whose = order.robots if all(w.kind not in (m.AT, m.TASK) for w in order.wants) else ()
        by = f", by {listed(whose)}" if whose else ""
        more = ""
        if order.urgent and not self._urgent(person, order):
            more = f" It takes its turn: {listed(self.mission.authority.who_may('priority'))} may say what comes first."
        return f"All right: {listed([self.mission.name_of(g) for g in goals])}{by}{less}.{more}"

    def _call_off(self, person: str, deed: Deed) -> None:
        for id in deed.goals:
            if not self.mission.goals[id].over:
                self.mission._change(person, "cancel", id)

    def _urgent(self, person: str, order: m.Order) -> bool:
        """True if an order is served first: it is urgent, from a person who may set priorities."""
        return order.urgent and bool(self.mission.authority.may(person, "priority"))

    def submit(self, person: str, order: m.Order) -> list[Goal]:
        """Everything that an order wants, as goals; nothing of it where a part cannot be wanted."""
        wishes = self.wishes(order)
        self.room_for([wish for wish, _, _ in wishes])
        goals = []
        for wish, want, robot in wishes:
            goal = self.mission.submit(wish, person, URGENT if self._urgent(person, order) else 0)
            if rules := self._own_rules(order, wish, want, robot):
                self.mission.recovery.of(goal).rules = tuple(rules)
            goals.append(goal)
        for want in order.wants:
            if want.kind == "task":
                goals += self.mission.partner.teaching.start(person, want.what, order.robots)
        return goals

    def wishes(self, order: m.Order) -> list[tuple[Any, Want, str]]:
        """Wishes of an order, each with the robot that is to do it; a `CoterieError` where that cannot be."""
        self.mission.partner.fits(order)
        found: list[tuple[Any, Want, str]] = []
        for want in (w for w in order.wants if w.kind != m.TASK):
            for robot in self._robots(order, want):
                times = want.count if want.kind == m.KIT else 1
                count = want.count + (self._there(want) if want.more else 0)
                wish = self.speech.wish(want.kind, want.what, want.where, count, want.holds, robot)
                if want.kind == m.STOCK and want.count > MOST_OF_ONE:
                    raise self._too_many(want)
                self.check(wish, robot if order.robots else "")
                found += [(wish, want, robot)] * min(times, MOST_AT_ONCE)
        return found

    def _there(self, want: Want) -> int:
        """How many of a thing will be at a place when all is done that is ordered."""
        wishes = [self.mission.wanted_of(g).wish for g in self.mission.goals.live()]
        same = [w.count for w in wishes if (getattr(w, "what", ""), getattr(w, "where", "")) == (want.what, want.where)]
        return max(self.speech.amount(want.what, want.where, self.mission.now_like().look), *same, 0)

    def _too_many(self, want: Want) -> CoterieError:
        """More of a thing are wanted than robots, which carry one at a time, bring in one order."""
        wording = self.mission.wording
        known = sum(n for _, n in self.speech.where(want.what, self.mission.now_only().look))
        some = wording.some(want.what, known) if known else f"no {wording.name(want.what)}"
        people = [wording.name(p) for p in self.speech.people_of(want.what)]
        more = f", and {listed(people)} {'has' if len(people) == 1 else 'have'} more" if people else ""
        why = f"{want.count} are too many for one order: robots carry one at a time. I know of {some}{more}."
        return CoterieError(f"{why} I bring at most {MOST_OF_ONE}. So I have not begun.")

    def _own_rules(self, order: m.Order, wish: Any, want: Want, robot: str) -> list[Rule]:
        """Rules for who alone is to do an order, and where things are to come from."""
        rules = self._only(wish, robot if order.robots else "")
        if want.source:
            elsewhere = self.speech.elsewhere(wish, want.source, self.mission.now_only().look)
            words = f"it is to come from {self.mission.domain.label(want.source)}."
            rules += [against(skill, about, words, ASKED) for skill, about in elsewhere]
        for other in order.without:
            steps = self.speech.limits(m.ABLE, other, "", False) or ()
            rules += [against(s, about, f"it is to be done without {other}.") for s, about in steps]
        return rules

    def possible(self, order: m.Order, instead: Iterable[str]) -> None:
        """A `CoterieError` where an order could not be served instead of goals that can."""
        wishes, old = self.wishes(order), [self.mission.goals[g] for g in instead]
        self.room_for([wish for wish, _, _ in wishes], [g.id for g in old])
        if order.when or not any(g.state in ("submitted", "planned", "running", "paused") for g in old):
            return
        ids = [g.id for o in old for g in (o, *self.mission.goals.children(o.id))]
        rows = {wish.text(): (wish, self._own_rules(order, wish, want, robot)) for wish, want, robot in wishes}
        for name, (wish, rules) in rows.items():
            if why := self.mission.zones.no_way(wish, rules, ids):
                raise CoterieError(f"I find no plan for {name} because {why}.")

    def room_for(self, wishes: list[Any], instead: Iterable[str] = ()) -> None:
        """Require that all of several can be begun: of an order for five, three and an apology are not wanted."""
        look, taken = self.mission.now_like().look, set(self.mission._taken())
        taken -= {self.mission.wanted[g].taken for g in instead}  # goals that would be called off for it
        for i, wish in enumerate(wishes):
            found = next(iter(self.mission.domain.meanings(wish, look, taken, "")), None)
            if cannot := self.mission.cannot(wish, look) if found is None and len(wishes) > 1 else "":
                raise CoterieError(f"{cannot} So I have not begun with any of the {len(wishes)}.")
            if found is None and i:
                words = f"I can begin with {i} of the {len(wishes)} at once, so I have not begun with any"
                raise CoterieError(f"{words}: for {wish.text()} there is nothing left. Order {i}, or fewer.")
            taken |= {found[0]} if found is not None and found[0] else set()

    def _robots(self, order: m.Order, want: Want) -> list[str]:
        """Robots that are to do an order; where one has to be named and none was, all that can."""
        taught = want.kind == m.AT and want.what in self.mission.cards
        if want.kind == m.AT and not taught and not order.robots:
            raise CoterieError("Which robot should go there?")
        if want.kind == m.AT:
            return [want.what] if taught else list(order.robots)
        if want.kind == m.HOLD and not order.robots:
            skills = {r: c.skills for r, c in self.mission.cards.items()}
            able = self.speech.holders(want.what, skills, self.mission.now_only().look)
            if not able:
                raise CoterieError(f"Nobody here can pick up {self.mission.wording.name(want.what)}.")
            return able[:1]
        return list(order.robots[:1]) or [""]

    def check(self, wish: Any, robot: str) -> None:
        """Raise where a robot has no skill for what it is to do."""
        skill, _ = self.speech.doer(wish)
        who = [r for r, c in self.mission.cards.items() if skill in c.skills]
        if robot and skill and robot not in who:
            could = f"{listed(who)} could" if who else "Nobody here has it"
            raise CoterieError(f"{robot} cannot do that: it has no skill {skill}. {could}.")

    def _only(self, wish: Any, robot: str) -> list[Rule]:
        """The step that matters is for the robot that was named."""
        skill, about = self.speech.doer(wish)
        if not robot or not skill:
            return []
        others = [r for r, c in self.mission.cards.items() if r != robot and skill in c.skills]
        return [against(skill, {"robot": other, **about}, f"{robot} was asked to do it.", ASKED) for other in others]

    # -- facts ----------------------------------------------------------------------------------------------------
    def conditions(self, claims: Iterable[Claim]) -> list[Expr]:
        found = []
        for c in claims:
            parts = self.speech.condition(c.kind, c.what, c.where, c.count, c.holds)
            if not parts:
                raise CoterieError(f"I cannot tell whether {self.mission.wording.claim(c)}.")
            found += parts
        return found

    def so(self, conditions: Iterable[Expr]) -> bool | None:
        """True if conditions hold, as far as is known; None where that is not known."""
        value = compile_expr(All(tuple(conditions)))(self.mission.now_only().look, {})
        return None if value is UNKNOWN else bool(value)

    def facts(self, claims: Iterable[Claim]) -> list[tuple[tuple[str, ...], object]]:
        look, found = self.mission.now_only().look, list[tuple[tuple[str, ...], object]]()
        for c in claims:
            count = (c.count or 1) + self.speech.amount(c.what, c.where, look) if c.more else c.count
            found += self.speech.facts(c.kind, c.what, c.where, count, c.holds, look)
        return found

    def tell(self, thread: Thread, told: m.Tell) -> str:
        person, mission = thread.person, self.mission
        brought = [c for c in told.claims if c.kind == m.BROUGHT]
        if any((c.count or 1) > MOST_OF_ONE for c in brought):
            raise CoterieError(f"I note at most {MOST_OF_ONE} of a thing put down at once. Say how many are there.")
        facts, replies = self.facts(told.claims), []
        known = mission.now_only().look
        before = {key: known(*key) for key, _ in facts}
        rules: dict[str, Rule | None] = {}
        if facts:
            heard, words = mission.take_note(person, facts)
            replies.append(words)
            new = {(f.pred, *f.args) for f in heard.new}
            self._put(person, brought := [c for c in brought if new & {key for key, _ in self.facts([c])}])
            mission.helped(person)
        for claim in told.claims:
            steps = self.speech.limits(claim.kind, claim.what, claim.where, claim.holds)
            if steps is not None:
                names = [against(skill, about, "").name for skill, about in steps]
                rules |= {name: mission.recovery.rules.get(name) for name in names}
                replies.append(self._limit(person, claim, steps) + self._asked_in_vain(person, claim))
            elif claim.kind == m.EMPTY and claim.where and not claim.holds:
                replies.append(self._not_empty(person, claim.where))
            elif not self.speech.facts(claim.kind, claim.what, claim.where, claim.count, claim.holds, known):
                seen = claim.kind in (m.AT, m.KIT)
                replies.append("I see that for myself." if seen else "Where? Say it with a place.")
        thread.did(Deed(told, undo=lambda _: self._untold(person, before, rules, brought)))
        return " ".join(dict.fromkeys(replies))

    def _put(self, person: str, brought: Iterable[Claim], sign: int = 1) -> None:
        """Have a simulated world follow what a person, whose word is taken, put somewhere; -1 takes it away again."""
        for change in [self.speech.put(c.what, c.where, sign * (c.count or 1)) for c in brought]:
            if change is not None:
                self.mission.desk.note("brought", person=person, change=change)

    def _untold(self, person: str, facts: dict[Key, Any], rules: dict[str, Rule | None], brought: list[Claim]) -> None:
        """Restore facts, things that were put somewhere, and rules against steps that nobody can do."""
        self._put(person, brought, -1)
        mission, now = self.mission, self.mission.recovery.rules
        changed = {name: rule for name, rule in rules.items() if now.get(name) is not rule}
        for name in changed:
            now.pop(name, None)
        now.update({name: rule for name, rule in changed.items() if rule is not None})
        if changed:
            mission._replan_all(f"{person} took back what was said")
        known = [Fact(k[0], k[1:], v, mission.now, MISSION) for k, v in facts.items() if v is not UNKNOWN]
        mission.knowledge.tell(*known)
        for key in (k for k, v in facts.items() if v is UNKNOWN):
            mission.knowledge.retract(*key, by=person)

    def _not_empty(self, person: str, where: str) -> str:
        """Something is there, and nobody has said what: that there is none of a thing counts no longer."""
        known = self.mission.now_only().look
        for (pred, *args), _ in self.speech.facts(m.EMPTY, "", where, None, True, known):
            if known(pred, *args) == 0:
                self.mission.knowledge.retract(pred, *args, by=person)
        return "Thank you; I do not count on its being empty. What is there? Say it with a thing and a place."

    def _asked_in_vain(self, person: str, claim: Claim) -> str:
        """Note the answer of a person who was asked for a thing: they have none, or some."""
        asked = [w.request for w in self.mission.wanted.values() if w.request is not None]
        mine = any(r.person == person and claim.what in r.fact[1] for r in asked)
        if not mine or (claim.kind, claim.where) != (m.SUPPLY, person):
            return ""
        if not claim.holds:
            self.mission._answered(person, False)
        return " Say done when it is." if claim.holds else " I look for another way."

    def _limit(self, person: str, claim: Claim, steps: list[tuple[str, dict[str, str]]]) -> str:
        """Limit what robots can do from now on, or lift the limit."""
        words = self.mission.wording.claim(claim)
        if not self.mission.authority.may(person, "tell"):
            who = listed(self.mission.authority.who_may("tell"))
            raise CoterieError(f"That cannot be checked, so I take it from {who} alone: {words}.")
        self.limit(claim, steps)
        return "Thank you; I plan without that." if not claim.holds else "Thank you; I count on it again."

    def limit(self, claim: Claim, steps: list[tuple[str, dict[str, str]]]) -> None:
        """No plan counts on these steps any more, or plans may count on them again."""
        words = self.mission.wording.claim(claim)
        rules = [against(skill, about, f"{words}.") for skill, about in steps]
        if enforced(self.mission, rules, not claim.holds) or claim.holds:
            self.mission._replan_all(words)

    # -- what waits and comes again -------------------------------------------------------------------------------
    def watch(self) -> None:
        """Orders whose time has come, and the next steps of what was taught; after a stop nothing begins by itself."""
        self.mission.zones.reopen()
        self.mission.proposals.watch()
        self.mission.requests.remind()
        if ALL in self.mission.steering.held:
            return
        for waiting in list(self.standing):
            holds = self.so(waiting.when) is True
            fires, waiting.was = holds and not waiting.was, holds
            if fires:
                if not waiting.stands:
                    self.standing.remove(waiting)
                self._now(waiting.person, waiting.then, f"Since {waiting.words}")
        for chain in list(self.chains):
            states = {self.mission.goals[g].state for g in chain.goals}
            broken = next((why for state, why in NOT_DONE.items() if state in states), "")
            if not broken and states <= {"done"} and chain.left:
                goals = self._now(chain.person, chain.left.pop(0), f"Next step of {chain.label}")
                chain.goals = tuple(g.id for g in goals)
            elif broken or states <= {"done"}:
                self.chains.remove(chain)
                over = f"I leave the rest of {chain.label}: a step {broken}." if broken else f"Done: {chain.label}."
                self.mission.desk.tell(chain.person, over)

    def _now(self, person: str, order: m.Order, why: str) -> list[Goal]:
        goals = list[Goal]()
        try:
            goals = self.submit(person, order)
            words = f"{listed([self.mission.name_of(g) for g in goals])}."
        except CoterieError as err:
            words = str(err)
        self.mission.desk.tell(person, f"{why}: {words}")
        return goals

    def renewed(self, old: Goal) -> Goal:
        """Submit a goal again, as it was, after it was called off or given up."""
        owner = self.mission.dialogue.threads.of(old.by)
        goal = self.mission.submit(self.mission.wanted_of(old).wish, old.by, old.priority)
        self.mission.recovery.of(goal).rules = self.mission.recovery.of(old).rules
        owner.deeds = [replace(d, goals=tuple(goal.id if g == old.id else g for g in d.goals)) for d in owner.deeds]
        return goal
