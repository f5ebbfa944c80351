"""How likely a plan is to work, and how long it takes, by sampling what was recorded of its actions.

    assessor = Assessor(trials, seed=7)
    told = assessor.assess(steps)                      # a plan that runs, or one that only might
    told.chance, told.duration_s, told.low_s, told.high_s
    assessor.foretell("g1.2", steps)                   # keeps what was told, to be held to it

Every sample is one way the plan may go: rates and average durations that may be the true ones, then whether each step
succeeds, then when it ends in the partial order. What was foretold of earlier plans and what became of them corrects
what is told now: chances that were too high or too low as a rule are bent, and intervals that were too narrow or too
wide are stretched or drawn in, as far as there is evidence for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from coterie.core.action import Cause
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.judge import Failure, first_failure
from coterie.core.seeds import seed_of
from coterie.core.skill import Skill, outcome_of
from coterie.mission.assess.rates import Correction, Floats, Rates, Times
from coterie.mission.assess.trials import PlanStep, Progress, Told, Trials, in_order, waits_for

SAMPLES = 1000
LEVEL = 0.8  # of the intervals


class Weak(NamedTuple):
    """A step, and its own chance to succeed."""

    step: str
    chance: float


@dataclass(frozen=True)
class Assessment:
    """The forecast for a plan. Durations are those of success, from the beginning of the plan; `low` and `high`
    are the ends of intervals that hold the truth in 80 of 100 cases."""

    chance: float
    chance_low: float  # how sure the chance itself is: few trials make it wide
    chance_high: float
    duration_s: float  # to be expected
    low_s: float
    high_s: float
    weakest: tuple[Weak, ...] = ()  # the steps that are likeliest to fail, worst first
    broken: Cause | None = None  # a condition of a step that will not hold: then the chance is nil
    broken_step: str = ""
    raw: Told | None = None  # before correction


class Assessor:
    """Reads trials, and tells. The same trials, plan and seed give the same figures."""

    def __init__(self, trials: Trials, seed: int = 0, samples: int = SAMPLES):
        self.trials, self.seed, self.samples = trials, seed, samples
        self.rates, self.times, self.correction = Rates(trials), Times(trials), Correction()
        self._seen = (-1, -1)

    def _refresh(self) -> None:
        trials, ends = self.trials.number, self.trials.ends
        if trials != self._seen[0]:
            self.rates, self.times = Rates(self.trials, self.rates), Times(self.trials)
        if ends != self._seen[1]:
            self.correction = Correction(self.trials.finished())
        self._seen = (trials, ends)

    def assess(self, steps: Iterable[PlanStep], progress: Progress | None = None) -> Assessment:
        """A plan that has not begun, or the rest of one that runs."""
        self._refresh()
        given = list(steps)
        ordered, waits = in_order(given), waits_for(given)
        progress = progress or Progress()
        rng = np.random.default_rng(seed_of("assess", self.seed, *sorted(s.id for s in given)))
        chances = self._chances(ordered, rng)
        left = [s for s in ordered if s.id not in progress.ended_s]
        whole = _product([chances[s.id] for s in ordered], self.samples)
        rest = _product([chances[s.id] for s in left], self.samples)
        ends = self._ends(ordered, waits, progress, rng)
        total = np.max(np.stack([ends[s.id] for s in ordered]), axis=0) if ordered else np.zeros(self.samples)
        raw = _told(float(whole.mean()), total)
        fix = self.correction
        share = _share(float(rest.mean()), float(whole.mean()))
        low, high = np.quantile(rest, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        chance, low_c, high_c = (fix.chance(_of_whole(p, share)) ** share for p in (float(rest.mean()), low, high))
        duration, low_s, high_s = fix.duration(total, raw, LEVEL)
        floor = max((progress.now_s, *progress.ended_s.values())) if left else 0.0
        weakest = sorted((Weak(s.id, float(chances[s.id].mean())) for s in left), key=lambda w: w.chance)[:3]
        return Assessment(
            chance,
            min(low_c, chance),
            max(high_c, chance),
            max(duration, floor),
            max(low_s, floor),
            max(high_s, floor),
            tuple(weakest),
            raw=raw,
        )

    def foretell(self, plan: str, steps: Iterable[PlanStep]) -> Assessment:
        """Assess a plan that begins now, and keep what is told of it; `trials.ended` says later what became of it. One
        without steps ends when others do, and is not kept."""
        given = list(steps)
        found = self.assess(given)
        if given and found.raw is not None:
            self.trials.foretold(replace(found.raw, plan=plan, known=self.trials.number))
        return found

    # -- sampling -------------------------------------------------------------------------------------------------
    def _chances(self, steps: list[PlanStep], rng: np.random.Generator) -> dict[str, Floats]:
        """The chance of each step in each sample; like steps of one plan share what is not known, and their luck."""
        drawn: dict[tuple[str, str, str], Floats] = {}
        found = {}
        for step in steps:
            key = (step.skill, step.robot, step.where)
            if key not in drawn:
                drawn[key] = self.rates.luck(self.rates.draw(*key, rng, self.samples), rng)
            found[step.id] = drawn[key]
        return found

    def _ends(
        self, steps: list[PlanStep], waits: dict[str, tuple[str, ...]], progress: Progress, rng: np.random.Generator
    ) -> dict[str, Floats]:
        """When each step ends in each sample, if all goes well."""
        groups: dict[tuple[str, str, str], list[PlanStep]] = {}
        for step in steps:
            groups.setdefault((step.skill, step.robot, step.where), []).append(step)
        takes: dict[str, Floats] = {}
        for key, members in groups.items():
            ratios = self.times.draw(*key, len(members), rng, self.samples)
            takes |= {s.id: row * s.usual_s for s, row in zip(members, ratios)}
        ends: dict[str, Floats] = {}
        for step in steps:
            if step.id in progress.ended_s:
                ends[step.id] = np.full(self.samples, progress.ended_s[step.id])
                continue
            begun = progress.begun_s.get(step.id)
            if begun is not None:
                ends[step.id] = begun + _longer(takes[step.id], progress.now_s - begun, rng)
                continue
            start = np.full(self.samples, progress.now_s)
            for other in waits[step.id]:
                start = np.maximum(start, ends[other])
            ends[step.id] = start + takes[step.id]
        return ends


def _longer(takes: Floats, than: float, rng: np.random.Generator) -> Floats:
    """Durations of a step that has lasted so long already."""
    good = takes[takes > than]
    if len(good) < 5:  # longer than anything recorded: it may end any time, and the longer it lasted the later
        return than * np.exp(np.abs(rng.normal(0.0, 0.3, len(takes)))) if than > 0 else takes
    return np.where(takes > than, takes, good[rng.integers(0, len(good), len(takes))])


def _product(chances: list[Floats], number: int) -> Floats:
    found = np.ones(number)
    for one in chances:
        found = found * one
    return found


def _told(chance: float, total: Floats) -> Told:
    low, middle, high = np.quantile(np.maximum(total, 1e-6), (0.1, 0.5, 0.9))
    return Told("", chance, float(middle), max(float(np.log(high / low)) / 2, 0.01))


def _share(rest: float, whole: float) -> float:
    """How much of the danger is still ahead."""
    if rest >= 1 - 1e-12:
        return 0.0
    return min(1.0, float(np.log(max(rest, 1e-12)) / np.log(max(min(whole, 1 - 1e-12), 1e-12))))


def _of_whole(rest: float, share: float) -> float:
    """The chance of a whole plan, of which a share is ahead with this chance."""
    return float(max(rest, 1e-12) ** (1 / share)) if share > 1e-9 else 1.0


class Broken(NamedTuple):
    """The first step of a plan that cannot be done, why as data, and in words."""

    step: PlanStep
    cause: Cause
    words: str


def first_broken(
    steps: Iterable[PlanStep], skills: Mapping[str, Skill], look: Lookup, done: Iterable[str] = ()
) -> Broken | None:
    """Go through a plan in thought, from what `look` knows: the first step whose condition will not hold.

    What is not known counts as well: only what is known to be otherwise breaks a plan. Steps in `done` are over, and
    what they did is known already.
    """
    changed: dict[tuple[Any, ...], Any] = {}
    over = set(done)

    def then(pred: str, *args: Any) -> object:
        key = (pred, *args)
        return changed[key] if key in changed else look(pred, *args)

    for step in in_order(steps):
        skill = skills.get(step.skill)
        bound = None if skill is None else skill.bind(step.robot, step.args)
        if step.id in over or skill is None or bound is None:
            continue
        failure = first_failure(skill, bound, then)
        if isinstance(failure, Failure):
            return Broken(step, failure.cause, failure.words)
        changed.update({k: v for k, v in outcome_of(skill, bound, then).items() if v is not UNKNOWN})
    return None


def what_if(
    assessor: Assessor,
    steps: Iterable[PlanStep],
    skills: Mapping[str, Skill],
    look: Lookup,
    progress: Progress | None = None,
) -> Assessment:
    """A plan assessed under facts that need not be so (`knowledge.supposing(...).value`): a plan that they break has no
    chance, and `broken` says why. What to do then is for a planner to say, on the same facts."""
    given = list(steps)
    found = assessor.assess(given, progress)
    broken = first_broken(given, skills, look, () if progress is None else progress.ended_s)
    if broken is None:
        return found
    return replace(found, chance=0.0, chance_low=0.0, chance_high=0.0, broken=broken.cause, broken_step=broken.step.id)
