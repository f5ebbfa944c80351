"""The folder of robots: entries, stops and notes of actions that are damaged or cut anywhere."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.causes import LOST_CONTACT
from coterie.core.errors import CoterieError
from coterie.link import fleet as near
from coterie.link.host import LEASE_S, WATCH_S
from coterie.link.kept import Kept
from coterie.link.robot import Job, Report, done


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"robot": "Bob", "pid": 1, "port": 1, "stop_port": 1}', "x" * 200_000]
    + [
        '{"robot": "Alice", "pid": 1, "stop_port": 1, "port": ' + p + "}"
        for p in ("0", "-1", "70000", '"1"', "true", "1e400")
    ],
)
def test_entries_that_cannot_be_read_are_sentences(folder, text):
    folder.make_keys()
    folder.entry_path("Alice").write_text(text)
    with pytest.raises(CoterieError, match="Alice"):
        folder.entry("Alice")
    assert folder.entries() == []


def test_names_that_would_lead_out_of_the_folder_are_refused(folder):
    for name in ("../Alice", "", "a/b", "Alice.json", "x" * 61, "Al\u202eice"):
        with pytest.raises(CoterieError, match="cannot be the name of a robot"):
            folder.entry_path(name)


def test_a_stopped_file_that_cannot_be_read_still_stops(folder):
    folder.make_keys()
    for text in ("", "{", '{"by": 7}', "x" * 200_000):
        folder.entry_path("Alice").with_suffix(".stopped").write_text(text)
        assert folder.stopped("Alice") == "somebody"


@settings(max_examples=12)
@given(st.data())
def test_notes_cut_or_spoilt_anywhere_forget_no_beginning_that_is_whole(tmp_path_factory, data):
    """After a kill at any byte, and with a spoilt byte: what had begun is never begun again."""
    path = tmp_path_factory.mktemp("kept") / "Alice.actions.jsonl"
    kept = Kept(path, "Alice")
    for i in range(6):
        kept.began(Job("Alice", f"r/Alice/{i}", "r", i, Action("go", (f"place_{i}",))))
        if i % 2:
            kept.ended(f"r/Alice/{i}", Report("done", "Well."))
    kept.close()
    raw = path.read_bytes()
    cut = data.draw(st.integers(0, len(raw)))
    path.write_bytes(raw[:cut])
    whole = raw[:cut].decode().split("\n")[:-1]
    begun = {json.loads(line)[2] for line in whole if '"began"' in line}
    finished = {json.loads(line)[1] for line in whole if '"ended"' in line}
    for again in (Kept(path, "Alice"), Kept(path, "Alice")):  # also when it is read once more
        assert set(again.notes) == begun and again.newest.get("r", -1) == max((int(n[-1]) for n in begun), default=-1)
        for name in begun:
            end = again.find(name).end
            assert end.ok if name in finished else end.cause.clause == LOST_CONTACT
        again.close()
    if cut:
        spoilt = bytearray(raw)
        spoilt[data.draw(st.integers(0, cut - 1))] ^= data.draw(st.integers(1, 255))
        path.write_bytes(bytes(spoilt))
        again = Kept(path, "Alice")
        assert len(again.notes) >= 4 and all(n.end is not None for n in again.notes.values())
        again.close()


def test_notes_are_bounded_and_remember_the_last_of_each_run(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.link.kept.KEEP", 10)
    monkeypatch.setattr("coterie.link.kept.MOST_LINES", 50)
    path = tmp_path / "Alice.actions.jsonl"
    kept = Kept(path, "Alice")
    for run in ("a", "b"):
        for i in range(100):
            job = Job("Alice", f"{run}/{i}", run, i, Action("go"))
            kept.began(job)
            kept.ended(job.name, done("Well."))
    kept.close()
    assert len(path.read_text().splitlines()) <= 52
    again = Kept(path, "Alice")
    assert len(again.notes) <= 10 and again.newest == {"a": 99, "b": 99}
    assert again.is_past(Job("Alice", "a/50", "a", 50, Action("go")))
    again.close()


def test_time_limits_are_what_the_page_says():
    assert LEASE_S + WATCH_S < 1.0 and near.BEAT_S * 4 < LEASE_S, "a robot stops within 1 s, and not for one lost beat"
