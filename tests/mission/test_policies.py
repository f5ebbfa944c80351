"""What people are asked for, where the planner misses more than one thing."""

from types import SimpleNamespace

from coterie.core.action import Cause
from coterie.mission.goals import Failure
from coterie.mission.policies import ask_person, signature
from coterie.planning.answer import Answer, Unmet, Why
from coterie.worlds.hospital.domain import HospitalDomain
from coterie.worlds.hospital.places import place

GONE = Cause("online", ("online", ("Frida",), False), "during")
CADDY = Unmet("stock", ("caddy1", "tableA"), ">=", 1, 0, fact=("objectAt", ("caddy1", "tableA"), False))
POSE = Unmet("free", ("handL",), "==", True, False)


def missing(*wanted):
    """A planner that names one thing after the other, and finds a plan when all of them are so."""

    def plan(goal, supposing=()):
        left = [u for u in wanted if (u.pred, *u.args) not in dict(supposing)]
        return Answer("none", why=Why("unreachable", (left[0],))) if left else Answer("plan")

    domain = HospitalDomain(place("ward").map())
    found = {"causes": lambda g, f: [GONE], "helper": lambda g, first: "nurse", "short": lambda g: []}
    return SimpleNamespace(domain=domain, plan=plan, **found)


def asked(finder):
    return [a.request for a in ask_person(finder, None, Failure("EXECUTION", GONE))]


def test_one_favour_is_enough_where_one_thing_is_missing():
    (request,) = asked(missing(POSE))
    assert request["change"] == ["clear", {"pose": "handL"}] and request["facts"] == [[["free", "handL"], True]]


def test_several_favours_are_asked_for_at_once():
    (request,) = asked(missing(CADDY, POSE))
    assert [kind for kind, _ in request["changes"]] == ["put", "clear"] and request["person"] == "nurse"
    assert [["free", "handL"], True] in request["facts"] and [["stock", "caddy1", "tableA"], 1] in request["facts"]


def test_nobody_is_asked_for_what_people_cannot_do():
    assert asked(missing(CADDY, Unmet("can", ("takeout",), "==", True, False))) == []


def test_trouble_with_one_thing_is_not_that_with_another():
    def failed(*args, robot="Fetch", fact=("holding", ("Fetch",), None)):
        return Failure("EFFECT", Cause(fact[0], fact), robot, "pickup", args)

    box, glove = failed("box", "tableA", "atA"), failed("glove", "tableB", "atB")
    assert signature(box) != signature(glove)
    assert signature(box) == signature(failed("box", "tableA", "atA2")), "from elsewhere it is the same"
    gone = ("online", ("Fetch",), False)
    assert signature(failed("box", fact=gone)) == signature(failed("glove", fact=gone))
    missing = ("objectAt", ("box", "tableA"), False)
    assert signature(failed("box", "tableA", "atA", fact=missing)) == signature(failed("box", "tableA", fact=missing))
