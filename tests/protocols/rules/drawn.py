"""Drawn situations of the rule mind: beliefs and memories met in played episodes, and what it did.

    python -m tests.protocols.rules.drawn label   keeps the situations, writes what the mind does in them now
    python -m tests.protocols.rules.drawn draw    plays again, draws new situations and labels them

After a meant change of the mind, `label`: the difference of drawn.jsonl shows where it acts otherwise. `draw` is for
situations that played episodes did not have before.
"""

from __future__ import annotations

import ast
import functools
import gzip
import json
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from coterie.core.action import Action, Cause, Outcome
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import Party, RobotView
from coterie.core.seeds import rng_of
from coterie.core.task import goals
from coterie.episode.loop import Settings, run
from coterie.episode.setup import build
from coterie.log.file import Log
from coterie.protocols.rules import Memory, Rules, next_action
from coterie.worlds.indoor.bodies import team

HERE = Path(__file__).parent
SITUATIONS, LABELS = HERE / "drawn.json.gz", HERE / "drawn.jsonl"
TASKS = ("pack-objects", "sort-solids", "make-sandwich")
TEAMS = ("Ma-MoMa", "Ma-UAV", "Ma-MoMa-Mo", "Ma-MoMa-UAV", "Ma-Mo-UAV", "Ma-MoMa-Mo-UAV")
CHANGES = ("", "cto@5", "irz@5:2", "rec@5:MoMa", "", "anc@5:UAV")
LEVELS = ("easy", "medium", "hard")
EPISODES, EACH = 60, 10


def configs() -> Iterator[dict[str, Any]]:
    for i in range(EPISODES):
        change, team = CHANGES[i % 6], TEAMS[(i // 2) % 6]
        if change.startswith("anc"):
            team = ("Ma-MoMa", "Ma-MoMa-Mo")[i % 2]
        if change.startswith("rec"):
            team = ("Ma-MoMa-UAV", "Ma-MoMa-Mo-UAV")[i % 2]
        scene = ("flat", "loft", "bungalow", f"house:{2 * i + 1}")[i % 4]
        config = {"task": TASKS[i % 3], "team": team, "scene": scene, "seed": 300 + i, "level": LEVELS[(i // 3) % 3]}
        noise = {"noise": "slip=0.2,drift=0.2,miss=0.1"} if i % 4 == 3 else {}
        yield {**config, **({"changes": (change,)} if change else {}), **noise}
    for i in range(8):  # doors that close on the way, and things to bring through the whole house
        door = ("kitchen_door", "bedroom_door")[i % 2]
        config = {"task": TASKS[i % 3], "team": ("Ma-MoMa-UAV", "Ma-MoMa-Mo", "Ma-UAV")[i % 3], "scene": "flat"}
        yield {**config, "seed": 400 + i, "changes": (f"door@{1 + i % 3}:{door}",)}
        yield {"task": "examples/tea_for_anna.toml", "seed": 500 + i, **({"noise": "slip=0.3,miss=0.2"} if i else {})}


# -- values as text ----------------------------------------------------------------------------------------------------
def plain(value: Any) -> Any:
    if isinstance(value, Card):
        return {"card": value.body, "name": value.name}
    if value is UNKNOWN:
        return {"unknown": True}
    return {"goal": value.to_json()} if hasattr(value, "to_json") else value


def unplain(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "card" in value:
        return team(value["card"])[0][1]
    return UNKNOWN if "unknown" in value else goals.get(value["goal"]["kind"])(value["goal"])


def fact_out(fact: Fact) -> str:
    return repr((fact.pred, fact.args, plain(fact.value), fact.time, fact.source))


def fact_in(text: str) -> Fact:
    pred, args, value, time, source = ast.literal_eval(text)
    return Fact(pred, args, unplain(value), time, source)


def outcome_out(outcome: Outcome | None) -> Any:
    if outcome is None:
        return None
    cause = None if outcome.cause is None else (outcome.cause.clause, *_fact_of(outcome.cause))
    return repr((outcome.robot, outcome.action.skill, outcome.action.args, outcome.status, outcome.reason, cause))


def _fact_of(cause: Cause) -> tuple[Any, ...]:
    """What it turned on, where that is plain; the mind reads the clause."""
    text = repr(cause.fact)
    try:
        return (ast.literal_eval(text),)
    except (ValueError, SyntaxError):
        return ()


def outcome_in(text: Any) -> Outcome | None:
    if text is None:
        return None
    robot, skill, args, status, reason, cause = ast.literal_eval(text)
    return Outcome(robot, Action(skill, args), status, reason, cause=None if cause is None else Cause(*cause))


def memory_out(memory: Memory) -> dict[str, Any]:
    out = {k: sorted(v) if isinstance(v, frozenset) else v for k, v in memory._asdict().items() if k != "signs"}
    return {k: v for k, v in out.items() if v}  # what is empty is left out: new kinds of memory begin empty


def memory_in(data: dict[str, Any]) -> Memory:
    kinds = {k: type(v) for k, v in Memory()._asdict().items()}
    out = {k: frozenset(v) if kinds[k] is frozenset else v for k, v in data.items()}
    out["failures"] = tuple((a, s) for a, s in data.get("failures", ()))
    return Memory(**out)


def action_out(action: Action) -> list[Any]:
    """What others notice of an action; why it was taken is for people."""
    args = json.loads(json.dumps(action.args))
    facts = [f"{f.pred}({', '.join(f.args)}) = {json.dumps(plain(f.value), sort_keys=True)}" for f in action.facts]
    return [action.skill, args, *([facts] if facts else [])]


# -- situations --------------------------------------------------------------------------------------------------------
@functools.cache
def world_of(config: str) -> Any:
    return build(config_of(json.loads(config)))[0]


def config_of(options: dict[str, Any]) -> Config:
    task = options["task"]
    path = {"task": str(HERE.parents[2] / task)} if task.endswith(".toml") else {}
    return Config(**{k: tuple(v) if isinstance(v, list) else v for k, v in options.items()} | path)


def view_of(config: dict[str, Any], facts: list[str], case: dict[str, Any]) -> RobotView:
    world = world_of(json.dumps(config))
    belief = Belief(world.map(), world.listings())
    for i in case["facts"]:
        fact = fact_in(facts[i])
        belief._set((fact.pred, *fact.args), fact, None)  # as it was, without drawing conclusions a second time
    return RobotView(
        case["who"],
        belief.value("card", case["who"]),
        belief,
        world.lookup(belief),
        step=case["step"],
        time=case["time"],
        step_limit=case["limit"],
        outcome=outcome_in(case["outcome"]),
        heartbeat=tuple(case["heartbeat"]),
    )


def draw_episode(config: dict[str, Any]) -> dict[str, Any] | None:
    try:
        world, task = build(config_of(config))
    except CoterieError:
        return None  # not every team can do every task in every house
    facts: dict[str, int] = {}
    cases: list[dict[str, Any]] = []

    def take(me: RobotView, memory: Memory) -> None:
        known = [facts.setdefault(fact_out(f), len(facts)) for f in me.belief.facts()]
        cases.append(
            {
                "who": me.name,
                "step": me.step,
                "time": me.time,
                "limit": me.step_limit,
                "heartbeat": list(me.heartbeat),
                "outcome": outcome_out(me.outcome),
                "facts": known,
                "memory": memory_out(memory),
            }
        )

    class Watched(Rules):
        def decide(self, team: Any, idle: Any) -> Any:
            if self.memory.introduced:
                take(team.me, self.memory)
            return (yield from super().decide(team, idle))

    party = Party("team", Watched, tuple(n for n, _ in task.robots))
    run(world, task, [party], Log(), lambda asks: [], Settings(seed=3))
    rng = rng_of("drawn", json.dumps(config))
    by_skill: dict[str, list[dict[str, Any]]] = {}
    for c in rng.sample(cases, len(cases)):
        by_skill.setdefault(next_action_of(config, list(facts), c)[0][0], []).append(c)
    by_skill["wait"] = by_skill.get("wait", [])[:1]
    kept = [c for turn in zip_longest(*by_skill.values()) for c in turn if c is not None][:EACH]  # rare skills, too
    used = sorted({i for c in kept for i in c["facts"]})
    place = {i: n for n, i in enumerate(used)}
    for c in kept:
        c["facts"] = [place[i] for i in c["facts"]]
    texts = list(facts)
    return {"config": config, "facts": [texts[i] for i in used], "cases": kept}


def next_action_of(config: dict[str, Any], facts: list[str], case: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    action, memory = next_action(view_of(config, facts, case), memory_in(case["memory"]))
    return action_out(action), memory_out(memory)


def situations() -> list[dict[str, Any]]:
    return json.loads(gzip.decompress(SITUATIONS.read_bytes()))


def labelled() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every situation by name, and what the mind does in it now."""
    for n, episode in enumerate(situations()):
        for case in episode["cases"]:
            action, memory = next_action_of(episode["config"], episode["facts"], case)
            new = {k: v for k, v in memory.items() if json.dumps(v) != json.dumps(case["memory"].get(k))}
            yield f"{n}:{case['who']}@{case['step']}", {"does": action, "remembers": json.loads(json.dumps(new))}


def write_labels() -> None:
    lines = [json.dumps({"in": name, **label}) for name, label in labelled()]
    LABELS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["draw"]:
        played = json.dumps([e for c in configs() if (e := draw_episode(c)) is not None], separators=(",", ":"))
        SITUATIONS.write_bytes(gzip.compress(played.encode(), 9, mtime=0))
    elif sys.argv[1:] != ["label"]:
        sys.exit(__doc__)
    write_labels()
