"""Tasks of the hospital: the paper's kit, and kits, places, people and faults drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.worlds.hospital.bodies import FETCH, SPOT, TEMI
from coterie.worlds.hospital.chance import parse_rates
from coterie.worlds.hospital.faults import Setting, with_faults
from coterie.worlds.hospital.goals import KIT, Errands, Wish
from coterie.worlds.hospital.kits import KITS
from coterie.worlds.hospital.phrases import read_goal
from coterie.worlds.hospital.scene import Key, Scene, ward

LEVELS = {"paper": "things, doors and robots as in the paper", "drawn": "kit, tables, doors and room from the seed"}
TIME_LIMIT_S = 1800.0
TEAM: tuple[tuple[str, Card], ...] = (("Fetch", FETCH), ("Temi", TEMI), ("Spot", SPOT))
STARTS = {"Fetch": "atG", "Temi": "dock", "Spot": "bay"}
#: Where things are said to be, and how many; the pharmacist has more of them.
PAPER: Mapping[Key, object] = {
    ("stock", "caddy1", "tableA"): 1,
    ("stock", "caddy2", "tableC"): 1,
    ("stock", "painkiller", "tableB"): 2,
    ("stock", "bandagebox", "tableE"): 1,
    ("stock", "gloves", "tableD"): 2,
    ("stock", "antiseptic", "tableD"): 1,
    ("stock", "thermometer", "tableF"): 1,
}
SHUT = ("alphadoor", "sidedoor")
#: Who else may be there in a drawn hospital, and where: a second one of a body takes over where the first is gone.
MORE: Mapping[str, tuple[Card, str]] = {"Frida": (FETCH, "atD"), "Toby": (TEMI, "hall3"), "Rex": (SPOT, "bay2")}
MORE_RATE = 0.3


def scene_of(level: str, rng: random.Random) -> Scene:
    """The place, with what is said of tables and doors."""
    place = ward()
    if level == "paper":
        said, shut = dict(PAPER), set(SHUT)
    else:
        tables = rng.sample(sorted(t for t in place.tables if t != "tableG"), len(PAPER) - 2)
        said = {k: n for k, n in PAPER.items() if k[1] in place.caddies}
        for key, table in zip([k for k in PAPER if k[1] not in place.caddies], tables):
            said[key[0], key[1], table] = PAPER[key]
        shut = {d for d in place.doors if d not in ("pharmacydoor", "officedoor") and rng.random() < 0.5}
    said |= {("open", door): door not in shut for door in place.doors}
    return replace(place, expected=said)


def make(
    seed: int = 0, level: str = "paper", faults: Sequence[str] = (), noise: str = "none", goal: Errands | None = None
) -> Task:
    """A hospital with a goal: a medkit at alpha, or at level `drawn` some kit at some room."""
    if level not in LEVELS:
        raise unknown_name("level of the hospital", level, LEVELS)
    rng = rng_of("hospital-task", level, seed)
    scene = scene_of(level, rng)
    kit, room = KITS["medkit"], "alpha"
    if level == "drawn":
        kit = KITS[rng.choice(sorted(KITS))]
        room = rng.choice([r for r in scene.rooms if r not in ("pharmacy", "office", "corridor")])
    wish = Wish(KIT, kit.name, room, tuple(kit.contents.items()))
    wanted = goal or Errands((wish,), scene.caddies, scene.items, by="instructor")
    kits = [w for w in wanted.wishes if w.kind == KIT] or [wish]
    also = [n for n in MORE if rng.random() < MORE_RATE] if level == "drawn" else []
    starts = {**STARTS, **{n: MORE[n][1] for n in also}}
    truth = {k: v for k, v in scene.expected.items() if k[0] in ("stock", "open")}
    setting = Setting(scene, starts, truth, rates=parse_rates(noise), seed=seed)
    setting = with_faults(setting, list(faults), dict(kits[0].contents), kits[0].where or room)
    team = "-".join(("Fetch-Temi-Spot", *(MORE[n][0].body for n in also)))
    about = {"level": level, "team": team, "scene": "ward", "faults": [dict(f) for f in setting.faults]}
    return Task(
        name="medkit",
        goal=wanted,
        setting=setting,
        robots=(*TEAM, *((n, MORE[n][0]) for n in also)),
        changes=setting.changes,
        time_limit_s=TIME_LIMIT_S,
        seed=seed,
        about=about,
    )


class Case(NamedTuple):
    """A drawn mission: what is asked for, and what is wrong."""

    seed: int
    goal: str
    faults: tuple[str, ...]
    noise: str = "none"


#: Kinds of trouble and how often each is drawn. Who does not answer matters only where something is missing.
TROUBLE = (("missing",), ("missing",), ("grasp",), ("door",), ("robot",), ("missing", "person"), ("missing", "door"),
           ("grasp", "door"), ("missing", "robot"), ())  # fmt: skip


def draw_case(seed: int) -> Case:
    """A mission in a drawn hospital: kit, room, trouble, and whether actions fail by themselves."""
    rng = rng_of("hospital-case", seed)
    kit, room = rng.choice(sorted(KITS)), rng.choice(("alpha", "beta", "gamma"))
    return Case(seed, f"{kit} at {room}", rng.choice(TROUBLE), "real" if rng.random() < 0.3 else "none")


def draw_medkit(config: Config) -> Task:
    """pack a kit in the pharmacy and deliver it to a room; faults are changes: missing, grasp, door, robot, person"""
    if config.synchronous:
        raise CoterieError("Robots in the hospital do not wait for each other; add --async.")
    return make(config.seed, config.level, config.changes, config.noise)


def asked(config: Config, phrases: Sequence[str]) -> Errands:
    """The goal that phrases ask for, by which the outcome is judged; the mission hears the phrases themselves."""
    scene = scene_of(config.level, rng_of("hospital-task", config.level, config.seed))
    wishes = tuple(read_goal(text, scene.map()) for text in phrases)
    return Errands(wishes, scene.caddies, scene.items)
