"""Which tests see which line: collected once, kept in a file, and brought up to date where tests changed."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from mutation.places import Place

HERE = Path(__file__).resolve().parents[1]


class Sight:
    """Tests by the lines they run, as they stood when they were collected."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.data: dict[str, Any] = {"tests": {}, "names": [], "lines": {}, "sources": {}, "test_files": {}}
        if file.exists():
            self.data = json.loads(file.read_text())
        self.moved: dict[str, dict[int, int]] = {}

    @property
    def tests(self) -> dict[str, dict[str, Any]]:
        return self.data["tests"]

    def update(self, tree: Path, jobs: int = 1) -> int:
        """Collect for test files that are new or changed, some at a time; how many there were."""
        now = {str(p.relative_to(tree)): _digest(p) for p in sorted((tree / "tests").rglob("test_*.py"))}
        known = self.data["test_files"]
        stale = [p for p, digest in now.items() if known.get(p) != digest]
        gone = {p for p in known if p not in now} | set(stale)
        if gone:
            self.forget(gone)
        if not stale:
            return 0
        self.collect(tree, [part for n in range(jobs) if (part := stale[n::jobs])])
        for p in stale:
            known[p] = now[p]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.data))
        return len(stale)

    def forget(self, test_files: set[str]) -> None:
        for name in [t for t in self.tests if t.split("::")[0] in test_files]:
            del self.tests[name]
        kept = {i for i, name in enumerate(self.data["names"]) if name in self.tests}
        for lines in self.data["lines"].values():
            for n, who in lines.items():
                lines[n] = [i for i in who if i in kept]
        for p in test_files:
            self.data["test_files"].pop(p, None)

    def collect(self, tree: Path, parts: list[list[str]]) -> None:
        if importlib.util.find_spec("coverage") is None:
            sys.exit("Finding the tests that see a line needs coverage: pip install 'coterie[dev]'")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        running = []
        for n, test_files in enumerate(parts):
            out = self.file.with_suffix(f".new{n}").resolve()
            env = {**environment(tree), "MUTANTS_SEEN": str(out)}
            env["PYTHONPATH"] = os.pathsep.join((env["PYTHONPATH"], str(HERE)))
            command = [sys.executable, "-m", "pytest", "-q", "-p", "mutation.plugin", "-p", "no:cacheprovider"]
            command += test_files
            running.append((out, command, subprocess.Popen(command, cwd=tree, env=env, stdout=subprocess.DEVNULL)))
        for out, command, process in running:
            process.wait()
            if not out.exists():
                sys.exit(f"The tests could not be run; try it yourself: {' '.join(command)}")
            self.take(json.loads(out.read_text()), tree)
            out.unlink()

    def take(self, new: dict[str, Any], tree: Path) -> None:
        """Add what a run of the plugin wrote; lines of sources that changed meanwhile go to where they are now."""
        for path in list(self.data["lines"]):
            old, now = self.data["sources"][path], _text(tree / path)
            if old != now:
                where = _moves(old, now)
                kept = self.data["lines"][path].items()
                self.data["lines"][path] = {str(where[int(n)]): who for n, who in kept if int(n) in where}
        self.tests.update(new["tests"])
        first = len(self.data["names"])
        self.data["names"] += new["names"]
        for path, lines in new["files"].items():
            mine = self.data["lines"].setdefault(path, {})
            for n, who in lines.items():
                mine[n] = [*mine.get(n, ()), *(first + i for i in who)]
        self.data["sources"] = {path: _text(tree / path) for path in self.data["lines"]}

    # -- asking ---------------------------------------------------------------------------------------------------
    def seeing(self, place: Place, tree: Path) -> list[str]:
        """Tests that can notice a change, quickest first, and at the end those that start processes of their own."""
        lines = range(place.line, place.line + place.old.count("\n") + 1)
        here = self.at(place.path, lines, tree)
        fresh = not any(
            n in self.moves_of(place.path, tree) for n in lines
        )  # a line nobody ran yet when it was collected
        if place.body is not None:
            if place.kind == "default" or (not here and fresh):  # whoever runs what it stands in
                here |= self.at(place.path, range(place.body[0], place.body[1] + 1), tree)
            if not here and fresh:
                here = self.at(place.path, None, tree) or self.beside(place.path)
        else:
            for name in place.names:
                here |= self.using(name, tree)
            here = here or self.at(place.path, None, tree) or set(self.tests)
            here |= {t for t, about in self.tests.items() if about.get("declares")}
        good = {t for t in here if self.tests[t]["passed"]}
        good |= {t for t, about in self.tests.items() if about["spawns"] and about["passed"]}
        return sorted(good, key=lambda t: (self.tests[t]["spawns"], self.tests[t]["seconds"], t))

    def at(self, path: str, lines: Iterable[int] | None, tree: Path) -> set[str]:
        table = self.data["lines"].get(path, {})
        moved = self.moves_of(path, tree)
        numbers = list(table) if lines is None else [str(moved.get(n, -1)) for n in lines]
        return {self.data["names"][i] for n in numbers for i in table.get(n, ())}

    def moves_of(self, path: str, tree: Path) -> dict[int, int]:
        """Line numbers now, to line numbers when they were collected."""
        if path not in self.moved:
            moves = _moves(self.data["sources"].get(path, ""), _text(tree / path))
            self.moved[path] = {now: old for old, now in moves.items()}
        return self.moved[path]

    def beside(self, path: str) -> set[str]:
        """Tests that run anything in the folder of a file that is newer than the map."""
        names = self.data["names"]
        folder = path.rpartition("/")[0] + "/"
        near = (lines for p, lines in self.data["lines"].items() if p.startswith(folder))
        return {names[i] for lines in near for who in lines.values() for i in who}

    def using(self, name: str, tree: Path) -> set[str]:
        """Tests that run a line which mentions a name."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        found: set[str] = set()
        for path, source in self.data["sources"].items():
            if name in source:
                lines = [n for n, text in enumerate(_text(tree / path).split("\n"), 1) if word.search(text)]
                found |= self.at(path, lines, tree)
        return found


def environment(tree: Path) -> dict[str, str]:
    kept = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and not p.rstrip("/").endswith("/src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), *kept])}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _moves(old: str, new: str) -> dict[int, int]:
    """Line numbers then, to line numbers now."""
    a, b = old.split("\n"), new.split("\n")
    if old == new:
        return {n: n for n in range(1, len(a) + 1)}
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return {i + k + 1: j + k + 1 for i, j, size in blocks for k in range(size)}
