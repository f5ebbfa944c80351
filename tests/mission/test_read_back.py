"""Rights that are given for a time, in any words; a time that is not read gives none."""

import pytest

from tests.mission.ward import B


@pytest.mark.parametrize(("time", "minutes"), [
    ("for one hour", 60), ("for an hour", 60), ("for the next hour", 60), ("for two hours", 120),
    ("for half an hour", 30), ("for ten minutes", 10), ("for an hour and a half", 90), ("for a quarter of an hour", 15),
    ("for two and a half hours", 150),
])  # fmt: skip
def test_a_right_is_given_for_the_time_that_was_said(ward, time, minutes):
    if "Do you mean" in (reply := ward.talk((B, f"The nurse may give orders {time}."))):
        reply = ward.talk((B, "Yes."))
    assert f"for {minutes} minutes" in reply
    ward.mission.journal.time += 60 * minutes - 1
    assert ward.mission.authority.may("nurse", "command")
    ward.mission.journal.time += 2
    assert not ward.mission.authority.may("nurse", "command")


@pytest.mark.parametrize("time", ["today", "once", "while I am away", "this week", "for the day", "for two days"])
def test_a_time_that_is_not_read_is_said_to_be_left_out(ward, time):
    reply = ward.talk((B, f"The nurse may give orders {time}."))
    assert "leaves out" in reply or "did not understand" in reply
    assert not ward.mission.authority.may("nurse", "command")


def test_a_right_that_was_given_is_limited_and_given_for_good(ward):
    may = ward.mission.authority.may
    reply = ward.talk((B, "The nurse may approve plans."), (B, "The nurse may approve plans for ten minutes."))
    assert "for 10 minutes" in reply
    ward.mission.journal.time += 601
    assert not may("nurse", "approve")
    ward.talk((B, "The nurse may approve plans for ten minutes."), (B, "The nurse may approve plans."))
    ward.mission.journal.time += 601
    assert may("nurse", "approve")
    assert "already" in ward.talk((B, "The nurse may approve plans."))
    assert "by role" in ward.talk((B, "The instructor may give orders for ten minutes."))
    ward.mission.journal.time += 601
    assert may("instructor", "command")
