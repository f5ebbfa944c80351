"""Corrections, "undo that" and "instead" are about what their speaker said, did and may change."""

import pytest

from tests.mission.scenes import play, scenes
from tests.mission.ward import A, B, V

SCENES = """
# what is done stays and a correction of it is read back
each: No, two. | No, table D. | I meant the gloves.
Put one painkiller on table C. | ... done | {} > is done already, and stays. Do you mean | = goals:
# nobody says that what is done was taken back
Put one painkiller on table C. | ... done | Undo that. > done already, and stays
# a name means ones own of that name first
Deliver a feverkit to alpha. | teacher: Deliver a feverkit to beta. | Cancel the feverkit. | = by: teacher
# an order that waits is called off before one that came earlier
Open the side door. | When table E is empty, bring a bandage box to table E. | Cancel that.
= goals: the side door open | = standing: 0
# undo is of the last thing and never of one before
each: Close the zone at table G. | The medkit is urgent. | Pause the medkit. | Spot is broken.
Deliver a medkit to alpha. | {} | Undo that. > take that back
= goals: a medkit at alpha | = priority: 0 | = rules: 0
# undo of a stop names the word
Deliver a medkit to alpha. | Stop! | Undo that. > until somebody says continue | = states: a medkit at alpha paused
# a right that was given is taken back and no lesson
teacher: Add a thermometer to the medkit. | teacher: The nurse may approve plans. | teacher: Undo that.
= may nurse approve: no | = kit medkit: 2 painkiller, 1 bandagebox, 1 thermometer
# a no to what one has ordered is asked about
each: No. | Don't do that.
Deliver a medkit to alpha. | teacher: {} > proposed nothing | {} > Do you want me to
= states: a medkit at alpha running | Yes. | = states:
# not yet is a pause after a question
Deliver a medkit to alpha. | Not yet. > Do you want me to | = states: a medkit at alpha running | Yes.
= states: a medkit at alpha paused
# what took back a zone is no deed to undo
teacher: Close gamma. | teacher: Undo that. | = rules: 0 | teacher: Undo that. > already | = rules: 0
# instead of what somebody else wants changes nothing and tells what to leave
each: Take the medkit to beta instead. | No, deliver a medkit to beta. | Take a feverkit to gamma instead.
each: Put gloves on table C instead. | Bring gloves instead.
{} > Instead of what? Nobody wants anything | = goals: | teacher: Deliver a medkit to alpha.
{} > Instead of what? teacher wants a medkit (2 painkillers, 1 bandage box) at alpha ... To have it as well, say:
= goals: a medkit at alpha
# a correction that is asked about leaves the order until it is answered
Deliver a medkit to alpha. | No, zero. > How many should it be? | = goals: a medkit at alpha
none | = goals: a medkit at alpha | No, zero. | two | = goals: a medkit at alpha; a medkit at alpha
# a correction of what rests because a robot was stopped is taken
Deliver a medkit to alpha. | teacher: Stop Spot. | No, to gamma. > It rests, as before
= states: a medkit at gamma paused
# after a stop of ones own a correction counts when it goes on
Deliver a medkit to alpha. | Stop! | No, to gamma. | = moves: | Continue. | = states: a medkit at gamma running
# continue is no answer to a correction that was read back
Deliver a medkit to alpha. | Open the side door. | Stop! | No, to gamma.
Continue. > You have not answered that yet ... Deliver a medkit to gamma. | = moves: | Yes. | Continue.
= states: a medkit at gamma running; the side door open running
# another kit is changed instead
teacher: Add an antiseptic to the medkit. | teacher: Sorry, I meant the feverkit.
= kit medkit: 2 painkiller, 1 bandagebox | = kit feverkit: 1 thermometer, 1 painkiller, 1 antiseptic
# a fact that was put right is as before when that is undone
nurse: There are three gloves on table D. | nurse: No, five. | nurse: Undo that.
How many gloves are on table D? > three gloves
# without a robot
Deliver a medkit to gamma without Spot. | = goals: a medkit at gamma | = moves: Fetch Temi
Deliver a feverkit to alpha. | Without Spot. > Do you mean: Deliver a feverkit to alpha without Spot.
Yes. > because it is to be done without Spot ... stays
# what other orders bring about needs no approval
Open the side door. | Spot, go to beta. | = states: Spot at beta running; the side door open running
Cancel the side door. | = states: Spot at beta running | = moves: Spot
# one of several orders is called off by where it goes or what it is of
each: Cancel the one to table G. | Cancel the one with the gloves. | Not the gloves. | Drop the one going to table G.
each: Cancel the delivery to table G. | Scrap the gloves.
Put the gloves on table G. | Put a thermometer on table C. | {} | = goals: 1 thermometer at table C
# whether another robot could do it is answered and orders nothing
Couldn't Temi do it? > What do you mean | Open the side door. | = mark | Couldn't Temi do it? > Temi cannot do that
visitor: Can Spot do it? > Yes, with Spot ... say: Let Spot do it.
Who else could do it? > By their skills Spot could. | = same
# an order in vain is put right by what follows it at once
Put the gloves on table G. | Temi, open the alpha door. > Spot could | Sorry, I meant Spot.
= goals: 1 gloves at table G; the door of alpha open
Temi, open the side door. | What is going on? | No, table D. | = goals: 1 gloves at table G; the door of alpha open
# why not is answered with what was refused
visitor: Open the side door. | visitor: Why not? > may not give commands
# another medkit is a second one
each: Deliver another medkit to gamma. | Deliver a medkit to gamma. | A medkit to gamma.
Deliver a medkit to alpha. | teacher: Bring the medkit to gamma.
> a medkit (2 painkillers, 1 bandage box) at alpha for instructor ... For another one, say: | = goals: a medkit at alpha
teacher: {} | = goals: a medkit at alpha; a medkit at gamma
# the medkit is the one under way
Deliver a medkit to alpha. | Deliver the medkit to beta. > instead of: Deliver a medkit to alpha. | No.
Deliver the medkit to alpha. > under way already | teacher: Deliver the medkit to gamma. > at alpha for instructor
Deliver another medkit to beta. | = goals: a medkit at alpha; a medkit at beta
Cancel the medkit. > There is more than one. | = goals: a medkit at alpha; a medkit at beta
No. | Cancel the medkit to beta. | = goals: a medkit at alpha
# a clearer cancel is no no to a cancel that is read back
Deliver a medkit to alpha. | teacher: Deliver a medkit to alpha as well. | Cancel mine. | = by: teacher
Cancel my order. > You have ordered nothing | = by: teacher
# an order that waits for an answer is left by its owner
Deliver a medkit to alpha. | teacher: Open the door. > Which door | teacher: Cancel my order. > I leave
= goals: a medkit at alpha
# an order that waits is called off by its name and nothing of others with it
teacher: Deliver a feverkit to beta. | When table E is empty, deliver a feverkit to alpha.
Cancel the feverkit. > I leave that: When table E is empty | = goals: a feverkit at beta | = standing: 0
# one that waits beside one under way is asked about
Deliver a medkit to alpha. | Deliver a feverkit to beta. | When table E is empty, deliver a feverkit to alpha.
Cancel the feverkit. > There is more than one. ... Also: When table E is empty
= goals: a feverkit at beta; a medkit at alpha | = standing: 1 | Yes. | = goals: a medkit at alpha | = standing: 0
# to drop something without a place orders nothing
each: drop the medkit | Please drop the medkit. | Drop the feverkit. | drop the gloves | drop a medkit
each: drop two medkits | drop the painkiller and open the side door | ditch the woundkit | lose the medkit
teacher: {} !> All right | !> Where should I bring | = goals:
# to drop what is under way calls it off
each: Drop the medkit. | Could you drop the medkit? | Please drop the medkit.
Deliver a medkit to alpha. | {} > a medkit (2 painkillers, 1 bandage box) at alpha is called off | = goals:
# what is returned without a place is not packed
Return the medkit. | = goals:
# what people do themselves is no order
each: I have opened the door to alpha. | I am going to open the side door. | I can bring a bandage box to table E.
each: We have already put a thermometer on table G. | The nurse is bringing a bandage box to table E.
each: I will take the gloves to table C. | He has just opened the side door.
{} | Yes. | = goals:
"""


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_scene(ward, scene):
    play(ward, scene)


@pytest.mark.parametrize("said", ["Cancel that.", "Cancel the order.", "Hurry up!"])
def test_nobody_takes_back_or_hurries_what_others_want_without_a_question(ward, said):
    ward.mission.authority.grant("mission", B, "priority")
    ward.talk((A, "Deliver a medkit to alpha."))
    assert "for instructor?" in ward.talk((B, said))
    goal = ward.mission.goals.all()[0]
    assert goal.state == "running" and goal.priority == 0
    assert "may not" in ward.talk((V, said)) and ward.mission.goals.all()[0].state == "running"


def test_a_correction_is_planned_once(ward):
    sought = []
    seek = ward.mission.planner._sought
    ward.mission.planner._sought = lambda question: (sought.append(question), seek(question))[1]
    ward.talk((A, "Deliver a medkit to alpha."))
    first = len(sought)
    ward.talk((A, "No, to gamma."))
    assert ward.goals() == ["a medkit (2 painkillers, 1 bandage box) at gamma"] and len(sought) - first <= 1
