"""The text oracle's answers to the planners on the table.

It reads nothing but the prompt: goal, roles, what is seen, talk, refused plans. In a dialogue it tells what it sees and
can do; the robot that speaks when all of that is known writes the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from coterie.protocols.dynahmrc.oracle import answers, explained
from coterie.protocols.rounds import words
from coterie.protocols.rounds.oracle import declared, jobs, paths
from coterie.protocols.rounds.oracle.read import Joint, Paper, written
from coterie.protocols.rounds.parse import EXECUTE
from coterie.protocols.rounds.planner import Planner, Proposal, Proposing
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.rounds.words import Attempt
from coterie.protocols.shared.templates import Page

JOBS: dict[str, Callable[[Paper], Iterator[Joint]]] = {
    "sort-cubes": jobs.sort_plans,
    "sandwich": jobs.sandwich_plans,
    "sweep-floor": jobs.sweep_plans,
    "arrange-cabinet": jobs.cabinet_plans,
    "pack-grocery": paths.pack_plans,
    "move-rope": paths.rope_plans,
}


#: What a plan of a job follows from, for those who learn from it.
REASONS: dict[str, Callable[[Paper, Joint], str]] = {
    "sort-cubes": jobs.sort_reasons,
    "sandwich": jobs.sandwich_reasons,
    "sweep-floor": jobs.sweep_reasons,
    "arrange-cabinet": jobs.cabinet_reasons,
    "pack-grocery": paths.path_reasons,
    "move-rope": paths.path_reasons,
}


def plan(page: Page, reasons: bool = False) -> str:
    """The reply to a prompt of a planner on the table."""
    paper = Paper(page)
    if paper.me and not (paper.refused or paper.told >= set(paper.robots) or paper.must):
        return f"{paper.statement}\nPROCEED"
    joint = choose(paper)
    why = _why(paper)
    if reasons and paper.job in REASONS:
        found = REASONS[paper.job](paper, joint)
        why = f"{why} {found}" if paper.refused else found
    lines = "\n".join(["EXECUTE", *(f"NAME {r} ACTION {a}" for r, a in joint.items())])
    if page.name == "rounds/react":
        return f"Thought: {why}\nAction:\n{lines}"
    head = paper.statement if paper.me and not paper.refused else ""
    head = f"{head}\n{why}".strip() if reasons else head or why
    return f"{head}\n{lines}"


def choose(paper: Paper) -> Joint:
    """The first plan that has not failed yet; the best one when all have."""
    best: Joint = {}
    for joint in JOBS.get(paper.job, declared.plans)(paper):
        best = best or joint
        if not paper.hopeless(joint):
            return joint
    return best or dict.fromkeys(paper.robots, "WAIT")


def _why(paper: Paper) -> str:
    return "The last plan was refused, so I change it." if paper.refused else "This brings us nearer to the goal."


def vote(page: Page) -> str:
    """A robot objects when it is to take something that it does not see."""
    paper, words = Paper(page), page["mine"].split()
    if len(words) > 1 and words[0] == "PICK" and words[1] not in f"{paper.seen.get(paper.me)} {paper.roles}":
        return f"I do not see {words[1]}; let another robot take it."
    return "I Agree"


PLANS = [f"rounds/{name}" for name in ("plan", "chat", "dialog", "react", "hmas")]
answers.update(dict.fromkeys(PLANS, plan))
explained.update(dict.fromkeys(PLANS, partial(plan, reasons=True)))
answers["rounds/vote"] = vote


# -- without a model --------------------------------------------------------------------------------------------------
# Plans for the jobs on the table without a model, so that motion and memo can be measured alone: what the text oracle
# answers, read and checked like any other reply, until a plan passes.
class TaskExpert(Planner):
    sees = "pooled"
    about = "a scripted plan for each job on the table, from what all arms see"
    tries = 40
    patience = 2  # it proposes the same again when it knows no other plan

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        me = next(iter(scene.views)) if len(scene.views) < len(scene.robots) else ""
        page = Page("rounds/plan", "full", {**words.values(scene, self.book, attempts), "name": me})
        return Proposal(f"{EXECUTE}\n{written(choose(Paper(page)))}")
        yield []  # makes this a generator
