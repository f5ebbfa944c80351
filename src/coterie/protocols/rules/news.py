"""News that a robot tells inside its decision: where nobody need look again, and who brings what was found.

It costs no step, and everybody hears it before deciding. All that is said is counted where talk is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from coterie.core.action import COMMUNICATE, Action
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.protocols.rules.search_shares import helper_for, somewhere_left
from coterie.protocols.shared import sentences
from coterie.protocols.shared.hearing import NO_SIGNS, Signs
from coterie.protocols.shared.reading import Reading

PATIENCE = 2  # tries of one action before it is given up
FORGET = 6  # steps after which a given-up action may be tried again


class Memory(NamedTuple):
    """The state that a rule mind keeps from one decision to the next."""

    introduced: bool = False
    said: frozenset[str] = frozenset()
    team: frozenset[str] = frozenset()  # who was there at the beginning
    newcomers: frozenset[str] = frozenset()
    failures: tuple[tuple[str, int], ...] = ()  # (action, step), newest last
    silent: bool = False  # it says nothing, and notes what it would have said as said
    signs: Signs = NO_SIGNS  # of teammates, where no heartbeat tells who is there

    def told(self, what: str) -> bool:
        return what in self.said

    def tell(self, *what: str) -> Memory:
        return self if self.said.issuperset(what) else self._replace(said=self.said.union(what))

    def fail(self, action: str, step: int) -> Memory:
        return self._replace(failures=(*self.failures[-11:], (action, step)))

    def give_up(self, action: str, step: int) -> Memory:
        memory = self
        for _ in range(PATIENCE):
            memory = memory.fail(action, step)
        return memory

    def failed(self, action: str, now: int) -> int:
        """How often an action failed lately."""
        return sum([a == action and now - step <= FORGET for a, step in self.failures]) if self.failures else 0

    def gave_up(self, action: str, now: int) -> bool:
        return bool(self.failures) and self.failed(action, now) >= PATIENCE

    def hopeless(self, action: str, now: int) -> bool:
        """It failed again and again: it is tried only now and then."""
        return bool(self.failures) and self.failed(action, now) > PATIENCE

    def meet(self, online: frozenset[str]) -> Memory:
        if not self.team:
            return self._replace(team=online)
        newcomers = online - self.team
        return self._replace(newcomers=newcomers) if newcomers != self.newcomers else self


def tell_news(me: RobotView, since: int) -> tuple[int, list[str]]:
    """Say what I have seen since I last did, while something is missing. Returns how far that is, and what of it need
    not be said again."""
    name, taken = me.name, False
    places: dict[str, None] = {}
    barred: list[Fact] = []
    for f in me.belief.since(since):
        pred, args, value, _, source = f
        if source != name or value is UNKNOWN:
            continue
        if pred == "contents":
            places[args[0]] = None
        elif pred == "where":
            taken = taken or value == name
        elif pred == "may_place" and value is False:
            barred.append(f)
    said: list[str] = []
    if (places or taken or barred) and me.heartbeat:
        r = Reading.of(me)
        if r.goal is not UNKNOWN and (r.missing or barred):
            seen = [p for p in places if p in r.furniture or (p.startswith("floor@") and r.contents(p))]
            said = _say(r, seen, barred)
    return me.belief.cursor, said


def _say(r: Reading, places: list[str], barred: list[Fact]) -> list[str]:
    found = [t for t in r.missing if r.where(t) in places]
    facts = [f for p in places if (f := r.belief.fact("contents", p)) is not None]
    text = seen_in_words(r, places)
    for thing in found:
        facts += about_thing(r, thing)
        text += in_words(r, thing)
    for fact in barred:
        facts.append(fact)
        text += f" {sentences.MAY_NOT_PLACE.say(fact.args[1])}"
    mine = next((t for t in by_need(r, found) if _claims(r, t)), None)
    if r.held is not None and r.held in r.goal.targets:
        facts.append(Fact("where", (r.held,), r.name, r.me.time, r.name))
        text += f" {sentences.IN_HAND.say(r.held)}"
    elif mine is not None:
        facts.append(Fact("job", (mine,), r.name, r.me.time, r.name))
        text += f" {sentences.TAKES.say(mine)}"
    said: list[str] = []
    busy: dict[str, int] = {}
    for thing in (t for t in found if t != mine and r.job_of(t) is None and not comes_later(r, t)):
        helper = helper_for(r, thing, busy)
        if helper is not None:
            busy[helper] = busy.get(helper, 0) + 1
            facts.append(Fact("job", (thing,), helper, r.me.time, r.name))
            text += f" {sentences.BRING.say(helper, thing)}"
            said.append(f"find {thing} {r.where(thing)}")
    if facts:
        r.me.say(text.strip(), facts=facts)
        r.belief.tell_all([f for f in facts if f.pred == "job"])
    return said


def settle(me: RobotView, since: int) -> None:
    """Settle claims: a robot that takes a thing comes before one asked for it at the same time, and of two that say so
    the first by name: so that all who heard the same hold it to be the same one's."""
    said: dict[str, Fact] = {}
    for f in me.belief.since(since):
        if f[0] == "job" and f.value == f.source:
            best = said.get(f.args[0])
            if best is None or (-f.time, f.source) < (-best.time, best.source):
                said[f.args[0]] = f
    for thing, claim in said.items():
        believed = me.belief.fact("job", thing)
        if believed is not None and believed.time == claim.time:
            me.belief.tell(claim)


def by_need(r: Reading, things: list[str]) -> list[str]:
    """Things in the order of need: what others go into first, then in the order of the goal."""
    if len(things) < 2:
        return things
    order, holders = {t: i for i, t in enumerate(r.goal.targets)}, r.places.holders
    return sorted(things, key=lambda t: (t not in holders, order.get(t, 99)))


def comes_later(r: Reading, thing: str) -> bool:
    """In a stack a layer is of no use before those below it: while one of them is to be found, and there is somewhere
    to look for it, it stays where it is. So does what one takes on the way."""
    if not r.lost:
        return False
    if r.goal.kind != "stack":
        return r.me.sure and _on_the_way(r, thing) and somewhere_left(r)
    below = r.goal.targets[: r.goal.targets.index(thing)]
    return any(t in r.lost for t in below) and somewhere_left(r)


def _on_the_way(r: Reading, thing: str) -> bool:
    """It lies at the table, out of the arm's reach, and a robot comes there with something else: then it takes a step
    less. That is so where I alone carry, and where more than one thing is to be brought from elsewhere."""
    if r.brings or r.sites.get(thing) != r.table or r.at == r.table:
        return False
    return len(r.carriers) < 2 or len([t for t in r.missing if r.sites[t] != r.table]) > 1


def _claims(r: Reading, thing: str) -> bool:
    """I can take it here and now, it is nobody's job yet, and no other carrier that stands here comes before me."""
    if not r.card.manipulates or r.held is not None or not r.in_view(thing) or r.job_of(thing) not in (None, r.name):
        return False
    return r.can_take(r.name, thing) and not others_turn(r, thing) and not comes_later(r, thing)


def others_turn(r: Reading, thing: str) -> bool:
    """Another carrier stands here too and comes first by name."""
    return any(r.sees_beside(n) and r.can_take(n, thing) for n in r.carriers if n < r.name)


def about_thing(r: Reading, thing: str) -> list[Fact]:
    found = [r.belief.fact(pred, thing) for pred in ("where", "spot", "mass")]
    caddy = r.where(thing)
    if caddy is not None and r.look("holder", caddy):  # and where that stands
        found += [r.belief.fact(pred, caddy) for pred in ("where", "spot")]
    found.append(r.belief.fact("open", r.furniture_of(r.where(thing)) or ""))
    return [f for f in found if f is not None and f.value is not UNKNOWN]


def in_words(r: Reading, thing: str) -> str:
    """Where a thing is, as a sentence that the others' minds read too."""
    mass, place = r.known["mass", thing], r.where(thing)
    lies = sentences.LIES_HEAVY.say(thing, place, mass) if isinstance(mass, float) else sentences.LIES.say(thing, place)
    furniture = r.furniture_of(place)
    opened = f" {sentences.STATE.say(furniture, 'open')}." if furniture and r.known["open", furniture] is True else ""
    return f" {lies}{opened}"


def seen_in_words(r: Reading, places: Iterable[str]) -> str:
    return "".join([f" {sentences.SEEN.say(p, r.contents(p))}" for p in places])


def request(r: Reading, things: Iterable[str], text: str) -> Action:
    """Ask able teammates to fetch things: each thing becomes a robot's job."""
    facts: list[Fact] = []
    busy: dict[str, int] = {}
    asked: list[str] = []
    for thing in things:
        facts += about_thing(r, thing)
        text += in_words(r, thing)
        helper = helper_for(r, thing, busy)
        if helper is not None:
            busy[helper] = busy.get(helper, 0) + 1
            asked.append(sentences.BRING.say(helper, thing))
            facts.append(Fact("job", (thing,), helper, r.me.time, r.name))
    text = " ".join([text, *asked])
    return Action(COMMUNICATE, (text, ("all",)), "Somebody else must help here.", tuple(facts))


def looked(r: Reading, places: Iterable[str]) -> Action:
    """Tell what was seen where, so that nobody looks there again."""
    facts = [f for p in places if (f := r.belief.fact("contents", p)) is not None]
    names = ", ".join(f.args[0] for f in facts)
    text = f"I have looked at {names}.{seen_in_words(r, [f.args[0] for f in facts])}"
    for thing in r.missing:
        if r.where(thing) is not None:
            facts += about_thing(r, thing)
            text += in_words(r, thing)
    return Action(COMMUNICATE, (text, ("all",)), "My share of the search is done.", tuple(facts))


def pass_on(r: Reading, to: Iterable[str]) -> Action | None:
    """Tell a newcomer what I know: places searched, things found, jobs given."""
    facts = [f for f in r.belief.facts("contents") if f.args[0] in r.furniture]
    known = [t for t in r.missing if r.where(t) is not None]
    for thing in known:
        facts += about_thing(r, thing)
        job = r.belief.fact("job", thing)
        if job is not None:
            facts.append(job)
    if not facts:
        return None
    names = ", ".join(f.args[0] for f in facts if f.pred == "contents")
    text = f"Welcome. Already searched: {names or 'nothing'}."
    text += seen_in_words(r, [f.args[0] for f in facts if f.pred == "contents"])
    text += "".join(in_words(r, t) for t in known)
    return Action(COMMUNICATE, (text, tuple(to)), "A newcomer should not search again.", tuple(facts))
