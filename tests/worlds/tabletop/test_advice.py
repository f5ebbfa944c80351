"""Advice on motion that comes with an action is refused in words when it is no list of points."""

import pytest

pytest.importorskip("mujoco")

from coterie.core.action import Action
from coterie.worlds.tabletop.arms.checks import _hints
from coterie.worlds.tabletop.arms.rounds import _key

KNOTS = [[0.1, 0.2], [0.3, 0.4]]
GUIDE = [[0.1, 0.2, 0.3]]


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (None, ""),
        ([], ""),
        ([None, {"knots": KNOTS}], ""),
        ([{"knots": KNOTS, "guide": GUIDE}], ""),
        ([{}], ""),
        ("way", "no list of legs"),
        ([3], "no list of points"),
        ([{"knots": 3}], "no list of points"),
        ([{"knots": KNOTS, "guide": KNOTS}], "no list of points"),
        ([{"knots": [[0.1, float("nan")]]}], "no list of points"),
        ([{"knots": [0.1, 0.2]}], "no list of points"),
        ([None, {"guide": [["a", "b", "c"]]}], "no list of points"),
    ],
)
def test_hints(motion, words):
    told = _hints("Alice", Action("pick", ("cup",), motion=motion))
    assert (words in told.words) if words else told is None


def test_by_what_a_check_is_remembered():
    plain = {"Alice": Action("pick", ("cup",))}
    assert _key(1, plain) == _key(1, {"Alice": Action("pick", ("cup",), "another reason")})
    assert _key(1, plain) != _key(2, plain)
    assert _key(1, plain) != _key(1, {"Alice": Action("pick", ("can",))})
    hinted = {"Alice": Action("pick", ("cup",), motion=[None])}
    assert _key(1, hinted) not in (None, _key(1, plain))
    led = {"Alice": Action("pick", ("cup",), path=((0.0, 0.0, 0.0),))}
    assert _key(1, led) is not None
    assert _key(1, {**led, "Bob": Action("pick", ("can",), motion=[None])}) is None
    assert _key(1, {"Alice": Action("pick", (["cup"],))}) is None
