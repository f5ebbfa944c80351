"""Robots that move: bring what is found, search for what is not, say what others need to know."""

from __future__ import annotations

import math
from typing import Any

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.facts import Fact
from coterie.protocols.rules import search_shares as search
from coterie.protocols.rules.arm import Step, asked_to_open, bring_home, tell_open
from coterie.protocols.rules.news import Memory, by_need, comes_later, looked, others_turn, request
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading, shift_for

PATIENCE = 3  # steps without a sign of a robot that is to bring something
NEAR_M = 0.6  # to a side of something: who stands there keeps others from it
SEARCHING = 2  # steps after which one who searches says something: it goes, it opens


def mover_action(r: Reading, memory: Memory) -> Step:
    news = tell_open(r, memory)
    if news is not None:
        return news
    if r.held is not None:
        if r.brings:
            return bring_home(r, r.held, memory)
        return _carry(r, r.held), memory
    asked = asked_to_open(r, memory)
    if asked is not None:
        return asked, memory
    told = _tell(r, memory)
    if told is not None:
        return told
    if r.lost and _at_shut_box(r, memory):
        return Action("open", (r.at,), "I stand before it; what I look for may be inside."), memory
    taken = _take_over(r, memory) if r.card.manipulates else None
    if taken is not None:
        return taken
    thing, memory = _choose(r, memory) if r.card.manipulates else (None, memory)
    if thing is not None:
        action = _fetch(r, thing, memory)
        if action is not None:
            return action, memory
        memory = memory.give_up(f"pick({thing})", r.me.step)
        told = _tell(r, memory)
        if told is not None:
            return told
    if r.lost:
        return _search(r, memory)
    if _in_the_way(r):
        return _step_aside(r), memory
    beyond = [t for t in r.missing if memory.gave_up(f"pick({t})", r.me.step)]
    if beyond:
        return Action(WAIT, (), f"I find no way to take {', '.join(beyond)}."), memory
    return Action(WAIT, (), "Everything is found, and others have it in hand."), memory


def _in_the_way(r: Reading) -> bool:
    """I stand where a robot that needs my kind of room must come to fetch something: to this piece of furniture, or,
    where it is here already, to this side of it."""
    here = [t for t in r.missing if r.at is not None and r.furniture_of(r.where(t)) == r.at]
    alike = [n for n in r.carriers if n != r.name and r.cards[n].mobility == r.card.mobility]
    if r.at is None and alike:
        aims = {r.table, *(r.furniture_of(r.where(t)) for t in r.missing)} - {None}
        return any(math.dist(r.pose[:2], pose[:2]) < NEAR_M for f in aims for _, pose in r.stands(str(f)))
    if r.at == r.table and len(here) < len(r.missing) and len(alike) >= len(r.stands(r.table)):
        return True  # what is brought comes here, and there are more of us than sides
    return any(not r.sees_beside(n) or _takes_from_here(r, n, t) for n in alike for t in here)


def _takes_from_here(r: Reading, robot: str, thing: str) -> bool:
    """True if a robot would reach a thing from where I stand."""
    spot = r.spot(thing)
    return spot is not None and r.cards[robot].gap(r.pose, spot) <= r.cards[robot].reach_m


def _step_aside(r: Reading) -> Action:
    wanted = {r.furniture_of(r.where(t)) for t in r.missing} | {r.table}
    wanted |= {r.furniture_of(h) for t in r.missing for h in r.homes(t)} if r.brings else set()
    free = [f for f in r.furniture if f not in wanted and r.can_visit(r.name, f)]
    if not free:
        return Action(WAIT, (), "There is nowhere to step aside to.")
    # Robots of one kind go to different places and sides, or they would stand in each other's way there.
    alike = sorted({r.name, *(n for n in r.online if n in r.cards and r.cards[n].mobility == r.card.mobility)})
    rank = alike.index(r.name) + max(0, r.me.step - 1) * (len(alike) > len(free))
    free = sorted(free, key=lambda f: (r.look("room", f) != r.look("room", r.at), f))
    near = free[rank % len(free)] if len(alike) > 2 else free[0]
    stands = r.stands(near)
    return Action("navigate", (near, stands[rank // len(free) % len(stands)][0]), f"I make room at {r.at or r.table}.")


# -- holding something ----------------------------------------------------------------------------------------------
def _carry(r: Reading, thing: str) -> Action:
    wanted = thing in r.goal.targets and thing not in r.right
    if not wanted:
        at = r.at
        if isinstance(at, str) and not r.shut(at) and r.look("room_on", r.name, at) is not False:
            return Action("place", (thing, at), f"{thing} is not wanted now.")
        return _to_table(r, f"{thing} is not wanted now; it can lie on the table.")
    if r.at == r.table and (r.stand is None or r.stand in r.hand_over_stands(r.name)):
        home = r.goal.home(thing)
        turn = r.goal.kind != "stack" or (not r.wrong and r.goal.targets[len(r.right)] == thing)
        if turn and _worth_a_try(r) and r.look("gap_to", r.name, home) <= r.card.reach_m:  # type: ignore[operator]
            return Action("place", (thing, home), f"{thing} belongs on {home}; I try it myself.")
        return Action("place", (thing, r.table), f"{r.arm or 'The arm'} can take {thing} from here.")
    return _to_table(r, f"I bring {thing} to {r.arm or 'the arm'}.")


def _worth_a_try(r: Reading) -> bool:
    """True if I place it myself. The arm surely does it, so that I try only where that holds nobody up: there is no
    arm, or something else lies there for it and nothing is left for me to fetch. Nothing forbids it until one who moves
    has tried it in vain; what holds on one platform holds on all."""
    if any(f.value is False and f.args[0] != r.arm for f in r.belief.facts("may_place")):
        return False
    if r.arm is None or r.goal.kind == "stack":  # of a stack, nothing else is its turn
        return r.arm is None
    waiting = any(t not in r.right and r.delivered(t) for t in r.goal.targets)
    return waiting and all(r.where(t) in (r.name, r.arm) for t in r.missing)


def _to_table(r: Reading, why: str) -> Action:
    stands = r.hand_over_stands(r.name) or [s for s, _ in r.stands(r.table)]
    if r.me.sure and r.at != r.table:
        stands = _beside_more(r, stands)
    if not stands:
        return Action(WAIT, (), f"{r.table} is closed to me.")
    if r.at == r.table and r.stand in stands:
        thing = r.held
        return Action("place", (thing, r.table), why)
    last = r.me.outcome
    if last is not None and not last.ok and last.action.skill == "navigate" and last.action.args[:1] == (r.table,):
        others = [s for s in stands if s != last.action.args[1]]  # taken or closed: try another side
        stands = others or stands
    return Action("navigate", (r.table, stands[0]), why)


def _beside_more(r: Reading, stands: list[str]) -> list[str]:
    """Sides of the table, first those from which I can then take what the arm does not reach."""
    more = [r.spot(t) for t, furniture in r.sites.items() if furniture == r.table and r.can_take(r.name, t)]
    spots, poses = [s for s in more if s is not None], dict(r.stands(r.table))
    near = {s for s, pose in poses.items() for spot in spots if r.card.gap(pose, spot) <= r.card.reach_m}
    return sorted(stands, key=lambda s: s not in near) if near else stands


# -- talking --------------------------------------------------------------------------------------------------------
def _tell(r: Reading, memory: Memory) -> Step | None:
    """Say what only I know and others need: finds I cannot or need not take, and places closed to me."""
    if len(r.online) < 2:
        return None
    jobs, nobody_or_me = r.jobs, (None, r.name)
    mine = [t for t, furniture in r.sites.items() if furniture is not None and jobs[t] in nobody_or_me]
    cannot = [t for t in mine if not r.can_take(r.name, t) or memory.gave_up(f"pick({t})", r.me.step)]
    if cannot:
        cannot = [t for t in cannot if not _said(r, memory, t) and search.helper_for(r, t) is not None]
    if cannot:
        words = sentences.NOT_FOR_ME.say([(t, r.where(t)) for t in cannot])
        said = [f"{how} {t} {r.where(t)}" for t in cannot for how in ("find", "cannot")]
        return request(r, cannot, words), memory.tell(*said)
    here = [t for t in mine if r.in_view(t) and not memory.told(f"find {t} {r.where(t)}") and not comes_later(r, t)]
    spare = [t for t in by_need(r, here)[1:] if search.helper_for(r, t) is not None] if len(here) > 1 else []
    if spare:
        words = f"I take {by_need(r, here)[0]}, but there is more at {r.at}."
        return request(r, spare, words), memory.tell(*(f"find {t} {r.where(t)}" for t in spare))
    if "allowed" not in r.stamps:  # nobody has met a zone
        return None
    closed = [f for f in r.furniture if r.barred(r.name, f) and not memory.told(f"closed {f}")]
    helped = [f for f in closed if any(n != r.name and r.can_search(n, f) for n in r.explorers)]
    useful = [f for f in helped if r.lost and r.looked_at(f) is None]
    if useful:
        rooms: Any = r.look("shut_rooms", r.name)
        facts = tuple(Fact("allowed", (r.name, f), False, r.me.time, r.name) for f in useful)
        facts += tuple(Fact("allowed", (r.name, room), False, r.me.time, r.name) for room in sorted(rooms))
        words = sentences.MAY_NOT_ENTER.say([*useful, *sorted(rooms)])
        return Action(COMMUNICATE, (words, ("all",)), "Others can look there.", facts), memory.tell(
            *(f"closed {f}" for f in closed)
        )
    return None


def _said(r: Reading, memory: Memory, thing: str) -> bool:
    """Others were told of it; if since then I said that I take it, they must hear that I cannot."""
    how = "cannot" if r.job_of(thing) == r.name else "find"
    return memory.told(f"{how} {thing} {r.where(thing)}")


# -- fetching -------------------------------------------------------------------------------------------------------
def _choose(r: Reading, memory: Memory) -> tuple[str | None, Memory]:
    """The thing to fetch next: one that is here, then one I was asked for, then one that only I am known to know of."""
    jobs, nobody_or_me = r.jobs, (None, r.name)
    able = [t for t, furniture in r.sites.items() if furniture and r.can_take(r.name, t)]
    able = [t for t in able if not memory.gave_up(f"pick({t})", r.me.step)]
    able = [t for t in able if jobs[t] in nobody_or_me or _left_undone(r, memory, t)]
    able = [t for t in able if not comes_later(r, t)]
    here = by_need(r, [t for t in able if r.in_view(t)])
    stack = r.goal.kind == "stack" and r.me.sure
    asked = [t for t in able if jobs[t] == r.name or (stack and len(r.carriers) < 2)]
    if here and stack and by_need(r, here + asked)[0] != here[0]:  # what lies below comes first, if I bring that too
        here = []
    if here:
        if jobs[here[0]] != r.name and others_turn(r, here[0]) and not memory.told(f"after you {here[0]}"):
            return None, memory.tell(f"after you {here[0]}")  # only once: the other may not be able to
        return here[0], memory
    if asked:
        undone = [t for t in able if jobs[t] not in nobody_or_me] if stack and not memory.silent else []
        return _order(r, asked + undone)[0], memory  # of a stack, what lies below comes first
    rest = _order(r, able)
    if _all_is_heard(r, memory) and not _idle(r, memory):  # who can search brings only what it would have brought first
        rest = [t for t in rest if search.soonest(r, t) == r.name]
    if not rest:
        return None, memory
    return _divided(r, rest, memory).get(r.name, rest[0]), memory


def _order(r: Reading, things: list[str]) -> list[str]:
    """By need, and what lies at the table last, where one comes with something else anyway."""
    ordered = by_need(r, things)
    if r.goal.kind == "stack" or r.brings or r.at == r.table or not r.me.sure:
        return ordered
    return sorted(ordered, key=lambda t: r.sites[t] == r.table)


def _divided(r: Reading, things: list[str], memory: Memory) -> dict[str, str]:
    """Others may know of these, too: each goes to a robot with empty hands and nothing else to bring, who opens only
    what nobody else can bring. Who knows the same sees it alike."""
    at_work = {*r.jobs.values(), *[r.where(t) for t in r.missing]}
    quiet = {n for n in r.carriers if r.me.pulse is not None and memory.signs.quiet([n], r.me.step)}
    idle = sorted(set(r.carriers) - quiet - at_work | {r.name}, key=lambda n: ("open" in r.cards[n].skills, n))
    out: dict[str, str] = {}
    for thing in things:
        robot = next((n for n in idle if n not in out and r.can_take(n, thing)), None)
        if robot is not None:
            out[robot] = thing
    return out


def _take_over(r: Reading, memory: Memory) -> Step | None:
    """Say that I fetch what a robot was asked for who has something else to bring first, or who is not here while I
    am, where I have nothing to do."""
    jobs = r.jobs
    if len(r.online) < 2 or r.name in jobs.values():
        return None
    known = [t for t, furniture in r.sites.items() if furniture is not None and r.can_take(r.name, t)]
    known = [t for t in known if not memory.told(f"cannot {t} {r.where(t)}") and not comes_later(r, t)]
    idle, spare = _idle(r, memory), not _all_is_heard(r, memory) or any(jobs[t] is None for t in known)
    for thing in by_need(r, known):
        other = jobs[thing]
        if other is None or memory.told(f"take {thing} {other}"):
            continue
        more = any(r.where(t) == other for t in r.missing) or (not spare and _first_of(r, other) != thing)
        carrying = idle and more
        if carrying or (r.in_view(thing) and not r.sees_beside(other) and not others_turn(r, thing)):
            facts = (Fact("job", (thing,), r.name, r.me.time, r.name),)
            why = f"{other} has something else to do." if carrying else f"I stand at {r.at}, and {other} does not."
            words = Action(
                COMMUNICATE, (f"{why} {sentences.TAKES.say(thing)}", ("all",)), "I have nothing else to do.", facts
            )
            return words, memory.tell(f"take {thing} {other}")
    return None


def _first_of(r: Reading, name: str) -> str:
    """Which of the things that a robot is to bring it brings first: what it said that it takes, then by need."""
    things = [t for t, robot in r.jobs.items() if robot == name]
    said = [t for t in things if (fact := r.belief.fact("job", t)) is not None and fact.source == name]
    return by_need(r, said or things)[0]


def _left_undone(r: Reading, memory: Memory, thing: str) -> bool:
    """True if the robot that was asked for it gives no sign, while I have nothing else to do."""
    return _idle(r, memory) and memory.signs.silent(r.job_of(thing), r.me.step) >= PATIENCE


def _all_is_heard(r: Reading, memory: Memory) -> bool:
    """True if others do what they said: my radio loses nothing, and we talk. Else I may know less than they think."""
    return r.me.sure and not memory.silent


def _idle(r: Reading, memory: Memory) -> bool:
    """Nothing is lost, or I can be sure that there is nowhere left for me to look."""
    return not r.lost or (_all_is_heard(r, memory) and not search.somewhere_left(r))


def _fetch(r: Reading, thing: str, memory: Memory) -> Action | None:
    """The next step towards a thing; None when I know no way to it."""
    place = r.where(thing)
    furniture = r.furniture_of(place)
    assert furniture is not None
    spot = r.spot(thing)
    if r.at == furniture:
        if place == furniture and r.shut(furniture):
            return Action("open", (furniture,), f"{thing} is inside.")
        near_enough = spot is None or r.card.gap(r.pose, spot) <= r.card.reach_m
        if near_enough and not memory.told(from_here(r, thing)):
            return Action("pick", (thing,), f"{thing} is needed and within my reach.")
    near = [s for s, pose in r.stands(furniture) if spot is None or r.card.gap(pose, spot) <= r.card.reach_m]
    near = [s for s in near if not memory.told(_tried(r, thing, furniture, s))]
    if r.at == furniture and len(near) > 1:  # where I stand a little off, so that it is out of reach, another stand is
        near = [s for s in near if s != r.stand]
    free = [s for s in near if not memory.failed(f"navigate({furniture}, {s})", r.me.step)]
    if free and (r.at != furniture or r.stand != free[0]):
        return Action("navigate", (furniture, free[0]), f"{thing} is there.")
    if r.at != furniture:
        others = [s for s, _ in r.stands(furniture) if not memory.failed(f"navigate({furniture}, {s})", r.me.step)]
        if others or near:
            return Action("navigate", (furniture, (others or near)[0]), f"{thing} is there.")
    if spot is not None and "move" in r.card.skills:
        shift = shift_for(r, spot)
        if shift is not None:
            return Action("move", shift, f"{thing} is just out of reach.")
    return None


def from_here(r: Reading, thing: str) -> str:
    """The note that the arm finds no path to a thing from this place."""
    return _tried(r, thing, r.at, r.stand or r.pose)


def _tried(r: Reading, thing: str, furniture: object, place: object) -> str:
    return f"no way to {thing} at {r.spot(thing)} from {furniture} {place}"


# -- searching ------------------------------------------------------------------------------------------------------
def _at_shut_box(r: Reading, memory: Memory) -> bool:
    if r.at not in r.furniture or not r.shut(r.at) or "open" not in r.card.skills:
        return False
    return not memory.gave_up(f"open({r.at})", r.me.step)


def _search(r: Reading, memory: Memory) -> Step:
    vanished = bool(memory.team - set(r.online))  # it may have dropped something
    vanished |= r.me.pulse is not None and memory.signs.quiet(r.me.heartbeat, r.me.step)
    late = r.me.step_limit is not None and 2 * r.me.step >= r.me.step_limit  # something was overlooked
    moved = r.belief.value("things_move") is True  # where people live, whatever was searched
    found = search.next_place(r, vanished or late or moved, _late(r, memory))
    if found is None:
        return Action(WAIT, (), "There is no place left that I could search."), memory
    place, own = found
    if not own and not memory.told("share done") and len(r.explorers) > 1:
        seen = [f for f in search.shares(r).get(r.name, []) if r.looked_at(f) is not None]
        if seen:
            return looked(r, seen), memory.tell("share done")
    stands = [s for s, _ in r.stands(place)]
    fresh = [s for s in stands if not memory.failed(f"navigate({place}, {s})", r.me.step)]
    if not fresh and not stands:
        return Action(WAIT, (), f"I cannot get to {place}."), memory
    why = f"I look for {', '.join(r.lost)}."
    if not r.card.manipulates:  # who takes nothing leaves the first side to those who do
        return Action("navigate", (place, (fresh or stands)[-1]), why), memory
    return Action("navigate", (place, _best_side(r, place, fresh or stands)), why), memory


def _late(r: Reading, memory: Memory) -> dict[str, int] | None:
    """Steps for which others do not search: they bring something, or have given no sign for longer than one does who
    searches. Where not all is heard, silence says nothing."""
    if not _all_is_heard(r, memory):
        return None
    things = [t for t in r.missing if not comes_later(r, t)]
    others = [n for n in r.explorers if n != r.name]
    out = {n: search.busy(r, n, things) for n in others}
    if r.me.pulse is not None:
        for n in others:
            out[n] += max(0, memory.signs.quiet_for(n, r.me.step) - SEARCHING)
    return out


def _best_side(r: Reading, place: str, stands: list[str]) -> str:
    """The side from which my arm reaches most: what I find there I may want to take."""
    return stands[0] if place == r.at else max(stands, key=lambda s: len(search.within_reach(r, r.card, place, s)))
