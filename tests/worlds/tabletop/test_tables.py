"""The table does what its tables say; see tables.py for how to accept a meant change."""

import platform

import pytest

pytest.importorskip("mujoco", reason="the table needs coterie[arms]")

from coterie.worlds.tabletop.jobs import jobs
from tests.worlds.kept import kept as kept_episodes
from tests.worlds.plainly import compare
from tests.worlds.tabletop.tables import kept, layouts, looked, reached


@pytest.fixture(scope="module")
def before():
    return kept()


@pytest.mark.parametrize("name", jobs)
def test_layouts(name, before):
    compare(name, before[f"layouts {name}"], list(layouts(name)), "tests.worlds.tabletop.tables")


@pytest.mark.parametrize("what", [looked, reached])
@pytest.mark.parametrize("name", jobs)
def test_what_is_seen_said_and_reached(name, what, before):
    """Physics and postures are exact on one kind of processor; on another they must only be found."""
    rows, was = list(what(name)), before[f"{what.__name__} {name}"]
    if platform.machine() == kept_episodes()["machine"]:
        compare(name, was, rows, "tests.worlds.tabletop.tables")
    assert len(rows) > len(was) // 2
