"""A stop holds until somebody says continue, whoever speaks and of whatever; what waits and goes on; closed places."""

import pytest

from tests.mission.scenes import play, scenes
from tests.mission.ward import A, B, V

STOPS = """
# a robot that is stopped can do what it could
Stop Spot. | Who can open doors? > Spot can
Spot, open the side door.
= moves: Spot
# only the robot that is named goes on
Spot, go to gamma. | teacher: Temi, go to beta. | visitor: Stop! | Spot, continue.
= states: Spot at gamma running; Temi at beta paused
teacher: Go on with my order.
= states: Spot at gamma running; Temi at beta running
# a robot does not bring others with it without a question
Deliver a medkit to alpha. | teacher: Stop! | teacher: Spot, continue. > would go on, too
= states: a medkit at alpha paused
# continue after a stop leaves what was paused by name
Spot, go to gamma. | teacher: Deliver a feverkit to beta. | teacher: Pause the feverkit.
Stop! | Continue. > Still at rest, by teacher
= states: Spot at gamma running; a feverkit at beta paused
Continue. > teacher paused that
# a correction does not end a stop
Put one painkiller on table C. | teacher: Stop! | No, two. > It rests, as before
= states: 2 painkillers at table C paused
= moves:
# an order after the stop of somebody else is asked about and they are told
teacher: Spot, go to gamma. | visitor: Stop! | Open the side door. > visitor has stopped everything
= states: Spot at gamma paused
Yes.
visitor> instructor wants, although you said stop: Open the side door.
= goals: Spot at gamma; the side door open
# after a stop nothing begins by itself
When table E is empty, bring a bandage box to table E. | visitor: Stop! | Table E is empty.
= goals:
Continue.
= goals: 1 bandage box at table E
# whoever said stop is told that it goes on
Spot, go to gamma. | visitor: Stop! | Continue.
visitor> instructor has spoken: Spot at gamma goes on.
# a yes after a stop is asked about
each: Yes. | Go ahead.
Spot, go to gamma. | Stop! | {} > Do you want me to go on?
= states: Spot at gamma paused
# what was read back before a stop is over
Spot, go to gamma. | teacher: Stop! | Sorry, continue. | Stop! | Yes.
= states: Spot at gamma paused
# continue is no answer to an order that is asked about
visitor: Stop! | Bring gloves to table F. | Go on. > have not answered
= moves:
"""

WAITING = """
# who speaks of what is not ordered pauses nothing
Put two gloves on table C. | Hold off on the medkit for a sec. > no goal with the medkit
visitor: Hold off on the gloves for a sec. > may not
= states: 2 gloves at table C running
# what may be about what is asked neither pauses nor moves anything
each: Leave it for now. | Start again. | Put it aside.
Put two gloves on table C. | teacher: Open the side door. | teacher: Pause the order.
teacher: Define a new kit 'firstaid'.
= mark
teacher: {}
= same
# back to work lets what rests go on and a word that all is well by itself moves nobody
Put two gloves on table C. | visitor: Stop! | Everything is fine.
False alarm. | Everything is fine, don't go on yet.
= states: 2 gloves at table C paused
= moves:
Back to work, everyone.
= states: 2 gloves at table C running
Back to work, everyone. => Nothing rests: everything goes on.
# one that waits and one that goes on in one sentence are not mixed up
Deliver a medkit to alpha. | Deliver a woundkit to beta. | Can we pause the medkit and go on with the woundkit?
!> Do you mean: Resume the order for a medkit
= states: a medkit at alpha running; a woundkit at beta running
"""

CLOSED = """
# a place is closed for a time and whoever closed it is told when it is over
each: Close gamma for two hours. | For the next two hours nobody goes to gamma. | Gamma is closed for 120 minutes.
teacher: {} > for 120 minutes.
... 7140
How long is gamma closed for? > open again in 1 minute
Spot, go to gamma.
= goals:
... 60
teacher> The time is over: gamma is open again for Fetch, Spot and Temi.
instructor!> open again
= rules: 0
Spot, go to gamma.
= goals: Spot at gamma
# a time is put right and ends with what opens a place
teacher: Close the zone at beta for Spot for half an hour. > for 30 minutes
teacher: Spot may go to beta again. | teacher: Keep Spot out of beta.
... 1860
Is beta closed? > closed for Spot
# a door is closed to robots and need not be shut
teacher: Nobody may use the side door until I say so. > the side door is off limits
Is the side door still off limits? > Yes, the side door is off limits: teacher said so.
Open the side door.
instructor> because the side door is off limits
= moves:
Cancel that. | teacher: Everyone can use the side door again. | Open the side door.
= moves: Spot
# which of several is told as far as is known
teacher: The alpha door is open. | teacher: The gamma door is shut. | teacher: Spot is broken.
Which doors are open? > the alpha door
!> gamma
Which robots are broken? => Spot is broken, as far as I know.
Which robots are working? => Fetch and Temi are working, as far as I know.
Which places are off limits? => No place is closed.
teacher: Keep Temi away from beta. | Close table G. | Which places are off limits?
> Beta is closed for Temi: teacher said so. ... Table G is closed: instructor said so.
Which places are closed for Fetch? => Table G is closed for Fetch: instructor said so.
# who may not close a place stops whoever is bound for it
Temi, go to beta. | visitor: Keep Spot out of beta.
> Spot is not on the way to beta. Instructor and teacher may close beta
visitor: Nobody goes to gamma. > No robot is on the way to gamma.
= states: Temi at beta running
visitor: Keep Temi out of beta. > Temi stops. Say continue to go on. Instructor and teacher may close beta
= states: Temi at beta paused
= closed: 0
# the reason for no plan names a closed room
teacher: Close gamma for Temi. | Temi, go to gamma.
instructor> I found no plan because gamma is closed for Temi.
Why? > gamma is closed for Temi
# zones can be asked about
teacher: Close gamma for Temi. | Is gamma closed for Temi? => Yes, gamma is closed for Temi: teacher said so.
Is gamma closed for Spot? => No, gamma is open for Spot.
May Spot go to gamma? => Yes, gamma is open for Spot.
Gamma is closed? > Yes, gamma is closed for Temi
# who closed a room is told when somebody else opens it or closes it again
teacher: Nobody goes near table B. | Reopen table B.
teacher> instructor has spoken: table B is open again.
Close gamma. | teacher: Open gamma. | Close gamma.
teacher> gamma is closed
"""


@pytest.mark.parametrize("scene", scenes(STOPS + WAITING + CLOSED))
def test_scene(ward, scene):
    play(ward, scene)


HARMLESS = (
    "No, two.", "Undo that.", "Yes.", "Not yet.", "Make it three.", "Hurry up!", "No, table D.", "What is going on?",
    "Table E is empty.", "Put it on table D.", "Forget it.", "Let Spot do it.", "The nurse may approve plans.",
)  # fmt: skip


@pytest.mark.parametrize("person", [A, B])
@pytest.mark.parametrize("said", HARMLESS)
def test_after_a_stop_nothing_moves_but_by_continue_or_an_order(ward, person, said):
    ward.talk((A, "Put one painkiller on table C."), (B, "Spot, go to gamma."), (V, "Stop!"), (person, said))
    assert not ward.moves() and "running" not in ward.states().values()


def test_a_robot_that_is_stopped_does_nothing_later_either(ward):
    ward.talk((A, "Deliver a medkit to alpha."), (B, "Put one thermometer on table G."))
    later = next(r for r in ("Temi", "Spot", "Fetch") if not any(i.robot == r for i in ward.mission.agenda.running()))
    assert later in ward.moves()
    ward.talk((V, f"Stop {later}."), (A, "Open the side door."))
    assert later not in ward.moves()
    ward.talk((A, "Continue."))
    assert later in ward.moves()


def test_a_step_that_the_corrected_order_counts_on_is_done_to_its_end(ward):
    ward.talk((A, "Deliver a medkit to alpha."))
    begun = [r for r in sorted(ward.moves()) if ward.mission.next_step(r) is not None]
    ward.talk((A, "No, to gamma."))
    at_once = ward.mission.stopped(begun)
    assert set(begun) > set(at_once) and not set(at_once) & {i.robot for i in ward.mission.agenda}
    ward.talk((A, "Cancel that."))
    assert sorted([*at_once, *ward.mission.stopped(begun)]) == begun
