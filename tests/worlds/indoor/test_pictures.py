import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from PIL import Image

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.log.fold import state_at, states
from coterie.render import raster
from coterie.render.labels import Area, width
from coterie.render.map.film import along
from coterie.render.shapes import Text
from coterie.render.svg import to_svg
from coterie.worlds.indoor.pictures import HousePictures, Routes

SCENES = ("flat", "real", "house:17")
SVG = "{http://www.w3.org/2000/svg}"


def draw(state):
    return HousePictures().draw(state)


def words_of(svg: str) -> list[str]:
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_with_the_names_of_robots_rooms_and_furniture(log, scene, tmp_path):
    events = log(scene=scene, protocol="rules")
    state = state_at(events, 2)
    overview = HousePictures().overview(events, tmp_path / "all.svg").read_text(encoding="utf-8")
    for words in (words_of(to_svg(draw(state))), words_of(overview)):
        assert set(state.robots) <= set(words)
        assert {f["name"] for f in state.start.scene["furniture"]} <= set(words)
        assert {r[0].replace("_", " ") for r in state.start.scene["rooms"]} <= set(words)
        assert state.goal_text in " ".join(words)


@pytest.mark.parametrize("scene", SCENES)
def test_words_stay_on_the_page_and_apart(log, scene):
    task = ("pack-objects", "sort-solids", "make-sandwich")[SCENES.index(scene) % 3]
    drawing = draw(next(states(log(scene=scene, task=task))))
    areas = []
    for t in (s for s in drawing.shapes if isinstance(s, Text)):
        w = width(t.text, t.size, t.bold)
        x = t.x - {"start": 0.0, "middle": w / 2, "end": w}[t.anchor]
        area = Area(x, t.y - 0.7 * t.size, w, 0.7 * t.size)
        assert area.x >= 0 and area.x + area.w <= drawing.width and 0 <= area.y <= drawing.height, t
        areas.append((t, area))
    for i, (t, a) in enumerate(areas):
        for u, b in areas[:i]:
            assert a.covers(b) < 0.2 * min(a.w * a.h, b.w * b.h), (t.text, u.text)


@pytest.mark.parametrize("change, team", [("irz@2", "Ma-MoMa-UAV"), ("anc@2:UAV", "Ma-MoMa"), ("rec@2", "Ma-MoMa-UAV")])
def test_changes_are_in_the_picture(log, change, team):
    state = state_at(log(changes=(change,), team=team), 2)
    assert any(w.startswith("Step 2: ") for w in words_of(to_svg(draw(state))))


def test_what_is_said_is_in_the_picture_and_cannot_break_it(log):
    events = list(log())
    evil = "<script>&\x00\ud800 ]]> </svg> " + "and on " * 80
    said = Event(99, 0, 0.0, "message", "Alice", {"to": ["Bob"], "text": evil, "facts": []})
    state = state_at([*events[:5], said])
    assert any("<script>" in w for w in words_of(to_svg(draw(state))))
    raster.to_image(draw(state))


def test_a_picture_is_written_as_its_suffix_says(log, tmp_path):
    events = log()
    svg = HousePictures().picture(events, tmp_path / "new" / "a.svg", step=2)
    assert "step 2 of" in svg.read_text(encoding="utf-8")
    with Image.open(HousePictures().overview(events, tmp_path / "b.png")) as image:
        assert image.format == "PNG" and image.width > 1500
    (tmp_path / "file").write_text("")
    start = events[0]
    bare = start._replace(data={k: v for k, v in start.data.items() if k not in ("scene", "robots")})
    for some, name, words in (
        (events, "a.bmp", r"must end in \.svg or \.png"),
        (events, "file/a.svg", "Cannot write the picture"),
        ([bare], "a.svg", "describes no house"),
    ):
        with pytest.raises(CoterieError, match=words):
            HousePictures().picture(some, tmp_path / name)


def test_frames_tell_where_robots_went_and_stopped(log):
    events = log(protocol="rules")
    pictures, state = HousePictures(), state_at(events)
    step, whole = pictures.frame(state), pictures.frame(state, whole=True)
    assert not step.pins and {p.kind for p in whole.pins} == {"start", "stop"}
    for name, robot in state.robots.items():
        numbers = [n for p in whole.pins if p.agent == name for n in p.words.split()]
        stops = 0 if robot.card["mobility"] == "fixed" else len(robot.stops)
        assert sorted(numbers, key=int) == [str(i) for i in range(1, stops + 1)]
    assert all(t.age < 3 for t in step.trails)


def test_paths_lead_through_doors_and_not_through_walls(log):
    state = state_at(log())
    scene = state.start.scene
    routes = Routes(scene)
    card = state.robots["Alice"].card
    stands = {f["name"]: tuple(f["stands"][0]) for f in scene["furniture"] if f["height_m"] < 1.6}
    for a, b in pairwise(sorted(stands)):
        path = routes.between(card, stands[a], stands[b])
        assert path[0] == stands[a] and path[-1] == stands[b]
        for k in range(51):
            x, y = along(path, k / 50)
            rooms = [r for _, _, r in scene["rooms"]]
            doors = [d[1] for d in scene["doors"]]
            inside = any(r[0] + 0.1 <= x <= r[2] - 0.1 and r[1] + 0.1 <= y <= r[3] - 0.1 for r in rooms)
            assert inside or any(d[0] <= x <= d[2] and d[1] <= y <= d[3] for d in doors)


def test_a_film_moves_and_keeps_its_size(log, tmp_path):
    events = [e for e in log(changes=("anc@2:UAV",), team="Ma-MoMa") if e.step < 4]
    with Image.open(HousePictures().gif(events, tmp_path / "film.gif")) as image:
        assert image.format == "GIF" and image.n_frames > 6
        assert image.width > 900
    with pytest.raises(CoterieError, match=r"must end in \.gif"):
        HousePictures().gif(events, tmp_path / "film.png")


def test_without_pillow_svg_works_and_the_others_say_what_to_install(log, tmp_path, monkeypatch):
    monkeypatch.setattr(raster.importlib.util, "find_spec", lambda name: None)
    events = log()
    assert HousePictures().picture(events, tmp_path / "a.svg").is_file()
    for make, name in ((HousePictures().picture, "a.png"), (HousePictures().gif, "a.gif")):
        with pytest.raises(CoterieError, match=r"pip install 'coterie\[plots\]'"):
            make(events, tmp_path / name)
