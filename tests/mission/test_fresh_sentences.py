"""Sentences that two people wrote from a sheet of meanings, without sight of the grammar, the page or each other.

`data/fresh.jsonl` holds 280 of each: four for each of the 60 meanings of `paraphrases.jsonl`, and 40 (`n` is 0) after
which nothing is to be done, or at most what `may` says.
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


@pytest.mark.parametrize(
    ("half", "every"), [("tuning", 8), ("held", 5), pytest.param("held", 1, marks=pytest.mark.long)]
)
def test_none_is_obeyed_wrongly_without_a_reader(half, every):
    """A needless stop is counted elsewhere; nothing else is done that was not meant."""
    listener = Listener()
    for row in [r for r in ROWS if r["half"] == half][::every]:
        meant = MEANINGS[row["n"] - 1] if row["n"] else ""
        taken = listener.take(row["text"], meant)
        done = [x for x in taken.done if not x.startswith("stop ")]
        if not meant:
            assert set(done) <= set(MAY.get(row["text"], [])), (row, done)
        else:
            assert judged(taken._replace(done=done), meant) != "wrong", (row, done)
