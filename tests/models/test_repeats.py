"""Logs of runs over HTTP repeat byte for byte, whatever a client has learnt of its endpoint and when it was stopped."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.log.file import read_log
from coterie.models.openai import OpenAI
from coterie.models.wire import Endpoint
from tests.models import fickle
from tests.models.conftest import ask
from tests.models.faulty import Fault
from tests.models.fickle import MOODS, Fickle

TEAM = Config(task="pack-objects", team="Ma-MoMa-UAV", protocol="dynahmrc", level="easy", seed=2)


def client(server: Fickle) -> OpenAI:
    return OpenAI("m", Endpoint(server.url, backoff_s=0.002, deadline_s=120.0))


@pytest.fixture
def at(request):
    """`at(moods)`: an endpoint that goes through them."""
    running = []

    def start(*moods, **options) -> Fickle:
        running.append(Fickle(moods, **options).start())
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    log, server = tmp_path_factory.mktemp("whole") / "log.jsonl", Fickle([fickle.holds]).start()
    assert play(TEAM, log, model=client(server)).result.status == "done"
    server.stop()
    return log.read_bytes()


@pytest.mark.parametrize("mood", MOODS[::3], ids=lambda mood: mood.__name__)
def test_no_mood_of_a_server_shows_in_a_log(at, whole, tmp_path, mood):
    model = client(at(mood))
    play(TEAM, tmp_path / "log", model=model)
    assert (tmp_path / "log").read_bytes() == whole


@pytest.mark.parametrize("stays", [1, 5])
def test_a_server_changes_its_mind(at, whole, tmp_path, stays):
    server = at(*MOODS, stays=stays)
    play(TEAM, tmp_path / "log", model=client(server))
    assert (tmp_path / "log").read_bytes() == whole


def test_many_episodes_share_a_client(at, whole, tmp_path):
    model = client(at(*MOODS, fickle.busy, stays=3))
    logs = [tmp_path / str(i) for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda log: play(TEAM, log, model=model), logs))
    assert all(log.read_bytes() == whole for log in logs)


def test_a_log_that_was_cut_anywhere_goes_on_to_the_same(at, whole, tmp_path):
    log, rng = tmp_path / "log", random.Random(5)
    first = whole.index(b"\n") + 1
    for n in range(5):
        log.write_bytes(whole[: rng.randrange(first, len(whole))])
        server = at(*(MOODS[n % len(MOODS) :] + MOODS[: n % len(MOODS)]), stays=1 + n % 4)
        play(TEAM, log, resume=True, model=client(server))
        assert log.read_bytes() == whole


# -- what is remembered, and what is not ------------------------------------------------------------------------------


def test_a_refusal_of_one_request_is_not_held_against_others(server, endpoint):
    def faults(number, body):
        if "grammar" in body and "odd" in body["grammar"]:
            return Fault(status=400, words="failed to parse grammar")
        return None

    s = server(faults=faults)
    model = OpenAI("m", endpoint(s))
    model.answer([ask(choices={"gbnf": 'root ::= "odd'})])
    model.answer([ask(choices={"gbnf": 'root ::= "fine"'})])
    assert ["grammar" in body for body in s.requests] == [True, False, True]


def test_a_server_that_refuses_now_this_now_that_is_still_told_a_length(server, endpoint):
    refused = ["max_tokens"]

    def faults(number, body):
        found = [name for name in refused if name in body]
        return Fault(status=400, words=f"Unsupported parameter: {found[0]}") if found else None

    s = server(faults=faults)
    model = OpenAI("m", endpoint(s))
    model.answer([ask()])
    refused[:] = ["max_completion_tokens"]
    model.answer([ask()])
    model.answer([ask()])
    assert "max_tokens" in s.requests[-1] and "max_completion_tokens" not in s.requests[-1]
    refused[:] = ["max_tokens", "max_completion_tokens"]
    model.answer([ask()])
    assert not {"max_tokens", "max_completion_tokens"} & {*s.requests[-1]}


def test_what_the_server_counts_is_in_the_ledger_and_spent(server, endpoint):
    counted = fickle.say("yes", usage={"prompt_tokens": 600, "completion_tokens": 500})
    model = OpenAI("m", endpoint(server(faults=lambda number, body: counted)), token_limit=1000)
    (reply,) = model.answer([ask("x" * 40)])
    assert (reply.tokens_in, reply.tokens_out) == (13, 1)
    assert (model.ledger.calls[0].tokens_in, model.ledger.calls[0].tokens_out) == (600, 500)
    with pytest.raises(CoterieError, match="limit of 1,000 tokens"):
        model.answer([ask()])


def test_a_long_reply_is_cut_in_the_log(at, tmp_path):
    log, long = tmp_path / "log.jsonl", fickle.say("no idea " * 100_000)
    server = at(lambda body, text: long, fickle.holds, stays=3)
    play(TEAM, log, model=client(server))
    cut = [e.data for e in read_log(log) if e.kind == "reply" and e.data["error"]]
    assert cut and all(len(data["text"]) == 200_000 for data in cut)
    assert cut[0]["error"] == "The reply was cut: it had 800,000 characters."
    kept = log.read_bytes()
    again = tmp_path / "again.jsonl"
    again.write_bytes(kept[: kept.rindex(b"The reply was cut")])  # in the middle of a line
    play(TEAM, again, resume=True, model=client(at(lambda body, text: long, fickle.holds, stays=1)))
    assert read_log(again)[-1].kind == "end"
