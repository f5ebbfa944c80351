"""The fixed arm: take off what is wrong, place what is within reach, ask for what is not, pass on what it knows."""

from __future__ import annotations

from typing import Any

from coterie.core.action import COMMUNICATE, WAIT, Action
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.protocols.rules.news import Memory, pass_on, request
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Point, Reading, distance

Step = tuple[Action, Memory]


def ask_for_far(r: Reading, memory: Memory) -> Step | None:
    """Ask carriers for what lies at my table but out of my reach."""
    far = [t for t, furniture in r.sites.items() if furniture == r.table and not memory.told(f"far {t} {r.where(t)}")]
    if not far or not r.carriers:
        return None
    action = request(r, far, sentences.OUT_OF_REACH.say(r.table, far))
    return action, memory.tell(*(f"far {t} {r.where(t)}" for t in far))


def arm_action(r: Reading, memory: Memory) -> Step:
    """Where things go all over the house (`brings`), the arm puts up what belongs on a platform of its table, says what
    it sees, and leaves the rest to carriers."""
    newcomers = [n for n in r.carriers + r.explorers if n in memory.newcomers and not memory.told(f"news {n}")]
    if newcomers and r.missing and not r.brings:
        news = pass_on(r, newcomers[:1])
        memory = memory.tell(f"news {newcomers[0]}")
        if news is not None:
            return news, memory
    wanted = [t for t in r.goal.targets if t not in r.right and (r.for_arm(t) or not r.brings)]
    if r.goal.kind == "stack":
        wanted = [] if r.wrong else wanted[:1]
    if r.held is not None:
        home = r.goal.home(r.held)
        if r.held in wanted and not memory.gave_up(f"place({r.held}, {home})", r.me.step):
            return Action("place", (r.held, home), f"{r.held} belongs on {home}."), memory
        why = "Others can take it from here." if r.brings else f"{r.held} is not wanted now."
        return Action("place", (r.held, r.table), why), memory
    asked = ask_for_far(r, memory)
    if asked is not None:
        return asked
    if r.goal.kind == "stack" and r.wrong:
        return Action("pick", (r.wrong[0],), f"{r.wrong[0]} must come off."), memory
    near = [t for t in wanted if r.delivered(t) and (r.brings or r.where(t) in (r.table, *r.goal.platforms))]
    tries = [(t, (f"pick({t})", f"place({t}, {r.goal.home(t)})")) for t in near]
    near = [t for t, actions in tries if not any(memory.gave_up(a, r.me.step) for a in actions)]
    if near:
        return Action("pick", (near[0],), f"{near[0]} is within my reach and needed."), memory
    if r.wrong:
        return Action("pick", (r.wrong[0],), f"{r.wrong[0]} does not belong there."), memory
    why = "Nothing is for me to do here." if r.brings else "Nothing is within my reach that is needed."
    return Action(WAIT, (), why), memory


def bring_home(r: Reading, thing: str, memory: Memory) -> Step:
    wanted = thing in r.goal.targets and thing not in r.right
    handed = _to_arm(r, thing, memory) if wanted and r.for_arm(thing) else None
    if handed is not None:
        return handed, memory
    homes = r.homes(thing) if wanted else []
    options = _options(r, thing, homes, memory)
    if not options and wanted:
        return Action(WAIT, (), f"I find no way to bring {thing} to {r.goal.home(thing)}."), memory
    if not options:
        return _rid(r, thing, memory)
    _, furniture, stand, home = options[0]
    if r.shut(furniture):
        if "open" not in r.card.skills:
            return ask_to_open(
                r, furniture, f"I bring {thing}, but {sentences.STATE.say(furniture, 'closed')}.", memory
            )
        if r.at == furniture:
            return Action("open", (furniture,), f"{thing} belongs there."), memory
    if r.at == furniture and (r.stand is None or r.stand == stand):
        return Action("place", (thing, home), f"{thing} belongs there."), memory
    return Action("navigate", (furniture, stand), f"I bring {thing} to {r.goal.home(thing)}."), memory


def _to_arm(r: Reading, thing: str, memory: Memory) -> Action | None:
    """Lay a thing where the arm takes it, which puts it on its platform; None where there is no way to."""
    stands = r.hand_over_stands(r.name) if r.can_visit(r.name, r.table) else []
    free = [s for s in stands if not memory.failed(f"navigate({r.table}, {s})", r.me.step)]
    if not stands or memory.gave_up(f"place({thing}, {r.table})", r.me.step):
        return None
    if r.at == r.table and (r.stand is None or r.stand in stands):
        return Action("place", (thing, r.table), f"{r.arm} can take {thing} from here.")
    return Action("navigate", (r.table, (free or stands)[0]), f"I bring {thing} to {r.arm}.")


def _options(r: Reading, thing: str, homes: list[str], memory: Memory) -> list[tuple[object, str, str, str]]:
    """Ways to put a thing down at home, the best first: here, what stands open, what is near."""
    found: list[tuple[object, str, str, str]] = []
    low, high = r.card.reach_low_m, r.card.reach_high_m
    for home in homes:
        furniture = r.furniture_of(home)
        if furniture is None or not r.can_visit(r.name, furniture):
            continue
        if memory.gave_up(f"place({thing}, {home})", r.me.step):
            continue
        if not low <= r.look("height", furniture) <= high:  # type: ignore[operator]
            continue
        for stand, pose in r.stands(furniture):
            failed = memory.failed(f"navigate({furniture}, {stand})", r.me.step)
            if _room(r, home, furniture, stand, pose):
                here = r.at == furniture and r.stand == stand
                rank = (failed > 0, r.shut(furniture), not here, round(distance(r.pose, pose), 3), furniture, stand)
                found.append((rank, furniture, stand, home))
    return sorted(found)


def _room(r: Reading, home: str, furniture: str, stand: str, pose: Point) -> bool:
    """True if there is room for it, as far as I know: on the furniture, or in a caddy that stands there."""
    if not r.look("holder", home):
        return r.look("lay_spot", r.name, furniture, stand) is not None
    spot = r.spot(home)
    return spot is None or r.card.gap(pose, spot) <= r.card.reach_m


def _rid(r: Reading, thing: str, memory: Memory) -> Step:
    """Lay down what is not wanted: here, or where there is room."""
    if isinstance(r.at, str) and r.at in r.furniture and not r.shut(r.at) and r.look("room_on", r.name, r.at) is True:
        return Action("place", (thing, r.at), f"{thing} is not wanted now."), memory
    options = _options(r, thing, [f for f in r.furniture if not r.look("person", f)], memory)
    if not options:
        return Action(WAIT, (), f"{thing} is not wanted now, and there is nowhere to lay it down."), memory
    _, furniture, stand, _ = options[0]
    return Action("navigate", (furniture, stand), f"{thing} is not wanted now."), memory


# -- closed doors -----------------------------------------------------------------------------------------------------
# Closed doors on the way: open them, ask a robot that can, or wait.
# A robot counts a door as closed when the map says that it begins so, when it failed at it or stood before it, or when
# it was told; until then it takes the way that the map shows.
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
