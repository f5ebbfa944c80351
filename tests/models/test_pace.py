"""How often an endpoint is asked."""

import multiprocessing
import threading
import time
from types import SimpleNamespace

import pytest

from coterie.core.errors import CoterieError
from coterie.models import make_model, wire
from coterie.models.budget import Budget, Pace
from tests.models.conftest import ask
from tests.models.faulty import Fault

PER_MINUTE, APART_S = 3000, 0.02


def gaps(times):
    return [b - a for a, b in zip(sorted(times), sorted(times)[1:])]


@pytest.mark.parametrize("processes", [False, True])
def test_turns_are_apart_whoever_takes_them(processes):
    shared = multiprocessing.get_context("spawn").Value("d", 0.0) if processes else None
    one = Pace(PER_MINUTE, shared=shared)
    paces = [one, Pace(PER_MINUTE, shared=shared) if processes else one]
    taken = []

    def take(pace):
        for _ in range(4):
            taken.append(pace._take(time.monotonic()))

    threads = [threading.Thread(target=take, args=(paces[n % 2],)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(taken) == 16 and min(gaps(taken)) > APART_S * 0.999


def test_a_turn_is_waited_for_and_whoever_is_stopped_does_not_wait():
    pace, stop = Pace(0.1), threading.Event()  # ten minutes apart
    assert pace.turn() < 60, "the first is free"
    stop.set()
    assert pace.turn(stop) < 60
    pace, begun = Pace(600), time.monotonic()
    pace.turn()
    pace.turn()
    assert time.monotonic() - begun > 0.099


def test_an_endpoint_is_asked_at_a_pace_and_tries_count(server, monkeypatch):
    asked, turns, take = [], [], Pace._take

    def faults(number, body):
        asked.append(number)
        return Fault(status=503, headers={"Retry-After": "0"}) if number in (2, 3) else None

    def noted(pace, now):  # when it may begin: it arrives later, and on a busy machine nobody knows how much
        turns.append(take(pace, now))
        return turns[-1]

    monkeypatch.setattr(Pace, "_take", noted)

    there = server(faults=faults)
    model = make_model("openai:mind", there.url, budget=Budget(pace=Pace(PER_MINUTE)), deadline_s=60.0)
    model.endpoint.backoff_s = 0.0
    assert len(model.answer([ask(str(n)) for n in range(12)])) == 12
    assert len(asked) == len(turns) == 14, "requests, and two more tries"
    assert min(gaps(turns)) > APART_S * 0.999


def test_no_deadline_runs_while_a_request_waits_for_its_turn(server, monkeypatch):
    """The clock of requests goes on by 100 s at each turn."""
    late = []

    def turn(pace, stop=None):
        late.append(100.0)
        return late[-1]

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + sum(late), perf_counter=time.perf_counter)
    monkeypatch.setattr(wire, "time", clock)
    monkeypatch.setattr(Pace, "turn", turn)
    model = make_model("openai:mind", server().url, budget=Budget(pace=Pace(600)), concurrency=1, deadline_s=60.0)
    assert [r.error for r in model.answer([ask(str(n)) for n in range(3)])] == [""] * 3 and len(late) == 3


def test_no_pace_is_none():
    with pytest.raises(CoterieError, match="--rate-limit must be a number of requests a minute above zero"):
        Pace(0)
