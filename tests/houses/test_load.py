"""Houses from ProcTHOR's JSON: what is read, what is mended and told, what is refused in a sentence."""

from __future__ import annotations

import gzip
import json
import math
from copy import deepcopy
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from coterie.core.errors import CoterieError
from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR
from coterie.houses.names import house as by_name
from coterie.houses.placement import assets, kinds
from coterie.houses.procthor import load
from coterie.houses.procthor.furnish import guessed
from coterie.houses.procthor.load import house_from, load_house
from tests.worlds.household.plans import corners, door, thing, two_rooms, wall

DIVIDER = wall(2, (4, 4), (4, 0)), wall(3, (4, 0), (4, 4))


def test_rooms_doors_furniture_and_things():
    house = house_from(two_rooms())
    assert [(r.name, r.kind) for r in house.rooms] == [("kitchen_0", "Kitchen"), ("bathroom_0", "Bathroom")]
    counter, toilet = house.furniture
    assert (counter.name, counter.kind, counter.room) == ("counter_top_0", "CounterTop", "kitchen_0")
    assert counter.yaw_deg == 180 and counter.receptacle and counter.surface_m == pytest.approx(0.937)
    assert toilet.room == "bathroom_0"
    (mug,) = house.things
    assert (mug.name, mug.on, mug.mass_kg) == ("mug_0", "counter_top_0", 1.0)
    assert house.start == (2.0, 2.0) and house.notes == ()


def test_a_hole_counts_from_the_first_corner_of_its_wall():
    """The wall runs from y=4 down to y=0, so that 0.5 to 1.5 m along it is y from 2.5 to 3.5."""
    data = two_rooms()
    data["doors"] = [door("room|2", "room|3", *DIVIDER, 0.5, 1.5)]
    (found,) = house_from(data).doors
    assert found.rooms == ("kitchen_0", "bathroom_0") and found.open
    assert sorted((found.a, found.b)) == [(4.0, 2.5), (4.0, 3.5)]


def test_a_wall_of_two_rooms_stands_once_and_not_where_the_door_is():
    house = house_from(two_rooms())
    divider = sorted(sorted((w.a, w.b)) for w in house.walls if w.a[0] == w.b[0] == 4.0)
    assert divider == [[(4.0, 0.0), (4.0, 1.5)], [(4.0, 2.5), (4.0, 4.0)]]


def test_an_empty_wall_is_an_open_passage():
    data = two_rooms()
    data["doors"] = []
    for one in data["walls"]:
        one["empty"] = one["id"] in {w["id"] for w in DIVIDER}
    house = house_from(data)
    assert not [w for w in house.walls if w.a[0] == w.b[0] == 4.0]
    (passage,) = house.doors
    assert set(passage.rooms) == {"kitchen_0", "bathroom_0"} and passage.open
    assert math.dist(passage.a, passage.b) == pytest.approx(4.0)


def test_an_l_shaped_counter_is_two_and_its_things_lie_on_the_right_one():
    data = two_rooms()
    counter = thing("Countertop_L_6x6", "CounterTop|2|0", 1.0, 3.0, 0.469, turn=180)
    # Turned by 180 degrees its back is at y=3.9 and its side leg at low x.
    counter["children"] = [thing("Mug_1", "a", 1.5, 3.6, 0.99), thing("Apple_1", "b", 0.4, 2.3, 1.0)]
    data["objects"] = [counter]
    house = house_from(data)
    back, side = house.furniture
    assert back.size[:2] == (1.829, 0.61) and side.size[0] == 0.61
    assert back.centre[1] > 3.5 and side.centre[0] < 0.5
    assert {t.kind: t.on for t in house.things} == {"Mug": back.name, "Apple": side.name}


def test_angles_of_the_file_run_clockwise():
    """Turned by 90 degrees a counter looks along x: its back at low x, its side leg, at its own right, at low y."""
    data = two_rooms()
    data["objects"] = [thing("Countertop_L_6x6", "c", 2.0, 2.0, 0.469, turn=90)]
    back, side = house_from(data).furniture
    assert back.yaw_deg == 270 and back.centre[0] < 1.5 < 1.9 < back.centre[1]
    assert side.centre[1] < 1.5 < 1.9 < side.centre[0]


def test_a_tipped_thing_lies_and_things_stay_on_top_of_the_floor():
    data = two_rooms()
    bat = thing("BaseballBat_1", "bat", 2.0, 1.0, -0.3) | {"rotation": {"x": 90, "y": 0, "z": 0}}
    data["objects"].append(bat)
    (lying,) = [t for t in house_from(data).things if t.on == FLOOR]
    assert lying.spot[2] == 0.0 and lying.size[2] < 0.2 < lying.size[1]


# -- mended and told --------------------------------------------------------------------------------------------------
NARROW = [{"x": 1.8, "y": 0}, {"x": 2.23, "y": 2}]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["objects"].append(thing("Zeppelin_9", "Zeppelin|2|9", 1, 1, 1)), "unknown asset 'Zeppelin_9'"),
        (lambda d: d["objects"].append(thing("Mug_999", "x", 1, 1, 0.1)), "taken for a usual Mug"),
        (lambda d: d["objects"].append(thing("", "Mug|surface|2|0", 1, 1, 0.1)), "taken for a usual Mug"),
        (lambda d: d["objects"].append(thing("Sofa_203_1", "far", 50, 50, 0.4)), "('far') stands in no room"),
        (lambda d: d["doors"].append(door("room|2", "room|9", *DIVIDER, 0, 1)), "there is no room 'room|9'"),
        (lambda d: d["doors"].append(door("room|2", "room|3", *DIVIDER, 3.9, 4.9)), "less than 0.3 m wide"),
        (lambda d: d["doors"].append(door("room|2", "room|3", {"id": "gone"}, DIVIDER[1], 0, 1)), "not there ('gone')"),
        (lambda d: d["rooms"][0].update(roomType="Cellar"), "'Cellar', which no table knows"),
        (lambda d: d.update(doors=[], objects=[]), "bathroom_0 cannot be reached: no open door leads there"),
        (lambda d: d.update(doors=[d["doors"][0] | {"holePolygon": NARROW}], objects=[]), "has room for one of 0.2 m"),
        (lambda d: d["doors"][0].update(openness=0), "door_0 was closed and the only way"),
        (lambda d: d["objects"].append(thing("Wall_Decor_Painting_1", "p", 1, 0.05, 1.5)), "1 of kind Painting hang"),
    ],
)
def test_oddities_are_told(change: Any, words: str):
    data = two_rooms()
    change(data)
    told = house_from(data).notes
    assert len(told) == 1 and words in told[0], told
    assert all(found.open for found in house_from(data).doors)


def test_a_closed_door_stays_closed_where_there_is_another():
    data = two_rooms()
    data["doors"].append(door("room|2", "room|3", *DIVIDER, 0.1, 1.0, openness=0))
    house = house_from(data)
    assert [d.open for d in house.doors] == [True, False] and house.notes == ()


def test_a_fridge_in_the_doorway_is_taken_out_and_an_apple_with_it():
    data = two_rooms()
    fridge = thing("Fridge_1", "f", 4.0, 2.0, 0.9) | {"children": [thing("Apple_1", "a", 4.0, 2.0, 1.0)]}
    chair = thing("Chair_007_1", "c", 3.2, 2.9, 0.45)  # near, but in nobody's way
    data["objects"] += [fridge, chair]
    house = house_from(data)
    assert not [p for p in house.furniture if p.kind == "Fridge"] and not [t for t in house.things if t.kind == "Apple"]
    assert [p for p in house.furniture if p.kind == "Chair"]
    assert house.notes == ("fridge_0 stood in the only way into a room; it is left out, and with it apple_0.",)
    floor = floor_of(house)
    assert {floor.room_at((1, 1)), floor.room_at((6, 2))} == {"kitchen_0", "bathroom_0"}


# -- refused ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["rooms"][1].pop("floorPolygon"), "rooms[1] ('room|3') needs a `floorPolygon`"),
        (lambda d: d["rooms"][1].update(floorPolygon=corners((0, 0), (1, 0))), "of three corners or more, not 2"),
        (lambda d: d["rooms"][1].update(floorPolygon=corners((0, 0), (1, 0), (2, 0))), "less than 0.5 square"),
        (lambda d: d["rooms"][1].update(id="room|2"), "has the id of another room"),
        (lambda d: d.pop("rooms"), "has no rooms"),
        (lambda d: d.update(rooms=[3]), "rooms[0] should be a JSON object, not 3"),
        (lambda d: d.update(objects={}), "`objects` {}; that should be a list"),
        (lambda d: d["objects"][0]["position"].update(x=math.nan), "objects[0].position has `x` nan"),
        (lambda d: d["objects"][0]["children"][0]["position"].update(z="3"), "children[0].position has `z` '3'"),
        (lambda d: d["walls"][0]["polygon"][1].update(z=math.inf), "polygon[1] has `z` inf"),
        (lambda d: d["doors"][0].pop("holePolygon"), "doors[0] ('door|2|3') needs a `holePolygon`"),
        (lambda d: d["rooms"][1]["floorPolygon"][2].update(x=9000), "square metres are taken"),
        (lambda d: d["metadata"]["agent"].update(position={"x": None, "z": 1}), "agent.position has `x` None"),
    ],
)
def test_what_cannot_be_a_house_is_refused_in_a_sentence(change: Any, words: str):
    data = two_rooms()
    change(data)
    with pytest.raises(CoterieError) as err:
        house_from(data)
    assert words in str(err.value) and str(err.value).endswith(".")


def test_two_hundred_rooms_load():
    rows, columns = 10, 20
    rooms, walls, doors = [], [], []
    for i in range(rows * columns):
        x, y = 3.0 * (i % columns), 3.0 * (i // columns)
        rooms.append({"id": f"room|{i}", "roomType": "Bedroom"})
        points = [(x, y), (x, y + 3), (x + 3, y + 3), (x + 3, y)]
        rooms[-1]["floorPolygon"] = corners(*points)
        walls += [wall(i, points[k], points[(k + 1) % 4]) for k in range(4)]
        if i % columns:
            doors.append(door(f"room|{i - 1}", f"room|{i}", walls[4 * (i - 1) + 2], walls[4 * i], 1, 2))
        if i >= columns and i % columns == 0:
            doors.append(door(f"room|{i - columns}", f"room|{i}", walls[4 * (i - columns) + 1], walls[4 * i + 3], 1, 2))
    house = house_from({"rooms": rooms, "walls": walls, "doors": doors})
    assert len(house.rooms) == 200 and house.notes == ()
    with pytest.raises(CoterieError, match="has 301 members in `rooms`; at most 300 are taken"):
        house_from({"rooms": rooms[:1] * 301})


# -- files ------------------------------------------------------------------------------------------------------------
def test_one_house_of_many(tmp_path: Path):
    second = two_rooms()
    second["objects"] = []
    many = tmp_path / "many.jsonl.gz"
    many.write_bytes(gzip.compress("\n".join(json.dumps(h) for h in (two_rooms(), second)).encode()))
    assert load_house(f"{many}#0").furniture and not load_house(f"{many}#1").furniture
    assert by_name(f"{many}#1").name == "many_1"
    for name, words in ((f"{many}#2", "has 2 houses, counted from 0"), (str(many), "up to '#1'"), (f"{many}#x", "#x")):
        with pytest.raises(CoterieError, match=words):
            load_house(name)
    one = tmp_path / "one.json"
    one.write_text(json.dumps(second))
    assert load_house(one).name == "one"
    with pytest.raises(CoterieError, match="leave out '#0'"):
        load_house(f"{one}#0")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.json", b"{", "is no JSON"),
        ("b.json", b"[" * 100_000, "nested too deep"),
        ("c.jsonl.gz", b"\x1f\x8bnonsense", "Cannot unpack"),
        ("d.json", b"", "is no JSON"),
        ("e.json", b"\xff\xfe\x00", "is no JSON"),
        ("f.json", b"[]", "should be a JSON object"),
    ],
)
def test_files_that_hold_no_house(tmp_path: Path, name: str, content: bytes, words: str):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CoterieError, match=words):
        load_house(tmp_path / name)


def test_files_that_are_too_large(tmp_path: Path):
    """Fifty megabytes, plain, and packed into a few kilobytes."""
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(CoterieError, match=r"larger than 20 MB"):
        load_house(large)
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(b" " * (load.MOST_HOUSE + 10), 1))
    with pytest.raises(CoterieError, match=r"larger than 20 MB"):
        load_house(f"{packed}#0")
    with pytest.raises(CoterieError, match="There is no house"):
        load_house(tmp_path / "missing.json")


def test_names_of_houses():
    assert by_name("rooms:1:3").name == "rooms:1:3"
    for name, words in (
        ("fla", "No house 'fla'.*or one of bungalow, flat"),
        ("rooms:99:1", "1 to 10 rooms, not of 99"),
        ("rooms:2:x", "No house"),
    ):
        with pytest.raises(CoterieError, match=words):
            by_name(name)


ODD: list[Any] = [None, True, -1, 1e9, math.nan, "", "x" * 300, "room|2", [], [[]], {}, [None], {"x": 1}, 10**30]


@settings(max_examples=25)
@given(st.data())
def test_whatever_a_file_holds_it_loads_or_is_refused_in_a_sentence(data: st.DataObject):
    """One to three members of a good house are gone, or replaced with something odd."""
    house = two_rooms()
    for _ in range(data.draw(st.integers(1, 3))):
        at: Any = house
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and data.draw(st.booleans()):
                at = at[key]
                continue
            if data.draw(st.booleans()):
                at[key] = deepcopy(data.draw(st.sampled_from(ODD)))
            elif isinstance(at, dict):
                del at[key]
            break
    try:
        found = house_from(house)
    except CoterieError as err:
        assert str(err).endswith(".") and len(str(err)) < 500
    else:
        assert found.rooms and all(told.endswith(".") for told in found.notes)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("peach", ""),
        ("Bedside_Lamp_1", ""),
        ("Bed_Lamp_1", ""),
        ("beds", ""),
        ("ObjaDresser", "Dresser"),
        ("Dining_Table_Oak_7", "DiningTable"),
        ("Countertop_L_8x10", "CounterTop"),
        ("RoboTHOR_desk_lamp_v", "DeskLamp"),
        ("TV_Stand_201_5", "TVStand"),
        ("ToiletPaper_2", "ToiletPaper"),
        ("Bathtub_Faucet_1", "Faucet"),
        ("Bed27", "Bed"),
        ("Potato", "Potato"),
        ("3bed7f9acup", ""),  # hashes
        ("bed0cafe12345678bed0cafe12345678", ""),
        ("8c1e5eb0-2feb-4bed-cd12-bed15e736859", ""),
        ("", ""),
    ],
)
def test_the_kind_of_an_unknown_asset_is_what_whole_words_of_its_name_say(name, kind):
    assert guessed(name) == kind


def test_words_of_names_agree_with_the_table_of_assets():
    known = {asset: kind for asset, (kind, _) in assets().items() if kind in kinds()}
    wrong = [asset for asset, kind in known.items() if guessed(asset) not in ("", kind)]
    right = sum(guessed(asset) == kind for asset, kind in known.items())
    assert len(wrong) <= 2 and right > 0.95 * len(known), wrong


def test_the_file_names_the_kind_of_an_asset_that_nobody_knows():
    def kinds_of(**more: str) -> list[str]:
        data = two_rooms()
        data["objects"] = [{**thing("Cup_Bed_9", "small|4|1", 1, 1, 0.1), **more}]
        house = house_from(data)
        return [x.kind for x in (*house.furniture, *house.things)]

    assert kinds_of() == ["Bed"]
    assert kinds_of(objectType="Dresser") == ["Dresser"]
    assert kinds_of(object_name="mug-0") == ["Mug"]
    assert kinds_of(id="Sofa|2|1") == ["Sofa"]
    assert kinds_of(objectType="Peach") == []  # what the file says is not guessed at
