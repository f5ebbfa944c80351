"""The decider in front of the protocol: plays a remembered plan, round by round, as long as it passes every check."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product
from typing import Any

from coterie.core.action import MEMO as FROM_MEMO
from coterie.core.action import Action
from coterie.core.bounds import load_json
from coterie.core.event import Event
from coterie.core.protocol import Ask, Asking, TeamProtocol, TeamView
from coterie.memo import (
    Case,
    Draft,
    DraftAct,
    Drafted,
    MemoSettings,
    Plan,
    Round,
    Situation,
    draft,
    resume,
    transitions_of,
)
from coterie.memo.before.cases import MEMO
from coterie.memo.before.clearance import HANDS_M, Bodies, Solid, crowded, ends_apart, probe_of
from coterie.memo.before.desk import Desk
from coterie.memo.before.offers import Offers, asked_about, followed, tried
from coterie.memo.plan import Step
from coterie.memo.settings import family_of
from coterie.memo.transitions import DONE, achieved

EXCHANGES = 3  # other orders of an old plan's turns whose first round is checked


class Recall(TeamProtocol):
    """A world subclasses it and says what a case is there, what stands in the way, and what plan a log holds."""

    sees = "pooled"
    about = "plans of similar tasks, used again without a model"
    thinks = False

    def __init__(self, settings: MemoSettings | None = None):
        self.settings = settings or MemoSettings()
        self.pending = False  # the desk is still searching, while others think
        self.plan: Draft | None = None
        self.round = 0
        self.over = False
        self.offers = None if self.settings.reuse == "tasks" else Offers(self.settings)

    # -- for a world to say ---------------------------------------------------------------------------------------
    @abstractmethod
    def case(self, team: TeamView) -> Case | None:
        """The task as the team knows it together; None until every thing that matters was seen."""

    def solids(self, team: TeamView) -> list[Solid]:
        """Known furniture that does not move: name, middle, turn, half sizes."""
        return []

    def bodies(self, team: TeamView) -> Bodies | None:
        """How large arms and things are; None where nobody knows."""
        return None

    def situation(self, team: TeamView) -> Situation | None:
        """How things stand in words without numbers; None where a world has no such words."""
        return None

    def hands(self, team: TeamView) -> Mapping[str, Sequence[float]]:
        """Where the hands are, as far as that is known."""
        return {}

    @staticmethod
    def rounds_of(events: Sequence[Event]) -> Sequence[tuple[int, Step, float, float]]:
        """The rounds that were carried out: the step, the round, and how far the task had come before and after it."""
        return ()

    @staticmethod
    @abstractmethod
    def plan_of(events: Sequence[Event]) -> Plan | None:
        """The rounds of a finished episode that were carried out, with the motions they took."""

    # -- the same in every world ----------------------------------------------------------------------------------
    @classmethod
    def keep(cls, desk: Desk, events: Sequence[Event], planning_s: float) -> str:
        """Keep the plan of a successful episode."""
        return desk.remember(events, cls.plan_of(events), planning_s)

    @classmethod
    def keep_transitions(cls, desk: Desk, events: Sequence[Event], won: bool) -> int:
        """Keep the rounds of a success, or of the good beginning of a failure, with their states; return how many were
        kept."""
        asked = asked_about(events)
        rounds: list[tuple[int, Round]] = []
        for n, step, had, partial in cls.rounds_of(events):
            if n in asked:
                (now, case), (then, _) = asked[n], asked.get(n + 1, (None, None))
                first = asked[min(asked)][0]
                after = DONE if partial >= 1 else then.whole if then is not None else ""
                gained = achieved(had, first, now), achieved(partial, first, then or now)
                rounds.append((n, Round(now, after, case, step, *gained, then.things if then is not None else {})))
        transitions = transitions_of([r for _, r in rounds], won, desk.episode)
        trials, led = tried(events, asked, won), followed(events, rounds, won)
        return desk.memo.store.keep_transitions(desk.episode, transitions, trials, led)

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        if self.offers is not None:
            self.offers.see(self.situation(team), team)
        if self.plan is None and not self.over:
            yield from self._look_up(team)
        decided = self._whole(team, idle) if self.plan is not None and not self.over else {}
        if decided or self.offers is None or self.pending or not self.over or team.rewound:
            return decided
        return (yield from self.offers.decide(self, team, idle))

    def _whole(self, team: TeamView, idle: Sequence[str]) -> dict[str, Action]:
        """The next round of a task that is used again."""
        assert self.plan is not None
        ended = [v.outcome for v in team.robots.values() if v.outcome is not None]
        failed = next((o for o in ended if o.status in ("rewound", "failed")), None)
        if self.round and failed is not None:
            return self._give_up(team, self.round - 1, failed.reason)
        if self.round >= len(self.plan.steps):
            return self._give_up(team, self.round, "its last round did not reach the goal")
        flaw = self._flaw(team, self.plan, self.round)
        if flaw:
            return self._give_up(team, self.round, flaw)
        self.round += 1
        return {n: a for n, a in self.acts(self.plan, self.round - 1).items() if n in idle}

    def _look_up(self, team: TeamView) -> Any:
        """Ask the desk; on its second look it says the last word.

        A task is not similar after all when arms would get in each other's way now, or when its plan does not even pass
        the check of its first round: nothing was done yet, and the next one is asked for.
        """
        case = self.case(team)
        if case is None:
            self.over = True
            team.notes.append({"found": False, "why": "not everything that matters is known"})
            return
        solids, bodies = self.solids(team), self.bodies(team)
        tried: list[str] = []
        while True:
            request: dict[str, Any] = {"case": case.to_json(), "solids": solids, **({"but": tried} if tried else {})}
            request |= {"bodies": bodies} if bodies is not None else {}
            text = json.dumps(request, sort_keys=True)
            replies = yield [Ask(MEMO, MEMO, team.step, int(self.pending), ((MEMO, text),))]
            found = load_json(replies[0].text)
            if found.get("searching"):
                self.pending = True
                return
            if found.get("plan") is None:
                self.over, self.pending = True, False
                team.notes.append({"found": False, "why": found.get("why", "")})
                return
            ref, plan = Case.from_json(found["case"]), Plan.from_json(found["plan"])
            new = draft(ref, plan, case, self.settings, probe_of(case, solids, bodies))
            new, reason = self._fitting(team, new, case.task)
            if not reason or not self.settings.similarity:
                break
            tried.append(found["episode"])
            team.notes.append({"tried": found["episode"], "reason": reason})
        self.plan, self.pending = new, False
        team.notes.append(_note(found, new))

    def _fitting(self, team: TeamView, plan: Draft, task: str) -> tuple[Draft, str]:
        """The plan, or the same with turns exchanged where that serves, and what still speaks against it."""
        reason = crowded(plan) or self._flaw(team, plan, 0)
        if reason and family_of(task).any_order and self.settings.similarity and self.settings.splanner:
            for other in islice(exchanged(plan), EXCHANGES):
                if not self._flaw(team, other, 0):
                    return other, ""
        return plan, reason

    def acts(self, plan: Draft, number: int) -> dict[str, Action]:
        """One round of a draft, as actions with what is known of their motions."""
        return actions(plan, number, as_is=not self.settings.splanner)

    def _flaw(self, team: TeamView, plan: Draft, number: int) -> str:
        """Why a round cannot be done; empty when it passes every check."""
        if number >= len(plan.steps):
            return "the plan has no such round"
        verdict = next(iter(team.check(self.acts(plan, number)).values()))
        return verdict.reason or "it did not pass its checks" if verdict.ok is False else ""

    def _give_up(self, team: TeamView, step: int, reason: str) -> dict[str, Action]:
        """Tell the team what was done and what went wrong; it goes on from there."""
        assert self.plan is not None
        self.over = True
        left = resume(self.plan, step, reason, self.settings)
        note: dict[str, Any] = {"failed": step, "reason": reason}
        if left.from_scratch and team.can_rewind:
            team.rewind(reason)
        team.notes.append({**note, "words": left.words()} if left.words() else note)
        return {}


def _note(found: Mapping[str, Any], plan: Draft) -> dict[str, Any]:
    """For the log: what is used again, and how much of it."""
    return {
        "found": True,
        "episode": found["episode"],
        "alpha": found["alpha"],
        "moved_m": found["moved_m"],
        "table": found["table"],
        "reuse": plan.count("reuse"),
        "guide": plan.count("guide"),
        "anew": plan.count("anew"),
        "text": f"{found['text']} {plan.words()}",
        "saved": found.get("cost") or {},
    }


def actions(plan: Draft, number: int, as_is: bool = False) -> dict[str, Action]:
    """One round of a draft, each action with what is known about its motion; `as_is`: old motions and no others."""
    return {robot: _action(plan, number, act, as_is) for robot, act in plan.steps[number].items()}


def _action(plan: Draft, number: int, act: DraftAct, as_is: bool) -> Action:
    hints: list[Mapping[str, Any] | None] = []
    for k, motion in enumerate(act.motions):
        how = plan.together(number, k)
        if how == "reuse" and len(motion.knots):
            hints.append({"knots": motion.knots.round(4).tolist(), **({"as_is": True} if as_is else {})})
        elif motion.how != "anew" and len(motion.points):  # also an old motion beside one that needs a new way
            hints.append({"guide": motion.points.round(4).tolist(), "old": motion.knots.round(4).tolist()})
        else:
            hints.append(None)
    return Action(act.skill, act.args, why="remembered", motion=tuple(hints), origin=FROM_MEMO)


# -- turns in another order -------------------------------------------------------------------------------------------
# Turns of an old plan in another order, for tasks in which things may be done in any.
# A turn is what robots do from empty hands at rest to empty hands at rest, such as fetching a thing and putting it
# away. Where two hands would meet in one round, each robot still does what it did, beside another turn of the other's.
SAME_M = 0.05  # [m] hands that begin a turn this close to where they began the first begin at rest
MOST = 4  # turns; more have too many orders to look at

Order = tuple[int, ...]
Turns = list[list[DraftAct]]  # of one robot: its acts, turn by turn


def exchanged(plan: Draft) -> Iterator[Draft]:
    """The plan with its turns in other orders, in none of which hands come too close; those that keep most of the old
    rounds come first, and no two begin with the same round."""
    turns = _turns(plan)
    if turns is None:
        return
    robots = list(turns)
    count = len(turns[robots[0]])
    near = _nearest(plan)
    begun: set[Order] = set()
    every = permutations(range(count))
    for orders in sorted(product(every, repeat=len(robots)), key=lambda o: _torn(o, count)):
        first = tuple(order[0] for order in orders)
        if first in begun or all(order == tuple(range(count)) for order in orders):
            continue
        new = _told(turns, dict(zip(robots, orders)), near)
        if new is not None:
            begun.add(first)
            yield new


def _turns(plan: Draft) -> dict[str, Turns] | None:
    """Every robot's turns; None where they cannot change places."""
    steps = plan.steps
    if not steps or any(step.keys() != steps[0].keys() or not all(a.motions for a in step.values()) for step in steps):
        return None
    begin = [n for n, step in enumerate(steps) if all(_at_rest(act, steps[0][r]) for r, act in step.items())]
    length = len(steps) // max(1, len(begin))
    if not 2 <= len(begin) <= MOST or begin != list(range(0, len(steps), length)) or len(steps) % length:
        return None
    return {r: [[steps[i][r] for i in range(n, n + length)] for n in begin] for r in steps[0]}


def _at_rest(act: DraftAct, first: DraftAct) -> bool:
    begins = act.motions[0]
    return not begins.old.holds and math.dist(begins.start, first.motions[0].start) < SAME_M


def _torn(orders: Sequence[Order], count: int) -> tuple[int, int]:
    """How many rounds are not what they were, and how many come at another time."""
    rounds = list(zip(*orders))
    return sum(len(set(r)) > 1 for r in rounds), sum(r != (n,) * len(orders) for n, r in enumerate(rounds))


def _nearest(plan: Draft) -> float:
    """How near to each other hands worked when it went well; no nearer than they ever need to be."""
    pairs = [p for step in plan.steps for a, b in combinations(step.values(), 2) for p in zip(a.motions, b.motions)]
    return min((far for p in pairs if (far := ends_apart(*p)) is not None), default=HANDS_M)


def _told(turns: dict[str, Turns], orders: dict[str, Order], near: float) -> Draft | None:
    """The plan in these orders; None where hands would come too close."""
    steps: list[dict[str, DraftAct]] = []
    for numbers in zip(*orders.values()):
        old = len(set(numbers)) == 1
        acts = {r: turns[r][n] for r, n in zip(turns, numbers)}
        for k in range(len(next(iter(acts.values())))):
            step = {r: own[k] if old else _apart(own[k]) for r, own in acts.items()}
            if crowded(Draft((step,))) if old else _too_near(step, near):
                return None
            steps.append(step)
    return Draft(tuple(steps))


def _too_near(step: dict[str, DraftAct], near: float) -> bool:
    return any(
        (far := ends_apart(mine, theirs, now=True)) is not None and far < min(near, HANDS_M)
        for a, b in combinations(step.values(), 2)
        for mine, theirs in zip(a.motions, b.motions)
    )


def _apart(act: DraftAct) -> DraftAct:
    """Motions that were not done beside these of the others can but guide them."""
    return act._replace(motions=tuple(map(_guiding, act.motions)))


def _guiding(motion: Drafted) -> Drafted:
    return motion._replace(how="guide") if motion.how == "reuse" and len(motion.points) else motion
