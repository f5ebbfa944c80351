"""A plan for a team of a house: found from what its robots believe together, and carried out once a person approved it.

The guide stands before the team's own minds, as a memo does: it decides for robots whose turn it is in the plan, and
leaves all others, and everything when there is no plan, to them. Which side of the furniture to stand on is chosen on
the way; what does not go as planned is planned anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.errors import CoterieError
from coterie.core.expr import Lookup, eq, fl
from coterie.core.facts import UNKNOWN, Belief, Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import Asking, RobotView, TeamProtocol, TeamView
from coterie.core.skill import Clause, Rule
from coterie.planning.answer import Answer, Limits
from coterie.planning.own import solve
from coterie.planning.question import Question, Step
from coterie.protocols.shared.reading import Pool, Reading, distance, shift_for
from coterie.worlds.indoor.plans.problem import question
from coterie.worlds.indoor.world import IndoorWorld

LIMITS = Limits(states=20_000, wall_s=20.0, polish=60)
MOST_REPLANS = 6  # that bring nothing new
MOST_WAITS = 4  # for a side that another robot stands at
MOST_TRIES = 6  # of one step
WHY = "as the plan says"
RULE = Rule("known", "place", Clause(fl("may_place", "?robot", "?platform"), "may not place"))
Avoided = frozenset[tuple[str, str]]  # a robot and a thing or place that did not go together


class Unplanned(CoterieError):
    """There is nothing that could be planned, and why."""


def knows(world: object) -> bool:
    """True if this is a world that the planner has goals and skills of."""
    return isinstance(world, IndoorWorld)


def words_of(action: Action) -> str:
    """An action in words, behind the robot's name."""
    if action.skill == "place":
        return "puts {} at {}".format(*action.args)
    verb = {"navigate": "goes to", "pick": "takes"}.get(action.skill, f"{action.skill}s")
    return f"{verb} {''.join(map(str, action.args[:1]))}".strip()


def closed_zones(views: Mapping[str, RobotView]) -> list[tuple[str, str]]:
    """Robots that move, with places that are known to be closed to them."""
    belief = next(iter(views.values())).belief
    found = [(f.args[0], f.args[1]) for f in belief.facts("allowed") if f.value is False]
    return [(r, f) for r, f in found if r in views and "navigate" in views[r].card.skills]


def lost(r: Reading) -> list[str]:
    """Things that the goal needs and nobody has seen."""
    return [t for t in dict.fromkeys((*_wanted(r), *r.caddies)) if r.where(t) is None]


def _wanted(r: Reading) -> list[str]:
    return [t for t in r.goal.targets if t not in r.right]


def left_to_do(r: Reading) -> list[tuple[str, str]]:
    """Things with their places, of what is left and can be planned: of a stack the next layer, of all others what has
    been seen."""
    off = [(t, r.table) for t in r.wrong] if r.table else []
    wanted = [t for t in _wanted(r) if r.where(t) is not None]
    if r.goal.kind == "stack":
        if off:
            return off[:1]
        wanted = [t for t in r.goal.targets[len(r.right) : len(r.right) + 1] if t in wanted]
    found = []
    for thing in wanted:
        homes = [h for h in r.homes(thing) if not r.look("holder", h) and r.furniture_of(h) is not None]
        near = [h for h in homes if any(r.can_visit(n, str(r.furniture_of(h))) or n == r.arm for n in r.cards)]
        if near or homes:
            found.append((thing, (near or homes)[0]))
    return off + found


def plan_for(views: Mapping[str, RobotView], avoid: Avoided = frozenset()) -> Answer:
    """A plan over all robots for what is left of the goal; `views` share the belief that the team has together."""
    r = Reading(next(iter(views.values())))
    if r.belief.value("goal") is UNKNOWN or not hasattr(r.goal, "targets"):
        raise Unplanned("The planner does not know what this team is to do.")
    wanted = left_to_do(r)
    if wanted:
        return _real(solve(_question(r, views, wanted, avoid), LIMITS))
    if lost(r):
        return search(r, avoid)
    if _wanted(r):
        raise Unplanned("The planner knows no way to put things into caddies.")
    raise Unplanned("As far as the team knows, everything is where it should be.")


def search(r: Reading, avoid: Avoided = frozenset()) -> Answer:
    """Where nobody has looked yet is shared among those who can look there, each time by the robot that is nearest."""
    left = [f for f in r.look("all_furniture") if r.looked_at(f) is None]  # type: ignore[attr-defined]
    where: dict[str, Any] = {n: r.belief.value("pose", n) for n in r.explorers}
    tours: dict[str, list[Step]] = {n: [] for n in where}
    able = {f: [n for n in where if r.can_search(n, f) and (n, f) not in avoid] for f in left}
    rest = [f for f in left if able[f]]
    if not rest:
        raise Unplanned(f"Nobody has seen {' or '.join(lost(r))}, and nobody can look anywhere else.")
    while rest:
        name = min((n for n in where if any(n in able[f] for f in rest)), key=lambda n: (len(tours[n]), n))
        at = where[name]
        place = min((f for f in rest if name in able[f]), key=lambda f: (_far(r, f, at), f))
        rest.remove(place)
        tours[name].append(Step(name, Action("navigate", (place, "stand_pose_0"))))
        if r.shut(place):
            tours[name].append(Step(name, Action("open", (place,))))
        where[name] = r.look("stand_pose", place, "stand_pose_0")
    steps = [s for tour in tours.values() for s in tour]
    return Answer("plan", tuple(steps), tuple(frozenset() for _ in steps), engine="search")


def _far(r: Reading, furniture: str, at: Any) -> float:
    pose: Any = r.look("stand_pose", furniture, "stand_pose_0")
    return round(distance(pose, at), 3) if isinstance(pose, tuple) and isinstance(at, tuple) else 0.0


#: The part of the work table that the arm does not reach is planned with as a place of its own.
FAR = "*"


def _real(answer: Answer) -> Answer:
    """A plan in the names of the house."""

    def named(action: Action) -> Action:
        return action._replace(args=tuple(a.removesuffix(FAR) if isinstance(a, str) else a for a in action.args))

    return replace(answer, steps=tuple(s._replace(action=named(s.action)) for s in answer.steps))


def _question(r: Reading, views: Mapping[str, RobotView], wanted: list[tuple[str, str]], avoid: Avoided) -> Question:
    """Only things and places that matter are asked about: a house holds many others."""
    look, robots = r.look, [n for n in views if n in r.cards]
    held: list[Any] = [look("holding", n) for n in robots]
    things = dict.fromkeys([*(t for t, _ in wanted), *(h for h in held if isinstance(h, str))])
    seen = [*(r.where(t) for t in things), *(h for _, h in wanted), *(look("at", n) for n in robots), r.table]
    places = {f for p in seen if (f := r.furniture_of(p)) is not None}
    beyond = {t for t in things if r.table and r.where(t) == r.table and not r.delivered(t)} if r.arm else set()
    far = r.table + FAR
    platforms: Any = look("platforms")
    barred = {f.args[0] for f in r.belief.facts("may_place") if f.value is False}

    def known(pred: str, *args: str) -> object:
        if pred == "all_furniture":
            return (*(f for f in look(pred) if f in places), *([far] if beyond else []))  # type: ignore[attr-defined]
        if (pred == "where" and args[0] in beyond) or (pred == "part_of" and args[0] == far):
            return far
        args = tuple(a.removesuffix(FAR) for a in args)
        if pred == "may_place":  # what holds on one platform holds on all
            return (args[0] not in barred or args[1] not in platforms) and args not in avoid
        if pred in ("liftable", "allowed") and args in avoid:
            return False
        value = look(pred, *args)
        if value is UNKNOWN and pred in ("allowed", "open"):
            return pred == "allowed"  # what nobody has closed is free; what nobody has seen open is shut
        return value

    return question(known, robots, things, [eq(fl("where", t), home) for t, home in wanted], [RULE])


def rounds(answer: Answer) -> int:
    """How many steps of the team a plan takes, where robots work at the same time."""
    depth: list[int] = []
    last: dict[str, int] = {}
    for step, after in zip(answer.steps, answer.after):
        at = 1 + max([last.get(step.robot, 0), *(depth[i] for i in after)])
        depth.append(at)
        last[step.robot] = at
    return max(depth, default=0)


class Guide(TeamProtocol):
    """Carries a plan out. `news` is what people should be told of it."""

    sees = "pooled"
    about = "a plan that somebody approved, before the team's own minds are asked"
    thinks = False

    def __init__(self) -> None:
        self.pool = Pool()
        self.on = False
        self.news: list[str] = []
        self.steps: tuple[Step, ...] = ()
        self.after: tuple[frozenset[int], ...] = ()
        self.done: set[int] = set()
        self._given: dict[str, tuple[int, Action]] = {}
        self._failed: set[tuple[str, str, Any]] = set()  # robot, action, from where
        self._waits: dict[int, int] = {}
        self._tries: dict[int, int] = {}
        self._replans = 0
        self._avoid: Avoided = frozenset()
        self._stale = False
        self._unseen = 0  # how many things nobody had seen yet
        self._doubted: set[tuple[str, str]] = set()
        self._trouble = ""
        self._lookup: Callable[[Belief], Lookup] | None = None

    # -- from people ----------------------------------------------------------------------------------------------
    def follow(self, answer: Answer) -> None:
        """From the next decision on."""
        self.on, self._replans, self._avoid, self._failed = True, 0, frozenset(), set()
        self._doubted, self._trouble = set(), ""
        self._take(answer)

    def drop(self) -> None:
        self.on, self.steps, self.after = False, (), ()

    def renew(self) -> None:
        """Something is wanted otherwise, or was said: the plan is made anew before the next step."""
        self._stale = self.on

    def left(self) -> list[Step]:
        """Steps that are still to be done."""
        return [s for i, s in enumerate(self.steps) if i not in self.done] if self.on else []

    def _take(self, answer: Answer) -> None:
        self.steps, self.after, self.done = answer.steps, answer.after, set()
        self._given, self._waits, self._tries, self._stale = {}, {}, {}, False

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        yield from ()
        if not self.on:
            return {}
        views, self._lookup = self.pool.gather(team), team.lookup
        for robot in idle:
            self._settle(views[robot])
        unseen = lost(Reading(next(iter(views.values()))))
        if self._stale or len(self.done) == len(self.steps) or len(unseen) < self._unseen:
            self._replan(views, "something has changed", progress=True)
        self._unseen = len(unseen)
        decided: dict[str, Action] = {}
        for robot in idle:
            action = self._next(views, robot) if self.on else None
            if action is not None:
                decided[robot] = action
        return decided if self.on else {}

    def _settle(self, me: RobotView) -> None:
        """Take in the outcome of the step that a robot was given."""
        given = self._given.pop(me.name, None)
        if given is None:
            return
        i, action = given
        out = me.outcome
        if out is not None and out.ok and out.action[:2] == action[:2]:
            if self.steps[i].action.skill == action.skill and self.steps[i].action.args[:1] == action.args[:1]:
                self.done.add(i)
                self._replans = 0
        elif action.skill != WAIT:
            self._failed.add((me.name, str(action), _place(me)))
            self._trouble = out.reason if out is not None and not out.ok else f"{me.name} did not {action}."

    def _next(self, views: Mapping[str, RobotView], robot: str) -> Action | None:
        """The next step of a robot, a wait for its turn, or nothing where the plan asks nothing of it any more."""
        me = views[robot]
        while True:
            mine = [i for i, s in enumerate(self.steps) if s.robot == robot and i not in self.done]
            if not mine:
                return None
            i = mine[0]
            if not self.after[i] <= self.done:
                return Action(WAIT, (), f"I wait for my turn, {WHY}.")
            action = self._refined(views, me, i, mine[1] if len(mine) > 1 else None)
            self._tries[i] = self._tries.get(i, 0) + 1
            if action is not None and self._tries[i] <= MOST_TRIES + MOST_WAITS:
                break
            step = self.steps[i]  # where there is no way, there may be another plan
            if i not in self.done and not self._replan(views, f"{robot} cannot {step.action}", step):
                return None
        self._given[robot] = (i, action)
        return action

    def _refined(self, views: Mapping[str, RobotView], me: RobotView, i: int, then: int | None) -> Action | None:
        """A step as it can be done from where the robot is; None where it cannot, or where it is done already."""
        skill, args = self.steps[i].action.skill, self.steps[i].action.args
        if skill == "navigate":
            at = me.look("at", me.name)
            after = self.steps[then].action if then is not None else None
            if at == args[0] and (after is None or self._works(me, after, at, me.look("stand", me.name))):
                self.done.add(i)
                return None
            return self._approach(me, args[0], after, i)
        if skill in ("open", "close") and me.look("open", args[0]) is (skill == "open"):
            self.done.add(i)
            return None
        action = Action(skill, args, f"{WHY.capitalize()}.")
        if self._works(me, action, me.look("at", me.name), me.look("stand", me.name)):
            return action
        base = self._base(me, action)
        return self._approach(me, base, action, i) if me.card.moves and base is not None else None

    def _base(self, me: RobotView, action: Action) -> str | None:
        r = Reading(me)
        place = r.where(action.args[0]) if action.skill == "pick" else action.args[-1]
        return r.furniture_of(place) or (place if isinstance(place, str) else None)

    def _works(self, me: RobotView, action: Action, at: Any, stand: Any) -> bool:
        """True if a robot could do something from a side, as far as the team knows."""
        here = at == me.look("at", me.name) and stand == me.look("stand", me.name)
        pose = me.look("pose", me.name) if here else me.look("stand_pose", at, stand)
        if (me.name, str(action), (at, stand, pose)) in self._failed:
            return False
        if not here:
            belief = Belief(me.belief.base, me.belief.listings)
            belief.tell_all(me.belief.facts())
            later = me.time + 1.0
            for pred, value in (("at", at), ("stand", stand), ("pose", pose)):
                belief.tell(Fact(pred, (me.name,), value, later, me.name))
            assert self._lookup is not None
            me = replace(me, belief=belief, look=self._lookup(belief))
        if known_verdict(me, action).ok is False:
            return False
        r = Reading(me)
        if action.skill == "place" and action.args[1] == r.table and self._for_the_arm(r, action.args[0]):
            return not r.hand_over_stands(me.name) or stand in r.hand_over_stands(me.name)
        return True

    def _for_the_arm(self, r: Reading, thing: str) -> bool:
        """True if an arm that cannot move takes a thing from the table later."""
        return any(
            s.action.skill == "pick" and s.action.args[0] == thing and s.robot == r.arm
            for j, s in enumerate(self.steps)
            if j not in self.done
        )

    def _approach(self, me: RobotView, furniture: Any, then: Action | None, i: int) -> Action | None:
        """The side of some furniture from which the next thing can be done; a shift of the base where none is."""
        words = f"I go where I can {then.skill}, {WHY}." if then is not None else f"{WHY.capitalize()}."
        blocked = False
        sides: Any = me.look("all_stands", furniture)
        for stand in sides or ():
            action = Action("navigate", (furniture, stand), words)
            if (me.name, str(action), _place(me)) in self._failed:
                continue
            if then is not None and not self._works(me, then, furniture, stand):
                continue
            verdict = known_verdict(me, action)
            if verdict.ok is not False:
                return action
            blocked |= verdict.cause is not None and verdict.cause.clause == "occupant"
        if then is not None and then.skill == "pick" and me.look("at", me.name) == furniture:
            r = Reading(me)
            spot = r.spot(then.args[0])
            shift = shift_for(r, spot) if spot is not None and "move" in me.card.skills else None
            if shift is not None and (me.name, str(Action("move", shift)), _place(me)) not in self._failed:
                return Action("move", shift, f"I come nearer, {WHY}.")
        self._waits[i] = self._waits.get(i, 0) + 1
        if blocked and self._waits[i] <= MOST_WAITS:
            return Action(WAIT, (), f"Somebody stands where I have to go, {WHY}.")
        return None

    # -- planning anew --------------------------------------------------------------------------------------------
    def _replan(
        self, views: Mapping[str, RobotView], why: str, step: Step | None = None, progress: bool = False
    ) -> bool:
        self._replans += not progress
        if step is not None and step.action.args:
            key = (step.robot, str(step.action.args[-1 if step.action.skill == "place" else 0]))
            if key in self._doubted:  # what is believed now does not explain it: another robot, or elsewhere
                self._avoid |= {key}
            self._doubted.add(key)
        words = self._trouble or why
        try:
            if self._replans > MOST_REPLANS:
                raise Unplanned(f"it was planned {MOST_REPLANS} times in vain; {words}")
            answer = plan_for(views, self._avoid)
            if not answer.found:
                raise Unplanned(f"{words.rstrip('.')}. {answer.words}" if step is not None else answer.words)
        except Unplanned as err:
            self.drop()
            self.news.append(f"I leave the team to itself again: {err}")
            return False
        self._take(answer)
        return True


def _place(me: RobotView) -> Any:
    return (me.look("at", me.name), me.look("stand", me.name), me.look("pose", me.name))
