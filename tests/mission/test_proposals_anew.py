"""A plan that waits for a yes is made anew when words speak against it; a yes beside an order counts; a skill that is
forgotten is not gone on with."""

import pytest

from tests.mission.ward import A, B, V, Ward, with_medkit

pytestmark = pytest.mark.usefixtures("quick")
P, ALPHA = "pharmacist", "a medkit (2 painkillers, 1 bandage box) at alpha"


def proposing():
    """A ward in which the instructor is asked whether the pharmacist should be asked for a bandage box."""
    ward = with_medkit()
    ward.talk((B, "There are no bandage boxes on table E."))
    assert "asks the pharmacist" in ward.mission.partner.proposed(A)
    return ward


@pytest.mark.parametrize("who, said", [
    (P, "I have no bandage boxes."), (A, "The pharmacist is away."), (A, "Close the office."),
])  # fmt: skip
def test_what_speaks_against_a_proposal_withdraws_it_and_whoever_was_asked_is_told(who, said):
    ward = proposing()
    ward.talk((who, said))
    told = "\n".join(ward.told(A))
    assert "So I leave what I proposed for a medkit" in told and "asks the pharmacist" not in told
    assert "Spot asks" not in ward.mission.partner.proposed(A)


def test_whoever_has_none_is_not_asked_for_it():
    ward = proposing()
    ward.talk((P, "I have no bandage boxes."))
    assert "ask the nurse to put" in ward.mission.partner.proposed(A)


def test_other_words_leave_a_proposal_as_it_is():
    ward = proposing()
    before = ward.mission.partner.proposed(A)
    for said in (
        "I have no gloves.",
        "I have two bandage boxes.",
        "The alpha door is open.",
        "Is there a bandage box?",
    ):
        ward.talk((P, said))
        assert ward.mission.partner.proposed(A) == before and "So I leave" not in "\n".join(ward.told(A))


@pytest.mark.parametrize("said", [
    "Yes, and use Temi.", "Yes, but quickly.", "Yes, and take it to beta.", "Yes, and make it two.",
    "Ok, and a woundkit to beta.", "Yes, and a woundkit if there is time.", "Yes, a woundkit.",
])  # fmt: skip
def test_a_yes_with_anything_else_behind_it_is_none(said):
    ward = proposing()
    ward.talk((A, said))
    assert ward.states() == {ALPHA: "waiting"}


def test_whoever_thinks_is_waited_for():
    ward = proposing()
    for said in ("I'm not sure about that.", "Okay okay, I am thinking."):
        assert "that waits" in ward.talk((A, said)) and ward.states() == {ALPHA: "waiting"}


# -- what is forgotten ------------------------------------------------------------------------------------------------
def patrolling(who):
    ward = Ward()
    ward.talk((B, "Learn a new skill named 'patrol'."), (B, "Temi, go to alpha."), (B, "Temi, go to beta."),
              (B, "That is all."), (who, "Do patrol."))  # fmt: skip
    return ward


@pytest.mark.parametrize("who", [A, B])
def test_a_skill_that_is_forgotten_leaves_what_is_under_way(who):
    ward = patrolling(who)
    reply = ward.talk((B, "Forget patrol."))
    assert reply == f"All right, I forget patrol. What is ordered already goes on: Temi at alpha for {who}."
    assert ward.goals() == ["Temi at alpha"]


def test_another_skill_goes_on():
    ward = patrolling(B)
    ward.talk((B, "Learn a new skill named 'airing'."), (B, "Open the alpha door."), (B, "That is all."))
    assert ward.talk((B, "Forget airing.")) == "All right, I forget airing." and ward.goals() == ["Temi at alpha"]


def test_a_kit_on_its_way_goes_on_and_that_is_said():
    ward = with_medkit()
    assert "To call off a medkit" in ward.talk((B, "Forget the kit medkit."))
    assert "What is ordered already goes on" in ward.talk((B, "Yes."))
    assert ward.goals() == [ALPHA]


# -- what was refused, and what is better by now ----------------------------------------------------------------------
def asked(ward):
    """The people whom the ways out that wait would ask."""
    (goal,) = ward.mission.goals.all("waiting")
    offers = ward.mission.recovery.of(goal).offers
    return [ward.mission.recovery.asks(o) for o in offers]


def test_who_is_not_to_be_asked_is_not_asked_under_another_name():
    ward = proposing()
    ward.talk((A, "No."))
    assert "ask the nurse to put" in ward.mission.partner.proposed(A)
    assert asked(ward) and not any(P in people for people in asked(ward))


def test_a_no_to_asking_somebody_for_help_is_not_followed_by_all_the_others():
    ward = proposing()
    ward.talk((A, "No."), (A, "No."))
    assert ward.states() == {ALPHA: "failed"}


@pytest.mark.parametrize("before", [(), ((A, "No."),)])
@pytest.mark.parametrize("who", [A, B])
def test_a_fact_about_what_is_missing_has_the_proposal_worked_out_anew(who, before):
    ward = proposing()
    ward.talk(*before, (who, "There is a bandage box on table C."))
    assert "So I leave what I proposed for a medkit" in "\n".join(ward.told(A))
    assert "pharmacist" not in ward.mission.partner.proposed(A) and asked(ward)[0] == set()


def test_what_teaches_nothing_is_no_reason_to_work_it_out_again(monkeypatch):
    ward, looked = proposing(), []
    recovery = ward.mission.recovery
    real = recovery.alternatives
    monkeypatch.setattr(recovery, "alternatives", lambda *given: looked.append(given) or real(*given))
    for _ in range(3):
        ward.talk(("visitor", "There are gloves on table C."))
    assert not looked
    ward.talk((A, "The pharmacist is away."))
    assert looked


def test_what_has_failed_before_a_last_attempt_does_not_come_back_by_a_remark():
    ward = proposing()
    (goal,) = ward.mission.goals.all("waiting")
    mine = ward.mission.recovery.of(goal)
    mine.last_try, tried = True, mine.offers[0].policy
    mine.used[tried, None] = 1
    ward.talk((B, "There is a bandage box on table C."))
    assert tried not in {o.policy for o in mine.offers}


@pytest.mark.parametrize("said", ["There are gloves on table C.", "There are no bandage boxes on table C."])
def test_a_fact_about_something_else_leaves_it(said):
    ward = proposing()
    before = ward.mission.partner.proposed(A)
    ward.talk((B, said))
    assert ward.mission.partner.proposed(A) == before and "So I leave" not in "\n".join(ward.told(A))


def test_ways_out_are_worked_out_anew_only_after_words_that_teach_something(monkeypatch):
    ward, calls = proposing(), []
    seek = ward.mission.recovery.alternatives
    monkeypatch.setattr(ward.mission.recovery, "alternatives", lambda *args: calls.append(args) or seek(*args))
    ward.talk((V, "There are gloves on table C."), (B, "There are no bandage boxes on table E."),
              (V, "Close the office."))  # fmt: skip
    assert not calls
    ward.talk((B, "There are gloves on table C."))
    assert len(calls) == 1


def test_words_do_not_bring_back_what_was_tried_in_vain():
    ward = proposing()
    mine = ward.mission.recovery.of(ward.mission.goals.all("waiting")[0])
    tried, *mine.offers = mine.offers
    mine.last_try, mine.used = True, {(tried.policy, None): 1}
    ward.talk((B, "There are gloves on table C."))
    assert mine.offers and tried.policy not in {o.policy for o in mine.offers}
    assert "So I leave" not in "\n".join(ward.told(A))
