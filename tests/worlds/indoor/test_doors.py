"""Closed doors: failures name them, robots open them, beliefs learn of them, changes close and open them."""

import random
from types import SimpleNamespace

import pytest

from coterie.bench.validate import validate
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.judge import first_failure
from coterie.core.task import Change, Trigger
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.plans.errands import Errand, Errands, Stop, planner_of
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks.changes import Settle
from tests.worlds.indoor.conftest import do, make_task, make_world

DOORS = ("kitchen_door", "bedroom_door", "bathroom_door")


def test_the_failure_names_the_first_door_and_teaches_it():
    world = make_world({"cup_0": "washstand"}, "Ma-MoMa-UAV")
    world.set(("open", "kitchen_door"), False)
    world.set(("open", "bathroom_door"), False)
    outcome = do(world, "Alice", "navigate", "washstand", "stand_pose_0")
    assert outcome.reason == "No path leads Alice to stand_pose_0 of washstand: kitchen_door is closed."
    assert [(f.pred, f.args, f.value) for f in outcome.facts] == [("open", ("kitchen_door",), False)]
    near = do(world, "Alice", "navigate", "kitchen_door", "stand_pose_0")
    assert near.ok and do(world, "Alice", "open", "kitchen_door").ok
    assert "bathroom_door is closed" in do(world, "Alice", "navigate", "washstand", "stand_pose_0").reason


def test_a_belief_goes_by_the_map_until_a_door_was_seen():
    world = make_world({"cup_0": "fridge"}, "Ma-MoMa-UAV")
    world.set(("open", "kitchen_door"), False)
    belief = Belief(world.map(), world.listings())
    belief.tell_all(world.observe("Alice").facts)
    bound = {"robot": "Alice", "furniture": "fridge", "stand": "stand_pose_0"}
    look = world.lookup(belief)
    assert look("shut_door", "Alice", "fridge", "stand_pose_0") is None  # guard rails do not leak it
    belief.tell_all(do(world, "Alice", "navigate", "fridge", "stand_pose_0").facts)
    assert "kitchen_door is closed" in first_failure(skills.get("navigate"), bound, look).words
    do(world, "Alice", "navigate", "kitchen_door", "stand_pose_0")
    world.set(("open", "kitchen_door"), True)  # somebody else
    belief.tell_all(world.observe("Alice").facts)
    assert look("shut_door", "Alice", "fridge", "stand_pose_0") is None


@pytest.mark.parametrize("seed", range(4))
def test_whatever_doors_are_closed_the_expert_plans_what_the_validator_confirms(seed):
    rng = random.Random(seed)
    change = f"door@{rng.randrange(6)}:{rng.choice(DOORS)}{rng.choice(('', '=open', '=closed'))}"
    config = Config(
        task=rng.choice(("pack-objects", "sort-solids")), team=rng.choice(("Ma-MoMa", "Ma-MoMa-UAV")),
        changes=(change,), seed=seed, protocol=rng.choice(("expert", "rules")), guard=rng.random() < 0.5,
    )  # fmt: skip
    assert validate(play(config).log.events).reason == ""


@pytest.mark.parametrize("seed", range(4))
def test_random_states_of_all_doors_are_planned_for(seed):
    """From any state of the doors, following the plan step by step gets everything within reach of the arm."""
    rng = random.Random(seed)
    places = rng.sample(["sofa", "washstand", "drawer", "fridge", "dishwasher"], 2)
    world = make_world({f"cup_{i}": (p, 0) for i, p in enumerate(places)}, "Ma-MoMa-UAV")
    for door in DOORS:
        world.set(("open", door), rng.random() < 0.4)
    planner = planner_of(world)
    assert not planner.doors.stuck
    plan = planner.best(part=True)
    queues = {n: list(q) for n, q in plan.queues.items()}
    for _ in range(60):
        joint = {n: q[0] for n, q in queues.items() if q and world.check({n: q[0]})[n].ok}
        for n, q in queues.items():  # what another one has opened meanwhile
            if q and q[0].skill == "open" and world.truth["open", q[0].args[0]]:
                q.pop(0)
                joint.pop(n, None)
        if not joint:
            break
        world.start(joint)
        while world.underway:
            assert all(o.ok for o in world.advance())
        for n in joint:
            queues[n].pop(0)
    assert not any(queues.values()), queues


def test_a_team_without_an_opener_is_told_which_door_stops_it():
    task = make_task({"cup_0": "fridge"}, "Ma-UAV")
    world = make_world({"cup_0": "washstand"}, "Ma-UAV")
    world.set(("open", "kitchen_door"), False)
    assert planner_of(world).doors.stuck == {"kitchen_door"} and not planner_of(world).feasible()
    settled = Settle(task, 0)(make_world({"cup_0": "washstand"}, "Ma-UAV"), closing("kitchen_door"))
    assert settled.data["open"] is True and "could not be done" in settled.data["kept"]  # the task stays feasible


def closing(door):
    return Change(Trigger(step=0), "door", {"door": door, "choose": {"open": False}})


def test_a_door_in_which_somebody_stands_stays_open():
    world = make_world({"cup_0": "washstand"}, "Ma-MoMa")
    world.settle = Settle(make_task({"cup_0": "washstand"}, "Ma-MoMa"), 0)
    world.set(("pose", "Alice"), world.scene.door["kitchen_door"].at)
    (event,) = world.apply(closing("kitchen_door"))
    assert event.data["open"] is True and "doorway" in event.data["kept"] and world.truth["open", "kitchen_door"]


def test_nobody_is_told_of_a_door_unless_the_change_says_so():
    world = make_world({"cup_0": "sofa"}, "Ma-MoMa")
    assert len(world.apply(closing("kitchen_door"))) == 1
    _, message = world.apply(closing("bedroom_door")._replace(told=("all",)))
    assert message.kind == "message" and message.data["text"] == "bedroom_door is now closed."


def test_a_door_that_is_not_there():
    with pytest.raises(CoterieError, match=r"kitchn_door.*Did you mean 'kitchen_door'"):
        play(Config(changes=("door@5:kitchn_door",)))


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("door", {"door": "ktchen_door", "open": False}, "No door or container 'ktchen_door'. Did you mean 'kitchen_d"),
        ("door", {"door": "kitchen_door"}, "A change of kind 'door' needs `open` or `choose`."),
        ("goal", {"targets": ["cup_0"]}, "A change of kind 'goal' needs `goal`."),
        ("goal", {"goal": "tidy up"}, "The change needs a goal, not 'tidy up'."),
        ("zones", {}, "A change of kind 'zones' needs `closed` or `choose`."),
        ("zones", {"closed": {"Alice": ["sofa", "sofaa"]}}, "No piece of furniture or room 'sofaa'. Did you mean 's"),
        ("join", {"robot": "Eve", "card": "UAV"}, "Who joins needs a robot card, not 'UAV'."),
        ("leave", {"robot": "Alic"}, "No robot 'Alic'. Did you mean 'Alice'"),
        ("sing", {}, "No kind of change 'sing'."),
    ],
)
def test_a_change_that_cannot_be_is_a_sentence_and_leaves_no_trace(kind, data, words):
    world, _ = build(Config(seed=1, scene="flat"))
    before = world.snapshot()
    with pytest.raises(CoterieError) as said:
        world.apply(Change(Trigger(step=0), kind, data))
    assert words in str(said.value)
    assert world.snapshot() == before


def test_whoever_is_told_of_a_door_believes_it():
    told = Change(Trigger(step=0), "door", {"door": "kitchen_door", "open": False}, told=("Alice",))
    believed = {}

    def watch(e):
        believed.setdefault(e.step, {n: v.belief.value("open", "kitchen_door") for n, v in e.views.items()})
        if e.step == 1:
            e.inject(told)

    play(Config(seed=1, scene="flat", team="Ma-MoMa-Mo"), watch=watch)
    assert believed[1]["Alice"] is UNKNOWN
    assert believed[2]["Alice"] is False and believed[2]["Bob"] is UNKNOWN


def test_a_helper_that_also_carries_still_opens_for_those_planned_before_it():
    world = SimpleNamespace(truth={})
    planner = SimpleNamespace(world=world, open_stand=lambda opener, box: "1")
    lists = {
        "Ann": [Errand("cup", "Ann", Stop("box", "1"), Stop("desk", "1"), "desk", (("box", "Bob"),))],
        "Bob": [Errand("pen", "Bob", Stop("shelf", "1"), Stop("desk", "2"), "desk")],
    }
    queues = Errands._queues(planner, lists)
    assert [a.skill for a in queues["Bob"]] == ["navigate", "open", "navigate", "pick", "navigate", "place"]
    assert [a.skill for a in queues["Ann"]] == ["navigate", "pick", "navigate", "place"]
