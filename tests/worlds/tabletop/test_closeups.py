"""Close-ups at the table: every hand that grips or lets go is seen, whoever stands before it."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="films of arms need coterie[arms]")
pytest.importorskip("ompl")
pytest.importorskip("PIL.Image", reason="pictures need coterie[plots]")

from coterie.core.config import Config  # noqa: E402
from coterie.core.event import from_line  # noqa: E402
from coterie.episode.play import play  # noqa: E402
from coterie.render.solids.solids import Camera  # noqa: E402
from coterie.render.solids.zbuffer import FACES  # noqa: E402
from coterie.worlds.tabletop import pictures  # noqa: E402
from coterie.worlds.tabletop.captions import Round, rounds  # noqa: E402
from coterie.worlds.tabletop.closeups import AWAY, Director, Focus, chosen  # noqa: E402
from coterie.worlds.tabletop.scenery import Scenery  # noqa: E402

WALLED = """<mujoco><worldbody>
<body name="cube"><joint type="slide" axis="1 0 0"/><geom type="box" size=".03 .03 .03"/></body>
<body name="Ann/hand" pos="0 0 .09"><joint type="slide" axis="1 0 0"/><geom type="box" size=".03 .03 .03"/></body>
<body name="Bob/arm" pos="0 -.3 .1"><joint type="slide" axis="1 0 0"/><geom type="box" size=".15 .02 .9"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def director():
    model = mujoco.MjModel.from_xml_string(WALLED)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return Director(mujoco, model, data, {"cube": int(model.body("cube").id)}, Camera(90, -20.0, 1.0))


def story(*moments):
    """Ann is to take the cube to a shelf: where cube, her hand and Bob's arm are at each moment."""
    return Round(0, poses=[list(m) for m in moments], aims={"Ann": ("cube", "shelf")})


def test_a_close_up_looks_from_where_no_arm_stands_before_thing_and_hand(director):
    (focus,) = director.foci(story((0, 0, 5), (0, 0, 5)), [{}] * 2)
    assert focus.title == "Ann: cube → shelf" and focus.camera(0).azimuth == 90
    (focus,) = director.foci(story((0, 0, 0), (0, 0, 0)), [{}] * 2)
    assert focus.camera(0).azimuth != 90
    director._pose((0, 0, 0))
    assert director.seen(focus.camera(0), "cube", "Ann") > 0.4 > director.seen(director.close, "cube", "Ann")


def test_a_close_up_waits_where_a_thing_is_gripped_and_then_where_it_is_set_down(director):
    track = [(0, 0.5, 5), (0, 0, 5), (0.1, 0.1, 5), (0.3, 0.3, 5), (0.6, 0.6, 5), (0.6, 0.6, 5), (0.6, 0.1, 5)]
    held = [{}, {}, *[{"Ann": "cube"}] * 3, {}, {}]
    (focus,) = director.foci(story(*track), held)
    assert focus.keys == (1, 4)
    assert [focus.camera(i).lookat[0] for i in range(7)] == [0, 0, 0, 0.6, 0.6, 0.6, 0.6] and AWAY < 0.3
    (focus,) = director.foci(story(*track[2:]), held[2:])
    assert focus.keys == (2,) and focus.camera(0).lookat[0] == 0.6, "what is in a hand is awaited where it goes"
    (focus,) = director.foci(story(*track[:5]), held[:5])
    assert focus.keys == (1,), "what is still in the hand was not set down"


def test_what_stirs_before_a_hand_is_there_is_not_gripped_yet(director):
    track = [(0, 0.9, 5), (0.01, 0.5, 5), (0.01, 0.01, 5), (0.05, 0.05, 5), (0.1, 0.1, 5)]
    (focus,) = director.foci(story(*track), [{}, {}, {}, {"Ann": "cube"}, {"Ann": "cube"}])
    assert focus.keys == (2,)
    (focus,) = director.foci(story(*track), [{}] * 5)
    assert focus.keys[0] == 0, "nobody is seen to hold it"


def test_actions_that_name_nothing_are_about_what_moves_at_the_hand(director):
    now = story((0, 0, 5), (0.5, 0.5, 5))
    now.aims = {"Ann": ()}
    now.acts = {"Ann": "dump"}
    assert [(f.title, f.thing) for f in director.foci(now, [{}] * 2)] == [("Ann: dump", "cube")]
    now.poses = now.poses[:1]
    assert director.foci(now, [{}]) == []


def test_what_was_dropped_has_a_close_up_where_there_is_room(director):
    now = Round(0, poses=[[0, 3, 5]], moved=("cube", "gone"))
    (focus,) = director.foci(now, [{}])
    assert focus.title == "cube" and focus.keys == () and focus.camera(0).lookat[0] == 0
    now.aims = {"Ann": ("cube",)}
    assert [f.title for f in director.foci(now, [{}])] == ["Ann: cube"], "and none where somebody is at it"


def test_two_hands_at_one_thing_are_seen_from_farther(director):
    now = story((0, 0, 5), (0, 0, 5))
    (one,) = director.foci(now, [{}] * 2)
    director.hands["Bob"] = director.hands["Ann"]
    now.aims = {"Ann": ("cube",), "Bob": ("cube",)}
    (two,) = director.foci(now, [{}] * 2)
    assert two.title == "Ann, Bob: cube" and two.camera(0).distance > 1.3 * one.camera(0).distance


def test_of_three_hands_those_are_shown_that_grip_soonest():
    a, b, c = (Focus(n, n, ((0, Camera()),), keys) for n, keys in (("a", (1,)), ("b", (5,)), ("c", (9, 2))))
    assert [[f.title for f in chosen((a, b, c), i)] for i in (0, 4, 9)] == [["a", "c"], ["b", "c"], ["b", "c"]]
    assert chosen((a,), 3) == [a]


@pytest.mark.long
@pytest.mark.parametrize("job", ["move-rope", "sandwich"])
def test_every_grasp_and_release_is_seen_in_a_close_up(job, monkeypatch):
    """As pixels: at a moment around it the thing and the hand at it are both in a close-up, and not hidden."""
    events = [from_line(line) for line in play(Config(task=job, seed=7, protocol="task-expert")).log.lines()]
    shown = []
    real = Scenery.frame

    def frame(self, data, caption, labels, moment=None):
        picture = real(self, data, caption, labels, moment)
        parts = Director(mujoco, self.model, data, self.things, self.close).parts
        for close in self.shown:
            view = next(v for (_, camera), v in self._views.items() if camera == close.camera)
            bodies = view._bodies[view._work.code // FACES]
            hand = [b for b in self.hands if self.model.body(b).name.startswith(close.title.partition(":")[0] + "/")]
            seen = [int(np.isin(bodies, what).sum()) for what in (parts.get(close.thing, []), hand)]
            shown.append((caption.split("\n")[0], close.title.partition(" →")[0], *seen))
        return picture

    monkeypatch.setattr(Scenery, "frame", frame)
    list(pictures.shots(events, most=2))
    wanted = {
        (f"Round {r.step + 1}", f"{robot}: {args[0]}") for r in rounds(events) for robot, args in r.aims.items() if args
    }
    assert len(wanted) >= 4
    seen = {(heading, title) for heading, title, thing, hand in shown if thing > 60 and hand > 300}
    assert wanted <= seen, wanted - seen
