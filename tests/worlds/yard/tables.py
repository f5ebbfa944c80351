"""Walks through the yard at random, kept to be compared: what every skill does and refuses, with its cause.

python -m tests.worlds.yard.tables     after a meant change: writes tables.json.gz anew
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.core.action import Action, Outcome
from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl, ne
from coterie.core.facts import Belief
from coterie.core.skill import Clause, Rule
from coterie.core.task import Change, Trigger
from examples.yard import CRAWLER, RUNNER, SKILLS, Tidy, YardWorld, stranger_joins, yard_task
from tests.worlds.plainly import keep, kept_in, line

TABLES = Path(__file__).with_name("tables.json.gz")
RULES = (
    Rule("no cup", "grab", Clause(ne("?thing", "cup"), "The cup stays where it is."), public=False),
    Rule("low", "drop", Clause(eq(fl("at", "?robot"), "0,1"), "Drop things in the corner.")),
)
TASKS = {
    "plain": yard_task(),
    "beam": yard_task(beam=True),
    "rewinds": yard_task(beam=True, rewinds=True),
    "rules": yard_task(rules=RULES, step_limit=None, time_limit_s=30.0),
}
CHANGES = (
    Change(Trigger(step=1), "goal", {"goal": Tidy((("ball", "0,0"),))}),
    Change(Trigger(step=1), "leave", {"robot": "Bo"}),
    Change(Trigger(step=1), "leave", {"robot": "Nobody"}),
    stranger_joins(1),
    stranger_joins(1, start="0,0"),
    stranger_joins(time=2.5, start="4,1"),
    Change(Trigger(), "join", {"robot": "Ada", "card": RUNNER}),
    Change(Trigger(), "join", {"robot": "Eve", "card": CRAWLER, "start": "9,9"}),
    Change(Trigger(), "nothing", {}),
    Change(Trigger(), "storm", {}),
)


def some_action(world: Any, robot: str, rng: random.Random) -> Action:
    things = ["ball", "cup", "beam", "moon"]
    at = world.truth["at", robot]
    here = [t for t in things if world.truth.get(("where", t)) == at] or things
    others = [n for n in world.robots() if n != robot] or ["Nobody"]
    skill = rng.choice([*SKILLS, "grab", "lift", "left", "right", "up", "down", "fly"])
    if rng.random() < 0.08:
        return Action(skill, tuple(rng.choice(["ball", 3, ("a", "b"), "Bo"]) for _ in range(rng.randrange(3))))
    if skill in ("grab", "drop"):
        return Action(skill, (rng.choice([*here, world.truth["holding", robot] or "ball"]),))
    if skill == "lift":
        return Action(skill, (rng.choice(["beam", "beam", "ball"]), rng.choice([*others, robot])))
    if skill == "communicate":
        return Action(skill, ("Hello.", rng.choice([(others[0],), "all", ("Nobody",)])))
    return Action(skill)


def told(o: Outcome) -> str:
    said = o.message and [o.message.to, o.message.text, o.message.time]
    return line(o.robot, str(o.action), o.status, o.reason, o.start, o.duration, o.cause, said)


def altered(world: Any) -> Iterator[str]:
    saved = world.snapshot()
    for change in CHANGES:
        world.restore(saved)
        try:
            events = world.apply(change)
        except CoterieError as err:
            yield line(change.kind, str(err))
        else:
            made = [[e.kind, e.who, e.data] for e in events]
            yield line(change.kind, made, sorted(map(str, world.truth.items())), world.progress())
            yield line(sorted(world.robots()), [told(o) for o in world.advance(world.now)])
    world.restore(saved)


def walk(name: str, seed: int, steps: int = 60) -> Iterator[str]:
    world, rng = YardWorld(TASKS[name]), random.Random(f"{name} {seed}")
    yield line(world.start_data(), sorted(map(str, world.map().items())))
    beliefs = {r: Belief(world.map(), world.listings()) for r in world.robots()}
    for step in range(steps):
        for robot, belief in beliefs.items():
            new = [[f.pred, f.args, f.value] for f in world.observe(robot).facts if belief.tell(f) and f.pred != "card"]
            yield line("sees", robot, new)
            look = world.lookup(belief)
            yield line([look("next", robot, w) for w in ("left", "up")], look("occupant", robot, "right"))
            yield line([look("near", robot, t) for t in ("ball", "cup", "beam")], look("beam", "beam"))
        idle = [r for r in world.robots() if r not in world.underway]
        joint = {r: some_action(world, r, rng) for r in idle if rng.random() < 0.9}
        if rng.random() < 0.3 and set(idle) == {"Ada", "Bo"} and name != "plain":
            joint = {r: Action("lift", ("beam", o)) for r, o in (("Ada", "Bo"), ("Bo", "Ada"))}
        tried = {**joint, **({"Ada": Action("wait")} if rng.random() < 0.3 else {})}
        for robot, verdict in world.check({**tried, **({"Nobody": Action("wait")} if step % 9 == 0 else {})}).items():
            yield line("check", robot, str(tried.get(robot)), verdict)
        try:
            world.start(joint if step % 11 else {**joint, "Nobody": Action("wait")})
        except CoterieError as err:
            yield line(str(err))
        if rng.random() < 0.08 and world.underway:
            stopped = world.cancel(rng.choice(sorted(world.underway)))
            yield told(stopped) if stopped is not None else "nothing"
        until = rng.choice([None, None, world.now + 0.7])
        for outcome in world.advance(until):
            yield told(outcome)
        if step % 12 == 7:
            yield from altered(world)
        yield line(world.now, world.progress(), world.trace())
    for action in (Action("right"), Action("grab", ("ball",)), Action("grab", ("moon",))):
        for status in ("done", "failed"):
            yield told(world.accept(Outcome("Ada", action, status, "so it says", 1.0, 2.0)))


def walks() -> Iterator[tuple[str, list[str]]]:
    for name in TASKS:
        for seed in range(2):
            yield f"{name} {seed}", list(walk(name, seed))


def kept() -> dict[str, list[str]]:
    return kept_in(TABLES)


if __name__ == "__main__":
    keep(TABLES, dict(walks()))
