from __future__ import annotations

import pytest

from coterie.bench.metrics import episode_metrics
from coterie.bench.studies.dynahmrc.columns import columns
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.log.fold import moments, opened
from tests.bench.made import Made

GO = ("navigate", "fridge", "stand_pose_0")
WAIT = ("wait",)


def test_success_counts_its_steps_and_a_failure_its_limit():
    won = Made().step(Bob=WAIT).step(Bob=WAIT).events(success=True, partial=1.0)
    lost = Made(limit=30).step(Bob=WAIT).events(partial=0.5)
    assert (episode_metrics(won)["ts"], episode_metrics(won)["success"], episode_metrics(won)["ps"]) == (2, True, 1.0)
    assert (episode_metrics(lost)["ts"], episode_metrics(lost)["ps"]) == (30, 0.5)


def test_action_steps_leave_wait_out_and_are_means_per_robot():
    say = ("communicate", "hello", ["all"])
    m = episode_metrics(Made(bodies="Ma-MoMa").step(Bob=WAIT, Alice=GO).step(Bob=say, Alice=say).events())
    assert m["as"] == pytest.approx(3 / 2)
    assert m["cc"] == pytest.approx(2 / 2)
    assert m["decisions"] == 4
    assert m["robots"]["Alice"] == {
        "body": "MoMa", "steps": 2, "actions": 2, "waits": 0, "communicates": 1, "failed": 0, "refused": 0,
    }  # fmt: skip


def test_robots_that_join_or_leave_count_as_members():
    made = Made(bodies="Ma-MoMa").step(Bob=WAIT, Alice=GO)
    made.joins("Lucy", "UAV").step(Bob=WAIT, Alice=GO, Lucy=GO)
    made.change("leave", robot="Alice", dropped=None).step(Bob=WAIT, Lucy=GO)
    m = episode_metrics(made.events())
    assert m["as"] == pytest.approx(4 / 3, abs=1e-5)
    assert (m["changes"], m["change_fired"], m["change_bites"]) == (2, 2, 2)


def test_calls_and_tokens_per_stage():
    made = Made().asks("Alice", "HMRC", 100).asks("Bob", "SD", 50).asks("Bob", "HMRC", 10).asks("Bob", "odd", 1)
    m = episode_metrics(made.step(Bob=WAIT).events())
    assert set(m["stages"]) == {"SD", "HMRC", "odd"}
    assert m["stages"]["HMRC"] == {"calls": 2, "tokens": 112, "tokens_out": 2}
    assert (m["calls"], m["tokens"]) == (4, 165)


def test_refusals_count_and_do_not_count_as_actions():
    made = Made().refused("Alice", "pick", "bowl_0", reason="far away").step(Alice=WAIT)
    m = episode_metrics(made.events())
    assert (m["refused"], m["robots"]["Alice"]["refused"], m["as"]) == (1, 1, 0)


def test_a_log_without_an_end_is_not_scored():
    with pytest.raises(CoterieError, match="no end"):
        episode_metrics(Made().step(Bob=WAIT).log)


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_without_a_barrier_failed_actions_count_too(seed):
    events = play(Config(protocol="random-legal", seed=seed, synchronous=False)).log.events
    failures = [e for e in events if e.kind == "outcome" and e.data["status"] == "failed"]
    assert failures
    assert episode_metrics(events)["failed"] == len(failures)


def test_an_action_that_ends_later_belongs_to_the_step_in_which_it_began():
    made = Made(bodies="Ma-MoMa")
    begun = made._add("act", "Alice", {"skill": "navigate", "args": ["fridge", "stand_pose_0"]})
    made.step(Bob=WAIT).step(Bob=WAIT)
    made._add("outcome", "Alice", {"action": "", "status": "done", "reason": "", "took": 2}, (begun,))
    made.step([("at", "Alice", "fridge")], Bob=WAIT).step(Alice=GO)
    told = list(moments(opened(made.events()), made.log))
    assert [a.robot for a in told[0].acts] == ["Alice", "Bob"]
    assert told[0].acts[0].done
    assert episode_metrics(made.log)["decisions"] == 5
    assert columns(made.log)["redundant"] == 1  # only when it is back at the fridge
