"""A stranger's knowledge as the text of a prompt: itself, rooms, furniture, things, the others and their messages.

Only what it perceived or was told stands here. What is misplaced stands as it was judged before; where it belongs is
for the reader to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coterie.core.facts import Belief
from coterie.core.files import tables
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.teammates import Said
from coterie.protocols.heuristic.adapter import Heard
from coterie.protocols.heuristic.lines import SEEN_CELLS, TALL_M
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, number_of, room_at, rooms_known, survey_of

if TYPE_CHECKING:
    from coterie.protocols.adhoc.stranger import Stranger

NONE = "none"
BUDGETS = {"compact": 7_000, "full": 60_000}  # characters of a whole prompt; the oldest messages go first
LISTED = {"compact": 500, "full": 12_000}  # characters of a list of detected things
JAMMED_STEPS = 40  # for so long a room counts as jammed
UNLIKELY = 0.05  # kinds of rooms with smaller odds are not named
CLEAR = 0.97  # of the odds: then no other kind is named


def situation(stranger: Stranger, me: RobotView, style: str) -> dict[str, str]:
    """All that stands in every prompt, but for the messages."""
    survey = survey_of(me)
    now = {f.args[0] for f in me.now.facts if f.pred == "spot"} if me.now is not None else set()
    return {
        "name": me.name,
        "goal": str(getattr(me.belief.value("goal"), "text", lambda: "")()),
        "step": f"{me.step} of {me.step_limit}" if me.step_limit else str(me.step),
        "joined": str(stranger.joined_at),
        "why": f"You plan since {stranger.why}." if stranger.why else "",
        "ability": ability_words(me),
        "state": state_words(me),
        "rooms": lines(room_lines(stranger, me, survey)),
        "receptacles": lines(receptacle_lines(me, survey)),
        "before": things_words(survey, [t for t in survey.things.values() if t.name not in now], LISTED[style]),
        "now": things_words(survey, [t for t in survey.things.values() if t.name in now], LISTED[style]),
        "astray": lines(thing_line(stranger, me, survey, t) for t in stranger.astray(me).values()),
        "abilities": lines(f"{name}: {told_ability(told)}" for name, told in stranger.company.mates.items()),
        "states": lines(
            f"{name}: {told_state(told, me.time, stranger.company.spoke[name])}"
            for name, told in stranger.company.mates.items()
        ),
        "underway": NONE if stranger.subtask is None else str(stranger.subtask),
        "lately": "; ".join([*stranger.assessed[-3:], *(f"finished {p}" for p in stranger.finished[-3:])]) or NONE,
    }


def lines(found: Iterable[str]) -> str:
    return "\n".join(found) or NONE


# -- itself -----------------------------------------------------------------------------------------------------------
def ability_words(me: RobotView) -> str:
    card = me.card
    arm = f"arm, lifts {card.payload_kg:g} kg" if card.manipulates else "no arm"
    height = "high" if (card.camera_m or 0.0) > TALL_M else "low"
    left, whole = me.belief.value("battery", me.name), card.battery_steps
    battery = f"battery {left} of {whole} steps" if whole is not None else "battery without end"
    return f"{arm}, camera {height}, {battery}"


def state_words(me: RobotView) -> str:
    x, y, heading, _ = chart_of(me).pose
    held = me.belief.value("holding", me.name)
    kind = f" ({me.belief.value('kind', held)})" if isinstance(held, str) else ""
    holds = f"{held}{kind}" if isinstance(held, str) else "nothing"
    room = room_at(me.belief, x, y) or "a doorway"
    return f"You are in {room} at ({x:g}, {y:g}), heading {heading:g}, and hold {holds}."


# -- the house --------------------------------------------------------------------------------------------------------
def room_words(survey: Survey, room: str) -> str:
    """The kind of a room, or how likely it is of which kinds."""
    if not survey.rooms.get(room):
        return "kind unclear"
    odds = survey.odds(room)
    best = max(odds.items(), key=lambda item: item[1])
    if best[1] >= CLEAR:
        return best[0]
    return ", ".join(f"{kind} {share:.0%}" for kind, share in odds.items() if share >= UNLIKELY)


def room_lines(stranger: Stranger, me: RobotView, survey: Survey) -> list[str]:
    chart, mates = chart_of(me), stranger.company.mates
    heard = {t.room for t in mates.values() if t.room} | stranger.company.explored()
    seen = rooms_known(me.belief)
    done = set(stranger.explored(me, survey))
    doors: dict[str, list[tuple[float, float]]] = {}
    for fact in me.belief.facts("joins"):
        for room in fact.value[:2]:  # type: ignore[index]
            doors.setdefault(room, []).append(fact.value[2:4])  # type: ignore[index]
    found, closer = [], stranger.closer(me)
    for room in sorted({*seen, *(r for r in heard if number_of(r))}, key=number_of):
        number = number_of(room)
        goals = chart.frontier & chart.room(number) if number else 0
        steps = chart.steps_to(goals) if goals else None
        parts = [room_words(survey, room)]
        if room not in seen:
            parts.append("you have not seen it")
        elif steps is None and doors.get(room) and int((chart.cells == number).sum()) < SEEN_CELLS:
            steps = chart.steps_to(chart.near(doors[room], 0.6))
        if steps is not None:
            corners = "corners " if stranger.corners(me, room) else ""
            parts.append(f"{corners}left to explore, {steps} steps")
        elif room in seen:
            parts.append("you explored it" if room in done else "you see no way to explore it further")
        if room in closer:
            count, far = closer[room]
            parts.append(f"{count} place{'s' * (count > 1)} to look at from nearer, {far} steps")
        if me.step - stranger.jammed.get(room, -JAMMED_STEPS) < JAMMED_STEPS:
            parts.append("a moment ago you found no way to explore it")
        for name, told in mates.items():
            if room in told.explored:
                camera = "" if told.tall is None else " (camera high)" if told.tall else " (camera low)"
                parts.append(f"explored by {name}{camera}")
            elif stranger.exploring(me, name) and stranger.room_of(me, name) == room:
                parts.append(f"{name} is there and explores")
        found.append(f"{room}: {'; '.join(parts)}")
    return found


def receptacle_lines(me: RobotView, survey: Survey) -> list[str]:
    by_room: dict[str, list[str]] = {}
    for piece, (kind, room) in survey.pieces.items():
        box = me.belief.value("box", piece)
        if isinstance(box, tuple) and box[6]:
            by_room.setdefault(room, []).append(f"{piece} ({kind}) at ({box[0]:g}, {box[1]:g})")
    return [f"{room}: {', '.join(found)}" for room, found in by_room.items()]


def things_words(survey: Survey, things: Sequence[Thing], most: int) -> str:
    """Things by where they lie: `room_1 counter_top_0: mug_0, plate_1`; what goes beyond `most` characters is left
    out, the oldest first."""
    found: dict[str, list[str]] = {}
    for thing in things:
        found.setdefault(f"{survey.room_of(thing) or 'somewhere'} {thing.where}", []).append(thing.name)
    rows = [f"{where}: {', '.join(names)}" for where, names in found.items()]
    kept: list[str] = []
    for row in reversed(rows):
        if sum(map(len, kept)) + len(row) > most:
            kept.append("...")
            break
        kept.append(row)
    return "; ".join(reversed(kept)) or NONE


def thing_line(stranger: Stranger, me: RobotView, survey: Survey, thing: Thing) -> str:
    """`mug_3 (Mug) on bathtub_0 (Bathtub) in room_2 at (4.1, 6.3), 14 steps; told by Alice`"""
    chart = chart_of(me)
    parts = [f"{thing.name} ({thing.kind}) {place_words(survey, thing)}"]
    if thing.spot is not None:
        chart.include(*thing.spot[:2])
        way = chart.way(chart.near([thing.spot[:2]], 1.3), boldly=True)
        straight = math.dist(thing.spot[:2], chart.pose[:2]) / chart.step_m
        far = len(way) - 1 if way is not None else math.ceil(2 * straight)
        parts.append(f"at ({thing.spot[0]:g}, {thing.spot[1]:g}), {far} steps")
    spot = me.belief.fact("spot", thing.name)
    if spot is not None and spot.source != me.name:
        parts.append(f"told by {spot.source}")
    if thing.name in stranger.since:
        parts.append(f"known for {me.step - stranger.since[thing.name]} steps")
    mass = me.belief.value("mass", thing.name)
    if isinstance(mass, (int, float)):
        parts.append(f"{mass:g} kg")
    tried = len(stranger.failed.get(thing.name, ()))
    if tried:
        lately = stranger.can_take(me, thing.name)
        parts.append(f"you tried {tried} times in vain" + (", a moment ago" if lately else ""))
    for name, told in stranger.company.mates.items():
        if any(what == thing.name for what, _ in told.failed):
            parts.append(f"{name} could not take it")
    return "; ".join(parts)


def place_words(survey: Survey, thing: Thing) -> str:
    room = survey.room_of(thing)
    kind = survey.pieces.get(thing.where, ("", ""))[0] or "unknown"
    on = FLOOR if thing.where == FLOOR else f"{thing.where} ({kind})"
    return f"on {on} in {room or 'an unknown room'} ({room_words(survey, room)})"


# -- the others -------------------------------------------------------------------------------------------------------
def told_ability(told: Heard) -> str:
    parts = []
    if told.arm is not None:
        lifts = "" if told.payload_kg is None else f", lifts {told.payload_kg:g} kg"
        parts.append(f"arm{lifts}" if told.arm else "no arm")
    if told.tall is not None:
        parts.append(f"camera {'high' if told.tall else 'low'}")
    if told.battery_steps is not None:
        parts.append(f"battery {told.battery_steps} steps")
    return ", ".join(parts) or "said nothing of it"


def told_state(told: Heard, now: float, spoke: float) -> str:
    parts = []
    if told.position is not None:
        parts.append(f"at ({told.position[0]:g}, {told.position[1]:g})")
    if told.room:
        parts.append(f"in {told.room}")
    if told.holding is not None:
        parts.append(f"holds {told.holding or 'nothing'}")
    if told.battery_left is not None:
        left = told.battery_left - round(now - spoke)
        parts.append(f"battery {left} steps" if left > 0 else "its battery must be empty by now")
    if told.subtask is not None:
        parts.append(f"sub-task {told.subtask}")
    return ", ".join(parts) or "said nothing of it"


# -- what was said ----------------------------------------------------------------------------------------------------
def messages(said: Sequence[Said], room: int) -> str:
    """The last messages that fit into so many characters, the oldest left out first."""
    kept: list[str] = []
    used = 0
    for entry in reversed(said):
        words = f"step {entry.step} {entry.who}: {' / '.join(entry.text.splitlines())}"
        used += len(words) + 1
        if used > room:
            break
        kept.append(words)
    return "\n".join(reversed(kept)) or NONE


# -- the task ----------------------------------------------------------------------------------------------------------
class Job(NamedTuple):
    about: str  # what is asked for, in words
    subtasks: str  # the template with the sub-tasks
    skills: str  # and with the sub-skills
    wanted: str  # what the things are called that matter
    judges: bool  # whether it is for the robot to say which things these are


_JOBS = tables(__package__, "jobs.toml")
JOBS = {name: Job(**row) for name, row in _JOBS.items()}


def job_of(belief: Belief) -> Job:
    return JOBS.get(str(getattr(belief.value("goal"), "kind", "")), JOBS["tidy-up"])
