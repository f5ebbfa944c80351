"""Why a round cannot be, or was taken back, as data; the words go with it."""

import math

import pytest

from coterie.core.action import Action, Cause
from coterie.testing import check_skill
from coterie.worlds.tabletop.arms.paths import NO_WAY
from coterie.worlds.tabletop.skills import VERBS
from coterie.worlds.tabletop.table import Diverged
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld

WAIT = Action("wait")


def make(name, seed=3):
    return TabletopWorld(draw_tabletop(name, "rocobench", seed), seed)


def play(world, **joint):
    world.start(joint)
    return {o.robot: o for o in world.advance(None)}


def bring(cube, panel):
    return Action("pick_place", (cube, panel))


@pytest.mark.parametrize("name", VERBS)
def test_clauses_of_a_skill_can_be_told_apart(name):
    check_skill(VERBS[name])


@pytest.mark.parametrize(("bob", "clause"), [
    (Action("juggle"), "on_card"),
    (Action("pick_place", ("blue_square",)), "argument_count"),
    (Action("pick_place", ("blue_square", None)), "argument_kind"),
    (bring("red_ball", "panel3"), "thing"),
    (bring("blue_square", "panel9"), "target"),
    (bring("blue_square", "panel6"), "goal_panel"),
    (Action("wait", motion=5), "motion"),
    (Action("wait", path=((0.0, 0.0, 0.5),)), "path_taken"),
])  # fmt: skip
def test_each_check_names_its_clause_and_with_whom_it_lies(bob, clause):
    world = make("sort-cubes")
    verdicts = world.check({"Alice": WAIT, "Bob": bob, "Chad": WAIT})
    mine, other = verdicts["Bob"].cause, verdicts["Alice"].cause
    assert (mine.clause, mine.moment) == (clause, "before")
    assert other == Cause("teammate", ("failed", ("Bob",), clause))
    assert verdicts["Alice"].reason == verdicts["Bob"].reason
    done = play(world, Alice=WAIT, Bob=bob, Chad=WAIT)
    assert {r: o.cause for r, o in done.items()} == {r: v.cause for r, v in verdicts.items()}


def test_what_all_do_together_lies_with_all():
    verdicts = make("sort-cubes").check({"Alice": WAIT, "Bob": WAIT, "Chad": WAIT})
    assert {v.cause for v in verdicts.values()} == {Cause("may_wait", ("may_wait", ("Alice", "Bob", "Chad"), False))}


def test_a_place_beyond_the_arm():
    verdicts = make("sort-cubes").check({"Alice": bring("blue_square", "panel2")})  # it lies beyond Alice
    assert verdicts["Alice"].cause == Cause("reach", ("reaches", ("Alice",), False))


P = (0.0, 0.5, 0.5)


@pytest.mark.parametrize(("path", "clause"), [
    ((), "path_given"),
    ((P,) * 3, "path_length"),
    (((math.nan, 0.0, 0.5),) * 4, "path_numbers"),
    (tuple((-0.2, y, 0.5) for y in (-0.1, -0.42, -0.5, 0.2)), "waypoints"),
])  # fmt: skip
def test_what_is_wrong_with_a_path_can_be_told_from_the_rest(path, clause):
    world = make("pack-grocery", 1)
    item = next(iter(world.setting.layout.things))
    cause = world.check({"Alice": Action("pick", (item,), path=path)})["Alice"].cause
    assert cause.clause == clause
    taken = world.check({"Alice": Action("pick", ("no_such_thing",), path=path)})["Alice"].cause
    assert taken.clause == "thing"


def test_a_motion_that_fails_does_so_during_it(monkeypatch):
    world = make("sort-cubes")
    cube = next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == "panel5")

    def gives_way(robot, thing):
        raise Diverged("a joint flew off")

    monkeypatch.setattr(world.table, "grasp", gives_way)
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    assert {o.cause for o in done.values()} == {Cause("physics", None, "during")}


def test_a_hand_that_ends_beside_its_thing(monkeypatch):
    world = make("sort-cubes")
    cube = next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == "panel5")
    monkeypatch.setattr("coterie.worlds.tabletop.arms.rounds.ARRIVED_M", 0.0)
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    cause = done["Bob"].cause
    assert (cause.clause, cause.fact[:2], cause.moment) == ("grasp", ("off", ("Bob", cube)), "during")
    assert done["Alice"].cause == Cause("teammate", ("failed", ("Bob",), "grasp"), "during")


def test_planning_that_finds_no_way_does_so_before_anything_moves(monkeypatch):
    world = make("sort-cubes")
    cube = next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == "panel5")
    monkeypatch.setattr("coterie.worlds.tabletop.arms.rounds.transit", lambda *a: NO_WAY)
    done = play(world, Alice=WAIT, Bob=bring(cube, "panel3"), Chad=WAIT)
    assert {o.cause for o in done.values()} == {Cause("way", ("way", (), None), "before")}


def test_being_called_off_before_and_after_the_round_was_played():
    world = make("sort-cubes")
    world.start({"Alice": WAIT, "Bob": WAIT})
    assert world.cancel("Alice").cause == Cause("called_off", ("called_off", ("Alice",), True), "before")
    world.advance(world.now + 1e-3)
    assert world.cancel("Bob").cause == Cause("called_off", ("called_off", ("Bob",), True), "after")
