"""Hands tied together by what they both hold: a rope lets them go only so far apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.motion.arm import Arm
from coterie.motion.collision import Allowed, Apart, Checker
from coterie.worlds.tabletop.job import Tether

TIED = "tether"  # stands for the rope in the list of what collides


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
    ):
        super().__init__(model, data, arms, allowed, held, apart=apart)
        site = {a.name: a.site for a in arms}
        self._tied = [(site[t.a], site[t.b], t.length) for t in tethers]

    def free(self, q: np.ndarray) -> bool:
        return super().free(q) and not self._torn()

    def pairs(self, q: np.ndarray) -> list[tuple[str, str]]:
        found = super().pairs(q)
        return [*found, (TIED, "too short")] if self._torn() else found

    def _torn(self) -> bool:
        at = self.data.site_xpos
        return any(float(np.linalg.norm(at[a] - at[b])) > most for a, b, most in self._tied)
