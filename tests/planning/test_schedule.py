"""Robots work at the same time: orders, times, and a judge who finds every schedule that is broken."""

import random
from dataclasses import replace

import pytest

from coterie.core.action import Action
from coterie.core.expr import eq, fl, ge
from coterie.planning import own
from coterie.planning.answer import Limits, Use
from coterie.planning.child import flaw
from coterie.planning.judge import Interval, faults
from coterie.planning.order import partial_order
from coterie.planning.question import Question, Step
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.planning import goal_of, objects
from coterie.worlds.hospital.skills import SKILLS as HOSPITAL
from coterie.worlds.hospital.tasks import make
from coterie.worlds.hospital.world import HospitalWorld
from tests.planning.optimum import shortest_s
from tests.planning.ward import Ward, schedule


def planned(ward, goal=None, **limits):
    question = ward.ask(goal)
    answer = own.solve(question, Limits(**limits))
    assert answer.found
    return question, answer, schedule(question, answer)


@pytest.fixture(scope="module")
def two_kits():
    return planned(Ward(2, teams=2))


# -- orders -----------------------------------------------------------------------------------------------------------
def step(robot, name="do"):
    return Step(robot, Action(name))


def use(reads="", writes="", needs=None, adds=None):
    keys = [frozenset((k,) for k in text.split()) for text in (reads, writes)]
    needs, adds = ({(k,): v for k, v in (d or {}).items()} for d in (needs, adds))
    return Use(keys[0] | set(needs), keys[1] | set(adds), needs, adds)


def order(*uses, robots="abcdefgh", amounts=None):
    found = partial_order([step(r) for r in robots[: len(uses)]], uses, amounts and (lambda key: amounts[key[0]]))
    return [sorted(a) for a in found]


def test_what_is_read_and_written_is_ordered():
    assert order(use(writes="x"), use(reads="x"), use(reads="x"), use(writes="x")) == [[], [0], [0], [1, 2]]
    assert order(use(writes="x"), use(writes="y"), use("x y")) == [[], [], [0, 1]]
    assert order(use(), use(), robots="aa") == [[], [0]]
    assert order(use(reads="x"), use(writes="x")) == [[], [0]]


def test_a_store_makes_only_those_wait_who_take_what_was_brought():
    bring, take = use(adds={"x": 1}), use(needs={"x": 1}, adds={"x": -1})
    assert order(bring, take, bring, take, amounts={"x": 0}) == [[], [0], [], [2]]
    assert order(bring, take, bring, take, amounts={"x": 1}) == [[], [], [], [0]]
    assert order(bring, take, bring, take) == [[], [0], [1], [2]]  # nothing is known of how much there is
    assert order(take, take, take, amounts={"x": 3}) == [[], [], []]
    look = use(needs={"x": 1})
    assert order(bring, look, take, amounts={"x": 0}) == [[], [0], [1]]  # who looks is not robbed
    strict = replace(look, needs={})  # reads it, whatever it is
    assert order(bring, strict, bring, amounts={"x": 0}) == [[], [0], [1]]  # who asks for the number itself


# -- times ------------------------------------------------------------------------------------------------------------
def ended(timed):
    return max(i.end for i in timed)


def small(able, places):
    """A ward in which only some can do something, and go to few places."""
    ward = Ward(1)
    ward.robots = {r: tuple(s.split()) for r, s in able.items()}
    ward.facts.update({k: False for k in ward.facts if k[0] == "may_go" and k[2] not in places.split()})
    return ward


SMALL = [
    ({"Temi": "goto", "Spot": "goto opendoor"}, "dock alpha", [eq(fl("at", "Temi"), "alpha")]),
    (
        {"Fetch": "goto pickup putin", "Spot": "goto opendoor"},
        "tableA tableB",
        [eq(fl("packed", "caddy0", "painkiller"), 1), fl("open", "door_alpha")],
    ),
    (
        {"Spot": "goto receiveitem putdown", "Temi": "goto"},
        "counter dock tableE",
        [ge(fl("amount", "tableE", "bandagebox"), 1), eq(fl("at", "Temi"), "counter")],
    ),
    (
        {"Fetch": "goto takecaddy handover", "Temi": "goto", "Spot": "opendoor"},
        "tableA hatch",
        [eq(fl("carrying", "Temi"), "caddy0"), fl("open", "door_alpha")],
    ),
]


@pytest.mark.parametrize(("able", "places", "goal"), SMALL)
def test_small_plans_take_little_more_than_the_least_time(able, places, goal):
    question, _, timed = planned(small(able, places), goal)
    least = shortest_s(question)
    assert least is not None and least > 10 and ended(timed) <= 1.3 * least


def test_polishing_makes_plans_shorter_in_time():
    task = make(7)
    world = HospitalWorld(task)
    robots = {n: c.skills for n, c in world.cards.items()}
    goal = goal_of(task.goal.wishes[0], "caddy1", task.goal.items)
    domain = HospitalDomain(world.map())
    lasts = lambda s: domain.usual_s(world.cards[s.robot], s.action)  # noqa: E731
    question = Question.ask(HOSPITAL, world.look, objects(world.map(), robots), robots, goal, lasts=lasts)
    rough, fine = (own.solve(question, Limits(polish=n)) for n in (0, 150))
    times = [ended(schedule(question, a)) for a in (rough, fine)]
    assert times[1] < times[0]
    assert flaw(question, fine.steps) is None


# -- the judge --------------------------------------------------------------------------------------------------------


def test_schedules_of_plans_are_valid_and_all_that_is_broken_is_found(two_kits):
    question, answer, timed = two_kits
    assert ended(timed) < 0.7 * sum(i.end - i.start for i in timed), "robots work at the same time"
    shaken = random.Random(3).sample(timed, len(timed))  # in any order
    assert faults(question, timed) == faults(question, shaken) == []
    kinds = {f.kind for f in faults(question, [Interval(i.step, 0, i.end - i.start) for i in timed])}
    assert {"condition", "busy", "use"} <= kinds, "everything at once"
    for i in range(len(answer.steps)):
        assert faults(question, [x for j, x in enumerate(timed) if j != i]), f"without {answer.steps[i]}"
    for i, after in enumerate(answer.after):
        if not after:
            continue
        last = max(after, key=lambda j: timed[j].end)
        early = timed[last].end - 0.5
        took = timed[i].end - timed[i].start
        broken = [*timed]
        broken[i] = Interval(answer.steps[i], early, early + took)
        found = faults(question, broken)
        assert found and {f.kind for f in found} <= {"condition", "use", "busy", "goal"}, answer.steps[i]


def test_what_nobody_could_have_done_is_found(two_kits):
    question, _, timed = two_kits
    first = timed[0]
    for broken, kind in (
        (replace(first, end=first.start - 1), "time"),
        (replace(first, start=-1.0), "time"),
        (replace(first, step=Step("Temi", Action("opendoor", ("door_alpha",)))), "unknown"),
        (replace(first, step=Step("Spot", Action("fly", ()))), "unknown"),
        (replace(first, step=Step("Spot", Action("opendoor", ()))), "unknown"),
    ):
        assert [f.kind for f in faults(question, [broken])] == [kind]


def test_two_may_not_take_the_same_last_one():
    ward = Ward(1, teams=2, stock=1)
    ward.facts["at", "Fetch"] = ward.facts["at", "Fetch2"] = "tableB"
    question = ward.ask([])
    take = [Step(r, Action("pickup", ("painkiller", "tableB"))) for r in ("Fetch", "Fetch2")]
    both = [Interval(s, 0.0, 5.0) for s in take]
    assert [f.kind for f in faults(question, both)] == ["condition"]
    ward.facts["amount", "tableB", "painkiller"] = 2
    assert faults(ward.ask([]), both) == []


def test_a_door_is_not_shut_behind_somebody():
    """Who goes through a door counts on it until it is over."""
    ward = Ward(1)
    ward.facts["open", "door_alpha"] = False
    question = ward.ask([])
    opening = Interval(Step("Spot", Action("opendoor", ("door_alpha",))), 0.0, 8.0)
    going = Step("Temi", Action("goto", ("alpha",)))
    assert faults(question, [opening, Interval(going, 8.0, 18.0)]) == []
    early = faults(question, [opening, Interval(going, 7.0, 17.0)])
    assert early[0].kind == "condition" and early[0].at == 1
