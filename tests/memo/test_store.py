"""The file: round trips, keys, two processes, a kill in the middle, and files that are not what they seem."""

import contextlib
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from coterie.core.errors import CoterieError
from coterie.memo import BadRow, Case, Memo, Plan, Pose, Store
from coterie.memo.file import store as module
from coterie.memo.file.schema import pack as packed
from coterie.memo.file.schema import unpack

from .drawn import packs, plans
from .made import pack, pack_plan, sort


# -- round trips ------------------------------------------------------------------------------------------------------
@pytest.mark.long
@given(plans)
@settings(max_examples=10)
def test_plans_come_back_bit_for_bit(plan):
    assert unpack(*packed(plan)) == plan
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))).to_json() == plan.to_json()


@given(packs)
def test_cases_come_back(case):
    again = Case.from_json(json.loads(json.dumps(case.to_json())))
    assert again == case
    assert again.structure == case.structure


def test_the_store_gives_back_what_it_got(file):
    case = pack(obstacles={"wall": Pose(0.1, 0.2, 0.3, 0.4)}, constraints=("bread first",))
    with Store(file) as store:
        assert store.put(case, pack_plan(case), "one")
    with Store(file) as store:
        got = store.get(1)
        assert (got.case, got.plan, got.episode, got.freq) == (case, pack_plan(case), "one", 0)
        assert store.get(2) is None


# -- keys -------------------------------------------------------------------------------------------------------------


def test_what_is_taken_back_was_never_there(file):
    with Memo(file) as memo:
        for i in range(9):
            memo.remember(sort(x=0.3 + 0.01 * i), Plan(()), f"e{i}")

        def play() -> tuple:
            memo.store.take_back("again")
            found = memo.lookup(sort(x=0.5))
            rows = [(r.episode, r.freq) for r in memo.store.rows()]
            memo.use(found.match, "again")
            memo.remember(sort(x=0.5), Plan(()), "again")
            return found.match.episode, found.match.moved_m, rows

        first = play()
        assert play() == first  # it does not find what it wrote itself
        assert memo.lookup(sort(x=0.5)).match.episode == "again"
        assert dict((r.episode, r.freq) for r in memo.store.rows())[first[0]] == 1


def test_forgetting(file):
    with Memo(file) as memo, Memo(file) as other:
        for i in range(3):
            memo.remember(sort(x=0.3 + 0.1 * i), Plan(()), f"s{i}")
        memo.remember(pack(), pack_plan(pack()), "p")
        assert other.lookup_global(sort()).match is not None
        assert memo.store.clear("sort-cubes") == 3
        assert other.lookup_global(sort()).match is None  # also in a memo that had the vectors in memory
        assert other.lookup(pack()).match is not None
        assert memo.store.clear() == 1
        assert memo.store._db.execute("SELECT count(*) FROM plans").fetchone() == (0,)


# -- processes --------------------------------------------------------------------------------------------------------
FORKED = multiprocessing.get_context("fork")  # a new process would spend its time with imports


def write(file: Path, name: str, count: int, told: Connection) -> None:
    with Store(file) as store:
        for i in range(count):
            case = pack(apple=(-0.5 - 0.0001 * i, 0.4, 0.3))
            store.put(case, pack_plan(case), f"{name}/{i}")
            store.use(1, f"{name}/{i}")
            told.send(i)


def writer(file: Path, name: str, count: int) -> tuple[BaseProcess, Connection]:
    ours, theirs = FORKED.Pipe(duplex=False)
    process = FORKED.Process(target=write, args=(file, name, count, theirs))
    process.start()
    theirs.close()
    return process, ours


def killed(change: Callable[[], None], work: Callable[[], object]) -> int:
    """What a process returns that does some work after a change to its modules."""

    def child() -> None:
        change()
        work()

    process = FORKED.Process(target=child)
    process.start()
    process.join(60)
    return process.exitcode


def dies(*given: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def dies_after(part: Callable[..., object]) -> Callable[..., None]:
    return lambda *given: dies(part(*given))


def episodes(file: Path) -> list[str]:
    with Store(file) as store:
        return [r.episode for r in store.rows(limit=10**6)]


def assert_sound(file: Path) -> None:
    """The file is whole; every task has one plan and one vector in the index; frequencies are what was used."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for one, other in (("cases", "plans"), ("plans", "cases")):
            assert db.execute(f"SELECT id FROM {one} EXCEPT SELECT id FROM {other}").fetchall() == []
        uses, freq = db.execute("SELECT (SELECT count(*) FROM uses), (SELECT sum(freq) FROM cases)").fetchone()
        assert uses == freq
        ids = [i for (i,) in db.execute("SELECT id FROM cases ORDER BY id")]
    with Store(file) as store:
        found = store.vectors(pack().structure, 0, 6)[0].tolist()
    assert found == ids


def test_two_processes_write_at_once(file):
    both = [writer(file, name, 60) for name in ("a", "b")]
    for process, _ in both:
        process.join(600)
        assert process.exitcode == 0
    assert sorted(episodes(file)) == sorted(f"{n}/{i}" for n in "ab" for i in range(60))
    assert_sound(file)


@pytest.mark.long
def test_one_of_them_is_killed_in_the_middle(file):
    """Several times, at moments that differ: what was acknowledged is there, nothing is there twice, and it goes on."""
    done: dict[str, int] = {}
    for turn in range(3):
        (victim, told), (other, _) = writer(file, f"victim{turn}", 10**6), writer(file, f"other{turn}", 40)
        last = [told.recv() for _ in range(5 + 3 * turn)][-1]
        time.sleep(0.003 * turn)
        victim.kill()
        victim.join()
        with contextlib.suppress(EOFError):
            while True:
                last = told.recv()
        other.join(600)
        assert other.exitcode == 0
        done[f"victim{turn}"], done[f"other{turn}"] = last, 39
    there = episodes(file)
    assert len(there) == len(set(there))
    for name, last in done.items():
        assert {f"{name}/{i}" for i in range(last + 1)} <= set(there)
    assert_sound(file)


def test_killed_between_the_parts_of_one_write(file):
    """The process dies inside the transaction: of this task nothing is there."""
    with Store(file) as store:
        store.put(pack(), pack_plan(pack()), "before")
    change = lambda: setattr(module, "_insert", dies_after(module._insert))  # noqa: E731
    assert killed(change, lambda: Store(file).put(pack(), pack_plan(pack()), "half")) == -signal.SIGKILL
    assert episodes(file) == ["before"]
    with Store(file) as store:
        assert store.put(pack(), pack_plan(pack()), "half")
    assert_sound(file)


@pytest.mark.long
def test_two_processes_make_the_file_at_once(tmp_path):
    for turn in range(2):
        file = tmp_path / f"{turn}.sqlite"
        three = [writer(file, name, 1)[0] for name in "abc"]
        for process in three:
            process.join(60)
        assert [p.exitcode for p in three] == [0, 0, 0]
        assert len(episodes(file)) == 3


def test_a_child_of_a_fork_has_its_own_connection(file):
    with Store(file) as store:
        pid = os.fork()
        if pid == 0:
            ok = store.put(pack(), pack_plan(pack()), "child")
            os._exit(0 if ok else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert store.put(pack(), pack_plan(pack()), "parent")
    assert sorted(episodes(file)) == ["child", "parent"]


# -- files that are not what they seem --------------------------------------------------------------------------------
def refused(file: Path) -> str:
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(CoterieError) as told, Store(file) as store:
        store.rows()
        store.put(pack(), pack_plan(pack()), "x")
    assert before is None or file.read_bytes() == before, "nothing may be destroyed"
    return str(told.value)


def filled(file: Path, count: int = 50) -> None:
    with Store(file) as store:
        for i in range(count):
            store.put(pack(), pack_plan(pack()), f"e{i}")
    for extra in ("-wal", "-shm"):
        assert not Path(f"{file}{extra}").exists()


def of_version(number):
    def change(file):
        filled(file)
        with contextlib.closing(sqlite3.connect(file)) as db:
            db.execute(f"PRAGMA user_version = {number}")

    return change


def of_another_program(file):
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE mail (id)")


def cut_to(share):
    def change(file):
        filled(file)
        os.truncate(file, int(file.stat().st_size * share))

    return change


def garbage(file):
    file.write_bytes(np.random.default_rng(0).bytes(10_000))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (of_version(0), "older version of Coterie (format 0, now 2)"),
        (of_version(99), "update Coterie"),
        (of_another_program, "database of another program"),
        (garbage, "damaged or is no memo"),
        (cut_to(0.001), "damaged or is no memo"),
        (cut_to(0.5), "damaged or is no memo"),
        (cut_to(0.9), "damaged or is no memo"),
        (Path.mkdir, "Cannot write the memo"),
    ],
)
def test_a_file_that_is_no_memo_of_today_is_refused_and_left_as_it_is(file, change, words):
    change(file)
    told = refused(file)
    assert words in told
    assert "move it away" in told or change in (Path.mkdir, of_another_program) or "update" in told


def test_an_empty_file_is_a_new_memo(file):
    file.touch()
    with Store(file) as store:
        assert store.rows() == []


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "cache").touch()
    with pytest.raises(CoterieError, match="Set COTERIE_CACHE to a folder of yours"):
        Store(tmp_path / "cache" / "memo.sqlite")


@pytest.mark.parametrize("what", ["file", "folder", "new"])
def test_read_only(tmp_path, tmp_path_factory, what):
    """As a person without rights: root may write anywhere, so it becomes nobody."""
    folder = tmp_path / "cache"
    folder.mkdir()
    file = folder / "memo.sqlite"
    if what != "new":
        filled(file)
        file.chmod(0o444 if what == "file" else 0o666)
    folder.chmod(0o777 if what == "file" else 0o555)
    for place in [folder, *folder.parents]:
        if not (place.is_relative_to(tmp_path_factory.getbasetemp()) or place.name.startswith(("pytest-", "popen-"))):
            break  # not a folder of the tests: as open as it was
        place.chmod(place.stat().st_mode | 0o055)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom coterie.memo import Store\n"
        "from coterie.core.errors import CoterieError\n"
        "if os.getuid() == 0: os.setgid(65534); os.setuid(65534)\n"
        "try: Store(Path(sys.argv[1])).clear()\n"
        "except CoterieError as err: print(err)\n"
    )
    before = file.read_bytes() if file.exists() else None
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    folder.chmod(0o755)
    assert done.stdout.startswith("Cannot write the memo"), done
    assert "COTERIE_CACHE" in done.stdout
    assert (file.read_bytes() if file.exists() else None) == before


def test_a_memo_that_is_held_for_too_long(file, monkeypatch):
    filled(file, 1)
    monkeypatch.setattr("coterie.memo.file.schema.BUSY_S", 0.1)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CoterieError, match="held by another process"):
            Store(file)
        db.execute("ROLLBACK")
    assert episodes(file) == ["e0"]


def test_fifty_rows_are_shown_unless_more_are_asked_for(file):
    with Store(file) as store:
        for i in range(60):
            store.put(pack(apple=(-0.5 + i / 1000, 0.4, 0.3)), Plan(()), f"e{i}")
        assert len(store.rows()) == 50
        assert len(store.rows(limit=55)) == 55
        assert [r.episode for r in store.rows("pack-grocery", 2)] == ["e59", "e58"]
        assert store.rows("sandwich") == []


def test_a_vector_that_does_not_fit_is_skipped_and_the_others_are_read(file):
    with Store(file) as store:
        for i in range(3):
            store.put(pack(), pack_plan(pack()), f"e{i}")
        with store._writing() as db:
            db.execute("UPDATE cases SET vector = ? WHERE id = 1", (np.zeros(5, "<f4").tobytes(),))
        assert store.vectors(pack().structure, 0, 6)[0].tolist() == [2, 3]
        assert store.skipped == 1
        assert store.vectors(pack().structure, 2, 6)[0].tolist() == [3]


@pytest.mark.parametrize("place", [[-1, 1, 1], [0, -1, -1], [0, -1, 1], [0, 1, -1], [2, 1, 2], [4, 1, 1]])
def test_numbers_that_are_cut_short_are_no_plan(place):
    outline = [{"Alice": {"skill": "PICK", "args": [], "path": None, "motion": [{"knots": place, "ee": [0, 0, 3]}]}}]
    with pytest.raises(BadRow, match="cut short"):
        unpack(json.dumps(outline), np.zeros(3, "<f8").tobytes())
