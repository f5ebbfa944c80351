"""What minds are shown, how they talk, how their requests are answered, and what guard rails do."""

import pytest

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.core.expr import ne
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import Ask, Party, Reply, TeamProtocol
from coterie.core.skill import Clause, Rule
from coterie.episode.loop import Settings, episode, run
from coterie.log.file import Log
from coterie.models.scripted import Scripted
from examples.yard import Chooser, YardWorld, first_choice, seeded_choice, stranger_joins, yard_task
from tests.yard import parties, play


# -- what they see ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("sees", "shown"), [
    ("own", [["Ada"], ["Bo"]]), ("pooled", [["Ada", "Bo"]]), ("truth", [["Ada", "Bo"]]),
])  # fmt: skip
def test_a_mind_is_shown_no_more_than_it_may_see(sees, shown):
    views = []

    class Looker(TeamProtocol):
        def decide(self, team, idle):
            views.append(team)
            return {name: Action("wait") for name in idle}
            yield []

    Looker.sees = sees
    play(Looker, yard_task(changes=[stranger_joins(step=0)], step_limit=1))
    assert [list(v.robots) for v in views] == shown, "the stranger is of another party"
    assert [v.world is not None for v in views] == [sees == "truth"] * len(views)
    assert [v.task is not None for v in views] == [sees == "truth"] * len(views)
    if sees == "own":
        assert [v.me.name for v in views] == ["Ada", "Bo"]
    else:
        with pytest.raises(CoterieError, match="only for protocols that see one robot"):
            _ = views[0].me


def test_own_minds_are_one_per_robot_and_pooled_ones_one_per_party():
    class Own(TeamProtocol):
        def decide(self, team, idle):
            minds.setdefault(id(self), set()).update(idle)
            return {name: Action("wait") for name in idle}
            yield []

    class Pooled(Own):
        sees = "pooled"

    for kind, names in ((Own, [{"Ada"}, {"Bo"}]), (Pooled, [{"Ada", "Bo"}])):
        minds: dict[int, set[str]] = {}
        play(kind, yard_task(step_limit=3))
        assert list(minds.values()) == names


def test_robots_know_only_what_they_have_seen_or_heard():
    beliefs = {}
    play(lambda: Chooser(), yard_task(step_limit=1), watch=lambda e: beliefs.update(e.views), script=lambda a: "wait")
    ada, bo = beliefs["Ada"].belief, beliefs["Bo"].belief
    assert ada.value("contents", "1,0") == () and ada.value("contents", "4,0") is UNKNOWN
    assert bo.value("contents", "4,0") == () and bo.value("contents", "1,0") is UNKNOWN
    assert beliefs["Ada"].heartbeat == ("Bo",) and ada.value("online", "Bo") is True


# -- talk ---------------------------------------------------------------------------------------------------------
class Talker(TeamProtocol):
    """Says who it is, waits at the barrier, answers what it heard, and says good-bye as it ends."""

    sees = "own"
    heard: list[tuple[str, str, list[str]]]

    def decide(self, team, idle):
        me = team.me
        self.heard.append((me.name, "before", [m.text for m in me.inbox]))
        me.say(f"I am {me.name}", facts=[Fact("mood", (me.name,), "good", me.time, "made up")])
        yield []
        self.heard.append((me.name, "after", [m.text for m in me.inbox]))
        me.say(f"bye from {me.name}", to=["Ada"])
        return {me.name: Action("wait")}


def test_talk_arrives_at_the_barrier_and_is_logged():
    Talker.heard = []
    beliefs = {}
    played = play(Talker, yard_task(step_limit=2), watch=lambda e: beliefs.update(e.views))
    assert Talker.heard == [
        ("Ada", "before", []),
        ("Bo", "before", []),
        ("Ada", "after", ["I am Bo"]),
        ("Bo", "after", ["I am Ada"]),
        ("Ada", "before", ["bye from Bo"]),  # said at the end of a decision, it is heard at the next
        ("Bo", "before", []),
        ("Ada", "after", ["bye from Bo", "I am Bo"]),
        ("Bo", "after", ["I am Ada"]),
    ]
    fact = beliefs["Ada"].belief.fact("mood", "Bo")
    assert (fact.value, fact.source) == ("good", "Bo"), "whatever the sender claims, it is the source"
    says = [(who, data["to"], data["text"]) for _, who, data in played.said("say")][:3]
    assert says == [
        ("Ada", ("all",), "I am Ada"), ("Bo", ("all",), "I am Bo"), ("Ada", ("Ada",), "bye from Ada"),
    ]  # fmt: skip
    assert played.result.steps == 2, "talk inside a decision costs no step"


def test_text_alone_never_enters_a_belief():
    class Liar(TeamProtocol):
        sees = "own"

        def decide(self, team, idle):
            if team.me.name == "Bo":
                team.me.say("where(ball) = 0,1")
            yield []
            assert team.me.name == "Bo" or [m.text for m in team.me.inbox] == ["where(ball) = 0,1"]
            return {team.me.name: Action("wait")}

    seen = {}
    play(Liar, yard_task(step_limit=1), watch=lambda e: seen.update(ball=e.views["Ada"].belief.value("where", "ball")))
    assert seen == {"ball": UNKNOWN}


# -- requests -----------------------------------------------------------------------------------------------------
def test_requests_of_all_robots_are_answered_together():
    played = play(Chooser, yard_task(step_limit=4), script=lambda ask: "wait")
    assert played.model.batches == [2, 2, 2, 2]
    kinds = [e.kind for e in played.log.events if e.kind in ("ask", "reply")]
    assert kinds == ["ask", "ask", "reply", "reply"] * 4
    for e in played.log.events:
        if e.kind == "reply":
            (cause,) = e.causes
            assert (played.log.events[cause].kind, played.log.events[cause].who) == ("ask", e.who)


def test_several_episodes_share_one_batch_and_each_is_as_if_it_were_alone():
    tasks = [yard_task(step_limit=n) for n in (3, 5, 7)]
    alone = []
    for seed, task in enumerate(tasks):
        log = Log()
        run(YardWorld(task), task, parties(Chooser), log, Scripted(seeded_choice).answer, Settings(seed=seed))
        alone.append(log.lines())
    model, logs = Scripted(seeded_choice), [Log() for _ in tasks]
    running = {i: episode(YardWorld(t), t, parties(Chooser), logs[i], Settings(seed=i)) for i, t in enumerate(tasks)}
    replies: dict[int, list[Reply] | None] = dict.fromkeys(running)
    while running:
        asks = {}
        for i in list(running):
            try:
                asks[i] = running[i].send(replies[i])
            except StopIteration:
                del running[i]
        answers = iter(model.answer([a for part in asks.values() for a in part]) if asks else ())
        replies = {i: [next(answers) for _ in part] for i, part in asks.items()}
    assert model.batches[0] == 6, "two robots in each of three episodes"
    assert [log.lines() for log in logs] == alone
    assert len({tuple(lines[5:]) for lines in alone}) == 3, "the seeds made a difference"


def test_a_model_that_miscounts_ends_in_a_sentence():
    task = yard_task()
    with pytest.raises(CoterieError, match="gave 1 replies to 2 requests"):
        run(YardWorld(task), task, parties(Chooser), Log(), lambda asks: [Reply("wait")])


def test_robots_without_a_decision_wait():
    class Silent(TeamProtocol):
        sees = "pooled"

        def decide(self, team, idle):
            return {"Ada": Action("right"), "Zed": Action("right")}
            yield []

    played = play(Silent, yard_task(step_limit=1))
    assert [(who, data["skill"], data.get("why")) for _, who, data in played.said("act")] == [
        ("Ada", "right", None), ("Bo", "wait", "no decision"),
    ]  # fmt: skip


# -- guard rails --------------------------------------------------------------------------------------------------
GUARDED = Settings(guard=known_verdict)


def test_guard_rails_refuse_once_ask_again_and_then_let_the_robot_wait():
    played = play(Chooser, yard_task(step_limit=1), GUARDED, script=lambda ask: "up")
    assert [(a.robot, a.attempt) for a in played.model.asked] == [("Ada", 0), ("Bo", 0), ("Ada", 1), ("Bo", 1)]
    assert "up() was refused: Ada stands at the edge: no cell lies up of it." in played.model.asked[2].prompt[1][1]
    refused = [(who, data["again"]) for _, who, data in played.said("refused")]
    assert refused == [("Ada", True), ("Bo", True), ("Ada", False), ("Bo", False)]
    assert {(data["skill"], data["why"]) for _, _, data in played.said("act")} == {("wait", "refused twice")}


def test_a_better_second_thought_is_carried_out_and_only_who_was_refused_is_asked_again():
    def script(ask: Ask) -> str:
        return "right" if ask.robot == "Ada" else "left" if ask.attempt else "up"

    played = play(Chooser, yard_task(step_limit=2), GUARDED, script=script)
    assert [(a.step, a.robot, a.attempt) for a in played.model.asked] == [
        (0, "Ada", 0), (0, "Bo", 0), (0, "Bo", 1), (1, "Ada", 0), (1, "Bo", 0), (1, "Bo", 1),
    ]  # fmt: skip
    assert [(who, data["skill"]) for _, who, data in played.said("act")] == [("Ada", "right"), ("Bo", "left")] * 2
    assert "up() was refused" not in played.model.asked[4].prompt[1][1], "a refusal is forgotten with its decision"


def test_what_a_robot_cannot_know_is_not_refused_and_fails_in_the_world():
    played = play(Chooser, yard_task(beam=True, step_limit=1), GUARDED, script=lambda ask: "grab ball")
    assert played.said("refused") == []
    assert {data["reason"] for _, _, data in played.said("outcome")} == {
        "ball is not in the cell of Ada.", "ball is not in the cell of Bo.",
    }  # fmt: skip


def test_without_guard_rails_the_world_refuses_at_the_cost_of_a_step():
    played = play(Chooser, yard_task(step_limit=1), script=lambda ask: "up")
    assert played.said("refused") == [] and len(played.model.asked) == 2
    assert {data["status"] for _, _, data in played.said("outcome")} == {"failed"}


@pytest.mark.parametrize("public", [True, False])
def test_guard_rails_know_public_rules_only(public):
    rule = Rule("stay", "right", Clause(ne("?robot", "Ada"), "{robot} is not to go right."), public)
    played = play(Chooser, yard_task(step_limit=1, rules=[rule]), GUARDED, script=lambda ask: "right")
    refused = [data["reason"] for _, who, data in played.said("refused", "Ada")]
    failed = [data["reason"] for _, who, data in played.said("outcome", "Ada") if data["status"] == "failed"]
    words = "Ada is not to go right."
    assert (refused, failed) == (([words, words], []) if public else ([], [words]))


def test_a_party_may_be_given_robots_that_are_not_there():
    task = yard_task(step_limit=1)
    log = Log()
    run(YardWorld(task), task, [Party("all", Chooser, ("Ada", "Bo", "Nobody"))], log, Scripted(first_choice).answer)
    assert {e.who for e in log.events if e.kind == "act"} == {"Ada", "Bo"}
