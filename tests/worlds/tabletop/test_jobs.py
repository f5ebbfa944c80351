"""What all jobs have: rules that answer in words, and a script that plays them to their end in physics."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

pytest.importorskip("mujoco")
pytest.importorskip("ompl")

from coterie.core.action import Action
from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.arms.rounds import Rounds
from coterie.worlds.tabletop.job import MODES
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.jobs.cabinet import SIDES, hinge_of
from coterie.worlds.tabletop.table import Table
from tests.worlds.tabletop.rounds import WAIT, make, next_round, words_of

PATH = ((0.0, 0.3, 0.6),) * 4
FRONT, BACK = "rope_front_end", "rope_back_end"


def pick(thing: str, path: tuple = ()) -> Action:
    return Action("pick", (thing,), path=path)


@functools.cache
def table_of(job: str) -> Table:
    return Table(jobs.get(job), jobs.get(job).draw(rng_of(5, "layout"), MODES[0]))


@pytest.mark.parametrize(
    ("job", "joint", "words"),
    [
        ("arrange-cabinet", {"Chad": pick("right_door_handle")}, "Constraints failed, Chad cannot reach door."),
        ("arrange-cabinet", {"Alice": pick("mug")}, "PICK mug needs PLACE"),
        ("arrange-cabinet", {}, "not all robots may WAIT"),
        ("arrange-cabinet", {"Alice": Action("open", ("left_door_handle",))}, "must PICK left_door_handle before it"),
        ("arrange-cabinet", {"Chad": Action("pick_place", ("mug", "table"))}, "there are mug_coaster, cup_coaster"),
        ("arrange-cabinet", {"Alice": Action("pick_place", ("left_door_handle", "mug_coaster"))},
         "cannot be placed; PICK and OPEN it"),
        ("pack-grocery", {"Alice": pick("milk", PATH)}, "Bob's ACTION is invalid, can only PICK or PLACE"),
        ("pack-grocery", {"Alice": pick("milk", PATH), "Bob": pick("milk", PATH)}, "both robots cannot PICK milk"),
        ("pack-grocery", {"Alice": pick("milk"), "Bob": pick("bread", PATH)}, "Alice: the PATH is missing; give 4"),
        ("pack-grocery", {"Alice": Action("place", ("milk", "bin"), path=PATH), "Bob": pick("bread", PATH)},
         "does not hold milk"),
        ("move-rope", {"Alice": pick(FRONT, PATH)}, "Bob: nobody may WAIT in this task"),
        ("move-rope", {"Alice": pick(FRONT, PATH), "Bob": pick(FRONT, PATH)}, "each robot needs an end"),
        ("move-rope", {"Alice": pick(FRONT), "Bob": pick(BACK, PATH)}, "Alice: the PATH is missing"),
        ("move-rope", {"Alice": Action("put", (FRONT, "groove_left_end"), path=PATH), "Bob": pick(BACK, PATH)},
         "does not hold"),
        ("sweep-floor", {"Alice": Action("dump"), "Bob": Action("sweep", ("red_cube",))},
         "Task Constraints failed, Alice must WAIT while Bob SWEEPs."),
        ("sweep-floor", {"Alice": Action("move", ("trash_bin",))}, "there are red_cube, green_cube, blue_cube"),
        ("sweep-floor", {"Alice": Action("sweep", ("red_cube",))}, "unknown action SWEEP"),
    ],
)  # fmt: skip
def test_rules_answer_in_words(job: str, joint: dict[str, Action], words: str) -> None:
    table = table_of(job)
    assert words in words_of(Rounds(table, 0).check({**dict.fromkeys(table.arms, WAIT), **joint}))


@pytest.mark.parametrize(
    ("job", "level", "seed", "rounds", "top"),
    [
        ("sweep-floor", "mecobench", 1, 20, None),
        pytest.param("pack-grocery", "rocobench", 3, 6, 0.8, marks=pytest.mark.long),
        pytest.param("move-rope", "rocobench", 5, 2, 0.55, marks=pytest.mark.long),
    ],
)
def test_the_script_plays_a_job_to_its_end(job: str, level: str, seed: int, rounds: int, top: float | None) -> None:
    world = make(job, seed, level)
    for _ in range(rounds):
        if world.progress().done:
            break
        joint = next_round(world)
        if top is not None:  # hands are led, at heights between
            paths = [action.path for action in joint.values()]
            assert all(len(path) == 4 and all(0.25 <= z <= top for _, _, z in path) for path in paths)
        world.start(joint)
        assert all(o.ok for o in world.advance())
    assert world.progress().done and not world.table.held


def test_the_script_opens_a_cabinet_holds_its_doors_and_fetches() -> None:
    world = make("arrange-cabinet", 1, "mecobench")
    table = world.table
    while not world.progress().done:
        joint = next_round(world)
        waiting = [r for r, a in joint.items() if a.skill == "wait"]
        still = {r: table.data.qpos[table.arms[r].qpos].copy() for r in waiting}  # or holds its door
        world.start(joint)
        assert all(o.ok for o in world.advance()) and world.rounds.number <= world.job.rounds
        assert all(np.abs(table.data.qpos[table.arms[r].qpos] - q).max() < 0.05 for r, q in still.items())
    assert table.held == {"Alice": "left_door_handle", "Bob": "right_door_handle"}
    for door, side in SIDES.items():
        assert world.job.is_open(table, door)
        assert math.copysign(1.0, table.joint(hinge_of(door))) == side
