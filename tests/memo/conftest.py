"""What tests of remembered plans share."""

import pytest

from tests.memo.quick import episode, quick  # noqa: F401


@pytest.fixture
def file(tmp_path):
    """Where a memo may be."""
    return tmp_path / "memo.sqlite"


@pytest.fixture
def memo(file, quick):  # noqa: F811
    """A file in which one task is known, and the rounds that solved it."""
    assert episode(file, 10_000).result.success
    return file
