"""`coterie job`: a command that goes on in the background, how far it is, and what came of it."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from coterie.cli.options import add_command
from coterie.cli.out import DONE, NOT_ACHIEVED, say, say_json
from coterie.core.bounds import MB, read_bounded, read_json
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.files import Lock, in_use, replace_text

KINDS = ("bench", "learn", "mission", "run")
LOOK_S, STOP_S = 0.1, 10.0


def add(commands: Any) -> None:
    add_command(commands, "job", dict.fromkeys(("start", "list", "show", "stop"), run), kinds=", ".join(KINDS))


def run(args: argparse.Namespace) -> int:
    if args.use == "list":
        told: dict[str, Any] = {"jobs": [_state(file) for file in sorted(args.folder.glob("*.json"))]}
        lines = [f"{j['job']:12}{j['state']:9}coterie {' '.join(j['command'])}" for j in told["jobs"]] or ["No jobs."]
    else:
        told = _start(args.folder, args.words) if args.use == "start" else _shown(args)
        lines = [f"{k:12}{' '.join(v) if isinstance(v, list) else v}" for k, v in told.items()]
    if args.json:
        say_json(told)
    else:
        say("\n".join(lines))
    return int(told.get("code", DONE))


def _start(folder: Path, words: Sequence[str]) -> dict[str, Any]:
    kind, *options = words or [""]
    if kind not in KINDS:
        raise unknown_name("long command", kind, KINDS)
    folder.mkdir(parents=True, exist_ok=True)
    for number in count(1):  # others may begin jobs at the same time
        file = folder / f"{kind}-{number}.json"
        with suppress(FileExistsError), file.open("x") as new:
            new.write("{}")
            break
    if kind in ("run", "mission") and not any(w.startswith(("--log", "--resume")) for w in options):
        options.append(f"--log={file.with_suffix('.jsonl')}")
    if kind == "bench" and not any(w.startswith("--out") for w in options):
        options.append(f"--out={file.with_suffix('')}")
    replace_text(file, json.dumps({"command": [kind, *options]}))
    command, null = [sys.executable, "-m", __name__, str(file)], subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True)
    while "began" not in _read(file) and process.poll() is None:  # else it would look like one that was killed
        time.sleep(LOOK_S / 10)
    return _state(file)


def _shown(args: argparse.Namespace) -> dict[str, Any]:
    there = {p.stem: p for p in args.folder.glob("*.json")}
    if args.name not in there:
        raise unknown_name("job", args.name, there)
    file, stops = there[args.name], args.use == "stop"
    if stops and _state(file)["state"] == "running":
        with suppress(ProcessLookupError):
            os.killpg(_read(file)["began"], signal.SIGTERM)
    until = time.monotonic() + (STOP_S if stops else args.wait)
    while (told := _state(file))["state"] == "running" and time.monotonic() < until:
        time.sleep(LOOK_S)
    return told


def _read(file: Path) -> dict[str, Any]:
    made = read_json(file, "job")
    if not isinstance(made, dict) or not isinstance(made.get("command", []), list):
        raise CoterieError(f"'{file}' is no job of Coterie; remove it, or name another --folder.")
    return made


def _state(file: Path) -> dict[str, Any]:
    """A job: whether it runs, how far it is, and what it printed at its end."""
    from coterie.log.progress import printed

    state = "running" if in_use(file) else "ended"
    made = _read(file)
    told = {"job": file.stem, "state": state, "command": [str(w) for w in made.get("command", ())]}
    if state == "running":
        return {**told, **_progress(told["command"])}
    if "code" not in made:
        return {**told, "state": "killed", "code": NOT_ACHIEVED}
    found, said = printed(file)
    return {**told, "code": made["code"], **({"result": found} if found is not None else {"error": said[-2000:]})}


def _progress(command: Sequence[str]) -> dict[str, Any]:
    from coterie.bench.results import RESULTS
    from coterie.log.progress import Progress

    pairs = [w.split("=", 1) if "=" in w else (w, after) for w, after in zip(command, [*command[1:], ""])]
    given = {name: value for name, value in pairs if name in ("--log", "--out")}
    if "--log" in given:
        return Progress(Path(given["--log"])).told()
    results = Path(given.get("--out", "")) / RESULTS
    return {"episodes": read_bounded(results, "results", 100 * MB).count(b"\n")} if results.is_file() else {}


def _play(file: Path) -> None:
    """The process of a job."""
    printed, said = file.with_suffix(".out"), file.with_suffix(".err")
    with Lock(file, patient=True) as lock, printed.open("wb") as out, said.open("wb") as err:
        made = {**_read(file), "began": os.getpgrp()}
        replace_text(file, json.dumps(made))
        command = [sys.executable, "-m", "coterie", *made["command"], "--json"]
        held = (lock.fileno(),)  # by the command, too: it may outlive this process
        code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, pass_fds=held)
        replace_text(file, json.dumps({**made, "code": code}))


if __name__ == "__main__":
    _play(Path(sys.argv[1]))
