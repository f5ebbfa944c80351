"""What a robot can tell from its own belief, asked one question at a time."""

import pytest

from coterie.core.facts import Fact
from coterie.protocols.shared.reading import Reading, shift_for
from tests.protocols.rules.situations import FAR, NEAR, NOW, PACK, STACK, Case, lies, view

S0, S1, S2, S3 = (f"stand_pose_{i}" for i in range(4))


def reading(who="Alice", **more):
    return Reading(view(Case("", who, (), **more)))


def test_sides_come_by_their_distance_to_the_arm_and_the_present_one_first():
    assert reading(at="sofa").hand_over_stands("Alice") == [S1, S0, S3, S2]
    assert reading(at="table_0", stand=2).hand_over_stands("Alice") == [S2, S1, S0, S3]
    assert reading(at="table_0", stand=2).hand_over_stands("Lucy")[0] == S1  # where I stand is nothing to others
    assert [s for s, _ in reading(at="bed", stand=2).stands("bed")] == [S2, S0, S1, S3]
    assert [s for s, _ in reading(at="sofa", stand=2).stands("bed")] == [S0, S1, S2, S3]
    assert reading().stands("sofa")[1] == (S1, (1.6, 1.2))


def test_sides_that_are_closed_are_left_out_for_whom_they_are_closed():
    r = reading(
        knows=(("stand_allowed", "Alice", "table_0", S1, False), ("stand_allowed", "Lucy", "table_0", S0, False))
    )
    assert S1 not in r.hand_over_stands("Alice")
    assert S0 in r.hand_over_stands("Alice")
    assert S0 not in r.hand_over_stands("Lucy")
    assert [s for s, _ in r.stands("table_0")] == [S0, S2, S3]


def test_sides_from_where_the_arm_could_not_take_a_thing_are_left_out():
    near = reading(at="sofa").hand_over_stands("Alice")
    away = reading(at="sofa", knows=(("pose", "Bob", (9.0, 9.0)),)).hand_over_stands("Alice")
    assert near
    assert away == []
    assert len(reading(at="sofa", others=("Lucy",)).hand_over_stands("Alice")) == 4  # without an arm, all are good


@pytest.mark.parametrize(
    ("spot", "reached"), [(NEAR, True), (FAR, False), ((1.9, 3.499, 0.95), True), ((1.9, 3.51, 0.95), False)]
)
def test_what_the_arm_reaches(spot, reached):
    assert reading().arm_reaches(spot) is reached
    assert reading(others=("Lucy",)).arm_reaches(spot) is False


def test_who_is_who():
    r = reading(others=("Bob", "David", "Lucy"))
    assert (r.arm, r.carriers, r.explorers) == ("Bob", ["Alice", "Lucy"], ["Alice", "David", "Lucy"])
    assert r.online == ("Alice", "Bob", "David", "Lucy")
    stranger = reading(others=("Bob", "Lucy"), strangers=("Lucy",))
    assert stranger.carriers == ["Alice"]
    alone = reading(others=("Lucy",))
    assert alone.arm is None
    assert "table_0" not in r.furniture and "table_0" in alone.furniture, (
        "where no arm watches the table it is searched"
    )


def test_where_things_are_and_whose_job_they_are():
    r = reading(knows=(("job", "cup_0", "Lucy"), ("job", "book_0", "David")))  # who is gone
    assert (r.job_of("cup_0"), r.job_of("book_0"), r.job_of("egg_0")) == ("Lucy", None, None)
    r = reading(knows=(("where", "cup_0", "Lucy"), ("where", "book_0", "David"), ("where", "can_0", "tray")))
    assert (r.where("cup_0"), r.where("book_0"), r.where("can_0"), r.where("egg_0")) == ("Lucy", None, "tray", None)
    places = ("sofa", "floor@sofa", "tray", "Lucy", None, 3)
    assert [r.furniture_of(p) for p in places] == ["sofa", "sofa", "table_0", None, None, None]


def test_what_is_delivered_missing_and_lost():
    r = reading(knows=(*lies("cup_0", "table_0", NEAR), ("where", "book_0", "Lucy")))
    assert (r.delivered("cup_0"), r.missing, r.lost) == (True, ["book_0"], [])
    r = reading(knows=lies("cup_0", "table_0", FAR))
    assert (r.delivered("cup_0"), r.missing, r.lost) == (False, ["cup_0", "book_0"], ["book_0"])
    r = reading(knows=(("contents", "table_0", ("cup_0",)),))  # nobody said where on it
    assert r.delivered("cup_0")
    r = reading(knows=lies("cup_0", "floor@table_0", NEAR))
    assert not r.delivered("cup_0")
    r = reading(knows=lies("cup_0", "sofa", NEAR))
    assert not r.delivered("cup_0")


def test_right_and_wrong_layers():
    r = reading(goal=STACK, knows=(("contents", "cutting_board", ("bread_0", "egg_0", "ham_0")),))
    assert (r.right, r.wrong) == ({"bread_0"}, ["ham_0", "egg_0"])
    r = reading(goal=PACK, knows=(("contents", "tray", ("egg_0", "cup_0")),))
    assert (r.right, r.wrong) == ({"cup_0"}, ["egg_0"])


def test_what_is_in_view():
    assert reading(at="sofa", knows=lies("cup_0", "sofa")).in_view("cup_0")
    assert reading(at="sofa", knows=lies("cup_0", "floor@sofa")).in_view("cup_0")
    assert not reading(at="bed", knows=lies("cup_0", "sofa")).in_view("cup_0")
    assert not reading(at="fridge", knows=lies("cup_0", "fridge")).in_view("cup_0")
    assert reading(at="fridge", knows=(*lies("cup_0", "fridge"), ("open", "fridge", True))).in_view("cup_0")
    assert reading(at="fridge", knows=lies("cup_0", "floor@fridge")).in_view("cup_0")
    assert not reading(knows=lies("cup_0", "sofa")).in_view("cup_0")


NO_WAY = tuple(("stand_allowed", "Alice", "table_0", s, False) for s in (S0, S1, S2, S3))


@pytest.mark.parametrize(
    ("robot", "knows", "able"),
    [
        ("Alice", lies("cup_0", "sofa"), True),
        ("Bob", lies("cup_0", "sofa"), False),  # it does not move
        ("David", lies("cup_0", "sofa"), False),  # it has no hand
        ("Alice", lies("cup_0", "sofa", mass=3.0), True),
        ("Alice", lies("cup_0", "sofa", mass=3.01), False),
        ("Lucy", lies("cup_0", "sofa", mass=1.6), False),
        ("Alice", lies("cup_0", "cabinet_top"), False),  # too high to look at
        ("Lucy", lies("cup_0", "cabinet_top"), True),
        ("Alice", lies("cup_0", "sofa", (1.0, 0.6, 1.5)), True),  # as high as the arm goes
        ("Alice", lies("cup_0", "sofa", (1.0, 0.6, 1.51)), False),
        ("Lucy", lies("cup_0", "fridge"), False),  # it cannot open
        ("Alice", lies("cup_0", "fridge"), True),
        ("Lucy", lies("cup_0", "floor@fridge", (9.5, 1.2, 0.0)), True),
        ("Lucy", (*lies("cup_0", "fridge"), ("open", "fridge", True)), True),
        ("Lucy", lies("cup_0", "bed", (1.1, 9.5, 0.5)), False),  # no side is near enough, and it does not shift
        ("Alice", lies("cup_0", "bed", (1.1, 9.5, 0.5)), True),  # it may shift its base
        ("Alice", (*lies("cup_0", "sofa"), ("allowed", "Alice", "sofa", False)), False),
        ("Alice", (("where", "cup_0", "Lucy"),), False),
        ("Alice", (("contents", "sofa", ("cup_0",)),), True),  # nobody said where on it, or how heavy
        ("Alice", (*lies("cup_0", "sofa"), *NO_WAY), False),  # it could not bring it to the table
    ],
)
def test_who_could_fetch_a_thing(robot, knows, able):
    everybody = ("Alice", "Bob", "David", "Lucy")
    for who in ("David", "Lucy", "Alice"):  # all judge alike, of themselves and of others
        assert (
            reading(who, others=tuple(n for n in everybody if n != who), knows=knows).can_take(robot, "cup_0") is able
        )


def test_a_side_from_where_a_thing_is_reached():
    assert reading(knows=lies("book_0", "bed", (1.9, 7.5, 0.5))).reach_stand("book_0") == S3
    assert reading(knows=lies("book_0", "bed", (1.1, 9.5, 0.5))).reach_stand("book_0") is None
    assert reading(knows=(("contents", "bed", ("book_0",)),)).reach_stand("book_0") == S0
    assert reading().reach_stand("book_0") is None


def test_a_hand_is_seen_empty_only_by_oneself_and_now():
    def beside(value, time, source):
        return reading(knows=(Fact("holding", ("Lucy",), value, time, source),)).sees_beside("Lucy")

    assert beside(None, NOW, "Alice")
    assert not beside("cup_0", NOW, "Alice")
    assert not beside(None, NOW - 0.1, "Alice")
    assert not beside(None, NOW, "Lucy")
    assert not reading().sees_beside("Lucy")


def test_boxes_are_shut_until_seen_open():
    r = reading(knows=(("open", "fridge", True), ("open", "drawer", False)))
    assert [r.shut(f) for f in ("fridge", "drawer", "dishwasher", "sofa")] == [False, True, True, False]
    r = reading("Lucy", knows=(("open", "fridge", True),))
    assert [r.can_search("Lucy", f) for f in ("fridge", "drawer", "sofa")] == [True, False, True]
    assert r.can_search("Alice", "drawer")
    assert [r.can_visit("Alice", f) for f in ("book_case", "wall_top")] == [True, False]
    assert not r.can_visit("Bob", "sofa")


def test_hunches_and_looks():
    r = reading(knows=(("hunch", "bed", 0.4), ("hunch", "sofa", "much"), ("contents", "bed", ())))
    assert (r.hunch("bed"), r.hunch("sofa"), r.hunch("fridge")) == (0.4, 0.0, 0.0)
    assert (r.looked_at("bed"), r.looked_at("sofa")) == (NOW, None)
    assert r.contents("sofa") == ()


@pytest.mark.parametrize("ring", [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4])
def test_the_shortest_shift_is_taken(ring):
    r = reading(at="sofa", stand=0)  # the pose is (0.8, 1.2), the shoulder 0.7 high, the reach 0.95
    r.look = lambda *asked: True
    ahead = (0.8, 1.2 - 0.95 - ring + 0.005, 0.7)
    assert shift_for(r, ahead) == (0.0, -ring)
    aside = (0.8 + 0.95 + ring - 0.005, 1.2, 0.7)
    assert shift_for(r, aside) == (ring, 0.0)
    assert shift_for(r, (0.8, 1.2 - 0.95 - 1.45, 0.7)) is None


def test_a_shift_that_is_known_to_be_blocked_is_not_taken():
    r = reading(at="sofa", stand=0)
    ahead = (0.8, 1.2 - 0.95 - 0.15, 0.7)
    r.look = lambda pred, who, dx, dy: (dx, dy) != (0.0, -0.2)
    assert shift_for(r, ahead) == (-0.08, -0.18)
    r.look = lambda pred, who, dx, dy: dy > 0
    assert shift_for(r, ahead) is None
