"""Templates ask for what they need, nothing else is made, and what they wrote they read back."""

from __future__ import annotations

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.protocols.shared import templates
from coterie.protocols.shared.templates import Slots, read, render
from tests.protocols.prompts import read_back


@pytest.fixture
def text(monkeypatch):
    def use(source):
        monkeypatch.setattr(templates, "_styled", lambda name, style: source)
        forget()

    yield use
    forget()


def forget():
    for kept in (templates._parts, templates._parsed, templates._forms):
        kept.cache_clear()


def test_lines_all_of_whose_slots_are_empty_are_left_out(text):
    text("You are ${name}.\n${here}${there}\nA ${here}b\n---\nGo ${there}${name}!\n")
    values = {"name": "Bob", "here": "", "there": ""}
    assert render("a", "compact", values) == (("system", "You are Bob."), ("user", "Go Bob!"))
    assert render("a", "compact", {**values, "here": "x"})[0] == ("system", "You are Bob.\nx\nA xb")


def test_a_slot_that_nobody_fills_is_an_error(text):
    with pytest.raises(CoterieError, match="no prompt template"):
        templates.source("dynahmrc/nothing")
    with pytest.raises(CoterieError, match="No prompt style"):
        render("dynahmrc/le", "purple", {})
    assert len({templates.template_hash(n) for n in ("dynahmrc", "coela")} | {""}) == 3
    text("${name} ${what}")
    with pytest.raises(CoterieError, match="asks for 'what'"):
        render("a", "compact", {"name": ""})


def test_what_no_template_asks_for_is_not_made(text):
    text("${name} is at ${place}, ${place}.")
    made = []

    def maker(name, value):
        return lambda about: made.append(name) or f"{value} of {about}"

    slots = Slots({"name": str, "place": maker("place", "bed"), "goal": maker("goal", "?")}, "Bob")
    assert "goal" in slots and "talk" not in slots and not made
    assert render("a", "compact", slots.but({"name": "Al"})) == (("system", "Al is at bed of Bob, bed of Bob."),)
    assert made == ["place"]
    assert (slots["goal"], slots["goal"]) == ("? of Bob", "? of Bob") and made == ["place", "goal"]


# -- reading back -----------------------------------------------------------------------------------------------------
def test_slots_are_read_back_and_empty_ones_are_empty(text):
    text("You are ${name}, ${about}.\nSkills:\n${skills...}\nGo.\n---\n${plan}\nNeeded: ${found}\nTalk:\\n${talk...}")
    values = {"name": "Bob", "about": "an arm, red", "skills": "a()\nb()", "plan": "", "found": "x", "talk": "1\n2"}
    for empty in ((), ("found",), ("talk", "skills"), ("found", "talk")):
        left = {slot: "" if slot in empty else value for slot, value in values.items()}
        page = read(("a",), render("a", "compact", left))
        assert {slot: page[slot] for slot in values} == left
    page = read(
        ("a",), (*render("a", "compact", {**values, "plan": "Go west"}), ("assistant", "?"), ("user", "Again."))
    )
    assert page["plan"] == "Go west" and page["talk"] == "1\n2" and page["nothing of the kind"] == ""
    assert read(("a",), (("system", "You are Bob, an arm.\nSkills:"), ("user", ""))) is None


HOUSE = {"task": "tidy", "scene": "rooms:1:7", "level": "1", "seed": 7}
TEAM = {"model": "oracle", "team": "Ma-MoMa-UAV", "seed": 21, "changes": ("cto@5",)}


@pytest.mark.parametrize(
    ("config", "least"),
    [
        ({**TEAM, "protocol": "dynahmrc:interval-3"}, 6),
        ({**TEAM, "protocol": "dynahmrc:full-and-interval-3", "radio": "text=1"}, 6),
        ({**TEAM, "protocol": "dynahmrc:paper"}, 4),
        ({**TEAM, "protocol": "coela"}, 2),
        ({**TEAM, "protocol": "coherent:full"}, 1),
        ({**TEAM, "protocol": "llm-mcts:100"}, 2),
        ({**HOUSE, "stranger": "irot:full@3"}, 5),
        ({**HOUSE, "stranger": "gpl@3"}, 4),
        ({**HOUSE, "protocol": "negotiate", "model": "oracle"}, 1),
    ],
    ids=lambda value: value.get("stranger") or value["protocol"] if isinstance(value, dict) else "",
)
def test_reading_a_prompt_loses_nothing(config, least):
    log = play(Config(**config)).log
    seen = {read_back(e.data["prompt"]) for e in log.events if e.kind == "ask"}
    assert len(seen) >= least
