"""What a robot tells in all of the formats, drawn from a seed, and how much of it was read rightly."""

from __future__ import annotations

import random
from dataclasses import dataclass

from coterie.protocols.heuristic.adapter import Found, Heard, Phrase

KINDS = ("Mug", "ButterKnife", "CellPhone", "TeddyBear", "WineBottle", "Pillow", "Laptop", "RemoteControl")
PIECES = ("counter_top_0", "sofa_1", "dining_table_0", "bed_2", "tv_stand_0", "bathtub_0", "floor")
HOMES = ("CounterTop", "Sofa", "DiningTable", "Bed", "ShelvingUnit", "Desk")
ROOMS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")


def drawn(seed: int) -> Truth:
    rng = random.Random(seed)
    arm, full = rng.random() < 0.5, rng.randint(50, 500)
    things = [f"{snake(k)}_{rng.randint(0, 9)}" for k in rng.sample(KINDS, 3)]
    rooms = rng.sample([f"room_{n}" for n in range(1, 10)], 5)
    task = rng.choice(
        [
            Phrase("Explore", (rooms[0],)),
            Phrase("Re-place", (things[0], rng.choice(HOMES), rng.choice(ROOMS))),
            Phrase("Stop"),
        ]
        if arm
        else [Phrase("Explore", (rooms[0],)), Phrase("Stop")]
    )
    found = Found(
        things[1], kind(things[1]), rng.choice(PIECES), rooms[3], (rng.randint(0, 60) / 4, rng.randint(0, 60) / 4)
    )
    return Truth(
        rng.choice(("Alice", "Bob", "Carol", "Dave", "Erin")), arm, round(rng.uniform(0.1, 20), 2) if arm else 0.0,
        rng.random() < 0.5, full, (rng.randint(0, 60) / 4, rng.randint(0, 60) / 4), rooms[1],
        things[2] if arm and rng.random() < 0.5 else "", rng.randint(0, full), task,
        tuple(sorted(rooms[2:3] + rooms[4:])), found,
    )  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """What a robot tells in all of the formats."""

    name: str
    arm: bool
    payload: float
    tall: bool
    full: int
    at: tuple[float, float]
    room: str
    held: str
    left: int
    task: Phrase
    explored: tuple[str, ...]
    found: Found

    @property
    def height(self) -> float:
        return 1.6 if self.tall else 0.9

    @property
    def x(self) -> str:
        return f"{self.at[0]:g}"

    @property
    def y(self) -> str:
        return f"{self.at[1]:g}"

    @property
    def doing(self) -> str:
        return " ".join((self.task.name, *self.task.args))


def snake(kind: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(kind))


def kind(name: str) -> str:
    return "".join(w.capitalize() for w in name.split("_")[:-1])


# -- judging ----------------------------------------------------------------------------------------------------------
def expected(t: Truth) -> dict[str, object]:
    """What can be read of a message that says everything."""
    return {
        "arm": t.arm, "payload_kg": t.payload, "tall": t.tall, "battery_steps": t.full, "position": t.at,
        "room": t.room, "holding": t.held, "battery_left": t.left, "subtask": t.task, "explored": t.explored,
        "misplaced": t.found.name,
    }  # fmt: skip


def judged(t: Truth, text: str, heard: Heard) -> tuple[int, int, int]:
    """How many values were read rightly, how many wrongly, and how many the text says at all."""
    right = wrong = said = 0
    for name, value in expected(t).items():
        got = getattr(heard, name)
        told = _told(t, name, text)
        said += told
        if name == "explored":
            good, bad = set(got) & set(value), set(got) - set(value)  # type: ignore[call-overload]
            right += told and good == set(value)  # type: ignore[call-overload]
            wrong += bool(bad)
        elif name == "misplaced":
            right += told and [f.name for f in got] == [value] and _agrees(got[0], t.found)
            wrong += any(f.name != value or not _agrees(f, t.found) for f in got)
        elif name == "payload_kg":
            right += told and got is not None and abs(got - t.payload) < 0.01
            wrong += got is not None and abs(got - t.payload) >= 0.01
        else:
            right += told and got == value
            wrong += got is not None and got != value
    wrong += bool(set(heard.unexplored) & set(t.explored)) + bool(heard.receptacles)
    return right, wrong, said


def _agrees(found: Found, true: Found) -> bool:
    return found.on in ("", true.on) and found.room in ("", true.room) and found.at in (None, true.at)


def _told(t: Truth, name: str, text: str) -> bool:
    """Whether a text says it at all: formats leave some of it out."""
    if name == "payload_kg":
        return f"{t.payload:g}" in text if t.arm else False
    if name == "battery_steps":
        return str(t.full) in text
    if name == "battery_left":
        return str(t.left) in text
    if name == "misplaced":
        return t.found.name in text
    if name == "explored":
        return all(r in text or r.replace("room_", "R") in text for r in t.explored)
    if name == "subtask":
        return (
            (t.task.name != "Stop" and any(a in text.replace("+", " ") for a in t.task.args))
            or "stop" in text.lower()
            or "done" in text.lower()
        )
    if name == "tall":
        return any(word in text for word in (f"{t.height}", "tall", "small", "Tall", "Small", "high", "low", "short"))
    if name == "room":
        return t.room in text or t.room.replace("room_", "R") in text
    if name == "position":
        return t.x in text and t.y in text
    return True
