"""The one process that asks an endpoint for a whole Ray cluster.

Episodes are played on all machines, and what they want to know comes here. So there is one budget, one limit on how
often the endpoint is asked, and one set of connections. It lives on the machine of the command. If it dies, Ray starts
it again and repeats what was under way; what was spent lies in files, and stays counted.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.bench.playing import Asking
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.episode.setup import load_plugins, model_for, reply_limits
from coterie.models import Call, Ledger, Model, ledger_of

ENV = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COTERIE_DEADLINE")
Told = tuple[list[Reply], list[list[Call]]]  # replies, and the calls that each took


class Desk:
    """The actor."""

    def __init__(self, asking: Asking, env: Mapping[str, str], again: bool | None = None):
        """`env`: what was said to the command in its environment, such as a key. `again`: it takes the place of one
        that died; None: Ray knows."""
        os.environ.update(env)
        self.asking, self.budget = asking, asking.budget()
        if (_again() if again is None else again) and self.budget.pace is not None:
            self.budget.pace.rest()
        self._models: dict[Any, Model] = {}
        self._lock = threading.Lock()

    def answer(self, config: Config, asks: Sequence[Ask]) -> Told:
        model = self._model(config)
        replies, ledger = model.answer(asks), ledger_of(model)
        return replies, ledger.take(asks) if ledger is not None else [[] for _ in asks]

    def add(self, tokens: int) -> int:
        """Count tokens of models that are asked elsewhere; how many there are now."""
        self.budget.spend(tokens)
        return self.budget.spent

    def _model(self, config: Config) -> Model:
        with self._lock:
            load_plugins(config.load)
            key = (config.model, tuple(sorted(reply_limits(config).items())))
            if key not in self._models:
                asked = self.asking
                self._models[key] = model_for(
                    config, base_url=asked.base_url, concurrency=asked.concurrency, **asked.asked,
                    budget=self.budget,
                )  # fmt: skip
            return self._models[key]


class Remote:
    """A model that the desk asks; its ledger is that of the episodes played here."""

    def __init__(self, desk: str, config: Config):
        self.desk, self.config, self.name = _found(desk), config, config.model
        self.ledger = Ledger()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies, calls = told(self.desk.answer.remote(self.config, list(asks)))
        for ask, its in zip(asks, calls):
            for call in its:
                self.ledger.add(call, ask)
        return list(replies)


@dataclass(frozen=True)
class ByDesk:
    """Makes such models, in whichever process."""

    desk: str  # its name

    def __call__(self, config: Config) -> Model:
        return Remote(self.desk, config)


class Shared:
    """What `Budget` counts in where models live in many processes: all tokens, as of the last time we spent."""

    def __init__(self, desk: str):
        self.desk, self._seen = desk, 0

    @property
    def value(self) -> int:
        return self._seen

    @value.setter
    def value(self, now: int) -> None:
        self._seen = told(_found(self.desk).add.remote(now - self._seen))

    def get_lock(self) -> threading.Lock:
        return threading.Lock()  # the budget of a process has one


def _found(name: str) -> Any:
    import ray  # type: ignore[import-not-found,unused-ignore]

    try:
        return ray.get_actor(name)
    except ValueError as err:
        raise CoterieError(f"The process that asks the model is gone: {_first(err)}") from err


def told(reply: Any) -> Any:
    """What the desk says. A failure there is one of the bench, and none of the episode in which it shows."""
    import ray  # type: ignore[import-not-found,unused-ignore]

    try:
        return ray.get(reply)
    except ray.exceptions.RayTaskError as err:
        if isinstance(err.cause, CoterieError):
            raise CoterieError(str(err.cause)) from None
        raise CoterieError(f"The model could not be asked: {_first(err.cause)}") from err
    except ray.exceptions.RayError as err:
        raise CoterieError(f"The process that asks the model is gone: {_first(err)}") from err


def _first(err: object) -> str:
    return str(err).strip().split("\n")[0][:200]


def _again() -> bool:
    import ray  # type: ignore[import-not-found,unused-ignore]

    return bool(ray.get_runtime_context().was_current_actor_reconstructed)
