"""Drawing tasks from a seed: targets, distractors and places, kept only if a planner with full knowledge can."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from coterie.core.card import Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.expr import fl
from coterie.core.seeds import rng_of
from coterie.core.skill import Clause, Rule
from coterie.core.task import Task
from coterie.houses.scene import Scene, dist
from coterie.houses.work_table import NEEDS
from coterie.worlds.indoor.bodies import team as make_team
from coterie.worlds.indoor.fluents import fluents_of
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.setting import Platform, Setting, Thing
from coterie.worlds.indoor.tasks.difficulty import (
    ELSEWHERE,
    LEVELS,
    ON_TABLE,
    OUT_OF_REACH,
    STEP_LIMITS,
    WIDE,
    difficulty,
    level_of,
    wide_limit,
)
from coterie.worlds.indoor.tasks.goals import IndoorGoal, Pack, Sort, Stack
from coterie.worlds.indoor.tasks.vocabulary import COLOURS, PACK, SANDWICH, SHAPES, TOYS, Word
from coterie.worlds.indoor.world import IndoorWorld

KINDS = ("pack-objects", "sort-solids", "make-sandwich")
MOST_DRAWS = 400

#: Learnt only by breaking it.
FINAL_PLACEMENT = Rule(
    "final placement",
    "place",
    Clause(
        fl("may_place", "?robot", "?platform"),
        "The placement violates a rule of this task: only the arm fixed at the work table may place things on "
        "{platform}. {robot} still holds {object}.",
    ),
    public=False,
)

Spot = tuple[float, float, float]


def draw_task(kind: str, level: str, team: str, scene: Scene, seed: int, accept: Any = None) -> Task:
    """The first feasible task of the wanted level from this seed.

    `accept(task, world)` may turn a task down for further reasons, or return a changed one; the number of rejected
    draws is kept in `task.about["rejected"]`.
    """
    if kind not in KINDS:
        raise unknown_name("indoor task", kind, KINDS)
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    if scene.work is None:
        raise CoterieError(
            f"Scene '{scene.name}' has no work table, which {kind} needs; take another scene, add [work] to its file "
            f'(in ProcTHOR\'s format: {NEEDS}), or write a task with `kind = "bring"`.'
        )
    robots = make_team(team)
    if not any(c.mobility == "fixed" for _, c in robots):
        raise CoterieError(f"Team {team} has no fixed arm; the final placement needs one. Add Ma, like Ma-{team}.")
    carriers = [c for _, c in robots if c.moves and c.manipulates]
    if not carriers and level != "easy" and not getattr(accept, "before_feasible", False):
        raise CoterieError(f"Nobody in team {team} can fetch anything; add MoMa or UAV, or take --level easy.")
    step = getattr(accept, "step", 0)
    if step >= STEP_LIMITS[level] - 4:
        raise CoterieError(
            f"A change at step {step} comes too late: {level} tasks end after {STEP_LIMITS[level]} steps."
        )
    for n in range(MOST_DRAWS):
        rng = rng_of("task", kind, level, team, scene.name, seed, n)
        far = getattr(accept, "far_targets", 1)
        task = _Drawing(kind, level, team, scene, rng, robots).task(seed, far)
        if task is None:
            continue
        world = IndoorWorld(task)
        planner = Planner(world)
        helpers = planner.helpers_needed()
        if helpers is None:
            if accept is None or not getattr(accept, "before_feasible", False):
                continue
        else:
            plan = planner.best()
            if plan is None or plan.steps > STEP_LIMITS[level]:
                continue
        locations = [location_of(planner, t) for t in task.goal.targets]
        d = difficulty(locations, helpers if helpers is not None else 2)
        if level not in ("medium-search", WIDE) and level_of(d) != level:
            continue
        about = {**task.about, "difficulty": d, "locations": locations, "helpers": helpers, "rejected": n}
        task = replace(task, about=about)
        if accept is not None:
            accepted = accept(task, world)
            if accepted is None:
                continue
            task = accepted
        return task if level != WIDE else replace(task, step_limit=_time_limit(world))
    raise CoterieError(
        f"No feasible {level} {kind} for team {team} in scene '{scene.name}' in {MOST_DRAWS} draws; "
        "try another level, team or scene."
    )


def with_team(task: Task, team: str) -> Task:
    """The same task for another team."""
    return replace(task, robots=make_team(team), about={**task.about, "team": team})


def can_do(task: Task) -> bool:
    """True if the task's team can do it within its steps."""
    planner = Planner(IndoorWorld(task))
    plan = planner.best() if planner.helpers_needed() is not None else None
    return plan is not None and plan.steps <= STEP_LIMITS[task.about["level"]]


def _time_limit(world: IndoorWorld) -> int:
    """In steps of six seconds, from how long the best plan takes."""
    planner = Planner(world, clock=True)
    return wide_limit(planner.seconds(planner.best()))


def location_of(planner: Planner, thing: str) -> int:
    truth = planner.world.truth
    if truth["where", thing] != planner.table:
        return ELSEWHERE
    return ON_TABLE if planner.in_arms_reach(thing) else OUT_OF_REACH


class _Drawing:
    def __init__(
        self,
        kind: str,
        level: str,
        team: str,
        scene: Scene,
        rng: random.Random,
        robots: tuple[tuple[str, Card], ...],
    ):
        self.kind, self.level, self.team, self.scene, self.rng = kind, level, team, scene, rng
        self.robots = robots
        assert scene.work is not None
        self.work = scene.work
        self.table = scene.piece[scene.work.table]
        self.arm = next(c for _, c in robots if c.mobility == "fixed")
        self.split = scene.split
        self.platforms = platforms_for(kind, scene, self.arm, self.split)
        self.fluents = fluents_of(Setting(scene, self.platforms, ()))
        self.used: set[Spot] = set()

    def task(self, seed: int, far: int) -> Task | None:
        rng = self.rng
        wanted = self._locations(far)
        goal, things, others = self._names(len(wanted))
        placed: list[tuple[Thing, str, Spot]] = []
        for thing, location in zip(things, wanted):
            place = self._place(location)
            if place is None:
                return None
            placed.append((thing, *place))
        for thing in others:
            place = self._place(rng.choices((ON_TABLE, OUT_OF_REACH, ELSEWHERE), (1, 1, 4))[0])
            if place is not None:
                placed.append((thing, *place))
        rng.shuffle(placed)
        about = {"kind": self.kind, "level": self.level, "team": self.team, "scene": self.scene.name}
        return Task(
            self.kind,
            goal,
            Setting(self.scene, self.platforms, tuple(placed)),
            self.robots,
            (FINAL_PLACEMENT,),
            step_limit=STEP_LIMITS[self.level],
            split=self.split,
            seed=seed,
            about=about,
        )

    def _locations(self, far: int) -> list[int]:
        """Where the targets are to lie, drawn so that the wanted level is likely; at least `far` off the table."""
        rng = self.rng
        if self.level == "easy":
            return [ON_TABLE] * rng.randint(1, 5)
        if self.level == "medium":
            n = rng.randint(1, 5)
            return [OUT_OF_REACH] + [rng.choice((ON_TABLE, OUT_OF_REACH)) for _ in range(n - 1)]
        if self.level == WIDE:
            return [ELSEWHERE] * rng.randint(3, 5)
        most = max(3, far) if self.level == "medium-search" else 5
        n = rng.randint(max(2, far), most)
        rest = [rng.choices((ON_TABLE, OUT_OF_REACH, ELSEWHERE), (1, 1, 2))[0] for _ in range(n - far)]
        locations = [ELSEWHERE] * min(n, far) + rest
        rng.shuffle(locations)
        return locations

    def _names(self, n: int) -> tuple[IndoorGoal, list[Thing], list[Thing]]:
        rng = self.rng
        extra = rng.randint(4, 6)
        if self.kind == "sort-solids":
            colours = list(COLOURS[self.split][:])
            panels = tuple(p.name for p in self.platforms)
            present = [c for c in colours if f"{c}_panel" in panels]
            rng.shuffle(present)
            solids = []
            for colour in present:
                shape = rng.choice(SHAPES[self.split])
                solids.append(Thing(f"{colour}_{shape}_0", shape, 0.1, colour, shape))
            targets, rest = solids[:n], solids[n : n + 2]
            goal: IndoorGoal = Sort(tuple((t.name, f"{t.colour}_panel") for t in targets), panels)
            words = rng.sample(PACK[self.split], extra - 1)
            return goal, targets, rest + [Thing(f"{w.kind}_0", w.kind, w.mass_kg) for w in words]
        if self.kind == "make-sandwich":
            bread, *fillings = SANDWICH[self.split]
            chosen = rng.sample(fillings, min(len(fillings), n + 2))
            order: list[tuple[Word, int]] = [(bread, 0)]
            order += [(w, 0) for w in chosen[: n - 1]]
            if n >= 3:
                order[-1] = (bread, 1)
            targets = [Thing(f"{w.kind}_{i}", w.kind, w.mass_kg) for w, i in order]
            names = {t.name for t in targets}
            rest = [Thing(f"{w.kind}_0", w.kind, w.mass_kg) for w in chosen if f"{w.kind}_0" not in names]
            words = rng.sample(PACK[self.split], 2)
            return (
                Stack(tuple(t.name for t in targets)),
                targets,
                (rest + [Thing(f"{w.kind}_0", w.kind, w.mass_kg) for w in words]),
            )
        pool = TOYS if self.scene.tray == "basket" else PACK[self.split]
        words = rng.sample(pool, min(len(pool), n + extra))
        things = [Thing(w.kind if pool is TOYS else f"{w.kind}_0", w.kind, w.mass_kg) for w in words]
        return Pack(tuple(t.name for t in things[:n]), self.scene.tray), things[:n], things[n:]

    def _place(self, location: int) -> tuple[str, Spot] | None:
        rng = self.rng
        if location == ELSEWHERE:
            options = [f for f in self.scene.places if f.name != self.table.name and not f.person]
            f = rng.choice(options)
            spots = [s for s in f.spots if s not in self.used]
        else:
            f = self.table
            spots = [s for s in f.spots if s not in self.used and s not in self.fluents.blocked_spots]
            spots = [s for s in spots if dist((s[0], s[1]), self.work.arm) >= 0.2]
            near = location == ON_TABLE
            spots = [s for s in spots if (self.arm.gap(self.work.arm, s) <= self.arm.reach_m - 0.02) == near]
        if not spots:
            return None
        spot = rng.choice(spots)
        self.used.add(spot)
        return f.name, spot


def platforms_for(
    kind: str, scene: Scene, arm: Card, split: str, colours: tuple[str, ...] = ()
) -> tuple[Platform, ...]:
    """The tray, the six panels or the cutting board on the work table."""
    work = scene.work
    assert work is not None
    table = scene.piece[work.table]
    if kind == "pack-objects":
        return (platform(scene, scene.tray, "tray", "", work.platform),)
    if kind == "make-sandwich":
        return (platform(scene, "cutting_board", "board", "", work.platform),)
    spots = [s for s in table.spots if arm.gap(work.arm, s) <= arm.reach_m - 0.1]
    spots = [s for s in spots if dist((s[0], s[1]), work.arm) >= 0.25]
    spots.sort(key=lambda s: (round(dist((s[0], s[1]), work.platform), 3), s))
    centres: list[Spot] = []
    for s in spots:
        if all(dist((s[0], s[1]), (c[0], c[1])) >= 0.2 for c in centres):
            centres.append(s)
        if len(centres) == 6:
            break
    if not colours:
        colours = tuple(rng_of("panels", scene.name).sample(COLOURS[split], 6))
    return tuple(platform(scene, f"{c}_panel", "panel", c, (s[0], s[1])) for c, s in zip(colours, centres))


def platform(scene: Scene, name: str, kind: str, colour: str, centre: tuple[float, float]) -> Platform:
    """A platform on the work table, from what the first line of a log says of it."""
    assert scene.work is not None
    table = scene.piece[scene.work.table]
    return Platform(name, kind, table.name, centre, table.surface_m, 1 if kind == "panel" else 8, colour)
