"""Jobs of files: complaints name the line; script and oracle play them; they are remembered and drawn from logs."""

import re
import struct
from pathlib import Path

import pytest

pytest.importorskip("mujoco", reason="the table needs coterie[arms]")

from coterie.cli import main
from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.protocols.rounds.oracle.declared import State
from coterie.worlds import entry_of, make_task
from coterie.worlds.tabletop.jobs import job_of
from coterie.worlds.tabletop.own_jobs.job import Wish
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.tabletop.rounds import WAIT

DOC = Path(__file__).parents[3] / "docs" / "own_job.md"
PAGE = re.search(r"```toml\n(.*?)```", DOC.read_text(), re.S).group(1)


@pytest.fixture
def job(tmp_path):
    file = tmp_path / "breakfast.toml"
    file.write_text(PAGE)
    return file


def world_of(job, **more):
    config = Config(task=str(job), seed=1, **more)
    return TabletopWorld(make_task(entry_of(config.task).settle(config)))


def played(capsys, *words):
    code = main(["run", *map(str, words)])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_the_example_is_that_of_the_page():
    assert (DOC.parents[1] / "examples" / "breakfast.toml").read_text().endswith(PAGE)


@pytest.mark.parametrize(
    "more",
    [
        ("--protocol", "roco", "--model", "oracle"),
        pytest.param(("--level", "cluttered", "--seed", 3), marks=pytest.mark.long),
        pytest.param(("--change", "leave@1:Ben", "--seed", 2), marks=pytest.mark.long),
        ("--change", "goal@1", "--seed", 2),
    ],
)
def test_it_is_played(job, more, capsys, tmp_path):
    code, told = played(capsys, job, *more, "--log", tmp_path / "log.jsonl")
    assert code == 0 and "100 %" in told


@pytest.mark.long
def test_a_log_draws_itself_where_the_file_is_not_and_the_memo_uses_it_again(job, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    log = tmp_path / "log.jsonl"
    assert "is remembered" in played(capsys, job, "--seed", 6, "--memo", "--log", log)[1]
    assert "rounds inherited" in played(capsys, job, "--seed", 7, "--memo")[1]
    job.unlink()
    assert main(["replay", str(log), "--picture", str(tmp_path / "it.png")]) == 0
    assert (tmp_path / "it.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ('body = "panda"', 'body = "pandas"', "line 7: arm 'Ann': `body`: No arm 'pandas'. Did you mean 'panda'?"),
        ("at = [-0.3, -0.05]", "at = [-0.3, 0.3]", "is in the table; an arm stands beside it"),
        ("at = [0.5, 1.05]", "at = [-0.3, -0.1]", "Ann and Ben touch at the beginning"),
        ("at = [-0.7, 0.35]", "at = [-1.5, 0.85]", "no arm reaches tray, which 'cup on tray' asks for"),
        ('"cup on tray"', '"cup upon tray"', "'cup upon tray' is no wish; write it like"),
        ('"cup on tray"', '"cup on try"', "Did you mean 'tray'?"),
        ('"cup on tray"', '"cup on tray", "cup on mat"', "cannot both be"),
        ("size = [0.06, 0.06, 0.09]", "size = [0.16, 0.16, 0.09]", "160 mm are wider than the fingers (80 mm) of Ann"),
        ("size = [0.06, 0.06, 0.09]", "size = [0.06, 0.07, 0.09]", "two first numbers alike"),
        ('colour = "red"', 'colur = "red"', "Did you mean 'colour'?"),
        ("at = [0.45, 0.3]", "", "thing 'lemon': say where it lies"),
        ("at = [0.45, 0.3]", "at = [0.45, 3]", "is not on the table, which covers x -1.6 to 1.6"),
        ("area = [0.3, 0.4, 0.6, 0.7]", "area = [0.45, 0.3, 0.45, 0.3]", "there is no room for lemon"),
        ('verbs = ["pick", "place"]', 'verbs = ["grab"]', "No name 'grab'"),
        ('name = "tray"', 'name = "table"', "give this one another name"),
        ('shape = "ball"', 'mesh = "no.txt"', "STL and OBJ files are read"),
        ("posts = 4", "posts = -1", "it must be between 0 and 20"),
    ],
)
def test_complaints(job, was, now, told, capsys):
    assert was in PAGE
    job.write_text(PAGE.replace(was, now, 1))
    code, words = played(capsys, job)
    assert code == 2 and told in words


def test_a_mesh_lies_as_its_file_has_it(job, tmp_path):
    """A tetrahedron of 80 x 40 x 60 mm in millimetres, its corner at the origin."""
    corners = [(0, 0, 0), (80, 0, 0), (0, 40, 0), (0, 0, 60)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    rows = [struct.pack("<12fH", 0, 0, 0, *(v for c in f for v in corners[c]), 0) for f in faces]
    (tmp_path / "wedge.stl").write_bytes(bytes(80) + struct.pack("<I", len(rows)) + b"".join(rows))
    job.write_text(PAGE.replace('shape = "ball"\nsize = [0.06, 0.06, 0.06]', 'mesh = "wedge.stl"\nscale = 0.001'))
    wedge = job_of(str(job)).items["lemon"]
    assert wedge.shape == "mesh" and wedge.half == pytest.approx((0.04, 0.02, 0.03))
    world = world_of(job)
    assert world.table.pos("lemon")[2] == pytest.approx(0.15 + 0.03, abs=0.01)
    assert world.job.sides("lemon")[0] == 2


def state(goal, lies, held=None, full=(), **more):
    """Ann reaches left and middle, Ben middle and right; all things lie where both reach them unless said."""
    places = {"Ann": ["left", "middle"], "Ben": ["middle", "right"]}
    takes = {r: [t for t, p in lies.items() if p in (*own, "table", *lies)] for r, own in places.items()}
    verbs = dict.fromkeys(places, ("pick_place", "wait"))
    return State(tuple(map(Wish.of, goal)), lies, held or {}, places, takes, {**verbs, **more}, full)


@pytest.mark.parametrize(
    ("case", "first"),
    [
        (state(["a on left"], {"a": "table"}), {"Ann": "pick_place(a, left)"}),
        (state(["a on right"], {"a": "left"}), {"Ann": "pick_place(a, middle)"}),  # handed on
        (state(["a on b"], {"a": "table", "b": "left"}), {"Ann": "pick_place(a, b)"}),
        (state(["a on left"], {"a": "table", "b": "a"}), {"Ann": "pick_place(b, table)"}),  # what lies on it, first
        (state(["a on b", "b on left"], {"a": "table", "b": "table"}), {"Ann": "pick_place(b, left)"}),
        (state(["a on left", "b on right"], {"a": "table", "b": "table"}),
         {"Ann": "pick_place(a, left)", "Ben": "pick_place(b, right)"}),
        (state(["a on left"], {"a": "table", "b": "left"}, full=["left"]), {"Ann": "pick_place(b, table)"}),
        (state(["a on left"], {"a": "table"}, Ann=("pick", "place", "wait")), {"Ann": "pick(a)"}),
        (state(["a on left"], {}, {"Ann": "a"}, Ann=("pick", "place", "wait")), {"Ann": "place(a, left)"}),
        (state(["a on right"], {}, {"Ann": "a"}, Ann=("pick", "put", "wait")), {"Ann": "put(a, middle)"}),
        (state(["a held_by Ann"], {"a": "left"}, Ann=("pick", "place", "wait")), {"Ann": "pick(a)"}),
    ],
)  # fmt: skip
def test_the_planner_from_declarations(case, first):
    joint = next(case.plans())
    assert {r: str(a) for r, a in joint.items() if a.skill != "wait"} == first


def test_a_wish_that_is_met_asks_for_nothing():
    assert not list(state(["a off left"], {"a": "right"}).plans())
    (joint, *_) = state(["a off left"], {"a": "left"}).plans()
    assert joint["Ann"].args[1] in ("middle", "table")


def test_rules(job):
    job.write_text(PAGE.replace('name = "tray"\n', 'name = "tray"\ntakes = ["cup"]\n'))
    world = world_of(job)

    def refused(ann, ben=WAIT):
        return next(iter(world.check({"Ann": ann, "Ben": ben}).values())).reason

    assert "tray is for cup alone" in refused(Action("pick_place", ("lemon", "tray")))
    assert "cannot be put on cup" in refused(Action("pick_place", ("cup", "cup")))
    assert "no target" in refused(Action("pick_place", ("cup", "moon")))
    assert "Ben can PICK, PLACE, WAIT" in refused(WAIT, Action("pick_place", ("cup", "shelf")))
    with pytest.raises(CoterieError, match="There is no"):
        job_of(str(job.with_name("none.toml")))
    with pytest.raises(CoterieError, match="file-similar"):
        world_of(job, level="mecobench")
