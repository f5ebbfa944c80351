"""A rule mind over a situation: what it would do next, what it would do instead, and what it has against others' plans.

It sees what a prompt shows and nothing else, so that whatever it decides well, a model could.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from coterie.houses.placement import belongs
from coterie.protocols.dynahmrc.oracle import answers
from coterie.protocols.heuristic import EXPLORE, REPLACE, STOP, thing_of
from coterie.protocols.negotiate.situation import Astray, Mate, Situation, read
from coterie.protocols.shared.templates import Page, first
from coterie.worlds.household.knowledge.graph import kind_by_name

NEARER_M = 1.0  # by so much one has to be nearer to claim what another goes for


def room_of(task: str) -> str:
    return first(r"\AExplore <?(\w+)>?", task)


def far(mate: Mate, thing: Astray) -> float:
    return math.dist(mate.at, thing.at) if mate.at is not None and thing.at is not None else 20.0


def able(mate: Mate, failed: tuple[str, ...], thing: Astray) -> bool:
    return bool(mate.arm) and thing.name not in failed and thing.home is not None


def replacing(thing: Astray) -> str:
    on, room = thing.home or ("", "")
    return f"{REPLACE} <{thing.name}> <{on}> <{room}>"


def candidates(s: Situation, heed: bool = True) -> list[str]:
    """Sub-tasks that make sense, the best first. With `heed`, what others are at is left to them."""
    if s.me.holding:
        held = next((t for t in s.astray if t.name == s.me.holding), None)
        home = held.home if held is not None else None
        return [f"{REPLACE} <{s.me.holding}> <{home[0]}> <{home[1]}>" if home else f"{REPLACE} <{s.me.holding}> <> <>"]
    taken = {thing_of(mate.task) for mate in s.mates} | {mate.holding or "" for mate in s.mates} if heed else set()
    things = sorted((t for t in s.astray if able(s.me, s.failed, t)), key=lambda t: (far(s.me, t), t.name))
    found = [replacing(t) for t in things if t.name not in taken and not (heed and _anothers(s, t))]
    searched = {room_of(mate.task) for mate in s.mates} if heed else set()
    open_rooms = sorted((r for r in s.rooms if r.steps is not None), key=lambda r: (r.steps, r.name))
    found += [f"{EXPLORE} <{r.name}>" for r in open_rooms if r.name not in searched]
    found += [f"{EXPLORE} <{r.name}>" for r in open_rooms if r.name in searched]
    return found or [STOP]


def _anothers(s: Situation, thing: Astray) -> bool:
    """True if a robot with free hands who could take it is clearly nearer."""
    mine = far(s.me, thing)
    return any(
        mate.arm
        and thing.name not in mate.cannot
        and not mate.holding
        and not thing_of(mate.task)
        and far(mate, thing) + NEARER_M < mine
        for mate in s.mates
    )


def objection(s: Situation) -> tuple[str, str]:
    """The teammate whose plan this robot objects to, and why; two empty texts: it agrees."""
    for mate in s.mates:
        thing = thing_of(mate.task)
        if not thing:
            continue
        if mate.arm is False:
            return mate.name, f"{mate.name} has no arm for {thing}"
        if thing in mate.cannot:
            return mate.name, f"{mate.name} is too weak for {thing}"
        if s.me.holding == thing:
            return mate.name, f"I hold {thing}"
        known = next((t for t in s.astray if t.name == thing), None)
        free = not s.me.holding and not mate.holding and known is not None and able(s.me, s.failed, known)
        if free and known is not None and far(s.me, known) + NEARER_M < far(mate, known):
            return mate.name, f"I am nearer to {thing}"
    return "", ""


def homed(s: Situation, text: str = "") -> Situation:
    """The situation with homes by the placement table, where the prompt names furniture and leaves it to the reader to
    say what belongs on it; what is in the hand is listed, too."""
    if not s.places:
        return s
    kinds = {room.name: room.kind for room in s.rooms}
    bad = {kind_by_name(place) for _, place in re.findall(r"\b(\w+) cannot be put on (\w+)", text)}
    places = [(on, kinds.get(room, "")) for room, listed in s.places for on in listed.split(", ")]

    def home(kind: str) -> tuple[str, str] | None:
        return next((place for place in places if place[1] and place[0] not in bad and belongs(kind, *place)), None)

    astray = [t if t.home else replace(t, home=home(t.kind)) for t in s.astray]
    if s.me.holding:
        kind = kind_by_name(s.me.holding)
        astray.append(Astray(s.me.holding, kind, s.me.name, s.me.room, s.me.at, home(kind)))
    return replace(s, astray=tuple(astray))


def obeys(s: Situation, objections: str) -> Situation:
    """The situation in which what others object to is left alone."""
    named = set(re.findall(r"\b(?:nearer to|for|hold) (\w+)", objections))
    return replace(s, astray=tuple(t for t in s.astray if t.name not in named))


def answer(page: Page) -> str:
    """The reply to a prompt of `negotiate`."""
    s = homed(read(page["situation"]), page["situation"])
    if against := page["objections"]:
        return _reply("Others object, so I do something else.", "agree", candidates(obeys(s, against))[0])
    mate, words = objection(s)
    if not mate:
        return _reply("The plans of the others fit.", "agree", candidates(s)[0])
    nearer = first(r"\AI am nearer to (\w+)", words)
    thing = next((t for t in s.astray if t.name == nearer), None)
    task = replacing(thing) if thing is not None else candidates(s)[0]
    return _reply("One of the plans does not fit.", f"object {mate}: {words}", task)


def _reply(analysis: str, said: str, task: str) -> str:
    return f"Analysis: {analysis}\nAnswer: {said}\nTask: {task}"


answers["negotiate/plan"] = answer
