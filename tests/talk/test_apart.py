"""Sentences by which a reader is judged stand in no file that one is trained on."""

import json
import re
from pathlib import Path

import pytest

from coterie.learn.sentences import packaged, read_ways

TESTS = Path(__file__).parent.parent
#: A file, the field of its sentences, and those that everybody says: cries and greetings of a word or two.
JUDGED = (
    ("talk/data/read.jsonl", "say", ()), ("talk/data/harmless.jsonl", "say", ()),
    ("mission/data/paraphrases.jsonl", "text", ()), ("mission/data/fresh.jsonl", "text", ("come again", "why is that")),
)  # fmt: skip


def plain(text):
    return re.sub(r"\W+", " ", text.lower()).strip()


@pytest.mark.parametrize("name, field, common", JUDGED)
def test_no_sentence_of_a_test_is_a_way_to_say_something(name, field, common):
    ways = {plain(way.text) for family in read_ways(packaged()) for way in family.ways}
    rows = [json.loads(line) for line in (TESTS / name).read_text("utf-8").splitlines()]
    said = [plain(row[field]) for row in rows if row.get(field)]
    assert len(said) >= 20 and not (set(said) - set(common)) & ways
