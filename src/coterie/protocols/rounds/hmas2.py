"""HMAS-2: a central model plans, every robot's own model looks at its part, and the centre plans again until all agree.

The centre sees what all robots see; a robot judges the plan from its own view alone.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from coterie.core.protocol import Ask, Reply
from coterie.protocols.rounds import words
from coterie.protocols.rounds.parse import Misread, Plan, read_plan, tidy, written
from coterie.protocols.rounds.planner import CENTRE, Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.rounds.words import Attempt
from coterie.protocols.shared.replies import quoted
from coterie.protocols.shared.templates import render

STAGE, VOTE = "HMAS", "VOTE"
TALKS = 3  # rounds of discussion about one proposal; then it goes to the checks as it is
AGREE = re.compile(r"\bI (?:fully |completely |also )?agree\b|^\W*agreed?\b", re.I)
_BUT = re.compile(r"\b(?:but|however|except|although|though|unless|if|only|instead|rather)\b", re.I)
_AND_YET = re.compile(
    r"\b(?:not|n't|cannot|can't|never|would|could|unless|if|but|however|except|although|though|otherwise|apart|rest|disagree|object)\b|n't\b",
    re.I,
)
MOST_SAID = 400  # characters of an objection

Objections = list[tuple[str, dict[str, str]]]  # a plan, and who said what against it


class Hmas2(TablePlanner):
    sees = "pooled"
    about = "a central language model plans, each robot's own model agrees or objects, the centre plans again"

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        against: Objections = []
        text = ""
        for n in range(1 + TALKS):
            prompt = self._prompt(scene, attempts, against)
            (reply,) = yield [Ask(CENTRE, STAGE, scene.step, len(attempts), prompt)]
            text = reply.text
            plan = read_plan(text, scene)
            if isinstance(plan, Misread) or n == TALKS:
                break  # nothing to vote on, or no more time for it
            said = yield from self._vote(scene, plan, len(attempts))
            if not said:
                break
            against.append((plan.text(), said))
        return Proposal(text, _talk(against))

    def _prompt(self, scene: Scene, attempts: Sequence[Attempt], against: Objections) -> tuple[tuple[str, str], ...]:
        values = words.values(scene, self.book, attempts)
        return render("rounds/hmas", self.style, {**values, "objections": _objections(against)})

    def _vote(self, scene: Scene, plan: Plan, attempt: int) -> Generator[list[Ask], Sequence[Reply], dict[str, str]]:
        """The objections by robot; all are asked at once."""
        asks = [Ask(r, VOTE, scene.step, attempt, self._ballot(scene.alone(r), r, plan)) for r in scene.views]
        replies = yield asks
        return {a.robot: words_against(r.text) for a, r in zip(asks, replies) if words_against(r.text)}

    def _ballot(self, scene: Scene, robot: str, plan: Plan) -> tuple[tuple[str, str], ...]:
        values = words.values(scene, self.book)
        own = {"name": robot, "plan": plan.text(), "mine": written(plan.joint[robot])}
        return render("rounds/vote", self.style, {**values, **own})


def words_against(reply: str) -> str:
    """The objection in a reply; empty when the robot agrees, or says nothing."""
    text = tidy(reply)
    last = re.split(r"(?<=[.!?])\s+|\n+", text.strip())[-1]  # what it comes to after weighing it
    first = re.match(r"\W*(?:yes\W+)?I (?:fully |completely )?agree\W*(?:[.!]|\n|$)", text, re.I)
    if first is not None and not _BUT.search(text):
        return ""
    for part in (last, text):
        if AGREE.search(part) and not _AND_YET.search(part):  # "I agree, but ..." is an objection
            return ""
    return re.sub(r"\s+", " ", text)[:MOST_SAID]


def _objections(against: Objections) -> str:
    said = [
        "\n".join([words.one_line(plan), *(f"  {robot}: {quoted(reason, MOST_SAID)}" for robot, reason in why.items())])
        for plan, why in against
    ]
    return "\nRobots objected to: ".join(said)


def _talk(against: Objections) -> str:
    return "\n".join(f"{robot} objected: {quoted(why, 120)}" for _, said in against for robot, why in said.items())
