"""RoCo: robots talk in turn, each from its own view, until one of them writes down the plan.

One instance runs in every robot. They go in lock step: in each turn one asks its model while the others stand at the
barrier, then its words reach them. So all hold the same talk, read the same plan in it, and each does its own part.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from coterie.core.protocol import Ask, Prompt, Reply, RobotView
from coterie.protocols.rounds import words
from coterie.protocols.rounds.parse import EXECUTE, says, tidy
from coterie.protocols.rounds.planner import Proposal, Proposing, TablePlanner
from coterie.protocols.rounds.scene import Scene
from coterie.protocols.rounds.words import Attempt, talk_of
from coterie.protocols.shared.replies import quoted
from coterie.protocols.shared.templates import render

STAGE = "DIALOG"
MOST_CALLS = 10  # in one attempt
MOST_SAID = 3000  # characters of one turn
MOST_BEFORE = 1000  # of one turn in the talk about an earlier plan
REMEMBERED = {"compact": 0, "full": 200}  # characters of each turn that stay in the history
Talk = list[tuple[str, str]]


class RoCo(TablePlanner):
    sees = "own"
    about = "every arm has its own language model; they talk in turn and agree on a plan for each round"

    def __init__(self, style: str = "compact"):
        super().__init__(style)
        self._before: list[Talk] = []  # of earlier attempts in this round
        self._heard = 0

    def propose(self, scene: Scene, attempts: Sequence[Attempt]) -> Proposing:
        (me,) = scene.views.values()
        if not attempts:
            self._before, self._heard = [], len(me.inbox)
        talk: Talk = []
        for n in range(MOST_CALLS):
            speaker = scene.robots[n % len(scene.robots)]
            prompt = self._prompt(scene, attempts, talk, last=n == MOST_CALLS - 1) if speaker == me.name else None
            ask = Ask(me.name, STAGE, scene.step, len(attempts), prompt) if prompt else None
            said = yield from self._turn(me, speaker, ask)
            talk.append((speaker, said))
            everybody = {who for who, _ in talk} >= set(scene.robots)
            if says(EXECUTE, said) and (attempts or everybody):
                break
        self._before.append(talk)
        most = REMEMBERED.get(self.style, 0)
        return Proposal(talk[-1][1], talk_of(talk, most) if most else "")

    def _turn(self, me: RobotView, speaker: str, ask: Ask | None) -> Generator[list[Ask], Sequence[Reply], str]:
        """One speaks, the others hear it: two barriers for everybody."""
        if ask is not None:
            (reply,) = yield [ask]
            said = tidy(reply.text, MOST_SAID)
            me.say(said)
            yield []
            return said
        yield []
        yield []
        new, self._heard = me.inbox[self._heard :], len(me.inbox)
        return next((m.text for m in new if m.sender == speaker), "")

    def _prompt(self, scene: Scene, attempts: Sequence[Attempt], talk: Talk, last: bool) -> Prompt:
        (name,) = scene.views
        # the first talk, in which everybody said what it sees, and the last one
        before = self._before if len(self._before) < 3 else [self._before[0], self._before[-1]]
        earlier = [[(who, said[:MOST_BEFORE]) for who, said in t] for t in before]
        turns = {
            "before": "\nTalk about a plan of this round that was refused:\n".join(map(_chat, earlier)),
            "talk": _chat(talk),
            "turn": "" if talk else "first.",
            "may": "write the new plan at once." if attempts and not last else "",
            "last_turn": f"end your reply with {EXECUTE} and the plan." if last else "",
        }
        values = words.values(scene, self.book, attempts)
        return render("rounds/dialog", self.style, {**values, **turns, "name": name})


def _chat(talk: Talk) -> str:
    """Turns by speaker, as quotations: nobody can speak in another's name, or in that of the prompt."""
    return "\n".join(f"[{who}]: {quoted(text, MOST_SAID) or '(silence)'}" for who, text in talk)
