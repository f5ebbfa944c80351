"""Rooms of any shape: what lies in them, doors in slanting walls, and complaints that name the fix."""

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from coterie.bench.validate import validate
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.houses.toml import load_scene
from coterie.motion import polygons
from coterie.worlds.indoor.arms.surroundings import room_boxes
from coterie.worlds.indoor.bodies import robots

STUDIO = Path(__file__).parents[2] / "examples" / "studio.toml"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[8.0, 3.0], [3.5, 3.0], [3.5, 7.0], [0.0, 7.0]]", "[3.5, 7.0], [8.0, 7.0], [0.0, 3.0]]", ["crosses itself"]),
        ("[5.5, 7.0], [3.5, 7.0]]", "[6.5, 7.0], [3.5, 7.0]]", ["'den' and 'porch' overlap"]),
        ("[[0.0, 0.0], [8.0, 0.0], [8.0, 3.0]", "[[0.0, 0.0], [0.0, 0.0], [8.0, 3.0]", ["two corners in one place"]),
        ("polygon = [[8.0, 3.0], [11.0, 3.0]", "polygon = [[8.0, 3.0]]\nx = [[11.0, 3.0]", ["at least three"]),
        ("at = [6.75, 5.75]", "at = [6.5, 5.0]", ["porch_door", "does not lie in the wall", "outlines"]),
        ("at = [6.75, 5.75]", "at = [5.6, 6.9]", ["porch_door", "does not fit"]),
        ("rect = [6.4, 0.1, 7.4, 0.7]", "rect = [6.4, 2.7, 7.4, 3.3]", ["chest", "within the room's `polygon`"]),
        ("obstacle = true", "obstacle = true\nopens = true", ["pillar", "`obstacle`", "`opens`"]),
        ('kind = "study"', 'kind = "study"\nrect = [0, 0, 1, 1]', ["`polygon` and `rect`"]),
        ("[[door]]", '[[room]]\nname = "niche"\npolygon = [[20, 0], [20.5, 0], [20, 0.5]]\n\n[[door]]',
         ["covers 0.12 m2", "at least 1 m2"]),
    ],
)  # fmt: skip
def test_complaints(tmp_path, old, new, words):
    text = STUDIO.read_text()
    assert old in text
    (tmp_path / "s.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(CoterieError, match="(?s)" + ".*".join(map(re.escape, words))):
        load_scene(tmp_path / "s.toml")


def test_an_l_shaped_room_with_a_slanting_door_and_a_pillar():
    scene = load_scene(STUDIO)
    assert scene.room_at((6.0, 1.0)) == "workroom" and scene.room_at((6.0, 4.0)) == "den"
    assert scene.room_at((10.0, 1.0)) is None  # in the box around the rooms, and in none of them
    door = scene.door["porch_door"]
    assert len(door.hole) == 4 and scene.door["den_door"].hole == ()
    a, b = (scene.stand_poses["porch_door", f"stand_pose_{i}"] for i in (0, 1))
    assert {scene.room_at(a), scene.room_at(b)} == {"den", "porch"}
    moma = robots.get("MoMa")
    assert scene.nav(moma).linked(a, b) and not scene.nav(moma, frozenset({"porch_door"})).linked(a, b)
    assert not scene.nav(moma).grid.free((3.25, 1.45)) and "pillar" not in {f for f, _ in scene.stand_poses}
    walls = list(room_boxes(scene.room["den"], (5.0, 5.0), 0.1))
    assert any(b.low[0] < 6.0 < b.high[0] and b.low[1] < 6.5 < b.high[1] for b in walls)  # on the slanting wall


def star(rng: random.Random, sides: int) -> list[tuple[float, float]]:
    """A simple polygon around the origin."""
    turns = [2 * math.pi * k / sides for k in range(sides)]
    return [(rng.uniform(3.0, 5.0) * math.cos(t), rng.uniform(3.0, 5.0) * math.sin(t)) for t in turns]


@pytest.mark.parametrize("seed", range(5))
def test_random_rooms_are_played_and_confirmed(tmp_path, seed):
    """In a room of any shape, what the expert and rule minds do is confirmed, and nobody leaves the room."""
    rng = random.Random(seed)
    shape = [(round(x, 2), round(y, 2)) for x, y in star(rng, rng.randint(5, 9))]
    assert polygons.crossing(shape) is None and polygons.contains(shape, (0.0, 0.0))
    (tmp_path / "s.toml").write_text(
        f"[[room]]\nname = \"cave\"\npolygon = {[list(p) for p in shape]}\n"
        '[[furniture]]\nname = "stone"\nrect = [-1.4, -0.3, -0.8, 0.3]\n'
        '[[furniture]]\nname = "box"\nopens = true\nrect = [0.8, -0.3, 1.4, 0.3]\nheight_m = 0.5\ntop_m = 0.8\n'
        '[[furniture]]\nname = "rock"\nobstacle = true\nrect = [-0.2, -0.2, 0.2, 0.2]\n'
    )  # fmt: skip
    (tmp_path / "t.toml").write_text(
        'scene = "s.toml"\nteam = "MoMa-UAV"\n[goal]\nkind = "bring"\n[[goal.item]]\nthing = "a_0"\nto = "box"\n'
        '[[goal.item]]\nthing = "b_0"\nto = "stone"\n[[thing]]\nname = "a_0"\nplace = "stone"\n'
        '[[thing]]\nname = "b_0"\nplace = "box"\n'
    )
    for protocol in ("expert", "rules"):
        played = play(Config(task=str(tmp_path / "t.toml"), protocol=protocol, seed=seed))
        assert validate(played.log.events).reason == ""
        poses = [v for e in played.log.events if e.kind == "truth" for p, _, v in e.data["facts"] if p == "pose"]
        assert poses and all(polygons.contains(shape, tuple(p)) for p in poses)


@pytest.mark.parametrize("seed", range(6))
def test_the_raster_of_a_polygon_agrees_with_single_points(seed):
    rng = random.Random(seed)
    shape = star(rng, rng.randint(3, 10))
    xs, ys = np.linspace(-5.03, 5.01, 23), np.linspace(-5.02, 5.04, 19)
    free = polygons.mask(shape, xs, ys, 0.1)
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            p = (float(x), float(y))
            assert free[i, j] == (polygons.contains(shape, p, 0.0) and polygons.to_edge(shape, p) >= 0.1)
