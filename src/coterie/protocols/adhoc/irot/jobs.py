"""Task descriptions for a stranger's prompts: all that differs from task to task."""

from __future__ import annotations

from typing import NamedTuple

from coterie.core.facts import Belief


class Job(NamedTuple):
    about: str  # what is asked for, in words
    subtasks: str  # the template with the sub-tasks
    skills: str  # and with the sub-skills
    wanted: str  # what the things are called that matter
    judges: bool  # whether it is for the robot to say which things these are


JOBS = {
    "tidy-up": Job(
        "Nobody is told what lies astray, nor how much. A thing is misplaced when it lies on furniture, or in a kind "
        "of room, where people would not keep it; many are on the floor.",
        "adhoc/irot_subtasks",
        "adhoc/irot_skills",
        "Misplaced, as far as is known",
        True,
    ),
    "find": Job(
        "A thing is found when somebody has seen it and reported where it is.",
        "adhoc/irot_subtasks_find",
        "adhoc/irot_skills_find",
        "Asked for, seen and not reported yet",
        False,
    ),
}


def job_of(belief: Belief) -> Job:
    return JOBS.get(str(getattr(belief.value("goal"), "kind", "")), JOBS["tidy-up"])
