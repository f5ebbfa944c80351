import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.view import gif, overview, picture, raster
from coterie.view.draw import draw
from coterie.view.journey import draw_overview
from coterie.view.labels import Area
from coterie.view.shapes import Text
from coterie.view.state import frames, state_at
from coterie.view.svg import to_svg
from coterie.view.text import width

SCENES = ("flat", "loft", "bungalow", "real", "house:17")
SVG = "{http://www.w3.org/2000/svg}"


def words_of(svg: str) -> list[str]:
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_with_the_names_of_robots_rooms_and_furniture(log, scene):
    state = state_at(log(scene=scene, protocol="rules"), 2)
    for words in (words_of(to_svg(draw(state))), words_of(to_svg(draw_overview(state)))):
        assert set(state.robots) <= set(words)
        assert {f["name"] for f in state.start["scene"]["furniture"]} <= set(words)
        assert {r[0].replace("_", " ") for r in state.start["scene"]["rooms"]} <= set(words)
        assert state.goal_text in " ".join(words)


@pytest.mark.parametrize("task", ["pack-objects", "sort-solids", "make-sandwich"])
@pytest.mark.parametrize("scene", SCENES)
def test_words_stay_on_the_page_and_apart(log, scene, task):
    drawing = draw(frames(log(scene=scene, task=task))[0])
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
    words = words_of(to_svg(draw(state)))
    assert any("<script>" in w for w in words)
    raster.to_image(draw(state))


def test_a_picture_is_written_as_its_suffix_says(log, tmp_path):
    events = log()
    svg = picture(events, tmp_path / "new" / "a.svg", step=2)
    assert "step 2 of" in svg.read_text(encoding="utf-8")
    png = overview(events, tmp_path / "b.png")
    with Image.open(png) as image:
        assert image.format == "PNG" and image.width > 1500
    with pytest.raises(CoterieError, match=r"must end in \.svg or \.png"):
        picture(events, tmp_path / "a.bmp")


def test_the_same_log_gives_the_same_picture(log):
    events = log()
    assert to_svg(draw(state_at(events, 3))) == to_svg(draw(state_at(events, 3)))


def test_a_film_moves_and_keeps_its_size(log, tmp_path):
    events = [e for e in log(changes=("anc@2:UAV",), team="Ma-MoMa") if e.step < 4]
    with Image.open(gif(events, tmp_path / "film.gif")) as image:
        assert image.format == "GIF" and image.n_frames > 6
        assert image.width > 900
    with pytest.raises(CoterieError, match=r"must end in \.gif"):
        gif(events, tmp_path / "film.png")


def test_without_pillow_svg_works_and_the_others_say_what_to_install(log, tmp_path, monkeypatch):
    monkeypatch.setattr(raster.importlib.util, "find_spec", lambda name: None)
    events = log()
    assert picture(events, tmp_path / "a.svg").is_file()
    for make, name in ((picture, "a.png"), (gif, "a.gif")):
        with pytest.raises(CoterieError, match=r"pip install 'coterie\[plots\]'"):
            make(events, tmp_path / name)


def test_a_place_that_cannot_be_written_is_a_sentence(log, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CoterieError, match="Cannot write the picture"):
        picture(log(), tmp_path / "file" / "a.svg")


def test_a_log_without_a_house_is_a_sentence(log, tmp_path):
    start = log()[0]
    bare = start._replace(data={k: v for k, v in start.data.items() if k not in ("scene", "robots")})
    with pytest.raises(CoterieError, match="describes no house"):
        picture([bare], tmp_path / "a.svg")
