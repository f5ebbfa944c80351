"""Negotiating teammates and who joins them: what a stranger found counts, and what they tell it is so."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from coterie.core.action import Message
from coterie.core.facts import Belief, Fact
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.heuristic.talk import Talk
from coterie.protocols.negotiate import Negotiate
from coterie.protocols.negotiate.rule import candidates
from coterie.protocols.negotiate.situation import situation
from coterie.protocols.negotiate.talk import FreeTalk
from coterie.worlds.household.knowledge.graph import Survey, survey_of
from coterie.worlds.household.options import Explore, PickupObject
from tests.protocols.household import STARTS, played
from tests.worlds.household.made import arm, eye, task

CUP = "misplaced: cup_9 kind=Cup on=floor room=room_2 x=6 y=2"


def team(robots, limit):
    """The log, and what each robot sees, with its mind."""
    starts = {n: STARTS[n] for n, _ in robots}
    _, _, log, episode = played(task(robots=robots, starts=starts, limit=limit), Negotiate)
    return log, {n: (a.view, a.side.protocol.mind(n)) for n, a in episode.roster.agents.items()}


def says(view, mind, text):
    mind.hear(view, [Message("Zoe", ("all",), text, (), 999.0)])


@pytest.fixture
def ann():
    """Ann explores the kitchen; she has not seen the other room."""
    _, minds = team((arm(sight=2.0),), 12)
    view, mind = minds["Ann"]
    mind.option = Explore("")
    return view, mind


# -- what a stranger found --------------------------------------------------------------------------------------------
def test_what_a_stranger_found_is_planned_with_and_thought_of_at_once(ann):
    view, mind = ann
    assert mind._reason(view, survey_of(view)) is None
    says(view, mind, CUP)
    assert mind._reason(view, survey_of(view)) == "something lies astray"
    shown = situation(view, mind)
    assert "Astray cup_9: Cup on floor" in shown.text()
    cup = next(t for t in shown.astray if t.name == "cup_9")
    able = replace(shown, astray=(replace(cup, home=("CounterTop", "Kitchen")),))
    assert candidates(able)[0] == "Re-place <cup_9> <CounterTop> <Kitchen>"
    planning = mind._plan(view, "")
    asks = next(planning)
    assert "Astray cup_9" in asks[0].prompt[1][1]
    with pytest.raises(StopIteration):
        planning.send(Oracle().answer(asks))
    assert mind._reason(view, survey_of(view)) is None, "it was thought about"


def test_what_is_known_by_a_strangers_word_alone_is_left_to_it_while_it_is_at_it(ann):
    view, mind = ann
    says(view, mind, f"{CUP}\ntask: Re-place <cup_9> <CounterTop> <Kitchen>")
    assert "cup_9" not in situation(view, mind).text() and mind._reason(view, survey_of(view)) is None
    says(view, mind, "task: Re-place <pillow_0> <Bed> <Bedroom>")
    assert mind._reason(view, survey_of(view)) == "something lies astray"
    assert {t.name for t in situation(view, mind).astray} == {"cup_9", "pillow_0"}, "the pillow she sees herself"


def test_who_goes_for_it_does_not_turn_back_because_it_was_only_told(ann):
    view, mind = ann
    says(view, mind, CUP)
    mind.option, mind.thing = PickupObject("cup_9"), "cup_9"
    assert mind._reason(view, survey_of(view)) is None
    says(view, mind, "done: cup_9 on=counter_top_0 room=room_1")
    assert mind._reason(view, survey_of(view)) == "cup_9 is not astray any more"
    assert "cup_9" not in situation(view, mind).text()


def test_nobody_goes_on_for_what_is_seen_not_to_lie_where_a_stranger_said(ann):
    view, mind = ann
    says(view, mind, CUP)
    mind.option, mind.thing = PickupObject("cup_9"), "cup_9"
    view.now = view.now._replace(gone=(Fact("spot", ("cup_9",), (6.0, 2.0, 0.0)),))
    assert mind._watch(view) == "cup_9 is not astray any more"


# -- what is explored -------------------------------------------------------------------------------------------------
def knowing(eyes, *tops):
    """A robot with its eyes so high that knows furniture of one room, with tops so high."""
    belief = Belief()
    for number, top in enumerate(tops):
        facts = {"kind": "SideTable", "box": (1.0, 1.0, 0.5, 0.5, 0.7, 0.0, top, 0.0), "in_room": "room_1"}
        belief.tell_all(Fact(pred, (f"side_table_{number}",), value, 1.0, "Ann") for pred, value in facts.items())
    survey = Survey(belief)
    survey.update()
    return SimpleNamespace(belief=belief, card=SimpleNamespace(camera_m=eyes)), survey, "room_1"


@pytest.mark.parametrize(
    "eyes, tops, saw",
    [(0.5, (0.4, 0.7), True), (0.5, (0.4, 0.7, 0.9), False), (0.85, (0.4, 0.9, 0.94), True), (0.5, (), True),
     (0.5, (0.0, 0.0, 0.4, 0.7), True), (0.5, (0.0, 0.0, 0.7), False), (None, (9.0,), True)],
)  # fmt: skip
def test_eyes_below_most_tops_of_a_room_have_not_seen_it(eyes, tops, saw):
    assert FreeTalk()._saw(*knowing(eyes, *tops)) is saw
    assert Talk()._saw(*knowing(eyes, *tops))


@pytest.mark.parametrize("eyes, said", [(0.9, True), (0.5, False)])
def test_a_room_is_not_called_explored_by_eyes_that_are_too_low(eyes, said):
    name, card = eye(sight=2.0)
    log, _ = team((arm(sight=2.0), (name, replace(card, camera_m=eyes))), 200)
    told = [e.data["text"] for e in log.events if e.kind == "say" and e.who == name]
    assert any("I have explored room_1" in text for text in told) is said
