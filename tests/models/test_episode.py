"""A whole episode over HTTP: an endpoint that goes away, and one that comes back."""

import json

import pytest

from coterie.core.action import WAIT, Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, TeamProtocol
from coterie.episode.play import play
from coterie.log.file import read_log
from coterie.models.choices import snap
from coterie.models.openai import OpenAI
from coterie.models.scripted import Recorded, Recording
from coterie.models.wire import Endpoint
from coterie.protocols import protocols
from coterie.protocols.dynahmrc.oracle import answer as oracle
from tests.models.faulty import Fault, Faulty

CONFIG = Config(task="pack-objects", team="Ma-MoMa-UAV", protocol="asks-where", level="easy", seed=2)


class AsksWhere(TeamProtocol):
    """Asks where to go, and goes there."""

    sees = "own"

    def decide(self, team, idle):
        me = team.me
        if "navigate" not in me.card.skills:
            return {me.name: Action(WAIT)}
        places = tuple(me.look("all_furniture"))
        (reply,) = yield [Ask(me.name, "where", me.step, 0, (("user", f"Step {me.step}. Where to?"),), places)]
        return {me.name: Action("navigate", (reply.text, "stand_pose_0"))}


@pytest.fixture(autouse=True)
def protocol(own_names):
    protocols.put("asks-where", AsksWhere)


def choose(messages, options):
    return options["guided_choice"][len(messages[-1]["content"]) % len(options["guided_choice"])]


def test_a_run_goes_on_when_its_endpoint_is_back(server, endpoint, tmp_path):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    good = server(choose)
    play(CONFIG, whole, model=OpenAI("m", endpoint(good)))
    asked = len(good.requests)
    bad = server(choose, faults=lambda number, body: Fault(drop=True) if number >= asked // 2 else None)
    with pytest.raises(CoterieError, match="The model endpoint http"):
        play(CONFIG, cut, model=OpenAI("m", endpoint(bad, retries=1)))
    lines = cut.read_text()
    assert lines.endswith("\n") and whole.read_text().startswith(lines)
    assert read_log(cut)[-1].kind == "ask"  # all that was known when the endpoint went away
    again = server(choose)
    play(CONFIG, cut, resume=True, model=OpenAI("m", endpoint(again)))
    assert cut.read_bytes() == whole.read_bytes()
    assert 0 < len(again.requests) < asked  # what was answered before is not asked again
    beside = [json.loads(log.with_suffix(".jsonl.wall").read_text())["model"]["total"] for log in (whole, cut)]
    assert beside[0]["calls"] <= beside[1]["calls"] <= asked + 2  # those of the first part count as well


def test_a_recorded_run_replays_to_the_same_log(server, endpoint, tmp_path):
    first, second, talk = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "talk.jsonl"
    model = Recording(OpenAI("m", endpoint(server(choose))), talk)
    played = play(CONFIG, first, model=model)
    replay = Recorded(talk)
    replay.name = model.name
    play(CONFIG, second, model=replay)
    assert first.read_bytes() == second.read_bytes()
    assert model.ledger.total()["calls"] == sum(e.kind == "ask" for e in played.log.events)


def test_a_spent_limit_leaves_a_whole_log(server, endpoint, tmp_path):
    log = tmp_path / "log.jsonl"
    with pytest.raises(CoterieError, match="Raise --token-limit"):
        play(CONFIG, log, model=OpenAI("m", endpoint(server(choose)), token_limit=60))
    assert read_log(log)[-1].kind == "ask"
    play(CONFIG, log, resume=True, model=OpenAI("m", endpoint(server(choose))))
    assert read_log(log)[-1].kind == "end"


# -- a whole protocol over HTTP ---------------------------------------------------------------------------------------
TEAM = Config(task="pack-objects", team="Ma-MoMa-UAV", protocol="dynahmrc", level="easy", seed=2)
PATIENT = {"retries": 2, "timeout_s": 60.0}
SLOW = Fault(delay_s=20.0), {"timeout_s": 0.5, "retries": 6}  # others may come late, too, where many want the cores


def speak(messages, options):
    """The text oracle at an endpoint that holds replies to choices."""
    text = oracle(tuple((m["role"], m["content"]) for m in messages))
    return snap(text, options["guided_choice"]) if "guided_choice" in options else text


def some(fault, when):
    """The fault for requests of these numbers."""
    return lambda number, body: fault if when(number) else None


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The log of the same episode at an endpoint without faults, and the number of its requests."""
    good, log = Faulty(speak).start(), tmp_path_factory.mktemp("whole") / "whole.jsonl"
    played = play(TEAM, log, model=OpenAI("m", Endpoint(good.url)))
    good.stop()
    assert played.result.status == "done"
    return log.read_bytes(), good.asked


@pytest.mark.parametrize(
    "fault, limits",
    [
        SLOW,
        (Fault(status=429, headers={"Retry-After": "0.05"}), {}),
        (Fault(drop=True), {}),
    ],
    ids=["slow", "429", "dropped"],
)
def test_faults_that_pass_leave_no_trace_in_the_log(server, endpoint, tmp_path, whole, fault, limits):
    log = tmp_path / "log.jsonl"
    s = server(speak, faults=some(fault, lambda n: n in (4, 9)))
    model = OpenAI("m", endpoint(s, **(PATIENT | limits)))
    played = play(TEAM, log, model=model)
    assert played.result.status == "done" and log.read_bytes() == whole[0]
    again = len(s.requests) - whole[1]
    assert (again >= 2 if fault.delay_s else again == 2) and model.ledger.total()["errors"] == 0


@pytest.mark.parametrize(
    "fault, limits, words",
    [
        (SLOW[0], SLOW[1] | {"retries": 0}, "did not answer within 0.5 s"),
        (Fault(status=429, headers={"Retry-After": "0"}), {}, r"limits how much it is asked \(429.*\(3 tries\)"),
        (Fault(status=429, headers={"Retry-After": "900"}), {}, "It asks to wait 900 s"),
    ],
    ids=["slow", "429", "429-for-long"],
)
def test_faults_that_stay_stop_the_team_and_it_goes_on(server, endpoint, tmp_path, whole, fault, limits, words):
    log = tmp_path / "log.jsonl"
    first = whole[1] // 2
    bad = server(speak, faults=some(fault, lambda n: n >= first))
    with pytest.raises(CoterieError, match=words):
        play(TEAM, log, model=OpenAI("m", endpoint(bad, **(PATIENT | limits))))
    lines = log.read_bytes()
    assert lines.endswith(b"\n") and whole[0].startswith(lines) and read_log(log)[-1].kind == "ask"
    again = server(speak)
    played = play(TEAM, log, resume=True, model=OpenAI("m", endpoint(again)))
    assert played.result.status == "done" and log.read_bytes() == whole[0]
    assert len(again.requests) <= whole[1] - max(0, first - 4)  # what was answered before is not asked again


def test_replies_without_usage_figures_are_counted_by_length(server, endpoint, tmp_path, whole):
    log = tmp_path / "log.jsonl"
    s = server(speak, faults=some(Fault(usage=False), lambda n: n % 2 == 0))
    played = play(TEAM, log, model=OpenAI("m", endpoint(s, **PATIENT)))
    assert played.result.status == "done" and log.read_bytes() == whole[0]  # this server counts in the same way
    assert 0 < sum(c.estimated for c in played.calls) < len(played.calls)
    beside = json.loads(log.with_suffix(".jsonl.wall").read_text())
    assert beside["model"]["total"]["estimated"] == sum(c.estimated for c in played.calls)
