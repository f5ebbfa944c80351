"""The memo in houses that are seen step by step: furniture and things, where robots last saw them in this house.

They are told as hearsay, in the lines of heuristic teammates: nobody takes it for what is so before seeing it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.protocol import TeamView
from coterie.core.record import read
from coterie.core.records import DidEvent, SeeEvent
from coterie.houses.placement import kinds
from coterie.memo.before.desk import Desk
from coterie.memo.before.hints import PlaceHints

NAME = re.compile(r"[\w@-]{1,40}")
MOST = 300  # lines that are told
PIECE, THING = "receptacle", "seen"  # the lines about them
SAID = frozenset({"kind", "room", "on", "x", "y"})


class HouseholdRecall(PlaceHints):
    about = "what was seen in this house before: where furniture stands, where things lay"
    world = "household"
    known_as = "house"

    @staticmethod
    def lesson(events: Sequence[Event]) -> dict[str, Any] | None:
        """The last place of each thing and piece of furniture that a robot saw itself."""
        seen: dict[str, dict[str, Any]] = {}
        for robot, rows in _sights(events):
            for pred, args, value, *source in rows:
                if pred in ("kind", "box", "in_room", "where", "spot") and source in ([], [robot]):
                    seen.setdefault(args[0], {})[pred] = value
        robots = {e.who for e in events if e.kind in ("see", "did")}
        found: dict[str, Any] = {}
        for name, known in seen.items():
            kind, box, spot = kinds().get(known.get("kind", "")), known.get("box"), known.get("spot")
            if kind is not None and kind.receptacle and isinstance(box, (list, tuple)) and known.get("in_room"):
                found[name] = [PIECE, {"kind": kind.name, "room": known["in_room"], "x": box[0], "y": box[1]}]
            elif isinstance(spot, (list, tuple)) and known.get("where") not in (None, *robots):
                found[name] = [THING, {"kind": known.get("kind", ""), "on": known["where"], "x": spot[0], "y": spot[1]}]
        return {"places": found} if found else None

    @classmethod
    def keep_transitions(cls, desk: Desk, events: Sequence[Event], won: bool) -> None:
        """A failed episode has seen as much of the house."""
        if not won:
            cls.keep(desk, events, 0.0)

    @staticmethod
    def read(lesson: Mapping[str, Any]) -> Sequence[tuple[str, str, Mapping[str, Any]]]:
        """The name of each place, which line tells of it, and what that line says."""
        return [(name, key, given) for name, (key, given) in lesson["places"].items() if _tellable(name, given)]

    def note(self, team: TeamView, lessons: Sequence[Sequence[Any]]) -> dict[str, Any] | None:
        """Lines about furniture, and about the things that the goal names."""
        sought = getattr(next(iter(team.robots.values())).belief.value("goal"), "things", ())
        lines: dict[str, str] = {}
        for name, key, given in (row for lesson in lessons for row in lesson):
            if key == PIECE or (key == THING and name in sought):
                lines.setdefault(name, f"{key}: {name} {' '.join(f'{k}={v}' for k, v in given.items())}")
        if not lines:
            return None
        told = sorted(lines.values(), reverse=True)[:MOST]  # things first
        return {"text": f"{len(told)} places are remembered.", "words": "\n".join(told), "episode": "house"}


def _sights(events: Sequence[Event]) -> Iterator[tuple[str, Sequence[Any]]]:
    for e in events:
        sight = read(SeeEvent, e) if e.kind == "see" else read(DidEvent, e).seen if e.kind == "did" else None
        if sight is not None:
            yield e.who, sight.rows(e.who)


def _tellable(name: str, given: Mapping[str, object]) -> bool:
    """True if a place can be written in a line: known keys, with names and numbers alone."""
    said = (name, *given.values())
    return set(given) <= SAID and all(NAME.fullmatch(str(v)) or _number(v) for v in said)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and abs(value) < 1e4
