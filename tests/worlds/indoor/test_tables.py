"""The indoor world does what its tables say; see tables.py for how to accept a meant change."""

import pytest

from tests.worlds.indoor.tables import kept, sections


@pytest.fixture(scope="module")
def before():
    return kept()


@pytest.mark.parametrize("section", sections())
def test_as_it_was(section, before):
    for name, rows in sections()[section]():
        for n, (was, now) in enumerate(zip(before[name], rows)):
            assert now == was, f"{name}, line {n}: meant? python -m tests.worlds.indoor.tables"
        assert len(rows) == len(before[name])
