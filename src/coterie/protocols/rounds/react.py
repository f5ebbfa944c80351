"""ReAct: one model that thinks, acts and reads what came of it, in one trace over all rounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from coterie.core.protocol import Ask
from coterie.protocols.rounds import words
from coterie.protocols.rounds.parse import EXECUTE, Plan, tidy
from coterie.protocols.rounds.planner import CENTRE, Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.rounds.words import Attempt, Book
from coterie.protocols.shared.templates import render

STAGE = "REACT"
MOST_THOUGHT = 400  # characters
KEPT = {"compact": 12, "full": 30}  # steps of the trace that are shown


@dataclass
class Trace:
    """Thought, action and observation, one after another. The last observation may still be to come."""

    steps: list[list[str]] = field(default_factory=list)

    def add(self, thought: str, action: str, observation: str = "") -> None:
        self.steps.append([thought, action, observation])

    def observe(self, text: str) -> None:
        if self.steps and not self.steps[-1][2]:
            self.steps[-1][2] = text

    def text(self, last: int) -> str:
        lines = []
        for thought, action, observation in self.steps[-last:]:
            lines += [f"Thought: {words.inset(thought)}", f"Action: {words.inset(action)}"]
            lines += [f"Observation: {words.inset(observation)}"] if observation else []
        return "\n".join(lines)


class ReAct(TablePlanner):
    sees = "pooled"
    about = "one language model thinks, acts and observes in turn, for all arms"

    def __init__(self, style: str = "compact"):
        super().__init__(style)
        self.trace = Trace()

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        if not attempts:
            self.trace.observe(_came_of(self.book))
        values = words.values(scene, self.book, attempts)
        trace = self.trace.text(KEPT.get(self.style, 12))
        prompt = render("rounds/react", self.style, {**values, "trace": trace})
        (reply,) = yield [Ask(CENTRE, STAGE, scene.step, len(attempts), prompt)]
        return Proposal(reply.text)

    def accepted(self, scene: Scene, plan: Plan, proposal: Proposal) -> None:
        self.trace.add(thought_of(proposal.text), plan.text())

    def refused(self, scene: Scene, attempt: Attempt, proposal: Proposal) -> None:
        words_back = f"{words.FEEDBACK} refused. {words.cut(attempt.reason)}"
        self.trace.add(thought_of(proposal.text), attempt.plan or "(nothing readable)", words_back)


def thought_of(reply: str) -> str:
    """The text before the action, on one line."""
    head = re.split(rf"^\W*Action\W*:|\b{EXECUTE}\b", tidy(reply), maxsplit=1, flags=re.M)[0]
    return re.sub(r"\s+", " ", re.sub(r"^\W*Thoughts?\W*:", "", head)).strip()[:MOST_THOUGHT] or "-"


def _came_of(book: Book) -> str:
    """The last round as an observation."""
    if book.failed and book.rounds and book.rounds[-1].failed:
        return f"failed to execute, all is as before. {words.cut(book.failed[-1].reason)}"
    return f"round {book.rounds[-1].step + 1} is done." if book.rounds else "nothing is known of it."
