"""What a stranger holds comes home: others tell where that is, and rooms that keep no such thing are looked at last."""

from dataclasses import replace

import pytest

from coterie.core.facts import Fact
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc import stranger
from coterie.protocols.adhoc.carrying_out import LAST_STEPS
from coterie.protocols.adhoc.irot import Irot, Options
from coterie.protocols.adhoc.rivals.prompted import Cot, Gpl, Naive
from coterie.protocols.adhoc.stranger import Stranger
from coterie.protocols.adhoc.subtasks import Phrase
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.adapter import read
from coterie.protocols.learning import Learning
from coterie.protocols.negotiate import Negotiate
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import number_of, survey_of
from tests.protocols.adhoc.test_stranger import did, joined, said
from tests.worlds.household.made import arm, eye, furnished


class Takes(Stranger):
    """Goes for one thing, wherever its home is, and has no other wish."""

    asks = True
    wish = Phrase("Re-place", ("mug_0", "CounterTop", "Kitchen"))

    def choose(self, me):
        if not self.finished:
            yield from self.intend(me, self.wish)
        return Phrase("Stop") if self.finished else self.wish


@pytest.mark.parametrize("team", [Heuristic, Learning, Negotiate])
def test_who_holds_a_thing_is_told_where_such_things_belong(team):
    """Ann and Eve have looked around; Zoe, who sees little but the mug, hears of the counter in their own words."""
    robots = (arm("Ann", payload=0.01), eye("Eve", sight=5.0))
    _, _, log, _ = joined(robots, arm("Zoe", sight=1.2), Takes, at=24, start=(6.0, 2.5, 0.0), team=team, limit=28)
    asked = next(e.step for e in said(log, "Zoe") if "intention: Re-place <mug_0>" in e.data["text"])
    answers = [read(e.data["text"], e.who) for e in log.events if e.kind == "say" and "Zoe" in e.data["to"]]
    places = {found.name: found for heard in answers for found in heard.receptacles}
    assert asked == 24 and set(places) <= {"counter_top_0", "dresser_0"}
    assert places["counter_top_0"].room == "room_1" and places["counter_top_0"].at == pytest.approx(
        (1.0, 3.65), abs=0.1
    )


def test_who_holds_a_thing_asks_again_and_is_told_of_each_place_once(monkeypatch):
    class Lost(Takes):
        def place_for(self, me, subtask):
            return ""

    monkeypatch.setattr(stranger, "ASK_STEPS", 3)
    _, _, log, _ = joined((eye("Eve"),), arm("Zoe", sight=1.2), Lost, at=20, start=(6.0, 2.5, 0.0), limit=40)
    ((taken, _),) = did(log, "PickUp")
    asked = [e.step for e in said(log, "Zoe") if "intention: Re-place" in e.data["text"]]
    told = [e.step for e in said(log, "Eve") if "receptacle: counter_top_0" in e.data["text"]]
    assert len([step for step in asked if step > taken]) > 2 and len(told) == 1
    assert told[0] > taken, "before that it has nothing to carry home"


def test_only_who_reflects_asks():
    assert Irot().asks
    assert not any(mind.asks for mind in (Irot(Options(reflects=False)), Cot(), Naive(), Gpl(), Stranger))


def test_who_looks_for_a_home_leaves_rooms_that_have_none_for_last():
    """In the bedroom, whose kind is clear, no plate has a home; what is left of it to explore comes after the door."""
    _, _, _, episode = joined((eye("Eve", battery=1),), eye("Zoe"), start=(6.0, 2.5, 0.0), limit=12)
    me, mind = episode.views["Zoe"], Takes()
    chart = chart_of(me)
    room, door = chart.room(number_of("room_2")), chart.near([(4.0, 2.0)], 0.5)
    assert survey_of(me).kind_of_room("room_2") == "Bedroom" and mind._no_home_here(me, chart) == 0
    for held, empty in (("plate_0", False), ("pillow_0", True)):
        me.belief.tell_all([Fact("holding", ("Zoe",), held, 20.0, "Zoe"), Fact("kind", (held,), KINDS[held])])
        last = mind._no_home_here(me, chart)
        assert (last & room == 0) is empty and not last & door


KINDS = {"plate_0": "Plate", "pillow_0": "Pillow"}


def test_with_its_last_steps_a_stranger_takes_nothing_that_would_stay_in_its_hand():
    """With one step more than it needs to get there it would hold the mug for ever."""
    for battery in range(1, 16):
        _, world, log, _ = joined(
            (eye("Eve", battery=1),), arm("Zoe", battery=battery), Takes, start=(5.0, 2.0, 0.0), limit=30
        )
        assert world.truth.facts["holding", "Zoe"] is None
    assert did(log, "PickUp"), "with more it takes it, and lets it fall"
    assert LAST_STEPS > 1


def test_a_stranger_whose_battery_ends_leaves_what_it_holds_to_others_and_says_so():
    bare = furnished()
    bare = replace(bare, furniture=tuple(p for p in bare.furniture if p.name != "dresser_0"))
    zoe = arm("Zoe", tall=False, battery=14)
    _, world, log, _ = joined((arm("Ann", battery=1),), zoe, Takes, start=(6.0, 2.5, 0.0), limit=40, house=bare)
    assert [who for _, who in did(log, "PickUp")] == ["Zoe"] and len(did(log, "Drop")) == 1
    assert world.truth.facts["where", "mug_0"] == FLOOR and world.truth.facts["holding", "Zoe"] is None
    words = "\n".join(e.data["text"] for e in said(log, "Zoe") if e.step > did(log, "Drop")[0][0])
    assert "given up: Re-place <mug_0>" in words and "misplaced: mug_0 kind=Mug on=floor" in words
    assert "done: mug_0" not in words


def test_a_model_looks_last_in_rooms_that_it_has_not_named():
    mind = Irot()
    mind.ruled = False
    mind.named["Mug"] = {("CounterTop", "Kitchen"): None}
    assert mind.home_rooms("Mug") == {"Kitchen"} and mind.home_rooms("Pillow") == set()
    mind.named["Mug"][("Desk", "")] = None
    assert mind.home_rooms("Mug") == set(), "any room may be"
