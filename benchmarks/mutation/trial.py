"""One change in a copy of the tree, and whether the tests go red."""

from __future__ import annotations

import compileall
import importlib.util
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.places import Place
from mutation.sight import Sight, environment

LEFT = (".git", ".venv", "runs", "results", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__")
MEMORY = 12 << 30  # a loop without an end must not take the machine along
FIRST = 15.0  # seconds of tests tried at first: most changes are noticed by these


@dataclass(frozen=True)
class Verdict:
    caught: bool
    by: str  # the test that went red, or why it counts
    tests: int
    seconds: float


def copy_tree(tree: Path, to: Path) -> Path:
    shutil.copytree(tree, to, ignore=shutil.ignore_patterns(*LEFT))
    compileall.compile_dir(to / "src", quiet=2)
    return to


def warm(copy: Path) -> None:
    """Let pytest compile the tests once: without that, every change pays for it several times."""
    env = {k: v for k, v in environment(copy).items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests"]
    subprocess.run(command, cwd=copy, env=env, stdout=subprocess.DEVNULL, check=False)


def try_place(place: Place, copy: Path, sight: Sight, budget: float, without: Sequence[str] = ()) -> Verdict:
    """Change, test, and change back. Tests beyond `budget` seconds are left out, which can only miss something."""
    seeing = [t for t in sight.seeing(place, copy) if not t.startswith(tuple(without))]
    tests = within(sight, seeing, budget)
    began = time.perf_counter()
    left = tests
    while red := _red(place, copy, sight, left):
        by, batch = red
        if _green(by, batch, copy, sight):
            return Verdict(True, by, len(tests), round(time.perf_counter() - began, 1))
        # Red without the change, too: it says nothing.
        left = [t for t in left if t != by] if by in sight.tests else left[left.index(batch[-1]) + 1 :]
    words = f"{len(seeing)} tests see it, and none is quick enough" if seeing else "no test runs this line"
    by = f"passed all {len(tests)} tests that see it" if tests else words
    return Verdict(False, by, len(tests), round(time.perf_counter() - began, 1))


def _red(place: Place, copy: Path, sight: Sight, tests: list[str]) -> tuple[str, list[str]] | None:
    """What goes red first, and the tests among which it did."""
    path = copy / place.path
    source = path.read_text(encoding="utf-8")
    try:
        path.write_text(place.apply(source), encoding="utf-8")
        _forget_compiled(path)
        for batch in batches(sight, tests):
            while by := run_tests(copy, batch, _limit(sight, batch)):
                # A test that is red once and green alone has met a busy machine, not the change.
                if by not in sight.tests or run_tests(copy, [by], _limit(sight, [by])):
                    return by, batch
                batch = batch[batch.index(by) + 1 :] if by in batch else []
                if not batch:
                    break
        return None
    finally:
        path.write_text(source, encoding="utf-8")
        _forget_compiled(path)


def _limit(sight: Sight, tests: list[str]) -> float:
    return 60 + 5 * sum(sight.tests[t]["seconds"] for t in tests)


def _green(test: str, batch: list[str], copy: Path, sight: Sight) -> bool:
    """Do the tests pass on the sources as they are? Asked once for every test that goes red, and always where no test
    did: time that ran out, or tests that could not be collected, are noticed only if that is the change's doing."""
    if test not in sight.tests:
        return run_tests(copy, batch, _limit(sight, batch)) == ""
    about = sight.tests[test]
    if "green" not in about:
        about["green"] = run_tests(copy, [test], _limit(sight, [test])) == ""
        about["passed"] = about["passed"] and about["green"]
    return bool(about["green"])


def _forget_compiled(path: Path) -> None:
    # Compiled files are matched by size and second; two changes within a second would be taken for one another.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def within(sight: Sight, tests: list[str], budget: float) -> list[str]:
    total, kept = 0.0, []
    for t in tests:
        total += sight.tests[t]["seconds"]
        if total <= budget:
            kept.append(t)
    return kept


def batches(sight: Sight, tests: list[str]) -> list[list[str]]:
    first, rest, total = [], [], 0.0
    for t in tests:
        total += sight.tests[t]["seconds"] + 0.01
        (first if total <= FIRST else rest).append(t)
    return [b for b in (first, rest) if b]


def run_tests(copy: Path, tests: list[str], limit: float) -> str:
    """The first test that goes red, or nothing."""
    chosen = copy / ".mutants-chosen"
    chosen.write_text("\n".join(tests))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
    command += ["-p", "mutation.plugin", *sorted({t.split("::")[0] for t in tests})]
    if importlib.util.find_spec("hypothesis") is not None:
        command.append("--hypothesis-seed=0")
    here = str(Path(__file__).resolve().parents[1])
    env = {**environment(copy), "PYTHONDONTWRITEBYTECODE": "1", "MUTANTS_CHOSEN": str(chosen)}
    env["PYTHONPATH"] += os.pathsep + here
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    try:
        out, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        return "time limit"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode == 0:
        return ""
    red = [line.split(" ", 1)[1].split(" - ")[0] for line in out.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return red[0] if red else f"pytest ended with {process.returncode}"
