"""The rule mind does in drawn situations what it did before; see drawn.py for how to accept a meant change."""

import json

import pytest

from tests.protocols.rules.drawn import LABELS, labelled


def kept():
    return {(label := json.loads(line)).pop("in"): label for line in LABELS.read_text().splitlines()}


@pytest.mark.long
def test_the_mind_does_what_it_did():
    before, now = kept(), dict(labelled())
    assert list(before) == list(now)
    other = [f"{name}: {before[name]} is now {now[name]}" for name in before if before[name] != now[name]]
    assert not other, (
        f"{len(other)} of {len(now)} differ; meant? python -m tests.protocols.rules.drawn label\n"
        + "\n".join(other[:5])
    )
