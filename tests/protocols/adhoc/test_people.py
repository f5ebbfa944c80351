"""Humans in houses that are tidied: they speak in sentences, and robots and strangers understand them."""

from dataclasses import replace

import pytest

from coterie.cli.follow import Follower
from coterie.cli.typed import Typed
from coterie.core.action import Message
from coterie.core.card import PERSON
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.episode.setup import model_for, resolve, task_of
from coterie.protocols.heuristic.guests import spoken as understood
from coterie.protocols.person import TYPED, spoken

TIDY = Config(task="tidy", scene="rooms:6", seed=27, protocol="heuristic")


def played(config: Config, steps: int, model=None):
    config = resolve(config)
    return play(config, task=replace(task_of(config), step_limit=steps), model=model).log.events


def typed(config: Config, monkeypatch, *lines: str) -> Typed:
    """Somebody who types these lines, and then no more."""
    left = iter(lines)

    def line(_: str = "") -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", line)
    return Typed(model_for(resolve(config)), Follower())


def test_a_human_at_a_keyboard_picks_what_to_do_in_a_team_that_a_stranger_joins(monkeypatch, capsys):
    config = replace(TIDY, cards=("keyboard:Ann",), stranger="irot@26", model="oracle")
    events = played(config, 60, typed(config, monkeypatch, "Good morning.", "1", "1"))
    said = [e.data["text"] for e in events if e.kind == "say" and e.who == "Ann"]
    asked = [e for e in events if e.kind == "ask" and e.who == "Ann"]
    assert "Good morning." in said and {e.data["stage"] for e in asked} == {TYPED}
    first = capsys.readouterr().err
    assert "Ann is in room_" in first and "look around" in first and "Type a number" in first
    assert any("Explore(room_" in str(e.data) for e in events if e.kind == "option" and e.who == "Ann")
    assert any(e.kind == "ask" and e.who == "Zoe" for e in events), "and a model answers for the stranger"


def test_a_human_at_a_keyboard_joins_robots_and_takes_what_they_picked(monkeypatch):
    config = replace(TIDY, stranger="keyboard@2")
    choices, told = dict[str, None](), []

    class Takes(Typed):
        def _typed(self, ask):
            told.append(ask.prompt[-1][1])
            new = [c for c in ask.choices if c.startswith(("take", "put")) and c not in choices]
            choices.update(dict.fromkeys(ask.choices))
            return new[0] if new else ask.choices[0]

    events = played(config, 40, Takes(model_for(resolve(config)), Follower()))
    options = [e.data for e in events if e.kind == "option" and e.who == "Zoe"]
    ended = [o["name"] for o in options if o["state"] == "ended" and not o.get("why")]
    took = ended[0].removeprefix("PickupObject(").removesuffix(")")
    assert any(c.startswith(f"put {took} on ") for c in choices) and ended[1].startswith("PutObject(")
    assert f"Zoe is in room_5 and holds {took}." in told
    log = [e.data["text"] for e in events if e.kind == "say" and e.who == "Zoe"]
    assert any(text.startswith(f"I am Zoe. I have put {took} on") for text in log), "and the others are told"


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
