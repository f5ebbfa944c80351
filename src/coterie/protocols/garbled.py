"""A weaker model without a model: the text oracle, some of whose replies are spoilt.

`garbled:0.3` spoils three replies of ten, drawn from the seed of the request: another room or thing of the prompt is
named, yes and no are exchanged, or the reply breaks off and chatters, so that it cannot be read. `garbled:0.3@Zoe` does
so with what is answered to Zoe. On the table it is plans that are spoilt: what arms tell each other of what they see
stays true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from coterie.core.protocol import Ask, Reply
from coterie.models import Kind, Model, Options, models, share_in
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.protocols.spoilt_plans import of_table, spoilt

UNREADABLE = 0.3  # of what is spoilt
_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d+\b")
_OPPOSITES = {"yes": "no", "no": "yes", "agree": "object", "object": "agree"}


class Garbled:
    """The oracle, of whose replies a share is spoilt."""

    def __init__(self, share: float, robot: str = ""):
        self.share, self.robot = share, robot
        self.name = f"garbled:{share:g}" + (f"@{robot}" if robot else "")
        self.oracle = Oracle()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return [self._spoilt(ask, reply) for ask, reply in zip(asks, self.oracle.answer(asks))]

    def _spoilt(self, ask: Ask, reply: Reply) -> Reply:
        rng = random.Random(ask.seed)
        if rng.random() >= self.share or self.robot not in ("", ask.robot):
            return reply
        system = ask.prompt[0][1] if ask.prompt else ""
        if of_table(system) and "EXECUTE" not in reply.text:
            return reply
        if rng.random() < UNREADABLE:
            return reply._replace(text=f"Well, let me see. {reply.text[: len(reply.text) // 3]}")
        if of_table(system):
            return reply._replace(text=spoilt(reply.text, "\n".join(text for _, text in ask.prompt), rng))
        return reply._replace(text=misnamed(reply.text, "\n".join(text for _, text in ask.prompt), rng))


def misnamed(text: str, prompt: str, rng: random.Random) -> str:
    """The same reply with one name of the prompt for another of its kind, or with yes for no."""
    head, mark, last = text.rpartition("\n")
    named = _NAME.findall(last)
    for name in sorted(set(named)):
        room = name.startswith("room_")
        others = sorted({n for n in _NAME.findall(prompt) if n.startswith("room_") == room and n != name})
        if others:
            return head + mark + re.sub(rf"\b{name}\b", rng.choice(others), last)
    return head + mark + re.sub(r"\b(?:yes|no|agree|object)\b", lambda m: _OPPOSITES[m.group()], last)


def _make(rest: str, options: Options) -> Model:
    share, _, robot = rest.partition("@")
    return Garbled(share_in("garbled", share, "spoilt replies", 0.3), robot)


_ABOUT = "the oracle with a share of its replies (to one robot) spoilt: a weaker model"
models.put("garbled", Kind("garbled:SHARE[@ROBOT]", _ABOUT, _make))
