"""Logs to draw: one for every scene, and one for every kind of change."""

from collections.abc import Callable
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.event import Event
from coterie.episode.play import play
from coterie.log.file import read_log

Logs = Callable[..., list[Event]]


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    """`log(scene="loft", seed=4)`: the events of such an episode, as a reader of its file sees them."""
    folder, made = tmp_path_factory.mktemp("logs"), {}

    def make(**options) -> list[Event]:
        key = repr(sorted(options.items()))
        if key not in made:
            path = Path(folder) / f"{len(made)}.jsonl"
            play(Config(**{"protocol": "expert", "seed": 4, **options}), path)
            made[key] = read_log(path)
        return made[key]

    return make
