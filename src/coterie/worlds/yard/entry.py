"""The yard as an entry: the shortest complete example of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.entry import WorldEntry, worlds
from coterie.core.protocol import protocols
from coterie.core.task import Task
from coterie.core.world import World
from coterie.worlds.yard.minds import Chooser, Foreman, Tidier
from coterie.worlds.yard.skills import SKILLS
from coterie.worlds.yard.tasks import CRAWLER, RUNNER, draw_yard
from coterie.worlds.yard.world import YardWorld


class YardEntry(WorldEntry):
    name = "yard"
    about = "cells, light things and beams; the tiny world that uses every part of the interfaces"
    place = "yard"
    protocol = "tidier"
    expert = "foreman"
    takes = frozenset({"level"})
    usual = {"team": "Runner-Crawler", "scene": "yard", "level": "plain"}

    def __init__(self) -> None:
        super().__init__()
        self.skills = SKILLS
        for card in (RUNNER, CRAWLER):
            self.bodies.put(card.body, card)
        self.tasks.put("yard-tidy", draw_yard)

    def world(self, task: Task, config: Config) -> World:
        return YardWorld(task)

    def levels(self) -> Mapping[str, str]:
        return {"plain": "light things only", "beam": "and a beam that two must lift together"}

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        return {"Runner-Crawler": ((RUNNER.name, RUNNER), (CRAWLER.name, CRAWLER))}

    def scenes(self) -> Sequence[tuple[str, str]]:
        return [("yard", "6 x 2 cells")]

    def pictures(self) -> Any:
        from coterie.worlds.yard.pictures import YardPictures

        return YardPictures()

    def reached(self, goal: Mapping[str, Any], world: World) -> bool:
        assert isinstance(world, YardWorld)
        home = all(world.truth["where", thing] == cell for thing, cell in goal["homes"])
        return home and all(world.truth["lifted", beam] for beam in goal["beams"])


YARD = YardEntry()
worlds.put(YARD.name, YARD)
protocols.put("tidier", Tidier, "no-model", YARD.name)
protocols.put("foreman", Foreman, "no-model", YARD.name)
protocols.put("chooser", Chooser, "model", YARD.name)
