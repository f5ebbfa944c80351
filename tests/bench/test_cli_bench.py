from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path

import pytest

from coterie.bench.estimate import estimate_costs
from coterie.bench.methods import parse_methods
from coterie.bench.results import dump
from coterie.bench.suites import make_suite
from coterie.cli import bench as command
from coterie.core.errors import CoterieError
from coterie.log.file import read_log
from tests.bench.test_runner import MINE


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add(parser.add_subparsers())
    args = parser.parse_args(["bench", *words])
    return args.func(args)


def test_json_is_one_object_with_the_promised_keys(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["smoke,dynahmrc-anc", "--methods", "expert,random", "--episodes", "6"]
    assert run(*words, "--json", "--no-plots") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["suite"] == "smoke,dynahmrc-anc"
    for entry in data["methods"].values():
        assert {"episodes", "succ", "ps", "ts", "as", "cc", "calls", "tokens", "succ_ci"} <= entry.keys()
        assert entry["episodes"] == 6
    assert data["methods"]["expert"]["succ"] == 1.0
    out = tmp_path / "results" / "smoke+dynahmrc-anc"
    for name in ("results.jsonl", "config.json", "table.md", "wall.jsonl"):
        assert (out / name).stat().st_size > 0
    table = (out / "table.md").read_text()
    assert f"coterie bench {' '.join(words)}" in table and "gives away" not in table


def test_a_table_of_houses_says_what_the_simulator_gives_away(tmp_path):
    assert run("irot-mini", "--methods", "heuristic", "--episodes", "1", "--no-plots", "--out", str(tmp_path)) == 0
    table = (tmp_path / "table.md").read_text()
    assert "\n## What the simulator gives away\n\nTo every robot, whichever method plays: " in table


def test_teams_play_the_same_tasks_if_asked(own_names, tmp_path, capsys):
    def bench(folder, *words):
        teams = ["--team", "Ma-UAV,Ma-MoMa", "--methods", "expert", "--episodes", "3", "--out", str(tmp_path / folder)]
        assert run("pack-objects:hard", *teams, *words, "--no-plots", "--logs") == 0
        goals = {}
        for log in sorted((tmp_path / folder).rglob("*.jsonl")):
            start = read_log(log)[0].data if log.name not in ("results.jsonl", "wall.jsonl") else {}
            if start:
                goals.setdefault(start["config"]["team"], []).append((start["goal_text"], start["scene"]))
        return goals

    same, apart = bench("same", "--same-tasks"), bench("apart")
    assert "All teams had the same tasks." in capsys.readouterr().out
    assert len(same["Ma-UAV"]) == 3 and same["Ma-UAV"] == same["Ma-MoMa"]
    assert apart["Ma-UAV"] != apart["Ma-MoMa"]
    assert "--same-tasks" in (tmp_path / "same" / "table.md").read_text()
    rows = [json.loads(line) for line in (tmp_path / "same" / "results.jsonl").read_text().splitlines()]
    assert len(rows) == 6 and all(r["success"] for r in rows)  # what is drawn, both can do


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["smokey"], "Did you mean 'smoke'"),
        (["smoke", "--methods", "expret"], "Did you mean 'expert'"),
        (["smoke", "--methods", "dynahmrc", "--model", "none"], "ask a language model"),
        (["smoke", "--load", "nowhere.py"], "no file 'nowhere.py'"),
        (["smoke", "--episodes", "-1"], "at least one"),
        (["smoke", "--noise", "slp=1"], "kind of noise"),
        (["pack-objects", "--team", "Ma-MoMa-UAV,Ma-Bogus"], "No robot 'Bogus'. There are: "),
        (["pack-objects:hrd"], "No level 'hrd'. Did you mean 'hard'?"),
        (["pack-objects", "--team", "Ma-UAV", "--same-tasks"], "--same-tasks compares teams: name several"),
        (["tidy:any", "--team", "drawn:2,drawn:3", "--same-tasks"], "'tidy' takes no --same-tasks"),
        (
            ["pack-objects", "--team", "Ma-UAV,Ma-MoMa", "--same-tasks", "--change", "cto@5"],
            "leave out --change",
        ),
    ],
)
def test_wrong_use_is_a_sentence(words, sentence):
    with pytest.raises(CoterieError, match=sentence):
        run(*words)


@pytest.mark.parametrize("option", ["--jobs", "--batch"])
def test_less_than_one_is_refused(option, capsys):
    with pytest.raises(SystemExit, match="2"):
        run("smoke", option, "0")
    assert f"{option}: 0 is not a number of" in capsys.readouterr().err


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


def test_methods_with_models_are_estimated_with_the_oracle_or_from_earlier_runs(tmp_path, capsys):
    specs, (asking,) = make_suite("dynahmrc-cto"), parse_methods("dynahmrc")
    (cost,) = estimate_costs(specs, [asking], tmp_path)
    assert cost.calls > 162 * 10
    assert cost.tokens > 20 * cost.calls
    assert cost.seconds is None
    assert "text oracle" in cost.basis
    assert f"{162 * (2.77 + 2.77 + 3.34 + 56.27 + 3.58 + 1.36):,.0f} calls" in cost.basis  # Tab. 26
    row = {"key": "k", "method": "dynahmrc", "calls": 10, "tokens": 1000, "decisions": 40, "labels": {}}
    (tmp_path / "results.jsonl").write_text(dump(row) + "\n")
    (tmp_path / "wall.jsonl").write_text(dump({"key": "k", "method": "dynahmrc", "wall_s": 2.0}) + "\n")
    (cost,) = estimate_costs(specs, [asking], tmp_path)
    assert (cost.calls, cost.tokens, cost.decisions, cost.seconds) == (1620, 162_000, 6480, 324)
    assert run("smoke", "--methods", "coela", "--dry-run", "--out", str(tmp_path / "none")) == 0
    assert "coela: 3 episodes with the text oracle" in capsys.readouterr().out


def test_the_table_says_how_it_was_made(tmp_path, own_names):
    file = tmp_path / "of mine.py"
    file.write_text(MINE.replace("{n}", "made"))
    words = [
        "smoke", "--methods", "idle-made,coherent", "--model", "oracle", "--episodes", "2", "--seed", "10500",
        "--noise", "slip=0.1", "--load", str(file),
    ]  # fmt: skip
    assert run(*words, "--out", str(tmp_path / "out"), "--batch", "2", "--no-plots") == 0
    made = (tmp_path / "out" / "table.md").read_text()
    command = shlex.split(made.split("Made with")[1].strip().splitlines()[0])
    assert sorted(command) == sorted(["coterie", "bench", *words])
    assert run(*command[2:], "--out", str(tmp_path / "again"), "--no-plots") == 0
    assert (tmp_path / "again" / "table.md").read_text() == made


def test_results_that_were_there_are_named(tmp_path, capsys):
    words = ["smoke", "--episodes", "2", "--out", str(tmp_path), "--no-plots", "--methods"]
    run(*words, "expert")
    assert "there already" not in capsys.readouterr().out
    run(*words, "expert,random")
    assert "2 of 4 episodes were there already; --fresh plays them again." in capsys.readouterr().out
    run(*words, "coherent", "--model", "oracle")
    assert "expert" not in (tmp_path / "table.md").read_text()
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 6
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    stale = "\n".join(line.replace('"digest":"', '"digest":"0') for line in lines)
    (tmp_path / "results.jsonl").write_text(stale + "\n")
    run(*words, "expert", "--json")
    data = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (data["reused"], data["unused"]) == (0, 2)


def test_plots_of_an_earlier_run_do_not_stay(tmp_path, capsys):
    (tmp_path / "plots").mkdir()
    for name in ("settings.png", "settings.pdf", "my own.png"):
        (tmp_path / "plots" / name).write_text("")
    run("smoke", "--methods", "expert", "--episodes", "1", "--out", str(tmp_path), "--no-plots")
    assert [p.name for p in (tmp_path / "plots").iterdir()] == ["my own.png"]
    assert "1 plots of an earlier run" in capsys.readouterr().out


def test_a_task_file_is_one_episode_and_what_is_alike_counts_once(tmp_path, capsys):
    file = str(Path(__file__).parents[2] / "examples" / "set_the_table.toml")
    assert run(file, "--out", str(tmp_path / "one"), "--no-plots") == 0
    said = capsys.readouterr().out
    assert ": one episode" in said and "is the same with every seed" in said
    methods = ("--methods", "rules,expert,random-legal", "--episodes", "6")
    rest = (*methods, "--out", str(tmp_path / "six"), "--no-plots")
    assert run(file, *rest) == 0
    said = capsys.readouterr().out
    alike = "the seed changes nothing in set_the_table.toml; 6 episodes are alike and count as one."
    assert f"rules: {alike}" in said and f"expert: {alike}" in said and f"random-legal: {alike}" not in said
    table = (tmp_path / "six" / "table.md").read_text()
    assert f"- rules: {alike}" in table
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if "rules − expert" in line]
    assert rows and all(row[3] == "1" and row[5] == "[–]" for row in rows)  # no interval of one episode
    assert run(file, *rest, "--json") == 0
    found = json.loads(capsys.readouterr().out)["methods"]
    assert [found[m]["episodes"] for m in ("rules", "expert", "random-legal")] == [1, 1, 6]
