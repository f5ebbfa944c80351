"""Beliefs in one pool: the newest fact wins, whoever holds it, and nothing else enters."""

import pytest

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.shared.reading import Pool

MAP = {("room", "bed"): "bedroom"}
LISTINGS = {"contents": "where"}


def team(**told):
    views = {}
    for name, facts in told.items():
        belief = Belief(MAP, LISTINGS)
        belief.tell_all(facts)
        views[name] = RobotView(name, None, belief, belief.value)
    return TeamView(views, 0, 0.0, lookup=lambda belief: belief.value)


def seen(thing, place, time, by):
    return Fact("where", (thing,), place, time, by)


def test_everybody_reads_the_same_and_the_newest():
    pool, both = Pool(), team(Alice=[seen("cup", "bed", 1.0, "Alice")], Bob=[seen("cup", "sofa", 2.0, "Bob")])
    views = pool.gather(both)
    assert [v.belief for v in views.values()] == [pool.belief, pool.belief]
    assert all(v.look("where", "cup") == "sofa" for v in views.values())
    assert views["Alice"].look("room", "bed") == "bedroom"
    assert views["Alice"].look("where", "hat") is UNKNOWN
    assert both.robots["Alice"].look("where", "cup") == "bed", "no robot learns from the pool"
    assert pool.gather(team(Alice=[]))["Alice"].look("where", "cup") == "sofa", "what one told stays when it is gone"
    looked = team(Alice=[Fact("contents", ("sofa",), (), 3.0, "Alice")])
    assert pool.gather(looked)["Alice"].look("where", "cup") is UNKNOWN, "a look takes away what others believe"


def test_a_thing_seen_again_overrules_what_another_thought_in_the_meantime():
    pool, both = Pool(), team(Alice=[seen("cup", "bed", 1.0, "Alice")], Bob=[])
    pool.gather(both)
    both.robots["Alice"].belief.tell(seen("cup", "bed", 3.0, "Alice"))  # no news to Alice
    both.robots["Bob"].belief.tell(seen("cup", "sofa", 2.0, "Bob"))
    assert pool.gather(both)["Bob"].look("where", "cup") == "bed"


def test_a_world_without_a_lookup_is_a_sentence():
    with pytest.raises(CoterieError, match="no lookup"):
        Pool().gather(TeamView(team(Alice=[]).robots, 0, 0.0))
