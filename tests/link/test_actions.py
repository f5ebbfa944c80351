"""Actions of a robot that is driven elsewhere: they end late, once, and in its own words."""

import base64
import math
import struct
import threading

import pytest

from coterie.core.action import Action
from coterie.core.sight import Picture, Sight
from coterie.link.lines import Line
from coterie.link.robot import Report
from tests.link.conftest import end, robot, until
from tests.link.robots import Tin


def test_a_picture_comes_with_what_is_told_anew(serve, far, monkeypatch):
    picture = Picture(
        base64.b64encode(b"\x89PNG\r\n\x1a\n" + struct.pack(">8xII", 4, 3)).decode(), (0.0, 0.0, 1.5), 90.0
    )
    monkeypatch.setattr(Tin, "sense", lambda robot: Sight(pose=(1.0, 2.0)))
    monkeypatch.setattr(Tin, "picture", lambda robot: picture)
    serve()
    alice = far()
    assert end(alice.start("Alice", Action("take", ("0.01",)), 0.0)).status == "done"
    told = alice.sensed("Alice", 60.0)
    assert {s.picture for s in told} == {picture} and picture.size() == (4, 3)
    monkeypatch.setattr(Tin, "picture", lambda robot: picture._replace(png="no picture"))
    end(alice.start("Alice", Action("take", ("0.01",)), 1.0))
    assert not alice.sensed("Alice") and any("A picture is a PNG" in words for words in alice.complaints)


def test_an_action_ends_late_in_the_robots_own_words_and_tells_how_far_it_is(serve, far):
    host, alice = serve(), far()
    under = alice.start("Alice", Action("take", ("0.15",)), 3.0)
    assert under.poll(3.1) is None
    until(lambda: under.progress == (0.5, "half"))
    outcome = end(under)
    assert (outcome.status, outcome.reason, outcome.start, outcome.cause) == ("done", "Alice did it.", 3.0, None)
    assert robot(host).did == ["take(0.15)"]


def test_why_it_failed_and_what_was_found_out_travel_as_data(serve, far):
    serve()
    outcome = end(far().start("Alice", Action("fail"), 0.0))
    assert (outcome.status, outcome.cause.clause, outcome.cause.fact) == (
        "failed",
        "seen",
        ("where", ("cup",), "shelf"),
    )
    assert [f.value for f in outcome.facts] == ["shelf"]


@pytest.mark.parametrize(
    ("skill", "words"), [("raise", "ValueError: a wire is loose"), ("mumble", "return done(...) or failed(...)")]
)
def test_what_goes_wrong_in_the_engineers_code_is_a_failure_and_the_robot_is_halted(serve, far, skill, words):
    host, alice = serve(), far()
    outcome = end(alice.start("Alice", Action(skill), 0.0))
    assert outcome.status == "failed" and words in outcome.reason and outcome.cause.clause == "driver"
    until(lambda: robot(host).halts)
    assert end(alice.start("Alice", Action("go"), 1.0)).ok, "and it goes on"


def test_an_action_is_cancelled(moving):
    host, alice, under = moving()
    assert under.cancel(1.0).status == "cancelled"
    until(lambda: not robot(host).moving.is_set() and robot(host).halts)
    assert end(alice.start("Alice", Action("go"), 2.0)).ok


def test_a_word_to_stop_that_comes_too_late_does_not_undo_what_was_done(serve, far):
    serve()
    under = far().start("Alice", Action("go"), 0.0)
    until(lambda: under.end is not None)
    assert under.cancel(1.0).status == "done"


def test_what_is_begun_while_another_action_is_under_way_waits_for_its_end(moving):
    host, alice, first = moving()
    second = alice.start("Alice", Action("go"), 1.0)  # as after a word to stop that was lost with its coordinator
    assert end(first).status == "cancelled" and end(second).ok
    assert host.stations["Alice"].kept.find(first.name).end.status == "cancelled"


def test_what_is_begun_while_the_end_of_another_action_comes_in_ends_too(serve, far, monkeypatch):
    serve()
    alice, later, read = far(), [], Report.of

    def of(told):
        if threading.current_thread().name == "line to Alice" and not later:  # an end has come in
            later.append(alice.start("Alice", Action("go"), 1.0))
        return read(told)

    monkeypatch.setattr(Report, "of", of)
    alice.start("Alice", Action("go"), 0.0)
    until(lambda: later)
    assert end(later[0]).ok


def test_what_is_begun_while_another_action_is_given_up_is_not_lost(serve, far, monkeypatch):
    host, alice, later, send = serve(), far(), [], Line.send
    until(lambda: alice._line is not None)

    def beat(line, message):
        send(line, message)
        if message.get("holds") == first.name and not later:
            first.asked_at = -math.inf  # its driver has had all the time there is
            later.append(alice.start("Alice", Action("go"), 1.0))

    with host.stations["Alice"]._desk:  # so that it is not taken
        first = alice.start("Alice", Action("go"), 0.0)
        monkeypatch.setattr(Line, "send", beat)
        until(lambda: later)
    assert end(later[0]).ok


def test_an_action_that_has_no_wire_form_fails_and_nothing_is_sent(serve, far):
    host, alice = serve(), far()
    until(lambda: alice._line is not None)
    assert "has no wire form" in end(alice.start("Alice", Action("go", (object(),)), 0.0)).reason
    assert "a line takes 1,000,000" in end(alice.start("Alice", Action("go", ("x" * 2_000_000,)), 1.0)).reason
    assert robot(host).did == []
