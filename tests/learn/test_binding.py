"""An adapter belongs to the prompts that it was trained on."""

import pytest

from coterie.learn.binding import rendered_hash, trained_on
from coterie.models.adapter import PACKAGED
from coterie.protocols.shared import words


def test_the_packaged_adapter_was_trained_on_the_prompts_of_today():
    pytest.importorskip("gguf", reason="the package gguf is not installed; to run it: pip install 'coterie[embedded]'")
    assert trained_on(PACKAGED) == rendered_hash("dynahmrc"), (
        "The prompts of dynahmrc are rendered otherwise than when the adapter of the embedded model was trained. "
        "Train it again as docs/learn.md says (coterie learn school, then coterie learn export --out "
        "src/coterie/models/adapter.gguf), or take the change of prompts back."
    )


def test_it_is_the_same_each_time_and_counts_words_that_no_template_holds(monkeypatch):
    before = rendered_hash("dynahmrc")
    assert rendered_hash("dynahmrc") == before
    monkeypatch.setattr(words, "REASON", 20)  # how much of a failure is told
    assert rendered_hash("dynahmrc") != before
