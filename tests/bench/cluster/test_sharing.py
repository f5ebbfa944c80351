"""What machines that ask the same endpoint share: a budget, and how often they ask."""

import itertools
import pickle
import threading
import time
from pathlib import Path

import pytest

from coterie.bench.cluster import tally as tallying
from coterie.bench.cluster.desk import Desk
from coterie.bench.cluster.tally import Tally
from coterie.bench.playing import Asking
from coterie.bench.results import RESULTS
from coterie.cli import main
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.models.budget import Budget
from coterie.models.pace import Pace
from coterie.models.server import Server
from coterie.protocols.dynahmrc.oracle import answer
from tests.models.conftest import ask

PER_MINUTE, APART_S = 3000, 0.02


def mind(messages, options):
    """Plays well, and says something to everybody else, too."""
    try:
        return answer([(m["role"], m["content"]) for m in messages])
    except CoterieError:
        return "yes"


@pytest.fixture
def endpoint():
    """A real one that notes when it is asked."""
    server = Server(
        mind,
        faults=lambda number, body: server.times.append(time.monotonic()),
    )
    server.times = []
    server.start()
    yield server
    server.stop()


@pytest.fixture
def turns(monkeypatch):
    """When each request was allowed to begin: it arrives later, and on a busy machine nobody knows how much."""
    taken, take = [], Pace._take

    def noted(pace, now):
        taken.append(take(pace, now))
        return taken[-1]

    monkeypatch.setattr(Pace, "_take", noted)
    return taken


def apart_s(turns):
    turns = sorted(turns)
    return min(b - a for a, b in itertools.pairwise(turns))


def test_what_is_spent_is_counted_by_all_and_outlives_who_spent_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tallying, "LOOK_S", 0.0)
    one = Tally(tmp_path / "tokens")
    other = pickle.loads(pickle.dumps(one))
    first, second = Budget(100, shared=one), Budget(100, shared=other)
    first.spend(30)
    second.spend(40)
    first.spend(20)
    assert first.spent == second.spent == 90
    del first, one
    assert Budget(100, shared=Tally(tmp_path / "tokens")).spent == 90
    second.spend(10)
    with pytest.raises(CoterieError, match="limit of 100 tokens is reached"), second.hold(1):
        pass
    (tmp_path / "tokens" / "0123").write_text("half a n")
    assert second.spent == 100, "what is no number counts for nothing"


def test_one_desk_asks_for_many_and_the_next_goes_on_counting(endpoint, turns, tmp_path):
    asking = Asking(endpoint.url, token_limit=100_000, spent=Tally(tmp_path), rate_limit=PER_MINUTE)
    desk, config, replies = Desk(asking, {}, again=False), Config(protocol="coherent", model="openai:mind"), []

    def player(n):
        asks = [ask(f"{n} {i}") for i in range(4)]
        said, calls = desk.answer(config, asks)
        replies.append((len(said), [len(c) for c in calls]))

    threads = [threading.Thread(target=player, args=(n,)) for n in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert replies == [(4, [1, 1, 1, 1])] * 3, "each its own calls"
    assert len(endpoint.times) == len(turns) == 12 and apart_s(turns) > APART_S * 0.999
    spent = desk.budget.spent
    assert spent > 0 and desk.add(5) == spent + 5
    again = Desk(asking._replace(token_limit=spent + 5), {}, again=True)
    with pytest.raises(CoterieError, match="tokens is reached"):
        again.answer(config, [ask("more")])


def test_shards_share_a_budget_and_each_keeps_to_its_part_of_the_pace(endpoint, turns, tmp_path, capsys):
    words = ["bench", "smoke", "--episodes", "4", "--methods", "coherent", "--model", "openai:mind", "--no-plots"]
    words += ["--base-url", endpoint.url]
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    calls = len(endpoint.times)
    endpoint.times.clear()
    words += ["--out", str(tmp_path / "parts"), "--batch", "4", "--rate-limit", str(2 * PER_MINUTE)]
    assert main([*words, "--shard", "1/2", "--token-limit", "2000"]) == 2
    assert "The limit of 2,000 tokens is reached" in capsys.readouterr().err
    asked = len(endpoint.times)
    assert main([*words, "--shard", "2/2", "--token-limit", "2000"]) == 2, "another machine: nothing is left for it"
    assert len(endpoint.times) == asked and asked < calls
    assert len(turns) == asked and apart_s(turns) > APART_S * 0.999
    for n in (1, 2):
        assert main([*words, "--shard", f"{n}/2", "--token-limit", "1000000"]) == 0
    assert main(["bench", "merge", str(tmp_path / "parts"), "--no-plots"]) == 0
    rows = [Path(tmp_path / name / RESULTS).read_bytes() for name in ("one", "parts")]
    assert rows[0] == rows[1]
