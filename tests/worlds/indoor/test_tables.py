"""The indoor world does what its tables say; see tables.py for how to accept a meant change."""

import pytest

from tests.worlds.indoor.tables import kept, sections
from tests.worlds.plainly import compare


@pytest.fixture(scope="module")
def before():
    return kept()


@pytest.mark.parametrize("section", sections())
def test_as_it_was(section, before):
    for name, rows in sections()[section]():
        compare(name, before[name], rows, "tests.worlds.indoor.tables")
