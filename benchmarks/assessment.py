"""Whether chances and durations of plans come true, on outcomes whose truth is known.

    python benchmarks/assessment.py                        all worlds, five seeds each
    python benchmarks/assessment.py --plot results/assess  a picture for each

A world draws plans over several robots and skills and carries them out: every robot has its own rate at every skill,
places matter, durations are skewed, the actions of a plan share their luck and their pace, and a plan stops at its
first failure. The assessor sees the outcomes of 500 plans, foretold as they came; then 500 others are foretold and
held to what happens, without being learnt from. Worlds that break an assumption stand below the line.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coterie.bench.table import markdown
from coterie.core.seeds import seed_of
from coterie.mission.assess import Assessor, PlanStep, Trial, Trials
from coterie.mission.assess.calibrate import Pair, calibration, draw

SKILLS = {
    "goto": (0.985, 12.0),
    "perceive": (0.96, 4.0),
    "pickup": (0.94, 7.0),
    "putin": (0.97, 6.0),
    "open": (0.95, 9.0),
}
ROBOTS = ("fetch", "spot", "temi", "stretch")
PLACES = 6


@dataclass(frozen=True)
class World:
    """How outcomes come about. Spreads are of logits for success and of logarithms for durations."""

    name: str
    robots: float = 0.8  # how unlike robots are at a skill
    places: float = 0.4
    luck: float = 0.0  # that all actions of a plan share
    luck_of_skill: float = 0.0  # that the actions of one robot and skill in a plan share
    skew: float = 0.35  # of single durations
    pace: float = 0.0  # that all durations of a plan share
    tail: float = 0.0  # how often a duration is ten times as long
    steps: tuple[int, int] = (4, 16)
    test_steps: tuple[int, int] | None = None  # of the plans that are held out, if others
    drift: float = 0.0  # by how much all rates are worse in the plans that are held out, in logits
    strangers: bool = False  # the held-out plans are carried out by robots nobody has seen
    unseen: float = 0.0  # how often a plan fails for what no step of it shows
    corrected: bool = True
    train: int = 500


WORLDS = [
    World("robots, places and skills differ; skewed durations"),
    World("the same, 1,000 plans seen", train=1000),
    World("the same, 40 plans seen", train=40),
    World("actions of a robot at a skill fail together", luck_of_skill=1.0),
    World("all actions of a plan fail together", luck=1.0),
    World("one plan in five fails for what no step shows", unseen=0.2),
    World("plans as a whole are slow or quick", pace=0.3),
    World("one duration in 20 is ten times as long", tail=0.05),
    World("all of it", luck=0.7, luck_of_skill=0.7, unseen=0.1, pace=0.25, tail=0.02),
]
BROKEN = [
    World("one plan in five fails for what no step shows, forecasts not learnt from", unseen=0.2, corrected=False),
    World("plans as a whole are slow or quick, forecasts not learnt from", pace=0.3, corrected=False),
    World("rates get worse behind its back (-1 logit)", drift=-1.0),
    World("robots nobody has seen, all unlike", strangers=True, robots=1.5),
    World("plans three times as long as any before, that fail together", luck=1.0, test_steps=(24, 40)),
]


class Truth:
    """The rates and paces of one world, and what becomes of plans in it."""

    def __init__(self, world: World, seed: int):
        self.world, self.rng = world, np.random.default_rng(seed_of("truth", seed))
        self.offset: dict[tuple[str, ...], float] = {}
        self.pace: dict[tuple[str, ...], float] = {}

    def _effect(self, kept: dict[tuple[str, ...], float], key: tuple[str, ...], spread: float) -> float:
        if key not in kept:
            kept[key] = float(self.rng.normal(0, spread)) if spread else 0.0
        return kept[key]

    def plan(self, number: int, held_out: bool) -> list[PlanStep]:
        rng, world = self.rng, self.world
        low, high = (world.test_steps or world.steps) if held_out else world.steps
        robots = [f"new_{r}" for r in ROBOTS] if held_out and world.strangers else list(ROBOTS)
        team = list(rng.choice(robots, size=int(rng.integers(1, 4)), replace=False))
        steps: list[PlanStep] = []
        for i in range(int(rng.integers(low, high + 1))):
            skill = str(rng.choice(list(SKILLS)))
            after = (f"s{rng.integers(0, i)}",) if i and rng.random() < 0.4 else ()
            usual = SKILLS[skill][1] * (float(rng.uniform(0.5, 2.0)) if skill == "goto" else 1.0)
            place = f"place{rng.integers(PLACES)}"
            steps.append(PlanStep(f"s{i}", skill, str(rng.choice(team)), (place,), after, usual))
        return steps

    def carry_out(self, steps: list[PlanStep], held_out: bool) -> Iterator[tuple[PlanStep, bool, float, float]]:
        """Each step with whether it succeeded, when it began and how long it took; nothing begins after a failure."""
        rng, world = self.rng, self.world
        shared = rng.normal(0, world.luck) if world.luck else 0.0
        pace = rng.normal(0, world.pace) if world.pace else 0.0
        of_skill: dict[tuple[str, str], float] = {}
        ends: dict[str, float] = {}
        free: dict[str, float] = {}
        for step in steps:
            key = (step.skill, step.robot)
            luck = of_skill.setdefault(key, rng.normal(0, world.luck_of_skill) if world.luck_of_skill else 0.0)
            rate = SKILLS[step.skill][0]
            logit = math.log(rate / (1 - rate)) + self._effect(self.offset, key, world.robots)
            logit += self._effect(self.offset, (*key, *step.args), world.places) + shared + luck
            logit += world.drift if held_out else 0.0
            log_s = self._effect(self.pace, key, 0.25) + self._effect(self.pace, (*key, *step.args), 0.15)
            takes = step.usual_s * math.exp(log_s + pace + rng.normal(0, world.skew))
            takes *= 10.0 if rng.random() < world.tail else 1.0
            start = max([free.get(step.robot, 0.0), *(ends[o] for o in step.after)])
            ok = rng.random() < 1 / (1 + math.exp(-logit))
            ends[step.id] = free[step.robot] = start + takes
            yield step, ok, start, takes
            if not ok:
                return


def play(truth: Truth, trials: Trials, assessor: Assessor, number: int, held_out: bool) -> Pair:
    steps = truth.plan(number, held_out)
    name = f"p{number}"
    told = assessor.assess(steps) if held_out else assessor.foretell(name, steps)
    ok, end = True, 0.0
    for step, good, start, takes in truth.carry_out(steps, held_out):
        ok, end = ok and good, max(end, start + takes)
        if not held_out:
            trials.add(Trial(step.skill, step.robot, good, takes, step.usual_s, step.where, name))
    ok = ok and truth.rng.random() >= truth.world.unseen
    if not held_out:
        trials.ended(name, ok, end)
    return told, ok, end if ok else None


def held_to(world: World, seed: int, test: int = 500) -> list[Pair]:
    truth, trials = Truth(world, seed), Trials()
    assessor = Assessor(trials, seed, samples=400, corrected=world.corrected)
    for i in range(world.train):
        play(truth, trials, assessor, i, False)
    return [play(truth, trials, assessor, world.train + i, True) for i in range(test)]


def row(world: World, seeds: int, plot: Path | None) -> list[str]:
    runs = [held_to(world, seed) for seed in range(seeds)]
    scores = [calibration(pairs) for pairs in runs]
    if plot is not None:
        plot.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in world.name)
        draw(runs[0], plot / f"{name}.png", world.name)

    def span(of: str, scale: float = 1.0) -> str:
        values = [scale * getattr(s, of) for s in scores]
        return f"{np.mean(values):.3g} ({min(values):.3g} to {max(values):.3g})"

    better = sum(s.brier < s.base_brier for s in scores)
    base = np.mean([s.base_brier for s in scores])
    works = np.mean([ok for pairs in runs for _, ok, _ in pairs])
    return [
        world.name,
        f"{100 * works:.0f} %",
        span("error"),
        span("brier"),
        f"{base:.3g}",
        f"{better} of {seeds}",
        span("coverage", 100),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--plot", type=Path, help="a folder for pictures")
    parser.add_argument("--only", default="", help="worlds whose names have this in them")
    args = parser.parse_args()
    heads = ["world", "work", "calibration error", "Brier", "of base rate", "better", "80 % intervals cover, %"]
    for words, worlds in (
        ("Held to the truth (mean, and least to most over seeds)", WORLDS),
        ("What breaks it", BROKEN),
    ):
        chosen = [w for w in worlds if args.only in w.name]
        if chosen:
            print(f"\n{words}\n")
            rows = []
            for world in chosen:
                print(f"  {world.name} ...", file=sys.stderr)
                rows.append(row(world, args.seeds, args.plot))
            print("\n".join(markdown(heads, rows)), flush=True)


if __name__ == "__main__":
    main()
