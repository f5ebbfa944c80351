"""The words around the map: title, goal, progress, roster, news and legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from coterie.log.state import BEGINNING, RobotState, State
from coterie.log.words import action_words, setting_words, task_name
from coterie.motion import polygons
from coterie.render import palette, tokens
from coterie.render.labels import Area
from coterie.render.shapes import Box, Path, Shape, Text
from coterie.render.text import shorten, width, wrap
from coterie.worlds.indoor.pictures import house
from coterie.worlds.indoor.pictures.layout import MARGIN, PANEL, WIDTH, Page

NEWS_STEPS = 3  # a change stays highlighted for so long


def header(state: State, when: str) -> Iterator[Shape]:
    config = state.start.config
    x = MARGIN
    title = f"{task_name(state.start)} in {state.start.scene['name']}"
    yield Text(x, 34, title, 20, palette.INK, bold=True)
    parts = [f"team {config['team']}", f"protocol {config['protocol']}", f"seed {config['seed']}"]
    used = width(title, 20, True) + 16
    detail = shorten("  ·  ".join([*parts, *setting_words(config)]), 12.5, _room_for(when, used))
    yield Text(x + used, 34, detail, 12.5, palette.GREY)
    yield Text(WIDTH - MARGIN, 34, when, 14, palette.INK, "end", bold=True)
    yield Text(x, 57, "Goal", 12.5, palette.GREY)
    rows = wrap(state.goal_text, 12.5, WIDTH - 2 * MARGIN - 46, 2)
    for i, row in enumerate(rows):
        yield Text(x + 46, 57 + 16 * i, row, 12.5, palette.INK)
    y, w = (81.0 if len(rows) < 2 else 93.0), 180.0
    yield Text(x, y, "Done", 12.5, palette.GREY)
    yield Box(x + 46, y - 10, w, 11, palette.RULE, radius=5.5)
    if state.partial > 0:
        yield Box(x + 46, y - 10, max(11.0, w * state.partial), 11, palette.GOOD, radius=5.5)
    percent = f"{round(100 * state.partial)} %"
    yield Text(x + 46 + w + 10, y, percent, 12.5, palette.INK, bold=True)
    room = WIDTH - 2 * MARGIN - 46 - w - 76
    yield Text(x + 46 + w + 68, y, shorten(state.status_text, 12.5, room), 12.5, palette.INK)


def _room_for(when: str, used: float) -> float:
    """What is left of the first line between the title and the time."""
    return WIDTH - 2 * MARGIN - used - width(when, 14, True) - 20


def when(state: State) -> str:
    if state.step == BEGINNING:
        return "before the first step"
    words = f"step {state.step}" + (f" of {state.limit}" if state.limit else "")
    return f"{words}  ·  {state.t:.0f} s simulated"


def ending(state: State) -> str:
    if state.end is None:
        return f"not finished, {state.step + 1} steps"
    words = "done" if state.end.success else f"not done, {state.end.status}"
    return f"{words}, {state.end.steps} steps  ·  {state.end.time_s:.0f} s simulated"


def roster(state: State, page: Page, hue: Mapping[str, str]) -> Iterator[Shape]:
    for i, robot in enumerate(state.robots.values()):
        box = page.card(i)
        yield from plate(robot, box, hue[robot.name])
        yield from _doing(robot, box, state)


def plate(robot: RobotState, box: Area, colour: str) -> Iterator[Shape]:
    """The card of one robot: its sign, name and body."""
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    hue = colour if robot.online else palette.FAINT
    yield Box(box.x, box.y + 8, 4, box.h - 16, hue, radius=2)
    r = 11.0 if robot.card.get("mobility") == "fixed" else 13.0
    yield from tokens.robot((box.x + 31, box.y + 31), r, robot.card, hue, math.pi / 4)
    yield Text(box.x + 60, box.y + 22, robot.name, 13.5, hue, bold=True)
    yield Text(box.x + 60 + width(robot.name, 13.5, True) + 8, box.y + 22, robot.body, 11, palette.GREY)


def _doing(robot: RobotState, box: Area, state: State) -> Iterator[Shape]:
    x, room = box.x + 60, box.w - 72
    if not robot.online:
        yield Text(x, box.y + 40, f"gone since step {robot.left}", 11.5, palette.GREY)
        return
    where = f"at {robot.at}" if robot.at else _room_words(robot, state)
    if robot.holding:
        where += f", holds {robot.holding}"
    yield Text(x, box.y + 38, shorten(where, 11.5, room), 11.5, palette.INK)
    act = robot.act
    if act is None:
        return
    words = shorten(action_words(act.skill, act.args), 11.5, room - 20, bold=True)
    yield Text(x, box.y + 55, words, 11.5, palette.INK, bold=True)
    yield from tokens.tick((x + width(words, 11.5, True) + 8, box.y + 51), act.status)
    failed = act.status not in ("", "done")
    note = act.reason if failed else act.why
    for i, row in enumerate(wrap(note, 10.5, room, 2)):
        yield Text(x, box.y + 71 + 13.5 * i, row, 10.5, palette.BAD if failed else palette.GREY)


def _room_words(robot: RobotState, state: State) -> str:
    if robot.pose is not None:
        for name, _, (x0, y0, x1, y1), *outline in state.start.scene["rooms"]:
            inside = x0 <= robot.pose[0] <= x1 and y0 <= robot.pose[1] <= y1
            if inside and (not outline or polygons.contains([(x, y) for x, y in outline[0]], robot.pose)):
                return f"in the {name.replace('_', ' ')}"
    return "on its way"


def lately(state: State, page: Page, hue: Mapping[str, str]) -> Iterator[Shape]:
    """The last words that were said, where the roster leaves room."""
    box = Area(page.panel_x, page.words_y, PANEL, page.words_end - page.words_y)
    if not state.talk or box.h < 76:
        return
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    yield Text(box.x + 14, box.y + 21, "Said lately", 12, palette.INK, bold=True)
    blocks = _last_words(state, box.w - 62, int((box.h - 48) // 15) + 1)
    y = box.y + 39
    for who, step, rows in reversed(blocks):
        yield Text(box.x + 38, y, str(step), 10.5, palette.FAINT, "end")
        for i, row in enumerate(rows):
            first = i == 0 and row.startswith(who)
            if first:
                yield Text(box.x + 48, y, who, 10.5, hue.get(who, palette.INK), bold=True)
            indent = width(who, 10.5, True) if first else 0.0
            yield Text(box.x + 48 + indent, y, row[len(who) :] if first else row, 10.5, palette.INK)
            y += 15


def _last_words(state: State, room: float, lines: int) -> list[tuple[str, int, list[str]]]:
    """As much of the latest words as fits: all of them in full if possible, else the latest ones shortened."""
    for most in (lines, 6, 4, 3):
        left, blocks, whole = lines, [], True
        for who, said in reversed(state.talk):
            if left == 0:
                whole = False
                break
            names = "all" if "all" in said.to or len(said.to) >= len(state.robots) - 1 else ", ".join(said.to)
            rows = wrap(f"{who} to {names}: {said.text}", 10.5, room, min(most, left))
            whole = whole and not rows[-1].endswith("…")
            left -= len(rows)
            blocks.append((who, said.step, rows))
        if whole:
            break
    return blocks


Sign = tuple[str, list[Shape]]


def footer(state: State, page: Page, entries: Sequence[Sign]) -> Iterator[Shape]:
    y = page.footer_y
    if state.changes:
        step, words = state.changes[-1]
        fresh = state.step - step < NEWS_STEPS
        if fresh:
            yield Box(MARGIN, y - 3, WIDTH - 2 * MARGIN, 24, palette.NEWS_GROUND, palette.NEWS, 1.2, 6)
        text = shorten(f"Step {step}: {words}", 12.5, WIDTH - 2 * MARGIN - 24, fresh)
        yield Text(MARGIN + 10, y + 13.5, text, 12.5, palette.NEWS if fresh else palette.GREY, bold=fresh)
    x = MARGIN + 2
    for words, shapes in entries:
        yield from (_moved(s, x, y + 42) for s in shapes)
        yield Text(x + 25, y + 42, words, 11, palette.GREY)
        x += 25 + width(words, 11) + 14


def signs(state: State) -> list[Sign]:
    """The entries of the legend: only the signs that occur in this scene."""
    furniture = state.start.scene["furniture"]
    entries: list[Sign] = []
    if any(f["opens"] for f in furniture):
        a = Area(0, -11, 18, 13)
        entries.append(("closed container", [Box(*a, palette.METAL, palette.METAL_EDGE, 2.0, 3)]))
        entries.append(("open container", [Box(*a, palette.INSIDE, palette.METAL_EDGE, 2.0, 3)]))
    if any(house.is_high(f) for f in furniture):
        a = Area(0, -11, 18, 13)
        high = [Box(*a, palette.HIGH), *house.hatch(a, palette.HIGH_EDGE, 5), Box(*a, "", palette.HIGH_EDGE, 1.4, 2)]
        entries.append(("high place", high))
    entries.append(("target", tokens.thing((9, -5), 5, "", "blue", wanted=True)))
    entries.append(("other thing", tokens.thing((9, -5), 5, "", "grey")))
    entries.append(("inside, not seen yet", tokens.thing((9, -5), 5, "", "blue", hidden=True)))
    if state.closed:
        entries.append(("closed to the robot of this colour", tokens.no_entry((9, -5), 7.5, palette.GREY)))
    return entries


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Path):
        return shape._replace(points=tuple((px + dx, py + dy) for px, py in shape.points))
    return shape._replace(x=shape.x + dx, y=shape.y + dy)
