"""Fluents that follow from others: geometry, sight and occupancy.

Each takes a lookup, so that the same definition serves the truth of the world and the belief of a robot; where an input
is unknown, the answer is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, cast

from coterie.core.card import Card
from coterie.core.facts import UNKNOWN, Belief
from coterie.houses.scene import Scene, dist, nearest_in, stand_names
from coterie.motion.grid import Planner, Point
from coterie.worlds.indoor.arms import FREE
from coterie.worlds.indoor.declared import DECLARED
from coterie.worlds.indoor.setting import Platform, Setting

#: Predicates of the map: complete common knowledge, so what is not listed is false.
MAP = frozenset({f.name for f in DECLARED.fluents["mapped"]} | {"person", "door", "all_rooms", "holder", "most_stands"})

#: Those of them that are no yes or no: of a name that is not on the map, nobody knows how high it is.
VALUED = frozenset({"stand_pose", "stands", "height", "rect", "room", "all_stands"})

POSE_TOLERANCE_M = 0.3
MOVE_LIMIT_M = 1.5
MANY_ROOMS = 5  # in larger houses the doors on a way are found by the rooms it leads through
BESIDE_M = 1.0  # from the edge of a piece of furniture; a robot that shifts further away is no longer at it


_CARDS: dict[str, Callable[[Card], Any]] = {
    "reach": lambda card: card.reach_m,
    "payload": lambda card: card.payload_kg,
    "fixed": lambda card: card.mobility == "fixed",
}


def _of_card(get: Callable[[Card], Any]) -> Callable[..., Any]:
    """A fluent that the card of a robot says."""

    def made(look: Look, robot: str) -> Any:
        card = look.get(("card", robot))
        return get(card) if isinstance(card, Card) else UNKNOWN

    return made


def _of_map(look: Look, *args: Any) -> object:
    """Stands in the table for what the map says."""
    raise AssertionError("looked up, not called")


class Look(Protocol):
    """A lookup, and the store of facts below it: what is stored and not computed is asked for there, in one call."""

    get: Callable[[tuple[str, ...]], Any]

    def __call__(self, pred: str, *args: Any) -> object: ...


def laid(platform: Platform, lying: int) -> tuple[float, float, float]:
    """Where the next thing on a platform comes to lie on which there are some."""
    stacked = platform.kind == "board"
    lift = 0.03 * lying if stacked else 0.0
    shift = 0.0 if stacked or platform.capacity == 1 else 0.05 * (lying - platform.capacity / 2 + 0.5)
    return round(platform.centre[0] + shift, 3), platform.centre[1], round(platform.height_m + lift, 3)


def fluents_of(setting: Setting) -> Fluents:
    """The computed fluents of a scene with these platforms, made once and kept with the scene."""
    key = (setting.platforms, setting.holders)
    made = setting.scene.fluents.get(key)
    if made is None:
        made = setting.scene.fluents[key] = Fluents(setting)
    return made


class Fluents:
    """The computed fluents of one setting. `self.table[pred](look, *args)` gives a value or UNKNOWN."""

    def __init__(self, setting: Setting):
        self.scene: Scene = setting.scene
        self.platforms = {p.name: p for p in setting.platforms}
        self.holders = dict(setting.holders)
        self.blocked_spots = self._spots_under_platforms()
        self.map = self._make_map()
        self._in_doors: dict[int, str] = {}
        self._spots: dict[tuple[tuple[float, ...], Point, str], list[tuple[float, float, float]]] = {}
        self.table: dict[str, Callable[..., Any]] = dict.fromkeys(MAP, _of_map)
        self.table |= {name: _of_card(get) for name, get in _CARDS.items()}
        computed = (f.name for f in DECLARED.fluents["computed"])
        own = (name for name in computed if name != "liftable" and name not in _CARDS)  # that is of plans alone
        self.table |= {name: getattr(self, name) for name in own}

    def _make_map(self) -> dict[tuple[str, ...], object]:
        m: dict[tuple[str, ...], object] = {("house",): self.scene.name}
        m["furniture_kinds",] = tuple((f.name, f.kind) for f in self.scene.places)
        for f in self.scene.places:
            m["furniture", f.name] = m["fixture", f.name] = m["platform", f.name] = m["destination", f.name] = True
            m["part_of", f.name] = f.name
            m["stands", f.name] = ", ".join(stand_names(f))
            m["height", f.name], m["rect", f.name], m["room", f.name] = f.surface_m, f.rect, f.room
            m["all_stands", f.name] = stand_names(f)
            if f.opens:
                m["openable", f.name] = True
            if f.person:
                m["person", f.name] = True
        m["all_furniture",] = tuple(f.name for f in self.scene.places)
        m["most_stands",] = max((len(stand_names(f)) for f in self.scene.places), default=0)
        m["all_rooms",] = tuple(r.name for r in self.scene.rooms)
        m["platforms",] = tuple(self.platforms)
        m["work_table",] = self.scene.work_table
        for (name, stand), p in self.scene.stand_poses.items():
            m["has_stand", name, stand] = True
            m["stand_pose", name, stand] = p
        for d in self.scene.doors:
            m["fixture", d.name] = True
            if d.swings:
                m["door", d.name] = True
                m["all_stands", d.name] = ("stand_pose_0", "stand_pose_1")
                m["openable", d.name] = m["destination", d.name] = True
                m["stands", d.name] = "stand_pose_0, stand_pose_1"
        for platform in self.platforms.values():
            m["platform", platform.name] = True
            m["part_of", platform.name] = platform.on
        for holder in self.holders:  # that there is a caddy is known, but not where
            m["platform", holder] = m["holder", holder] = True
        return m

    def _spots_under_platforms(self) -> frozenset[tuple[float, float, float]]:
        return frozenset(
            s
            for p in self.platforms.values()
            for s in self.scene.piece[p.on].spots
            if dist((s[0], s[1]), p.centre) < (0.2 if p.kind != "panel" else 0.1)
        )

    def over(
        self, get: Callable[[tuple[str, ...]], object], more: Mapping[str, Callable[..., Any]] | None = None
    ) -> Look:
        """A lookup over a store of facts, computed fluents included, and `more` of them, which take nothing from the
        store that is asked for by `get`."""
        how, static = {**self.table, **(more or {})}.get, self.map.get

        def look(pred: str, *args: Any) -> object:
            fn = how(pred)
            if fn is None:
                return get((pred, *args))
            if fn is _of_map:
                return static((pred, *args), False)
            return fn(look, *args)

        look.get = get  # type: ignore[attr-defined]
        return cast(Look, look)

    def of_belief(self, belief: Belief) -> Look:
        """A lookup over a belief. Which doors it takes to be shut, and which rooms closed to whom, is worked out once
        for as long as nothing is new about that."""
        stamps = belief.stamps
        known: tuple[int, frozenset[str]] = (-1, frozenset())
        rooms: dict[str, frozenset[str]] = {}
        zones = -1

        def shut_rooms(look: Look, robot: str) -> frozenset[str]:
            nonlocal zones
            if zones != stamps.get("allowed", 0):
                rooms.clear()
                zones = stamps.get("allowed", 0)
            if robot not in rooms:
                rooms[robot] = self._believed_barred(belief, robot)
            return rooms[robot]

        def shut_doors(look: Look) -> frozenset[str]:
            nonlocal known
            if known[0] != stamps.get("open", 0):
                known = (stamps.get("open", 0), self._believed_shut(belief))
            return known[1]

        known_map = self.map.get
        told = {pred: (lambda look, *args, p=pred: known_map((p, *args), UNKNOWN)) for pred in VALUED}
        return self.over(belief.values(), {"shut_rooms": shut_rooms, "shut_doors": shut_doors, **told})

    def _believed_shut(self, belief: Belief) -> frozenset[str]:
        """Those that were seen, failed at or told to be closed: the map has doors, but not how they stand."""
        return frozenset(d.name for d in self.scene.doors if d.swings and belief.value("open", d.name) is False)

    def _believed_barred(self, belief: Belief, robot: str) -> frozenset[str]:
        """Rooms that a robot is known not to be let into."""
        barred = (f.args[1] for f in belief.facts("allowed") if f.value is False and f.args[0] == robot)
        return frozenset(room for room in barred if room in self.scene.room)

    # -- the body -------------------------------------------------------------------------------------------------
    def flat(self, look: Look, robot: str) -> Any:
        card = look.get(("card", robot))
        if not isinstance(card, Card):
            return UNKNOWN
        if card.battery_steps is None:
            return False
        used = look.get(("used", robot))
        return UNKNOWN if used is UNKNOWN else used >= card.battery_steps

    # -- going somewhere ------------------------------------------------------------------------------------------
    def level_ok(self, look: Look, robot: str, furniture: str) -> Any:
        card, f = look.get(("card", robot)), self.scene.piece.get(furniture)
        if f is None:
            return furniture in self.scene.door or UNKNOWN
        return f.surface_m <= card.camera_high_m if isinstance(card, Card) else UNKNOWN

    def closed_doors(self, look: Look) -> frozenset[str]:
        shut: frozenset[str] = look("shut_doors")  # type: ignore[assignment]
        return shut

    def closed_rooms(self, look: Look, robot: str) -> frozenset[str]:
        """Rooms that are closed to a robot."""
        shut: frozenset[str] = look("shut_rooms", robot)  # type: ignore[assignment]
        return shut

    def nav(self, look: Look, robot: str, card: Card) -> Planner:
        """Ways of a robot, with doors and zones as they are."""
        return self.scene.nav(card, self.closed_doors(look), self.closed_rooms(look, robot))

    def _trip(self, look: Look, robot: str, furniture: str, stand: str) -> tuple[Card, Any, Any] | None:
        """The card of a robot, its pose and its goal; None where any of that is not known."""
        card, pose = look.get(("card", robot)), look.get(("pose", robot))
        goal = self.scene.stand_poses.get((furniture, stand))
        return (card, pose, goal) if isinstance(card, Card) and pose is not UNKNOWN and goal is not None else None

    def closed_room(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        """The room closed to a robot that a stand pose is in, or that is on every way there; None: none is."""
        rooms = self.closed_rooms(look, robot)
        if not rooms:
            return None
        trip = self._trip(look, robot, furniture, stand)
        if trip is None:
            return UNKNOWN
        card, pose, goal = trip
        shut = self.closed_doors(look)
        if self.scene.nav(card, shut, rooms).linked(pose, goal):
            return None
        planner = self.scene.nav(card, shut)
        found = planner.path(pose, goal)
        for cell in found[1] if found is not None else ():
            room = self.scene.room_at(planner.grid.centre(cell))
            if room in rooms:
                return room
        return None

    def start_free(self, look: Look, robot: str) -> Any:
        card, pose = look.get(("card", robot)), look.get(("pose", robot))
        if not isinstance(card, Card) or pose is UNKNOWN:
            return UNKNOWN
        return self.nav(look, robot, card).free(pose)

    def goal_free(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        card = look.get(("card", robot))
        goal = self.scene.stand_poses.get((furniture, stand))
        if not isinstance(card, Card) or goal is None:
            return UNKNOWN
        return self.scene.nav(card, self.closed_doors(look)).free(goal)

    def path(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        trip = self._trip(look, robot, furniture, stand)
        if trip is None:
            return UNKNOWN
        card, pose, goal = trip
        return self.nav(look, robot, card).linked(pose, goal)

    def shut_door(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        """The first closed door on the way to a stand pose, where no way leads round it; None where none matters."""
        shut = self.closed_doors(look)
        if not shut:
            return None
        trip = self._trip(look, robot, furniture, stand)
        if trip is None:
            return UNKNOWN
        card, pose, goal = trip
        return self.barrier(card, pose, goal, shut)

    def barrier(self, card: Card, start: Point, goal: Point, shut: frozenset[str]) -> str | None:
        """The first of the closed doors on the shortest way that there would be if all stood open."""
        if not shut or self.scene.nav(card, shut).linked(start, goal):
            return None
        if len(self.scene.rooms) > MANY_ROOMS:
            return next((name for name in self.scene.doors_between(start, goal) if name in shut), None)
        planner = self.scene.nav(card)
        found = planner.path(start, goal)
        if found is None:
            return None
        holes = self._holes(planner)
        return next((name for cell in found[1] if (name := holes.get(cell)) in shut), None)

    def _holes(self, planner: Planner) -> dict[int, str]:
        """Cells in the holes of doors; all grids of a scene have the same cells."""
        if not self._in_doors:
            grid = planner.grid
            for door in sorted(
                self.scene.doors, key=lambda d: d.name, reverse=True
            ):  # the first name has the last word
                rows, columns = grid.span(*door.rect)
                for y in rows:
                    self._in_doors.update({y * grid.nx + x: door.name for x in columns})
        return self._in_doors

    def occupant(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        goal = self.scene.stand_poses.get((furniture, stand))
        if goal is None:
            return UNKNOWN
        return self.standing_at(look, robot, goal)

    def standing_at(self, look: Look, robot: str, p: Point) -> Any:
        """Another robot of the same layer (floor or air) whose body would touch this one's at a point."""
        bodies: Any = look("bodies")
        if bodies is UNKNOWN:
            return UNKNOWN
        card: Any = look.get(("card", robot))
        for other, theirs in bodies:
            if theirs.mobility == card.mobility and other != robot and theirs.moves:
                pose: Any = look.get(("pose", other))
                if dist(pose, p) < card.footprint_m + theirs.footprint_m - 1e-9:
                    return other
        return None

    def short_move(self, look: Look, dx: Any, dy: Any) -> Any:
        good = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (dx, dy))
        return good and all(-MOVE_LIMIT_M <= v <= MOVE_LIMIT_M for v in (dx, dy)) and math.hypot(dx, dy) <= MOVE_LIMIT_M

    def moved(self, look: Look, robot: str, dx: float, dy: float) -> Any:
        pose = look.get(("pose", robot))
        return UNKNOWN if pose is UNKNOWN else (pose[0] + dx, pose[1] + dy)

    def move_free(self, look: Look, robot: str, dx: float, dy: float) -> Any:
        card, pose, goal = look.get(("card", robot)), look.get(("pose", robot)), self.moved(look, robot, dx, dy)
        if not isinstance(card, Card) or goal is UNKNOWN:
            return UNKNOWN
        planner = self.nav(look, robot, card)
        if not planner.grid.straight(pose, goal):
            return False
        other = self.standing_at(look, robot, goal)
        return UNKNOWN if other is UNKNOWN else other is None

    def still_at(self, look: Look, robot: str, dx: float, dy: float) -> Any:
        """The place a robot is at after a small move: as before, unless that leads away from it or out of its room."""
        at, goal = look.get(("at", robot)), self.moved(look, robot, dx, dy)
        if at is UNKNOWN or goal is UNKNOWN:
            return UNKNOWN
        f = self.scene.piece.get(at) if isinstance(at, str) else None
        door = self.scene.door.get(at) if isinstance(at, str) else None
        if f is not None:
            here = self.scene.room_at(goal) == f.room and dist(nearest_in(f.rect, goal), goal) <= BESIDE_M
        else:
            here = door is not None and dist(nearest_in(door.rect, goal), goal) <= BESIDE_M
        return at if here else None

    def in_doorway(self, look: Look, container: str) -> Any:
        door = self.scene.door.get(container)
        if door is None:
            return False
        names = look("robots")
        if names is UNKNOWN:
            return UNKNOWN
        x0, y0, x1, y1 = door.rect
        for name in names:  # type: ignore[attr-defined]
            x, y = cast(Point, look.get(("pose", name)))
            if x0 - 0.3 <= x <= x1 + 0.3 and y0 - 0.3 <= y <= y1 + 0.3:
                return True
        return False

    # -- seeing and handling --------------------------------------------------------------------------------------
    def furniture_of(self, place: object) -> str | None:
        """The piece of furniture that a place belongs to: itself, a platform's table, or the floor beside it."""
        if not isinstance(place, str):
            return None
        if place.startswith("floor@"):
            return place[6:]
        if place in self.scene.piece:
            return place
        platform = self.platforms.get(place)
        return platform.on if platform is not None else None

    def base_of(self, look: Look, place: object) -> str | None:
        """The piece of furniture that a place stands at, whatever it stands in or on; None where nobody knows."""
        return self.furniture_of(self.outermost(look, place))

    def outermost(self, look: Look, place: object) -> object:
        """The place itself, or where the caddy stands (or whose hand it is in) that it names."""
        for _ in range(len(self.holders) + 1):
            if place not in self.holders:
                break
            place = look.get(("where", place))
        return place

    def reach_gap(self, look: Look, card: Card, pose: Point, place: str) -> float:
        """From the shoulder, with the base at `pose`, to a place [m]."""
        if place in self.holders:
            spot: Any = look.get(("spot", place))
            here = isinstance(spot, tuple) and self.base_of(look, place) is not None
            return card.gap(pose, spot) if here else math.inf
        return self.distance_to(card, pose, place)

    def in_view(self, look: Look, robot: str, thing: str) -> Any:
        place = self.outermost(look, look.get(("where", thing)))
        if place is UNKNOWN:
            return UNKNOWN
        furniture = self.furniture_of(place)
        if furniture is None:
            return False
        at = look.get(("at", robot))
        if at is UNKNOWN:
            return UNKNOWN
        if at != furniture:
            return False
        f = self.scene.piece[furniture]
        if f.opens and place == furniture:
            return look.get(("open", furniture))
        return True

    def gap(self, look: Look, robot: str, thing: str) -> Any:
        """From the shoulder of the arm to a thing [m]."""
        card, pose, spot = look.get(("card", robot)), look.get(("pose", robot)), look.get(("spot", thing))
        if not isinstance(card, Card) or pose is UNKNOWN or spot is UNKNOWN or spot is None:
            return UNKNOWN
        return card.gap(pose, spot)

    def offset(self, look: Look, robot: str, thing: str) -> Any:
        """For bodies that can shift their base: where the thing lies from it, in words."""
        card, pose, spot = look.get(("card", robot)), look.get(("pose", robot)), look.get(("spot", thing))
        if not isinstance(card, Card) or "move" not in card.skills or pose is UNKNOWN or spot is UNKNOWN:
            return ""
        dx, dy = spot[0] - pose[0], spot[1] - pose[1]
        return f"; from the base to {thing} dx = {dx:+.2f} m, dy = {dy:+.2f} m"

    def height_ok(self, look: Look, robot: str, thing: str) -> Any:
        card, spot = look.get(("card", robot)), look.get(("spot", thing))
        if not isinstance(card, Card) or spot is UNKNOWN or spot is None:
            return UNKNOWN
        return card.reach_low_m <= spot[2] <= card.reach_high_m

    def arm_finds(self, look: Look, robot: str, thing: str) -> Any:
        """The result of planning an arm's path to a thing. Only worlds with planned arms know it; a belief hopes."""
        found = look.get(("arm_found", robot, thing))
        return FREE if found is UNKNOWN else found

    def arm_finds_to(self, look: Look, robot: str, thing: str, place: str) -> Any:
        """The same with a thing in the hand, on its way to a place."""
        found = look.get(("arm_found", robot, thing, place))
        return FREE if found is UNKNOWN else found

    def arm_touches(self, look: Look, robot: str, *target: str) -> Any:
        """The obstacle of the arm's posture, in words."""
        found = look.get(("arm_touched", robot, *target))
        return "something" if found is UNKNOWN else found

    def gap_to(self, look: Look, robot: str, place: str) -> Any:
        """From the shoulder to the nearest point of a platform, a piece of furniture or a door [m]."""
        card, pose = look.get(("card", robot)), look.get(("pose", robot))
        if not isinstance(card, Card) or pose is UNKNOWN:
            return UNKNOWN
        return self.reach_gap(look, card, pose, place)

    def distance_to(self, card: Card, pose: Point, place: str) -> float:
        platform = self.platforms.get(place)
        if platform is not None:
            return card.gap(pose, (*platform.centre, platform.height_m))
        f = self.scene.piece.get(place)
        if f is not None:
            return card.gap(pose, (*nearest_in(f.rect, pose), f.surface_m))
        door = self.scene.door.get(place)
        if door is not None:
            return dist(pose, nearest_in(door.rect, pose))
        return math.inf

    def cover(self, look: Look, thing: str) -> Any:
        """The thing on top of another in a stack, or None."""
        place = look.get(("where", thing))
        if place is UNKNOWN:
            return UNKNOWN
        platform = self.platforms.get(place) if isinstance(place, str) else None
        if platform is None or platform.kind != "board":
            return None
        stack = look.get(("contents", place))
        if stack is UNKNOWN:
            return UNKNOWN
        i = stack.index(thing) if thing in stack else -1
        return stack[i + 1] if 0 <= i < len(stack) - 1 else None

    def free_spot(self, look: Look, card: Card, pose: Point, place: str) -> tuple[float, float, float] | None:
        """Where a thing put down at `place` comes to lie: as near as possible to the arm at work, within reach."""
        return next(self.free_spots(look, card, pose, place), None)

    def free_spots(self, look: Look, card: Card, pose: Point, place: str) -> Iterator[tuple[float, float, float]]:
        """Where a thing put down at `place` could come to lie, the best spot first."""
        platform = self.platforms.get(place)
        contents = look.get(("contents", place))
        lying: Any = () if contents is UNKNOWN or contents is None else contents
        if platform is not None:
            if len(lying) < platform.capacity:
                yield laid(platform, len(lying))
        elif place in self.holders:
            spot: Any = look.get(("spot", place))
            if isinstance(spot, tuple) and len(lying) < self.holders[place]:
                yield spot
        elif place in self.scene.piece:
            taken = {look.get(("spot", t)) for t in lying}
            yield from (s for s in self._candidates(card, pose, place) if s not in taken)

    def _candidates(self, card: Card, pose: Point, place: str) -> list[tuple[float, float, float]]:
        """Spots of a surface within reach from a pose, the best first."""
        arm = (card.shoulder_m, card.reach_m, card.reach_low_m, card.reach_high_m)
        key = (arm, pose, place)
        found = self._spots.get(key)
        if found is None:
            work = self.scene.work
            at_work = work is not None and place == work.table
            anchor = work.arm if work is not None and at_work else pose
            ranked = []
            for spot in self.scene.piece[place].spots:
                if spot in self.blocked_spots or card.gap(pose, spot) > card.reach_m:
                    continue
                if not card.reach_low_m <= spot[2] <= card.reach_high_m:
                    continue
                d = round(dist(anchor, (spot[0], spot[1])), 6)
                if not (at_work and d < 0.2):  # the arm's own foot
                    ranked.append((d, spot))
            if len(self._spots) > 5000:
                self._spots.clear()
            found = self._spots[key] = [s for _, s in sorted(ranked)]
        return found

    def room_on(self, look: Look, robot: str, place: str) -> Any:
        card, pose = look.get(("card", robot)), look.get(("pose", robot))
        if not isinstance(card, Card) or pose is UNKNOWN:
            return UNKNOWN
        if look.get(("contents", place)) is UNKNOWN:
            return UNKNOWN
        return self.free_spot(look, card, pose, place) is not None

    def lay_spot(self, look: Look, robot: str, furniture: str, stand: str) -> Any:
        """Where a thing would come to lie if the robot put it down from a stand pose; None if it could not."""
        card, pose = look.get(("card", robot)), self.scene.stand_poses.get((furniture, stand))
        if not isinstance(card, Card) or pose is None:
            return UNKNOWN
        return self.free_spot(look, card, pose, furniture)

    def put_words(self, look: Look, robot: str, thing: str, place: str) -> Any:
        """Words for a thing that was put somewhere."""
        if look("person", place):
            return f"{robot} gave {thing} to {place}."
        if place in self.holders:
            return f"{robot} placed {thing} into {place}."
        return f"{robot} placed {thing} on {place}."

    def sight(self, look: Look, place: str) -> Any:
        """Words for what is seen at a place."""
        f = self.scene.piece.get(place)
        if f is None:
            return ""
        if f.opens and look("open", place) is False:
            return f"{place} is closed."
        things: Any = look("contents", place)
        where = "in" if f.opens else "with" if f.person else "on"
        listed = ", ".join(things) if things else "nothing"
        floor: Any = look("contents", f"floor@{place}")
        below = f" On the floor beside it: {', '.join(floor)}." if floor else ""
        within = self._within(look, (*(things or ()), *(floor or ())))
        return f"Found {where} {place}: {listed}.{below}{within}"

    def _within(self, look: Look, things: tuple[str, ...]) -> str:
        """Words for what lies in the caddies among things."""
        words = ""
        for holder in (t for t in things if t in self.holders):
            inside: Any = look("contents", holder)
            words += f" In {holder}: {', '.join(inside) if inside else 'nothing'}."
            words += self._within(look, tuple(inside or ()))
        return words
