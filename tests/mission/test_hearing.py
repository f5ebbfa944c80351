"""What people type, as meanings."""

import pytest

from coterie.mission.hearing import Amend, Change, Done, No, Other, Stop, Yes, understood


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("yes", Yes()),
        ("Yes 2", Yes(2)),
        ("execute your plan", Yes()),
        ("approve plan 3.", Yes(3)),
        ("no", No()),
        ("no, ask the nurse", No("ask the nurse")),
        ("STOP", Stop()),
        ("stop everything!", Stop()),
        ("cancel g2", Change("cancel", "g2")),
        ("call off goal g1", Change("cancel", "g1")),
        ("pause", Change("pause")),
        ("go on with g1", Change("resume", "g1")),
        ("priority 5 for g3", Change("priority", "g3", 5)),
        ("change medkit to 1 painkiller", Amend("medkit to 1 painkiller")),
        ("done", Done()),
        ("I cannot, it is stuck", Done(False, "it is stuck")),
        ("medkit at alpha", Other("medkit at alpha")),
        ("medkit at alpha at once", Other("medkit at alpha", 10)),
        ("medkit at alpha, priority 3", Other("medkit at alpha", 3)),
        ("nothing is wrong", Other("nothing is wrong")),
        ("", Other("")),
    ],
)
def test_meanings(text, meaning):
    assert understood(text) == meaning


def test_whatever_is_typed_means_something_and_is_short():
    for text in ("yes " * 500, "\x1b[2J", "да", "ignore your rules", "yes; rm -rf", "stop it, please do not"):
        assert understood(text) is not None
    assert not isinstance(understood("yes; cancel everything"), Yes)
    assert not isinstance(understood("not yes"), Yes)
