"""A robot that joins a team at work, with its own driver and its own card; and drivers from Python."""

import importlib.util
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from coterie import Config, play
from coterie.episode import play as episode
from coterie.link import Fleet
from coterie.worlds.indoor.bodies import robots
from tests.link.conftest import until
from tests.link.robots import Tin

TASK = Config(task="pack-objects", team="Ma-MoMa", seed=1, synchronous=False)


def carol(**about):
    robot = Tin("Carol")
    robot.card = replace(robots.get("MoMa"), name="Carol", **about)
    return robot


def joined(log):
    return [e for e in log.events if e.kind == "join" and e.who == "Carol"]


@pytest.mark.parametrize("synchronous", [True, False])
def test_robots_are_driven_from_python(folder, serve, synchronous):
    host = serve("Alice")
    with Fleet(["Alice"], folder.path) as drivers:
        played = play(replace(TASK, synchronous=synchronous), drivers=drivers)
    did = host.stations["Alice"].robot.did
    assert played.result.success and did
    acts = [e for e in played.log.events if e.kind == "act" and e.who == "Alice"]
    assert did == [a for a in (f"{e.data['skill']}({', '.join(e.data['args'])})" for e in acts) if a in did]


def test_a_robot_joins_with_its_own_card_and_is_driven(folder, serve, tmp_path):
    serve("Alice", "Bob")
    came = threading.Event()
    hosts = []

    def watch(running):
        if not hosts:
            hosts.append(serve(carol()))
        if "Carol" in running.views:
            came.set()
        elif not came.is_set():
            until(lambda: running.driving.fleet._came, 10.0, "Carol is found")

    log = tmp_path / "log.jsonl"
    with Fleet(["Alice", "Bob"], folder.path) as drivers:
        whole = episode.play(TASK, log, watch=watch, drivers=drivers)
    assert whole.result.success and len(joined(whole.log)) == 1
    did = hosts[0].stations["Carol"].robot.did
    acts = [e for e in whole.log.events if e.kind == "act" and e.who == "Carol" and e.data["skill"] != "wait"]
    assert did and len(did) <= len(acts), "what Carol does, its driver did"
    cut = tmp_path / "cut.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[: joined(whole.log)[0].seq + 4]))
    with Fleet(["Alice", "Bob"], folder.path) as drivers:
        again = play(TASK, cut, resume=True, drivers=drivers)
    assert again.result.success and len(joined(again.log)) == 1, "a run that is resumed has Carol, too"


def test_a_real_robot_joins_where_it_says_that_it_is(folder, serve):
    """Lucy is in the house of the stand-in, and not in the team that works there."""
    path = Path(__file__).parents[2] / "examples" / "stand_in.py"
    spec = importlib.util.spec_from_file_location("stand_in_that_joins", path)
    stand_in = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stand_in)
    house = stand_in.House(Config(task="pack-objects", seed=3), 5, 0.0, 20.0)
    serve(*(stand_in.StandIn(name, house) for name in house.cards))
    with Fleet(["Alice", "Bob"], folder.path) as drivers:
        played = play(replace(TASK, seed=3, real="robots"), drivers=drivers)
    sensed = [e for e in played.log.events if e.kind == "input" and e.data["kind"] == "sensed" and e.who == "Lucy"]
    assert sensed[0].data["when"] == "first", "before anything is decided for it"
    assert any(e.kind == "act" and e.who == "Lucy" for e in played.log.events[sensed[0].seq :])
    assert played.result.success


@pytest.mark.parametrize("wrong", [{"speed_mps": "fast"}, {"mobility": "by rail"}, {"about": 3}])
def test_a_card_that_is_none_joins_nobody(folder, serve, fleet, wrong):
    serve(carol(**wrong))
    some = fleet("Alice")
    some.newcomers()
    until(lambda: some._asked)
    assert not some.newcomers()
