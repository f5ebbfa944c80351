"""The yard does what its tables say; see tables.py for how to accept a meant change."""

from tests.worlds.plainly import compare
from tests.worlds.yard.tables import kept, walks


def test_walks():
    before = kept()
    for name, rows in walks():
        compare(name, before[name], rows, "tests.worlds.yard.tables")
