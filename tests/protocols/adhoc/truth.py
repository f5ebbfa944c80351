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
def told(t: Truth) -> dict[str, object]:
    """What can be read of a message that says everything."""
    return {
        "arm": t.arm, "tall": t.tall, "battery_steps": t.full, "position": t.at, "room": t.room, "holding": t.held,
        "battery_left": t.left, "subtask": t.task, "explored": t.explored, "misplaced": t.found.name,
    } | ({"payload_kg": t.payload} if t.arm else {})  # fmt: skip


def understood(t: Truth, heard: Heard) -> dict[str, object]:
    """What of it was read, and how."""
    found = {name: getattr(heard, name) for name in told(t)}
    if len(heard.misplaced) == 1 and _agrees(heard.misplaced[0], t.found):
        found["misplaced"] = t.found.name
    if t.arm and heard.payload_kg is not None and abs(heard.payload_kg - t.payload) < 0.01:
        found["payload_kg"] = t.payload
    return found


def wrong(t: Truth, heard: Heard) -> dict[str, object]:
    """What was read otherwise than it is; to have read nothing, or only some of a list, is not wrong."""
    found = {n: v for n, v in understood(t, heard).items() if v not in (None, (), told(t)[n])}
    if set(heard.explored) <= set(t.explored):
        found.pop("explored", None)
    if set(heard.unexplored) & set(t.explored) or heard.receptacles:
        found["places"] = heard.unexplored or heard.receptacles
    if not t.arm and (heard.payload_kg or 0.0) >= 0.01:
        found["payload_kg"] = heard.payload_kg
    return found


def _agrees(found: Found, true: Found) -> bool:
    same = found.on in ("", true.on) and found.room in ("", true.room) and found.at in (None, true.at)
    return same and found.name == true.name
