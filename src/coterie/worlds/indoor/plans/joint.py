"""Joint plans with full knowledge of an indoor world: who fetches what, in which order, who opens what.

A thing that is to be placed is brought within reach of the fixed arm by a carrier (opening its container first, or
waiting for a robot that can), then placed by the arm. All divisions of labour and orders are tried; each costs a short
calculation in whole steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, NamedTuple

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.core.lazy import kept
from coterie.motion.grid import Planner as Ways
from coterie.motion.grid import Point
from coterie.worlds.indoor.plans.doors import Doors
from coterie.worlds.indoor.world import IndoorWorld

MOST_PLANS = 4000  # divisions of labour and orders tried; where there may be more, they are built up one by one
SMALL_TEAM = 6  # up to so many robots, every division of labour is tried
MOST_LIKELY = 12  # ways of a thing that are tried in larger teams
NEVER = 10_000
ARM_S = 6.0  # to take up what was brought last, and place it


Place = tuple[Any, Any]  # furniture and stand pose
Jobs = dict[str, list[tuple[str, str]]]  # robot -> its jobs in order: ("hold", x), ("open", box), ("fetch", x)


class Way(NamedTuple):
    """One way to bring a thing to the arm: a carrier, and an opener where the carrier cannot open the container."""

    carrier: str
    opener: str | None


@dataclass
class Plan:
    """Queues of actions for the carriers, and the number of steps until the arm has placed everything."""

    steps: int
    queues: dict[str, list[Action]] = field(default_factory=dict)
    ways: dict[str, Way] = field(default_factory=dict)

    def uses(self, robot: str) -> bool:
        return bool(self.queues.get(robot))

    def visits(self, robot: str) -> list[tuple[str, str]]:
        """The (furniture, stand) pairs a robot is to visit."""
        return [(a.args[0], a.args[1]) for a in self.queues.get(robot, ()) if a.skill == "navigate"]


class Planner:
    """Plans for one moment of a world.

    `without` leaves robots out, `extra` adds some, `closed` adds zones (robot, furniture or room, stand pose or `*`),
    `doors` are taken to be open or not whatever they are now.
    """

    def __init__(
        self,
        world: IndoorWorld,
        goal: Any = None,
        without: Iterable[str] = (),
        closed: Iterable[tuple[str, str, str]] = (),
        extra: Mapping[str, Card] | None = None,
        doors: Mapping[str, bool] | None = None,
        clock: bool = False,
    ):
        self.clock = clock  # plans are short in seconds, not in steps
        self.world, self.fluents, self.scene = world, world.fluents, world.scene
        self.goal: Any = goal if goal is not None else world.goal
        left_out = set(without)
        self.cards = {n: c for n, c in {**world.cards, **(extra or {})}.items() if n not in left_out}
        self.closed = set(closed)
        self.table = str(self.scene.work_table or "")
        self.arm = next((n for n, c in self.cards.items() if c.mobility == "fixed"), None)
        self.carriers = [n for n, c in self.cards.items() if c.moves and c.manipulates and "place" in c.skills]
        self.openers = [n for n, c in self.cards.items() if c.moves and "open" in c.skills]
        self.doors = Doors(world, self.cards, self.openers, doors or {})
        self.left = {n: self._battery(n) for n in self.cards}  # actions until each battery is flat

    def _battery(self, robot: str) -> int:
        most = self.cards[robot].battery_steps
        return NEVER if most is None else most - int(self.world.truth.get(("used", robot), 0))

    def within_batteries(self, plan: Plan | None) -> Plan | None:
        """The plan, if every battery lasts for its part of it; the arm takes up and places what it is brought."""
        if plan is None or plan.steps >= NEVER:
            return None
        return plan if all(len(q) <= self.left[n] for n, q in plan.queues.items()) else None

    def seconds(self, plan: Plan | None) -> float:
        """How long the longest queue of a plan takes, and the arm after it, if nobody is in anybody's way [s]."""
        most = 0.0
        for robot, queue in (plan.queues if plan is not None else {}).items():
            pose, took = self.pose(robot), 0.0
            for action in queue:
                skill = self.world.skill(action.skill)
                took += skill.duration_s if skill is not None else 1.0
                if action.skill == "navigate":
                    goal = self.scene.stand_poses[action.args]
                    took += about_m(pose, goal) / self.cards[robot].speed_mps
                    pose = goal
            most = max(most, took)
        return most + ARM_S

    # -- where to stand -------------------------------------------------------------------------------------------
    def may_stand(self, robot: str, furniture: str, stand: str) -> bool:
        card = self.cards[robot]
        f = self.scene.piece[furniture]
        if f.surface_m > card.camera_high_m:
            return False
        truth = self.world.truth
        if truth.get(("allowed", robot, furniture)) is False:
            return False
        if truth.get(("stand_allowed", robot, furniture, stand)) is False:
            return False
        if (robot, furniture, "*") in self.closed or (robot, furniture, stand) in self.closed:
            return False
        goal = self.scene.stand_poses[furniture, stand]
        start = self.pose(robot)
        nav = self.nav(robot)
        return nav.grid.free(goal) and nav.linked(start, goal)

    @kept
    def nav(self, robot: str) -> Ways:
        """Paths of a robot through doors that any robot opens, without rooms that are closed to it."""
        known: frozenset[str] = self.world.truth.get(("shut_rooms", robot), frozenset())
        rooms = known | {zone for r, zone, _ in self.closed if r == robot and zone in self.scene.room}
        return self.scene.nav(self.cards[robot], self.doors.stuck, rooms)

    def pose(self, robot: str) -> Point:
        """Where a robot is; one that is still to come begins near the work table."""
        pose: Point | None = self.world.truth.get(("pose", robot))
        return pose or (self.scene.piece[self.table] if self.table else self.scene.places[0]).stands[0]

    @kept
    def stands(self, robot: str, furniture: str) -> list[tuple[str, Point]]:
        """Allowed stand poses, the present one first."""
        here = self.world.truth.get(("stand", robot)) if self.world.truth.get(("at", robot)) == furniture else None
        names = sorted(self.scene.stands_of.get(furniture, ()), key=lambda s: s != here)
        poses = self.scene.stand_poses
        return [(s, poses[furniture, s]) for s in names if self.may_stand(robot, furniture, s)]

    def stops(self, robot: str, furniture: str) -> list[tuple[str, Point]]:
        """Allowed stand poses, the better ones first."""
        return self.stands(robot, furniture)

    @kept
    def pick_stand(self, robot: str, thing: str) -> str | None:
        """Where to take a thing; at the work table, if possible, where it can be handed over at once."""
        truth, card = self.world.truth, self.cards[robot]
        furniture = self.fluents.base_of(self.world.look, truth["where", thing])
        spot = truth["spot", thing]
        if furniture is None or self.world.mass(thing) > card.payload_kg:
            return None
        if not card.reach_low_m <= spot[2] <= card.reach_high_m:
            return None
        near = [s for s, pose in self.stops(robot, furniture) if card.gap(pose, spot) <= card.reach_m]
        if self.goal.platforms and furniture == self.table and self.arm is not None:
            near.sort(key=lambda s: s not in self.drop_stands(robot))
        return near[0] if near else None

    @kept
    def drop_stands(self, robot: str) -> list[str]:
        """Stand poses of the work table from which a thing can be laid within reach of the arm."""
        assert self.arm is not None
        arm, card, found = self.cards[self.arm], self.cards[robot], list[str]()
        for stand, pose in self.stands(robot, self.table):
            spot = self.fluents.free_spot(self.world.look, card, pose, self.table)
            if spot is not None and arm.gap(self.foot, spot) <= arm.reach_m:
                found.append(stand)
        return found

    def drop_after(self, robot: str, thing: str) -> str | None:
        """Where to hand a thing over after taking it: right there, if it was taken at the work table."""
        taken_at = self.pick_stand(robot, thing)
        at_table = self.fluents.base_of(self.world.look, self.world.truth["where", thing]) == self.table
        return taken_at if at_table and taken_at in self.drop_stands(robot) else self.drop_stand(robot)

    def drop_stand(self, robot: str) -> str | None:
        """The stand pose for handing over what is brought from elsewhere."""
        return next(iter(self.drop_stands(robot)), None)

    @kept
    def open_stand(self, robot: str, furniture: str) -> str | None:
        card, far = self.cards[robot], self.fluents.distance_to
        return next((s for s, p in self.stands(robot, furniture) if far(card, p, furniture) <= card.reach_m), None)

    @property
    def foot(self) -> Point:
        assert self.scene.work is not None
        return self.scene.work.arm

    # -- what is to be done ---------------------------------------------------------------------------------------
    def in_arms_reach(self, thing: str) -> bool:
        if self.arm is None:
            return False
        truth, arm = self.world.truth, self.cards[self.arm]
        if self.fluents.base_of(self.world.look, truth["where", thing]) != self.table or truth[
            "where", thing
        ].startswith("floor@"):
            return False
        if self.world.mass(thing) > arm.payload_kg:
            return False
        return arm.gap(self.foot, truth["spot", thing]) <= arm.reach_m

    def to_fetch(self) -> list[str]:
        """Targets that lie out of the arm's reach (and are not in a hand)."""
        truth = self.world.truth
        return [t for t in self.goal.targets if truth["where", t] not in self.cards and not self.in_arms_reach(t)]

    def shut(self, thing: str) -> str | None:
        """The closed container a thing lies in."""
        return self.shut_place(self.world.truth["where", thing])

    def shut_place(self, place: str) -> str | None:
        """A place, where it is a container and closed."""
        f = self.scene.piece.get(place)
        return place if f is not None and f.opens and not self.world.truth["open", place] else None

    def ways(self, thing: str) -> list[Way]:
        found: list[Way] = []
        box = self.shut(thing)
        for carrier in self.carriers:
            if self.pick_stand(carrier, thing) is None or self.drop_stand(carrier) is None:
                continue
            if box is None:
                found.append(Way(carrier, None))
                continue
            if carrier in self.openers and self.open_stand(carrier, box) is not None:
                found.append(Way(carrier, carrier))
            found += [Way(carrier, o) for o in self.openers if o != carrier and self.open_stand(o, box) is not None]
        return found

    def feasible(self) -> bool:
        return self.arm is not None and all(self.ways(t) for t in self.to_fetch())

    def helpers_needed(self) -> int | None:
        """The least number of robots, besides the arm, that can do it; None when it cannot be done."""
        sets: list[list[frozenset[str]]] = []
        for thing in self.to_fetch():
            ways = self.ways(thing)
            if not ways:
                return None
            sets.append([frozenset({w.carrier} | ({w.opener} if w.opener else set())) for w in ways])
        return fewest(sets)

    # -- plans ----------------------------------------------------------------------------------------------------
    def best(self, part: bool = False) -> Plan | None:
        """The plan with the fewest steps, or None when the task cannot be done; `part` plans for what can be."""
        if self.arm is None:
            return None
        fetch = self.to_fetch()
        if part:
            fetch = [t for t in fetch if self.ways(t)]
        options = [self.ways(t) for t in fetch]
        if not all(options):
            return None
        few = len(self.cards) <= SMALL_TEAM and math.prod(map(len, options)) * math.factorial(len(fetch)) <= MOST_PLANS
        search = self._all_divisions if few else self._some_divisions
        steps, lists, ways = search(fetch, options)
        queues = {r: self._queue(r, jobs, ways) for r, jobs in lists.items() if jobs}
        plan = Plan(steps + self.doors.lead(queues), queues, ways)
        return plan if part else self.within_batteries(plan)

    def _all_divisions(self, fetch: list[str], options: list[list[Way]]) -> tuple[int, Jobs, dict[str, Way]]:
        best: tuple[int, int, Any] | None = None
        tried = 0
        for choice in product(*options):
            for lists in self._orders(fetch, choice):
                tried += 1
                steps, work = self._calculate(lists, dict(zip(fetch, choice)))
                if best is None or (steps, work) < best[:2]:
                    best = (steps, work, (lists, dict(zip(fetch, choice))))
                if tried >= MOST_PLANS:
                    break
            if tried >= MOST_PLANS:
                break
        assert best is not None
        return best[0], *best[2]

    def _some_divisions(self, fetch: list[str], options: list[list[Way]]) -> tuple[int, Jobs, dict[str, Way]]:
        """For large teams: one thing after the other goes the way that makes the plan so far shortest; then each is
        tried elsewhere once more. Who is busy already is seldom the best choice, so few ways need be looked at."""
        chosen: list[Way] = []

        def cost(choice: list[Way]) -> tuple[int, int]:
            some = fetch[: len(choice)]
            return self._calculate(self._in_turn(some, choice), dict(zip(some, choice)))

        for i in range(len(fetch)):
            chosen.append(min(self._likely(options[i], chosen), key=lambda w: cost([*chosen, w])))
        for i in range(len(fetch)):
            rest = [*chosen[:i], *chosen[i + 1 :]]
            tries = [*self._likely(options[i], rest), chosen[i]]
            chosen[i] = min(tries, key=lambda w: cost([*chosen[:i], w, *chosen[i + 1 :]]))
        return cost(chosen)[0], self._in_turn(fetch, chosen), dict(zip(fetch, chosen))

    def _likely(self, ways: list[Way], chosen: list[Way]) -> list[Way]:
        """Ways worth a try: robots that have nothing to do yet first, one of every body, then the others."""
        busy = {r for w in chosen for r in (w.carrier, w.opener) if r is not None}
        own = [w for w in ways if w.opener in (None, w.carrier)] or ways
        idle = [w for w in own if w.carrier not in busy and w.opener not in busy]
        return [*idle[:MOST_LIKELY], *[w for w in own if w not in idle][:MOST_LIKELY]]

    def _in_turn(self, fetch: list[str], choice: list[Way]) -> Jobs:
        """The jobs of every robot in the order of the targets."""
        jobs, first = self._jobs(fetch, tuple(choice))
        return {n: [*first.get(n, []), *jobs[n]] for n in sorted(jobs) if jobs[n] or n in first}

    def _orders(self, fetch: list[str], choice: tuple[Way, ...]) -> Iterator[dict[str, list[tuple[str, str]]]]:
        """All orders of the jobs ("hold", x), ("open", box), ("fetch", x) in every robot's list."""
        jobs, first = self._jobs(fetch, choice)
        names = sorted(jobs)
        for orders in product(*(permutations(jobs[n]) for n in names)):
            yield {n: [*first.get(n, []), *order] for n, order in zip(names, orders)}

    def _jobs(self, fetch: list[str], choice: tuple[Way, ...]) -> tuple[Jobs, Jobs]:
        """The jobs of every robot; what it holds comes first."""
        jobs: dict[str, list[tuple[str, str]]] = {r: [] for r in {*self.carriers, *self.openers}}
        for thing, way in zip(fetch, choice):
            jobs[way.carrier].append(("fetch", thing))
            if way.opener is not None and way.opener != way.carrier:
                box = self.shut(thing)
                if ("open", box) not in jobs[way.opener] and not any(
                    w.carrier == w.opener == way.opener and self.shut(t) == box for t, w in zip(fetch, choice)
                ):
                    jobs[way.opener].append(("open", str(box)))
        first = {r: [("hold", h)] for r in jobs if (h := self.world.truth.get(("holding", r))) is not None}
        return jobs, first

    def _calculate(self, lists: dict[str, list[tuple[str, str]]], ways: dict[str, Way]) -> tuple[int, int]:
        """Steps until everything is placed, and steps worked by all carriers."""
        opened: dict[str, int] = {}
        ready: dict[str, int] = {}
        work = 0
        for robot in sorted(lists, key=lambda r: r not in self.openers):  # openers first: others wait for them
            t = acts = 0
            here = (self.world.truth.get(("at", robot)), self.world.truth.get(("stand", robot)))
            for kind, name in lists[robot]:
                start = t
                if kind == "hold":
                    if name in self.goal.targets:
                        drop = (self.table, self.drop_stand(robot))
                        t += self._go(robot, here, drop) + self._do("place")
                        here = drop
                        ready[name] = t
                    else:
                        t += self._do("place")
                    acts += 2
                    work += t - start
                    continue
                box = name if kind == "open" else self.shut(name)
                if (
                    box is not None
                    and box not in opened
                    and robot in self.openers
                    and (kind == "open" or ways[name].opener == robot)
                ):
                    goal = (box, self.open_stand(robot, box))
                    t += self._go(robot, here, goal) + self._do("open")
                    acts += (here != goal) + 1
                    here = goal
                    opened[box] = t
                if kind == "fetch":
                    goal, drop, brought = self._trip(robot, name)
                    t += self._go(robot, here, goal)
                    t = max(t, opened.get(box, NEVER) if box is not None else 0) + brought
                    acts += (here != goal) + (goal != drop) + 2
                    here = drop
                    ready[name] = t
                work += t - start
            if acts > self.left[robot]:
                return NEVER, work
        return self._arm_time(ready), work

    @kept
    def _trip(self, robot: str, thing: str) -> tuple[Place, Place, int]:
        """Where a robot takes a thing, where it hands it over, and the steps from before the one to after the other."""
        furniture = str(self.fluents.base_of(self.world.look, self.world.truth["where", thing]))
        goal, drop = (furniture, self.pick_stand(robot, thing)), (self.table, self.drop_after(robot, thing))
        return goal, drop, self._do("pick") + self._go(robot, goal, drop) + self._do("place")

    def _go(self, robot: str, here: tuple[Any, Any], goal: tuple[Any, Any]) -> int:
        """Steps, or seconds, from one place to stand at to another; from anywhere else, from where it is."""
        if here == goal:
            return 0
        if not self.clock or goal not in self.scene.stand_poses:
            return 1
        start = self.scene.stand_poses.get(here) or self.pose(robot)
        return round(1 + about_m(start, self.scene.stand_poses[goal]) / self.cards[robot].speed_mps)

    def _do(self, skill: str) -> int:
        if not self.clock:
            return 1
        declared = self.world.skill(skill)
        return round(declared.duration_s) if declared is not None else 1

    def _arm_time(self, ready: dict[str, int]) -> int:
        """Steps until the arm has put everything in its place, taking what is there first."""
        truth, goal = self.world.truth, self.goal
        t, both = 0, self._do("pick") + self._do("place")
        held = truth.get(("holding", self.arm)) if self.arm else None
        inside = {p: list(self.world.inside.get(p, ())) for p in goal.platforms}
        placed = [x for p in goal.platforms for x in inside[p] if goal.home(x) == p]
        if goal.kind == "stack":
            stack = tuple(inside[goal.on])
            good = goal.good_layers(stack)
            placed = list(stack[:good])
            wrong = len(stack) - good
        else:
            wrong = sum(len(v) for v in inside.values()) - len(placed)
        todo = [x for x in goal.targets if x not in placed]
        if self.arm is not None and 2 * (len(todo) + wrong) - (held is not None) > self.left[self.arm]:
            return NEVER
        if held is not None:
            usable = held in todo and (goal.kind != "stack" or (wrong == 0 and todo[0] == held))
            t += self._do("place")
            if usable:
                todo.remove(held)
        if goal.kind == "stack":
            t += both * wrong
            for x in todo:
                t = max(t, ready.get(x, 0)) + both
            return t
        for x in sorted(todo, key=lambda x: ready.get(x, 0)):
            at = ready.get(x, 0)
            while wrong and t + both <= at:
                t, wrong = t + both, wrong - 1
            t = max(t, at) + both
        return t + both * wrong

    def _queue(self, robot: str, jobs: list[tuple[str, str]], ways: dict[str, Way]) -> list[Action]:
        out: list[Action] = []
        opened: set[str] = set()

        def go(furniture: str, stand: str | None) -> None:
            if stand is not None:  # what is in a hand may have nowhere to go
                out.append(Action("navigate", (furniture, stand)))

        for kind, name in jobs:
            if kind == "hold":
                if name in self.goal.targets:
                    go(self.table, self.drop_stand(robot))
                    out.append(Action("place", (name, self.table)))
                else:
                    at = self.world.truth.get(("at", robot))
                    if at is None or self.world.check({robot: Action("place", (name, at))})[robot].ok is False:
                        go(self.table, self.drop_stand(robot))
                        at = self.table
                    out.append(Action("place", (name, at)))
                continue
            box = name if kind == "open" else self.shut(name)
            if box is not None and box not in opened and (kind == "open" or ways[name].opener == robot):
                go(box, self.open_stand(robot, box))
                out.append(Action("open", (box,)))
                opened.add(box)
            if kind == "fetch":
                furniture = self.fluents.base_of(self.world.look, self.world.truth["where", name])
                go(str(furniture), self.pick_stand(robot, name))
                out.append(Action("pick", (name,)))
                go(self.table, self.drop_after(robot, name))
                out.append(Action("place", (name, self.table)))
        return out


def about_m(a: Point, b: Point) -> float:
    """How far it is between two points of a house with straight walls, without looking for the way."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def fewest(sets: list[list[frozenset[str]]]) -> int:
    """The size of the smallest union that takes one set from every list."""
    least = [sorted({a for a in options if not any(b < a for b in options)}, key=sorted) for options in sets]
    least.sort(key=len)
    best = sum(min(map(len, options)) for options in least) + 1

    def extend(i: int, union: frozenset[str]) -> None:
        nonlocal best
        if len(union) >= best:
            return
        if i == len(least):
            best = len(union)
        elif any(o <= union for o in least[i]):  # nobody new is needed
            extend(i + 1, union)
        else:
            for option in least[i]:
                extend(i + 1, union | option)

    extend(0, frozenset())
    return best


def arm_action(world: IndoorWorld, arm: str) -> Action:
    """The next action of the fixed arm: clear what is wrong, then place what is within reach."""
    goal: Any = world.goal
    if not goal.platforms:  # what it asks for lies out in the house
        return _lay_down(world, arm)
    truth, planner = world.truth, Planner(world)
    table = planner.table
    held = truth["holding", arm]
    inside = {p: world.inside.get(p, []) for p in goal.platforms}
    if goal.kind == "stack":
        stack = tuple(inside[goal.on])
        good = goal.good_layers(stack)
        wrong = list(reversed(stack[good:]))
        todo = [t for t in goal.targets if t not in stack[:good]]
        wanted = todo[:1] if not wrong else []
    else:
        wrong = [x for p, xs in inside.items() for x in xs if goal.home(x) != p]
        wanted = [t for t in goal.targets if truth["where", t] != goal.home(t)]
    if held is not None:
        return Action("place", (held, goal.home(held) if held in wanted else table))
    near = [t for t in wanted if truth["where", t] != arm and planner.in_arms_reach(t)]
    if goal.kind == "stack" and wrong:
        return Action("pick", (wrong[0],))
    if near:
        return Action("pick", (near[0],))
    if wrong:
        return Action("pick", (wrong[0],))
    return Action(WAIT)


def _lay_down(world: IndoorWorld, arm: str) -> Action:
    held = world.truth["holding", arm]
    return Action("place", (held, world.truth["at", arm])) if held is not None else Action(WAIT)
