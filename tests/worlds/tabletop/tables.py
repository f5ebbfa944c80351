"""The table in tables, kept to be compared: layouts as they are drawn, what robots see, and what checks say of joint
actions drawn at random, along the rounds that experts play.

    python -m tests.worlds.tabletop.tables     after a meant change: writes tables.json.gz anew
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.action import NOT_ASKED, Action
from coterie.worlds.tabletop.arms.checks import expand, out_of_reach, unevenness, wording
from coterie.worlds.tabletop.arms.reaching import Reaching
from coterie.worlds.tabletop.job import Refusal
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.plainly import keep, kept_in, line

TABLES = Path(__file__).with_name("tables.json.gz")
MODES = ("rocobench", "mecobench")


def scene(name: str, mode: str, seed: int) -> TabletopWorld:
    return TabletopWorld(draw_tabletop(name, mode, seed), seed)


def layouts(name: str) -> Iterator[str]:
    job = jobs.get(name)
    for mode in MODES:
        for seed in range(6):
            task = draw_tabletop(name, mode, seed)
            layout = task.setting.layout
            yield line(mode, layout.to_json(), task.goal.text(), task.step_limit, dict(task.about))
            yield line(job.graspable(layout), job.solids(layout))
            yield line({t: [job.area(t, p.at), job.turn(t, p.yaw)] for t, p in layout.things.items()})


def seen(world: TabletopWorld) -> Iterator[str]:
    yield line({str(k): v for k, v in world.map().items()})
    for robot in world.robots():
        for fact in world.observe(robot).facts:
            yield line(robot, fact.pred, fact.args, fact.value)
    yield line(world.progress())


def some_action(world: TabletopWorld, robot: str, rng: random.Random) -> Action:
    job, layout = world.job, world.setting.layout
    things = [*job.graspable(layout), *job.graspable(layout), "moon"]
    skill = rng.choice([*job.verbs[robot], *job.verbs[robot], "juggle"])
    verb = job.skills().get(skill)
    count = len(verb.params) if verb is not None else 1
    targets = [*job.targets(robot, skill), *things]
    held = world.table.held.get(robot)
    args: list[Any] = [rng.choice([held, *things] if held else things), *(rng.choice(targets) for _ in range(count))]
    if rng.random() < 0.05:
        return Action(skill, (*args[:count], rng.choice(["more", 3])))
    path: Any = ()
    if job.paths or rng.random() < 0.05:
        points = rng.choice([4, 4, 4, 4, 3, 0])
        path = tuple(tuple(round(rng.uniform(a, b), 2) for a, b in job.boxes[robot]) for _ in range(points))
    motion: Any = rng.choice([None] * 9 + [3, ({"knots": [[1]], "guide": [[0, 0]]},), ({"knots": "x"},), (None,)])
    origin = NOT_ASKED if rng.random() < 0.1 else ""
    return Action(skill, tuple(args[:count]), path=path, motion=motion, origin=origin)


def said(what: Refusal | Any | None) -> Any:
    return [what.clause, what.words, what.fact, what.robot, what.moment] if isinstance(what, Refusal) else None


def judged(world: TabletopWorld, rng: random.Random, count: int) -> Iterator[str]:
    """What the cheap checks say of joint actions, and the legs that they would come to."""
    table, job = world.table, world.job
    for _ in range(count):
        joint = {r: some_action(world, r, rng) for r in table.arms}
        if rng.random() < 0.3:
            joint = {r: a if i else Action("wait") for i, (r, a) in enumerate(joint.items())}
        yield line({r: [str(a), a.path, a.motion, a.origin] for r, a in joint.items()})
        wrong = wording(table, joint)
        yield line("words", said(wrong))
        if wrong is not None:
            continue
        yield line("rules", said(job.rules(table, joint)))
        legs = expand(table, joint)
        if isinstance(legs, Refusal):
            yield line("legs", said(legs))
            continue
        for robot, made in legs.items():
            for leg in made:
                yield line(robot, asdict(leg))
                yield line("uneven", said(unevenness(job, robot, table.ee(robot), leg)))
        for k in range(max(map(len, legs.values()))):
            yield line("reach", said(out_of_reach(job, {r: v[k] for r, v in legs.items()})))
        yield line("homing", {r: job.homing(a) for r, a in joint.items()})


def reached(name: str) -> Iterator[str]:
    """Configurations that arms find for joint actions, the way of a hand between them, and what speaks against it."""
    rng, world = random.Random(f"reached {name}"), scene(name, MODES[0], 3)
    table, tried = world.table, 0
    for _ in range(200):
        joint = {r: some_action(world, r, rng)._replace(motion=None, origin="") for r in table.arms}
        joint = {r: a if rng.random() < 0.6 else Action("wait") for r, a in joint.items()}
        legs = expand(table, joint) if wording(table, joint) is None else None
        if not isinstance(legs, dict) or all(leg.stay for made in legs.values() for leg in made):
            continue
        tried += 1
        yield line(said(world.job.rules(table, joint)))
        reaching = Reaching(table, table.data, table.held, {r: v[0] for r, v in legs.items()}, loose=tried % 2 == 0)
        goals = reaching.solve(tried)
        if isinstance(goals, Refusal):
            yield line(said(goals))
        else:
            yield line(goals.at.tolist(), goals.before.tolist(), goals.retreat[-1].tolist())
            robot = next(r for r in table.arms if not legs[r][0].stay)
            arm = reaching.names.index(robot)
            knots = np.array([reaching.part(s, arm) for s in (reaching.now, goals.before, goals.at)])
            yield line(
                robot, reaching.hand_way(robot, knots).tolist(), reaching.free_path([reaching.now, goals.before])
            )
            led = reaching.led_path(goals.before)
            yield line("led", None if led is None else [len(led), led[-1].tolist()])
        way = reaching.way(tried)
        yield line(said(way) if isinstance(way, Refusal) else [w.tolist() for w in way])
        if tried == 10:
            break


def looked(name: str) -> Iterator[str]:
    rng = random.Random(name)
    for mode in MODES[:1] if name == "move-rope" else MODES:  # a rope takes its time to settle
        world = scene(name, mode, 3)
        yield from seen(world)
        yield from judged(world, rng, 40)
        robots, things = list(world.table.arms), list(world.job.graspable(world.setting.layout))
        names = [*robots, *things, "table"]
        yield line([world.job.role(r) for r in robots], [world.job.grip_kind(t) for t in things])
        for a in names:
            for b in names:
                yield line(a, b, world.job.allowed(a, b), world.job.tolerated(a, b), world.job.apart(a, b))
        for robot, thing in zip(robots, things):  # as if they held something
            if world.job.grip_kind(thing) and robot not in world.table.held:
                world.table.held[robot] = thing
        yield from judged(world, rng, 40)


def tables() -> Iterator[tuple[str, list[str]]]:
    for name in jobs:
        yield f"layouts {name}", list(layouts(name))
        yield f"looked {name}", list(looked(name))
        yield f"reached {name}", list(reached(name))


def kept() -> dict[str, list[str]]:
    return kept_in(TABLES)


if __name__ == "__main__":
    keep(TABLES, dict(tables()))
