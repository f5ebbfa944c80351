"""How likely a plan is to work, and how long it takes."""

from coterie.mission.assess.assess import Assessment, Assessor, Broken, Weak, first_broken, what_if
from coterie.mission.assess.trials import PlanStep, Progress, Told, Trial, Trials, in_order

__all__ = [
    "Assessment", "Assessor", "Broken", "PlanStep", "Progress", "Told", "Trial", "Trials", "Weak", "first_broken",
    "in_order", "what_if",
]  # fmt: skip
