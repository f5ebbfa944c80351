"""What several tests of missions share."""

import pytest

from coterie.mission.planner import MissionPlanner
from coterie.planning.answer import Limits


@pytest.fixture(scope="module")
def quick():
    """The first plan that is found is taken: the engine has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MissionPlanner, "usual", Limits(states=5000, tries=1, polish=0))
        patch.setattr(MissionPlanner, "judges", False)
        yield
