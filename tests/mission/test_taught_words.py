"""Lessons: what belongs to them and what does not, how they are put right, left and kept; what was taught is spoken of
like everything else."""

import pytest

from tests.mission.scenes import play, scenes

LESSONS = """
# a lesson of somebody else is neither put right nor undone
teacher: The instructor may teach you. | teacher: Add a thermometer to the medkit. | Add an antiseptic to the feverkit.
teacher: No, two. | = kit medkit: 2 painkiller, 1 bandagebox, 2 thermometer
= kit feverkit: 1 thermometer, 1 painkiller, 1 antiseptic | Add a thermometer to the woundkit. | teacher: Undo that.
= kit medkit: 2 painkiller, 1 bandagebox | = kit woundkit: 1 bandagebox, 1 antiseptic, 1 gloves, 1 thermometer
Add gloves to the medkit. | teacher: Add gloves to the feverkit. | Where is Spot? | Undo that.
= kit medkit: 2 painkiller, 1 bandagebox | = kit feverkit: 1 thermometer, 1 painkiller, 1 antiseptic, 1 gloves
# what was done beside a lesson is taken back and the lesson goes on
each: Undo that. | Scratch that. | Forget that.
teacher: Define a new skill 'rounds'. | teacher: From now on a medkit has three painkillers.
= kit medkit: 3 painkiller, 1 bandagebox | teacher: {} > I go on with the skill rounds. ... What is the first step
= kit medkit: 2 painkiller, 1 bandagebox | teacher: Open the alpha door. | teacher: Close gamma. | = closed: 3
teacher: {} > I go on with the skill rounds. ... And then? | = closed: 0 | = rules: 0
# answers of a lesson are taken back one by one and asked for again
teacher: Define a new kit 'firstaid'. | teacher: A medical caddy. | teacher: Two painkillers.
teacher: Deliver a medkit to alpha. | teacher: Undo that. > Deliver a medkit to alpha. I go on | = goals:
teacher: Undo that. > Two painkillers. I go on | teacher: Three gloves. | teacher: Nothing else.
= kit firstaid: 3 gloves
# a lesson is left by words of its own
each: Leave the lesson. | Forget the lesson. | Cancel this lesson. | Never mind.
teacher: Define a new skill 'rounds'. | teacher: Open the alpha door.
teacher: {} => All right; I leave the skill rounds. | = lessons: 0
# where no lesson is given leaving it touches nothing
teacher: Deliver a medkit to alpha. | ... fails | teacher: Leave the lesson. > no lesson
= states: a medkit at alpha waiting
# where a thing will be found is a place and no order
teacher: The nurse may teach. | nurse: Define a new kit 'firstaid'. | nurse: A medical caddy. | nurse: Two scissors.
nurse: This is one. | nurse: You'll find them on table C. > Does a firstaid contain anything else?
nurse: You'll find them on table C. > does not answer | nurse: Nothing else.
nurse: You will find painkillers on table C. > take note | = goals:
# a correction in a lesson is of the answer that names the same thing
teacher: Define new kit 'burnkit'. | teacher: A medical caddy. | teacher: Two gloves. | teacher: One antiseptic.
teacher: No, three gloves. | teacher: Nothing else. | = kit burnkit: 3 gloves, 1 antiseptic
# not yet ends no lesson
teacher: Define new kit 'burnkit'. | teacher: A medical caddy. | teacher: Two gloves.
teacher: Not yet. > contain anything else | teacher: One antiseptic. | teacher: Nothing else.
= kit burnkit: 2 gloves, 1 antiseptic
# a list that is put right in a lesson keeps what was not named
teacher: Define a new kit 'nightkit'. | teacher: A caddy. | teacher: One thermometer and two painkillers.
teacher: Wait, three painkillers. | teacher: No, that was everything. | = kit nightkit: 1 thermometer, 3 painkiller
# a number of a kit is how many in all where nothing says more
each: From now on a medkit has three painkillers. | From now on, a medkit contains three painkillers.
each: From now on a medkit also has one painkiller. | Add one painkiller to the medkit.
teacher: {} | yes? | = kit medkit: 3 painkiller, 1 bandagebox
# three more in a lesson is what is in the kit
teacher: Define a new kit 'handkit'. | teacher: a medical caddy | teacher: two gloves | teacher: three more painkillers
teacher: That is all. | = kit handkit: 2 gloves, 3 painkiller
# no kit holds more than can be brought
teacher: Add 500 gloves to the medkit. > a kit holds at most 50 | = kit medkit: 2 painkiller, 1 bandagebox
# a lesson is not kept when the right to teach is taken back
teacher: The instructor may teach you. | Define a new kit 'coldkit'. | A caddy.
teacher: The instructor may not teach you. | instructor> teacher takes back that you may teach. | One thermometer.
Nothing else. > You may not teach me any more | = kits: feverkit medkit woundkit
# a lesson is not kept when the time of the right is over
teacher: The instructor may teach you for one minute. | Define a new kit 'coldkit'. | A caddy. | ... 90
One thermometer. | Nothing else. => You may not teach me any more, so I have not kept the kit coldkit.
= kits: feverkit medkit woundkit
# a fact that was read back and said again is kept
teacher: Define a new kit 'burnkit'. | teacher: A medical caddy. | teacher: Two antiseptics.
teacher: Table E seems to be empty today. | teacher: Table E is empty. !> I have not taken that up
teacher: Nothing else. !> I have not taken that up | teacher: Is table E empty? > Yes
# a fact in a lesson is a fact
teacher: Define a new kit 'burnkit'. | teacher: A medical caddy. | teacher: Two painkillers.
teacher: The pharmacist is away. There are five thermometers on table B. > Does a burnkit contain anything else?
teacher: Is the pharmacist here? > No | teacher: How many thermometers are on table B? > five thermometers
teacher: The gloves are on table D. Nothing else. > contains two painkillers.
# where something is asked for another things place is no answer
teacher: Define a new kit 'burnkit'. | teacher: A medical caddy. | teacher: Three burn gels. | teacher: This is one.
teacher: The gloves are on table D. > Where are there three burn gels?
teacher: There are five burn gels on table C. > Three burn gels.
# a container that is named again is said to be known
teacher: Define a new kit 'burnkit'. | teacher: A medical caddy. | teacher: Gloves.
teacher: A medical caddy. > A burnkit is packed in it already. | teacher: Nothing else. > contains gloves.
# what was shown stays when a later answer is put right
teacher: Define new kit 'warmkit'. | teacher: A medical caddy. | teacher: Two blankets. | teacher: Here is one.
teacher: On table F. | teacher: Four gloves. | teacher: No, three. | teacher: Nothing else. > I have learnt
= kit warmkit: 2 blanket, 3 gloves | teacher: Define new kit 'blanket'. > name of something else
# a thing instead of a kit is asked about
teacher: Deliver a medkit to alpha. | teacher: No, three painkillers. > Say a whole sentence.
= states: a medkit (2 painkillers, 1 bandage box) at alpha running
teacher: The medkit should contain three painkillers. | = kit medkit: 3 painkiller, 1 bandagebox
= states: a medkit (3 painkillers, 1 bandage box) at alpha running
# no lesson hides a word
each: stop | yes | no | ye | Stop | two | please | alpha | bandage box | go ahead
teacher: Define new kit '{}'. > What else is the kit called? | teacher: 'firstaid' > What container
teacher: A medical caddy. | teacher: One painkiller. | teacher: Nothing else.
= kits: feverkit firstaid medkit woundkit | visitor: Stop! > Everything stops
# a lesson is left and nothing older is undone and an undo is of what was done last
teacher: Define new kit 'burnkit'. | teacher: A caddy. | teacher: One thermometer. | teacher: Nothing else.
teacher: Define new kit 'eyekit'. | teacher: Forget it. > leave the kit eyekit
= kits: burnkit feverkit medkit woundkit
teacher: Deliver a medkit to alpha. | teacher: Undo that. > take that back | = goals: | teacher: Undo that. > already
= kits: burnkit feverkit medkit woundkit
# a lesson tells what it has understood
teacher: Let me teach you something. | teacher: A kit. | teacher: eyekit | teacher: A caddy. | teacher: Two gloves.
teacher: What is in it so far? > A medical caddy and two gloves.
"""

SKILLS = """
# a skill that was taught is done when a robot is told its name
each: Spot, patrol. | Spot, patrol! | Spot should patrol. | Let Spot patrol. | Spot, please patrol. | Do the patrol.
each: Tell Spot to patrol. | Spot, do a patrol.
teacher: Let me teach you a new skill. | teacher: patrol | teacher: Spot, go to alpha.
teacher: Spot, open the beta door. | teacher: That is all. > I have learnt | teacher: {} => All right: Spot at alpha.
= goals: Spot at alpha
# steps for nobody are for whoever is told
teacher: Let me teach you a new skill. | teacher: airing | teacher: Open the side door. | teacher: That is all.
teacher: Spot, airing. | = goals: the side door open | teacher: Temi, airing. > no skill opendoor
= goals: the side door open
# a condition is not dropped from a step or a goal state
each: Let me teach you a new skill called 'vesper'. | Learn a new task named 'vesper'.
teacher: {} | teacher: Open the beta door. | teacher: When table E is empty, bring a painkiller to table D. > condition
teacher: That is all. > I have learnt | teacher: What have you learned? > beta door | !> painkiller to table D
# a goal state with a robot in it can be done
teacher: Learn a new task named 'watch'. | teacher: Spot is at alpha. | teacher: Send Temi to beta.
teacher: Nothing else. | teacher: Do watch. => All right: Spot at alpha and Temi at beta.
teacher: Learn a new task named 'tour'. | teacher: Go to alpha. > Who is there then?
"""


@pytest.mark.parametrize("scene", scenes(LESSONS + SKILLS))
def test_scene(ward, scene):
    play(ward, scene)
