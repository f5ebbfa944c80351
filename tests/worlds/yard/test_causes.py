"""Why something failed in the yard, as data; also for those who go back because of somebody else."""

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.facts import UNKNOWN
from coterie.core.task import Change, Trigger
from coterie.testing import check_skill
from examples.yard import SKILLS, YardWorld, yard_task


def finish(world, joint):
    world.start(joint)
    ended = []
    while world.underway or world.ended:
        ended += world.advance()
    return {o.robot: o for o in ended}


@pytest.mark.parametrize("name", SKILLS)
def test_clauses_of_a_skill_can_be_told_apart(name):
    check_skill(SKILLS[name])


def test_a_thing_that_is_elsewhere_is_not_given_away():
    world = YardWorld(yard_task())
    outcome = finish(world, {"Ada": Action("grab", ("ball",))})["Ada"]
    assert world.truth["where", "ball"] not in str(outcome.cause)
    assert outcome.cause == Cause("where", ("where", ("ball",), UNKNOWN))
    world._set(("where", "ball"), "4,1")  # wherever it is, the robot is told the same
    assert finish(world, {"Ada": Action("grab", ("ball",))})["Ada"].cause == outcome.cause


def test_a_cell_that_was_taken_meanwhile_is_told_as_after():
    world = YardWorld(yard_task())
    world._set(("at", "Ada"), "1,0")
    world._set(("at", "Bo"), "3,0")
    ended = finish(world, {"Ada": Action("right"), "Bo": Action("left")})
    (late,) = [o for o in ended.values() if not o.ok]
    (early,) = [o for o in ended.values() if o.ok]
    assert late.cause == Cause("occupant", ("occupant", (late.robot, late.action.skill), early.robot), "after")
    edge = finish(YardWorld(yard_task()), {"Ada": Action("up")})["Ada"].cause
    assert edge == Cause("next", ("next", ("Ada", "up"), None), "before")


def test_in_a_round_that_is_taken_back_each_robot_is_told_whose_fault_it_was():
    world = YardWorld(yard_task(beam=True, rewinds=True))
    joint = {"Ada": Action("grab", ("beam",)), "Bo": Action("wait")}
    verdicts = world.check(joint)
    ended = finish(world, joint)
    assert ended["Ada"].cause.clause == "where"
    assert ended["Bo"].cause == Cause("teammate", ("failed", ("Ada",), "where"))
    assert {r: v.cause for r, v in verdicts.items()} == {r: o.cause for r, o in ended.items()}


def test_rounds_that_end_because_one_was_stopped_or_has_left():
    world = YardWorld(yard_task(rewinds=True))
    world.start({"Ada": Action("wait"), "Bo": Action("wait")})
    assert world.cancel("Ada").cause == Cause("called_off", ("called_off", ("Ada",), True), "during")
    assert world.advance()[0].cause == Cause("teammate", ("failed", ("Ada",), "called_off"), "during")
    world.start({"Ada": Action("wait"), "Bo": Action("wait")})
    world.apply(Change(Trigger(step=0), "leave", {"robot": "Ada"}))
    assert world.advance()[0].cause == Cause("team_changed", None, "during")


def test_who_is_busy_or_not_there():
    world = YardWorld(yard_task())
    world.start({"Ada": Action("wait")})
    verdicts = world.check({"Ada": Action("right"), "Zed": Action("right")})
    assert verdicts["Ada"].cause == Cause("idle", ("busy_with", ("Ada",), "wait"))
    assert verdicts["Zed"].cause == Cause("present", ("present", ("Zed",), False))


def test_what_a_robot_with_a_driver_of_its_own_says_is_judged_when_it_has_ended():
    world = YardWorld(yard_task())
    claimed = world.accept(Outcome("Ada", Action("up"), "done", "I went up."))
    assert claimed.cause == Cause("next", ("next", ("Ada", "up"), None), "after")
    broken = Outcome("Ada", Action("right"), "failed", "A wheel is stuck.")
    assert world.accept(broken).cause == Cause("driver", None, "during")
    known = broken._replace(cause=Cause("wheel", None, "during"))
    assert world.accept(known) == known
