"""The contract of worlds."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, get_args

from coterie.core.action import WAIT, Action, Cause, Moment, Outcome, Status, Verdict
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import RobotView
from coterie.core.seeds import rng_of
from coterie.core.skill import Skill
from coterie.core.task import Change, Trigger
from coterie.core.world import Placed, World
from coterie.testing.must import check_skill, face, must, must_be_json, short

Joint = Mapping[str, Action]
_EPS = 1e-6

_NAN = float("nan")

#: What a careless parser of model replies may hand on as an argument.
ODD: tuple[Any, ...] = ("no_such_name", "", "{robot}", "x" * 100_000, _NAN, float("inf"), -1, None, True, ("a", "b"))


def check_world(make_world: Callable[[], World], joints: Sequence[Joint] = (), seed: int = 0, rounds: int = 12) -> None:
    """Runs a world through everything the loop will do to it.

    `make_world` gives a fresh world each time, always the same. `joints` are joint actions that do something in it,
    in order; random ones over the names in its map and in sight follow.
    """
    world = make_world()
    missing = [n for n in (*World.__annotations__, *vars(World)) if not n.startswith("_") and not hasattr(world, n)]
    must(not missing, f"A world needs also: {', '.join(missing)}.")
    must(world.robots(), "A world to be checked needs at least one robot.")
    must(face(world) == face(make_world()), "Two fresh worlds differ: something in it is neither fixed nor seeded.")
    script = [dict(j) for j in joints] + _wander(world, rng_of("check_world", seed), rounds)
    _check_sight(world)
    _check_play(make_world, script)
    _check_until(make_world(), script)
    _check_snapshots(make_world, script)
    _check_is_free(make_world, script)
    _check_belief(make_world(), script)
    _check_odd_actions(make_world())
    _check_wrong_use(make_world())
    _check_roster(make_world(), script[0])


def _wander(world: World, rng: random.Random, rounds: int) -> list[dict[str, Action]]:
    names: dict[Any, None] = dict.fromkeys(world.robots())
    tuples = [key[1:] for key in world.map()]
    for robot in world.robots():
        for fact in world.observe(robot).facts:
            names.update(dict.fromkeys(fact.args))
            if isinstance(fact.value, tuple):
                names.update(dict.fromkeys(v for v in fact.value if isinstance(v, str)))
    names.update(dict.fromkeys(a for t in tuples for a in t))
    names.update({0.1: None, -0.2: None})
    pool = list(names)

    def draw(card: Any) -> Action:
        skill = world.skill(rng.choice(card.skills))
        fitting = [t for t in tuples if len(t) == len(skill.params)]
        if fitting and rng.random() < 0.7:
            return Action(skill.name, tuple(rng.choice(fitting)))
        return Action(skill.name, tuple(rng.choice(pool) for _ in skill.params))

    for robot, card in world.robots().items():
        for name in card.skills:
            skill = world.skill(name)
            must(
                isinstance(skill, Skill),
                f"{robot} has the skill '{name}' on its card, but skill('{name}') is {skill!r}.",
            )
            check_skill(skill)
    return [{robot: draw(card) for robot, card in world.robots().items()} for _ in range(rounds)]


# -- seeing -------------------------------------------------------------------------------------------------------
def _check_sight(world: World) -> None:
    for robot in world.robots():
        before = face(world)
        obs = world.observe(robot)
        must(obs == world.observe(robot), f"Looking twice gives {robot} two different observations.")
        must(face(world) == before, f"observe('{robot}') changes what is seen: looking must have no side effects.")
        must(obs.robot == robot and obs.time == world.now, f"The observation of {robot} is not its own, or not of now.")
        must(robot not in obs.heartbeat, f"The heartbeat of {robot} names teammates, not {robot} itself.")
        for other in obs.heartbeat:
            must(other in world.robots(), f"The heartbeat of {robot} names '{other}', which is not here.")
        for fact in obs.facts:
            good = (
                isinstance(fact, Fact) and isinstance(fact.args, tuple) and all(isinstance(a, str) for a in fact.args)
            )
            must(good, f"{robot} observes {short(fact)}, which is not a Fact over names.")
            must(
                fact.value is not UNKNOWN,
                f"{robot} observes {short(fact)}; what it does not see it should not observe.",
            )
        must_be_json([[f.pred, f.args, f.value] for f in obs.facts], f"What {robot} observes")
    if isinstance(world, Placed):
        _check_distances(world, list(world.robots()))


def _check_distances(world: Placed, robots: Sequence[str]) -> None:
    """A radio with a range goes by them, in both directions."""
    for a, b in itertools.combinations([*robots, "no_such_robot"], 2):
        try:
            apart, back = world.distance(a, b), world.distance(b, a)
        except Exception as err:
            raise AssertionError(f"distance('{a}', '{b}') raised {short(err)}; give None for what has none.") from err
        good = apart is None or (isinstance(apart, (int, float)) and 0.0 <= apart < float("inf"))
        must(good, f"distance('{a}', '{b}') is {short(apart)}; it is a number of metres, or None.")
        must(apart == back, f"It is {apart} m from {a} to {b}, and {back} m back.")


def _check_belief(world: World, script: Sequence[Joint]) -> None:
    """A belief made of fresh sight may not know something, but it may not contradict the truth."""
    start = world.snapshot()
    for robot, card in world.robots().items():
        for joint in script:
            action = joint.get(robot)
            if action is None:
                continue
            believed = _guard(world, robot, card, action)
            must(believed.ok is not False or believed.reason, f"{action} is refused to {robot} without a reason.")
            _check_cause(believed.cause, believed.ok is False, f"{short(str(action))} refused to {robot}")
            if believed.ok is False:
                (outcome,) = _play_one(world, {robot: action})
                must(not outcome.ok, f"{robot}, who has just looked, takes {action} for impossible: it is not.")
                world.restore(start)
            elif believed.ok is True:
                true = world.check({robot: action})[robot]
                must(true.ok is not False, f"{robot}, who has just looked, takes {action} for possible: {true.reason}")


def _guard(world: World, robot: str, card: Any, action: Action) -> Verdict:
    belief = Belief(world.map(), world.listings())
    belief.tell_all(world.observe(robot).facts)
    skills = {s: world.skill(s) for s in card.skills}
    view = RobotView(robot, card, belief, world.lookup(belief), skills=skills)
    try:
        return known_verdict(view, action)
    except Exception as err:
        what = f"{type(err).__name__}: {short(str(err))}"
        raise AssertionError(f"Judging {short(str(action))} from the belief of {robot} raised {what}.") from err


# -- acting -------------------------------------------------------------------------------------------------------
def _play_one(world: World, joint: Joint) -> list[Outcome]:
    """Start a joint action and see everybody to the end, exactly once."""
    joint = {r: a for r, a in joint.items() if r in world.robots()}
    shown = short(", ".join(f"{r}: {a}" for r, a in joint.items()))
    begun = world.now
    try:
        world.start(joint)
        must(world.now == begun, f"start() of {shown} took time; only advance() may.")
        outcomes = _to_the_end(world, joint, shown)
    except AssertionError:
        raise
    except Exception as err:
        what = f"{type(err).__name__}: {short(str(err))}"
        raise AssertionError(f"{shown} raised {what}; actions fail in words.") from err
    must(world.advance(None) == [], f"After the end of {shown} something else ended that nobody had started.")
    progress = world.progress()
    must(0.0 <= progress.partial <= 1.0, f"progress().partial is {progress.partial}; it must lie between 0 and 1.")
    must(isinstance(progress.done, bool) and isinstance(progress.text, str), f"{progress} is not a Progress.")
    return outcomes


def _to_the_end(world: World, joint: Joint, shown: str) -> list[Outcome]:
    outcomes: list[Outcome] = []
    waiting = dict(joint)
    while waiting:
        then = world.now
        ended = world.advance(None)
        must(ended, f"advance() gave nothing although {', '.join(waiting)} had not ended; begun was {shown}.")
        must(world.now >= then, f"advance() took the clock back from {then} to {world.now}.")
        for o in ended:
            must(o.robot in waiting, f"An action of {o.robot} ended twice, or was never started; begun was {shown}.")
            must(o.action == waiting.pop(o.robot) or _is_nan(o), f"{o.robot} was told {shown}, yet {o.action} ended.")
            _check_outcome(o)
        outcomes.extend(ended)
    return outcomes


def _is_nan(o: Outcome) -> bool:
    return any(a != a for a in o.action.args)  # no action with NaN in it equals itself after a snapshot


def _check_outcome(o: Outcome) -> None:
    shown = short(str(o.action))
    must(o.status in get_args(Status), f"{shown} of {o.robot} ended with the status {o.status!r}.")
    must(
        isinstance(o.reason, str) and o.reason.strip(), f"{shown} of {o.robot} ended without words; a mind reads them."
    )
    must(o.duration >= 0.0, f"{shown} of {o.robot} took {o.duration} s.")
    _check_cause(o.cause, not o.ok, f"{shown} of {o.robot}, which ended as {o.status},")
    if o.message is not None:
        must(o.message.sender == o.robot, f"{o.robot} sent a message in the name of {o.message.sender}.")


def _check_cause(cause: Any, wanted: bool, what: str) -> None:
    """Check that a failure has a cause as data, so that no reader has to parse its words."""
    must(cause is None or wanted, f"{what} has the cause {short(cause)}; only what is not done has one.")
    if not wanted:
        return
    must(isinstance(cause, Cause), f"{what} has no cause; give a Cause that names the clause that did not hold.")
    must(isinstance(cause.clause, str) and cause.clause, f"{what} has a cause that names no clause: {short(cause)}.")
    must(cause.moment in get_args(Moment), f"{what} has a cause of the moment {cause.moment!r}.")
    fact = cause.fact
    good = fact is None or (len(fact) == 3 and isinstance(fact[0], str) and isinstance(fact[1], tuple))
    must(good, f"{what} turned on {short(fact)}, which is not a predicate, a tuple of arguments and a value.")
    must_be_json(cause.to_json(), f"The cause of {what}")


def _shown(outcomes: Sequence[Outcome]) -> list[str]:
    return [f"{o.robot} {o.action} {o.status} {o.reason} {o.cause} {o.start:.6f}+{o.duration:.6f}" for o in outcomes]


def _check_play(make_world: Callable[[], World], script: Sequence[Joint]) -> None:
    first, second = make_world(), make_world()
    chart = dict(first.map())
    for joint in script:
        one, two = _play_one(first, joint), _play_one(second, joint)
        must(_shown(one) == _shown(two), f"Two equal worlds give {short(_shown(one))} and {short(_shown(two))}.")
        _check_sight(first)
        trace = first.trace()
        must_be_json(trace, "trace()")
        must(all(len(t) == 3 for t in trace), "trace() must give [predicate, arguments, value] each.")
        must(first.trace() == [], "trace() tells the same news twice.")
    must(dict(first.map()) == chart, "map() has changed; it holds what never does.")


def _check_until(world: World, script: Sequence[Joint]) -> None:
    for joint in script:
        begun = world.now
        world.start(joint)
        ended = world.advance(begun + 1e-3)
        must(world.now <= begun + 1e-3 + _EPS, f"advance({begun + 1e-3}) went on to {world.now}.")
        left = {r: a for r, a in joint.items() if r not in {o.robot for o in ended}}
        _to_the_end(world, left, short(joint))
    idle = world.now
    must(world.advance(idle + 5.0) == [], "advance() gave an outcome while nobody acted.")
    must(abs(world.now - idle - 5.0) < _EPS, "advance(until) must let the time pass also while nobody acts.")


def _check_snapshots(make_world: Callable[[], World], script: Sequence[Joint]) -> None:
    world = make_world()
    half = len(script) // 2
    for joint in script[:half]:
        _play_one(world, joint)
    data, before = world.snapshot(), face(world)
    must(isinstance(data, bytes), f"snapshot() must give bytes, not {short(data)}.")
    first = [_shown(_play_one(world, j)) for j in script[half:]]
    world.restore(data)
    must(face(world) == before, "restore() does not bring back what was seen at snapshot().")
    must(
        first == [_shown(_play_one(world, j)) for j in script[half:]], "After restore() the same actions end otherwise."
    )
    other = make_world()
    other.restore(data)
    must(face(other) == before, "A snapshot restored into another instance of the world gives another world.")
    must(first == [_shown(_play_one(other, j)) for j in script[half:]], "In another instance, actions end otherwise.")
    world = make_world()
    world.start(script[0])
    data = world.snapshot()
    first = [_shown(_to_the_end(world, script[0], "it"))]
    world.restore(data)
    again = [_shown(_to_the_end(world, script[0], "it"))]
    must(first == again, f"restore() in the middle of {short(script[0])} lets it end otherwise.")


def _check_is_free(make_world: Callable[[], World], script: Sequence[Joint]) -> None:
    world, twin = make_world(), make_world()
    for joint in script:
        before = face(world)
        verdicts = world.check(joint)
        must(set(verdicts) == set(joint), f"check() of {', '.join(joint)} gave verdicts for {', '.join(verdicts)}.")
        for robot, verdict in verdicts.items():
            good = isinstance(verdict, Verdict) and verdict.ok in (True, False, None)
            must(good, f"check() gave {robot} {short(verdict)}, not a Verdict.")
            must(verdict.ok is not False or verdict.reason, f"check() refused {joint[robot]} of {robot} without words.")
            _check_cause(verdict.cause, verdict.ok is False, f"{short(str(joint[robot]))} of {robot}, by check(),")
        must(face(world) == before, "check() has changed what is seen; it must be free.")
        one, two = _shown(_play_one(world, joint)), _shown(_play_one(twin, joint))
        must(one == two, f"After check() actions end otherwise than without: {short(one)}, not {short(two)}.")
    must(world.trace() == twin.trace(), "check() leaves a trace.")


def _check_odd_actions(world: World) -> None:
    start = world.snapshot()
    for robot, card in world.robots().items():
        wrong = [Action("no_such_skill"), Action(""), Action("x" * 100_000), Action(WAIT, ("now", "then"))]
        odd: list[Action] = []
        for name in card.skills:
            count = len(world.skill(name).params)
            wrong += [Action(name, ("a",) * n) for n in (count + 1, count - 1) if n >= 0]
            for at in range(count):
                names = tuple(world.robots())[:1] * count
                odd += [Action(name, (*names[:at], value, *names[at + 1 :])) for value in ODD]
        for action in (*wrong, *odd):
            _guard(world, robot, card, action)
            try:
                world.check({robot: action})
            except Exception as err:
                raise AssertionError(f"check() of {short(str(action))} raised {short(err)}.") from err
            (outcome,) = _play_one(world, {robot: action})
            must(
                not outcome.ok or action not in wrong,
                f"{robot} did {short(str(action))}, though there is no such skill or its number of arguments is wrong.",
            )
            world.restore(start)


# -- wrong use, and who is there ----------------------------------------------------------------------------------
def _complains(what: str, call: Callable[[], object]) -> None:
    try:
        call()
    except CoterieError as err:
        must(str(err).strip(), f"{what} raises a CoterieError without words.")
    except Exception as err:
        raise AssertionError(f"{what} raises {short(err)}; wrong use ends in a CoterieError.") from err
    else:
        raise AssertionError(f"{what} passes in silence; wrong use ends in a CoterieError.")


def _check_wrong_use(world: World) -> None:
    robot = next(iter(world.robots()))
    _complains("Starting an action of a robot that is not here", lambda: world.start({"Nobody": Action(WAIT)}))
    world.start({robot: Action(WAIT)})
    before = face(world)
    _complains("Starting an action of a robot that still acts", lambda: world.start({robot: Action(WAIT)}))
    _complains("A change of an unknown kind", lambda: world.apply(Change(Trigger(step=0), "no_such_kind", {})))
    _complains("The leaving of a robot that is not here", lambda: world.apply(_leave("Nobody")))
    must(face(world) == before, "Wrong use has changed the world; it must end in a clean state.")
    outcome = world.cancel(robot)
    must(outcome is not None and outcome.status == "cancelled", f"cancel() of a running action gave {short(outcome)}.")
    assert outcome is not None
    _check_outcome(outcome)
    must(world.cancel(robot) is None, "cancel() of an idle robot must give None.")
    must(world.advance(None) == [], "A cancelled action ended a second time.")
    _play_one(world, {robot: Action(WAIT)})


def _leave(robot: str) -> Change:
    return Change(Trigger(step=0), "leave", {"robot": robot})


def _check_roster(world: World, joint: Joint) -> None:
    for robot, card in list(world.robots().items()):
        joint = {r: a for r, a in joint.items() if r in world.robots()}
        world.start(joint)
        _check_events(world.apply(_leave(robot)), "leave")
        must(robot not in world.robots(), f"{robot} has left, but robots() still names it.")
        _to_the_end(world, {r: a for r, a in joint.items() if r != robot}, f"an action while {robot} left")
        _check_sight(world)
        join = Change(Trigger(step=0), "join", {"robot": robot, "card": card})
        events = world.apply(join)
        _check_events(events, "join")
        joined = [e for e in events if e.kind == "join" and e.who == robot]
        must(
            joined, "The events of a join must have one of kind 'join' by the newcomer; the loop reads its party there."
        )
        must(world.robots().get(robot) == card, f"{robot} has joined, but robots() does not give its card.")
        _complains(f"A second {robot}", partial(world.apply, join))
        _check_sight(world)
        _play_one(world, {r: Action(WAIT) for r in world.robots()})


def _check_events(events: Sequence[Event], what: str) -> None:
    must(events, f"apply() of a change '{what}' must give at least one event for the log.")
    for event in events:
        must(isinstance(event, Event), f"apply() of a change '{what}' gave {short(event)}, not an Event.")
        must_be_json(event.data, f"The event '{event.kind}' of a change '{what}'")
