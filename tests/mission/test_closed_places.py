"""Places and doors that are closed to robots: for a time, asked about, and open again."""

import pytest

from tests.mission.ward import A, B, V


@pytest.mark.parametrize("said", [
    "Close gamma for two hours.", "For the next two hours nobody goes to gamma.", "Gamma is closed for 120 minutes.",
])  # fmt: skip
def test_a_place_is_closed_for_a_time_and_whoever_closed_it_is_told_when_it_is_over(ward, said):
    rules = set(ward.mission.recovery.rules)
    assert ward.talk((B, said)).endswith("for 120 minutes.")
    ward.mission.journal.time += 119 * 60
    assert "open again in 1 minute" in ward.talk((A, "How long is gamma closed for?"))
    ward.talk((A, "Spot, go to gamma."))
    assert ward.goals() == []
    ward.mission.journal.time += 60
    ward.mission.desk.take()
    ward.mission.think()
    assert ward.told(B) == ["The time is over: gamma is open again for Fetch, Spot and Temi."]
    assert ward.told(A) == [] and set(ward.mission.recovery.rules) == rules
    ward.talk((A, "Spot, go to gamma."))
    assert ward.goals() == ["Spot at gamma"]


def test_a_time_is_put_right_and_ends_with_what_opens_a_place(ward):
    assert "for 30 minutes" in ward.talk((B, "Close the zone at beta for Spot for half an hour."))
    ward.talk((B, "Spot may go to beta again."), (B, "Keep Spot out of beta."))
    ward.mission.journal.time += 31 * 60
    assert "closed for Spot" in ward.talk((A, "Is beta closed?"))  # this time for good


def test_a_door_is_closed_to_robots_and_need_not_be_shut(ward):
    assert "the side door is off limits" in ward.talk((B, "Nobody may use the side door until I say so."))
    assert "Yes, the side door is off limits: teacher said so." in ward.talk((A, "Is the side door still off limits?"))
    ward.talk((A, "Open the side door."))
    assert any("because the side door is off limits" in t for t in ward.told(A)) and not ward.moves()
    ward.talk((A, "Cancel that."), (B, "Everyone can use the side door again."), (A, "Open the side door."))
    assert ward.moves() == {"Spot"}


def test_which_of_several_is_told_as_far_as_is_known(ward):
    ward.talk((B, "The alpha door is open."), (B, "The gamma door is shut."), (B, "Spot is broken."))
    doors = ward.talk((A, "Which doors are open?"))
    assert "the alpha door" in doors and "gamma" not in doors.split("I do not know")[0]
    assert ward.talk((A, "Which robots are broken?")) == "Spot is broken, as far as I know."
    assert ward.talk((A, "Which robots are working?")) == "Fetch and Temi are working, as far as I know."
    assert ward.talk((A, "Which places are off limits?")) == "No place is closed."
    ward.talk((B, "Keep Temi away from beta."), (A, "Close table G."))
    told = ward.talk((A, "Which places are off limits?"))
    assert "Beta is closed for Temi: teacher said so." in told and "Table G is closed: instructor said so." in told
    assert ward.talk((A, "Which places are closed for Fetch?")) == "Table G is closed for Fetch: instructor said so."


@pytest.mark.parametrize("said, told, states", [
    ("Keep Temi out of beta.", "Temi stops. Say continue to go on. Instructor and teacher may close beta", "paused"),
    ("Keep Spot out of beta.", "Spot is not on the way to beta. Instructor and teacher may close beta", "running"),
    ("Nobody goes to gamma.", "No robot is on the way to gamma.", "running"),
])  # fmt: skip
def test_who_may_not_close_a_place_stops_whoever_is_bound_for_it(ward, said, told, states):
    ward.talk((A, "Temi, go to beta."))
    assert told in ward.talk((V, said)) and not ward.mission.zones.closed
    assert ward.states() == {"Temi at beta": states}
