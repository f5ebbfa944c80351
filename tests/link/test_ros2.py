"""Robots that speak ROS 2: drivers made of a TOML file, against nodes of rclpy in another process (examples/ros2)."""

import importlib.util
import math
import os
import signal
import subprocess
import sys
import time

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.link import host as host_module
from coterie.link.fleet import Fleet
from coterie.mission.language.parser import parser_of
from tests.link.conftest import freeze, until
from tests.link.nodes import EXAMPLE, FAR, Driven, Nodes, do, fetches_a_sponge, job, to, under_way

HAS_ROS = importlib.util.find_spec("rclpy") is not None
ros = pytest.mark.skipif(not HAS_ROS, reason="rclpy is missing: pip install 'coterie[ros2]'")


@pytest.mark.skipif(HAS_ROS, reason="rclpy is there")
def test_without_rclpy_that_is_a_sentence(tmp_path, capsys):
    code = main(["robot", str(EXAMPLE / "rosa.toml"), "Rosa", "--folder", str(tmp_path)])
    said = capsys.readouterr().err
    assert code == 2 and ("pip install 'coterie[ros2]'" in said or "no wheels for" in said)


def test_the_old_lark_that_rclpy_brings_is_a_sentence(monkeypatch):
    monkeypatch.setattr(pytest.importorskip("lark"), "__version__", "0.12.0")
    with pytest.raises(CoterieError, match=r"put lark back with: pip install .*'lark>=1\.2'"):
        parser_of('start: "a"')


@pytest.fixture(scope="module")
def domain():
    """A domain that no other test uses, so that nobody hears the nodes of others."""
    before = os.environ.get("ROS_DOMAIN_ID")
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 200)
    yield
    del os.environ["ROS_DOMAIN_ID"]
    if before is not None:
        os.environ["ROS_DOMAIN_ID"] = before


@pytest.fixture
def nodes(domain):
    found = Nodes("robots.py", "--speed", "2")
    yield found
    found.end()


@pytest.fixture
def slow(domain):
    found = Nodes("robots.py", "--speed", "0.3")
    yield found
    found.end()


@pytest.fixture
def rosa(domain):
    from coterie.link.ros2 import Ros2Robot

    robot = Ros2Robot("Rosa", EXAMPLE / "rosa.toml")
    yield robot
    robot.close()


def sees(robot):
    until(lambda: robot._pose() is not None and robot._silence() == "", 120, "its odometry is not heard")
    return robot.sense()


@ros
def test_it_drives_sees_takes_and_puts_down(nodes, rosa):
    sees(rosa)
    fetches_a_sponge(rosa, "book_case")
    assert do(rosa, job("open", "fridge")).reason == "Rosa does not know open."
    assert do(rosa, job("navigate", "bed", "stand_pose_0")).reason == "Rosa was not told $stand_pose.x."


@ros
def test_two_topics_are_enough_although_nobody_says_that_it_is_driven(domain):
    from coterie.link.ros2 import Ros2Robot

    wheels = Nodes("robots.py", "--speed", "1")
    scout = Ros2Robot("Scout", EXAMPLE / "two_topics.toml")
    try:
        until(lambda: scout._pose() is not None, 120, "its odometry is not heard")
        there = do(scout, job("navigate", "sofa", "stand_pose_0", stand_pose=(1.2, 1.2)))  # three seconds and more
        assert there.ok, there.reason
        assert math.dist(scout.sense().pose, (1.2, 1.2)) < 0.2 and "stands still" not in " ".join(wheels.said)
    finally:
        scout.close()
        wheels.end()


@ros
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "frozen"])
def test_a_robot_that_is_killed_or_frozen_on_its_way_fails_and_is_halted(slow, rosa, sign):
    sees(rosa)
    thread, ends = under_way(rosa, to(*FAR))
    slow.go_on()
    if sign == signal.SIGSTOP:
        freeze(slow.process.pid)
    else:
        slow.process.kill()
    thread.join(60)
    assert ends[0].reason == "Rosa said nothing on /rosa/odom for 2 s." and ends[0].cause is not None
    with pytest.raises(CoterieError, match="said nothing"):
        rosa.sense()
    if sign == signal.SIGSTOP:
        slow.process.send_signal(signal.SIGCONT)
        until(lambda: any("stands still" in s for s in slow.said), 60, "the halt was heard when it woke up")


@ros
def test_a_coordinator_that_falls_silent_halts_it(slow, rosa, folder, monkeypatch):
    monkeypatch.setattr(host_module, "LEASE_S", 0.6)
    sees(rosa)
    with Driven(rosa, folder, slow) as driven:
        driven.fleet.close()
        until(lambda: "rosa stands still" in slow.said, 60)
        assert driven.under.end is None or not driven.under.end.ok


@ros
def test_a_driver_that_is_killed_leaves_a_robot_that_stops_by_itself(slow, folder):
    words = [sys.executable, "-m", "coterie", "robot", str(EXAMPLE / "rosa.toml"), "Rosa", "--folder", str(folder.path)]
    driver = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    fleet = Fleet(["Rosa"], folder.path)
    try:
        assert "ready" in driver.stdout.readline()
        far = fleet["Rosa"]
        far.begin("run")
        until(lambda: far.sensed("Rosa"), 120)
        far.start("Rosa", to(*FAR).action, 0.0)
        slow.go_on()
        time.sleep(0.5)
        assert "rosa stands still" not in slow.said
        driver.kill()
        until(lambda: "rosa is not driven any more and stands still" in slow.said, 60)
    finally:
        driver.kill()
        fleet.close()


@ros
@pytest.mark.parametrize(
    "old, new, words",
    [  # what is changed in the file of the example, and what is said about it
        ('type = "nav_msgs/msg/Odometry"', 'type = "nav_msgs/msg/Odo"', "there is no nav_msgs/msg/Odo on this machine"),
        ('type = "nav_msgs/msg/Odometry"', 'type = "Odometry"', "write it like std_msgs/msg/Bool"),
        ('x = "pose.pose.position.x"', 'x = "pose.where"', "there is no field 'where' of 'pose.where'"),
        ('"pose.orientation.w" = 1.0', '"pose.turn" = 1.0', "there is no field 'turn' of 'pose.turn'"),
        ("set = { data = true }\nok", 'set = { data = [1] }\nok', "data is true or false"),
        ('service = "/rosa/grip"', 'service = "/rosa/grip"\ntopic = "/x"', "a `service`, and not both"),
        ("near_m = 0.1", 'near_m = "near"', "`near_m` must be a number"),
        ("[halt]", "[stop]", "`halt` is missing|stop"),
        ("[[skills.place]]", "[[skills.put]]", "its card says that it can place"),
        ("silent_s = 2.0", "silent = 2.0", "silent"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_a_sentence(domain, tmp_path, old, new, words):
    from coterie.link.ros2 import Ros2Robot

    text = (EXAMPLE / "rosa.toml").read_text()
    assert old in text
    (tmp_path / "card.toml").write_text((EXAMPLE / "card.toml").read_text())
    (tmp_path / "a.toml").write_text(text.replace(old, new))
    with pytest.raises(CoterieError, match=words):
        Ros2Robot("Rosa", tmp_path / "a.toml")
