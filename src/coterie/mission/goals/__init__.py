"""What people want, and what becomes of it."""

from coterie.mission.goals.goal import Attempt, Failure, Goal, Moved, Proposal, Stage, Vote, check_goal
from coterie.mission.goals.manager import Busy, Goals
from coterie.mission.goals.states import NEXT, OVER, STATES, State

__all__ = [
    "NEXT",
    "OVER",
    "STATES",
    "Attempt",
    "Busy",
    "Failure",
    "Goal",
    "Goals",
    "Moved",
    "Proposal",
    "Stage",
    "State",
    "Vote",
    "check_goal",
]
