"""The tabletop world as an entry. The physics engine is loaded when a task is drawn, and not before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.entry import TaskFactory, WorldEntry, worlds
from coterie.core.errors import CoterieError
from coterie.core.task import Task
from coterie.core.world import World
from coterie.worlds.tabletop.bodies import ARMS, named_arms
from coterie.worlds.tabletop.declared import JOBS
from coterie.worlds.tabletop.recall import TableRecall
from coterie.worlds.tabletop.skills import VERBS
from coterie.worlds.tabletop.tasks import FILE_MODES, MODES, TABLE, TEAMS, draw_tabletop, team_of

USUAL_ARMS = Config().arms
#: Tasks that take more than reports of where loose things lie.
NOT_REAL = {
    "arrange-cabinet": "how far its doors are open counts, which no report says",
    "move-rope": "how its rope lies counts, which no report says",
    "sweep-floor": "broom and dustpan move at one moment, and each driver moves its arm when it can",
}


class Tabletop(WorldEntry):
    name = "tabletop"
    about = "arms around one table, in MuJoCo's physics; all check, plan and move together"
    place = "table"
    protocol = "task-expert"
    takes = frozenset({"team", "scene", "level", "noise", "changes", "camera", "arms", "real"})
    usual = {"scene": TABLE, "level": MODES[0]}
    recall = TableRecall

    def __init__(self) -> None:
        super().__init__()
        self.skills = VERBS
        for name, job in JOBS.items():
            self.tasks.put(name, _drawn(name, job["about"]))
        for body, card in ARMS.items():
            self.bodies.put(body, card)

    def settle(self, config: Config) -> Config:
        own = team_of(config.task, _arms(config))
        for option, given, fixed in (("team", config.team, own), ("scene", config.scene, TABLE)):
            if given and given != fixed:
                raise CoterieError(f"'{config.task}' is played by {own} on the table; leave out --{option}.")
        if config.noise not in ("", "none"):
            _noise(config.noise)  # a sentence now, and not when the table has been built
        if config.real and config.task in NOT_REAL:
            raise CoterieError(f"'{config.task}' takes no --real: {NOT_REAL[config.task]}.")
        if config.camera:
            from coterie.worlds.tabletop.views import angles, view_of

            angles(config.camera, view_of(config.task))
        level = config.level or (FILE_MODES if config.task.endswith(".toml") else MODES)[0]
        return replace(super().settle(config), team=own, level=level)

    def task(self, config: Config) -> Task:
        return _drawn(config.task, "")(config) if config.task.endswith(".toml") else super().task(config)

    def world(self, task: Task, config: Config) -> World:
        from coterie.worlds.tabletop.world import TabletopWorld

        if not config.real:
            return TabletopWorld(task, config.seed, noise=_noise(config.noise))
        from coterie.worlds.tabletop.real import RealTable

        return RealTable(task, config.seed, noise=_noise(config.noise))

    def levels(self) -> Mapping[str, str]:
        return {**dict.fromkeys(MODES, ""), FILE_MODES[0]: "of a job of your own, as its file says"}

    def teams(self) -> Mapping[str, Sequence[tuple[str, Card]]]:
        return {team: [(ARMS[body].name, ARMS[body]) for body in team.split("-")] for team in TEAMS.values()}

    def scenes(self) -> Sequence[tuple[str, str]]:
        return [(TABLE, "one table; each task says what stands on it and which arms around it")]

    def changes(self) -> Mapping[str, str]:
        from coterie.worlds.tabletop.changes import FORMS

        return FORMS

    def planning_s(self, world: World) -> float | None:
        return float(world.rounds.planning_s)  # type: ignore[attr-defined]

    def stream(self, task: str) -> str:
        return task  # a plan for one job is of no use to another

    def shelf(self, level: str) -> str:
        return level  # tasks that are unlike all before them are not, beside a memo that is full of others

    def pictures(self) -> Any:
        from coterie.worlds.tabletop.pictures import TablePictures

        return TablePictures()


def _arms(config: Config) -> tuple[str, ...]:
    """The bodies of `--arms`; none where the job's own play."""
    if config.arms == USUAL_ARMS:
        return ()
    return named_arms(config.arms, team_of(config.task).count("-") + 1, config.task)


def _noise(text: str) -> Any:
    from coterie.worlds.tabletop.noise import Noise

    return Noise.read(text)


def _drawn(name: str, about: str) -> TaskFactory:
    def factory(config: Config) -> Task:
        return draw_tabletop(name, config.level, config.seed, config.changes, _arms(config))

    factory.__doc__ = about
    return factory


TABLETOP = Tabletop()
worlds.put(TABLETOP.name, TABLETOP)
