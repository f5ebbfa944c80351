from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coterie.bench.methods import parse_method, parse_methods
from coterie.bench.report import report
from coterie.bench.results import load
from coterie.bench.runner import run_bench
from coterie.bench.suites import make_suite, sample, spec
from coterie.core.errors import CoterieError

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


@pytest.mark.parametrize("cut", [0, 1, 700, 0.33, 0.5, -2, -1])
def test_a_run_cut_at_any_byte_ends_in_the_same_results(whole, tmp_path, cut):
    raw = (whole.folder / "results.jsonl").read_bytes()
    size = int(cut * len(raw)) if isinstance(cut, float) else cut if cut >= 0 else len(raw) + cut
    (tmp_path / "results.jsonl").write_bytes(raw[:size])
    again = run_bench(SPECS, METHODS, tmp_path, suite="smoke")
    assert lines(tmp_path) == lines(whole.folder)
    assert report(again) == report(whole)


def test_two_processes_give_the_results_of_one(whole, tmp_path):
    seen: list[tuple[int, int]] = []
    again = run_bench(SPECS, METHODS, tmp_path, suite="smoke", jobs=2, progress=lambda *n: seen.append(n))
    assert lines(tmp_path) == lines(whole.folder)
    assert report(again) == report(whole)
    assert seen[0] == (0, 16)
    assert seen[-1] == (16, 16)


def test_what_is_there_is_not_played_again(whole, monkeypatch):
    monkeypatch.setattr("coterie.bench.runner.play", lambda *a, **k: pytest.fail("played again"))
    assert run_bench(SPECS, METHODS, whole.folder, suite="smoke").rows == whole.rows
    fewer = run_bench(SPECS[:3], METHODS[:1], whole.folder, suite="smoke")
    assert len(fewer.rows) == 3


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_killed_from_outside_goes_on(whole, tmp_path, jobs):
    program = (
        "import sys\nfrom pathlib import Path\nfrom coterie.bench.methods import parse_methods\n"
        "from coterie.bench.runner import run_bench\nfrom coterie.bench.suites import make_suite, sample\n"
        "if __name__ == '__main__':\n"
        "    run_bench(sample(make_suite('smoke'), 8), parse_methods('expert,random-legal'), Path(sys.argv[1]),"
        f" suite='smoke', jobs={jobs})\n"
    )
    script = tmp_path / "script.py"
    script.write_text(program)
    out = tmp_path / "out"
    child = subprocess.Popen([sys.executable, str(script), str(out)])
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and child.poll() is None:
        if (out / "results.jsonl").exists() and (out / "results.jsonl").stat().st_size > 0:
            child.send_signal(signal.SIGKILL)
            break
        time.sleep(0.005)
    child.wait()
    run_bench(SPECS, METHODS, out, suite="smoke")
    assert lines(out) == lines(whole.folder)


def test_results_of_another_configuration_are_not_mixed(whole, tmp_path):
    rows = (whole.folder / "results.jsonl").read_text().replace('"digest":"', '"digest":"0')
    (tmp_path / "results.jsonl").write_text(rows)
    with pytest.raises(CoterieError, match="another version or configuration"):
        run_bench(SPECS, METHODS, tmp_path)


def test_a_file_that_is_no_result_is_named(tmp_path):
    (tmp_path / "results.jsonl").write_text('{"key": "a", "method": "b"}\nnonsense\n')
    with pytest.raises(CoterieError, match="Line 2 of"):
        load(tmp_path / "results.jsonl")


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(CoterieError, match="is a file"):
            run_bench(SPECS[:1], METHODS, out)


def test_a_task_that_cannot_be_drawn_is_reported_not_fatal(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.tasks.draw.MOST_DRAWS", 0)
    odd = spec("static", "pack-objects", "easy", "Ma-MoMa", "flat", 77_777)
    bench = run_bench([odd], METHODS[:1], tmp_path)
    assert "No feasible" in bench.rows[0]["error"]
    assert "could not be drawn" in report(bench)


def test_logs_are_kept_on_request(tmp_path):
    run_bench(SPECS[:1], METHODS[:1], tmp_path, logs=True)
    assert len(list((tmp_path / "logs" / "expert").glob("*.jsonl"))) == 1


def test_methods_by_name():
    guarded = parse_method("random+guard")
    assert (guarded.protocol, guarded.guard, guarded.sees, guarded.needs_model) == ("random", True, "own", False)
    with pytest.raises(CoterieError, match="Did you mean 'expert'"):
        parse_method("expret")
    with pytest.raises(CoterieError, match="guard"):
        parse_method("expert+gard")
    with pytest.raises(CoterieError, match="Name a method"):
        parse_methods(" , ")
