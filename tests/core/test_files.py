"""Files have one writer, whole lines and whole contents, whoever is killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.files import InUse, Lock, append, draft, in_use, replace_text, whole_lines

HOLD = "import sys, time, pathlib; from coterie.core.files import Lock; lock = Lock(pathlib.Path(sys.argv[1]));"


def holder(path):
    """Another process that holds the lock until it is killed."""
    code = HOLD + "print('held', flush=True); time.sleep(3600)"
    process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_a_lock_names_who_holds_it_and_ends_with_them(tmp_path):
    path = tmp_path / "run.jsonl"
    process = holder(path)
    try:
        assert in_use(path)
        with pytest.raises(InUse, match=rf"run\.jsonl' is being written by process {process.pid} since \d+"):
            Lock(path)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not in_use(path), "a killed process holds nothing"
    with Lock(path):
        assert in_use(path)
        assert json.loads((tmp_path / ".run.jsonl.lock").read_text())["pid"] == os.getpid()
    assert list(tmp_path.iterdir()) == [], "nothing is left of it"


def test_the_patient_wait(tmp_path):
    path, held = tmp_path / "model", []
    first = Lock(path)
    waiting = threading.Thread(target=lambda: held.append(Lock(path, patient=True)))
    waiting.start()
    time.sleep(0.1)
    assert not held
    first.release()
    waiting.join(60)
    held[0].release()


def test_of_many_one_has_it_at_a_time(tmp_path):
    """Holders remove the lock while others wait for it: nobody may end up with a lock on a file that is gone."""
    path, inside, most = tmp_path / "x", [], []

    def work():
        for _ in range(40):
            with Lock(path, patient=True):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(most) == 240 and max(most) == 1


def test_a_lock_of_unreadable_words_is_still_one(tmp_path):
    process = holder(tmp_path / "x")
    try:
        (tmp_path / ".x.lock").write_text("[]")
        with pytest.raises(InUse, match="by another process"):
            Lock(tmp_path / "x")
    finally:
        process.kill()
        process.wait()


@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), max_size=4),
    tail=st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1),
)
def test_lines_are_added_after_whole_ones(tmp_path_factory, lines, tail):
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    path.write_bytes(("".join(line + "\n" for line in lines) + tail).encode())
    assert whole_lines(path) == lines
    with append(path) as file:
        file.write("more\n")
    assert whole_lines(path) == [*lines, "more"]


def test_long_half_lines_are_cut_off_too(tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(b"one\n" + b"x" * 200_000)
    append(path).close()
    assert path.read_bytes() == b"one\n"
    path.write_bytes(b"x" * 200_000)
    append(path).close()
    assert path.read_bytes() == b""


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "table.md"
    replace_text(path, "old")
    with pytest.raises(ZeroDivisionError), draft(path) as part:
        part.write_text("half of the n")
        1 / 0  # noqa: B018
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    replace_text(path, "new")
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]
