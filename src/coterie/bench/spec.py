"""One episode of a suite, and suites by name.

A specification does not name a method: the same episodes are played by every method, which is what makes paired
comparison possible. Labels say which cell of a table an episode belongs to; `group` is what averages weigh equally.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from coterie.core.config import Config
from coterie.core.registry import Registry

FIRST_SEED = 10_000  # below lie the seeds of training and tuning
TESTED: set[str] = set()  # scenes with a name that suites play in: studies add theirs, and nothing is trained there


def seed_in(split: str, rng: random.Random) -> int:
    """A seed for things or for a house of this split: "train" (even) or "dev" (odd), below those of suites."""
    return 2 * rng.randrange(FIRST_SEED // 2) + (split == "dev")


@dataclass(frozen=True)
class EpisodeSpec:
    """One episode without its method: a key that names it for ever, its configuration and its labels.

    Every episode has the labels `setting`, `task`, `level`, `team`, `group`, `scene` and `seed`; those that a suite
    leaves out follow from its configuration, and a study adds its own.
    """

    key: str
    config: Config
    labels: dict[str, Any] = field(default_factory=dict)


SuiteFactory = Callable[[int], list[EpisodeSpec]]
#: Episodes to learn from, by seed, number, protocol and split ("train" or "dev"): never those that a suite plays.
Lessons = Callable[[int, int, str, str], Iterator[Config]]
lessons: Registry[Lessons] = Registry("set of lessons")
suites: Registry[SuiteFactory] = Registry("suite")  # a suite is a function from its first seed; tags group suites
