"""Success rates and durations of skills, drawn from recorded trials with all doubt there is, and the correction of
forecasts by earlier ones.

What is known of few trials leans on what is known of more: a context on its robot, a robot on its skill, a skill on all
skills. How much it leans is itself learnt: where robots differ, a robot's own trials count for more. Actions of one
plan may share their luck; how much they do is learnt from how often they fail together. Durations are drawn in parts of
what is usual; all draws of one sample share the doubt about the average, so that a plan of many like steps is no surer
than its steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import inf, lgamma

import numpy as np
from numpy.typing import NDArray

from coterie.mission.assess.trials import Told, Trial, Trials

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


SHIFT, SLOPE = 0.1, 0.25  # how far a correction strays from none without good reason, in logits
FORECAST = 12.0  # past plans that the samples' own spread counts for
COMMON = 0.3  # of the logarithm of durations: what may make plans slow or quick that no step's spread shows


class Correction:
    """Chances are bent by a line in logits; durations are stretched by how far past ones lay from what was told."""

    def __init__(self, plans: Iterable[Told] = ()):
        done = [p for p in plans if p.ok is not None]
        most = max((p.known for p in done), default=0)
        timed = [p for p in done if p.known >= most / 4]  # what was told with far less known says little of today
        done = [p for p in done if p.known >= most / 2]
        self.shift, self.slope = _line([p.chance for p in done], [bool(p.ok) for p in done])
        self.off = np.array(
            [
                np.log(max(p.duration_s, 1e-6) / p.median_s) / _unit(p)
                for p in timed
                if p.ok and p.duration_s is not None
            ]
        )  # past durations, in units from the middle

    def chance(self, raw: float) -> float:
        if raw >= 1 - 1e-9:
            return 1.0
        return float(_sigmoid(np.array(self.shift + self.slope * _logit(np.array(raw)))))

    def duration(self, total: Floats, raw: Told, level: float) -> tuple[float, float, float]:
        """The expected duration, and the ends of the interval."""
        unit = _unit(raw)
        own = np.log(np.maximum(total, 1e-6) / raw.median_s) / unit
        values = np.concatenate([own, self.off])
        weights = np.concatenate([np.full(len(own), FORECAST / len(own)), np.ones(len(self.off))])
        low, high = _quantiles(values, weights, ((1 - level) / 2, (1 + level) / 2))
        expected = float(np.average(np.exp(np.clip(values * unit, -20, 20)), weights=weights))
        return (
            raw.median_s * expected,
            raw.median_s * float(np.exp(low * unit)),
            raw.median_s * float(np.exp(high * unit)),
        )


def _unit(told: Told) -> float:
    """In what errors of a forecast are measured: plans that are hard to tell are allowed more of them."""
    return float(np.hypot(told.spread, COMMON))


def _logit(p: Floats) -> Floats:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def _sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def _line(chances: list[float], ok: list[bool]) -> tuple[float, float]:
    """Shift and slope under which the outcomes are likeliest (Newton's method); (0, 1) while little speaks for more.

    The rates have learnt from the same outcomes, so that a small shift is mostly luck counted twice: it is held back
    by its size, not by its square, and a large one stands.
    """
    if not chances:
        return 0.0, 1.0
    x, y = _logit(np.array(chances)), np.array(ok, dtype=np.float64)
    design = np.stack([np.ones_like(x), x], axis=1)
    prior = np.array([0.0, 1.0])
    at = prior.copy()
    for _ in range(100):
        stiff = np.diag([1 / (SHIFT * (abs(at[0]) + 0.02)), 1 / SLOPE**2])
        p = _sigmoid(design @ at)
        slope = design.T @ (y - p) - stiff @ (at - prior)
        bend = design.T @ (design * (p * (1 - p))[:, None]) + stiff
        step = np.linalg.solve(bend, slope)
        at = at + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return float(at[0]), float(at[1])


def _quantiles(values: Floats, weights: Floats, levels: tuple[float, ...]) -> list[float]:
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return [float(values[order][np.searchsorted(sums, q * sums[-1])]) for q in levels]
