"""Planners with one call a round, by a model that sees what all robots see: in Central Plan it writes the actions of
all; in RoCo's talk in one call it plays all robots and writes down what they agree on.

The latter shows what the talk itself is worth: the same words in the prompt as in a dialogue, without own views.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.protocol import Ask
from coterie.protocols.rounds import words
from coterie.protocols.rounds.book import Attempt
from coterie.protocols.rounds.planner import CENTRE, Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.shared.templates import render


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
