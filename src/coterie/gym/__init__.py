"""Tasks as environments for learners, in the form of PettingZoo: `parallel_env(Config("pack-objects"))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.core.config import Config
from coterie.core.lazy import need

if TYPE_CHECKING:
    from coterie.gym.batch import BatchedEnv, FastEnv
    from coterie.gym.env import TeamEnv

__all__ = ["batched", "parallel_env"]


def parallel_env(config: Config | None = None, fast: bool = False, **options: Any) -> TeamEnv | FastEnv:
    """An environment in which every robot of the team is an agent; `options` are those of `TeamEnv`, or with `fast`
    those of `BatchedEnv`: the same numbers without words and logs, for the tasks that it covers."""
    need("pettingzoo", "gym", "Environments for learners need")
    if fast:
        from coterie.gym.batch import FastEnv

        return FastEnv(config or Config(), **options)
    from coterie.gym.env import TeamEnv

    return TeamEnv(config or Config(), **options)


def batched(config: Config | str | None = None, n: int = 1024, **options: Any) -> BatchedEnv:
    """Many worlds of one task at once; `options` are those of `BatchedEnv`."""
    need("pettingzoo", "gym", "Environments for learners need")
    from coterie.gym.batch import BatchedEnv

    return BatchedEnv(Config(config) if isinstance(config, str) else config or Config(), n, **options)
