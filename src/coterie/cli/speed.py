"""How long calls to a model take here, found out with one small call: for the doctor, and for estimates of a bench."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from coterie.core.errors import CoterieError

if TYPE_CHECKING:
    from coterie.bench.estimate import Cost
    from coterie.models.embedded import Speed

READ, WRITTEN = 150, 35  # tokens of an action: those no cache holds, and those of the reply (see docs/models.md)
EMBEDDED = "embedded"  # asked where nobody names another
AT_ONCE = ("oracle", "garbled")  # models that cost no time beside the episodes themselves
PROBE_S = 60.0  # an endpoint that takes longer for one call is not waited for


class Pace(NamedTuple):
    """Seconds of one call, or None; the words say how they were found, or how to find out."""

    seconds: float | None
    words: str


def call_seconds(speed: Speed) -> float:
    """An action of the usual size with the embedded model."""
    return READ / speed.prompt + WRITTEN / speed.reply


def timed(costs: Sequence[Cost], model: str, base_url: str | None = None) -> list[Cost]:
    """The same costs, with a time for those methods whose calls are known but not how long they take."""
    found: list[Cost] = []
    known: Pace | None = None  # one probe serves all methods
    for cost in costs:
        if cost.seconds is not None or not cost.calls:
            found.append(cost)
            continue
        if model.partition(":")[0] in AT_ONCE and cost.own_s is not None:
            found.append(cost._replace(seconds=cost.own_s, basis=f"{cost.basis}; {model} answers at once"))
            continue
        known = known or pace(model, base_url, round((cost.tokens or 0) / cost.calls))
        seconds = None if known.seconds is None else cost.calls * known.seconds
        found.append(cost._replace(seconds=seconds, basis=f"{cost.basis}; {known.words}"))
    return found


def pace(model: str, base_url: str | None, tokens: int) -> Pace:
    """Seconds of a call of about so many tokens."""
    look = {"embedded": _embedded, "openai": _endpoint}.get(model.partition(":")[0], _other)
    try:
        return look(model, base_url, tokens)
    except CoterieError as err:
        return Pace(None, f"time unknown: {str(err).rstrip('.')}")


def _embedded(model: str, base_url: str | None, tokens: int) -> Pace:
    from coterie.models.embedded import Embedded, speed
    from coterie.models.store import cached

    if importlib.util.find_spec("xllamacpp") is None:
        return Pace(None, "time unknown: the embedded model is not installed (pip install 'coterie[embedded]')")
    if cached() is None:
        return Pace(None, "time unknown: the embedded model is not fetched yet; any run with it fetches it")
    seconds = call_seconds(speed(Embedded(), tokens=64, replies=12))
    return Pace(seconds, f"{seconds:.2f} s a call, by the embedded model's speed here (see: coterie doctor)")


def _endpoint(model: str, base_url: str | None, tokens: int) -> Pace:
    """One real call: it spends what one action spends."""
    from coterie.core.protocol import Ask
    from coterie.models.openai import OpenAI
    from coterie.models.wire import Endpoint

    if base_url is None:
        return Pace(None, "time unknown: with --base-url one call is made and timed")
    client = OpenAI(model.partition(":")[2], Endpoint(base_url, timeout_s=PROBE_S, retries=0), max_tokens=WRITTEN)
    words = "robot table door cup " * max(1, (tokens - WRITTEN) // 5)  # about five tokens
    ask = Ask("probe", "probe", 0, 0, (("user", f"{words}\nSay in one sentence what you read."),))
    seconds = _took(lambda: client.answer([ask]))
    client.endpoint.close()
    return Pace(seconds, f"{seconds:.2f} s a call, by one call to {client.endpoint.address}; --batch asks many at once")


def _other(model: str, base_url: str | None, tokens: int) -> Pace:
    return Pace(None, f"time unknown: {model} tells no speed; play a few with --episodes into the same folder")


def _took(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun
