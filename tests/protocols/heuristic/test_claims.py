"""What a stranger says it has explored counts only for rooms that it was heard from."""

from types import SimpleNamespace

from coterie.core.action import Message
from coterie.protocols.heuristic.guests import Guests


def heard(guests, text):
    me = SimpleNamespace(card=SimpleNamespace(manipulates=False))
    guests.listen(me, Message("Zoe", ("all",), text, time=1.0))


def test_words_alone_are_not_enough():
    guests = Guests()
    heard(guests, "state: x=1 y=2 room=room_3\nexplored: room_1, room_2, room_3")
    assert guests.explored() == {"room_3"}
    heard(guests, "state: x=5 y=2 room=room_1")
    assert guests.explored() == {"room_1", "room_3"}
