"""One model for many processes: requests of all are answered in one call, and who leaves costs the others nothing."""

import hashlib
import json
import shutil
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from coterie.cli.app import main
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import make_model
from coterie.models.shared import Shared, Sharing, lent
from coterie.protocols.dynahmrc.oracle import Oracle


class Echo:
    name = "echo"

    def __init__(self):
        self.calls = []

    def answer(self, asks):
        self.calls.append(len(asks))
        return [Reply(f"{a.robot} {a.prompt[0][1]} {a.choices}", 3, 2) for a in asks]


@pytest.fixture
def sharing(tmp_path):
    made = Sharing(Echo(), tmp_path / "line" / "model")
    thread = threading.Thread(target=made.serve)
    thread.start()
    yield made
    made.close()
    thread.join(timeout=30)
    assert not thread.is_alive() and not made.path.exists()


def ask(robot, text, choices=None):
    return Ask(robot, "HMRC", 1, 0, (("user", text),), choices, 7)


def test_requests_of_several_processes_are_answered(sharing):
    lines = [make_model(f"shared:{sharing.path}") for _ in range(3)]
    for line in lines:  # all are connected
        line.answer([ask("x", "ü")])
    sharing.model.calls.clear()
    found = {}

    def talk(i):
        found[i] = lines[i].answer([ask(f"r{i}", "a", ("yes", "no")), ask(f"r{i}", "b")])

    threads = [threading.Thread(target=talk, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sharing.model.calls == [2, 2, 2]
    assert [r.text for r in found[1]] == ["r1 a ('yes', 'no')", "r1 b None"] and found[2][0].tokens_in == 3
    assert sum(c.tokens_in for c in lines[0].ledger.calls) == 9


def test_what_it_was_asked_and_said_is_recorded_before_it_is_sent(tmp_path):
    made = Sharing(Echo(), tmp_path / "model", tmp_path / "said.jsonl")
    thread = threading.Thread(target=made.serve)
    thread.start()
    try:
        (reply,) = make_model(f"shared:{made.path}").answer([ask("x", "a")])
        assert make_model(f"recorded:{tmp_path / 'said.jsonl'}").answer([ask("x", "a")]) == [reply]
    finally:
        made.close()
        thread.join(timeout=30)


def test_a_recording_that_cannot_be_written_ends_the_model_with_the_reason(tmp_path):
    (tmp_path / "there").mkdir()
    made = Sharing(Echo(), tmp_path / "model", tmp_path / "there" / "said.jsonl")
    shutil.rmtree(tmp_path / "there")
    with ThreadPoolExecutor(1) as pool, closing(made):
        serving = pool.submit(made.serve)
        with pytest.raises(CoterieError, match="has ended"):
            make_model(f"shared:{made.path}").answer([ask("x", "a")])
        with pytest.raises(CoterieError, match=r"the recording '.*said.jsonl'"):
            serving.result(30)
    assert isinstance(made.failure, CoterieError) and not made.path.exists()


def test_who_leaves_costs_the_others_nothing_and_nobody_waits_for_one_that_is_gone(sharing):
    one, two = (make_model(f"shared:{sharing.path}") for _ in range(2))
    one.answer([ask("a", "x")])
    two.answer([ask("b", "x")])
    one._line.close()
    assert two.answer([ask("b", "y")])[0].text == "b y None"
    assert two.answer([]) == []
    sharing.close()
    with pytest.raises(CoterieError, match=r"has ended|Nobody answers"):
        two.answer([ask("b", "z")])
    with pytest.raises(CoterieError, match="Nobody answers"):
        make_model(f"shared:{sharing.path.with_name('none')}").answer([ask("a", "x")])


class Failing:
    """A model that answers a few times, and then never again."""

    name = "failing"

    def __init__(self, answers=0):
        self.answers = answers

    def answer(self, asks):
        if self.answers <= 0:
            raise RuntimeError("out of memory")
        self.answers -= 1
        return [Reply("wait()", 3, 2) for _ in asks]


def test_a_model_that_fails_is_told_to_all_who_wait_and_to_who_lends_it():
    said = []

    def talk(name):
        with pytest.raises(CoterieError, match=r"has ended|Nobody answers") as told:
            Shared(Path(name.removeprefix("shared:"))).answer([ask("a", "x")])
        said.append(str(told.value))

    with (
        pytest.raises(CoterieError, match="The model failing failed: RuntimeError: out of memory"),
        lent(Failing()) as name,
    ):
        threads = [threading.Thread(target=talk, args=(name,), daemon=True) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join(timeout=30)
        assert len(said) == 3
        talk(name)


@pytest.mark.parametrize("words", [["eval", "t.npz", "--suite", "smoke", "--episodes", "2"],
                                   ["eval", "t.npz", "--split", "dev", "--episodes", "2"],
                                   ["demos", "OUT/d.jsonl", "--pupil", "t.npz", "--episodes", "2"]])  # fmt: skip
def test_commands_end_when_what_was_trained_fails(words, tmp_path, monkeypatch, capsys):
    fake = SimpleNamespace(speaker_of=lambda *_: Failing(3))
    monkeypatch.setitem(sys.modules, "coterie.learn.saying", fake)
    words = [w.replace("OUT", str(tmp_path)) for w in words]
    Path("t.npz").write_bytes(b"trained")
    assert main(["learn", *words]) == 2
    assert "The model failing failed: RuntimeError: out of memory" in capsys.readouterr().err


def test_a_path_too_long_for_a_socket_is_told(tmp_path):
    long = tmp_path / ("x" * 120)
    for end in (Shared, lambda path: Sharing(Echo(), path)):
        with pytest.raises(CoterieError, match="systems take 107: name a shorter"):
            end(long)


def test_the_card_of_corrections_names_the_pupil(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "coterie.learn.saying", SimpleNamespace(speaker_of=lambda *_: Oracle()))
    Path("t.npz").write_bytes(b"trained")
    assert main(["learn", "demos", str(tmp_path / "d.jsonl"), "--pupil", "t.npz", "--episodes", "1"]) == 0
    card = json.loads((tmp_path / "d.card.json").read_text())
    assert card["player"] == "t.npz" and card["player sha256"] == hashlib.sha256(b"trained").hexdigest()
