"""Tasks for the tiny world: a yard of cells, what is to be done in it, and who does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import unknown_name
from coterie.core.expr import Lookup
from coterie.core.facts import Fact
from coterie.core.skill import Rule
from coterie.core.task import Change, Goal, Progress, Task, Trigger, goals
from coterie.worlds.yard.skills import SKILLS


@dataclass(frozen=True)
class Tidy(Goal):
    """Bring every thing home, and have the beams lifted."""

    homes: tuple[tuple[str, str], ...]  # (thing, cell)
    beams: tuple[str, ...] = ()
    kind: str = "tidy"

    def progress(self, look: Lookup) -> Progress:
        met = [look("where", t) == c for t, c in self.homes] + [look("lifted", b) is True for b in self.beams]
        return Progress(all(met), sum(met) / len(met) if met else 1.0, f"{sum(met)} of {len(met)} in order.")

    def text(self) -> str:
        wishes = [f"{t} to cell {c}" for t, c in self.homes] + [f"{b} up in the air" for b in self.beams]
        return f"Bring {'; '.join(wishes)}." if wishes else "Nothing is to be done."

    def facts(self) -> list[Fact]:
        return [Fact("goal", (), self)]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "homes": [list(h) for h in self.homes], "beams": list(self.beams)}


goals.put("tidy", lambda data: Tidy(tuple((t, c) for t, c in data["homes"]), tuple(data["beams"])))


@dataclass(frozen=True)
class Yard:
    """The initial setting of a tiny world. Cells are named "x,y"."""

    width: int
    height: int
    starts: tuple[tuple[str, str], ...]  # (robot, cell)
    things: tuple[tuple[str, str], ...] = ()
    beams: tuple[tuple[str, str], ...] = ()
    rewinds: bool = False


_EVERYTHING = tuple(SKILLS)
RUNNER = Card("Runner", "Ada", "ground", _EVERYTHING, "a quick robot with a gripper", speed_mps=1.0)
CRAWLER = Card("Crawler", "Bo", "ground", _EVERYTHING, "a slow robot with a gripper", speed_mps=0.5)


def yard_task(
    *,
    beam: bool = False,
    rewinds: bool = False,
    rules: Sequence[Rule] = (),
    changes: Sequence[Change] = (),
    step_limit: int | None = 40,
    time_limit_s: float | None = None,
) -> Task:
    """Quick Ada and slow Bo bring a ball and a cup home on a grid of 6 x 2 cells and, with `beam`, lift it together."""
    yard = Yard(
        6,
        2,
        starts=(("Ada", "0,0"), ("Bo", "5,0")),
        things=(("ball", "3,0"), ("cup", "2,1")),
        beams=(("beam", "3,1"),) if beam else (),
        rewinds=rewinds,
    )
    return Task(
        name="yard-tidy",
        goal=Tidy((("ball", "5,1"), ("cup", "0,1")), ("beam",) if beam else ()),
        setting=yard,
        robots=(("Ada", RUNNER), ("Bo", CRAWLER)),
        rules=tuple(rules),
        changes=tuple(changes),
        step_limit=step_limit,
        time_limit_s=time_limit_s,
    )


def draw_yard(config: Config) -> Task:
    """bring a ball and a cup home; with --level beam also lift a beam together"""
    if config.level not in ("plain", "beam"):
        raise unknown_name("level of the yard", config.level, ("plain", "beam"))
    task = yard_task(beam=config.level == "beam")
    about = {"level": config.level, "team": "Runner-Crawler", "scene": "yard"}
    return replace(task, seed=config.seed, about=about)


def stranger_joins(step: int | None = None, time: float | None = None, start: str | None = None) -> Change:
    """Zed, whom nobody knows, comes in; its party is named "stranger"."""
    data: dict[str, Any] = {"robot": "Zed", "card": RUNNER, "party": "stranger"}
    data |= {"start": start} if start is not None else {}
    return Change(Trigger(step, time), "join", data, ("all",), awaited=False)
