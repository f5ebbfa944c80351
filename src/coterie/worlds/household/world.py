"""The world of houses: robots that see through cameras and act in small steps. It is ground truth and nothing else.

Every action takes one second and one step of the battery. All that start together end together, one after the other in
the order of the roster, and each is judged as it ends: of two robots that step to one place, the first gets there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from coterie.core.action import Action, Outcome
from coterie.core.card import Card
from coterie.core.causes import by_driver
from coterie.core.expr import Lookup
from coterie.core.fact_world import Acting
from coterie.core.facts import Belief, Fact
from coterie.core.judge import Flaw, flaw_of
from coterie.core.looking import JUDGE, judged, said
from coterie.core.protocol import Ask, Reply
from coterie.core.skill import Skill, fill, outcome_of
from coterie.core.task import Goal, Progress, Task
from coterie.core.wire import carry_record, pack, unpack
from coterie.core.world import Observation
from coterie.worlds.household import fluents
from coterie.worlds.household.bodies import HANDLES, RESIDENT
from coterie.worlds.household.fluents import stepped
from coterie.worlds.household.perception import CELL_M, Lying, Perception, camera_of
from coterie.worlds.household.perception.backends import sight_of
from coterie.worlds.household.perception.geometric import Geometric
from coterie.worlds.household.perception.observing import Left, Observing, bump
from coterie.worlds.household.setting import Noise, Setting, Start, Steps
from coterie.worlds.household.skills import SKILLS
from coterie.worlds.household.truth import SOMETHING, Truth, hidden, plain_house

if TYPE_CHECKING:
    from coterie.worlds.household.perception.photos import Photos
    from coterie.worlds.household.physics import Physics

STEP_S = 1.0
_OF_EPISODE = frozenset({"astray", "spoilt", "ended"})  # what no house has
WAYS = {"MoveAhead": "ahead", "MoveBack": "back", "MoveLeft": "left", "MoveRight": "right"}


class Underway(NamedTuple):
    action: Action
    begun: float


carry_record(Underway, "household_underway")
carry_record(Lying, "household_lying")
carry_record(Left, "household_left")


class HouseholdWorld(Acting):
    brief = True

    def __init__(
        self,
        task: Task,
        seed: int = 0,
        noise: Noise | None = None,
        steps: Steps | None = None,
        sight: Perception | None = None,
    ):
        setting: Setting = task.setting
        self.setting, self.rules, self.steps = setting, task.rules, steps or Steps()
        self.goal = task.goal
        self.limit_s = None if task.step_limit is None else task.step_limit * STEP_S
        self.truth = Truth(setting.house, self.steps, sight or sight_of(setting.house), seed)
        if isinstance(self.truth.sight, Geometric):
            self.truth.sight.step_m = self.steps.move
        self.cards = self.truth.cards
        self.observing = Observing(self.truth, noise or Noise())
        self.underway = {}
        self.resting: set[str] = set()  # those whose battery is flat or who have stopped
        self.look = self.truth.quick(fluents.over(self._get, self.steps))
        self._photos: Photos | None = None
        self.physics: Physics | None = None  # where grasps and doors are tried
        self._judged: tuple[Goal, object, Progress] | None = None  # how far a goal had come, and when
        starts = dict(setting.starts)
        for name, card in task.robots:
            self._join(name, card, {"start": starts.get(name)})
        self.truth.news.clear()

    @property
    def now(self) -> float:
        return self.truth.now

    @now.setter
    def now(self, time: float) -> None:
        self.truth.now = time

    # -- truth ----------------------------------------------------------------------------------------------------
    def _get(self, pred: str, *args: Any) -> Any:
        if pred not in _OF_EPISODE:
            return self.truth.get(pred, *args)
        if pred == "astray":
            return self._astray()
        if pred == "spoilt":
            known = {*self.setting.misplaced, *self._left(), *self._in_use()}
            return sum(not self.truth.get("tidy", t) for t in self.truth.moved if t not in known)
        at_limit = self.limit_s is not None and self.now >= self.limit_s - 1e-9
        return at_limit or all(n in self.resting for n, c in self.truth.cards.items() if c.body != RESIDENT)

    def _astray(self) -> tuple[str, ...]:
        """The things that count: misplaced at first or left by residents, without those that residents hold."""
        if not self.residents:
            return self.setting.misplaced
        used = self._in_use()
        return tuple(t for t in dict.fromkeys((*self.setting.misplaced, *self._left())) if t not in used)

    def _left(self) -> list[str]:
        """Things that residents have left where they do not belong."""
        return [t for t in self.truth.moved if ("left", t) in self.truth.facts] if self.residents else []

    def _in_use(self) -> set[str]:
        return {self.truth.facts["holding", n] for n in self.residents} - {None}

    @property
    def residents(self) -> list[str]:
        return [n for n, c in self.truth.cards.items() if c.body == RESIDENT]

    def map(self) -> Mapping[tuple[str, ...], object]:
        return {("house",): self.setting.house.name}

    def lookup(self, belief: Belief) -> Lookup:
        return fluents.over(hidden(belief.value), self.steps)

    def skill(self, name: str) -> Skill | None:
        return SKILLS.find(name)

    def observe(self, robot: str) -> Observation:
        resting = self.resting
        awake = tuple([n for n in self.truth.cards if n != robot and n not in resting])
        return self.observing.observe(robot, self.now, awake, self.goal)

    def photograph(self, robot: str, pixels: int) -> Mapping[str, Any]:
        """The picture of a robot's camera now, as arrays."""
        if self._photos is None:
            from coterie.worlds.household.perception.photos import Photos  # few episodes need it

            self._photos = Photos(self.truth.house)
        truth = self.truth
        image = self._photos.take(truth.scene, truth.eye(robot), truth.camera(robot), robot, pixels)
        return self._photos.arrays(image)

    # -- eyes that are a model's ------------------------------------------------------------------------------------
    def looks(self, robots: Sequence[str], step: int) -> list[Ask]:
        """Requests to the model that says what things robots see; none where none is asked."""
        vision, truth = self.observing.vision, self.truth
        if vision is None:
            return []
        eyes = {n: (truth.eye(n), camera_of(truth.cards[n])) for n in robots if n in truth.cards}
        return [*vision.asks(truth.scene, eyes, step), *vision.judgements(list(eyes), step)]

    def looked(self, asks: Sequence[Ask], replies: Sequence[Reply]) -> dict[str, Outcome]:
        """Take in replies of the model: things that it saw and are not there, robots may notice later. Returned are the
        outcomes that it judged, as their robots are to hear of them."""
        vision = self.observing.vision
        assert vision is not None
        heard: dict[str, Outcome] = {}
        for ask, reply in zip(asks, replies, strict=True):
            if ask.stage == JUDGE:
                heard[ask.robot] = judged(vision.tried.pop(ask.robot), said(reply.text))
                continue
            for ghost in vision.take(ask.robot, reply.text, ask.step):
                self.observing.leave(*ghost)
        return heard

    def distance(self, one: str, other: str) -> float | None:
        """How far two robots are apart [m]; for radios that do not reach everywhere."""
        a, b = self.truth.standing.get(one), self.truth.standing.get(other)
        return None if a is None or b is None else float(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5)

    # -- acting ---------------------------------------------------------------------------------------------------
    def _flaw(self, robot: str, action: Action) -> Flaw | None:
        """Why an action cannot be done now. Who has no arm is told so, and not that it lacks a skill."""
        able = self.truth.cards[robot].skills
        if action.skill in HANDLES and action.skill not in able:
            able = (*able, action.skill)
        return flaw_of(robot, able, action, SKILLS.find(action.skill), self.look, self.rules)

    def _begun(self, robot: str, action: Action) -> Underway:
        return Underway(action, self.now)

    def advance(self, until: float | None = None) -> list[Outcome]:
        due = min((u.begun for u in self.underway.values()), default=None)
        if due is None or (until is not None and due + STEP_S > until):
            self.now = self.now if until is None else max(self.now, until)
            return []
        self.now = max(self.now, due + STEP_S)
        ending = [r for r in self.truth.cards if r in self.underway and self.underway[r].begun <= due + 1e-9]
        ended, vision = [self._end(robot) for robot in ending], self.observing.vision
        if vision is not None and vision.judges:
            vision.tried.update((o.robot, o) for o in ended if o.action.skill in HANDLES)
        return ended

    def _end(self, robot: str) -> Outcome:
        action, begun = self.underway.pop(robot)
        flaw, took = self._flaw(robot, action), self.now - begun
        if flaw is None and self.physics is not None:
            flaw = self.physics.flaw(robot, action)
        facts: tuple[Fact, ...] = ()
        if flaw is None:
            words, facts = self._do(robot, action)
        else:
            facts = self._lesson(robot, action, flaw)
        self._use_battery(robot)
        facts = (*self._felt(robot), *facts)
        if flaw is not None:
            cause = flaw.cause
            if cause.moment != "during":
                cause = cause.at("after" if self._changed(robot, action, begun) else "before")
            return Outcome(robot, action, "failed", flaw.words, begun, took, facts, cause=cause)
        return Outcome(robot, action, "done", words, begun, took, facts)

    def _changed(self, robot: str, action: Action, begun: float) -> bool:
        """True if an object of an action has changed since it began: others were faster."""
        about = [a for a in action.args if isinstance(a, str)]
        if action.skill in WAYS:
            about = [self.truth.get("in_way", robot, WAYS[action.skill]) or ""]
        times = self.truth.times
        return any(times.get((pred, name), -1.0) > begun for name in about for pred in ("pose", "spot", "where"))

    def _do(self, robot: str, action: Action) -> tuple[str, tuple[Fact, ...]]:
        """Let an action have its effects; the words for it, and what its robot knows of them without looking."""
        truth, skill = self.truth, SKILLS[action.skill]
        bound = skill.bind(robot, action.args) or {}
        changed = outcome_of(skill, bound, self.look)
        held = truth.facts["holding", robot] or (action.args[0] if action.skill == "PickUp" else None)
        if held is not None and ("where", held) in changed:
            lying = truth.scene.lying(held)
            if lying is not None:
                self.observing.leave(held, lying.on, lying.spot)
        for key, value in changed.items():
            truth.set(key, value)
        if truth.facts["stopped", robot]:
            self.resting.add(robot)
        if held is not None and truth.cards[robot].body == RESIDENT:
            self._handled(robot, held)
        if action.skill in WAYS:
            self.observing.drifted(robot, self.now)
        return fill(skill.says, bound, self.look), self.observing.effects(robot, changed, self.now)

    def _handled(self, robot: str, thing: str) -> None:
        """A resident has taken a thing, which need not stay any more, or left it."""
        truth = self.truth
        if truth.facts["holding", robot] == thing:
            if truth.facts.get(("keep", thing)) is not None:
                truth.set(("keep", thing), None)
        elif not truth.get("tidy", thing):
            truth.set(("left", thing), robot)

    def _use_battery(self, robot: str) -> None:
        left = self.truth.facts["battery", robot]
        if left:
            self.truth.set(("battery", robot), left - 1)
            if left == 1:
                self.resting.add(robot)
        ghost = self.observing.ghost(robot, round(self.now, 6)) if self.observing.noise.false > 0 else None
        if ghost is not None:
            self.observing.leave(*ghost)

    def _felt(self, robot: str) -> list[Fact]:
        """Facts that a robot notices of itself after an action."""
        return [f for f in self.observing.itself(robot).values() if f.time == self.now]

    def _lesson(self, robot: str, action: Action, flaw: Flaw) -> tuple[Fact, ...]:
        """Facts that a failure teaches: where one cannot step, how heavy a thing is that cannot be lifted."""
        clause, truth = flaw.cause.clause, self.truth
        if clause == "blocked" and truth.get("in_way", robot, WAYS[action.skill]) == SOMETHING:
            to = self.observing.shifted(robot, stepped(truth.facts["pose", robot], WAYS[action.skill], self.steps))
            return (Fact("area", (robot,), bump(to), self.now, robot),)
        if clause == "too_heavy":
            return (Fact("mass", (action.args[0],), truth.get("mass", action.args[0]), self.now, robot),)
        return ()

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what a robot with a driver of its own has done, if that can be so here."""
        robot = outcome.robot
        if not outcome.ok:
            self._use_battery(robot)
            return by_driver(outcome)
        self.underway[robot] = Underway(outcome.action, outcome.start)
        ended = self._end(robot)
        if ended.ok:
            return ended._replace(reason=outcome.reason)
        return ended if ended.cause is None else ended._replace(cause=ended.cause.at("after"))

    # -- coming and going -----------------------------------------------------------------------------------------
    def _enter(self, robot: str, card: Card, data: Mapping[str, Any]) -> None:
        truth, start = self.truth, data.get("start")
        pose = truth.start_pose(robot, card, None if start is None else Start(*start))
        truth.cards[robot] = card
        for pred, value in (("pose", pose), ("holding", None), ("battery", card.battery_steps), ("stopped", False)):
            truth.set((pred, robot), value)

    def _leave(self, robot: str) -> Mapping[str, Any]:
        truth = self.truth
        held: str | None = truth.facts["holding", robot]
        if held is not None:
            spot = truth.get("drop_spot", robot)
            truth.set(("where", held), "floor")
            truth.set(("spot", held), spot)
        self.underway.pop(robot, None)
        self.resting.discard(robot)
        del truth.cards[robot], truth.standing[robot]
        for key in [key for key in truth.facts if key[1:] == (robot,)]:
            del truth.facts[key], truth.times[key]
        self.observing.forget()
        self.observing.drift.pop(robot, None)
        return {"dropped": held}

    # -- judging, logging, taking back ----------------------------------------------------------------------------
    def progress(self) -> Progress:
        goal = self.goal
        if not getattr(goal, "of_things", False):
            return goal.progress(self.look)
        judged, state = self._judged, (self.truth.laid, self._get("ended"))
        if judged is None or judged[0] is not goal or judged[1] != state:
            judged = self._judged = goal, state, goal.progress(self.look)
        return judged[2]

    def trace(self) -> list[list[Any]]:
        facts = self.truth.facts
        changed = [[key[0], list(key[1:]), facts[key]] for key in self.truth.news if key in facts]
        self.truth.news.clear()
        return changed

    def start_data(self) -> dict[str, Any]:
        truth, house = self.truth, self.setting.house
        return {
            "robots": {n: {"card": c, "pose": truth.facts["pose", n]} for n, c in truth.cards.items()},
            "scene": {**plain_house(house, truth.rooms), "cell_m": CELL_M, "steps": self.steps.text()}
            | ({"wanted": house.wanted} if house.wanted else {}),
            "things": [[t.name, t.kind, "", t.on, t.spot] for t in house.things],
        }

    def snapshot(self) -> bytes:
        truth, seen = self.truth, self.observing
        kept = (
            self.goal,
            self.now,
            tuple(truth.course),
            truth.cards,
            truth.facts,
            truth.moved,
            truth.news,
            self.underway,
            self.resting,
        )
        return pack((*kept, truth.times, tuple(seen.left), seen.drift))

    def restore(self, data: bytes) -> None:
        truth, seen = self.truth, self.observing
        self.goal, self.now, course, cards, facts, moved, news, underway, resting, times, left, drift = unpack(data)
        for mine, kept in (
            (truth.cards, cards), (truth.facts, facts), (truth.moved, moved), (truth.news, news), (truth.times, times),
            (seen.drift, drift), (self.underway, underway),
        ):  # fmt: skip
            mine.clear()
            mine.update(kept)
        seen.left[:], truth.course[:], self.resting = list(left), course, set(resting)
        truth.restand()
        truth.laid += 1
        seen.forget()
        if seen.vision is not None:
            seen.vision.tried.clear()
