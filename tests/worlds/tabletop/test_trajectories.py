"""Trajectories for other controllers: round corners, no rests, limits kept."""

import json
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.cli import main
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.worlds.tabletop.trajectories import OFF_RAD, RATE, _corners, _finer, episode, timed


def ways():
    numbers = st.lists(st.floats(-1.5, 1.5), min_size=3, max_size=3)
    return st.lists(numbers, min_size=2, max_size=6, unique_by=lambda k: round(k[0], 2)).map(np.array)


@settings(deadline=None, max_examples=40)
@given(knots=ways(), speeds=st.lists(st.floats(0.2, 3.0), min_size=3, max_size=3).map(np.array))
def test_limits_are_kept_corners_are_passed_near_and_it_ends_where_it_should(knots, speeds):
    made = timed(_finer(knots), speeds, 4 * speeds)
    assert made.q[0] == pytest.approx(knots[0]) and made.q[-1] == pytest.approx(knots[-1], abs=1e-6)
    assert (np.abs(made.v) <= speeds * 1.001).all()
    push = np.abs(np.diff(made.v[:-1], axis=0)) * RATE
    assert (push <= 4 * speeds * 1.01).all()
    for knot in knots:
        assert np.abs(made.q - knot).max(axis=1).min() < 3 * OFF_RAD + speeds.max() / RATE


def test_arms_do_not_rest_at_a_corner():
    made = timed(_finer(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.3]])), np.ones(2), 4 * np.ones(2))
    inner = np.abs(made.v[20:-20]).max(axis=1)
    assert inner.min() > 0.1
    assert made.t[-1] < 4.0


def test_knots_on_a_straight_line_are_no_corners():
    line = np.linspace([0.0, 0.0], [1.0, 2.0], 9)
    assert len(_corners(line)) == 2
    assert len(_corners(np.concatenate([line, [[2.0, 2.0]]]))) == 3


def test_arms_go_in_their_own_times_where_they_keep_clear_of_each_other():
    """Two hands on rails: a quick one need not wait for a slow one, unless it would run into it."""
    arms = "".join(
        f"<body name='{n}/base' pos='0 {y} 0'><joint name='{n}/j1' type='slide' axis='1 0 0'/>"
        f"<geom size='.05'/><site name='{n}/ee'/></body>"
        for n, y in (("Ann", 0.0), ("Ben", 0.0))
    )
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{arms}</worldbody></mujoco>")

    def last_move(ann, ben, limits):
        poses = np.linspace([ann[0], ben[0]], [ann[1], ben[1]], 9)
        made = episode(model, poses, limits)[1]
        moving = np.abs(made.v) > 1e-6
        return made.t[-1], [made.t[np.flatnonzero(moving[:, k])[-1]] for k in (0, 1)]

    end, (ann, ben) = last_move((0.0, 0.2), (0.6, 3.3), {"Ann": 2.0, "Ben": 0.5})
    assert ben > end - 0.01 and ann < end / 2
    end, (ann, ben) = last_move((0.0, 1.0), (0.3, 3.3), {"Ann": 2.0, "Ben": 0.5})  # into Ben
    assert ann > end - 0.05 and ben > end - 0.05


@pytest.fixture(scope="module")
def rope(tmp_path_factory):
    """The log of an episode of one round."""
    log, config = tmp_path_factory.mktemp("rope") / "log.jsonl", resolve(Config(task="move-rope", seed=3))
    play(config, log, task=replace(task_of(config), step_limit=1))
    return log


def test_the_viewer_wants_a_display(rope, capsys, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert main(["replay", str(rope), "--viewer"]) == 2
    assert "needs a display" in capsys.readouterr().err


def test_a_log_is_written_for_every_robot_in_three_forms(rope, tmp_path):
    simulated = json.loads(rope.read_text().splitlines()[-1])[2]
    assert main(["replay", str(rope), "--trajectories", str(tmp_path / "out")]) == 0
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "Alice.csv", "Alice.json", "Bob.csv", "Bob.json", "trajectories.mcap",
    }  # fmt: skip
    message = json.loads((tmp_path / "out" / "Bob.json").read_text())
    assert message["joint_names"][:3] == ["slide", "j1", "j2"]
    last = message["points"][-1]
    assert last["time_from_start"]["sec"] < simulated
    assert np.abs([p["velocities"][1:8] for p in message["points"]]).max() <= 2.175 * 1.001
    rows = (tmp_path / "out" / "Bob.csv").read_text().splitlines()
    assert rows[0].startswith("time,slide,j1") and len(rows) == len(message["points"]) + 1


def test_other_worlds_have_none(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    main(["run", "pack-objects", "--seed", "1", "--json", "--log", str(log)])
    assert main(["replay", str(log), "--trajectories", str(tmp_path / "out")]) == 2
    assert "another world" in capsys.readouterr().err
