"""Scenes from files that people write, checked so that every complaint names the place and the fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.core.reader import Reader, load_toml
from coterie.motion.grid import Point
from coterie.worlds.indoor.scenes.scene import (
    STAND_GAP_M,
    STAND_RADIUS_M,
    Door,
    Furniture,
    Rect,
    Room,
    Scene,
    Work,
    dist,
)

#: Stand poses are checked for this body: the widest ground footprint they are meant for.
WALKER = Card("walker", "walker", "ground", (), "", footprint_m=STAND_RADIUS_M, height_m=1.2)


def load_scene(path: Path) -> Scene:
    r = Reader(load_toml(path, "scene"), str(path))
    name = r.text("name", default=path.stem)
    rooms = tuple(_room(t) for t in r.tables("room"))
    if not rooms:
        raise r.fail("a scene needs at least one [[room]].")
    doors = tuple(_door(t, [x.name for x in rooms]) for t in r.tables("door"))
    furniture = tuple(_furniture(t, rooms) for t in r.tables("furniture"))
    work = r.table("work")
    w = Work(
        work.text("table", required=True),
        work.numbers("arm", 2, required=True),
        work.numbers("platform", 2, required=True),
    )
    work.done()
    split = r.text("split", "test", choices=("train", "dev", "test"))
    tray = r.text("tray", "tray")
    r.done()
    try:
        return finish(Scene(name, rooms, doors, furniture, w, split, tray))
    except CoterieError as err:
        raise CoterieError(f"{path}: {err}") from None


def _rect(t: Reader) -> Rect:
    x0, y0, x1, y1 = t.numbers("rect", 4, required=True)
    if x1 - x0 < 0.05 or y1 - y0 < 0.05:
        raise t.fail(f"`rect` is [{x0}, {y0}, {x1}, {y1}]; it must be [left, bottom, right, top] in metres.")
    return (x0, y0, x1, y1)


def _room(t: Reader) -> Room:
    room = Room(t.text("name", required=True), t.text("kind", "room"), _rect(t))
    t.done()
    return room


def _door(t: Reader, rooms: list[str]) -> Door:
    between = t.texts("between", required=True)
    if len(between) != 2:
        raise t.fail('`between` must name two rooms, like ["kitchen", "hall"].')
    for room in between:
        if room not in rooms:
            raise t.fail(f"`between` names the room '{room}', which does not exist. There are: {', '.join(rooms)}.")
    at = t.numbers("at", 2, required=True)
    width = t.number("width_m", 0.9, low=0.6, high=4.0)
    door = Door(
        t.text("name", required=True), (between[0], between[1]), at, width, t.flag("open", True), t.flag("swings", True)
    )
    t.done()
    return door


def _furniture(t: Reader, rooms: Iterable[Room]) -> Furniture:
    name, rect = t.text("name", required=True), _rect(t)
    centre = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
    inside = [r for r in rooms if r.rect[0] <= centre[0] <= r.rect[2] and r.rect[1] <= centre[1] <= r.rect[3]]
    if not inside:
        raise t.fail(f"its centre {centre} lies in no room; move `rect` into one.")
    height = t.number("height_m", 0.75, low=0.05, high=2.5)
    stands = t.raw("stands", [])
    if not isinstance(stands, list) or not all(_is_point(s) for s in stands):
        raise t.fail("`stands` must be a list of [x, y] pairs; leave it out to have them computed.")
    f = Furniture(
        name,
        t.text("kind", name.rstrip("0123456789_")),
        inside[0].name,
        rect,
        height,
        t.number("base_m", 0.0, low=0.0, high=2.5),
        t.flag("opens"),
        t.flag("open"),
        t.number("top_m", None, low=0.05, high=3.0),
        tuple((float(x), float(y)) for x, y in stands),
    )
    t.done()
    return f


def _is_point(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1000 for v in value)


def finish(scene: Scene) -> Scene:
    """Compute the stand poses that were left out, then check everything."""
    names = [f.name for f in scene.furniture] + [d.name for d in scene.doors] + [r.name for r in scene.rooms]
    for n in names:
        if names.count(n) > 1:
            raise CoterieError(f"the name '{n}' is used twice; every room, door and piece of furniture needs its own.")
        if not n.isidentifier():
            raise CoterieError(f"the name '{n}' must consist of letters, digits and _, and start with a letter.")
    _check_walls(scene)
    _check_overlap(scene)
    if len(scene.furniture) < 2:
        raise CoterieError("a scene needs furniture besides the work table; add a [[furniture]].")
    _check_work(scene)
    table = _with_stands(scene, scene.by_name[scene.work.table], lambda p: True)
    planner = scene.nav(WALKER)

    def connected(p: Point) -> bool:
        return planner.linked(table.stands[0], p)

    placed = replace(scene, furniture=tuple(_with_stands(scene, f, connected) for f in scene.furniture), _nav={})
    _check_reachable(placed)
    return placed


def _check_walls(scene: Scene) -> None:
    rooms = {r.name: r for r in scene.rooms}
    for i, a in enumerate(scene.rooms):
        for b in scene.rooms[i + 1 :]:
            if _overlap(a.rect, b.rect, 0.02):
                raise CoterieError(f"the rooms '{a.name}' and '{b.name}' overlap; make their `rect`s meet at a wall.")
    for door in scene.doors:
        on_both = all(_on_edge(rooms[n].rect, door.at) for n in door.rooms)
        if not on_both:
            raise CoterieError(
                f"door '{door.name}' at {list(door.at)} does not lie in the wall between '{door.rooms[0]}' and "
                f"'{door.rooms[1]}'; put `at` on the line where their `rect`s meet."
            )
    for f in scene.furniture:
        r = rooms[f.room].rect
        if f.rect[0] < r[0] - 1e-6 or f.rect[1] < r[1] - 1e-6 or f.rect[2] > r[2] + 1e-6 or f.rect[3] > r[3] + 1e-6:
            raise CoterieError(
                f"furniture '{f.name}' reaches through the wall of '{f.room}': its `rect` {list(f.rect)} must lie "
                f"within {list(r)}."
            )
        if f.base_m >= f.height_m:
            raise CoterieError(f"furniture '{f.name}': `base_m` {f.base_m} must be below `height_m` {f.height_m}.")


def _on_edge(rect: Rect, p: Point) -> bool:
    x0, y0, x1, y1 = rect
    inside = x0 - 0.02 <= p[0] <= x1 + 0.02 and y0 - 0.02 <= p[1] <= y1 + 0.02
    return inside and min(abs(p[0] - x0), abs(p[0] - x1), abs(p[1] - y0), abs(p[1] - y1)) <= 0.02


def _check_overlap(scene: Scene) -> None:
    for i, a in enumerate(scene.furniture):
        for b in scene.furniture[i + 1 :]:
            same_height = a.base_m < b.body_top_m and b.base_m < a.body_top_m
            if same_height and _overlap(a.rect, b.rect, 0.005):
                raise CoterieError(
                    f"furniture '{a.name}' and '{b.name}' overlap; move one so that their `rect`s do not meet."
                )


def _overlap(a: Rect, b: Rect, slack: float) -> bool:
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def _with_stands(scene: Scene, f: Furniture, connected: Callable[[Point], bool]) -> Furniture:
    if f.stands:
        return f
    grid = scene.nav(WALKER).grid
    room = next(r.rect for r in scene.rooms if r.name == f.room)
    x0, y0, x1, y1 = f.rect
    gap = STAND_GAP_M

    def along(low: float, high: float) -> list[float]:
        length = high - low
        if length > 1.2:
            return [low + length * q for q in (0.25, 0.75)]
        return [(low + high) / 2]

    sides: list[Point] = []
    for x in along(x0, x1):
        sides += [(x, y0 - gap), (x, y1 + gap)]
    for y in along(y0, y1):
        sides += [(x0 - gap, y), (x1 + gap, y)]
    if f.base_m > WALKER.height_m:
        sides += [(x, y) for x in along(x0, x1) for y in along(y0, y1)]  # below a hanging shelf
    stands = [
        (round(p[0], 3), round(p[1], 3))
        for p in sides
        if room[0] < p[0] < room[2] and room[1] < p[1] < room[3] and grid.free(p) and connected(p)
    ]
    if not stands:
        raise CoterieError(
            f"furniture '{f.name}' has no free side to stand at that robots can get to: leave "
            f"{gap + STAND_RADIUS_M + 0.1:.2f} m beside it, or give `stands = [[x, y]]`."
        )
    return replace(f, stands=tuple(stands[:4]))


def _check_work(scene: Scene) -> None:
    work = scene.work
    if work.table not in scene.by_name:
        raise CoterieError(f"`work.table` names '{work.table}', which is not among the furniture.")
    if scene.by_name[work.table].opens:
        raise CoterieError(f"the work table '{work.table}' cannot be a container; leave `opens` out.")
    rect = scene.by_name[work.table].rect
    for key, p in (("arm", work.arm), ("platform", work.platform)):
        if not (rect[0] <= p[0] <= rect[2] and rect[1] <= p[1] <= rect[3]):
            raise CoterieError(f"`work.{key}` {list(p)} must lie on '{work.table}', within {list(rect)}.")
    apart = dist(work.arm, work.platform)
    if not 0.25 <= apart <= 0.7:
        raise CoterieError(
            f"`work.platform` {list(work.platform)} is {apart:.2f} m from `work.arm`; put it 0.25 to 0.70 m away, "
            "where the arm reaches it."
        )


def _check_reachable(scene: Scene) -> None:
    """All stand poses must be free and connected when every door is open."""
    planner = scene.nav(WALKER)
    start = scene.by_name[scene.work.table].stands[0]
    for f in scene.furniture:
        for i, stand in enumerate(f.stands):
            if not planner.grid.free(stand):
                raise CoterieError(
                    f"stand pose {i} of '{f.name}' at {list(stand)} falls on an obstacle or outside the rooms; "
                    f"keep {STAND_RADIUS_M + 0.05:.2f} m away from walls and furniture."
                )
            if not planner.linked(start, stand):
                raise CoterieError(
                    f"stand pose {i} of '{f.name}' at {list(stand)} cannot be reached from '{scene.work.table}'; "
                    "is a door missing, or a passage narrower than 0.6 m?"
                )
