"""How fast plans are found, how good they are, and how fast it is said that there is none.

    python benchmarks/planning.py [--engine own|enhsp|up:NAME] [--rounds 3] [--only medkit]

Times are of one core: `cpu` is what the answer took of it (grounding, search, polishing, judging by unified-planning;
the least of some rounds), `wall` what passed on the clock while a warm process of its own answered. A machine that is
busy with other work shows in `wall`. `makespan` is that of the schedule with robots at work at the same time; `best` is
the best that minutes of search have ever found, and `bound` what no plan can beat even if nothing got in the way.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from coterie.bench.table import markdown
from coterie.core.task import Task
from coterie.planning.answer import Answer, Limits
from coterie.planning.child import answer
from coterie.planning.judge import Interval, faults
from coterie.planning.moment import Moment
from coterie.planning.own import NAME as OWN
from coterie.planning.own.ground import ground
from coterie.planning.own.relaxed import Relaxed, earliest_s
from coterie.planning.own.task import Task as Arrays
from coterie.planning.planner import Planner
from coterie.planning.question import Question
from coterie.planning.unified.names import ready
from coterie.worlds.hospital.bodies import FETCH, SPOT, TEMI
from coterie.worlds.hospital.goals import KIT, Errands, Wish
from coterie.worlds.hospital.places import place as place_of
from coterie.worlds.hospital.places import place_names
from coterie.worlds.hospital.planning import goal_of, objects
from coterie.worlds.hospital.scene import Door, Pose, Room, Scene
from coterie.worlds.hospital.skills import SKILLS
from coterie.worlds.hospital.tasks import make
from coterie.worlds.hospital.witness import Nominal
from coterie.worlds.hospital.world import HospitalWorld

MEDKIT = (("painkiller", 2), ("bandagebox", 1))
ROBOTS = (("Fetch", FETCH), ("Temi", TEMI), ("Spot", SPOT), ("Fetch2", FETCH), ("Temi2", TEMI), ("Spot2", SPOT))
STARTS = {"Fetch": "atG", "Temi": "dock", "Spot": "bay", "Fetch2": "atD", "Temi2": "hall1", "Spot2": "hall2"}
TABLES = ("tableA", "tableC", "tableD", "tableF", "tableB")
ROOMS = ("alpha", "beta", "gamma", "delta", "alpha")
#: The least makespan [s] that was ever found, with 30 tries of 8,000 polishing steps each.
BEST: Mapping[str, float] = {
    "medkit": 176,
    "medkit, bandage box at the pharmacist's": 189,
    "planned anew midway, door jammed": 105,
    "2 kits, 3 robots": 345,
    "2 kits, 6 robots": 253,
    "3 kits, 6 robots": 342,
    "5 kits, 3 robots": 830,
    "5 kits, three more robots": 533,
}


def four_rooms() -> Scene:
    """The ward with a fourth room at the end of its corridor."""
    ward = place_of("ward")
    rooms = {**ward.rooms, "corridor": Room(10, 0, 3, 16.0), "delta": Room(13, 12, 5, 4)}
    doors = {**ward.doors, "deltadoor": Door(("corridor", "delta"), 13, 14)}
    inside = {"inDelta": Pose("delta", 14.0, 14, reaches=("deltadoor",)), "bedDelta": Pose("delta", 16.5, 14)}
    poses = {**ward.poses, "outDelta": Pose("corridor", 12.2, 14, reaches=("deltadoor",)), **inside}
    return replace(ward, rooms=rooms, doors=doors, poses=poses)


def several(kits: int, robots: int) -> Task:
    """Kits for rooms behind shut doors, every bandage box with the pharmacist."""
    task = make(7)
    caddies = tuple(f"caddy{i + 1}" for i in range(kits))
    place = four_rooms()
    said: dict[Any, Any] = {("stock", c, t): 1 for c, t in zip(caddies, TABLES)}
    said |= {("stock", "painkiller", "tableB"): 2 * kits, ("stock", "gloves", "tableD"): 5}
    said |= {("open", door): door in ("pharmacydoor", "officedoor") for door in place.doors}
    team = ROBOTS[:robots]
    place = replace(place, expected=said, caddies=caddies)
    setting = replace(task.setting, scene=place, starts={n: STARTS[n] for n, _ in team}, truth=dict(said))
    wishes = tuple(Wish(KIT, "medkit", room, MEDKIT) for room in ROOMS[:kits])
    return replace(task, goal=Errands(wishes, caddies, place.items, by="instructor"), setting=setting, robots=team)


def five_kits(name: str) -> Task:
    """Five kits of a place, in turn, for its rooms in turn, with its own robots and enough of everything."""
    task, scene = make(7, name=name), place_of(name)
    caddies, tables = tuple(f"caddy{i + 1}" for i in range(5)), cycle(scene.tables)
    said: dict[Any, Any] = {("stock", c, t): 1 for c, t in zip(caddies, tables)}
    said |= {k: 10 for k in scene.expected if k[0] == "stock" and k[1] in scene.items}
    said |= {k: v for k, v in scene.expected.items() if k[0] == "open"}
    setting = replace(task.setting, scene=replace(scene, expected=said, caddies=caddies), truth=dict(said))
    drawn = zip(range(5), cycle(scene.kits.values()), cycle(scene.wards))
    wishes = tuple(Wish(KIT, kit.name, room, tuple(kit.contents.items())) for _, kit, room in drawn)
    return replace(task, goal=Errands(wishes, caddies, scene.items, by=scene.asker), setting=setting)


def crowded(task: Task, robots: int) -> Task:
    """The same task with so many robots, who stand wherever there is room."""
    more = [(f"{card.body}{i}", card) for i in range(2, robots // 3 + 1) for card in (FETCH, TEMI, SPOT)]
    return replace(task, robots=(*task.robots, *more))


def question(task: Task, without: str = "") -> Question:
    world = HospitalWorld(task)
    able = {n: c.skills for n, c in world.cards.items() if n != without}
    goal: Any = task.goal
    wanted = [g for caddy, wish in zip(goal.caddies, goal.wishes) for g in goal_of(wish, caddy, goal.items)]
    return Question.ask(SKILLS, world.look, objects(world.map(), able), able, wanted, lasts=Nominal(world))


def midway(start: Question) -> Question:
    """Half of the plan is done, and the door on the way turns out to be jammed."""
    plan = answer(start).steps
    moment = Moment(start)
    for step in plan[: len(plan) // 2]:
        moment.do(step)
    return replace(start, facts={**moment.facts, ("jammed", "alphadoor"): True, ("open", "alphadoor"): False})


@dataclass(frozen=True)
class Problem:
    name: str
    question: Question
    asked_s: float  # what the answer may take


def problems() -> Iterator[Problem]:
    medkit = question(make(7))
    yield Problem("medkit", medkit, 0.5)
    yield Problem("medkit, bandage box at the pharmacist's", question(make(7, faults=["missing:bandagebox"])), 0.5)
    yield Problem("planned anew midway, door jammed", midway(medkit), 0.5)
    jammed = {("jammed", d): True for d in ("alphadoor", "sidedoor")}
    yield Problem("no way: both doors jammed", medkit.with_facts(jammed), 0.5)
    yield Problem("no way: Spot is gone", question(make(7), "Spot"), 0.5)
    silent = {("answers", "pharmacist"): False}
    yield Problem(
        "no way: box missing, nobody answers", question(make(7, faults=["missing:bandagebox", "person"])), 0.5
    )
    few = {**silent, ("stock", "painkiller", "tableB"): 1}
    yield Problem("no way: one painkiller too few", medkit.with_facts(few), 0.5)
    for kits, robots in ((2, 3), (2, 6), (3, 6), (5, 3)):
        yield Problem(f"{kits} kits, {robots} robots", question(several(kits, robots)), 5.0)
    yield Problem("5 kits, three more robots", question(several(5, 6)), 5.0)
    for robots in (12, 24):
        yield Problem(f"medkit, {robots} robots", question(crowded(make(7), robots)), 2.0)
        yield Problem(f"five kits, {robots} robots", question(crowded(five_kits("ward"), robots)), 10.0)
    for name in place_names():
        yield Problem(f"{name}: its first kit", question(make(7, name=name)), 1.0)
        yield Problem(f"{name}: five kits, its robots", question(five_kits(name)), 5.0)


def bound_s(asked: Question) -> float:
    arrays = Arrays(ground(asked))
    seconds = [asked.seconds(arrays.step(a)) for a in range(len(arrays.actions))]
    earliest = earliest_s(Relaxed(arrays), seconds)
    return max((float(earliest[t]) for part in arrays.goals for t in part), default=0.0)


def row(problem: Problem, engine: str, rounds: int, planner: Planner, limits: Limits) -> list[str]:
    cpu, wall, made = [], [], Answer("limit")
    for _ in range(rounds):
        if engine == OWN:
            begun = time.process_time()
            made = answer(problem.question, engine, limits)
            cpu.append(time.process_time() - begun)
        made = planner.solve(problem.question, engine, limits)
        wall.append(made.wall_s)
    shown = [problem.name, f"{min(cpu):.2f}" if cpu else "", f"{min(wall):.2f}", f"{problem.asked_s:g}"]
    if not made.found:
        return [*shown, made.status, "", "", "", made.words]
    timed: list[Interval] = []
    for step, after in zip(made.steps, made.after):
        start = max((timed[i].end for i in after), default=0.0)
        timed.append(Interval(step, start, start + problem.question.seconds(step)))
    assert not faults(problem.question, timed)
    makespan = max(i.end for i in timed)
    best = BEST.get(problem.name, makespan)
    figures = [f"{makespan:.0f}", f"{makespan / best:.2f}", f"{bound_s(problem.question):.0f}"]
    return [*shown, f"{len(made.steps)} steps", *figures, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=OWN)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="problems whose name contains this")
    args = parser.parse_args()
    ready()
    head = ["problem", "cpu s", "wall s", "asked s", "answer", "makespan s", "of best", "bound s", "why not"]
    rows = []
    with Planner().warm() as planner:
        for problem in problems():
            if args.only in problem.name:
                rows.append(row(problem, args.engine, args.rounds, planner, Limits(wall_s=60.0)))
                print(f"{problem.name}: {rows[-1][4]}", flush=True)
    print("\n".join(markdown(head, rows)))


if __name__ == "__main__":
    main()
