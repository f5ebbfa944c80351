"""The contract of worlds passes good worlds, and says in words what is wrong with others."""

import itertools
from dataclasses import replace

import pytest

from coterie.core.action import Action, Cause
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.task import Progress
from coterie.core.world import World
from coterie.testing import check_world
from examples.yard import Flaw, YardWorld, yard_task

SCRIPT = [
    {"Ada": Action("right"), "Bo": Action("left")},
    {"Ada": Action("right"), "Bo": Action("left")},
    {"Ada": Action("communicate", ("hello", "all")), "Bo": Action("grab", ("ball",))},
]


def check(kind: type[YardWorld], **options) -> None:
    check_world(lambda: kind(yard_task(beam=True, **options)), SCRIPT)


@pytest.mark.parametrize("rewinds", [False, True])
def test_the_tiny_world_keeps_the_contract(rewinds):
    check(YardWorld, rewinds=rewinds)
    assert isinstance(YardWorld(yard_task()), World)


def breaks(words):
    """Register a world that breaks the contract, and the words that tell so."""

    def register(kind):
        BROKEN.append(pytest.param(kind, words, id=kind.__name__))
        return kind

    return register


BROKEN: list = []


def sees(*facts):
    return lambda seen, robot: seen._replace(facts=(*seen.facts, *(Fact(*fact) for fact in facts)))


def every(**values):
    """Of all outcomes or verdicts."""

    def change(given, *asked):
        if isinstance(given, dict):
            return {robot: verdict._replace(**values) for robot, verdict in given.items()}
        return [outcome._replace(**values) for outcome in given]

    return change


def failing(cause):
    return lambda ended, until=None: [o if o.ok else o._replace(cause=cause) for o in ended]


def believes(**odd):
    return lambda inner, belief: lambda pred, *args: odd[pred] if pred in odd else inner(pred, *args)


def does_not_count(flaw, robot, action):
    return None if flaw and flaw.cause.clause == "argument_count" and action.skill == "wait" else flaw


def lucky(ended, until=None):
    return [o._replace(cause=o.cause or Cause("luck")) for o in ended]


#: A method of the yard, what it gives instead of its answer (and of what it was asked), and the words that tell so.
ANSWERS = [
    ("distance", lambda metres, a, b: float("nan"), "it is a number of metres, or None"),
    ("distance", lambda metres, a, b: float(len(a)), "m back"),
    ("observe", sees(("where", ("ball",), UNKNOWN)), "what it does not see it should not observe"),
    ("observe", sees(("self", (), YardWorld)), "cannot be written as JSON"),
    ("observe", lambda seen, robot: seen._replace(heartbeat=("Ada", "Bo")), "names teammates, not Ada itself"),
    ("advance", lambda ended, until=None: ended + ended[:1], "ended twice, or was never started"),
    ("advance", lambda ended, until=None: [o for o in ended if o.robot != "Ada"], "although Ada, Bo had not ended"),
    ("advance", every(reason=" "), "ended without words"),
    ("advance", every(status="fine"), "with the status 'fine'"),
    ("advance", every(cause=None), "which ended as failed, has no cause"),
    ("advance", lucky, "only what is not done has one"),
    ("advance", failing(Cause("")), "names no clause"),
    ("advance", failing(Cause("self", ("self", (), YardWorld))), "cannot be written as JSON"),
    ("check", every(reason=""), "without words"),
    ("check", every(cause=None), "by check.., has no cause; give a Cause that names the clause"),
    ("check", lambda verdicts, joint: dict(list(verdicts.items())[:1]), "gave verdicts for"),
    ("cancel", lambda outcome, robot: outcome and outcome._replace(cause=None), "ended as cancelled, has no cause"),
    ("cancel", lambda outcome, robot: None, r"cancel\(\) of a running action gave"),
    ("_failure", does_not_count, "though there is no such skill or its number of arguments is wrong"),
    ("_apply", lambda events, change: events[:1], "one of kind 'join'"),
    ("trace", lambda rows: [[pred, args, {value}] for pred, args, value in rows], r"trace\(\) cannot be written"),
    ("progress", lambda so_far: Progress(False, 1.5, "better than good"), "partial is 1.5"),
    ("skill", lambda skill, name: None if name == "lift" else skill, r"skill\('lift'\) is None"),
    ("skill", lambda skill, name: replace(skill, when=skill.when * 2) if name == "drop" else skill,
     "two clauses are named 'holding'"),
    ("lookup", believes(occupant="Bo"), "takes .* for impossible: it is not"),
    ("lookup", believes(next="1,0", occupant=None), "takes .* for possible"),
]  # fmt: skip
for method, change, words in ANSWERS:

    def answers(self, *given, method=method, change=change):
        return change(getattr(YardWorld, method)(self, *given), *given)

    BROKEN.append(pytest.param(type("Broken", (YardWorld,), {method: answers}), words, id=f"{method}: {words}"))


@breaks("give None for what has none")
class KnowsOnlyItsOwn(YardWorld):
    def distance(self, a, b):
        return abs(int(self.truth["at", a][0]) - int(self.truth["at", b][0]))


@breaks("looking must have no side effects|two different observations")
class LookingCounts(YardWorld):
    def observe(self, robot):
        self._set(("at", "Ada"), {"0,0": "1,0", "1,0": "0,0"}.get(self.truth["at", "Ada"], "0,0"))
        return super().observe(robot)


@breaks("Two fresh worlds differ")
class NeverTheSame(YardWorld):
    count = itertools.count()

    def __init__(self, task):
        super().__init__(task)
        self.number = next(self.count)

    def observe(self, robot):
        obs = super().observe(robot)
        return obs._replace(facts=(*obs.facts, Fact("number", (), self.number)))


@breaks(r"map\(\) has changed")
class MapGrows(YardWorld):
    def start(self, joint):
        super().start(joint)
        self._map["visited", str(self.now)] = True


@breaks("does not bring back what was seen")
class Forgets(YardWorld):
    def restore(self, data):
        at = {k: v for k, v in self.truth.items() if k[0] == "at" and k[1] in self.cards}
        super().restore(data)
        self.truth.update(at)


@breaks("another instance")
class KeepsItsStateElsewhere(YardWorld):
    def snapshot(self):
        self.saved = super().snapshot()
        return b"mine"

    def restore(self, data):
        if hasattr(self, "saved"):
            super().restore(self.saved)


@breaks("took the clock back")
class BackInTime(YardWorld):
    def advance(self, until=None):
        ended = super().advance(until)
        self.now = -1.0
        return ended


@breaks(r"advance\(0.001\) went on to")
class CannotStop(YardWorld):
    def advance(self, until=None):
        return super().advance(None if until is None else until + 5.0)


@breaks("no_such_skill.* raised KeyError")
class KnowsNoUnknownSkill(YardWorld):
    def start(self, joint):
        for action in joint.values():
            if action.skill == "no_such_skill":
                raise KeyError(action.skill)
        super().start(joint)


@breaks("raised TypeError")
class TakesArgumentsForText(YardWorld):
    def _failure(self, robot, action):
        "".join(a if isinstance(a, str) else a + "" for a in action.args if not isinstance(a, tuple))
        return super()._failure(robot, action)


@breaks(r"check\(\) has changed what is seen")
class CheckActs(YardWorld):
    def check(self, joint):
        verdicts = super().check(joint)
        if self.now == 0.0:
            self._set(("where", "ball"), self.truth["at", "Ada"])
        return verdicts


@breaks(r"After check\(\) actions end otherwise")
class CheckWearsOut(YardWorld):
    checks = 0

    def check(self, joint):
        self.checks += 1
        return super().check(joint)

    def _failure(self, robot, action):
        worn = self.checks > 2 and self.before is None
        return Flaw("worn out.", Cause("worn")) if worn else super()._failure(robot, action)


@breaks("has left, but")
class NobodyLeaves(YardWorld):
    def _leave(self, name):
        if name not in self.cards:
            raise CoterieError("Not here.")
        return None


@breaks("must end in a clean state")
class HalfALeave(YardWorld):
    def apply(self, change):
        if change.data.get("robot") == "Nobody":
            self._set(("where", "ball"), "0,0")
        return self._apply(change)


@breaks("of a robot that is not here passes in silence")
class StartsNobody(YardWorld):
    def start(self, joint):
        super().start({r: a for r, a in joint.items() if r in self.cards})


@breaks("the same news twice")
class TracesTwice(YardWorld):
    def trace(self):
        return [[k[0], list(k[1:]), self.truth[k]] for k in self.traced if k in self.truth]


@pytest.mark.parametrize(("kind", "words"), BROKEN)
def test_a_broken_world_is_told_so_in_words(kind, words):
    with pytest.raises(AssertionError, match=words) as caught:
        check(kind)
    assert str(caught.value).endswith("."), "a sentence"


def test_what_is_missing_is_named():
    class Empty:
        free_check = False
        now = 0.0

    with pytest.raises(AssertionError, match=r"A world needs also: robots, map, .*restore"):
        check_world(Empty)  # type: ignore[type-abstract]
