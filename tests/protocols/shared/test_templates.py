"""Templates ask for what they need, and nothing else is made."""

from __future__ import annotations

import pytest

from coterie.core.errors import CoterieError
from coterie.protocols.shared import templates
from coterie.protocols.shared.templates import Slots, render


@pytest.fixture
def text(monkeypatch):
    def use(source):
        monkeypatch.setattr(templates, "_styled", lambda name, style: source)
        templates._parsed.cache_clear()

    yield use
    templates._parsed.cache_clear()


def test_lines_all_of_whose_slots_are_empty_are_left_out(text):
    text("You are ${name}.\n${here}${there}\nA ${here}b\n---\nGo ${there}${name}!\n")
    values = {"name": "Bob", "here": "", "there": ""}
    assert render("a", "compact", values) == (("system", "You are Bob."), ("user", "Go Bob!"))
    assert render("a", "compact", {**values, "here": "x"})[0] == ("system", "You are Bob.\nx\nA xb")


def test_a_slot_that_nobody_fills_is_an_error(text):
    text("${name} ${what}")
    with pytest.raises(CoterieError, match="asks for 'what'"):
        render("a", "compact", {"name": ""})


def test_what_no_template_asks_for_is_not_made(text):
    text("${name} is at ${place}, ${place}.")
    made = []

    def maker(name, value):
        return lambda about: made.append(name) or f"{value} of {about}"

    slots = Slots({"name": str, "place": maker("place", "bed"), "goal": maker("goal", "?")}, "Bob")
    assert "goal" in slots and list(slots) == ["name", "place", "goal"] and not made
    assert render("a", "compact", slots.but({"name": "Al"})) == (("system", "Al is at bed of Bob, bed of Bob."),)
    assert made == ["place"]
    assert dict(slots) == {"name": "Bob", "place": "bed of Bob", "goal": "? of Bob"}
