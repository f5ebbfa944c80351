"""The dialogue as a table: every meaning has a handler in every state, and whatever is said in whatever order, nobody
acts without rights, no proposal is approved but by a plain yes, and after a stop nothing moves until it is resumed."""

import contextlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.clarification import cannot
from coterie.mission.dialogue.conversation import Said
from coterie.mission.dialogue.effects import State
from coterie.mission.dialogue.listening import Certainty, certainty_of
from coterie.mission.dialogue.table import TABLE, needs_yes
from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.meanings import Claim, Want
from tests.mission.talkers import Hospital
from tests.mission.ward import A, B, V, with_medkit

pytestmark = pytest.mark.usefixtures("quick")

KINDS = [c for c in vars(m).values() if isinstance(c, type) and issubclass(c, m.Meaning) and c is not m.Meaning]
ROBOTS = st.sampled_from([(), ("Spot",), ("Temi", "Fetch"), ("@all",), ("@it",)])
THINGS = st.sampled_from(["gloves", "painkiller", "bandagebox", "@it", "@other", "@same"])
KITS = st.sampled_from(["medkit", "woundkit", "@it"])
PLACES = st.sampled_from(["alpha", "tableC", "tableE", "@there", "@me", "@it table", "@all"])
DOORS = st.sampled_from(["alphadoor", "sidedoor", "@it door"])
COUNTS = st.integers(0, 3)
wants = st.one_of(
    st.builds(Want, st.just(m.KIT), KITS, PLACES, COUNTS),
    st.builds(Want, st.just(m.STOCK), THINGS, st.one_of(PLACES, st.just("")), COUNTS),
    st.builds(Want, st.just(m.DOOR), DOORS, holds=st.booleans()),
    st.builds(Want, st.just(m.AT), where=PLACES),
    st.builds(Want, st.sampled_from(sorted(forms()["cannot"]["wants"])), THINGS, PLACES),
)
claims = st.one_of(
    st.builds(Claim, st.just(m.STOCK), THINGS, PLACES, st.one_of(st.none(), COUNTS), st.booleans()),
    st.builds(Claim, st.sampled_from([m.EMPTY, m.HAZARD]), where=PLACES, holds=st.booleans()),
    st.builds(Claim, st.sampled_from([m.DOOR, m.JAMMED]), DOORS, holds=st.booleans()),
    st.builds(Claim, st.just(m.ABLE), st.sampled_from(["Spot", "Temi"]), holds=st.booleans()),
    st.builds(Claim, st.just(m.LOW), THINGS),
)
some_wants = st.lists(wants, min_size=1, max_size=2).map(tuple)
some_claims = st.lists(claims, min_size=1, max_size=2).map(tuple)
orders = st.builds(
    m.Order,
    some_wants,
    ROBOTS,
    urgent=st.booleans(),
    without=st.sampled_from([(), ("Spot",), ("gloves",)]),
    time=st.sampled_from([None, m.Time("at", "14:30")]),
    later=st.booleans(),
    hedged=st.booleans(),
)
answers = st.one_of(
    st.builds(m.Things, st.tuples(st.tuples(THINGS, COUNTS))),
    st.builds(m.Somewhere, PLACES),
    st.builds(m.Number, COUNTS),
    st.sampled_from([m.Nothing(), m.Show()]),
)
steers = st.builds(
    m.Steer,
    st.sampled_from(["pause", "resume", "cancel", "prioritise", "keep", "retry", "slow", "help"]),
    st.sampled_from(["", "medkit", "gloves", "@it"]),
    st.sampled_from(["", "high", "all", "mine"]),
    ROBOTS,
)
asks = st.one_of(
    st.builds(
        m.Ask, st.sampled_from(["plan", "doing", "why", "goals", "who", "help", "understood", "compare", "amount"])
    ),
    st.builds(m.Ask, st.sampled_from(["where", "contents", "when", "battery"]), what=THINGS),
    st.builds(m.Ask, st.sampled_from(["is it so", "who did"]), claims=some_claims),
)
meanings = st.one_of(
    orders, answers, steers, asks,
    st.builds(m.Tell, some_claims, st.booleans()),
    st.sampled_from([m.Approve(), m.Approve("2"), m.Approve("fastest"), m.Refuse(), m.Refuse(m.LATER),
                     m.Refuse(m.LEAVE), m.Refuse(m.LESSON), m.Forget(), m.Forget("medkit"),
                     m.Teach("kit", "burnkit"), m.Teach(""), m.Greet(), m.Repeat(), m.Unknown("hoverboard"),
                     m.Ambiguous(), m.Remark()]),
    st.builds(m.Stop, ROBOTS.filter(lambda r: "@" not in str(r)), st.sampled_from([(), ("Spot",)])),
    st.builds(m.Alter, KITS, st.sampled_from(["add", "remove", "set"]), THINGS, COUNTS),
    st.builds(m.Policy, some_claims, st.sampled_from(["ask", "retry", "wait", "give up"]), st.just("pharmacist")),
    st.builds(m.Permit, st.just("nurse"), st.sampled_from(["command", "teach"]), st.booleans(), COUNTS),
    st.builds(m.Zone, PLACES, ROBOTS, st.booleans(), COUNTS, but=st.sampled_from([(), ("Spot",)])),
    st.builds(m.Correct, st.one_of(answers, orders)),
)  # fmt: skip
certain = st.sampled_from(Certainty)
quickly = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def take(talk, person, meaning, certainty=Certainty.PLAIN):
    """What is said to a meaning, as if somebody had said it."""
    dialogue, thread = talk.mission.dialogue, talk.mission.dialogue.threads.of(person)
    dialogue.threads.said(person, "us", "words", "meaning")
    reply = dialogue.take(thread, Said(meaning, certainty))
    dialogue.spoke(person, reply)
    return reply


def test_every_meaning_has_a_handler_in_every_state():
    for state in State:
        assert set(TABLE[state]) == set(KINDS), state


@quickly
@given(st.lists(st.tuples(st.sampled_from([A, B, V, "nurse"]), meanings, certain), max_size=8))
def test_any_sequence_of_meanings_is_answered_and_nobody_acts_without_rights(said):
    talk = Hospital()
    authority = talk.mission.authority
    for person, meaning, certainty in said:
        before = {g.id for g in talk.mission.goals.all()}, len(talk.mission.lessons), dict(authority.grants)
        may = {act: bool(authority.may(person, act)) for act in ("command", "teach", "policy", "permit")}
        reply = take(talk, person, meaning, certainty)
        assert isinstance(reply, str)
        goals = {g.id for g in talk.mission.goals.all()} - before[0]
        assert not goals or may["command"], (person, meaning, reply)
        assert len(talk.mission.lessons) == before[1] or may["teach"] or may["policy"], (person, meaning, reply)
        assert authority.grants == before[2] or person in (B, A), (person, meaning, reply)


def stands(talk, thread):
    """All that a handler could change."""
    mission, asking = talk.mission, thread.asking
    answers = [] if asking is None else [id(asking), asking.question, *asking.answers]
    goals = [(g.id, g.state, g.priority) for g in mission.goals.all()]
    known = len(mission.knowledge.changes), len(mission.lessons), sorted(mission.recovery.rules), mission.zones.closed
    mine = thread.deeds, thread.refused, thread.begun, thread.meanings, thread.names, len(thread.turns)
    return repr((answers, goals, known, mine, mission.steering.held, mission.authority.grants, len(mission.desk.notes)))


@quickly
@given(st.lists(st.tuples(st.sampled_from([A, B, V]), meanings, certain), min_size=1, max_size=6))
def test_a_handler_says_what_is_to_be_done_and_does_nothing(said):
    ward = with_medkit()
    ward.fail()
    for person, meaning, certainty in said:
        dialogue = ward.mission.dialogue
        thread = dialogue.threads.of(person)
        with contextlib.suppress(CoterieError):  # names that point at nothing, and what does not fit
            whole = dialogue.resolved(thread, meaning)
            before = stands(ward, thread)
            with contextlib.suppress(CoterieError):
                TABLE[dialogue.state_of(thread)][type(whole)](dialogue, thread, Said(whole, certainty))
            assert stands(ward, thread) == before, (person, meaning)
        take(ward, person, meaning, certainty)


@quickly
@given(st.lists(st.tuples(meanings, certain), min_size=1, max_size=4))
def test_a_proposal_is_approved_by_a_plain_yes_alone(said):
    ward = with_medkit()
    ward.fail()
    for meaning, certainty in said:
        take(ward, A, meaning, certainty)
        yes = isinstance(meaning, m.Approve) and certainty >= Certainty.SURE
        approved = any(vote == m.YES for _, vote, _ in ward.mission.votes)
        assert not approved or yes, (meaning, certainty)
        if approved:
            return


@quickly
@given(st.lists(st.tuples(st.sampled_from([A, B, V]), meanings, certain), max_size=5))
def test_after_a_stop_nothing_moves_until_it_is_resumed(said):
    ward = with_medkit()
    take(ward, V, m.Stop(), Certainty.UNLIKELY)
    for person, meaning, certainty in said:
        inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
        goes_on = isinstance(inner, (m.Order, m.Approve)) or (
            isinstance(inner, m.Steer) and inner.how in ("resume", "retry")
        )
        if goes_on:
            continue
        take(ward, person, meaning, certainty)
        assert not ward.moves(), (person, meaning)
    ward.mission.think()
    assert not ward.moves()


@pytest.mark.parametrize("certainty", Certainty)
@pytest.mark.parametrize("meaning", [
    m.Tell((Claim(m.EMPTY, where="tableE"),)), m.Permit("nurse", "command"), m.Zone("alpha"),
    m.Steer("cancel", "medkit"), m.Alter("medkit", "add", "gloves"), m.Policy((), "retry"),
    m.Steer("resume"), m.Teach("kit", "burnkit"), m.Forget("medkit"),
    m.Order((Want(m.KIT, "medkit", "alpha"),), hedged=True),
])  # fmt: skip
def test_what_changes_more_than_an_order_waits_for_a_yes_unless_it_is_plain(meaning, certainty):
    assert needs_yes(Said(meaning, certainty)) == (certainty != Certainty.PLAIN)


def test_an_order_that_is_likely_begins_and_a_doubtful_one_waits():
    order = m.Order((Want(m.KIT, "medkit", "alpha"),))
    found = [needs_yes(Said(order, certainty_of(p, missing))) for p, missing in
             ((0.99, ()), (0.91, ()), (0.89, ()), (0.99, ("gloves",)))]  # fmt: skip
    assert found == [False, False, True, True]
    assert certainty_of(0.0, ()) == Certainty.DOUBTFUL, "a model that tells no probabilities"
    assert certainty_of(0.49, ()) == Certainty.UNLIKELY and certainty_of(0.98, ()) == Certainty.SURE


def test_a_doubtful_pause_begins_at_once_and_an_unlikely_one_waits():
    found = [needs_yes(Said(m.Steer("pause", robots=robots), c)) for robots in ((), ("Spot",))
             for c in (Certainty.DOUBTFUL, Certainty.UNLIKELY)]  # fmt: skip
    assert found == [False, True] * 2 and needs_yes(Said(m.Steer("pause", what="medkit"), Certainty.DOUBTFUL))


@pytest.mark.parametrize("meaning", [
    m.Order((Want(m.KIT, "medkit", "alpha"),), time=m.Time("at", "14:30")), m.Order((Want(m.FOLLOW, "nurse"),)),
    m.Order((Want(m.KIT, "medkit", "alpha"),), without=("gloves",)), m.Steer("slow"), m.Policy((), "wait"),
    m.Permit("nurse", "command", robot="Spot"), m.Zone("alpha", until="15:00"),
    m.Order((Want(m.KIT, "medkit", "alpha"), Want(m.KIT, "medkit", "beta")), any_of=True),
])  # fmt: skip
def test_what_nobody_can_act_on_gets_one_honest_sentence_and_nothing_happens(meaning):
    talk = Hospital()
    assert cannot(meaning, ("Spot", "Temi", "Fetch"))
    reply = take(talk, B, meaning)
    assert reply.startswith("I understand: ") and "I cannot" in reply
    assert not talk.goals() and not talk.mission.recovery.rules and len(talk.mission.lessons) == 0


def test_robots_that_are_excepted_go_on_and_a_danger_closes_a_place():
    talk = Hospital()
    assert "Fetch and Temi stop" in take(talk, V, m.Stop(but=("Spot",)))
    take(talk, B, m.Zone("alpha", but=("Spot",)))
    assert {robot for _, robot in talk.mission.zones.closed} == {"Fetch", "Temi"}
    assert "close" in take(talk, B, m.Tell((Claim(m.HAZARD, where="beta"),)), Certainty.LIKELY).lower()
    take(talk, B, m.Approve())
    assert ("beta", "Spot") in talk.mission.zones.closed


def test_what_is_kept_is_not_called_off_and_what_failed_is_tried_again():
    ward = with_medkit()
    assert "call nothing off" in take(ward, A, m.Steer("keep")) and list(ward.states().values()) == ["running"]
    (goal,) = [g for g in ward.mission.goals.live() if not g.parent]
    ward.mission.goals.move(goal.id, "failed")
    take(ward, A, m.Steer("retry"))
    assert [g.by for g in ward.mission.goals.live() if not g.parent] == [A]
