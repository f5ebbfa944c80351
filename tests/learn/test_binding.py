"""An adapter belongs to the prompts that it was trained on."""

import contextlib

import numpy as np
import pytest

from coterie.cli.app import main
from coterie.cli.asking import unlearnt
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask
from coterie.learn import binding
from coterie.learn.binding import (
    bound_to,
    mismatch,
    protocol_of,
    rendered_hash,
    seldom_hash,
    trained_on_seldom,
)
from coterie.learn.trained import Bound, Trained, load, save
from coterie.models.adapter import FOR_LEVEL, PACKAGED, about
from coterie.models.scripted import Scripted
from coterie.protocols.shared import mind, templates, words

PAIRS = {
    "blk.0.attn_q.weight.lora_a": np.ones((32, 64), np.float16),
    "blk.0.attn_q.weight.lora_b": np.ones((64, 32), np.float16),
}


@pytest.fixture
def gguf():
    pytest.importorskip("gguf", reason="the package gguf is not installed; to run it: pip install 'coterie[embedded]'")


def trained_on(adapter):
    return about(adapter).get("prompts", "")


@pytest.fixture(scope="module")
def today():
    """The fingerprints of today's prompts: of states that come often, and of those that come seldom."""
    return rendered_hash("dynahmrc"), seldom_hash("dynahmrc")


def test_the_packaged_adapter_was_trained_on_the_prompts_of_today(gguf, today):
    often, seldom = today
    assert trained_on(PACKAGED) == often != seldom == trained_on_seldom(PACKAGED), (
        "The prompts of dynahmrc are rendered otherwise than when the adapter of the embedded model was trained (those "
        "of a shift, of moving closer, of a referee or of a warning stand in the second fingerprint). Train it again "
        "as docs/learn.md says (coterie learn school, then coterie learn export --out "
        "src/coterie/models/adapter.gguf), or take the change of prompts back."
    )


def test_the_packaged_adapter_for_conversations_was_trained_on_those_of_today(gguf):
    found, today = about(FOR_LEVEL["conversation"]), bound_to("dynahmrc:conversation")
    assert (found["protocol"], found["prompts"], found["seldom"]) == today


def test_every_line_of_every_template_is_in_one_of_the_fingerprints(monkeypatch):
    """A change of any of them is seen."""
    rendered = set()

    def noted(name, style, values):
        for _, lines in templates._parsed(name, style):
            rendered.update((name, line) for line in lines if len(line) == 1 or any(values[s] for s in line[1::2]))
        return templates.render(name, style, values)

    monkeypatch.setattr(mind, "render", noted)
    rendered_hash("dynahmrc")
    often = set(rendered)
    seldom_hash("dynahmrc")
    names = sorted(f"dynahmrc/{p.stem}" for p in (templates._FOLDER / "dynahmrc" / "prompts").glob("*.txt"))
    every = {(name, line) for name in names for _, lines in templates._parsed(name, "compact") for line in lines}
    assert len(names) >= 8 and not every - rendered
    assert {name for name, _ in every - often} == {f"dynahmrc/{n}" for n in ("hmrc", "le", "move", "referee")}


@contextlib.contextmanager
def other_templates(change):
    source = templates.source
    made = [f for f in vars(templates).values() if hasattr(f, "cache_clear") and f is not source]
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(templates, "source", lambda name: change(name, source(name)))
            for cache in made:
                cache.cache_clear()
            yield
    finally:
        for cache in made:
            cache.cache_clear()


def test_a_change_of_what_comes_seldom_is_seen(today):
    with other_templates(lambda name, text: text.replace("that ended in a tie", "without a winner")):
        assert seldom_hash("dynahmrc") != today[1] and rendered_hash("dynahmrc") == today[0]


def test_it_is_the_same_each_time_and_counts_words_that_no_template_holds(monkeypatch, today):
    often, seldom = today
    assert rendered_hash("dynahmrc") == often
    with monkeypatch.context() as short:
        short.setattr(words, "REASON", 20)  # how much of a failure is told
        assert rendered_hash("dynahmrc") != often
    fetch = words._fetch_words
    monkeypatch.setattr(words, "_fetch_words", lambda *a: fetch(*a).replace(", move closer", ", go nearer"))
    assert seldom_hash("dynahmrc") != seldom


def test_what_the_oracle_said_before_is_no_part_of_them():
    """Else other words of it would pass for other prompts."""

    def digest(said, news="Step 2 of 9."):
        listening = binding._Listening()
        listening.oracle = Scripted(lambda ask: "Action: wait()")
        turns = ("system", "You are Ann."), ("user", "Step 1 of 9."), ("assistant", said), ("user", news)
        listening.answer([Ask("Ann", "HMRC", 2, 0, turns)])
        return listening.digest.hexdigest()

    assert digest("Thought: I wait.") == digest("Thought: I rest.") != digest("Thought: I wait.", "Step 3 of 9.")


def test_a_training_says_which_prompts_it_knows_and_so_does_its_adapter(gguf, tmp_path, capsys, monkeypatch):
    training, adapter = tmp_path / "t.npz", tmp_path / "a.gguf"
    monkeypatch.setattr(binding, "rendered_hash", lambda protocol: "prompts of today")
    export = ["learn", "export", str(training), "--out", str(adapter)]
    save(training, Trained(32, 64.0, PAIRS, Bound("dynahmrc", "prompts of then")))
    assert main(export) == 0 and trained_on(adapter) == "prompts of then"  # not those of today
    assert "trained on prompts of dynahmrc that have changed since" in mismatch(adapter, ["dynahmrc"])
    for strange in ("coela", "dynahmrc:paper"):  # another protocol, another level of information
        told = mismatch(adapter, ["dynahmrc:no-leader", strange])
        assert f"for dynahmrc (assisted), and has not learnt to answer the prompts of {strange}." in told
    assert load(adapter).bound == load(training).bound and load(adapter)[:2] == (32, 64.0)
    assert main([*export, "--protocol", "coela"]) == 2
    assert "was trained for dynahmrc, not for coela" in capsys.readouterr().err
    save(training, Trained(32, 64.0, PAIRS, Bound("dynahmrc", "prompts of today")))
    assert main(export) == 0 and mismatch(adapter, ["dynahmrc:no-leader"]) == ""
    save(training, Trained(32, 64.0, PAIRS))  # as trainings were saved before
    assert main(export) == 0 and "does not say which prompts" in capsys.readouterr().err
    assert trained_on(adapter) == mismatch(adapter, ["dynahmrc"]) == ""
    monkeypatch.setattr(binding, "seldom_hash", lambda protocol: "seldom today")
    for seldom in ("seldom then", "seldom today"):
        save(training, Trained(32, 64.0, PAIRS, Bound("dynahmrc", "prompts of today", seldom)))
        assert main(export) == 0 and trained_on_seldom(adapter) == load(adapter).bound.seldom == seldom
        assert ("that have changed since" in mismatch(adapter, ["dynahmrc"])) == (seldom == "seldom then")


@pytest.mark.parametrize(
    "model, protocol, strange",
    [
        ("embedded", "dynahmrc", False), ("embedded", "dynahmrc:compact", False), ("embedded", "dynahmrc:paper", True),
        ("embedded:exact", "roco", True), ("reworded:embedded", "irot", True), ("embedded:untrained", "roco", False),
        ("embedded", "rules", False), ("oracle", "roco", False), ("embedded", "dynahmrc:conversation", False),
        ("embedded:exact", "dynahmrc:no-leader-and-conversation", False),
    ],
)  # fmt: skip
def test_the_embedded_mind_says_what_it_has_not_learnt(model, protocol, strange):
    assert ("The embedded mind was trained for dynahmrc (assisted)" in unlearnt(model, [protocol])) == strange


def test_an_adapter_may_know_several_protocols(gguf, tmp_path):
    training, adapter = tmp_path / "t.npz", tmp_path / "a.gguf"
    save(training, Trained(32, 64.0, PAIRS, bound_to("dynahmrc:paper,coela")))
    assert main(["learn", "export", str(training), "--out", str(adapter)]) == 0
    assert mismatch(adapter, ["dynahmrc:paper", "coela"]) == ""
    assert "coela (assisted) and dynahmrc (paper), and has not" in mismatch(adapter, ["dynahmrc"])


def test_planners_at_the_table_and_strangers_have_fingerprints_too():
    every = "coela,central-plan,irot"
    before = bound_to(every)
    assert before.seldom == f"{seldom_hash('coela')},,"  # the others have no such states
    for folder in ("coela/", "rounds/", "adhoc/"):
        with other_templates(lambda name, text, of=folder: text + "\nBe brief." * name.startswith(of)):
            assert rendered_hash(every) != before.prompts


def test_what_asks_no_model_cannot_be_learnt(tmp_path, capsys):
    for name, why in (("rules", "asks no model"), ("nope", "No protocol 'nope'")):
        with pytest.raises(CoterieError, match=why):
            rendered_hash(name)
        assert main(["learn", "demos", str(tmp_path / "d.jsonl"), "--protocol", name]) == 2
        assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_is_trained_now_holds_both(today):
    assert bound_to("dynahmrc") == Bound("dynahmrc", *today) and bound_to("") == Bound()


def test_whose_prompts_samples_answer(tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert protocol_of([one]) == ""
    for path, protocol in ((one, "coela"), (two, "dynahmrc")):
        path.with_suffix(".card.json").write_text(f'{{"protocol": "{protocol}"}}')
    assert (protocol_of([one]), protocol_of([one, two])) == ("coela", "")
