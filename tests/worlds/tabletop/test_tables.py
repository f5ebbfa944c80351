"""The table does what its tables say; see tables.py for how to accept a meant change."""

import platform

import pytest

pytest.importorskip("mujoco", reason="the table needs coterie[arms]")

from coterie.worlds.tabletop.jobs import jobs
from tests.worlds.kept import kept as kept_episodes
from tests.worlds.plainly import compare
from tests.worlds.tabletop.tables import kept, layouts, looked


@pytest.fixture(scope="module")
def before():
    return kept()


@pytest.mark.parametrize("name", jobs)
def test_layouts(name, before):
    compare(name, before[f"layouts {name}"], list(layouts(name)), "tests.worlds.tabletop.tables")


@pytest.mark.parametrize("name", jobs)
def test_what_is_seen_and_said(name, before):
    """Things that settle do so exactly on one kind of processor; on another all must only be said."""
    rows = list(looked(name))
    if platform.machine() == kept_episodes()["machine"]:
        compare(name, before[f"looked {name}"], rows, "tests.worlds.tabletop.tables")
    assert len(rows) > 100
