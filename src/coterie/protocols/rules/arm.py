"""The fixed arm: take off what is wrong, place what is within reach, ask for what is not, pass on what it knows."""

from __future__ import annotations

from coterie.core.action import WAIT, Action
from coterie.protocols.rules.memory import Memory
from coterie.protocols.rules.messages import pass_on, request
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading


def ask_for_far(r: Reading, memory: Memory) -> tuple[Action, Memory] | None:
    """Ask carriers for what lies at my table but out of my reach."""
    far = [t for t, furniture in r.sites.items() if furniture == r.table and not memory.told(f"far {t} {r.where(t)}")]
    if not far or not r.carriers:
        return None
    action = request(r, far, sentences.OUT_OF_REACH.say(r.table, far))
    return action, memory.tell(*(f"far {t} {r.where(t)}" for t in far))


def arm_action(r: Reading, memory: Memory) -> tuple[Action, Memory]:
    if r.brings:
        return _among_others(r, memory)
    newcomers = [n for n in r.carriers + r.explorers if n in memory.newcomers and not memory.told(f"news {n}")]
    if newcomers and r.missing:
        news = pass_on(r, newcomers[:1])
        memory = memory.tell(f"news {newcomers[0]}")
        if news is not None:
            return news, memory
    wanted = [t for t in r.goal.targets if t not in r.right]
    if r.goal.kind == "stack":
        wanted = [] if r.wrong else wanted[:1]
    if r.held is not None:
        home = r.goal.home(r.held)
        if r.held in wanted and not memory.gave_up(f"place({r.held}, {home})", r.me.step):
            return Action("place", (r.held, home), f"{r.held} belongs on {home}."), memory
        return Action("place", (r.held, r.table), f"{r.held} is not wanted now."), memory

    asked = ask_for_far(r, memory)
    if asked is not None:
        return asked
    if r.goal.kind == "stack" and r.wrong:
        return Action("pick", (r.wrong[0],), f"{r.wrong[0]} must come off."), memory
    near = [t for t in wanted if r.where(t) in (r.table, *r.goal.platforms) and r.delivered(t)]
    near = [t for t in near if not memory.gave_up(f"pick({t})", r.me.step)]
    if near:
        return Action("pick", (near[0],), f"{near[0]} is within my reach and needed."), memory
    if r.wrong:
        return Action("pick", (r.wrong[0],), f"{r.wrong[0]} does not belong there."), memory
    return Action(WAIT, (), "Nothing is within my reach that is needed."), memory


def _among_others(r: Reading, memory: Memory) -> tuple[Action, Memory]:
    """Things go all over the house: the arm puts up what belongs on a platform of its table, says what it sees, and
    leaves the rest to carriers."""
    mine = [t for t in r.goal.targets if t not in r.right and r.for_arm(t)]
    if r.held is not None:
        home = r.goal.home(r.held)
        if r.held in mine and not memory.gave_up(f"place({r.held}, {home})", r.me.step):
            return Action("place", (r.held, home), f"{r.held} belongs on {home}."), memory
        return Action("place", (r.held, r.table), "Others can take it from here."), memory
    asked = ask_for_far(r, memory)
    if asked is not None:
        return asked
    near = [t for t in mine if r.delivered(t) and not memory.gave_up(f"pick({t})", r.me.step)]
    if near:
        return Action("pick", (near[0],), f"{near[0]} is within my reach and needed."), memory
    return Action(WAIT, (), "Nothing is for me to do here."), memory
