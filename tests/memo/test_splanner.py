"""What the S-Planner makes of an old plan, in both modes, without itself, and after a failure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.memo import Act, MemoSettings, Motion, Plan, draft, parse_variant, similarity

from .drawn import packs
from .made import arc, knots, pack, pack_plan, sort, wait

SET = MemoSettings()


def sort_plan() -> Plan:
    """Alice brings the blue cube to a plate, and returns home; Bob waits."""
    alice = Act(
        "PICK PLACE",
        ("blue", "panel2"),
        None,
        (
            Motion(knots(1), arc((0, 0, 0.5), (0.4, 0.5, 0.3)), toward="blue"),
            Motion(knots(2), arc((0.4, 0.5, 0.3), (-0.8, 0.5, 0.5)), toward="panel2", holds="blue"),
            Motion(knots(3), arc((-0.8, 0.5, 0.5), (0, 0, 0.5))),
        ),
    )
    return Plan(({"Alice": alice, "Bob": wait()},))


def hows(made) -> list[str]:
    return [m.how for m in made.steps[0]["Alice"].motions]


# -- low overlap (Eq. 5, 6) -------------------------------------------------------------------------------------------
def test_nothing_moved_so_everything_is_reused():
    made = draft(sort(), sort_plan(), sort(x=0.405), SET)
    assert hows(made) == ["reuse", "reuse", "reuse"]
    assert made.words() == "1 round inherited; of 4 motions: 4 reused as they are."


def test_the_ways_to_and_from_a_moved_target_are_guided_by_the_old_ones():
    made = draft(sort(), sort_plan(), sort(x=0.45), SET)
    assert hows(made) == ["guide", "guide", "reuse"]  # to the cube, from the cube; the way home is as it was
    assert (made.together(0, 0), made.together(0, 2)) == ("guide", "reuse")
    assert made.words() == "1 round inherited; of 4 motions: 2 reused as they are, 2 guided by the old way."
    assert str(made.steps[0]["Alice"]) == "PICK PLACE blue panel2"


def test_a_turn_counts_as_well():
    assert hows(draft(sort(), sort_plan(), sort(yaw=0.5), SET))[0] == "guide"
    assert hows(draft(sort(), sort_plan(), sort(yaw=0.5), MemoSettings(eps=0.06)))[0] == "reuse"
    assert hows(draft(sort(), sort_plan(), sort(yaw=2 * np.pi - 0.01), SET))[0] == "reuse"


def test_without_the_s_planner_the_old_way_is_taken_as_it_is():
    made = draft(sort(), sort_plan(), sort(x=0.45), parse_variant("memo:no-splanner"))
    assert hows(made) == ["reuse"] * 3


# -- high overlap -----------------------------------------------------------------------------------------------------
def test_key_points_guide_where_something_moved():
    ref, cur = pack(), pack(apple=(-0.3, 0.4, 0.3))
    made = draft(ref, pack_plan(ref), cur, MemoSettings(axis="x"))
    pick, place = made.steps[0]["Alice"].motions[0], made.steps[1]["Alice"].motions[0]
    assert (pick.how, place.how) == ("guide", "guide")
    for motion in (pick, place):
        assert 3 <= len(motion.points) <= 6
        between = sorted((motion.start[0], motion.goal[0]))
        assert (motion.points[:, 0] >= between[0] - 1e-6).all()
        assert (motion.points[:, 0] <= between[1] + 1e-6).all()
    assert made.steps[1]["Alice"].motions[1].how == "reuse"  # home again
    assert len(made.ratios) == 2


def test_a_way_that_collides_at_once_is_planned_anew():
    ref, cur = pack(), pack(apple=(-0.3, 0.4, 0.3))
    made = draft(ref, pack_plan(ref), cur, SET, probe=lambda leg, points: 0 if leg.toward else None)
    assert made.count("anew") == 2
    assert "2 planned anew" in made.words()


def test_a_free_way_between_unmoved_ends_is_reused_and_a_blocked_one_is_not():
    ref, cur = pack(), pack(milk=(-0.1, 0.5, 0.3))
    assert draft(ref, pack_plan(ref), cur, SET).count("reuse") == 5
    blocked = draft(ref, pack_plan(ref), cur, SET, probe=lambda leg, p: len(p) // 2 if leg.skill == "PICK" else None)
    assert blocked.steps[0]["Alice"].motions[0].how == "guide"


def test_the_probe_is_not_asked_twice():
    ref, cur, asked = pack(), pack(apple=(-0.3, 0.4, 0.3)), []

    def probe(leg, points):
        asked.append(leg)
        return None

    found = similarity(ref, pack_plan(ref), cur, SET, probe)
    draft(ref, pack_plan(ref), cur, SET, probe, fits=found.fits)
    assert len(asked) == len(set(asked))


@given(packs, packs, st.booleans(), st.booleans())
def test_reused_knots_never_change(ref, cur, planner, free):
    settings, plan = MemoSettings(splanner=planner), pack_plan(ref, ("apple", "milk"))
    made = draft(ref, plan, cur, settings, None if free else lambda leg, p: len(p) // 2)
    assert [list(step) for step in made.steps] == [list(step) for step in plan.steps]
    for new, old in zip(made.steps, plan.steps):
        for robot in old:
            assert (new[robot].skill, new[robot].args) == (old[robot].skill, old[robot].args)
            for a, b in zip(new[robot].motions, old[robot].motions):
                assert a.knots is b.knots
                assert not a.knots.flags.writeable
                assert (len(a.points) > 0) == (a.how == "guide" or (planner and a.how == "reuse"))


# -- names ------------------------------------------------------------------------------------------------------------
def test_variants():
    assert parse_variant("memo") == MemoSettings()
    assert (parse_variant("memo").reuse, parse_variant("memo:no-splanner").reuse) == ("things", "tasks")
    assert parse_variant("memo:reuse=prefixes-and-no-splanner").reuse == "prefixes"
    both = parse_variant("memo:no-similarity-and-no-continue-and-tau=0.5-and-k=3-and-base=4-and-eta=0.1-and-eps=0.02")
    own = {"tau": 0.5, "k": 3, "base_steps": 4, "eta": 0.1, "eps": 0.02}
    assert both == MemoSettings(similarity=False, continues=False, reuse="tasks", **own)
    assert (both.tau_of("move-rope"), both.k_of("move-rope"), both.base_of("move-rope")) == (0.5, 3, 4)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("memos", "No memo 'memos'. Did you mean 'memo'?"),
        ("memo:no-splaner", "Did you mean 'no-splanner'?"),
        ("memo:k=many", "k cannot be 'many'"),
    ],
)
def test_wrong_names_are_told(name, words):
    with pytest.raises(CoterieError) as told:
        parse_variant(name)
    assert words in str(told.value)
