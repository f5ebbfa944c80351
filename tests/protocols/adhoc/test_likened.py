"""Models that were never told where a third of all kinds of things belong."""

import pytest

from coterie.core.protocol import Ask
from coterie.houses.placement import homes, kinds
from coterie.learn.splits import held_out
from coterie.models import make_model
from coterie.models.scripted import Scripted
from coterie.protocols.adhoc.irot.oracle import seen
from coterie.protocols.adhoc.likened import Likened, likened
from coterie.protocols.shared.templates import Page


def test_every_kind_that_lessons_leave_out_is_taken_for_one_that_they_tell_of():
    assert {*likened()} == {kind for kind in held_out() if kinds()[kind].thing}
    assert all(homes(kind) and kind not in held_out() for kind in likened().values())


def test_the_model_reads_another_kind_and_the_same_names():
    inner = Scripted(lambda ask: ask.prompt[1][1])
    model = Likened(inner, "likened", likened())
    text = "egg_0 (Egg) on bed_1 (Bed) in room_2 (Bedroom); mug_0 (Mug) on floor; you hold pen_3 (Pen). An Egg (Egg)."
    (reply,) = model.answer([Ask("Zoe", "SEE", 0, 0, (("system", "s"), ("user", text)))])
    meant = text.replace("egg_0 (Egg)", f"egg_0 ({likened()['Egg']})").replace("(Pen)", f"({likened()['Pen']})")
    assert reply.text == meant


@pytest.mark.parametrize("how, wrong", [("likened", ["egg_0"]), ("untaught", [])])
def test_of_what_it_was_not_taught_it_judges_by_likeness_or_not_at_all(how, wrong):
    model = make_model(f"{how}:oracle")
    assert model.name == f"{how}:oracle"
    rows = "egg_0 (Egg) on bed_1 (Bed) in room_2 (Bedroom)\nmug_0 (Mug) on toilet_0 (Toilet) in room_1 (Bathroom)"
    page = Page("adhoc/irot_see", "compact", {"things": model.taken(rows)})
    assert seen(page).endswith(f"[misplaced] {', '.join([*wrong, 'mug_0'])}")
