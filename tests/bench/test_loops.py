"""Unreadable replies and loops, on logs made by hand and on episodes with the text oracle."""

from __future__ import annotations

import pytest

from coterie.bench.metrics import episode_metrics
from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.core.protocol import Ask, Reply
from coterie.episode.play import play
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import Oracle, answer
from tests.bench.made import Made, failed

WAIT = ("wait",)
PICK = ("pick", "book_0")
SAY = ("communicate", "Where is  bowl_0?", ["all"])


def test_the_same_failing_action_again():
    made = Made().step(Alice=(*PICK, failed("far"))).step(Alice=WAIT).step(Alice=(*PICK, failed("far")))
    assert episode_metrics(made.events())["repeated_failures"] == 1
    made = Made().step(Alice=(*PICK, failed("far"))).step(Alice=("open", "fridge")).step(Alice=(*PICK, failed("far")))
    assert episode_metrics(made.events())["repeated_failures"] == 0
    made = Made().step(Alice=(*PICK, failed("far"))).step(Alice=PICK).step(Lucy=(*PICK, failed("far")))
    assert episode_metrics(made.events())["repeated_failures"] == 0


def test_the_same_message_again_until_something_changes():
    made = Made().step(Alice=SAY).step(Lucy=SAY).step(Alice=("communicate", "where is bowl_0?", ["Bob"]))
    assert episode_metrics(made.events())["repeated_messages"] == 1
    made = Made().step(Alice=SAY).change("zones", closed={}).step(Alice=SAY)
    assert episode_metrics(made.events())["repeated_messages"] == 0


@pytest.mark.parametrize("protocol", ["dynahmrc", "coela", "coherent"])
def test_memory_and_file_agree_on_episodes_with_a_model(protocol):
    log = play(Config(protocol=protocol, seed=3, changes=("rec@5:MoMa",), team="Ma-MoMa-UAV"), model=Oracle()).log
    m = episode_metrics(log.events)
    assert m == episode_metrics([from_line(to_line(e)) for e in log.events])
    assert m["calls"] == sum(s["calls"] for s in m["stages"].values()) > 0
    assert m["unreadable"] == m["asked_again"] == 0


def test_what_cannot_be_read_is_counted():
    def reply(ask: Ask) -> str:
        return "hm" if ask.stage == "HMRC" and ask.robot == "Bob" else answer(ask.prompt)

    log = play(Config(protocol="dynahmrc", seed=3, team="Ma-MoMa"), model=Scripted(reply)).log
    m = episode_metrics(log.events)
    assert m["unreadable"] == m["asked_again"] == m["robots"]["Bob"]["steps"] > 0


def test_errors_of_a_model_are_counted():
    class Broken:
        name = "broken"

        def answer(self, asks):
            return [Reply("", error="no answer") for _ in asks]

    m = episode_metrics(play(Config(protocol="coela", seed=3, team="Ma-MoMa"), model=Broken()).log.events)
    assert m["reply_errors"] == m["calls"] > 0
