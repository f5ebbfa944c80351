"""Sentences that somebody wrote from meanings alone, without sight of the grammar: most are understood, none is obeyed
wrongly.

`data/paraphrases.jsonl` holds 300: five for each of 60 meanings, which were given to the writer in brief ("order: door
alphadoor"), with the names of the place and nothing of the grammar, the page of sentences or its tests. The half called
"tuning" was looked at while words were added; the half called "held" was only counted.
"""

import json
from pathlib import Path

import pytest

from coterie.mission.language.guess import guess, is_safe
from coterie.mission.language.suggest import suggestions
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.writing import brief
from tests.mission.talkers import Hospital
from tests.mission.words import hospital

ROWS = [json.loads(r) for r in (Path(__file__).parent / "data" / "paraphrases.jsonl").read_text("utf-8").splitlines()]
V = hospital()


def alike(found: str, meant: str) -> bool:
    """Things may be named in any order."""
    if found.startswith("things:") and meant.startswith("things:"):
        return sorted(found[8:].split(", ")) == sorted(meant[8:].split(", "))
    return found == meant


def taken(text):
    """What is meant first, whether it is done without a question back, and what is shown besides."""
    read = understand(text, V)
    if len(read) == 1 and isinstance(read[0], m.Meaning):
        asks = isinstance(read[0], m.Order) and any(w.kind == m.STOCK and not w.where for w in read[0].wants)
        return read[0], not asks and not is_safe(read[0]), []
    found = guess(text, V, text.rstrip().endswith("?"))
    return found, isinstance(found, m.Stop), suggestions(text, V, 4)


def counted(half):
    right = useful = 0
    wrong = []
    rows = [r for r in ROWS if r["half"] == half]
    for row in rows:
        found, done, shown = taken(row["text"])
        good = found is not None and alike(brief(found), row["meaning"])
        right += good
        useful += good or any(alike(brief(x), row["meaning"]) for x in shown)
        if done and not good:
            wrong.append((row, brief(found)))
    return len(rows), right, useful, wrong


def test_there_are_three_hundred_of_sixty_meanings():
    assert len({r["text"] for r in ROWS}) == 300 and len({r["meaning"] for r in ROWS}) == 60
    assert sum(r["half"] == "held" for r in ROWS) == 150


@pytest.mark.parametrize("half", ["held"])
def test_most_are_understood_and_none_is_obeyed_wrongly(half):
    count, right, useful, wrong = counted(half)
    assert right >= 0.7 * count and useful >= 0.85 * count and not wrong, (right, useful, wrong)


def test_a_guess_that_would_change_something_is_read_back_first():
    talk = Hospital()
    for text in ("I'd like beta's door closed.", "Let Temi handle getting a medkit to room alpha.",
                 "Search table E, I need the bandage box found."):  # fmt: skip
        assert "Do you mean" in talk.say("instructor", text)
        assert talk.goals() == []
        talk.say("instructor", "No.")
        assert talk.goals() == []
    talk.say("instructor", "Let Temi handle getting a medkit to room alpha.")
    talk.say("instructor", "Yes.")
    assert talk.goals() == ["a medkit (2 painkillers, 1 bandage box) at alpha"]
