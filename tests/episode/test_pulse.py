"""Who knows who is there: with a full heartbeat, with one that has a range, and with none."""

import math
from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.record import read
from coterie.core.records import StartEvent
from coterie.episode.play import play
from coterie.episode.radio import known, parse_heartbeat
from coterie.episode.setup import resolve
from coterie.protocols import protocols
from coterie.protocols.rules import Rules
from coterie.worlds import make_task

REC = Config(task="pack-objects", team="Ma-MoMa-UAV", scene="flat", seed=503, changes=("rec@5:MoMa",))


@pytest.mark.parametrize("text, range_m", [("", math.inf), ("full", math.inf), ("off", 0.0), ("6", 6.0), ("2.5", 2.5)])
def test_ways_to_write_it(text, range_m):
    assert parse_heartbeat(text) == range_m


@pytest.mark.parametrize("text", ["on", "-1", "0", "nan", "inf", "1e9", "6 m"])
def test_what_is_no_heartbeat_is_said(text):
    with pytest.raises(CoterieError, match="--heartbeat"):
        play(replace(REC, heartbeat=text))


def test_nobody_is_announced_to_have_gone():
    assert known(("Bob", "Lucy"), ("Bob",)) == ("Bob", "Lucy")
    assert known(("Bob",), ("Bob", "Lucy")) == ("Bob", "Lucy")


class Watching(Rules):
    """Rule minds that note what they know of the team at each step."""

    seen: dict[tuple[str, int], tuple[tuple[str, ...], tuple[str, ...] | None]] = {}

    def decide(self, team, idle):
        self.seen[team.me.name, team.me.step] = (team.me.heartbeat, team.me.pulse)
        return super().decide(team, idle)


@pytest.fixture
def watching():
    protocols.put("watching", Watching, "no-model", "indoor")
    Watching.seen = {}
    yield Watching.seen
    protocols._items.pop("watching")


def test_a_vanished_robot_is_announced_by_a_full_heartbeat_alone(watching):
    play(replace(REC, protocol="watching"))
    assert "Alice" in watching["Bob", 4][0] and "Alice" not in watching["Bob", 5][0]
    watching.clear()
    off = play(replace(REC, protocol="watching", heartbeat="off"))
    assert all("Alice" in names and pulse == () for (who, _), (names, pulse) in watching.items() if who != "Alice")
    assert read(StartEvent, off.log.events[0]).config["heartbeat"] == "off"
    watching.clear()
    play(replace(REC, protocol="watching", heartbeat="1000"))
    assert watching["Bob", 4][1] == ("Alice", "Lucy") and watching["Bob", 5][1] == ("Lucy",)
    assert "Alice" in watching["Bob", 5][0]  # it feels her no more; what that means it has to find out


def test_without_a_heartbeat_two_worlds_that_differ_in_who_vanished_look_alike_at_first():
    """Nothing but what it perceives tells a robot: at the step of the change all decide as if nothing had happened."""
    config = resolve(replace(REC, heartbeat="off"))
    task = make_task(config)
    gone, stay = play(config, task=task), play(config, task=replace(task, changes=()))

    def acts(played, step):
        return {e.who: e.data for e in played.log.events if e.kind == "act" and e.step == step and e.who != "Alice"}

    assert acts(stay, 5) == acts(gone, 5) != {}


@pytest.mark.parametrize("seed", [501, 502, 503])
def test_rule_minds_get_over_a_loss_that_nobody_announces(seed):
    played = play(replace(REC, seed=seed, heartbeat="off"))
    assert played.result.success
    assert any(e.kind == "change" and e.data["bites"] for e in played.log.events)
