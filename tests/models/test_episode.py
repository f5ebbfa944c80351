"""A whole episode over HTTP: an endpoint that goes away, and one that comes back."""

import json

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.log.file import read_log
from coterie.models.choices import snap
from coterie.models.openai import OpenAI
from coterie.models.scripted import Recorded, Recording
from coterie.models.wire import Endpoint
from coterie.protocols.dynahmrc.oracle import answer as oracle
from tests.models.faulty import Fault, Faulty

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
    """The log of an episode at an endpoint without faults, the number of its requests, and a recording of them."""
    good, folder = Faulty(speak).start(), tmp_path_factory.mktemp("whole")
    model = Recording(OpenAI("m", Endpoint(good.url)), folder / "talk.jsonl")
    played = play(TEAM, folder / "whole.jsonl", model=model)
    good.stop()
    assert played.result.status == "done"
    assert model.ledger.total()["calls"] == sum(e.kind == "ask" for e in played.log.events)
    return (folder / "whole.jsonl").read_bytes(), good.asked, folder / "talk.jsonl"


def test_a_recorded_run_replays_to_the_same_log(tmp_path, whole):
    replay = Recorded(whole[2])
    replay.name = "openai:m"
    play(TEAM, tmp_path / "log.jsonl", model=replay)
    assert (tmp_path / "log.jsonl").read_bytes() == whole[0]


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
    """Nor that some replies come without figures of usage: this server counts by length, too."""
    log = tmp_path / "log.jsonl"
    s = server(speak, faults=lambda n, body: fault if n in (4, 9) else Fault(usage=n % 2 == 1))
    model = OpenAI("m", endpoint(s, **(PATIENT | limits)))
    played = play(TEAM, log, model=model)
    assert played.result.status == "done" and log.read_bytes() == whole[0]
    again = len(s.requests) - whole[1]
    assert (again >= 2 if fault.delay_s else again == 2) and model.ledger.total()["errors"] == 0
    estimated = sum(c.estimated for c in played.calls)
    beside = json.loads(log.with_suffix(".jsonl.wall").read_text())
    assert 0 < estimated < len(played.calls) and beside["model"]["total"]["estimated"] == estimated


@pytest.mark.parametrize(
    "fault, limits, tokens, words",
    [
        (SLOW[0], SLOW[1] | {"retries": 0}, None, "did not answer within 0.5 s"),
        (Fault(status=429, headers={"Retry-After": "900"}), {}, None, "It asks to wait 900 s"),
        (Fault(drop=True), {}, None, r"The model endpoint http.*\(3 tries\)"),
        (None, {}, 9000, "Raise --token-limit"),
    ],
    ids=["slow", "429", "dropped", "spent"],
)
def test_what_stays_stops_the_team_and_it_goes_on(server, endpoint, tmp_path, whole, fault, limits, tokens, words):
    log = tmp_path / "log.jsonl"
    first = whole[1] // 2
    bad = server(speak, faults=some(fault, lambda n: n >= first))
    with pytest.raises(CoterieError, match=words):
        play(TEAM, log, model=OpenAI("m", endpoint(bad, **(PATIENT | limits)), token_limit=tokens))
    lines = log.read_bytes()
    assert lines.endswith(b"\n") and whole[0].startswith(lines) and read_log(log)[-1].kind == "ask"
    again = server(speak)
    played = play(TEAM, log, resume=True, model=OpenAI("m", endpoint(again)))
    assert played.result.status == "done" and log.read_bytes() == whole[0]
    answered = max(0, min(first, bad.asked) - 4)  # some were under way, and on a busy machine more may be late
    assert len(again.requests) <= whole[1] - answered, "what was answered is not asked again"
    calls = json.loads(log.with_suffix(".jsonl.wall").read_text())["model"]["total"]["calls"]
    assert calls >= whole[1], "those of the first part count as well"
