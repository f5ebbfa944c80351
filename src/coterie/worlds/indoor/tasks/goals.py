"""The goals of the three tasks at the work table, judged on the truth of the world.

A thing that does not belong on a platform blocks success and cancels one correct thing in the partial score.
"""

from __future__ import annotations

from typing import Any

from coterie.core.expr import Lookup
from coterie.core.frozen import frozen
from coterie.core.task import Goal, Progress, Wanted, goals
from coterie.worlds.indoor.tasks.bring import Bring


@frozen
class Pack(Goal):
    """Put every target, and nothing else, into one container."""

    targets: tuple[str, ...] = ()
    into: str = "tray"
    kind: str = "pack"

    @property
    def platforms(self) -> tuple[str, ...]:
        return (self.into,)

    def home(self, thing: str) -> str | None:
        return self.into if thing in self.targets else None

    def progress(self, look: Lookup) -> Progress:
        inside: Any = look("contents", self.into)
        right = sum(t in inside for t in self.targets)
        wrong = len(inside) - right
        text = f"In the {self.into}: {', '.join(inside) or 'nothing'}."
        return _score(right, wrong, len(self.targets), text)

    def text(self) -> str:
        return f"Put {_list(self.targets)} into the {self.into}, and nothing else."

    def to_json(self) -> dict[str, Any]:
        return {"kind": "pack", "targets": list(self.targets), "into": self.into}


@frozen
class Sort(Goal):
    """Put every solid onto the panel of its colour."""

    pairs: tuple[tuple[str, str], ...]  # (solid, panel)
    panels: tuple[str, ...]
    kind: str = "sort"

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(t for t, _ in self.pairs)

    @property
    def platforms(self) -> tuple[str, ...]:
        return self.panels

    def home(self, thing: str) -> str | None:
        return dict(self.pairs).get(thing)

    def progress(self, look: Lookup) -> Progress:
        right = wrong = 0
        shown = []
        for panel in self.panels:
            inside: Any = look("contents", panel)
            for thing in inside:
                if self.home(thing) == panel:
                    right += 1
                else:
                    wrong += 1
            if inside:
                shown.append(f"{', '.join(inside)} on {panel}")
        text = f"On the panels: {'; '.join(shown) or 'nothing'}."
        return _score(right, wrong, len(self.pairs), text)

    def text(self) -> str:
        return f"Put each solid onto the panel of its colour: {_list([f'{t} on {p}' for t, p in self.pairs])}."

    def to_json(self) -> dict[str, Any]:
        return {"kind": "sort", "pairs": [list(p) for p in self.pairs], "panels": list(self.panels)}


@frozen
class Stack(Goal):
    """Stack the layers on the board from bottom to top."""

    targets: tuple[str, ...] = ()  # bottom first
    on: str = "cutting_board"
    kind: str = "stack"

    @property
    def platforms(self) -> tuple[str, ...]:
        return (self.on,)

    def home(self, thing: str) -> str | None:
        return self.on if thing in self.targets else None

    def good_layers(self, stack: tuple[str, ...]) -> int:
        """How many layers from the bottom are as they should be."""
        n = 0
        while n < min(len(stack), len(self.targets)) and stack[n] == self.targets[n]:
            n += 1
        return n

    def missing(self, look: Lookup) -> list[Wanted]:
        """Every layer from the first that is not as it should be."""
        stack: Any = look("contents", self.on)
        good = self.good_layers(stack) if isinstance(stack, tuple) else 0
        return [Wanted(t, self.on) for t in self.targets[good:]]

    def progress(self, look: Lookup) -> Progress:
        stack: Any = look("contents", self.on)
        right = self.good_layers(stack)
        wrong = sum(t not in self.targets for t in stack)
        text = f"On the {self.on}, bottom to top: {', '.join(stack) or 'nothing'}."
        done = tuple(stack) == self.targets
        return Progress(done, max(0, right - wrong) / len(self.targets), text)

    def text(self) -> str:
        return f"Stack on the {self.on}, bottom to top: {', '.join(self.targets)}."

    def to_json(self) -> dict[str, Any]:
        return {"kind": "stack", "targets": list(self.targets), "on": self.on}


IndoorGoal = Pack | Sort | Stack | Bring


goals.put("pack", lambda data: Pack(tuple(data["targets"]), data["into"]))
goals.put("sort", lambda data: Sort(tuple((a, b) for a, b in data["pairs"]), tuple(data["panels"])))
goals.put("stack", lambda data: Stack(tuple(data["targets"]), data["on"]))


def _score(right: int, wrong: int, total: int, text: str) -> Progress:
    return Progress(right == total and wrong == 0, max(0, right - wrong) / total, text)


def _list(names: Any) -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


__all__ = ["Bring", "Goal", "IndoorGoal", "Pack", "Sort", "Stack"]
