"""Arms of others: two small ones, in MJCF and in URDF, become cards that play at the table."""

import tomllib
from pathlib import Path

import mujoco
import numpy as np
import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.motion.arm import arms_of, home_all
from coterie.motion.bodies import Mount, add_arm
from coterie.motion.bodies.card import load
from coterie.motion.makers.imported import import_arm
from coterie.motion.makers.packed import fewer

ARMS = Path(__file__).parent / "arms"
HERON, OTTER = ARMS / "heron.xml", ARMS / "otter.urdf"


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    import_arm(HERON, folder / "heron.toml")
    import_arm(OTTER, folder / "otter.toml")
    return folder


def standing(card, rail=None):
    spec, mount = mujoco.MjSpec(), Mount("Arm", str(card), (0.0, 0.0, 0.0), rail=rail)
    add_arm(spec, mount)
    model = spec.compile()
    data, arm = mujoco.MjData(model), arms_of(model, [mount])["Arm"]
    home_all(model, data, [arm])
    return spec, model, data, arm


def test_one_motor_for_two_fingers_that_are_open_elsewhere_than_at_zero(cards):
    card = load(str(cards / "heron.toml"))
    assert [(f.name, round(f.open, 3), round(f.shut, 3)) for f in card.fingers] == [
        ("finger_l", 0.045, 0.0),
        ("finger_r", 0.045, 0.0),
    ]
    assert card.motors == (("grip", 0.045, 0.0),)
    assert card.opening_m == pytest.approx(0.045, abs=1e-3)
    assert {j.name: j.torque for j in card.joints} == {
        "yaw": 120, "lift": 120, "elbow": 90, "pitch": 28, "roll": 28, "bend": 28,
    }  # fmt: skip
    _, model, data, arm = standing(cards / "heron.toml")
    assert data.qpos[arm.finger_qpos] == pytest.approx([0.045, 0.045])
    arm.grip(data, 1.0)
    mujoco.mj_step(model, data, 500)
    assert data.qpos[arm.finger_qpos] == pytest.approx([0.0, 0.0], abs=2e-3)


def test_a_urdf_says_how_fast_and_how_strong_and_gets_a_cup(cards):
    card = load(str(cards / "otter.toml"))
    assert (card.tool, card.fingers, card.opening_m) == ("cup", (), 0.0)
    assert [j.speed for j in card.joints] == [2.0, 2.0, 2.0, 3.0, 3.0, 1.2]
    _, _, data, arm = standing(cards / "otter.toml")
    flange = data.body("Arm/hand").xpos - data.site("Arm/ee").xpos
    assert np.linalg.norm(flange) == pytest.approx(0.134, abs=1e-6)
    assert arm.speed.tolist() == [2.0, 2.0, 2.0, 3.0, 3.0, 1.2]


@pytest.mark.parametrize("name", ["heron", "otter"])
def test_at_home_the_hand_points_down_and_nothing_touches_on_a_rail_too(cards, name):
    for rail in (None, (-1.0, 1.0)):
        _, model, data, arm = standing(cards / f"{name}.toml", rail)
        assert data.site("Arm/ee").xmat[8] == pytest.approx(-1.0, abs=1e-2)
        assert data.site("Arm/ee").xpos[0] > 0.2
        assert not data.ncon
        assert arm.n == 6 + (rail is not None)
        held = data.qpos[arm.qpos].copy()
        mujoco.mj_step(model, data, 500)
        assert data.qpos[arm.qpos].copy() == pytest.approx(held, abs=5e-3)


def test_a_base_that_has_a_mass_and_no_inertia_slides_on_a_rail(tmp_path):
    """Makers say nothing of how hard a bolted base is to turn; on a rail it moves."""
    first = '<body name="stand">'
    bolted = HERON.read_text().replace(first, first + '<inertial pos="0 0 0" mass="1.6" diaginertia="0 0 0"/>', 1)
    (tmp_path / "bolted.xml").write_text(bolted)
    import_arm(tmp_path / "bolted.xml", tmp_path / "card.toml")
    assert standing(tmp_path / "card.toml", (-1.0, 1.0))[3].n == 7


def test_the_model_needs_no_other_file(cards):
    spec, *_ = standing(cards / "heron.toml")
    mujoco.MjSpec.from_string(spec.to_xml()).compile()
    assert "file=" not in (cards / "heron.xml").read_text()


def test_fewer_faces_keep_the_outermost_corners():
    t, p = np.meshgrid(np.linspace(0, np.pi, 60), np.linspace(0, 2 * np.pi, 60))
    ball = np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], axis=-1).reshape(-1, 3)
    at = np.arange(59 * 59) // 59 * 60 + np.arange(59 * 59) % 59
    faces = np.stack([at, at + 1, at + 61], axis=1)
    corners, few = fewer(ball, faces)
    assert len(few) <= 300 and few.max() < len(corners)
    assert corners.max(0) == pytest.approx([1, 1, 1], abs=0.1)


def test_a_cup_or_fingers_of_ours_take_the_place_of_a_gripper(tmp_path):
    for tool, opening in (("cup", 0.0), ("fingers", 0.042)):
        import_arm(HERON, tmp_path / "arm.toml", tool=tool)
        card = load(str(tmp_path / "arm.toml"))
        assert (card.tool, card.opening_m) == (tool, opening)
        assert "finger_l" not in card.mjcf


@pytest.mark.parametrize(
    "text, options, words",
    [
        ("no xml", [], "is no MJCF and no URDF"),
        ("<mujoco><worldbody><body/></worldbody></mujoco>", [], "nothing in the model has joints"),
        (
            "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
            [],
            "neither a hinge nor",
        ),
        (HERON.read_text(), ["--hand", "fist"], "There is no body 'fist' for a hand"),
        (OTTER.read_text(), ["--tool", "own"], "has no gripper"),
        (OTTER.read_text().replace('<box size="0.06 0.06 0.06"/>', '<mesh filename="a.stl"/>'), [], "there is no mesh"),
    ],
)
def test_what_is_no_arm_ends_in_a_sentence(tmp_path, capsys, text, options, words):
    file = tmp_path / ("a.urdf" if "<robot" in text else "a.xml")
    file.write_text(text)
    assert main(["arm", "import", str(file), "--out", str(tmp_path / "out.toml"), *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "change, words",
    [
        ({'tool = "own"': 'tool = "claw"'}, "claw"),
        ({"range = [-3.1, 3.1]": "range = [3.1, -3.1]"}, "from the least value to the largest"),
        ({'name = "yaw"': 'name = "yawn"'}, "Import the arm anew"),
        ({"home = [": "home = [1.0, "}, "must be a list of 6 numbers"),
        ({"reach_m": "raech_m"}, "raech_m"),
    ],
)
def test_a_card_that_was_spoilt_by_hand_says_where(cards, tmp_path, change, words):
    text = (cards / "heron.toml").read_text()
    for old, new in change.items():
        text = text.replace(old, new, 1)
    (tmp_path / "heron.toml").write_text(text)
    (tmp_path / "heron.xml").write_text((cards / "heron.xml").read_text())
    with pytest.raises(CoterieError, match=words):
        standing(tmp_path / "heron.toml")


def test_a_card_is_toml_that_people_can_read(cards):
    card = tomllib.loads((cards / "otter.toml").read_text())
    assert card["joint"][5] == {"name": "bend", "range": [-3.1, 3.1], "speed": 1.2, "torque": 28.0}
