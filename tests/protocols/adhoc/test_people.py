"""Humans in houses that are tidied: they speak in sentences, and robots and strangers understand them."""

from dataclasses import replace

import pytest

from coterie.core.action import Message
from coterie.core.card import PERSON
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.protocols.heuristic.guests import spoken as understood
from coterie.protocols.person import spoken

TIDY = Config(task="tidy", scene="rooms:6", seed=27, protocol="heuristic")


def played(config: Config, steps: int):
    config = resolve(config)
    return play(config, task=replace(task_of(config), step_limit=steps)).log.events


def test_a_stranger_joins_a_team_with_a_human_in_it_and_asks_her():
    events = played(replace(TIDY, cards=("person:Ann",), stranger="irot@26", model="oracle"), 30)
    start = next(e.data for e in events if e.kind == "start")
    assert start["robots"]["Ann"]["card"].body == PERSON
    said = [e.data["text"] for e in events if e.kind == "say" and e.who == "Ann"]
    assert "I carry up to 20 kg" in said[0] and not any("camera" in text or "arm=" in text for text in said)
    answers = [e.data["text"] for e in events if e.kind == "say" and (e.who, e.data["to"]) == ("Ann", ("Zoe",))]
    assert any(text.endswith(("I agree.", "myself.")) for text in answers), "she answers what the stranger intends"
    prompts = [str(e.data) for e in events if e.kind == "ask" and e.who == "Zoe"]
    assert any("mug_0" in text and "chair_0" in text for text in prompts), "and tells what she has seen"


def test_a_human_joins_a_team_of_robots_who_understand_her():
    events = played(replace(TIDY, stranger="person@5"), 8)
    joined = next(e.data for e in events if e.kind == "change" and e.data["kind"] == "join")
    assert joined["card"].body == PERSON
    assert {"Alice", "Bob", "Carol"} <= {e.who for e in events if e.kind == "say" and e.data["to"] == ("Zoe",)}


def test_sentences_of_a_human_are_taken_in_as_lines_are():
    lines = [
        ("robot", "Ann"), ("ability", "arm=yes payload=20 height=tall battery=none"),
        ("state", "x=2 y=1.5 heading=0 room=room_3 holding=none battery=none"), ("task", "Explore <room_2>"),
        ("misplaced", "mug_0 kind=Mug on=chair_0 room=room_2 x=3.5 y=8"), ("explored", "room_1, room_3"),
    ]  # fmt: skip
    read = dict(understood(Message("Ann", ("all",), spoken(lines))))
    assert read["task"] == "Explore <room_2>" and read["explored"] == "room_1, room_3"
    assert read["misplaced"].startswith("mug_0 ") and "on=chair_0 room=room_2 x=3.5 y=8" in read["misplaced"]
    assert "x=2 y=1.5 room=room_3" in read["state"]


@pytest.mark.parametrize("cards", [("rover.toml",), ("person:An-n",), ("person:Ann", "person:Ann")])
def test_who_is_no_human_is_refused_in_a_sentence(cards):
    with pytest.raises(CoterieError, match="write --card person:Ann"):
        resolve(replace(TIDY, cards=cards))
