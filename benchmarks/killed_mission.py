"""A mission that `kills.py` kills: begun in the current folder, or gone on with; at its end its state is written.

    python benchmarks/killed_mission.py NUMBER [SEED]

Each has several goals, a fault, approvals, a kit that is changed on the way, news that somebody tells, an order that is
refused, a pause or an urgent goal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Scenario(NamedTuple):
    """What is asked for, what is wrong, and what people say on the way: (time, person, words)."""

    name: str
    goals: Sequence[str]
    faults: Sequence[str] = ()
    said: Sequence[tuple[float, str, str]] = ()
    noise: str = "none"
    answers: str | None = "yes"
    planning_s: float = 0.0


SCENARIOS = (
    Scenario("missing", ["medkit at alpha"], ["missing"], [(20, "visitor", "cancel g1")]),
    Scenario(
        "two goals, changed",
        ["medkit at alpha", "feverkit at beta"],
        ["missing:bandagebox"],
        [
            (15, "pharmacist", "medkit at gamma"),
            (40, "instructor", "change medkit to 1 painkiller and 1 bandage box"),
            (60, "pharmacist", "the side door is jammed"),
            (80, "instructor", "pause g2"),
            (120, "teacher", "resume g2"),
        ],
        "real",
    ),
    Scenario(
        "stopped, more urgent",
        ["woundkit at beta"],
        ["grasp"],
        [(30, "visitor", "stop"), (50, "teacher", "resume g1"), (70, "instructor", "feverkit at alpha at once")],
    ),
    Scenario("given up", ["medkit at alpha"], ["robot:Temi"]),
    Scenario("nobody answers", ["medkit at alpha"], ["missing"], answers=None),
    Scenario(
        "planning takes time",
        ["medkit at alpha"],
        ["missing"],
        [
            (35, "teacher", "feverkit at beta"),
            (75, "visitor", "stop"),
            (110, "teacher", "resume g1"),
            (111, "teacher", "resume g2"),
        ],
        "real",
        planning_s=15.0,
    ),
)


def main(number: int, seed: int = 0) -> None:
    from coterie.episode.mission import Said, resume, serve

    scenario, log = SCENARIOS[number], Path("mission.jsonl")
    script = [Said(*row) for row in scenario.said]
    if log.is_file() and b"\n" in log.read_bytes():
        served = resume(log, answers=scenario.answers, script=script)
    else:
        log.unlink(missing_ok=True)
        options: dict[str, Any] = {"faults": scenario.faults, "noise": scenario.noise, "log_path": log}
        options["planning_s"] = scenario.planning_s
        served = serve("hospital", scenario.goals, seed=seed, answers=scenario.answers, script=script, **options)
    Path("state.json").write_text(json.dumps(state(served.mission), indent=1))


def state(mission: Any) -> dict[str, Any]:
    """What must have survived: knowledge, goals with their history, what people want now, refusals, experience."""
    facts = list(mission.knowledge.facts())
    return {
        "facts": sorted(repr(f) for f in facts),
        "unknown to": {p: sorted(repr(f) for f in mission.knowledge.lacks(p, facts)) for p in mission.domain.people()},
        "goals": [repr(g) for g in mission.goals.all()],
        "wanted": {id: [repr(w.wish), w.taken, sorted(w.scope), w.asked] for id, w in mission.wanted.items()},
        "refusals": [str(r) for r in mission.authority.refusals],
        "trials": [repr(t) for t in mission.trials.of()],
        "rules": sorted(mission.recovery.rules),
        "troubles": {id: [str(f) for f in t.failures] for id, t in mission.recovery.troubles.items()},
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
