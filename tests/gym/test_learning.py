"""What the page and the example promise."""

import importlib
import sys
from pathlib import Path

import pytest

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
