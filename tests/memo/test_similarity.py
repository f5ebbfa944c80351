"""When is an old task similar? Picking and placing apart, both kinds of overlap, and the properties of alpha."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.memo import Act, MemoSettings, Motion, Plan, Pose, ratios, similarity
from coterie.memo.trace import promises, sketch

from .drawn import packs
from .made import HOME, SLOT, knots, pack, pack_plan, pick, place, sort, wait

SET = MemoSettings()
X = MemoSettings(axis="x")


def alphas(ref, plan, cur, probe=None, settings=SET) -> dict[str, float]:
    return {r.skill: r.alpha for r in ratios(similarity(ref, plan, cur, settings, probe).fits)}


# -- low overlap (Eq. 1) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("panel", "x", "alpha"), [("panel5", 0.45, 1.0), ("panel7", 0.4, 0.5)])
def test_a_cube_is_to_stay_on_its_panel(panel, x, alpha):
    was, now = sort("panel5", x=0.4), sort(panel, x=x)
    found = similarity(was, Plan(()), now, SET)
    assert (found.similar, found.alpha) == (panel == "panel5", alpha)
    assert (was.structure == now.structure) is found.similar and was.kin == now.kin


@pytest.mark.parametrize("change", [{"constraints": ("left first",)}, {"obstacles": {"wall": Pose(0, 0, 0)}}])
def test_what_must_be_equal(change):
    assert pack(**change).structure != pack().structure
    assert not similarity(pack(), pack_plan(pack()), pack(**change), SET).similar


# -- high overlap: picking and placing (Eq. 2, 3, 7) ------------------------------------------------------------------
#: The hand starts at x = 0.3. In the old task the apple lay at x = -0.5 and went to x = 0.45.
FARTHER, NEARER = (-0.7, 0.4, 0.3), (-0.2, 0.4, 0.3)


@pytest.mark.parametrize(
    ("skill", "apple", "alpha"),
    [
        ("PICK", NEARER, 1.0),  # the old way passes it, and what is beyond is cut
        ("PICK", FARTHER, 0.8 / 1.0),  # it needs more way than there is
        ("PLACE", NEARER, 1.0),  # as printed: d = +1, and points with x >= x_c, where the apple is taken from now
        ("PLACE", FARTHER, 0.95 / 1.15),  # the beginning is missing
    ],
)
def test_picking_keeps_what_lies_before_the_goal_and_placing_what_lies_after_the_start(skill, apple, alpha):
    ref, cur = pack(), pack(apple=apple)
    assert alphas(ref, pack_plan(ref), cur, settings=X)[skill] == pytest.approx(alpha)
    if apple == NEARER:
        found = similarity(ref, pack_plan(ref), cur, X)
        kept = next(f.kept for f in found.fits if f.laid.leg.skill == skill)
        assert kept[:, 0].min() == pytest.approx(-0.2)
        end = kept[0] if skill == "PICK" else kept[-1]
        assert end.tolist() == pytest.approx(HOME if skill == "PICK" else SLOT)


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
