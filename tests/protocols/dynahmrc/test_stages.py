"""Every stage, every tie, the referee, joiners and vanished leaders, with scripted replies."""

import pytest

from coterie.protocols.dynahmrc import VARIANTS
from tests.protocols.dynahmrc.helpers import facts, of, run


def test_the_stages_in_order_and_together():
    played, asked, model = run()
    stages = [a.stage for a in asked]
    assert stages[:9] == ["SD"] * 3 + ["TALB"] * 3 + ["LE"] * 3
    assert model.batches[:3] == [3, 3, 3]  # all robots' requests are answered together
    assert played.result.success
    assert {a.step for a in of(asked, "GD")} <= {10, 20}


def test_a_vote_for_nobody_is_asked_again_and_then_ones_own():
    def reply(ask):
        return "I cannot decide." if ask.stage == "LE" and ask.robot == "Bob" else None

    played, asked, _ = run(reply)
    assert [a.attempt for a in of(asked, "LE", "Bob")] == [0, 1]
    assert tuple(v for _, who, args, v in facts(played, "vote") if who == "Bob") == ("Bob",)


def test_discussion_every_ten_steps():
    played, asked, _ = run(lambda a: "Thought: no.\nAction: wait()" if a.stage == "HMRC" else None)
    assert played.result.steps == 30
    assert {a.step for a in of(asked, "GD")} == {10, 20}
    assert [(a.step, a.robot) for a in of(asked, "LP")] == [(10, "Alice"), (20, "Alice")]
    assert "Reports:" in of(asked, "LP")[0].prompt[1][1]


def test_an_unreadable_action_is_asked_again_once_then_waits():
    def reply(ask):
        return "Well, I do not know." if ask.stage == "HMRC" and ask.robot == "Alice" and ask.step == 2 else None

    played, asked, _ = run(reply)
    tries = [a for a in of(asked, "HMRC", "Alice") if a.step == 2]
    assert [a.attempt for a in tries] == [0, 1]
    assert "could not be read: it has no action" in tries[1].prompt[-1][1]
    act = next(e for e in played.log.events if e.kind == "act" and e.who == "Alice" and e.step == 2)
    assert act.data["skill"] == "wait" and "unreadable" in act.data["why"]


def test_guard_rails_refuse_and_explain_once():
    def reply(ask):
        if ask.stage == "HMRC" and ask.robot == "Alice" and ask.step == 0:
            return (
                "Thought: x\nAction: navigate(piano, 0)" if "impossible" not in ask.prompt[1][1] else "Action: wait()"
            )
        return None

    played, asked, _ = run(reply, guard=True)
    first = [a for a in of(asked, "HMRC", "Alice") if a.step == 0]
    assert len(first) == 2
    assert "piano is not in the scene graph" in first[1].prompt[1][1]
    assert sum(e.kind == "refused" for e in played.log.events) == 1


def test_what_is_said_is_grounded_in_the_speakers_belief():
    played, _, _ = run(team="Ma-MoMa-Mo", seed=5, scene="house:11")
    told = [e for e in played.log.events if e.kind == "message" and e.data["facts"]]
    assert told
    for e in told:
        assert all(f[1][0] in e.data["text"] or f[0] == "open" for f in e.data["facts"])


def test_goal_aware_memory_drops_what_became_stale():
    for protocol, told in (("dynahmrc", True), ("dynahmrc:queues", False)):
        _, asked, _ = run(changes=("cto@5",), seed=4, scene="flat", protocol=protocol)
        later = next(a for a in of(asked, "HMRC", "Alice") if a.step == 6)
        assert ("The goal changed at step 5." in later.prompt[1][1]) is told


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_ablations_take_out_what_they_say(name):
    played, asked, _ = run(protocol=f"dynahmrc:{name}", seed=4, scene="flat", changes=("cto@5",))
    stages = {a.stage for a in asked}
    last = of(asked, "HMRC", "Alice")[-1].prompt
    if name == "no-leader":
        assert not stages & {"TALB", "LE", "LP"}
    if name == "no-reflection":
        assert not stages & {"GD", "LP"}
    if name == "no-history":
        assert all("Done lately: nothing yet" in a.prompt[1][1] for a in of(asked, "HMRC"))
        assert not [a for a in asked if "Heard: " in a.prompt[1][1]]
    if name == "no-feedback":
        assert not [a for a in asked if "FAILED" in a.prompt[1][1]]
    if name == "full":
        assert "Scene graph" in last[0][1]
    if name == "random-votes":
        assert len(of(asked, "LE")) < 9
    assert played.result.steps > 0
