"""Houses as an entry: tasks, bodies, and how a world is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.looking import VISION, VISION_JUDGED
from coterie.core.task import Task
from coterie.core.world import World
from coterie.houses.habitat import EXAMPLE
from coterie.houses.names import house, scene_names
from coterie.motion.needs import mujoco
from coterie.worlds.household.bodies import USUAL
from coterie.worlds.household.perception.backends import check_camera, sight_of
from coterie.worlds.household.senses import HouseholdSenses
from coterie.worlds.household.setting import Noise, parse_steps
from coterie.worlds.household.skills import SKILLS
from coterie.worlds.household.tasks import rearrange, two_rooms
from coterie.worlds.household.tasks.tidy import (
    EXAMPLES,
    JOINED,
    LEVELS,
    draw_search,
    draw_tidy,
    newcomer,
    people,
    suite_houses,
)
from coterie.worlds.household.world import HouseholdWorld


class HouseholdEntry(WorldEntry):
    name = "household"
    about = "houses of many rooms, seen step by step through cameras; robots of any build tidy up or search"
    place = "house"
    protocol = "heuristic"
    expert = "expert"
    takes = frozenset({"team", "scene", "level", "noise", "steps", "camera", "stranger", "real", "cards", "physics"})
    usual = {"team": "drawn:3", "scene": "rooms:4", "level": "any"}

    def __init__(self) -> None:
        super().__init__()
        self.skills = SKILLS
        for card in USUAL.values():
            self.bodies.put(card.body, card)
        self.tasks.put("tidy", draw_tidy)
        self.tasks.put("search", draw_search)
        self.tasks.put(two_rooms.NAME, two_rooms.draw_two_rooms)
        self.tasks.put(rearrange.NAME, rearrange.draw_rearrange)

    def settle(self, config: Config) -> Config:
        Noise.read(config.noise)  # all complain before anything is played
        parse_steps(config.steps)
        check_camera(config.camera)
        if config.real and config.camera:
            raise CoterieError(f"'{config.task}' takes no --camera with --real: drivers name what their robots see.")
        if config.physics:
            mujoco("--physics needs")
        if config.real and config.physics:
            raise CoterieError(f"'{config.task}' takes no --physics with --real: drivers say what their robots do.")
        config = with_people(config)
        if config.task == rearrange.NAME:
            config = replace(config, scene=config.scene or f"{EXAMPLE}#0", team=config.team or rearrange.TEAM)
        return self._two_rooms(config) if config.task == two_rooms.NAME else super().settle(config)

    def _two_rooms(self, config: Config) -> Config:
        """Its house, its robots and newcomers are in its data; robots do not wait for each other there."""
        for option in ("team", "scene"):
            if getattr(config, option) not in ("", two_rooms.NAME):
                raise CoterieError(f"'{config.task}' takes no --{option}: what is there stands in its data.")
        data = two_rooms.written()
        level = config.level or next(iter(data["cases"]))
        return replace(
            super().settle(replace(config, team=two_rooms.NAME, scene=two_rooms.NAME, level=level)),
            synchronous=False,
            stranger=config.stranger or str(data["stranger"]),
        )

    def world(self, task: Task, config: Config) -> World:
        sight = sight_of(task.setting.house, config.camera)
        made: type[HouseholdWorld] = HouseholdWorld
        if config.real:
            from coterie.worlds.household.real import RealHousehold

            made = RealHousehold
        world = made(task, config.seed, Noise.read(config.noise), parse_steps(config.steps), sight)
        if config.physics:
            from coterie.worlds.household.physics import Physics

            world.physics = Physics(world.truth, world.observing)
        if config.camera in (VISION, VISION_JUDGED):
            from coterie.worlds.household.perception.vision import Vision

            world.observing.vision = Vision(task.setting.house, judges=config.camera == VISION_JUDGED)
        return world

    def newcomer(self, task: Task, config: Config, number: int, body: str) -> Mapping[str, Any]:
        if task.name == two_rooms.NAME and number == 0 and not body:
            return two_rooms.newcomer(task, config)
        return newcomer(task, number, body)

    @property
    def recall(self) -> Any:
        from coterie.worlds.household.memory import HouseholdRecall  # only runs with a memo need all that

        return HouseholdRecall

    def thinking_s(self, task: Task) -> float:
        return float(two_rooms.written()["think_s"]) if task.name == two_rooms.NAME else 0.0

    def scenes(self) -> Sequence[tuple[str, str]]:
        words = ("a house in ProcTHOR's format", "the fourth house of a file with one a line")
        files = list(zip(("FILE.json", "FILE.jsonl.gz#3"), words, strict=True))
        drawn = [("rooms:6", "a house of 6 rooms from the run's seed"), ("rooms:6:17", "that of seed 17")]
        own = [("FILE.toml", "a house of your own"), (scene_names()[0], "or any other scene that is built in")]
        rooms = {name: int(name.split(":")[1]) for name in suite_houses()}
        suite = [(name, f"{n} room{'s' if n > 1 else ''}, of the suites") for name, n in rooms.items()]
        return [*drawn, *files, *own, *suite]

    def mended(self, config: Config) -> Sequence[str]:
        if config.task == rearrange.NAME:
            return rearrange.play(config.scene)[2]
        return house(config.scene).notes if not config.scene.startswith(("rooms:", two_rooms.NAME)) else ()

    def missed(self, events: Sequence[Event]) -> Sequence[str]:
        from coterie.core.records import StartEvent, read
        from coterie.worlds.household.tasks.unfinished import WORDS, reasons

        if read(StartEvent, events[0]).goal.get("kind") not in ("tidy-up", rearrange.NAME):
            return ()
        try:
            return [f"{thing} ({why}): {WORDS[why]}." for thing, why in reasons(events).items()]
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # a log that others wrote
            return ()

    def example(self, task: str, scene: str, stranger: str = "") -> Mapping[str, Any]:
        return JOINED.get((task, scene, stranger), {}) if stranger else EXAMPLES.get((task, scene), {})

    def levels(self) -> Mapping[str, str]:
        return {**LEVELS, **two_rooms.cases()}

    def senses(self) -> HouseholdSenses:
        return HouseholdSenses()

    def segments(self) -> Sequence[str]:
        from coterie.worlds.household.perception.photos import classes

        return classes()

    def pictures(self) -> Any:
        from coterie.worlds.household.pictures import HouseholdPictures

        return HouseholdPictures()

    def reached(self, goal: Mapping[str, Any], world: World) -> bool | None:
        return None


def with_people(config: Config) -> Config:
    """The configuration in which the humans of `--card person:Ann` are parties of their own, beside the robots."""
    humans = people(config)
    if humans and config.task == two_rooms.NAME:
        raise CoterieError(f"'{config.task}' takes no --card: who is there stands in its data.")
    parties = []
    for mind in dict.fromkeys(humans.values()):
        names = [name for name, own in humans.items() if own == mind]
        title = {"person": "people", "resident": "residents"}.get(
            mind, f"residents_{names[0]}" if ":" in mind else mind
        )
        parties.append(f"{title}={mind}:{','.join(names)}")
    new = tuple(party for party in parties if party not in config.parties)
    return replace(config, parties=(*config.parties, *new)) if new else config


HOUSEHOLD = HouseholdEntry()
worlds.put(HOUSEHOLD.name, HOUSEHOLD)
