"""Tries to break a run with a hostile endpoint: each behaviour of the table in `tests/models/hostile.py`, through the
command line, in a process of its own.

    python benchmarks/hostile.py                  all behaviours, from the first request and from the fifth on
    python benchmarks/hostile.py --only redirect  those whose name has this in it

Every run must end in time, in a sentence and with exit code 0, 1 or 2; nothing it prints or keeps may hold the key or
control characters, no other host may be asked, and its memory stays small. Then the run is resumed against a good
endpoint and must end; where the endpoint said nothing at all, in the same log as if nothing had happened.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from coterie.models.server import serve  # noqa: E402
from tests.models.fickle import text_for  # noqa: E402
from tests.models.hostile import BEHAVIOURS, Behaviour, Hostile  # noqa: E402

KEY = "sk-very-secret-0123456789"
TASK = ["pack-objects", "--team", "Ma-MoMa", "--level", "easy", "--protocol", "dynahmrc", "--model", "openai:x"]
SPARE_S = 40.0  # for a process to start and to play an episode to its end, also where cores are busy
MOST_MB = 400  # of memory; without an endpoint, a run takes 60 to 100


class Ended(NamedTuple):
    code: int
    seconds: float
    megabytes: float
    said: str

    @property
    def sentence(self) -> str:
        return self.said.strip().splitlines()[-1] if self.said.strip() else ""


class Tried(NamedTuple):
    name: str
    after: int
    first: Ended
    again: Ended
    wrong: list[str]


def coterie(words: list[str], limit_s: float, folder: Path) -> Ended:
    """Run a command in a process of its own; code -9 if it did not end in time."""
    env = {**os.environ, "OPENAI_API_KEY": KEY, "PYTHONPATH": str(ROOT / "src"), "NO_PROXY": "*"}
    begun = time.perf_counter()
    with (folder / "said.txt").open("w+b") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "coterie", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=env,
            cwd=folder,
        )
        timer = threading.Timer(limit_s, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        out.seek(0)
        said = out.read().decode("utf-8", "replace")
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode, time.perf_counter() - begun, usage.ru_maxrss / 1024, said)


def attempt(behaviour: Behaviour, after: int, good_url: str, whole: bytes, deadline_s: float) -> Tried:
    server = Hostile(behaviour, after).start()
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        log = folder / "log.jsonl"
        words = ["run", *TASK, "--base-url", server.url, "--deadline", f"{deadline_s:g}", "--log", str(log)]
        first = coterie(words, deadline_s + SPARE_S, folder)
        server.stop()
        before = log.read_bytes() if log.is_file() else b""
        again = coterie(["run", "--resume", str(log), "--base-url", good_url], SPARE_S, folder)
        end = log.read_bytes() if log.is_file() else b""
    wrong = [*faults(first, deadline_s), *(f"resumed: {w}" for w in faults(again, SPARE_S))]
    if first.code == 2 and not re.search(r"[.!]( Stopped at step \d+\. Go on with: .+)?$", first.sentence):
        wrong.append("no sentence")
    if again.code == 2:
        wrong.append("cannot be resumed")
    if not end.startswith(before):
        wrong.append("resuming changed what the log had")
    if first.code == 2 and b'"error":"The' not in before and end != whole:
        wrong.append("another log than without the fault")
    if KEY.encode() in end or KEY in first.said + again.said:
        wrong.append("the key is told")
    if server.leaked:
        wrong.append("another host was asked")
    return Tried(behaviour.name, after, first, again, wrong)


def faults(ended: Ended, limit_s: float) -> Iterator[str]:
    if ended.code not in (0, 1, 2):
        yield f"exit code {ended.code}"
    if "Traceback" in ended.said:
        yield "a traceback"
    if ended.code == 2 and ended.seconds > limit_s + SPARE_S / 2:
        yield f"{ended.seconds:.0f} s"
    if ended.megabytes > MOST_MB:
        yield f"{ended.megabytes:.0f} MB"
    if any(c < " " and c not in "\n\t\r" for c in ended.said):
        yield "control characters"


def reference(good_url: str) -> bytes:
    with tempfile.TemporaryDirectory() as where:
        log = Path(where) / "log.jsonl"
        ended = coterie(["run", *TASK, "--base-url", good_url, "--log", str(log)], 60.0, Path(where))
        if ended.code:
            raise SystemExit(f"The good endpoint does not do: {ended.said}")
        return log.read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="behaviours whose name has this in it")
    parser.add_argument("--after", type=int, action="append", metavar="N", help="good answers first (default 0 and 4)")
    parser.add_argument("--deadline", type=float, default=2.0, metavar="SECONDS", help="of a request (default 2)")
    args = parser.parse_args()
    chosen = [b for name, b in BEHAVIOURS.items() if args.only in name]
    todo = [(behaviour, after) for after in args.after or (0, 4) for behaviour in chosen]
    tried: list[Tried] = []
    begun = time.perf_counter()
    with serve(lambda messages, options: text_for(messages)) as good_url:
        whole = reference(good_url)
        for number, (behaviour, after) in enumerate(todo, 1):
            tried.append(attempt(behaviour, after, good_url, whole, args.deadline))
            bad = sum(bool(t.wrong) for t in tried)
            line = f"{number}/{len(todo)}  {bad} wrong  {time.perf_counter() - begun:.0f} s  {behaviour.name}"
            print(line, file=sys.stderr)
    print(table(tried))
    return int(any(t.wrong for t in tried))


def table(tried: list[Tried]) -> str:
    width = max(len(t.name) for t in tried)
    lines = [f"{'behaviour':<{width}}  after  exit      s    MB  resumed  what it says, or what is wrong"]
    for t in tried:
        words = f"WRONG: {'; '.join(t.wrong)}" if t.wrong else t.first.sentence if t.first.code == 2 else "(played on)"
        words = re.sub(r"^The model endpoint \S+ |^http\S+ | Stopped at step.*", "", words)[:90]
        numbers = (
            f"{t.after:>5}  {t.first.code:>4}  {t.first.seconds:>5.1f}  {t.first.megabytes:>4.0f}  {t.again.code:>7}"
        )
        lines.append(f"{t.name:<{width}}  {numbers}  {words}")
    codes = [t.first.code for t in tried]
    summary = [
        f"{len(tried)} runs against {len({t.name for t in tried})} behaviours: "
        f"{sum(not t.wrong for t in tried)} as they should be, {sum(bool(t.wrong) for t in tried)} not",
        "exit codes " + ", ".join(f"{code}: {codes.count(code)}" for code in sorted({*codes})),
        f"longest run that stopped {max((t.first.seconds for t in tried if t.first.code == 2), default=0):.1f} s, most "
        f"memory {max(t.first.megabytes for t in tried):.0f} MB",
    ]
    return "\n".join([*lines, "", *summary])


if __name__ == "__main__":
    sys.exit(main())
