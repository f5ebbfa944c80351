from __future__ import annotations

import argparse
import json

import pytest

from coterie.cli import bench as command
from coterie.core.errors import CoterieError


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    args = parser.parse_args(["bench", *words])
    return args.func(args)


def test_json_is_one_object_with_the_promised_keys(tmp_path, capsys):
    out = tmp_path / "out"
    assert run("smoke", "--methods", "expert,random", "--episodes", "6", "--out", str(out), "--json", "--no-plots") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["suite"] == "smoke"
    for entry in data["methods"].values():
        assert {"episodes", "succ", "ps", "ts", "as", "cc", "calls", "tokens", "succ_ci"} <= entry.keys()
        assert entry["episodes"] == 6
    assert data["methods"]["expert"]["succ"] == 1.0
    for name in ("results.jsonl", "config.json", "table.md", "wall.jsonl"):
        assert (out / name).stat().st_size > 0
    assert "coterie bench smoke --methods expert,random --episodes 6" in (out / "table.md").read_text()


def test_the_default_folder_is_named_after_the_suite(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run("smoke,dynahmrc-anc", "--methods", "expert", "--episodes", "2", "--no-plots") == 0
    assert (tmp_path / "results" / "smoke+dynahmrc-anc" / "table.md").exists()
    shown = capsys.readouterr().out
    assert "1.000 [1.000, 1.000]" in shown
    assert "table.md" in shown


def test_fresh_begins_anew(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "results.jsonl").write_text("rubbish\n")
    with pytest.raises(CoterieError, match="Line 1"):
        run("smoke", "--methods", "expert", "--episodes", "1", "--out", str(out), "--no-plots")
    assert run("smoke", "--methods", "expert", "--episodes", "1", "--out", str(out), "--no-plots", "--fresh") == 0


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["smokey"], "Did you mean 'smoke'"),
        (["smoke", "--methods", "expret"], "Did you mean 'expert'"),
        (["smoke", "--jobs", "0"], "at least one process"),
        (["smoke", "--episodes", "-1"], "at least one"),
        (["smoke", "--noise", "slp=1"], "kind of noise"),
    ],
)
def test_wrong_use_is_a_sentence(words, sentence):
    with pytest.raises(CoterieError, match=sentence):
        run(*words)


def test_an_out_that_is_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CoterieError, match="is a file"):
        run("smoke", "--out", str(tmp_path / "file"))


def test_a_dry_run_estimates_and_leaves_nothing(tmp_path, capsys):
    out = tmp_path / "out"
    assert run("dynahmrc-static", "--methods", "expert", "--dry-run", "--json", "--out", str(out)) == 0
    cost = json.loads(capsys.readouterr().out)["estimate"]["expert"]
    assert cost["episodes"] == 648
    assert cost["decisions"] > 648
    assert cost["calls"] == cost["tokens"] == 0
    assert cost["seconds"] > 0
    assert not out.exists()
    assert run("smoke", "--methods", "expert", "--dry-run") == 0
    assert "timed on" in capsys.readouterr().out


def test_methods_with_models_are_estimated_from_stages(tmp_path):
    from dataclasses import replace

    from coterie.bench.estimate import estimate_costs
    from coterie.bench.methods import parse_method
    from coterie.bench.results import dump
    from coterie.bench.suites import make_suite

    asking = replace(parse_method("random"), name="dynahmrc", protocol="dynahmrc", needs_model=True)
    specs = make_suite("dynahmrc-cto")
    (cost,) = estimate_costs(specs, [asking], tmp_path)
    assert cost.calls == pytest.approx(162 * (2.77 + 2.77 + 3.34 + 56.27 + 3.58 + 1.36))
    assert cost.tokens == pytest.approx(162 * 210517, rel=0.1)  # near the total of Tab. 26; products of means
    assert cost.seconds is None
    row = {"key": "k", "method": "dynahmrc", "calls": 10, "tokens": 1000, "decisions": 40, "labels": {}}
    (tmp_path / "results.jsonl").write_text(dump(row) + "\n")
    (tmp_path / "wall.jsonl").write_text(dump({"key": "k", "method": "dynahmrc", "wall_s": 2.0}) + "\n")
    (cost,) = estimate_costs(specs, [asking], tmp_path)
    assert (cost.calls, cost.tokens, cost.decisions, cost.seconds) == (1620, 162_000, 6480, 324)
    (cost,) = estimate_costs(specs, [replace(asking, name="new", protocol="new")], tmp_path)
    assert cost.calls is None
    assert "--episodes" in cost.basis


def test_validate_says_how_many_were_confirmed(capsys):
    assert run("smoke", "--validate", "--episodes", "4") == 0
    assert "4 of 4 tasks confirmed" in capsys.readouterr().out
    assert run("smoke", "--validate", "--episodes", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["confirmed"] == 2
