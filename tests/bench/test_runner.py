from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.bench import playing, runner
from coterie.bench.latency import latency, timed_calls
from coterie.bench.methods import parse_method, parse_methods
from coterie.bench.report import report
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.studies.dynahmrc.suites import spec
from coterie.bench.suites import make_suite, sample
from coterie.bench.validate import validate_suite
from coterie.core.errors import CoterieError
from coterie.episode.setup import load_plugins
from coterie.models.server import serve
from coterie.protocols.dynahmrc.oracle import Oracle, answer

SPECS = sample(make_suite("smoke"), 8)
METHODS = parse_methods("expert,random-legal")


def lines(folder: Path) -> list[str]:
    return sorted((folder / "results.jsonl").read_text().splitlines())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody disturbed."""
    return run_bench(SPECS, METHODS, tmp_path_factory.mktemp("whole"), suite="smoke")


def test_every_episode_has_one_line_and_the_configuration_lies_beside(whole):
    assert len(lines(whole.folder)) == len(whole.rows) == len(SPECS) * len(METHODS)
    config = json.loads((whole.folder / "config.json").read_text())
    assert [m["name"] for m in config["methods"]] == ["expert", "random-legal"]
    assert [m["sees"] for m in config["methods"]] == ["truth", "own"]
    assert [e["key"] for e in config["episodes"]] == [s.key for s in SPECS]
    assert all(r["success"] for r in whole.rows if r["method"] == "expert")


def test_two_processes_give_the_results_of_one(whole, tmp_path):
    seen: list[tuple[int, int]] = []
    again = run_bench(SPECS, METHODS, tmp_path, suite="smoke", jobs=2, progress=lambda *n: seen.append(n))
    assert lines(tmp_path) == lines(whole.folder)
    assert report(again) == report(whole)
    assert (seen[0], seen[-1]) == ((0, 16), (16, 16))


def test_what_is_there_is_not_played_again(whole, monkeypatch):
    monkeypatch.setattr("coterie.bench.playing.play", lambda *a, **k: pytest.fail("played again"))
    again = run_bench(SPECS, METHODS, whole.folder, suite="smoke")
    assert again.rows == whole.rows
    assert (whole.reused, again.reused, again.unused) == (0, 16, 0)
    fewer = run_bench(SPECS[:3], METHODS[:1], whole.folder, suite="smoke")
    assert len(fewer.rows) == 3


def test_results_of_another_configuration_are_kept_and_not_mixed(whole, tmp_path):
    rows = (whole.folder / "results.jsonl").read_text().replace('"digest":"', '"digest":"0')
    (tmp_path / "results.jsonl").write_text(rows)
    again = run_bench(SPECS, METHODS, tmp_path, suite="smoke")
    assert (again.reused, again.unused) == (0, 16)
    assert again.rows == whole.rows
    assert (tmp_path / "results.jsonl").read_text().startswith(rows)
    assert run_bench(SPECS, METHODS, tmp_path, suite="smoke").reused == 16


# -- methods with a model -------------------------------------------------------------------------------------------
ASKING = parse_methods("dynahmrc,coherent,coela,rules")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Episodes with the text oracle, one after another."""
    return run_bench(SPECS[:2], ASKING, tmp_path_factory.mktemp("alone"), model="oracle")


def test_episodes_that_share_calls_end_in_the_same_results(alone, tmp_path):
    run_bench(SPECS[:2], ASKING, tmp_path, model="oracle", batch=64)
    assert lines(tmp_path) == lines(alone.folder)


def test_one_call_answers_many_episodes_and_the_model_is_built_once(tmp_path, monkeypatch):
    built, sizes = [], []

    class Counting(Oracle):
        def answer(self, asks):
            sizes.append(len(asks))
            return super().answer(asks)

    monkeypatch.setattr(playing, "_models", {})
    monkeypatch.setattr(playing, "model_for", lambda config, **_: built.append(config.model) or Counting())
    coherent = parse_methods("coherent")  # one question a step
    run_bench(SPECS[:4], coherent, tmp_path / "one", model="oracle", logs=True)
    assert set(sizes) == {1}
    calls = len(sizes)
    sizes.clear()
    done = run_bench(SPECS[:4], coherent, tmp_path / "four", model="oracle", batch=4, logs=True)
    assert built == ["oracle"]
    assert max(sizes) == 4
    assert sum(sizes) == calls == sum(r["calls"] for r in done.rows)
    assert len(sizes) == max(r["calls"] for r in done.rows)
    for log in (tmp_path / "one" / "logs").rglob("*.jsonl"):
        assert log.read_bytes() == (tmp_path / "four" / "logs" / "coherent" / log.name).read_bytes()


def test_a_script_begins_anew_in_every_episode(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"coordinator/CENTRAL": ["Bob: wait()", "nothing"]}))
    for batch in (1, 2):
        run_bench(SPECS[:2], parse_methods("coherent"), tmp_path / str(batch), model=f"scripted:{script}", batch=batch)
    assert lines(tmp_path / "1") == lines(tmp_path / "2")


def test_a_model_that_cannot_be_had_stops_the_bench(tmp_path):
    for batch in (1, 2):
        with pytest.raises(CoterieError, match="asked a model"):
            run_bench(SPECS[:2], parse_methods("coela"), tmp_path, model="none", batch=batch)
    assert lines(tmp_path) == []


# -- methods of one's own -------------------------------------------------------------------------------------------
MINE = """
from coterie.core.action import Action
from coterie.core.protocol import SoloProtocol
from coterie.protocols import protocols

class Idle(SoloProtocol):
    about = "waits"
    def act(self, me):
        return Action("wait")

protocols.put("idle-{n}", Idle, "no-model")
"""


@pytest.mark.long
def test_files_of_ones_own_reach_the_processes_that_play_and_validate(tmp_path, own_names):
    file = tmp_path / "mine.py"
    file.write_text(MINE.replace("{n}", "own"))
    load_plugins([str(file)])
    done = run_bench(SPECS[:4], parse_methods("idle-own,expert"), tmp_path / "out", jobs=2, load=[str(file)])
    assert {r["as"] for r in done.rows if r["method"] == "idle-own"} == {0}
    # what does not stand in the file is not touched by it
    assert run_bench(SPECS[:4], parse_methods("expert"), tmp_path / "out").reused == 4
    tally = validate_suite(SPECS[:3], "idle-own", jobs=2, load=[str(file)])
    assert tally.confirmed == 0 and {reason for _, reason in tally.doubts} == {"the goal is not reached at the end."}


def test_results_of_another_text_of_a_file_of_ones_own_are_not_reused(tmp_path, own_names):
    file, method = tmp_path / "mine.py", "idle-changed"
    file.write_text(MINE.replace("idle-{n}", method))
    load_plugins([str(file)])

    def counts():
        playing.loaded_text.cache_clear()  # kept for the run of one command
        done = run_bench(SPECS[:2], parse_methods(method), tmp_path / "out", load=[str(file)])
        return done.reused, done.unused

    assert (counts(), counts()) == ((0, 0), (2, 0))
    file.write_text(file.read_text().replace("waits", "rests"))
    assert (counts(), counts()) == ((0, 2), (2, 2))


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(CoterieError, match="is a file"):
            run_bench(SPECS[:1], METHODS, out)


def test_a_task_that_cannot_be_drawn_is_reported_not_fatal(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.worlds.indoor.tasks.draw.MOST_DRAWS", 0)
    odd = [spec("static", "pack-objects", "easy", "Ma-MoMa", "flat", seed) for seed in (77_777, 77_778)]
    bench = run_bench(odd, METHODS[:1], tmp_path)
    assert "No feasible" in bench.rows[0]["error"]
    assert "could not be drawn" in report(bench) and f"- 2 ×: {bench.rows[0]['error']}" in report(bench)


def test_methods_by_name():
    guarded = parse_method("random+guard")
    assert (guarded.protocol, guarded.guard, guarded.sees, guarded.needs_model) == ("random", True, "own", False)
    with pytest.raises(CoterieError, match="Did you mean 'expert'"):
        parse_method("expret")
    with pytest.raises(CoterieError, match="guard"):
        parse_method("expert+gard")
    with pytest.raises(CoterieError, match="Name a method"):
        parse_methods(" , ")


# -- what calls took ------------------------------------------------------------------------------------------------
def mind(messages, options):
    return answer([(m["role"], m["content"]) for m in messages])


@pytest.fixture(scope="module")
def timed(tmp_path_factory):
    """An endpoint that takes a while, asked by two methods side by side."""
    with serve(mind) as url:
        methods = parse_methods("coherent,dynahmrc:no-leader,rules")
        yield run_bench(
            SPECS[:3], methods, tmp_path_factory.mktemp("timed"), model="openai:mind", batch=6, logs=True, base_url=url,
            suite="smoke",
        )  # fmt: skip


def test_every_episode_keeps_its_own_calls_and_the_table_shows_their_time(timed):
    for row in timed.rows:
        log = timed.folder / "logs" / row["method"] / (row["key"].replace("/", "__") + ".jsonl")
        wall = log.with_suffix(".jsonl.wall")
        found = json.loads(wall.read_text())["model"]
        if row["method"] == "rules":
            assert not found["calls"]
        else:
            assert found["total"]["tokens_in"] + found["total"]["tokens_out"] == row["tokens"]
            assert {k: v["calls"] for k, v in found["by_stage"].items()} == {
                k: v["calls"] for k, v in row["stages"].items()
            }
        assert "seconds" not in log.read_text() and "wall_s" not in json.dumps(row)
    text = report(timed)
    lines = [line for line in text.split("## Latency\n")[1].split("\n## ")[0].splitlines() if line.startswith("| coh")]
    assert [line.split("|")[2].strip() for line in lines[:2]] == ["CENTRAL", "all"]
    assert " – " in lines[0]  # this endpoint tells the whole time only
    assert "Latency" not in report(replace(timed, walls=[]))


def test_the_time_of_a_run_is_there_when_nothing_is_played_again(timed):
    again = run_bench(SPECS[:3], parse_methods("coherent"), timed.folder, model="openai:mind", base_url="http://x/v1")
    assert again.reused == 3
    assert sum(len(w["calls"]) for w in again.walls) == sum(r["calls"] for r in again.rows)


def test_prefill_and_generation_stand_apart_where_they_are_told():
    row = {"key": "k", "method": "m", "robots": {"Alice": {}, "Bob": {}}}
    calls = [["HMRC", 500, 400, 30, 2.0 + n, 1.0, 0.5] for n in range(20)]
    text = "\n".join(latency(timed_calls([row], [{"key": "k", "method": "m", "calls": calls}]), ["m"]))
    cells = [c.strip() for c in next(line for line in text.splitlines() if "| HMRC" in line).split("|")]
    assert cells[3:13] == ["20", "500", "400", "30", "1.00", "0.50", "11.50", "20.05", "21.00", "60.0"]
    sized = [c.strip() for c in text.rstrip().splitlines()[-1].split("|")]
    assert sized[2:4] == ["2", "20"] and "67%" in sized


@pytest.mark.parametrize("jobs, batch", [(1, 2), pytest.param(2, 1, marks=pytest.mark.long)])
def test_a_bench_stops_at_its_token_limit_and_goes_on(tmp_path, jobs, batch):
    with serve(mind) as url:
        options = {"model": "openai:mind", "base_url": url, "jobs": jobs, "batch": batch}
        with pytest.raises(CoterieError, match="limit of 9,000 tokens is reached"):
            run_bench(SPECS[:4], parse_methods("coherent"), tmp_path, token_limit=9000, **options)
        done = run_bench(SPECS[:4], parse_methods("coherent"), tmp_path, token_limit=900_000, **options)
    assert len(done.rows) == 4


def test_processes_share_the_cores(monkeypatch):
    monkeypatch.delenv("COTERIE_THREADS", raising=False)
    seen = []
    monkeypatch.setattr(runner, "threads_to_use", lambda: 2)
    monkeypatch.setattr(runner, "spread", lambda work, chunks, jobs, asking, **_: seen.append(asking) or [])
    todo = make_jobs(SPECS[:2], parse_methods("coherent"), "embedded")
    list(runner.play_all(todo, jobs=2))
    assert [a.threads for a in seen] == [1]
    monkeypatch.setenv("COTERIE_THREADS", "4")
    monkeypatch.setattr(playing, "_asking", playing.Asking())
    playing.set_asking(playing.Asking(threads=1))
    assert os.environ["COTERIE_THREADS"] == "4"  # what the user said counts
