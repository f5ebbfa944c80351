"""What tests of remembered plans share."""

import pytest

from tests.memo.quick import episode


@pytest.fixture
def memo(tmp_path, quick):
    """A file in which one task is known, and the rounds that solved it."""
    path = tmp_path / "memo.sqlite"
    assert episode(path, 10_000).result.success
    return path
