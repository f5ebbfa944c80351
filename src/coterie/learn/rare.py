"""States that come so seldom that a pupil would never learn them: they are told several times, with other names each.

What is counted in the card of a file stands here by name, so that whoever reads it sees what is missing.
"""

from __future__ import annotations

from collections.abc import Callable

from coterie.core.protocol import Prompt

REFEREE = "You are the referee"
Told = Callable[[str, Prompt, str, int], bool]  # stage, prompt, reply, step -> whether it is one of these


def _in_prompt(words: str) -> Told:
    return lambda stage, prompt, reply, step: any(words in text for _, text in prompt)


def _in_reply(words: str) -> Told:
    return lambda stage, prompt, reply, step: words in reply


def _later(*stages: str) -> Told:
    """What a team does before its first step comes often; later it is another matter."""
    return lambda stage, prompt, reply, step: stage in stages and step > 0


#: name -> which states are meant, and how often each is told in all; the first that fits counts.
RARE: dict[str, tuple[Told, int]] = {
    "shift of a base": (lambda stage, prompt, reply, step: stage == "MV", 12),
    "move closer": (_in_prompt(", move closer"), 12),
    "make room": (_in_reply("I make room"), 12),
    "referee": (_in_prompt(REFEREE), 12),
    "vote after a tie": (_in_prompt("All were ties."), 3),
    "welcome to a newcomer": (_in_reply("Welcome, "), 12),
    "a newcomer introduces itself": (_later("SD"), 12),
    "re-election": (_later("TALB", "LE"), 12),
}


def kind_of_state(stage: str, prompt: Prompt, reply: str, step: int) -> str:
    """The name of what is rare in it, or nothing."""
    return next((name for name, (told, _) in RARE.items() if told(stage, prompt, reply, step)), "")


def times(kind: str) -> int:
    return RARE[kind][1] if kind else 1
