"""Bringing what is in the hand to its home, wherever in the house that is."""

from __future__ import annotations

from coterie.core.action import WAIT, Action
from coterie.protocols.rules.doors import ask_to_open
from coterie.protocols.rules.memory import Memory
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Point, Reading, distance

Step = tuple[Action, Memory]


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
    """Whether there is room for it, as far as I know: on the furniture, or in a caddy that stands there."""
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
