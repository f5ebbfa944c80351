"""How teammates talk: lines of a key and what it says, each of words or of `name=value`. Heuristic ones send the lines
as they are, learnt ones in a compact code, negotiating ones in sentences.

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

Who lives in the house says so, and what is to stay where it lies; who asks for things is told where they were seen:
resident: Ann
keep: mug_0 kind=Mug on=sofa_0 room=room_2 x=4.1 y=6.32
sought: mug_0, book_1
seen: mug_0 kind=Mug on=sofa_0 room=room_2 x=4.1 y=6.32
A robot asks a resident who is in its way to step aside:
pass: Alice x=2.5 y=1.25
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.files import tables
from coterie.core.protocol import RobotView
from coterie.worlds.household.knowledge.chart import Chart, chart_of
from coterie.worlds.household.knowledge.graph import MOST_M, number_of, room_at

SEEN_CELLS = 60  # of its floor must be known before a room can count as explored
TALL_M = 1.2  # cameras above that are high
AGAIN_S, MOST_FAILURES = 60.0, 3  # after a failure, before the same is tried again; of one robot with one thing
LIVES, KEEP, SOUGHT, SEEN, PASS = "resident", "keep", "sought", "seen", "pass"
KEYS = (
    "robot", "ability", "state", "task", "misplaced", "done", "explored", "failed", "report", "intention", "answer",
    "receptacle", LIVES, KEEP, SOUGHT, SEEN, PASS,
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


def is_explored(chart: Chart, room: str) -> bool:
    """True if the floor of a room is known and nothing is left to explore in it, by what a robot has seen."""
    number = number_of(room)
    seen = int(np.count_nonzero(chart.cells == number))
    return seen >= SEEN_CELLS and not chart.frontier & chart.room(number)


def gave_up(times: Sequence[float], now: float) -> bool:
    """True if what went wrong at these times is not tried again yet."""
    return len(times) >= MOST_FAILURES or any(now - t < AGAIN_S for t in times)


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


# -- three ways to write them -----------------------------------------------------------------------------------------
Lines = Sequence[tuple[str, str]]
_CAMERAS = {"tall": "1.6", "small": "0.9"}  # heights in metres
_FORMS = tables(__package__, "forms.toml")


def write(lines: Lines) -> str:
    return "\n".join(f"{key}: {words}" for key, words in lines)


def code(lines: Lines) -> str:
    return "; ".join(_FORMS["code"].get(key, "{key} {words}").format_map(_in_code(key, words)) for key, words in lines)


def sentences(lines: Lines) -> str:
    return " ".join(
        _FORMS["sentences"].get(key, "{key}: {words}.").format_map(_in_words(key, words)) for key, words in lines
    )


def _given(words: str) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """The values that forms take from a line: as it stands, its pairs that are not "none", and its brackets."""
    given = values(words)
    known = {name: value for name, value in given.items() if value != "none"}
    plain = {**given, "words": words, "thing": words.partition(" ")[0], "what": words.partition(":")[0]}
    return plain, known, re.findall(r"<([^<>]*)>", words)


def _in_code(key: str, words: str) -> dict[str, str]:
    plain, known, args = _given(words)
    room, battery, height = _short(known.get("room", "")), known.get("battery", ""), known.get("height", "none")
    said, _, why = words.partition(", ")
    task = f"XPL {_short(''.join(args))}".strip() if words.startswith("Explore") else words.upper()
    if words.startswith("Re-place") and len(args) == 3:
        task = f"PUT {args[0]}>{args[1]}" + (f"@{args[2]}" if args[2] else "")
    return {
        **plain,
        "key": key.upper(),
        "able": "1" if known.get("arm") == "yes" else "0",
        "eyes": _CAMERAS.get(height, height),
        "power": f" B{battery}" if battery.isdecimal() else "",
        "hand": known.get("holding", "-"),
        "beside": f" {room}" if room else "",
        "within": f"@{room}" if room else "",
        "code_room": room or "none",
        "rooms": _short(words).replace(", ", ","),
        "answer": f"{said.upper()}, {_short(why)}" if why else said.upper(),
        "task": task,
    }


def _short(words: str) -> str:
    return re.sub(r"\broom_(\d+)", r"R\1", words)


def _in_words(key: str, words: str) -> dict[str, str]:
    plain, known, args = _given(words)
    room, battery, height = known.get("room", ""), known.get("battery", ""), known.get("height", "")
    said, _, why = words.partition(", ")
    task = "I stop here." if words == "Stop" else "I wait and watch."
    if words.startswith("Re-place") and len(args) == 3:
        task = f"I am taking {args[0]} to the {args[1] or 'right place'}{f' in the {args[2]}' if args[2] else ''}."
    elif words.startswith("Explore"):
        task = f"I am exploring {args[0]}." if args else "I am exploring."
    return {
        **plain,
        "key": key,
        "able": f"an arm that lifts {plain.get('payload')} kg" if known.get("arm") == "yes" else "no arm",
        "eyes": f", my camera is at {_CAMERAS[height]} m" if height in _CAMERAS else "",
        "lasts": f" and my battery lasts {battery} steps in all" if battery.isdecimal() else "",
        "left": f"; {battery} steps are left" if battery.isdecimal() else "",
        "hand": known.get("holding", "nothing"),
        "within": f" in {room}" if room else "",
        "rooms": words.replace(", ", " and "),
        "answer": f"I object: {why}." if said == "no" else "I agree.",
        "task": task,
    }
