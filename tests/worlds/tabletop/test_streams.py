"""Streams of tasks for a memo: alike within a stream, or no two alike; each task from its seed alone."""

import math
from itertools import combinations

import pytest

pytest.importorskip("mujoco")

from coterie.core.errors import CoterieError
from coterie.worlds.tabletop import streams
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.streams import SHIFT, different, signature, similar

HIGH = [n for n in jobs if jobs.get(n).overlap == "high"]
LOW = [n for n in jobs if jobs.get(n).overlap == "low"]


def test_there_are_jobs_of_both_kinds():
    assert "pack-grocery" in HIGH
    assert "sort-cubes" in LOW


@pytest.mark.parametrize("name", HIGH)
def test_with_much_overlap_things_lie_a_little_elsewhere(name):
    job = jobs.get(name)
    base = similar(job, 200)
    for seed in (201, 257, 299):
        layout = similar(job, seed)
        assert layout.to_json() == similar(job, seed).to_json()
        moved = [math.dist(layout.things[n].at[:2], base.things[n].at[:2]) for n in base.things]
        assert 0 < max(moved) <= SHIFT * math.sqrt(2)
        assert all(layout.things[n].at[2] == base.things[n].at[2] for n in base.things)
        assert all(layout.things[n].yaw == base.things[n].yaw for n in base.things)
        if name != "move-rope":
            for a, b in combinations(base.things, 2):
                was = math.dist(base.things[a].at[:2], base.things[b].at[:2])
                now = math.dist(layout.things[a].at[:2], layout.things[b].at[:2])
                assert now > min(0.16, was) - 0.01
    assert similar(job, 300).to_json() != base.to_json()  # another stream


def test_a_rope_moves_as_a_whole_and_the_wall_a_little():
    job = jobs.get("move-rope")
    base, layout = similar(job, 100), similar(job, 101)
    shifts = {tuple(round(b - a, 9) for a, b in zip(base.things[n].at, layout.things[n].at)) for n in base.things}
    assert len(shifts) == 1
    for n in base.fixed:
        dx = layout.fixed[n].at[0] - base.fixed[n].at[0]
        assert 0 < abs(dx) <= 0.01
        assert layout.fixed[n].at[1:] == base.fixed[n].at[1:]


@pytest.mark.parametrize("name", LOW)
def test_with_little_overlap_similar_tasks_share_areas_and_goal(name):
    job = jobs.get(name)
    base = similar(job, 0)
    assert all(signature(job, similar(job, seed)) == signature(job, base) for seed in (1, 50))


def test_different_tasks_are_different():
    job = jobs.get("sort-cubes")
    found = [signature(job, different(job, seed)) for seed in range(100, 106)]
    assert len(set(found)) == 6
    assert signature(job, different(job, 103)) == found[3]


def test_with_much_overlap_every_seed_is_drawn_anew():
    job = jobs.get("pack-grocery")
    assert different(job, 7).to_json() == different(job, 7).to_json()
    assert different(job, 7).to_json() != different(job, 8).to_json()


def test_a_stream_that_runs_dry_says_how_many_there_were(monkeypatch):
    job = jobs.get("sort-cubes")
    monkeypatch.setattr(streams, "TRIES", 3)
    monkeypatch.setattr(streams, "signature", lambda job, layout: ("all alike",))
    with pytest.raises(CoterieError, match="There is only 1 task of 'sort-cubes' without a similar one"):
        different(job, 101)


def test_no_similar_task_is_an_error(monkeypatch):
    numbers = iter(range(100))
    monkeypatch.setattr(streams, "TRIES", 3)
    monkeypatch.setattr(streams, "signature", lambda job, layout: (next(numbers),))
    with pytest.raises(CoterieError, match="No task of 'sort-cubes' similar to that of seed 200"):
        similar(jobs.get("sort-cubes"), 205)
