"""The table as a world: rounds are joint, failures are words with a cause, and failed motions leave nothing behind."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coterie.core.action import Action, Cause
from coterie.core.protocol import Party
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings, run
from coterie.log.file import Log
from coterie.models.chat import NoModel
from coterie.protocols import protocols
from coterie.testing import check_skill
from coterie.worlds.tabletop.arms.paths import NO_WAY
from coterie.worlds.tabletop.arms.rounds import TICK_S, flow
from coterie.worlds.tabletop.job import Layout
from coterie.worlds.tabletop.skills import VERBS
from coterie.worlds.tabletop.table import Diverged
from coterie.worlds.tabletop.tasks import TEAMS, draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.tabletop.rounds import WAIT, bring, cube_at, make, play

BOX = tuple((-0.2, y, 0.5) for y in (-0.1, -0.42, -0.5, 0.2))  # not all of it in that of the hand
POINT = (0.0, 0.5, 0.5)


def qpos(world):
    return world.table.data.qpos.copy()


def test_a_round_moves_a_cube_from_one_panel_to_the_next_and_logs_the_whole_state():
    world = make()
    world.trace()
    cube = cube_at(world, "panel5")
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    assert {o.status for o in done.values()} == {"done"}
    assert world.job.area(cube, world.table.pos(cube)) == "panel3"
    assert done["Bob"].duration > 1.0
    (frames,) = [f for f in world.trace() if f[0] == "frames"]
    assert len(frames[2][-1][1]) == world.table.model.nq


# -- checks -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", VERBS)
def test_clauses_of_a_skill_can_be_told_apart(name):
    check_skill(VERBS[name])


@pytest.mark.parametrize(("bob", "clause", "words"), [
    (Action("juggle"), "on_card", "unknown action JUGGLE"),
    (Action("pick_place", ("blue_square",)), "argument_count", "PICK_PLACE takes <object> <target>"),
    (Action("pick_place", ("blue_square", None)), "argument_kind", ""),
    (bring("red_ball", "panel3"), "thing", "there is no red_ball"),
    (bring("blue_square", "panel9"), "target", "panel9 is no target"),
    (bring("blue_square", "panel6"), "goal_panel", "may go only to panel2, panel3 or panel5"),
    (Action("wait", motion=5), "motion", ""),
    (Action("wait", path=((0.0, 0.0, 0.5),)), "path_taken", ""),
])  # fmt: skip
def test_each_check_says_what_is_wrong_and_with_whom_it_lies_and_moves_nothing(bob, clause, words):
    world, joint = make(), {"Alice": WAIT, "Bob": bob, "Chad": WAIT}
    before = qpos(world)
    verdicts = world.check(joint)
    mine, other = verdicts["Bob"], verdicts["Alice"]
    assert mine.ok is False and words in mine.reason == other.reason
    assert (mine.cause.clause, mine.cause.moment) == (clause, "before")
    assert other.cause == Cause("teammate", ("failed", ("Bob",), clause))
    done = play(world, **joint)
    assert {r: o.cause for r, o in done.items()} == {r: v.cause for r, v in verdicts.items()}
    assert all(o.status == "rewound" and words in o.reason for o in done.values())
    assert np.array_equal(before, qpos(world))


@pytest.mark.parametrize(("joint", "cause", "words"), [
    (dict.fromkeys(("Alice", "Bob", "Chad"), WAIT), Cause("may_wait", ("may_wait", ("Alice", "Bob", "Chad"), False)),
     "not all robots may WAIT"),
    ({"Alice": bring("blue_square", "panel2")}, Cause("reach", ("reaches", ("Alice",), False)), "Out of reach: Alice"),
])  # fmt: skip
def test_what_all_do_together_lies_with_all(joint, cause, words):
    verdicts = make().check(joint)  # blue_square lies beyond Alice
    assert {v.cause for v in verdicts.values()} == {cause} and all(words in v.reason for v in verdicts.values())


@pytest.mark.parametrize(("path", "clause", "words"), [
    ((), "path_given", ""),
    ((POINT,) * 3, "path_length", "4 points, not 3"),
    ((POINT,) * 10_000, "path_length", "4 points, not 10000"),
    (((0.0, 0.5),) * 4, "path_numbers", "not three finite numbers"),
    (((math.nan, 0.0, 0.5),) * 4, "path_numbers", "not three finite numbers"),
    (BOX, "waypoints", "Out of reach: Alice"),
])  # fmt: skip
def test_what_is_wrong_with_a_path_can_be_told_from_the_rest(path, clause, words):
    world = _world("pack-grocery")
    item = next(iter(world.setting.layout.things))
    verdict = world.check({"Alice": Action("pick", (item,), path=path)})["Alice"]
    assert verdict.cause.clause == clause and words in verdict.reason
    taken = world.check({"Alice": Action("pick", ("no_such_thing",), path=path)})["Alice"].cause
    assert taken.clause == "thing"


# -- motions ----------------------------------------------------------------------------------------------------------
def test_a_motion_that_fails_rewinds_the_round(monkeypatch):
    world = make()
    before, steps = qpos(world), []

    def gives_way(robot, thing):
        steps.append(float(world.table.data.time))
        raise Diverged("a joint flew off")

    monkeypatch.setattr(world.table, "grasp", gives_way)
    begun = float(world.table.data.time)
    done = play(world, Alice=WAIT, Bob=bring(cube_at(world, "panel5"), "panel3"), Chad=WAIT)
    assert steps and steps[0] > begun, "the arm had moved before it failed"
    assert done["Bob"].status == "rewound" and "flew off" in done["Bob"].reason
    assert {o.cause for o in done.values()} == {Cause("physics", None, "during")}
    assert np.array_equal(before, qpos(world))
    assert world.table.held == {}


def test_a_hand_that_ends_beside_its_thing(monkeypatch):
    world = make()
    cube = cube_at(world, "panel5")
    monkeypatch.setattr("coterie.worlds.tabletop.arms.rounds.ARRIVED_M", 0.0)
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    cause = done["Bob"].cause
    assert (cause.clause, cause.fact[:2], cause.moment) == ("grasp", ("off", ("Bob", cube)), "during")
    assert done["Alice"].cause == Cause("teammate", ("failed", ("Bob",), "grasp"), "during")


def test_planning_that_finds_no_way_does_so_before_anything_moves(monkeypatch):
    world = make()
    monkeypatch.setattr("coterie.worlds.tabletop.arms.rounds.transit", lambda *a: NO_WAY)
    done = play(world, Alice=WAIT, Bob=bring(cube_at(world, "panel5"), "panel3"), Chad=WAIT)
    assert {o.cause for o in done.values()} == {Cause("way", ("way", (), None), "before")}


def test_being_called_off_before_and_after_the_round_was_played():
    world = make()
    world.start({"Alice": WAIT, "Bob": WAIT})
    assert world.cancel("Alice").cause == Cause("called_off", ("called_off", ("Alice",), True), "before")
    world.advance(world.now + 1e-3)
    assert world.cancel("Bob").cause == Cause("called_off", ("called_off", ("Bob",), True), "after")


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
    world = make()
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


_worlds = {}


def _world(name):
    if name not in _worlds:
        _worlds[name] = make(name, 1)
    return _worlds[name]


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
