"""What several tests of missions share."""

import functools
import pickle

import pytest

from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Limits
from tests.mission.talkers import Hospital
from tests.mission.ward import A, Ward, with_medkit


@pytest.fixture(scope="module")
def quick():
    """The first plan that is found is taken, and found once for all tests that ask the same: the engine has tests of
    its own. Where it is to answer in another process it does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MissionPlanner, "usual", Limits(states=5000, tries=1, polish=0))
        patch.setattr(MissionPlanner, "judges", False)
        patch.setattr(MissionPlanner, "_sought", _found_once(MissionPlanner._sought))
        yield


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


_FOUND = {}


def _found_once(seek):
    @functools.wraps(seek)
    def sought(planner, question):
        if planner.apart:
            return seek(planner, question)
        asked = pickle.dumps((question, planner.engine, planner.limits, planner._judged))
        if asked not in _FOUND:
            found = seek(planner, question)
            if found.status not in ("plan", "none"):
                return found
            _FOUND[asked] = found
        return _FOUND[asked]

    return sought
