"""Episodes as MCAP files, read back by the `mcap` reader with the schemas that stand in the file."""

import contextlib
import functools
import json
import re
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import Counter

import jsonschema
import pytest
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory
from websockets.exceptions import ConnectionClosed

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.export.foxglove import FoxgloveServer, messages, save_mcap, schema_of
from coterie.log.file import read_log
from coterie.log.fold import state_at
from tests.export.conftest import LEVELS


def read_back(path):
    factory, found = DecoderFactory(), []
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file, decoder_factories=[factory]).iter_messages():
            decode = factory.decoder_for(channel.message_encoding, schema)
            data = decode(message.data) if decode else json.loads(message.data)
            found.append((schema, channel, message, data))
    return found


@functools.cache
def saved(log):
    """The events of a log, and what stands in the file that is made of them."""
    events = read_log(log)
    save_mcap(events, log.with_suffix(".mcap"))
    return events, read_back(log.with_suffix(".mcap"))


@pytest.mark.parametrize("task", LEVELS)
def test_every_event_is_there_with_its_schema(logs, task):
    events, found = saved(logs / f"{task}-1.jsonl")
    seen, valid = Counter(), {}
    for schema, channel, message, data in found:
        if channel.topic.startswith("/events/"):
            kind = channel.topic.removeprefix("/events/")
            assert schema.name == f"coterie.{kind}" and schema.encoding == "jsonschema"
            if kind not in valid:
                valid[kind] = jsonschema.validators.validator_for(made := json.loads(schema.data))(made)
            valid[kind].validate(data)
            event = events[data["seq"]]
            assert (event.kind, event.who, event.step) == (kind, data["who"], data["step"])
            assert message.log_time == round(event.t * 1e9)
            seen[data["seq"]] += 1
        else:
            assert schema.encoding == "protobuf" and schema.name.startswith("foxglove.")
    assert seen == Counter(range(len(events)))
    assert schema_of("mine")["properties"]["data"]["additionalProperties"] is True, "kinds that are not known are open"
    kinds = {s.name.removeprefix("foxglove.") for s, *_ in found if s.encoding == "protobuf"} - {"PosesInFrame"}
    ground = set() if task == "sort-cubes" else {"GeoJSON", "LocationFix"}
    assert kinds == {"Log", "SceneUpdate", "FrameTransforms"} | ground


def test_robots_end_where_the_log_says_and_move_along_their_paths(logs):
    events, found = saved(logs / "pack-objects-1.jsonl")
    last, times = {}, {}
    for _, channel, message, data in found:
        if channel.topic == "/tf":
            for tf in data.transforms:
                last[tf.child_frame_id] = (tf.translation.x, tf.translation.y)
                times.setdefault(tf.child_frame_id, []).append(message.log_time)
    state = state_at(events)
    assert last == {name: pytest.approx(robot.pose) for name, robot in state.robots.items()}
    assert all(t == sorted(t) for t in times.values()) and len(times["Alice"]) > len(times["Bob"]), "Bob is fixed"
    paths = {c.topic for s, c, *_ in found if s.name == "foxglove.PosesInFrame"}
    assert "/path/Alice" in paths and "/path/Bob" not in paths
    entities = {e.id for _, c, _, d in found if c.topic == "/scene" for e in d.entities}
    assert {"robot Alice", *state.things} <= entities


def test_arms_move_link_by_link_as_their_joints_do(logs):
    """The transforms, from the ground to each link and thing, give the places that MuJoCo gives."""
    import mujoco
    import numpy as np

    from coterie.worlds.tabletop.captions import poses_of
    from coterie.worlds.tabletop.pictures import load_scene

    events, found = saved(logs / "sort-cubes-1.jsonl")
    moments = [moment for event in events for moment in poses_of(event)]
    model, data = load_scene(events[0].data)
    said = [(m.log_time, tf) for _, c, m, d in found if c.topic == "/tf" for tf in d.transforms]
    for time_s, joints in (moments[len(moments) // 2], moments[-1]):
        now = {tf.child_frame_id: tf for at, tf in said if at <= round(time_s * 1e9)}
        data.qpos[:] = joints
        mujoco.mj_kinematics(model, data)

        def place(frame, now=now):
            if frame == "map":
                return np.zeros(3), np.array([1.0, 0, 0, 0])
            (at, turn), tf = place(now[frame].parent_frame_id), now[frame]
            on, both = np.zeros(3), np.zeros(4)
            mujoco.mju_rotVecQuat(on, [getattr(tf.translation, k) for k in "xyz"], turn)
            mujoco.mju_mulQuat(both, turn, [getattr(tf.rotation, k) for k in "wxyz"])
            return at + on, both

        assert {"Alice/forearm", "Bob/finger_left", "blue_square"} <= set(now)
        assert all(np.allclose(place(frame)[0], data.body(frame).xpos, atol=1e-6) for frame in now)
    shapes = {e.frame_id: e for _, c, _, d in found if c.topic == "/plan" for e in d.entities}
    assert shapes["Alice/forearm"].cylinders and shapes["table"].cubes
    assert shapes["blue_square"].texts[0].text == "blue_square"
    hands = {e.frame_id for _, c, _, d in found if c.topic == "/scene" for e in d.entities}
    assert hands == {"Alice/hand", "Bob/hand", "Chad/hand"}


def test_the_map_panel_has_the_rooms_and_where_robots_are(logs):
    _, found = saved(logs / "tidy-1.jsonl")
    (ground,) = [json.loads(d.geojson) for _, c, _, d in found if c.topic == "/map"]
    places = [(d.longitude, d.latitude) for _, c, _, d in found if c.topic == "/place/Alice"]
    some = [point for f in ground["features"] for line in f["geometry"]["coordinates"] for point in line]
    low, high = (tuple(f(column) for column in zip(*some)) for f in (min, max))
    assert len(places) > 2 and all(a <= b <= c for at in places for a, b, c in zip(low, at, high))
    assert "Map" in (logs / "tidy-1.layout.json").read_text()


def test_the_command_writes_file_and_layout(logs, tmp_path, capsys):
    target = tmp_path / "episode.mcap"
    assert main(["replay", str(logs / "yard-tidy-1.jsonl"), "--mcap", str(target)]) == 0
    layout = json.loads((tmp_path / "episode.layout.json").read_text())
    assert "/log" in json.dumps(layout) and layout["version"] == 1
    first = target.read_bytes()
    assert main(["replay", str(logs / "yard-tidy-1.jsonl"), "--mcap", str(target)]) == 0
    assert target.read_bytes() == first, "the same log, the same file"
    assert main(["replay", str(logs / "yard-tidy-1.jsonl"), "--mcap", "episode.txt"]) == 2
    assert ".mcap" in capsys.readouterr().err


def test_a_client_sees_a_running_episode_as_the_file_has_it(tmp_path):
    """A real client of the protocol joins late, and gets plan and scene all the same."""
    from websockets.sync.client import connect

    task = ["pack-objects", "--seed", "1", "--level", "medium", "--protocol", "dynahmrc", "--model", "oracle"]
    words = [sys.executable, "-m", "coterie", "run", *task, "--pace", "0.3"]
    with subprocess.Popen([*words, "--foxglove", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as run:
        port, layout = re.search(r"ws://127.0.0.1:(\d+), layout (\S+)", run.stdout.readline()).groups()
        threading.Thread(target=run.stdout.read, daemon=True).start()
        time.sleep(1.0)
        with connect(f"ws://127.0.0.1:{port}", subprotocols=["foxglove.sdk.v1"]) as line:
            got = _received(line)
    assert run.wait(60) == 0 and "/log" in (tmp_path / layout).read_text()
    (log,) = tmp_path.glob("runs/*.jsonl")
    save_mcap(read_log(log), tmp_path / "same.mcap")
    file = {}
    for _, channel, message, _ in read_back(tmp_path / "same.mcap"):
        file.setdefault(channel.topic, set()).add((message.log_time, message.data))
    assert got["/plan"] == file["/plan"] and "/tf" in got and len(got["/scene"]) > 1
    assert got.keys() <= file.keys() and all(seen <= file[topic] for topic, seen in got.items())
    assert got["/events/end"] == file["/events/end"]
    prompts = {"/events/ask", "/events/reply"}
    assert prompts <= file.keys() and not prompts & got.keys(), "whoever is on this machine can listen"


def test_what_is_said_in_confidence_is_in_the_file_and_not_sent_live(quick, tmp_path):
    goal, log = ["--goal", "medkit at alpha"], tmp_path / "mission.jsonl"
    assert main(
        ["mission", "hospital", *goal, "--approve", "--say", "60 nurse: My name is 4711.", "--log", str(log)]
    ) in (0, 1)
    told = [
        [sent.message for sent in messages(read_log(log), live) if sent.schema and sent.topic != "/events/start"]
        for live in (False, True)
    ]  # what was written beforehand stands at the start
    whole, live = map(json.dumps, told)
    for words in ("4711", '"what": "tell"', '"what": "heard"', '"kind": "utterance"'):
        assert words in whole and words not in live
    assert '"what": "plan"' in live


def _received(line):
    """All messages of all topics until the server ends, subscribed to as topics are announced."""
    topics, got = {}, {}
    with contextlib.suppress(ConnectionClosed):
        for data in line:
            if isinstance(data, str):
                told = json.loads(data)
                for channel in told.get("channels", ()) if told["op"] == "advertise" else ():
                    topics[channel["id"]] = channel["topic"]
                    wanted = [{"id": channel["id"], "channelId": channel["id"]}]
                    line.send(json.dumps({"op": "subscribe", "subscriptions": wanted}))
            elif data[0] == 1:
                number, log_time = struct.unpack_from("<IQ", data, 1)
                got.setdefault(topics[number], set()).add((log_time, bytes(data[13:])))
    return got


def test_a_port_in_use_is_said():
    with FoxgloveServer() as one, pytest.raises(CoterieError, match="Name another one"), FoxgloveServer(one.port):
        pass


def test_without_the_package_a_sentence_names_the_extra(logs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "foxglove", None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[mcap\]'"):
        save_mcap(read_log(logs / "yard-tidy-1.jsonl"), tmp_path / "episode.mcap")


def test_a_caller_who_says_nothing_does_not_keep_it_from_ending():
    with FoxgloveServer() as server:
        stranger = socket.create_connection(("127.0.0.1", server.port), 5)
        time.sleep(0.2)
        begun = time.monotonic()
    assert time.monotonic() - begun < 10
    stranger.close()
