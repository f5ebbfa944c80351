"""The truth of a house: where robots, things and furniture are, and what only the world can tell of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.expr import Lookup
from coterie.core.facts import UNKNOWN
from coterie.core.seeds import rng_of
from coterie.houses.floor import Floor, floor_of
from coterie.houses.model import FLOOR, House, spots_on
from coterie.worlds.household import fluents
from coterie.worlds.household.fluents import AHEAD, Pose, box_of, stepped, whole
from coterie.worlds.household.perception import Camera, Eye, Lying, Perception, Scene, Spot, Standing, camera_of
from coterie.worlds.household.setting import Start, Steps
from coterie.worlds.household.tasks.draw import lies_in, right

Key = tuple[str, ...]
SOMETHING = "something"  # what is in the way and has no name for who bumps into it
_MISSING = object()
_OF_THINGS = frozenset({"where", "spot", "reported", "keep", "left"})
_FIRST = Lying("", (0.0, 0.0, 0.0))  # stands for where the house had a thing
CLOSE_M = 1.0  # around where a robot is to begin: there a place is looked for first
LAID_M = 0.3  # how far before a robot a dropped thing comes to rest


def room_name(index: int) -> str:
    """Rooms as robots know them; what kind of room it is, they have to see."""
    return f"room_{index + 1}"


class Truth:
    """Facts, keyed by predicate and name; geometry is asked of the house."""

    def __init__(self, house: House, steps: Steps, sight: Perception, seed: int):
        self.house, self.steps, self.sight, self.seed = house, steps, sight, seed
        self.floor: Floor = floor_of(house)
        self.cards: dict[str, Card] = {}
        self.now = 0.0
        self.facts: dict[Key, Any] = {}
        self.times: dict[Key, float] = {}  # since when each of them has been so
        self.moved: dict[str, Lying | None] = {}  # things that are not where the house had them
        self.standing: dict[str, Standing] = {}
        self.scene = Scene(house, self.moved, self.standing)
        self.news: dict[Key, None] = {}  # what has become true since it was last asked for
        self.look = fluents.over(self.get, steps)
        self.rooms = {room.name: room_name(i) for i, room in enumerate(house.rooms)}
        self._boxes = {p.name: box_of(p) for p in house.furniture}
        self._asks = self._told()
        self._cameras: dict[str, tuple[Card, Camera]] = {}
        self.touched: dict[str, int] = {}  # how often something has become true of each name
        self.course = [self.lies()] if house.wanted else []  # of all things, where a task asks for their order
        self.laid = 0  # how often a thing was taken, put somewhere, reported or meant to stay
        self._judged: dict[str, tuple[Lying | None, bool]] = {}  # things, where they lay, and whether that was right

    # -- facts ----------------------------------------------------------------------------------------------------
    def set(self, key: Key, value: Any) -> None:
        self.facts[key] = value
        self.times[key] = self.now
        self.news[key] = None
        self.touched[key[1]] = self.touched.get(key[1], 0) + 1
        if key[0] == "pose":
            card = self.cards[key[1]]
            self.standing[key[1]] = Standing(value[0], value[1], card.footprint_m, card.height_m)
        elif key[0] in _OF_THINGS:
            self.laid += 1
            if key[0] == "spot":
                self._lay(key[1], value)
            elif key[0] == "keep":
                self._judged.pop(key[1], None)

    def restand(self) -> None:
        """After going back in time: robots stand where they stood."""
        self.standing.clear()
        for name, card in self.cards.items():
            x, y, *_ = self.facts["pose", name]
            self.standing[name] = Standing(x, y, card.footprint_m, card.height_m)

    def _lay(self, thing: str, spot: Spot | None) -> None:
        where = self.facts["where", thing]
        self.moved[thing] = None if spot is None else Lying(where, spot)
        if self.course:
            self.course.append(self.lies())

    def get(self, pred: str, *args: Any) -> Any:
        try:
            value = self.facts.get((pred, *args), _MISSING)
        except TypeError:  # what cannot be looked up is no name
            return None
        if value is not _MISSING:
            return value
        ask = self._asks.get(pred)
        return None if ask is None else ask(*args)

    def quick(self, rest: Lookup) -> Lookup:
        """A lookup that answers at once what is a fact or what only the house can tell, and asks `rest` for all
        else. Every condition of every step goes through it."""
        facts, asks, missing = self.facts, self._asks, _MISSING

        def look(pred: str, *args: Any) -> object:
            try:
                value = facts.get((pred, *args), missing)
            except TypeError:  # what cannot be looked up is no name
                return rest(pred, *args)
            if value is not missing:
                return value
            ask = asks.get(pred)
            return rest(pred, *args) if ask is None else ask(*args)

        return look

    def _told(self) -> dict[str, Callable[..., Any]]:
        """How to find out what is no fact: what the house says of names and cards of robots, and what follows."""
        thing, piece, cards = self.house.thing, self.house.piece, self.cards

        def of(table: Mapping[str, Any], field: str) -> Callable[[str], Any]:
            return lambda name: getattr(table.get(name), field, None)

        def tilts(robot: str) -> tuple[float, float] | None:
            low, high = (of(cards, f"tilt_{end}_deg")(robot) for end in ("low", "high"))
            return None if low is None or high is None else (low, high)

        return {
            "where": of(thing, "on"), "spot": of(thing, "spot"), "mass": of(thing, "mass_kg"),
            "kind": of({**piece, **thing}, "kind"), "box": self._boxes.get,
            "place": lambda name: name == FLOOR or name in piece,
            "arm": lambda robot: robot in cards and cards[robot].manipulates,
            "payload": of(cards, "payload_kg"), "tilt_range": tilts,
            "in_way": self._in_way,
            "in_view": self._in_view, "free_spot": self._free_spot, "drop_spot": self._drop_spot, "tidy": self._tidy,
            "course": lambda: self.course,
        }  # fmt: skip

    # -- where one can be -----------------------------------------------------------------------------------------
    def _in_way(self, robot: str, way: str) -> str | None:
        """The obstacle of a step: another robot by its name, or something."""
        pose = self.facts.get(("pose", robot))
        if pose is None or way not in AHEAD:
            return SOMETHING
        card, to = self.cards[robot], stepped(pose, way, self.steps)
        parts = max(1, math.ceil(self.steps.move / max(card.footprint_m, 0.05)))  # nobody jumps over anything
        x0, y0, dx, dy = pose[0], pose[1], to[0] - pose[0], to[1] - pose[1]
        for i in range(1, parts + 1):
            x, y = x0 + dx * i / parts, y0 + dy * i / parts
            if not self.floor.is_free((x, y), card.footprint_m):
                return SOMETHING
            other = self.robot_at(robot, x, y, card.footprint_m)
            if other is not None:
                return other
        return None

    def robot_at(self, robot: str, x: float, y: float, radius_m: float) -> str | None:
        """Another robot that stands too near to a place, and would be nearer than it is now."""
        for name, (ox, oy, radius, _) in self.standing.items():
            if (
                abs(ox - x) < radius_m + radius
                and name != robot
                and math.hypot(ox - x, oy - y) < radius_m + radius - 1e-6
            ):
                me = self.standing.get(robot)
                if me is None or math.hypot(ox - x, oy - y) < math.hypot(ox - me.x, oy - me.y):
                    return name
        return None

    def start_pose(self, robot: str, card: Card, start: Start | None) -> Pose:
        """Where a robot begins: where it was told, on the grid of its steps, or nearby where something stands there;
        without being told, anywhere that can be reached."""
        radius, rng = card.footprint_m, rng_of(self.seed, "start", robot)
        others = [(o.x, o.y, radius + o.radius_m - 1e-6) for o in self.standing.values()]
        places = self.floor.steps(radius, self.steps.move)
        free: list[tuple[float, float]] = []
        if start is not None:  # one that is nearer than this is nearer than all others
            free = _apart(
                [n for n in places if abs(n[0] - start.x) <= CLOSE_M and abs(n[1] - start.y) <= CLOSE_M], others
            )
        if not any(math.dist(n, start[:2]) <= CLOSE_M for n in free if start is not None):
            free = _apart(places, others)
        if not free:
            raise CoterieError(f"There is no room for {robot} in the house '{self.house.name}'.")
        if start is None:
            x, y = rng.choice(free)
            heading = rng.randrange(round(360.0 / self.steps.turn)) * self.steps.turn
        else:
            x, y = min(free, key=lambda n: (math.dist(n, start[:2]), n))
            heading = round(start.heading_deg / self.steps.turn) * self.steps.turn % 360.0
        return (whole(round(x, 4)), whole(round(y, 4)), whole(heading), 0)

    # -- what is seen and what there is room for ------------------------------------------------------------------
    def eye(self, robot: str) -> Eye:
        return Eye(*self.facts["pose", robot])

    def camera(self, robot: str) -> Camera:
        """The camera of a robot; worked out once for each card."""
        card, kept = self.cards[robot], self._cameras.get(robot)
        if kept is None or kept[0] is not card:
            kept = self._cameras[robot] = card, camera_of(card)
        return kept[1]

    def _in_view(self, robot: str, what: str) -> bool:
        """True if a robot's camera shows a thing or a piece right now."""
        card = self.cards.get(robot)
        if card is None or not isinstance(what, str):
            return False
        seen = self.sight.look(self.scene, self.eye(robot), self.camera(robot), robot)
        return what in seen.pieces or any(t.name == what for t in seen.things)

    def _free_spot(self, robot: str, piece: str) -> Spot | None:
        """Where on a piece there is room for what a robot holds, nearest to the robot."""
        held, found = self.facts.get(("holding", robot)), self.house.piece.get(piece)
        if held is None or found is None:
            return None
        pose = self.facts["pose", robot]
        spots = [(math.hypot(x - pose[0], y - pose[1]), x, y) for x, y in self.room_on(held, piece)]
        if not spots:
            return None
        _, x, y = min(spots)
        return round(x, 3), round(y, 3), round(found.surface_m, 3)

    def room_on(self, thing: str, piece: str) -> list[tuple[float, float]]:
        """Where on a piece there is room for a thing, as everything lies now."""
        known = self.house.thing
        lying = [(known[t], lying.spot[:2]) for t, lying in self._lying() if lying.on == piece]
        return list(spots_on(self.house.piece[piece], known[thing], lying))

    def _drop_spot(self, robot: str) -> Spot | None:
        pose = self.facts.get(("pose", robot))
        if pose is None:
            return None
        angle = math.radians(pose[2])
        x, y = pose[0] + LAID_M * math.cos(angle), pose[1] + LAID_M * math.sin(angle)
        if self.floor.blocked[self.floor.cell((x, y))]:
            x, y = pose[0], pose[1]
        return round(x, 3), round(y, 3), 0.0

    def _lying(self) -> list[tuple[str, Lying]]:
        found = ((t.name, self.scene.lying(t.name)) for t in self.house.things)
        return [(name, lying) for name, lying in found if lying is not None]

    # -- what belongs where ---------------------------------------------------------------------------------------
    def _tidy(self, thing: str) -> bool:
        """True if a thing lies where it belongs, or where a resident wants it."""
        lying, judged = self.moved.get(thing, _FIRST), self._judged.get(thing)
        if judged is None or judged[0] is not lying:
            judged = self._judged[thing] = lying, self._belongs(thing, self.scene.lying(thing))
        return judged[1]

    def _belongs(self, thing: str, lying: Lying | None) -> bool:
        kept = self.facts.get(("keep", thing))
        if lying is None or kept is not None:
            return lying is not None and lying.spot == kept
        return right(self.house, self.house.thing[thing], lying.on, lies_in(self.house, lying.on, lying.spot))

    def lies(self) -> dict[str, tuple[str, Spot | None]]:
        """Of each thing the piece, the robot or the floor of a room (`floor@room_1`) where it is, and its spot."""
        found: dict[str, tuple[str, Spot | None]] = {}
        for thing in self.house.things:
            on, lying = self.get("where", thing.name), self.scene.lying(thing.name)
            room = self.rooms.get(self.floor.room_at(lying.spot[:2]), "") if lying and on == FLOOR else ""
            found[thing.name] = (f"{FLOOR}@{room}" if room else on, lying.spot if lying else None)
        return found


def _apart(
    places: Sequence[tuple[float, float]], others: Sequence[tuple[float, float, float]]
) -> list[tuple[float, float]]:
    """Places that are far enough from others, each told with how far that is."""
    return [n for n in places if all(math.hypot(x - n[0], y - n[1]) >= apart for x, y, apart in others)]


def hidden(get: Any) -> Any:
    """A belief does not know what only the world can tell."""
    return lambda pred, *args: UNKNOWN if pred in fluents.HIDDEN else get(pred, *args)


def plain_house(house: House, rooms: Mapping[str, str]) -> dict[str, Any]:
    """A house for readers of logs: rooms, walls, doors and furniture, in metres."""
    return {
        "name": house.name,
        "rooms": [{"name": rooms[r.name], "kind": r.kind, "polygon": r.polygon} for r in house.rooms],
        "walls": [[*w.a, *w.b] for w in house.walls],
        "doors": [[d.name, [rooms.get(r, "") for r in d.rooms], d.open, [*d.a, *d.b]] for d in house.doors],
        "furniture": [
            {"name": p.name, "kind": p.kind, "room": rooms.get(p.room, ""), "box": box_of(p), "opens": False}
            for p in house.furniture
        ],
    }
