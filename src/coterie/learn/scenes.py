"""Scenes for the sampler of sentences: names drawn anew for each sample, and how people say them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any

from coterie.talk import vocabulary
from coterie.talk.brief import Scene

FRESH = 0.55  # of all scenes have names from the dictionary
NUMBERS = {number: vocabulary.NUMBERS[number] for number in (*range(2, 13), 15, 20)}
ONE = {1: "one", **NUMBERS}
AMOUNTS = {2: ["a couple of", "a pair of", "a couple"], 6: ["half a dozen"], 12: ["a dozen"]}
ORDINALS = {1: "first", 2: "second", 3: "third"}
HOURS = {15: ["a quarter of an hour"], 30: ["half an hour"] * 2, 45: ["three quarters of an hour"],
         60: ["an hour", "one hour", "1 hour"]}  # fmt: skip
SHELVES = ("shelf", "desk", "bench", "counter", "rack", "cart", "table")
COMMON_ROOMS = {"office", "pharmacy", "kitchen", "lab", "storage", "reception", "icu", "lobby", "theatre", "corridor",
                "canteen", "workshop", "library", "bathroom", "bedroom", "hallway", "garage", "cellar"}  # fmt: skip


@lru_cache(maxsize=1)
def around() -> dict[str, Any]:
    """Names to draw, and what people say around what they mean."""
    import tomllib

    return tomllib.loads(resources.files("coterie.talk").joinpath("ways/around.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def dictionary() -> list[str]:
    words = resources.files("coterie.learn").joinpath("words.txt").read_text("utf-8").split()
    return [w for w in words if len(w) > 3]


@dataclass
class Drawn:
    """Names of one scene, by the kinds of `talk.brief.KINDS`."""

    robot: list[str] = field(default_factory=list)
    person: list[str] = field(default_factory=list)
    room: list[str] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    door: list[str] = field(default_factory=list)
    kit: list[str] = field(default_factory=list)
    item: list[str] = field(default_factory=list)

    def scene(self) -> Scene:
        return Scene({kind: {n: n for n in names} for kind, names in vars(self).items()})


def draw(rng: random.Random) -> Drawn:
    """A scene of two to five robots, and so on."""
    fresh = rng.random() < FRESH

    def some(kind: str, low: int, high: int) -> list[str]:
        found: dict[str, str] = {}
        for _ in range(rng.randint(low, high)):
            word = _word(rng, kind, fresh)
            found.setdefault(word.lower(), word.capitalize() if kind == "robots" else word)
        return list(found.values())

    made = Drawn(some("robots", 2, 5), some("people", 2, 5), some("rooms", 3, 6))
    made.kit, made.item = some("kits", 1, 4), some("things", 4, 8)
    letters = rng.sample("ABCDEFGH", rng.randint(3, 7))
    if rng.random() < 0.5:
        letters.sort()
    if rng.random() < 0.7:
        made.table = [f"table {c}" for c in letters]
    else:
        made.table = list(dict.fromkeys(f"{rng.choice(dictionary())} {rng.choice(SHELVES)}" for _ in letters))
    rooms = rng.sample(made.room, min(len(made.room), rng.randint(2, 6)))
    made.door = [f"{room} door" for room in rooms] + (["side door"] if rng.random() < 0.5 else [])
    return made


def _word(rng: random.Random, kind: str, fresh: bool) -> str:
    words = dictionary()
    word: str = rng.choice(words) if fresh and rng.random() < 0.7 else rng.choice(around()["names"][kind])
    if fresh and kind == "things" and rng.random() < 0.3:
        return f"{rng.choice(words)} {rng.choice(words)}"
    if fresh and kind == "kits" and rng.random() < 0.3:
        return rng.choice(words) + rng.choice(["kit", "kit", "set", "pack", "box"])
    return word


# -- how names are said -----------------------------------------------------------------------------------------------
def say_door(rng: random.Random, door: str) -> str:
    room = door.removesuffix(" door")
    if door == "side door":
        return rng.choice(["the side door", "the side door", "side door", "the door at the side"])
    return rng.choice([
        f"the {door}", f"the door to {room}", f"{room}'s door", f"the door of {room}", f"the {door}", f"door {room}",
        f"the door to {room}", door, f"the door to the {room}", f"the entrance to {room}",
        f"the door that leads to {room}", f"{room}door",
    ])  # fmt: skip


def say_table(rng: random.Random, table: str) -> str:
    if table.startswith("table ") and len(table) == 7:
        letter = table[-1]
        return rng.choice([
            table, table, table, table, table.lower(), table.lower(), table.replace(" ", ""), f"the {table}", letter,
            f"table {letter.lower()}", table.upper(), f"the table named {letter}",
        ])  # fmt: skip
    return rng.choice([f"the {table}"] * 4 + [table])


def say_kit(rng: random.Random, kit: str) -> str:
    parts, draw = re.fullmatch(r"(\w{3,})(kit|set|pack|box)", kit), rng.random()
    if parts and draw < 0.18:
        return f"{parts[1]}{' ' if draw < 0.15 else '-'}{parts[2]}"
    return kit.capitalize() if draw > 0.96 else kit


def say_room(rng: random.Random, room: str) -> str:
    draw, numbered = rng.random(), re.fullmatch(r"([a-z]+)(\d+)", room)
    if numbered and draw < 0.6:
        return f"{numbered[1]} {numbered[2]}"
    if room in COMMON_ROOMS:
        return f"the {room}" if draw < 0.75 else room
    for limit, words in ((0.8, room), (0.87, f"room {room}"), (0.95, f"the {room}"), (0.97, f"the {room} room")):
        if draw < limit:
            return words
    return room.capitalize()


def say_thing(rng: random.Random, thing: str, others: Sequence[str]) -> str:
    draw, synonyms = rng.random(), around()["synonyms"]
    if thing in synonyms and draw < 0.2:
        return str(rng.choice(synonyms[thing]))
    if " " in thing and draw < 0.12:
        last = thing.split()[-1]
        if sum(o.split()[-1] == last for o in others) == 1:
            return last
    return thing.replace(" ", "") if draw > 0.95 else thing


def say_person(rng: random.Random, person: str) -> str:
    synonyms = around()["synonyms"]
    if person in synonyms and rng.random() < 0.05:
        return str(rng.choice(synonyms[person]))
    return rng.choice([f"the {person}", f"the {person}", person, f"the {person}"])


def say_robot(rng: random.Random, robot: str) -> str:
    return rng.choice([robot, robot, robot, robot.lower(), robot.lower(), robot.upper()])


def say_minutes(rng: random.Random, minutes: int) -> str:
    ways = [f"{minutes} minutes", f"{ONE.get(minutes, minutes)} minutes", f"{minutes} min", f"{minutes} mins"]
    return rng.choice(ways + HOURS.get(minutes, []))


def clock(rng: random.Random) -> tuple[str, str]:
    """A time of day as 14:30, and as people say it."""
    hour, minute = rng.randint(6, 22), rng.choice([0, 0, 0, 0, 15, 30, 45, 10, 20])
    if hour == 12 and minute == 0:
        return "12:00", rng.choice(["noon", "12:00", "midday", "twelve noon"])
    small, half = (hour - 1) % 12 + 1, "am" if hour < 12 else "pm"
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    exact = f"{hour:02d}:{minute:02d}"
    ways = [exact, exact, f"{hour}:{minute:02d}", f"{small}:{minute:02d} {half}", f"{hour}.{minute:02d}"]
    if minute == 0:
        ways += [f"{small} {half}", f"{small}{half}", f"{ONE[small]} {half}", f"{ONE[small]} o'clock {part}"]
        ways += [f"{small} o'clock {part}", f"{hour}h", f"{hour} o'clock" if hour > 12 else f"{small} {half}"]
    if minute == 30:
        ways += [f"half past {ONE[small]} {part}", f"half past {small} {half}"]
    if minute == 15:
        ways.append(f"quarter past {ONE[small]} {part}")
    if minute == 45 and small < 12 and hour not in (11, 17):
        ways.append(f"quarter to {ONE[small + 1]} {part}")
    return exact, rng.choice(ways)
