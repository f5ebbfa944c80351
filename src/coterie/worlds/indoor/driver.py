"""Executes skills in the simulated house: judges them on the truth, lets them take their time, applies their effects.

A real robot would have a driver of its own with the same two verbs: `start`, and `poll` on what it returned.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.core.action import COMMUNICATE, WAIT, Action, Message, Outcome
from coterie.core.effects import outcome_of
from coterie.core.facts import Fact
from coterie.core.judge import first_failure, lesson
from coterie.core.skill import Skill, fill
from coterie.worlds.indoor.fluents import POSE_TOLERANCE_M
from coterie.worlds.indoor.perception import Perception
from coterie.worlds.indoor.scenes.scene import dist
from coterie.worlds.indoor.state import HouseState

EPS = 1e-9

#: Outcomes may teach these; everything else is better seen than told.
LESSONS = frozenset({"allowed", "stand_allowed", "open", "may_place"})


class Judgement(NamedTuple):
    failure: tuple[str, tuple[Fact, ...]] | None  # words and lesson
    skill: Skill | None
    bound: dict[str, Any]


class Underway:
    """An action under way."""

    __slots__ = ("action", "bound", "driver", "end", "failure", "order", "robot", "skill", "start", "version")

    def __init__(self, driver: SimDriver, robot: str, action: Action, start: float, order: int):
        self.driver, self.robot, self.action, self.order = driver, robot, action, order
        self.start, self.end = start, start
        self.version = driver.world.version
        self.failure, self.skill, self.bound = None, None, {}  # type: Any, Skill | None, dict[str, Any]

    def poll(self, now: float) -> Outcome | None:
        return self.driver.finish(self) if now >= self.end - EPS else None

    def cancel(self, now: float) -> Outcome:
        return Outcome(self.robot, self.action, "cancelled", "The action was cancelled.", self.start, now - self.start)


class SimDriver:
    def __init__(self, world: HouseState, perception: Perception):
        self.world, self.perception = world, perception
        self.order = 0

    def start(self, robot: str, action: Action, now: float) -> Underway:
        self.order += 1
        u = Underway(self, robot, action, now, self.order)
        u.failure, u.skill, u.bound = self.judge(robot, action)
        u.end = now + (self._duration(u) if u.skill is not None else 1.0)
        return u

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what a driver outside has done: its success has the effects that the skill declares, if it can."""
        if not outcome.ok:
            self.world.truth["used", outcome.robot] += outcome.action.skill != WAIT
            return outcome
        u = self.start(outcome.robot, outcome.action, outcome.start)
        u.end = outcome.start + outcome.duration
        done = self.finish(u)
        return outcome._replace(facts=done.facts, message=done.message) if done.ok else done

    def judge(self, robot: str, action: Action, public_only: bool = False) -> Judgement:
        """Why an action fails now, with what that teaches; None if it does not."""
        world = self.world
        card = world.cards[robot]
        skill = world.skill(action.skill)
        if skill is None or action.skill not in card.skills:
            words = f"{robot} ({card.body}) cannot {action.skill}; it can {', '.join(card.skills)}."
            return Judgement((words, ()), None, {})
        bound = skill.bind(robot, action.args)
        if bound is None:
            words = f"{skill.signature} takes {len(skill.params)} arguments, not {len(action.args)}."
            return Judgement((words, ()), skill, {})
        if not all(_well_formed(a) for a in action.args):
            return Judgement((f"{skill.signature}: an argument is neither a name nor a number.", ()), skill, bound)
        rules = [r for r in world.rules if r.public] if public_only else world.rules
        failure = first_failure(skill, bound, world.look, rules)
        if failure is None:
            return Judgement(None, skill, bound)
        learnt = lesson(failure, bound, world.look, world.now, robot, LESSONS)
        return Judgement((failure.words, learnt), skill, bound)

    def _duration(self, u: Underway) -> float:
        assert u.skill is not None
        if u.skill.name != "navigate" or u.failure is not None:
            return u.skill.duration_s
        world = self.world
        card = world.cards[u.robot]
        goal = world.scene.stand_poses[u.bound["furniture"], u.bound["stand"]]
        planner = world.scene.nav(card, world.fluents.closed_doors(world.look))
        length = planner.length(world.truth["pose", u.robot], goal)
        return u.skill.duration_s + (length or 0.0) / card.speed_mps

    def finish(self, u: Underway) -> Outcome:
        """Apply the effects, unless something others did in the meantime, or an accident, prevents them."""
        world = self.world
        if u.failure is None and u.version != world.version and u.skill is not None and u.skill.when:
            u.failure = self.judge(u.robot, u.action).failure
        if u.action.skill != WAIT:
            world.truth["used", u.robot] += 1
        took = u.end - u.start
        if u.failure is not None:
            return self._misjudged(u, Outcome(u.robot, u.action, "failed", u.failure[0], u.start, took, u.failure[1]))
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
            message = Message(u.robot, world.hearers(u.robot, recipients), str(content), u.action.facts, world.now)
        words = fill(skill.says, bound, self.perception.look_of(u.robot)).strip()
        return self._misjudged(u, Outcome(u.robot, u.action, "done", words, u.start, took, (), message))

    # -- accidents ------------------------------------------------------------------------------------------------
    def _accident(self, u: Underway, skill: Skill, bound: dict[str, Any]) -> Outcome | None:
        world, noise, rng = self.world, self.world.noise, self.world.rng
        words = None
        if skill.name == "pick" and rng.random() < noise.slip:
            words = f"The grasp slipped: {bound['object']} was not picked up."
        elif skill.name == "place" and rng.random() < noise.misplace:
            table = world.fluents.furniture_of(bound["platform"])
            card, pose = world.cards[u.robot], world.truth["pose", u.robot]
            spot = world.fluents.free_spot(world.look, card, pose, table) if table else None
            if table is not None and spot is not None and table != bound["platform"]:
                world.put(bound["object"], table, spot)
                world.set(("holding", u.robot), None)
                words = f"{bound['object']} was not placed at the target location: it lies on {table}."
        elif skill.name == "navigate" and rng.random() < noise.drift:
            goal = world.scene.stand_poses[bound["furniture"], bound["stand"]]
            grid = world.scene.nav(world.cards[u.robot], world.fluents.closed_doors(world.look)).grid
            off = (goal[0] + rng.uniform(-0.6, 0.6), goal[1] + rng.uniform(-0.6, 0.6))
            free = grid.nearest_free(off, 0.5)
            far = free is not None and dist(free, goal) > POSE_TOLERANCE_M
            if free is not None and far and world.fluents.standing_at(world.look, u.robot, free) is None:
                world.set(("pose", u.robot), free)
                world.set(("at", u.robot), bound["furniture"])
                world.set(("stand", u.robot), None)
                words = (
                    f"{u.robot} ended {dist(free, goal):.2f} m off the target pose, more than the allowed "
                    f"{POSE_TOLERANCE_M:.2f} m."
                )
        return None if words is None else Outcome(u.robot, u.action, "failed", words, u.start, u.end - u.start)

    def _misjudged(self, u: Underway, outcome: Outcome) -> Outcome:
        if u.action.skill not in ("pick", "place") or self.world.noise.misjudge <= 0:
            return outcome
        if self.world.rng.random() >= self.world.noise.misjudge:
            return outcome
        if outcome.ok:
            return outcome._replace(status="failed", reason=f"{u.action} was judged to have failed.")
        return outcome._replace(status="done", reason=f"{u.action} was judged to have succeeded.", facts=())


def _well_formed(arg: Any) -> bool:
    if isinstance(arg, tuple):
        return all(isinstance(a, str) for a in arg)
    return isinstance(arg, (str, int, float))
