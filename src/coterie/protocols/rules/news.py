"""News that a robot tells inside its decision: where nobody need look again, and who brings what was found.

It costs no step, and everybody hears it before deciding. All that is said is counted where talk is.
"""

from __future__ import annotations

from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import RobotView
from coterie.protocols.rules.messages import about_thing, in_words, seen_in_words
from coterie.protocols.rules.search_shares import somewhere_left
from coterie.protocols.rules.workload import helper_for
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading


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
