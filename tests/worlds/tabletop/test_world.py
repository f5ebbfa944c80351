"""The table as a world: rounds are joint, failures are words, and a failed motion leaves nothing behind."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.protocol import Party
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings, run
from coterie.log.file import Log
from coterie.models.chat import NoModel
from coterie.protocols import protocols
from coterie.worlds.tabletop.arms.rounds import TICK_S, flow
from coterie.worlds.tabletop.job import Layout
from coterie.worlds.tabletop.table import Diverged
from coterie.worlds.tabletop.tasks import TEAMS, draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld


def make(name="sort-cubes", seed=3, mode="rocobench"):
    return TabletopWorld(draw_tabletop(name, mode, seed), seed)


def play(world, **joint):
    world.start(joint)
    return {o.robot: o for o in world.advance(None)}


def qpos(world):
    return world.table.data.qpos.copy()


def bring(cube, panel):
    return Action("pick_place", (cube, panel))


WAIT = Action("wait")


def test_a_round_moves_a_cube_from_one_panel_to_the_next():
    world = make()
    cube = next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == "panel5")
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    assert {o.status for o in done.values()} == {"done"}
    assert world.job.area(cube, world.table.pos(cube)) == "panel3"
    assert done["Bob"].duration > 1.0


def test_a_logged_frame_has_the_whole_state():
    world = make()
    world.trace()
    play(world, Alice=WAIT, Bob=WAIT, Chad=WAIT)
    (frames,) = [f for f in world.trace() if f[0] == "frames"]
    assert len(frames[2][-1][1]) == world.table.model.nq


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        ({"Bob": Action("juggle")}, "unknown action JUGGLE"),
        ({"Bob": bring("red_ball", "panel3")}, "there is no red_ball"),
        ({"Bob": bring("blue_square", "panel9")}, "panel9 is no target"),
        ({"Bob": Action("pick_place", ("blue_square",))}, "PICK_PLACE takes <object> <target>"),
        ({"Bob": bring("blue_square", "panel6")}, "may go only to panel2, panel3 or panel5"),
        ({"Alice": WAIT, "Bob": WAIT, "Chad": WAIT}, "not all robots may WAIT"),
        ({"Alice": bring("blue_square", "panel2")}, "Out of reach: Alice"),
    ],
)
def test_each_check_says_what_is_wrong_and_moves_nothing(joint, words):
    world = make()  # blue_square lies on panel 5 or 7, beyond Alice
    before = qpos(world)
    verdicts = world.check(joint)
    assert all(not v.ok and words in v.reason for v in verdicts.values())
    done = play(world, **joint)
    assert all(o.status == "rewound" and words in o.reason for o in done.values())
    assert np.array_equal(before, qpos(world))


def test_a_motion_that_fails_rewinds_the_round(monkeypatch):
    world = make()
    cube = next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == "panel5")
    before, steps = qpos(world), []

    def gives_way(robot, thing):
        steps.append(float(world.table.data.time))
        raise Diverged("a joint flew off")

    monkeypatch.setattr(world.table, "grasp", gives_way)
    begun = float(world.table.data.time)
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    assert steps and steps[0] > begun, "the arm had moved before it failed"
    assert done["Bob"].status == "rewound" and "flew off" in done["Bob"].reason
    assert np.array_equal(before, qpos(world))
    assert world.table.held == {}


def spinning(world, monkeypatch, steps):
    """Let all that moves fly apart in some steps of the physics, counted from now."""
    real, taken = world.table.step, iter(range(10**9))

    def step(n=1):
        if next(taken) in steps:
            world.table.data.qvel[:] = 1e9
        real(n)

    monkeypatch.setattr(world.table, "step", step)


def expert_in(world, task, log):
    party = Party("team", protocols.get("task-expert"), tuple(n for n, _ in task.robots))
    return run(world, task, [party], log, NoModel().answer, Settings(seed=3))


@pytest.mark.long
def test_a_round_whose_physics_diverges_is_taken_back_and_the_episode_goes_on(monkeypatch):
    task = replace(draw_tabletop("sort-cubes", "rocobench", 3), step_limit=2)
    world, log = TabletopWorld(task, 3), Log()
    before = qpos(world)
    spinning(world, monkeypatch, {200})
    expert_in(world, task, log)
    outcomes = [e for e in log.events if e.kind == "outcome"]
    first = [e for e in outcomes if e.step == outcomes[0].step]
    assert {e.data["status"] for e in first} == {"rewound"}
    assert all("the physics diverged" in e.data["reason"] for e in first)
    frames = next(f[2] for e in log.events if e.kind == "truth" for f in e.data["facts"] if f[0] == "frames")
    assert frames[-1][1] == [round(v, 4) for v in before.tolist()], "all is where it was"
    assert {e.data["status"] for e in outcomes[len(first) :]} == {"done"}


def test_physics_that_diverges_in_every_round_uses_up_the_rounds(monkeypatch):
    task = draw_tabletop("sort-cubes", "rocobench", 3)
    world, log = TabletopWorld(task, 3), Log()
    before = qpos(world)
    spinning(world, monkeypatch, range(10**9))
    result = expert_in(world, task, log)
    assert (result.success, result.status, result.steps) == (False, "step limit", task.step_limit)
    assert np.array_equal(before, qpos(world))


def test_physics_that_diverges_between_rounds_ends_the_episode_as_lost_with_a_reason(monkeypatch):
    task = draw_tabletop("sort-cubes", "rocobench", 3)
    world = TabletopWorld(task, 3)
    spinning(world, monkeypatch, {0})
    world.apply(Change(Trigger(step=2), "leave", {"robot": "Alice"}, ("all",)))
    assert world.progress().lost and "diverged" in world.progress().text


ODD = st.one_of(
    st.none(), st.floats(), st.integers(), st.text(max_size=30), st.sampled_from(["apple", "bin_front_left", "milk"])
)

ODD_MOTIONS = [None, "x", 5, (7,), ({"knots": "x"},), ({"guide": [[1.0, 2.0]]},), ({"knots": [[math.nan]]},)]


@pytest.mark.long
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    skill=st.sampled_from(["pick", "place", "wait", "put", "open", "", "PICK"]),
    args=st.lists(ODD, max_size=3),
    path=st.lists(st.lists(st.floats(), min_size=0, max_size=4), max_size=6),
    motion=st.sampled_from(ODD_MOTIONS),
    name=st.sampled_from(["pack-grocery", "sandwich", "arrange-cabinet"]),
)
def test_fuzzed_plans_end_in_words(skill, args, path, motion, name):
    world = _world(name)
    robot = next(iter(world.robots()))
    action = Action(skill, tuple(args), path=tuple(tuple(p) for p in path), motion=motion)
    (verdict,) = world.check({robot: action}).values()
    assert verdict.ok in (True, False)
    assert verdict.ok or (verdict.reason and verdict.cause.clause)


def test_paths_that_are_too_long_or_not_numbers_are_named():
    world = _world("pack-grocery")
    item = next(iter(world.setting.layout.things))
    for path, words in (
        (((math.nan, 0.0, 0.5),) * 4, "not three finite numbers"),
        (((0.0, 0.0, 0.5),) * 10_000, "4 points, not 10000"),
    ):
        verdicts = world.check({"Alice": Action("pick", (item,), path=path)})
        assert words in verdicts["Alice"].reason


_worlds = {}


def _world(name):
    if name not in _worlds:
        _worlds[name] = make(name, 1)
    return _worlds[name]


def test_points_outside_the_box_of_a_hand_are_out_of_reach():
    world = _world("pack-grocery")
    item = next(iter(world.setting.layout.things))
    path = tuple((-0.2, y, 0.5) for y in (-0.1, -0.42, -0.5, 0.2))
    assert "Out of reach: Alice" in world.check({"Alice": Action("pick", (item,), path=path)})["Alice"].reason


@pytest.mark.long
def test_the_same_seed_gives_the_same_log_byte_for_byte():
    def lines():
        task = replace(draw_tabletop("sandwich", "mecobench", 5), step_limit=2)
        party = Party("team", protocols.get("task-expert"), tuple(n for n, _ in task.robots))
        log = Log()
        run(TabletopWorld(task, 5), task, [party], log, NoModel().answer, Settings(seed=5))
        return log.lines()

    assert lines() == lines()


@pytest.mark.parametrize("name", list(TEAMS))
def test_layouts_survive_json(name):
    layout = draw_tabletop(name, "rocobench", 11).setting.layout
    assert Layout.from_json(layout.to_json()) == layout


def test_led_hands_do_not_stop_at_every_knot():
    knots = np.linspace([0.0, 0.0], [1.0, -0.5], 30)
    samples = flow(knots, TICK_S, speed=1.0, push=4.0)
    speed = np.abs(np.diff(samples[:, 0]))
    assert speed[len(speed) // 2] > 4 * speed[0]
    assert np.allclose(samples[-1], knots[-1])
    assert speed.max() / 0.02 <= 1.0 + 1e-6
