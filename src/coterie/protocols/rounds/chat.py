"""RoCo's talk in one call: a model that sees what all robots see plays all of them and writes down what they agree on.

It shows what the talk itself is worth: the same words in the prompt as in a dialogue, without views of one's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.protocol import Ask
from coterie.protocols.rounds import words
from coterie.protocols.rounds.book import Attempt
from coterie.protocols.rounds.planner import CENTRE, Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.shared.templates import render

STAGE = "CHAT"


class RoCoChat(TablePlanner):
    sees = "pooled"
    about = "one language model plays the talk of all arms in one call, and ends it with the plan of the round"

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        prompt = render("rounds/chat", self.style, words.values(scene, self.book, attempts))
        (reply,) = yield [Ask(CENTRE, STAGE, scene.step, len(attempts), prompt)]
        return Proposal(reply.text)
