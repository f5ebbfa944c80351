"""Central Plan: one model sees what all robots see and writes the actions of all at once."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.protocol import Ask
from coterie.protocols.rounds import words
from coterie.protocols.rounds.book import Attempt
from coterie.protocols.rounds.planner import CENTRE, Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.shared.templates import render

STAGE = "TABLE"


class CentralPlan(TablePlanner):
    sees = "pooled"
    about = "one language model plans every round for all arms, from what all of them see"

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        prompt = render("rounds/plan", self.style, words.values(scene, self.book, attempts))
        (reply,) = yield [Ask(CENTRE, STAGE, scene.step, len(attempts), prompt)]
        return Proposal(reply.text)
