"""What each alternative of the grammar means: a row of `fixed.py`, or a method that has its name."""

from __future__ import annotations

from coterie.mission.language.reading.lessons import Lessons


class Reading(Lessons):
    """One tree of the grammar, from the leaves up."""
