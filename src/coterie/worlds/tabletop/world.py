"""The tabletop world: arms around one table, in MuJoCo's physics.

A step is a round. All arms are checked together, plan together and move together; a motion that fails rewinds the
round. A planner for the whole team may ask for free whether a joint action would pass the checks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from coterie.core.action import WAIT, Action, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.causes import by_driver, called_off
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.expr import Lookup
from coterie.core.facts import Belief, Fact
from coterie.core.seeds import rng_of
from coterie.core.skill import Skill
from coterie.core.task import Change, Goal, Progress, Task, goals
from coterie.core.wire import pack, unpack
from coterie.core.world import ACCIDENT, Observation
from coterie.worlds.tabletop.arms.rounds import Round, Rounds
from coterie.worlds.tabletop.bodies import job_with
from coterie.worlds.tabletop.job import STILL, Job, Layout, Refusal, flat_distance
from coterie.worlds.tabletop.jobs import job_of
from coterie.worlds.tabletop.layouts.clutter import told_clutter
from coterie.worlds.tabletop.noise import Luck, Noise
from coterie.worlds.tabletop.table import Diverged, Table
from coterie.worlds.tabletop.trajectories import SPEEDS, USUAL, episode, joint_trajectory

REST_S = 0.5  # what a round takes in which nobody moves
SHOULDER = 0.3  # [m] of an arm above its base
SETTLE_STEPS = 50  # so long when a thing was nudged
DROP_STEPS = 150  # physics goes on so long when a hand lets go without putting down
EPS = 1e-9
DRIVER_HZ = 50.0  # points of a trajectory that a driver is told


@dataclass(frozen=True)
class TableSetting:
    """The initial setting of a tabletop world."""

    job: str
    layout: Layout
    randomisation: str
    arms: tuple[str, ...] = ()  # bodies in the places of the job's own, where they were named


@dataclass(frozen=True)
class TableGoal(Goal):
    """The goal of a job, in words; the world itself knows how far it has come."""

    job: str
    words: str
    kind: str = "table"

    def progress(self, look: Lookup) -> Progress:
        progress: Progress = look("progress")  # type: ignore[assignment]
        return progress

    def text(self) -> str:
        return self.words

    def facts(self) -> list[Fact]:
        return [Fact("goal", (), self.words, 0.0, "task")]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "job": self.job, "words": self.words}


goals.put("table", lambda data: TableGoal(data["job"], data["words"]))


class TabletopWorld:
    free_check = True

    def __init__(self, task: Task, seed: int = 0, rounds: Rounds | None = None, noise: Noise | None = None):
        self.setting: TableSetting = task.setting
        self.job: Job = job_with(job_of(self.setting.job), self.setting.arms)
        self.goal = task.goal
        self.seed = seed
        self.now = 0.0
        self.cards: dict[str, Card] = dict(task.robots)
        self._broken = ""
        try:
            self.table = Table(self.job, self.setting.layout)
        except Diverged as err:
            raise CoterieError(f"The scene of '{task.name}' with seed {seed} does not settle: {err}.") from err
        self.rounds = rounds or Rounds(self.table, seed)
        self.noise = noise or Noise()
        self._skills = self.job.skills()
        self._begun: list[tuple[float, dict[str, Action]]] = []  # rounds that have yet to be played
        self._due: list[tuple[float, Outcome]] = []  # outcomes that will be known then
        self._traced: list[list[Any]] = [["frames", [], [self._frame(0.0)]]]
        self._map = self._common()

    # -- interface ------------------------------------------------------------------------------------------------
    def robots(self) -> Mapping[str, Card]:
        return self.cards

    def map(self) -> Mapping[tuple[str, ...], object]:
        return self._map

    def _common(self) -> dict[tuple[str, ...], object]:
        """Common knowledge: the goal, the robots, and what each can do."""
        known: dict[tuple[str, ...], object] = {("goal",): self.goal.text(), ("robots",): tuple(self.cards)}
        alone = self.job.all_or_none and len(self.cards) < len(self.table.arms)
        for robot in self.cards:
            known["role", robot] = self.job.role(robot)
            known["box", robot] = tuple(self.job.boxes[robot])
            for skill in (WAIT,) if alone else self.job.verbs[robot]:
                known["targets", robot, skill] = self.job.targets(robot, skill)
        known["things",] = self.job.graspable(self.setting.layout)
        known["loose",] = tuple(self.setting.layout.things)
        known["wanted",] = self.job.wanted(self.setting.layout)
        known["sizes",] = tuple((n, self.table.half(n)) for n in self.setting.layout.things)
        known["shoulders",] = tuple((m.name, (m.at[0], m.at[1], m.at[2] + SHOULDER)) for m in self.job.mounts)
        known["places",] = tuple(self.job.places(self.setting.layout).items())
        known["paths",] = self.job.paths
        known["fixed",] = tuple((n, (*p.at, p.yaw)) for n, p in self.setting.layout.fixed.items())
        layout = self.setting.layout
        posts = tuple((n, *pose.at, pose.yaw, *half) for n, (pose, half) in layout.posts().items())
        known["solids",] = (*self.job.solids(layout), *posts)
        known["job",] = self.job.name
        return known

    def listings(self) -> Mapping[str, str]:
        return {}

    def lookup(self, belief: Belief) -> Lookup:
        return belief.value

    def look(self, pred: str, *args: str) -> object:
        """The truth, for goals and minds that may see it."""
        if pred == "progress":
            return self.progress()
        if pred == "holding":
            return self.table.held.get(args[0])
        if pred == "at":
            return self.table.pos(args[0])
        return self._map.get((pred, *args))

    def skill(self, name: str) -> Skill | None:
        return self._skills.get(name)

    def observe(self, robot: str) -> Observation:
        facts = [Fact("note", (k,), words, self.now, robot) for k, words in self.job.notes(self.table, robot).items()]
        if self.job.paths:  # who plans the way of a hand has to know what it leads over and past
            facts += [Fact("note", (k,), words, self.now, robot) for k, words in told_clutter(self.setting.layout)]
        facts.append(Fact("holding", (robot,), self.table.held.get(robot), self.now, robot))
        facts.append(Fact("hand", (robot,), _rounded(self.table.ee(robot)), self.now, robot))
        seen = {k for (k,) in (f.args for f in facts if f.pred == "note")}
        for thing in self.setting.layout.things:
            if thing in seen:
                at = _rounded(self.table.pos(thing))
                facts.append(Fact("at", (thing,), at, self.now, robot))
                turn = round(self.job.turn(thing, self.table.yaw(thing)), 3)
                facts.append(Fact("yaw", (thing,), turn, self.now, robot))
                facts.append(Fact("area", (thing,), self.job.area(thing, at), self.now, robot))
        facts.append(Fact("status", (), self.progress().text, self.now, robot))
        return Observation(robot, self.now, tuple(facts), tuple(r for r in self.cards if r != robot))

    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]:
        gone = next((r for r in joint if r not in self.cards), None)
        if gone is not None:
            wrong: Refusal | None = Refusal("here", f"{gone} is not here; plan for {', '.join(self.cards)} alone")
        else:
            wrong = self.rounds.check(self._whole(joint))
        return {r: Verdict(True) if wrong is None else Verdict(False, wrong.words, wrong.cause(r)) for r in joint}

    def start(self, joint: Mapping[str, Action]) -> None:
        """Take note of a round. It is played when time passes, so that it can still be called off."""
        for robot in joint:
            if robot not in self.cards:
                raise CoterieError(f"'{robot}' is not here; there are: {', '.join(self.cards)}.")
            if robot in self._busy():
                raise CoterieError(f"{robot} is still busy with {self._busy()[robot]}.")
        if joint:
            self._begun.append((self.now, dict(joint)))

    def _busy(self) -> dict[str, Action]:
        begun = {r: a for _, joint in self._begun for r, a in joint.items()}
        return {**begun, **{o.robot: o.action for _, o in self._due}}

    def advance(self, until: float | None = None) -> list[Outcome]:
        for begin, joint in self._begun:
            self._play(begin, joint)
        self._begun = []
        end = min((end for end, _ in self._due), default=None)
        if end is None or (until is not None and end > until + EPS):
            if until is not None:
                self.now = max(self.now, until)
            return []
        self.now = max(self.now, end)
        ended = [o for end, o in self._due if end <= self.now + EPS]
        self._due = [(end, o) for end, o in self._due if end > self.now + EPS]
        return ended

    def _play(self, begin: float, joint: dict[str, Action]) -> None:
        """One round, from its checks to the outcomes of all robots."""
        whole = self._whole(joint)
        failure = self.rounds.check(whole)
        luck = self.rounds.luck = Luck(self.noise, self.seed, self.rounds.number, begin) if self.noise.any else None
        done = Round(failure=failure) if failure is not None else self.rounds.run(whole)
        took = round(max(done.seconds, REST_S), 6)
        for robot, action in joint.items():
            accident = done.accidents.get(robot)
            if done.failure is None and accident is not None:
                cause = accident.cause(robot)
                outcome = Outcome(robot, action, "failed", accident.words, begin, took, cause=cause)
            elif done.failure is None:
                outcome = Outcome(robot, action, "done", self._says(robot, action), begin, took)
            else:
                words, cause = done.failure.words, done.failure.cause(robot)
                outcome = Outcome(robot, action, "rewound", words, begin, took, cause=cause)
            self._due.append((begin + took, outcome))
        if luck is not None:
            self._nudge(luck)
        self._trace(begin, took, done)

    def _nudge(self, luck: Luck) -> None:
        nudged = luck.nudged(self.table)
        if nudged is not None:
            thing, before = nudged[0], self.table.pos(nudged[0])
            self.table.put(*nudged)
            self._let_settle(SETTLE_STEPS)
            self.rounds.forget()
            far = flat_distance(before, self.table.pos(thing))
            words = f"Something came against {thing}, which now lies {100 * far:.0f} cm from where it was."
            self._traced.append([ACCIDENT, [thing], words])

    def _let_settle(self, steps: int) -> None:
        try:
            self.table.step(steps)
        except Diverged as err:
            self._broken = f"{err}."

    def _whole(self, joint: Mapping[str, Action]) -> dict[str, Action]:
        """All arms of the table: those that were told nothing stand still."""
        return {r: joint.get(r, STILL) for r in self.table.arms}

    def _says(self, robot: str, action: Action) -> str:
        skill = self._skills.get(action.skill)
        if skill is None:
            return f"{robot} waited."
        return skill.says.format(robot=robot, **{p.name: a for p, a in zip(skill.params, action.args)})

    def _trace(self, begin: float, took: float, done: Round) -> None:
        frames = [] if done.failure else [[round(begin + t, 3), q] for t, q in done.frames]
        self._traced.append(["frames", [], [*frames, self._frame(begin + took)]])
        if not done.failure:
            self._traced.append(["how", [], done.how])
            self._traced += [["motion", [robot], motions] for robot, motions in done.motions.items() if motions]

    def _frame(self, time: float) -> list[Any]:
        return [round(time, 3), [round(float(v), 4) for v in self.table.data.qpos]]

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]:
        """How an arm with a driver of its own is to move: its part of the round, played here ahead of it."""
        saved, number, joint = self.table.save(), self.rounds.number, self._whole({robot: action})
        poses = [self._frame(0.0)[1]]
        failure = self.rounds.check(joint)
        done = Round(failure=failure) if failure is not None else self.rounds.run(joint)
        poses += [*(q for _, q in done.frames), self._frame(0.0)[1]]
        self.table.load(saved)
        self.rounds.number = number
        self.rounds.forget()
        if done.failure is not None or not done.frames:
            return ()
        speeds = self._speeds().get(robot) or SPEEDS.get(self.cards[robot].body, USUAL)
        names, made = episode(self.table.model, poses, {robot: speeds}, DRIVER_HZ)
        return (Fact("trajectory", (robot,), joint_trajectory(robot, names, made), self.now, robot),)

    def accept(self, outcome: Outcome) -> Outcome:
        """Take over what an arm with a driver of its own has done: it is played here, with the other arms at rest. What
        cannot be played is undone here, and has failed."""
        if not outcome.ok:
            return by_driver(outcome)
        due, self._due = self._due, []
        self._play(outcome.start, {outcome.robot: outcome.action})
        ((_, ended),) = self._due
        self._due = due
        if ended.ok:
            return outcome
        cause = ended.cause.at("after") if ended.cause is not None else None
        return ended._replace(status="failed", cause=cause, duration=outcome.duration)

    def cancel(self, robot: str) -> Outcome | None:
        """Call off what a robot was told. A round that has been played is over; only its outcome is withheld."""
        for _, joint in self._begun:
            if robot in joint:
                words, cause = f"{robot} was called off.", called_off(robot, "before")
                return Outcome(robot, joint.pop(robot), "cancelled", words, self.now, cause=cause)
        for item in self._due:
            if item[1].robot == robot:
                self._due.remove(item)
                words, cause = f"{robot} was called off when it had moved.", called_off(robot, "after")
                return item[1]._replace(status="cancelled", reason=words, cause=cause)
        return None

    def apply(self, change: Change) -> list[Event]:
        """A robot may leave, and come back: its arm stays on the table and stands still."""
        robot = str(change.data.get("robot", ""))
        if change.kind == "leave":
            if robot not in self.cards:
                raise CoterieError(f"'{robot}' is not here and cannot leave; there are: {', '.join(self.cards)}.")
            self.cancel(robot)
            held = self.table.held.get(robot)
            for hand in [*self.table.held] if held and self.job.all_or_none else [robot]:
                self._let_go(hand)
            self._let_settle(DROP_STEPS)
            self.rounds.forget()
            del self.cards[robot]
            self._announce()
            return [Event(0, 0, self.now, "leave", robot, {"dropped": held})]
        if change.kind == "join":
            if robot in self.cards or robot not in self.table.arms:
                raise CoterieError(f"'{robot}' cannot join: it is here already, or has no arm at this table.")
            self.cards[robot] = change.data["card"]
            self._announce()
            return [Event(0, 0, self.now, "join", robot, {"party": change.data.get("party", "")})]
        if change.kind == "goal":
            return self._ask_for_more(change)
        raise CoterieError(f"The tabletop world knows no change '{change.kind}'; leave out --change.")

    def _let_go(self, robot: str) -> None:
        """A hand opens where it is, or lays what it holds where the job says: beside the table things are lost."""
        held = self.table.held.get(robot)
        spot = self.job.laid_at(self.table, robot) if held else None
        self.table.release(robot)
        if held and spot is not None:
            self.table.lay(held, spot)

    def _ask_for_more(self, change: Change) -> list[Event]:
        """Something else is asked for, if that still makes a difference."""
        seed = int(change.data.get("choose", {}).get("seed", self.seed))
        layout = self.job.changed(self.table, rng_of(seed, self.job.name, "another goal"))
        if layout is not None:
            self.table.layout = layout
            self.setting = replace(self.setting, layout=layout)
            self.goal = TableGoal(self.job.name, self.job.goal(layout))
            self.rounds.forget()
            self._announce()
        told = {"kind": "goal", "goal": self.goal, "text": self.goal.text(), "bites": layout is not None}
        return [Event(0, 0, self.now, "change", change.source, told)]

    def _announce(self) -> None:
        """Update common knowledge: who is here, and what is asked for."""
        self._map.clear()
        self._map.update(self._common())

    def distance(self, a: str, b: str) -> float | None:
        """Between the bases of two arms [m], wherever on their rails they stand."""
        if a not in self.table.arms or b not in self.table.arms:
            return None
        return math.dist(self.table.pos(f"{a}/base"), self.table.pos(f"{b}/base"))

    def progress(self) -> Progress:
        if self._broken:
            return Progress(False, 0.0, self._broken, lost=True)
        return self.job.progress(self.table)

    def trace(self) -> list[list[Any]]:
        traced, self._traced = self._traced, []
        return traced

    def snapshot(self) -> bytes:
        state = (
            self.now, self.table.save(), self._broken, self._begun, self._due, self._traced, self.cards,
            self.rounds.number, self.goal, self.setting.layout.to_json(),
        )  # fmt: skip
        return pack(state)

    def restore(self, data: bytes) -> None:
        (
            self.now, saved, self._broken, self._begun, self._due, self._traced, self.cards, self.rounds.number,
            self.goal, layout,
        ) = unpack(data)  # fmt: skip
        self.table.load(saved)
        self.table.layout = Layout.from_json(layout)
        self.setting = replace(self.setting, layout=self.table.layout)
        self._announce()
        self.rounds.forget()

    def begin_again(self, first: bytes) -> None:
        """Arms and things as they were at first; who is here and what is asked for stay as they are now."""
        cards, goal, layout = self.cards, self.goal, self.setting.layout
        self.restore(first)
        self.cards, self.goal, self.table.layout = cards, goal, layout
        self.setting = replace(self.setting, layout=layout)
        self._announce()

    # -- for logs and memos ---------------------------------------------------------------------------------------
    def start_data(self) -> dict[str, Any]:
        """The data that a log reader needs to show the scene, and a memo to compare it."""
        layout = self.setting.layout
        return {
            "robots": {n: {"card": c} for n, c in self.cards.items()},
            "mjcf": self.table.mjcf,
            "job": self.job.name,
            "randomisation": self.setting.randomisation,
            "layout": layout.to_json(),
            "areas": {t: self.job.area(t, p.at) for t, p in layout.things.items()},
            "overlap": self.job.overlap,
            **({"speeds": self._speeds()} if self.setting.arms else {}),
            **({"shown": self.job.shown} if self.job.shown else {}),
        }

    def _speeds(self) -> dict[str, list[float]]:
        """Speeds of the makers of arms that were named, where these are known [rad/s]."""
        found = {n: [float(v) for v in a.speed if math.isfinite(v)] for n, a in self.table.arms.items()}
        return {n: speeds for n, speeds in found.items() if speeds}


def _rounded(p: tuple[float, float, float]) -> tuple[float, float, float]:
    return (round(p[0], 3), round(p[1], 3), round(p[2], 3))
