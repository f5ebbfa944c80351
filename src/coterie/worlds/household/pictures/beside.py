"""The camera image of one robot beside the map that it believes."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.lazy import np
from coterie.houses.model import FLOOR
from coterie.log.state import RobotState, State
from coterie.log.words import action_words, task_name
from coterie.render import palette
from coterie.render.describe import Agent, Cells, Fixture, FloorPlan, Frame, Item, Region
from coterie.render.labels import Area, shorten, width, wrap
from coterie.render.map import floor, names, team
from coterie.render.map.layout import MARGIN, Map
from coterie.render.shapes import Box, Disc, Drawing, Shape, Text
from coterie.render.states import agent, colours, when
from coterie.worlds.household.knowledge.graph import Survey, number_of, rooms_known, whole_survey
from coterie.worlds.household.perception import BLOCKED, CELL_M
from coterie.worlds.household.pictures import eyes
from coterie.worlds.household.pictures.plan import Plan, piece_of, room_words, window
from coterie.worlds.household.pictures.views import WALL_M, battery_words, body_words, cells, fixture

WIDTH, TOP, EYE, GAP = 1240.0, 96.0, 420.0, 20.0
MAP_W, MAP_H = WIDTH - 2 * MARGIN - EYE - GAP, 620.0
BLOCK = "#8d8372"
LEAST_CELLS = 16  # of a room that is named


def draw_beside(state: State, plan: Plan, name: str) -> Drawing:
    """`name` is the robot."""
    robot, hue = state.robots[name], colours(state)
    if not robot.online or state.true.get(("pose", name)) is None:
        raise CoterieError(f"{name} is not there in step {max(state.step, 0)}; take an earlier one.")
    belief = belief_of(robot)
    survey = whole_survey(belief)
    rooms, odd = _rooms(survey), set(survey.astray)
    x0, y0, x1, y1 = plan.house.box
    area = Area(MARGIN + EYE + GAP, TOP + 22, MAP_W, MAP_H)
    m = Map((x0 - 0.1, y0 - 0.1), (x1 + 0.1, y1 + 0.1), area, most=100)
    height = max(TOP + 22 + m.h, TOP + 22 + EYE + 190) + 20
    title = f"{task_name(state.start)}, {when(state)}: what {name} sees, and what it believes"
    drawing = Drawing(max(m.x + m.w + MARGIN, 900.0), height, palette.PAPER, title)
    drawing.add(*_header(state, robot, hue[name], drawing.width))
    box = Area(MARGIN, TOP + 22, EYE, EYE)
    drawing.add(Text(MARGIN, TOP + 12, f"What {name} sees", 14, palette.INK, bold=True))
    image = eyes.photograph(state, plan, name, hue)
    drawing.add(*eyes.view(image, plan, box, odd))
    drawing.add(Text(m.x, TOP + 12, f"What {name} believes", 14, palette.INK, bold=True))
    drawing.add(*_map(*believed(belief, rooms, odd, plan, state, name, hue), belief, m))
    in_view = sorted(eyes.detected(image, {t.name for t in plan.house.things}))
    drawing.add(*_words(survey, rooms, in_view, Area(MARGIN, TOP + 34 + EYE, EYE, height - TOP - EYE - 54)))
    return drawing


def belief_of(robot: RobotState) -> Belief:
    """The belief of a robot at a moment, from its log."""
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
    yield Text(MARGIN + width(title, 20, True) + 14, 34, body_words(robot), 12.5, palette.GREY)
    yield Text(wide - MARGIN, 34, when(state), 14, palette.INK, "end", bold=True)
    _, _, heading, tilt = (float(v) for v in state.true["pose", robot.name])
    parts = [
        f"faces {_compass(heading)} on the map, tilt {tilt:+.0f}°",
        *([f"holds {robot.holding}"] if robot.holding else []),
        *battery_words(robot, state),
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


def _rooms(survey: Survey) -> dict[str, str]:
    """Known rooms with their likeliest kinds, empty for a room without known furniture."""
    furnished = {room for _, room in survey.pieces.values()}
    return {r: survey.kind_of_room(r, 0.5) if r in furnished else "" for r in rooms_known(survey.belief)}


# -- the map in its head ----------------------------------------------------------------------------------------------
def believed(
    belief: Belief, rooms: Mapping[str, str], odd: set[str], plan: Plan, state: State, name: str, hue: Mapping[str, str]
) -> tuple[FloorPlan, Frame]:
    """The belief of a robot, as a floor plan and a frame: rooms as far as it knows them, furniture, things, robots."""
    regions = [r for room, kind in rooms.items() if (r := _region(belief, room, kind)) is not None]
    fixtures = sorted(_fixtures(belief), key=lambda f: f[0])
    items = [i for fact in belief.facts("spot") if (i := _item(belief, fact, odd, state)) is not None]
    agents = [a for fact in belief.facts("pose") if (a := _agent(fact, state, name, hue)) is not None]
    head = FloorPlan("", regions=tuple(regions), fixtures=tuple(f for _, f in fixtures), wall_m=WALL_M)
    return head, Frame(state.step, "", items=tuple(items), agents=tuple(agents), cells=_known(belief, rooms, plan))


def _region(belief: Belief, name: str, kind: str) -> Region | None:
    """A room as the rectangle around what is known of its floor."""
    rows, columns = np.nonzero(belief.area.cells == number_of(name))
    if len(rows) < LEAST_CELLS:
        return None
    low = belief.area.low
    x0, x1 = (columns.min() + low[0]) * CELL_M, (columns.max() + 1 + low[0]) * CELL_M
    y0, y1 = (rows.min() + low[1]) * CELL_M, (rows.max() + 1 + low[1]) * CELL_M
    words = room_words(kind) if kind else "?"
    return Region(name, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), words, words, name)


def _known(belief: Belief, rooms: Mapping[str, str], plan: Plan) -> Cells:
    """The floor that it knows, in the colours of the rooms that it takes them for."""
    low, ground = plan.ground
    known = window(belief.area, low, ground.shape)
    kinds = {number_of(name): room_words(kind) for name, kind in rooms.items()}
    numbers = [n for n in np.unique(known).tolist() if n]
    shades = tuple(BLOCK if n == BLOCKED else palette.floor(kinds.get(n, "")) for n in numbers)
    letters = np.full(ground.shape, ord(" "))
    for letter, number in zip(string.ascii_letters, numbers):
        letters[known == number] = ord(letter)
    return cells(plan, letters, shades, low)


def _fixtures(belief: Belief) -> Iterator[tuple[float, Fixture]]:
    """Furniture with the height of its top [m]."""
    for fact in belief.facts("box"):
        name, box = fact.args[0], fact.value
        if isinstance(box, tuple) and len(box) == 8:
            piece = piece_of(name, str(belief.value("kind", name)), str(belief.value("in_room", name)), box)
            yield piece.base_m + piece.size[2], fixture(piece)


def _item(belief: Belief, fact: Fact, odd: set[str], state: State) -> Item | None:
    name, spot = fact.args[0], fact.value
    where = str(belief.value("where", name))
    if not isinstance(spot, tuple) or where in state.robots:
        return None
    kind, label = str(belief.value("kind", name)), name if name in odd else ""
    return Item(name, (float(spot[0]), float(spot[1])), kind, place=where, label=label, wanted=name in odd)


def _agent(fact: Fact, state: State, name: str, hue: Mapping[str, str]) -> Agent | None:
    who, pose = fact.args[0], fact.value
    if not isinstance(pose, tuple) or who not in state.robots:
        return None
    robot, more = state.robots[who], {"view_deg": 0.0, "tag": ", as last seen or told"}
    if who == name:
        more = {"view_deg": float(robot.card.get("fov_deg") or 90.0)}
    made = agent(state, robot, hue[who], True, heading_deg=float(pose[2]), **more)
    return replace(made, at=(float(pose[0]), float(pose[1])))


def _map(head: FloorPlan, frame: Frame, belief: Belief, m: Map) -> Iterator[Shape]:
    yield Box(m.x, m.y, m.w, m.h, "#efece4", palette.RULE, 1.0, 3)
    yield from floor.cells(frame, m)
    yield from floor.fixtures(head, frame, m)
    for fact in belief.facts("joins"):
        x, y = m.at(fact.value[2:4])  # type: ignore[index]
        yield Disc(x, y, 3.4, "#ffffff", floor.LEAF, 1.6)
    yield from floor.items(head, frame, m)
    at = team.places(frame, m)
    for one in frame.agents:
        yield from team.sign(one, at[one.name], m)
    labels = names.obstacles(head, m)
    tags = team.place_tags(frame, at, m, [floor.area_of(f.outline, m) for f in head.fixtures])
    labels.taken += [*team.spots(at, m).values(), *tags.values()]
    spots = names.place_regions(head, m, taken=labels.taken)
    labels.taken += spots.values()
    yield from names.names(head, frame, m, labels)
    yield from names.regions(head, spots, m)
    yield from team.tags(frame, at, tags)


def _words(survey: Survey, rooms: Mapping[str, str], in_view: list[str], box: Area) -> Iterator[Shape]:
    """The things in the picture, and all that the robot knows, in a few lines."""
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    y, end = box.y + 20, box.y + box.h - 8
    for row in wrap(f"In the picture: {', '.join(in_view) or 'no things'}", 10.5, box.w - 24, 3):
        yield Text(box.x + 12, y, row, 10.5, palette.GREY)
        y += 14
    y += 6
    for room, likely in rooms.items():
        if y > end:
            break
        things = sum(survey.room_of(t) == room for t in survey.things.values())
        pieces = sum(where == room for _, where in survey.pieces.values())
        share = max(survey.odds(room).values(), default=0.0)
        kind = f"{room_words(likely)} ({round(100 * share)} % sure)" if likely else "of a kind it cannot tell yet"
        text = f"{room}: {kind}, {pieces} pieces of furniture, {things} things"
        yield Text(box.x + 12, y, shorten(text, 10.5, box.w - 24), 10.5, palette.INK)
        y += 15
    if survey.astray and y + 4 < end:
        y += 4
        text = f"It takes to be misplaced: {', '.join(sorted(survey.astray))}"
        yield Text(box.x + 12, y, shorten(text, 10.5, box.w - 24, True), 10.5, palette.NEWS, bold=True)
        y += 15
    carried = (f for f in survey.belief.facts("where") if isinstance(f.value, str))
    held = [f"{f.args[0]} in {f.value}'s hand" for f in carried if f.value not in (FLOOR, *survey.pieces)]
    if held and y < end:
        yield Text(box.x + 12, y, shorten(", ".join(held), 10.5, box.w - 24), 10.5, palette.GREY)
