"""Pictures of houses are drawn from logs alone, and tell what was so."""

import io
import re

import numpy as np
import pytest
from PIL import Image

from coterie.cli import main
from coterie.cli.live import board
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.episode.play import play
from coterie.log.file import read_log
from coterie.log.fold import state_at, states
from coterie.render.shapes import Bitmap, Drawing
from coterie.render.svg import to_png, to_svg
from coterie.worlds.household.perception import Eye, camera_of
from coterie.worlds.household.perception.rendered import Rendered
from coterie.worlds.household.pictures import HouseholdPictures, eyes
from coterie.worlds.household.pictures.beside import belief_of, draw_beside
from coterie.worlds.household.pictures.plan import Plan
from coterie.worlds.household.pictures.views import Story


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A short episode in which things are carried, its world and beliefs at the end, and its log."""
    path = tmp_path_factory.mktemp("house") / "tidy.jsonl"
    kept = {}
    config = Config("tidy", protocol="expert", scene="rooms:3", level="3", seed=3)
    done = play(config, path, watch=lambda episode: kept.update(episode=episode))
    return done, kept["episode"], path


@pytest.fixture(scope="module")
def events(played):
    return read_log(played[2])


@pytest.fixture(scope="module")
def last(events):
    return state_at(events)


# -- what is read from logs -------------------------------------------------------------------------------------------
def test_the_house_of_a_log_is_the_house(played, last):
    truth, plan = played[1].world.truth, Plan.of(last.start)
    house = truth.house
    assert [r.kind for r in plan.house.rooms] == [r.kind for r in house.rooms]
    assert len(plan.house.walls) == len(house.walls) and len(plan.house.furniture) == len(house.furniture)
    for mine, its in zip(plan.house.furniture, house.furniture):
        assert mine.name == its.name and mine.kind == its.kind
        assert np.allclose(mine.corners, its.corners, atol=0.02)
        assert mine.base_m + mine.size[2] == pytest.approx(its.base_m + its.size[2], abs=0.02)


def told(plan, moments):
    story = None
    for state in moments:
        story = story.follow(state) if story is not None else Story.begun(plan, state)
    return story


def test_what_belongs_where_is_judged_as_the_world_does(played, last):
    world, plan = played[1].world, Plan.of(last.start)
    for name, thing in last.things.items():
        assert plan.tidy(name, thing.place, thing.spot) == world.truth.get("tidy", name), name
    story = told(plan, states(read_log(played[2])))
    assert sorted(story.misplaced) == sorted(world.setting.misplaced)
    right = 1 - len(story.still_misplaced(plan, last)) / len(story.misplaced)
    assert right == pytest.approx(played[0].result.partial)


def test_the_story_tells_what_was_carried(played, events, last):
    plan = Plan.of(last.start)
    story = told(plan, states(events))
    takes = [e for e in events if e.kind == "did" and e.data["skill"] == "PickUp"]
    puts = [e for e in events if e.kind == "did" and e.data["skill"] == "PutDown"]
    assert len(takes) == len(story.carried) >= 3
    for one in story.carried:
        (take,) = [e for e in takes if e.data["args"][0] == one.thing]
        put = next(e for e in puts if e.who == one.robot and e.step > take.step)
        assert (one.robot, one.taken, one.put) == (take.who, take.step, put.step)
        assert one.place == plan.house.thing[one.thing].on and one.to == put.data["args"][0]
        assert story.right(plan, one) is True
    taken = story.carried[0].taken
    half = told(plan, (s for s in states(events) if s.step <= taken))
    assert [c.put for c in half.carried] == [None] and story.carried[0].put is not None


def test_what_is_to_stay_lies_right(events, last):
    plan = Plan.of(last.start)
    story = told(plan, states(events))
    one = story.carried[-1]
    one.to, one.there = "floor", (0.0, 0.0, 0.0)
    assert story.right(plan, one) is False
    last.true["keep", one.thing] = one.there
    try:
        assert story.follow(last).right(plan, one) is True
    finally:
        del last.true["keep", one.thing]


def test_what_was_seen_is_what_robots_know(played, last):
    episode, plan = played[1], Plan.of(last.start)
    low, _ = plan.ground
    seen = plan.seen(last)
    known = np.zeros_like(seen)
    for view in episode.views.values():
        area = view.belief.area
        for row, column in zip(*np.nonzero(area.cells)):
            r, c = row + area.low[1] - low[1], column + area.low[0] - low[0]
            if 0 <= r < seen.shape[0] and 0 <= c < seen.shape[1]:
                known[r, c] = True
    assert np.array_equal(seen, known) and 0 < known.sum() < known.size


def test_a_belief_can_be_read_from_its_log(played, last):
    for name, view in played[1].views.items():
        mine = belief_of(last.robots[name])
        for pred in ("where", "spot", "box", "kind", "in_room", "pose"):
            theirs = {f.args: f.value for f in view.belief.facts(pred) if f.value is not UNKNOWN}
            assert {f.args: f.value for f in mine.facts(pred)} == theirs, (name, pred)
        assert mine.area.patch() == view.belief.area.patch()


def test_the_camera_shows_what_the_camera_sees(played, last):
    """The picture is made from the log, what is detected from the house: the same furniture is in it."""
    truth, plan = played[1].world.truth, Plan.of(last.start)
    for name, robot in last.robots.items():
        image = eyes.photograph(last, plan, name, {}, pixels=300)
        seen = Rendered(truth.house).look(
            truth.scene, Eye(*truth.facts["pose", name]), camera_of(truth.cards[name]), name
        )
        shown = set(eyes.detected(image, set(plan.house.piece)))
        assert len(shown ^ set(seen.pieces)) <= 1, (name, shown ^ set(seen.pieces))
        assert eyes.camera(robot.card) == camera_of(truth.cards[name])


# -- drawings ---------------------------------------------------------------------------------------------------------
def test_the_whole_episode_in_one_picture(events, last, tmp_path):
    path = HouseholdPictures().overview(events, tmp_path / "all.svg")
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)<", path.read_text()))
    story = told(Plan.of(last.start), states(events))
    for name in (*last.robots, *(c.thing for c in story.carried), "What was carried", "room_1", "done, "):
        assert name in words, name
    for one in story.carried:
        assert f"{one.thing}, by {one.robot}, steps {one.taken} to {one.put}" in words
    assert words.count("✓") == len(story.carried)


def test_one_step_shows_what_was_so_then(events, last, tmp_path):
    plan = Plan.of(last.start)
    one = told(plan, states(events)).carried[0]
    drawn = HouseholdPictures().picture(events, tmp_path / "step.svg", one.taken).read_text()
    assert f"{one.thing}, by {one.robot}, since step {one.taken}" in drawn and "still in the hand" in drawn
    (frame,) = HouseholdPictures().frames(states(events), lambda s: s.step == one.taken)
    (held,) = [a.held.name for a in frame.agents if a.held is not None]
    assert held == one.thing and plan.seen(state_at(events, one.taken)).sum() < plan.seen(last).sum()
    assert frame.busy and {p.kind for p in frame.pins} == {"take"}


def test_what_a_robot_sees_beside_what_it_believes(events, tmp_path):
    path = HouseholdPictures().beside(events, tmp_path / "eyes.png", "Bob", 10)
    pixels = np.asarray(Image.open(path).convert("L"))
    assert len(np.unique(pixels)) > 60, "a picture, not a blank"


def test_the_picture_knows_no_more_than_the_robot(events):
    """What a robot has not heard of is not in the part that shows its belief."""
    state = state_at(events, 0)
    plan = Plan.of(state.start)
    words = {s.text for s in draw_beside(state, plan, "Bob").shapes if hasattr(s, "text")}
    unknown = set(plan.house.thing) - {f.args[0] for f in belief_of(state.robots["Bob"]).facts("where")}
    assert unknown and not words & unknown


@pytest.mark.long
def test_a_film(events, tmp_path):
    begun = [e for e in events if e.step < 2]
    path = HouseholdPictures().gif(begun, tmp_path / "film.gif")
    film = Image.open(path)
    assert film.n_frames >= 3, "before the first step, after each, and on the way"
    first = np.asarray(film.convert("RGB"), int)
    film.seek(film.n_frames - 1)
    assert np.abs(np.asarray(film.convert("RGB"), int) - first).sum() > 1e5


def test_from_the_command_line(played, tmp_path, capsys):
    out = tmp_path / "bob.svg"
    assert main(["replay", str(played[2]), "--step", "4", "--robot", "Bob", "--picture", str(out)]) == 0
    assert "What Bob believes" in out.read_text()


def test_the_house_in_a_terminal(last, events):
    lines = HouseholdPictures().glimpse(last, 60, 12)
    widths = {sum(len(text) for text, *_ in line) for line in lines}
    assert len(lines) <= 12 and len(widths) == 1 and widths.pop() <= 60
    letters = "".join(text for line in lines for text, *_ in line)
    assert {"A", "B", "C"} <= set(letters)
    before = HouseholdPictures().glimpse(state_at(events, 0), 60, 12)
    unseen = [sum(len(t) for line in some for t, *c in line if "#54565f" in c) for some in (before, lines)]
    assert unseen[0] > unseen[1], "it fills up"
    assert board(last, {}, 118, 40) is not None


def test_a_log_without_a_house_is_told(events):
    first = events[0]._replace(data={**events[0].data, "scene": {"name": "nowhere"}})
    with pytest.raises(CoterieError, match="describes no house"):
        HouseholdPictures().draw(state_at([first, *events[1:3]]))


# -- bitmaps ----------------------------------------------------------------------------------------------------------
def test_bitmaps_are_written_as_they_are():
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 4), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(to_png(pixels)))), pixels)
    drawing = Drawing(20, 20)
    drawing.add(Bitmap(1, 2, 10, 14, pixels))
    assert 'x="1" y="2" width="10" height="14"' in to_svg(drawing) and "pixelated" in to_svg(drawing)
