"""Many indoor worlds at once: their truth, what actions do to it, and how far the goals have come."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.core.causes import ON_CARD
from coterie.core.errors import CoterieError
from coterie.core.task import Task
from coterie.worlds.indoor.continuous_traffic import Route, among, way
from coterie.worlds.indoor.skills import FIRST, skills
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT
from coterie.worlds.indoor.twin.beliefs import Beliefs
from coterie.worlds.indoor.twin.tables import OCCUPIED, OK, SHUT_DOOR, STANDS, Array, Tables
from coterie.worlds.indoor.world import IndoorWorld

NAVIGATE, OPEN, CLOSE, PICK, PLACE, MOVE, COMMUNICATE, WAIT = range(8)
CLAUSES = 16  # an outcome is 16 times the skill and the clause that failed, or OK
NOT_ABLE = 15
RULE = len(skills.get("place").when)  # of the task: after the clauses of `place`
SECONDS = np.array([skills.get(name).duration_s for name in FIRST])
GOALS = ("pack", "sort", "stack")


def cause_of(outcome: int) -> str:
    """The name of what failed, as a cause in the log has it; empty where nothing did."""
    if outcome == OK:
        return ""
    skill, clause = divmod(outcome, CLAUSES)
    if clause == NOT_ABLE:
        return ON_CARD
    when = skills.get(FIRST[skill]).when
    return when[clause].name if clause < len(when) else FINAL_PLACEMENT.clause.name


class Start:
    """One task as numbers: what a world is set to when its episode begins."""

    def __init__(self, task: Task, tables: Tables):
        world, t = IndoorWorld(task), tables.things
        names = [thing.name for thing, _, _ in world.setting.things]
        goal: Any = task.goal
        self.names = names
        self.things = len(names)
        self.mass = _padded([world.things[n].mass_kg for n in names], t, 0.0)
        self.where = _padded([tables.place[world.truth["where", n]] for n in names], t, -9)
        self.spot = _padded([tables.spot(world.truth["spot", n]) for n in names], t, 0)
        self.home = _padded([tables.place.get(goal.home(n), -1) for n in names], t, -1)
        ranked = sorted(names)
        self.name_rank = _padded([ranked.index(n) for n in names], t, 0)
        self.targets = [names.index(n) for n in goal.targets]
        self.order = _padded([goal.targets.index(n) if n in goal.targets else 99 for n in names], t, 99)
        self.listing = [
            tables.listings.number(tuple(names.index(n) for n in world.inside.get(p, ()))) for p in tables.names
        ]
        self.open = [int(bool(world.truth.get(("open", p), False))) for p in tables.names]
        self.pose = [tables.pose(world.truth["pose", r]) for r in tables.robots]
        self.at = [tables.place[at] if (at := world.truth["at", r]) is not None else -1 for r in tables.robots]
        self.limit = task.step_limit or 2**30


def _padded(values: Sequence[Any], size: int, empty: Any) -> Array:
    return np.array([*values, *[empty] * (size - len(values))])


class Worlds:
    """The truth of `n` worlds of one house and team. Arrays are over worlds first, then robots, things or places."""

    def __init__(self, tables: Tables, starts: Sequence[Start], kind: str, n: int, table_rows: int):
        self.tables, self.starts, self.kind, self.n = tables, list(starts), kind, n
        t, p, r = tables.things, tables.count, len(tables.robots)
        self.robots = r
        self.able = np.array([[skill in card.skills for skill in FIRST] for card in tables.cards])
        self.pose, self.at = np.zeros((n, r), np.int32), np.zeros((n, r), np.int16)
        self.stand, self.held = np.zeros((n, r), np.int8), np.zeros((n, r), np.int16)
        self.where, self.spot = np.zeros((n, t), np.int16), np.zeros((n, t), np.int16)
        self.home, self.order, self.mass = np.zeros((n, t), np.int16), np.zeros((n, t), np.int8), np.zeros((n, t))
        self.listing, self.open = np.zeros((n, p), np.int32), np.zeros((n, p), np.int8)
        self.count, self.step = np.zeros(n, np.int32), np.zeros(n, np.int32)  # of targets; steps taken
        self.limit, self.start = np.zeros(n, np.int32), np.zeros(n, np.int32)
        self.targets = np.full((n, t), -1, np.int8)  # of stacks, bottom first
        self.shut = np.zeros(n, np.int16)  # the set of closed doors
        self.partial, self.done = np.zeros(n), np.zeros(n, bool)
        self.outcome = np.full((n, r), OK, np.int16)
        self.beliefs = Beliefs(tables, n * r, table_rows)
        self._seen = np.full((n * r, 4), -9, np.int32)  # what each robot last knew of itself
        self._shown = np.full((n, len(tables.platforms)), -1, np.int32)  # the platforms, when last shown to all
        self._payload = np.array([c.payload_kg for c in tables.cards])
        self._reach = np.array([c.reach_m for c in tables.cards])
        self._low, self._high = (np.array([getattr(c, f"reach_{e}_m") for c in tables.cards]) for e in ("low", "high"))
        self._shoulder = np.array([c.shoulder_m for c in tables.cards])
        self._fixed = np.array([c.mobility == "fixed" for c in tables.cards])
        self._crowd = bool(tables.alike.any())
        self.doors_move = bool(len(tables.doors)) and (
            any(not s.open[d] for s in starts for d in tables.doors) or bool(self.able[:, CLOSE].any())
        )

    def flat(self, worlds: Array) -> Array:
        """The rows of all robots of some worlds."""
        return (worlds[:, None] * self.robots + np.arange(self.robots)).ravel()

    # -- the beginning --------------------------------------------------------------------------------------------
    def begin(self, worlds: Array, chosen: Array) -> None:
        """Begin episodes in some worlds, each of a start."""
        for w, s in zip(worlds.tolist(), chosen.tolist()):
            start = self.starts[s]
            self.pose[w], self.at[w], self.stand[w], self.held[w] = start.pose, start.at, -1, -1
            self.where[w], self.spot[w], self.home[w], self.order[w] = start.where, start.spot, start.home, start.order
            self.mass[w], self.listing[w], self.open[w] = start.mass, start.listing, start.open
            self.count[w], self.limit[w], self.start[w] = len(start.targets), start.limit, s
            self.targets[w] = -1
            self.targets[w, : len(start.targets)] = start.targets
        self.step[worlds], self.outcome[worlds] = 0, OK
        self._doors_changed(worlds)
        self._judge_goal(worlds)
        rows = self.flat(worlds)
        b = self.beliefs
        b.forget(rows)
        self._seen[rows] = -9
        self._shown[worlds] = -1
        b.name_rank[rows] = np.repeat([self.starts[s].name_rank for s in chosen], self.robots, axis=0)
        for k in range(int(self.count[worlds].max())):  # the goal names its targets to all
            some = worlds[self.count[worlds] > k]
            b.enter(self.flat(some), np.repeat(self.targets[some, k], self.robots))
        self.observe(worlds)

    def forget_poses(self) -> None:
        """Keep the poses alone that robots have now, or begin with."""
        kept = np.unique([*self.pose.ravel(), *(p for start in self.starts for p in start.pose)])
        new = np.zeros(len(self.tables.xy), np.int32)
        new[kept] = self.tables.forget_poses(kept)
        self.pose[:], self._seen[:, 2] = new[self.pose], new[self.pose].ravel()
        for start in self.starts:
            start.pose = new[start.pose].tolist()

    def _doors_changed(self, worlds: Array) -> None:
        if self.doors_move:
            doors = self.tables.doors
            self.shut[worlds] = self.tables.closed(
                (self.open[np.ix_(worlds, doors)] == 0) @ (1 << np.arange(len(doors)))
            )

    def _judge_goal(self, worlds: Array | slice) -> None:
        if self.kind == "stack":
            board = self.listing[worlds, self.tables.platforms[0]]
            items, targets = self.tables.listings.items[board], self.targets[worlds]
            right = np.cumprod(items == targets, axis=1).sum(1)
            length = self.tables.listings.length[board]
            wrong = (self.tables.listings.has[board] & (self.home[worlds] < 0)).sum(1)
            self.done[worlds] = (right == self.count[worlds]) & (length == right)
        else:
            where, home = self.where[worlds], self.home[worlds]
            right = (where == home).sum(1)
            there = self.tables.listings.length[self.listing[worlds][:, self.tables.platforms]].sum(1)
            wrong = there - right
            self.done[worlds] = (right == self.count[worlds]) & (wrong == 0)
        self.partial[worlds] = np.maximum(0, right - wrong) / self.count[worlds]

    # -- one step -------------------------------------------------------------------------------------------------
    def act(self, skill: Array, first: Array, second: Array) -> None:
        """All robots do something: a skill, and what fills it in (a place or a thing or a move; a side). (n, robots)"""
        r = self.robots
        skill, first, second = skill.ravel(), first.ravel(), second.ravel()
        rows = np.arange(self.n * r)
        able = self.able[rows % r, skill]
        outcome = np.where(able, OK, skill * CLAUSES + NOT_ABLE)
        good = np.flatnonzero(able & (skill != WAIT) & (skill != COMMUNICATE))
        outcome[good] = self.judge(good, skill[good], first[good], second[good])
        ends = np.where(able, SECONDS[skill], 1.0)
        works = outcome == OK
        hands = works & (skill >= OPEN) & (skill <= PLACE)
        touchy = hands.reshape(-1, r).sum(1) > 1
        if self._crowd or self.doors_move:
            busy = self._in_each_others_way(works, skill, first, second)
            for w in np.flatnonzero(busy):
                self._travel_times(int(w), works, skill, first, second, ends)
            touchy |= busy
        failed = np.flatnonzero(outcome != OK)
        if not self.doors_move:  # what is said is heard before anybody learns anything by failing
            self.beliefs.tell(np.flatnonzero(works & (skill == COMMUNICATE)), r)
        some = np.flatnonzero(works & ~np.repeat(touchy, r)) if touchy.any() else np.flatnonzero(works)
        if self.doors_move:
            touchy[:], some = True, some[:0]
        self._apply(some, skill, first, second)
        if touchy.any():
            self._in_turn(np.flatnonzero(touchy), ends, works, outcome, skill, first, second)
        if not self.doors_move:
            self._learn(failed, outcome[failed], first, second)
        self.outcome[:] = outcome.reshape(-1, r)
        self.step += 1
        self._judge_goal(slice(None))

    def _in_turn(
        self, worlds: Array, ends: Array, works: Array, outcome: Array, skill: Array, first: Array, second: Array
    ) -> None:
        """The actions of worlds in which it matters who is done first, one robot after the other."""
        r = self.robots
        order = np.argsort(ends.reshape(-1, r)[worlds], axis=1, kind="stable")
        early = ~works
        for k in range(r):
            turn = worlds * r + order[:, k]
            again = turn[works[turn] & (skill[turn] < COMMUNICATE)] if k else turn[:0]
            if len(again):  # what others did in the meantime may prevent it
                late = self.judge(again, skill[again], first[again], second[again])
                outcome[again], works[again] = late, late == OK
                failed = late != OK
                self.beliefs.now[again[failed]] |= 1
                self._learn(again[failed], late[failed], first, second)
            done = turn[works[turn]]
            self._apply(done, skill, first, second)
            if self.doors_move:
                self.beliefs.tell(done[skill[done] == COMMUNICATE], r)
                lost = turn[early[turn]]
                self._learn(lost, outcome[lost], first, second)

    def judge(self, rows: Array, skill: Array, first: Array, second: Array) -> Array:
        """Which clause of each action fails now, as an outcome; OK: none."""
        outcome = np.full(len(rows), OK, np.int16)
        asked = np.bincount(skill, minlength=8).tolist()
        for k, judged in ((NAVIGATE, self._navigate), (PICK, self._pick), (PLACE, self._place), (MOVE, self._move),
                          (OPEN, self._open), (CLOSE, self._open)):  # fmt: skip
            if asked[k]:
                some = np.flatnonzero(skill == k)
                failed = judged(rows[some], first[some], second[some], k)
                outcome[some] = np.where(failed == OK, OK, k * CLAUSES + failed)
        return outcome

    def _ways(self, rows: Array, which: int) -> Array:
        """The row of `Tables.ways` of each robot's pose: to stand poses (0) or of moves (1)."""
        w, r = rows // self.robots, rows % self.robots
        poses, shut = self.pose[w, r], self.shut[w]
        found = None
        for card in np.unique(r).tolist():
            for doors in np.unique(shut).tolist() if self.doors_move else [0]:
                some = (r == card) & (shut == doors)
                if some.any():
                    table = self.tables.ways(card, doors, poses[some])[which]
                    found = np.zeros((len(rows), table.shape[1]), np.int8) if found is None else found
                    found[some] = table[poses[some]]
        assert found is not None
        return found

    def _navigate(self, rows: Array, place: Array, stand: Array, _: int) -> Array:
        goal = place * STANDS + stand
        failed = self._ways(rows, 0)[np.arange(len(rows)), goal].astype(np.int16)
        if self._crowd:
            taken = self._touches(rows, self.tables.stand_pose[goal])
            failed[(failed == OK) & taken] = OCCUPIED
        return failed

    def _move(self, rows: Array, move: Array, _: Array, __: int) -> Array:
        failed = self._ways(rows, 1)[np.arange(len(rows)), move].astype(np.int16)
        if self._crowd:
            fine = np.flatnonzero(failed == OK)
            poses = self.tables.after_move(self.pose.ravel()[rows[fine]], move[fine])
            failed[fine[self._touches(rows[fine], poses)]] = 2
        return failed

    def _touches(self, rows: Array, poses: Array) -> Array:
        """True where another robot of the same layer stands where one wants to go."""
        w, r = rows // self.robots, rows % self.robots
        apart = self.tables.xy[self.pose[w]] - self.tables.xy[poses][:, None]
        near = np.hypot(apart[..., 0], apart[..., 1]) < self.tables.touch_m[r]
        return (near & self.tables.alike[r]).any(1)

    def _open(self, rows: Array, place: Array, _: Array, skill: int) -> Array:
        t = self.tables
        w, r = rows // self.robots, rows % self.robots
        failed = np.full(len(rows), OK, np.int16)
        if skill == CLOSE:
            x, y = np.moveaxis(t.xy[self.pose[w]], -1, 0)  # (rows, robots)
            box = np.array(
                [d.rect if (d := t.scene.door.get(t.names[p])) is not None else [math.inf] * 4 for p in place]
            )
            x0, y0, x1, y1 = (box[:, k, None] for k in range(4))
            failed[((x0 - 0.3 <= x) & (x <= x1 + 0.3) & (y0 - 0.3 <= y) & (y <= y1 + 0.3)).any(1)] = 4
        failed[self.open[w, place] != (skill == CLOSE)] = 3
        failed[~t.reaches[r, self.pose[w, r], place]] = 2
        failed[~t.opens[place]] = 1
        failed[t.is_platform[place]] = 0
        return failed

    def _pick(self, rows: Array, thing: Array, _: Array, __: int) -> Array:
        t = self.tables
        w, r = rows // self.robots, rows % self.robots
        place, spot = self.where[w, thing], self.spot[w, thing]
        failed = np.full(len(rows), OK, np.int16)
        failed[self.mass[w, thing] > self._payload[r]] = 8
        z = t.spot_xyz[spot, 2]
        failed[(z < self._low[r]) | (z > self._high[r])] = 5
        far = t.xy[self.pose[w, r]] - t.spot_xyz[spot, :2]
        gap = np.sqrt(far[:, 0] ** 2 + far[:, 1] ** 2 + (self._shoulder[r] - z) ** 2)  # as `Card.gap`
        failed[gap > self._reach[r]] = 3
        on = np.minimum(place, t.count - 1)
        listing = self.listing[w, on]
        covered = t.board[place] & (t.listings.position[listing, thing] < t.listings.length[listing] - 1)
        failed[covered] = 2
        hidden = t.closes[place] & (self.open[w, on] == 0)
        failed[(t.part[place] != self.at[w, r]) | hidden] = 1
        failed[self.held[w, r] >= 0] = 0
        return failed

    def _place(self, rows: Array, place: Array, _: Array, __: int) -> Array:
        t = self.tables
        w, r = rows // self.robots, rows % self.robots
        failed = np.full(len(rows), OK, np.int16)
        failed[t.is_platform[place] & ~self._fixed[r]] = RULE
        reached = t.reaches[r, self.pose[w, r], place]
        some = np.flatnonzero(reached & t.holds[place])
        failed[some[self.lay(w[some], r[some], place[some]) < 0]] = 5
        failed[~reached] = 4
        failed[t.closes[place] & (self.open[w, place] == 0)] = 3
        failed[~t.holds[place]] = 2
        return failed

    def lay(self, w: Array, r: Array, place: Array) -> Array:
        """The spot on which what a robot lays at a place comes to lie; -1 where there is none."""
        t = self.tables
        listing = self.listing[w, place]
        lying = t.listings.length[listing]
        spots = np.where(
            lying < t.capacity[place], t.platform_spot[place, np.minimum(lying, t.platform_spot.shape[1] - 1)], -1
        )
        k = np.flatnonzero(t.is_piece[place])
        if len(k):
            spots[k] = first_free(t, r[k], self.pose[w[k], r[k]], place[k], listing[k], self.spot[w[k]])
        return spots

    # -- what actions do ------------------------------------------------------------------------------------------
    def _apply(self, rows: Array, skill: Array, first: Array, second: Array) -> None:
        t, n = self.tables, self.robots
        done = skill[rows]
        did = np.bincount(done, minlength=8).tolist()
        if did[NAVIGATE]:
            some = rows[done == NAVIGATE]
            w, r = some // n, some % n
            self.at[w, r], self.stand[w, r] = first[some], second[some]
            self.pose[w, r] = t.stand_pose[first[some] * STANDS + second[some]]
        if did[PICK]:
            some = rows[done == PICK]
            w, r, thing = some // n, some % n, first[some]
            place = self.where[w, thing]
            self.listing[w, place] = t.listings.after(self.listing[w, place], thing, False)
            self.where[w, thing], self.held[w, r] = t.first_robot + r, thing
        if did[PLACE]:
            some = rows[done == PLACE]
            w, r, place = some // n, some % n, first[some]
            thing = self.held[w, r]
            self.spot[w, thing] = self.lay(w, r, place)
            self.listing[w, place] = t.listings.after(self.listing[w, place], thing, True)
            self.where[w, thing], self.held[w, r] = place, -1
        if did[MOVE]:
            some = rows[done == MOVE]
            w, r = some // n, some % n
            self.pose[w, r] = poses = t.after_move(self.pose[w, r], first[some])
            at = self.at[w, r]
            self.at[w, r], self.stand[w, r] = np.where((at >= 0) & t.beside[poses, at], at, -1), -1
        if did[OPEN] or did[CLOSE]:
            some = rows[(done == OPEN) | (done == CLOSE)]
            w = some // n
            self.open[w, first[some]] = skill[some] == OPEN
            self._doors_changed(w)

    def _learn(self, rows: Array, outcome: Array, first: Array, second: Array) -> None:
        """Robots that failed at what stands open or is closed have seen it."""
        if not len(rows):
            return
        b, t = self.beliefs, self.tables
        tried = (outcome == OPEN * CLAUSES + 3) | (outcome == CLOSE * CLAUSES + 3)
        if tried.any():
            b.see_open(rows[tried], first[rows[tried]], (outcome[tried] // CLAUSES == OPEN).astype(np.int8))
        for row in rows[outcome == SHUT_DOOR]:
            w, r = divmod(int(row), self.robots)
            x, y = t.xy[self.pose[w, r]].tolist()
            goal = t.goals[int(first[row]) * STANDS + int(second[row])]
            assert goal is not None
            door = t.fluents.barrier(t.cards[r], (x, y), goal, t.shut_sets[int(self.shut[w])])
            if door in t.place:
                b.see_open(np.array([row]), np.array([t.place[door]]), np.zeros(1, np.int8))

    # -- who is in whose way --------------------------------------------------------------------------------------
    def _in_each_others_way(self, works: Array, skill: Array, first: Array, second: Array) -> Array:
        """Worlds in which it matters who arrives first: two want to stand at one place, or a door is closed."""
        t, n = self.tables, self.robots
        goes = works & ((skill == NAVIGATE) | (skill == MOVE))
        poses = self.pose.ravel().copy()
        some = np.flatnonzero(goes & (skill == NAVIGATE))
        poses[some] = t.stand_pose[first[some] * STANDS + second[some]]
        some = np.flatnonzero(goes & (skill == MOVE))
        poses[some] = t.after_move(poses[some], first[some])
        goes, at = goes.reshape(-1, n), t.xy[poses].reshape(-1, n, 2)
        shuts = (works & (skill == CLOSE)).reshape(-1, n).any(1) & goes.any(1)
        apart = at[:, :, None] - at[:, None]
        near = (np.hypot(apart[..., 0], apart[..., 1]) < t.touch_m) & t.alike
        return shuts | (near & goes[:, :, None] & goes[:, None]).any((1, 2))

    def _travel_times(self, w: int, works: Array, skill: Array, first: Array, second: Array, ends: Array) -> None:
        """The seconds of those who go somewhere in one world; as `SimDriver` has them."""
        t, n = self.tables, self.robots
        rows = range(w * n, w * n + n)
        setting_out = [skill[row] in (NAVIGATE, MOVE) for row in rows]
        routes: dict[int, Route] = {}
        points: tuple[Any, ...]
        for r, row in enumerate(rows):
            if not (works[row] and skill[row] in (NAVIGATE, MOVE)):
                continue
            card, here, held_up = t.cards[r], tuple(t.xy[self.pose[w, r]].tolist()), 0.0
            others = np.flatnonzero(t.alike[r]).tolist()
            if skill[row] == MOVE:
                dx, dy = t.moves[int(first[row])]
                points = (here, (here[0] + dx, here[1] + dy))
            else:
                goal = t.goals[int(first[row]) * STANDS + int(second[row])]
                assert goal is not None
                planner = t.scene.nav(card, t.shut_sets[int(self.shut[w])])
                resting = [
                    (tuple(t.xy[self.pose[w, o]].tolist()), t.cards[o].footprint_m)
                    for o in others
                    if not setting_out[o]
                ]
                points, held_up = way(planner, here, goal, card.footprint_m, resting)
            route = Route(points, 0.0, card.speed_mps, card.footprint_m)
            route, evading = among(route, [routes[o] for o in others if o in routes])
            routes[r] = route
            ends[row] = SECONDS[skill[row]] + route.end + held_up + evading

    # -- what robots see ------------------------------------------------------------------------------------------
    def observe(self, worlds: Array) -> None:
        """Robots of some worlds look: at themselves, the platforms, and what is where they stand."""
        t, b, n = self.tables, self.beliefs, self.robots
        rows = self.flat(worlds)
        w, r = np.repeat(worlds, n), self.beliefs.robot[rows]
        b.now[rows] = 2 * self.step[w]
        at, held = self.at.take(rows), self.held.take(rows)
        own = np.stack([at, self.stand.take(rows), self.pose.take(rows), held], axis=1)
        k = np.flatnonzero(held >= 0)
        k = k[(own[k] != self._seen[rows[k]]).any(1)]
        self._seen[rows] = own
        if len(k):
            b.see_where(rows[k], held[k], t.first_robot + r[k])
        shown = self.listing[worlds[:, None], t.platforms]
        new = (shown != self._shown[worlds]).any(1)
        if new.any():
            some = worlds[new]
            self._shown[some] = shown[new]
            all_rows = self.flat(some)
            for p in t.platforms:
                b.see_listing(all_rows, np.full(len(all_rows), p), np.repeat(self.listing[some, p], n), False)
        self._look_around(rows, w, r, at)

    def _look_around(self, rows: Array, w: Array, r: Array, at: Array) -> None:
        t, b, n = self.tables, self.beliefs, self.robots
        k = np.flatnonzero(at >= 0)
        if not len(k):
            return
        rows, w, r, at = rows[k], w[k], r[k], at[k]
        stands = t.opens[at]
        opened = self.open[w, at]
        if stands.any():
            b.see_open(rows[stands], at[stands], opened[stands])
        k = np.flatnonzero(t.is_piece[at])
        b.see_floor(rows[k], at[k])
        k = k[~stands[k] | (opened[k] == 1)]
        b.see_listing(rows[k], at[k], self.listing[w[k], at[k]], True)
        where = self.where[w]
        shown = np.where(stands & (opened == 0), -4, at)  # of what is closed nothing is seen
        seen = (t.part.take(where, mode="clip") == shown[:, None]) & (where >= 0)
        k, thing = np.nonzero(seen)
        if len(k):
            b.see_things(rows[k], thing, self.spot[w[k], thing])
        if n > 1:
            for o in range(n):
                k = np.flatnonzero((self.at[w, o] == at) & (r != o) & t.is_piece[at])
                if len(k):
                    held = self.held[w[k], o]
                    b.holding[rows[k], o] = held
                    k, held = k[held >= 0], held[held >= 0]
                    if len(k):
                        b.see_where(rows[k], held, np.full(len(k), t.first_robot + o, np.int16))


def first_free(t: Tables, cards: Array, poses: Array, places: Array, listing: Array, spots: Array) -> Array:
    """The best spot of each place on which nothing of its listing lies, by where `spots` has things; -1: none."""
    found = t.spots_for(cards, poses, places)
    most = int(t.listings.length[listing].max(initial=0))
    free = found >= 0
    for k in range(most):
        item = t.listings.items[listing, k]
        lies = spots[np.arange(len(spots)), item]
        free &= (found != lies[:, None]) | (item == t.none)[:, None]
    best = free.argmax(1)
    rows = np.arange(len(found))
    return np.where(free[rows, best], found[rows, best], -1)


def check(task: Task) -> None:
    """Complain about a task that the twin does not cover."""
    odd = {
        "a goal of another kind": task.goal.kind not in GOALS,
        "changes on the way": bool(task.changes),
        "things that hold things": bool(task.setting.holders),
        "robots with batteries": any(card.battery_steps is not None for _, card in task.robots),
        "rules of its own": any(rule.name != FINAL_PLACEMENT.name for rule in task.rules),
    }
    for what, so in odd.items():
        if so:
            raise CoterieError(f"'{task.name}' has {what}. {COVERS}")


COVERS = (
    "Batched worlds cover pack-objects, sort-solids and make-sandwich at every level, in every scene and with every "
    "team, as long as nothing changes, fails or is out of contact; take parallel_env() for the rest."
)
