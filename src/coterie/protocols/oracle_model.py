"""The oracle as if its calls took time: `oracle:1` answers like `oracle`, and each call is booked as one second.

Nobody waits for it. The seconds stand in the ledger, so that planning time is what it would be with a model that slow.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import Call, Kind, Ledger, Model, Options, models
from coterie.protocols.dynahmrc.oracle import Oracle

MOST_S = 600.0


class SlowOracle(Oracle):
    def __init__(self, call_s: float):
        self.call_s, self.name, self.ledger = call_s, f"oracle:{call_s:g}", Ledger()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = super().answer(asks)
        for ask, reply in zip(asks, replies):
            self.ledger.add(Call(ask.robot, ask.stage, reply.tokens_in, reply.tokens_out, seconds=self.call_s), ask)
        return replies


def _make(rest: str, options: Options) -> Model:
    if not rest:
        return Oracle()
    try:
        seconds = float(rest)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= MOST_S:
        raise CoterieError(f"'oracle:{rest}': after the colon come the seconds of a call, like oracle:1.")
    return SlowOracle(seconds)


models.put(
    "oracle", Kind("oracle", "a rule mind that reads prompts and nothing else; oracle:1 books a second a call", _make)
)
