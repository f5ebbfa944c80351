"""Heuristic teammates: who does what, what they tell, and what they answer to others."""

from dataclasses import replace

import pytest

from coterie.core.action import Action, Message
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import Party, SoloProtocol, protocols
from coterie.core.task import Change, Trigger
from coterie.core.world import Observation
from coterie.episode.loop import Settings
from coterie.houses.model import FLOOR
from coterie.models.chat import NoModel
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.guests import Guests
from coterie.protocols.heuristic.lines import pairs, read, values, write
from coterie.testing import Trial, check_protocol
from coterie.worlds.household.knowledge.graph import Thing, survey_of
from coterie.worlds.household.setting import Start
from coterie.worlds.household.tasks.goals import Search
from coterie.worlds.household.world import HouseholdWorld
from tests.protocols import household
from tests.protocols.household import said
from tests.worlds.household.made import arm, eye, furnished, task, thing


def played(t, parties=None):
    return household.played(t, Heuristic, parties=parties)


def test_one_robot_tidies_up_and_stops():
    result, world, log, _ = played(task(robots=(arm(sight=2.0),)))
    assert result.success and world.resting == {"Ann"}
    tasks = [w for e in said(log) for k, w in read(e.data["text"]) if k == "task"]
    assert any(task.startswith("Re-place <mug_0>") for task in tasks) and tasks[0] == "Explore" and tasks[-1] == "Stop"


def test_who_has_no_arm_finds_and_who_has_one_carries():
    starts = {"Ann": Start(1.0, 1.0, 0), "Eve": Start(6.0, 1.5, 90)}
    result, _, log, _ = played(task(robots=(arm(sight=1.5), eye(sight=1.5)), starts=starts, astray=("mug_0",)))
    assert result.success
    found = [e for e in said(log, "Eve") if "misplaced: mug_0 kind=Mug on=bed_0 room=room_2" in e.data["text"]]
    took = [e for e in log.events if e.kind == "did" and e.data["skill"] == "PickUp"]
    assert found and found[0].step < took[0].step and {e.who for e in took} == {"Ann"}


def test_the_nearest_with_free_hands_goes():
    starts = {"Ann": Start(1.0, 1.0, 180), "Bea": Start(6.0, 2.0, 0)}
    t = task(robots=(arm("Ann"), arm("Bea")), starts=starts, astray=("mug_0",))
    result, _, log, _ = played(t)
    assert result.success
    assert {e.who for e in log.events if e.kind == "did" and e.data.get("args") == ("mug_0",)} == {"Bea"}


def test_what_is_too_heavy_for_one_is_left_to_another():
    starts = {"Ann": Start(6.0, 2.0, 0), "Bea": Start(1.0, 1.0, 0)}
    t = task(robots=(arm("Ann", payload=0.2), arm("Bea")), starts=starts, astray=("mug_0",))
    result, _, log, _ = played(t)
    (heavy,) = [e for e in log.events if e.kind == "outcome" and e.data["cause"].clause == "too_heavy"]
    assert result.success and heavy.who == "Ann"


def test_things_are_found_and_reported():
    t = task(robots=(eye(),), goal=Search(("mug_0", "plate_0")), astray=())
    result, world, log, _ = played(t)
    assert result.success
    assert world.truth.facts["reported", "mug_0"] == "bed_0"
    assert any("report: mug_0 on=bed_0" in e.data["text"] for e in said(log))


def test_a_thing_that_belongs_on_the_floor_is_dropped_in_its_room():
    house = furnished()
    boots = thing("boots_0", "Boots", "counter_top_0", (1.2, 3.4, 0.9), (0.3, 0.2, 0.3), 0.7)
    house = replace(house, things=(*house.things, boots))
    result, world, _, _ = played(task(house, robots=(arm(),), astray=("boots_0", "mug_0", "pillow_0")))
    assert result.success, world.progress()
    assert world.truth.scene.lying("boots_0").on == "floor"


def test_a_stranger_is_answered_and_told_what_is_known():
    heard = []

    class Stranger(SoloProtocol):
        def act(self, me):
            heard.extend(me.inbox)
            assert all(f.source == me.name or f.pred == "goal" for f in me.belief.facts())
            if me.step == 30:
                me.say("I intend to explore room_1.")
            return Action("RotateLeft")

    t = task(robots=(arm(), eye()), limit=60)
    change = Change(Trigger(step=25), "join", {"robot": "Zoe", "card": eye("Zoe")[1], "party": "guest"}, awaited=False)
    t = replace(t, changes=(change,))
    parties = [Party("team", Heuristic, ("Ann", "Eve")), Party("guest", Stranger, ("Zoe",))]
    _, _, _, episode = played(t, parties)
    answers = [dict(read(m.text)) for m in heard if m.to == ("Zoe",)]
    assert answers and {"robot", "ability", "state", "task"} <= answers[0].keys()
    assert values(answers[0]["ability"])["arm"] in ("yes", "no")
    assert all(not m.facts for m in heard) and "Zoe" not in episode.views["Ann"].heartbeat


def test_it_keeps_the_contract():
    t = task(robots=(arm(sight=1.5), eye(sight=1.5)), limit=40)

    def trial(make):
        party = Party("team", make, tuple(name for name, _ in t.robots))
        return Trial(HouseholdWorld(t), t, [party], NoModel().answer, Settings())

    check_protocol(protocols.get("heuristic"), trial, cuts=2)


def test_lines_are_read_back_and_odd_ones_left_out():
    lines = [("robot", "Ann"), ("state", pairs(x=1.5, y=2.0, room="", holding=None, arm=True))]
    assert read(write(lines)) == lines
    assert values(lines[1][1]) == {"x": "1.5", "y": "2", "room": "none", "holding": "none", "arm": "yes"}
    assert read("hello\nmood: good\n: \ntask:Explore\x00") == [("task", "Explore\x00")]


@pytest.mark.parametrize("text", ["", "x" * 20_000, "привет: мир\n" * 50, "task: Re-place"])
def test_odd_words_of_strangers_do_no_harm(text):
    class Odd(SoloProtocol):
        def act(self, me):
            me.say(text)
            return Action("wait")

    t = task(robots=(arm(), eye("Eve")), limit=12)
    parties = [Party("team", Heuristic, ("Ann",)), Party("odd", Odd, ("Eve",))]
    result, _, _, episode = played(t, parties)
    assert result.steps == 12 and episode.views["Ann"].belief.value("doing", "Eve") is UNKNOWN


def test_what_a_stranger_found_is_fetched_before_the_robot_has_seen_that_room():
    """The mug lies on the floor of a room that Ann knows nothing of; a stranger tells of it and of a counter."""

    class Tells(SoloProtocol):
        def act(self, me):
            if me.step == 2:
                me.say(
                    "robot: Zoe\nmisplaced: mug_0 kind=Mug on=floor room=room_2 x=5 y=1\n"
                    "receptacle: counter_top_0 kind=CounterTop room=room_1 x=1 y=3.65\n"
                    "receptacle: fridge_0 kind=Fridge room=room_1 x=3.6 y=3.6"
                )
            return Action("RotateLeft")

    house = furnished()
    mug = thing("mug_0", "Mug", "floor", (5.0, 1.0, 0.0))
    house = replace(house, things=(mug, *house.things[1:]))
    near = ("Ann", replace(arm(tall=False)[1], sight_m=1.5))
    t = task(house, robots=(near,), starts={"Ann": Start(2.0, 1.0, 180)}, astray=("mug_0",), limit=120)
    come = {"robot": "Zoe", "card": eye("Zoe")[1], "start": (7.0, 1.5, 0.0), "party": "guest"}
    t = replace(t, changes=(Change(Trigger(step=0), "join", come, awaited=False),))
    parties = [Party("team", Heuristic, ("Ann",)), Party("guest", Tells, ("Zoe",))]
    _, world, log, _ = played(t, parties)
    tasks = [(e.step, w) for e in said(log, "Ann") for k, w in read(e.data["text"]) if k == "task"]
    assert any(w.startswith("Re-place <mug_0>") and step <= 5 for step, w in tasks)
    assert world.look("tidy", "mug_0")


@pytest.fixture
def ann():
    """What Ann sees after a step in the bedroom."""
    return played(task(robots=(arm(),), limit=1, starts={"Ann": Start(6.0, 3.0, 0.0)}))[3].views["Ann"]


def tells(guests, me, words, time=5.0):
    guests.listen(me, Message("Zoe", ("all",), f"robot: Zoe\n{words}", (), time))


def test_what_a_guest_has_put_away_is_not_gone_for_unless_it_is_seen_there(ann):
    me, guests = ann, Guests()
    known = {"mug_0": Thing("mug_0", "Mug", "bed_0", (6.8, 2.6, 0.5))}
    me.belief.tell(Fact("spot", ("mug_0",), (6.8, 2.6, 0.5), 0.0, "Ann"))
    me.now = None
    tells(guests, me, "done: Explore <room_2>")
    tells(guests, me, "done: Re-place <mug_0> <CounterTop> <Kitchen>")  # only words that say where it is now count
    assert not guests.away(me, known)
    tells(guests, me, "done: mug_0 on=counter_top_0 room=room_1")
    assert guests.away(me, known) == {"mug_0"} and not guests.away(me, {})
    me.now = Observation("Ann", 6.0, (Fact("spot", ("mug_0",), (6.8, 2.6, 0.5), 0.0, "Ann"),), (), None, ())
    assert not guests.away(me, known)


def test_a_find_of_a_guest_stays_one_until_its_room_and_the_kind_of_that_are_known(ann):
    me, guests = ann, Guests()
    tells(guests, me, "misplaced: pot_9 kind=Pot on=floor room=room_9 x=90 y=90", 1.0)
    assert set(guests.astray(me, survey_of(me))) == {"pot_9"}

    def see(pred, name, value):
        me.belief.tell(Fact(pred, (name,), value, 2.0, "Ann"))

    see("spot", "pot_9", (90.0, 90.0, 0.0))  # seen from afar: whose floor is that?
    see("where", "pot_9", FLOOR)
    assert survey_of(me).room_of(survey_of(me).things["pot_9"]) == ""
    assert set(guests.astray(me, survey_of(me))) == {"pot_9"} and "pot_9" not in survey_of(me).astray
    tells(guests, me, "misplaced: pot_9 kind=Pot on=side_table_9 room=room_9 x=9 y=9", 1.5)
    see("kind", "side_table_9", "SideTable")  # such stand in many kinds of rooms
    see("in_room", "side_table_9", "room_9")
    see("spot", "pot_9", (9.0, 9.0, 0.6))
    see("where", "pot_9", "side_table_9")
    assert survey_of(me).room_of(survey_of(me).things["pot_9"]) == "room_9" and not survey_of(me).kind_of_room("room_9")
    assert set(guests.astray(me, survey_of(me))) == {"pot_9"}
    see("kind", "toilet_9", "Toilet")
    see("in_room", "toilet_9", "room_9")
    assert survey_of(me).kind_of_room("room_9") == "Bathroom"
    assert not guests.astray(me, survey_of(me)) and "pot_9" in survey_of(me).astray, "now it judges by itself"


def test_who_carried_a_thing_is_believed_where_it_put_it(ann):
    me = ann
    me.belief.tell(Fact("spot", ("mug_0",), (6.8, 2.6, 0.5), 0.0, "Ann"))
    guests, lies = Guests(), "misplaced: mug_0 kind=Mug on=floor room=room_1 x=1 y=1"

    tells(guests, me, lies)
    assert me.belief.value("spot", "mug_0") == (6.8, 2.6, 0.5), "what it has seen itself stands"
    tells(guests, me, "state: x=6 y=2 room=room_2 holding=mug_0 battery=9", 6.0)
    tells(guests, me, lies, 7.0)
    assert me.belief.value("spot", "mug_0") == (1.0, 1.0, 0.0) and "mug_0" in guests.astray(me, survey_of(me))
    me.belief.tell(Fact("spot", ("mug_0",), (6.8, 2.6, 0.5), 8.0, "Ann"))
    assert me.belief.value("spot", "mug_0") == (6.8, 2.6, 0.5), "what it sees counts for more"
