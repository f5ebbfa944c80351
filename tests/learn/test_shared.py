"""One model for many processes: requests of all are answered in one call, and who leaves costs the others nothing."""

import threading

import pytest

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import make_model
from coterie.models.shared import Sharing


class Echo:
    name = "echo"

    def __init__(self):
        self.calls = []

    def answer(self, asks):
        self.calls.append(len(asks))
        return [Reply(f"{a.robot} {a.prompt[0][1]} {a.choices}", 3, 2) for a in asks]


@pytest.fixture
def sharing(tmp_path):
    made = Sharing(Echo(), tmp_path / "line" / "model", waits_s=0.2)
    thread = threading.Thread(target=made.serve)
    thread.start()
    yield made
    made.close()
    thread.join(timeout=30)
    assert not thread.is_alive() and not made.path.exists()


def ask(robot, text, choices=None):
    return Ask(robot, "HMRC", 1, 0, (("user", text),), choices, 7)


def test_requests_of_several_are_put_together(sharing):
    lines = [make_model(f"shared:{sharing.path}") for _ in range(3)]
    for line in lines:  # all are connected
        line.answer([ask("x", "ü")])
    sharing.model.calls.clear()
    sharing.waits_s = 30.0
    found = {}

    def talk(i):
        found[i] = lines[i].answer([ask(f"r{i}", "a", ("yes", "no")), ask(f"r{i}", "b")])

    threads = [threading.Thread(target=talk, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sharing.model.calls == [6]
    assert [r.text for r in found[1]] == ["r1 a ('yes', 'no')", "r1 b None"] and found[2][0].tokens_in == 3
    assert sum(c.tokens_in for c in lines[0].ledger.calls) == 9


def test_who_leaves_costs_the_others_nothing(sharing):
    one, two = (make_model(f"shared:{sharing.path}") for _ in range(2))
    one.answer([ask("a", "x")])
    two.answer([ask("b", "x")])
    one._line.close()
    assert two.answer([ask("b", "y")])[0].text == "b y None"
    assert two.answer([]) == []


def test_nobody_there_is_told(tmp_path):
    with pytest.raises(CoterieError, match="Nobody answers"):
        make_model(f"shared:{tmp_path / 'none'}").answer([ask("a", "x")])
