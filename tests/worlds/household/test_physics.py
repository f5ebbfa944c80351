"""Grasps and doors in MuJoCo: what slips and what is pushed, what robots make of it, and that it is the same again."""

import json
import sys

import pytest

from coterie.cli import main
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Party, SoloProtocol
from coterie.episode.loop import Settings, run
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.houses.mjcf import OPEN_DEG, leaf_deg
from coterie.houses.model import FLOOR
from coterie.houses.names import house
from coterie.log.file import Log
from coterie.models.chat import NoModel
from coterie.testing import check_world
from coterie.worlds.household.options import PickupObject, StopHere
from coterie.worlds.household.perception import Standing
from coterie.worlds.household.physics import Physics, grasp, push
from coterie.worlds.household.setting import Start
from tests.worlds.household.made import arm, piece, task, thing, two_rooms, world
from tests.worlds.household.test_world import do, pose

pytest.importorskip("mujoco")

TABLE = piece("dining_table_0", "DiningTable", (2.0, 2.0), (1.2, 0.8, 0.7))
SLIPS = Config(task="tidy", scene="rooms:4:32", seed=32, level="3", protocol="expert", physics=True)


def mug(at=(2.0, 2.0, 0.7), mass=0.3, size=(0.08, 0.08, 0.1), name="mug_0"):
    return thing(name, "Mug", "dining_table_0", at, size, mass)


def on_table(*things):
    return two_rooms((TABLE,), things)


def behind_a_box():
    """A mug with a heavy box before it, for a robot that stands at y = 1."""
    return on_table(mug(), thing("box_0", "Box", "dining_table_0", (2.0, 1.9, 0.7), (0.1, 0.3, 0.4), 8.0))


def with_physics(*args, **more):
    made = world(*args, **more)
    made.physics = Physics(made.truth, made.observing)
    return made


# -- grasps -----------------------------------------------------------------------------------------------------------
def test_a_mug_is_held_and_nothing_else_is_moved():
    assert grasp(on_table(mug(), mug((2.4, 2.2, 0.7), name="mug_1")), "mug_0", (2.0, 1.0), 5.0) == (True, {})


def test_a_hand_that_is_too_weak_lets_go():
    flat = on_table(mug(size=(0.3, 0.3, 0.02), mass=1.0))
    assert not grasp(flat, "mug_0", (2.0, 1.0), 1.0).held
    assert grasp(flat, "mug_0", (2.0, 1.0), 3.0).held


def test_what_is_before_a_thing_is_pushed_off_or_holds_it_and_from_the_side_it_is_taken():
    h = behind_a_box()
    assert not grasp(h, "mug_0", (2.0, 1.0), 5.0).held
    assert grasp(h, "mug_0", (3.0, 2.0), 5.0) == (True, {})
    light = on_table(mug(), thing("box_0", "Box", "dining_table_0", (2.0, 1.9, 0.7), (0.1, 0.3, 0.4), 1.0))
    fallen = grasp(light, "mug_0", (2.0, 1.0), 5.0).moved["box_0"]
    assert fallen.on == FLOOR and fallen.spot[1] < 1.6 and fallen.spot[2] == 0.0


def test_most_things_of_a_house_are_held_and_not_all():
    h = house("rooms:2:10002")
    held = [grasp(h, t.name, (t.spot[0] + 0.7, t.spot[1] + 0.4), 1.05 * t.mass_kg).held for t in h.things]
    assert 0.7 * len(held) < sum(held) < len(held)


# -- doors ------------------------------------------------------------------------------------------------------------
def shut():
    """The angle of a closed leaf of `two_rooms`, which hangs open at first."""
    h = two_rooms()
    return -leaf_deg(h.doors[0], h)[1] * OPEN_DEG


def step(angle, *things):
    h = two_rooms((), things)
    return push(h, h.doors[0], angle, Standing(3.7, 2.0, 0.25, 1.6), (3.95, 2.0))


def test_a_door_leaf_is_pushed_with_what_is_light_behind_it():
    free, light = step(shut()), step(shut(), thing("mug_0", "Mug", FLOOR, (4.3, 2.0, 0.0)))
    assert free.through and abs(free.angle_deg - shut()) > 30.0
    assert light.through and light.moved["mug_0"].on == FLOOR and light.moved["mug_0"].spot[0] > 4.4
    assert step(0.0) == (True, 0.0, "", {}), "an open one is not in the way"


def test_a_heavy_thing_behind_a_door_keeps_it_shut():
    found = step(shut(), thing("box_0", "Box", FLOOR, (4.3, 2.0, 0.0), (0.5, 0.5, 0.5), 30.0))
    assert not found.through and found.behind == "box_0"
    assert abs(found.angle_deg - shut()) < 30.0


def test_a_robot_that_cannot_push_a_door_stays_and_is_told_why():
    heavy = thing("box_0", "Box", FLOOR, (4.3, 2.0, 0.0), (0.5, 0.5, 0.5), 30.0)
    w = with_physics(two_rooms((), (heavy,)), [arm()], {"Ann": Start(3.75, 2.0)}, ())
    w.truth.set(("angle", "door_0"), shut())
    before = pose(w)
    outcome = do(w, "Ann", ("MoveAhead",))
    assert outcome.reason == "Ann cannot push door_0 open: box_0 is behind it." and pose(w) == before
    assert (outcome.cause.clause, outcome.cause.moment) == ("blocked", "during") and outcome.facts[-1].pred != "area"
    w.truth.set(("where", "box_0"), "Ann")
    w.truth.set(("spot", "box_0"), None)
    assert do(w, "Ann", ("MoveAhead",), ("MoveAhead",)).ok and w.truth.facts["angle", "door_0"] != shut()


# -- in an episode ----------------------------------------------------------------------------------------------------
def test_the_world_keeps_its_contract():
    check_world(lambda: with_physics(behind_a_box(), [arm()], {"Ann": Start(2.0, 1.0, 90.0)}, ("mug_0",)))


def test_what_slips_is_not_held_and_is_taken_from_another_side():
    class Takes(SoloProtocol):
        option = None

        def act(self, me):
            self.option, again = self.option or PickupObject("mug_0"), self.option is not None
            return StopHere() if again else self.option

    made = behind_a_box(), [arm()], {"Ann": Start(2.0, 1.0, 90.0)}, ("mug_0",)
    t, w, log = task(*made, limit=60), with_physics(*made, limit=60), Log(None)
    run(w, t, [Party("team", Takes, ("Ann",))], log, NoModel().answer, Settings(seed=0))
    failed = [e.data for e in log.events if e.kind == "outcome"]
    assert failed[0]["reason"] == "mug_0 slipped out of Ann's hand."
    assert w.truth.facts["holding", "Ann"] == "mug_0" and abs(pose(w)[0] - 2.0) > 0.3
    assert w.truth.facts["slipped", "mug_0"][0] == (2.0, 1.0, 90)


def test_the_same_seed_slips_alike_and_the_expert_recovers(tmp_path):
    logs = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    first, _ = (play(resolve(SLIPS), log_path=path) for path in logs)
    assert logs[0].read_bytes() == logs[1].read_bytes() and b"slipped out of" in logs[0].read_bytes()
    assert first.result.success
    lines = logs[0].read_bytes().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b"slipped out of" in line)
    whole, part = logs[0].read_bytes(), tmp_path / "c.jsonl"
    part.write_bytes(b"".join(lines[: at + 5]))
    play(resolve(SLIPS), log_path=part, resume=True)
    assert part.read_bytes() == whole


def test_what_a_hand_knocks_off_counts_as_spoilt():
    bowl = thing("bowl_0", "Bowl", "dining_table_0", (2.0, 1.9, 0.7), (0.1, 0.3, 0.4), 1.0)
    w = with_physics(on_table(mug(), bowl), [arm()], {"Ann": Start(2.0, 1.0, 90.0)}, ("mug_0",))
    assert w.truth.get("tidy", "bowl_0")
    do(w, "Ann", ("PickUp", "mug_0"))
    assert w.truth.get("where", "bowl_0") == FLOOR and w.truth.facts["knocked", "bowl_0"]
    assert "1 that belonged where it lay is not there any more" in w.progress().text


def test_the_command_says_what_slipped_and_what_it_needs(tmp_path, capsys, monkeypatch):
    words = ["run", "tidy", "--scene", "rooms:4:32", "--seed", "32", "--level", "3", "--protocol", "expert"]
    log = tmp_path / "log.jsonl"
    assert main([*words, "--physics", "--json", "--log", str(log)]) == 0
    assert json.loads(capsys.readouterr().out)["failed_skills"]["PickUp"] > 0
    assert '"physics":true' in log.read_text().splitlines()[0].replace(" ", "")
    with pytest.raises(CoterieError, match="drivers say what their robots do"):
        resolve(Config(task="tidy", real="robots", physics=True, synchronous=False))
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert main([*words, "--physics"]) == 2
    assert "pip install 'coterie[arms]'" in capsys.readouterr().err
    assert main(["run", "pack-objects", "--physics"]) == 2
    assert "takes no --physics" in capsys.readouterr().err
