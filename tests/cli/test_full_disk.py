"""What happens when nothing more can be written: a run that is over still tells its score."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.core.errors import CoterieError

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
RUN = ["run", "pack-objects", "--seed", "1"]


@pytest.fixture
def small_files(cli):
    """Coterie while no file may grow beyond so many bytes: the same as a disk that is full."""

    def run(most, *words):
        usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, usual[1]))
        try:
            return cli(*words)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    return run


def test_what_is_written_beside_the_log_is_not_the_run(cli):
    Path("a.jsonl.wall").mkdir()
    said = cli(*RUN, "--log", "a.jsonl")
    assert said.code == 0 and "Done in" in said.out
    assert said.err == "Cannot write what the run took beside the log 'a.jsonl': Is a directory.\n"
    said = cli(*RUN, "--log", "a.jsonl", "--json")
    assert (
        said.code == 0 and json.loads(said.out)["success"] and "Is a directory" in json.loads(said.out)["unwritten"][0]
    )


@needs_full
@pytest.mark.parametrize("option, name", [("--picture", "p.png"), ("--gif", "p.gif")])
def test_a_picture_that_cannot_be_written(cli, option, name):
    Path(name).symlink_to(FULL)
    said = cli(*RUN, "--level", "easy", option, name)
    assert said.code == 0 and "Done in" in said.out and "No space left on device" in said.err and name not in said.out
    assert "\n" not in said.err.rstrip("\n")


@needs_full
def test_a_log_that_cannot_be_written_at_all(cli):
    Path("a.jsonl").symlink_to(FULL)
    said = cli(*RUN, "--log", "a.jsonl")
    assert said.code == 2 and "Cannot write the log 'a.jsonl': it is not a file." in said.err


@needs_full
def test_output_that_nobody_takes(tmp_path):
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "coterie", *RUN], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2 and done.stderr == b"Cannot read or write what is needed: No space left on device.\n"


def test_only_the_end_of_the_log_is_missing(cli, monkeypatch):
    """The last line does not fit any more: the run is over, its score is told, and the exit code says that the log is
    not whole."""
    from coterie.log.file import Log

    write = Log._write

    def full(self):
        if any('"end"' in piece for piece in self._waiting):
            raise CoterieError(f"Cannot write the log '{self.path}': No space left on device.")
        write(self)

    monkeypatch.setattr(Log, "_write", full)
    said = cli(*RUN, "--log", "a.jsonl", "--picture", "p.svg")
    assert said.code == 2 and "Done in" in said.out and "picture  p.svg" in said.out
    assert said.err == "Cannot write the log 'a.jsonl': No space left on device.\n"


def test_a_limit_in_the_middle_of_a_run(cli, small_files):
    assert cli(*RUN, "--log", "whole.jsonl").code == 0
    whole = Path("whole.jsonl").read_bytes()
    said = small_files(len(whole) // 2, *RUN, "--log", "cut.jsonl")
    assert said.code == 2 and "Cannot write the log 'cut.jsonl'" in said.err
    assert "Go on with: coterie run --resume cut.jsonl" in said.err
    assert cli("run", "--resume", "cut.jsonl").code == 0 and Path("cut.jsonl").read_bytes() == whole


def test_a_bench_that_cannot_go_on(cli, small_files):
    words = ["bench", "smoke", "--methods", "rules", "--episodes", "4", "--no-plots", "--out", "r"]
    said = small_files(3000, *words)
    assert said.code == 2 and "Cannot write to 'r'" in said.err
    assert cli(*words).code == 0


@needs_full
def test_a_memo_that_cannot_be_written_does_not_hide_the_score(cli, monkeypatch):
    def full(*_):
        raise CoterieError("The memo 'm' cannot be written or read: database or disk is full. Is the disk full?")

    monkeypatch.setattr("coterie.memo.file.store.Store.teach", full)
    said = cli(*RUN, "--memo")
    assert said.code == 0 and "Done in" in said.out and "disk is full" in said.err
