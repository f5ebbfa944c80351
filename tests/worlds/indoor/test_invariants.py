"""Whatever robots do and whatever happens to them, the world stays whole."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.core.event import to_text
from coterie.core.task import Change, Trigger
from coterie.worlds.indoor.bodies import robots as bodies
from coterie.worlds.indoor.setting import Noise
from coterie.worlds.indoor.tasks.goals import Pack
from tests.worlds.indoor.conftest import make_world

THINGS = {
    "apple_0": "table_1",
    "book_0": "fridge",
    "cup_0": "wall_top",
    "pan_0": ("table_0", 0),
    "pen_0": ("table_0", 15),
}
PLACES = ("table_0", "table_1", "fridge", "wall_top", "sofa", "bed", "drawer", "tray", "kitchen_door", "nowhere")
NAMES = ("Alice", "Bob", "David", "Lucy")

things = st.sampled_from((*THINGS, "ghost_0"))
places = st.sampled_from(PLACES)
actions = st.one_of(
    st.builds(lambda f, s: Action("navigate", (f, f"stand_pose_{s}")), places, st.integers(0, 4)),
    st.builds(lambda f: Action("open", (f,)), places),
    st.builds(lambda t: Action("pick", (t,)), things),
    st.builds(lambda t, p: Action("place", (t, p)), things, places),
    st.builds(lambda x, y: Action("move", (x, y)), st.floats(-1.2, 1.2), st.floats(-1.2, 1.2)),
    st.just(Action("communicate", ("hello", ("all",)))),
    st.just(Action("wait")),
)
changes = st.one_of(
    st.builds(lambda n: ("leave", {"robot": n}), st.sampled_from(NAMES)),
    st.builds(
        lambda b: ("join", {"robot": bodies.get(b).name, "card": bodies.get(b)}),
        st.sampled_from(("MoMa", "Mo", "UAV", "Ma")),
    ),
    st.builds(lambda n, p: ("zones", {"closed": {n: [p]}}), st.sampled_from(NAMES), st.sampled_from(PLACES[:7])),
    st.builds(lambda t: ("goal", {"goal": Pack((t,))}), st.sampled_from(tuple(THINGS))),
    st.builds(
        lambda d, o: ("door", {"door": d, "open": o}), st.sampled_from(("kitchen_door", "bedroom_door")), st.booleans()
    ),
)
steps = st.lists(
    st.tuples(st.dictionaries(st.sampled_from(NAMES), actions, max_size=4), st.one_of(st.none(), changes)), max_size=25
)


def check_whole(world):
    # A thing is in exactly one place, and every place's list agrees with it.
    listed = [t for inside in world.inside.values() for t in inside]
    assert sorted(listed) == sorted(THINGS)
    for thing in THINGS:
        assert thing in world.inside[world.truth["where", thing]]
    # Who holds what agrees from both sides.
    for name in world.cards:
        held = world.truth["holding", name]
        assert world.inside.get(name, []) == ([held] if held else [])
    for place, inside in world.inside.items():
        known = place in world.cards or place in world.scene.piece or place in world.fluents.platforms
        assert not inside or known or place.startswith("floor@")
    # No two things lie on one spot of one surface.
    for place in world.scene.piece:
        spots = [world.truth["spot", t] for t in world.inside.get(place, ())]
        assert len(set(spots)) == len(spots)
    # No robot stands in a wall, in furniture, or where another stands.
    for name, card in world.cards.items():
        if card.moves:
            assert world.scene.nav(card).grid.free(world.truth["pose", name]), name
            assert world.fluents.standing_at(world.look, name, world.truth["pose", name]) is None
    progress = world.progress()
    assert 0.0 <= progress.partial <= 1.0


def step(world, joint, change):
    joint = {n: a for n, a in joint.items() if n in world.cards}
    world.start(joint)
    outcomes = []
    while len(outcomes) < len(joint):
        ended = world.advance(None)
        assert ended
        outcomes += ended
        check_whole(world)
    assert sorted(o.robot for o in outcomes) == sorted(joint)
    assert all(o.reason for o in outcomes)
    if change is not None:
        kind, data = change
        legal = {
            "leave": lambda: data["robot"] in world.cards,
            "join": lambda: data["robot"] not in world.cards,
            # Doors swing shut only when nobody is inside them.
            "door": lambda: not world.look("in_doorway", data["door"]),
        }.get(kind, lambda: True)
        if legal():
            world.apply(Change(Trigger(step=0), kind, data))
            check_whole(world)
    return outcomes


@settings(max_examples=12)
@given(steps, st.integers(0, 3))
def test_nothing_is_lost_or_doubled(plan, seed):
    world = make_world(THINGS, noise=Noise.real if seed else None, seed=seed)
    check_whole(world)
    for joint, change in plan:
        step(world, joint, change)
        json.loads(to_text(world.trace()))


@settings(max_examples=12)
@given(steps, steps)
def test_a_snapshot_brings_back_the_same_future(before, after):
    world = make_world(THINGS, noise=Noise.real, seed=1)
    for joint, change in before:
        step(world, joint, change)
    saved = world.snapshot()
    first = [step(world, joint, change) for joint, change in after]
    world.restore(saved)
    assert [step(world, joint, change) for joint, change in after] == first


@settings(max_examples=15)
@given(st.dictionaries(st.sampled_from(NAMES), actions, min_size=1, max_size=4), st.floats(0.1, 3.0))
def test_a_snapshot_in_mid_action(joint, when):
    world = make_world(THINGS)
    world.start(joint)
    first = world.advance(when)
    saved = world.snapshot()
    rest = []
    while ended := world.advance(None):
        rest += ended
    world.restore(saved)
    again = []
    while ended := world.advance(None):
        again += ended
    assert again == rest
    assert len(first) + len(rest) == len(joint)


def test_what_a_vanished_robot_held_drops_where_it_stood():
    for robot in ("Alice", "Lucy"):
        world = make_world(THINGS)
        for stand in ("stand_pose_0", "stand_pose_1", "stand_pose_2"):
            step(world, {robot: Action("navigate", ("table_1", stand))}, None)
            (outcome,) = step(world, {robot: Action("pick", ("apple_0",))}, None)
            if outcome.ok:
                break
        assert world.truth["where", "apple_0"] == robot
        pose = world.truth["pose", robot]
        (event,) = world.apply(Change(Trigger(step=0), "leave", {"robot": robot}))
        assert event.data["dropped"] == "apple_0"
        assert world.truth["where", "apple_0"] == "floor@table_1"
        x, y, z = world.truth["spot", "apple_0"]
        assert z == 0.0
        assert abs(x - pose[0]) < 0.5 and abs(y - pose[1]) < 0.5
        check_whole(world)
