"""The words around the map: title, goal, progress, roster, story and legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from coterie.houses.model import FLOOR
from coterie.log.state import BEGINNING, RobotState, State
from coterie.log.words import action_words, setting_words, task_name
from coterie.render import palette, tokens
from coterie.render.labels import Area
from coterie.render.shapes import Bitmap, Box, Disc, Path, Shape, Text
from coterie.render.text import shorten, width, wrap
from coterie.worlds.household.pictures import colours, team
from coterie.worlds.household.pictures.layout import MARGIN, MOST_BESIDE, Page
from coterie.worlds.household.pictures.plan import Plan, room_words
from coterie.worlds.household.pictures.story import Carried, Story


def when(state: State) -> str:
    if state.step == BEGINNING:
        return "before the first step"
    return f"step {state.step}" + (f" of {state.limit}" if state.limit else "")


def ending(state: State) -> str:
    if state.end is None:
        return f"not finished, {state.step + 1} steps"
    return f"{'done' if state.end.success else 'not done'}, {state.end.steps} steps"


def header(state: State, plan: Plan, page: Page, words: str, seen: float) -> Iterator[Shape]:
    config, x, right = state.start.config, MARGIN, page.width - MARGIN
    title = f"{task_name(state.start)} in {plan.house.name}"
    yield Text(x, 34, title, 20, palette.INK, bold=True)
    parts = [f"{len(plan.house.rooms)} rooms", f"protocol {config['protocol']}", f"seed {config['seed']}"]
    used = width(title, 20, True) + 16
    room = right - x - used - width(words, 14, True) - 20
    yield Text(x + used, 34, shorten("  ·  ".join([*parts, *setting_words(config)]), 12.5, room), 12.5, palette.GREY)
    yield Text(right, 34, words, 14, palette.INK, "end", bold=True)
    yield Text(x, 57, "Goal", 12.5, palette.GREY)
    yield Text(x + 46, 57, shorten(state.goal_text, 12.5, right - x - 46), 12.5, palette.INK)
    yield from _bar(
        x, 81, "Done", state.partial, palette.GOOD, shorten(state.status_text, 12.5, page.panel_x - x - 260)
    )
    yield from _bar(page.panel_x, 81, "Seen", seen, "#4f7fbf", "of the floor, by all")


def _bar(x: float, y: float, name: str, share: float, colour: str, words: str) -> Iterator[Shape]:
    w = 130.0
    yield Text(x, y, name, 12.5, palette.GREY)
    yield Box(x + 46, y - 10, w, 11, palette.RULE, radius=5.5)
    if share > 0:
        yield Box(x + 46, y - 10, max(11.0, w * min(share, 1.0)), 11, colour, radius=5.5)
    yield Text(x + 46 + w + 10, y, f"{round(100 * share)} %", 12.5, palette.INK, bold=True)
    yield Text(x + 46 + w + 64, y, words, 12.5, palette.INK)


# -- robots -----------------------------------------------------------------------------------------------------------
def roster(state: State, plan: Plan, page: Page, hue: Mapping[str, str], ended: bool = False) -> Iterator[Shape]:
    for i, robot in enumerate(list(state.robots.values())[:MOST_BESIDE]):
        box = page.card(i)
        yield from plate(robot, box, hue[robot.name])
        yield from _doing(robot, box, state, plan, ended)


def plate(robot: RobotState, box: Area, colour: str) -> Iterator[Shape]:
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    hue = colour if robot.online else palette.FAINT
    yield Box(box.x, box.y + 8, 4, box.h - 16, hue, radius=2)
    yield from tokens.robot((box.x + 29, box.y + 30), 12, dict(robot.card), hue, math.pi / 4)
    yield Text(box.x + 54, box.y + 20, robot.name, 13, hue, bold=True)
    about = shorten(body_words(robot), 10.5, box.w - 78 - width(robot.name, 13, True))
    yield Text(box.x + 54 + width(robot.name, 13, True) + 8, box.y + 20, about, 10.5, palette.GREY)


def body_words(robot: RobotState) -> str:
    card = robot.card
    parts = [f"camera at {card.get('camera_m') or 1.6:g} m"]
    parts.append(f"lifts {card['payload_kg']:g} kg" if card.get("payload_kg") else "no arm")
    return ", ".join(parts)


def _doing(robot: RobotState, box: Area, state: State, plan: Plan, ended: bool) -> Iterator[Shape]:
    x, room = box.x + 54, box.w - 66
    if not robot.online:
        yield Text(x, box.y + 37, f"gone since step {robot.left}", 11, palette.GREY)
        return
    here = plan.room_at(robot.pose) if robot.pose is not None else None
    parts = [f"in {here.name} ({room_words(here.kind)})"] if here is not None else []
    parts += [f"holds {robot.holding}"] if robot.holding else []
    parts += battery_words(robot, state)
    yield Text(x, box.y + 37, shorten(", ".join(parts), 11, room), 11, palette.INK)
    if ended:
        way = sum(math.dist(a, b) for (_, a), (_, b) in zip(robot.trail, robot.trail[1:]))
        said = sum(who == robot.name for who, _ in state.talk)
        deeds = f"went {way:.0f} m, knows of {len(robot.known)} things, sent {said} messages"
        yield Text(x, box.y + 53, shorten(deeds, 10.5, room), 10.5, palette.GREY)
        return
    act = robot.act
    if act is None:
        return
    words = shorten(action_words(act.skill, act.args), 11, room - 20, bold=True)
    yield Text(x, box.y + 53, words, 11, palette.INK, bold=True)
    yield from tokens.tick((x + width(words, 11, True) + 8, box.y + 49), act.status)
    failed = act.status not in ("", "done")
    note = act.reason if failed else act.why
    yield Text(x, box.y + 68, shorten(note, 10, room), 10, palette.BAD if failed else palette.GREY)


def battery_words(robot: RobotState, state: State) -> list[str]:
    left, whole = state.true.get(("battery", robot.name)), robot.card.get("battery_steps")
    if state.true.get(("stopped", robot.name)):
        return ["has stopped"]
    if left == 0:
        return ["battery flat"]
    return [f"battery {left} of {whole}"] if whole and left is not None else []


# -- the story --------------------------------------------------------------------------------------------------------
def story(told: Story, plan: Plan, state: State, box: Area, hue: Mapping[str, str]) -> Iterator[Shape]:
    """What was carried where, what still lies astray, and what was said last."""
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    y, end = box.y + 21, box.y + box.h - 8
    yield Text(box.x + 14, y, "What was carried", 12, palette.INK, bold=True)
    y += 18
    if not told.carried:
        yield Text(box.x + 14, y, "nothing", 10.5, palette.GREY)
        y += 15
    shown = _fitting(told.carried, end - y - 60)
    for i, one in enumerate(told.carried, 1):
        if i - 1 < len(told.carried) - shown:
            continue
        yield from team.number_sign((box.x + 22, y - 3), i, hue.get(one.robot, palette.INK), True)
        for row in _carried(one, told, plan, box.w - 52):
            yield Text(box.x + 38, y, row[0], 10.5, row[1])
            y += 14
        y += 3
    left = told.marked(plan, state)
    if left and y + 34 < end:
        y += 6
        title = "Looked for" if told.sought else "Astray" if state.end is None else "Still astray"
        yield Text(box.x + 14, y, title, 12, palette.INK, bold=True)
        y += 16
        for name in left:
            if y > end - 4:
                break
            thing = state.things[name]
            yield from tokens.thing((box.x + 22, y - 3.5), 3.6, thing.kind, thing.colour, True)
            words, ink = _whereabouts(name, told, plan, state)
            yield Text(box.x + 38, y, shorten(f"{name}: {words}", 10.5, box.w - 52), 10.5, ink)
            y += 15
    yield from _said(state, Area(box.x, y, box.w, end - y), hue)


def _whereabouts(name: str, told: Story, plan: Plan, state: State) -> tuple[str, str]:
    thing = state.things[name]
    place = f"in {thing.place}'s hand" if thing.place in state.robots else _short(thing.place, thing.spot, plan)
    if not told.sought:
        return place, palette.INK
    reported = state.true.get(("reported", name))
    if reported is None:
        return f"{place}, not reported", palette.GREY
    right = reported == thing.place
    return f"{place}, reported {'✓' if right else f'at {reported} ✗'}", palette.GOOD if right else palette.BAD


def _fitting(carried: Sequence[Carried], room: float) -> int:
    """How many of the last rows there is room for."""
    return max(1, min(len(carried), int(room // 31)))


def _carried(one: Carried, told: Story, plan: Plan, room: float) -> list[tuple[str, str]]:
    right = told.right(plan, one)
    steps = f"steps {one.taken} to {one.put}" if one.put is not None else f"since step {one.taken}"
    first = f"{one.thing}, by {one.robot}, {steps}"
    to = "still in the hand" if right is None else f"to {_short(one.to, one.there, plan)}"
    rows = [(shorten(first, 10.5, room), palette.INK)]
    good = {True: palette.GOOD, False: palette.BAD, None: palette.GREY}[right]
    sign = {True: " ✓", False: " ✗", None: ""}[right]
    rows.append((shorten(f"from {_short(one.place, one.spot, plan)} {to}", 10.5, room - 14) + sign, good))
    return rows


def _short(place: str, spot: Sequence[float], plan: Plan) -> str:
    room = plan.room_of(place, spot)
    return f"{'the floor' if place == FLOOR else place}{f' ({room_words(room.kind)})' if room is not None else ''}"


def _said(state: State, box: Area, hue: Mapping[str, str]) -> Iterator[Shape]:
    """The last words, as many as there is room for."""
    if not state.talk or box.h < 46:
        return
    y = box.y + 10
    yield Text(box.x + 14, y, "Said lately", 12, palette.INK, bold=True)
    rows: list[tuple[str, str, str]] = []
    once: dict[tuple[str, str], int] = {}  # the same words, to several or again and again, are told once
    for who, said in state.talk:
        once.pop((who, said.text), None)
        once[who, said.text] = said.step
    for (who, words), step in reversed(once.items()):
        lines = wrap(f"{who}: {words}", 10, box.w - 60, 2)
        if len(rows) + len(lines) > (box.h - 24) // 13:
            break
        rows = [*((who if k == 0 else "", str(step) if k == 0 else "", text) for k, text in enumerate(lines)), *rows]
    for who, at, text in rows:
        y += 13
        yield Text(box.x + 36, y, at, 9.5, palette.FAINT, "end")
        indent = 0.0
        if who:
            yield Text(box.x + 42, y, who, 10, hue.get(who, palette.INK), bold=True)
            indent = width(who, 10, True)
        yield Text(box.x + 42 + indent, y, text[len(who) :] if who else text, 10, palette.INK)


# -- the legend -------------------------------------------------------------------------------------------------------
Sign = tuple[str, list[Shape]]


def legend(page: Page, told: Story, whole: bool) -> Iterator[Shape]:
    fog = palette.mix("#fbf6ea", "#6c6f7d", 0.6)
    ring: list[Shape] = [Disc(9, -5, 7, "#ffffff", palette.GOLD, 2.4), Disc(9, -5, 4, "#d9534f")]
    grey: list[Shape] = [Box(0, -11, 18, 13, colours.UNSEEN, colours.UNSEEN_EDGE, 1.1, 1)]
    entries: list[Sign] = [
        ("not seen by anybody", [Box(0, -11, 18, 13, fog)]),
        ("furniture nobody saw", grey),
        ("thing", [Disc(9, -5, 3.2, "#3fa7c4", "#2c7589", 1.0)]),
        ("nobody saw it", [Disc(9, -5, 3.2, "#ffffff", "#3fa7c4", 1.2)]),
        ("looked for" if told.sought else "astray", ring),
    ]
    ends = ((0.0, -5.0), (18.0, -5.0))
    way: list[Shape] = [Path(ends, stroke=palette.GOLD, width=6.5), Path(ends, stroke="#2f6bd8", width=2)]
    entries.append(("carrying", way))
    if whole:
        entries.append(("set out", list(team.start_signs((9, -5), palette.GREY))))
    entries.append(("taken", team.number_sign((9, -5), 1, palette.GREY, False)))
    entries.append(("laid down", team.number_sign((9, -5), 1, palette.GREY, True)))
    x, y = MARGIN + 2, page.footer_y + 14
    for words, shapes in entries:
        yield from (_moved(s, x, y) for s in shapes)
        yield Text(x + 25, y, words, 11, palette.GREY)
        x += 25 + width(words, 11) + 16


def _moved(shape: Shape, dx: float, dy: float) -> Shape:
    if isinstance(shape, Path):
        return shape._replace(points=tuple((px + dx, py + dy) for px, py in shape.points))
    assert not isinstance(shape, Bitmap)
    return shape._replace(x=shape.x + dx, y=shape.y + dy)
