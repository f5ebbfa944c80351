"""Questions to a robot's own belief: the goal, the team, where things are, and who should do what."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.lazy import lazy
from coterie.core.protocol import RobotView, TeamView

Point = tuple[float, float]
Base = Mapping[tuple[str, ...], object]
MOST_MAPS = 64
MOST_KEPT = 1000
Spot = tuple[float, float, float]
MOST_NESTED = 8  # a caddy in a caddy
T = TypeVar("T")
NOBODY: frozenset[str] = frozenset()
_made: dict[int, Places] = {}  # by the identity of the map, which each of them keeps alive
BEYOND = "beyond"  # (robot, thing): where the thing lies, as the robot says that cannot take it from there


class Places:
    """The furniture of one map, with its sides, rooms, heights and what can be opened: read once for all robots that
    have it, and for every episode in the same house.

    Maps are common knowledge and never change, so that nothing a single robot knows is in here. What minds work out
    from the map and from what they know besides is kept here as well (`worked_out`), under all that it follows from:
    agents that know the same need not work it out again.
    """

    def __init__(self, base: Base):
        self.base = base
        by: dict[str, dict[str, Any]] = defaultdict(dict)
        for key, value in base.items():
            if len(key) == 2:
                by[key[0]][key[1]] = value
        table = base.get(("work_table",))
        self.table: str = table if isinstance(table, str) else ""  # "" where there is none
        every: Any = base.get(("all_furniture",)) or ()
        self.furniture: tuple[str, ...] = tuple(every)
        self.but_the_table = tuple(f for f in self.furniture if f != self.table)
        self.height: dict[str, float] = by["height"]
        self.room: dict[str, str] = by["room"]
        self.part_of: dict[str, str] = by["part_of"]
        self.openable = frozenset(by["openable"])
        self.holders = frozenset(by["holder"])
        self.stands: dict[str, tuple[tuple[str, Point], ...]] = {
            place: tuple((stand, base["stand_pose", place, stand]) for stand in names)  # type: ignore[misc]
            for place, names in by["all_stands"].items()
        }
        self._kept: dict[Hashable, tuple[object, object]] = {}

    def worked_out(self, key: Hashable, of: object, make: Callable[[], Any]) -> Any:
        """A value that follows from the map and `key`, which may name things by identity; `of` keeps them alive."""
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = (make(), of)
        return found[0]


def places_of(base: Base) -> Places:
    found = _made.get(id(base))
    if found is None or found.base is not base:
        if len(_made) >= MOST_MAPS:
            _made.clear()
        found = _made[id(base)] = Places(base)
    return found


class Team:
    """The robots that are there, as far as a robot knows: made anew when one comes, goes or says what it is."""

    __slots__ = ("arm", "cards", "carriers", "explorers", "online")

    def __init__(self, r: Reading, missed: frozenset[str]):
        self.online: tuple[str, ...] = tuple(sorted({*r.me.heartbeat, r.name} - missed))
        found = {n: r.known["card", n] for n in self.online}
        self.cards = {n: c for n, c in found.items() if isinstance(c, Card)}
        arms = (n for n, c in self.cards.items() if c.mobility == "fixed" and c.manipulates)
        self.arm: str | None = next(arms, None)
        self.carriers = [n for n, c in self.cards.items() if c.moves and c.manipulates]
        self.explorers = [n for n, c in self.cards.items() if c.moves and "navigate" in c.skills]


class Reading:
    """A view of one belief at one moment. Nothing comes from anywhere else, and nothing is remembered but what still
    follows from it: what depends on the team, the zones or where things are is worked out again when these change.

    `missed` are teammates that its mind takes to be gone (see `absence`).
    """

    def __init__(self, me: RobotView, missed: frozenset[str] = NOBODY):
        name, belief = me.name, me.belief
        known = belief.known
        self.me, self.name, self.belief, self.known, self.look = me, name, belief, known, me.look
        self.card: Card = me.card
        self.places = places_of(belief.base)
        self.table = self.places.table
        self.goal: Any = known["goal",]
        self.at: Any = known["at", name]
        self.stand: Any = known["stand", name]
        self.pose: Any = known["pose", name]
        held = known["holding", name]
        self.held: str | None = held if isinstance(held, str) else None
        self.stamps, self._kept = belief.stamps, belief.kept
        self._found: dict[str, str | None] = {}  # where things are, by the belief as it was at `_found_at`
        self._found_at: int | None = None
        self._able: dict[tuple[str, str], bool] = {}  # who could take what, by the belief as long as it was then
        self._able_at = len(belief.history)
        team = self.keep("team", (me.heartbeat, missed, self.stamps.get("card")), lambda: Team(self, missed))
        self.team = team
        self.online: tuple[str, ...] = team.online
        self.cards: dict[str, Card] = team.cards  # of the robots that are alive and have introduced themselves
        self.arm: str | None = team.arm
        self.carriers: list[str] = team.carriers
        self.explorers: list[str] = team.explorers

    @classmethod
    def of(cls, me: RobotView, missed: frozenset[str] = NOBODY) -> Reading:
        """The reading made last, as long as nothing has changed that one follows from: what is believed, and who is
        there."""
        belief = me.belief
        state = (len(belief.history), me.heartbeat, missed)
        kept: Any = belief.kept.get(cls)
        if kept is None or kept[0] != state or kept[1].me is not me:
            kept = belief.kept[cls] = (state, cls(me, missed))
        reading: Reading = kept[1]
        return reading

    def keep(self, what: str, state: object, make: Callable[[], T]) -> T:
        """A value that follows from the belief as far as `state` tells: made anew only when that is another one."""
        key = (what, self.name)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == state:
            return kept[1]  # type: ignore[return-value]
        made = make()
        self._kept[key] = (state, made)
        return made

    # -- the team -------------------------------------------------------------------------------------------------
    def sees_beside(self, other: str) -> bool:
        """Another robot stands where I stand, with an empty hand."""
        seen = self.belief.fact("holding", other)
        return seen is not None and seen.source == self.name and seen.time >= self.me.time and seen.value is None

    # -- places ---------------------------------------------------------------------------------------------------
    @lazy
    def furniture(self) -> tuple[str, ...]:
        """Everything that may hold things, but the work table, which the arm watches."""
        return self.places.furniture if self.arm is None else self.places.but_the_table

    @property
    def to_look_at(self) -> tuple[str, ...]:
        """Furniture by name, as prompts list it: without the work table, but where things are brought all over a house,
        as nobody watches it there."""
        return self.of_places("by name", tuple)

    def of_places(self, what: str, make: Callable[[list[str]], T]) -> T:
        """A value that follows from the map and these places alone, made once for all robots that have it."""
        every = self.places.furniture if self.brings else self.places.but_the_table
        found: T = self.places.worked_out((what, self.brings), None, lambda: make(sorted(every)))
        return found

    @lazy
    def unseen(self) -> list[str]:
        """Furniture that nobody I know of has looked at."""
        state = (self.arm is None, self.stamps.get("contents"))
        known = self.known
        return self.keep("unseen", state, lambda: [f for f in self.furniture if known["contents", f] is UNKNOWN])

    def hunch(self, furniture: str) -> float:
        """The weight of a place by finds of earlier episodes; 0 where there were none."""
        weight = self.known["hunch", furniture]
        return weight if isinstance(weight, float) else 0.0

    def stands(self, furniture: str) -> list[tuple[str, Point]]:
        """Stand poses that are not known to be closed to me, the present one first."""
        known = self._open_stands
        good = known.get(furniture)
        if good is None:
            every, value = self.places.stands.get(furniture, ()), self.known
            good = [s for s in every if value["stand_allowed", self.name, furniture, s[0]] is not False]
            known[furniture] = good
        return sorted(good, key=lambda s: s[0] != self.stand) if self.at == furniture else list(good)

    @lazy
    def _open_stands(self) -> dict[str, list[tuple[str, Point]]]:
        return self.keep("stands", self.stamps.get("stand_allowed"), dict)

    def barred(self, robot: str, furniture: str) -> bool:
        """Closed to a robot, as far as I know: the place itself, its room, or, to me, a room on every way there."""
        if "allowed" not in self.stamps:
            return False
        if self.known["allowed", robot, furniture] is False:
            return True
        rooms: Any = self.look("shut_rooms", robot)
        if not rooms:
            return False
        if self.places.room.get(furniture) in rooms:
            return True
        if robot != self.name:
            return False
        return all(isinstance(self.look("closed_room", robot, furniture, s), str) for s, _ in self.stands(furniture))

    def shut(self, furniture: str) -> bool:
        """A container that, as far as I know, is closed."""
        return furniture in self.places.openable and self.known["open", furniture] is not True

    def can_visit(self, robot: str, furniture: str) -> bool:
        known = self._visits
        found = known.get((robot, furniture))
        if found is None:
            card, height = self.cards[robot], self.places.height.get(furniture, 0.0)
            found = card.moves and height <= card.camera_high_m and not self.barred(robot, furniture)
            if robot != self.name or not self.look("shut_rooms", robot):  # else it depends on where I am
                known[robot, furniture] = found
        return found

    @lazy
    def _visits(self) -> dict[tuple[str, str], bool]:
        return self.keep("visits", (self.team, self.stamps.get("allowed")), dict)

    def can_search(self, robot: str, furniture: str) -> bool:
        return self.can_visit(robot, furniture) and (not self.shut(furniture) or "open" in self.cards[robot].skills)

    def looked_at(self, furniture: str) -> float | None:
        """When a robot I know of last looked there."""
        fact = self.belief.fact("contents", furniture)
        return None if fact is None or fact.value is UNKNOWN else fact.time

    def furniture_of(self, place: object) -> str | None:
        if not isinstance(place, str):
            return None
        known = self.places.part_of.get(place)
        if known is not None:
            return known
        if place.startswith("floor@"):
            return place[6:]
        holders = self.places.holders
        if place in holders:
            outer = self.outermost(place)
            return self.furniture_of(outer) if outer is not None and outer not in holders else None
        return None

    def outermost(self, place: str) -> str | None:
        """The place itself, or where the caddy is that it names, as far as I know."""
        holders = self.places.holders
        for _ in range(MOST_NESTED):
            if place not in holders:
                return place
            outer = self.known["where", place]
            if not isinstance(outer, str):
                return None
            place = outer
        return None

    # -- things ---------------------------------------------------------------------------------------------------
    def where(self, thing: str) -> str | None:
        """The believed place of a thing; None when unknown or last seen with a robot that is gone."""
        known, state = self._found, self.stamps.get("where")
        if state != self._found_at:
            known.clear()
            self._found_at = state
        if thing in known:
            return known[thing]
        place = self.known["where", thing]
        found = place if isinstance(place, str) else None
        if found is not None and found not in self.places.part_of and self.furniture_of(found) is None:
            found = found if self.outermost(found) in self.online else None
        known[thing] = found
        return found

    def spot(self, thing: str) -> Spot | None:
        spot = self.known["spot", thing]
        return spot if isinstance(spot, tuple) else None

    def contents(self, place: str) -> tuple[str, ...]:
        inside = self.known["contents", place]
        return inside if isinstance(inside, tuple) else ()

    @lazy
    def arm_pose(self) -> Point | None:
        pose = self.known["pose", self.arm] if self.arm else UNKNOWN
        return pose if isinstance(pose, tuple) else None

    def arm_reaches(self, spot: Spot) -> bool:
        if self.arm is None or self.arm_pose is None:
            return False
        card = self.cards[self.arm]
        return card.gap(self.arm_pose, spot) <= card.reach_m

    def for_arm_there(self, thing: str) -> bool:
        """True if the arm reaches a thing that lies at its table; where I do not know the spot, unless it said no."""
        spot = self.spot(thing)
        return self.arm_reaches(spot) if spot is not None else not self.beyond(self.arm, thing)

    def beyond(self, robot: str | None, thing: str) -> bool:
        """True if a robot said that it cannot take a thing, which has not been moved since as far as I know."""
        said = self.belief.fact(BEYOND, robot, thing) if BEYOND in self.stamps and robot is not None else None
        if said is None or said.value != self.where(thing):
            return False
        later = [f for f in self.belief.history if f.pred == "where" and f.args == (thing,) and f.time > said.time]
        return all(f.value == said.value for f in later)

    @lazy
    def brings(self) -> bool:
        """Things go to homes all over the house; the arm gets what belongs on a platform of its table alone."""
        return not self.goal.platforms

    def homes(self, thing: str) -> list[str]:
        """Where a thing can be put so that it is at home, as far as I know."""
        home = self.goal.home(thing)
        if home is None:
            return []
        rooms: Any = self.look("all_rooms")
        if home in rooms:
            every: Any = self.look("all_furniture")
            return [f for f in every if self.look("room", f) == home and not self.look("person", f)]
        return [home]

    def can_put(self, robot: str, thing: str) -> bool:
        """True if a robot could get a thing home: to one that it may visit, and that is open or that a robot opens."""
        opens = any("open" in c.skills for c in self.cards.values())
        for home in self.homes(thing):
            furniture = self.furniture_of(home)
            if furniture is None:
                continue
            if self.can_visit(robot, furniture) and (opens or not self.shut(furniture)):
                card, height = self.cards[robot], self.places.height.get(furniture, 0.0)
                if card.reach_low_m <= height <= card.reach_high_m:
                    return True
        return False

    def behind(self, furniture: str) -> str | None:
        """The closed door, as far as I know, between me and every side of a piece of furniture."""
        if not self.look("shut_doors"):
            return None
        found: list[Any] = [self.look("shut_door", self.name, furniture, s) for s, _ in self.stands(furniture)]
        return found[0] if found and all(isinstance(d, str) for d in found) else None

    @lazy
    def right(self) -> frozenset[str]:
        """Targets that are where they belong."""
        return self._right() if self.brings else self.keep("right", self._lie, self._right)

    @lazy
    def _lie(self) -> object:
        """Changes with the goal and with what is believed to be where, for goals whose things come to a table."""
        s = self.stamps
        where = (s.get("where"), s.get("contents"), s.get("spot"), s.get(BEYOND))
        return self.team, self.arm_pose, s.get("goal"), where

    def _right(self) -> frozenset[str]:
        if self.goal.kind == "stack":
            stack = self.contents(self.goal.on)
            return frozenset(stack[: self.goal.good_layers(stack)])
        if self.brings:
            return frozenset(self.goal.targets) - {w.thing for w in self.goal.missing(self.look)}
        on = {p: self.contents(p) for p in self.goal.platforms}
        return frozenset([t for t in self.goal.targets if t in on.get(self.goal.home(t), ())])

    @lazy
    def wrong(self) -> list[str]:
        """Things on the platforms that must come off, in the order of taking them off."""
        if self.goal.kind == "stack":
            stack = self.contents(self.goal.on)
            return list(reversed(stack[self.goal.good_layers(stack) :]))
        return [x for p in self.goal.platforms for x in self.contents(p) if self.goal.home(x) != p]

    def for_arm(self, thing: str) -> bool:
        """True if a thing belongs on a platform of the work table, where the arm puts it, among things that do not."""
        home = self.goal.home(thing) if self.brings and self.arm is not None else None
        return home is not None and home != self.table and self.places.part_of.get(home) == self.table

    def delivered(self, thing: str) -> bool:
        """On the work table (or a platform on it) within reach of the arm, as far as I know."""
        if self.brings and not self.for_arm(thing):
            return False
        place = self.where(thing)
        if place is None or place.startswith("floor@") or self.furniture_of(place) != self.table:
            return False
        return self.for_arm_there(thing)

    @lazy
    def missing(self) -> list[str]:
        """Targets nobody has brought to the arm yet, as far as I know."""
        return self._missing() if self.brings else self.keep("missing", self._lie, self._missing)

    def _missing(self) -> list[str]:
        rest = [t for t in self.goal.targets if t not in self.right]
        return [t for t in rest if not self.delivered(t)]

    @lazy
    def caddies(self) -> list[str]:
        """Things that hold things and have to be found, because something belongs into them."""
        holders = self.places.holders
        if not holders:
            return []
        homes = [h for t in self.missing if (h := self.goal.home(t)) in holders and h not in self.missing]
        return list(dict.fromkeys(homes))

    @lazy
    def sites(self) -> dict[str, str | None]:
        """Of each missing target, the furniture it is at, on or in, as far as I know."""
        return {t: self.furniture_of(self.where(t)) for t in self.missing}

    @lazy
    def jobs(self) -> dict[str, str | None]:
        """Of each missing target, who was asked to fetch it."""
        return {t: self.job_of(t) for t in self.missing}

    @lazy
    def lost(self) -> list[str]:
        """Missing targets, and what they belong into, whose place I do not know."""
        return [t for t in [*self.missing, *self.caddies] if self.where(t) is None]

    def in_view(self, thing: str) -> bool:
        place = self.where(thing)
        return (
            place is not None
            and self.at is not None
            and self.furniture_of(place) == self.at
            and not (place == self.at and self.shut(self.at))
        )

    # -- abilities ------------------------------------------------------------------------------------------------
    def reach_stand(self, thing: str) -> str | None:
        """A stand pose from which I reach a thing; any, when I do not know where exactly it lies."""
        furniture, spot = self.furniture_of(self.where(thing)), self.spot(thing)
        if furniture is None:
            return None
        for stand, pose in self.stands(furniture):
            if spot is None or self.card.gap(pose, spot) <= self.card.reach_m:
                return stand
        return None

    def can_take(self, robot: str, thing: str) -> bool:
        """True if a robot could fetch a thing from where I believe it to be."""
        known, length = self._able, len(self.belief.history)
        if length != self._able_at:
            known.clear()
            self._able_at = length
        able = known.get((robot, thing))
        if able is None:
            able = known[robot, thing] = self._can_take(robot, thing)
        return able

    def _can_take(self, robot: str, thing: str) -> bool:
        card, place = self.cards[robot], self.where(thing)
        furniture = self.furniture_of(place)
        if furniture is None or not (card.moves and card.manipulates) or not self.can_visit(robot, furniture):
            return False
        if not (self.can_put(robot, thing) if self.brings else self.hand_over_stands(robot)):
            return False
        mass = self.known["mass", thing]
        if isinstance(mass, float) and mass > card.payload_kg:
            return False
        if place == furniture and self.shut(furniture) and "open" not in card.skills:
            return False
        if robot != self.name and self.beyond(robot, thing):
            return False
        spot = self.spot(thing)
        if spot is None:
            return True
        if not card.reach_low_m <= spot[2] <= card.reach_high_m:
            return False
        if robot == self.name:
            return self.reach_stand(thing) is not None or "move" in card.skills
        near = min([card.gap(pose, spot) for _, pose in self.places.stands[furniture]])
        return near <= card.reach_m or "move" in card.skills

    def hand_over_stands(self, robot: str) -> list[str]:
        """Sides of the work table from which a robot can lay something within reach of the arm, nearest to it first."""
        known = self._hand_over
        if robot not in known:
            stands, table = self.places.stands.get(self.table, ()), self.table
            may = [s for s in stands if self.known["stand_allowed", robot, table, s[0]] is not False]
            here = self.stand if robot == self.name and self.at == table else None
            of = (self.cards[robot], self.cards.get(self.arm or ""))
            taken = frozenset([self.known["spot", t] for t in self.contents(table)])
            key = ("hand over", *map(id, of), self.arm_pose, taken, here, tuple(may))
            known[robot] = self.places.worked_out(key, of, lambda: self._sides(robot, may, here))
        return known[robot]

    def _sides(self, robot: str, stands: list[tuple[str, Point]], here: object) -> list[str]:
        """The good ones of some sides of the table, the present one first."""
        good = []
        for stand, pose in stands:
            spot: Any = self.look("lay_spot", robot, self.table, stand)
            if self.arm_pose is None or (isinstance(spot, tuple) and self.arm_reaches(spot)):
                good.append((stand != here, distance(pose, self.arm_pose or pose), stand))
        return [s for _, _, s in sorted(good)]

    @lazy
    def _hand_over(self) -> dict[str, list[str]]:
        """It depends on what lies on the table, on sides that are closed, and on where I stand."""
        here = self.stand if self.at == self.table else None
        lying = [(t, self.known["spot", t]) for t in self.contents(self.table)]
        state = (self.team, self.arm_pose, here, lying, self.stamps.get("stand_allowed"))
        return self.keep("hand over", state, dict)

    def job_of(self, thing: str) -> str | None:
        """The robot that was asked to fetch a thing, if it is still there."""
        robot = self.known["job", thing]
        return robot if isinstance(robot, str) and robot in self.online else None


def distance(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def shift_for(r: Reading, spot: Spot) -> tuple[float, float] | None:
    """The shortest free shift of the base that brings a point within reach."""
    options = []
    for ring in (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4):
        for k in range(16):
            dx = round(ring * math.cos(k * math.pi / 8), 2)
            dy = round(ring * math.sin(k * math.pi / 8), 2)
            if r.card.gap((r.pose[0] + dx, r.pose[1] + dy), spot) > r.card.reach_m:
                continue
            if r.look("move_free", r.name, dx, dy) is not False:
                options.append((ring, k, (dx, dy)))
        if options:
            return min(options)[2]
    return None


# -- one belief out of many -------------------------------------------------------------------------------------------
# One belief out of many, for protocols that see what all their robots know.
class Pool:
    """The common belief of a party, over a whole episode; the newest fact wins.

    Nothing here comes from anywhere but the beliefs of its robots. What a robot told the pool stays there when the
    robot is gone, as it would with any centre that hears all.
    """

    def __init__(self) -> None:
        self.belief = Belief()

    def gather(self, team: TeamView) -> dict[str, RobotView]:
        """Take in what the robots have come to believe; their views, all with the pooled belief.

        Whole beliefs are read, not only what is new in them: a thing seen again where it was is no news to its robot,
        but it overrules what another one thought in the meantime.
        """
        if team.lookup is None:
            raise CoterieError("This world has no lookup for a pooled belief.")
        common = next(iter(team.robots.values())).belief
        if self.belief.base is not common.base:  # the map, which all share
            old, self.belief = self.belief, Belief(common.base, common.listings)
            self.belief.tell_all(old.facts())
        for view in team.robots.values():
            self.belief.tell_all(view.belief.facts())
        look = team.lookup(self.belief)
        return {n: replace(v, belief=self.belief, look=look) for n, v in team.robots.items()}
