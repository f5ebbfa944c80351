"""Words in a lesson that are no answer: another name for what is taught, a second lesson, a question that somebody
answers themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.mission.dialogue.asking import Interaction
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import upper

_RENAMES = re.compile(
    r"\W*(?:(?:actually|no|sorry|wait|oh|please|let's|let us|i want to|we should|better|rather)\W+)*"
    r"(?:call|name|rename) (?:it|that|this|the kit|the task|the skill|the thing)\b.*",
    re.I | re.S,
)
#: "Forget the bluekit? No way." says that it is not to be done, and nothing of what was asked.
_ASKS_ITSELF = re.compile(
    r".*\w.*\?\s*(?:oh |hell |god |heavens )?(?:no+|nope|nah|no way|never|not at all|certainly not|of course not)\W*",
    re.I | re.S,
)


def asks_itself(text: str, found: Sequence[Meaning | m.Unclear]) -> bool:
    """Whether somebody asks something and says no to it in one breath."""
    return any(isinstance(x, m.Refuse) for x in found) and _ASKS_ITSELF.fullmatch(text) is not None


def taught_now(asking: Interaction | None) -> Interaction | None:
    """The lesson that is under way, whatever is asked within it."""
    while asking is not None and not asking.right:
        asking = asking.outer
    return asking


def renamed(asking: Interaction | None, text: str) -> str:
    """What is said to another name for what is being taught; empty where a sentence gives none."""
    lesson = taught_now(asking)
    if lesson is None or not _RENAMES.fullmatch(text):
        return ""
    return f"I cannot give {lesson.name} another name. To begin anew, say: Never mind. Then teach it by its other name."


def waits_behind(asking: Interaction | None, other: str) -> str:
    """What is said of a lesson under way where another one begins."""
    lesson = taught_now(asking)
    return f"{upper(lesson.name)} waits until {other} is done.\n" if lesson is not None else ""
