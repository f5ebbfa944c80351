"""Motions that served before: fitted to where things are now, taken as they are, or refused if they are no points."""

from dataclasses import replace

import pytest

from coterie.core.action import Action
from coterie.worlds.tabletop.arms.checks import _hints
from coterie.worlds.tabletop.arms.rounds import _key
from coterie.worlds.tabletop.job import Pose
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld

WAIT = Action("wait")
BRING = Action("pick_place", ("pink_polygon", "panel4"))
TASK = draw_tabletop("sort-cubes", "rocobench", 5)


def start(dx=0.0, arms=()):
    """A world in which the pink cube lies at panel 5, or beside its middle."""
    layout = TASK.setting.layout
    z = layout.things["pink_polygon"].at[2]
    spots = {"blue_square": -1.12, "yellow_trapezoid": 1.2, "pink_polygon": 0.4 + dx}
    things = {n: Pose((x, 0.5, z), layout.things[n].yaw) for n, x in spots.items()}
    setting = replace(TASK.setting, layout=replace(layout, things=things), arms=arms)
    return TabletopWorld(replace(TASK, setting=setting), 5)


def bring(world, motion=None):
    world.start({"Alice": WAIT, "Bob": BRING._replace(motion=motion), "Chad": WAIT})
    outcome = next(o for o in world.advance(None) if o.robot == "Bob")
    facts = {f[0]: f for f in world.trace() if f[0] in ("how", "motion")}
    return outcome, facts


@pytest.fixture(scope="module")
def knots():
    outcome, facts = bring(start())
    assert outcome.status == "done"
    return [m["knots"] for m in facts["motion"][2]]


def test_a_motion_is_reused_where_nothing_moved(knots):
    _, facts = bring(start(), tuple({"knots": k} for k in knots))
    assert facts["how"][2] == ["reused"] * 3  # to the cube, to its plate, home
    outcome, facts = bring(start(), tuple({"knots": k, "as_is": True} for k in knots))
    assert outcome.status == "done" and facts["how"][2] == ["reused"] * 3  # to the cube, to its plate, home


def test_a_cube_that_moved_is_found_by_a_fitted_motion_and_missed_by_one_as_it_is(knots):
    outcome, _ = bring(start(0.06), tuple({"knots": k} for k in knots))
    assert outcome.status == "done"
    outcome, _ = bring(start(0.06), tuple({"knots": k, "as_is": True} for k in knots))
    assert outcome.status == "rewound" and "Motion planning failed" in outcome.reason


# -- advice that comes with an action ---------------------------------------------------------------------------------
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
