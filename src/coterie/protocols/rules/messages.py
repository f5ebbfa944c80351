"""Messages of rule minds: words for people, facts for beliefs."""

from __future__ import annotations

from collections.abc import Iterable

from coterie.core.action import COMMUNICATE, Action
from coterie.core.facts import UNKNOWN, Fact
from coterie.protocols.rules.workload import helper_for
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading


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
