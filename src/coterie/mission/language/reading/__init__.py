"""What each alternative of the grammar means. A method here has the name of an alternative there."""

from __future__ import annotations

from coterie.mission.language.reading.lessons import Lessons


class Reading(Lessons):
    """One tree of the grammar, from the leaves up."""
