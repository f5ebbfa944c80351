"""The paper's prompts as one conversation: what a robot was told once is not told again.

The first prompt is the paper's. Each later turn holds what is new since the last: lines of the scene graph that have
changed, actions with what came of them, messages. So a model reads a few lines a step, a cache keeps the rest, and the
robot's own earlier thoughts are there to go on from. `unfolded` puts the turns together to one prompt of the paper
again, for programs that read prompts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from coterie.core.protocol import Prompt
from coterie.protocols.shared import words
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.replies import clean
from coterie.protocols.shared.templates import Page, read, render

MOST_CHARS = 12_000  # of a conversation: one that grows longer begins anew with a whole prompt
_ACTS, _TURN = "dynahmrc/hmrc", "dynahmrc/turn"
_STEP = re.compile(r"^Step \d+ of \w+\. ", re.M)
_HEADS = {"Team": "team", "Goal": "goal"}  # other lines of a system message that may change


@dataclass
class Conversation:
    """The turns of one robot so far."""

    turns: list[tuple[str, str]] = field(default_factory=list)
    _told: Page | None = None  # the whole prompt of the last turn
    _deeds: int = 0  # of the memory's, those that were told
    _heard: int = 0
    _asked: int = 0  # turns up to the last question

    def ask(self, whole: Prompt, memory: Memory, robots: int) -> Prompt:
        """The conversation with its next turn. `whole`: the prompt of this moment, with everything in it."""
        page, told = read((_ACTS,), whole), self._told
        unanswered = bool(self.turns) and self.turns[-1][0] == "user"  # no two turns of a user follow each other
        if page is None or told is None or unanswered or sum(len(text) for _, text in self.turns) > MOST_CHARS:
            self.turns = list(whole)
        else:
            self.turns.append(("user", self._turn(page, told, memory, robots)))
        self._told, self._deeds, self._heard, self._asked = page, len(memory.deeds), len(memory.heard), len(self.turns)
        return tuple(self.turns)

    def answered(self, reply: str, understood: bool = True) -> None:
        """Of several replies to one turn, the last one stands: word for word, or in short if it cannot be read."""
        if self.turns:
            self.turns[self._asked :] = [("assistant", reply if understood else clean(reply, 300) or "(nothing)")]

    def _turn(self, page: Page, told: Page, memory: Memory, robots: int) -> str:
        fresh = replace(memory, deeds=memory.deeds[self._deeds :], heard=memory.heard[self._heard :], length=10**6)
        known = {*told["scene_graph"].split("\n")}
        news = [line for line in page["scene_graph"].split("\n") if line not in known]
        news += [f"{head}: {page[slot]}" for head, slot in _HEADS.items() if page[slot] != told[slot]]
        changed = {slot: page[slot] if page[slot] != told[slot] else "" for slot in ("plan", "status")}
        return render(_TURN, "paper", {
            **page, **changed, "news": "\n".join(news), "messages": words.messages(fresh, robots=robots),
            "actions": words.actions(fresh) if fresh.deeds else "",
            "feedback": words.feedback(fresh) if fresh.deeds else "",
        })[1][1]  # fmt: skip


def unfolded(prompt: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """A conversation as one prompt of the paper; any other prompt as it is."""
    turns = [text for role, text in prompt[2:] if role == "user" and _STEP.search(text)]
    page = read((_ACTS,), prompt) if turns else None
    if page is None:
        return prompt
    for text in turns:
        told = read((_TURN,), (("system", "A turn of the conversation."), ("user", text)))
        if told is None:
            return prompt
        page = _after(page, told)
    return render(_ACTS, "paper", page)


def _after(page: Page, told: Page) -> Page:
    """A page with what a turn tells."""
    new: dict[str, str] = {slot: told[slot] for slot in ("plan", "status", "step", "limit", "self") if told[slot]}
    nodes = {line.partition(":")[0]: line for line in page["scene_graph"].split("\n")}
    for line in filter(None, told["news"].split("\n")):
        head, _, rest = line.partition(": ")
        if head in _HEADS:
            new[_HEADS[head]] = rest
        else:
            nodes[head] = line
    for slot, between in (("actions", "\n"), ("feedback", "\n"), ("messages", " ")):
        new[slot] = between.join(text for text in (page[slot], told[slot]) if text not in ("", "none", "nothing yet"))
    return page.but(scene_graph="\n".join(nodes.values()), **new)
