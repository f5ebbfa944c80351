"""The goals of tasks in the house, judged on the truth of the world.

At the work table a thing that does not belong on a platform blocks success and cancels one correct thing in the partial
score; bringing things to where they belong anywhere in the house says nothing about other things.
"""

from __future__ import annotations

from typing import Any

from coterie.core.expr import Lookup
from coterie.core.frozen import frozen
from coterie.core.task import Goal, Progress, Wanted, goals

MOST_NESTED = 8  # a thing in a caddy in a caddy


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
        inside: dict[str, Any] = {panel: look("contents", panel) for panel in self.panels}
        at_home = [self.home(thing) == panel for panel, things in inside.items() for thing in things]
        shown = [f"{', '.join(things)} on {panel}" for panel, things in inside.items() if things]
        text = f"On the panels: {'; '.join(shown) or 'nothing'}."
        return _score(at_home.count(True), at_home.count(False), len(self.pairs), text)

    def text(self) -> str:
        return f"Put each solid onto the panel of its colour: {_list([f'{t} on {p}' for t, p in self.pairs])}."


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


@frozen
class Bring(Goal):
    """Every thing at its place. Nothing is said about other things, so none of them is in the wrong place."""

    pairs: tuple[tuple[str, str], ...]  # (thing, a piece of furniture, a room, a person or a thing that holds things)
    kind: str = "bring"

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(t for t, _ in self.pairs)

    def home(self, thing: str) -> str | None:
        return dict(self.pairs).get(thing)

    def at_home(self, look: Lookup, thing: str) -> bool:
        """True if a thing is known to be where it belongs. In a room counts wherever in it the thing lies, on the floor
        too; in a hand is nowhere."""
        home = self.home(thing)
        place: Any = look("where", thing)
        for _ in range(MOST_NESTED):
            if not isinstance(place, str):
                return False
            if place == home:
                return True
            if place.startswith("floor@"):
                return look("room", place[6:]) == home
            furniture = look("part_of", place)
            if isinstance(furniture, str):
                return home in (furniture, look("room", furniture))
            place = look("where", place)  # what holds it is a thing itself
        return False

    def missing(self, look: Lookup) -> list[Wanted]:
        return [Wanted(t, h) for t, h in self.pairs if not self.at_home(look, t)]

    def progress(self, look: Lookup) -> Progress:
        home = [f"{t} ({h})" for t, h in self.pairs if self.at_home(look, t)]
        text = f"Where they belong: {', '.join(home) or 'nothing yet'}."
        return Progress(len(home) == len(self.pairs), len(home) / len(self.pairs), text)

    def text(self) -> str:
        return f"Bring {_list([f'{t} to {h}' for t, h in self.pairs])}."


IndoorGoal = Pack | Sort | Stack | Bring


goals.put("pack", lambda data: Pack(tuple(data["targets"]), data["into"]))
goals.put("sort", lambda data: Sort(tuple((a, b) for a, b in data["pairs"]), tuple(data["panels"])))
goals.put("bring", lambda data: Bring(tuple((str(a), str(b)) for a, b in data["pairs"])))
goals.put("stack", lambda data: Stack(tuple(data["targets"]), data["on"]))


def _score(right: int, wrong: int, total: int, text: str) -> Progress:
    return Progress(right == total and wrong == 0, max(0, right - wrong) / total, text)


def _list(names: Any) -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
