"""A bench that has been played: what tables and plots are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.bench.methods import Method
from coterie.bench.results import Row
from coterie.bench.spec import EpisodeSpec


@dataclass(frozen=True, repr=False)
class Bench:
    """A finished run: what was asked for, and one row per episode and method."""

    folder: Path
    suite: str
    specs: Sequence[EpisodeSpec]
    methods: list[Method]
    rows: Sequence[Row]
    settings: dict[str, Any]
    reused: int = 0  # rows that were there already
    unused: int = 0  # rows of these episodes and methods in the folder that another model or version made
    walls: Sequence[Row] = ()  # what these episodes took on the clock, as far as it is known
    alike: list[str] = field(default_factory=list)  # sentences about episodes that are left out, as they repeat others

    @property
    def names(self) -> list[str]:
        """The methods as they stand in tables."""
        return [m.name for m in self.methods]

    def __repr__(self) -> str:
        return f"Bench({self.suite}: {len(self.specs)} episodes, {', '.join(self.names)})"
