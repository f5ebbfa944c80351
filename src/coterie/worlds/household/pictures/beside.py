"""What one robot sees beside what it believes: its camera's picture, and the map that it has in its head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.houses.model import Furniture
from coterie.log.state import RobotState, State
from coterie.log.words import action_words, task_name
from coterie.render import palette, tokens
from coterie.render.labels import Area, Labels, around
from coterie.render.maps import Map
from coterie.render.shapes import Bitmap, Box, Disc, Drawing, Path, Shape, Text
from coterie.render.text import shorten, width, wrap
from coterie.worlds.household.knowledge.graph import Graph, astray, graph_of, number_of
from coterie.worlds.household.perception import BLOCKED, CELL_M
from coterie.worlds.household.pictures import colours, eyes, house, panel, team
from coterie.worlds.household.pictures.layout import MARGIN
from coterie.worlds.household.pictures.plan import Plan, piece_of, room_words, window

WIDTH, TOP, EYE, GAP = 1240.0, 96.0, 420.0, 20.0
MAP_W, MAP_H = WIDTH - 2 * MARGIN - EYE - GAP, 620.0
_STONE = "#8d8372"


def draw_beside(state: State, plan: Plan, name: str) -> Drawing:
    """`name` is the robot."""
    robot, hue = state.robots[name], team.hues(state)
    if not robot.online or state.true.get(("pose", name)) is None:
        raise CoterieError(f"{name} is not there in step {max(state.step, 0)}; take an earlier one.")
    belief = belief_of(robot)
    tree, odd = graph_of(belief), {t.name for t in astray(belief)}
    x0, y0, x1, y1 = plan.bounds
    area = Area(MARGIN + EYE + GAP, TOP + 22, MAP_W, MAP_H)
    m = Map((x0 - 0.1, y0 - 0.1), (x1 + 0.1, y1 + 0.1), area, most=100)
    height = max(TOP + 22 + m.h, TOP + 22 + EYE + 190) + 20
    drawing = Drawing(m.x + m.w + MARGIN if m.w < MAP_W else WIDTH, height, palette.PAPER, _title(state, name))
    drawing.width = max(drawing.width, 900.0)
    drawing.add(*_header(state, robot, hue[name], drawing.width))
    box = Area(MARGIN, TOP + 22, EYE, EYE)
    drawing.add(Text(MARGIN, TOP + 12, f"What {name} sees", 14, palette.INK, bold=True))
    image = eyes.photograph(state, plan, name, hue)
    drawing.add(*eyes.view(image, plan, box, odd))
    drawing.add(Text(m.x, TOP + 12, f"What {name} believes", 14, palette.INK, bold=True))
    drawing.add(*_head(belief, tree, odd, plan, name, state, m, hue))
    in_view = sorted(eyes.detected(image, {t.name for t in plan.house.things}))
    drawing.add(*_words(tree, odd, in_view, Area(MARGIN, TOP + 34 + EYE, EYE, height - TOP - EYE - 54)))
    return drawing


def _title(state: State, name: str) -> str:
    return f"{task_name(state.start)}, {panel.when(state)}: what {name} sees, and what it believes"


def belief_of(robot: RobotState) -> Belief:
    """What a robot believes at a moment, as its log tells it."""
    belief = Belief()
    for (pred, *args), value in robot.believes.items():
        if value != "?" and value is not UNKNOWN:
            belief.tell(Fact(pred, tuple(args), _frozen(value), 0.0, robot.name))
    belief.area = robot.area
    return belief


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, (list, tuple)) else value


def _header(state: State, robot: RobotState, colour: str, wide: float) -> Iterator[Shape]:
    title = f"{robot.name} in {state.start.scene['name']}"
    yield Text(MARGIN, 34, title, 20, colour, bold=True)
    yield Text(MARGIN + width(title, 20, True) + 14, 34, panel.body_words(robot), 12.5, palette.GREY)
    yield Text(wide - MARGIN, 34, panel.when(state), 14, palette.INK, "end", bold=True)
    _, _, heading, tilt = (float(v) for v in state.true["pose", robot.name])
    parts = [
        f"looks {_compass(heading)}, tilt {tilt:+.0f}°",
        *([f"holds {robot.holding}"] if robot.holding else []),
        *panel.battery_words(robot, state),
    ]
    if robot.act is not None:
        parts.append(f"did {action_words(robot.act.skill, robot.act.args)}")
    yield Text(MARGIN, 58, shorten(", ".join(parts), 12.5, wide - 2 * MARGIN), 12.5, palette.INK)
    if robot.act is not None:
        why = robot.act.reason if robot.act.status == "failed" else robot.act.why
        yield Text(MARGIN, 77, shorten(why, 12, wide - 2 * MARGIN), 12, palette.GREY)


def _compass(heading: float) -> str:
    words = ("to the right", "up", "to the left", "down")
    return words[round(heading / 90) % 4] if abs(heading % 90) < 1 else f"{heading:.0f}°"


# -- the map in its head ----------------------------------------------------------------------------------------------
def _head(
    belief: Belief, tree: Graph, odd: set[str], plan: Plan, name: str, state: State, m: Map, hue: dict[str, str]
) -> Iterator[Shape]:
    yield Box(m.x, m.y, m.w, m.h, "#efece4", palette.RULE, 1.0, 3)
    yield _known(belief, tree, plan, m)
    pieces = [p for p in _pieces(belief)]
    for piece in sorted(pieces, key=lambda p: p.base_m + p.size[2]):
        fill, edge = colours.furniture(piece.kind)
        yield Path(tuple(m.at(c) for c in piece.corners), fill, edge, 1.1, closed=True)
    labels = Labels(m.whole)
    labels.rather_not += [house.box_area(p, m) for p in pieces]
    for fact in belief.facts("joins"):
        x, y = m.at(fact.value[2:4])  # type: ignore[index]
        yield Disc(x, y, 3.4, "#ffffff", "#9a6b3f", 1.6)
    for fact in belief.facts("spot"):
        thing, spot = fact.args[0], fact.value
        if isinstance(spot, tuple) and belief.value("where", thing) not in state.robots:
            x, y = m.at(spot)
            if thing in odd:
                labels.taken.append(Area(x - 8, y - 8, 16, 16))
                yield Disc(x, y, 7.0, "#ffffff", palette.GOLD, 2.4)
            fill = palette.thing(str(belief.value("kind", thing)), "")
            yield Disc(x, y, 4.0 if thing in odd else 2.8, fill, palette.mix(fill, "#000000", 0.3), 1.0)
    yield from _others(belief, name, state, m, hue, labels)
    yield from _names(belief, tree, odd, pieces, m, labels, state)


def _known(belief: Belief, tree: Graph, plan: Plan, m: Map) -> Bitmap:
    low, rooms = plan.ground
    known = window(belief.area, low, rooms.shape)
    pixels = np.zeros((*rooms.shape, 4), np.uint8)
    kinds = {number_of(r.name): r.kind for r in tree.rooms}
    for number in np.unique(known).tolist():
        if number:
            fill = _STONE if number == BLOCKED else colours.floor(kinds.get(number, ""))
            pixels[known == number] = (*colours.rgb(fill), 255)
    return house.over_ground(plan, pixels, m)


def _pieces(belief: Belief) -> Iterator[Furniture]:
    for fact in belief.facts("box"):
        piece, box = fact.args[0], fact.value
        if isinstance(box, tuple) and len(box) == 8:
            yield piece_of(piece, str(belief.value("kind", piece)), str(belief.value("in_room", piece)), box)


def _others(belief: Belief, name: str, state: State, m: Map, hue: dict[str, str], labels: Labels) -> Iterator[Shape]:
    r = team.radius(m)
    for fact in belief.facts("pose"):
        who, pose = fact.args[0], fact.value
        if not isinstance(pose, tuple) or who not in state.robots:
            continue
        x, y = m.at(pose)
        card, colour = state.robots[who].card, hue[who]
        if who == name:
            yield team.glance(m, (pose[0], pose[1]), float(pose[2]), float(card.get("fov_deg") or 90.0), colour)
            yield from tokens.robot((x, y), r, dict(card), colour, np.radians(float(pose[2])))
        else:
            yield Disc(x, y, r, "#ffffff", colour, 2.2)
        labels.taken.append(Area(x - r, y - r, 2 * r, 2 * r))
        words = who if who == name else f"{who}, as last seen or told"
        w, h = width(words, 10, True) + 10, 15.0
        area = labels.place(w, h, [c for gap in (2, 12) for c in around(Area(x - r, y - r, 2 * r, 2 * r), w, h, gap)])
        yield Box(*area, colour if who == name else "#ffffff", colour, 1.2, 4)
        yield Text(area.x + w / 2, area.y + 11, words, 10, "#ffffff" if who == name else colour, "middle", bold=True)


def _names(
    belief: Belief, tree: Graph, odd: set[str], pieces: list[Furniture], m: Map, labels: Labels, state: State
) -> Iterator[Shape]:
    for thing in sorted(odd):
        spot: Any = belief.value("spot", thing)
        if isinstance(spot, tuple) and belief.value("where", thing) not in state.robots:
            x, y = m.at(spot)
            w = width(thing, 10, True)
            area = labels.place(
                w, 12, [c for g in (2, 12) for c in around(Area(x - 8, y - 8, 16, 16), w, 12, g)], gap=1
            )
            yield Text(area.x, area.y + 10, thing, 10, palette.INK, bold=True, halo=palette.PAPER)
    for room in tree.rooms:
        at = _middle(belief, number_of(room.name))
        if at is not None:
            (x, y), words = m.at(at), room_words(room.kind) if room.kind else "?"
            w = max(width(words, 13), width(room.name, 9))
            spots = [(x - w / 2 + dx, y - 14 + dy) for dy in (0, -36, 36, -72, 72) for dx in (0, -50, 50)]
            area, ink = labels.place(w, 28, spots, gap=2), palette.mix(colours.floor(room.kind), "#3a3a46", 0.55)
            yield Text(area.x + w / 2, area.y + 13, words, 13, ink, "middle")
            yield Text(area.x + w / 2, area.y + 24, room.name, 9, ink, "middle")
    for piece in sorted(pieces, key=lambda p: -p.size[0] * p.size[1]):
        area, words = house.box_area(piece, m), room_words(piece.kind)
        w = width(words, 9)
        spot_area = Area(area.x + (area.w - w) / 2, area.y + (area.h - 10) / 2, w, 10)
        if w + 4 <= area.w and area.h >= 12 and not any(spot_area.covers(t) for t in labels.taken):
            labels.taken.append(spot_area)
            yield Text(spot_area.x, spot_area.y + 8.5, words, 9, palette.mix(palette.INK, "#ffffff", 0.35))


def _middle(belief: Belief, number: int) -> tuple[float, float] | None:
    """The middle of the floor of a room, as far as it is known [m]."""
    rows, columns = np.nonzero(belief.area.cells == number)
    if len(rows) < 16:
        return None
    low = belief.area.low
    return (float(np.median(columns)) + low[0] + 0.5) * CELL_M, (float(np.median(rows)) + low[1] + 0.5) * CELL_M


def _words(tree: Graph, odd: set[str], in_view: list[str], box: Area) -> Iterator[Shape]:
    """What is in the picture, and the tree that the robot makes of all that it knows, in a few lines."""
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    y, end = box.y + 20, box.y + box.h - 8
    for row in wrap(f"In the picture: {', '.join(in_view) or 'no things'}", 10.5, box.w - 24, 3):
        yield Text(box.x + 12, y, row, 10.5, palette.GREY)
        y += 14
    y += 6
    for room in tree.rooms:
        if y > end:
            break
        things = sum(len(p.things) for p in room.pieces) + len(room.floor)
        share = max(room.odds.values(), default=0.0)
        kind = f"{room_words(room.kind)} ({round(100 * share)} % sure)" if room.kind else "of a kind it cannot tell yet"
        text = f"{room.name}: {kind}, {len(room.pieces)} pieces of furniture, {things} things"
        yield Text(box.x + 12, y, shorten(text, 10.5, box.w - 24), 10.5, palette.INK)
        y += 15
    if odd and y + 4 < end:
        y += 4
        text = f"It takes to be astray: {', '.join(sorted(odd))}"
        yield Text(box.x + 12, y, shorten(text, 10.5, box.w - 24, True), 10.5, palette.NEWS, bold=True)
        y += 15
    held = [f"{t.name} in {t.where}'s hand" for t in tree.held]
    if held and y < end:
        yield Text(box.x + 12, y, shorten(", ".join(held), 10.5, box.w - 24), 10.5, palette.GREY)
