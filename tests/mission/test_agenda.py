"""The agenda: steps of all goals as one partial order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from coterie.core.action import Action
from coterie.mission.agenda import Agenda, scope
from coterie.planning.answer import Answer, Use
from coterie.planning.question import Step

KEYS = [("at", n) for n in "abcd"]
USES = st.builds(
    Use, st.frozensets(st.sampled_from(KEYS), max_size=2), st.frozensets(st.sampled_from(KEYS), max_size=2)
)
PLANS = st.lists(st.lists(st.tuples(st.sampled_from(["Fetch", "Spot", "Temi"]), USES), max_size=6), max_size=3)


def answer(rows):
    steps = tuple(Step(robot, Action("do", (str(i),))) for i, (robot, _) in enumerate(rows))
    return Answer("plan", steps, uses=tuple(use for _, use in rows))


def filled(plans):
    agenda = Agenda()
    for i, rows in enumerate(plans):
        agenda.extend(f"g{i}", answer(rows), lambda key: 0.0)
    return agenda


def ordered(one, two):
    """Whether two items must not go on at the same time."""
    return one.robot == two.robot or one.use.disturbs(two.use)


def carried_out(agenda, seed):
    """All items in some order that the agenda allows; what went on at the same time must not disturb each other."""
    rng, done = random.Random(seed), []
    while agenda.items:
        ready = [i for r in ("Fetch", "Spot", "Temi") if (i := agenda.ready(r)) is not None]
        running = agenda.running()
        assert ready or running, "nobody can begin, and nobody is at work"
        if ready and (not running or rng.random() < 0.6):
            item = rng.choice(ready)
            assert not any(ordered(item, other) for other in running)
            agenda.begin(item, 0.0)
        else:
            item = rng.choice(running)
            agenda.end(item, True, 1.0)
            done.append(item)
    return done


@given(PLANS, st.integers(0, 9))
def test_whatever_order_it_allows_keeps_those_apart_that_disturb_each_other(plans, seed):
    agenda = filled(plans)
    planned = list(agenda)
    done = carried_out(agenda, seed)
    assert len(done) == len(planned)
    for i, one in enumerate(planned):
        for two in planned[i + 1 :]:
            assert not ordered(one, two) or done.index(one) < done.index(two)


@given(PLANS, st.integers(0, 9))
def test_what_is_dropped_leaves_the_order_of_the_rest(plans, seed):
    agenda = filled(plans)
    kept = [i for i in agenda if i.goal != "g1"]
    assert all(i.goal == "g1" for i in agenda.drop(["g1"]))
    done = carried_out(agenda, seed)
    for i, one in enumerate(kept):
        for two in kept[i + 1 :]:
            assert not ordered(one, two) or done.index(one) < done.index(two)


def test_what_has_begun_is_not_dropped_and_may_be_begun_again():
    agenda = filled([[("Fetch", Use()), ("Fetch", Use())]])
    item = agenda.ready("Fetch")
    agenda.begin(item, 3.0)
    assert agenda.ready("Fetch") is None and agenda.doing("Fetch") is item
    assert len(agenda.drop()) == 1 and list(agenda) == [item]
    agenda.put_back(item)
    assert agenda.ready("Fetch") is item


def test_the_scope_of_a_plan_is_its_robots_and_people():
    steps = [
        Step("Spot", Action("receiveitem", ("box", "pharmacist", "counter"))),
        Step("Fetch", Action("goto", ("a",))),
    ]
    assert scope(steps, ["pharmacist", "teacher"]) == {"Spot", "Fetch", "pharmacist"}
