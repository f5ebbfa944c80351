"""Sentences that two people wrote from a sheet of meanings, without sight of the grammar, the page or each other.

`data/fresh.jsonl` holds 280 of each: four for each of the 60 meanings of `paraphrases.jsonl`, and 40 (`n` is 0) after
which nothing is to be done, or at most what `may` says. Those called "tuning" were looked at while words were added;
those called "held" were read for the first time when all of that was done, and gave 94 % right, 97 % right or a useful
question, nothing wrong. They are counted as the talk takes them: see `listener.py`, `benchmarks/paraphrases.py`.
"""

import json
from pathlib import Path

import pytest

from tests.mission.listener import MEANINGS, Listener, judged

ROWS = [json.loads(r) for r in (Path(__file__).parent / "data" / "fresh.jsonl").read_text("utf-8").splitlines()]
#: Not to open a door takes back an order to open it, not yet lets it rest; both are nothing where there is none.
MAY = {
    "Don't open betadoor": ["cancel betadoor"],
    "Don't open betadoor.": ["cancel betadoor"],
    "Please don't pack the medkit yet": ["pause medkit"],
}


def test_there_are_four_of_each_meaning_from_each_writer():
    for half in ("tuning", "held"):
        numbers = [r["n"] for r in ROWS if r["half"] == half]
        assert [numbers.count(n) for n in range(61)] == [40, *[4] * 60]


@pytest.mark.parametrize(("half", "every"), [("tuning", 4), ("held", 1)])
def test_most_are_understood_and_none_is_obeyed_wrongly(half, every):
    listener = Listener()
    rows = [r for r in ROWS if r["half"] == half][::every]
    found = {"right": [], "useful": [], "asked": [], "wrong": []}
    for row in rows:
        if row["n"]:
            meant = MEANINGS[row["n"] - 1]
            found[judged(listener.take(row["text"], meant), meant)].append(row)
        else:
            done = listener.take(row["text"]).done
            assert done == MAY.get(row["text"], []), (row, done)
    count = sum(map(len, found.values()))
    good, useful = len(found["right"]), len(found["right"]) + len(found["useful"])
    assert not found["wrong"] and good >= 0.85 * count and useful >= 0.92 * count, (good, useful, count, found["wrong"])


def test_what_a_guess_leaves_out_is_said_when_it_is_read_back():
    told = Listener().take("Take the medkit to alpha only if the instructor says it's ok").told
    assert "Do you mean: Deliver a medkit to alpha" in told and "leaves out" in told and "'only if'" in told
