"""Elections, on logs made by hand and on an episode with the text oracle."""

from __future__ import annotations

from coterie.bench.studies.dynahmrc.coordination import held_elections
from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.episode.play import play
from coterie.protocols.dynahmrc.oracle import Oracle
from tests.bench.made import Made

WAIT = ("wait",)

BODIES = {"Alice": "MoMa", "Bob": "Ma", "Lucy": "UAV"}


def votes(made: Made, key: str, **given: str) -> Made:
    for voter, candidate in given.items():
        made._add("say", voter, {"to": ["all"], "text": "", "facts": [["vote", [voter, key], candidate, 0.0]]})
    return made


def leads(made: Made, name: str) -> Made:
    made._add("say", name, {"to": ["all"], "text": "", "facts": [["leader", [], name, 0.0]]})
    return made


def test_elections_have_rounds_a_referee_and_a_leader():
    made = votes(Made(), "1.0", Alice="Bob", Bob="Alice")
    votes(made, "1.1", Alice="Bob", Bob="Bob")
    leads(made, "Bob").step(Bob=WAIT)
    leads(made, "Bob").step(Bob=WAIT)  # says so again with a new plan
    votes(made, "2.0", Alice="Alice", Lucy="Lucy")
    votes(made, "2.referee", referee="Lucy")
    found = held_elections(leads(made, "Lucy").step(Bob=WAIT).events(), BODIES)
    assert found == [
        {"step": 0, "rounds": 2, "referee": False, "leader": "Bob", "body": "Ma"},
        {"step": 2, "rounds": 1, "referee": True, "leader": "Lucy", "body": "UAV"},
    ]


def test_who_is_left_alone_leads_without_a_vote():
    made = leads(Made().step(Bob=WAIT), "Bob").step(Bob=WAIT)
    (found,) = held_elections(made.events(), BODIES)
    assert (found["rounds"], found["leader"]) == (0, "Bob")


def test_a_team_that_loses_its_leader_votes_again():
    log = play(Config(protocol="dynahmrc", seed=3, changes=("rec@5:MoMa",), team="Ma-MoMa-UAV"), model=Oracle()).log
    found = held_elections(log.events, BODIES)
    assert found == held_elections([from_line(to_line(e)) for e in log.events], BODIES)
    assert [e["step"] for e in found] == [0, 5]
    assert found[0]["leader"] == "Alice" != found[1]["leader"]
