"""Executes skills in the simulated house: judges them on the truth, lets them take their time, applies their effects.

A real robot would have a driver of its own with the same two verbs: `start`, and `poll` on what it returned.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.core.action import COMMUNICATE, WAIT, Action, Cause, Message, Outcome
from coterie.core.causes import by_driver, called_off, not_on_card, wrong_count, wrong_kind
from coterie.core.expr import Compare, Expr, Fluent
from coterie.core.facts import Fact, stamped
from coterie.core.judge import first_failure, lesson
from coterie.core.skill import Skill, fill, outcome_of
from coterie.houses.scene import dist
from coterie.motion.grid import Point
from coterie.worlds.indoor.continuous_traffic import Route, among, way
from coterie.worlds.indoor.fluents import POSE_TOLERANCE_M
from coterie.worlds.indoor.perception import Perception
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.state import HouseState

EPS = 1e-9
_new = tuple.__new__  # of records that are made in every step: without a call in Python

#: Outcomes may teach these; everything else is better seen than told.
LESSONS = frozenset({"allowed", "stand_allowed", "open", "may_place"})


SLIP, MISPLACE, DRIFT, MISJUDGE = "slip", "misplace", "drift", "misjudge"  # accidents, named as the noise is


class Flaw(NamedTuple):
    """Why an action fails: the words, what it teaches, and the cause."""

    words: str
    lesson: tuple[Fact, ...]
    cause: Cause


class Judgement(NamedTuple):
    failure: Flaw | None
    skill: Skill | None
    bound: dict[str, Any]


class Underway:
    """An action under way."""

    __slots__ = ("action", "bound", "driver", "end", "failure", "order", "robot", "route", "skill", "start", "version")

    def __init__(self, driver: SimDriver, robot: str, action: Action, start: float, order: int):
        self.driver, self.robot, self.action, self.order = driver, robot, action, order
        self.start, self.end = start, start
        self.version = driver.world.version
        self.route: Route | None = None  # while it goes somewhere
        self.failure, self.skill, self.bound = None, None, {}  # type: Flaw | None, Skill | None, dict[str, Any]

    def poll(self, now: float) -> Outcome | None:
        return self.driver.finish(self) if now >= self.end - EPS else None

    def cancel(self, now: float) -> Outcome:
        self.driver.routes.pop(self.robot, None)
        words, cause = "The action was cancelled.", called_off(self.robot)
        return Outcome(self.robot, self.action, "cancelled", words, self.start, now - self.start, cause=cause)


class SimDriver:
    def __init__(self, world: HouseState, perception: Perception):
        self.world, self.perception = world, perception
        self.order = 0
        self.routes: dict[str, Route] = {}  # of those under way
        self.setting_out: frozenset[str] = frozenset()  # at this moment, in whatever order they are started

    def start(self, robot: str, action: Action, now: float) -> Underway:
        self.order += 1
        u = Underway(self, robot, action, now, self.order)
        u.failure, u.skill, u.bound = self.judge(robot, action)
        u.end = now + (self._duration(u) if u.skill is not None else 1.0)
        if u.route is not None:
            self.routes[robot] = u.route
        return u

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what a driver outside has done: its success has the effects that the skill declares, if it can."""
        if not outcome.ok:
            self.world.truth["used", outcome.robot] += outcome.action.skill != WAIT
            return by_driver(outcome)
        u = self.start(outcome.robot, outcome.action, outcome.start)
        u.end = outcome.start + outcome.duration
        done = self.finish(u)
        if done.ok:
            return outcome._replace(facts=done.facts, message=done.message)
        return done if done.cause is None else done._replace(cause=done.cause.at("after"))

    def judge(self, robot: str, action: Action, public_only: bool = False) -> Judgement:
        """Why an action fails now, with what that teaches; None if it does not."""
        world = self.world
        card = world.cards[robot]
        skill = skills.find(action.skill)
        if skill is None or action.skill not in card.skills:
            words = f"{robot} ({card.body}) cannot {action.skill}; it can {', '.join(card.skills)}."
            return Judgement(Flaw(words, (), not_on_card(robot, card.skills)), None, {})
        bound = skill.bind(robot, action.args)
        if bound is None:
            words = f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}."
            return Judgement(Flaw(words, (), wrong_count(skill, action.args)), skill, {})
        odd = [a for a in action.args if type(a) is not str and not _well_formed(a)]
        if odd:
            words = f"{skill.signature}: an argument is neither a name nor a number."
            return Judgement(Flaw(words, (), wrong_kind(skill, action.args, odd[0])), skill, bound)
        rules = [r for r in world.rules if r.public] if public_only else world.rules
        failure = first_failure(skill, bound, world.look, rules)
        if failure is None:
            return _new(Judgement, (None, skill, bound))
        learnt = lesson(failure, world.now, robot, LESSONS)
        learnt += self._barrier(failure.clause.expr, robot, bound)
        return Judgement(Flaw(failure.words, learnt, failure.told), skill, bound)

    def _barrier(self, expr: Expr, robot: str, bound: dict[str, Any]) -> tuple[Fact, ...]:
        """The fact that a robot learns where a closed door, or a room that is closed to it, stopped it."""
        pred = expr.left.pred if isinstance(expr, Compare) and isinstance(expr.left, Fluent) else ""
        if pred not in ("shut_door", "closed_room"):
            return ()
        name = str(self.world.look(pred, robot, bound["furniture"], bound["stand"]))
        told, args = ("open", (name,)) if pred == "shut_door" else ("allowed", (robot, name))
        return (Fact(told, args, False, self.world.now, robot),)

    def _duration(self, u: Underway) -> float:
        assert u.skill is not None
        if u.skill.name not in ("navigate", "move") or u.failure is not None:
            return u.skill.duration_s
        world = self.world
        card = world.cards[u.robot]
        pose, now, held_up = world.truth["pose", u.robot], u.start, 0.0
        if u.skill.name == "move":
            points: tuple[Point, ...] = (pose, (pose[0] + u.bound["dx"], pose[1] + u.bound["dy"]))
        else:
            goal = world.scene.stand_poses[u.bound["furniture"], u.bound["stand"]]
            planner = world.fluents.nav(world.look, u.robot, card)
            points, held_up = way(planner, pose, goal, card.footprint_m, self._resting(u.robot))
        route, evading = among(Route(points, now, card.speed_mps, card.footprint_m), self._others(u.robot))
        u.route = route
        return u.skill.duration_s + route.end - now + held_up + evading

    def _alike(self, robot: str) -> list[str]:
        """Others that need the same kind of room."""
        cards = self.world.cards
        mobility = cards[robot].mobility
        return [n for n, c in cards.items() if c.mobility == mobility and n != robot and c.moves]

    def _resting(self, robot: str) -> list[tuple[Point, float]]:
        """Where others stand, and will stand while this one goes."""
        world, moving = self.world, self.setting_out
        return [
            (world.truth["pose", n], world.cards[n].footprint_m)
            for n in self._alike(robot)
            if n not in moving and self.routes.get(n) is None
        ]

    def _others(self, robot: str) -> list[Route]:
        return [route for n in self._alike(robot) if (route := self.routes.get(n)) is not None]

    def finish(self, u: Underway) -> Outcome:
        """Apply the effects, unless something others did in the meantime, or an accident, prevents them."""
        world = self.world
        self.routes.pop(u.robot, None)
        if u.failure is None and u.version != world.version and u.skill is not None and u.skill.when:
            broken = self.judge(u.robot, u.action).failure  # by what others did in the meantime
            u.failure = broken and broken._replace(cause=broken.cause.at("after"))
        if u.action.skill != WAIT:
            world.truth["used", u.robot] += 1
        took = u.end - u.start
        if u.failure is not None:
            words, learnt, cause = u.failure
            failed = Outcome(u.robot, u.action, "failed", words, u.start, took, learnt, cause=cause)
            return self._misjudged(u, failed)
        skill, bound = u.skill, u.bound
        assert skill is not None
        if world.noise.any:
            accident = self._accident(u, skill, bound)
            if accident is not None:
                return accident
        spot = None
        if skill.name == "place":
            spot = world.arm_found(u.robot, bound["object"], bound["platform"]).spot
        for key, value in outcome_of(skill, bound, world.look).items():
            world.set(key, value)
        if spot is not None:
            world.set(("spot", bound["object"]), spot)
        message = None
        if skill.name == COMMUNICATE:
            content, recipients = u.action.args
            facts = stamped(u.action.facts, world.now)
            message = Message(u.robot, world.hearers(u.robot, recipients), str(content), facts, world.now)
        words = fill(skill.says, bound, self.perception.look_of(u.robot)).strip()
        outcome: Outcome = _new(Outcome, (u.robot, u.action, "done", words, u.start, took, (), message, None))
        return outcome if world.noise.misjudge <= 0 else self._misjudged(u, outcome)

    # -- accidents ------------------------------------------------------------------------------------------------
    def _accident(self, u: Underway, skill: Skill, bound: dict[str, Any]) -> Outcome | None:
        world, noise, rng = self.world, self.world.noise, self.world.rng
        words, what, fact = None, "", None  # type: str | None, str, Any
        if skill.name == "pick" and rng.random() < noise.slip:
            what, fact = SLIP, ("holding", (u.robot,), None)
            words = f"The grasp slipped: {bound['object']} was not picked up."
        elif skill.name == "place" and rng.random() < noise.misplace:
            beside = self._beside(u.robot, bound["platform"])
            if beside is not None:
                place, spot = beside
                world.put(bound["object"], place, spot)
                world.set(("holding", u.robot), None)
                what, fact = MISPLACE, ("where", (bound["object"],), place)
                where = f"on the floor beside {place[6:]}" if place.startswith("floor@") else f"on {place}"
                words = f"{bound['object']} was not placed at the target location: it lies {where}."
        elif skill.name == "navigate" and rng.random() < noise.drift:
            goal = world.scene.stand_poses[bound["furniture"], bound["stand"]]
            grid = world.fluents.nav(world.look, u.robot, world.cards[u.robot]).grid
            off = (goal[0] + rng.uniform(-0.6, 0.6), goal[1] + rng.uniform(-0.6, 0.6))
            free = grid.nearest_free(off, 0.5)
            far = free is not None and dist(free, goal) > POSE_TOLERANCE_M
            if free is not None and far and world.fluents.standing_at(world.look, u.robot, free) is None:
                world.set(("pose", u.robot), free)
                world.set(("at", u.robot), bound["furniture"])
                world.set(("stand", u.robot), None)
                what, fact = DRIFT, ("off_pose", (u.robot,), round(dist(free, goal), 2))
                words = (
                    f"{u.robot} ended {dist(free, goal):.2f} m off the target pose, more than the allowed "
                    f"{POSE_TOLERANCE_M:.2f} m."
                )
        if words is None:
            return None
        cause = Cause(what, fact, "during")
        return Outcome(u.robot, u.action, "failed", words, u.start, u.end - u.start, cause=cause)

    def _beside(self, robot: str, platform: str) -> tuple[str, tuple[float, float, float]] | None:
        """Where a thing comes to lie that misses its place: on the table beside a platform, or on the floor beside a
        piece of furniture, where its robot stands."""
        world = self.world
        furniture = world.fluents.base_of(world.look, platform)
        if furniture is None:
            return None
        card, pose = world.cards[robot], world.truth["pose", robot]
        if furniture != platform:
            spot = world.fluents.free_spot(world.look, card, pose, furniture)
            return None if spot is None else (furniture, spot)
        stands = world.scene.piece[furniture].stands
        if not stands:
            return None
        x, y = min(stands, key=lambda s: (dist(s, pose), s))
        return f"floor@{furniture}", (x, y, 0.0)

    def _misjudged(self, u: Underway, outcome: Outcome) -> Outcome:
        """A robot may be wrong about what it did with its hand. It then takes the hand for empty, or not, as it judged,
        until it tries the next thing with it."""
        if u.action.skill not in ("pick", "place") or self.world.noise.misjudge <= 0:
            return outcome
        truth = self.world.truth
        truth.pop(("felt", u.robot), None)
        if self.world.rng.random() >= self.world.noise.misjudge:
            return outcome
        held = u.action.args[0] if u.action.args and u.action.args[0] in self.world.things else None
        truth["felt", u.robot] = held if (u.action.skill == "pick") == (not outcome.ok) else None
        if outcome.ok:
            words, cause = f"{u.action} was judged to have failed.", Cause(MISJUDGE, None, "after")
            return outcome._replace(status="failed", reason=words, cause=cause)
        words = f"{u.action} was judged to have succeeded."
        return outcome._replace(status="done", reason=words, facts=(), cause=None)


def _well_formed(arg: Any) -> bool:
    if isinstance(arg, tuple):
        return all(isinstance(a, str) for a in arg)
    return isinstance(arg, (str, int, float))
