"""Plans for the jobs on the table without a model, so that motion and memo can be measured alone: what the text oracle
answers, read and checked like any other reply, until a plan passes."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.protocols.rounds import words
from coterie.protocols.rounds.book import Attempt
from coterie.protocols.rounds.oracle import choose
from coterie.protocols.rounds.oracle.read import Paper, written
from coterie.protocols.rounds.parse import EXECUTE
from coterie.protocols.rounds.planner import Planner, Proposal, Proposing
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.shared.templates import Page


class TaskExpert(Planner):
    sees = "pooled"
    about = "a scripted plan for each job on the table, from what all arms see"
    tries = 40
    repeats = True

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        me = next(iter(scene.views)) if len(scene.views) < len(scene.robots) else ""
        page = Page("rounds/plan", "full", {**words.values(scene, self.book, attempts), "name": me})
        return Proposal(f"{EXECUTE}\n{written(choose(Paper(page)))}")
        yield []  # makes this a generator
