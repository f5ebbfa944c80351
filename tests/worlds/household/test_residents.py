"""People who live in houses: by habit they take, use and leave things, stand in the way, ask and answer."""

import io
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.suites import make_suite
from coterie.cli import main
from coterie.core.action import Action, Message
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.protocol import Party, Reply, RobotView, SoloProtocol, TeamView
from coterie.episode.loop import Settings, run
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.houses.floor import floor_of
from coterie.houses.model import FLOOR
from coterie.log.file import Log, read_log
from coterie.log.fold import state_at
from coterie.models.chat import NoModel
from coterie.protocols.adhoc.teammates import Company
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.guests import Guests
from coterie.protocols.heuristic.passing import Stay, ask_way
from coterie.protocols.person import Keyboard
from coterie.protocols.resident import LATER_STEPS, AtKeyboard, Resident
from coterie.protocols.resident.habits import USUAL, read_habits
from coterie.testing import check_world
from coterie.worlds.household.bodies import DWELLER, RESIDENT
from coterie.worlds.household.knowledge.graph import survey_of
from coterie.worlds.household.navigation.walking import HOLD, MOST_ASIDE
from coterie.worlds.household.options import PickupObject
from coterie.worlds.household.pictures.plan import Plan
from coterie.worlds.household.setting import Start
from coterie.worlds.household.tasks.unfinished import reasons
from coterie.worlds.household.world import HouseholdWorld
from tests.worlds.household.made import arm, crosses, task, world
from tests.worlds.household.test_world import do

LIVED_IN = Config(task="tidy", scene="rooms:3:7", team="drawn:3", seed=2, cards=("resident:Ann", "resident:Ben"))
PLEASE = "Please let me pass, Ann.\npass: Bob x=2.25 y=4.5"
HABITS = """until = {until}
habits_each = 1
[[habit]]
name = "drink"
takes = ["Mug", "Plate"]
to = ["Bed"]
often = 20
stays = [2, 3]
leaves = {leaves}
keeps = {keeps}
says = {says}
"""


def habits(folder, until=40, leaves=1, keeps=0, says=0):
    file = folder / "habits.toml"
    file.write_text(HABITS.format(until=until, leaves=leaves, keeps=keeps, says=says))
    return file


def resident(name="Bea"):
    return name, replace(DWELLER, name=name, sight_m=5.0)


class Waits(SoloProtocol):
    def act(self, me):
        return Action("wait")


def lived_in(file, steps=80, seed=3, watch=None):
    """A small house where Bea lives and a robot looks on, and the log of an episode in it."""
    starts = {"Ann": Start(6.0, 0.5), "Bea": Start(2.0, 2.0)}
    drawn = task(robots=(arm(), resident()), starts=starts, astray=("pillow_0",), limit=steps)
    made = HouseholdWorld(drawn)
    parties = [Party("team", Waits, ("Ann",)), Party("residents", lambda: Resident(file), ("Bea",))]
    log = Log()
    run(made, drawn, parties, log, NoModel().answer, Settings(seed=seed), watch)
    return made, log.events


def did(events, who, skill):
    return [e for e in events if e.kind == "did" and (e.who, e.data["skill"]) == (who, skill)]


def said(events, who):
    return [e.data["text"] for e in events if e.kind == "say" and e.who == who]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "lived.jsonl"
    kept = []
    config = resolve(LIVED_IN)

    def watch(e):
        truth = e.world.truth
        kept.append(({n: truth.facts["pose", n] for n in truth.cards}, whereabouts(e.world)))

    return play(config, path, watch=watch), path, kept


def whereabouts(made):
    """Where every thing is: on what, or in whose hand, and in how many hands."""
    truth = made.truth
    holders = [truth.facts["holding", n] for n in truth.cards if truth.facts["holding", n]]
    return {t.name: (truth.get("where", t.name), holders.count(t.name)) for t in made.setting.house.things}


# -- the world ------------------------------------------------------------------------------------------------------
def test_a_house_that_is_lived_in_keeps_the_contract():
    script = [{"Ann": Action("MoveAhead"), "Bea": Action("RotateLeft")}, {"Bea": Action("Keep", ("mug_0",))}]
    check_world(lambda: world(robots=(arm(), resident())), script)


def test_no_thing_is_lost_or_doubled_and_nobody_walks_through_walls(played):
    _, _, kept = played
    made = task_of(resolve(LIVED_IN)).setting.house
    names = {t.name for t in made.things}
    moved, floor = 0, floor_of(made)
    before = kept[0][0]
    for poses, things in kept:
        assert things.keys() == names
        for where, hands in things.values():
            assert hands == (where in poses) and (where in poses or where == FLOOR or where in made.piece)
        for name, (x, y, *_) in poses.items():
            far = math.dist((x, y), before[name][:2])
            assert far <= 0.25 + 1e-6 and floor.is_free((x, y), 0.25)
            assert not any(crosses(before[name][:2], (x, y), w.a, w.b) for w in made.walls)
            moved += far > 0 and name in ("Ann", "Ben")
        before = poses
    assert moved > 40, "residents walk"


def test_a_run_that_was_cut_goes_on_to_the_same_log_and_another_seed_is_another_day(played, tmp_path):
    _, path, _ = played
    lines = path.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[: len(lines) // 2]))
    play(resolve(LIVED_IN), cut, resume=True)
    assert cut.read_bytes() == path.read_bytes()
    other = play(resolve(replace(LIVED_IN, seed=9)), task=replace(task_of(resolve(LIVED_IN)), step_limit=60)).log.events
    day = [e.data["name"] for e in played[0].log.events if e.kind == "option" and e.who == "Ann" and e.step < 60]
    assert day != [e.data["name"] for e in other if e.kind == "option" and e.who == "Ann"]


def test_what_residents_do_is_in_the_log_and_read_from_it(played):
    events = played[0].log.events
    cards = next(e.data for e in events if e.kind == "start")["robots"]
    assert {n for n, r in cards.items() if r["card"].body == RESIDENT} == {"Ann", "Ben"}
    taken = [e for name in ("Ann", "Ben") for e in did(events, name, "PickUp")]
    assert len(taken) > 1, "by their own names, as actions of anybody"
    last = state_at(events)
    left = things_left(last)
    assert left
    astray = {t for t in (*left, *task_of(resolve(LIVED_IN)).setting.misplaced) if t not in tidied(last)}
    assert set(reasons(events)) == {t for t in astray if last.true["where", t] not in ("Ann", "Ben")}


def things_left(state):
    return {key[1] for key in state.true if key[0] == "left"}


def tidied(state):
    found = set()
    for name, thing in state.things.items():
        kept = state.true.get(("keep", name))
        if (
            thing.place in state.robots
            or Plan.of(state.start).tidy(name, thing.place, thing.spot)
            or (kept and tuple(kept) == tuple(thing.spot))
        ):
            found.add(name)
    return found


def test_without_residents_nothing_is_otherwise():
    plain = resolve(replace(LIVED_IN, cards=()))
    both = [task_of(c) for c in (plain, resolve(LIVED_IN))]
    assert both[0].setting.house == both[1].setting.house and both[0].setting.misplaced == both[1].setting.misplaced
    assert both[1].robots[: len(both[0].robots)] == both[0].robots
    assert both[1].setting.starts[: len(both[0].robots)] == both[0].setting.starts
    assert both[0].about["robots"] == both[1].about["robots"] == 3


# -- judging --------------------------------------------------------------------------------------------------------
def made_lived_in(ann=(6.0, 1.0), bea=(1.0, 2.75, 90)):
    return world(robots=(arm(), resident()), starts={"Ann": Start(*ann), "Bea": Start(*bea)}, astray=("pillow_0",))


def test_what_a_resident_left_counts_and_what_she_uses_does_not():
    w = made_lived_in()
    assert w.look("astray") == ("pillow_0",)
    assert do(w, "Bea", ("PickUp", "plate_0")).ok
    assert w.look("astray") == ("pillow_0",) and w.look("spoilt") == 0, "she uses it"
    assert do(w, "Bea", ("RotateRight",), ("RotateRight",), ("Drop",)).ok
    assert w.look("astray") == ("pillow_0", "plate_0") and w.look("spoilt") == 0
    assert w.progress().partial == 0.0 and "0 of 2 things" in w.progress().text
    assert do(w, "Bea", ("LookDown",), ("LookDown",), ("PickUp", "plate_0")).ok
    assert w.look("astray") == ("pillow_0",) and "0 of 1 thing is" in w.progress().text, "she uses it again"


def test_what_is_to_stay_counts_as_tidy_where_it_lies_and_nowhere_else():
    w = made_lived_in()
    do(w, "Bea", ("PickUp", "plate_0"), ("RotateRight",), ("RotateRight",), ("Drop",))
    assert not w.truth.get("tidy", "plate_0")
    assert do(w, "Bea", ("Keep", "plate_0")).ok and w.truth.get("tidy", "plate_0")
    assert "1 of 2 things" in w.progress().text
    again = w.snapshot()
    w.truth.set(("where", "plate_0"), "counter_top_0")
    w.truth.set(("spot", "plate_0"), (0.7, 3.5, 0.9))
    assert not w.truth.get("tidy", "plate_0"), "a robot took it home against her wish"
    w.restore(again)
    assert w.truth.get("tidy", "plate_0")
    do(w, "Bea", ("LookDown",), ("LookDown",), ("PickUp", "plate_0"))
    assert w.truth.facts["holding", "Bea"] == "plate_0" and w.truth.get("keep", "plate_0") is None
    assert do(w, "Bea", ("Keep", "plate_0")).reason == "plate_0 lies nowhere."
    assert not do(w, "Ann", ("Keep", "pillow_0")).ok, "robots cannot keep"


def test_an_episode_ends_when_the_robots_have_stopped():
    w = made_lived_in()
    do(w, "Bea", ("Stop",))
    assert not w.look("ended")
    do(w, "Ann", ("Stop",))
    assert w.look("ended") and w.progress().lost
    w = made_lived_in()
    do(w, "Ann", ("Stop",))
    assert w.look("ended"), "residents are not waited for"


def test_residents_know_their_house_and_robots_do_not():
    w = made_lived_in()
    seen = {f.args[0] for f in w.observe("Bea").facts if f.pred in ("box", "spot")}
    assert {"bed_0", "dresser_0", "mug_0", "plate_0", "fridge_0"} <= seen
    assert {f.args[0] for f in w.observe("Ann").facts if f.pred in ("box", "spot")}.isdisjoint({"plate_0", "fridge_0"})
    do(w, "Bea", ("RotateLeft",))
    again = {f.args[0] for f in w.observe("Bea").facts if f.pred in ("box", "spot")}
    assert "mug_0" not in again and "dresser_0" not in again, "later she sees what is in view"


def test_residents_are_in_the_way_and_seen():
    w = made_lived_in((2.0, 2.0, 0), (2.5, 2.0))
    assert ("pose", ("Bea",)) in {f[:2] for f in w.observe("Ann").facts}
    assert do(w, "Ann", ("MoveAhead",)).reason == "Ann cannot move ahead: Bea is in the way."


# -- habits ---------------------------------------------------------------------------------------------------------
def test_a_habit_is_carried_out_and_the_day_ends(tmp_path):
    made, events = lived_in(habits(tmp_path))
    taken, put = did(events, "Bea", "PickUp"), did(events, "Bea", "PutDown")
    assert taken and taken[0].data["args"] == ("plate_0",), "the mug lies on the bed already"
    assert put[0].data["args"] == ("bed_0",) and made.truth.get("where", "plate_0") == "bed_0"
    assert did(events, "Bea", "Stop")[0].step >= 40 and len(taken) == 1, "and both lie where she uses them"
    (tidy := tmp_path / "tidy").mkdir()
    made, events = lived_in(habits(tidy, leaves=0))
    assert did(events, "Bea", "PutDown")[0].data["args"] == ("counter_top_0",), (
        "she brings back what she does not leave"
    )
    assert made.truth.get("where", "plate_0") == "counter_top_0" and ("left", "plate_0") not in made.truth.facts


@pytest.mark.parametrize("share, key", [("keeps", "keep"), ("says", "misplaced")])
def test_she_says_what_is_to_stay_and_what_she_is_done_with(tmp_path, share, key):
    made, events = lived_in(habits(tmp_path, **{share: 1}))
    words = next(text for text in said(events, "Bea") if "plate_0" in text)
    assert f"\n{key}: plate_0 kind=Plate on=bed_0 room=room_2 x=" in words
    assert bool(did(events, "Bea", "Keep")) == (key == "keep") == bool(made.truth.get("tidy", "plate_0"))


def test_what_is_not_there_any_more_is_asked_for(tmp_path):
    def take_away(e):
        if e.step == 1:
            lying = e.world.truth.scene.lying("plate_0")
            e.world.observing.leave("plate_0", lying.on, lying.spot)
            e.world.truth.set(("where", "plate_0"), "dresser_0")
            e.world.truth.set(("spot", "plate_0"), (7.5, 0.6, 1.0))

    _, events = lived_in(habits(tmp_path), watch=take_away)
    assert [text for text in said(events, "Bea") if "Where is" in text] == ["Where is plate_0?\nsought: plate_0"]


def test_what_one_cannot_get_to_is_given_up_for_a_while_and_nobody_is_asked_where_it_is():
    made = resolve(Config("tidy", scene="rooms:4:16", seed=16, cards=("resident:Ann",)))
    events = play(made, task=replace(task_of(made), step_limit=230)).log.events
    begun = [e.step for e in events if e.kind == "option" and e.data["name"] == "PickupObject(lettuce_0)"][::2]
    assert len(begun) == 2 and begun[1] - begun[0] > LATER_STEPS, "she knows where it lies, and gets no further"
    assert not any("Where is" in text for text in said(events, "Ann"))
    why = "gives up for now: lettuce_0: there is no way that I know of"
    assert [e.data.get("why") for e in did(events, "Ann", "wait")].count(why) == 2


def test_who_stands_in_the_way_is_asked_and_steps_aside():
    made = resolve(Config("tidy", scene="rooms:4:0", seed=0, cards=("resident:Ann",)))
    at = {}

    def watch(e):
        at[e.step] = e.world.truth.facts["pose", "Bob"]

    events = play(made, task=replace(task_of(made), step_limit=114), watch=watch).log.events
    assert [text for text in said(events, "Bob") if "pass" in text] == [PLEASE]
    assert at[102][0] == 2.25 and at[108][0] == 2.75, "that is where she stood, before the only way"


def test_a_file_of_habits_on_the_command_line(tmp_path):
    file = habits(tmp_path)
    config = resolve(replace(LIVED_IN, cards=("resident:Ann", f"resident:Bea:{file}")))
    assert config.parties == ("residents=resident:Ann", f"residents_Bea=resident:{file}:Bea")
    with pytest.raises(CoterieError, match="no file"):
        resolve(replace(LIVED_IN, cards=(f"resident:Bea:{tmp_path}/none.toml",)))
    with pytest.raises(CoterieError, match="resident:Ann for one who lives there"):
        resolve(replace(LIVED_IN, cards=("resident:Ann", "person:Ann")))
    found = read_habits(USUAL)
    assert len({h.name for h in found.all}) == len(found.all) >= found.each


@pytest.mark.parametrize(
    "old, new, words",
    [
        ('"Mug"', '"Mgu"', "Mug"),
        ('to = ["Bed"]', 'to = ["Floor"]', "kind"),
        ("stays = [2, 3]", "stays = [3, 2]", "fewest first"),
        ("leaves = 1", "leaves = 2", "between 0 and 1"),
        ("often = 20", "oftn = 20", "often"),
        ("[[habit]]", "[[habits]]", "no habit"),
    ],
)
def test_a_file_with_a_fault_is_refused_with_the_place(tmp_path, old, new, words):
    file = habits(tmp_path)
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(CoterieError, match=words):
        read_habits.__wrapped__(file)


# -- what robots make of it -----------------------------------------------------------------------------------------
def view_in(made, robot="Ann"):
    belief = Belief(made.map())
    belief.tell_all(made.observe(robot).facts)
    return RobotView(robot, made.truth.cards[robot], belief, made.lookup(belief), time=1.0)


@pytest.mark.parametrize("hear", [lambda me, m: Guests().listen(me, m), lambda me, m: Company().hear(me, [m])])
def test_what_is_to_stay_is_not_misplaced_for_who_was_told_so(hear):
    w = made_lived_in((2.0, 1.0, 180), (6.0, 1.0))
    home = w.observe("Bea").area
    do(w, "Ann", ("LookDown",))
    me = view_in(w)
    for piece, kind in (("counter_top_0", "CounterTop"), ("fridge_0", "Fridge")):
        me.belief.tell_all([Fact("kind", (piece,), kind, 0.0), Fact("in_room", (piece,), "room_1", 0.0)])
    me.belief.area.tell(home)
    assert "pillow_0" in survey_of(me).astray
    words = "Please leave pillow_0 where it is.\nkeep: pillow_0 x=1.5 y=1"
    hear(me, Message("Bea", ("all",), words, (), 1.0))
    assert "pillow_0" in survey_of(me).astray, "she has not said that she lives here"
    hear(me, Message("Bea", ("all",), f"resident: Bea\n{words}", (), 1.0))
    assert "pillow_0" not in survey_of(me).astray
    me.belief.tell_all([Fact("spot", ("pillow_0",), (1.5, 2.0, 0.0), 2.0, "Ann")])
    assert "pillow_0" in survey_of(me).astray, "it lies elsewhere now"


def test_a_resident_is_told_what_she_asks_for_and_tells_what_she_is_asked(tmp_path):
    mind, file = Heuristic(), habits(tmp_path)
    w = made_lived_in((2.0, 1.0, 180), (6.0, 1.0))
    home, she = w.observe("Bea").area, view_in(w, "Bea")
    do(w, "Ann", ("LookDown",))
    me = view_in(w)
    me.belief.area.tell(home)
    mind.hear(me, [Message("Bea", ("all",), "Where is pillow_0?\nsought: pillow_0, mug_0", (), 1.0)])
    told = [m for m in me.outbox if "seen:" in m.text]
    assert [m.to for m in told] == [("Bea",)] and "seen: pillow_0 kind=Pillow on=floor" in told[0].text
    assert "mug_0" not in told[0].text, "it has not seen that"
    she.belief.tell(Fact("spot", ("pillow_0",), UNKNOWN, 0.5, "Bea"))
    bea = Resident(file)
    bea.hear(she, [told[0]])
    assert she.belief.value("spot", "pillow_0")[:2] == (1.5, 1.0)
    bea.hear(she, [Message("Ann", ("Bea",), "sought: mug_0, ghost_0", (), 1.0)])
    assert [m.text for m in she.outbox] == ["seen: mug_0 kind=Mug on=bed_0 room=room_2 x=6.8 y=2.6"]


def test_robots_that_search_ask_who_lives_there(tmp_path):
    config = resolve(Config(task="search", scene="rooms:3:7", team="drawn:3", seed=7, cards=("resident:Ann",)))
    events = play(config, task=replace(task_of(config), step_limit=60)).log.events
    things = next(e.data for e in events if e.kind == "start")["goal"].things
    asked = [e for e in events if e.kind == "say" and "sought: " in e.data["text"]]
    assert {e.data["to"] for e in asked} == {("Ann",)} and all(t in asked[0].data["text"] for t in things)
    assert any(f"seen: {things[0]} " in text for text in said(events, "Ann"))


def test_the_expert_plans_for_robots_alone_and_comes_back_for_what_is_left(tmp_path):
    events = play(resolve(replace(LIVED_IN, seed=4, protocol="expert", level="1"))).log.events
    last = state_at(events)
    left = things_left(last)
    carried = {e.data["args"][0] for n in ("Alice", "Bob", "Carol") for e in did(events, n, "PickUp")}
    assert left and left & carried and left & tidied(last)


@settings(max_examples=2)
@given(st.integers(0, 500))
def test_things_are_whole_on_any_day(seed):
    config = resolve(replace(LIVED_IN, scene="rooms:2:7", seed=seed, cards=("resident:Ann",)))
    seen = []
    play(config, task=replace(task_of(config), step_limit=120), watch=lambda e: seen.append(whereabouts(e.world)))
    names = seen[0].keys()
    for things in seen:
        assert things.keys() == names and all(hands <= 1 for _, hands in things.values())


@pytest.mark.parametrize(
    ("suite", "pairs", "plain"), [("tidy-residents", 54, {"cards": ()}), ("tidy-physics", 18, {"physics": False})]
)
def test_suites_play_each_task_without_and_with_residents_or_physics(suite, pairs, plain):
    specs = make_suite(suite)
    assert len(specs) == 2 * pairs
    for usual, other in zip(specs[::2], specs[1::2]):
        assert replace(other.config, **plain) == usual.config != other.config and len(other.config.cards) <= 2
        assert usual.labels["scene"] == other.labels["scene"]


# -- at the keyboard --------------------------------------------------------------------------------------------------
def typing(monkeypatch, capsys, log, *lines):
    """The command with these lines piped into it; what it asked, and the log."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    words = ["run", "tidy", "--rooms", "2", "--seed", "3", "--level", "1", "--card", "resident:Ann:keyboard", "--json"]
    assert main([*words, "--log", str(log)]) in (0, 1)
    return capsys.readouterr().err, read_log(log)


def test_a_resident_at_a_keyboard_takes_asks_and_stands_in_the_way(tmp_path, monkeypatch, capsys):
    shown, _ = typing(monkeypatch, capsys, tmp_path / "a.jsonl", "")
    rows = {words.strip(): number for number, words in re.findall(r"^ +(\d+)  (.*)$", shown, re.M)}
    take = next(words for words in rows if words.startswith("take "))
    thing = take.split()[1]
    door = rows["stand in the nearest doorway"]
    assert not any("go to  (" in words for words in rows), "who lives there has a word for each room"
    lines = (f"Where is {thing}?", "99", rows[take], "1", str(int(door)), "Good bye.")
    shown, events = typing(monkeypatch, capsys, tmp_path / "b.jsonl", *lines)
    said = [e.data["text"] for e in events if e.kind == "say" and e.who == "Ann"]
    assert "There is no 99 on the list" in shown and "99" not in said
    assert said[0].endswith("resident: Ann") and f"Where is {thing}?\nsought: {thing}" in said
    took = next(e for e in events if e.kind == "did" and e.who == "Ann" and e.data["skill"] == "PickUp")
    assert took.data["args"] == [thing]
    assert f"holds {thing}" in shown and f"put {thing} on" in shown
    options = [e.data["name"] for e in events if e.kind == "option" and e.who == "Ann" and e.data["state"] == "begun"]
    assert options[0] == f"PickupObject({thing})" and options[1].startswith("PutObject(")
    assert any(name.startswith("Stay(") for name in options), "at the end of the input her habits go on"


def test_a_resident_at_a_keyboard_answers_who_asks(tmp_path):
    me = view_in(made_lived_in(), "Bea")
    ann = AtKeyboard()
    name = next(iter(survey_of(me).things))
    ann.hear(me, [Message("Rob", ("Bea",), f"sought: {name}", (), 0.0)])
    words = f"tell Rob where {name} is"
    assert f"Rob asks where {name} is." in ann._situation(me, survey_of(me)) and not me.outbox
    me.belief.tell(Fact("spot", (name,), UNKNOWN, 2.0, "Bea"))
    assert words not in dict(ann._menu(me, survey_of(me))), "nobody knows where it is"
    me.belief.tell(Fact("spot", (name,), (3.25, 1.5, 0.7), 3.0, "Bea"))
    assert dict(ann._menu(me, survey_of(me)))[words]() == Action("wait")
    (message,) = me.outbox
    assert message.text.startswith(f"seen: {name} kind=") and message.text.endswith("x=3.25 y=1.5"), "where it is now"
    assert message.to == ("Rob",) and words not in dict(ann._menu(me, survey_of(me)))


def test_a_resident_at_a_keyboard_is_told_who_wants_to_pass_and_steps_aside_if_she_likes():
    w = world(robots=(arm(), resident()), starts={"Ann": Start(2.0, 2.0, 0), "Bea": Start(2.5, 2.0)})
    robot, me, bea, home = view_in(w), view_in(w, "Bea"), AtKeyboard(), made_lived_in().observe("Bea").area
    me.belief.area.tell(home)
    robot.outcome = do(w, "Ann", ("MoveAhead",))
    ask_way(robot, ["Carl", "Bea"])
    (asked,) = robot.outbox
    assert asked.to == ("Bea",) and asked.text == "Please let me pass, Bea.\npass: Ann x=2 y=2"
    stays = bea.last = dict(bea._menu(me, survey_of(me)))["stay here for 10 steps"]()
    assert stays.interrupted(me) is None
    bea.hear(me, [asked._replace(sender="Ann")])
    assert stays.interrupted(me) == "somebody asks to pass" and "Ann asks to pass." in bea._situation(me, survey_of(me))
    aside = dict(bea._menu(me, survey_of(me)))["step aside for Ann"]()
    while (action := aside.step(me)) is not None:
        me.belief.tell_all(w.observe("Bea").facts if do(w, "Bea", tuple(action)[:1]).ok else ())
    assert abs(w.truth.facts["pose", "Bea"][1] - 2.0) > 0.5, "out of the lane"


def test_a_request_to_pass_that_was_not_picked_is_off_the_list():
    me, bea = view_in(made_lived_in(), "Bea"), AtKeyboard()
    bea.last = dict(bea._menu(me, survey_of(me)))["stay here for 10 steps"]()
    for who in ("Ann", "Rob"):
        bea.hear(me, [Message(who, ("Bea",), f"pass: {who} x=1.5 y=2.75", (), 0.0)])
    deciding = bea.decide(TeamView({"Bea": me}, 1, 1.0), ["Bea"])
    (ask,) = next(deciding)
    assert [words for words in ask.choices if "aside" in words] == ["step aside for Ann", "step aside for Rob"]
    with pytest.raises(StopIteration):
        deciding.send([Reply("rest for good")])
    assert not any("aside" in words for words in dict(bea._menu(me, survey_of(me))))


def test_who_never_stops_asking_to_pass_keeps_nobody_from_going_on():
    w = made_lived_in((2.0, 2.0, 0), (2.5, 2.0))
    bea, steps = view_in(w, "Bea"), 0
    bea.belief.area.tell(made_lived_in().observe("Bea").area)
    stays = Stay(10)
    while stays.let_pass(bea, (2.0, 2.0)).step(bea) is not None and steps < 100:
        steps += 1
    assert 10 <= steps <= 10 + MOST_ASIDE + 2 * HOLD
    assert Stay(10).let_pass(bea, (6.0, 2.0)).step(bea) == Action("wait") and not stays.making_way.busy


@pytest.mark.parametrize(("why", "told"), [("", ""), ("it is gone", " PickupObject(mug_0) did not work: it is gone.")])
def test_a_person_at_a_keyboard_is_told_what_did_not_work_if_there_is_a_reason(why, told):
    me, take = view_in(made_lived_in(), "Bea"), PickupObject("mug_0")
    take.end(False, why)
    assert Keyboard()._situation(me, take).partition(" holds nothing.")[2] == told


def test_what_she_took_and_left_may_be_to_stay():
    me, ann = view_in(made_lived_in(), "Bea"), AtKeyboard()
    words = "say that mug_0 is to stay where it lies"
    assert "mug_0" in survey_of(me).astray and words not in dict(ann._menu(me, survey_of(me)))
    ann.taken.add("mug_0")
    assert dict(ann._menu(me, survey_of(me)))[words]() == Action("Keep", ("mug_0",))
    assert me.outbox[0].text.startswith("Please leave mug_0 where it is.\nkeep: mug_0 ")
