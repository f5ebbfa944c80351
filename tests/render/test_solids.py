import importlib.util
import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

mujoco = pytest.importorskip("mujoco")
pytest.importorskip("PIL")
from PIL import Image  # noqa: E402

from coterie.core.errors import CoterieError  # noqa: E402
from coterie.render.solids import notes  # noqa: E402
from coterie.render.solids.notes import Tag, _free_spot, write  # noqa: E402
from coterie.render.solids.solids import Camera, Solids, fit  # noqa: E402

RED, BLUE, GREEN = "0.9 0.1 0.1", "0.1 0.1 0.9", "0.1 0.8 0.1"
FRONT = Camera(azimuth=90, elevation=0, distance=2, lookat=(0, 0, 0), fovy=40)


def scene(geoms: str, **options):
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data, Solids(model, **{"width": 160, "height": 120, "camera": FRONT, **options})


def frame(geoms: str, **options) -> np.ndarray:
    _, data, picture = scene(geoms, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return picture.frame(data)


def hue(pixel) -> str:
    return "rgb"[int(np.argmax(pixel))] if int(max(pixel)) - int(min(pixel)) > 25 else "-"


def covered(picture: np.ndarray) -> np.ndarray:
    return np.abs(picture.astype(int) - picture[:, :1]).max(axis=2) > 6


def half_height(radius: float, height: int, distance: float = 2.0) -> float:
    """Of a sphere in the middle of the picture, in pixels."""
    return radius / math.sqrt(distance**2 - radius**2) / math.tan(math.radians(20)) * height / 2


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_near_box_hides_a_far_one_in_any_order(order):
    boxes = (
        f'<geom type="box" size=".1 .1 .1" pos="0 -.4 0" rgba="{RED} 1"/>',
        f'<geom type="box" size=".3 .1 .3" pos="0 .4 0" rgba="{BLUE} 1"/>',
    )
    picture = frame("".join(boxes[i] for i in order))
    assert hue(picture[60, 80]) == "r"
    assert hue(picture[60, 60]) == "b" and hue(picture[40, 80]) == "b"


def test_solids_that_pass_through_each_other_are_cut_where_they_meet():
    turned = f'<geom type="box" size=".3 .01 .1" euler="0 0 45" rgba="{RED} 1"/>'
    picture = frame(turned + f'<geom type="box" size=".3 .01 .1" euler="0 0 -45" rgba="{BLUE} 1"/>')
    assert hue(picture[60, 66]) != hue(picture[60, 94])


@pytest.mark.parametrize("radius", [0.02, 0.2, 0.5])
def test_the_silhouette_of_a_sphere_is_exact(radius):
    rows, cols = np.nonzero(
        covered(frame(f'<geom type="sphere" size="{radius}" rgba="{RED} 1"/>', width=320, height=240))
    )
    expected = half_height(radius, 240)
    for low, high, middle in ((rows.min(), rows.max(), 120), (cols.min(), cols.max(), 160)):
        assert abs(low - (middle - expected)) <= 1 and abs(high + 1 - (middle + expected)) <= 1
    assert len(rows) == pytest.approx(math.pi * expected**2, rel=0.02, abs=4 * expected)


@pytest.mark.parametrize(
    "same",
    [
        ('type="sphere" size=".2"', 'type="ellipsoid" size=".2 .2 .2"'),
        ('type="sphere" size=".2"', 'type="capsule" size=".2 .000001"'),
    ],
)
def test_the_same_solid_looks_the_same_whatever_it_is_called(same):
    one, other = (frame(f'<geom {words} rgba="{RED} 1" euler="20 30 40"/>') for words in same)
    assert np.abs(one.astype(int) - other).max() <= 2


def test_ends_of_cylinders_are_flat_and_of_capsules_round():
    lying = '<geom type="{}" size=".1 .2" euler="0 90 0" rgba="{} 1"/>'
    flat, round_ = (covered(frame(lying.format(kind, RED))) for kind in ("cylinder", "capsule"))
    assert flat[60].sum() < round_[60].sum()
    corner = np.flatnonzero(flat[60])[1]
    assert flat[53, corner] and not round_[53, np.flatnonzero(round_[60])[0]]
    standing = frame(f'<geom type="cylinder" size=".2 .1" rgba="{RED} 1"/>', camera=Camera(90, -89, 2, (0, 0, 0.1)))
    assert covered(standing)[60, 80]


def test_a_mesh_is_drawn_like_the_box_it_describes():
    corners = " ".join(f"{x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1))
    mesh = f'<mujoco><asset><mesh name="m" vertex="{corners}"/></asset><worldbody>'
    model = mujoco.MjModel.from_xml_string(
        f'{mesh}<geom type="mesh" mesh="m" rgba="{RED} 1" euler="10 20 30"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    drawn = covered(Solids(model, 160, 120, FRONT).frame(data))
    box = covered(frame(f'<geom type="box" size=".1 .1 .1" rgba="{RED} 1" euler="10 20 30"/>'))
    assert box.sum() > 100 and (drawn != box).sum() < 0.06 * box.sum()


def test_planes_end_or_go_on():
    low = Camera(90, -30, 2, (0, 0, 0))
    assert hue(frame(f'<geom type="plane" size="0 0 1" rgba="{GREEN} 1"/>', camera=low)[110, 4]) == "g"
    small = frame(f'<geom type="plane" size=".2 .2 1" rgba="{GREEN} 1"/>', camera=low)
    assert hue(small[60, 80]) == "g" and hue(small[110, 4]) == "-"


def test_light_falls_from_above_and_things_throw_shadows():
    floor = '<geom type="plane" size="0 0 1" rgba=".8 .8 .8 1"/>'
    box = f'<geom type="box" size=".1 .1 .1" pos="0 0 .1" rgba="{RED} 1"/>'
    high = Camera(90, -35, 2, (0, 0, 0.1))
    alone, both = frame(floor, camera=high), frame(floor + box, camera=high)
    column = both[:, 80, 0].astype(int)
    red = [i for i in range(120) if hue(both[i, 80]) == "r"]
    assert column[red[2]] > column[red[-3]] + 20  # the top is brighter than the side
    shaded = (alone.astype(int) - both)[:, :, 0] > 15
    assert (shaded & ~np.array([[hue(p) == "r" for p in row] for row in both])).sum() > 50


def test_translucent_geoms_are_blended_once_and_hide_nothing():
    wall = f'<geom type="box" size="2 .1 2" pos="0 1 0" rgba="{BLUE} 1"/>'
    glass = '<geom type="capsule" size=".2 .1" rgba="0.9 0.1 0.1 {}"/>'
    behind, through, solid = (frame(wall + g)[60, 80].astype(int) for g in ("", glass.format(0.5), glass.format(1)))
    assert np.abs(through - (behind + solid) / 2).max() <= 3
    hidden = frame(f'<geom type="box" size=".5 .1 .5" pos="0 -.5 0" rgba="{BLUE} 1"/>' + glass.format(0.5))
    assert hue(hidden[60, 80]) == "b" and hidden[60, 80, 0] < 80


def test_hidden_geoms_are_left_out():
    for words in ('group="3"', ""):
        alpha = 1 if words else 0
        picture = frame(f'<geom type="sphere" size=".3" {words} rgba="{RED} {alpha}"/>')
        assert not covered(picture).any()


def test_the_same_scene_gives_the_same_bytes_and_movement_shows():
    xml = (
        '<geom type="plane" size="0 0 1"/><geom type="box" size=".4 .4 .05"/>'
        f'<body name="b" pos="0 0 .2"><freejoint/><geom type="capsule" size=".05 .1" rgba="{RED} 1"/></body>'
    )
    model, data, picture = scene(xml, camera=Camera())
    first = picture.frame(data, "Round 1", {"b": "thing"})
    data.qpos[0] = 0.3
    mujoco.mj_kinematics(model, data)
    moved = picture.frame(data, "Round 1", {"b": "thing"})
    assert not np.array_equal(first, moved)
    data.qpos[0] = 0.0
    mujoco.mj_kinematics(model, data)
    again = picture.frame(data, "Round 1", {"b": "thing"})
    other = Solids(model, 160, 120, Camera()).frame(data, "Round 1", {"b": "thing"})
    assert first.tobytes() == again.tobytes() == other.tobytes()
    assert first.dtype == np.uint8 and first.shape == (120, 160, 3)
    model.geom_rgba[1] = (0.1, 0.9, 0.1, 1)  # a thing that stands still may change its colour
    assert not np.array_equal(picture.frame(data), other)


def test_an_eye_inside_or_before_solids_does_not_break_the_picture():
    for kind, size in (
        ("sphere", "3"),
        ("box", "3 3 3"),
        ("capsule", "3 1"),
        ("cylinder", "3 3"),
        ("ellipsoid", "3 3 3"),
    ):
        frame(f'<geom type="{kind}" size="{size}" rgba="{RED} 1"/>')
        frame(f'<geom type="{kind}" size="{size}" pos="0 -9 0" rgba="{RED} 1"/>')
    assert frame("").shape == (120, 160, 3)


def test_labels_and_captions_are_written_and_unknown_bodies_are_named():
    _, data, picture = scene(f'<body name="cup"><geom type="sphere" size=".1" rgba="{RED} 1"/></body>')
    plain = picture.frame(data)
    assert not np.array_equal(plain[:60], picture.frame(data, labels={"cup": "mug"})[:60])
    captioned = picture.frame(data, "Round 1\nAlice: wait")
    assert np.array_equal(plain[:60], captioned[:60]) and not np.array_equal(plain[90:], captioned[90:])
    with pytest.raises(CoterieError, match=r"No body 'cub'.*'cup'"):
        picture.frame(data, labels={"cub": "mug"})


@pytest.mark.parametrize("below", [0.0, 0.3])
def test_a_fitted_camera_sees_everything_and_leaves_room_below(below):
    model, data, _ = scene(
        f'<geom type="box" size=".6 .4 .05" rgba="{RED} 1"/><geom type="capsule" size=".05 .3" pos=".5 .3 .4"/>'
    )
    seen = covered(Solids(model, 160, 120, fit(model, data, 70, -30, 160 / 120, below)).frame(data))
    rows, cols = np.nonzero(seen)
    assert rows.min() > 0 and cols.min() > 0 and cols.max() < 159 and rows.max() < 119 - 120 * below + 3
    assert np.ptp(cols) > 120 or np.ptp(rows) > 80 * (1 - below)


def test_without_pillow_the_message_names_the_extra(monkeypatch):
    model, _, _ = scene("")
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "PIL" else found(name, *a))
    with pytest.raises(CoterieError, match=re.escape("pip install 'coterie[plots]'")):
        Solids(model)


# -- names -------------------------------------------------------------------------------------------------------------
@settings(max_examples=15)
@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200), st.sampled_from(["a", "bread", "cup"])), max_size=5))
def test_cards_do_not_cover_each_other(tags):
    taken = []
    for x, y, text in tags:
        half = 8.0 + 4 * len(text)
        u, v = notes._free_spot(x, y, half, (300, 200), taken)
        assert half <= u <= 300 - half and 17 <= v <= 200
        assert all(abs(u - a) >= half + h or abs(v - b) >= notes.CARD for a, b, h in taken)
        taken.append((u, v, half))


def test_names_keep_off_what_is_to_be_seen_and_a_line_leads_there():
    here = (80.0, 60.0, 20.0, (160.0, 120.0), [])
    area = (55.0, 20.0, 105.0, 100.0)
    assert _free_spot(*here) == (80.0, 60.0)
    x, y = _free_spot(*here, [area])
    assert x + 20 <= 55 or x - 20 >= 105 or y + 3 <= 20 or y - 14 >= 100
    assert _free_spot(*here, [(0.0, 0.0, 160.0, 120.0)]) == (80.0, 60.0), "where there is no room it covers something"
    paper = Image.new("RGB", (160, 120), "white")
    near, away = (np.asarray(write(paper.copy(), "", [Tag(80, 60, "a", (80, 60))], c)) for c in ([], [area]))
    assert (near[48:62, 72:88] < 255).any() and (away[57:63, 77:83] < 255).any(), "its foot is where it belongs"
    drawn = away[22:98, 57:103].min(axis=2) < 255
    assert 0 < drawn.sum() < 120, "nothing but a thin line lies on what is to be seen"


def test_the_line_of_a_name_leads_past_what_is_to_stay_clear():
    mine, other = (40.0, 60.0, 120.0, 100.0), (60.0, 44.0, 100.0, 58.0)
    here, foot = (80.0, 62.0, 20.0, (160.0, 120.0), [], [mine, other]), (80.0, 80.0)
    across, past = (notes._free_spot(*here, end) for end in (None, foot))
    crossed = [notes._crosses((x, y - notes.CARD / 2), foot, other) for x, y in (across, past)]
    assert crossed == [True, False]
    assert notes._free_spot(*here[:-1], [mine, (0.0, 44.0, 160.0, 58.0)], foot) == across, "unless there is no way past"


def test_names_keep_off_all_of_a_ball():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body name="ball"><geom size=".2"/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    view = Solids(model, 160, 120, Camera(lookat=(0.0, 0.0, 0.0)))
    left, top, right, low = view._area(data.xpos[1:], np.array([0.2]))
    assert right - left > 25 and low - top > 25
    bare = view._area(data.xpos[1:])
    assert bare[0] == bare[2] and left < bare[0] < right
