"""The hospital: what is true, who sees what of it, what goes wrong, and what is asked for in words; and witnesses, who
know everything: a schedule that holds, or a proof that there is none."""

import pytest

from coterie.core.action import WAIT, Action, Cause, Outcome
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief
from coterie.core.task import Change, Trigger
from coterie.planning import judge
from coterie.testing import check_world
from coterie.worlds.hospital.bodies import SPOT, TEMI
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.faults import FAULTS
from coterie.worlds.hospital.goals import KIT, Errands, Wish
from coterie.worlds.hospital.phrases import Names, read_contents, read_fact, read_goal
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.scene import counted, label
from coterie.worlds.hospital.tasks import asked, make
from coterie.worlds.hospital.witness import meanings, question_of, witness
from coterie.worlds.hospital.world import HospitalWorld

LOOK_E = Action("perceiveobject", ("bandagebox", "tableE", "atE"))
ERRAND = [
    {"Fetch": Action("goto", ("atG", "atE")), "Spot": Action("passdoor", ("bay", "officedoor", "counter"))},
    {"Fetch": LOOK_E, "Spot": Action("receiveitem", ("bandagebox", "pharmacist", "counter"))},
    {"Temi": Action("passdoor", ("dock", "alphadoor", "inAlpha")), "Fetch": Action(WAIT)},
]


def world_of(*faults, seed=7, noise="none", level="paper"):
    return HospitalWorld(make(seed, level, faults, noise))


def play(world, **joint):
    """Start actions and see them to their ends, by robot."""
    world.start(joint)
    found = {}
    while len(found) < len(joint):
        found |= {o.robot: o for o in world.advance()}
    return found


@pytest.mark.parametrize("faults", [("missing", "grasp"), ("door", "person", "robot")])
def test_it_keeps_the_contract_of_worlds(faults):
    check_world(lambda: world_of(*faults, noise="real"), ERRAND, rounds=30)


def test_a_thing_that_is_not_there_is_noticed_by_looking_and_not_before():
    there, gone = world_of(), world_of("missing:bandagebox")
    assert there.map() == gone.map()
    assert all(there.observe(r) == gone.observe(r) for r in there.robots())
    for world in (there, gone):
        play(world, Fetch=Action("goto", ("atG", "atE")))
    assert there.observe("Fetch") == gone.observe("Fetch"), "who stands at a table has not looked yet"
    seen, missed = (play(w, Fetch=LOOK_E)["Fetch"] for w in (there, gone))
    assert seen.ok and not missed.ok
    assert missed.cause.fact == ("objectAt", ("bandagebox", "tableE"), False)
    assert ("stock", ("bandagebox", "tableE"), 0) in [f[:3] for f in missed.facts]


def test_a_driven_robot_that_finds_nothing_teaches_that_as_a_simulated_one_does():
    gone, there = world_of("missing:bandagebox"), world_of()
    for world in (gone, there):
        world.accept(Outcome("Fetch", Action("goto", ("atG", "atE")), "done", "", 0.0, 1.0))
    said = Outcome("Fetch", LOOK_E, "done", "", 1.0, 1.0)
    missed = gone.accept(said)
    assert missed.status == "failed" and ("stock", ("bandagebox", "tableE"), 0) in [f[:3] for f in missed.facts]
    known = Cause("seen", ("objectAt", ("bandagebox", "tableE"), False))
    found = there.accept(
        said._replace(status="failed", reason="nothing there", cause=known)
    )  # by the driver's own word
    assert [f[:3] for f in found.facts] == [("stock", ("bandagebox", "tableE"), 0)]
    assert there.look("objectAt", "bandagebox", "tableE") is False
    for fact in (
        ("objectAt", ("bandagebox",), False),
        ("open", ("tableE",), False),
        ("free", ("atE",), False),
        ("open", ("alphadoor",), True),
        ("jammed", ("nowhere",), True),
    ):
        told = said._replace(status="failed", cause=Cause("said", fact))
        assert there.accept(told).facts == (), "about nothing that is here, or nothing that it would find"
    there.accept(said._replace(status="failed", cause=Cause("said", ("jammed", ("alphadoor",), True))))
    assert there.look("jammed", "alphadoor") is True


def test_every_skill_that_may_fail_by_itself_has_words_for_that():
    domain = HospitalDomain(world_of().map())
    for skill in (n for n in world_of().skills if n != WAIT):
        words = domain.fact_words("luck", ("Spot", skill), False)
        assert words.startswith("Spot did not manage to ") and skill not in words.split(), words


def test_what_is_said_is_on_the_map_and_is_not_the_truth():
    world = world_of("missing:bandagebox")
    assert world.map()["expected", "stock", "bandagebox", "tableE"] == 1
    assert world.look("objectAt", "bandagebox", "tableE") is False
    assert world.lookup(Belief(world.map()))("objectAt", "bandagebox", "tableE") is not True


def test_temi_is_kept_out_by_a_shut_door_and_spot_lets_it_in():
    world = world_of()
    kept_out = play(world, Temi=Action("passdoor", ("dock", "alphadoor", "inAlpha")))["Temi"]
    assert kept_out.cause.fact == ("open", ("alphadoor",), False)
    assert not play(world, Temi=Action("opendoor", ("alphadoor", "outAlpha")))["Temi"].ok
    play(world, Spot=Action("passdoor", ("bay", "pharmacydoor", "outAlpha")))
    assert play(world, Spot=Action("opendoor", ("alphadoor", "outAlpha")))["Spot"].ok
    assert play(world, Temi=Action("passdoor", ("dock", "alphadoor", "inAlpha")))["Temi"].ok


def test_fetch_is_confined_as_data_and_poses_hold_one_robot():
    world = world_of()
    assert world.look("may", "Fetch", "atE") and not world.look("may", "Fetch", "bay")
    assert not world.look("may", "Spot", "atE") and world.look("may", "Spot", "byG")
    assert not world.look("carries", "Temi", "painkiller") and world.look("carries", "Temi", "caddy1")
    play(world, Temi=Action("passdoor", ("dock", "pharmacydoor", "byG")))
    assert play(world, Spot=Action("goto", ("bay", "byG")))["Spot"].cause.clause == "free"


def test_who_waits_looks_up_when_another_has_done_something():
    world = world_of()
    ended = play(world, Fetch=Action("goto", ("atG", "atF")), Temi=Action(WAIT))
    assert ended["Temi"].duration == pytest.approx(min(10.0, ended["Fetch"].duration))
    assert play(world, Temi=Action(WAIT), Spot=Action(WAIT))["Temi"].duration == 10.0


def slipping(noticed):
    """A seed with which painkillers slip once, and whether that is noticed."""
    for seed in range(200):
        slip = make(seed, faults=["grasp:painkiller"]).setting.slips["Fetch", "painkiller"]
        if slip.noticed is noticed and slip.times == 1:
            return seed
    raise AssertionError


@pytest.mark.parametrize("noticed", [True, False])
def test_a_grasp_may_slip_with_and_without_being_noticed(noticed):
    world = world_of("grasp:painkiller", seed=slipping(noticed))
    play(world, Fetch=Action("goto", ("atG", "atB")))
    play(world, Fetch=Action("perceiveobject", ("painkiller", "tableB", "atB")))
    pick = Action("pickup", ("painkiller", "tableB", "atB"))
    assert play(world, Fetch=pick)["Fetch"].ok is not noticed
    assert world.look("holding", "Fetch") is None and world.look("stock", "painkiller", "tableB") == 2
    assert play(world, Fetch=pick)["Fetch"].ok and world.look("holding", "Fetch") == "painkiller"


def test_somebody_who_does_not_answer_costs_patience():
    world = world_of("person:pharmacist")
    play(world, Spot=Action("passdoor", ("bay", "officedoor", "counter")))
    silent = play(world, Spot=Action("receiveitem", ("bandagebox", "pharmacist", "counter")))["Spot"]
    assert silent.cause.fact == ("answers", ("pharmacist",), False) and silent.duration > 45
    assert ("answers", ("pharmacist",), False) in [f[:3] for f in silent.facts]


def test_times_are_drawn_for_each_robot_by_itself():
    one, two = world_of(), world_of()
    play(two, Spot=Action("goto", ("bay", "byG")))
    go = Action("goto", ("atG", "atE"))
    assert play(one, Fetch=go)["Fetch"].duration == pytest.approx(play(two, Fetch=go)["Fetch"].duration)
    assert play(world_of(seed=8), Fetch=go)["Fetch"].duration != play(world_of(), Fetch=go)["Fetch"].duration


def test_every_fault_is_drawn_from_the_seed_and_can_be_named():
    for kind in FAULTS:
        drawn = [make(s, faults=[kind]).about["faults"][0] for s in range(12)]
        assert drawn == [make(s, faults=[kind]).about["faults"][0] for s in range(12)]
        assert all(f["kind"] == kind and f["pred"] for f in drawn)
    assert {make(s, faults=["missing"]).about["faults"][0]["thing"] for s in range(12)} == {"painkiller", "bandagebox"}
    with pytest.raises(CoterieError, match="No fault 'flood'"):
        make(1, faults=["flood"])
    with pytest.raises(CoterieError, match="No door 'x'"):
        make(1, faults=["door:x"])


def test_robots_come_and_go_and_leave_their_bodies():
    world = world_of()
    world.apply(Change(Trigger(0), "leave", {"robot": "Spot"}))
    assert world.look("free", "bay") is False and "Spot" not in world.robots()
    world.apply(Change(Trigger(0), "join", {"robot": "Rex", "card": SPOT}))
    world.apply(Change(Trigger(0), "join", {"robot": "Toby", "card": TEMI}))
    assert world.look("at", "Rex") != "bay" and world.look("may", "Toby", "dock")


def test_a_kit_counts_exactly_and_one_caddy_serves_one_wish():
    world = world_of()
    wish = Wish(KIT, "medkit", "alpha", (("painkiller", 2), ("bandagebox", 1)))
    goal = Errands((wish, wish), world.scene.caddies, world.scene.items, by="instructor")
    for i, caddy in enumerate(world.scene.caddies):
        assert goal.progress(world.look).partial == i / 2
        for item, n in wish.contents:
            world.set(("amount", caddy, item), n)
        world.set(("stock", caddy, "alpha"), 1)
    assert goal.progress(world.look).done
    world.set(("amount", "caddy1", "gloves"), 1)
    assert goal.progress(world.look).partial == 0.5
    unasked = Errands(goal.wishes[:1], goal.caddies, goal.items)
    assert not unasked.progress(world.look).done, "people may ask for more until they close"


# -- words --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("medkit at alpha", ("kit", "medkit", "alpha", 1)),
        ("Deliver a medkit to alpha.", ("kit", "medkit", "alpha", 1)),
        ("feverkit", ("kit", "feverkit", "", 1)),
        ("two painkillers on table C", ("stock", "painkiller", "tableC", 2)),
        ("bandage box at tableE", ("stock", "bandagebox", "tableE", 1)),
        ("open the door of alpha", ("door", "alphadoor", "", 1)),
        ("bring the second medical caddy to table B", ("stock", "caddy2", "tableB", 1)),
    ],
)
def test_goals_in_words(text, meant):
    wish = read_goal(text, place("ward").map())
    assert (wish.kind, wish.what, wish.where, wish.count) == meant


@pytest.mark.parametrize(
    "text", ["", "sing", "medkit at table A", "open sesame", "3 unicorns at alpha", "medkit " * 99]
)
def test_what_is_no_goal_is_answered_with_what_can_be_said(text):
    with pytest.raises(CoterieError, match=r"(is no goal here.*Say|Name a goal with --goal,) for example"):
        read_goal(text, place("ward").map())


def test_who_asks_for_too_many_is_told_so():
    chart = place("ward").map()
    assert read_goal("99 painkillers on table C", chart).count == 99
    for text in ("3000 painkillers on table C", "9" * 150 + " gloves on table C"):
        with pytest.raises(CoterieError, match="are too many: ask for 99 at most"):
            read_goal(text, chart)
    with pytest.raises(CoterieError, match="3000 are too many"):
        read_contents("1 bandage box and 3000 painkillers", chart)


def test_facts_and_contents_in_words():
    names = Names(place("ward").map())
    assert read_fact("there is no bandage box on table E", names) == [(("stock", "bandagebox", "tableE"), 0)]
    assert read_fact("There are 3 gloves at table D.", names) == [(("stock", "gloves", "tableD"), 3)]
    assert read_fact("the door of beta is shut", names) == [(("open", "betadoor"), False)]
    assert read_fact("the side door is jammed", names) == [(("jammed", "sidedoor"), True)]
    assert read_fact("medkit at alpha", names) is None
    assert read_contents("1 painkiller and two gloves", place("ward").map()) == {"painkiller": 1, "gloves": 2}
    assert read_contents("three wishes", place("ward").map()) is None


def test_names_as_people_say_them():
    names = ("tableE", "atE", "atE2", "outAlpha", "alphadoor", "bandagebox")
    said = ["table E", "table E", "the other side of table E", "the door of alpha", "door of alpha", "bandage box"]
    assert [label(n) for n in names] == said
    counts = [counted(2, n) for n in ("painkiller", "bandagebox", "gloves")]
    assert counts == ["2 painkillers", "2 bandage boxes", "2 gloves"]


def test_people_take_away_who_has_vanished_and_leave_those_alone_who_are_at_work():
    world = world_of()

    def clear(pose):
        world.apply(Change(Trigger(step=0), "clear", {"pose": pose}, source="nurse"))

    start = world.truth["at", "Temi"]
    clear(start)
    assert world.truth["free", start] is False, "it is at work"
    world.apply(Change(Trigger(step=0), "leave", {"robot": "Temi"}))
    assert world.truth["free", start] is False, "its body stays where it is"
    clear(start)
    assert world.truth["free", start] is True
    with pytest.raises(CoterieError, match="nowhere"):
        clear("nowhere")


def test_there_is_one_of_each_caddy_whoever_puts_it_down():
    world = world_of()
    world.apply(Change(Trigger(step=0), "put", {"thing": "caddy1", "place": "tableF"}, source="nurse"))
    assert {k[2]: n for k, n in world.truth.items() if k[:2] == ("stock", "caddy1") and n} == {"tableF": 1}


# -- witnesses ----------------------------------------------------------------------------------------------------
CONFIG = Config(task="medkit", level="paper", synchronous=False)


@pytest.mark.parametrize("wanted", [None, "medkit at alpha"], ids=["of the task", "asked for in words"])
def test_a_witness_is_carried_out_in_the_world_and_judged(wanted):
    goal = None if wanted is None else asked(CONFIG, [wanted])
    task = make(7, faults=["missing:bandagebox"], goal=goal)
    found = witness(task)
    assert found.solvable and found.seconds > 0
    assert [s.step.action.skill for s in found.done].count("deliverkit") == 1
    assert any("pharmacist" in s.step.action.args for s in found.done), "it knows that the box is missing"
    question = question_of(HospitalWorld(task), next(iter(meanings(task))))
    assert judge.faults(question, found.done) == []
    without = [s for s in found.done if s.step.action.skill != "opendoor"]
    assert judge.faults(question, without), "the judge sees that Temi went through a shut door"


def test_a_proof_names_what_nobody_can_bring_about():
    always = next(s for s in range(50) if make(s, faults=["grasp"]).about["faults"][0]["times"] > 100)
    found = witness(make(always, faults=["grasp"]))
    assert found.status == "none" and found.why is not None
    assert found.why.cause is not None and found.why.cause.fact is not None


@pytest.mark.long
def test_a_robot_that_is_gone_too_early_is_a_proof_and_one_that_is_gone_late_is_none():
    early = next(s for s in range(50) if make(s, faults=["robot:Fetch"]).about["faults"][0]["at"] < 25)
    late = next(s for s in range(400) if make(s, faults=["robot:Fetch"]).about["faults"][0]["at"] > 145)
    assert witness(make(early, faults=["robot:Fetch"])).status == "none"
    assert witness(make(late, faults=["robot:Fetch"])).status != "none"
