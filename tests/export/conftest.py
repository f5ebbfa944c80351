"""Logs of four worlds, played once."""

import pytest

from coterie.core.config import Config
from coterie.episode.play import play

LEVELS = {"pack-objects": "medium", "tidy": "", "yard-tidy": "", "sort-cubes": ""}


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """The folder in which they lie, with two of those tasks of which a dataset is made."""
    folder = tmp_path_factory.mktemp("logs")
    for task, level in LEVELS.items():
        for seed in (1, 2) if task in ("sort-cubes", "pack-objects") else (1,):
            play(Config(task, seed=seed, level=level), log_path=folder / f"{task}-{seed}.jsonl")
    return folder
