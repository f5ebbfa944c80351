"""Faults of a hospital, drawn from a seed: the truth differs from what is expected, or will."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.core.task import Change, Trigger
from coterie.core.wire import carry_record
from coterie.worlds.hospital.scene import Key, Scene

ALWAYS = 1000  # slips
#: As people type them: form -> what happens.
FORMS = {
    "missing": "a thing that is needed is not where it is said to be (missing:bandagebox)",
    "grasp": "a thing slips from a gripper (grasp:painkiller)",
    "door": "a door is jammed, or shut although it is said to be open (door:alphadoor)",
    "robot": "a robot vanishes (robot:Temi)",
    "person": "somebody does not answer (person:pharmacist)",
    "join": "a robot joins after so many seconds, by its card (join:rover.toml@60)",
    "any": "one of those that may happen in the place, drawn from the seed",
}


@dataclass(frozen=True)
class Slip:
    """How often a thing slips from a gripper before it holds, and whether that is noticed."""

    times: int
    noticed: bool = True


@dataclass(frozen=True)
class Setting:
    """The initial setting of a hospital: the place, what is expected of it, and the truth."""

    scene: Scene
    starts: Mapping[str, str]  # robot -> pose
    truth: Mapping[Key, object]
    slips: Mapping[tuple[str, str], Slip] = field(default_factory=dict)  # (robot, thing)
    rates: Mapping[str, float] = field(default_factory=dict)  # skill -> how often it fails by itself
    seed: int = 0
    faults: tuple[Mapping[str, object], ...] = ()  # what was drawn, for tables
    changes: tuple[Change, ...] = ()


carry_record(Slip, "hospital_slip")


def joining(text: str, load: Callable[[str], Card]) -> Change | None:
    """A robot that joins, like `join:rover.toml@60`; None for what is no joining."""
    kind, _, rest = text.partition(":")
    if kind != "join":
        return None
    file, mark, seconds = rest.rpartition("@")
    if not mark or not seconds.replace(".", "", 1).isdigit():
        raise CoterieError(f"'{text}': write the card of the robot and when it joins [s], like join:rover.toml@60.")
    return joins(load(file), Trigger(time=float(seconds)))


def joins(card: Card, at: Trigger | None = None) -> Change:
    """A robot comes, named as its card says."""
    return Change(at or Trigger(step=0), "join", {"robot": card.name, "card": card}, awaited=False, source="people")


def with_faults(setting: Setting, wanted: list[str], needed: Mapping[str, int], room: str) -> Setting:
    """A setting with these faults, each on something that matters: `needed` items, the way to `room`."""
    for i, text in enumerate(wanted):
        kind, _, which = text.partition(":")
        if kind not in FAULTS:
            raise unknown_name("fault", kind, FAULTS)
        setting = FAULTS[kind](setting, which, needed, room, rng_of("fault", kind, setting.seed, i))
    return setting


def _way(scene: Scene, room: str) -> list[str]:
    """The doors between the tables, or the robots where there are none, and a room."""
    tables = [p.room for p in scene.poses.values() if p.overlooks]
    return scene.way((tables or [scene.poses[r.at].room for r in scene.robots.values()])[0], room)


def _noted(setting: Setting, **fault: object) -> Setting:
    return replace(setting, faults=(*setting.faults, fault))


def _missing(setting: Setting, which: str, needed: Mapping[str, int], room: str, rng: random.Random) -> Setting:
    said = [k for k in setting.scene.expected if k[0] == "stock" and setting.truth.get(k)]
    mine = [k for k in said if k[1] == which] if which else [k for k in said if k[1] in needed]
    if not mine:
        names = ", ".join(sorted({k[1] for k in said}))
        raise CoterieError(f"--fault missing:{which}: nobody says where that is. There are: {names}.")
    thing = which or rng.choice(sorted({k[1] for k in mine}))
    truth = dict(setting.truth)
    for key in [k for k in mine if k[1] == thing]:
        truth[key] = 0
    places = tuple(k[2] for k in mine if k[1] == thing)
    return _noted(replace(setting, truth=truth), kind="missing", thing=thing, places=places, pred="objectAt")


def _grasp(setting: Setting, which: str, needed: Mapping[str, int], room: str, rng: random.Random) -> Setting:
    if which and which not in setting.scene.things:
        raise unknown_name("thing", which, setting.scene.things)
    thing = which or rng.choice(sorted(needed or setting.scene.items))
    times, noticed = rng.choice((1, 1, 2, 2, ALWAYS)), rng.random() < 0.6
    robot = next((n for n, r in setting.scene.robots.items() if "putin" in r.card.skills), next(iter(setting.starts)))
    slips = {**setting.slips, (robot, thing): Slip(times, noticed or times == ALWAYS)}
    about = {"kind": "grasp", "robot": robot, "thing": thing, "times": times, "noticed": noticed}
    return _noted(replace(setting, slips=slips), **about, pred="graspable")


def _door(setting: Setting, which: str, needed: Mapping[str, int], room: str, rng: random.Random) -> Setting:
    if which and which not in setting.scene.doors:
        raise unknown_name("door", which, setting.scene.doors)
    way = [n for n in _way(setting.scene, room) if setting.scene.doors[n].swings]
    way = way or [n for n, door in setting.scene.doors.items() if door.swings and setting.scene.searched]
    if not which and not way:
        doors = ", ".join(setting.scene.doors)
        raise CoterieError(f"--fault door: no door is on the way to {room}; name one: {doors}.")
    door = which or rng.choice((way[-1], *reversed(way)))
    truth = dict(setting.truth)
    jammed = not truth["open", door] and rng.random() < 0.7
    truth["open", door] = False
    if jammed:
        truth["jammed", door] = True
    return _noted(
        replace(setting, truth=truth), kind="door", door=door, jammed=jammed, pred="jammed" if jammed else "open"
    )


def _robot(setting: Setting, which: str, needed: Mapping[str, int], room: str, rng: random.Random) -> Setting:
    if which and which not in setting.starts:
        raise unknown_name("robot", which, setting.starts)
    robot, at = which or rng.choice(sorted(setting.starts)), round(rng.uniform(10, 150), 1)
    change = Change(Trigger(time=at), "leave", {"robot": robot}, awaited=False, source="fault")
    changed = replace(setting, changes=(*setting.changes, change))
    return _noted(changed, kind="robot", robot=robot, at=at, pred="online")


def _person(setting: Setting, which: str, needed: Mapping[str, int], room: str, rng: random.Random) -> Setting:
    people = setting.scene.people
    if which and which not in people:
        raise unknown_name("person", which, people)
    name = which or next((n for n, p in people.items() if p.supplies), next(iter(people)))
    silent = {**people, name: people[name]._replace(answers=False)}
    changed = replace(setting, scene=replace(setting.scene, people=silent))
    return _noted(changed, kind="person", person=name, pred="answers")


FAULTS: dict[str, Callable[[Setting, str, Mapping[str, int], str, random.Random], Setting]] = {
    "missing": _missing,
    "grasp": _grasp,
    "door": _door,
    "robot": _robot,
    "person": _person,
}
