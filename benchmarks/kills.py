"""Kills commands at random moments, lets them go on, and compares what they leave with what they leave unharmed.

    python benchmarks/kills.py [--kills 200] [--seed 0] [--only bench]
    python benchmarks/kills.py --only mission     goals, knowledge and experience of missions, too

Each scenario is played once to its end; then again and again, killed (SIGKILL, with all its processes) at random
moments, begun again as a user would, and at last left to end. Logs, rows and tables must be the same byte for byte, and
no half file, lock or draft may be left. What is kept of the clock and of solved tasks (`.wall`, `wall.jsonl`, memos) is
never the same: after each kill it must be whole but for half a line at the end of lines, and at the end altogether.
Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for `tests`

from benchmarks.killed_mission import SCENARIOS as MISSIONS
from coterie.bench.table import markdown
from coterie.models.server import Messages
from coterie.protocols.dynahmrc.oracle import answer
from tests.models.faulty import Fault, Faulty

COTERIE = [sys.executable, "-m", "coterie"]
MISSION = Path(__file__).with_name("killed_mission.py")


class Scenario(NamedTuple):
    name: str
    words: list[str]  # {log} and {out} stand for files of the run
    http: bool = False


HARD = ["--team", "Ma-MoMa-Mo-UAV", "--level", "hard", "--seed", "7", "--change", "cto@5"]
SMOKE = ["bench", "smoke", "--no-plots", "--logs", "--out", "{out}"]
SCENARIOS = [
    Scenario("run", ["run", "pack-objects", *HARD, "--log", "{log}"]),
    Scenario("run, lossy radio", ["run", "pack-objects", *HARD, "--radio", "loss=0.3", "--log", "{log}"]),
    Scenario("run, HTTP", ["run", "pack-objects", "--seed", "7", "--log", "{log}", "--protocol", "dynahmrc"], True),
    Scenario(
        "run +memo, HTTP",
        ["run", "pack-objects", "--seed", "7", "--log", "{log}", "--protocol", "dynahmrc", "--memo"],
        True,
    ),
    Scenario("bench", [*SMOKE, "--methods", "rules,random-legal"]),
    Scenario("bench --jobs 2", [*SMOKE, "--methods", "rules,random-legal", "--jobs", "2"]),
    Scenario("bench +memo", [*SMOKE, "--methods", "dynahmrc+memo", "--model", "oracle", "--episodes", "8"]),
    Scenario("bench +memo, HTTP", [*SMOKE, "--methods", "dynahmrc+memo", "--episodes", "6"], True),
    Scenario("bench --jobs 2, HTTP", [*SMOKE, "--methods", "dynahmrc", "--episodes", "6", "--jobs", "2"], True),
    *(Scenario(f"mission, {m.name}", [str(MISSION), str(number)]) for number, m in enumerate(MISSIONS)),
]


@contextlib.contextmanager
def fickle(scenario: Scenario) -> Iterator[list[str]]:
    """The words that ask a model over HTTP: a server that plays well but changes its mind about what it accepts."""
    if not scenario.http:
        yield []
        return

    def faults(number: int, body: dict[str, object]) -> Fault | None:
        odd = [k for k in body if k not in ("model", "messages", "max_tokens", "temperature")]
        if odd and (number // 7) % 3 == 1:
            return Fault(status=400, words=f"unknown field '{odd[number % len(odd)]}'")
        return Fault(status=503) if number % 23 == 22 else None

    def mind(messages: Messages, _: dict[str, object]) -> str:
        return answer(tuple((m["role"], m["content"]) for m in messages))

    server = Faulty(mind, faults=faults).start()
    try:
        yield ["--model", "openai:oracle", "--base-url", server.url]
    finally:
        server.stop()


def begin(words: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "COTERIE_CACHE": str(folder / "cache")}
    quiet = subprocess.DEVNULL
    command = [sys.executable, *words] if words[0] == str(MISSION) else [*COTERIE, *words]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=quiet, stderr=quiet, start_new_session=True)


def made(folder: Path) -> dict[str, bytes]:
    """What must not differ: everything but times of the clock; rows in any order."""
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and "cache" not in p.relative_to(folder).parts):
        name = str(path.relative_to(folder))
        if path.suffix in (".wall", ".sqlite") or path.name == "wall.jsonl" or ".sqlite-" in path.name:
            continue
        raw = path.read_bytes()
        if path.name == "table.md":  # what calls took on the clock is told there, and never the same
            raw = re.sub(rb"^## Latency\n.*?(?=^## |\Z)", b"", raw, flags=re.M | re.S)
        found[name] = b"".join(sorted(raw.splitlines(keepends=True))) if path.name == "results.jsonl" else raw
    return found


def torn(folder: Path, over: bool) -> list[str]:
    """Files that `made` leaves out and that are not whole: right after a kill, or when all is `over`."""
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = str(path.relative_to(folder))
        if path.suffix == ".wall":
            found += [] if _is_json(path.read_bytes()) else [f"{name} is torn"]
        elif path.name == "wall.jsonl":
            *whole, rest = path.read_bytes().split(b"\n")
            found += [f"{name} has a line that is none"] if not all(map(_is_json, whole)) else []
            found += [f"{name} ends in half a line"] if rest and over else []
        elif path.suffix == ".sqlite":
            found += [f"{name}: {why}" for why in _memo(path, over)]
    return found


def _is_json(raw: bytes) -> bool:
    try:
        return isinstance(json.loads(raw), dict)
    except ValueError:
        return False


def _memo(path: Path, over: bool) -> list[str]:
    """What is wrong with a store: it must open as it lies there, with whatever SQLite needs to mend it."""
    with tempfile.TemporaryDirectory() as scratch:  # a copy: looking at it would mend it
        for part in path.parent.glob(f"{path.name}*"):
            shutil.copy(part, scratch)
        try:
            with contextlib.closing(sqlite3.connect(Path(scratch) / path.name)) as db:
                (said,) = db.execute("pragma integrity_check").fetchone()
                tables = [n for (n,) in db.execute("select name from sqlite_master where type = 'table'")]
                for table in tables:
                    db.execute(f'select * from "{table}"').fetchall()
        except sqlite3.Error as err:
            return [f"{type(err).__name__}: {err}"]
        left = [f"{p.name} is left" for p in path.parent.glob(f"{path.name}-*")] if over else []
        return [*([said] if said != "ok" else []), *left]


def words_of(scenario: Scenario, folder: Path, more: Sequence[str]) -> list[str]:
    """What a user types next: the command, or where its log has begun, to go on with it."""
    log = folder / "run.jsonl"
    if scenario.words[0] == "run" and log.is_file() and b"\n" in log.read_bytes():
        return ["run", "--resume", "run.jsonl", *more[2:]]
    return [w.format(log="run.jsonl", out="out") for w in scenario.words] + list(more)


def attack(scenario: Scenario, kills: int, rng: random.Random, tick: Callable[[], None]) -> list[str]:
    """Complaints about a scenario after so many kills."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as home, fickle(scenario) as more:
        whole = Path(home) / "whole"
        whole.mkdir()
        begun = time.perf_counter()
        code = begin(words_of(scenario, whole, more), whole).wait()
        took, wanted = time.perf_counter() - begun, made(whole)
        if code not in (0, 1):
            return [f"it ends with {code} unharmed"]
        n = 0
        while n < kills:
            folder = Path(home) / "killed"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for _ in range(min(rng.choice((1, 1, 2, 3)), kills - n)):
                process = begin(words_of(scenario, folder, more), folder)
                try:
                    process.wait(rng.uniform(0.2, 1.0) * took)
                except subprocess.TimeoutExpired:  # only what still runs can be killed
                    n += 1
                    tick()
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                found += [f"after {n} kills {what}" for what in torn(folder, over=False)]
            for _ in range(2):  # once to the end, once more with nothing to do
                code = begin(words_of(scenario, folder, more), folder).wait()
                if code not in (0, 1):
                    found.append(f"after {n} kills it ends with {code}")
                if scenario.words[0] != "bench":
                    break
            found += [f"after {n} kills {what}" for what in torn(folder, over=True)]
            got = made(folder)
            for name in sorted(wanted.keys() | got.keys()):
                if wanted.get(name) != got.get(name):
                    what = "differs" if name in wanted and name in got else "is left" if name in got else "is missing"
                    found.append(f"after {n} kills {name} {what}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="in all, over all scenarios (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="draws the moments (default 0)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only scenarios with this in their name")
    args = parser.parse_args()
    chosen = [s for s in SCENARIOS if args.only in s.name]
    done, rows, bad = 0, [], 0
    for i, scenario in enumerate(chosen):
        kills = args.kills * (i + 1) // len(chosen) - args.kills * i // len(chosen)

        def tick() -> None:
            nonlocal done
            done += 1
            print(f"\r{done} of {args.kills} kills", end="", file=sys.stderr, flush=True)

        complaints = attack(scenario, kills, random.Random(f"{args.seed} {scenario.name}"), tick)
        bad += len(complaints)
        rows.append((scenario.name, str(kills), str(len(complaints)), complaints[0] if complaints else ""))
    print(file=sys.stderr)
    print("\n".join(markdown(["scenario", "kills", "differences", "the first"], rows)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
