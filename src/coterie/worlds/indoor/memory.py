"""The memo in a house whose furniture is known: where kinds of things were found there before.

A lesson holds only what robots saw, never the truth; hints are never facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import TeamView
from coterie.core.record import read
from coterie.core.records import SeeEvent, StartEvent
from coterie.memo.before.hints import PlaceHints

HUNCH = "hunch"  # (furniture) -> weight: a prior, which no skill and no guard rail is judged by
OTHER_KINDS = 0.1  # what a find of another kind of thing says, against one of the same kind
NAMED = 3  # places that are told in words


class HouseRecall(PlaceHints):
    about = "where kinds of things were found in this house before"
    world = "indoor"
    known_as = "house"

    @staticmethod
    def lesson(events: Sequence[Event]) -> dict[str, Any] | None:
        """The finds of an episode that was played to its end, as kinds with furniture."""
        if not events or events[0].kind != "start" or events[-1].kind != "end":
            return None
        furniture = {f["name"] for f in read(StartEvent, events[0]).scene.get("furniture", ())}
        found = sorted(set(_finds(events, furniture)))
        return {"finds": found} if found else None

    @staticmethod
    def read(lesson: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Each find, as the kind of thing and its furniture."""
        return [(str(kind), str(place)) for kind, place in lesson["finds"]]

    def note(self, team: TeamView, lessons: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
        """An order in which to search the furniture that the team knows of."""
        belief = next(iter(team.robots.values())).belief
        known = dict(belief.value("furniture_kinds"))  # type: ignore[call-overload]
        wanted = {kind_of(str(t)) for t in getattr(belief.value("goal"), "targets", ())}
        finds = [find for lesson in lessons for find in lesson]
        weights = Counter[str]()
        for kind, place in finds:
            weights[place] += (1.0 if kind in wanted else OTHER_KINDS) if place in known else 0.0  # type: ignore[assignment]
        order = sorted((p for p, weight in weights.items() if weight > 0), key=lambda p: (-weights[p], p))
        if not order:
            return None
        facts = [[HUNCH, [place], weights[place] / sum(weights.values())] for place in order]
        words = f"Earlier, things like these were often at {', '.join(order[:NAMED])}. They may lie elsewhere now."
        return {"text": f"{len(finds)} finds are remembered.", "words": words, "facts": facts, "episode": "finds"}


def _finds(events: Iterable[Event], furniture: set[str]) -> Iterable[tuple[str, str]]:
    """Furniture on which a robot itself first saw each thing, before it was carried."""
    known: set[str] = set()
    for e in events:
        for pred, args, value, *source in read(SeeEvent, e).rows(e.who) if e.kind == "see" else ():
            if pred != "where" or not isinstance(value, str) or value == "?" or args[0] in known:
                continue
            place = value.removeprefix("floor@")
            if source and source[0] == e.who:
                known.add(args[0])
                if place in furniture:
                    yield kind_of(args[0]), place


def kind_of(thing: str) -> str:
    return re.sub(r"_\d+$", "", thing)
