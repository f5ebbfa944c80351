"""What a yes or a no answers: one that is only guessed at is never read back, and never ends as its opposite."""

import pytest

from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from tests.mission.ward import A, with_medkit
from tests.mission.words import hospital

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture
def waiting(quick):
    """The instructor is asked for a yes to another way."""
    ward = with_medkit()
    ward.fail()
    assert ward.mission.partner.proposed(A)
    return ward


def waits(ward):
    return list(ward.states().values()) == ["waiting"]


# -- at a proposal ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("said", [
    "I'd be happier without.", "Not before lunch.", "Yes, but not through the hall.", "I don't see why not.",
    "No, wait, yes, do it.", "Yes, since we have no choice.", "I wouldn't say no.", "Don't ask, just do it.",
    "You don't need my permission.", "No rush.", "No idea.", "Not now, later.", "I didn't say yes.",
    "I haven't decided.", "Not before I've spoken with the ward.", "you needn't ask me for things like that",
    "Tell me the order in which you'll do it.", "Leave it as it is.", "Only one painkiller, please.",
])  # fmt: skip
def test_a_yes_behind_what_may_be_either_is_asked_about(waiting, said):
    reply = waiting.talk((A, said))
    assert "Do you mean: " not in reply
    reply = waiting.talk((A, "Yes."))
    assert "as it stands" in reply and said.rstrip(".") in reply and waits(waiting)


def test_with_a_question_mark_nothing_is_answered(waiting):
    for said in ("OK?", "Okay?", "Do it, ok?"):
        assert not any(isinstance(x, (m.Approve, m.Refuse)) for x in understand(said, hospital())), said
        waiting.talk((A, said))
        assert waits(waiting)
