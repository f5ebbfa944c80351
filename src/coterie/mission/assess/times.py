"""How long actions take: drawn from what was recorded, in parts of what is usual.

A draw is one of the recorded durations of the robot at the skill in the context; the fewer there are, the more often
one of the robot's others, of the skill's others, or of a wide guess around what is usual stands in. All draws of one
sample share the doubt about the average, so that a plan of many like steps is no surer than its steps.
"""

from __future__ import annotations

import numpy as np

from coterie.mission.assess.rates import Floats
from coterie.mission.assess.trials import Trials

LEAN = 2.0  # recorded durations that what is known of the wider counts for
GUESS = 0.7  # spread of the logarithm around what is usual, before anything was recorded


class Times:
    def __init__(self, trials: Trials):
        self.trials = trials
        self._kept: dict[tuple[str, ...], Floats] = {}

    def ratios(self, *key: str) -> Floats:
        """Durations of successes, in parts of what was usual for each."""
        found = self._kept.get(key)
        if found is None:
            found = np.array([max(t.ratio, 1e-3) for t in self.trials.of(*key) if t.ok], dtype=np.float64)
            self._kept[key] = found
        return found

    def draw(self, skill: str, robot: str, context: str, count: int, rng: np.random.Generator, number: int) -> Floats:
        """(count, number) ratios: of so many like steps, so often."""
        drawn = np.exp(rng.normal(0.0, GUESS, (count, number)))
        spread, known = GUESS, 0
        for key in ((skill,), (skill, robot), (skill, robot, context)):
            own = self.ratios(*key)
            if key[-1] == "" or not len(own):
                break
            mine = rng.random((count, number)) < len(own) / (len(own) + LEAN)
            drawn = np.where(mine, own[rng.integers(0, len(own), (count, number))], drawn)
            spread = float(np.hypot(np.std(np.log(own)), GUESS / (1 + len(own))))
            known = len(own)
        doubt = rng.normal(0.0, spread / np.sqrt(known + 1.0), number)  # of the average, the same for all like steps
        return drawn * np.exp(doubt)
