"""A pytest plugin that writes which lines of the package each test runs, how long it takes and whether it spawns.

A process that a test starts is not followed; such a test is marked, so that it can be counted as seeing everything. So
is one that says it reads declarations: those run when modules are imported, long before it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

SPAWNS = ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec")


class Seen:
    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root, out
        self.cov = coverage.Coverage(data_file=None, source=[str(root / "src")], config_file=False)
        self.tests: dict[str, dict[str, Any]] = {}
        self.now: dict[str, Any] | None = None
        sys.addaudithook(self.audit)
        self.cov.start()

    def audit(self, event: str, _args: object) -> None:
        if event in SPAWNS and self.now is not None:
            self.now["spawns"] = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.cov.switch_context(item.nodeid)
        self.now = self.tests[item.nodeid] = {"seconds": 0.0, "spawns": False, "passed": True}
        self.now["declares"] = item.get_closest_marker("declarations") is not None
        began = time.perf_counter()
        result = yield
        self.now["seconds"] = round(time.perf_counter() - began, 3)
        self.now = None
        self.cov.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed" and report.nodeid in self.tests:
            self.tests[report.nodeid]["passed"] = False  # one that is red or left out today can catch nothing

    def pytest_sessionfinish(self) -> None:
        self.cov.stop()
        data = self.cov.get_data()
        names = list(self.tests)
        number = {name: i for i, name in enumerate(names)}
        files = {}
        for path in data.measured_files():
            lines = {n: [number[c] for c in who if c in number] for n, who in data.contexts_by_lineno(path).items()}
            files[str(Path(path).relative_to(self.root))] = {str(n): who for n, who in lines.items() if who}
        self.out.write_text(json.dumps({"tests": self.tests, "names": names, "files": files}))


def pytest_configure(config: pytest.Config) -> None:
    out = os.environ.get("MUTANTS_SEEN")
    if out:
        config.pluginmanager.register(Seen(Path.cwd(), Path(out)), "mutants-seen")
