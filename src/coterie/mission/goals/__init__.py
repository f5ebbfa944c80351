"""Goals that people set, and what becomes of them."""

from coterie.mission.goals.goal import (
    NEXT,
    OVER,
    STATES,
    Attempt,
    Failure,
    Goal,
    Moved,
    Proposal,
    Stage,
    State,
    Vote,
    check_goal,
)
from coterie.mission.goals.manager import Busy, Goals

__all__ = [
    "NEXT", "OVER", "STATES", "Attempt", "Busy", "Failure", "Goal", "Goals", "Moved", "Proposal", "Stage", "State",
    "Vote", "check_goal",
]  # fmt: skip
