"""A house with robots in it that is not Coterie's: a small simulator of its own, which stands in for real robots.

Start it, and let a team work in it:

    python examples/stand_in.py pack-objects --seed 1
    coterie run pack-objects --seed 1 --real --drive Alice,Bob,Lucy          in another terminal

It knows the floor plan and which things the task is about, as the owner of a house would. Where these things lie it
draws by itself, and keeps to itself: robots see what is near them, sometimes not, and never quite where it is. Their
wheels end a little off, grippers slip, and names are the coordinator's: a robot reports a bowl, not bowl_0.
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import threading
import time
from dataclasses import dataclass, field

from coterie.core.action import Action, Cause
from coterie.core.config import Config
from coterie.episode.setup import resolve, task_of
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Detection, Job, Report, Robot, Sight, done, failed

TICK_S = 0.05  # of the house's own time
SEES_M = 2.0  # how far from a robot the surfaces are that it sees
LOOKS = 4  # a thing is reported that was seen in one of the last looks


@dataclass
class Thing:
    kind: str
    at: tuple[float, float, float]
    on: str  # a piece of furniture, a platform, or the robot that holds it
    mass_kg: float
    seen: dict[str, int] = field(default_factory=dict)  # by robot: looks since it was last seen


class House:
    """The state of the house. One lock guards all of it."""

    def __init__(self, config: Config, seed: int, noise: float, speed: float):
        task = task_of(resolve(config))
        self.rng, self.noise, self.speed = random.Random(seed), noise, speed
        self.scene, self.platforms = task.setting.scene, {p.name: p for p in task.setting.platforms}
        self.cards = dict(task.robots)
        self.wanted = {t.kind for t, _, _ in task.setting.things if t.name in task.goal.targets}
        self.lock = threading.RLock()
        self.begun = math.inf  # when a robot was first asked to do something
        self.open = {f.name: f.open for f in self.scene.furniture if f.opens}
        self.open |= {d.name: d.open for d in self.scene.doors if d.swings}
        self.things = [self._scatter(t, place) for t, place, _ in task.setting.things]
        starts = dict(task.setting.starts)
        self.poses = {}
        for name, card in self.cards.items():
            fixed = card.mobility == "fixed"
            self.poses[name] = self.scene.work.arm if fixed else self._start(card, starts.get(name))

    def _start(self, card, wanted):
        room = self.scene.room[self.scene.piece[self.scene.work_table].room].rect
        grid = self.scene.nav(card, self.scene.closed_doors).grid
        for _ in range(1000):
            p = wanted or (self.rng.uniform(room[0], room[2]), self.rng.uniform(room[1], room[3]))
            free, wanted = grid.nearest_free(p, 1.0), None
            if free is not None and all(math.dist(free, o) > 0.8 for o in self.poses.values()):
                return free
        raise SystemExit("There is no room for all robots.")

    def _scatter(self, thing, place) -> Thing:
        """A thing where its task has it, or, where that may be, somewhere else of the same kind of place."""
        like = self.scene.piece.get(place)
        if like is not None and like.name != self.scene.work_table:
            same = [f for f in self.scene.places if f.kind == like.kind and f.name != self.scene.work_table]
            place = self.rng.choice(same).name
        return Thing(thing.kind, self._free_spot(place), place, thing.mass_kg)

    def _free_spot(self, place: str) -> tuple[float, float, float]:
        if place in self.platforms:
            p = self.platforms[place]
            (x, y), z, wide, deep = p.centre, p.height_m, 0.09, 0.09
        else:
            f = self.scene.piece[place]
            (x, y), z = f.centre, f.surface_m
            wide, deep = (f.rect[2] - f.rect[0]) / 2 - 0.08, (f.rect[3] - f.rect[1]) / 2 - 0.08
        others = [(*t.at[:2], 0.08) for t in getattr(self, "things", ())]
        others += [(*p.centre, 0.3) for p in self.platforms.values() if p.on == place]
        for _ in range(200):
            at = (x + self.rng.uniform(-wide, wide), y + self.rng.uniform(-deep, deep), z)
            if all(math.dist(at[:2], (ox, oy)) > gap for ox, oy, gap in others):
                break
        return at

    def holds(self, robot: str) -> Thing | None:
        return next((t for t in self.things if t.on == robot), None)

    def nearest(self, kind: str, at: tuple[float, float, float], far_m: float) -> Thing | None:
        near = [
            (math.dist(t.at, at), i) for i, t in enumerate(self.things) if t.kind == kind and t.on not in self.cards
        ]
        return self.things[min(near)[1]] if near and min(near)[0] <= far_m else None

    def chance(self, p: float) -> bool:
        return self.rng.random() < p * self.noise

    def off(self, sigma: float) -> float:
        return self.rng.gauss(0.0, sigma * self.noise)

    def carry_off(self) -> str:
        """Somebody takes a thing of the goal and puts it elsewhere; words that say so."""
        with self.lock:
            free = [t for t in self.things if t.kind in self.wanted and t.on in self.scene.piece]
            if not free:
                return "nothing was there to be carried off"
            thing = self.rng.choice(free)
            low = [f for f in self.scene.places if not f.opens and 0.3 <= f.surface_m <= 1.1 and not f.person]
            place = self.rng.choice([f.name for f in low if f.name not in (thing.on, self.scene.work_table)])
            thing.at, thing.on = self._free_spot(place), place
            return f"a {thing.kind} was carried off to {place}"


class StandIn(Robot):
    """One robot in the house."""

    def __init__(self, name: str, house: House):
        super().__init__(name)
        self.house, self.card = house, house.cards[name]
        self.error = (0.0, 0.0)  # of its odometry [m]
        self.still = threading.Event()

    # -- what it does -----------------------------------------------------------------------------------------------
    def do(self, action: Action, job: Job) -> Report:
        self.still.clear()
        self.house.begun = min(self.house.begun, time.monotonic())
        skill = getattr(self, f"_{action.skill}", None)
        if skill is None or action.skill not in self.card.skills:
            return failed(f"{self.name} cannot {action.skill}.")
        return skill(job, *action.args)

    def halt(self) -> None:
        self.still.set()

    def _rest(self, job: Job, seconds: float) -> bool:
        """Let time pass in the house; False: the robot is to stand still."""
        return not (job.wait(seconds / self.house.speed) or self.still.is_set())

    def _navigate(self, job: Job, furniture: str, stand: str) -> Report:
        goal = job.known("stand_pose", furniture)
        if goal is None:
            return failed(f"{self.name} was not told where {furniture} is.")
        house = self.house
        with house.lock:
            shut = frozenset(name for name, is_open in house.open.items() if not is_open)
            planner = house.scene.nav(self.card, shut & frozenset(house.scene.door))
            start = planner.grid.nearest_free(house.poses[self.name], 0.5)
            found = planner.path(start, goal) if start is not None else None
        if found is None:
            return failed(f"{self.name} finds no way to {furniture}.")
        end = (goal[0] + house.off(0.06), goal[1] + house.off(0.06))
        return self._drive(job, [*[planner.grid.centre(cell) for cell in found[1]][1:], end], f"is at {furniture}")

    def _move(self, job: Job, dx: float, dy: float) -> Report:
        """Shift the base a little."""
        house, (x, y) = self.house, self.house.poses[self.name]
        end = (x + float(dx) + house.off(0.03), y + float(dy) + house.off(0.03))
        if house.scene.nav(self.card, house.scene.closed_doors).grid.nearest_free(end, 0.1) is None:
            return failed(f"Something stands where {self.name} would be.")
        return self._drive(job, [end], "has moved")

    def _drive(self, job: Job, points: list[tuple[float, float]], words: str) -> Report:
        house, waited = self.house, 0.0
        for p in points:
            here = house.poses[self.name]
            steps = max(1, math.ceil(math.dist(here, p) / (self.card.speed_mps * TICK_S)))
            for i in range(1, steps + 1):
                to = (here[0] + (p[0] - here[0]) * i / steps, here[1] + (p[1] - here[1]) * i / steps)
                while self._blocked(to):
                    waited += TICK_S
                    if waited > 8.0:
                        return failed(f"Something stands in the way of {self.name}.")
                    if not self._rest(job, TICK_S):
                        return job.stopped()
                if not self._rest(job, TICK_S):
                    return job.stopped()
                with house.lock:
                    house.poses[self.name] = to
                    if (held := house.holds(self.name)) is not None:
                        held.at = (*to, 1.0)
        self.error = (house.off(0.03), house.off(0.03))
        return done(f"{self.name} {words}.")

    def _blocked(self, to: tuple[float, float]) -> bool:
        house = self.house
        for other, p in house.poses.items():
            card = house.cards[other]
            if other != self.name and card.mobility == self.card.mobility and card.moves:
                gap = self.card.footprint_m + card.footprint_m
                if math.dist(to, p) < gap and math.dist(to, p) < math.dist(house.poses[self.name], p):
                    return True
        return False

    def _pick(self, job: Job, name: str) -> Report:
        kind, at = job.known("kind", name), job.known("spot", name)
        if at is None:
            return failed(f"{self.name} was not told where {name} is.")
        if not self._rest(job, 3.0):
            return job.stopped()
        house = self.house
        with house.lock:
            if house.holds(self.name) is not None:
                return failed(f"{self.name} holds something already.", Cause("hand_empty"))
            thing = house.nearest(kind, at, 0.3)
            if thing is None or (thing.on in house.open and not house.open[thing.on]):
                return failed(f"There is no {kind} where {self.name} was told to take one.")
            if math.dist(thing.at[:2], house.poses[self.name]) > self.card.reach_m + 0.05:
                return failed(f"The {kind} is out of reach of {self.name}.")
            if thing.mass_kg > self.card.payload_kg:
                return failed(f"The {kind} is too heavy for {self.name}.")
            if house.chance(0.08):
                return failed(f"The {kind} slipped out of the gripper of {self.name}.", Cause("slip", None, "during"))
            thing.on, thing.at = self.name, (*house.poses[self.name], 1.0)
        return done(f"{self.name} has a {kind}.")

    def _place(self, job: Job, name: str, place: str) -> Report:
        if not self._rest(job, 3.0):
            return job.stopped()
        house = self.house
        with house.lock:
            held = house.holds(self.name)
            if held is None:
                return failed(f"{self.name} holds nothing.")
            if place in house.open and not house.open[place]:
                return failed(f"{place} is closed.")
            spot = job.known("free_spot", place)
            if spot is None or math.dist(spot[:2], house.poses[self.name]) > self.card.reach_m + 0.05:
                return failed(f"{place} is out of reach of {self.name}.")
            x, y, z = spot
            held.on, held.at = place, (x + house.off(0.02), y + house.off(0.02), z)
        return done(f"{self.name} has put it on {place}.")

    def _open(self, job: Job, what: str) -> Report:
        return self._swing(job, what, True)

    def _close(self, job: Job, what: str) -> Report:
        return self._swing(job, what, False)

    def _swing(self, job: Job, what: str, is_open: bool) -> Report:
        if not self._rest(job, 2.0):
            return job.stopped()
        with self.house.lock:
            if what not in self.house.open:
                return failed(f"{what} cannot be opened.")
            self.house.open[what] = is_open
        return done(f"{what} is {'open' if is_open else 'closed'}.")

    # -- what it perceives ------------------------------------------------------------------------------------------
    def sense(self) -> Sight:
        house = self.house
        with house.lock:
            pose = house.poses[self.name]
            room = house.scene.room_at(pose)
            surfaces = [f for f in house.scene.places if f.room == room and self._sees(f, pose)]
            shown = {f.name for f in surfaces if house.open.get(f.name, True)}
            shown |= {p.name for p in house.platforms.values() if p.on in shown}
            things = []
            for thing in house.things:
                since = thing.seen.get(self.name, LOOKS) + 1
                if thing.on in shown and not house.chance(0.1):
                    since = 0
                thing.seen[self.name] = since
                if thing.on in shown and since < LOOKS:
                    x, y, z = thing.at
                    things.append(
                        Detection(thing.kind, (x + house.off(0.02), y + house.off(0.02), z), "", thing.mass_kg)
                    )
            doors = [d for d in house.scene.doors if d.swings and math.dist(d.at, pose) <= SEES_M]
            swinging = [f.name for f in surfaces if f.opens] + [d.name for d in doors]
            held = house.holds(self.name)
            where = (round(pose[0] + self.error[0], 3), round(pose[1] + self.error[1], 3))
            return Sight(
                pose=where,
                things=tuple(things),
                places=tuple(sorted(n for n in shown if n in house.scene.piece)),
                open=tuple((name, house.open[name]) for name in swinging),
                holds="" if held is None else held.kind,
            )

    def _sees(self, f, pose) -> bool:
        x, y = min(max(pose[0], f.rect[0]), f.rect[2]), min(max(pose[1], f.rect[1]), f.rect[3])
        return math.dist((x, y), pose) <= SEES_M and f.surface_m <= self.card.camera_high_m


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("task", help="like pack-objects, with the options that are given to coterie run, too")
    p.add_argument("--seed", type=int, default=0)
    for option in ("team", "scene", "level"):
        p.add_argument(f"--{option}", default="")
    p.add_argument(
        "--scatter", type=int, metavar="SEED", help="where things lie, and what goes wrong (default: --seed)"
    )
    p.add_argument("--noise", type=float, default=1.0, help="how much goes wrong; 0: nothing does (default 1)")
    p.add_argument("--speed", type=float, default=1.0, help="how much faster than the clock the house is (default 1)")
    p.add_argument("--lose", metavar="ROBOT@S[-S]", help="a robot that is gone after so many seconds, and back again")
    p.add_argument("--carry-off", type=float, metavar="S", help="when somebody carries off a thing of the goal")
    p.add_argument("--folder", help="where drivers are found (default COTERIE_ROBOTS)")
    args = p.parse_args()
    config = Config(task=args.task, seed=args.seed, team=args.team, scene=args.scene, level=args.level)
    seed = args.seed if args.scatter is None else args.scatter
    house = House(config, 7919 * seed + 1, args.noise, args.speed)
    hosts = {name: Host([StandIn(name, house)], Folder(args.folder)) for name in house.cards}
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    print(f"{', '.join(hosts)}: ready", flush=True)
    due = [] if args.carry_off is None else [(args.carry_off, "")]
    if args.lose:
        robot, _, times = args.lose.partition("@")
        due += [(float(when), robot) for when in times.split("-")]
    while not over.wait(0.05):
        for when, robot in [d for d in due if time.monotonic() - house.begun >= d[0]]:
            due.remove((when, robot))
            if not robot:
                print(house.carry_off(), flush=True)
            elif robot in hosts:
                hosts.pop(robot).close()
                print(f"{robot} is gone", flush=True)
            else:
                hosts[robot] = Host([StandIn(robot, house)], Folder(args.folder))
                print(f"{robot} is back", flush=True)
    for host in hosts.values():
        host.close()


if __name__ == "__main__":
    main()
