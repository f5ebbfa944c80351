"""The indoor world as an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.entry import OPTIONS, Grounds, WorldEntry, worlds
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.lazy import lazy
from coterie.core.looking import VISION, VISION_JUDGED
from coterie.core.registry import import_all
from coterie.core.task import Task
from coterie.core.world import World
from coterie.houses.checks import with_people
from coterie.houses.model import PERSON
from coterie.houses.names import scene, scene_names
from coterie.houses.toml import person
from coterie.worlds.indoor import tasks as _tasks
from coterie.worlds.indoor.bodies import TEAMS, add_card, load_card, robots, team
from coterie.worlds.indoor.fluents import fluents_of
from coterie.worlds.indoor.senses import HouseSenses
from coterie.worlds.indoor.setting import Noise, Setting, Thing
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks import tasks
from coterie.worlds.indoor.tasks.changes import FORMS, Settle
from coterie.worlds.indoor.tasks.difficulty import STEP_LIMITS, WIDE
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT, KINDS, platform
from coterie.worlds.indoor.tasks.files import file_defaults, load_task
from coterie.worlds.indoor.world import LISTINGS, IndoorWorld

if TYPE_CHECKING:
    from coterie.core.records import StartEvent  # many records, which only readers of logs need


class Indoor(WorldEntry):
    name = "indoor"
    about = "rooms, doors, furniture, containers and things; ground and flying robots, and an arm at a work table"
    place = "rooms"
    protocol = "rules"
    expert = "expert"
    takes = frozenset(OPTIONS) - {"steps", "physics"}  # nothing is done in steps of a body
    usual = {"team": "Ma-MoMa-UAV", "scene": "flat", "level": "medium-search"}

    def __init__(self) -> None:
        super().__init__()
        self.tasks, self.bodies, self.skills = tasks, robots, skills
        self._cards: dict[Path, str] = {}  # files that were read, with their bodies

    @lazy
    def recall(self) -> Any:
        from coterie.worlds.indoor.memory import HouseRecall  # only runs with a memo need all that

        return HouseRecall

    def settle(self, config: Config) -> Config:
        Noise.read(config.noise)  # complains before anything is played
        if config.camera and not config.real:
            raise CoterieError(f"'{config.task}' takes --camera with --real, where robots send pictures; leave it out.")
        if config.camera not in ("", VISION, VISION_JUDGED):
            raise unknown_name("camera", config.camera, (VISION, VISION_JUDGED))
        if not config.task.endswith(".toml"):
            if config.teams and config.task not in KINDS:
                raise CoterieError(f"'{config.task}' takes no --same-tasks; it goes with {', '.join(KINDS)}.")
            return super().settle(config)
        for option, given in (("--level", config.level not in ("", "file")), ("--change", config.changes)):
            if given:
                raise CoterieError(
                    f"{option} does not go with the task file '{config.task}', which says everything itself; "
                    "edit its step_limit, [[thing]] or [[change]] instead."
                )
        own = file_defaults(Path(config.task))
        filled: dict[str, Any] = {k: getattr(config, k) or own.get(k) or self.usual[k] for k in ("team", "scene")}
        return replace(config, level="file", **filled)

    def task(self, config: Config) -> Task:
        for name in config.cards:
            path = Path(name)
            if self._cards.get(path.resolve()) not in self.bodies:
                self._cards[path.resolve()] = add_card(path).body
        return load_task(Path(config.task), config) if config.task.endswith(".toml") else super().task(config)

    def read_card(self, path: Path) -> Card:
        return load_card(path)

    def world(self, task: Task, config: Config) -> World:
        settle = Settle(task, config.seed)
        made: type[IndoorWorld] = IndoorWorld
        if config.real:
            from coterie.worlds.indoor.real import RealHouse

            made = RealHouse
        world = made(task, config.seed, Noise.read(config.noise), settle=settle, arms=config.arms)
        if config.camera:
            from coterie.worlds.indoor.eyes import Eyes

            kinds = [thing.kind for thing, _, _ in task.setting.things]
            world.eyes = Eyes(task.setting.scene, kinds, config.camera == VISION_JUDGED)  # type: ignore[attr-defined]
        return world

    def ground(self, start: StartEvent) -> dict[str, Any]:
        public = tuple(r["name"] for r in start.rules if r["public"])
        platforms = tuple((name, kind, colour, tuple(centre)) for name, kind, colour, centre in start.platforms)
        somebody = [f for f in start.scene["furniture"] if f["kind"] == PERSON]
        people = tuple((f["name"], f["room"], tuple(f["rect"]), f["height_m"], f["top_m"]) for f in somebody)
        return {
            "world": self.name,
            "scene": start.config["scene"],
            "platforms": platforms,
            "rules": public,
            "people": people,
            "holders": tuple((name, count) for name, count in start.scene.get("holders", ())),
        }

    def grounds(self, ground: Mapping[str, Any]) -> Grounds:
        house = scene(ground["scene"])
        brought = [row for row in ground["people"] if row[0] not in house.piece]  # by the task
        if brought:
            people = [person(n, room, tuple(rect), hand, top) for n, room, rect, hand, top in brought]
            house = with_people(house, people)
        platforms = tuple(platform(house, *row) for row in ground["platforms"])
        # that there are things which hold things is known, but not where: the place says nothing
        caddies = tuple((Thing(name, "", 0.0, holds=count), "", (0.0, 0.0, 0.0)) for name, count in ground["holders"])
        fluents = fluents_of(Setting(house, platforms, caddies))
        rules = tuple(r for r in (FINAL_PLACEMENT,) if r.name in ground["rules"])
        return Grounds(
            fluents.map, LISTINGS, fluents.of_belief, lambda n: skills.get(n) if n in skills else None, rules
        )

    def senses(self) -> HouseSenses:
        return HouseSenses()

    def twin(self, config: Config) -> Any:
        from coterie.worlds.indoor.twin import twin  # needs numpy

        return twin(config)

    def levels(self) -> Mapping[str, str]:
        found = {name: f"{limit} steps" for name, limit in STEP_LIMITS.items() if name != WIDE}
        return {**found, WIDE: "3 to 5 things all over a house; the limit goes by how far away they are"}

    def amiss(self) -> Sequence[str]:
        return robots.amiss()

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        return {name: team(name) for name in TEAMS}

    def scenes(self) -> Sequence[tuple[str, str]]:
        rows = []
        for name in scene_names():
            s = scene(name)
            rooms = ", ".join(r.name.replace("_", " ") for r in s.rooms)
            closed = sum(f.opens for f in s.furniture)
            rows.append((name, f"{rooms}; {len(s.furniture)} pieces of furniture, {closed} that open; {s.split}"))
        return [
            *rows,
            ("house:SEED", "a house drawn from a seed, like house:17; house:17:12 has twelve rooms"),
            ("FILE.toml", "a house of your own"),
            ("FILE.json", "a house in ProcTHOR's format; FILE.jsonl.gz#3 is the fourth of a file with one a line"),
            ("rooms:6:17", "a house of 6 rooms in that format, drawn from seed 17"),
        ]

    def mended(self, config: Config) -> Sequence[str]:
        return scene(config.scene).notes

    def changes(self) -> Mapping[str, str]:
        return FORMS

    def pictures(self) -> Any:
        from coterie.worlds.indoor.pictures import HousePictures

        return HousePictures()

    def reached(self, goal: Mapping[str, Any], world: World) -> bool:
        """Pack: exactly the targets. Sort: every solid on its panel, no other thing on any panel. Stack: exactly the
        layers, bottom first. Bring: every thing in the list of its home, or somewhere in its room."""
        assert isinstance(world, IndoorWorld)
        if goal["kind"] == "bring":
            return all(home in _around(world, thing) for thing, home in goal["pairs"])
        on = {place: list(things) for place, things in world.inside.items()}
        if goal["kind"] == "pack":
            return sorted(on.get(goal["into"], [])) == sorted(goal["targets"])
        if goal["kind"] == "stack":
            return on.get(goal["on"], []) == list(goal["targets"])
        wanted: dict[str, list[str]] = {panel: [] for panel in goal["panels"]}
        for solid, panel in goal["pairs"]:
            wanted[panel].append(solid)
        return all(sorted(on.get(panel, [])) == sorted(solids) for panel, solids in wanted.items())


def _around(world: IndoorWorld, thing: str) -> set[str]:
    """Everything that a thing is in: what holds it, the furniture, the room. The floor beside is not the furniture."""
    holds = {x: place for place, things in world.inside.items() for x in things}
    found: set[str] = set()
    place = holds.get(thing)
    while place is not None and place not in found:
        found.add(place)
        f = world.scene.piece.get(place.removeprefix("floor@"))
        if f is not None:
            found.add(f.room)
        place = holds.get(place)
    return found


INDOOR = Indoor()
worlds.put(INDOOR.name, INDOOR)
import_all(_tasks.__name__, _tasks.__path__)  # here, as a task may need any other part of this world
