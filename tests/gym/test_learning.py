"""What the page and the example promise."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.gym import parallel_env
from coterie.worlds import worlds
from tests.e2e.test_docs import execute

ROOT = Path(__file__).parents[2]


def test_the_page_runs():
    space = execute("gym.md")
    assert space["infos"]["Bob"]["reason"] == "Bob waited." and not space["infos"]["Bob"]["success"]


def test_the_page_names_all_columns():
    page = (ROOT / "docs" / "gym.md").read_text()
    shown = 0
    for _, entry in worlds.items():
        senses = entry.senses()
        for name, columns in {"self": senses.own, **senses.tables}.items() if senses is not None else ():
            assert f"| `{name}` | {'; '.join(columns)} |" in page, (entry.name, name)
            shown += 1
    assert shown >= 9


def test_without_the_package_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[gym\]'"):
        parallel_env()


def test_a_team_learns_in_batched_worlds(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    learn = importlib.import_module("learn_batched")
    monkeypatch.setattr(learn, "TRAIN", range(20))
    monkeypatch.setattr(learn, "TEST", range(10_000, 10_030))
    monkeypatch.setattr(learn, "BEST", 6)
    curve = learn.train({"easy": 4}, teams=32, each=4, say=lambda words: None)
    assert curve[0][4] < 0.6 < 0.8 < curve[-1][4]


@pytest.fixture()
def lesson(monkeypatch):
    """The example that learns by rules, and its policy; imported anew."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return importlib.import_module("learn_by_rules"), importlib.import_module("policy")


def test_slopes_of_the_policy_are_those_of_its_loss(lesson):
    _, policy = lesson
    env = parallel_env(Config("pack-objects", level="medium-search"))
    observed, _ = env.reset(seed=1)
    memory = policy.Memory(env, len(env.agents), ("places",))
    masks = np.stack([observed[a]["action_mask"] for a in env.agents])
    seen = memory.look(np.stack([observed[a]["observation"] for a in env.agents]))
    seen = {name: x.astype(float) for name, x in seen.items()}
    mind = policy.Policy(memory, np.random.default_rng(0))
    at = np.arange(len(masks)), masks.argmax(1)

    def probabilities():
        scores, kept = mind.scores(seen)
        return policy.odds(scores.astype(float), masks), kept

    error, kept = probabilities()
    error[at] -= 1
    slopes = mind.slopes(kept, error)
    checked = 0
    for name, slope in slopes.items():
        mind.weights[name] = weights = mind.weights[name].astype(float)
        most = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        was, losses = weights[most], []
        for step in (0.01, -0.01):
            weights[most] = was + step
            losses.append(-np.log(probabilities()[0][at]).sum())
        weights[most] = was
        assert (losses[0] - losses[1]) / 0.02 == pytest.approx(slope[most], rel=0.05, abs=1e-4), name
        checked += slope[most] != 0
    assert checked >= 8


def test_memory_tells_what_was_done_and_how_near_it_was(lesson):
    _, policy = lesson
    env = parallel_env(Config("pack-objects", level="medium-search"))
    memory, blind = (policy.Memory(env, 1, blind=b) for b in (False, True))
    observed, _ = env.reset(seed=1)
    alice = observed["Alice"]["observation"][None]
    before, without = memory.look(alice)["places"], blind.look(alice)["places"]
    go = env.actions.spans["navigate"][0] + 4 * 2 + 1  # the third place, its second side
    for m in (memory, blind):
        m.did(np.array([go]))
    after = memory.look(alice)["places"]
    changed = np.unique(np.nonzero(after != before)[1])
    assert changed.tolist() == [2] and (blind.look(alice)["places"] == without).all()
    memory.forget()
    assert (memory.look(alice)["places"] == before).all()


def test_the_rule_leads_a_team_that_tidies_up(lesson):
    learn, policy = lesson
    tidy, rng = learn.Tidy(), np.random.default_rng(0)
    memory = policy.Memory(tidy.env, len(tidy.env.possible_agents))
    mind = policy.Policy(memory, rng)
    kept, (share, _, _) = learn.play(tidy, mind, rng, memory, seed=1, led=1.0)
    assert share == 1 and all(masks[range(len(labels)), labels].all() for _, masks, labels in kept)
    assert learn.play(tidy, mind, rng, memory, seed=1)[1][0] < 1


@pytest.mark.long
def test_a_team_learns_to_search_by_rules(lesson, monkeypatch):
    learn, _ = lesson
    monkeypatch.setattr(learn.Pack, "rounds", 2)
    monkeypatch.setattr(learn.Pack, "tests", 48)
    curve = learn.train(learn.Pack(), say=lambda words: None)
    assert curve[0][2] < 0.2 < 0.6 < curve[-1][2]
