"""Learnt teammates: networks that learn, a code that others can read, and a team that tidies up."""

from __future__ import annotations

import numpy as np

from coterie.core.action import Message
from coterie.core.facts import Belief
from coterie.core.protocol import Party
from coterie.episode.loop import Settings
from coterie.houses.model import ROOM_KINDS
from coterie.houses.placement import belongs, homes
from coterie.models.chat import NoModel
from coterie.protocols.heuristic.adapter import Phrase, read
from coterie.protocols.heuristic.lines import code as encode
from coterie.protocols.learning import Learning, features
from coterie.testing import Trial, check_protocol
from coterie.worlds.household.world import HouseholdWorld
from tests.protocols.household import played
from tests.worlds.household.made import arm, eye, task

INTENDS = Message("Zoe", ("all",), "intention: Explore <room_1>", (), 999.0)


# -- networks ---------------------------------------------------------------------------------------------------------
def test_what_teammates_do_is_fused_in_whatever_order_and_number():
    rng = np.random.default_rng(2)
    weights, shape = features.weights("skill"), (20, features.MOST_MATES, features.MATE_COUNT)
    own, mates = rng.random((20, features.OWN_COUNT), np.float32), rng.random(shape, np.float32)
    there = (rng.random(shape[:2]) < 0.7).astype(np.float32)
    scores, _ = features.fused(weights, own, mates, there)
    turned, _ = features.fused(weights, own, mates[:, ::-1], there[:, ::-1])
    assert np.allclose(scores, turned, atol=1e-4)
    unseen, _ = features.fused(weights, own, mates * there[..., None], there)
    assert np.allclose(scores, unseen, atol=1e-4)  # rows of nobody count for nothing
    blind, _ = features.fused(weights, own, 0 * mates, there)
    assert not np.allclose(scores, blind, atol=1e-2)  # it does look at them


# -- what belongs where -----------------------------------------------------------------------------------------------
def test_the_shipped_networks_know_most_of_what_belongs_where():
    rows = [(t, on, r) for t in features.things() for on in features.places() for r in ROOM_KINDS]
    said = np.array([features.misplaced_in(t, on)[ROOM_KINDS.index(r)] > features.SURE for t, on, r in rows])
    true = np.array([not belongs(*row) for row in rows])
    assert (said == true).mean() > 0.85 and said[~true].mean() < 0.1
    best = [max(features.homes_of(t), key=features.homes_of(t).get) in homes(t) for t in features.things() if homes(t)]
    assert np.mean(best) > 0.85
    assert features.WEIGHTS.stat().st_size < 5_000_000


def test_furniture_that_a_stranger_told_of_is_judged_by_the_network():
    """Of two pieces the table would take one and the network the other."""
    likely = {t: features.homes_of(t) for t in features.things()}
    fits = {
        t: {p for p, share in known.items() if share >= features.FITS * max(known.values())}
        for t, known in likely.items()
    }
    pairs = ((t, on, r) for t in features.things() for on in features.places()[1:] for r in ROOM_KINDS)
    odd = next(row for row in pairs if (row[1:] in fits[row[0]]) != belongs(*row))
    survey = features.LearntSurvey(Belief())
    assert survey.belongs(*odd) is not belongs(*odd)
    assert all(survey.belongs(t, *place) for t in fits for place in fits[t])
    assert not survey.belongs("Mug", "", "") and not survey.belongs("Mug", "CounterTop", "")


# -- talk -------------------------------------------------------------------------------------------------------------
def test_the_code_says_what_the_lines_say():
    text = encode([
        ("robot", "Bob"), ("ability", "arm=yes payload=6.22 height=tall battery=63"),
        ("state", "x=2.5 y=1.25 heading=90 room=room_3 holding=mug_0 battery=41"),
        ("task", "Re-place <mug_0> <CounterTop> <Kitchen>"), ("explored", "room_1, room_2"),
        ("misplaced", "cup_1 kind=Cup on=bathtub_0 room=room_2 x=4.1 y=6.32"), ("answer", "no, room_2 is explored"),
    ])  # fmt: skip
    heard = read(text, "Bob")
    assert (heard.arm, heard.payload_kg, heard.tall, heard.battery_steps) == (True, 6.22, True, 63)
    assert (heard.position, heard.room, heard.holding, heard.battery_left) == ((2.5, 1.25), "room_3", "mug_0", 41)
    assert heard.subtask == Phrase("Re-place", ("mug_0", "CounterTop", "Kitchen"))
    assert heard.explored == ("room_1", "room_2") and heard.answer is False and heard.misplaced[0].name == "cup_1"


def test_an_intention_is_answered_in_the_code():
    *_, e = played(task(robots=(arm(), eye()), limit=30), Learning)
    agent = e.roster.agents["Eve"]
    agent.side.protocol.mind("Eve").hear(agent.view, [INTENDS])
    (reply,) = agent.view.outbox
    assert reply.to == ("Zoe",) and reply.text.startswith("ID Eve; CAP A0") and "ACK " in reply.text


# -- playing ----------------------------------------------------------------------------------------------------------
def test_a_learnt_team_tidies_up_a_small_house():
    result, _, log, _ = played(task(robots=(arm(sight=2.0), eye(sight=2.0)), limit=400), Learning)
    assert result.partial > 0
    turns = [e.data["skill"] for e in log.events if e.kind == "did" and e.who == "Eve"][:8]
    assert turns.count("RotateLeft") >= 4  # it looks around first


def test_learnt_teammates_keep_the_contract():
    t = task(robots=(arm(sight=2.0),), limit=60)

    def trial(make):
        return Trial(HouseholdWorld(t, 0), t, [Party("team", make, ("Ann",))], NoModel().answer, Settings())

    check_protocol(Learning, trial, cuts=1)
