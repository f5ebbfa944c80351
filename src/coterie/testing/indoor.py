"""Ready-made trials in the indoor world, for contract checks of a protocol of your own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coterie.core.config import Config
from coterie.core.protocol import Party, TeamProtocol
from coterie.episode.loop import Settings
from coterie.episode.setup import build
from coterie.models.chat import Model, NoModel
from coterie.testing.contract import Trial


def indoor_trial(make: Callable[[], TeamProtocol], model: Model | None = None, **config: Any) -> Trial:
    """An episode with a team that decides by `make()`; `config` is as for `coterie.episode.play.Config`."""
    world, task = build(Config(**config))
    party = Party("team", make, tuple(n for n, _ in task.robots))
    return Trial(world, task, [party], (model or NoModel()).answer, Settings(seed=config.get("seed", 0)))
