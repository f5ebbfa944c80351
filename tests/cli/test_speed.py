"""Names in tables, and the time that a bench with a model will take."""

import json

import pytest

from coterie.bench.estimate import Cost
from coterie.cli import speed
from coterie.cli.out import console
from tests.models.faulty import Fault, Faulty

COST = Cost("dynahmrc", 10, 100.0, 20.0, 4000.0, None, "rehearsed")


@pytest.fixture
def url():
    """An endpoint that takes 50 ms a call."""
    server = Faulty(lambda messages, options: "words", faults=lambda number, body: Fault(delay_s=0.05)).start()
    yield server.url
    server.stop()


def test_numbers_after_colons_stay_numbers(cli, capsys):
    said = cli("bench", "smoke", "--methods", "mcts:100", "--episodes", "1", "--dry-run")
    assert said.code == 0 and "mcts:100: timed on" in said.out and "💯" not in said.out
    console().print("mcts:100: and :cat:")
    assert capsys.readouterr().out.strip() == "mcts:100: and :cat:"


def test_one_call_to_an_endpoint_tells_the_time_of_all(cli, url):
    (known,) = speed.timed([COST], "openai:m", url)
    assert known.seconds is not None and known.seconds >= 20 * 0.05  # more where the machine is busy
    assert "a call, by one call to http://127.0.0.1" in known.basis
    run = ("bench", "smoke", "--methods", "coela", "--episodes", "1", "--model", "openai:m", "--dry-run")
    assert json.loads(cli(*run, "--base-url", url, "--json").out)["estimate"]["coela"]["seconds"] > 0
    assert "with --base-url one call is made and timed" in cli(*run).out


def test_rule_minds_take_as_long_as_their_episodes():
    (known,) = speed.timed([COST._replace(own_s=90.0)], "oracle:1")
    assert known.seconds == 90.0 and "oracle:1 answers at once" in known.basis
    (unknown,) = speed.timed([COST], "oracle:1")
    assert unknown.seconds is None  # nothing was rehearsed


def test_a_time_that_is_not_known_says_why():
    (dead,) = speed.timed([COST], "openai:m", "http://127.0.0.1:9/v1")
    assert dead.seconds is None and "time unknown: The model endpoint http://127.0.0.1:9/v1 does not" in dead.basis
    (other,) = speed.timed([COST], "oracle")
    assert other.seconds is None and "play a few with --episodes" in other.basis
    free = COST._replace(calls=0, seconds=3.0)
    assert speed.timed([free], "oracle") == [free]  # nothing is asked


def test_the_embedded_model_is_timed_where_it_is_there(monkeypatch):
    from coterie.models import embedded, store

    monkeypatch.setattr(speed.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(store, "cached", lambda: "weights.gguf")
    monkeypatch.setattr(embedded, "Embedded", lambda: None)  # nobody fetches or loads it
    monkeypatch.setattr(embedded, "speed", lambda model, **sizes: embedded.Speed(100.0, 35.0, 1))
    (cost,) = speed.timed([COST], "embedded")
    assert cost.seconds == pytest.approx(20 * 2.5) and "2.50 s a call" in cost.basis
    monkeypatch.setattr(store, "cached", lambda: None)
    assert "is not fetched yet" in speed.timed([COST], "embedded")[0].basis
