"""The hospital from above, and a mission as a whole: the floor at its end, who did what when, and what was said."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.core.action import WAIT
from coterie.core.event import Event
from coterie.log.fold import state_at
from coterie.log.state import State
from coterie.render import palette
from coterie.render.labels import Area
from coterie.render.pictures import Pictures, check_picture_path, save
from coterie.render.shapes import Box, Disc, Drawing, Text, line
from coterie.render.stage import Sign, Stage, plates
from coterie.worlds.hospital.scene import counted, label

METRE, EDGE, HEAD = 42.0, 18.0, 52.0
ROW, BAR, SAID = 26.0, 16.0, 15.0  # of the time line, and of what was said
WIDE = 2 * EDGE + 18 * METRE
WRAP = 118  # letters of a line
MOST_SAID = 24  # lines of words


class HospitalPictures(Pictures):
    def draw(self, state: State) -> Drawing:
        page = Drawing(WIDE, HEAD + _tall(state) * METRE + EDGE, palette.PAPER, title=state.goal_text)
        _floor(page, state)
        return page

    def overview(self, events: Sequence[Event], path: Path) -> Path:
        check_picture_path(path)
        state = state_at(events)
        said = [e for e in events if e.kind == "mission" and e.data["what"] in ("tell", "heard")]
        if len(said) > MOST_SAID:
            said = [*said[: MOST_SAID // 2], *said[-MOST_SAID // 2 :]]
        spoken = [row for event in said for row in textwrap.wrap(_said(event), WRAP, subsequent_indent=" " * 9)]
        plan = HEAD + _tall(state) * METRE + EDGE
        rows = len(state.cards) * ROW + 40
        page = Drawing(WIDE, plan + rows + SAID * len(spoken) + 40, palette.PAPER, title=state.goal_text)
        _floor(page, state)
        _times(page, events, state.cards, plan)
        for i, words in enumerate(spoken):
            page.add(Text(EDGE, plan + rows + 20 + SAID * i, words, 10.5, palette.INK))
        return save(page, path)

    def stages(self, states: Iterable[State]) -> Iterator[Stage]:
        for state in states:
            page = Drawing(WIDE, HEAD + _tall(state) * METRE + EDGE)
            _plan(page, state)
            signs = {}
            for name, at, colour, words in _standing(state):
                signs[name] = Sign(at, (Disc(0, 0, 11, colour, palette.INK), *plates(13, words, colour)))
            yield Stage(Area(0, HEAD - EDGE, WIDE, page.height - HEAD + EDGE), page.shapes, signs)


def _tall(state: State) -> float:
    return float(max(y + h for _, y, _, h in state.start.scene["rooms"].values()))


def _said(event: Event) -> str:
    data = event.data
    at = f"{int(event.t) // 60}:{int(event.t) % 60:02d}"
    who = f"{data['person']}" if data["what"] == "heard" else f"to {data['to']}"
    return f"{at}  {who}: {data['text']}"


# -- the floor plan -----------------------------------------------------------------------------------------------
def _floor(page: Drawing, state: State) -> None:
    page.add(Text(EDGE, 22, state.goal_text[:130], 13, bold=True))
    page.add(Text(EDGE, 41, f"{int(state.t) // 60}:{int(state.t) % 60:02d}  {state.status_text}", 11, palette.GREY))
    _plan(page, state)
    for _, (x, y), colour, words in _standing(state):
        page.add(Disc(x, y, 11, colour, palette.INK))
        page.add(Text(x, y + 22, words, 9, anchor="middle", halo=palette.PAPER))


def _spot(state: State, x: float, y: float) -> tuple[float, float]:
    return EDGE + x * METRE, HEAD + (_tall(state) - y) * METRE


def _plan(page: Drawing, state: State) -> None:
    """All but the robots."""
    scene = state.start.scene

    def spot(x: float, y: float) -> tuple[float, float]:
        return _spot(state, x, y)

    for name, (x, y, w, h) in scene["rooms"].items():
        left, low = spot(x, y)
        page.add(Box(left, low - h * METRE, w * METRE, h * METRE, palette.floor(name), palette.WALL, 2.0))
        page.add(Text(left + 6, low - h * METRE + 14, name, 10, palette.GREY))
    for name, rooms, _, x, y in scene["doors"]:
        _door(page, name, rooms, spot(x, y), state.open.get(name, False), scene["rooms"])
    stock = _stock(state)
    for name, (_, x, y) in scene["tables"].items():
        cx, cy = spot(x, y)
        page.add(Box(cx - 22, cy - 15, 44, 30, palette.WOOD, palette.WOOD_EDGE, 1.0, 3.0))
        page.add(Text(cx, cy - 4, label(name).removeprefix("table "), 10, anchor="middle", bold=True))
        for i, words in enumerate(_lying(state, stock, name)):
            page.add(Text(cx, cy + 8 + 9 * i, words, 8, anchor="middle", halo=palette.PAPER))
    for name, (_, room) in scene["people"].items():
        x, y, w, h = scene["rooms"][room]
        cx, cy = spot(x + w - 0.6, y + h - 0.6)
        page.add(Disc(cx, cy, 6, "#f2d3b3", palette.INK), Text(cx - 10, cy + 4, name, 9, anchor="end"))
    for name, (x, y, w, _) in scene["rooms"].items():
        left, low = spot(x, y)
        lines = [part for words in _lying(state, stock, name) for part in words.rstrip(")").split(" (")]
        for i, words in enumerate(reversed(lines)):  # a caddy, and below it what is in it: rooms are narrow
            page.add(Text(left + w * METRE / 2, low - 14 - 11 * i, words, 9, palette.GOOD, "middle", True))


def _door(page: Drawing, name: str, rooms: Sequence[str], at: Any, is_open: bool, places: Mapping[str, Any]) -> None:
    x, y = at
    first, second = (places[r] for r in rooms)
    across = abs(first[0] + first[2] - second[0]) < 1e-6 or abs(second[0] + second[2] - first[0]) < 1e-6
    dx, dy = (0.0, 0.45 * METRE) if across else (0.45 * METRE, 0.0)
    colour = palette.PAPER if is_open else palette.BAD
    page.add(line((x - dx, y - dy), (x + dx, y + dy), colour, 5.0 if is_open else 4.0))


def _stock(state: State) -> dict[tuple[str, str], int]:
    found = {(thing, place): int(n) for thing, place, n in state.start.scene["stock"]}
    found |= {(k[1], k[2]): int(v) for k, v in state.true.items() if k[0] == "stock" and len(k) == 3}
    return found


def _lying(state: State, stock: Mapping[tuple[str, str], int], place: str) -> list[str]:
    here = [(thing, n) for (thing, where), n in stock.items() if where == place and n]
    return [_load(state, thing) if thing.startswith("caddy") else counted(n, thing) for thing, n in here]


def _load(state: State, thing: str) -> str:
    """A thing with what is in it."""
    inside = [counted(int(v), k[2]) for k, v in state.true.items() if k[0] == "amount" and k[1] == thing and v]
    return f"{label(thing)}{' (' + ', '.join(inside) + ')' if inside else ''}"


def _standing(state: State) -> Iterator[tuple[str, tuple[float, float], str, str]]:
    """Robots, where they stand, their colours, and their names with what they carry."""
    poses, colours = state.start.scene["poses"], palette.robots({n: r.card for n, r in state.robots.items()})
    for name, robot in state.robots.items():
        if robot.at not in poses:
            continue
        load = f": {_load(state, robot.holding)}" if robot.holding else ""
        gone = "" if robot.online else " (gone)"
        colour = colours[name] if robot.online else palette.FAINT
        yield name, _spot(state, *poses[robot.at][1:]), colour, f"{name}{gone}{load}"


# -- who did what when --------------------------------------------------------------------------------------------
def _times(page: Drawing, events: Sequence[Event], cards: Mapping[str, Any], top: float) -> None:
    last = max((e.t for e in events), default=1.0) or 1.0
    left, wide = EDGE + 60, WIDE - 2 * EDGE - 70
    acts = {e.seq: e for e in events if e.kind == "act"}
    robots, colours = list(cards), palette.robots(cards)
    for i, robot in enumerate(robots):
        page.add(Text(EDGE, top + 22 + ROW * i, robot, 10, bold=True))
        page.add(line((left, top + 18 + ROW * i), (left + wide, top + 18 + ROW * i), palette.RULE))
    for end in events:
        act = acts.get(end.causes[0]) if end.kind == "outcome" and end.causes else None
        if act is None or act.data["skill"] == WAIT or end.who not in robots:
            continue
        x, y = left + wide * act.t / last, top + 10 + ROW * robots.index(end.who)
        w = max(1.5, wide * (end.t - act.t) / last - 1)
        bad = end.data["status"] != "done"
        page.add(Box(x, y, w, BAR, palette.BAD if bad else colours[end.who], "", 0.0, 2.0))
        if w > 34:
            page.add(Text(x + w / 2, y + 11, act.data["skill"], 8, palette.PAPER, "middle"))
    low = top + ROW * len(robots) + 14
    for event in events:
        if event.kind == "mission" and event.data["what"] in _MARKS:
            x = left + wide * event.t / last
            page.add(line((x, top + 4), (x, low), _MARKS[event.data["what"]], 1.2, (3.0, 2.0)))
    page.add(Text(left, low + 10, "0:00", 9, palette.GREY))
    page.add(Text(left + wide, low + 10, f"{int(last) // 60}:{int(last) % 60:02d}", 9, palette.GREY, "end"))
    page.add(Text(left + wide / 2, low + 10, "dashed: failure, approval, end of a goal", 9, palette.GREY, "middle"))


_MARKS = {"failure": palette.BAD, "approved": palette.NEWS, "done": palette.GOOD, "failed": palette.BAD}
