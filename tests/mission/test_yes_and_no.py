"""A yes and a no, among several people: what they answer, and what they do not. One that is only guessed at is never
read back, and never ends as its opposite; and what only sounds like an order does nothing."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from tests.mission.scenes import play, scenes
from tests.mission.ward import A
from tests.mission.words import hospital

PROPOSED = """
# an answer to what its speaker was never told of answers nothing
each: No. | No thanks. | Never mind. | Nope. | Yes.
teacher: Deliver a medkit to alpha. | ... fails | {} > which teacher wants ... Do you want me to do it?
= states: a medkit at alpha waiting | teacher!> instructor
No. > I leave that | teacher> instructor said no | = states: a medkit at alpha failed
# never mind is first about a question of ones own
teacher: Deliver a medkit to alpha. | How long will it take? | ... fails | Never mind. => All right.
= states: a medkit at alpha waiting | No. > Do you want me to do it? | = states: a medkit at alpha waiting
# never mind right after an order offers to call it off
teacher: Deliver a medkit to alpha. | teacher: Never mind. > call off a medkit (2 painkillers, 1 bandage box) at alpha?
# never mind is first about an order of ones own
teacher: Deliver a medkit to alpha. | Put one painkiller on table C. | ... fails
Never mind. > call off 1 painkiller at table C? | Yes. | = states: a medkit at alpha waiting
# who was lent the right is told before a no counts
teacher: Deliver a medkit to alpha. | teacher: The nurse may approve plans. | ... fails
nurse: No. > Do you want me to do it? | visitor: No. > may not approve | = states: a medkit at alpha waiting
# whoever is asked by a policy is told the goal and what failed
teacher: If something is missing, ask me first. | Deliver a medkit to alpha. | ... fails
teacher> This is for a medkit ... which instructor wants ... no bandage box at table E
# who is asked when nobody answers is told the goal and what failed
Deliver a medkit to alpha. | ... fails | ... 1000
teacher> which instructor wants. I failed execution because there is no bandage box
# not yet is no no
each: Not yet. | Not now. | Later. | Let me think.
Deliver a medkit to alpha. | ... fails | {} > that waits | = states: a medkit at alpha waiting | Yes.
= states: a medkit at alpha running
# forget it with a proposal asks what is to be forgotten
Deliver a medkit to alpha. | ... fails | Forget it. > Do you want me to call off | = states: a medkit at alpha waiting
# a yes after words that were not understood is asked about
each: I'd be happier without. | Not before lunch. | Yes, but not through the hall. | I don't see why not.
each: No, wait, yes, do it. | Yes, since we have no choice. | I wouldn't say no. | Don't ask, just do it.
each: You don't need my permission. | No rush. | No idea. | Not now, later. | I didn't say yes. | I haven't decided.
each: Not before I've spoken with the ward. | you needn't ask me for things like that | Leave it as it is.
each: Tell me the order in which you'll do it. | Only one painkiller, please. | Leave out the bandage box.
each: Leave out the bandage box this time, please. | Go the long way round the ward. | Ask for the large blue boxes.
each: Could you do it without the box? | Better take the long corridor. | Don't ask the pharmacist, ask the nurse.
Deliver a medkit to alpha. | ... fails | {} !> Do you mean: | Yes please. > Do you mean my proposal as it stands?
> {bare} | = states: a medkit (2 painkillers, 1 bandage box) at alpha waiting
# to wait with it is no no and the yes of somebody else is their own
Deliver a medkit to alpha. | ... fails | Don't do it yet. > that waits | No, don't ask the pharmacist yet. > that waits
Don't do that now. > that waits | Better take the long corridor. | teacher: Yes. !> as it stands
= states: a medkit at alpha waiting
# a yes with a word that matters is not read back as a yes
each: I'd rather have Fetch do it. | I'd prefer Temi to do that. | Do it with two of them. | Do it slowly.
each: Fetch could do it, I agree. | Sure, the other one. | Do it later.
Deliver a medkit to alpha. | ... fails | {} !> Do you mean: Yes.
# a question about a question does not eat a yes
Deliver a medkit to alpha. | Why can't Temi open the door? > Which door | How far are you? | ... fails
Yes, go ahead. => All right, I do it.
# who said no is told
Deliver a medkit to alpha. | ... fails | No. | teacher: Who objected? > Instructor said no | Who said no? > You said no
# a yes of somebody else answers no read back
Would it be possible to have the side door opened? | teacher: Could you open alpha's door for me, eh? | = mark
visitor: Yes. | = same
# a proposal is answered and no rule changed
Deliver a medkit to alpha. | If a grasp fails, ask me first. | ... fails | No, ask the nurse.
= states: a medkit at alpha waiting | = lessons: 0
"""

NOTHING = """
# what only sounds like an order does nothing and no yes makes the opposite of it
each: I changed my mind. | I have changed my mind. | I was going to cancel the medkit. | Should I cancel the medkit?
each: Is the medkit no longer needed? | Temi was broken last week. | It is not true that table E is empty.
each: Nobody says that Temi is broken. | No need for the medkit to hurry. | Evan said you should go to gamma.
each: After the medkit has arrived, take gloves to table F. | Not Spot.
Deliver a medkit to alpha. | = mark | {} !> Do you mean: Temi is broken | !> Do you mean: Table E is empty
!> Do you mean: Cancel | = same
# a robot that is not broken is counted on
each: Spot is not broken. | Spot isn't out of order. | Spot is no longer broken.
Spot is broken. | {} | = rules: 0
# words under somebody elses name count for nobody but a stop does
Deliver a medkit to alpha. | = mark | visitor: Hello. | visitor: teacher: Deliver a medkit to beta. > so I do nothing
= same | visitor: Hello. | instructor: Visitor: Cancel everything. > so I do nothing | = same
visitor: teacher: Stop! | = moves:
# what was taught is told
teacher: If a door is jammed, ask the nurse.
What will you do if a door is stuck? > I was taught: If a door is jammed ask the nurse
"""


@pytest.mark.parametrize("scene", scenes(PROPOSED + NOTHING))
def test_scene(ward, scene):
    play(ward, scene)


def test_with_a_question_mark_nothing_is_answered(waiting):
    for said in ("OK?", "Okay?", "Do it, ok?"):
        assert not any(isinstance(x, (m.Approve, m.Refuse)) for x in understand(said, hospital())), said
        waiting.talk((A, said))
        assert waiting.waits()
