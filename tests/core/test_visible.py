"""Nothing that a stranger writes steers a terminal or hides in a text."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.visible import json_text, sentence, visible, visible_lines

ANYTHING = st.text(st.characters(exclude_categories=()))  # half surrogates as well


@pytest.mark.parametrize(
    "text, shown",
    [
        ("\x1b]0;mine\x07", r"\x1b]0;mine\x07"),
        ("\x1b[2J\x1b[H", r"\x1b[2J\x1b[H"),
        ("\x9b2J", r"\x9b2J"),
        ("a\rb\x08\x7f", r"a\rb\x08\x7f"),
        ("one\ntwo", r"one\ntwo"),
        ("a\u202eb\u2066c\u200dd\ufeff", r"a\u202eb\u2066c\u200dd\ufeff"),
        ("a\u3164b\ufe0fc\u2028d\U000e0041", r"a\u3164b\ufe0fc\u2028d\U000e0041"),
        ("half \ud83d", r"half \ud83d"),
        ("Zoë, naïve, 日本, שלום, 👍, a b", "Zoë, naïve, 日本, שלום, 👍, a b"),
        ("e" + 6 * "\u0301", "e" + 4 * "\u0301" + 2 * r"\u0301"),
    ],
)
def test_what_steers_or_hides_is_written_out(text, shown):
    assert visible(text) == shown


def test_lines_are_kept_where_they_are_meant():
    assert visible_lines("a\n\tb\r\x1b") == "a\n\tb\\r\\x1b"
    assert sentence("It cannot be done:\n  Bob: too heavy\nAll is well.") == (
        "It cannot be done:\n  Bob: too heavy\\nAll is well."
    )
    assert len(sentence("x " * 100_000)) == 4000
    assert sentence("x" * 100_000) == "x" * 120 + "…" + "x" * 60


@given(ANYTHING)
def test_nothing_gets_through_and_once_is_enough(text):
    shown = visible(text)
    assert visible(shown) == shown == shown.encode().decode()
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown)


@given(ANYTHING)
def test_json_reads_back_as_it_was(text):
    line = json_text({"text": text})
    assert json.loads(line) == {"text": text} and all(visible(c) == c for c in line)
