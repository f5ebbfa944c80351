"""Films and sheets of the table: which moments are shown, for how long, and what stands below them."""

import sys

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="films of arms need coterie[arms]")
Image = pytest.importorskip("PIL.Image", reason="pictures need coterie[plots]")

from coterie.cli.show import Lines  # noqa: E402
from coterie.core.errors import CoterieError  # noqa: E402
from coterie.core.event import Event  # noqa: E402
from coterie.core.record import read  # noqa: E402
from coterie.core.records import StartEvent  # noqa: E402
from coterie.render.solids.solids import Camera  # noqa: E402
from coterie.worlds.tabletop import pictures  # noqa: E402
from coterie.worlds.tabletop.captions import Round, rounds  # noqa: E402
from coterie.worlds.tabletop.closeups import in_hand  # noqa: E402
from coterie.worlds.tabletop.pictures import (  # noqa: E402
    TablePictures,
    save_gif,
    save_png,
    save_sheet,
    shots,
    thinned,
)
from coterie.worlds.tabletop.scenery import Close, Moment, Scenery, _fitting, _looks_at, _stacked, _standing, folded  # noqa: E402
from coterie.worlds.tabletop.tasks import TEAMS  # noqa: E402
from coterie.worlds.tabletop.views import NAMED, VIEWS, angles  # noqa: E402

ARM = """<mujoco><worldbody><geom type="plane" size="0 0 1" rgba=".8 .8 .8 1"/>
<body name="Ann/hand"><joint type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 .4" size=".05" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


def log(counts=(3, 1), end=True, robots=("Ann",)):
    rows = [("start", "", {"mjcf": ARM, "robots": {r: {"card": {}} for r in robots}, "task": "t", "config": {}}, 0)]
    rows.append(("status", "", {"done": False, "partial": 0.0, "text": "Begin."}, 0))
    for step, count in enumerate(counts):
        rows += [("act", r, {"skill": "pick", "args": [f"cube{step}"]}, step) for r in robots]
        rows.append(("outcome", robots[0], {"action": "", "status": "rewound", "reason": "No."}, step))
        frames = [[k, [0.4 * step + 0.1 * k]] for k in range(count)]
        rows.append(("truth", "", {"facts": [["how", [], []], ["frames", [], frames]]}, step))
        rows.append(("status", "", {"done": False, "partial": 0.5, "text": f"After {step}."}, step + 1))
    rows.append(("end", "", {"success": end, "partial": 1.0, "steps": len(counts)}, len(counts)))
    return [Event(i, step, 0.0, kind, who, data) for i, (kind, who, data, step) in enumerate(rows)]


def test_what_a_log_says_about_its_rounds():
    first, last = rounds(log())
    assert (first.step, first.before, first.after, first.end) == (0, "Begin.", "After 0.", None)
    assert (last.step, last.before, last.after, last.end) == (1, "After 0.", "After 1.", True)
    assert first.acts == {"Ann": "pick(cube0)"} and first.outcomes == {"Ann": ("rewound", "No.")}
    assert [len(r.poses) for r in (first, last)] == [3, 1]
    assert rounds([]) == [] and rounds(log(())) == []


def test_captions():
    now = Round(
        4, {"Ann": "pick(a)", "Bob": "wait"}, {"Ann": ("failed", "Far."), "Bob": ("done", "x")}, [], "was", "is"
    )
    assert now.caption(False) == "Round 5\nAnn: pick(a)\nBob: wait\nwas"
    assert now.caption(True) == "Round 5\nAnn: pick(a) failed: Far.\nBob: wait\nis"
    now.end = False
    assert now.caption(True).startswith("Round 5 · the task was not achieved\n")
    assert now.caption(False).startswith("Round 5\n")
    assert Round(0).caption(False) == "Round 1\n "
    now = Round(0, {"Ann": "pick(a)", "Bob": "wait"}, dict.fromkeys(("Ann", "Bob"), ("rewound", "Far.")))
    assert now.caption(True) == "Round 1\nAnn: pick(a)\nBob: wait\nrewound: Far.\n ", "what all share is told once"
    assert pictures._padded("a\nb", 4) == "a\nb\n \n " and pictures._padded("a\nb", 2) == "a\nb"


def changing():
    """Bob is away for a round in which nobody moves, then something else is asked for."""
    told = {"kind": "goal", "goal": {}, "text": "Do more.", "bites": True}
    rows = [
        ("act", "Ann", {"skill": "pick", "args": ["cube"]}, 0),
        ("truth", "", {"facts": [["frames", [], [[0, [0.1]], [1, [0.2]]]]]}, 0),
        ("leave", "Bob", {"dropped": "cup"}, 1),
        ("act", "Ann", {"skill": "wait", "args": []}, 1),
        ("join", "Bob", {"party": ""}, 2),
        ("change", "world", told, 2),
        ("act", "Bob", {"skill": "wait", "args": []}, 2),
        ("join", "Eve", {"party": ""}, 3),
        ("act", "Ann", {"skill": "wait", "args": []}, 3),
        ("leave", "Ann", {"dropped": None}, 4),
    ]
    return [*log(())[:2], *(Event(i, step, 0.0, kind, who, data) for i, (kind, who, data, step) in enumerate(rows, 2))]


def test_what_changed_stands_below_the_round_that_it_came_with():
    first, gone, back, after = rounds(changing())
    assert first.caption(False) == "Round 1\nAnn: pick(cube)\nBegin." and first.aims == {"Ann": ("cube",)}
    assert gone.caption(False) == "Round 2\nBob is gone; cup is dropped.\nAnn: wait\nBob: away\nBegin."
    assert back.caption(False) == "Round 3\nBob is back.\nThe goal changes: Do more.\nBob: wait\nBegin."
    assert after.caption(False) == "Round 4\nAnn: wait\nBegin.", "who was never away is not back"
    assert gone.poses == back.poses == after.poses == [[0.2]], "where nobody moves, all stands as it stood"
    assert len(list(shots(changing(), size=(280, 210)))) == 5
    assert [r.moved for r in rounds(changing())] == [(), ("cup",), (), ()] and "cup" in gone.about


def test_what_something_came_against_is_told_of_in_the_next_round():
    events = log((1, 1))
    events[4].data["facts"].append(["accident", ["cup"], "Something came against cup."])
    assert [(r.moved, "cup" in r.about) for r in rounds(events)] == [((), False), (("cup",), True)]


def test_a_round_ends_with_the_status_of_the_goal_that_it_had():
    told = {"kind": "goal", "goal": {}, "text": "Do more."}
    other = {"done": False, "partial": 0.2, "text": "Of more."}
    events = log((1, 1))
    events[6:6] = [Event(90, 1, 0.0, "change", "", told), Event(91, 1, 0.0, "status", "", other)]
    first, last = rounds(events)
    assert (first.after, last.before, last.after) == ("After 0.", "Of more.", "After 1.")


def test_a_hand_wears_what_it_took_before_it_moves_it():
    """The handle of a door, until it is seen to go with the hand, or the robot is away."""
    story = [Round(n, poses=[[0]] * 2) for n in range(3)]
    story[0].picks, story[0].outcomes = {"Ann": "handle", "Bob": "cup"}, {"Ann": ("done", ""), "Bob": ("failed", "")}
    held = {0: [{}, {}], 1: [{}, {"Ann": "handle"}], 2: [{}, {}]}
    handle = {"Ann": "handle"}
    assert pictures._worn(story, held) == {0: [{}, handle], 1: [handle, handle], 2: [{}, {}]}
    story[1].away = ("Ann",)
    assert pictures._worn(story, {**held, 1: [{}, {}]})[1] == [{}, {}]


def test_a_run_prints_who_left_and_is_back():
    lines = [str(text) for text in Lines(read(StartEvent, log(())[0])).of(changing())]
    told = [line.split("change ")[1].strip() for line in lines if "change " in line]
    assert told == ["Bob is gone; cup is dropped.", "Bob is back.", "The goal changes: Do more.", "Ann is gone."]


@pytest.mark.parametrize(
    ("counts", "most", "kept"),
    [
        ([4], 4, [[0, 1, 2, 3]]),
        ([4], 2, [[1, 3]]),
        ([4, 2], 3, [[1, 3], [1]]),
        ([1, 1], 1, [[0], [0]]),
        ([9], 3, [[2, 5, 8]]),
        ([0], 3, [[-1]]),
        ([2], 100, [[0, 1]]),
    ],
)
def test_moments_that_are_kept(counts, most, kept):
    assert thinned(counts, most) == kept


def test_every_shot_has_its_time():
    taken = list(shots(log(), size=(280, 210)))
    assert [s.ms for s in taken] == [80, 80, 900, 3000]
    assert all(s.picture.shape == (210, 280, 3) for s in taken)
    assert (taken[0].picture != taken[1].picture).any()  # the arm moves
    assert [s.ms for s in shots(log(), most=1, size=(280, 210))] == [900, 3000]
    assert next(shots(log())).picture.shape == (480, 640, 3)


def test_an_episode_that_goes_on_and_on_is_shown_in_part(monkeypatch):
    monkeypatch.setattr(pictures, "MOST", 5)
    taken = list(shots(log(counts=(1,) * 40), size=(280, 210)))
    assert len(taken) == 5 and taken[-1].ms == 3000
    assert len(list(shots(log(counts=(3, 2, 4)), most=1, size=(280, 210), last=True))) == 1


def test_a_film_keeps_its_times(tmp_path):
    frames = [np.full((4, 6, 3), c, np.uint8) for c in (0, 120, 250)]
    with Image.open(save_gif(frames, tmp_path / "deep" / "a.gif", [80, 160, 240])) as film:
        times = []
        for n in range(film.n_frames):
            film.seek(n)
            times.append(film.info["duration"])
            assert abs(int(np.asarray(film.convert("RGB"))[0, 0, 0]) - (0, 120, 250)[n]) <= 4
        assert times == [80, 160, 240] and film.info["loop"] == 0
    with Image.open(save_gif(frames[:2], tmp_path / "b.gif")) as film:
        assert film.info["duration"] == 80


def test_rare_colours_stay_in_a_film():
    frame = np.full((64, 64, 3), 200, np.uint8)
    frame[:4, :4] = (250, 10, 10)
    palette = np.array(pictures._palette([frame] * 30).getpalette()).reshape(-1, 3)
    assert np.abs(palette - (250, 10, 10)).max(axis=1).min() <= 6
    assert np.abs(palette - (200, 200, 200)).max(axis=1).min() <= 6


def test_a_sheet_shows_the_end_of_every_round(tmp_path, monkeypatch):
    shown = [np.full((4, 6, 3), 50 * n, np.uint8) for n in range(5)]
    monkeypatch.setattr(pictures, "shots", lambda events, labels=None, most=0: (pictures.Shot(p, most) for p in shown))
    with Image.open(save_sheet([], tmp_path / "s.png")) as sheet:
        cells = np.asarray(sheet)
    assert cells.shape == (8, 18, 3)
    assert [[int(cells[y, x, 0]) for x in (1, 7, 13)] for y in (1, 5)] == [[0, 50, 100], [150, 200, 255]]
    with Image.open(save_sheet([], tmp_path / "s.png", columns=9)) as sheet:
        assert sheet.size == (30, 4)


def test_pictures_of_a_log(tmp_path):
    made = TablePictures()
    events = log((1, 1))
    for path in (made.picture(events, tmp_path / "a.png"), made.picture(events, tmp_path / "b.PNG", step=1)):
        with Image.open(path) as picture:
            assert picture.size == (640, 480)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.PNG").read_bytes()
    with Image.open(made.overview(events, tmp_path / "c.png")) as sheet:
        assert sheet.size == (1280, 480)
    with Image.open(made.gif(events, tmp_path / "d.gif")) as film:
        assert film.n_frames == 2 and film.size == (640, 480)
    assert made.gif(events, tmp_path / "e.gif").read_bytes() == (tmp_path / "d.gif").read_bytes()
    assert pictures._hands(events) == {"Ann/hand": "Ann"}
    with pytest.raises(CoterieError, match=r"save '.*a\.png'"):
        made.picture(events, tmp_path / "a.svg")
    with pytest.raises(CoterieError, match="from their motion"):
        made.draw(None)
    for call, name in ((made.picture, "a.txt"), (made.overview, "a.txt"), (made.gif, "a.png")):
        with pytest.raises(CoterieError, match=r"must end in|save '"):
            call(events, tmp_path / name)
    (tmp_path / "file").write_text("")
    with pytest.raises(CoterieError, match="Cannot write"):
        save_png(np.zeros((2, 2, 3), np.uint8), tmp_path / "file" / "x.png")


def test_the_beginning_of_an_episode():
    events = log((1, 1, 1))
    kinds = {step: [e.step for e in pictures.until(events, step)] for step in (0, 1, 2)}
    assert set(kinds[0]) == {0} and kinds[0] == kinds[1] and set(kinds[2]) == {0, 1}
    assert pictures.until(events, None) == events


def test_scenes_that_cannot_be_shown(tmp_path, monkeypatch):
    with pytest.raises(CoterieError, match="no 'mjcf'"):
        list(shots([]))
    bad = log()
    bad[4].data["facts"][1][2][0][1].append(0.0)
    with pytest.raises(CoterieError, match="2 positions, the scene has 1"):
        list(shots(bad))
    bad[0].data["mjcf"] = "<nothing>"
    with pytest.raises(CoterieError, match="MuJoCo cannot read the scene"):
        list(shots(bad))
    with pytest.raises(CoterieError, match="no moment"):
        TablePictures().gif(log()[:2], tmp_path / "a.gif")
    with pytest.raises(CoterieError, match="at least one"):
        save_gif([], tmp_path / "a.gif", 100)
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[arms\]'"):
        TablePictures().gif(log(), tmp_path / "a.gif")


@pytest.mark.parametrize(("text", "words"), [("1,x", "AZIMUTH,ELEVATION"), ("behind", "close"), ("10,20", "elevation")])
def test_a_camera_that_is_none_is_refused_in_a_sentence(text, words):
    with pytest.raises(CoterieError, match=words):
        angles(text, VIEWS["sandwich"])


def test_cameras_have_names_and_jobs_their_own():
    assert angles("top", VIEWS["sandwich"]) == NAMED["top"] and angles("60,-40", VIEWS["sandwich"]) == (60.0, -40.0)
    assert angles("close", VIEWS["sandwich"]) is None
    assert {angles("", view) for view in VIEWS.values()} == {(v.azimuth, v.elevation) for v in VIEWS.values()}
    assert set(VIEWS) == set(TEAMS)
    assert all(v.last for v in VIEWS.values() if v.stays), "a result as wide as the table is shown from farther"


HANDS = """<mujoco><worldbody>
<body name="Ann/hand"><joint type="slide" axis="1 0 0"/><geom size=".02"/></body>
<body name="cup" pos=".05 0 0"><joint type="slide" axis="1 0 0"/><geom size=".02"/></body>
<body name="jug" pos=".9 0 0"><joint type="slide" axis="1 0 0"/><geom size=".02"/></body></worldbody></mujoco>"""


def test_what_goes_where_a_hand_goes_is_in_it():
    """Not what it passes, nor what moves elsewhere; and no longer when the hand leaves it."""
    model = mujoco.MjModel.from_xml_string(HANDS)
    poses = [(0, 0, 0), (0.02, 0, 0), (0.05, 0.03, 0.03), (0.09, 0.07, 0.07), (0.09, 0.07, 0.07), (0.02, 0.07, 0.07)]
    found = list(in_hand(mujoco, model, mujoco.MjData(model), poses, ("cup", "jug", "gone")))
    assert found == [{}, {}, {"Ann": "cup"}, {"Ann": "cup"}, {"Ann": "cup"}, {}]
    assert not any(in_hand(mujoco, model, mujoco.MjData(model), poses, ()))


def test_long_lines_of_a_caption_go_on_in_the_next():
    words = "0 of 2 rope ends are at the groove's ends; the rope does not lie in it."
    heading, act, *status = folded(f"Round 1\nAnn: wait\n{words}", 640).splitlines()
    assert (heading, act) == ("Round 1", "Ann: wait") and len(status) == 2 and " ".join(status) == words
    assert folded("Round 1\n ", 640) == "Round 1\n "
    assert folded(f"Round 1\n{words * 6}", 640).endswith("…")
    assert folded("\n".join(["Round 1", *[words * 2] * 3]), 640).count("…") == 3, "less of each where much is told"
    assert " ".join(folded(f"Round 1\n{words * 3}", 640, [words * 3]).split("\n")[1:]) == words * 3
    assert folded("Round 9 · remembered · the task is done\nx", 640) == "Round 9 · remembered\nthe task is done\nx"
    assert _fitting("Ann: cup → shelf", 200) == "Ann: cup → shelf" and _fitting("Ann: cup → shelf", 60) == "Ann: cup"


ROPE = """<mujoco><worldbody>
<body name="rope"><freejoint/><geom size=".01"/><body name="rope_front_end"/></body>
<body name="cabinet"><geom size=".3"/><body name="handle"><joint/><geom size=".01"/></body></body>
<body name="Ann/hand" pos="0 0 .1"><geom size=".02"/></body><body name="Bob/hand" pos="0 0 5"><geom size=".02"/></body>
</worldbody></mujoco>"""


def test_names_keep_off_a_whole_rope_and_the_hand_at_it_but_not_off_all_of_a_cabinet():
    model = mujoco.MjModel.from_xml_string(ROPE)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    scenery = Scenery(log(), model, data, (160, 120))
    scenery.things = {n: int(model.body(n).id) for n in ("rope_front_end", "handle")}

    def kept(names):
        return {model.body(b).name: n for b, n in scenery._at_work(data, names).items()}

    assert kept(["rope_front_end"]) == {"rope_front_end": "rope_front_end", "rope": "", "Ann/hand": ""}
    assert kept(["handle"]) == {"handle": "handle", "Ann/hand": ""} and kept([]) == {}


def test_names_of_a_stack_rise_with_it():
    at = {n: np.array([x, 0.0, z]) for n, x, z in (("top", 0.0, 0.3), ("low", 0.01, 0.1), ("alone", 0.5, 0.1))}
    assert _stacked(at) == ["low", "top"]


def test_names_of_a_stack_stand_on_the_side_where_less_lies():
    model = mujoco.MjModel.from_xml_string(HANDS)
    scenery = Scenery(log(), model, mujoco.MjData(model), (320, 240))
    at = {"low": np.array([0.0, 0.0, 0.1]), "top": np.array([0.0, 0.0, 0.2])}
    for other, side in ((0.1, -1), (-0.1, 1)):
        beside = scenery._piled(scenery.view, {**at, "other": np.array([other, 0.0, 0.1])}, ["low", "top"])
        assert set(beside) == set(at) and all(side * p[0] > 0.09 for p in beside.values())
        assert beside["top"][2] > beside["low"][2]
    assert scenery._piled(scenery.view, at, []) == {}


def test_names_of_a_stack_stand_in_close_ups_of_it_alone():
    at = {"low": np.array([0.0, 0.0, 0.1]), "top": np.array([0.0, 0.0, 0.2])}
    assert [_looks_at(Camera(lookat=(x, 0.0, 0.1)), at, ["low", "top"]) for x in (0.1, 0.5)] == [True, False]
    assert not _looks_at(Camera(), at, [])


def test_a_result_says_where_things_are():
    at = np.array([0.5, 0.5, 0.2])
    assert _standing("cup", at, {"shelf": (0.55, 0.5, 0.0), "far": (0.9, 0.5, 0.0)}) == "cup at shelf"
    assert _standing("cup", at, {}) == "cup"


def test_one_close_up_is_as_wide_as_two_and_stays_while_nobody_acts():
    model = mujoco.MjModel.from_xml_string(HANDS)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    scenery = Scenery(log(), model, data, (320, 240), lines=3)
    here, there = (Close(n, Camera(lookat=(x, 0.0, 0.0))) for n, x in (("a", 0.0), ("b", 0.5)))
    sizes = []
    for moment in (Moment(close=(here, there)), Moment(), Moment(close=(there,))):
        assert scenery.frame(data, "Round 1", {}, moment).shape == (240, 320, 3)
        sizes.append([(size[0], camera.lookat[0]) for size, camera in scenery._views])
    assert sizes == [[(93, 0.0), (93, 0.5)]] * 2 + [[(194, 0.5)]]


def test_hands_wear_tools_and_who_is_away():
    model = mujoco.MjModel.from_xml_string(HANDS)
    scenery = Scenery(log(), model, mujoco.MjData(model), (320, 240))
    scenery.tools = {"Ann": "broom"}
    told = [scenery._worn("Ann/hand", "Ann", m) for m in (Moment(), Moment({"Ann": "cup"}), Moment(away=("Ann",)))]
    assert told == ["Ann: broom", "Ann: cup", "Ann: away"] and scenery._worn("Bob/hand", "Bob", Moment()) == "Bob"
