"""Batched worlds are those of `parallel_env`: the same states, outcomes, observations and masks, many at a time."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import coterie.gym
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.gym import batched, parallel_env
from coterie.worlds.indoor.twin import tables
from tests.gym.side_by_side import CASES, play_both

PLAIN = Config("pack-objects", level="easy")
EPISODES = {"pack": 3, "six robots": 1, "stack in a drawn house": 3}

CLOSER = """
body = "Closer"
name = "Cleo"
mobility = "ground"
about = "drives, opens and closes"
skills = ["navigate", "open", "close", "pick", "place", "move", "communicate", "wait"]
footprint_m = 0.25
height_m = 1.1
speed_mps = 0.8
reach_m = 0.95
reach_high_m = 1.5
shoulder_m = 0.7
payload_kg = 3.0
camera_high_m = 1.6
"""


@pytest.mark.parametrize("case", CASES)
def test_both_play_the_same(case):
    tried, steps = play_both(CASES[case], range(EPISODES.get(case, 2)), draw=1)
    assert steps >= 25 and len(tried) >= 6, tried


def test_robots_that_close_doors_play_the_same(tmp_path):
    card = tmp_path / "closer.toml"
    card.write_text(CLOSER)
    config = Config("pack-objects", level="hard", team="Ma-MoMa-Closer", scene="house:3", cards=(str(card),))
    play_both(config, range(2), draw=2)


def test_poses_that_are_forgotten_change_nothing(monkeypatch):
    monkeypatch.setattr(tables, "MOST_POSES", 70)
    play_both(CASES["stack, two on wheels"], range(1), draw=3)


def test_pettingzoos_own_checks_on_the_fast_form():
    def made():
        return parallel_env(PLAIN, fast=True, seeds=range(8))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(made(), num_cycles=60)
        parallel_seed_test(made, num_cycles=30)


def test_a_world_that_ends_begins_again_and_others_go_on():
    env = batched(replace(PLAIN, level="medium"), 5, seeds=range(3))
    observed, infos = env.reset(seed=1)
    waits = env.spans["wait"][0]
    assert set(infos["seed"]) <= {0, 1, 2}
    own = env.layout.parts["self"]
    for step in range(1, 31):
        shares = observed["Bob"]["observation"][:, own.start]
        np.testing.assert_allclose(shares, (step - 1) / 30, atol=1e-6)
        observed, _, done, cut, infos = env.step({a: np.full(5, waits) for a in env.agents})
        assert cut["Bob"].all() == (step == 30) and not done["Bob"].any()
    assert infos["ended"].tolist() == [0, 1, 2, 3, 4] and (infos["final"]["steps"] == 30).all()
    assert (observed["Bob"]["observation"][:, own.start] == 0).all(), "what is seen is the beginning of the next"


@pytest.mark.parametrize(
    "config, words",
    [
        (Config("tidy"), "has no batched twin"),
        (replace(PLAIN, noise="slip=0.1"), "no batched worlds with noise='slip=0.1'. Batched worlds cover pack"),
        (replace(PLAIN, level="medium", changes=("rec@3:UAV",)), "no batched worlds with changes="),
        (replace(PLAIN, arms="planned"), "arms='planned'"),
    ],
)
def test_what_is_not_covered_is_said(config, words):
    with pytest.raises(CoterieError, match=words):
        batched(config, 2)


def test_wrong_numbers_are_named():
    env = batched(PLAIN, 2, seeds=range(2))
    with pytest.raises(CoterieError, match="Call reset"):
        env.step({})
    env.reset()
    with pytest.raises(CoterieError, match="No action was given for Bob"):
        env.step({})
    with pytest.raises(CoterieError, match="Actions are numbers from 0 to"):
        env.step(np.full((2, 3), 10_000))
    with pytest.raises(CoterieError, match="Seed 77 is not among"):
        env.reset(seeds=[0, 77])
    assert coterie.gym.batched is batched, "what is imported on the way does not take its name"
    with pytest.raises(CoterieError, match="at least one world"):
        batched(PLAIN, 0)
