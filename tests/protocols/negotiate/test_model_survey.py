"""Negotiating teammates that a model decides for: it says what is misplaced and where that belongs, and nobody tells
it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.protocol import Reply
from coterie.episode.parties import parties_of
from coterie.episode.setup import entry_of, resolve, task_of
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.negotiate import Negotiate
from coterie.protocols.negotiate.rule import candidates, homed
from coterie.protocols.negotiate.situation import Astray, Known, Mate, Situation
from tests.protocols.household import STARTS, did, played
from tests.worlds.household.made import arm, eye, task


def asked(mind=None, ruled=False, limit=500):
    """A team of two in two rooms; `mind` changes what a rule mind replies, by stage."""

    def make():
        made = Negotiate()
        made.ruled = ruled
        return made

    def reply(asks):
        found = Oracle().answer(asks)
        return [mind(a, r) for a, r in zip(asks, found)] if mind else found

    t = task(robots=(arm(sight=2.0), eye(sight=2.0)), starts=STARTS, limit=limit)
    result, world, log, _ = played(t, make, reply)
    return result, log, [e for e in log.events if e.kind == "ask"], world


def test_a_model_is_asked_what_is_misplaced_and_told_of_no_homes():
    result, _, asks, _ = asked()
    assert result.success and {e.data["stage"] for e in asks} == {"NEG", "SEE"}
    plans = [e.data["prompt"][1][1] for e in asks if e.data["stage"] == "NEG"]
    homes = [set(re.findall(r"belongs on (\w+) in (\w+)", text)) for text in plans]
    assert not homes[0] and any("Places in room_1: " in text for text in plans)
    told = next(text for text in plans if "Astray mug_0" in text)
    assert "belongs on" not in re.search(r"Astray mug_0.*", told)[0]


def test_rule_minds_are_not_asked_and_know_homes_by_the_table():
    _, _, asks, _ = asked(ruled=True)
    assert {e.data["stage"] for e in asks} == {"NEG"}
    assert any("; belongs on " in e.data["prompt"][1][1] for e in asks)
    assert not any("Places in" in e.data["prompt"][1][1] for e in asks)


@pytest.mark.parametrize(
    "verdicts",
    [["[analysis] fine\n[misplaced] none"], ["", "what?", "[misplaced] " + "x" * 9000]],
    ids=["none", "unread"],
)
def test_what_a_model_does_not_call_misplaced_stays_where_it_is(verdicts):
    said = itertools.cycle(verdicts)
    result, log, _, _ = asked(lambda a, r: Reply(next(said)) if a.stage == "SEE" else r, limit=120)
    assert not did(log, "PickUp") and not result.success and result.steps > 20


def test_things_go_where_a_model_says_they_belong():
    def odd(ask, reply):
        words = reply.text.replace("<CounterTop> <Kitchen>", "<Dresser> <Bedroom>")
        return reply._replace(text=words)

    _, log, _, world = asked(odd, limit=300)
    assert ("dresser_0",) in did(log, "PutDown") and world.truth.facts["where", "mug_0"] == "dresser_0"


def test_the_rule_mind_names_homes_from_the_furniture_that_a_prompt_lists():
    ann = Mate("Ann", True, 5.0, True, 100, (1.0, 1.0), "room_1", "")
    mug = Astray("mug_0", "Mug", "bed_0", "room_2", (6.0, 2.0))
    s = Situation(ann, (), (mug,), (Known("room_1", "Kitchen"),), (), (("room_1", "Fridge, CounterTop"),))
    assert candidates(homed(s))[0] == "Re-place <mug_0> <CounterTop> <Kitchen>"
    assert candidates(homed(s, "mug_0 cannot be put on counter_top_0."))[0] != candidates(homed(s))[0]
    held = replace(s, me=replace(ann, holding="mug_1"), astray=())
    assert candidates(homed(held))[0] == "Re-place <mug_1> <CounterTop> <Kitchen>"
    assert homed(replace(s, places=())) == replace(s, places=())


@pytest.mark.parametrize(
    ("model", "ruled"),
    [
        ("oracle", True),
        ("garbled:0.3", True),
        ("garbled:0.3@Zoe", True),
        ("oracle:1", True),
        ("turned:orders@Alice:oracle", True),
        ("turned:orders@Alice:openai:oracle:compact", False),
        ("openai:x:compact", False),
    ],
)
def test_whose_words_count_depends_on_the_model(model, ruled):
    config = resolve(Config(task="tidy", scene="rooms:1:7", level="1", protocol="negotiate", model=model, seed=7))
    (team, *_) = parties_of(config, task_of(config), entry_of(config.task))
    assert team.make().ruled is ruled
