"""The loop that all planners share: propose, check, propose again."""

import pytest

from coterie.protocols.rounds import PLANNERS
from coterie.protocols.rounds.oracle import TaskExpert
from coterie.protocols.rounds.planner import Planner
from tests.protocols.rounds.helpers import MOVES, WAITS, agreed, play, text_of

CENTRAL = ["central-plan", "roco-chat", "react", "hmas2"]
REASONS = [
    "Parsing failed, Bob already holds pink_polygon; it must put that down first.",
    "Task Constraints failed, not all robots may WAIT.",
    "- Goal Step Bob (0.00, 0.50, 0.30): Out of reach: Bob (0.00, 0.50, 0.30)",
    "- Goal Step Bob (0.00, 0.50, 0.30): IK failed: on Bob (0.00, 0.50, 0.30)",
    "- Goal Step Bob (0.00, 0.50, 0.30): Collision detected: collided object pairs: Alice-Bob",
    "Waypoints failed:\n- point 2",
]


def plans(asked):
    return [a for a in asked if a.stage != "VOTE"]


@pytest.mark.parametrize(
    ("planner", "reason"), [*(("roco", reason) for reason in REASONS), *((p, REASONS[-1]) for p in CENTRAL)]
)
def test_every_reason_comes_back_with_its_plan(planner, reason):
    words = iter([reason])
    asked, acts, _ = play(planner, lambda a: WAITS if a.stage != "VOTE" and a.attempt else agreed(a),
                          words=lambda joint: next(words, ""))  # fmt: skip
    prompt = text_of(plans(asked)[-1])
    assert "[Environment Feedback]:" in prompt
    assert reason.splitlines()[0] in prompt
    assert "NAME Bob ACTION PICK pink_polygon PLACE panel4" in prompt
    assert len(acts) == 3


@pytest.mark.parametrize("planner", CENTRAL)
def test_five_plans_more_and_then_nobody_moves(planner):
    asked, acts, _ = play(
        planner, lambda a: agreed(a).replace("panel4", f"panel{1 + a.attempt}"), words=lambda joint: "No.", rounds=2
    )
    assert len(plans(asked)) == 2 * Planner.tries
    assert {a[2] for a in acts} == {"wait"}
    last = text_of(plans(asked)[Planner.tries - 1])
    refused = "Observation: [Environment Feedback]" if planner == "react" else "of this round was refused"
    assert last.count(refused) == Planner.tries - 1  # all earlier attempts of the round stay
    if planner != "react":
        first_of_next = text_of(plans(asked)[Planner.tries])
        assert "of this round was refused" not in first_of_next
        assert "round 1: no plan passed the checks; nobody moved" in first_of_next
        assert (
            "Plans that were refused; do not repeat them:\n- NAME" in first_of_next and "because: No." in first_of_next
        )


@pytest.mark.parametrize("planner", CENTRAL)
def test_a_planner_that_repeats_a_refused_plan_is_not_asked_further(planner):
    asked, acts, _ = play(planner, agreed, words=lambda joint: "No.", rounds=2)
    assert len(plans(asked)) == 2 * Planner.patience < 2 * Planner.tries
    assert {a[2] for a in acts} == {"wait"}


@pytest.mark.parametrize("job", ["sort-cubes", "pack-grocery"])
def test_a_script_gives_up_when_it_knows_no_other_way(monkeypatch, job):
    """What an arm does not reach is not tried beside what else the others do, and the round ends with the reason."""
    monkeypatch.setitem(PLANNERS, "task-expert", TaskExpert)
    far = "- Goal Step Alice (0.00, 0.50, 0.30): IK failed: on Alice (0.00, 0.50, 0.30)"
    tried = []
    play("task-expert", job=job, words=lambda joint: tried.append(joint["Alice"]) or far)
    moves = [(a.skill, a.args) for a in tried if a.skill != "wait"]
    assert len(moves) == len(set(moves)) <= 6


@pytest.mark.parametrize("planner", ["central-plan", "roco"])
def test_where_waiting_is_no_action_a_spent_round_is_still_waited_out(planner):
    _, acts, _ = play(planner, lambda a: "no idea", job="move-rope")
    assert [a[2] for a in acts] == ["wait", "wait"]


def test_a_planner_that_lets_all_wait_is_told_why_it_may_not():
    asked, _, _ = play(
        "central-plan", lambda a: "EXECUTE\nNAME Alice ACTION WAIT\nNAME Bob ACTION WAIT", job="move-rope"
    )
    again = text_of(plans(asked)[1])
    assert "Alice: nobody may WAIT in this task: every robot acts in every round; Alice can: PICK" in again
    assert "unknown action" not in again


@pytest.mark.parametrize("planner", ["central-plan", "roco", "hmas2"])
def test_plans_that_failed_to_execute_are_named_until_something_works(planner):
    asked, _, _ = play(
        planner,
        lambda a: "I Agree" if a.stage == "VOTE" else MOVES,
        failures=["Motion planning failed: no way."],
        rounds=3,
    )
    rounds = {step: text_of(next(a for a in asked if a.step == step and a.stage != "VOTE")) for step in range(3)}
    assert "failed to execute" not in rounds[0]
    assert "Plans that failed to execute; do not repeat them:" in rounds[1]
    assert "NAME Bob ACTION PICK pink_polygon PLACE panel4" in rounds[1]
    assert "Motion planning failed: no way." in rounds[1]
    assert "Plans that failed to execute" not in rounds[2]
    assert "round 2: Alice: WAIT; Bob: PICK pink_polygon PLACE panel4; Chad: WAIT" in rounds[2]


def test_react_keeps_a_trace_over_the_rounds():
    def reply(ask):
        plan = MOVES.replace("panel4", "panel3") if ask.attempt else MOVES
        return f"Thought: step {ask.step} try {ask.attempt}.\nAction:\n{plan}"

    words = iter(["", "Out of reach."])
    asked, _, _ = play("react", reply, words=lambda joint: next(words, ""), failures=["", "It collided."], rounds=3)
    last = text_of(asked[-1])
    assert "Thought: step 0 try 0." in last
    assert "Observation: round 1 is done." in last
    assert "Thought: step 1 try 0." in last
    assert "Observation: [Environment Feedback]: refused. Out of reach." in last
    assert "Observation: failed to execute, all is as before. It collided." in last
    assert last.index("step 0") < last.index("step 1 try 1")


def test_hmas2_plans_again_until_all_agree():
    def reply(ask):
        if ask.stage != "VOTE":
            return MOVES if "objected" not in text_of(ask) else MOVES.replace("panel4", "panel3")
        bad = ask.robot == "Bob" and "PLACE panel4" in text_of(ask)
        return "Panel4 is not free; use panel3." if bad else "Yes, I agree."

    asked, acts, _ = play("hmas2", reply)
    assert [a.stage for a in asked] == ["HMAS", "VOTE", "VOTE", "VOTE", "HMAS", "VOTE", "VOTE", "VOTE"]
    assert "Robots objected to: NAME Alice" in text_of(asked[4])
    assert '  Bob: "Panel4 is not free; use panel3."' in text_of(asked[4])
    assert ("Bob", "pick_place", ("pink_polygon", "panel3")) in [a[1:] for a in acts]
    vote = text_of(next(a for a in asked if a.stage == "VOTE" and a.robot == "Bob"))
    assert "Your action: PICK pink_polygon PLACE panel4" in vote
    assert "Alice can reach" not in vote and "Alice reaches" not in vote  # its own view only


def test_hmas2_does_not_talk_for_ever():
    asked, acts, world = play("hmas2", lambda a: "No!" if a.stage == "VOTE" else MOVES)
    assert len(plans(asked)) == 4 and len(asked) == 4 + 3 * 3
    assert world.rounds.checks == 1
    assert ("Bob", "pick_place", ("pink_polygon", "panel4")) in [a[1:] for a in acts]
