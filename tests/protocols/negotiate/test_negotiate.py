"""Teammates that negotiate: what their prompts say, what is read of replies, and that it works without a model."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Message
from coterie.core.kinds import Misread
from coterie.core.protocol import Reply
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.heuristic.adapter import Phrase, read
from coterie.protocols.heuristic.lines import sentences
from coterie.protocols.negotiate import Negotiate
from coterie.protocols.negotiate.rule import candidates, objection
from coterie.protocols.negotiate.situation import Astray, Known, Mate, Situation
from coterie.protocols.negotiate.situation import read as read_situation
from coterie.protocols.negotiate.talk import read_plan
from tests.protocols.household import STARTS, played
from tests.protocols.prompts import filled
from tests.worlds.household.made import arm, eye, task

MUG = Astray("mug_0", "Mug", "bed_0", "room_2", (6.0, 2.0), ("CounterTop", "Kitchen"))
ANN = Mate("Ann", True, 5.0, True, 100, (1.0, 1.0), "room_1", "")
BOB = Mate("Bob", True, 5.0, None, None, (5.0, 2.0), "room_2", None)

INTENDS = Message("Zoe", ("all",), "intention: Explore <room_1>", (), 999.0)


# -- the situation ----------------------------------------------------------------------------------------------------
NAMES = st.sampled_from(["Ann", "Bob", "Eve"])
POINTS = st.tuples(*[st.integers(-40, 40).map(lambda n: n / 4)] * 2)
MATES = st.builds(
    lambda name, arm_, tall, battery, at, room, held, task_: Mate(
        name, arm_, 2.5 if arm_ else None, tall, battery, at, room if at else "", held, task_
    ),
    NAMES, st.none() | st.booleans(), st.none() | st.booleans(), st.none() | st.integers(0, 500), st.none() | POINTS,
    st.sampled_from(["", "room_1"]), st.sampled_from([None, "", "mug_0"]),
    st.sampled_from(["", "Explore <room_2>", "Stop"]),
)  # fmt: skip
THINGS = st.builds(
    Astray, st.sampled_from(["mug_0", "cup_1"]), st.just("Mug"), st.sampled_from(["", "bed_0"]),
    st.sampled_from(["", "room_2"]), st.none() | POINTS, st.none() | st.just(("CounterTop", "Kitchen")),
)  # fmt: skip
ROOMS = st.builds(
    Known, st.sampled_from(["room_1", "room_2"]), st.sampled_from(["", "Kitchen"]), st.none() | st.integers(0, 99)
)


@settings(max_examples=25)
@given(
    MATES.filter(lambda m: not m.task),
    st.lists(MATES, max_size=3),
    st.lists(THINGS, max_size=2),
    st.lists(ROOMS, max_size=2),
)
def test_a_situation_is_read_back_from_its_text(me, mates, things, rooms):
    s = Situation(me, tuple(mates), tuple(things), tuple(rooms), ("cup_1",))
    assert read_situation(f"before\n{s.text()}\nafter") == s


# -- the rule mind ----------------------------------------------------------------------------------------------------
def test_it_leaves_to_others_what_they_are_at_or_nearer_to():
    rooms = (Known("room_1", "Kitchen"), Known("room_2", "", 9))
    assert candidates(Situation(ANN, (), (MUG,), rooms))[0] == "Re-place <mug_0> <CounterTop> <Kitchen>"
    assert candidates(Situation(ANN, (BOB,), (MUG,), rooms))[0] == "Explore <room_2>"
    assert candidates(Situation(ANN, (replace(BOB, arm=False),), (MUG,), rooms))[0].startswith("Re-place")
    busy = replace(BOB, at=None, task="Re-place <mug_0> <CounterTop> <Kitchen>")
    assert candidates(Situation(ANN, (busy,), (MUG,), rooms))[0] == "Explore <room_2>"
    assert candidates(Situation(ANN, (), (), rooms[:1])) == ["Stop"]


def test_it_objects_to_who_has_no_arm_or_is_further_away():
    plan = "Re-place <mug_0> <CounterTop> <Kitchen>"
    assert objection(Situation(ANN, (replace(BOB, task=plan),), (MUG,)))[0] == ""
    assert objection(Situation(ANN, (replace(BOB, arm=False, task=plan),), (MUG,)))[0] == "Bob"
    far = replace(BOB, at=(20.0, 2.0), task=plan)
    assert objection(Situation(ANN, (far,), (MUG,))) == ("Bob", "I am nearer to mug_0")


def test_the_rule_mind_reads_the_prompt_and_nothing_else():
    s = Situation(ANN, (), (MUG,), (Known("room_1"),))
    assert "mug_0" in answer(filled("negotiate/plan", situation=s.text()))
    assert "Task: Stop" in answer(filled("negotiate/plan", situation=replace(s, astray=()).text()))


# -- replies ----------------------------------------------------------------------------------------------------------


def test_objections_are_read_and_nobody_else_is_named():
    assert read_plan("Analysis: x\nAnswer: agree\nTask: Explore <room_2>", ["Bob"])[:1] == (
        Phrase("Explore", ("room_2",)),
    )
    planned = read_plan("Answer: object bob: he has no arm.\nTask: Stop", ["Bob"])
    assert (planned.against, planned.why) == ("Bob", "he has no arm")
    assert read_plan("Answer: object Zoe: no\nTask: Stop", ["Bob"]).against == ""
    assert isinstance(read_plan("I do not know", ["Bob"]), Misread)


# -- talk -------------------------------------------------------------------------------------------------------------
def test_sentences_say_what_the_lines_say():
    text = sentences([
        ("robot", "Bob"), ("ability", "arm=no payload=0 height=small battery=63"),
        ("state", "x=2.5 y=1.25 heading=90 room=room_3 holding=none battery=41"), ("task", "Explore <room_4>"),
        ("explored", "room_1, room_2"), ("misplaced", "cup_1 kind=Cup on=bathtub_0 room=room_2 x=4.1 y=6.32"),
        ("answer", "no, room_2 is explored"),
    ])  # fmt: skip
    heard = read(text, "Bob")
    assert (heard.arm, heard.tall, heard.battery_steps, heard.battery_left) == (False, False, 63, 41)
    assert (heard.position, heard.room, heard.holding) == ((2.5, 1.25), "room_3", "")
    assert heard.subtask == Phrase("Explore", ("room_4",)) and heard.answer is False
    assert heard.explored == ("room_1", "room_2") and heard.misplaced[0].at == (4.1, 6.32)


# -- playing ----------------------------------------------------------------------------------------------------------
def test_a_team_tidies_up_and_who_plans_later_sees_what_was_planned():
    result, _, log, e = played(task(robots=(arm(sight=2.0), eye(sight=2.0)), starts=STARTS), Negotiate)
    assert result.success
    prompts = [e.data["prompt"] for e in log.events if e.kind == "ask"]
    late = next(p for p in prompts if p[0][1].startswith("You are Eve"))
    assert re.search(r"^Mate Ann: arm, lifts 5 kg; .*; task (Explore|Re-place) <", late[1][1], re.M), late[1][1]
    assert all(len(p[0][1]) + len(p[1][1]) < 4000 for p in prompts)
    agent = e.roster.agents["Eve"]
    agent.side.protocol.mind("Eve").hear(agent.view, [INTENDS])
    assert "I object: room_1 is explored." in agent.view.outbox[-1].text


def test_replies_that_nobody_can_read_do_not_stop_it():
    result, _, log, _ = played(task(limit=40), Negotiate, lambda asks: [Reply("blah " * 50) for _ in asks])
    prompts = [e.data["prompt"] for e in log.events if e.kind == "ask"]
    assert result.steps == 40 and any("could not be read" in p[-1][1] for p in prompts)
    assert any(e.kind == "did" and e.data["skill"].startswith(("Move", "Rotate")) for e in log.events)
