"""Closed doors on the way: open them, ask a robot that can, or wait.

A robot counts a door as closed when the map says that it begins so, when it failed at it or stood before it, or when it
was told; until then it takes the way that the map shows.
"""

from __future__ import annotations

from typing import Any

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.protocols.rules.news import Memory
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading, distance

AGAIN = 8  # steps after which one who waits for a door asks once more


def at_door(me: RobotView, action: Action) -> bool:
    """Did an action fail at a door that I know to be closed?"""
    return action.skill == "navigate" and isinstance(me.look("shut_door", me.name, *action.args), str)


def through_doors(r: Reading, action: Action, memory: Memory) -> tuple[Action, Memory]:
    """The action itself, or what comes before it where a closed door is in the way."""
    if action.skill != "navigate":
        return action, memory
    door = r.look("shut_door", r.name, *action.args)
    if not isinstance(door, str):
        return action, memory
    if "open" in r.card.skills:
        return _open(r, door, f"{door} is in my way to {action.args[0]}."), memory
    return ask_to_open(r, door, f"{sentences.STATE.say(door, 'closed')}, and I cannot open it.", memory)


def _open(r: Reading, fixture: str, why: str) -> Action:
    """Go to what is closed and open it."""
    stands = r.stands(fixture)
    if r.at == fixture and (r.stand is not None or not r.look("door", fixture)):
        return Action("open", (fixture,), why)
    reachable = [s for s, _ in stands if r.look("shut_door", r.name, fixture, s) is None]
    last = r.me.outcome
    if last is not None and not last.ok and last.action.skill == "navigate" and len(reachable) > 1:
        reachable = [s for s in reachable if last.action.args != (fixture, s)]  # taken: try the other side
    near = [s for s in reachable if not r.look("door", fixture)] or _nearest(r, fixture, reachable)
    if not near:
        return Action(WAIT, (), f"I find no way to {fixture}.")
    return Action("navigate", (fixture, near[0]), why)


def _nearest(r: Reading, door: str, stands: list[str]) -> list[str]:
    def far(stand: str) -> float:
        pose: Any = r.look("stand_pose", door, stand)
        return distance(pose, r.pose)

    return sorted(stands, key=far)


def ask_to_open(r: Reading, fixture: str, words: str, memory: Memory) -> tuple[Action, Memory]:
    """Ask a teammate who can open it, now and then; wait in between."""
    able = [n for n, c in r.cards.items() if n != r.name and c.moves and "open" in c.skills]
    asked = f"open {fixture} {r.me.step // AGAIN}"
    if not able or memory.told(asked):
        return Action(WAIT, (), f"I wait until {fixture} is open."), memory
    jobs = [f.value for f in r.belief.facts("job")]
    helper = min(able, key=lambda n: (jobs.count(n), n))
    facts = (
        Fact("open", (fixture,), False, r.me.time, r.name),
        Fact("job", (fixture,), helper, r.me.time, r.name),
    )
    text = f"{words} {sentences.OPEN.say(helper, fixture)}"
    return Action(COMMUNICATE, (text, ("all",)), "Somebody else must open it.", facts), memory.tell(asked)


def asked_to_open(r: Reading, memory: Memory) -> Action | None:
    """The next step to open what I was asked to open, and have not found open."""
    if "open" not in r.card.skills:
        return None
    for fact in r.belief.facts("job"):
        fixture = fact.args[0]
        mine = fact.value == r.name and r.look("openable", fixture) and r.known["open", fixture] is not True
        if mine and not memory.gave_up(f"open({fixture})", r.me.step):
            return _open(r, fixture, f"I was asked to open {fixture}.")
    return None


def tell_open(r: Reading, memory: Memory) -> tuple[Action, Memory] | None:
    """Say that a door is open that others believe to be closed: because they asked me, or because the map says so."""
    if len(r.online) < 2:
        return None
    for fact in r.belief.facts("open"):
        if fact.value is not True or fact.source != r.name:
            continue
        fixture = fact.args[0]
        asked = r.belief.fact("job", fixture)
        waited_for = asked is not None and asked.value == r.name and asked.source != r.name
        news = f"now open {fixture} {asked.time if asked is not None else 0.0}"
        if waited_for and not memory.told(news):
            facts = (Fact("open", (fixture,), True, r.me.time, r.name),)
            words = (f"{sentences.STATE.say(fixture, 'open')} now.", ("all",))
            return Action(COMMUNICATE, words, "Others wait for it.", facts), memory.tell(news)
    return None
