"""How heuristic teammates talk: lines of a key and what it says, each of words or of `name=value`.

robot: Alice
ability: arm=yes payload=6.22 height=tall battery=63
state: x=2.5 y=1.25 heading=270 room=room_3 holding=none battery=41
task: Re-place <mug_0> <CounterTop> <Kitchen>
misplaced: mug_0 kind=Mug on=bathtub_0 room=room_2 x=4.1 y=6.32
done: mug_0 on=counter_top_0 room=room_1
explored: room_1, room_2
failed: mug_0: mug_0 is too heavy: 0.30 kg, and Alice lifts 0.20 kg.
report: book_1 on=desk_0

Who is no teammate and tells what it intends is answered in the same lines, and with one more:
intention: Re-place <mug_0> <CounterTop> <Kitchen>
answer: no, I re-place mug_0 myself
Both tell of furniture; teammates, where what a robot holds belongs:
receptacle: counter_top_0 kind=CounterTop room=room_4 x=1.5 y=0.5
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.protocol import RobotView
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import room_at

SEEN_CELLS = 60  # of its floor must be known before a room can count as explored
TALL_M = 1.2  # cameras above that are high
MOST_M = 1e4  # places further off are of no house
KEYS = (
    "robot", "ability", "state", "task", "misplaced", "done", "explored", "failed", "report", "intention", "answer",
    "receptacle",
)  # fmt: skip


def pairs(**values: Any) -> str:
    return " ".join(f"{key}={show(value)}" for key, value in values.items())


def show(value: Any) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def ability(me: RobotView) -> str:
    """The abilities of a robot, as a line tells them."""
    card = me.card
    tall = "tall" if (card.camera_m or 0.0) > TALL_M else "small"
    return pairs(arm=card.manipulates, payload=card.payload_kg, height=tall, battery=card.battery_steps)


def state(me: RobotView) -> str:
    """Where a robot is, what it holds and how much battery is left, as a line tells it."""
    x, y, heading, _ = chart_of(me).pose
    held, battery = me.belief.value("holding", me.name), me.belief.value("battery", me.name)
    return pairs(x=x, y=y, heading=heading, room=room_at(me.belief, x, y), holding=held, battery=battery)


def write(lines: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"{key}: {words}" for key, words in lines)


def read(text: str) -> list[tuple[str, str]]:
    """The lines of a message that are such; everything else in it is left out."""
    found = []
    for line in text.splitlines():
        key, colon, words = line.partition(":")
        if colon and key.strip() in KEYS:
            found.append((key.strip(), words.strip()))
    return found


def values(words: str) -> dict[str, str]:
    """The `name=value` pairs of a line."""
    split = (word.partition("=") for word in words.split())
    return {name: value for name, sign, value in split if sign}


def point(words: str) -> tuple[float, float] | None:
    """The place that a line names as x and y; None where it names none."""
    given = values(words)
    try:
        found = float(given["x"]), float(given["y"])
    except (KeyError, ValueError):
        return None
    return found if all(abs(v) < MOST_M for v in found) else None
