"""What a check says, for tests of its words."""

from __future__ import annotations

from coterie.worlds.tabletop.job import Refusal


def words_of(refusal: Refusal | None) -> str:
    return refusal.words if refusal is not None else ""
