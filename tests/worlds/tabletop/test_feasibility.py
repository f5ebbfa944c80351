"""Cluttered tables: whatever was drawn, every hand has a free posture where it has to be."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

pytest.importorskip("mujoco")

from coterie.core.seeds import rng_of
from coterie.worlds.tabletop.arms.reaching import Goals, Reaching
from coterie.worlds.tabletop.job import POSTS, STAY, Job, Layout, Pose
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.layouts import clutter, streams
from coterie.worlds.tabletop.layouts.feasibility import feasible
from coterie.worlds.tabletop.layouts.streams import drawn, similar
from coterie.worlds.tabletop.table import Table

HIGH_M = 0.9


def free_at_last(table: Table, legs) -> bool:
    """Whether a posture is found by one seed or another."""
    everybody = {r: legs.get(r, STAY) for r in table.arms}
    return any(isinstance(Reaching(table, table.data, {}, everybody).solve(k), Goals) for k in (7, 8, 9))


@pytest.mark.long
@pytest.mark.parametrize("name", list(jobs))
def test_all_that_a_job_needs_has_a_free_posture_when_the_scene_has_settled(name):
    job = jobs.get(name)
    for layout in (drawn(job, rng_of(70, name, "cluttered"), "cluttered"), similar(job, 450101, "cluttered")):
        table = Table(job, layout)
        found = [any(all(free_at_last(table, legs) for legs in way) for way in need) for need in job.needs(table)]
        assert found and all(found)


def fenced(layout: Layout, thing: str) -> Layout:
    """Four high posts around a thing, as near as posts may stand."""
    (x, y, _), half = layout.things[thing].at, (HIGH_M - 0.15) / 2
    around = {
        f"post{k}": (x + 0.09 * math.cos(k * math.pi / 2), y + 0.09 * math.sin(k * math.pi / 2)) for k in range(4)
    }
    fixed = {n: Pose((px, py, 0.15 + half)) for n, (px, py) in around.items()}
    more = {**layout.more, POSTS: {n: [0.02, 0.02, half] for n in around}}
    return Layout(layout.things, {**layout.fixed, **fixed}, more)


@pytest.mark.long
@pytest.mark.parametrize(("name", "thing"), [("sandwich", "bacon"), ("sort-cubes", "pink_polygon")])
def test_a_thing_behind_posts_is_found_out_of_reach(name, thing):
    job = jobs.get(name)
    layout = job.draw(rng_of(5, "layout"), "mecobench")
    assert feasible(job, layout)
    assert not feasible(job, fenced(layout, thing))


def test_layouts_are_drawn_until_arms_have_room(monkeypatch):
    """Without the check other layouts come out."""
    job = jobs.get("sandwich")
    asked: list[Layout] = []

    def twice_no(job: Job, layout: Layout) -> bool:
        asked.append(layout)
        return len(asked) > 2

    monkeypatch.setattr(clutter, "feasible", twice_no)
    assert drawn(job, rng_of(1, "layout"), "cluttered") == asked[2] != asked[0]
    asked.clear()
    streams._first.cache_clear()
    monkeypatch.setattr(clutter, "feasible", lambda job, layout: True)
    monkeypatch.setattr(streams, "feasible", twice_no)
    for name in ("sandwich", "move-rope"):
        asked.clear()
        layout = similar(jobs.get(name), 301, "cluttered")
        assert layout == asked[2] and len(asked) == 3
        assert layout.posts() == similar(jobs.get(name), 300, "cluttered").posts()
    streams._first.cache_clear()


def test_a_table_as_it_was_drawn_has_seen_no_physics():
    job = jobs.get("sandwich")
    layout = job.draw(rng_of(5, "layout"), "mecobench")
    table = Table(job, layout, at_rest=False)
    assert float(table.data.time) == 0.0
    assert all(math.dist(table.pos(n), p.at) < 1e-9 for n, p in layout.things.items())
    moved = replace(layout, things={**layout.things, "bacon": Pose((0.5, 0.5, 0.5))})
    assert Table(job, moved, at_rest=False).pos("bacon") == pytest.approx((0.5, 0.5, 0.5))
