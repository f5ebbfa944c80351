"""When is an old task similar? Picking and placing apart, both kinds of overlap, and the properties of alpha."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.memo import Act, MemoSettings, Motion, Plan, Pose, ratios, similarity
from coterie.memo.case import displacement
from coterie.memo.geometry import Track
from coterie.memo.trace import promises, sketch

from .drawn import packs
from .made import HOME, SLOT, arc, knots, pack, pack_plan, pick, place, sort, wait

SET = MemoSettings()
X = MemoSettings(axis="x")


def alphas(ref, plan, cur, probe=None, settings=SET) -> dict[str, float]:
    return {r.skill: r.alpha for r in ratios(similarity(ref, plan, cur, settings, probe).fits)}


# -- low overlap (Eq. 1) ----------------------------------------------------------------------------------------------
def test_a_cube_that_stays_on_its_panel_is_similar():
    found = similarity(sort(x=0.4), Plan(()), sort(x=0.45), SET)
    assert found.similar
    assert found.alpha == 1.0


def test_a_cube_on_another_panel_is_not():
    found = similarity(sort("panel5"), Plan(()), sort("panel7"), SET)
    assert not found.similar
    assert found.alpha == 0.5
    assert sort("panel5").structure != sort("panel7").structure
    assert sort("panel5").kin == sort("panel7").kin


@pytest.mark.parametrize("change", [{"constraints": ("left first",)}, {"obstacles": {"wall": Pose(0, 0, 0)}}])
def test_what_must_be_equal(change):
    assert pack(**change).structure != pack().structure
    assert not similarity(pack(), pack_plan(pack()), pack(**change), SET).similar


def test_an_obstacle_may_move():
    near, far = (pack(obstacles={"wall": Pose(x, 0, 0)}) for x in (0.0, 0.1))
    assert near.structure == far.structure
    assert displacement(near, far) == pytest.approx(0.1 / 3)


# -- high overlap: picking and placing (Eq. 2, 3, 7) ------------------------------------------------------------------
#: The hand starts at x = 0.3. In the old task the apple lay at x = -0.5 and went to x = 0.45.
FARTHER, NEARER = (-0.7, 0.4, 0.3), (-0.2, 0.4, 0.3)


def test_picking_keeps_what_lies_before_the_goal():
    """The apple lies nearer now: the old way passes it, and what is beyond is cut. All of the way is covered."""
    ref, cur = pack(), pack(apple=NEARER)
    found = similarity(ref, pack_plan(ref), cur, X)
    fit = next(f for f in found.fits if f.laid.leg.skill == "PICK")
    assert fit.kept[:, 0].min() == pytest.approx(-0.2)
    assert fit.kept[0].tolist() == pytest.approx(HOME)
    assert alphas(ref, pack_plan(ref), cur, settings=X)["PICK"] == pytest.approx(1.0)


def test_picking_farther_needs_more_way_than_there_is():
    ref, cur = pack(), pack(apple=FARTHER)
    assert alphas(ref, pack_plan(ref), cur, settings=X)["PICK"] == pytest.approx(0.8 / 1.0)


def test_placing_keeps_what_lies_after_the_start():
    """Eq. 7 as printed: d = +1, and points with x >= x_c, the place where the apple is taken from now."""
    ref, cur = pack(), pack(apple=NEARER)
    found = similarity(ref, pack_plan(ref), cur, X)
    fit = next(f for f in found.fits if f.laid.leg.skill == "PLACE")
    assert fit.kept[:, 0].min() == pytest.approx(-0.2)
    assert fit.kept[-1].tolist() == pytest.approx(SLOT)
    assert alphas(ref, pack_plan(ref), cur, settings=X)["PLACE"] == pytest.approx(1.0)


def test_placing_from_farther_away_lacks_the_beginning():
    ref, cur = pack(), pack(apple=FARTHER)
    assert alphas(ref, pack_plan(ref), cur, settings=X)["PLACE"] == pytest.approx(0.95 / 1.15)


def test_along_x_it_is_the_printed_formula():
    way = arc((-0.5, 0.4, 0.3), (0.45, 0.4, 0.3), 96)
    x_c, d = -0.2, 1
    printed = way[d * (way[:, 0] - x_c) >= 0]
    kept = Track((x_c, 0.4, 0.3), (0.45, 0.4, 0.3), "x").between(way)
    assert len(kept) in (len(printed), len(printed) + 1)  # and the point at x_c itself
    assert np.allclose(kept[-len(printed) :], printed)


def test_alpha_does_not_depend_on_how_densely_a_way_is_sampled():
    ref, cur = pack(), pack(apple=FARTHER)
    coarse = Plan(({"Alice": Act("PICK", ("apple",), None, (Motion(knots(), [HOME, (-0.5, 0.4, 0.3)], "apple"),))},))
    fine = Plan(({"Alice": pick("apple", (-0.5, 0.4, 0.3))},))
    a, b = (similarity(ref, plan, cur, X).alpha for plan in (coarse, fine))
    assert a == pytest.approx(b)


def test_the_way_is_cut_before_the_first_collision():
    ref = pack()
    wall = lambda leg, points: next((i for i, p in enumerate(points) if p[0] > 0.0), None)  # noqa: E731
    found = alphas(ref, pack_plan(ref), ref, lambda leg, p: wall(leg, p) if leg.skill == "PLACE" else None)
    assert found["PICK"] == pytest.approx(1.0)
    assert found["PLACE"] == pytest.approx(0.5 / 0.95, abs=0.03)


def test_home_and_waiting_do_not_count():
    ref = pack()
    found = similarity(ref, Plan(({"Alice": wait(), "Bob": wait()},)), pack(apple=FARTHER), SET)
    assert (found.alpha, found.fits) == (1.0, ())


def test_a_thing_that_was_put_down_lies_where_its_place_is():
    """The apple is taken twice; the second time it lies in the slot, which has not moved."""
    ref, cur = pack(), pack(apple=FARTHER)
    more = [{"Alice": pick("apple", SLOT)}, {"Alice": place("apple", SLOT, to=(0.6, 0.5, 0.36))}]
    again = Plan((*pack_plan(ref).steps, *more))
    last = [r.alpha for r in ratios(similarity(ref, again, cur, X).fits) if r.step >= 2]
    assert last == pytest.approx([1.0, 1.0])


def test_the_threshold_is_of_the_task_and_can_be_set():
    ref, cur = pack(), pack(apple=FARTHER)  # alpha = (0.8 + 0.826) / 2 = 0.81
    assert not similarity(ref, pack_plan(ref), cur, X).similar
    assert similarity(ref, pack_plan(ref), cur, MemoSettings(axis="x", tau=0.8)).similar
    rope = [pack(task="move-rope"), pack(apple=FARTHER, task="move-rope")]
    assert similarity(rope[0], pack_plan(ref), rope[1], X).similar  # 0.7


# -- properties -------------------------------------------------------------------------------------------------------
@given(packs)
def test_a_case_is_similar_to_itself(case):
    found = similarity(case, pack_plan(case, ("apple", "milk")), case, SET)
    assert found.similar
    assert found.alpha == pytest.approx(1.0)


@given(packs, packs, st.integers(0, 40), st.sampled_from(["x", "line"]))
def test_alpha_lies_between_nothing_and_all_and_collisions_lower_it(ref, cur, hit, axis):
    settings, plan = MemoSettings(axis=axis), pack_plan(ref, ("apple", "milk"))
    free = similarity(ref, plan, cur, settings).alpha
    cut = similarity(ref, plan, cur, settings, lambda leg, p: hit if hit < len(p) else None).alpha
    assert 0.0 <= cut <= free + 1e-9
    assert free <= 1.0
    (promise,) = promises([sketch(ref, plan)], cur, axis)
    assert promise == pytest.approx(free, abs=1e-6)


@given(st.sampled_from(["panel1", "panel2", "panel5"]), st.sampled_from(["panel1", "panel2", "panel5"]))
def test_leaving_the_area_breaks_similarity(a, b):
    assert similarity(sort(a), Plan(()), sort(b), SET).similar == (a == b)
