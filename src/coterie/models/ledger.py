"""The cost of calls to a model: tokens and seconds, by robot and stage.

Wall times never enter a log, since logs repeat byte for byte; they live here and in a side file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any, NamedTuple


class Call(NamedTuple):
    """One call. `tokens_cached` of `tokens_in` were not computed again; prefill and generation where known."""

    robot: str
    stage: str
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    seconds: float = 0.0
    prefill_s: float | None = None
    generate_s: float | None = None
    estimated: bool = False  # the model gave no usage figures: tokens are guessed from the length of the text
    tries: int = 1  # how often it was sent until an answer came
    error: str = ""
    first_s: float | None = None  # until the first word came, where the model streams


Summary = dict[str, Any]


class Ledger:
    """The calls of one model, safe to use from several threads."""

    def __init__(self, calls: Iterable[Call] = ()):
        self.calls: list[Call] = list(calls)
        self._asks: list[int] = [0] * len(self.calls)  # for which request each call was made
        self._lock = threading.Lock()

    def add(self, call: Call, ask: object = None) -> None:
        """Write a call down; `ask` is the request it was made for, which may take several."""
        with self._lock:
            self.calls.append(call)
            self._asks.append(id(ask))

    def since(self, mark: int, asks: Iterable[object] | None = None) -> list[Call]:
        """The calls after the first `mark`; with `asks`, those made for these very requests. Ask for them while the
        requests are alive: many episodes may share a model, and each keeps the calls that were its own."""
        with self._lock:
            calls, whose = self.calls[mark:], self._asks[mark:]
        if asks is None:
            return calls
        mine = {id(ask) for ask in asks}
        return [call for call, ask in zip(calls, whose) if ask in mine]

    def total(self) -> Summary:
        return summary(self.calls)

    def by_stage(self) -> dict[str, Summary]:
        return self.by(lambda call: call.stage)

    def by(self, key: Callable[[Call], str]) -> dict[str, Summary]:
        groups: dict[str, list[Call]] = {}
        for call in list(self.calls):
            groups.setdefault(key(call), []).append(call)
        return {name: summary(groups[name]) for name in sorted(groups)}

    def to_json(self) -> dict[str, Any]:
        return {
            "total": self.total(),
            "by_robot": self.by(lambda call: call.robot),
            "by_stage": self.by_stage(),
            "by_robot_and_stage": self.by(lambda call: f"{call.robot}/{call.stage}"),
            "fields": list(Call._fields),
            "calls": [[_short(v) for v in call] for call in self.calls],
        }


def summary(calls: Iterable[Call]) -> Summary:
    """Sums over calls; prefill and generation sum those calls where they are known, or are None."""
    calls = list(calls)
    seconds = [c.seconds for c in calls]
    return {
        "calls": len(calls),
        "tokens_in": sum(c.tokens_in for c in calls),
        "tokens_out": sum(c.tokens_out for c in calls),
        "tokens_cached": sum(c.tokens_cached for c in calls),
        "seconds": round(sum(seconds), 6),
        "median_s": round(median(seconds) if seconds else 0.0, 6),
        "slowest_s": round(max(seconds, default=0.0), 6),
        "prefill_s": _sum_known(c.prefill_s for c in calls),
        "generate_s": _sum_known(c.generate_s for c in calls),
        "first_s": _median_known(c.first_s for c in calls),
        "estimated": sum(c.estimated for c in calls),
        "tries": sum(c.tries for c in calls),
        "errors": sum(bool(c.error) for c in calls),
    }


def _sum_known(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return round(sum(known), 6) if known else None


def _median_known(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return round(median(known), 6) if known else None


def _short(value: object) -> object:
    return round(value, 6) if isinstance(value, float) else value


def estimate_tokens(text: str) -> int:
    """About four characters make a token of English; for models that count nothing and for estimates beforehand."""
    return (len(text) + 3) // 4
