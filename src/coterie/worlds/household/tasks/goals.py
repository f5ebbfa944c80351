"""Goals in a house. Robots are told the goal, and never how far they have come.

An episode ends when every robot has stopped or its battery is flat, or at its limit; only then is it judged.
"""

from __future__ import annotations

from dataclasses import dataclass

from coterie.core.expr import Lookup
from coterie.core.task import Goal, Progress, goals


def tally(done: int, of: int, one: str, many: str) -> str:
    """So many of so many, for a status line: `1 of 1 thing is found.`"""
    return f"{done} of {of} {one if of == 1 else many}."


@dataclass(frozen=True)
class Tidy(Goal):
    """Everything is where it belongs. What is misplaced, and how much of it, is for the robots to find out.

    Success asks for all that was misplaced at first, and for nothing else that robots carried to a wrong place.
    """

    kind: str = "tidy-up"
    of_things = True  # and of nothing else: it is judged anew where a thing has been moved, or the end has come

    def progress(self, look: Lookup) -> Progress:
        misplaced: tuple[str, ...] = look("astray")  # type: ignore[assignment]
        right = sum(bool(look("tidy", t)) for t in misplaced)
        spoilt: int = look("spoilt")  # type: ignore[assignment]
        ended, whole = bool(look("ended")), right == len(misplaced) and not spoilt
        text = tally(right, len(misplaced), "thing is where it belongs", "things are where they belong")
        if spoilt:
            lay, gone = ("it lay", "is") if spoilt == 1 else ("they lay", "are")
            text += f" {spoilt} that belonged where {lay} {gone} not there any more."
        return Progress(ended and whole, right / len(misplaced) if misplaced else 1.0, text, ended and not whole)

    def text(self) -> str:
        return "Tidy up: find what lies where it does not belong, and put each such thing where it does."


@dataclass(frozen=True)
class Search(Goal):
    """Named things are found, and where each of them is has been reported."""

    things: tuple[str, ...]
    kind: str = "find"
    of_things = True

    def progress(self, look: Lookup) -> Progress:
        right = sum(look("reported", t) is not None and look("reported", t) == look("where", t) for t in self.things)
        ended, whole = bool(look("ended")), right == len(self.things)
        text = tally(right, len(self.things), "thing is found", "things are found")
        return Progress(ended and whole, right / len(self.things) if self.things else 1.0, text, ended and not whole)

    def text(self) -> str:
        return f"Find {', '.join(self.things)}, and report where each of them is."


goals.put("tidy-up", lambda data: Tidy())
goals.put("find", lambda data: Search(tuple(str(t) for t in data["things"])))
