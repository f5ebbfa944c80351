"""What is counted in an episode: on logs made by hand, and on episodes with the text oracle."""

from __future__ import annotations

import pytest

from coterie.bench.metrics import episode_metrics
from coterie.bench.studies.dynahmrc.columns import columns
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import from_line, to_line
from coterie.core.protocol import Ask, Reply
from coterie.episode.play import play
from coterie.log.fold import moments, opened
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import Oracle, answer
from tests.bench.made import Made, failed, held, laid

GO = ("navigate", "fridge", "stand_pose_0")
TABLE = ("navigate", "table", "stand_pose_0")
WAIT = ("wait",)
PICK = ("pick", "book_0")
FAR = (*PICK, failed("far"))
ASK = ("communicate", "Where is  bowl_0?", ["all"])
SAY = ("communicate", "bowl_0", ["all"])
GHOST = ("pick", "ghost")
FORK, BOWL = (held("Alice", f"{name}_0") for name in ("fork", "bowl"))

#: What happens, and what is counted.
COUNTED = {
    "a success": (
        lambda: Made().step(Bob=WAIT).step(Bob=WAIT).events(success=True, partial=1.0),
        {"ts": 2, "success": True, "ps": 1.0},
    ),
    "a failure counts its limit": (
        lambda: Made(limit=30).step(Bob=WAIT).events(partial=0.5),
        {"ts": 30, "success": False, "ps": 0.5},
    ),
    "action steps leave wait out and are means per robot": (
        lambda: Made(bodies="Ma-MoMa").step(Bob=WAIT, Alice=GO).step(Bob=SAY, Alice=SAY).events(),
        {"as": 3 / 2, "cc": 2 / 2, "decisions": 4},
    ),
    "robots that join or leave count as members": (
        lambda: Made(bodies="Ma-MoMa").step(Bob=WAIT, Alice=GO).joins("Lucy", "UAV").step(Bob=WAIT, Alice=GO, Lucy=GO)
        .change("leave", robot="Alice", dropped=None).step(Bob=WAIT, Lucy=GO).events(),
        {"as": 4 / 3, "changes": 2, "change_fired": 2, "change_bites": 2},
    ),
    "refusals count and are no actions": (
        lambda: Made().refused("Alice", "pick", "bowl_0", reason="far away").step(Alice=WAIT).events(),
        {"refused": 1, "as": 0},
    ),
    "the same failing action again": (
        lambda: Made().step(Alice=FAR).step(Alice=WAIT).step(Alice=FAR).events(), {"repeated_failures": 1},
    ),
    "again after another": (
        lambda: Made().step(Alice=FAR).step(Alice=("open", "fridge")).step(Alice=FAR).events(),
        {"repeated_failures": 0},
    ),
    "another robot's": (
        lambda: Made().step(Alice=FAR).step(Alice=PICK).step(Lucy=FAR).events(), {"repeated_failures": 0},
    ),
    "the same message again": (
        lambda: Made().step(Alice=ASK).step(Lucy=ASK).step(Alice=("communicate", "where is bowl_0?", ["Bob"])).events(),
        {"repeated_messages": 1},
    ),
    "again after a change": (
        lambda: Made().step(Alice=ASK).change("zones", closed={}).step(Alice=ASK).events(), {"repeated_messages": 0},
    ),
    "bringing a target": (
        lambda: Made().step(Alice=TABLE).step(Alice=GO).step(BOWL, Alice=("pick", "bowl_0")).step(Alice=TABLE).events(),
        {"redundant": 0},
    ),
    "coming back": (
        lambda: Made().step(Alice=TABLE).step(Alice=GO).step(Alice=TABLE).step(Alice=GO).events(), {"redundant": 2},
    ),
    "carrying something else to the table": (
        lambda: Made().step(Alice=TABLE).step(FORK, Alice=("pick", "fork_0")).step(Alice=TABLE).events(),
        {"redundant": 1},
    ),
    "a place that was not reached was not visited": (
        lambda: Made().step(Alice=(*GO, failed("no path leads there"))).step(Alice=GO).events(), {"redundant": 0},
    ),
    "a dropped thing is no longer held": (
        lambda: Made().step(BOWL, Alice=("pick", "bowl_0"))
        .step(laid("Alice", "bowl_0", "table"), Alice=("place", "bowl_0", "table"))
        .step(Alice=TABLE).step(Alice=TABLE).events(),
        {"redundant": 1},
    ),
    "one object in one step": (
        lambda: Made().step(Alice=PICK, Lucy=PICK).step(Alice=GO, David=GO).events(),
        {"conflicting": 2, "conflicting_things": 1},
    ),
    "no conflict at the work table nor in words nor over nothing": (
        lambda: Made().step(Alice=TABLE, Lucy=TABLE).step(Alice=SAY, Lucy=SAY).step(Alice=GHOST, Lucy=GHOST)
        .step(Alice=PICK).step(Lucy=PICK).events(),
        {"conflicting": 0},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", COUNTED)
def test_what_is_counted(what):
    make, told = COUNTED[what]
    events = make()
    found = episode_metrics(events) | columns(events)
    assert {name: found[name] for name in told} == pytest.approx(told, abs=1e-5)


def test_counts_of_each_robot_and_stage():
    made = Made(bodies="Ma-MoMa").asks("Alice", "HMRC", 100).asks("Bob", "SD", 50).asks("Bob", "HMRC", 10)
    made.asks("Bob", "odd", 1).refused("Bob", "pick", "bowl_0", reason="far away")
    m = episode_metrics(made.step(Bob=WAIT, Alice=GO).step(Bob=SAY, Alice=SAY).events())
    assert m["robots"]["Alice"] == {
        "body": "MoMa", "steps": 2, "actions": 2, "waits": 0, "communicates": 1, "failed": 0, "refused": 0,
    }  # fmt: skip
    assert m["robots"]["Bob"]["refused"] == 1
    assert set(m["stages"]) == {"SD", "HMRC", "odd"}
    assert m["stages"]["HMRC"] == {"calls": 2, "tokens": 112, "tokens_out": 2}
    assert (m["calls"], m["tokens"]) == (4, 165)


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


# -- with a model -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("protocol", ["dynahmrc", "coela", "coherent"])
def test_memory_and_file_agree_on_episodes_with_a_model(protocol):
    log = play(Config(protocol=protocol, seed=3, changes=("rec@5:MoMa",), team="Ma-MoMa-UAV"), model=Oracle()).log
    m = episode_metrics(log.events)
    assert m == episode_metrics([from_line(to_line(e)) for e in log.events])
    assert m["calls"] == sum(s["calls"] for s in m["stages"].values()) > 0
    assert m["unreadable"] == m["asked_again"] == 0


def test_what_cannot_be_read_and_errors_of_a_model_are_counted():
    def reply(ask: Ask) -> str:
        return "hm" if ask.stage == "HMRC" and ask.robot == "Bob" else answer(ask.prompt)

    class Broken:
        name = "broken"

        def answer(self, asks):
            return [Reply("", error="no answer") for _ in asks]

    log = play(Config(protocol="dynahmrc", seed=3, team="Ma-MoMa"), model=Scripted(reply)).log
    m = episode_metrics(log.events)
    assert m["unreadable"] == m["asked_again"] == m["robots"]["Bob"]["steps"] > 0
    m = episode_metrics(play(Config(protocol="coela", seed=3, team="Ma-MoMa"), model=Broken()).log.events)
    assert m["reply_errors"] == m["calls"] > 0
