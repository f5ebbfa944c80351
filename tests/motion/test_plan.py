"""Planning: free paths, the same ones every time, within the limits set."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.motion.collision import Checker
from coterie.motion.plan import Blocked, Limits, Lines, Path, _halved, _joined, _past, follow, plan, visit
from tests.motion.conftest import pair, two_rooms
from tests.motion.test_collision import checker, hand_at

METHODS = ("rrt-connect", "bit*")


def around_the_post(x=0.1):
    """Both hands low on one side of the post, and on the other: the straight line goes through it."""
    return checker(pair()), *hands(x, 0.55, z=0.3)


def through_the_wall():
    """From one room without a door to the other."""
    scene = two_rooms()
    start, goal = scene.home, scene.home
    start[0], goal[0] = -1.2, 1.2
    return checker(scene), start, goal


def hands(*xs, z=0.75):
    """Hands beside the post: at 0.75 m over it."""
    return [hand_at(pair(), "Alice", (x, 0.48, z)) for x in xs]


def is_free(check: Checker, path: Path) -> bool:
    return all(check.edge(a, b) for a, b in zip(path.knots, path.knots[1:], strict=False))


def test_a_free_line_is_taken():
    check, start, _ = around_the_post()
    path = plan(check, start, pair().home)
    assert path.how == "straight" and len(path.knots) == 2 and path.iterations == 0


@pytest.mark.parametrize("method", METHODS)
def test_a_way_around_is_found_and_free(method):
    check, start, goal = around_the_post()
    assert not check.edge(start, goal)
    path = plan(check, start, goal, method=method, seed=1)
    assert path.how == method
    assert path.iterations > 0
    assert np.array_equal(path.knots[0], start) and np.array_equal(path.knots[-1], goal)
    assert is_free(check, path)
    assert all(check.inside(q) for q in path.knots)
    assert len(path.knots) <= 12


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_path_whatever_came_before(method):
    check, start, goal = around_the_post()
    a = plan(check, start, goal, method=method, seed=7)
    other = plan(check, start, goal, method=method, seed=8)
    plan(check, goal, start, method="bit*" if method == "rrt-connect" else "rrt-connect", seed=9)
    again = plan(check, start, goal, method=method, seed=7)
    assert np.array_equal(a.knots, again.knots) and a.iterations == again.iterations
    assert not np.array_equal(a.knots, other.knots)


def test_threads_do_not_disturb_each_other():
    alone = plan(*around_the_post(), seed=3)
    found = []
    threads = [
        threading.Thread(target=lambda s=s: found.append((s, plan(*around_the_post(), seed=s)))) for s in (3, 4, 3)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 3
    assert all(np.array_equal(path.knots, alone.knots) for s, path in found if s == 3)


def test_a_guide_over_the_post_is_followed():
    check, start, goal = around_the_post()
    over = hands(0.1, 0.55)
    path = plan(check, start, goal, guide=over, limits=Limits(iterations=0))
    assert path.how == "guided" and path.iterations == 0
    assert is_free(check, path)


def test_a_guide_leads_around_nothing_where_the_straight_line_is_free():
    check, start, _ = around_the_post()
    home, aside = pair().home, hand_at(pair(), "Alice", (0.1, 0.3, 0.6))
    path = plan(check, start, home, guide=[aside])
    assert path.how == "straight" and np.array_equal(path.knots, [start, home])


def test_a_guide_of_many_stops_is_cut_short_with_few_checks():
    check, start, goal = around_the_post()
    over = hands(0.1, 0.55)
    corners = [start, *over, goal]
    dense = [a + (b - a) * k / 8 for a, b in pairwise(corners) for k in range(8)][1:]
    check.checks = 0
    path = plan(check, start, goal, guide=dense, limits=Limits(iterations=0))
    few, length = check.checks, sum(check.steps(a, b) for a, b in pairwise(path.knots))
    assert path.how == "guided" and is_free(check, path)
    assert 2 < len(path.knots) <= len(corners) + 1
    assert few < 1.5 * length  # hardly more than one look at every point of the way that is left


def test_a_way_that_is_asked_for_visits_every_stop():
    check, start, goal = around_the_post()
    over = hands(0.1, 0.3, 0.55)
    path = visit(check, start, goal, over)
    assert path.how == "asked" and is_free(check, path)
    at = [next(i for i, q in enumerate(path.knots) if np.array_equal(q, stop)) for stop in over]
    assert at == sorted(at)
    # the straight piece from the first stop to the goal leads through the post: a search goes around it
    around = visit(check, start, goal, over[:1], seed=1)
    assert is_free(check, around) and any(np.array_equal(q, over[0]) for q in around.knots)


def test_a_stop_that_cannot_be_reached_is_named():
    check, start, goal = around_the_post()
    (over,) = hands(0.1)
    inside = hand_at(pair(), "Alice", (0.3, 0.5, 0.4))
    assert visit(check, start, goal, [over, inside]) == Blocked(2)
    assert visit(check, start, goal, [start], limits=Limits(iterations=0)) == Blocked(2)  # the goal itself


def test_bad_advice_is_ignored():
    check, start, goal = around_the_post()
    through = [hand_at(pair(), "Alice", (0.3, 0.5, 0.4)), start + 100.0]
    path = plan(check, start, goal, guide=through, seed=1)
    assert path.how == "rrt-connect" and is_free(check, path)


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_done_ends_soon_and_within_its_iterations(method):
    check, start, goal = through_the_wall()
    assert plan(check, start, goal, method=method, limits=Limits(iterations=200)) is None
    assert check.checks < 20_000
    few, many = [], []
    for count, n in ((few, 50), (many, 400)):
        check.checks = 0
        plan(check, start, goal, method=method, limits=Limits(iterations=n))
        count.append(check.checks)
    assert few[0] * 2 < many[0]


def test_ends_that_collide_or_break_a_limit_and_unknown_methods_are_refused_at_once():
    check, start, goal = around_the_post()
    check.checks = 0
    assert plan(check, start, hand_at(pair(), "Alice", (0.3, 0.5, 0.4))) is None
    assert plan(check, start, goal + 50.0) is None
    assert check.checks < 5
    with pytest.raises(CoterieError, match="No planning method 'rrt'"):
        plan(check, start, goal, method="rrt")


def test_the_clock_is_a_safety_net(caplog):
    assert plan(*through_the_wall(), limits=Limits(iterations=10**9, wall_s=0.05)) is None
    assert "stopped by the clock" in caplog.text


# -- following ------------------------------------------------------------------------------------------------------
@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    knots=st.integers(2, 6),
    joints=st.integers(1, 8),
    vmax=st.floats(0.1, 5.0),
    amax=st.floats(0.2, 20.0),
)
def test_following_respects_speed_and_acceleration(seed, knots, joints, vmax, amax):
    path = np.random.default_rng(seed).uniform(-2, 2, (knots, joints))
    dt = 0.01
    q = follow(path, dt, vmax, amax)
    assert np.allclose(q[0], path[0]) and np.allclose(q[-1], path[-1])
    rest = np.concatenate((q[:1], q, q[-1:]))  # at rest before and after
    speed = np.diff(rest, axis=0) / dt
    assert np.abs(speed).max() <= vmax * (1 + 1e-6)
    assert np.abs(np.diff(speed, axis=0) / dt).max() <= amax * (1 + 1e-6)


def test_following_passes_through_the_knots_and_joints_have_their_own_limits():
    path = np.array([[0.0, 0.0], [1.0, 0.2], [0.0, 1.0]])
    q = follow(Path(path, "straight", 0), 0.005, np.array([1.0, 0.5]), np.array([4.0, 2.0]))
    assert min(np.linalg.norm(q - path[1], axis=1)) < 1e-9
    speed = np.abs(np.diff(q, axis=0) / 0.005).max(axis=0)
    assert speed[0] <= 1.0 and speed[1] <= 0.5
    assert speed[1] > 0.3  # and the limit is used


def test_following_nothing_and_following_badly():
    still = follow(np.zeros((2, 3)), 0.01, 1.0, 1.0)
    assert np.array_equal(np.unique(still, axis=0), np.zeros((1, 3)))
    with pytest.raises(CoterieError, match="positive"):
        follow(np.zeros((2, 3)), 0.0, 1.0, 1.0)


class Drawn(Lines):
    """Stops 0, 1, ... of which some pairs have a free line between them."""

    def __init__(self, free, stops):
        self.asked = []
        drawn = self

        class Check:
            def between(self, a, b):
                drawn.asked.append((a, b))
                return (a, b) in free

        super().__init__(Check(), range(stops))


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        ({(0, 1), (1, 2), (2, 4)}, [0, 1, 2, 4]),  # the last stop lies behind the goal
        ({(0, 2), (2, 3), (3, 4)}, [0, 2, 3, 4]),  # the first lies behind the start
        ({(0, 1), (1, 2), (1, 3), (3, 4)}, [0, 1, 3, 4]),  # one that leads nowhere is gone back from
        ({(0, 1), (1, 2), (3, 4)}, None),
    ],
)
def test_stops_of_a_guide_that_are_one_too_many_are_left_out(free, expected):
    lines = Drawn(free, 5)
    assert _past(lines, range(5)) == expected
    assert len(lines.asked) == len(set(lines.asked))  # no line is looked at twice


@pytest.mark.parametrize(
    ("free", "left"),
    [
        ({(0, 6)}, [0, 6]),
        ({(0, 3), (3, 6)}, [0, 3, 6]),
        ({(0, 3), (3, 4), (4, 6)}, [0, 3, 4, 6]),
        ({(0, 1), (1, 4), (4, 6)}, [0, 1, 2, 3, 4, 6]),  # whose neighbours do not see each other stay
        ({(0, 1), (1, 3), (3, 4), (4, 6), (1, 4)}, [0, 1, 4, 6]),
        (set(), [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_halves_of_a_guide_are_straight_where_that_is_free(free, left):
    lines = Drawn(free, 7)
    assert _joined(lines, _halved(lines, 0, 6)) == left
    assert len(lines.asked) == len(set(lines.asked))


@pytest.mark.parametrize("seed", [0, 1])
def test_a_mended_way_leaves_out_stops_that_what_was_searched_leads_past(seed):
    check, start, goal = around_the_post()
    low = hands(0.05, 0.6, z=0.4)  # the post is between them
    path = plan(check, start, goal, guide=low, seed=seed)
    assert path.how == "mended" and is_free(check, path)
    assert len(path.knots) <= 4
