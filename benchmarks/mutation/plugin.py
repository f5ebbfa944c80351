"""A pytest plugin that writes which lines of the package each test runs, how long it takes and whether it spawns; or
that keeps the tests named in a file, in the order of that file.

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

import pytest

SPAWNS = ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec")


class Seen:
    def __init__(self, root: Path, out: Path) -> None:
        import coverage  # only where lines are looked at

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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if file := os.environ.get("MUTANTS_CHOSEN"):
        order = {name: i for i, name in enumerate(Path(file).read_text().split("\n"))}
        config.hook.pytest_deselected(items=[i for i in items if i.nodeid not in order])
        items[:] = sorted((i for i in items if i.nodeid in order), key=lambda i: order[i.nodeid])
