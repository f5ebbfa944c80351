"""The hospital from above, and a mission as a whole: the floor at its end, who did what when, and what was said."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.core.action import WAIT
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.houses.model import rect_corners
from coterie.log.fold import state_at
from coterie.log.state import State
from coterie.render.describe import (
    Agent,
    Door,
    Fixture,
    FloorPlan,
    Frame,
    Item,
    Mark,
    Outline,
    Point,
    Region,
    Row,
    Section,
    Span,
)  # fmt: skip
from coterie.render.files import check_picture_path, save
from coterie.render.pictures import Pictures
from coterie.render.states import agent, colours, frame, subtitle, title
from coterie.worlds.hospital import places
from coterie.worlds.hospital.scene import counted, label

TABLE, PERSON, DOOR = (1.1, 0.7), (0.5, 0.5), 0.45  # [m] sizes, and half the width of a door
MOST_SAID = 24  # sentences
_MARKS = {"failure": "bad", "approved": "news", "done": "good", "failed": "bad"}


class HospitalPictures(Pictures):
    def plan(self, state: State) -> FloorPlan:
        scene = state.start.scene
        with contextlib.suppress(CoterieError):  # for what things are called there
            places.place(str(state.start.config["scene"]))
        rooms = {name: rect_corners((x, y, x + w, y + h)) for name, (x, y, w, h) in scene["rooms"].items()}
        fixtures = [
            Fixture(label(name), _around((x, y), TABLE), region=room, named=True)
            for name, (room, x, y) in scene["tables"].items()
        ]
        for name, (_, room) in scene["people"].items():
            x, y, w, h = scene["rooms"][room]
            fixtures.append(Fixture(name, _around((x + w - 0.6, y + h - 0.6), PERSON), "person", room, named=True))
        return FloorPlan(
            title(state.start),
            subtitle(state.start),
            tuple(Region(name, outline, name, label=name) for name, outline in rooms.items()),
            tuple((*outline, outline[0]) for outline in rooms.values()),
            tuple(_door(name, between, (x, y), scene["rooms"]) for name, between, _, x, y in scene["doors"]),
            tuple(fixtures),
            wall_m=0.1,
        )

    def frame(self, state: State, whole: bool = False) -> Frame:
        scene = state.start.scene
        return frame(
            state,
            whole,
            when=f"{int(state.t) // 60}:{int(state.t) % 60:02d}",
            items=tuple(_items(state)),
            agents=tuple(_agents(state, whole)),
            shut=frozenset(row[0] for row in scene["doors"] if not state.open.get(row[0], False)),
        )

    def whereabouts(self, state: State, robot: str) -> str:
        """The table or the person that it stands at, and no pose."""
        return label(super().whereabouts(state, robot))

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        """How the mission ended, with a timeline and what people and robots told each other."""
        from coterie.render.map.draw import draw

        check_picture_path(path)
        state = state_at(events)
        told = [e for e in events if e.kind == "mission"]
        said = [e for e in told if e.data["what"] in ("tell", "heard")]
        said = said if len(said) <= MOST_SAID else [*said[: MOST_SAID // 2], *said[-MOST_SAID // 2 :]]
        marks = [Mark(e.t, _MARKS[e.data["what"]]) for e in told if e.data["what"] in _MARKS]
        whole = replace(
            self.frame(state, whole=True),
            sections=(Section("What was said", tuple(map(_said, said))),),
            spans=tuple(_spans(events)),
            marks=tuple(marks),
            marked="dashed: failure, approval, end of a goal",
        )
        return save(draw(self.plan(state), whole), path)


def _around(at: Point, size: Point) -> Outline:
    return rect_corners((at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2))


def _door(name: str, between: Sequence[str], at: Point, rooms: Mapping[str, Any]) -> Door:
    (x, y), (first, second) = at, (rooms[r] for r in between)
    across = abs(first[0] + first[2] - second[0]) < 1e-6 or abs(second[0] + second[2] - first[0]) < 1e-6
    dx, dy = (0.0, DOOR) if across else (DOOR, 0.0)
    return Door(name, (x - dx, y - dy), (x + dx, y + dy))


def _items(state: State) -> Iterator[Item]:
    """Items on tables or in rooms; of several of a kind, one that says how many."""
    scene = state.start.scene
    stock = {(thing, place): int(n) for thing, place, n in scene["stock"]}
    stock |= {(k[1], k[2]): int(v) for k, v in state.true.items() if k[0] == "stock" and len(k) == 3}
    lying: dict[str, list[tuple[str, int]]] = {}
    for (thing, place), n in stock.items():
        if n:
            lying.setdefault(place, []).append((thing, n))
    for place, things in lying.items():
        for i, (thing, n) in enumerate(things):
            shift = 0.3 * (i - (len(things) - 1) / 2)
            if place in scene["tables"]:
                _, x, y = scene["tables"][place]
                at, where = (x + shift, y), label(place)
            else:
                x, y, w, _ = scene["rooms"][place]
                at, where = (x + w / 2 + 3 * shift, y + 0.6), ""
            words = _load(state, thing) if thing in state.start.goal.get("caddies", ()) else counted(n, thing)
            rows = words if where else words.rstrip(")").replace(" (", "\n")  # rooms are narrow
            yield Item(f"{thing} at {place}", at, thing, place=where, label=rows, wanted=not where)


def _load(state: State, thing: str) -> str:
    """A thing with what is in it."""
    inside = [counted(int(v), k[2]) for k, v in state.true.items() if k[0] == "amount" and k[1] == thing and v]
    return f"{label(thing)}{' (' + ', '.join(inside) + ')' if inside else ''}"


def _agents(state: State, whole: bool) -> Iterator[Agent]:
    poses, hue = state.start.scene["poses"], colours(state)
    for name, robot in state.robots.items():
        room, *at = poses.get(robot.at, ("", None))
        load = _load(state, robot.holding) if robot.holding else ""
        more: dict[str, Any] = {"at": tuple(at)} if room else {}
        where = f"in {room}" + (f", carries {load}" if load else "")
        held = Item(load, (0.0, 0.0), str(robot.holding)) if load else None
        yield agent(state, robot, hue[name], whole, where=where if room else "", held=held, **more)


def _said(event: Event) -> Row:
    data = event.data
    who = str(data["person"]) if data["what"] == "heard" else f"to {data['to']}"
    return Row(f"{who}: {data['text']}", lead=f"{int(event.t) // 60}:{int(event.t) % 60:02d}")


def _spans(events: Sequence[Event]) -> Iterator[Span]:
    acts = {e.seq: e for e in events if e.kind == "act"}
    for end in events:
        act = acts.get(end.causes[0]) if end.kind == "outcome" and end.causes else None
        if act is not None and act.data["skill"] != WAIT:
            yield Span(end.who, act.t, end.t, str(act.data["skill"]), end.data["status"] != "done")
