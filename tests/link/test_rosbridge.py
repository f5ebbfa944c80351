"""Robots behind a rosbridge, spoken to over its JSON protocol: against a bridge in another process (examples/ros2)."""

import json
import math
import signal
import threading

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.link.robot import Report
from coterie.link.ros2 import Ros2Robot
from coterie.link.stopping import stop
from tests.link.conftest import freeze, until
from tests.link.nodes import EXAMPLE, FAR, Driven, Nodes, do, fetches_a_sponge, job, to, under_way

pytest.importorskip("websockets.sync.server")


def bridge(*options):
    found = Nodes("bridge.py", *options)
    found.port = int(found.url.rpartition(":")[2])
    return found


@pytest.fixture
def nodes():
    found = bridge("--port", "0", "--speed", "3")
    yield found
    found.end()


@pytest.fixture
def slow():
    found = bridge("--port", "0", "--speed", "0.3")
    yield found
    found.end()


@pytest.fixture
def drive():
    made = []

    def begin(nodes, file="rosa.toml"):
        made.append(Ros2Robot("Rosa", EXAMPLE / file, nodes.url))
        until(lambda: made[-1]._pose() is not None, what="its odometry is heard")
        return made[-1]

    yield begin
    for robot in made:
        robot.close()


def test_it_drives_sees_takes_and_puts_down(nodes, drive):
    fetches_a_sponge(drive(nodes), "bed")


def test_an_action_of_ros_ends_by_its_result_and_tells_how_far_it_is(nodes, drive):
    rosa, work, told = drive(nodes, "nav2.toml"), to(6.0, 4.0), []
    work.tell = lambda share, words: told.append(words)
    assert do(rosa, work).ok and abs(rosa.sense().pose[0] - 6.0) < 0.3
    assert told and told[0].startswith("distance_remaining ")
    assert sum(s.startswith("rosa goes to") for s in nodes.said) == 1


@pytest.mark.parametrize("file", ["rosa.toml", "nav2.toml"], ids=["topic", "action"])
def test_a_stop_cancels_its_goal_and_halts_it(slow, drive, folder, file):
    with Driven(drive(slow, file), folder, slow) as driven:
        assert list(stop("Eve", folder=folder.path).robots) == ["Rosa"]
        until(lambda: "rosa stands still" in slow.said and driven.under.end is not None)
        assert driven.under.end.cause.clause == "stopped"


def test_a_bridge_that_is_killed_ends_what_was_under_way_and_its_robot_is_halted_when_it_is_back(slow, drive):
    rosa = drive(slow)
    thread, ends = under_way(rosa, to(*FAR))
    slow.go_on()
    slow.process.kill()
    slow.process.wait(60)
    thread.join(60)
    assert ends[0].reason == f"The rosbridge at {slow.url} was gone." and ends[0].cause is not None
    with pytest.raises(CoterieError, match="said nothing"):
        until(lambda: rosa.sense() is None)
    again = bridge("--port", str(slow.port), "--speed", "3")
    try:
        until(lambda: rosa.node.open and not rosa._silence())
        assert do(rosa, to(4.0, 4.0)).ok, "and it is driven again"
    finally:
        again.end()


def test_a_bridge_that_is_frozen_is_missed_and_the_halt_is_heard_when_it_wakes_up(slow, drive):
    rosa = drive(slow)
    thread, ends = under_way(rosa, to(*FAR))
    slow.go_on()
    freeze(slow.process.pid)
    thread.join(60)
    assert ends[0].reason == "Rosa said nothing on /rosa/odom for 2 s."
    slow.process.send_signal(signal.SIGCONT)
    until(lambda: "rosa stands still" in slow.said or "rosa is not driven any more and stands still" in slow.said)
    freeze(slow.process.pid)
    rosa.close()  # does not wait for a bridge that does not answer


def test_what_the_bridge_refuses_is_a_sentence(nodes, drive, tmp_path):
    text = (EXAMPLE / "rosa.toml").read_text().replace('card = "card.toml"', "")
    (tmp_path / "a.toml").write_text(text.replace("/rosa/grip", "/rosa/hand"))
    robot = Ros2Robot("Rosa", tmp_path / "a.toml", nodes.url)
    try:
        until(lambda: robot._pose() is not None)
        pick = job("pick", "sponge_0", spot=(4.9, 0.3, 1.1))
        assert "Service /rosa/hand does not exist" in do(robot, pick).reason
    finally:
        robot.close()


@pytest.mark.parametrize(
    ("bridge", "words"),
    [("http://127.0.0.1:1", "an address like ws://robot:9090"), ("ws://127.0.0.1:1", "There is no rosbridge at ws:")],
)
def test_a_bridge_that_is_none_is_a_sentence(tmp_path, capsys, bridge, words):
    code = main(["robot", str(EXAMPLE / "rosa.toml"), "Rosa", "--folder", str(tmp_path), "--bridge", bridge])
    assert code == 2 and words in capsys.readouterr().err


LIES = [
    b"\xff\xfe",
    "not JSON",
    "[]",
    '{"op": "publish", "topic": "/rosa/odom", "msg": 7}',
    '{"op": "publish", "topic": "/rosa/odom"}',
    '{"op": "publish", "topic": "/rosa/things", "msg": {"data": "{"}}',
    '{"op": "service_response", "id": "coterie:1", "values": 5, "result": "yes"}',
    '{"op": "action_result", "id": ["x"]}',
    json.dumps({"op": "status", "level": "error", "msg": "x" * 100_000}),
]


def test_a_bridge_that_lies_breaks_nothing(folder):
    from websockets.sync.server import serve

    def lie(socket):
        for text in socket:
            if '"subscribe"' in text:
                for words in LIES:
                    socket.send(words)

    with serve(lie, "127.0.0.1", 0, compression=None) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        robot = Ros2Robot("Rosa", EXAMPLE / "rosa.toml", f"ws://127.0.0.1:{server.socket.getsockname()[1]}")
        try:
            until(lambda: robot.node.said)
            report = do(robot, to(*FAR))
            assert isinstance(report, Report) and not report.ok and len(robot.node.said) <= 300
        finally:
            robot.close()
            server.shutdown()


def test_two_topics_are_enough_to_go_somewhere_and_to_stand_still(slow, drive):
    """It is halted by being sent to where it is."""
    scout, work = drive(slow, "two_topics.toml"), to(*FAR)
    scout.halt()
    thread, ends = under_way(scout, work)
    start = scout._pose()
    until(lambda: math.dist(scout._pose(), start) > 0.2)
    work.call_off(Report("cancelled", ""))
    scout.halt()
    thread.join(60)
    assert ends[0].status == "cancelled"
    sent = lambda: [float(word) for word in [s for s in slow.said if "goes to" in s][-1].split()[-2:]]  # noqa: E731
    until(lambda: math.dist(sent(), scout._pose()) < 0.2)
