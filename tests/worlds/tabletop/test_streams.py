"""Streams of tasks for a memo: alike within a stream, or no two alike; each task from its seed alone."""

import math
import re
from itertools import product

import pytest

pytest.importorskip("mujoco")

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.memo import family_of
from coterie.worlds.tabletop.job import Layout, Pose
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.jobs.pack_grocery import RESTS
from coterie.worlds.tabletop.jobs.sweep_floor import CLEAR
from coterie.worlds.tabletop.jobs.sweeping import TRAY
from coterie.worlds.tabletop.layouts import streams
from coterie.worlds.tabletop.layouts.clutter import told_clutter
from coterie.worlds.tabletop.layouts.streams import different, likeness, ratio, signature, similar
from tests.worlds.tabletop.tables import scene

pytestmark = pytest.mark.long

HIGH = [n for n in jobs if jobs.get(n).overlap == "high"]
LOW = [n for n in jobs if jobs.get(n).overlap == "low"]


@pytest.mark.parametrize("name", HIGH)
def test_with_much_overlap_the_reuse_ratio_is_spread_above_tau(name):
    job, tau = jobs.get(name), family_of(name).tau
    base = similar(job, 200)
    found = [similar(job, seed) for seed in (201, 257, 299)]
    assert found[0].to_json() == similar(job, 201).to_json() != similar(job, 301).to_json()
    ratios = [ratio(job, base, layout) for layout in found]
    assert all(tau < r <= 1.0 for r in ratios)
    assert max(ratios) - min(ratios) > 0.02
    assert all(job.fits(layout) for layout in found)


def test_a_ratio_by_hand():
    """Of seven ways, those to one thing change: it lay half as far from the bin's edge as it lies now."""
    job = jobs.get("pack-grocery")
    layout = similar(job, 200)
    x, y = 0.1, 0.5  # where straight ways come from
    old, new = (
        Layout({n: Pose((x - far, y, 0.2)) if n == "apple" else p for n, p in layout.things.items()})
        for far in (0.3, 0.6)
    )
    goal = next(goal for _, _, thing, goal in job.trips(old) if thing == "apple")
    pick = 0.5  # the old way covers half of that to the apple
    place = (0.3 + goal[0] - x) / (0.6 + goal[0] - x)  # and this much of that into its slot, nearly
    assert ratio(job, old, new) == pytest.approx((10 + pick + place) / 12, abs=0.01)
    assert ratio(job, new, old) == pytest.approx(1.0)  # what led farther covers all


def test_a_rope_moves_as_a_whole_and_the_wall_a_little():
    job = jobs.get("move-rope")
    base, layout = similar(job, 100), similar(job, 101)
    shifts = {tuple(round(b - a, 9) for a, b in zip(base.things[n].at, layout.things[n].at)) for n in base.things}
    assert len(shifts) == 1
    for n in base.fixed:
        dx = layout.fixed[n].at[0] - base.fixed[n].at[0]
        assert abs(dx) <= 0.01
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


def test_with_much_overlap_different_tasks_do_not_pass_the_test():
    job, tau = jobs.get("pack-grocery"), family_of("pack-grocery").tau
    found = [different(job, seed) for seed in (460000, 460001, 460002)]
    assert all(likeness(job, a, b) < tau for i, b in enumerate(found) for a in found[:i])
    with pytest.raises(CoterieError, match=r"There are only 4 tasks of 'pack-grocery' .* from seed 460000 on"):
        different(job, 460004)
    with pytest.raises(CoterieError, match="There is only 1 task of 'move-rope' without a similar one"):
        different(jobs.get("move-rope"), 101)  # a rope always lies about as far from its groove


def by(trips, job, old, new, monkeypatch) -> float:
    """The ratio of a plan that takes these ways: from where, which thing, to where."""
    with monkeypatch.context() as patched:
        patched.setattr(type(job), "trips", lambda self, layout: [("Alice", *way) for way in trips])
        return ratio(job, old, new)


@pytest.mark.parametrize("name", HIGH)
def test_two_tasks_are_as_alike_as_the_plan_that_fits_best(name, monkeypatch):
    """Whoever fetches what and puts it where."""
    job = jobs.get(name)
    for seed in range(3):
        rng = rng_of(seed, "pairings")
        old, new = (job.draw(rng, "mecobench") for _ in range(2))
        choices, most = job.choices(old), likeness(job, old, new)
        ways = [[(start, t, goal) for start, goal in product(*choices[t])] for t in choices]
        assert all(by([rng.choice(w) for w in ways], job, old, new, monkeypatch) <= most + 1e-9 for _ in range(10))
        best = [max(by([way], job, old, new, monkeypatch) for way in w) for w in ways]
        assert most == pytest.approx(sum(best) / len(best), abs=1e-6)
        assert likeness(job, old, old) == pytest.approx(1.0)


def test_hands_rest_where_packing_says():
    world = scene("pack-grocery", "mecobench", 3)
    for robot, at in RESTS.items():
        assert math.dist(world.table.ee(robot), at) < 0.002


def test_foods_outside_the_recipe_may_lie_anywhere():
    job = jobs.get("sandwich")
    layouts = [similar(job, seed) for seed in range(1, 30)]
    for food in job.wanted(layouts[0]):
        assert len({job.area(food, layout.things[food].at) for layout in layouts}) == 1
    spare = [f for f in layouts[0].things if f not in job.wanted(layouts[0])]
    assert any(len({job.area(f, layout.things[f].at) for layout in layouts}) == 2 for f in spare)


@pytest.mark.parametrize("name", list(jobs))
def test_posts_keep_off_what_hands_reach_and_stay_in_a_stream(name):
    job = jobs.get(name)
    base, layout = (similar(job, seed, "cluttered") for seed in (400, 401))
    assert base.posts() and base.posts() == layout.posts()
    for one in (base, layout):
        reached = [*job.reached(one), *(p.at for p in one.things.values())]
        for post, (pose, (_, _, half)) in one.posts().items():
            if post == "bar":  # on two legs, and over nothing that hands reach down to
                assert all(abs(pose.at[0] - at[0]) > 0.12 for at in reached)
                continue
            if post == "rail":  # above what is done on the floor, on two legs at its ends
                legs = [one.posts()[f"rail_leg{n}"] for n in (1, 2)]
                assert all(leg.at[2] + up == pytest.approx(pose.at[2] + half) for leg, (_, _, up) in legs)
                assert pose.at[2] > 0.85
                continue
            assert pose.at[2] - half == pytest.approx(0.15)  # they stand on the table
            assert all(math.dist(pose.at[:2], at[:2]) > (0.1 if name == "sweep-floor" else 0.12) for at in reached)


@pytest.mark.parametrize("name", ["pack-grocery", "move-rope"])
def test_who_plans_ways_is_told_of_bars_and_posts_and_others_are_not(name):
    layout = similar(jobs.get(name), 400, "cluttered")
    told = dict(told_clutter(layout))
    assert set(told) == {n for n in layout.posts() if n == "bar" or n.startswith("post")}
    assert ("bar" in told) is (name == "pack-grocery")
    for post, words in told.items():
        x, y, z = (float(v) for v in re.findall(r"-?\d+\.\d+", words)[:3])
        pose, half = layout.posts()[post]
        assert (x, y, z) == pytest.approx((pose.at[0], pose.at[1], pose.at[2] + half[2]), abs=0.006)
        assert f"{post}: (" in words
    assert not told_clutter(jobs.get(name).draw(rng_of(1, "layout"), "mecobench"))
    for task, notes in ((name, set(told)), ("sweep-floor", set())):
        world = scene(task, "cluttered-similar", 400)
        seen = {f.args[0] for f in world.observe("Bob").facts if f.pred == "note"}
        assert seen & set(world.setting.layout.posts()) == notes


def test_a_pan_has_room_beside_the_sill():
    """Where it stands for a cube, and while it rises with its load."""
    job = jobs.get("sweep-floor")
    for first in range(0, 600, 100):
        layout = similar(job, first + 3, "cluttered")
        sill, (thin, _, _) = next(post for name, post in layout.posts().items() if post[0].at[1] < 0.5)
        assert all(p.at[0] - sill.at[0] > TRAY[0] + thin + 2 * CLEAR for p in layout.things.values())


def test_sweeping_has_boards_between_the_broom_and_its_cubes_in_all_tasks_of_a_stream():
    job = jobs.get("sweep-floor")
    for first in range(0, 500, 100):
        for layout in (similar(job, first + n, "cluttered") for n in (0, 7)):
            boards = sorted(
                p.at[0] for name, (p, half) in layout.posts().items() if name[:4] == "post" and half[1] < 0.16
            )
            cubes = sorted(p.at[0] for p in layout.things.values())
            assert len(boards) == 3
            assert [sum(b < c for b in boards) for c in cubes] != [0, 0, 0]  # not all on one side of all
            assert layout.posts() == similar(job, first, "cluttered").posts()


@pytest.mark.parametrize(("sign", "draw", "seed", "words"), [
    (lambda drawn: "all alike", different, 101, "There is only 1 task of 'sort-cubes' without a similar one"),
    (lambda drawn: next(drawn), similar, 205, "No task of 'sort-cubes' similar to that of seed 200"),
])  # fmt: skip
def test_a_stream_that_runs_dry_says_so(monkeypatch, sign, draw, seed, words):
    drawn = iter(range(100))
    streams._unlike.cache_clear()
    monkeypatch.setattr(streams, "TRIES", 3)
    monkeypatch.setattr(streams, "signature", lambda job, layout: (sign(drawn),))
    with pytest.raises(CoterieError, match=words):
        draw(jobs.get("sort-cubes"), seed)
    streams._unlike.cache_clear()
