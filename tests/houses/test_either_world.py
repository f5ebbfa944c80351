"""One house for either world: tasks of the indoor world in ProcTHOR's format, tidying up in a house of one's own."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.houses.checks import WALKER
from coterie.houses.names import house, scene
from coterie.houses.placement import belongs
from coterie.houses.procthor.generate import generate
from coterie.houses.procthor.load import parse_house
from coterie.houses.stock import furniture_kind, stocked
from coterie.houses.work_table import scene_from

ROOT = Path(__file__).parents[2]
WORKSHOP = str(ROOT / "examples" / "workshop.toml")
HOME = generate(3, 17)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    path = tmp_path_factory.mktemp("house") / "home.json"
    path.write_text(json.dumps(HOME))
    return str(path)


@pytest.mark.parametrize("task", ["pack-objects", "sort-solids", "make-sandwich"])
def test_tasks_of_the_indoor_world_are_done_in_a_house_in_procthors_format(task, home, tmp_path):
    assert play(Config(task=task, scene=home, seed=1), tmp_path / "log").result.success


def test_all_that_can_be_used_is_reached_and_the_arm_stands_on_a_table(home):
    found = scene(home)
    rect, poses = found.piece[found.work.table].rect, [p for f in found.places for p in f.stands]
    for x, y in (found.work.arm, found.work.platform):
        assert rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]
    planner = found.nav(WALKER)
    assert all(f.stands for f in found.places) and all(planner.linked(poses[0], p) for p in poses)
    assert all(d.rooms[1] for d in found.doors) and {f.name for f in found.furniture if f.opens} == {"fridge_0"}


def test_a_house_without_a_table_says_what_a_work_table_is(tmp_path):
    tables = ("Table", "Desk", "Counter", "TVStand", "Dresser")
    bare = [o for o in HOME["objects"] if not any(word in o["id"] for word in tables)]
    (tmp_path / "bare.json").write_text(json.dumps({**HOME, "objects": bare}))
    with pytest.raises(CoterieError, match=r"'bare' has no work table, which pack-objects needs.*1 x 0.55 m or larger"):
        play(Config(task="pack-objects", scene=str(tmp_path / "bare.json")), tmp_path / "log")
    with pytest.raises(CoterieError, match="no furniture that a robot could stand at"):
        scene_from(parse_house({**HOME, "objects": []}))
    with pytest.raises(CoterieError, match="write rooms:6:SEED here"):
        scene("rooms:6")


@pytest.mark.parametrize("name", [WORKSHOP, "house:17"])
def test_a_house_of_ones_own_is_tidied_up(name, tmp_path):
    found = house(name)
    assert len(found.things) >= 12 and found.walls
    for thing in found.things:
        piece = found.piece[thing.on]
        assert belongs(thing.kind, piece.kind, found.room[piece.room].kind), thing
    config = Config(task="tidy", scene=name, level="1", seed=1, protocol="expert")
    assert play(config, tmp_path / "log").result.success


def test_what_the_table_does_not_know_is_noted_or_refused(tmp_path):
    notes = " ".join(house(WORKSHOP).notes)
    assert "store is a store room, which no table knows; it is taken for a LivingRoom." in notes
    assert "high_rack is 2 m high, above what robots reach here" in notes
    text = '[[room]]\nname = "shop"\nrect = [0, 0, 5, 4]\n[[furniture]]\nname = "kiln"\nrect = [2, 2, 3, 3]\n'
    (tmp_path / "shop.toml").write_text(text)
    with pytest.raises(CoterieError, match=r"no furniture that things belong on \(it has kiln\).*like DiningTable"):
        house(str(tmp_path / "shop.toml"))
    (tmp_path / "shop.toml").write_text(text.replace("kiln", "desk"))
    assert house(str(tmp_path / "shop.toml")).things, "a file that has changed is read again"


def test_walls_follow_from_the_rooms_and_leave_doors_open():
    flat = scene("flat")
    walls = stocked(flat).walls
    for door in flat.doors:
        inside = [w for w in walls if _on(w, door.at)]
        assert not inside, (door.name, inside)
    assert stocked(replace(flat, walls=walls)).walls == walls


def _on(wall, p):
    (ax, ay), (bx, by) = wall.a, wall.b
    across = abs((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax))
    return across < 1e-6 and min(ax, bx) <= p[0] <= max(ax, bx) and min(ay, by) <= p[1] <= max(ay, by)


@pytest.mark.parametrize(
    ("words", "kind"),
    [("dining table", "DiningTable"), ("kitchen_table", "DiningTable"), ("shoe rack", "ShelvingUnit"), ("kiln", "")],
)
def test_furniture_is_known_by_its_words(words, kind):
    assert furniture_kind(words) == kind
