"""The independent judge: it confirms the expert's logs and refuses logs that were tampered with."""

from __future__ import annotations

import ast
import functools
import inspect

import pytest

from coterie.bench import validate as module
from coterie.bench.suites import make_suite, sample
from coterie.bench.validate import validate, validate_suite
from coterie.core.config import Config
from coterie.core.event import Event, from_line, to_line
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.entry import INDOOR

KINDS = {
    "": "Ma-MoMa-UAV",
    "cto@5": "Ma-MoMa-UAV",
    "irz@5:2": "Ma-MoMa-UAV",
    "anc@5:UAV": "Ma-MoMa",
    "rec@5:UAV": "Ma-MoMa-UAV",
}


@functools.cache
def lines(change: str, protocol: str) -> list[str]:
    config = Config(protocol=protocol, team=KINDS[change], seed=10_000, changes=(change,) if change else ())
    return [to_line(e) for e in play(config).log.events]


def played(change: str = "", protocol: str = "expert") -> list[Event]:
    return [from_line(line) for line in lines(change, protocol)]


@pytest.mark.parametrize("change", list(KINDS))
def test_an_experts_log_is_confirmed(change):
    log = played(change)
    verdict = validate(log)
    assert verdict == (True, "", log[-1].data["steps"])


def test_a_lost_episode_is_not_confirmed():
    assert "the goal is not reached" in validate(played(protocol="random")).reason


def index(log: list[Event], **wanted: object) -> int:
    def fits(e: Event) -> bool:
        return all(getattr(e, k, None) == v or e.data.get(k) == v for k, v in wanted.items())

    return next(i for i, e in enumerate(log) if fits(e))


def changed(log: list[Event], i: int, **data: object) -> list[Event]:
    return [*log[:i], log[i]._replace(data={**log[i].data, **data}), *log[i + 1 :]]


TAMPERED = {
    "another action": lambda log: changed(log, index(log, kind="act", skill="pick"), skill="wait", args=[]),
    "a better outcome": lambda log: changed(log, index(log, kind="outcome"), reason="all is well"),
    "an easier goal": lambda log: changed(
        log, 0, goal={**log[0].data["goal"], "targets": log[0].data["goal"]["targets"][:1]}
    ),
    "a longer limit": lambda log: changed(log, 0, limit=999),
    "a thing moved": lambda log: changed(log, 0, things=[[*t[:3], "table_0", t[4]] for t in log[0].data["things"]]),
    "a robot less": lambda log: changed(log, 0, robots={n: r for n, r in list(log[0].data["robots"].items())[:-1]}),
    "another scene": lambda log: changed(log, 0, config={**log[0].data["config"], "scene": "loft"}),
    "an act dropped": lambda log: [e for i, e in enumerate(log) if i != index(log, kind="act", skill="pick")],
    "a step dropped": lambda log: [e for e in log if e.step != 2 or e.kind == "end"],
    "a step doubled": lambda log: [*log[:-1], *(e for e in log if e.step == 1 and e.kind == "act"), log[-1]],
    "no end": lambda log: log[:-1],
    "a shorter end": lambda log: changed(log, len(log) - 1, steps=1),
    "a lost end": lambda log: changed(log, len(log) - 1, success=False),
    "no beginning": lambda log: log[1:],
    "nothing": lambda log: [],
    "damage": lambda log: changed(log, index(log, kind="act"), args=None),
}


@pytest.mark.parametrize("how", list(TAMPERED))
def test_a_tampered_log_is_refused(how):
    verdict = validate(TAMPERED[how](played()))
    assert not verdict.ok
    assert verdict.reason


def test_tampered_changes_are_refused():
    log = played("cto@5")
    i = index(log, kind="change")
    first_goal = log[0].data["goal"]
    assert "another goal" in validate(changed(log, i, goal=first_goal)).reason
    assert "never fired" in validate([*log[:i], *log[i + 1 :]]).reason
    assert "schedules no change" in validate(changed(log, i, kind="nothing")).reason
    log = played("irz@5:2")
    assert "closes nothing" in validate(changed(log, index(log, kind="change"), closed={})).reason


def test_the_judge_shares_no_code_with_planner_or_scoring():
    tree = ast.parse(inspect.getsource(module))
    names = {a.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    modules = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert not any("expert" in (m or "") for m in modules)
    assert not {"Planner", "Pack", "Sort", "Stack", "Progress", "Story", "episode_metrics"} & (names - {"Progress"})
    opinion = inspect.getsource(type(INDOOR).reached)
    assert "progress" not in opinion and "goal.right" not in opinion


def test_goals_are_judged_strictly():
    world, task = build(Config(team="Ma-MoMa", seed=1))
    goal = task.goal.to_json()
    assert not INDOOR.reached(goal, world)
    for thing in goal["targets"]:
        world.put(thing, goal["into"], (0.0, 0.0, 0.8))
    assert INDOOR.reached(goal, world)
    intruder = next(t for t in world.things if t not in goal["targets"])
    world.put(intruder, goal["into"], (0.0, 0.0, 0.8))
    assert not INDOOR.reached(goal, world)


def test_stacks_are_judged_in_order_and_panels_one_by_one():
    world, task = build(Config(task="make-sandwich", team="Ma-MoMa", seed=2, level="hard"))
    goal = task.goal.to_json()
    for thing in reversed(goal["targets"]):
        world.put(thing, goal["on"], (0.0, 0.0, 0.8))
    assert not INDOOR.reached(goal, world)
    assert INDOOR.reached({**goal, "targets": goal["targets"][::-1]}, world)
    world, task = build(Config(task="sort-solids", team="Ma-MoMa", seed=2))
    goal = task.goal.to_json()
    for solid, panel in goal["pairs"]:
        assert not INDOOR.reached(goal, world)
        world.put(solid, panel, (0.0, 0.0, 0.8))
    assert INDOOR.reached(goal, world)


def test_a_suite_is_confirmed_task_by_task():
    seen: list[int] = []
    tally = validate_suite(sample(make_suite("smoke"), 6), progress=lambda done, total: seen.append(done))
    assert (tally.total, tally.confirmed, tally.doubts) == (6, 6, [])
    assert seen == [1, 2, 3, 4, 5, 6]
    lost = validate_suite(sample(make_suite("smoke"), 2), method="random")
    assert lost.confirmed == 0
    assert len(lost.doubts) == 2
