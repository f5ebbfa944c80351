"""The hospital as an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.task import Change, Task
from coterie.core.world import World
from coterie.worlds.hospital.bodies import BODIES, load_card
from coterie.worlds.hospital.chance import parse_rates
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.faults import FORMS, joins
from coterie.worlds.hospital.goals import KIT, Errands, Wish
from coterie.worlds.hospital.places import described, place, place_names
from coterie.worlds.hospital.skills import SKILLS
from coterie.worlds.hospital.tasks import LEVELS, WARD, asked, draw_medkit, new_card, task_for
from coterie.worlds.hospital.world import HospitalWorld


class HospitalEntry(WorldEntry):
    name = "hospital"
    about = "a pharmacy, a corridor and rooms with doors; robots pack kits for people and deliver them"
    place = "hospital"
    protocol = "mission"
    takes = frozenset({"scene", "level", "changes", "noise", "cards", "real"})
    usual = {"team": "Fetch-Temi-Spot", "scene": WARD, "level": "paper"}

    def __init__(self) -> None:
        super().__init__()
        self.skills = SKILLS
        self.ward = place(WARD)  # also for what its things are called
        for card in BODIES:
            self.bodies.put(card.body, card)
        self.tasks.put("medkit", draw_medkit)

    def world(self, task: Task, config: Config) -> World:
        setting = replace(task.setting, rates=parse_rates(config.noise))  # a task may have been drawn without noise
        task = replace(task, setting=setting)
        if config.real:
            from coterie.worlds.hospital.real import RealHospital

            return RealHospital(task)
        return HospitalWorld(task)

    def levels(self) -> Mapping[str, str]:
        return LEVELS

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        return {"Fetch-Temi-Spot": [(n, r.card) for n, r in self.ward.robots.items() if r.chance >= 1]}

    def scenes(self) -> Sequence[tuple[str, str]]:
        return [
            *map(described, place_names()),
            ("FILE.toml", "a place of your own"),
            ("HOUSE", "any house, like flat or FILE.json"),
        ]

    def has_scene(self, name: str) -> bool:
        from coterie.worlds.hospital.house_places import is_house

        return super().has_scene(name) or is_house(name)

    def changes(self) -> Mapping[str, str]:
        return FORMS

    def pictures(self) -> Any:
        from coterie.worlds.hospital.pictures import HospitalPictures

        return HospitalPictures()

    def domain(self, chart: Mapping[tuple[str, ...], object]) -> HospitalDomain:
        return HospitalDomain(chart)

    def asked(self, config: Config, phrases: Sequence[str]) -> Errands:
        return asked(config, phrases)

    def read_card(self, path: Path) -> Card:
        return load_card(path)

    def joining(self, config: Config, file: str) -> Change:
        return joins(new_card(place(config.scene), file))

    @property
    def recall(self) -> Any:
        from coterie.worlds.hospital.memory import HospitalRecall  # only runs with a memo need all that

        return HospitalRecall

    def lessons(self, config: Config) -> str:
        return place(config.scene).taught

    def task_for(self, config: Config, goal: Any) -> Task:
        return task_for(config, goal)

    def reached(self, goal: Mapping[str, Any], world: World) -> bool:
        assert isinstance(world, HospitalWorld)
        wishes = [Wish.from_json(w) for w in goal["wishes"]]
        left = list(goal["caddies"])
        for wish in wishes:
            if wish.kind != KIT:
                continue
            good = [c for c in left if _holds(world, c, dict(wish.contents), goal["items"], wish.where)]
            if not good:
                return False
            left.remove(good[0])
        return bool(wishes)


def _holds(world: HospitalWorld, caddy: str, contents: Mapping[str, int], items: Sequence[str], where: str) -> bool:
    packed = all(world.truth.get(("amount", caddy, i), 0) == contents.get(i, 0) for i in items)
    return packed and (not where or world.truth.get(("stock", caddy, where), 0) == 1)


HOSPITAL = HospitalEntry()
worlds.put(HOSPITAL.name, HOSPITAL)
