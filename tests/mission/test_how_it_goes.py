"""What is asked: how far something is, whether it is being brought, and why."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.wording import Wording
from tests.mission.scenes import play, scenes
from tests.mission.words import hospital

SCENES = """
# how far it is is told in any words
each: How far along is it? | How far are you? | How's it going with the gloves? | Are the gloves there yet?
each: How far have you got with the gloves? | How are the gloves coming along? | Is it nearly there?
Put two gloves on table C. | {} > 2 gloves at table C is being worked on
Wait with the gloves. | {} > 2 gloves at table C rests
# how far something is that nobody wants is not what others want
Put two gloves on table C. | How far are you with the medkit? => Nothing with the medkit is under way.
Cancel the gloves. | How far along is it? > Nothing is under way.
# how long a thing takes is told of that alone
each: How much longer with the gloves? | When are the gloves coming? | How long will the gloves take?
Put two gloves on table C. | Deliver a medkit to alpha. | {} > 2 gloves at table C | !> medkit
# what happened is told
each: What happened so far? | What happened while I was away? | What has happened lately?
Put two gloves on table C. | {} > instructor wants 2 gloves at table C
# whether something is being brought is answered both ways
Put two gloves on table C.
Is somebody bringing something to table C? > Yes: instructor wants 2 gloves at table C
teacher: Is somebody bringing something to table C? > With a part in it: Fetch
Is somebody bringing something to alpha? > No, nobody is bringing anything to alpha
Is Spot bringing gloves to table C? > No, Spot is not bringing gloves
Are the painkillers being brought to table C? > No, nobody | visitor: Stop!
Is somebody bringing something to table C? > No, nobody ... it rests | Cancel the gloves.
Is somebody bringing something to table C? => No, nobody is bringing anything to table C at the moment.
# what is in a kit is brought with it
Deliver a medkit to alpha. | Is anybody bringing a bandage box to alpha? > Yes: instructor wants a medkit
Is anybody bringing gloves to alpha? > No, nobody is bringing gloves
How's it going with the bandage box? > A medkit
# a short why is about what is under way
Deliver a medkit to alpha. | Why alpha? > You want a medkit (2 painkillers, 1 bandage box) at alpha.
Why a medkit? > You want a medkit (2 painkillers, 1 bandage box) at alpha. | Why beta? > Nobody wants
Why table E? > It is planned: | Why Spot? > Spot goes | Why not Spot? > I do count on Spot
Why not gamma? > Nobody wants anything with gamma. Under way: a medkit | Why not? > Nothing has failed
= goals: a medkit at alpha
# what a robot cannot is not put down to other goals
each: Fetch, go to the corridor. | Everybody, go to the corridor.
{} > Fetch cannot get to | !> set aside | !> nothing left | Why? > Fetch cannot get to | = goals:
Spot, go to the corridor. | Why? > Nothing has failed
# nor what one of several cannot
Spot, Temi and Fetch, go to table C. > Spot cannot get to | !> set aside | !> nothing left
Why? > Spot cannot get to | = goals: | Spot, go to the corridor. | Why? > Nothing has failed
# a shortage is told in numbers
teacher: There is one painkiller on table B. | teacher: The pharmacist has no painkillers. | Deliver a medkit to alpha.
instructor> there is one painkiller where two are needed
# an urgent order of who sets no priorities takes its turn
teacher: Urgently deliver a medkit to alpha. > takes its turn | = goals: a medkit at alpha
# nobody plans for more than can be brought
each: Bring 500 gloves to table F. | Bring 1000000 gloves to table F. | Bring 51 painkillers to table C.
{} > too many for one order | > I know of two | > at most 50 | = goals:
# nothing of an order is begun where a part is too much
Put a painkiller on table C and 500 gloves on table F. > too many | = goals:
Deliver 500 medkits to alpha. > Order 2, or fewer | = goals:
Bring 4 gloves to table F. > All right: 4 gloves at table F.
# three more is an order of so many besides those that were ordered
Bring three more. > nothing | Bring 2 gloves to table F. | 3 more > All right: 5 gloves at table F.
Another one. > All right: 6 gloves at table F. | Two more gloves, please. > All right: 8 gloves at table F.
Bring two more of them to table G. > All right: 2 gloves at table G. | Two painkillers. > Do you mean: Bring two
# what was understood is shown in names
Where is the bandage box? | Put it on table C.
What did you understand? > Bring a bandage box to table C. (order: stock bandagebox at tableC)
teacher: Put it there. | teacher: What did you understand? !> @
"""


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_scene(ward, scene):
    play(ward, scene)


@pytest.mark.parametrize("about", ["why that", "why not"])
@pytest.mark.parametrize(
    "field, name", [("where", "beta"), ("where", "tableE"), ("what", "medkit"), ("what", "gloves")]
)
def test_a_short_why_is_worded_as_it_is_read(about, field, name):
    asked = m.Ask(about, **{field: name})
    assert understand(Wording(hospital()).sentence(asked), hospital()) == [asked]
