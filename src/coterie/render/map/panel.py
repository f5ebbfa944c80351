"""The words around the map: title, goal, progress, roster, sections, timeline, news and legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from coterie.render import palette, symbols
from coterie.render.describe import Agent, FloorPlan, Frame, Item, Pin, Row, Section
from coterie.render.labels import Area, shorten, width, wrap
from coterie.render.map.floor import LEAF, UNSEEN, hatch, token
from coterie.render.map.layout import LEAST_WORDS, MARGIN, PANEL, TIME_ROW, Sheet
from coterie.render.map.team import body, pin_sign
from coterie.render.shapes import Box, Path, Shape, Text, line, moved

BAR_W, ROW_H, WORDS = 130.0, 14.0, 10.5
SMALLEST = 9.0  # of the letters of a line that is to fit
TONES = {"good": palette.GOOD, "bad": palette.BAD, "grey": palette.GREY, "news": palette.NEWS}
Entry = tuple[str, list[Shape]]


def header(plan: FloorPlan, frame: Frame, sheet: Sheet) -> Iterator[Shape]:
    x, right = MARGIN, sheet.width - MARGIN
    yield Text(x, 34, plan.title, 20, palette.INK, bold=True)
    used = width(plan.title, 20, True) + 16
    room = right - x - used - width(frame.when, 14, True) - 20
    size = min(12.5, max(SMALLEST, 12.5 * room / max(width(plan.subtitle, 12.5), 1.0)))
    yield Text(x + used, 34, shorten(plan.subtitle, size, room), size, palette.GREY)
    yield Text(right, 34, frame.when, 14, palette.INK, "end", bold=True)
    yield Text(x, 57, "Goal", 12.5, palette.GREY)
    rows = wrap(frame.goal, 12.5, right - x - 46, 2)
    for i, row in enumerate(rows):
        yield Text(x + 46, 57 + 16 * i, row, 12.5, palette.INK)
    y = 81.0 if len(rows) < 2 else 94.0
    for bar, (left, end) in zip(frame.bars, ((x, sheet.panel_x - 20), (sheet.panel_x, right))):
        end = right if len(frame.bars) == 1 else end
        yield Text(left, y, bar.name, 12.5, palette.GREY)
        yield Box(left + 46, y - 10, BAR_W, 11, palette.RULE, radius=5.5)
        if bar.share > 0:
            yield Box(left + 46, y - 10, max(11.0, BAR_W * min(bar.share, 1.0)), 11, palette.GOOD, radius=5.5)
        yield Text(left + 56 + BAR_W, y, f"{round(100 * bar.share)} %", 12.5, palette.INK, bold=True)
        words = shorten(bar.words, 12.5, end - left - 110 - BAR_W)
        yield Text(left + 110 + BAR_W, y, words, 12.5, palette.INK)


# -- the roster ---------------------------------------------------------------------------------------------------
def roster(frame: Frame, sheet: Sheet) -> Iterator[Shape]:
    for i, agent in enumerate(frame.agents):
        yield from _card(agent, sheet.card(i))


def _card(agent: Agent, box: Area) -> Iterator[Shape]:
    """Sign, name and body of a robot; where it is, what it does, and as much of the note as fits."""
    hue = agent.colour if agent.online else palette.FAINT
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    yield Box(box.x, box.y + 8, 4, box.h - 16, hue, radius=2)
    r = 11.0 if agent.mobility == "fixed" else 13.0
    yield from body(agent, (box.x + 31, box.y + 31), r, hue, math.pi / 4)
    x, room = box.x + 60, box.w - 72
    yield Text(x, box.y + 21, agent.name, 13.5, hue, bold=True)
    used = width(agent.name, 13.5, True) + 8
    yield Text(x + used, box.y + 21, shorten(agent.body, 11, room - used), 11, palette.GREY)
    y = box.y + 37
    if agent.where:
        yield Text(x, y, shorten(agent.where, 11.5, room), 11.5, palette.INK if agent.online else palette.GREY)
        y += 16
    if agent.doing:
        words = shorten(agent.doing, 11.5, room - 20, bold=True)
        yield Text(x, y, words, 11.5, palette.INK, bold=True)
        yield from symbols.tick((x + width(words, 11.5, True) + 8, y - 4), agent.status)
        y += 15
    failed = bool(agent.doing) and agent.status not in ("", "done")
    for row in wrap(agent.note, WORDS, room, int((box.y + box.h - y - 3) // 13) + 1):
        yield Text(x, y, row, WORDS, palette.BAD if failed else palette.GREY if agent.doing else palette.INK)
        y += 13


# -- sections -----------------------------------------------------------------------------------------------------
def sections(frame: Frame, box: Area) -> Iterator[Shape]:
    """Each section with its last rows: as many lines of each as there is room for, down to two."""
    filled = [s for s in frame.sections if s.rows]
    if not filled or box.h < 60:
        return
    filled = filled[: max(1, int((box.h - 47) // 68))]  # one that is read before several that are not
    yield Box(*box, palette.CARD, palette.RULE, 1.0, 8)
    colours = {a.name: a.colour for a in frame.agents}
    y = box.y + 21
    for i, section in enumerate(filled):
        left = len(filled) - i - 1
        lines = int((box.y + box.h - 8 - y - 18 - left * 50) // ROW_H) + 1
        if lines < 1:
            return
        yield Text(box.x + 14, y, section.title, 12, palette.INK, bold=True)
        y += 17
        for row, words in fitting(section, box.w - 62, lines):
            yield from _row(row, words, box.x, y, colours)
            y += ROW_H * (len(words) + bool(row.note))
        y += 10


def height(frame: Frame) -> float:
    """The height of all sections of a frame [px]."""
    rows = [(len(wrap(r.text, WORDS, PANEL - 62, 6)) + bool(r.note)) * ROW_H for s in frame.sections for r in s.rows]
    return max(LEAST_WORDS, sum(rows) + 27.0 * sum(bool(s.rows) for s in frame.sections) + 16) if rows else 0.0


def fitting(section: Section, room: float, lines: int) -> list[tuple[Row, list[str]]]:
    """As many of the last rows as fit: all in full if possible, else shortened, else without the first ones."""
    for most in (lines, 6, 4, 3, 2):
        found: list[tuple[Row, list[str]]] = []
        left, whole = lines, True
        for row in reversed(section.rows):
            words = wrap(row.text, WORDS, room, max(1, min(most, left - bool(row.note))))
            left -= len(words) + bool(row.note)
            if left < 0:
                whole = False
                break
            whole = whole and not words[-1].endswith("…") if words else whole
            found.append((row, words))
        if whole:
            break
    return found[::-1]


def _row(row: Row, words: Sequence[str], x: float, y: float, colours: dict[str, str]) -> Iterator[Shape]:
    hue, ink = colours.get(row.agent, palette.INK), TONES.get(row.tone, palette.INK)
    left = x + (48 if row.lead else 40 if row.number or row.item else 14)
    if row.number:
        yield from pin_sign(Pin((0, 0), row.agent, "put", str(row.number)), (x + 26, y - 3), hue)
    elif row.item is not None:
        yield from token(row.item, (x + 26, y - 3.5), 3.6)
    elif row.lead:
        yield Text(x + 38, y, row.lead, WORDS, palette.FAINT, "end")
    for i, text in enumerate(words):
        named = i == 0 and not row.number and bool(row.agent) and text.startswith(row.agent)
        indent = 0.0
        if named:
            yield Text(left, y, row.agent, WORDS, hue, bold=True)
            indent = width(row.agent, WORDS, True)
        rest = text[len(row.agent) :] if named else text
        yield Text(left + indent, y + ROW_H * i, rest, WORDS, palette.INK if row.note else ink)
    if row.note:
        yield Text(left, y + ROW_H * len(words), shorten(row.note, WORDS, x + PANEL - 12 - left), WORDS, ink)


# -- the timeline -------------------------------------------------------------------------------------------------
def timeline(frame: Frame, sheet: Sheet) -> Iterator[Shape]:
    """Actions of each robot over time, and moments that matter."""
    if not frame.spans:
        return
    top, left, wide = sheet.times_y, MARGIN + 70, sheet.width - 2 * MARGIN - 80
    last = max(*(s.end for s in frame.spans), *(m.at for m in frame.marks), 1.0)
    rows, hue = [a.name for a in frame.agents], {a.name: a.colour for a in frame.agents}
    for i, name in enumerate(rows):
        y = top + 12 + TIME_ROW * i
        yield Text(MARGIN, y + 4, name, 10.5, palette.INK, bold=True)
        yield line((left, y), (left + wide, y), palette.RULE)
    for span in frame.spans:
        if span.agent in hue:
            x, w = left + wide * span.begin / last, max(1.5, wide * (span.end - span.begin) / last - 1)
            y = top + 4 + TIME_ROW * rows.index(span.agent)
            yield Box(x, y, w, 16, palette.BAD if span.failed else hue[span.agent], "", 0.0, 2.0)
            if w > width(span.words, 8) + 6:
                yield Text(x + w / 2, y + 11, span.words, 8, palette.PAPER, "middle")
    low = top + TIME_ROW * len(rows) + 6
    for mark in frame.marks:
        x = left + wide * mark.at / last
        yield line((x, top), (x, low), TONES.get(mark.tone, palette.GREY), 1.2, (3.0, 2.0))
    yield Text(left, low + 14, "0:00", 9.5, palette.GREY)
    yield Text(left + wide, low + 14, f"{int(last) // 60}:{int(last) % 60:02d}", 9.5, palette.GREY, "end")
    yield Text(left + wide / 2, low + 14, frame.marked, 9.5, palette.GREY, "middle")


# -- news and legend ----------------------------------------------------------------------------------------------
def footer(plan: FloorPlan, frame: Frame, sheet: Sheet) -> Iterator[Shape]:
    y, across = sheet.footer_y, sheet.width - 2 * MARGIN
    if frame.news:
        if frame.fresh:
            yield Box(MARGIN, y - 3, across, 24, palette.NEWS_GROUND, palette.NEWS, 1.2, 6)
        text = shorten(frame.news, 12.5, across - 24, frame.fresh)
        ink = palette.NEWS if frame.fresh else palette.GREY
        yield Text(MARGIN + 10, y + 13.5, text, 12.5, ink, bold=frame.fresh)
    entries = list(legend(plan, frame))
    gap = min(16.0, (across - sum(25 + width(words, 11) for words, _ in entries)) / max(1, len(entries) - 1))
    x = MARGIN + 2
    for words, shapes in entries:
        yield from (moved(s, x, y + 42) for s in shapes)
        yield Text(x + 25, y + 42, words, 11, palette.GREY)
        x += 25 + width(words, 11) + gap


def legend(plan: FloorPlan, frame: Frame) -> Iterator[Entry]:
    """Only the signs that may occur in this episode."""
    a, looks = Area(0, -11, 18, 13), {f.look for f in plan.fixtures}
    if frame.cells is not None:
        yield "not seen by anybody", [Box(*a, palette.mix("#fbf6ea", "#6c6f7d", 0.6))]
        yield "furniture nobody saw", [Box(*a, UNSEEN[0], UNSEEN[1], 1.1, 1)]
    if "container" in looks:
        yield "closed container", [Box(*a, palette.METAL, palette.METAL_EDGE, 2.0, 3)]
        yield "open container", [Box(*a, palette.INSIDE, palette.METAL_EDGE, 2.0, 3)]
    elif frame.shut:
        yield "closed door", [Box(0, -7, 18, 4, LEAF)]
    if "high" in looks:
        fill, edge = palette.LOOKS["high"]
        yield "high place", [Box(*a, fill), *hatch(a, edge, 5), Box(*a, "", edge, 1.4, 2)]
    if any(i.wanted for i in frame.items) or any(g.held and g.held.wanted for g in frame.agents):
        yield plan.wanted, token(Item("", (0, 0), "", "blue", wanted=True), (9, -5), 5)
    if frame.items:
        yield "other thing", token(Item("", (0, 0), "", "grey"), (9, -5), 5)
    if frame.cells is not None or "container" in looks:
        yield "not seen yet", token(Item("", (0, 0), "", "blue", hidden=True), (9, -5), 5)
    if frame.barriers:
        yield "closed to the robot of this colour", symbols.no_entry((9, -5), 7.5, palette.GREY)
    if any(t.loaded for t in frame.trails):
        ends = ((0.0, -5.0), (18.0, -5.0))
        yield "carrying", [Path(ends, stroke=palette.GOLD, width=6.5), Path(ends, stroke="#2f6bd8", width=2)]
    for kind in dict.fromkeys(p.kind for p in frame.pins):
        yield _PINS[kind], pin_sign(Pin((0, 0), "", kind, "1"), (9, -5), palette.GREY)


_PINS = {"start": "set out", "stop": "stops, in order", "take": "taken", "put": "laid down"}
