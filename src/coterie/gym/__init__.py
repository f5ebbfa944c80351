"""Tasks as environments for learners, in the form of PettingZoo: `parallel_env(Config("pack-objects"))`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.core.config import Config
from coterie.core.extras import need

if TYPE_CHECKING:
    from coterie.gym.env import TeamEnv

__all__ = ["parallel_env"]


def parallel_env(config: Config | None = None, **options: Any) -> TeamEnv:
    """An environment in which every robot of the team is an agent; `options` are those of `TeamEnv`."""
    need("pettingzoo", "gym", "Environments for learners need")
    from coterie.gym.env import TeamEnv

    return TeamEnv(config or Config(), **options)
