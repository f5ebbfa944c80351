"""What comes of a talk: who said what, what the last speaker was told, and what is wanted then.

A line is said by the instructor, or by whom it names; `yes?` is a yes to what is read back, if it is."""

import re

import pytest

PAIN, PAINS, GLOVES = "1 painkiller at table C", "2 painkillers at table C", "1 gloves at table G"
PUT, SIDE, ALPHA = "Put one painkiller on table C.", "the side door open", "the door of alpha open"
MEDKIT, TWO = "Deliver a medkit to alpha.", "Bring two painkillers to table G and a bandage box to table C."
AT_ALPHA, AT_BETA, AT_GAMMA = (f"a medkit at {room}" for room in ("alpha", "beta", "gamma"))
INSTEAD = "Deliver a medkit to alpha. | Deliver a feverkit to beta. | {} | yes?"
REFUSED = f"teacher: The nurse may give orders. | nurse: {MEDKIT} | teacher: The nurse may not give orders."
TALKS = [
    # a correction is of its speaker's order, whoever spoke meanwhile
    (f"{PUT} | teacher: Put one thermometer on table G. | No, two.", "", ["1 thermometer at table G", PAINS]),
    (f"{PUT} | visitor: No, three.", "I did not ask anything", [PAIN]),
    ("Open the side door and the alpha door. | teacher: Not the side door.",
     "You have ordered nothing with the side door", [ALPHA, SIDE]),
    ("Open the side door and the alpha door. | Not the side door.", "", [ALPHA]),
    (f"teacher: {MEDKIT} | Deliver a feverkit to gamma. | Take the medkit to beta instead.", "teacher wants",
     ["a feverkit at gamma", AT_ALPHA]),
    (f"{PUT} | teacher: Do not put a painkiller on table C. | No, table D.",
     "Teacher has called that off. Do you mean", []),
    # what is no part of the last order may be of the one before, and is read back
    (f"{PUT} | Open the side door. | No, two.", "instead of: Bring a painkiller to table C.", [PAIN, SIDE]),
    (f"{PUT} | Open the side door. | No, table D.", "instead of: Bring a painkiller to table C.", [PAIN, SIDE]),
    ("Open the side door. | Put two painkillers on table C. | No, the door to alpha.",
     "Do you mean: Open the alpha door.", [PAINS, SIDE]),
    ("Open the side door. | Put two painkillers on table C. | No, the door to alpha. | Yes.", "", [PAINS, ALPHA]),
    ("Put the gloves on table G. | And one of those for the lady by the window. | No, table D.",
     "instead of: Bring gloves to table G.", [GLOVES]),
    # the part that names the same thing is put right; where several may be meant, it is asked
    ("Bring two painkillers to table G. | Actually, make that three painkillers instead.", "",
     ["3 painkillers at table G"]),
    (f"{TWO} | No, three painkillers.", "", ["1 bandage box at table C", "3 painkillers at table G"]),
    (f"{TWO} | No, two bandage boxes.", "", ["2 bandage boxes at table C", "2 painkillers at table G"]),
    (f"{TWO} | No, two gloves.", "Do you mean: ", ["1 bandage box at table C", "2 painkillers at table G"]),
    ("Deliver a medkit to alpha and a feverkit to beta. | I meant the medkit should go to gamma.", "",
     ["a feverkit at beta", AT_GAMMA]),
    # what is read back, or waits for an answer, can be put right
    (f"{PUT} | Actually, two. | No, wait, three. | Yes.", "", ["3 painkillers at table C"]),
    (f"{PUT} | Make it two. | Undo that.", "All right; I do nothing.", [PAIN]),
    ("Put one painkiller on the table. | No, two. | Table C.", "", [PAINS]),
    # something instead of something that is named
    *((INSTEAD.format(said), "", ["a feverkit at beta", AT_GAMMA]) for said in (
        "Deliver the medkit to gamma instead of alpha.", "Deliver the medkit to gamma rather than to alpha.",
        "Instead of alpha, deliver the medkit to gamma.", "Deliver the medkit to gamma, not alpha.")),
    (f"{MEDKIT} | Take a woundkit instead of the medkit.", "", ["a woundkit at alpha"]),
    (f"{MEDKIT} | Not a medkit, a woundkit.", "", ["a woundkit at alpha"]),
    (f"{MEDKIT} | Deliver a woundkit to gamma instead of beta.", "You have said nothing with beta", [AT_ALPHA]),
    (f"{MEDKIT} | Take the medkit to beta instead. | Undo that.", "Do you want again", []),
    (f"{MEDKIT} | Take the medkit to beta instead. | Undo that. | Yes.", "", [AT_ALPHA]),
    # what cannot be leaves the order as it was
    *((f"{MEDKIT} | {said}", "Temi could", [AT_ALPHA]) for said in (
        "Let Spot do it instead.", "Spot should do it instead.", "Let Spot do it.")),
    (f"{REFUSED} | nurse: No, to gamma.", "stays as it was: Deliver a medkit to alpha.", [AT_ALPHA]),
    ("Temi, go to beta. | teacher: Close gamma for Temi. | No, gamma.",
     "no plan for Temi at gamma because gamma is closed for Temi", ["Temi at beta"]),
    (f"{MEDKIT} | No wait, three medkits.", "", [AT_ALPHA]),  # there are two caddies
    (f"{MEDKIT} | Deliver two medkits to alpha and beta.", "", [AT_ALPHA]),  # two, or four?
    # taking back
    ("Spot and Temi, go to beta. | teacher: Open the side door. | Cancel that.", "", [SIDE]),
    (f"teacher: {MEDKIT} | teacher: Hurry up! | teacher: Undo that.", "Do you want me to undo", [AT_ALPHA]),
    ("Is the side door open? | Open it.", "", [SIDE]),
    ("Is the side door open? | Open it. | Cancel the side door.", "", []),
    ("Bring gloves to table F. | Put one painkiller on table C. | Drop the gloves.", "", [PAIN]),
    (f"{MEDKIT} | Drop it.", "", []),
    ("A medkit to alpha and a woundkit to beta. | Cancel the delivery to alpha.", "", ["a woundkit at beta"]),
    # orders
    ("visitor: Hello. | teacher: The visitor may give orders. | visitor: Open the side door.", "", [SIDE]),
    (f"{MEDKIT} | Same for gamma.", "", [AT_ALPHA, AT_GAMMA]),
    ("Open the beta door and bring a medkit there.", "the door of beta open and a medkit", [AT_BETA]),
    ("Grab two painkillers and drop them off at table D.", "", ["2 painkillers at table D"]),
    ("Drop a medkit off at beta.", "", [AT_BETA]),
    ("Drop the medkit at beta.", "", [AT_BETA]),
    ("Drop the gloves on table F.", "", ["1 gloves at table F"]),
    ("Return the medkit to alpha.", "", [AT_ALPHA]),
    ("Fetch the feverkit.", "", ["a feverkit packed"]),
    ("Never open the alpha door. | Yes.", "", []),
    # where and what is meant is asked and answered
    *((f"Bring me a medkit. | {said}", "", [AT_ALPHA]) for said in ("Alpha.", "I'm in alpha.")),
    ("Bring a medkit there. | alpha", "", [AT_ALPHA]),
    ("Bring it to alpha. | A medkit.", "", [AT_ALPHA]),
    ("Bring a thermometer there. | to table C", "", ["1 thermometer at table C"]),
    ("Bring it to table C. | the thermometer", "", ["1 thermometer at table C"]),
    ("Deliver a medkit to beta, no. | Yes.", "", []),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "told", "goals"), TALKS)
def test_what_comes_of_a_talk(ward, lines, told, goals):
    reply = ""
    for line in lines.split(" | "):
        name, colon, words = line.rpartition(": ")
        if words != "yes?" or "Do you mean" in reply:
            reply = ward.talk((name if colon else "instructor", words.rstrip("?") if words == "yes?" else words))
    assert told in reply and sorted(re.sub(r" \(.*?\)", "", goal) for goal in ward.goals()) == sorted(goals)
