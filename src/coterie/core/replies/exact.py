"""Replies that are written exactly as they were asked for: a thought and an action or an option, or a line for each
robot of a team.

Most replies of a model that is held to a grammar are, and need none of the patterns with which everything else is read
(`action.py`, `per_robot.py`). One that could mean anything else there is not exact: with or without this, a reply is
read as the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from coterie.core.replies.courtesy import refuses
from coterie.core.replies.fields import blank
from coterie.core.replies.headings import named

MOST = 400  # characters
_WORD = r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*"
_THOUGHT = rf"Thought: (?P<thought>(?=[A-Za-z]){_WORD}(?: {_WORD})*\.?)\n"
_CALL = rf"[a-z]+(?:_[a-z]+)*\((?:{_WORD}(?:, {_WORD})*)?\)"
_ACTION = re.compile(rf"(?:{_THOUGHT}Action: )?(?P<call>{_CALL})")
_OPTION = re.compile(rf"{_THOUGHT}Option: (?P<letters>[A-Z]{{1,2}})")
_TURNS = ("user", "human", "system", "assistant", "ai")  # as whom no robot is told to do something


class Exact(NamedTuple):
    """A call, and what was thought."""

    word: str
    inner: str
    thought: str


def exact(reply: str) -> Exact | None:
    """The action of a reply in two lines, or of a call alone; None where it may be anything else."""
    found = _ACTION.fullmatch(reply) if len(reply) <= MOST else None
    if found is None or "sorry" in reply.lower() or reply.startswith("print("):
        return None
    word, _, inner = found["call"].partition("(")
    return Exact(word, inner[:-1], _sensible(found["thought"] or ""))


def _sensible(thought: str) -> str:
    return "" if refuses(thought) or blank(thought) else thought


def exact_option(reply: str) -> tuple[str, str] | None:
    """The letters of an option and what was thought, of a reply in two lines; None where it may be anything else."""
    found = _OPTION.fullmatch(reply) if len(reply) <= MOST else None
    if found is None or "sorry" in reply.lower():
        return None
    return found["letters"], _sensible(found["thought"])


def exact_lines(reply: str, names: Sequence[str]) -> dict[str, str] | None:
    """The calls of a reply with a thought and then a line for each of these robots, in their order, or None."""
    found = _lines(tuple(names)).fullmatch(reply) if len(reply) <= MOST else None
    if found is None or "sorry" in reply.lower():
        return None
    return dict(zip(names, found.groups()[1:]))


@lru_cache(maxsize=64)
def _lines(names: tuple[str, ...]) -> re.Pattern[str]:
    if not all(n.isascii() and n.isalnum() and n.istitle() and not named(n) and n.lower() not in _TURNS for n in names):
        return re.compile("(?!)")
    return re.compile(_THOUGHT + "\n".join(rf"{name}: ({_CALL})" for name in names))
