import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.log.fold import frames, state_at
from coterie.log.state import Said
from coterie.render import palette, raster
from coterie.render.labels import Area
from coterie.render.shapes import Disc, Text
from coterie.render.svg import to_svg
from coterie.render.text import width
from coterie.worlds.indoor.pictures import HousePictures, film, panel, team
from coterie.worlds.indoor.pictures.draw import draw, new_page
from coterie.worlds.indoor.pictures.journey import draw_overview
from coterie.worlds.indoor.pictures.layout import MARGIN, PANEL, WIDTH

SCENES = ("flat", "loft", "bungalow", "real", "house:17")
BODY, PANEL_X = palette.BODIES["air"], WIDTH - MARGIN - PANEL
SVG = "{http://www.w3.org/2000/svg}"


def words_of(svg: str) -> list[str]:
    return ["".join(t.itertext()) for t in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_drawn_with_the_names_of_robots_rooms_and_furniture(log, scene):
    state = state_at(log(scene=scene, protocol="rules"), 2)
    for words in (words_of(to_svg(draw(state))), words_of(to_svg(draw_overview(state)))):
        assert set(state.robots) <= set(words)
        assert {f["name"] for f in state.start.scene["furniture"]} <= set(words)
        assert {r[0].replace("_", " ") for r in state.start.scene["rooms"]} <= set(words)
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
    svg = HousePictures().picture(events, tmp_path / "new" / "a.svg", step=2)
    assert "step 2 of" in svg.read_text(encoding="utf-8")
    png = HousePictures().overview(events, tmp_path / "b.png")
    with Image.open(png) as image:
        assert image.format == "PNG" and image.width > 1500
    with pytest.raises(CoterieError, match=r"must end in \.svg or \.png"):
        HousePictures().picture(events, tmp_path / "a.bmp")


def test_the_same_log_gives_the_same_picture(log):
    events = log()
    assert to_svg(draw(state_at(events, 3))) == to_svg(draw(state_at(events, 3)))


def test_the_names_of_furniture_lie_above_robots_and_below_their_tags(log):
    state = state_at(log(protocol="rules"), 2)
    for drawing in (draw(state), draw_overview(state)):
        on_map = [s.text for s in drawing.shapes if isinstance(s, Text) and s.halo == palette.PAPER]
        names = [f["name"] for f in state.start.scene["furniture"]]
        assert set(names) <= set(on_map)
        first = next(i for i, s in enumerate(drawing.shapes) if isinstance(s, Text) and s.text in names and s.halo)
        discs = [i for i, s in enumerate(drawing.shapes) if isinstance(s, Disc) and s.fill == BODY and i > first]
        assert all(drawing.shapes[i].x > PANEL_X for i in discs)  # bodies only in the roster come later


def test_the_legend_of_an_overview_explains_ways_and_other_pictures_do_not(log):
    state = state_at(log())
    way = {"where it set out", "where it stopped, in order"}
    drawn, whole = draw(state), draw_overview(state)
    assert way <= set(words_of(to_svg(whole))) and not way & set(words_of(to_svg(drawn)))
    right = max(t.x + width(t.text, t.size) for t in whole.shapes if isinstance(t, Text) and t.text in way)
    assert right < whole.width


def test_what_was_said_fills_its_box(log):
    state = state_at(log(protocol="rules"))
    whole = {said.text for _, said in state.talk}
    state.talk = [("Bob", Said(0, ("all",), "One word leads to another. " * 12))]
    words = " ".join(t.text for t in panel.lately(state, new_page(state), team.colours(state)) if isinstance(t, Text))
    assert whole and words.count("another.") > 6  # more than three lines, as nothing else was said
    state.talk = [("Bob", Said(k, ("all",), f"Number {k}: " + "and on " * 40)) for k in range(9)]
    rows = [t for t in panel.lately(state, new_page(state), team.colours(state)) if isinstance(t, Text)]
    assert any("Number 8" in t.text for t in rows) and max(t.y for t in rows) <= new_page(state).footer_y - 14


def test_settings_that_are_not_usual_are_in_the_title(log):
    state = state_at(log(guard=True, level="hard", noise="slip=0.1"), 2)
    (detail,) = [w for w in words_of(to_svg(draw(state))) if w.startswith("team ")]
    assert detail.endswith("seed 4 · level hard · noise slip=0.1 · guard on")


def test_the_words_of_a_film_keep_in_step(log, monkeypatch):
    drawings = []
    monkeypatch.setattr(film, "to_image", lambda drawing, scale, onto=None: drawings.append(drawing) or Blank())
    states = frames(log())
    list(film._shoot(states, *film._stage(states)))
    last = [s.text for s in drawings[-1].shapes if isinstance(s, Text)]
    assert f"done, {states[-1].end.steps} steps" in " ".join(last)
    scene, moving = states[0].start.scene, 0
    for drawing in drawings:
        words = [s.text for s in drawing.shapes if isinstance(s, Text)]
        if any(w.startswith(("step ", "before", "done")) for w in words) or not words:
            continue  # not a layer with the team on its way
        for name, _, (x0, y0, x1, y1) in scene["rooms"]:
            told = f"in the {name.replace('_', ' ')}"
            m = new_page(states[-1]).map
            (left, top), (right, bottom) = m.at((x0, y1)), m.at((x1, y0))
            signs = [s for s in drawing.shapes if isinstance(s, Disc) and s.x < right + 99 and s.r > 15]
            inside = any(left - 40 <= s.x <= right + 40 and top - 40 <= s.y <= bottom + 40 for s in signs)
            assert inside or told not in words
            moving += told in words
    assert moving > 10


class Blank:
    def copy(self):
        return self


def test_a_film_of_a_long_episode_has_no_more_pictures_than_others(log, monkeypatch):
    monkeypatch.setattr(film, "to_image", lambda drawing, scale, onto=None: Blank())
    events = log(protocol="random-legal")
    whole, few = frames(events), frames(events, 5)
    assert len(few) == 5 < len(whole)
    assert (few[0].step, few[-1].step) == (whole[0].step, whole[-1].step)
    for times, most in ((1, 240), (2, 240), (4, 240)):  # first there are fewer on the way, then none
        assert len(list(film._shoot(whole * times, *film._stage(whole)))) <= most


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


def test_a_place_that_cannot_be_written_is_a_sentence(log, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CoterieError, match="Cannot write the picture"):
        HousePictures().picture(log(), tmp_path / "file" / "a.svg")


def test_a_log_without_a_house_is_a_sentence(log, tmp_path):
    start = log()[0]
    bare = start._replace(data={k: v for k, v in start.data.items() if k not in ("scene", "robots")})
    with pytest.raises(CoterieError, match="describes no house"):
        HousePictures().picture([bare], tmp_path / "a.svg")
