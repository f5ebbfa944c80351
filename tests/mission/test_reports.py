"""What became of a step, compared with what its robot sees."""

import pytest

from coterie.core.action import Action, Outcome
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import RobotView
from coterie.core.world import Observation
from coterie.mission.agenda import Agenda
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Knowledge
from coterie.mission.reports import Reports

LEFT = Outcome("spot", Action("passdoor", ("bay", "door", "hall")), "done", "", 0.0, 10.0)


@pytest.mark.parametrize("still_sees", [True, False])
def test_what_was_seen_before_a_step_was_over_says_nothing_of_what_came_of_it(still_sees):
    """Two steps end at the same moment. When the first one did, spot still stood at the bay; then it was gone, into a
    room from which the bay cannot be seen."""
    belief = Belief()
    seen = Fact("free", ("bay",), False, 10.0, "spot")
    belief.tell(seen)
    now = Observation("spot", 10.0, (seen,) if still_sees else (), ())
    view = RobotView("spot", None, belief, belief.value, time=10.0, now=now)
    reports = Reports(Knowledge(Journal()), Agenda())
    cause = reports.contradicted({("free", "bay"): True}, view, LEFT)
    assert (cause is not None) is still_sees
    if cause is not None:
        assert cause.fact == ("free", ("bay",), False)
