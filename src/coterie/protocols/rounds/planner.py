"""The loop that all planners on the table share: propose, read, check, and propose again with the reasons.

A planner writes only how a proposal comes about. Every joint action passes the world's free check before anything
moves; when no proposal does, the round is spent and nobody moves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import NamedTuple

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Ask, Asking, Reply, TeamProtocol, TeamView
from coterie.protocols.rounds import words
from coterie.protocols.rounds.parse import Misread, Plan, read_plan
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.rounds.words import Attempt, Book
from coterie.protocols.shared.templates import asked_at, render

CENTRE = "planner"  # in whose name the requests of a central planner are made


class Proposal(NamedTuple):
    """The text in which a plan is looked for, and the talk that led to it."""

    text: str
    talk: str = ""


Proposing = Generator[list[Ask], Sequence[Reply], Proposal]


class Planner(TeamProtocol):
    """Plans round by round for all arms of a party; those that see one robot's view run once in every robot, in lock
    step."""

    tries = 6  # plans in a round
    patience = 3  # times that the same plan is refused for the same reason before the round is spent

    def __init__(self, style: str = "compact"):
        self.style = style
        self.book = Book()

    @abstractmethod
    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        """Ask for a plan; `attempts` are those of this round that were refused."""

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        scene = Scene.of(team)
        if any(team.robots[n].refusals for n in idle if n in team.robots):
            return waits(idle, "guard rails refused the plan")  # the others act on it already
        self.book.settle(team.robots, scene.step)
        attempts: list[Attempt] = []
        for _ in range(self.tries):
            proposal = yield from self.propose(scene, attempts)
            plan, reason = judge(team, scene, proposal.text)
            if isinstance(plan, Plan) and not reason:
                self.accepted(scene, plan, proposal)
                self.book.began(scene.step, plan, proposal.talk)
                return {n: plan.joint[n] for n in idle}
            attempts.append(Attempt(plan.text() if isinstance(plan, Plan) else plan.shown, reason))
            self.refused(scene, attempts[-1], proposal)
            if attempts.count(attempts[-1]) >= self.patience:
                break
        self.book.spent(scene.step, attempts)
        return waits(idle, f"no plan passed the checks in {len(attempts)} attempts: {attempts[-1].reason}")

    def accepted(self, scene: Scene, plan: Plan, proposal: Proposal) -> None:
        """A plan passed the checks."""

    def refused(self, scene: Scene, attempt: Attempt, proposal: Proposal) -> None:
        """A plan did not."""


class TablePlanner(Planner):
    """A planner with a language model."""

    prompts = "rounds"
    replies, long_replies, stages = asked_at("rounds")
    together = ("VOTE",)


def judge(team: TeamView, scene: Scene, text: str) -> tuple[Plan | Misread, str]:
    """The plan in a text, and what speaks against it; nothing does when the reason is empty."""
    plan = read_plan(text, scene)
    if isinstance(plan, Misread):
        return plan, f"Parsing failed, {plan.reason}."
    verdicts = team.check(plan.joint)
    bad = next((v for v in verdicts.values() if v.ok is False), None)
    return plan, (bad.reason or "the check failed.") if bad else ""


def waits(idle: Sequence[str], why: str) -> dict[str, Action]:
    return {n: Action(WAIT, why=why) for n in idle}


class CentralPlan(TablePlanner):
    sees = "pooled"
    about = "one language model plans every round for all arms, from what all of them see"
    stage, template = "TABLE", "rounds/plan"

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        prompt = render(self.template, self.style, words.values(scene, self.book, attempts))
        (reply,) = yield [Ask(CENTRE, self.stage, scene.step, len(attempts), prompt)]
        return Proposal(reply.text)


class RoCoChat(CentralPlan):
    about = "one language model plays the talk of all arms in one call, and ends it with the plan of the round"
    stage, template = "CHAT", "rounds/chat"
