"""Motion of driven robots needs a right or a person's yes: held at the driver, whoever asks for it and however."""

import contextlib

import pytest

from coterie.core.action import Action
from coterie.core.errors import CoterieError
from coterie.episode.talk import Told
from coterie.episode.talk_room import Room, joined
from coterie.link import fleet as fleet_module
from coterie.link.fleet import Fleet
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Robot, done
from coterie.mcp.consent import APPROVER, STANDS_S, Consent
from coterie.mcp.server import Tools
from tests.link.conftest import until


class Counting(Robot):
    """A robot that keeps what its motors were told to do."""

    def __init__(self, name):
        super().__init__(name)
        self.did = []
        self.slow = False  # whether it goes on until it is called off

    def do(self, action, job):
        self.did.append(str(action))
        while self.slow and not job.stopping:
            job.wait(0.01)
        return job.stopped() if self.slow else done("Done.")

    def halt(self):
        pass


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def alice(tmp_path, monkeypatch):
    for name in ("SILENT_S", "ANSWER_S"):
        monkeypatch.setattr(fleet_module, name, 30.0)
    robot = Counting("Alice")
    with contextlib.closing(Host([robot], Folder(tmp_path / "robots"))):
        yield robot


@pytest.fixture
def tools(tmp_path, alice, clock):
    """A server whose Alice is driven, and in which nobody has any right yet."""
    consent = Consent(folder=tmp_path, clock=clock)
    tools = Tools(tmp_path / "mcp", consent, lambda: Fleet(["Alice"], tmp_path / "robots"), tmp_path / "robots")
    yield tools
    tools.close()


def begin(tools):
    return tools.seat_begin("pack-objects", robots="Alice", seed=4)


def decided(tools):
    """Alice's next decision."""
    told = tools.seat_look("Alice", 60)
    assert told.get("robot") == "Alice", told
    return told


def test_without_a_right_a_motion_is_a_proposal(tools, alice):
    begin(tools)
    proposed = tools.seat_act("Alice", "navigate(sofa, 0)")
    assert proposed["proposed"] == 1 and tools.rights()["waits_for_a_yes"] == ["1: Alice navigate(sofa, stand_pose_0)"]
    told = []
    tools.consent.tell = told.append
    tools.consent.heard("ask 1")
    assert "proposes 1: Alice navigate(sofa, stand_pose_0), for" in told[0], "asking allows nothing"
    tools.consent.heard("yes please, whatever it is")
    tools.consent.heard("yes 2")
    assert not alice.did
    tools.consent.heard("yes 1")
    until(lambda: alice.did)
    assert alice.did == ["navigate(sofa, stand_pose_0)"] and decided(tools)["last"]["status"] == "done"
    tools.consent.heard("yes 1")  # once more
    assert tools.seat_act("Alice", "navigate(sofa, 0)")["proposed"] == 2, "a yes was for one motion"
    tools.consent.heard("no 2")
    assert tools.seat_act("Alice", "wait()")["done"]
    decided(tools)
    assert len(alice.did) == 1


def test_a_right_is_for_one_robot_and_a_time(tools, alice, clock):
    tools.consent.heard("grant Bob 10")
    begin(tools)
    assert "proposed" in tools.seat_act("Alice", "navigate(sofa, 0)")
    tools.consent.heard("grant Alice 10")
    assert tools.seat_act("Alice", "navigate(sofa, 0)") == {"done": True}
    decided(tools)
    clock.now += 601
    assert "proposed" in tools.seat_act("Alice", "navigate(fridge, 0)")
    tools.consent.heard("grant Alice 10")
    tools.consent.heard("revoke Alice")
    assert "proposed" in tools.seat_act("Alice", "navigate(fridge, 0)")
    assert alice.did == ["navigate(sofa, stand_pose_0)"]
    assert [r.act for r in tools.consent.authority.refusals] == ["command"] * 3, "they are kept"


def test_a_yes_that_comes_too_late_moves_nobody(tools, alice, clock):
    begin(tools)
    tools.seat_act("Alice", "navigate(sofa, 0)")
    clock.now += STANDS_S + 1
    tools.consent.heard("yes 1")
    tools.seat_act("Alice", "navigate(fridge, 0)")
    assert tools.seat_act("Alice", "wait()")["done"], "decided otherwise meanwhile"
    decided(tools)
    tools.consent.heard("yes 2")
    until(lambda: not tools.consent.take("Alice", Action("navigate", ("fridge", "stand_pose_0"))))
    assert not alice.did


def test_a_stop_is_obeyed_and_an_agent_cannot_release(tools, alice):
    tools.consent.grant("Alice", 10)
    begin(tools)
    assert tools.stop()["stopped"] == ["Alice"]
    tools.seat_act("Alice", "navigate(sofa, 0)")
    told = tools.seat_look("Alice", 2)
    assert not alice.did and told.get("waits"), "it stands still, and nobody decides for it"
    assert not [n for n in dir(tools) if "release" in n]
    tools.consent.heard("release")
    assert "robot" in decided(tools)


def test_a_cancel_takes_back_what_waits_and_ends_what_is_under_way(tools, alice):
    begin(tools)
    tools.seat_act("Alice", "navigate(sofa, 0)")
    assert tools.seat_cancel("Alice")["proposed"] == ["1: Alice navigate(sofa, stand_pose_0)"]
    tools.consent.heard("yes 1")
    assert not alice.did and not tools.rights()["waits_for_a_yes"]
    tools.consent.grant("Alice", 10)
    alice.slow = True
    tools.seat_act("Alice", "navigate(fridge, 0)")
    until(lambda: alice.did)
    assert tools.seat_cancel("Alice")["ending"]
    assert decided(tools)["last"]["status"] == "cancelled" and len(alice.did) == 1


def test_a_stop_takes_back_what_was_allowed_and_has_not_begun(tools):
    sofa = Action("navigate", ("sofa", "stand_pose_0"))
    for told, left in (("", True), ("stop", False)):
        proposal = tools.consent.ask("Alice", sofa)
        tools.consent.heard(f"yes {proposal.number}")
        tools.consent.heard(told)
        assert tools.consent.take("Alice", sofa) is left


def test_what_a_right_allowed_ends_with_the_right_and_with_the_seat(tools, clock):
    sofa = Action("navigate", ("sofa", "stand_pose_0"))
    for ends in (lambda: setattr(clock, "now", clock.now + 61), lambda: (begin(tools), tools.seat_end())):
        tools.consent.grant("Alice", 1)
        assert tools.consent.ask("Alice", sofa) is None
        ends()
        assert not tools.consent.take("Alice", sofa)


def test_a_proposal_ends_with_its_episode(tools, clock):
    shown = []
    tools.consent.show = lambda proposal, over: shown.append((proposal.number, over))
    begin(tools)
    tools.seat_act("Alice", "navigate(sofa, 0)")
    tools.seat_end()
    until(lambda: len(shown) == 2)
    assert shown == [(1, ""), (1, "over with its episode")] and not tools.rights()["waits_for_a_yes"]
    tools.consent.heard("yes 1")
    assert not tools.consent.take("Alice", Action("navigate", ("sofa", "stand_pose_0")))


def test_a_proposal_that_another_decision_overtook_waits_no_longer(tools):
    shown = []
    tools.consent.show = lambda proposal, over: shown.append((proposal.number, over.partition(":")[0]))
    begin(tools)
    for action in ("navigate(sofa, 0)", "navigate(fridge, 0)", "wait()"):
        tools.seat_act("Alice", action)
    until(lambda: len(shown) == 4)
    assert shown == [(1, ""), (1, "replaced by another one"), (2, ""), (2, "not needed")]
    tools.consent.heard("yes 2")
    assert not tools.consent.take("Alice", Action("navigate", ("fridge", "stand_pose_0")))


@pytest.mark.parametrize("words", ["stop", "Stop.", "STOP!", "stop everybody, please"])
def test_whoever_may_allow_stops_in_any_words(tools, words):
    stopped = []
    tools.consent.stop = lambda by, on: stopped.append(on)
    tools.consent.heard(words)
    assert stopped == [True]


def test_a_right_is_for_a_robot_that_is_driven(tools):
    tools.consent.robots = ("Alice",)
    with pytest.raises(CoterieError, match="Did you mean 'Alice'"):
        tools.consent.grant("alice", 10)


def test_a_driver_starts_nothing_that_was_not_allowed(tools, alice):
    """Whatever becomes of the server above: the guard sits at the driver."""
    with Fleet(["Alice"], tools.robots) as fleet:
        drivers = tools.consent.guard(fleet)
        action = Action("pick", ("cup_0",))
        ended = drivers["Alice"].start("Alice", action, 1.0).poll(1.0)
        assert ended.status == "failed" and "No person" in ended.reason and not alice.did
        tools.consent.grant("Alice", 1)
        assert tools.consent.ask("Alice", action) is None
        assert not tools.consent.take("Alice", Action("pick", ("cup_1",))), "another thing is another motion"
        assert tools.consent.take("Alice", action) and not tools.consent.take("Alice", action)


def test_robots_that_nobody_decides_for_are_not_driven(tools):
    with pytest.raises(CoterieError, match="take its seat"):
        tools.seat_begin("pack-objects", robots="Lucy", seed=4)


def test_a_person_allows_at_a_door(tmp_path, tools, alice):
    consent = tools.consent
    room = Room(lambda who, text: consent.heard(text) if who == APPROVER else None, [APPROVER], tmp_path / "doors")
    consent.tell = lambda words: room.tell(Told(1, 0.0, APPROVER, words))
    with room:
        begin(tools)
        person, visitor = (joined(who, tmp_path / "doors") for who in (APPROVER, "visitor"))
        tools.seat_act("Alice", "navigate(sofa, 0)")
        until(lambda: "yes 1" in (person.read() or {}).get("tell", ""))
        visitor.send({"say": "yes 1"})
        assert not alice.did
        person.send({"say": "yes 1"})
        until(lambda: alice.did)
        person.close()
        visitor.close()
