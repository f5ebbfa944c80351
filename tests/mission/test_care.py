"""What care talk takes: nothing is done that was not said, not told, or said of none."""

import json

import pytest

from coterie.core.errors import CoterieError
from coterie.mission.language.understand import taken, understand
from coterie.mission.orders import Orders
from coterie.mission.policies import Alternative
from coterie.talk import meanings as m
from coterie.talk.writing import brief
from tests.mission.talkers import Hospital
from tests.mission.words import hospital

V = hospital()
KIT = "a medkit (2 painkillers, 1 bandage box)"


def proposing(talk, *words):
    """A goal of the instructor with ways out of which the instructor was told the first."""
    mission = talk.mission
    goal = mission.submit(mission.domain.read("medkit at alpha"), "instructor")
    mission.goals.move(goal.id, "recovering")
    mission.recovery.of(goal).offers = [Alternative(f"way {w}", w, chance=0.5, seconds=60.0) for w in words]
    mission._propose(mission.goals[goal.id])
    return lambda: mission.goals[goal.id].state


# -- numbers ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Deliver zero medkits to alpha.", [f"{KIT} at alpha"] * 2),
        ("Bring 0 painkillers to table C.", ["2 painkillers at table C"]),
        ("Pack zero woundkits.", ["a woundkit (1 bandage box, 1 antiseptic, 1 gloves) packed"] * 2),
    ],
)
def test_nobody_orders_none_of_a_thing(talk, text, goals):
    assert "How many" in talk.say("instructor", text) and talk.goals() == []
    assert "do nothing" in talk.say("instructor", "None.") and talk.goals() == []
    talk.say("instructor", text)
    assert "do nothing" in talk.say("instructor", "Zero.") and talk.goals() == []
    talk.say("instructor", text)
    talk.say("instructor", "Two.")
    assert talk.goals() == goals


def test_none_of_a_thing_in_policies_facts_kits_and_lessons(talk):
    assert "How many" in talk.say("teacher", "If table B is empty, bring zero painkillers to table B.")
    talk.say("teacher", "None.")
    assert len(talk.mission.lessons) == 0 and not talk.mission.doing.standing
    talk.say("teacher", "There are zero painkillers on table B.")
    assert talk.mission.knowledge.value("stock", "painkiller", "tableB") == 0
    assert "like that already" in talk.say("teacher", "Add zero gloves to the medkit.")
    for text in ("Define new kit 'burnkit'.", "A medical caddy.", "Two gloves and a thermometer.", "Zero gloves."):
        talk.say("teacher", text)
    talk.say("teacher", "That is all.")
    assert talk.mission.speech.kit_names()["burnkit"][1] == {"thermometer": 1}


def test_numbers_in_other_forms():
    for text, meant in (
        ("Bring half a dozen gloves to table C.", "order: stock 6 gloves at tableC"),
        ("Bring 3x painkiller to table C.", "order: stock 3 painkiller at tableC"),
        ("Make that two.", "number 2"),
    ):
        assert brief(understand(text, V)[0]) == meant
    for text in ("Deliver -2 medkits to alpha.", "Deliver 1.5 medkits to alpha."):
        talk = Hospital()
        assert "Do you mean" not in talk.say("instructor", text) and talk.goals() == []


# -- names ------------------------------------------------------------------------------------------------------------
def test_neither_a_new_thing_nor_a_file_hides_a_word(talk):
    for text in ("Define new kit 'burnkit'.", "A medical caddy."):
        talk.say("teacher", text)
    assert "What else is it called?" in talk.say("teacher", "'stop'")
    assert "show me" in talk.say("teacher", "'burn gel'")
    row = {"kind": "kit", "label": "yes", "by": "x", "words": "", "data": {"container": "caddy1", "contents": {}}}
    with pytest.raises(CoterieError, match="'yes' is a word that I need"):
        talk.mission.lessons.read(json.dumps({"format": "coterie lessons 1", "lessons": [row]}), "teacher")
    assert isinstance(understand("Yes.", talk.mission.partner.vocabulary)[0], m.Approve)


def test_names_that_mean_nothing_yet_are_free():
    assert not [n for n in ("firstaid", "night round", "kit seven", "zoo kit", "eyekit", "burn gel") if taken(n, V)]


# -- approval ---------------------------------------------------------------------------------------------------------
def test_a_yes_counts_from_whoever_was_told_of_the_plan(talk, monkeypatch):
    state = proposing(talk, "ask the nurse")
    accepted = []
    monkeypatch.setattr(talk.mission, "_accept", lambda goal, offer: accepted.append(offer.words))
    assert "I could ask the nurse." in talk.say("teacher", "Yes.") and state() == "waiting" and not accepted
    assert "I do it" in talk.say("teacher", "Yes.") and accepted == ["ask the nurse"]


def test_who_asks_for_the_plan_has_been_told_of_all_ways(talk, monkeypatch):
    proposing(talk, "ask the nurse", "wait a while")
    accepted = []
    monkeypatch.setattr(talk.mission, "_accept", lambda goal, offer: accepted.append(offer.words))
    assert "I could wait a while." in talk.say("instructor", "Yes, plan 2.") and not accepted
    talk.say("teacher", "What is your plan?")
    assert "plan 2: I could wait a while" in talk.told("teacher")[0]
    talk.say("teacher", "Yes, plan 2.")
    assert accepted == ["wait a while"]


@pytest.mark.parametrize("then, accepted", [("Yes.", ["wait a while"]), ("No.", [])])
def test_a_yes_or_no_without_a_number_is_said_to_what_was_asked_last(talk, monkeypatch, then, accepted):
    proposing(talk, "ask the nurse", "wait a while", "go round")
    found = []
    monkeypatch.setattr(talk.mission, "_accept", lambda goal, offer: found.append(offer.words))
    assert "I could wait a while." in talk.say("instructor", "Yes, plan 2.")
    talk.say("instructor", then)
    assert found == accepted
    left = [o.words for o in talk.mission.recovery.of(talk.mission.goals["g1"]).offers]
    assert "wait a while" in left if accepted else left == ["ask the nurse", "go round"]


def test_who_types_a_number_has_all_ways_out_in_sight(talk, monkeypatch):
    """In `coterie mission` they are printed; in a talk they are told one by one."""
    proposing(talk, "ask the nurse", "wait a while")
    found = []
    monkeypatch.setattr(talk.mission, "_accept", lambda goal, offer: found.append(offer.words))
    Orders.hear(talk.mission, "teacher", "yes 2")
    assert found == [], "it was not asked"
    Orders.hear(talk.mission, "instructor", "yes 2")
    assert found == ["wait a while"]


def test_a_no_counts_from_whoever_may_approve_and_has_been_told(talk):
    state = proposing(talk, "ask the nurse", "wait a while")
    assert "may not" in talk.say("visitor", "No.") and state() == "waiting"
    assert "I could ask the nurse" in talk.say("teacher", "No.") and state() == "waiting"
    assert "said no" not in " ".join(talk.told("instructor")), "it was said to nothing"
    assert "I leave that" in talk.say("teacher", "No.") and state() == "waiting"
    assert "I could wait a while" in " ".join(talk.told("instructor"))
    assert "teacher said no" in " ".join(talk.told("instructor"))
    assert "I could wait a while" in talk.say("teacher", "No.") and state() == "waiting"
    talk.say("teacher", "No.")
    assert state() == "failed"


# -- what people say --------------------------------------------------------------------------------------------------
def test_leaving_rules_out_changes_nothing_that_is_read():
    from coterie.mission.language import understand as read
    from coterie.mission.language.signs import signed

    quick, errors = read._lark()
    for text in ("Deliver a medkit to alpha and open the beta door.", "No, two.", "How long will it take?", "the the"):
        words, found = signed(text, V).text, []
        for parse in (quick.parse, quick.parser.parse):
            try:
                found.append(parse(words))
            except errors:
                found.append(None)
        assert found[0] == found[1], text
