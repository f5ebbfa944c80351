"""A pytest plugin that keeps the tests named in a file, in the order of that file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    file = os.environ.get("MUTANTS_CHOSEN")
    if not file:
        return
    order = {name: i for i, name in enumerate(Path(file).read_text().split("\n"))}
    kept = sorted((i for i in items if i.nodeid in order), key=lambda i: order[i.nodeid])
    config.hook.pytest_deselected(items=[i for i in items if i.nodeid not in order])
    items[:] = kept
