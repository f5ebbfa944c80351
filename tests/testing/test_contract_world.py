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


@breaks("it is a number of metres, or None")
class NowhereNear(YardWorld):
    def distance(self, a, b):
        return float("nan")


@breaks("m back")
class OneWay(YardWorld):
    def distance(self, a, b):
        return float(len(a))


@breaks("give None for what has none")
class KnowsOnlyItsOwn(YardWorld):
    def distance(self, a, b):
        return abs(int(self.truth["at", a][0]) - int(self.truth["at", b][0]))


@breaks("what it does not see it should not observe")
class ObservesUnknown(YardWorld):
    def observe(self, robot):
        obs = super().observe(robot)
        return obs._replace(facts=(*obs.facts, Fact("where", ("ball",), UNKNOWN)))


@breaks("cannot be written as JSON")
class ObservesObjects(YardWorld):
    def observe(self, robot):
        obs = super().observe(robot)
        return obs._replace(facts=(*obs.facts, Fact("self", (), YardWorld)))


@breaks("names teammates, not Ada itself")
class HearsItself(YardWorld):
    def observe(self, robot):
        return super().observe(robot)._replace(heartbeat=tuple(self.cards))


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


@breaks("ended twice, or was never started")
class EndsTwice(YardWorld):
    def advance(self, until=None):
        ended = super().advance(until)
        return ended + ended[:1]


@breaks("gave nothing although Ada, Bo had not ended")
class NeverEnds(YardWorld):
    def advance(self, until=None):
        return [o for o in super().advance(until) if o.robot != "Ada"]


@breaks("ended without words")
class Speechless(YardWorld):
    def advance(self, until=None):
        return [o._replace(reason=" ") for o in super().advance(until)]


@breaks("with the status 'fine'")
class OddStatus(YardWorld):
    def advance(self, until=None):
        return [o._replace(status="fine") for o in super().advance(until)]


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


@breaks("though there is no such skill or its number of arguments is wrong")
class DoesNotCount(YardWorld):
    def _failure(self, robot, action):
        flaw = super()._failure(robot, action)
        return None if flaw and flaw.cause.clause == "argument_count" and action.skill == "wait" else flaw


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


@breaks("without words")
class ChecksInSilence(YardWorld):
    def check(self, joint):
        return {r: v._replace(reason="") for r, v in super().check(joint).items()}


@breaks("by check.., has no cause; give a Cause that names the clause")
class ChecksInWordsOnly(YardWorld):
    def check(self, joint):
        return {r: v._replace(cause=None) for r, v in super().check(joint).items()}


@breaks("which ended as failed, has no cause")
class FailsInWordsOnly(YardWorld):
    def advance(self, until=None):
        return [o._replace(cause=None) for o in super().advance(until)]


@breaks("only what is not done has one")
class NeverWithoutCause(YardWorld):
    def advance(self, until=None):
        return [o._replace(cause=o.cause or Cause("luck")) for o in super().advance(until)]


@breaks("which ended as cancelled, has no cause")
class CallsOffInWordsOnly(YardWorld):
    def cancel(self, robot):
        outcome = super().cancel(robot)
        return outcome and outcome._replace(cause=None)


@breaks("names no clause")
class NamelessCauses(YardWorld):
    def advance(self, until=None):
        return [o if o.ok else o._replace(cause=Cause("")) for o in super().advance(until)]


@breaks("cannot be written as JSON")
class CausesOfObjects(YardWorld):
    def advance(self, until=None):
        odd = Cause("self", ("self", (), YardWorld))
        return [o if o.ok else o._replace(cause=odd) for o in super().advance(until)]


@breaks("two clauses are named 'holding'")
class TwoClausesOfOneName(YardWorld):
    def skill(self, name):
        skill = super().skill(name)
        return replace(skill, when=skill.when * 2) if skill is not None and name == "drop" else skill


@breaks("gave verdicts for")
class ChecksHalf(YardWorld):
    def check(self, joint):
        return dict(list(super().check(joint).items())[:1])


@breaks("has left, but")
class NobodyLeaves(YardWorld):
    def _leave(self, name):
        if name not in self.cards:
            raise CoterieError("Not here.")
        return None


@breaks("one of kind 'join'")
class JoinsQuietly(YardWorld):
    def _apply(self, change):
        return super()._apply(change)[:1]


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


@breaks(r"trace\(\) cannot be written as JSON")
class TracesObjects(YardWorld):
    def trace(self):
        return [[pred, args, {value}] for pred, args, value in super().trace()]


@breaks("the same news twice")
class TracesTwice(YardWorld):
    def trace(self):
        return [[k[0], list(k[1:]), self.truth[k]] for k in self.traced if k in self.truth]


@breaks("partial is 1.5")
class TooGood(YardWorld):
    def progress(self):
        return Progress(False, 1.5, "better than good")


@breaks("takes .* for impossible: it is not")
class Pessimists(YardWorld):
    def lookup(self, belief):
        inner = super().lookup(belief)
        return lambda pred, *args: "Bo" if pred == "occupant" else inner(pred, *args)


@breaks("takes .* for possible")
class Optimists(YardWorld):
    def lookup(self, belief):
        inner = super().lookup(belief)
        return lambda pred, *args: (
            {"next": "1,0", "occupant": None}[pred] if pred in ("next", "occupant") else inner(pred, *args)
        )


@breaks(r"cancel\(\) of a running action gave")
class CannotCancel(YardWorld):
    def cancel(self, robot):
        return None


@breaks(r"skill\('lift'\) is None")
class NoLift(YardWorld):
    def skill(self, name):
        return None if name == "lift" else super().skill(name)


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
