"""What several tests of missions share."""

import pytest

from tests.mission.talkers import Hospital
from tests.mission.ward import A, Ward, with_medkit


@pytest.fixture
def talk():
    return Hospital()


@pytest.fixture
def ward(quick):
    return Ward()


@pytest.fixture
def waiting(quick):
    """The instructor is asked for a yes to another way."""
    ward = with_medkit()
    ward.fail()
    assert ward.mission.partner.proposed(A)
    return ward
