"""A stop holds until somebody says continue, whoever speaks and of whatever."""

import pytest

from tests.mission.ward import PAINS, A, B, V


def test_a_robot_that_is_stopped_does_nothing_later_either(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Put one thermometer on table G."))
    later = next(r for r in ("Temi", "Spot", "Fetch") if not any(i.robot == r for i in ward.mission.agenda.running()))
    assert later in ward.moves()
    ward.talk((V, f"Stop {later}."), (A, "Open the side door."))
    assert later not in ward.moves()
    ward.talk((A, "Continue."))
    assert later in ward.moves()


def test_a_robot_that_is_stopped_can_do_what_it_could(ward):
    ward.talk((A, "Stop Spot."))
    assert "Spot can" in ward.talk((A, "Who can open doors?"))
    ward.talk((A, "Spot, open the side door."))
    assert ward.moves() == {"Spot"}


def test_only_the_robot_that_is_named_goes_on_or_one_is_asked(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Temi, go to beta."), (V, "Stop!"), (A, "Spot, continue."))
    assert ward.states() == {"Spot at gamma": "running", "Temi at beta": "paused"}
    ward.talk((B, "Go on with my order."))
    assert ward.states() == {"Spot at gamma": "running", "Temi at beta": "running"}


def test_a_robot_does_not_bring_others_with_it_without_a_question(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Stop!"))
    assert "would go on, too" in ward.talk((B, "Spot, continue."))
    assert list(ward.states().values()) == ["paused"]


def test_continue_after_a_stop_leaves_what_was_paused_by_name(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Deliver a feverkit to beta."), (B, "Pause the feverkit."))
    reply = ward.talk((A, "Stop!"), (A, "Continue."))
    assert "Still at rest, by teacher" in reply and sorted(ward.states().values()) == ["paused", "running"]
    assert "teacher paused that" in ward.talk((A, "Continue."))


def test_a_correction_does_not_end_a_stop(ward):
    ward.talk((A, "Put one painkiller on table C."), (B, "Stop!"))
    assert "It rests, as before" in ward.talk((A, "No, two."))
    assert ward.states() == {PAINS: "paused"} and not ward.moves()


def test_an_order_after_the_stop_of_somebody_else_is_asked_about_and_they_are_told(ward):
    ward.talk((B, "Spot, go to gamma."), (V, "Stop!"))
    assert "visitor has stopped everything" in ward.talk((A, "Open the side door."))
    assert ward.states() == {"Spot at gamma": "paused"}
    ward.say(A, "Yes.")
    assert ward.goals() == ["Spot at gamma", "the side door open"]
    assert ward.told(V) == ["instructor wants, although you said stop: Open the side door."]


HARMLESS = (
    "No, two.", "Undo that.", "Yes.", "Not yet.", "Make it three.", "Hurry up!", "No, table D.", "What is going on?",
    "Table E is empty.", "Put it on table D.", "Forget it.", "Let Spot do it.", "The nurse may approve plans.",
)  # fmt: skip


@pytest.mark.parametrize("person", [A, B])
@pytest.mark.parametrize("said", HARMLESS)
def test_after_a_stop_nothing_moves_but_by_continue_or_an_order(ward, person, said):
    ward.talk((A, "Put one painkiller on table C."), (B, "Spot, go to gamma."), (V, "Stop!"), (person, said))
    assert not ward.moves() and "running" not in ward.states().values()


def test_after_a_stop_nothing_begins_by_itself(ward):
    ward.talk((A, "When table E is empty, bring a bandage box to table E."), (V, "Stop!"), (A, "Table E is empty."))
    assert ward.goals() == []
    ward.talk((A, "Continue."))
    assert ward.goals() == ["1 bandage box at table E"]


def test_whoever_said_stop_is_told_that_it_goes_on(ward):
    ward.talk((A, "Spot, go to gamma."), (V, "Stop!"))
    ward.say(A, "Continue.")
    assert ward.told(V) == ["instructor has spoken: Spot at gamma goes on."]


@pytest.mark.parametrize("said", ["Yes.", "Go ahead."])
def test_a_yes_after_a_stop_is_asked_about(ward, said):
    ward.talk((A, "Spot, go to gamma."), (A, "Stop!"))
    assert "Do you want me to go on?" in ward.talk((A, said))
    assert list(ward.states().values()) == ["paused"]


def test_what_was_read_back_before_a_stop_is_over(ward):
    ward.talk((A, "Spot, go to gamma."), (B, "Stop!"), (A, "Sorry, continue."), (A, "Stop!"))
    ward.talk((A, "Yes."))
    assert list(ward.states().values()) == ["paused"]


def test_a_step_that_the_corrected_order_counts_on_is_done_to_its_end(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    begun = [r for r in sorted(ward.moves()) if ward.mission.next_step(r) is not None]
    ward.talk((A, "No, to gamma."))
    at_once = ward.mission.stopped(begun)
    assert set(begun) > set(at_once) and not set(at_once) & {i.robot for i in ward.mission.agenda}
    ward.talk((A, "Cancel that."))
    assert sorted([*at_once, *ward.mission.stopped(begun)]) == begun
