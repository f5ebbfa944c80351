"""A remembered plan in a running episode: it is played as long as it passes every check, and then others go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coterie.bench.metrics import episode_metrics
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView
from coterie.memo import Memo
from coterie.memo.before import first_case
from coterie.worlds.tabletop.jobs.sort_cubes import SortCubes
from coterie.worlds.tabletop.recall import TableRecall, plan_of
from tests.memo.quick import acts, episode, notes

REMEMBERED = "remembered"


def test_the_first_task_is_a_miss_and_is_remembered(tmp_path, quick):
    played = episode(tmp_path / "memo.sqlite", 10_000)
    (note,) = notes(played)
    assert not note["found"] and "no similar task" in note["why"]
    assert "is remembered" in played.remembered
    assert episode_metrics(played.log.events)["memo_hits"] == 0


def test_a_similar_task_is_played_without_asking_anybody(memo):
    played = episode(memo, 10_001)
    (note,) = notes(played)
    assert played.result.success and note["found"]
    assert note["episode"] == "sort-cubes/mecobench-similar/10000/task-expert/none"
    assert acts(played.log.events) == acts(played.log.events, REMEMBERED)
    counts = episode_metrics(played.log.events)
    assert (counts["memo_hits"], counts["memo_failed"], counts["memo_alone"]) == (1, 0, 1)
    assert played.lookup_s > 0


def remembered(joint) -> bool:
    return any(a.why == REMEMBERED for a in joint.values())


@pytest.mark.parametrize(("moved_m", "found"), [(0.01, True), (0.3, False)])
def test_an_arm_that_stands_elsewhere_makes_another_task(memo, monkeypatch, moved_m, found):
    first, *rest = SortCubes.mounts
    x, y, z = first.at
    monkeypatch.setattr(SortCubes, "mounts", (replace(first, at=(x + moved_m, y, z)), *rest))
    assert notes(episode(memo, 10_001))[0]["found"] is found


def test_when_a_check_fails_the_team_is_told_and_goes_on(memo, quick):
    quick.words = staticmethod(lambda joint, n: "Collision detected: Alice-Bob" if remembered(joint) and n == 1 else "")
    played = episode(memo, 10_001, "memo:reuse=tasks", protocol="central-plan")
    found, failed = notes(played)
    assert found["found"] and failed["failed"] == 1
    assert not [e for e in played.log.events if e.kind == "rewind"]
    assert failed["reason"] == "Collision detected: Alice-Bob"
    steps = {step for step, _, _ in acts(played.log.events, REMEMBERED)}
    assert steps == {0}, "nothing was carried out that did not pass its check"
    asks = [e for e in played.log.events if e.kind == "ask" and e.who != "memo"]
    assert asks[0].step == 1, "the round that was done is not planned again"
    prompt = "\n".join(text for _, text in asks[0].data["prompt"])
    assert "Then this failed: round 2" in prompt and "Collision detected: Alice-Bob" in prompt
    assert played.result.success
    counts = episode_metrics(played.log.events)
    assert (counts["memo_hits"], counts["memo_failed"], counts["memo_alone"]) == (1, 1, 0)


def test_a_task_whose_first_round_does_not_pass_is_no_similar_one(memo, quick):
    """Nothing was done yet: the next best task is asked for, and only what serves counts as used."""
    episode(memo, 10_001)
    best = notes(episode(memo, 10_002))[0]["episode"]
    checks = iter(range(99))

    def words(joint, n):
        return "Out of reach" if remembered(joint) and next(checks) == 0 else ""

    quick.words = staticmethod(words)
    played = episode(memo, 10_002)
    tried, found = notes(played)
    assert tried == {"tried": best, "reason": "Out of reach"}
    assert found["found"] and found["episode"] != best
    assert played.result.success
    counts = episode_metrics(played.log.events)
    assert (counts["memo_hits"], counts["memo_failed"], counts["memo_alone"]) == (1, 0, 1)


def test_when_no_first_round_passes_it_is_a_miss(memo, quick):
    for seed in range(10_001, 10_006):
        episode(memo, seed)
    quick.words = staticmethod(lambda joint, n: "Out of reach" if remembered(joint) else "")
    played = episode(memo, 10_006)
    assert [("tried" in n, n.get("found")) for n in notes(played)] == [(True, None)] * 4 + [(False, False)]
    assert played.result.success
    with Memo(memo) as store:
        assert "sort-cubes/mecobench-similar/10006/task-expert/none" in store.store.episodes()
    assert episode_metrics(played.log.events)["memo_hits"] == 0


def test_a_round_that_is_rewound_ends_the_plan(memo, quick):
    quick.fails = staticmethod(lambda joint, n: "Failed to execute: slipped." if remembered(joint) and n == 0 else "")
    played = episode(memo, 10_001, "memo:reuse=tasks")
    _, failed = notes(played)
    assert failed["failed"] == 0 and failed["reason"] == "Failed to execute: slipped."
    assert "None of its rounds could be done." in failed["words"]
    assert {step for step, _, _ in acts(played.log.events, REMEMBERED)} == {0}
    assert played.result.success


def test_without_continuing_the_world_starts_anew_and_nobody_is_told(memo, quick):
    quick.words = staticmethod(lambda joint, n: "Collision detected" if remembered(joint) and n == 1 else "")
    played = episode(memo, 10_001, "memo:no-continue", protocol="central-plan")
    _, failed = notes(played)
    (rewind,) = [e for e in played.log.events if e.kind == "rewind"]
    assert rewind.data["why"] == failed["reason"] and "words" not in failed
    asks = [e for e in played.log.events if e.kind == "ask" and e.who != "memo"]
    prompt = "\n".join(text for _, text in asks[0].data["prompt"])
    assert "similar task" not in prompt and "Collision detected" not in prompt
    case = first_case(played.log.events)
    seen = [f for e in played.log.events if e.kind == "see" and e.step <= 1 for f in e.data["facts"] if f[0] == "at"]
    for name, thing in case.objects.items():  # the model finds everything where it lay at first
        where = [f[2] for f in seen if list(f[1]) == [name]]
        assert where[-1] == (thing.x, thing.y, thing.z)
    assert played.result.success
    rounds = {step for step, _, _ in acts(played.log.events)}
    assert len(plan_of(played.log.events).steps) == len(rounds) - 1, "what was undone is no part of the plan"


def test_without_the_s_planner_old_motions_go_as_they_are(memo):
    played = episode(memo, 10_001, "memo:no-splanner")
    hints = [h for e in played.log.events if e.kind == "act" for h in e.data.get("motion", ())]
    assert hints and all(h["as_is"] and h["knots"] for h in hints)
    usual = episode(memo, 10_002)
    assert not any("as_is" in (h or {}) for e in usual.log.events if e.kind == "act" for h in e.data.get("motion", ()))


def test_what_is_not_at_hand_is_searched_while_the_model_plans(memo):
    played = episode(memo, 10_001, "memo:k=0-and-reuse=tasks", protocol="central-plan")
    asked = [(e.data["stage"], e.data["attempt"]) for e in played.log.events if e.kind == "ask"]
    assert asked[0] == ("memo", 0) and asked[-1] == ("memo", 1) and len(asked) > 2
    (note,) = notes(played)
    assert note["found"] and note["table"] == "global"
    assert acts(played.log.events) == acts(played.log.events, REMEMBERED)
    counts = episode_metrics(played.log.events)
    assert (counts["memo_hits"], counts["memo_alone"]) == (1, 0), "a model was asked meanwhile"


@pytest.mark.parametrize("protocol", ["task-expert", "central-plan"])
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_a_log_cut_in_the_middle_of_a_remembered_plan_ends_the_same(memo, tmp_path, quick, protocol, share):
    quick.words = staticmethod(lambda joint, n: "Collision detected" if remembered(joint) and n == 2 else "")
    log = tmp_path / "log.jsonl"
    episode(memo, 10_001, protocol=protocol, log=log)
    whole = log.read_bytes()
    lines = whole.splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: max(1, int(share * len(lines)))]))
    episode(memo, 10_001, protocol=protocol, log=log, resume=True)
    assert log.read_bytes() == whole


def test_robots_that_do_not_know_enough_ask_nobody():
    belief = Belief({("loose",): ("cube",)})
    team = TeamView({"Alice": RobotView("Alice", None, belief, belief.value)}, 0, 0.0)
    with pytest.raises(StopIteration) as end:
        next(TableRecall().decide(team, ["Alice"]))
    assert end.value.value == {}
    assert team.notes == [{"found": False, "why": "not everything that matters is known"}]
