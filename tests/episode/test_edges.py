"""Corners of the core that were found by reading it closely."""

import dataclasses

import pytest

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import Ask, Option, Reply, SoloProtocol, TeamProtocol
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Episode, Settings, run
from coterie.log.file import Log, read_lines, read_log
from examples.yard import RUNNER, Chooser, Tidier, Tidy, YardWorld, yard_task
from tests.yard import parties, play, solo

LISTINGS = {"contents": "where"}


def leaves(*robots, **at):
    return [Change(Trigger(**at), "leave", {"robot": r}) for r in robots]


# -- beliefs ------------------------------------------------------------------------------------------------------
def test_an_old_rumour_does_not_overrule_a_place_that_was_looked_at_twice():
    belief = Belief(listings=LISTINGS)
    belief.tell(Fact("contents", ("table",), ("apple",), 1.0, "me"))
    belief.tell(Fact("contents", ("table",), ("apple",), 9.0, "me"))
    assert belief.tell(Fact("where", ("apple",), "shelf", 5.0, "Bob")) is False, "at 9 s it was seen on the table"
    assert belief.value("where", "apple") == "table"


def test_not_knowing_twice_is_no_news():
    belief = Belief()
    belief.tell(Fact("where", ("apple",), "table", 1.0))
    assert belief.tell(Fact("where", ("apple",), UNKNOWN, 2.0)) is True
    cursor = belief.cursor
    assert belief.tell(Fact("where", ("apple",), UNKNOWN, 3.0)) is False
    assert belief.since(cursor) == []


@pytest.mark.parametrize("value", [None, 5, "apple", [["apple"]]])
def test_a_listing_that_is_no_list_of_names_is_not_believed(value):
    belief = Belief(listings=LISTINGS)
    assert belief.tell(Fact("contents", ("table",), value, 1.0, "Bob")) is False
    assert belief.value("contents", "table") is UNKNOWN
    assert list(belief.facts()) == []


# -- the log ------------------------------------------------------------------------------------------------------
def test_half_a_character_from_a_model_does_not_break_the_log(tmp_path):
    path = tmp_path / "run.jsonl"
    whole = play(Chooser, yard_task(step_limit=2), script=lambda ask: "\ud83d wait", log=Log(path))
    whole.log.close()
    raw = path.read_bytes()
    assert read_log(path)[-1].kind == "end"
    again = play(Chooser, yard_task(step_limit=2), script=lambda ask: "wait", log=Log(path, read_lines(path)[:-1]))
    again.log.close()
    assert path.read_bytes() == raw


def test_resuming_never_empties_the_log_on_the_way(tmp_path, monkeypatch):
    path = tmp_path / "run.jsonl"
    log = Log(path)
    log.add("start")
    log.add("end")
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'[2,0,0.0,"cut')
    opened = []
    real = type(path).open

    def spy(self, mode="r", *args, **kwargs):
        opened.append(mode)
        return real(self, mode, *args, **kwargs)

    monkeypatch.setattr(type(path), "open", spy)
    again = Log(path, read_lines(path))
    again.add("start")
    again.add("end")
    assert path.read_bytes() == whole + b'[2,0,0.0,"cut'  # nothing is touched while the past is compared
    again.add("more")
    again.close()
    assert path.read_bytes().startswith(whole + b'[2,0,0.0,"more"')
    assert not [m for m in opened if m.startswith("w")], "a kill right after opening to write would lose everything"


def test_a_run_that_ends_before_its_log_does_is_noticed(tmp_path):
    long = play(Chooser, yard_task(step_limit=3), script=lambda ask: "wait").log.lines()
    end = play(Chooser, yard_task(step_limit=2), script=lambda ask: "wait").log.lines()
    log = Log(past=[*end, *long[len(end) :]])
    with pytest.raises(CoterieError, match="ended before"):
        play(Chooser, yard_task(step_limit=2), log=log)
        log.close()


# -- the loop -----------------------------------------------------------------------------------------------------
def test_who_is_asked_again_still_has_its_messages():
    class Listener(TeamProtocol):
        sees = "own"

        def decide(self, team, idle):
            me = team.me
            heard.append((me.name, len(me.refusals), [m.text for m in me.inbox]))
            if me.name == "Bo":
                return {"Bo": Action("communicate", ("hello", "all"))}
            return {"Ada": Action("up")}
            yield []

    heard: list[tuple[str, int, list[str]]] = []
    play(Listener, yard_task(step_limit=3), Settings(guard=known_verdict))
    assert [h for h in heard if h[0] == "Ada"] == [
        ("Ada", 0, []), ("Ada", 1, []), ("Ada", 0, ["hello"]), ("Ada", 1, ["hello"]), ("Ada", 0, ["hello"]),
        ("Ada", 1, ["hello"]),
    ]  # fmt: skip


def test_what_is_said_within_an_option_is_heard_while_others_follow_options_too():
    class Humming(Option):
        name = "humming"

        def step(self, me):
            heard.setdefault(me.name, []).append([m.text for m in me.inbox])
            me.inbox.clear()
            me.say(f"hm {me.step}")
            return Action("wait")

    heard: dict[str, list[list[str]]] = {}
    played = play(solo(lambda me: Humming()), yard_task(step_limit=3))
    assert len(played.said("say")) == 6, "two robots, three steps"
    assert heard["Ada"][1:] == [["hm 0"], ["hm 1"]]


def test_guard_rails_hold_within_options_too():
    class Climbing(Option):
        name = "climbing"

        def step(self, me):
            return Action("up")

    climber = solo(lambda me: "wait" if me.refusals else Climbing())
    played = play(climber, yard_task(step_limit=1), Settings(guard=known_verdict))
    assert [who for _, who, _ in played.said("refused")] == ["Ada", "Bo"]
    assert {data["skill"] for _, _, data in played.said("act")} == {"wait"}


def test_a_join_at_a_time_comes_even_if_nobody_is_there():
    changes = [*leaves("Ada", "Bo", step=1), Change(Trigger(time=5.0), "join", {"robot": "Ada", "card": RUNNER})]
    calls = []

    def watch(e: Episode):
        calls.append(e.world.now)
        assert len(calls) < 50, f"the clock stands still at {e.world.now}"

    task = yard_task(step_limit=None, time_limit_s=8.0, changes=changes)
    played = play(Tidier, task, watch=watch)
    assert [t for t, _, data in played.said("change") if data["kind"] == "join"] == [5.0]


def test_a_changed_goal_is_a_changed_status():
    done = Change(Trigger(step=1), "goal", {"goal": Tidy(())})
    played = play(Chooser, yard_task(step_limit=3, changes=[done]), script=lambda ask: "wait")
    assert [data["partial"] for _, _, data in played.said("status")] == [0.0, 1.0]


def test_a_protocol_may_be_a_dataclass():
    @dataclasses.dataclass
    class Plain(SoloProtocol):
        told_of: list[str] = dataclasses.field(default_factory=list)

        def act(self, me):
            return Action("wait", why=", ".join(self.told_of))

        def told(self, change):
            self.told_of.append(change.kind)

    news = Change(Trigger(step=0), "nothing", {}, told=("all",))
    played = play(Plain, yard_task(changes=[news], step_limit=1))
    assert [data["why"] for _, _, data in played.said("act")] == ["nothing", "nothing"]


def test_a_newcomer_of_an_unknown_party_is_a_mistake_in_words():
    join = Change(Trigger(step=0), "join", {"robot": "Zed", "card": RUNNER, "party": "strangers"})
    task = yard_task(changes=[join], step_limit=1)
    with pytest.raises(CoterieError, match=r"No party 'strangers'. Did you mean 'stranger'\?"):
        run(YardWorld(task), task, parties(Tidier), Log(), lambda asks: [])


def test_lists_from_a_parser_are_arguments_like_any_other():
    said = {"Ada": Action("grab", (["ball"],)), "Bo": Action("communicate", ("hi", ["Ada"]))}
    for guard in (None, known_verdict):
        played = play(solo(lambda me: said[me.name]), yard_task(step_limit=1), Settings(guard=guard))
        ends = {who: data["status"] for _, who, data in played.said("outcome")}
        assert ends == {"Ada": "failed", "Bo": "done"}
        assert [data["text"] for _, _, data in played.said("message")] == ["hi"]


def test_somebody_pays_for_every_request():
    class Planner(TeamProtocol):
        sees = "pooled"

        def decide(self, team, idle):
            yield [Ask("planner", "plan", team.step, 0, (("user", "plan?"),))]
            return {name: Action("wait") for name in idle}

    task = yard_task(step_limit=1)
    log = Log()
    settings = Settings(think_call_s=4.0)
    run(YardWorld(task), task, parties(Planner), log, lambda asks: [Reply("ok")] * len(asks), settings)
    assert [e.t for e in log.events if e.kind == "act"] == [4.0, 4.0]
