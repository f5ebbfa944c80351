"""The tiny world itself: joint checks, rounds that rewind, causes as data, and minds that finish the task."""

from dataclasses import replace

import pytest

from coterie.core.action import Action, Cause, Outcome
from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, gt, ne
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.fluents import fluent
from coterie.core.skill import Clause, Param, Rule, Skill, decrease, increase
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings
from coterie.testing import check_skill
from examples.yard import RUNNER, SKILLS, Chooser, Foreman, Tidier, Tidy, YardWorld, stranger_joins, yard_task
from tests.yard import play

LIFT = {"Ada": Action("lift", ("beam", "Bo")), "Bo": Action("lift", ("beam", "Ada"))}


def at_the_beam(**options) -> YardWorld:
    """Ada stands in cell 2,1 and Bo in 3,0, both beside the beam in 3,1."""
    world = YardWorld(yard_task(beam=True, **options))
    for ada, bo in (("right", "left"), ("right", "left"), ("down", "wait")):
        finish(world, {"Ada": Action(ada), "Bo": Action(bo)})
    assert (world.truth["at", "Ada"], world.truth["at", "Bo"]) == ("2,1", "3,0")
    return world


def finish(world: YardWorld, joint) -> dict[str, Outcome]:
    world.start(joint)
    ended = []
    while world.underway or world.ended:
        ended += world.advance()
    return {o.robot: o for o in ended}


@pytest.mark.parametrize("rewinds", [False, True])
def test_a_joint_action_is_checked_for_all_robots_together(rewinds):
    world = at_the_beam(rewinds=rewinds)
    assert {r: v.ok for r, v in world.check(LIFT).items()} == {"Ada": True, "Bo": True}
    alone = world.check({"Ada": LIFT["Ada"]})["Ada"]
    assert alone.ok is False and "Bo does not lift beam together with Ada." in alone.reason
    leaving = world.check({"Ada": LIFT["Ada"], "Bo": Action("right")})
    assert {r: v.ok for r, v in leaving.items()} == {"Ada": False, "Bo": not rewinds}
    assert world.truth["lifted", "beam"] is False and world.underway == {}


def test_a_lift_may_begin_later_than_the_partners_but_not_after_its_end():
    world = at_the_beam()
    world.start({"Ada": LIFT["Ada"]})
    world.advance(world.now + 2.0)
    world.start({"Bo": LIFT["Bo"]})
    ended = world.advance() + world.advance()
    assert [(o.robot, o.status) for o in ended] == [("Ada", "done"), ("Bo", "done")]
    world = at_the_beam()
    alone = finish(world, {"Ada": LIFT["Ada"]})["Ada"]
    assert (alone.status, alone.reason) == ("failed", "Bo does not lift beam together with Ada.")


def test_a_partner_that_moves_away_takes_the_round_back():
    world = at_the_beam(rewinds=True)
    before, began = dict(world.truth), world.now
    ended = finish(world, {"Ada": LIFT["Ada"], "Bo": Action("right")})
    assert {o.status for o in ended.values()} == {"rewound"}
    assert world.truth == before, "Bo had gone right already, and is back"
    assert world.now == began + 3.0, "only the time has gone"


def test_a_hidden_rule_is_unknown_to_the_check():
    rule = Rule("wet hands", "lift", Clause(ne("?robot", "Bo"), "the hands of {robot} are wet."), public=False)
    world = at_the_beam(rewinds=True, rules=[rule])
    assert all(v.ok for v in world.check(LIFT).values())
    assert {o.status for o in finish(world, LIFT).values()} == {"rewound"}
    world = at_the_beam(rewinds=True, rules=[rule._replace(public=True)])
    assert not any(v.ok for v in world.check(LIFT).values())


def test_a_round_ends_for_all_at_once_and_falls_with_the_team():
    world = at_the_beam(rewinds=True)
    world.start({"Ada": Action("left"), "Bo": Action("right")})
    assert [(o.robot, o.duration) for o in world.advance()] == [("Ada", 1.0), ("Bo", 2.0)], "returned together, at 2 s"
    before = dict(world.truth)
    world.start({"Ada": Action("right"), "Bo": Action("left")})
    world.advance(world.now + 1.5)
    assert world.truth["at", "Ada"] != before["at", "Ada"]
    world.apply(Change(Trigger(step=0), "leave", {"robot": "Bo"}))
    (outcome,) = world.advance()
    assert (outcome.robot, outcome.status) == ("Ada", "rewound")
    assert world.truth["at", "Ada"] == before["at", "Ada"]


def test_a_robot_sees_its_own_cell_and_the_ones_beside_it():
    world = at_the_beam()
    belief = Belief(world.map(), world.listings())
    belief.tell_all(world.observe("Ada").facts)
    look = world.lookup(belief)
    assert (look("where", "cup"), look("where", "beam"), look("near", "Ada", "beam")) == ("2,1", "3,1", True)
    assert look("where", "ball") is UNKNOWN and look("at", "Bo") is UNKNOWN
    assert look("occupant", "Ada", "left") is None and look("next", "Ada", "down") is None
    assert look("joined", "Ada", "beam", "Bo") is UNKNOWN, "nobody knows what the others are about to do"


def test_a_change_that_cannot_be_made_changes_nothing():
    world = at_the_beam(rewinds=True)
    world.start(LIFT)
    for change in (stranger_joins(step=0, start="9,9"), stranger_joins(step=0, start="2,1")):
        with pytest.raises(CoterieError, match=r"Zed cannot begin in cell .* Free are: 0,0"):
            world.apply(change)
    assert set(world.underway) == {"Ada", "Bo"} and "Zed" not in world.cards


@pytest.mark.parametrize("settings", [Settings(), Settings(synchronous=False)])
@pytest.mark.parametrize("team", [Tidier, Foreman, Chooser])
def test_every_mind_tidies_up(team, settings):
    played = play(team, yard_task(), settings)
    assert played.result.success and played.result.steps < 30
    assert bool(played.model.asked) == (team is Chooser)


def test_beams_need_the_foreman():
    assert Tidy((("a", "0,0"),)).missing(lambda *_: None) == [] and Tidy(()).platforms == ()
    assert play(Foreman, yard_task(beam=True)).result.success
    assert play(Tidier, yard_task(beam=True)).result.partial == pytest.approx(2 / 3)


# -- causes ----------------------------------------------------------------------------------------------------------
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


# -- skills of a user's own ---------------------------------------------------------------------------------------
@pytest.fixture
def polish(monkeypatch):
    for part in ("_items", "_tags", "fluents", "initials"):
        monkeypatch.setattr(SKILLS, part, dict(getattr(SKILLS, part)))
    SKILLS.declare(fluent("shine", "thing", value="number"), fluent("wax", "robot", value="number", initial=2))
    skill = Skill(
        "polish",
        (Param("thing", "thing"),),
        when=(
            Clause(gt(fl("wax", "?robot"), 0), "{robot} has {wax(robot)} wax."),
            Clause(eq(fl("where", "?thing"), fl("at", "?robot")), "{thing} is not here."),
        ),
        then=(increase(fl("shine", "?thing"), fl("wax", "?robot")), decrease(fl("wax", "?robot"))),
        says="{thing} shines {shine(thing)}.",
    )
    SKILLS.put("polish", skill)
    return replace(RUNNER, skills=(*RUNNER.skills, "polish"))


@pytest.mark.parametrize("rewinds", [False, True])
def test_skills_add_and_subtract(polish, rewinds):
    task = yard_task(rewinds=rewinds)
    task = replace(task, robots=(("Ada", polish),), setting=replace(task.setting, starts=(("Ada", "3,0"),)))
    world = YardWorld(task)
    said = [finish(world, {"Ada": Action("polish", ("ball",))})["Ada"].reason for _ in range(3)]
    assert said[:2] == ["ball shines 2.", "ball shines 3."]
    assert said[2].endswith("Ada has 0 wax.")
    assert (world.look("shine", "ball"), world.look("wax", "Ada"), world.look("wax", "Bo")) == (3, 0, 2)


def test_a_round_that_is_taken_back_takes_new_facts_with_it(polish):
    task = yard_task(rewinds=True)
    task = replace(task, robots=(("Ada", polish), ("Bo", polish)), setting=replace(
        task.setting, starts=(("Ada", "3,0"), ("Bo", "5,0"))))  # fmt: skip
    world = YardWorld(task)
    ended = finish(world, {"Ada": Action("polish", ("ball",)), "Bo": Action("grab", ("ball",))})
    assert {o.status for o in ended.values()} == {"rewound"}
    assert (world.look("shine", "ball"), world.look("wax", "Ada")) == (0, 2)
