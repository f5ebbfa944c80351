"""A study of a user's own, and worlds that no study knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from coterie.bench.drawing import tick
from coterie.bench.studies import score
from coterie.bench.study import Study, columns, order_of, setting_name, stage_order
from coterie.bench.suites import FIRST_SEED, make_suite, of_task
from coterie.bench.summary import distinct
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from tests.bench.test_cli_bench import run

PAGE = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text()


def test_a_study_of_ones_own_is_one_file(tmp_path, capsys, own_names):
    """As the page shows it (benchmark.md), and what it may say besides."""
    file = tmp_path / "lifting.py"
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    file.write_text(code.replace("    shown =", '    instead_of = frozenset({"cc"})\n    shown ='))
    words = ["beams", "--load", str(file), "--methods", "tidier,foreman", "--out", str(tmp_path / "out"), "--no-plots"]
    assert run(*words) == 0
    shown = capsys.readouterr().out
    assert "lifts" in shown and "CC" not in shown.replace("SUCC", "")
    table = (tmp_path / "out" / "table.md").read_text()
    titles = [line[3:] for line in table.splitlines() if line.startswith("## ")]
    assert titles[titles.index("Settings") + 1] == "Lifts"
    others = {"Coordination", "Failure modes", "Task generator", "Beside the paper", "Planning and memo"}
    assert not {"Levels", *others} & set(titles)  # levels say the same as the settings; others belong to other studies
    assert table.index("| plain ") < table.index("| with a beam ")
    assert "\n10 in all.\n" in table  # two robots, five seeds, one method
    assert run(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)["methods"]
    assert (found["tidier"]["lifts"], found["foreman"]["lifts"]) == (0, 10)
    lines = (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    assert all("lifts" in json.loads(line) for line in lines)


def test_a_study_that_says_nothing_adds_nothing():
    plain = Study()
    assert list(plain.sections(None)) == [] and plain.overview(None) == {} and plain.columns([]) == {}
    assert not plain.owns({"labels": {"setting": "cto", "world": "indoor"}})


# -- worlds without a study ---------------------------------------------------------------------------------------
def test_a_task_is_a_suite_of_its_seeds():
    specs = make_suite("yard-tidy:beam", seed=40, seeds=3)
    assert [s.key for s in specs] == [f"yard-tidy/beam/{n}" for n in (40, 41, 42)]
    assert specs[0].labels["world"] == "yard" and specs[0].config.level == "beam"
    assert {s.config.seed for s in of_task("yard-tidy")} == set(range(FIRST_SEED, FIRST_SEED + 20))
    with pytest.raises(CoterieError, match="Did you mean 'beam'"):
        make_suite("yard-tidy:beem")
    with pytest.raises(CoterieError, match="at least one"):
        make_suite("yard-tidy", seeds=0)


def test_rows_hold_only_what_makes_sense_of_their_world():
    yard = score(play(Config(task="yard-tidy", level="beam", protocol="foreman")).log.events)
    rooms = score(play(Config(task="pack-objects", protocol="rules", seed=3)).log.events)
    assert {"success", "ps", "ts", "as", "cc", "failed"} <= yard.keys() < rooms.keys()
    assert rooms.keys() - yard.keys() == {
        "about", "redundant", "conflicting", "conflicting_things", "elections", "failures", "zones_met",
    }  # fmt: skip


def test_whoever_names_no_method_gets_the_worlds_own(tmp_path, capsys):
    assert run("yard-tidy", "--episodes", "2", "--json", "--no-plots", "--out", str(tmp_path)) == 0
    assert list(json.loads(capsys.readouterr().out)["methods"]) == ["tidier"]
    assert "--methods tidier" in (tmp_path / "table.md").read_text()


# -- what studies say of labels -----------------------------------------------------------------------------------
def test_names_and_orders_come_from_studies():
    assert setting_name("cto") == "CTO" and setting_name("s2") == "S2 (all similar)" and setting_name("yard") == "yard"
    assert order_of("setting")[:2] == ["static", "static-search"] and "rocobench" in order_of("setting")
    rows = [{"labels": {"setting": s}} for s in ("zoo", "s1", "cto", "aviary", "static")]
    assert distinct(rows, "setting") == ["static", "cto", "s1", "aviary", "zoo"]
    assert stage_order(["odd", "VOTE", "HMRC", "SD", "even"]) == ["SD", "HMRC", "VOTE", "even", "odd"]
    assert (tick("irz", 5), tick("medium-search", 2), tick("arrange-cabinet", 6)) == (
        "IRZ", "medium-\nsearch", "arrange-\ncabinet",
    )  # fmt: skip


def test_columns_go_by_the_world_in_the_log():
    log = play(Config(task="yard-tidy", protocol="tidier")).log
    assert columns(log.events) == {}
