"""Goals that cannot be reached: the condition that no robot can bring about is named, with the way down to it."""

import pytest

from coterie.core.expr import eq, fl, ge
from coterie.planning import own
from tests.planning.ward import Ward


def why(change=None, goal=None, kits=1, robots=None):
    ward = Ward(kits)
    if robots is not None:
        ward.robots = {r: s for r, s in ward.robots.items() if r in robots}
        ward.objects = {n: k for n, k in ward.objects.items() if k != "robot" or n in robots}
    ward.facts.update(change or {})
    answer = own.solve(ward.ask(goal))
    assert answer.status == "none", answer.words
    return answer


@pytest.mark.parametrize(("change", "root", "through"), [
    ({("jammed", "door_alpha"): True}, "not jammed(door_alpha)", "open(door_alpha)"),
    ({("amount", "counter", "bandagebox"): 0}, "amount(tableA, bandagebox) >= 1", "holding(Fetch) == bandagebox"),
    ({("amount", "tableB", "painkiller"): 0}, "amount(tableA, painkiller) >= 1", "holding(Fetch) == painkiller"),
    ({("gives", "counter", "bandagebox"): False}, "amount(tableA, bandagebox) >= 1", "holding(Fetch) == bandagebox"),
    ({("where", "caddy0"): None}, "where(caddy0) == tableA", "where(caddy0) == tableA"),
])  # fmt: skip
def test_what_is_in_the_way_is_named(change, root, through):
    answer = why(change)
    conditions = [u.condition for u in answer.why.chain]
    assert answer.why.proof == "unreachable"
    assert answer.why.root.condition == root and through in conditions
    assert conditions[0] in (
        "delivered(caddy0, alpha)",
        "packed(caddy0, bandagebox) == 1",
        "packed(caddy0, painkiller) == 2",
    )
    assert root in answer.words and conditions[0] in answer.words


@pytest.mark.parametrize(("left", "skill"), [(("Fetch", "Temi"), "opendoor"), (("Fetch", "Spot"), "deliverkit")])
def test_what_nobody_here_can_do_is_named(left, skill):
    answer = why({("amount", "tableE", "bandagebox"): 3}, robots=left)
    assert answer.why.root.pred == "can" and answer.why.root.args == (skill,)
    assert answer.words.startswith(f"No robot here can {skill}.")


def test_the_cause_is_data_and_where_two_things_are_in_the_way_both_are_named():
    shut = {("jammed", "door_alpha"): True, ("amount", "tableB", "painkiller"): 0}
    found = why(shut).why
    cause = why({("jammed", "door_alpha"): True}).why.cause
    assert cause.fact == ("jammed", ("door_alpha",), True) and cause.clause == "opendoor1"
    assert cause.to_json()["fact"] == ["jammed", ["door_alpha"], True]
    named = {u.condition for u in (found.root, *found.others)}
    assert {"not jammed(door_alpha)", "amount(tableA, painkiller) >= 1"} <= named


def test_there_is_not_enough_for_all():
    """Everything can be reached one by one; but three painkillers are not four."""
    goal = [eq(fl("packed", c, "painkiller"), 2) for c in ("caddy0", "caddy1")]
    few = {("amount", "tableB", "painkiller"): 3}
    answer = why(few, goal, kits=2)
    assert answer.why.proof == "counted"
    assert answer.why.root.condition == "amount(tableB, painkiller) >= 4" and answer.why.root.value == 3
    ward = Ward(2)
    ward.facts["amount", "tableB", "painkiller"] = 4
    assert own.solve(ward.ask(goal)).found
    alone = why({("amount", "tableB", "painkiller"): 1}, goal[:1])
    assert alone.why.proof == "counted"


def test_what_can_be_made_is_not_counted_nor_what_can_be_undone_nor_anything_twice():
    """The pharmacist's boxes count as well, wherever they are now; Spot puts down what it holds, and opens a door."""
    ward = Ward(1, stock=1)
    assert own.solve(ward.ask([ge(fl("amount", "tableA", "bandagebox"), 1)])).found
    assert why({}, [ge(fl("amount", "tableA", "bandagebox"), 21)]).why.proof == "counted"
    ward.facts["holding", "Spot"] = "painkiller"
    ward.facts["amount", "tableB", "painkiller"] = 2
    assert own.solve(ward.ask([fl("open", "door_alpha")])).found
    goal = [eq(fl("packed", "caddy0", "painkiller"), 2), ge(fl("packed", "caddy0", "painkiller"), 1)]
    assert own.solve(ward.ask([*goal, *goal])).found


def test_where_every_way_was_tried_the_part_that_fails_is_named():
    both = [eq(fl("at", "Fetch"), "tableA"), eq(fl("at", "Fetch"), "tableB")]
    answer = why({}, both)
    assert answer.why.proof == "exhausted" and answer.why.chain == ()
    assert "Every way was tried" in answer.words
