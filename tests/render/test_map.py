"""Descriptions: whatever is in one is in its picture, its page and its film, and it goes through JSON unchanged."""

from dataclasses import replace

import pytest

from coterie.log.fold import state_at, states
from coterie.log.state import Said
from coterie.render.describe import (
    Agent,
    Bar,
    Barrier,
    Cells,
    Door,
    Fixture,
    FloorPlan,
    Frame,
    Item,
    Pin,
    Region,
    Row,
    Section,
    Span,
    Trail,
)  # fmt: skip
from coterie.render.files import MOST_SHOTS
from coterie.render.map.draw import draw, sheet_for, stages
from coterie.render.map.film import count, shots, under_way
from coterie.render.map.panel import fitting, header
from coterie.render.map.terminal import DOT, UNSEEN, letters
from coterie.render.pictures import MOST_FRAMES, Pictures, film_steps
from coterie.render.shapes import Bitmap, Drawing, Text
from coterie.render.states import base, talk

ROOM = ((0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0))
TABLE = ((1.0, 1.0), (3.0, 1.0), (3.0, 2.0), (1.0, 2.0))
TRAY = ((1.8, 1.3), (2.2, 1.3), (2.2, 1.6), (1.8, 1.6))
PLAN = FloorPlan(
    "a task in a room",
    "seed 1",
    (Region("hall", ROOM, "kitchen", "the hall", "room_1"),),
    ((*ROOM, ROOM[0]),),
    (Door("gate", (2.0, 4.0), (3.0, 4.0)),),
    (
        Fixture("bench", TABLE, named=True, label="the work table", stands=((2.0, 0.6),)),
        Fixture("tray", TRAY, "tray", on="bench"),
        Fixture("chest", ((4.0, 3.0), (5.0, 3.0), (5.0, 3.6), (4.0, 3.6)), "container", label="a chest"),
    ),
    inset="bench",
)
CUP, PEN = Item("cup_0", (5.0, 1.0), "cup", label="cup_0", wanted=True), Item("pen_0", (2.0, 1.4), "pen", place="tray")
BOB = Agent("Bob", "#dd7420", (1.2, 1.8), mobility="fixed", arm=True, held=Item("nut_0", (0, 0), "nut"))
EVA = Agent("Eva", "#2f6bd8", (4.0, 1.0), 0.0, view_deg=90.0, doing="go(chest)", status="done", note="It is near.")
FRAME = Frame(
    3,
    "step 3 of 9",
    "Bring the cup.",
    (Bar("Done", 0.25, "a quarter"),),
    (CUP, replace(PEN, label="pen_0")),
    (BOB, EVA),
    (Trail("Eva", ((3.5, 0.5), (4.0, 1.0)), 1),),
    (Pin((4.0, 1.0), "Eva", "stop", "1"),),
    (Barrier("Eva", "chest"),),
    frozenset({"gate", "chest"}),
    frozenset({"chest"}),
    cells=Cells((0.0, 0.0), 2.0, ("#6c6f7d96",), ("  a", "aa ")),
    sections=(Section("Said lately", (Row("Eva to all: Hello.", "Eva", lead="2"),)),),
    news="Step 3: The gate is closed.",
    fresh=True,
)


def words(shapes) -> set[str]:
    return {s.text for s in shapes if isinstance(s, Text)}


def test_all_that_is_described_is_drawn():
    drawn = words(draw(PLAN, FRAME).shapes)
    shown = {"a task in a room", "step 3 of 9", "Bring the cup.", "a quarter", "the hall", "room_1", "bench", "chest"}
    shown |= {"cup_0", "pen_0", "nut_0", "Bob", "Eva", "go(chest)", "It is near.", "1", "Said lately", "the work table"}
    shown |= {"tray", "Step 3: The gate is closed.", "target", "closed container", "closed to the robot of this colour"}
    assert shown - {"chest"} <= drawn, shown - drawn
    assert "chest" in words(draw(PLAN, replace(FRAME, named=frozenset({"chest"}))).shapes)


def test_a_timeline_names_what_there_is_room_for():
    spans = (
        Span("Eva", 0.0, 50.0, "go"),
        Span("Eva", 50.0, 51.0, "a very long word"),
        Span("Bob", 10.0, 60.0, "pick", True),
    )
    drawn = draw(PLAN, replace(FRAME, spans=spans, marked="dashed: the end"))
    assert {"go", "pick", "1:00", "dashed: the end"} <= words(drawn.shapes) and "a very long word" not in words(
        drawn.shapes
    )
    assert drawn.height > draw(PLAN, FRAME).height


def test_a_page_moves_signs_and_keeps_names_where_they_are():
    went = replace(EVA, at=(3.5, 2.5), path=((4.0, 1.0), (4.0, 2.5), (3.5, 2.5)))
    first, second = stages(PLAN, [FRAME, replace(FRAME, agents=(BOB, went))])
    assert first.area == second.area and first.over == second.over and first.signs["Bob"] == second.signs["Bob"]
    assert first.signs["Eva"].at != second.signs["Eva"].at and len(second.signs["Eva"].path) == 3
    assert {"bench", "cup_0", "the hall"} <= words(first.over) and {"Eva"} <= words(first.signs["Eva"].shapes)
    assert any(isinstance(s, Bitmap) for s in first.under), "cells"
    moved = next(stages(PLAN, [replace(FRAME, items=(replace(CUP, at=(0.5, 3.0)),))]))
    assert moved.over != first.over


def test_what_a_robot_holds_is_told_within_the_map():
    long = replace(CUP, name="a cup with a name that is much too long")
    (stage,) = stages(PLAN, [replace(FRAME, agents=(replace(EVA, at=(0.2, 1.0), held=long),), items=())])
    sign = stage.signs["Eva"]
    (label,) = (s for s in sign.shapes if isinstance(s, Text) and s.text == long.name)
    assert sign.at[0] + label.x > stage.area.x


def test_while_a_step_goes_on_hands_are_as_they_were():
    took = replace(EVA, at=(5.0, 1.2), held=CUP, doing="pick(cup_0)", said="Got it.", where="at the cup")
    after = replace(FRAME, step=4, when="step 4", agents=(BOB, took), items=(FRAME.items[1],))
    during = under_way(FRAME, after)
    eva = during.agents[1]
    assert (eva.doing, eva.status, eva.held, eva.said, eva.at) == ("pick(cup_0)", "", None, "", EVA.at)
    assert CUP in during.items and during.when == "step 4"
    vanished = under_way(
        after, replace(after, agents=(BOB, replace(took, online=False, at=None, held=None)), items=(CUP,))
    )
    assert CUP in vanished.items, "what a vanished robot held has dropped by now"


@pytest.mark.parametrize("times", [2, 30, 60, 120])
def test_a_film_has_at_most_so_many_pictures(times):
    there = replace(FRAME, agents=(BOB, replace(EVA, at=(3.5, 2.5))))
    frames = [FRAME, there] * (times // 2)
    plan = replace(PLAN, inset="", fixtures=())
    shown = list(shots(plan, frames, sheet_for(plan, frames)))
    assert times <= len(shown) == count(frames) <= MOST_SHOTS
    assert (len(shown) > times) == (times <= 60), "where there is room, robots move"
    assert len({d.height for d, _, _ in shown}) == 1
    assert sum(ms for *_, ms in shown) < 60_000


def test_a_film_of_a_long_episode_keeps_what_was_carried(log):
    events = log(task="tidy", scene="rooms:3", level="3", seed=3, protocol="expert")
    carried = {s.step for s in states(events) if any(r.holding for r in s.robots.values())}
    steps = film_steps(events)
    assert len(steps) <= 2 * MOST_FRAMES and steps & carried and min(steps) == -1


def test_letters_fill_up():
    lines = letters(PLAN, FRAME, 40, 10)
    assert len(lines) <= 10 and {sum(len(t) for t, *_ in line) for line in lines} == {30}
    runs = [run for line in lines for run in line]
    assert {"B", "E", DOT} <= {text for text, *_ in runs}
    assert any(UNSEEN in run for run in runs)
    assert not any(UNSEEN in run for line in letters(PLAN, replace(FRAME, cells=None), 40, 10) for run in line)


def test_sections_show_the_last_rows_in_full_if_they_can():
    long = "One word leads to another. " * 12
    (alone,) = fitting(Section("", (Row(long),)), 300, 9)
    assert len(alone[1]) > 3
    rows = fitting(Section("", tuple(Row(f"Number {k}: {long}") for k in range(9))), 300, 9)
    assert rows[-1][1][0].startswith("Number 8") and sum(len(r) for _, r in rows) <= 9 and len(rows) > 1


def test_what_was_said_again_is_told_once(log):
    state = state_at(log())
    state.talk = [
        ("Bob", Said(1, ("Alice",), "Hi.")),
        ("Bob", Said(2, ("Lucy",), "Hi.")),
        ("Lucy", Said(2, ("Bob",), "Yes.")),
    ]
    assert [(r.text, r.lead) for r in talk(state).rows] == [("Bob to all: Hi.", "2"), ("Lucy to Bob: Yes.", "2")]


@pytest.mark.parametrize(
    ("card", "stands"),
    [
        ({"about": "a wheeled base", "skills": ["navigate"]}, "wheels"),
        ({"about": "a helper on four legs", "skills": ["goto"]}, "legs"),
        ({"about": "a post with eyes", "skills": ["wait"]}, ""),
        ({}, "wheels"),
    ],
)
def test_a_body_stands_on_what_its_card_says(card, stands):
    assert base(card) == stands


class Sketches(Pictures):
    """A world whose pictures are no maps."""

    def draw(self, state):
        page = Drawing(90, 60, title="a sketch")
        page.add(Text(5, 20, f"step {state.step}"))
        return page


def test_a_world_may_draw_shapes_of_its_own(log, tmp_path):
    events = [e for e in log() if e.step < 3]
    assert "step 1" in Sketches().picture(events, tmp_path / "a.svg", 1).read_text()
    assert "step 2" in Sketches().overview(events, tmp_path / "b.svg").read_text()
    assert Sketches().gif(events, tmp_path / "c.gif").stat().st_size > 100
    shown = list(Sketches().stages(states(events)))
    assert [words(s.under) for s in shown] == [{f"step {n}"} for n in range(-1, 3)]


def test_settings_that_are_long_are_written_smaller():
    def line(words):
        shapes = header(replace(PLAN, subtitle=words), FRAME, sheet_for(PLAN, [FRAME]))
        return next(s for s in shapes if isinstance(s, Text) and s.text.startswith("seed 1"))

    short, long = line("seed 1"), line("seed 1" + "x" * 300)
    assert (short.size, long.size) == (12.5, 9.0) and long.text.endswith("…")
    fitting = long.text[: int(0.85 * len(long.text))]
    assert line(fitting).text == fitting and 9.0 < line(fitting).size < 12.5
