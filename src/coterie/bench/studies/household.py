"""Houses that robots never saw, tidied up by heterogeneous teams: the tasks of the paper on strangers.

90 houses of 1 to 8 and 10 rooms, with 1 to 5 misplaced things, for teams of three, four and five: 1350 tasks. Not all
of them can be done: batteries are drawn, too. Every table says what part was done of all tasks, and of those that a
bound on battery, payload and distance calls feasible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from coterie.bench.results import Bench, Row
from coterie.bench.spec import FIRST_SEED, EpisodeSpec, suites
from coterie.bench.study import Column, Section, Study, studies
from coterie.bench.summary import by_method, scored
from coterie.bench.table import markdown, number, paragraph, percent, share, told
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.worlds.household.tasks.unfinished import REASONS, reasons

LEVELS, SIZES = ("1", "2", "3", "4", "5"), (3, 4, 5)
PHYSICS, NOISY = "physics", "noisy"
LIVED_IN, RESIDENTS = "lived-in", ("Ann", "Ben")
DIFFICULTIES = ("easy", "medium", "difficult")


def house_spec(rooms: int, house: int, level: str, size: int) -> EpisodeSpec:
    """One task of the suite. The misplaced things are the same for all sizes of teams."""
    from coterie.worlds.household.tasks.tidy import difficulty, house_name

    found = _in_house(house_name(rooms, house), f"{rooms}/{house}", difficulty(rooms), house, level, size)
    return replace(found, labels={**found.labels, "rooms": rooms, "difficulty": difficulty(rooms)})


def _in_house(scene: str, key: str, group: str, seed: int, level: str, size: int) -> EpisodeSpec:
    team = f"drawn:{size}"
    labels = {
        "setting": "tidy", "task": "tidy", "level": level, "team": team, "group": group, "scene": scene, "seed": seed,
    }  # fmt: skip
    config = Config(task="tidy", scene=scene, level=level, team=team, seed=seed)
    return EpisodeSpec(f"tidy/{key}/{level}/{size}", config, labels)


@suites.add("irot", "household", name="tidy")
def tidy(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """90 houses of 1 to 10 rooms, one to five misplaced things, teams of 3, 4 and 5: 1350 tasks (IRoT paper, Sec.
    V-A)."""
    from coterie.worlds.household.tasks.tidy import HOUSES_EACH, SUITE_ROOMS

    houses = [(rooms, seed + i) for rooms in SUITE_ROOMS for i in range(HOUSES_EACH)]
    return [house_spec(*house, level, size) for house in houses for level in LEVELS for size in SIZES]


@suites.add("irot", "household", name="tidy-real")
def tidy_real(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The same tasks in the houses of the files in the folder COTERIE_HOUSES; without one, in the shipped houses."""
    from coterie.houses.names import real_houses

    return [
        _in_house(scene, Path(scene).name, "files", seed + i, level, size)
        for i, scene in enumerate(real_houses()) for level in LEVELS for size in SIZES
    ]  # fmt: skip


@suites.add("household", name="rearrange")
def rearrange(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """The episodes of the Habitat and PARTNR files in the folders COTERIE_HABITAT; without one, of the shipped one."""
    from coterie.houses.habitat import all_episodes

    found = []
    for i, scene in enumerate(all_episodes()):
        labels = {"setting": "rearrange", "task": "rearrange", "group": Path(scene).name.partition(".")[0]}
        config = Config(task="rearrange", scene=scene, team="SmallArm-TallArm", seed=seed + i)
        found.append(EpisodeSpec(f"rearrange/{Path(scene).name}", config, labels))
    return found


@suites.add("household", name="tidy-residents")
def tidy_residents(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """54 of the tasks of tidy, each without and with people who live in the house: one, or two from four rooms on."""

    def lived_in(spec: EpisodeSpec) -> Config:
        cards = RESIDENTS[: 1 + (spec.labels["rooms"] > 3)]
        return replace(spec.config, cards=tuple(f"resident:{name}" for name in cards))

    return _both(mini(seed), LIVED_IN, lived_in)


@suites.add("household", name="tidy-physics")
def tidy_physics(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """18 of the tasks of tidy, each without and with grasps and doors in MuJoCo."""
    return _both(mini(seed)[::3], PHYSICS, lambda spec: replace(spec.config, physics=True))


@suites.add("household", name="tidy-noise")
def tidy_noise(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """54 of the tasks of tidy, each without and with the noise `real`: things missed, seen wrongly, and drift."""
    return _both(mini(seed), NOISY, lambda spec: replace(spec.config, noise="real"))


def _both(specs: Iterable[EpisodeSpec], setting: str, other: Callable[[EpisodeSpec], Config]) -> list[EpisodeSpec]:
    """Each task as it is, and in another setting."""
    found = []
    for spec in specs:
        labels = {**spec.labels, "setting": setting}
        found += [spec, replace(spec, key=f"{setting}/{spec.key}", config=other(spec), labels=labels)]
    return found


def mini(seed: int) -> list[EpisodeSpec]:
    """54 tasks of the suite, as many of each number of rooms and each size of team."""
    from coterie.worlds.household.tasks.tidy import HOUSES_EACH, SUITE_ROOMS

    cells = [(rooms, size, turn) for rooms in SUITE_ROOMS for size in SIZES for turn in range(2)]
    return [
        house_spec(rooms, seed + (3 * i) % HOUSES_EACH, LEVELS[(2 * i + turn) % len(LEVELS)], size)
        for i, (rooms, size, turn) in enumerate(cells)
    ]


@suites.add("quick", "household", name="tidy-smoke")
def tidy_smoke(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """One task in a house of each size, in a minute or two."""
    from coterie.worlds.household.tasks.tidy import SUITE_ROOMS

    return [
        house_spec(rooms, seed, LEVELS[i % len(LEVELS)], SIZES[i % len(SIZES)]) for i, rooms in enumerate(SUITE_ROOMS)
    ]


@lru_cache(maxsize=4096)
def feasible(scene: str, level: str, team: str, seed: int, steps: str) -> bool | None:
    """True if a task can be done at all; None where it cannot be drawn again, as its file is gone."""
    from coterie.worlds.household.setting import parse_steps
    from coterie.worlds.household.tasks.bound import feasible as bound
    from coterie.worlds.household.tasks.tidy import draw_tidy

    try:
        task = draw_tidy(Config(task="tidy", scene=scene, level=level, team=team, seed=seed))
        return bound(task, parse_steps(steps))
    except CoterieError:
        return None


class HouseholdStudy(Study, table="household.toml"):
    name = "household"
    about = "houses tidied up by teams of unlike robots that never saw them"
    orders = {"difficulty": DIFFICULTIES, "level": LEVELS}
    shown = (Column("succ_feasible", "of feasible", percent),)

    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        start = events[0].data
        config, about = start["config"], start.get("about", {})
        found: dict[str, Any] = {"about": {k: about.get(k) for k in ("difficulty", "rooms", "robots", "astray")}}
        if config.get("camera"):
            found |= _of_pictures(config["camera"], events)
        if config["task"] == "tidy":
            key = (config["scene"], config["level"], config["team"], config["seed"], config.get("steps", ""))
            found["feasible"] = feasible(*key)
            found["left"] = list(reasons(events).values())
        return found

    def sections(self, bench: Bench) -> Iterable[Section]:
        rows = self.rows(bench)
        given = [paragraph("given"), ""] if any("astray" in r.get("about", ()) for r in bench.rows) else []
        return (
            Section("What the simulator gives away", given, "How to read this"),
            Section("What can be done", _can_be_done(rows, bench.names), "Tasks"),
            Section("Why things stayed astray", _left(rows, bench.names), "Tasks"),
        )

    def overview(self, bench: Bench) -> Mapping[str, Mapping[str, Any]]:
        found = {}
        for method, rows in by_method(scored(self.rows(bench)), bench.names):
            can = [r for r in rows if r.get("feasible")]
            if any(r.get("feasible") is not None for r in rows):
                part = sum(bool(r["success"]) for r in can) / len(can) if can else None
                found[method] = {"feasible": len(can), "succ_feasible": part}
        return found


def _of_pictures(camera: str, events: Sequence[Event]) -> dict[str, Any]:
    """Counts of the pictures that a model was shown."""
    from coterie.core.looking import VISION, VISION_JUDGED
    from coterie.worlds.household.perception.vision import STAGE, agreement, unread

    found: dict[str, Any] = {}
    if camera == VISION_JUDGED:
        found.update(agreement(events)._asdict())
    if camera in (VISION, VISION_JUDGED):
        asked = {e.seq for e in events if e.kind == "ask" and e.data.get("stage") == STAGE}
        looks = [e.data["text"] for e in events if e.kind == "reply" and e.causes and e.causes[0] in asked]
        found["unread_looks"] = unread(looks)
    return found


def _can_be_done(rows: Sequence[Row], methods: Sequence[str]) -> Iterator[str]:
    mine = [r for r in scored(rows) if r.get("feasible") is not None]
    if not mine:
        return
    yield from (paragraph("feasible"), "")
    for label, head in (("difficulty", "houses"), ("rooms", "rooms"), ("robots", "robots"), ("astray", "astray")):
        lines = [line for _, some in by_method(mine, methods) for line in _lines(some, label)]
        heads = ["method", head, "n", "feasible", "SUCC of all ↑", "SUCC of feasible ↑", "PS ↑", "TS ↓"]
        yield from markdown(heads, lines, left=2)


def _lines(rows: Sequence[Row], label: str) -> Iterator[list[str]]:
    """The share of tasks that were done, by one thing that the log says of each, and of all together."""
    found = {r["about"].get(label) for r in rows}
    kinds = [d for d in DIFFICULTIES if d in found] if label == "difficulty" else sorted(k for k in found if k)
    for kind in (*kinds, *(("all",) if label == "difficulty" else ())):
        some = rows if kind == "all" else [r for r in rows if r["about"].get(label) == kind]
        can = [r for r in some if r["feasible"]]
        both = sum(bool(r["success"]) for r in can)
        done = sum(bool(r["success"]) for r in some)
        yield [
            rows[0]["method"], str(kind), str(len(some)), share(len(can), len(some)), share(done, len(some)),
            share(both, len(can)), *(number(fmean(float(r[k]) for r in some), d) for k, d in (("ps", 3), ("ts", 0))),
        ]  # fmt: skip


def _left(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """The share of the things left misplaced, by reason."""
    mine = [r for r in scored(rows) if r.get("left")]
    lines = []
    for method, some in by_method(mine, methods):
        left = Counter(label for r in some for label in r["left"])
        lines.append([method, str(left.total()), *(f"{100 * left[w] / left.total():.0f}%" for w in REASONS)])
    return told(paragraph("astray"), ["method", "things", *REASONS], lines)


HOUSEHOLD = studies.put(HouseholdStudy.name, HouseholdStudy())
