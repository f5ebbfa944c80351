"""A plan that waits for a yes is made anew when words speak against it; what nobody answers, and what is forgotten."""

import pytest

from coterie.mission.asking import PATIENCE_S
from tests.mission.scenes import play, scenes
from tests.mission.ward import A, B, V, with_medkit

FORGOTTEN = """
# forgetting a kit that is under way asks whether the order or the kit is meant and said again it is no yes
Deliver a medkit to alpha. | teacher: Forget the medkit. | teacher: Forget the medkit.
> Cancel the order for a medkit. | > The order goes on then. | = kits: feverkit medkit woundkit
= goals: a medkit at alpha | teacher: Cancel the order for a medkit. | = kits: feverkit medkit woundkit | = goals:
# a kit that nobody has taught is forgotten after a question
teacher: Forget the medkit. > forget for everybody what a medkit is? | teacher: Yes. | = kits: feverkit woundkit
# and is not without a yes
each: No. | What is in a medkit?
teacher: Forget the medkit. | teacher: {} | = kits: feverkit medkit woundkit
# a kit that was taught is forgotten at once and one that was changed is as before
teacher: Define a new kit 'bluekit'. | teacher: A medical caddy. | teacher: Two painkillers. | teacher: Nothing else.
= kits: bluekit feverkit medkit woundkit | teacher: Forget the bluekit. > All right, I forget bluekit.
teacher: Add gloves to the medkit. | teacher: Forget the medkit. | = kits: feverkit medkit woundkit
= kit medkit: 2 painkiller, 1 bandagebox
# whoever may not teach is refused and not asked
visitor: Forget the medkit. > may not teach
# a kit on its way goes on and that is said
Deliver a medkit to alpha. | teacher: Forget the kit medkit. > To call off a medkit
teacher: Yes. > What is ordered already goes on | = goals: a medkit (2 painkillers, 1 bandage box) at alpha
# a skill that is forgotten leaves what is under way and another skill goes on
each: instructor | teacher
teacher: Learn a new skill named 'patrol'. | teacher: Temi, go to alpha. | teacher: Temi, go to beta.
teacher: That is all. | {}: Do patrol. | teacher: Learn a new skill named 'airing'. | teacher: Open the alpha door.
teacher: That is all. | teacher: Forget airing. => All right, I forget airing. | = goals: Temi at alpha
teacher: Forget patrol. => All right, I forget patrol. What is ordered already goes on: Temi at alpha for {}.
= goals: Temi at alpha
"""
UNANSWERED = f"""
# whoever does not answer a proposal is reminded once and told what becomes of it
Deliver a medkit to alpha. | ... fails | ... {PATIENCE_S / 2} | instructor> I still wait for your yes or no. I could
... 1 | instructor!> I | ... {PATIENCE_S} | instructor> I have asked teacher | teacher> Do you want me to do it?
Yes. => All right, I do it.
# a yes to what was given up is understood for what it is
Deliver a medkit to alpha. | ... fails | ... {PATIENCE_S + 1} | ... {PATIENCE_S + 1} | = goals:
instructor> If you want it after all | Yes. > I gave up | = goals: | Yes. > All right | = goals: a medkit at alpha
teacher: Yes. > proposed nothing
"""


@pytest.mark.parametrize("scene", scenes(FORGOTTEN + UNANSWERED))
def test_scene(ward, scene):
    play(ward, scene)


# -- what speaks against a proposal -----------------------------------------------------------------------------------
@pytest.fixture
def proposing(quick):
    """The instructor is asked whether the pharmacist should be asked for a bandage box."""
    ward = with_medkit()
    ward.talk((B, "There are no bandage boxes on table E."))
    assert "asks the pharmacist" in ward.mission.partner.proposed(A)
    return ward


def troubles(ward):
    """What is known of the goal that waits for a yes."""
    (goal,) = ward.mission.goals.all("waiting")
    return ward.mission.recovery.of(goal)


def asked(ward):
    """The people whom the ways out that wait would ask."""
    return [ward.mission.recovery.asks(o) for o in troubles(ward).offers]


@pytest.mark.parametrize("who, said, then", [
    ("pharmacist", "I have no bandage boxes.", "ask the nurse to put"), (A, "The pharmacist is away.", ""),
    (A, "Close the office.", ""),
])  # fmt: skip
def test_what_speaks_against_a_proposal_withdraws_it_and_whoever_was_asked_is_told(proposing, who, said, then):
    proposing.talk((who, said))
    told = "\n".join(proposing.told(A))
    assert "So I leave what I proposed for a medkit" in told and "asks the pharmacist" not in told
    now = proposing.mission.partner.proposed(A)
    assert "Spot asks" not in now and then in now


@pytest.mark.parametrize("who, said", [
    ("pharmacist", "I have no gloves."), ("pharmacist", "I have two bandage boxes."),
    ("pharmacist", "The alpha door is open."), ("pharmacist", "Is there a bandage box?"),
    (B, "There are gloves on table C."), (B, "There are no bandage boxes on table C."),
])  # fmt: skip
def test_other_words_leave_a_proposal_as_it_is(proposing, who, said):
    before = proposing.mission.partner.proposed(A)
    proposing.talk((who, said))
    assert proposing.mission.partner.proposed(A) == before and "So I leave" not in "\n".join(proposing.told(A))


@pytest.mark.parametrize("said", [
    "Yes, and use Temi.", "Yes, but quickly.", "Yes, and take it to beta.", "Yes, and make it two.",
    "Ok, and a woundkit to beta.", "Yes, and a woundkit if there is time.", "Yes, a woundkit.",
    "I'm not sure about that.", "Okay okay, I am thinking.",
])  # fmt: skip
def test_a_yes_with_anything_else_behind_it_is_none_and_whoever_thinks_is_waited_for(proposing, said):
    reply = proposing.talk((A, said))
    assert proposing.waits() and ("that waits" in reply or said.startswith(("Yes", "Ok,")))


def test_who_is_not_to_be_asked_is_not_asked_under_another_name_and_a_second_no_is_one_to_all_help(proposing):
    proposing.talk((A, "No."))
    assert "ask the nurse to put" in proposing.mission.partner.proposed(A)
    assert asked(proposing) and not any("pharmacist" in people for people in asked(proposing))
    proposing.talk((A, "No."))
    assert set(proposing.states().values()) == {"failed"}


@pytest.mark.parametrize("before", [(), ((A, "No."),)])
@pytest.mark.parametrize("who", [A, B])
def test_a_fact_about_what_is_missing_has_the_proposal_worked_out_anew(proposing, who, before):
    proposing.talk(*before, (who, "There is a bandage box on table C."))
    assert "So I leave what I proposed for a medkit" in "\n".join(proposing.told(A))
    assert "pharmacist" not in proposing.mission.partner.proposed(A) and asked(proposing)[0] == set()


def test_ways_out_are_worked_out_anew_only_after_words_that_teach_something(proposing, monkeypatch):
    recovery, calls, gloves = proposing.mission.recovery, [], "There are gloves on table C."
    seek = recovery.alternatives
    monkeypatch.setattr(recovery, "alternatives", lambda *args: calls.append(args) or seek(*args))
    proposing.talk((V, gloves), (V, gloves), (B, "There are no bandage boxes on table E."), (V, "Close the office."))
    assert not calls
    proposing.talk((B, gloves))
    assert len(calls) == 1
    proposing.talk((A, "The pharmacist is away."))
    assert len(calls) > 1


@pytest.mark.parametrize("said", ["There is a bandage box on table C.", "There are gloves on table C."])
def test_words_do_not_bring_back_what_was_tried_in_vain(proposing, said):
    mine = troubles(proposing)
    tried, *mine.offers = mine.offers
    mine.last_try, mine.used = True, {(tried.policy, None): 1}
    proposing.talk((B, said))
    assert mine.offers and tried.policy not in {o.policy for o in mine.offers}
    assert "So I leave" not in "\n".join(proposing.told(A))
