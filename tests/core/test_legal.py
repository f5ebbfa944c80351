"""Legal actions in every world, and what is not known: UNKNOWN, never something that could be a value."""

import pytest

from coterie.core.action import WAIT
from coterie.core.config import Config
from coterie.core.facts import UNKNOWN
from coterie.core.judge import known_verdict
from coterie.core.protocol import SoloProtocol
from coterie.episode.play import play
from coterie.protocols import protocols

TASKS = ("pack-objects", "tidy", "yard-tidy", "medkit", "sort-cubes")
SAME = (("where", "it"), ("holding", "it"), ("mine", "it"))
ASKED = {
    "pack-objects": (
        ("height", "it"),
        ("room", "it"),
        ("rect", "it"),
        ("stand_pose", "it", "it"),
        ("all_stands", "it"),
    ),
    "yard-tidy": (("neighbour", "it", "up"), ("next", "Ada", "it")),
    "medkit": (("room_of", "it"),),
}


class Enough(Exception):
    pass


def looked(task, ask):
    """What `ask` makes of the first view of the first robot."""

    class Asks(SoloProtocol):
        def act(self, me):
            raise Enough(ask(me))

    protocols.put("test-asks", Asks, replace=True)
    with pytest.raises(Enough) as found:
        play(Config(task, protocol="test-asks", synchronous=task != "medkit"))
    return found.value.args[0]


@pytest.mark.parametrize("task", TASKS)
def test_legal_actions_are_not_refused_and_waiting_is_one(task):
    def ask(me):
        legal = me.legal()
        assert all(known_verdict(me, a).ok is not False for a in legal if a.skill in me.skills)
        return [a.skill for a in legal]

    found = looked(task, ask)
    assert WAIT in found and len(found) > 1


@pytest.mark.parametrize("task", TASKS)
def test_what_nobody_knows_of_is_unknown(task):
    asked = (*SAME, *ASKED.get(task, ()))
    found = looked(task, lambda me: {q: me.look(*q) for q in asked})
    assert {q for q, value in found.items() if value is not UNKNOWN} == set()
