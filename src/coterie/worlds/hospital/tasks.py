"""Tasks of places where people give goals: a kit for a room, and kits, tables, doors and faults drawn from a seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from coterie.core.bounds import can_take_part
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.worlds.hospital.bodies import BODIES, HUMAN, STRETCH, load_card
from coterie.worlds.hospital.chance import parse_rates
from coterie.worlds.hospital.faults import Setting, joining, with_faults
from coterie.worlds.hospital.goals import GIVE, KIT, STOCK, TIDY, Errands, Wish
from coterie.worlds.hospital.phrases import read_goal
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.scene import Key, Scene

LEVELS = {"paper": "things, doors and robots as the place says", "drawn": "kit, tables, doors and room from the seed"}
WARD = "ward"
TIME_LIMIT_S = 1800.0


def scene_of(name: str, level: str, rng: random.Random) -> Scene:
    """The place, with what is said of tables and doors."""
    scene = place(name or WARD)
    if level == "paper":
        return scene
    if scene.searched:
        return _searched(scene, rng)
    stock = {k: n for k, n in scene.expected.items() if k[0] == "stock"}
    said: dict[Key, object] = {k: n for k, n in stock.items() if k[1] in scene.caddies}
    items = [k for k in stock if k not in said]
    tables = sorted(scene.tables.keys() - scene.shared)
    tables = tables if len(tables) >= len(items) else sorted(scene.tables)
    drawn = rng.sample(tables, len(items)) if len(tables) >= len(items) else rng.choices(tables, k=len(items))
    said |= {(key[0], key[1], table): stock[key] for key, table in zip(items, drawn)}
    inner = [n for n, d in scene.doors.items() if not set(scene.wards).isdisjoint(d.rooms)]
    shut = {door for door in inner if rng.random() < 0.5}
    return replace(scene, expected={**said, **{("open", door): door not in shut for door in scene.doors}}, really={})


def _searched(scene: Scene, rng: random.Random) -> Scene:
    """A place in which things are looked for: each lies where it is usual, or in one of five cases anywhere."""
    lying: Counter[Key] = Counter()
    for key, count in sorted(scene.really.items()):
        homes = {t: often for (x, t), often in scene.belongs.items() if x == key[1]}
        for _ in range(int(str(count))):
            usual = homes and rng.random() < 0.8
            at = rng.choices(list(homes), list(homes.values()))[0] if usual else rng.choice(sorted(scene.tables))
            lying["stock", key[1], at] += 1
    shut = {name for name, door in scene.doors.items() if door.swings and rng.random() < 0.5}
    return replace(scene, expected={("open", name): name not in shut for name in scene.doors}, really=lying)


def new_card(scene: Scene, file: str, others: Mapping[str, Card] = MappingProxyType({})) -> Card:
    """The card of a further robot, from its file or built in, or of a person (`person:Ann`), who cannot be mistaken for
    one that is here."""
    person, _, name = file.partition(":")
    bodies = {card.body: card for card in (*BODIES, STRETCH)}
    if person == "person" and not can_take_part(name):
        raise CoterieError(f"'{file}': write the name of the person in letters and digits, like person:Ann.")
    if person != "person" and file not in bodies and not file.endswith(".toml"):
        raise unknown_name("robot", file, [*bodies, "FILE.toml", "person:NAME"])
    card = replace(HUMAN, name=name) if person == "person" else bodies.get(file) or load_card(Path(file))
    known = [robot.card for robot in scene.robots.values()] + list(others.values())
    if any(one.body == card.body and replace(one, name=card.name) != card for one in known):
        raise CoterieError(f"{file}: there is another '{card.body}' here already; give `body` a name of its own.")
    if card.name in (*scene.robots, *scene.people, *others):
        raise CoterieError(f"{file}: there is somebody named '{card.name}' here already; write another `name`.")
    return card


def make(
    seed: int = 0,
    level: str = "paper",
    faults: Sequence[str] = (),
    noise: str = "none",
    goal: Errands | None = None,
    name: str = WARD,
    cards: Sequence[str] = (),
) -> Task:
    """A place with a goal: its first kit at its first room, or at level `drawn` some kit at some room, or what is
    drawn there where things are looked for."""
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    rng = rng_of("hospital-task", level, seed)
    scene = scene_of(name, level, rng)
    more: dict[str, Card] = {}
    for file in cards:
        card = new_card(scene, file, more)
        more[card.name] = card
    kit, room = next(iter(scene.kits.values()), None), scene.wards[0]
    if level == "drawn" and scene.kits:
        kit = scene.kits[rng.choice(sorted(scene.kits))]
        room = rng.choice(scene.wards)
    usual = (Wish(KIT, kit.name, room, tuple(kit.contents.items())),) if kit is not None else ()
    if level == "drawn" and scene.searched:
        usual = (read_goal(draw_case(seed, name).goal, scene.map()),)
    wanted = goal or replace(errands(scene, usual), by=scene.asker)
    robots = {n: r for n, r in scene.robots.items() if r.chance >= 1 or (level == "drawn" and rng.random() < r.chance)}
    truth = {k: v for k, v in scene.expected.items() if k[0] in ("stock", "open")} | dict(scene.really)
    starts = {n: r.at for n, r in robots.items()}
    setting = Setting(scene, starts, truth, rates=parse_rates(noise), seed=seed)
    joins = [c for text in faults if (c := joining(text, lambda file: new_card(scene, file))) is not None]
    trouble = [f for text in faults if not text.startswith("join:") for f in drawn_fault(scene, text, seed) if f]
    setting = with_faults(setting, trouble, *needed(scene, wanted, usual, room))
    team = "-".join(r.card.body for r in robots.values())
    about = {"level": level, "team": team, "scene": scene.name, "faults": [dict(f) for f in setting.faults]}
    return Task(
        name="medkit",
        goal=wanted,
        setting=setting,
        robots=(*((n, r.card) for n, r in robots.items()), *more.items()),
        changes=(*setting.changes, *joins),
        time_limit_s=TIME_LIMIT_S,
        seed=seed,
        about=about,
    )


def needed(scene: Scene, goal: Errands, usual: Sequence[Wish], room: str) -> tuple[Mapping[str, int], str]:
    """The things that a goal needs and the room that they go to, for faults that matter."""
    for wish in (*goal.wishes, *usual):
        if wish.kind == KIT:
            return dict(wish.contents), wish.where or room
    some = [w for w in goal.wishes if w.kind in (STOCK, GIVE, TIDY)]
    there = next((w.where for w in some if w.where in scene.rooms), room)
    return {w.what: w.count for w in some if w.what}, there


def drawn_fault(scene: Scene, text: str, seed: int) -> Sequence[str]:
    """`any` is one of those that may happen in a place, drawn from the seed."""
    return rng_of("hospital-trouble", seed).choice(scene.faults or ("",)).split("+") if text == "any" else [text]


class Case(NamedTuple):
    """A drawn mission: what is asked for, and what is wrong."""

    seed: int
    goal: str
    faults: tuple[str, ...]
    noise: str = "none"


def draw_case(seed: int, name: str = WARD) -> Case:
    """A mission in a drawn place: kit, room, trouble, and whether actions fail by themselves."""
    rng, scene = rng_of("hospital-case", seed), place(name)
    goal = drawn_goal(scene, rng)
    faults = tuple(f for f in rng.choice(scene.faults).split("+") if f)
    return Case(seed, goal, faults, "real" if rng.random() < 0.3 else "none")


def drawn_goal(scene: Scene, rng: random.Random) -> str:
    """A kit for a room; where things are looked for, one for a room or a person, or a room to be tidied."""
    what, room = rng.choice(sorted(scene.kits) or sorted(scene.items)), rng.choice(scene.wards)
    if not scene.searched:
        return f"{what} at {room}"
    return rng.choices((f"{what} in {room}", f"{what} to {scene.asker}", f"tidy {room}"), (6, 2, 2))[0]


def draw_medkit(config: Config) -> Task:
    """pack a kit in the pharmacy and deliver it to a room; faults are changes: missing, grasp, door, robot, person"""
    if config.synchronous:
        raise CoterieError("Robots in the hospital do not wait for each other; add --async.")
    return task_for(config)


def task_for(config: Config, goal: Errands | None = None) -> Task:
    return make(config.seed, config.level, config.changes, config.noise, goal, config.scene, config.cards)


def asked(config: Config, phrases: Sequence[str]) -> Errands:
    """The goal that phrases ask for, by which the outcome is judged; the mission hears the phrases themselves."""
    scene = scene_of(config.scene, config.level, rng_of("hospital-task", config.level, config.seed))
    wishes = tuple(read_goal(text, scene.map()) for text in phrases)
    return errands(scene, wishes)


def errands(scene: Scene, wishes: tuple[Wish, ...]) -> Errands:
    return Errands(wishes, scene.caddies, scene.items, tables=tuple(scene.tables) if scene.searched else ())
