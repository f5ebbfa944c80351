"""Everything that comes with the library keeps the contracts that outsiders are asked to keep."""

import functools
from dataclasses import replace

import pytest

from coterie.core.judge import known_verdict
from coterie.core.protocol import Party
from coterie.core.task import Task
from coterie.episode.loop import Settings
from coterie.houses.names import scene
from coterie.models.chat import NoModel
from coterie.protocols import protocols
from coterie.testing import Trial, check_protocol, check_world
from coterie.worlds import worlds
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.tasks.draw import draw_task
from coterie.worlds.indoor.world import IndoorWorld
from coterie.worlds.tabletop.declared import JOBS
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld

ELSEWHERE = {"slow", *worlds} - {"indoor"}
NOISE = Noise(miss=0.3, slip=0.3, misplace=0.3, drift=0.3)


@functools.cache
def drawn(kind: str) -> Task:
    return draw_task(kind, "easy", "Ma-MoMa-UAV", scene("flat"), 10_000)


@pytest.mark.parametrize("noise", [None, NOISE], ids=["calm", "noisy"])
@pytest.mark.parametrize("kind", ["pack-objects", "sort-solids", "make-sandwich"])
def test_the_indoor_world_keeps_the_contract(kind, noise):
    check_world(lambda: IndoorWorld(drawn(kind), noise=noise))


@pytest.mark.parametrize("settings", [
    Settings(), Settings(guard=known_verdict), Settings(synchronous=False),
], ids=["synchronous", "guarded", "asynchronous"])  # fmt: skip
@pytest.mark.parametrize("name", [
    n for n in protocols.names("no-model")
    if (not ELSEWHERE & protocols.tags(n) or "indoor" in protocols.tags(n))
    and not n.endswith((":1000", ":10000")) and f"{n}:100" not in protocols  # the same code, for much longer
])  # fmt: skip
def test_protocols_without_a_model_keep_the_contract(name, settings):
    task = drawn("pack-objects")

    def trial(make):
        party = Party("team", make, tuple(name for name, _ in task.robots))
        return Trial(IndoorWorld(task), task, [party], NoModel().answer, settings)

    check_protocol(protocols.get(name), trial, cuts=2)


@pytest.mark.parametrize("job", list(JOBS))
def test_the_tabletop_world_keeps_the_contract(job):
    task = draw_tabletop(job, "rocobench", 10_000)
    check_world(lambda: TabletopWorld(task, 10_000), rounds=2)


@pytest.mark.long
@pytest.mark.parametrize("job", ["sort-cubes", "sandwich"])
def test_the_task_expert_keeps_the_contract(job):
    task = replace(draw_tabletop(job, "rocobench", 10_001), step_limit=2)

    def trial(make):
        party = Party("team", make, tuple(name for name, _ in task.robots))
        return Trial(TabletopWorld(task, 10_001), task, [party], NoModel().answer, Settings(seed=10_001))

    check_protocol(protocols.get("task-expert"), trial, cuts=1)
