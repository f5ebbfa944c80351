"""Files that are torn, cut, or wanted by two commands at once."""

import re
import subprocess
from pathlib import Path

import pytest

from coterie.cli.app import main
from coterie.log.file import hold
from tests.e2e.test_command_line import COTERIE, inside

BENCH = ["bench", "smoke", "--methods", "rules,random-legal", "--episodes", "4", "--no-plots", "--out", "out"]


def slow_run(*words, cwd):
    """A run that is under way: it says its name, then shows each step for a long time."""
    process = subprocess.Popen([*COTERIE, *words, "--pace", "30"], cwd=cwd, stdout=subprocess.PIPE, text=True)
    process.stdout.read(1)
    return process


def ended(process):
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_run_that_is_being_written_cannot_be_resumed_or_begun_again(tmp_path):
    """One that names no log finds a free one."""
    run, name = ["run", "pack-objects", "--seed", "3"], "runs/pack-objects-Ma-MoMa-UAV-rules-3.jsonl"
    inside(*run, cwd=tmp_path, check=0)
    whole = (tmp_path / name).read_bytes()
    process = slow_run(*run, cwd=tmp_path)
    try:
        assert "rules-3-2.jsonl" in inside(*run, cwd=tmp_path, check=0).stdout
        for words in (["run", "--resume", name], [*run, "--log", name]):
            refused = inside(*words, cwd=tmp_path, check=2)
            assert re.search(rf"is being written by process {process.pid}\b.*\(.*run pack-objects\)", refused.stderr)
    finally:
        ended(process)
    inside("run", "--resume", name, cwd=tmp_path, check=0)
    assert (tmp_path / name).read_bytes() == whole
    assert not list((tmp_path / "runs").glob(".*")), "no lock is left"


def test_one_bench_at_a_time_plays_into_a_folder(tmp_path):
    inside(*BENCH, cwd=tmp_path, check=0)
    table = (tmp_path / "out" / "table.md").read_bytes()
    hold = "import pathlib, time; from coterie.core.files import Lock;"
    hold += "x = Lock(pathlib.Path('out/results.jsonl')); print(1, flush=True); time.sleep(3600)"
    process = subprocess.Popen([COTERIE[0], "-c", hold], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    try:
        for words in (BENCH, [*BENCH, "--fresh"]):
            refused = inside(*words, cwd=tmp_path, check=2)
            assert f"process {process.pid}" in refused.stderr
    finally:
        ended(process)
    assert (tmp_path / "out" / "table.md").read_bytes() == table
    inside(*BENCH, "--fresh", cwd=tmp_path, check=0)
    assert (tmp_path / "out" / "table.md").read_bytes() == table


@pytest.mark.parametrize("name", ["results.jsonl", "wall.jsonl"])
def test_a_bench_goes_on_after_half_a_line_and_a_line_that_is_none(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert main(BENCH) == 0
    table, path, rows = (tmp_path / "out" / n for n in ("table.md", name, "results.jsonl"))
    whole, told = path.read_bytes(), table.read_bytes()
    for spoilt in (whole[:1], whole[: len(whole) // 2], whole[:-2], whole + b"\0" * 50 + b"\n"):
        path.write_bytes(spoilt)
        rows.write_bytes(b"".join(rows.read_bytes().splitlines(keepends=True)[1:]))  # there is something to play
        for _ in range(2):  # and once more
            assert main(BENCH) == 0, capsys.readouterr().err
            assert table.read_bytes() == told
        assert path.read_bytes().count(b"\n") <= whole.count(b"\n") + (b"\0" in spoilt)


@pytest.mark.parametrize("gone", [slice(40, 60), slice(0, 1), slice(1, 2)])
def test_a_log_with_lines_missing_is_not_told_as_if_it_were_whole(tmp_path, monkeypatch, capsys, gone):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "pack-objects", "--log", "x.jsonl", "--json"]) == 0
    lines = (tmp_path / "x.jsonl").read_text().splitlines(keepends=True)
    del lines[gone]
    (tmp_path / "x.jsonl").write_text("".join(lines))
    for words in (["replay", "x.jsonl"], ["run", "--resume", "x.jsonl"]):
        assert main(words) == 2
        assert re.search(r"Line \d+ of 'x.jsonl' is the event number \d+: .* missing", capsys.readouterr().err)


def test_a_log_makes_no_file_run(tmp_path, monkeypatch, capsys):
    """Somebody else's log may name any file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("import pathlib; pathlib.Path('ran').touch()\n")
    assert main(["run", "pack-objects", "--log", "x.jsonl", "--json", "--load", "evil.py"]) == 0
    (tmp_path / "ran").unlink()
    lines = (tmp_path / "x.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "x.jsonl").write_text("".join(lines[:30]))
    from coterie.episode import plugins

    monkeypatch.setattr(plugins, "_loaded", {})
    capsys.readouterr()
    assert main(["replay", "x.jsonl"]) == 0
    assert "They are code" in capsys.readouterr().out.replace("\n", " ")
    assert main(["run", "--resume", "x.jsonl"]) == 2
    assert "evil.py. That is code" in capsys.readouterr().err
    assert main(["run", "--resume", "x.jsonl", "--load", "other.py"]) == 2
    assert not (tmp_path / "ran").exists()
    assert main(["run", "--resume", "x.jsonl", "--load", "evil.py"]) == 0
    assert (tmp_path / "ran").exists()
    assert "".join(lines) == (tmp_path / "x.jsonl").read_text()


def test_a_log_has_one_lock_whatever_it_is_called(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    with hold(tmp_path / "real.jsonl"):
        assert main(["run", "pack-objects", "--log", "link.jsonl"]) == 2
    assert "is being written by process" in capsys.readouterr().err


@pytest.mark.parametrize("name", [".", "", "/", "..", "folder", "/dev/null"])
def test_what_is_no_file_is_no_log(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert main(["run", "pack-objects", "--log", name]) == 2
    assert "it is " in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["folder"], "and nothing is left"


def test_a_radio_that_cannot_be_leaves_no_log(tmp_path, monkeypatch, capsys):
    """A world of one file that does not say how far robots are apart."""
    monkeypatch.chdir(tmp_path)
    there = (Path(__file__).parents[2] / "examples" / "corridor.py").read_text()
    there = there.replace("def distance(", "def some_other(").replace('"corridor', '"nowhere').replace("porters", "po")
    (tmp_path / "nowhere.py").write_text(there.replace('goals.put("haul"', 'goals.put("nowhere"'))
    words = ["run", "nowhere-haul", "--load", "nowhere.py", "--radio", "range=6", "--log", "x.jsonl"]
    assert main(words) == main(words) == 2
    assert "leave range= out" in capsys.readouterr().err and not list(tmp_path.glob("*.jsonl"))


def test_a_line_that_no_event_has_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "pack-objects", "--log", "x.jsonl", "--json"]) == 0
    text = (tmp_path / "x.jsonl").read_text()
    (tmp_path / "x.jsonl").write_text(text.replace('"text":"', '"text":"' + "x" * 5_000_000, 1))
    capsys.readouterr()
    assert main(["replay", "x.jsonl"]) == 2
    assert "no event is so long" in capsys.readouterr().err
