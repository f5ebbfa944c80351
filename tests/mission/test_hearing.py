"""What people type to a mission that nobody talks with."""

import pytest

from coterie.mission.orders import Typed, typed


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("yes", Typed("yes")),
        ("Yes 2", Typed("yes", number=2)),
        ("execute your plan", Typed("yes")),
        ("approve plan 3.", Typed("yes", number=3)),
        ("no", Typed("no")),
        ("no, ask the nurse", Typed("no", "ask the nurse")),
        ("STOP", Typed("stop")),
        ("stop everything!", Typed("stop")),
        ("cancel g2", Typed("cancel", "g2")),
        ("call off goal g1", Typed("cancel", "g1")),
        ("pause", Typed("pause")),
        ("go on with g1", Typed("resume", "g1")),
        ("priority 5 for g3", Typed("priority", "g3", 5)),
        ("change medkit to 1 painkiller", Typed("amend", "medkit to 1 painkiller")),
        ("done", Typed("done")),
        ("I cannot, it is stuck", Typed("undone", "it is stuck")),
        ("medkit at alpha", Typed("wish", "medkit at alpha", 0)),
        ("medkit at alpha at once", Typed("wish", "medkit at alpha", 10)),
        ("medkit at alpha, priority 3", Typed("wish", "medkit at alpha", 3)),
        ("nothing is wrong", Typed("wish", "nothing is wrong", 0)),
        ("", Typed("wish", "", 0)),
        ("yes; cancel everything", Typed("wish", "yes; cancel everything", 0)),
        ("not yes", Typed("wish", "not yes", 0)),
    ],
)
def test_what_is_typed(text, meaning):
    assert typed(text) == meaning
