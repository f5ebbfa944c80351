"""Logs hold what they held, and are read as they were; see tables.py for how to accept a meant change."""

import pytest

from tests.log.tables import READ, kept, logs, room
from tests.worlds.kept import ROOMS, name_of
from tests.worlds.plainly import compare


@pytest.fixture(scope="module")
def before():
    return kept()


def test_whole_logs(before):
    for name, rows in logs():
        compare(name, before[name], rows, "tests.log.tables")


@pytest.mark.parametrize("number", READ)
def test_what_is_read(number, before):
    name = name_of(ROOMS[number])
    compare(name, before[name], room(number), "tests.log.tables")
