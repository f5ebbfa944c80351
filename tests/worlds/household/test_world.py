"""The truth of a house: steps, failures with their causes, batteries, what is noticed, and the end."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.action import WAIT, Action
from coterie.core.area import Area
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Belief
from coterie.core.task import Change, Trigger
from coterie.episode.setup import build
from coterie.houses.model import FLOOR
from coterie.testing import check_world
from coterie.worlds.household.bodies import MOVES
from coterie.worlds.household.perception import BLOCKED, CELL_M
from coterie.worlds.household.setting import Noise, Start, Steps, parse_steps
from coterie.worlds.household.tasks.goals import Search
from tests.worlds.household.made import arm, eye, furnished, task, thing, two_rooms, world

NOISY = Noise(miss=0.3, false=0.3, drift=0.02)


def do(w, robot="Ann", *actions):
    """The outcome of the last of some actions of one robot."""
    for skill, *args in actions:
        w.start({robot: Action(skill, tuple(args))})
        (outcome,) = w.advance(None)
    return outcome


def pose(w, robot="Ann"):
    return w.truth.facts["pose", robot]


@pytest.mark.parametrize("noise", [None, NOISY], ids=["calm", "noisy"])
def test_it_keeps_the_contract(noise):
    script = [{"Ann": Action(s), "Eve": Action(t)} for s, t in (("MoveAhead", "RotateLeft"), ("LookDown", "MoveBack"))]
    check_world(lambda: world(robots=(arm(), eye()), noise=noise), script)


def test_a_drawn_house_keeps_the_contract():
    check_world(lambda: build(Config(task="tidy", scene="rooms:3:4", seed=4))[0], rounds=6)


@pytest.mark.parametrize("heading, ahead", [(0, (0.25, 0)), (90, (0, 0.25)), (180, (-0.25, 0)), (270, (0, -0.25))])
def test_each_way_is_a_step_and_the_look_stays(heading, ahead):
    dx, dy = ahead
    ways = {"MoveAhead": (dx, dy), "MoveBack": (-dx, -dy), "MoveLeft": (-dy, dx), "MoveRight": (dy, -dx)}
    for skill, to in ways.items():
        w = world(starts={"Ann": Start(2.0, 2.0, heading)})
        assert do(w, "Ann", (skill,)).ok
        assert pose(w) == (2.0 + to[0], 2.0 + to[1], heading, 0)


def test_turns_and_tilts():
    w = world()
    do(w, "Ann", ("RotateLeft",), ("LookDown",), ("LookDown",))
    assert pose(w) == (2, 2, 90, -60)
    down = do(w, "Ann", ("LookDown",))
    assert not down.ok and down.cause.clause == "tilt" and pose(w)[3] == -60
    do(w, "Ann", ("RotateRight",), ("RotateRight",), ("LookUp",), ("LookUp",), ("LookUp",))
    assert pose(w) == (2, 2, 270, 30) and do(w, "Ann", ("LookUp",)).cause.clause == "tilt"


def test_steps_are_settable():
    w = world(steps=parse_steps("move=0.5,turn=45,tilt=15,reach=1"))
    do(w, "Ann", ("MoveAhead",), ("RotateLeft",), ("LookUp",))
    assert pose(w) == (2.5, 2, 45, 15) and w.look("reach", "Ann") == 1.0
    assert w.start_data()["scene"]["steps"] == "move=0.5,turn=45,tilt=15,reach=1"


def test_nobody_jumps_over_a_wall_with_long_steps():
    w = world(two_rooms(), starts={"Ann": Start(3.0, 0.5, 0)}, steps=Steps(move=1.0), astray=())
    assert do(w, "Ann", ("MoveAhead",)).cause.clause == "blocked" and pose(w)[0] == 3


# -- failures ---------------------------------------------------------------------------------------------------------
def test_a_wall_is_in_the_way_and_the_robot_remembers_where():
    w = world(starts={"Ann": Start(0.3, 2.0, 180)})
    outcome = do(w, "Ann", ("MoveAhead",))
    assert (outcome.status, outcome.cause.clause, outcome.cause.moment) == ("failed", "blocked", "before")
    assert outcome.reason == "Ann cannot move ahead: something is in the way."
    (lesson,) = [f for f in outcome.facts if f.pred == "area"]
    area = Area()
    area.tell(lesson.value)
    x, y = (int(v / CELL_M) for v in (pose(w)[0] - 0.25, pose(w)[1]))
    assert len(area) == 1 and area.at(x, y) == BLOCKED


def test_of_two_robots_that_step_to_one_place_the_first_gets_there():
    w = world(robots=(arm(), eye()), starts={"Ann": Start(1.5, 2.0, 0), "Eve": Start(2.25, 2.0, 180)})
    w.start({"Ann": Action("MoveAhead"), "Eve": Action("MoveAhead")})
    ann, eve = w.advance(None)
    assert ann.ok and not eve.ok
    assert (eve.reason, eve.cause.moment) == ("Eve cannot move ahead: Ann is in the way.", "after")
    again = do(w, "Eve", ("MoveAhead",))
    assert again.cause.moment == "before" and not [f for f in again.facts if f.pred == "area"]


def by_the_bed(tall=True, payload=5.0, **more):
    return world(robots=(arm(tall=tall, payload=payload),), starts={"Ann": Start(6.25, 2.5, 0)}, **more)


def test_a_thing_in_view_and_within_reach_is_picked_up_and_put_down():
    w = by_the_bed()
    do(w, "Ann", ("LookDown",))
    assert do(w, "Ann", ("PickUp", "mug_0")).ok
    facts = w.truth.facts
    assert facts["where", "mug_0"] == "Ann" and facts["holding", "Ann"] == "mug_0" and w.truth.moved["mug_0"] is None
    assert do(w, "Ann", ("PickUp", "mug_0")).cause.clause == "hand_full"
    assert do(w, "Ann", ("PutDown", "bed_0")).ok
    lying = w.truth.scene.lying("mug_0")
    assert lying.on == "bed_0" and lying.spot[2] == 0.5 and facts["holding", "Ann"] is None
    assert w.look("gap", "Ann", "mug_0") <= 1.5
    assert do(w, "Ann", ("PutDown", "bed_0")).cause.clause == "holding"


@pytest.mark.parametrize("clause, words, w, action", [
    ("arm", "Eve has no arm.", lambda: world(robots=(eye("Eve"),)), ("PickUp", "mug_0")),
    ("too_heavy", "mug_0 is too heavy: 0.30 kg, and Ann lifts 0.20 kg.",
     lambda: by_the_bed(payload=0.2), ("PickUp", "mug_0")),
    ("in_view", "mug_0 is not in Ann's view.",
     lambda: world(starts={"Ann": Start(2.0, 2.0, 180)}), ("PickUp", "mug_0")),
    ("in_view", "ghost_0 is not in Ann's view.", lambda: world(), ("PickUp", "ghost_0")),
    ("too_far", "mug_0 is too far away: 1.80 m, and Ann reaches 1.50 m.",
     lambda: world(starts={"Ann": Start(5.0, 2.5, 0)}), ("PickUp", "mug_0")),
    ("holding", "Ann holds nothing.", lambda: world(), ("Drop",)),
    ("place", "there is no place named moon.", lambda: world(), ("Report", "mug_0", "moon")),
    ("on_card", None, lambda: world(), ("Fly",)),
])  # fmt: skip
def test_failures_have_words_and_a_cause(clause, words, w, action):
    made = w()
    robot = next(iter(made.robots()))
    if clause == "too_heavy":
        do(made, robot, ("LookDown",))
    outcome = do(made, robot, action)
    assert (outcome.status, outcome.cause.clause) == ("failed", clause)
    assert words is None or outcome.reason == words
    if clause == "too_heavy":
        assert [(f.args, f.value) for f in outcome.facts if f.pred == "mass"] == [(("mug_0",), 0.3)]
    assert made.truth.facts["battery", robot] == (498 if clause == "too_heavy" else 499)


def test_what_is_not_in_view_tells_nothing_of_where_it_is():
    (near, far) = (world(starts={"Ann": Start(x, 2.0, 180)}) for x in (2.0, 3.0))
    one, other = (do(w, "Ann", ("PickUp", "mug_0")) for w in (near, far))
    assert (one.reason, one.cause, [f for f in one.facts if f.pred != "pose"]) == (
        other.reason, other.cause, [f for f in other.facts if f.pred != "pose"])  # fmt: skip


def test_a_dropped_thing_lies_before_the_robot():
    w = by_the_bed()
    do(w, "Ann", ("LookDown",), ("PickUp", "mug_0"), ("RotateLeft",), ("RotateLeft",), ("Drop",))
    lying = w.truth.scene.lying("mug_0")
    assert lying.on == FLOOR and lying.spot[0] < 6.25 and lying.spot[2] == 0


def test_a_full_surface_takes_no_more():
    spots = [(6.6 + 0.1 * (i % 15), 2.0 + 0.1 * (i // 15), 0.5) for i in range(315)]
    crowd = [thing(f"plate_{i}", "Plate", "bed_0", spot, (0.2, 0.2, 0.02)) for i, spot in enumerate(spots)]
    house = furnished()
    w = world(two_rooms(house.furniture, [*house.things, *crowd]), robots=(arm(),), starts={"Ann": Start(6.25, 2.5, 0)})
    do(w, "Ann", ("LookDown",), ("PickUp", "mug_0"))
    assert do(w, "Ann", ("PutDown", "bed_0")).cause.clause == "no_room"


# -- batteries, stopping and the end ----------------------------------------------------------------------------------
def test_a_flat_battery_stops_a_robot_where_it_stands():
    w = world(robots=(arm(battery=2), eye()))
    do(w, "Ann", ("MoveAhead",))
    assert not w.resting and w.observe("Eve").heartbeat == ("Ann",)
    do(w, "Ann", ("MoveAhead",))
    assert w.resting == {"Ann"} and w.observe("Eve").heartbeat == ()
    late = do(w, "Ann", ("MoveAhead",))
    assert (late.cause.clause, late.reason) == ("battery", "Ann's battery is flat.") and pose(w)[0] == 2.5
    assert not w.progress().lost  # Eve goes on
    do(w, "Eve", ("Stop",))
    assert w.progress().lost and not w.progress().done
    assert do(w, "Eve", ("MoveAhead",)).cause.clause == "stopped_for_good"


def test_success_is_judged_when_all_have_stopped_and_at_the_limit():
    w = world(starts={"Ann": Start(1.0, 2.5, 90)}, astray=("mug_0",))
    w.truth.set(("where", "mug_0"), "counter_top_0")
    w.truth.set(("spot", "mug_0"), (1.2, 3.4, 0.9))
    progress = w.progress()
    assert (progress.done, progress.lost, progress.partial) == (False, False, 1.0)
    do(w, "Ann", ("Stop",))
    assert w.progress().done and w.progress().text == "1 of 1 thing is where it belongs."
    w = world(limit=1, astray=())
    do(w, "Ann", (WAIT,))
    assert w.progress().done, "the limit ends it, too"


def test_who_carries_other_things_to_a_wrong_place_has_not_tidied_up():
    w = world(astray=("mug_0",))
    for name, on, spot in (("mug_0", "counter_top_0", (1.2, 3.4, 0.9)), ("plate_0", "bed_0", (7.0, 3.0, 0.5))):
        w.truth.set(("where", name), on)
        w.truth.set(("spot", name), spot)
    do(w, "Ann", ("Stop",))
    assert w.progress().lost and w.progress().partial == 1.0 and "not there any more" in w.progress().text


def test_a_search_wants_to_be_told_where_things_are():
    w = world(goal=Search(("mug_0", "plate_0")), astray=())
    do(w, "Ann", ("Report", "mug_0", "bed_0"), ("Report", "plate_0", "bed_0"))
    assert w.progress().partial == 0.5
    do(w, "Ann", ("Report", "plate_0", "counter_top_0"), ("Stop",))
    assert w.progress().done


# -- what a robot perceives -------------------------------------------------------------------------------------------
def believing(w, robot="Ann"):
    belief = Belief(w.map(), w.listings())
    see(w, belief, robot)
    return belief


def with_person(name):
    return build(Config("tidy", scene="rooms:1:50", cards=(f"person:{name}",)))


def see(w, belief, robot="Ann"):
    obs = w.observe(robot)
    belief.tell_all(obs.facts)
    for fact in obs.gone:
        belief.deny(fact)
    belief.area.tell(obs.area)


def test_nothing_is_known_of_the_house_but_what_was_seen():
    w = world(starts={"Ann": Start(2.0, 2.0, 90)})
    assert set(w.map()) == {("house",)}, "but its name"
    belief = believing(w)
    assert {f.args[0] for f in belief.facts("kind")} == {"counter_top_0", "fridge_0", "plate_0"}
    assert belief.value("in_room", "counter_top_0") == "room_1"  # what kind of room it is, nobody says
    assert belief.value("where", "mug_0") is UNKNOWN
    assert "astray" not in str(belief.value("goal").to_json()) and belief.value("goal").to_json() == {"kind": "tidy-up"}


def test_a_thing_that_was_taken_away_is_missed_by_who_looks():
    w = world(robots=(arm(), eye()), starts={"Ann": Start(6.25, 2.5, 0), "Eve": Start(5.5, 3.0, 0)})
    eve, blind = believing(w, "Eve"), Belief()
    assert eve.value("where", "mug_0") == "bed_0"
    do(w, "Ann", ("LookDown",), ("PickUp", "mug_0"), ("MoveRight",), ("MoveRight",))
    see(w, eve, "Eve")
    assert eve.value("spot", "mug_0") is UNKNOWN
    blind.tell_all(f for f in w.observe("Eve").facts if f.args != ("mug_0",))
    before = blind.cursor
    for fact in w.observe("Eve").gone:
        blind.deny(fact)
    assert blind.cursor == before  # who never heard of the mug learns nothing


def test_teammates_in_view_are_seen_with_what_they_hold():
    w = world(robots=(arm(), eye()), starts={"Ann": Start(6.25, 2.5, 0), "Eve": Start(5.0, 2.5, 0)})
    do(w, "Ann", ("LookDown",), ("PickUp", "mug_0"))
    belief = believing(w, "Eve")
    assert belief.value("holding", "Ann") == "mug_0" and belief.value("where", "mug_0") == "Ann"
    assert belief.value("pose", "Ann")[:2] == (6.25, 2.5)


def test_noise_is_seeded_and_looking_twice_changes_nothing():
    def looks(seed):
        w = world(starts={"Ann": Start(5.0, 2.0, 0)}, noise=NOISY, seed=seed)
        found = []
        for _ in range(30):
            assert w.observe("Ann") == w.observe("Ann")
            found.append(w.observe("Ann"))
            do(w, "Ann", ("RotateLeft",) if len(found) % 2 else ("RotateRight",))
        return found

    one, again, other = looks(1), looks(1), looks(2)
    assert one == again and one != other
    things = [{f.args[0] for f in o.facts if f.pred == "spot"} for o in one[::2]]
    assert any("mug_0" in t for t in things) and any("mug_0" not in t for t in things)
    assert any("ghost" in name for t in things for name in t)


def test_odometry_drifts_and_takes_what_is_seen_along():
    w = world(starts={"Ann": Start(2.0, 2.0, 0)}, noise=Noise(drift=0.05))
    for _ in range(4):
        do(w, "Ann", ("MoveAhead",))
    true, felt = pose(w), next(f.value for f in w.observe("Ann").facts if f.pred == "pose")
    assert true == (3, 2, 0, 0) and felt[:2] != true[:2]
    do(w, "Ann", *[("MoveAhead",)] * 4)
    do(w, "Ann", *[("MoveAhead",)] * 4)
    shift = w.observing.drift["Ann"]
    (box,) = [f.value for f in w.observe("Ann").facts if f.pred == "box" and f.args == ("bed_0",)]
    assert box[:2] == pytest.approx((7.3 + shift[0], 3.0 + shift[1]), abs=0.011)


@pytest.mark.parametrize("read, text, words", [
    (parse_steps, "move=9", "take 0.05 to 1 m"), (parse_steps, "turn=50", "make 90 degrees"),
    (parse_steps, "jump=1", "No kind of step 'jump'"), (parse_steps, "tilt=x", "write a number"),
    (Noise.read, "miss=2", "between 0 and 1"), (Noise.read, "blur=1", "No kind of noise 'blur'"),
    (Noise.read, "miss=much", "write a probability"), (Noise.read, "drift=1", "at most 0.1 m"),
    *((with_person, name, "write --card person:Ann") for name in ("memo", "all", "floor")),
])  # fmt: skip
def test_odd_steps_noise_and_names_are_refused_in_words(read, text, words):
    with pytest.raises(CoterieError, match=words):
        read(text)


# -- who comes and goes -----------------------------------------------------------------------------------------------
def test_a_house_that_is_full_takes_nobody():
    robots = tuple((name, replace(card, footprint_m=0.6)) for name, card in (eye(f"E{i}") for i in range(20)))
    with pytest.raises(CoterieError, match="There is no room for E"):
        world(two_rooms(), robots=robots, starts={}, astray=())


def test_a_stranger_comes_with_a_party_and_leaves_what_it_holds():
    w = world(astray=())
    name, body = arm("Zoe")
    data = {"robot": name, "card": body, "party": "guest", "start": (6.25, 2.5, 0)}
    _, joined = w.apply(Change(Trigger(step=0), "join", data))
    assert joined.kind == "join" and joined.data["party"] == "guest" and pose(w, "Zoe") == (6.25, 2.5, 0, 0)
    do(w, "Zoe", ("LookDown",), ("PickUp", "mug_0"))
    (left,) = w.apply(Change(Trigger(step=0), "leave", {"robot": "Zoe"}))
    assert left.data["dropped"] == "mug_0" and w.truth.scene.lying("mug_0").on == FLOOR
    assert w.robots().keys() == {"Ann"}


WALKS = st.lists(st.sampled_from([s for s in MOVES if s != "RotateRight"]), max_size=25)


@settings(max_examples=10)
@given(WALKS, st.integers(0, 3))
def test_robots_never_stand_in_furniture_or_in_each_other(walk, seed):
    w = world(robots=(arm(), eye()), starts={"Ann": Start(2.0, 2.0, 90 * seed), "Eve": Start(3.0, 2.0, 180)})
    for skill in walk:
        w.start({"Ann": Action(skill), "Eve": Action("MoveAhead" if skill == "RotateLeft" else skill)})
        w.advance(None)
        (a, b) = (w.truth.standing[n] for n in ("Ann", "Eve"))
        assert w.truth.floor.is_free((a.x, a.y), 0.25) and w.truth.floor.is_free((b.x, b.y), 0.25)
        assert ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 >= 0.5 - 1e-6
    assert task().goal.kind == "tidy-up"


def test_progress_that_is_kept_is_that_of_now():
    """Where a thing is taken, after going back in time, and at the end."""
    w = world(starts={"Ann": Start(0.75, 2.75, 90)})
    first, seen = w.snapshot(), [w.progress()]
    for skill, *args in (("LookDown",), ("PickUp", "plate_0"), ("RotateLeft",), ("Stop",)):
        assert do(w, "Ann", (skill, *args)).ok
        assert w.progress() == w.goal.progress(w.look)
        seen.append(w.progress())
    assert seen[0] == seen[1] != seen[2] == seen[3] and seen[4].lost and not seen[3].lost
    w.restore(first)
    assert w.progress() == seen[0]


@settings(max_examples=10)
@given(st.floats(-1, 9), st.floats(-1, 5))
def test_a_robot_begins_at_the_nearest_place_that_is_free(x, y):
    w = world(robots=(arm(), eye()), starts={"Ann": Start(2.0, 2.0), "Eve": Start(x, y)})
    at, apart = pose(w, "Eve")[:2], 0.5 - 1e-6
    free = [n for n in w.truth.floor.steps(0.25, 0.25) if math.dist(n, (2.0, 2.0)) >= apart]
    assert math.dist(at, (x, y)) == pytest.approx(min(math.dist(n, (x, y)) for n in free), abs=1e-4)
