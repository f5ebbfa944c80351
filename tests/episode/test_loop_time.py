"""When things happen: the barrier, unequal durations, the cost of thinking, limits."""

import dataclasses

import pytest

from coterie.core.action import Action
from coterie.core.protocol import Ask, TeamProtocol
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings
from examples.yard import RUNNER, yard_task
from tests.yard import play

ASYNC = Settings(synchronous=False)


def starts(played, robot):
    return [(t, data["skill"]) for t, who, data in played.said("act", robot)]


def test_synchronous_steps_wait_for_the_slowest(doing):
    played = play(doing(Ada=["right", "right"], Bo=["left", "left"]), yard_task(step_limit=3))
    assert starts(played, "Ada") == [(0.0, "right"), (2.0, "right"), (4.0, "wait")]
    assert starts(played, "Bo") == [(0.0, "left"), (2.0, "left"), (4.0, "wait")]
    took = [data["took"] for _, _, data in played.said("outcome", "Ada")]
    assert took == [1.0, 1.0, 1.0], "quick Ada was done early and waited at the barrier"
    assert played.result.time_s == 5.0


def test_asynchronous_robots_go_on_when_they_are_done(doing):
    task = yard_task(step_limit=None, time_limit_s=6.0)
    ball = Action("grab", ("ball",))
    played = play(doing(Ada=["right", "right", "down"], Bo=["left", "left", ball]), task, ASYNC)
    assert starts(played, "Ada")[:4] == [(0.0, "right"), (1.0, "right"), (2.0, "down"), (3.0, "wait")]
    assert starts(played, "Bo")[:3] == [(0.0, "left"), (2.0, "left"), (4.0, "grab")]
    ends = [(t, who) for t, who, _ in played.said("outcome") if t < 4.0]
    assert ends == [(1.0, "Ada"), (2.0, "Bo"), (2.0, "Ada"), (3.0, "Ada")], "Bo began first"
    assert played.result.time_s == 6.0


class Thinker(TeamProtocol):
    """Ada asks twice before each step, one request after the other; Bo once."""

    sees = "own"

    def decide(self, team, idle):
        me = team.me
        for attempt in range(2 if me.name == "Ada" else 1):
            yield [Ask(me.name, "act", me.step, attempt, (("user", "go?"),))]
        return {me.name: Action("right" if me.name == "Ada" else "left")}


@pytest.mark.parametrize(("synchronous", "first"), [(True, [3.0, 3.0]), (False, [3.0, 1.5])])
def test_thinking_costs_declared_time_per_call_and_per_token(synchronous, first):
    settings = Settings(synchronous=synchronous, think_call_s=0.5, think_token_s=0.25)
    task = yard_task(step_limit=None, time_limit_s=4.0)
    played = play(Thinker, task, settings, script=lambda ask: "x" * 16)  # 16 letters count as 4 tokens
    assert [starts(played, r)[0][0] for r in ("Ada", "Bo")] == first
    assert {t for t, _, _ in played.said("ask") if t < 1.5} == {0.0}, "the requests themselves are made at once"


def test_who_thinks_does_not_hold_up_the_others():
    settings = Settings(synchronous=False, think_call_s=5.0)
    played = play(Thinker, yard_task(step_limit=None, time_limit_s=11.5), settings, script=lambda ask: "go")
    assert [t for t, _ in starts(played, "Bo")] == [5.0], "5 s of thought, a step of 2 s, and thought again"
    assert [t for t, _ in starts(played, "Ada")] == [10.0]
    assert [(t, who) for t, who, _ in played.said("outcome")] == [(7.0, "Bo"), (11.0, "Ada")]


@pytest.mark.parametrize(
    ("limits", "status", "settings"),
    [
        ({"step_limit": 4}, "step limit", Settings()),
        ({"step_limit": None, "time_limit_s": 4.0}, "time limit", Settings()),
        ({"step_limit": None, "time_limit_s": 4.5}, "time limit", ASYNC),
    ],
)
def test_limits_end_an_episode(doing, limits, status, settings):
    played = play(doing(), yard_task(**limits), settings)
    assert (played.result.success, played.result.status) == (False, status)
    if "time_limit_s" in limits:
        assert played.result.time_s == limits["time_limit_s"]
    else:
        assert played.result.steps == limits["step_limit"]


def test_asynchronous_steps_are_spans_of_time(doing):
    settings = Settings(synchronous=False, step_s=2.5)
    change = Change(Trigger(step=2), "nothing", {})
    played = play(doing(), yard_task(step_limit=3, changes=[change]), settings)
    assert [t for t, _, _ in played.said("change")] == [5.0], "the start of step 2, while both were waiting"
    assert (played.result.steps, played.result.time_s, played.result.status) == (3, 7.5, "step limit")


def test_times_in_the_log_are_rounded_so_that_equal_runs_write_equal_lines(doing):
    task = yard_task(step_limit=1)
    quick = dataclasses.replace(RUNNER, speed_mps=3.0)
    played = play(doing(Ada=["right"]), dataclasses.replace(task, robots=(("Ada", quick),)))
    assert [t for t, _, _ in played.said("outcome")] == [0.333333]


def test_outcomes_name_the_action_that_caused_them(doing):
    played = play(doing(Ada=["right"], Bo=["left"]), yard_task(step_limit=2), ASYNC)
    acts = {e.seq: e.who for e in played.log.events if e.kind == "act"}
    outcomes = [e for e in played.log.events if e.kind == "outcome"]
    assert outcomes
    for e in outcomes:
        assert [acts[c] for c in e.causes] == [e.who]
