"""How often skills succeed: rates of each robot at each skill in each context, drawn with all doubt there is.

What is known of few trials leans on what is known of more: a context on its robot, a robot on its skill, a skill on all
skills. How much it leans is itself learnt: where robots differ, a robot's own trials count for more. Actions of one
plan may share their luck; how much they do is learnt from how often they fail together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import inf, lgamma

import numpy as np
from numpy.typing import NDArray

from coterie.mission.assess.trials import Trial, Trials

Floats = NDArray[np.float64]
PRIOR = (1.5, 0.5)  # successes and failures of a skill of which nothing is known: it may well work
LEANS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)  # trials that what is known of the wider counts for
SHARED = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, inf)  # the same for the luck of one plan; endless: there is none
_USUAL = 8.0  # what a lean is near before there is data


class Rates:
    """Rates as of the trials so far; made anew when there are more. How things hang together is learnt anew when there
    are a tenth more."""

    def __init__(self, trials: Trials, before: Rates | None = None):
        self.trials, self.learnt = trials, trials.number
        if before is not None and trials.number <= 1.1 * before.learnt:
            self.learnt = before.learnt
            self.lean_robot, self.lean_context, self.shared = before.lean_robot, before.lean_context, before.shared

    def mean(self, skill: str = "", robot: str = "", context: str = "") -> float:
        """The rate to be expected."""
        if context:
            return self._leaning(self.trials.counts(skill, robot, context), self.mean(skill, robot), self.lean_context)
        if robot:
            return self._leaning(self.trials.counts(skill, robot), self.mean(skill), self.lean_robot)
        if skill:
            return self._leaning(self.trials.counts(skill), self.mean(), 2.0)
        return self._leaning(self.trials.counts(), PRIOR[0] / sum(PRIOR), sum(PRIOR))

    @staticmethod
    def _leaning(counts: tuple[int, int], wider: float, lean: float) -> float:
        return (counts[0] + lean * wider) / (sum(counts) + lean)

    def draw(self, skill: str, robot: str, context: str, rng: np.random.Generator, number: int) -> Floats:
        """Rates that may be the true one, drawn so often."""
        wide = np.full(number, self.mean())
        levels = (((skill,), 2.0), ((skill, robot), self.lean_robot), ((skill, robot, context), self.lean_context))
        for key, lean in levels:
            good, bad = self.trials.counts(*key)
            if good + bad or len(key) == 1:
                wide = _beta(rng, lean * wide + good, lean * (1 - wide) + bad)
            else:
                wide = _beta(rng, lean * wide, lean * (1 - wide))  # another robot, another place: it may differ
            if key[-1] == "":
                break
        return wide

    def luck(self, rates: Floats, rng: np.random.Generator) -> Floats:
        """The rates within one plan each, where actions share their luck."""
        if self.shared == inf:
            return rates
        return _beta(rng, self.shared * rates, self.shared * (1 - rates))

    # -- what is learnt of how things hang together ---------------------------------------------------------------
    @cached_property
    def lean_robot(self) -> float:
        return self._lean(2)

    @cached_property
    def lean_context(self) -> float:
        return self._lean(3)

    def _lean(self, width: int) -> float:
        groups = []
        for key, _ in self.trials.groups(width):
            groups.append((*self.trials.counts(*key), self.mean(*key[: width - 1])))
        return _likeliest(groups, LEANS, _USUAL)

    @cached_property
    def shared(self) -> float:
        """How much of their luck the actions of one plan share, seen at those of one robot and skill."""
        groups = []
        for (skill, robot), found in self.trials.groups(2):
            for good, bad in _by_plan(found):
                if good + bad > 1:
                    groups.append((good, bad, self.mean(skill, robot)))
        return _likeliest(groups, SHARED, inf)


def _by_plan(trials: Iterable[Trial]) -> list[tuple[int, int]]:
    counts: dict[str, list[int]] = {}
    for trial in trials:
        if trial.plan:
            counts.setdefault(trial.plan, [0, 0])[0 if trial.ok else 1] += 1
    return [(good, bad) for good, bad in counts.values()]


def _likeliest(groups: list[tuple[int, int, float]], leans: tuple[float, ...], usual: float) -> float:
    """The strength under which the counts of the groups are likeliest; what is usual has the benefit of the doubt."""
    best, most = usual, -inf
    for lean in leans:
        weight = 0.0 if lean == usual else -1.0 if usual == inf else -0.5 * abs(np.log2(lean / usual))
        for good, bad, mean in groups:
            mean = min(max(mean, 1e-3), 1 - 1e-3)
            if lean == inf:
                weight += good * np.log(mean) + bad * np.log(1 - mean)
            else:
                a, b = lean * mean, lean * (1 - mean)
                weight += _log_beta(a + good, b + bad) - _log_beta(a, b)
        if weight > most:
            best, most = lean, weight
    return best


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _beta(rng: np.random.Generator, a: Floats, b: Floats) -> Floats:
    return rng.beta(np.maximum(a, 1e-3), np.maximum(b, 1e-3))
