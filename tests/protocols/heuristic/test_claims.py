"""What a stranger says it has explored counts only for rooms that it was heard from."""

from types import SimpleNamespace

from coterie.core.action import Message
from coterie.core.facts import Belief, Fact
from coterie.protocols.heuristic.guests import Guests
from coterie.worlds.household.knowledge.graph import Survey


def heard(guests, text):
    me = SimpleNamespace(card=SimpleNamespace(manipulates=False))
    guests.listen(me, Message("Zoe", ("all",), text, time=1.0))


def test_words_alone_are_not_enough():
    guests = Guests()
    heard(guests, "state: x=1 y=2 room=room_3\nexplored: room_1, room_2, room_3")
    assert guests.explored() == {"room_3"}
    heard(guests, "state: x=5 y=2 room=room_1")
    assert guests.explored() == {"room_1", "room_3"}


def test_a_room_is_left_out_only_when_the_guest_told_of_what_stands_there():
    """A claim is checked by the furniture that this robot has seen itself in that room."""
    guests, belief = Guests(), Belief()
    me = SimpleNamespace(card=SimpleNamespace(manipulates=False), name="Ann", belief=belief)
    for number in range(4):
        box = (1.0, 1.0, 0.5, 0.5, 0.7, 0.0, 0.7, 0.0)
        facts = {"kind": "SideTable", "box": box, "in_room": "room_1"}
        belief.tell_all(Fact(pred, (f"side_table_{number}",), value, 1.0, "Ann") for pred, value in facts.items())
    survey = Survey(belief)
    survey.update()
    heard(guests, "state: x=1 y=2 room=room_1\nexplored: room_1, room_2")
    assert guests.shown(me, survey) == set(), "words alone"
    heard(guests, "receptacle: side_table_0 kind=SideTable room=room_1 x=1 y=1\nreceptacle: sofa_7 room=room_1 x=2 y=2")
    assert guests.shown(me, survey) == set(), "it may have looked in from the door"
    heard(guests, "receptacle: side_table_1 kind=SideTable room=room_1 x=1 y=1\nreceptacle: side_table_2 room=room_1")
    assert guests.shown(me, survey) == {"room_1"}
    belief.tell_all(Fact("box", (f"side_table_{n}",), box, 2.0, "Bob") for n in range(4))
    assert guests.shown(me, survey) == set(), "nothing that it has seen itself speaks for it"


def test_nobody_counts_on_a_guest_whose_battery_is_flat():
    guests = Guests()
    heard(guests, "state: x=1 y=2 room=room_1 battery=20\ntask: Explore <room_1>")
    assert guests.searching(20.0) and guests.tasks(20.0) == ["Explore <room_1>"]
    assert not guests.searching(21.0) and guests.tasks(21.0) == []
    heard(guests, "state: x=1 y=2 room=room_1 battery=many")
    assert guests.searching(21.0), "what cannot be read says nothing"
