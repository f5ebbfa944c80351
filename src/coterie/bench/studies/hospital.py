"""Kits for the rooms of drawn hospitals in which something is wrong: missions, and missions with fewer ways out.

Kit, room, tables, doors, robots and trouble come from the seed. Whether an episode could be mastered at all is
computed with full knowledge: a plan carried out in the world itself, or a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from coterie.bench.results import Bench, Row
from coterie.bench.spec import FIRST_SEED, EpisodeSpec, suites
from coterie.bench.study import Column, Section, Study, studies
from coterie.bench.summary import by_method, distinct, scored, select
from coterie.bench.table import NONE, paragraph, percent, share, told
from coterie.core.config import Config
from coterie.core.event import Event

EPISODES, SMOKE, PLACES = 100, 10, 40
HOUSE = "rooms:4:3"  # drawn as ProcTHOR draws houses


def spec(seed: int, scene: str = "ward") -> EpisodeSpec:
    from coterie.worlds.hospital.tasks import draw_case

    case = draw_case(seed, scene)
    trouble = "+".join(case.faults) or "none"
    labels = {
        "setting": "hospital", "task": "medkit", "level": "drawn", "team": "Fetch-Temi-Spot", "group": "medkit",
        "scene": scene, "seed": seed, "trouble": trouble,
    }  # fmt: skip
    place = "" if scene == "ward" else scene
    config = Config(task="medkit", scene=place, level="drawn", seed=seed, changes=case.faults, noise=case.noise)
    return EpisodeSpec(
        f"{Path(scene).name if place else 'hospital'}/{seed}", replace(config, synchronous=False), labels
    )


@suites.add("diarc", "hospital", name="hospital")
def hospital(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """100 drawn hospitals: a kit for a room, and missing things, slips, doors, lost robots, silent people (DIARC)."""
    return [spec(seed + i) for i in range(EPISODES)]


@suites.add("quick", "hospital", name="hospital-smoke")
def hospital_smoke(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """Ten of them, in a minute or two."""
    return [spec(seed + i) for i in range(SMOKE)]


@suites.add("diarc", "hospital", name="places")
def places(seed: int = FIRST_SEED) -> list[EpisodeSpec]:
    """A ward of another plan, an office, a house drawn as ProcTHOR draws them, and those of the files in the folder
    COTERIE_HOUSES (without one, the shipped houses): 40 drawn missions each, and what may go wrong there."""
    from coterie.houses.names import real_houses

    houses = real_houses()
    made = [spec(seed + i, scene) for scene in ("clinic", "office", HOUSE) for i in range(PLACES)]
    return made + [spec(seed + i, houses[i % len(houses)]) for i in range(PLACES)]


@lru_cache(maxsize=4096)
def seen(scene: str, level: str, seed: int, faults: tuple[str, ...], noise: str) -> tuple[str, float]:
    """The verdict on an episode with full knowledge (`plan`, `none` or `open`), and how long it takes [s]."""
    from coterie.worlds.hospital.tasks import make
    from coterie.worlds.hospital.witness import witness

    found = witness(make(seed, level, faults, noise, name=scene))
    return found.status, round(found.seconds, 1)


def explained(notes: Sequence[Mapping[str, Any]], faults: Iterable[Mapping[str, Any]]) -> bool:
    """True if a mission that was given up names a fault that was injected, by its predicate."""
    because = [b for n in notes if n["what"] == "failed" for b in n["because"]]
    named = {b.removeprefix("not ").partition("(")[0] for b in because}
    return bool(named & {str(f["pred"]) for f in faults})


class HospitalStudy(Study, table="hospital.toml"):
    name = "hospital"
    about = "kits for the rooms of hospitals in which something is wrong"
    shown = (Column("succ_can", "of possible", percent),)

    def columns(self, events: Sequence[Event]) -> dict[str, Any]:
        start = events[0].data
        config, faults = start["config"], start.get("about", {}).get("faults", [])
        notes = [e.data for e in events if e.kind == "mission"]
        drawn = config["scene"], config["level"], config["seed"], tuple(config["changes"]), config["noise"]
        status, witness_s = seen(*drawn)
        return {
            "witness": status,
            "witness_s": witness_s,
            "explained": explained(notes, faults),
            "told": sum(n["what"] == "tell" for n in notes),
            "asked": sum(n["what"] in ("proposal", "request") for n in notes),
            "recoveries": sum(n["what"] == "recovery" for n in notes),
        }

    def sections(self, bench: Bench) -> Iterable[Section]:
        rows = self.rows(bench)
        return (
            Section("Missions", _methods(rows, bench.names), "Tasks"),
            Section("Trouble", _troubles(rows, bench.names), "Tasks"),
        )

    def overview(self, bench: Bench) -> Mapping[str, Mapping[str, Any]]:
        found = {}
        can_be_done = [r for r in scored(self.rows(bench)) if r.get("witness") == "plan"]
        for method, can in by_method(can_be_done, bench.names):
            found[method] = {"can": len(can), "succ_can": sum(bool(r["success"]) for r in can) / len(can)}
        return found


def _methods(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    mine = [r for r in scored(rows) if r.get("witness")]
    lines = []
    for method in methods if mine else ():
        own = select(mine, method=method)
        can = [r for r in own if r["witness"] == "plan"]
        good, bad = [r for r in own if r["success"]], [r for r in own if not r["success"]]
        n, fast = max(1, len(own)), [r["time_s"] for r in good]
        lines.append([
            method, str(len(own)), share(len(can), len(own)), share(len(good), len(own)),
            share(sum(bool(r["success"]) for r in can), len(can)), share(sum(r["explained"] for r in bad), len(bad)),
            f"{sum(fast) / len(fast):.0f}" if fast else NONE, f"{sum(r['told'] for r in own) / n:.1f}",
            f"{sum(r['asked'] for r in own) / n:.2f}",
        ])  # fmt: skip
    head = ["method", "n", "can be done", "SUCC of all ↑", "SUCC of possible ↑", "explained ↑", "time (s) ↓",
            "sentences", "questions ↓"]  # fmt: skip
    return told(paragraph("missions"), head, lines)


def _troubles(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    mine = [r for r in scored(rows) if r.get("witness")]
    lines = []
    for kind in distinct(mine, "trouble"):
        can = [r for r in select(mine, trouble=kind) if r["witness"] == "plan"]
        each = [[r["success"] for r in select(can, method=m)] for m in methods]
        lines.append([kind, *(share(sum(map(bool, done)), len(done)) for done in each)])
    return told("Successes of episodes that can be done, by what was wrong.", ["trouble", *methods], lines)


HOSPITAL = studies.put(HospitalStudy.name, HospitalStudy())
