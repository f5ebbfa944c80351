"""Shards: every row in one of them, and together what one process would have written, byte for byte."""

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.cluster import lease as leasing
from coterie.bench.cluster import sharding
from coterie.bench.cluster.lease import LEASE, Lease, Taken
from coterie.bench.cluster.sharding import KEPT, Plan, open_shards, play_next, play_shard
from coterie.bench.cluster.shards import (
    LABEL,
    Shard,
    file_digest,
    owners,
    parse_shard,
    ranges,
    read_label,
    shares,
    unit_name,
    units_of,
)
from coterie.bench.export import CSV, LATEX
from coterie.bench.methods import parse_method, parse_methods
from coterie.bench.results import CONFIG, RESULTS, TABLE, WALL
from coterie.bench.runner import in_turn
from coterie.bench.spec import EpisodeSpec
from coterie.bench.suites import make_suite, sample
from coterie.cli import main
from coterie.core import files
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.files import Lock

WORDS = ["bench", "smoke", "--methods", "rules,random-legal,dynahmrc+memo", "--model", "oracle", "--episodes", "5"]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The same bench in one piece and in three; with a method that has a memo."""
    folder = tmp_path_factory.mktemp("shards")
    assert main([*WORDS, "--no-plots", "--out", str(folder / "one")]) == 0
    for n in (3, 1, 2):
        assert main([*WORDS, "--no-plots", "--out", str(folder / "parts"), "--shard", f"{n}/3"]) == 0
    return folder


@pytest.fixture
def parts(played, tmp_path):
    """Shards to be spoilt."""
    shutil.copytree(played / "parts", tmp_path / "parts")
    return tmp_path / "parts"


def relabel(place):
    """As if the shard had ended with these files."""
    label = read_label(place)
    label._replace(digests={name: file_digest(place / name) for name in KEPT}).write(place)


def said(capsys, *words):
    assert main(list(words)) == 2
    return capsys.readouterr().err


def test_merged_shards_are_one_bench_byte_for_byte(played, tmp_path):
    assert main(["bench", "merge", str(played / "parts"), "--no-plots", "--out", str(tmp_path)]) == 0
    for name in (RESULTS, TABLE, CONFIG):
        assert (tmp_path / name).read_bytes() == (played / "one" / name).read_bytes(), name
    sizes = [json.loads((p / LABEL).read_text())["rows"] for p in (played / "parts" / "shards").iterdir()]
    assert sum(sizes) == 15 and min(sizes) >= 4, "each has something to do"


@pytest.mark.long
def test_plots_of_merged_shards_are_those_of_one_bench_byte_for_byte(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["bench", "pack-objects:easy", "--methods", "rules", "--episodes", "2"]  # of a task there is one figure
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    for n in (1, 2):
        assert main([*words, "--out", str(tmp_path / "parts"), "--shard", f"{n}/2"]) == 0
    assert main(["bench", "merge", str(tmp_path / "parts"), "--out", str(tmp_path / "whole")]) == 0
    one, whole = folder_bytes(tmp_path / "one"), folder_bytes(tmp_path / "whole")
    assert {"plots/methods.png", "plots/methods.pdf", RESULTS, TABLE, CSV, LATEX, CONFIG} <= set(one)
    assert [name for name in one if one[name] != whole.get(name)] == [WALL] and set(one) == set(whole)


def test_shards_from_folders_of_several_machines(played, tmp_path):
    for n in (1, 2, 3):
        shutil.copytree(played / "parts" / "shards" / f"{n}-of-3", tmp_path / f"machine{n}" / "shards" / f"{n}-of-3")
    folders = [str(tmp_path / f"machine{n}") for n in (2, 3, 1)]
    words = ["--no-plots", folders[0], "--out", str(tmp_path / "out"), *folders[1:]]  # options stand anywhere
    assert main(["bench", "merge", *words]) == 0
    assert (tmp_path / "out" / TABLE).read_bytes() == (played / "one" / TABLE).read_bytes()


def test_what_is_missing_torn_foreign_or_there_twice_is_named(played, parts, tmp_path, capsys):
    merge, two = ["bench", "merge", str(parts), "--no-plots"], parts / "shards" / "2-of-3"
    aside = tmp_path / "aside"

    os.rename(two, aside)
    assert "Shard 2 of 3 missing" in said(capsys, *merge)
    os.rename(aside, two)

    whole = (two / RESULTS).read_bytes()
    (two / RESULTS).unlink()
    assert "Shard 2/3" in (text := said(capsys, *merge)) and f"has no {RESULTS}" in text
    (two / RESULTS).write_bytes(whole[:-7])
    assert "Shard 2/3" in (text := said(capsys, *merge)) and "half a line" in text
    (two / RESULTS).write_bytes(whole[: whole[:-1].rfind(b"\n") + 1])
    assert "Shard 2/3" in (text := said(capsys, *merge)) and "not whole" in text
    (two / RESULTS).write_bytes(whole + (parts / "shards" / "1-of-3" / RESULTS).read_bytes().splitlines(True)[0])
    assert "has a row of shard 1" in said(capsys, *merge)
    (two / RESULTS).write_bytes(whole + b'{"key":"elsewhere/1","method":"rules"}\n')
    assert "has a row of another bench: elsewhere/1" in said(capsys, *merge)
    (two / RESULTS).write_bytes(whole + b"nonsense\n")
    assert "is no row" in said(capsys, *merge)
    (two / RESULTS).write_bytes(whole)

    label = json.loads((two / LABEL).read_text())
    (two / LABEL).write_text(json.dumps({**label, "bench": "x", "about": {**label["about"], "suite": "tidy"}}))
    assert "another bench" in (text := said(capsys, *merge)) and "suite is smoke" in text.replace("tidy", "smoke")
    (two / LABEL).write_text(json.dumps({**label, "whole": False}))
    assert "Not played to the end: shard 2" in said(capsys, *merge)
    (two / LABEL).write_text("{")
    assert "is damaged" in said(capsys, *merge)
    (two / LABEL).write_text(json.dumps(label))

    (two / LABEL).write_text(json.dumps({k: v for k, v in label.items() if k != "digests"}))
    assert "was changed after" in said(capsys, *merge), "a label of an older Coterie; it is written again by:"
    assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", "2/3"]) == 0
    assert json.loads((two / LABEL).read_text()) == label
    capsys.readouterr()

    shutil.copytree(two, tmp_path / "copy")
    assert main([*merge[:3], str(tmp_path / "copy"), "--no-plots", "--out", str(tmp_path / "out")]) == 0
    assert "there twice with the same rows" in capsys.readouterr().out
    (tmp_path / "copy" / RESULTS).write_bytes(whole.replace(b'"success":true', b'"success":false', 1))
    assert "twice, and not the same" in said(capsys, *merge[:3], str(tmp_path / "copy"), "--no-plots")
    assert "no shards" in said(capsys, "bench", "merge", str(tmp_path / "nowhere"))


@pytest.mark.parametrize("number", [1, 2])
def test_a_config_that_is_torn_missing_or_foreign_is_named_with_what_to_type(number, parts, tmp_path, capsys):
    merge = ["bench", "merge", str(parts), "--no-plots"]
    path = parts / "shards" / f"{number}-of-3" / CONFIG
    whole = path.read_bytes()
    data = json.loads(whole)
    odd = [b"", whole[:-9], b"[]", b"{}", b"7", b"\xff\xfe", b'{"episodes":[1],"methods":[]}', b"[" * 100_000]
    odd.append(json.dumps({**data, "methods": [{}]}).encode())
    for raw in odd:
        path.write_bytes(raw)
        text = said(capsys, *merge)
        assert f"{CONFIG} of shard {number}/3" in text and "is damaged" in text and f"--shard {number}/3" in text, raw
    for name, value in {"suite": "tidy", "model": "none", "episodes": data["episodes"][::-1]}.items():
        path.write_text(json.dumps({**data, name: value}))
        text = said(capsys, *merge)
        assert f"shard {number}/3" in text and f"is of another bench ({name} differ)" in text
    path.unlink()
    assert "is missing" in (text := said(capsys, *merge)) and f"--shard {number}/3" in text
    assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", f"{number}/3"]) == 0
    assert path.read_bytes() == whole, "as the sentence says"


def test_shards_of_other_commits_and_rows_that_are_there_twice_are_named(parts, tmp_path, capsys):
    merge, two = ["bench", "merge", str(parts), "--no-plots"], parts / "shards" / "2-of-3"
    data = json.loads((two / CONFIG).read_text(encoding="utf-8"))
    commits = [data["commit"] or "no commit", "0123abcd"]
    (two / CONFIG).write_text(json.dumps({**data, "commit": commits[1]}))
    relabel(two)
    assert main([*merge, "--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "different commits" in out and f"1 and 3 of {commits[0]}" in out and f"2 of {commits[1]}" in out

    whole = (two / RESULTS).read_bytes()
    row = whole.splitlines(True)[0]
    for other in (row, row.replace(b'"success":true', b'"success":false')):
        (two / RESULTS).write_bytes(whole + other)
        text = said(capsys, *merge)
        assert "Shard 2/3" in text and f"has a row twice: {json.loads(row)['key']} by" in text and "--fresh" in text


def folder_bytes(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ps", "many", "'ps' is 'many', and should be: number"),
        ("ts", None, "'ts' is None"),
        ("success", 1, "'success' is 1, and should be: yes or no"),
        ("as", float("nan"), "'as' is nan"),
        ("labels", {"setting": ["static"]}, "'labels' holds more"),
        ("stages", {"act": {"calls": "two"}}, "'stages' should hold whole numbers"),
        ("robots", {"Ann": 3}, "'robots' should hold tables"),
        ("steps", ..., "'steps' is missing"),
        ("ts", 10**400, "'ts' is 1000"),
        ("crash", "oh", "'crash_own' is missing"),
    ],
)
def test_a_row_that_says_no_scores_is_named_by_file_and_line(name, value, words, parts, capsys):
    two = parts / "shards" / "2-of-3"
    lines = (two / RESULTS).read_text(encoding="utf-8").splitlines()
    row = {**json.loads(lines[1]), name: value}
    lines[1] = json.dumps({k: v for k, v in row.items() if v is not ...})
    (two / RESULTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    relabel(two)
    before = folder_bytes(parts)
    text = said(capsys, "bench", "merge", str(parts), "--no-plots")
    assert f"'{two}': line 2 of {RESULTS}: {words}" in text
    assert folder_bytes(parts) == before, "nothing is lost, nothing written"


def test_what_somebody_changed_by_hand_is_noticed(parts, capsys):
    merge, two = ["bench", "merge", str(parts), "--no-plots"], parts / "shards" / "2-of-3"
    play = [*WORDS, "--no-plots", "--out", str(parts), "--shard"]
    whole = (two / RESULTS).read_bytes()
    (two / RESULTS).write_bytes(whole.replace(b'"success":false', b'"success":true', 1))
    assert (two / RESULTS).read_bytes() != whole
    assert f"Shard 2/3 in '{two}': {RESULTS} was changed after it was played" in said(capsys, *merge)
    for shard in ("2/3", "next/3"):
        assert f"'{two / RESULTS}' was changed after it was played" in said(capsys, *play, shard), "and is not kept"
    (two / RESULTS).write_bytes(whole)

    walls = (two / "wall.jsonl").read_bytes()
    (two / "wall.jsonl").write_bytes(walls.replace(b'"wall_s":', b'"wall_s":1', 1))
    assert "wall.jsonl was changed" in said(capsys, *merge)
    (two / "wall.jsonl").write_bytes(walls[: walls.index(b"}")] + b',"calls":[["act"]]}\n' + walls)
    assert "line 1 of wall.jsonl tells no times" in said(capsys, *merge)
    (two / "wall.jsonl").write_bytes(walls)

    for number in (1, 2):
        path = parts / "shards" / f"{number}-of-3" / CONFIG
        config = path.read_bytes()
        path.write_bytes(config.replace(b"coterie bench smoke", b"coterie bench tidy"))
        assert path.read_bytes() != config
        text = said(capsys, *merge)
        assert f"{CONFIG} of shard {number}/3" in text and "was changed after the shard was played" in text
        relabel(path.parent)
        text = said(capsys, *merge)
        assert "was played by another command than shard 1/3" in text and "coterie bench tidy" in text
        path.write_bytes(config)
        relabel(path.parent)
    near = config.replace(b"coterie bench smoke", b"coterie bench smoke --base-url http://elsewhere/v1")
    path.write_bytes(near)
    relabel(path.parent)
    assert main(merge) == 0 and "differ in --base-url or --load" in capsys.readouterr().out


def test_a_merge_puts_the_whole_bench_where_nothing_is_lost(played, parts, tmp_path, capsys, monkeypatch):
    shards, before = [str(parts / "shards" / f"{n}-of-3") for n in (1, 2, 3)], folder_bytes(parts)
    merge = ["bench", "merge"]
    assert main([*merge, *shards, "--no-plots", "--dry-run"]) == 0
    assert f"15 rows of 3 shards would be merged into {parts}" in capsys.readouterr().out
    assert main([*merge, *shards, "--no-plots", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 15
    assert folder_bytes(parts) == before, "it was only looked at"
    assert main([*merge, *shards, "--no-plots"]) == 0, "where they lie together"
    after = folder_bytes(parts)
    assert {name: after[name] for name in before} == before
    assert after[RESULTS] == (played / "one" / RESULTS).read_bytes()
    assert main([*merge, *shards, "--no-plots"]) == 0, "the same once more"

    monkeypatch.chdir(shards[1])
    for out in (".", "deeper"):
        assert "is a shard, or lies in one" in said(capsys, *merge, *shards, "--out", out)
    shutil.copytree(shards[0], tmp_path / "elsewhere")
    assert "say where the whole bench is to go, with --out" in said(
        capsys, *merge, str(tmp_path / "elsewhere"), *shards
    )

    other = tmp_path / "other"
    assert main(["bench", "smoke", "--methods", "rules", "--episodes", "2", "--no-plots", "--out", str(other)]) == 0
    capsys.readouterr()
    kept = folder_bytes(other)
    text = said(capsys, *merge, str(parts), "--out", str(other))
    assert f"'{other / RESULTS}' holds results that are not in these shards: line " in text and "--fresh" in text
    assert folder_bytes(other) == kept
    crashed = {**json.loads(after[RESULTS].splitlines()[0]), "crash": "oh"}
    (other / RESULTS).write_text(json.dumps(crashed) + "\n")
    assert main([*merge, str(parts), "--no-plots", "--out", str(other)]) == 0, "it was played again"
    (other / RESULTS).write_bytes(kept[RESULTS].replace(b'"rules"', b'"other"'))
    assert main([*merge, str(parts), "--no-plots", "--out", str(other), "--fresh"]) == 0
    assert (other / TABLE).read_bytes() == (played / "one" / TABLE).read_bytes()
    for words in (["--methods", "rules"], ["--shard", "1/3"], ["--validate"], ["--memo-from", "x"]):
        assert f"{words[0]} is for playing" in said(capsys, *merge, str(parts), *words)


def test_a_shard_goes_on_where_it_was_and_next_takes_what_is_left(parts, capsys):
    two = parts / "shards" / "2-of-3"
    whole = (two / RESULTS).read_bytes()
    shutil.rmtree(parts / "shards" / "3-of-3")
    (two / RESULTS).write_bytes(whole[: len(whole) // 2])
    assert main([*WORDS, "--no-plots", "--out", str(parts), "--shard", "next/3"]) == 0
    out = capsys.readouterr().out
    assert "Shard 2/3" in out and "Shard 3/3" in out and "Shard 1/3" not in out and "All 3 shards are there" in out
    assert (two / RESULTS).read_bytes() == whole


def test_another_bench_does_not_go_on_in_the_same_folder(parts, capsys):
    words = ["bench", "smoke", "--methods", "rules", "--episodes", "5", "--out", str(parts), "--shard", "1/3"]
    assert "holds a shard of another bench (smoke with rules, random-legal" in said(capsys, *words)


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "a/3", "1/99999", "-1/3", "1/3/4"])
def test_odd_shards_are_refused_in_a_sentence(text):
    with pytest.raises(CoterieError, match="like 3/16"):
        parse_shard(text)


@given(st.lists(st.booleans(), min_size=1, max_size=4), st.integers(1, 14), st.integers(1, 8))
@settings(max_examples=12)
def test_every_row_is_in_one_shard_and_shards_are_even(memos, episodes, of):
    plain = {memo: parse_method("rules+memo" if memo else "rules") for memo in (True, False)}
    methods = [replace(plain[memo], name=f"m{j}") for j, memo in enumerate(memos)]
    specs = [EpisodeSpec(f"e{i}", Config()) for i in range(episodes)]
    plan = Plan(specs, methods, Path("somewhere"), "mine", "none", {})
    parts = [plan.jobs(Shard(n, of)) for n in range(1, of + 1)]
    every = [(s.key, m.name) for s in specs for m in methods]
    assert sorted((j.key, j.method) for part in parts for j in part) == sorted(every)
    places = {unit_name(j.key, j.method, bool(j.memo)): set() for part in parts for j in part}
    for n, part in enumerate(parts):
        for job in part:
            places[unit_name(job.key, job.method, bool(job.memo))].add(n)
    assert all(len(found) == 1 for found in places.values()), "what belongs together stays together"
    found, load = owners([s.key for s in in_turn(specs)], methods, of), [0] * of
    units = units_of(unit_name(s.key, m.name, bool(m.memo)) for s in in_turn(specs) for m in methods)
    assert found == shares(units, of)
    for unit in units:
        load[found[unit.name] - 1] += unit.size
    assert max(load) - min(load) <= max(u.size for u in units)


def test_numbers_in_words():
    assert ranges([3]) == "3" and ranges([1, 2, 3]) == "1-3" and ranges([1, 4, 5, 6, 9]) == "1, 4-6 and 9"


# -- leases ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def no_beats(monkeypatch):
    """A holder that writes nothing by itself: a beat at the wrong moment would overwrite what the test puts there."""
    monkeypatch.setattr(Lease, "_beat", lambda lease: None)


def test_a_lease_is_held_by_one_and_left_when_over(tmp_path):
    with Lease(tmp_path):
        with pytest.raises(Taken, match=f"process {os.getpid()} on {files.host()}"):
            Lease(tmp_path)
        with pytest.raises(Taken):
            Lease(tmp_path, wait=True)  # it sees it alive
    assert not (tmp_path / LEASE).exists() and not list(tmp_path.iterdir())
    Lease(tmp_path).release()


def test_the_lease_of_a_machine_that_died_is_taken_over(tmp_path, monkeypatch):
    monkeypatch.setenv(leasing.SILENT_FLAG, "0.4")
    (tmp_path / LEASE).write_text(json.dumps({"token": "x", "beats": 7, "host": "elsewhere", "pid": 1}))
    with pytest.raises(Taken, match="process 1 on elsewhere"):
        Lease(tmp_path)
    with Lease(tmp_path, wait=True) as lease:
        lease.check()


def test_the_lease_of_a_process_here_that_is_gone_is_taken_at_once(tmp_path):
    done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    held = {"token": "x", "beats": 7, "host": files.host(), "pid": int(done.stdout)}
    for elsewhere in ({}, {"machine": "a container of the same name"}):
        (tmp_path / LEASE).write_text(json.dumps(held | elsewhere))
        with pytest.raises(Taken):
            Lease(tmp_path)
    (tmp_path / LEASE).write_text(json.dumps(held | {"machine": leasing.machine()}))
    Lease(tmp_path).release()


def test_a_lease_says_on_which_machine_its_process_is(tmp_path):
    with Lease(tmp_path):
        assert json.loads((tmp_path / LEASE).read_text())["machine"] == leasing.machine()
    words = [sys.executable, "-c", "from coterie.bench.cluster.lease import machine; print(machine())"]
    other = subprocess.run(words, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == leasing.machine(), "the same for all processes"


def test_who_was_taken_for_dead_stops(tmp_path, monkeypatch):
    monkeypatch.setenv(leasing.SILENT_FLAG, "0.2")
    with Lease(tmp_path) as lease:
        until = time.monotonic() + 60
        while not lease._lost and time.monotonic() < until:  # a beat that is under way may write over it
            (tmp_path / LEASE).write_text(json.dumps({"token": "other", "beats": 0, "host": "elsewhere", "pid": 1}))
            time.sleep(0.02)
        with pytest.raises(CoterieError, match="taken over"):
            lease.check()
    assert json.loads((tmp_path / LEASE).read_text())["token"] == "other", "what is another's stays"


class SilentClock:
    """For each thread its own; it stands still while somebody alive holds the lease, however busy the machine is: none
    of those who wait takes the new holder for dead."""

    CLOCK_BOOTTIME, clock_gettime = time.CLOCK_BOOTTIME, staticmethod(time.clock_gettime)

    def __init__(self, path, dead):
        self.path, self.dead, self.own = path, dead, threading.local()

    def monotonic(self):
        return getattr(self.own, "now", 0.0)

    def sleep(self, seconds):
        time.sleep(seconds)
        if leasing._read(self.path).get("host") == self.dead:  # it may be renamed between two looks
            self.own.now = self.monotonic() + seconds


def test_of_many_who_want_a_dead_one_s_lease_one_gets_it(tmp_path, monkeypatch):
    monkeypatch.setenv(leasing.SILENT_FLAG, "0.5")
    (tmp_path / LEASE).write_text(json.dumps({"token": "x", "beats": 7, "host": "elsewhere", "pid": 1}))
    monkeypatch.setattr(leasing, "time", SilentClock(tmp_path / LEASE, "elsewhere"))
    got, refused = [], []

    def want():
        try:
            got.append(Lease(tmp_path, wait=True))
        except Taken:
            refused.append(1)

    threads = [threading.Thread(target=want) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for lease in got:
        lease.check()
        lease.release()
    assert len(got) == 1 and len(refused) == 5


def test_two_who_take_the_next_shards_share_them(tmp_path):
    """Each shard is played by one of them, and both come to the end."""
    specs, methods = sample(make_suite("smoke"), 6), parse_methods("rules")
    plan = Plan(specs, methods, tmp_path, "smoke", "none", {})
    played: list[Shard] = []
    threads = [threading.Thread(target=lambda: played.extend(p.shard for p in play_next(plan, 4))) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(played) == [Shard(n, 4) for n in range(1, 5)] and not open_shards(plan, 4)
    assert Path(play_shard(plan, Shard(1, 4)).place / RESULTS).is_file()


def test_what_was_finished_between_a_look_and_the_lease_is_not_played_again(tmp_path, monkeypatch):
    plan = Plan(sample(make_suite("smoke"), 2), parse_methods("rules"), tmp_path, "smoke", "none", {})
    looks, real = [], sharding.is_whole

    def is_whole(plan, shard):
        looks.append(shard)
        if len(looks) == 1:  # it is open; before it is taken, somebody else plays it
            play_shard(plan, shard)
            return False
        return real(plan, shard)

    monkeypatch.setattr(sharding, "is_whole", is_whole)
    assert list(play_next(plan, 1)) == [] and len(looks) == 3


def test_the_lease_alone_decides_where_a_dead_machine_left_its_locks(tmp_path, monkeypatch):
    """As servers of network file systems do: locks of the system stay with whoever died."""
    monkeypatch.setenv(leasing.SILENT_FLAG, "0.4")
    plan = Plan(sample(make_suite("smoke"), 2), parse_methods("rules"), tmp_path, "smoke", "none", {}, logs=True)
    shard = Shard(1, 1)
    place = shard.place(tmp_path)
    place.mkdir(parents=True)
    (place / LEASE).write_text(json.dumps({"token": "x", "beats": 7, "host": "elsewhere", "pid": 1}))
    log = Path(plan.jobs(shard)[0].log)
    log.parent.mkdir(parents=True)
    with Lock(place / RESULTS), Lock(log):
        assert play_shard(plan, shard).rows == 2
    assert not open_shards(plan, 1) and log.is_file()


def test_who_stood_still_looks_before_it_writes(tmp_path, no_beats):
    """A machine that slept for an hour thinks that it still holds what another one plays."""
    with Lease(tmp_path) as lease:
        (tmp_path / LEASE).write_text(json.dumps({"token": "other", "beats": 0, "host": "elsewhere", "pid": 1}))
        lease._seen_s -= 3600
        with pytest.raises(CoterieError, match="taken over"):
            lease.check()


def test_who_comes_second_gives_back_what_the_first_one_took(tmp_path, monkeypatch):
    """Two see a lease of a dead one; between the look and the deed of one of them, the other has it already."""
    monkeypatch.setenv(leasing.SILENT_FLAG, "0.1")
    path, faster = tmp_path / LEASE, json.dumps({"token": "faster", "beats": 0, "host": "elsewhere", "pid": 2})
    path.write_text(json.dumps({"token": "dead", "beats": 7, "host": "elsewhere", "pid": 1}))

    def late(old, new, real=os.rename):
        if "dead" in path.read_text():
            path.write_text(faster)
        real(old, new)

    monkeypatch.setattr(os, "rename", late)
    turns = iter([True])  # it watches the dead one, and believes the next one at first sight
    take_over = Lease._take_over
    monkeypatch.setattr(Lease, "_take_over", lambda lease, wait: take_over(lease, next(turns, False)))
    with pytest.raises(Taken, match="process 2 on elsewhere"):
        Lease(tmp_path)
    assert path.read_text() == faster


def test_a_lease_that_vanished_is_made_again_by_its_holder(tmp_path, no_beats):
    with Lease(tmp_path) as lease:
        (tmp_path / LEASE).unlink()
        lease._seen_s -= 3600
        lease.check()
        assert json.loads((tmp_path / LEASE).read_text())["token"] == lease.token
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("rows", [1, 2])
def test_who_lost_its_shard_writes_no_more_and_does_not_call_it_whole(rows, tmp_path, monkeypatch, no_beats):
    held = []
    monkeypatch.setattr(sharding, "Lease", lambda *a, **k: held.append(Lease(*a, **k)) or held[0])
    plan = Plan(sample(make_suite("smoke"), 2), parse_methods("rules"), tmp_path, "smoke", "none", {})
    place = Shard(1, 1).place(tmp_path)

    def progress(done, total):
        if done == rows:
            (place / LEASE).write_text(json.dumps({"token": "other", "beats": 0, "host": "elsewhere", "pid": 1}))
            held[0]._seen_s -= 3600

    with pytest.raises(CoterieError, match="taken over by another"):
        play_shard(plan, Shard(1, 1), progress=progress)
    assert len((place / RESULTS).read_text().splitlines()) == rows and not read_label(place).whole


@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP])
def test_a_file_system_without_links_or_locks_will_do(number, tmp_path, monkeypatch, no_beats):
    def none(*_):
        raise OSError(number, "none here")

    monkeypatch.setattr(os, "link", none)
    with Lease(tmp_path):
        with pytest.raises(Taken):
            Lease(tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == [LEASE]
    Lease(tmp_path).release()
    if number == errno.ENOTSUP:
        monkeypatch.setattr(files.fcntl, "flock", none)
        Lock(tmp_path / RESULTS).release()


def test_a_lock_of_another_machine_says_what_to_do_if_it_is_dead(tmp_path, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(files, "host", lambda: "elsewhere")
        held = Lock(tmp_path / RESULTS)
    with pytest.raises(CoterieError, match=r"on elsewhere .*If that machine is dead, delete '.*\.lock'"):
        Lock(tmp_path / RESULTS)
    held.path.unlink()
    Lock(tmp_path / RESULTS).release()
    held.release()
