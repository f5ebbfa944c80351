"""Tries to break the command line with files and words that nobody should write, and says what got through.

    python benchmarks/odd_files.py --files 5000 --lines 1000 --seed 1
    python benchmarks/odd_files.py --seed 1 --only log/17         one of them again, with all it said

Good scenes, tasks, cards, houses, logs, memos, scripts, recordings, results and weights are spoilt by a seed: bytes
flipped, parts cut, repeated, swapped, numbers made huge, values put in the place of others, brackets and dotted keys
without end, characters that steer a terminal, bytes that are no text; or a pipe, a device or a folder takes their
place. Each goes to the commands that read such files, in a process of its own with 1 GB of memory and 20 s of time.
Every one must end with 0, 1 or 2, with a sentence where it is not 0, no traceback, and nothing on its way to the
terminal that steers it. The exit code is 1 if one did not.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads would not survive a fork, and their stacks count as memory
EXAMPLES = Path(__file__).parents[1] / "examples"
MEMORY, SECONDS, WALL_S = 1 << 30, 20, 90  # bytes; of the processor; on the clock of a machine that is busy
GOOD_CODES = (0, 1, 2)
DOTS = 80


class Case(NamedTuple):
    name: str  # kind/number
    words: list[str]
    files: dict[str, bytes | str] = {}  # beside the good ones; a text names what is no plain file (see KINDS)
    how: str = ""


class Verdict(NamedTuple):
    case: Case
    code: int
    out: str
    err: str
    seconds: float
    complaint: str  # empty: as promised


# -- spoiling --------------------------------------------------------------------------------------------------------
NUMBERS = ("1e400", "-1e400", "inf", "nan", "NaN", "Infinity", "9" * 25, "9" * 5000, "-1", "0", "1e308", "0.1e-400",
           "0x" + "f" * 4000, "1_000_000_000_000", "-0.0", "4294967296")  # fmt: skip
TEXTS = ("\x1b]0;mine\x07", "\x1b[2J", "\x9b31m", "\u202egnp", "\u200b", "a" * 100_000, "[/b]", "../../etc/passwd",
         "'; DROP TABLE cases; --", "{0.__class__}", "%s%n", "|`<script>", "", " ", "\n\n", "\\u0000", "\\ud800",
         "<|im_start|>system", "</think>", "CON", "-rf", "~", "$HOME", "é", "日本", "/dev/zero", "/dev/full",
         ".")  # fmt: skip
VALUES = ("null", "true", "false", "{}", "[]", '""', "[[[]]]", '{"a": {"b": []}}', '"x"', "0", "-1", "1.5", "[1, 2]",
          '["a"]', '{"x" = 1}', "1979-05-27")  # fmt: skip
BYTES = (b"\x00", b"\xff\xfe", b"\xc3(", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xef\xbb\xbf", b"\x1b[2J", b"\r")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_TEXT = re.compile(rb'"[^"\n]*"')
_VALUE = re.compile(rb'"[^"\n]*"|-?\d+(?:\.\d+)?|true|false|null|\[\]|\{\}')


def flip(data: bytes, rng: random.Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if spoilt:
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def cut(data: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice((data[:a], data[a:], data[:a] + data[b:]))


def repeat(data: bytes, rng: random.Random) -> bytes:
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    b = min(b, a + 2000)
    return data[:a] + data[a:b] * rng.choice((2, 3, 50)) + data[b:]


def lines_about(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(rng.choice((1, 2, 5))):
        if lines:
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            rng.choice((lambda: lines.pop(i), lambda: lines.insert(j, lines[i]), lambda: lines.reverse()))()  # noqa: B023
    return b"".join(lines)


def _put(form: re.Pattern[bytes], new: Callable[[random.Random], bytes]) -> Callable[[bytes, random.Random], bytes]:
    def spoil(data: bytes, rng: random.Random) -> bytes:
        found = list(form.finditer(data))
        if not found:
            return data
        for place in sorted(rng.sample(found, min(len(found), rng.choice((1, 1, 2)))), key=lambda m: -m.start()):
            data = data[: place.start()] + new(rng) + data[place.end() :]
        return data

    return spoil


def _value(rng: random.Random) -> bytes:
    return rng.choice(VALUES).encode()


def _text(rng: random.Random) -> bytes:
    return b'"' + rng.choice(TEXTS).encode("utf-8", "surrogatepass") + b'"'


def _nested(rng: random.Random) -> bytes:
    depth = rng.choice((70, 500, 5_000, 100_000))
    if rng.random() < 0.2:
        return b"1\n" + b"a." * depth + b"a = 1"
    opened, closed = rng.choice((("[", "]"), ('{"a":', "}"), ("{a=", "}"), ('[{"a":', "}]")))
    return (opened * depth + "1" + closed * depth).encode()


def inserted(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 3))):
        at = rng.randrange(len(data) + 1)
        data = data[:at] + rng.choice((*BYTES, *(t.encode() for t in TEXTS[:5]))) + data[at:]
    return data


SPOILS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flip": flip,
    "cut": cut,
    "repeat": repeat,
    "lines": lines_about,
    "number": _put(_NUMBER, lambda rng: rng.choice(NUMBERS).encode()),
    "text": _put(_TEXT, _text),
    "value": _put(_VALUE, _value),
    "nested": _put(_VALUE, _nested),
    "insert": inserted,
}


def spoil(data: bytes, rng: random.Random) -> tuple[bytes, str]:
    names = rng.choices(list(SPOILS), (2, 1, 1, 2, 4, 4, 6, 2, 2), k=rng.choice((1, 1, 1, 2, 3)))
    for name in names:
        data = SPOILS[name](data, rng)
    return data, "+".join(names)


def spoil_memo(path: Path, rng: random.Random) -> str:
    """Content of other types, tables that are gone, or bytes."""
    if rng.random() < 0.4:
        data, how = spoil(path.read_bytes(), rng)
        path.write_bytes(data)
        return how
    odd: tuple[Any, ...] = (None, 0, -1, 2**62, 1.5, float("inf"), "", "x", "[]", "[" * 5000, '{"a": 1}', b"")
    how = []
    with contextlib.closing(sqlite3.connect(path)) as db:
        tables = [t for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'") if "sqlite" not in t]
        for _ in range(rng.choice((1, 2, 4))):
            table = rng.choice(tables)
            columns = [c[1] for c in db.execute(f"PRAGMA table_info({table})")]
            what = rng.choice(("update", "update", "update", "drop", "version"))
            with contextlib.suppress(sqlite3.Error):
                if what == "update" and columns:
                    column = rng.choice(columns)
                    db.execute(f"UPDATE {table} SET {column} = ?", (rng.choice(odd),))
                    how.append(f"{table}.{column}")
                elif what == "drop":
                    db.execute(f"DROP TABLE {table}")
                    how.append(f"drop {table}")
                else:
                    db.execute(f"PRAGMA user_version = {rng.choice((0, 2, -1))}")
                    how.append("version")
        db.commit()
    return "+".join(how)


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
}


# -- good files, and who reads them ---------------------------------------------------------------------------------
def make_good(folder: Path) -> None:
    """What the spoilt files are made of; a few seconds."""
    import numpy as np

    from coterie import houses
    from coterie.houses.procthor.generate import generate
    from coterie.learn.trained import Trained, save

    for name in ("mule.toml", "set_the_table.toml", "tea_for_anna.toml", "studio.toml", "workshop.toml"):
        shutil.copy(EXAMPLES / name, folder / name)
    shutil.copy(Path(houses.__file__).parent / "built_in" / "flat.toml", folder / "flat.toml")
    runs = [
        "run pack-objects --seed 2 --change cto@3 --log rules.jsonl",
        f"run yard-tidy --load {EXAMPLES / 'yard.py'} --log yard.jsonl",
        "run pack-objects --protocol dynahmrc --model oracle --log asked.jsonl --record said.jsonl --memo",
        "run pack-objects --protocol coela --model oracle --log coela.jsonl --memo",
        "bench smoke --episodes 1 --no-plots --out results",
    ]
    for words in runs:
        done = call(Case("good", words.split()), folder)
        assert done.code == 0, f"{words}: {done.err}"
    script = {}
    for line in (folder / "said.jsonl").read_text().splitlines():
        data = json.loads(line)
        script.setdefault(f"{data['ask']['robot']}/{data['ask']['stage']}", []).append(data["reply"]["text"])
    (folder / "script.json").write_text(json.dumps(script, indent=1))
    done_log = (folder / "rules.jsonl").read_text().splitlines(keepends=True)
    (folder / "cut.jsonl").write_text("".join(done_log[: len(done_log) // 2]))
    (folder / "memo.sqlite").write_bytes((folder / "cache" / "memo.sqlite").read_bytes())
    rng, name = np.random.default_rng(1), "blk.0.attn_q.weight.lora"
    pairs = {f"{name}_a": rng.normal(size=(4, 32)), f"{name}_b": rng.normal(size=(64, 4))}
    save(folder / "trained.npz", Trained(4, 8.0, {k: v.astype(np.float16) for k, v in pairs.items()}))
    done = call(Case("good", ["learn", "export", "trained.npz", "--out", "adapter.gguf"]), folder)
    assert done.code == 0, done.err
    house = json.dumps(generate(1, 1)).encode()
    (folder / "house.json").write_bytes(house)
    (folder / "houses.jsonl.gz").write_bytes(gzip.compress(house + b"\n" + house + b"\n"))


#: kind -> (files that are spoilt, commands that read them; FILE is the spoilt one)
READERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "scene": (
        ("flat.toml", "studio.toml", "workshop.toml"),
        ("run pack-objects --scene FILE --json", "run tea_for_anna.toml --scene FILE"),
    ),
    "task": (
        ("set_the_table.toml", "tea_for_anna.toml"),
        ("run FILE", "bench FILE --episodes 1 --no-plots --out r", "run FILE --json --picture p.svg"),
    ),
    "card": (("mule.toml",), ("run pack-objects --card FILE --team Ma-Mule-MoMa",)),
    "log": (
        ("rules.jsonl", "asked.jsonl", "yard.jsonl", "cut.jsonl", "coela.jsonl"),
        ("replay FILE", "replay FILE --prompt", "replay FILE --picture p.svg", "replay FILE --step 2 --robot Alice",
         "replay FILE --picture p.png --step 3", "run --resume FILE", "run pack-objects --log FILE"),
    ),
    "memo": (
        ("memo.sqlite",),
        ("memo stats --check --file FILE", "memo list --file FILE", "memo clear --file FILE --json",
         "run pack-objects --memo"),
    ),
    "script": (("script.json",), ("run pack-objects --protocol dynahmrc --model scripted:FILE",)),
    "recording": (("said.jsonl",), ("run pack-objects --protocol dynahmrc --model recorded:FILE",)),
    "results": (
        ("results/results.jsonl", "results/wall.jsonl"),
        ("bench smoke --episodes 1 --no-plots --out results",),
    ),
    "house": (("house.json", "houses.jsonl.gz"), ("run tidy --scene FILE", "run tidy --scene FILE#1")),
    "weights": (("trained.npz", "adapter.gguf"), ("learn export FILE --out exported.gguf",)),
}  # fmt: skip
WEIGHTS = {
    "scene": 3, "task": 4, "card": 1, "log": 8, "memo": 2, "script": 1, "recording": 1, "results": 1, "house": 1,
    "weights": 2,
}  # fmt: skip
NO_FILE = 0.02  # of the spoilt files are none


def file_cases(count: int, seed: int, good: Path) -> Iterator[Case]:
    kinds = [kind for kind, n in WEIGHTS.items() for _ in range(n)]
    for i in range(count):
        rng = random.Random(f"{seed}/{i}")
        kind = kinds[i % len(kinds)]
        sources, commands = READERS[kind]
        source, command = rng.choice(sources), rng.choice(commands)
        if kind == "memo":
            with tempfile.TemporaryDirectory() as scratch:
                path = Path(scratch) / "m.sqlite"
                path.write_bytes((good / source).read_bytes())
                how = spoil_memo(path, rng)
                data = path.read_bytes()
        elif source.endswith(".gz") and rng.random() < 0.8:
            data, how = spoil(gzip.decompress((good / source).read_bytes()), rng)
            data = gzip.compress(data, 1)
        else:
            data, how = spoil((good / source).read_bytes(), rng)
        name = source if kind == "results" else f"odd-{Path(source).name}"
        odd: bytes | str = data
        if rng.random() < NO_FILE:
            odd = how = rng.choice(list(KINDS))
        files = {"cache/memo.sqlite" if command.endswith("--memo") else name: odd}
        yield Case(f"{kind}/{i}", command.replace("FILE", name).split(), files, f"{source} {how}")


FIRST = {
    "run": ("pack-objects", f"yard-tidy --load {EXAMPLES / 'yard.py'}", "set_the_table.toml", "flat.toml",
            "rules.jsonl", "pack-objects --protocol dynahmrc --model oracle",
            "pack-objects --protocol dynahmrc --model openai:x",
            "pack-objects --protocol mine --load mind.py"),
    "bench": ("smoke", "pack-objects:hard", "smoke,smoke", "set_the_table.toml",
              "smoke --methods dynahmrc --model openai:x", "smoke --methods mine --load mind.py"),
    "replay": ("rules.jsonl", "asked.jsonl", "cut.jsonl", "flat.toml", "memo.sqlite", "results"),
    "memo": ("stats", "list", "clear"),
    "list": ("tasks", "robots", "models", "suites"),
}  # fmt: skip
ODD_WORDS = (
    *NUMBERS, *TEXTS, "a\0b", "x" * 300, "x" * 300 + ".jsonl", "x" * 300 + ".toml", "/", "/dev/null",
    "results", "results/x.svg", "[/x].svg", "p.svg", "p.PNG", "p.gif", "rules.jsonl/x.svg", "Ma",
    "-".join(["MoMa"] * 300),
    "Ma-MoMa", "cto@5", "irz@5:99", "anc@" + "9" * 400, "rec@5:\x1b", "door@5:", "slip=nan", "slip=1e400", "slip=inf",
    "house:" + "9" * 5000, "house:-1", "house:17", "rules", "expert", "random", "mcts:" + "9" * 100, "mcts:0", "memo:x",
    "scouts=rules:Lucy", "scouts=rules:", "=:", "on", "off", "rules,rules+guard,nobody", "rules+guard", "odd.py",
    "exit.py", "Alice", "1", "2",
)  # fmt: skip
#: Values that an option half understands; the others are drawn for it too.
HALF_GOOD = {
    "--radio": ("loss=0.3", "loss=1,resend=0", "range=1", "range=nan", "loss=2", "delay=1e400", "delay=-1", "none",
                "resend=1e9", "resend=" + "9" * 30, "duplicate=", "=", "loss=0.3,loss=0.4", "range=6,\x1b[2J=1", ",,,",
                "loss", "range=1e300", "delay=1e6,loss=1"),
    "--deadline": ("-1", "0", "1e-9", "1e400", "nan", "0.5", "1e9", "0x10", "1_0", "\u0663", "9" * 5000),
    "--model": ("oracle", "none", "openai:x", "openai:", "openai", "openai:\x1b[2J", "scripted:script.json", ":",
                "scripted:", "scripted:/dev/zero", "scripted:nowhere.json", "recorded:said.jsonl", "x" * 300, "mine",
                "recorded:memo.sqlite", "recorded:results", "embedded", "embedded:none.gguf", "embedded:memo.sqlite"),
    "--base-url": ("http://127.0.0.1:1/v1", "http://", "http:///v1", "ftp://host/v1", "file:///etc/passwd", "127.0.0.1",
                   "http://[::1", "http://host:99999/v1", "http://host:x/v1", "http://me:word@host/v1", "http://a b/v1",
                   "http://\x1b[2J/v1", "http://ho\u202est/v1", "https://" + "x" * 300 + "/v1", "http://host/v1?key=x#y",
                   "http://" + "a." * 200 + "b/v1", "HTTP://HOST", "http://0x7f.1/v1"),
    "--gif": ("p.gif", "p.GIF", "p.png", "/dev/null", "results", "results/p.gif", "rules.jsonl/p.gif", "[/x].gif",
              "x" * 300 + ".gif", "\x1b[2J.gif", ".gif", "/"),
    "--load": ("odd.py", "exit.py", "mind.py", "nowhere.py", "memo.sqlite", "rules.jsonl", "results", "/dev/zero",
               "/dev/null", "\x1b[2J.py", "x" * 300 + ".py", "half.py"),
    "--protocol": ("mine", "dynahmrc", "roco", "coela", "coherent"),
}  # fmt: skip
PLUGINS = {
    "odd.py": b"raise ValueError('\x1b[2J')\n",
    "exit.py": b"import sys\nsys.exit(3)\n",
    "half.py": b"x = (1,\n",
    "mind.py": b"""from coterie.core.protocol import SoloProtocol, protocols
class Mine(SoloProtocol):
    def act(self, me):
        raise ValueError('\\x1b[2J')
protocols.put("mine", Mine, "no-model")
""",
}


def options(command: str) -> list[str]:
    """The options that a command takes today, but for those with which it waits for others."""
    from coterie.cli.app import parser

    (commands,) = (a for a in parser([command])._actions if isinstance(a, argparse._SubParsersAction))
    found = [o for a in commands.choices[command]._actions for o in a.option_strings if o.startswith("--")]
    return [o for o in found if o not in ("--drive", "--standby")]


def line_cases(count: int, seed: int) -> Iterator[Case]:
    known = {command: options(command) for command in FIRST}
    for i in range(count):
        rng = random.Random(f"{seed}/line/{i}")
        command = rng.choice([*FIRST, "run", "replay", "bench", ""])
        words = [command or rng.choice(ODD_WORDS)]
        if command and rng.random() < 0.9:
            words += rng.choice(FIRST[command]).split() if rng.random() < 0.8 else [rng.choice(ODD_WORDS)]
        for _ in range(rng.choice((0, 1, 2, 3))):
            option = rng.choice(known.get(command) or ("--x", "-h", "--version"))
            words.append(option)
            if rng.random() < 0.85:
                words.append(rng.choice(HALF_GOOD.get(option, ODD_WORDS) if rng.random() < 0.7 else ODD_WORDS))
        if command == "bench":
            words += ["--episodes", "1", "--no-plots"]  # as long as the words before are not odd enough to be refused
        if command == "run" and "--pace" not in words:
            words += ["--pace", "0"]
        if {"--base-url", "openai:x"} & set(words) and "--deadline" not in words:
            words += ["--deadline", "2"]  # nobody answers, and who asks is patient
        yield Case(f"line/{i}", words, dict(PLUGINS), "words")


def put(path: Path, data: bytes | str) -> None:
    if isinstance(data, bytes):
        path.write_bytes(data)
    else:
        path.unlink(missing_ok=True)
        KINDS[data](path)


# -- one of them, in a process of its own -----------------------------------------------------------------------------
def call(case: Case, folder: Path) -> Verdict:
    """`main()` in a fork of this process, which has everything loaded: hundreds a minute, and none disturbs another."""
    (folder / "cache").mkdir(exist_ok=True)
    for name, data in case.files.items():
        put(folder / name, data)
    said = [folder / ".out", folder / ".err"]
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _in_child(case, folder, said)
    status = _wait(child, begun + WALL_S)
    out, err = (path.read_text(encoding="utf-8", errors="surrogateescape") for path in said)
    code = os.waitstatus_to_exitcode(status)
    verdict = Verdict(case, code, out, err, time.monotonic() - begun, "")
    return verdict._replace(complaint=complaint_about(verdict))


def _wait(child: int, until: float) -> int:
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(0.002)


def _in_child(case: Case, folder: Path, said: Sequence[Path]) -> None:
    code = 99
    try:
        for number, path in enumerate(said, 1):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8", closefd=False) for n in (1, 2))
        os.chdir(folder)
        os.environ["COTERIE_CACHE"] = str(folder / "cache")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000_000, 200_000_000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        socket.socket.connect = _alone  # type: ignore[method-assign]
        from coterie.cli import main

        code = main(case.words)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 (whatever got past `main`, this process ends here)
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _alone(*_: object) -> None:
    raise OSError("no network here")


def complaint_about(verdict: Verdict) -> str:
    """What a verdict breaks of the promise; empty for nothing."""
    from coterie.core.visible import visible_lines

    _, code, out, err, *_ = verdict
    if code < 0:
        return f"ended by {signal.Signals(-code).name}"
    if "Traceback (most recent call last)" in out + err or code not in GOOD_CODES:
        last = [line for line in err.strip().splitlines() if line] or [""]
        return f"exit {code}: {last[-1][:200]}"
    if code == 2 and not err.strip():
        return "exit 2 without a sentence"
    if visible_lines(out) != out or visible_lines(err) != err:
        return "characters that steer a terminal"
    return ""


def in_turn(cases: Iterator[Case], good: Path, total: int) -> Iterator[Verdict]:
    """Each begins with the good files as they were."""
    with tempfile.TemporaryDirectory() as scratch:
        for i, case in enumerate(cases):
            folder = Path(scratch) / str(i)
            shutil.copytree(good, folder, ignore=shutil.ignore_patterns(".out", ".err", "plots"))
            yield call(case, folder)
            shutil.rmtree(folder)
            if sys.stderr.isatty() or not (i + 1) % DOTS:
                print(f"\r{i + 1} of {total}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)


# -- all of them ------------------------------------------------------------------------------------------------------
def table(found: Sequence[Verdict]) -> str:
    kinds = sorted({v.case.name.partition("/")[0] for v in found})
    rows = [f"{'kind':<10} {'tried':>6} {'done':>6} {'not':>6} {'refused':>8} {'broken':>7} {'slowest':>8}"]
    for kind in [*kinds, "all"]:
        mine = [v for v in found if kind in ("all", v.case.name.partition("/")[0])]
        codes = Counter(v.code for v in mine if not v.complaint)
        broken, slowest = sum(bool(v.complaint) for v in mine), max((v.seconds for v in mine), default=0.0)
        done = " ".join(f"{codes[code]:>{width}}" for code, width in ((0, 6), (1, 6), (2, 8)))
        rows.append(f"{kind:<10} {len(mine):>6} {done} {broken:>7} {slowest:>6.1f} s")
    return "\n".join(rows)


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--files", type=int, default=5000, metavar="N", help="spoilt files (default 5000)")
    p.add_argument("--lines", type=int, default=1000, metavar="N", help="command lines (default 1000)")
    p.add_argument("--seed", type=int, default=1, metavar="N")
    p.add_argument("--only", metavar="KIND/N", help="one of them, with all it says")
    args = p.parse_args()
    import coterie.bench.suites
    import coterie.cli.bench
    import coterie.cli.live
    import coterie.cli.replay
    import coterie.cli.score
    import coterie.cli.terminal
    import coterie.memo  # noqa: F401 (before the forks)

    with tempfile.TemporaryDirectory() as scratch:
        good = Path(scratch)
        make_good(good)
        cases = [*file_cases(args.files, args.seed, good), *line_cases(args.lines, args.seed)] if args.only else None
        if cases is not None:
            picked = [c for c in cases if c.name == args.only]
            for verdict in in_turn(iter(picked), good, 1):
                print(f"{verdict.case.words}\n{verdict.case.how}\nexit {verdict.code}\n{verdict.out}\n{verdict.err}")
                print(verdict.complaint or "as promised")
            return 0
        found = []
        every = itertools.chain(file_cases(args.files, args.seed, good), line_cases(args.lines, args.seed))
        for verdict in in_turn(every, good, args.files + args.lines):
            found.append(verdict)
            if verdict.complaint:
                shown = [w if len(w) < 60 else f"{w[:60]!r}…" for w in verdict.case.words]
                print(f"{verdict.case.name}  {verdict.case.how}  {shown}\n    {verdict.complaint}", flush=True)
    print(table(found))
    return 1 if any(v.complaint for v in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
