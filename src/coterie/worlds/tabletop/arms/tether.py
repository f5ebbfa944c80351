"""Hands tied together by what they both hold: a rope lets them go only so far apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.motion.arm import Arm
from coterie.motion.collision import Allowed, Apart, Checker
from coterie.motion.spare import Spare
from coterie.worlds.tabletop.job import Tether

SHORT = "(what both hold is too short)"  # said behind the names of hands that are too far apart


class Tethered(Checker):
    """A collision checker to which hands too far apart are a collision too."""

    def __init__(
        self,
        model: Any,
        data: Any,
        arms: Sequence[Arm],
        allowed: Allowed,
        held: Mapping[str, str],
        apart: Apart | None,
        tethers: Sequence[Tether],
        spare: Spare | None = None,
    ):
        super().__init__(model, data, arms, allowed, held, apart=apart, spare=spare)
        site = {a.name: a.site for a in arms}
        self._tied = [(t, site[t.a], site[t.b]) for t in tethers]

    def free(self, q: np.ndarray) -> bool:
        return super().free(q) and not self._torn()

    def clear(self, q: np.ndarray) -> bool:
        return super().free(q)

    def pairs(self, q: np.ndarray) -> list[tuple[str, str]]:
        return [*super().pairs(q), *[(t.a, f"{t.b} {SHORT}") for t in self._torn()]]

    def _torn(self) -> list[Tether]:
        """The tethers that the last configuration asked for would tear."""
        at = self.data.site_xpos
        return [t for t, a, b in self._tied if float(np.linalg.norm(at[a] - at[b])) > t.length]
