"""Why a house was not tidied up, from a log alone: how far the team came with each thing that is still misplaced.

The first reason that is true of a thing counts: whether it was found, then who lifts and sees it (`HEAVY`, `LOW`),
whether it was carried (`IN_HAND`, `WRONG`) or tried (`STUCK`), who still could (`FLAT`), and whether a place was known.
What nobody found is told apart by why nobody looked on: `stopped` if every robot that was not flat had stopped. Things
that robots carried away from where they belonged are `spoilt`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.records import StartEvent, read
from coterie.houses.model import FLOOR
from coterie.houses.placement import belongs, kinds
from coterie.worlds.household.bodies import RESIDENT

NOT_FOUND, STOPPED, HEAVY, IN_HAND, WRONG = "not found", "not found, stopped", "too heavy", "in hand", "wrong place"
STUCK, FLAT, NO_PLACE, LATE, SPOILT, LOW = "stuck", "no battery", "no place known", "too late", "spoilt", "too low"
REASONS = (NOT_FOUND, STOPPED, NO_PLACE, LATE, FLAT, HEAVY, LOW, IN_HAND, WRONG, STUCK, SPOILT)
#: The same in words for people.
WORDS = {
    NOT_FOUND: "no robot ever saw it",
    STOPPED: "no robot ever saw it, and all that still could had stopped",
    HEAVY: "nobody in the team lifts it",
    LOW: "nobody who lifts it can tell it apart where it lies",
    IN_HAND: "a robot still held it when the episode ended",
    WRONG: "it was carried, and laid where it does not belong",
    STUCK: "somebody set out for it and could not take it",
    FLAT: "when it was first seen, everybody who lifts it was flat or had stopped",
    NO_PLACE: "nobody who lifts it knew a place where it belongs",
    LATE: "it was known, and nobody came to it in time",
    SPOILT: "it lay where it belongs, and was carried or knocked away",
}
UPPER = 0.75  # of a thing's height: what of it must be seen, as in `perception`, which needs numpy


class Course:
    """The things of an episode, from its log, read once from its beginning to its end."""

    def __init__(self, events: Sequence[Event]):
        from coterie.worlds.household.pictures.plan import Plan  # needs numpy

        start = read(StartEvent, events[0])
        self.plan = Plan.of(start)
        self.lying: dict[str, tuple[str, Sequence[float]]] = {t.name: (t.on, t.spot) for t in self.plan.house.things}
        self.misplaced = [name for name, at in self.lying.items() if not self.plan.tidy(name, *at)]
        cards = {name: r["card"] for name, r in start.robots.items()}
        self.cards = {name: card for name, card in cards.items() if card["body"] != RESIDENT}
        self.payload = {name: float(card.get("payload_kg") or 0.0) for name, card in self.cards.items()}
        self.residents = cards.keys() - self.cards.keys()
        self.kept: dict[str, Sequence[float]] = {}  # where residents want things to stay
        self.found: dict[str, int] = {}  # thing -> number of the event with which a robot saw it
        self.ended: dict[str, int] = {}  # robot -> when it stopped, or its battery was flat
        self.stopped: set[str] = set()
        self.carried: set[str] = set()
        self.tried: set[str] = set()
        self.known: dict[str, set[str]] = {name: set() for name in self.cards}  # furniture and rooms
        for event in events[1:]:
            self._read(event)

    def _read(self, event: Event) -> None:
        data, who = event.data, event.who
        if event.kind == "truth":
            for pred, args, value in data["facts"]:
                self._set(event, pred, args[0] if args else "", value)
        elif who in self.residents:
            return
        elif event.kind == "see":
            self._learn(event, who, data)
        elif event.kind == "did":
            self._learn(event, who, data.get("see") or {})
            self._deed(event, data["skill"], data.get("args", ()), data.get("now") or {})
        elif event.kind == "join":
            card = data["card"] if isinstance(data["card"], Mapping) else data["card"].to_json()
            self.cards[who], self.payload[who] = card, float(card.get("payload_kg") or 0.0)
            self.known.setdefault(who, set())
        elif event.kind == "outcome" and str(data.get("action", "")).startswith("PickUp("):
            self.tried.add(str(data["action"])[len("PickUp(") : -1])
        elif event.kind == "option":
            name = str(data["name"])
            if name.startswith("PickupObject(") and data["state"] == "ended":
                self.tried.add(name[len("PickupObject(") : -1])

    def _learn(self, event: Event, who: str, seen: Mapping[str, Any]) -> None:
        news = [seen.get("saw") or {}, *(seen.get("told") or {}).values()]
        for part in news:
            for name in part.get("spot", ()):
                self.found.setdefault(name, event.seq)
            self.known.setdefault(who, set()).update(part.get("in_room", ()), part.get("in_room", {}).values())

    def _deed(self, event: Event, skill: str, args: Sequence[Any], now: Mapping[str, Any]) -> None:
        if skill == "PickUp" and args:
            self.carried.add(args[0])
        for pred, value in now.items():
            self._set(event, pred, event.who, value)

    def _set(self, event: Event, pred: str, name: str, value: Any) -> None:
        if pred == "where" and name in self.lying:
            self.lying[name] = (str(value), self.lying[name][1])
        elif pred in ("slipped", "knocked"):
            (self.tried if pred == "slipped" else self.carried).add(name)
        elif pred == "spot" and name in self.lying:
            self.lying[name] = (self.lying[name][0], value or ())
        elif pred == "keep":
            self.kept[name] = value or ()
        elif pred == "left" and name not in self.misplaced:
            self.misplaced.append(name)
        elif (pred == "battery" and value == 0) or (pred == "stopped" and value):
            self.ended.setdefault(name, event.seq)
            if pred == "stopped":
                self.stopped.add(name)

    # -- why ------------------------------------------------------------------------------------------------------
    def reasons(self) -> dict[str, str]:
        """One for each thing that is misplaced at the end."""
        tidy = self._tidy
        found = {name: self._why(name) for name in self.misplaced if not tidy(name, *self.lying[name])}
        others = (name for name in self.carried if name in self.lying and name not in self.misplaced)
        return found | {name: SPOILT for name in others if not tidy(name, *self.lying[name])}

    def _tidy(self, thing: str, on: str, spot: Sequence[float]) -> bool:
        if self.lying[thing][0] in self.residents:  # in whose hand it may be
            return True
        return list(spot) == list(self.kept.get(thing) or ()) or self.plan.tidy(thing, on, spot)

    def _why(self, thing: str) -> str:
        if thing not in self.found:
            on = [name for name in self.payload if name not in self.ended]
            return NOT_FOUND if on or not self.stopped else STOPPED
        kind = kinds().get(self.plan.house.thing[thing].kind)
        able = [name for name, most in self.payload.items() if most > 0 and most >= (kind.mass_kg if kind else 0.0)]
        if not able:
            return HEAVY
        able = [name for name in able if self._sees(self.cards[name], thing)]
        if not able:
            return LOW
        if self.lying[thing][0] in self.payload:
            return IN_HAND
        if thing in self.carried:
            return WRONG
        if thing in self.tried:
            return STUCK
        if all(self.ended.get(name, self.found[thing] + 1) <= self.found[thing] for name in able):
            return FLAT
        return LATE if any(self._has_place(name, thing) for name in able) else NO_PLACE

    def _sees(self, card: Mapping[str, Any], thing: str) -> bool:
        """True if a camera could tell a thing apart where it lay at first, from straight above or below."""
        first = self.plan.house.thing[thing]
        upper = first.spot[2] + UPPER * first.size[2]
        return abs(upper - float(card.get("camera_m") or 1.6)) < float(card.get("sight_m") or 5.0)

    def _has_place(self, robot: str, thing: str) -> bool:
        house, kind = self.plan.house, self.plan.house.thing[thing].kind
        known, wanted = self.known[robot], dict(house.wanted)
        if wanted:
            return any((place.partition("@")[2] or place) in known for place in wanted.get(thing, ()))
        on = ((p.kind, p.room) for p in house.furniture if p.name in known)
        floors = ((FLOOR, room) for room in known if room in house.room)
        return any(belongs(kind, place, house.room[room].kind) for place, room in (*on, *floors) if room in house.room)


def reasons(events: Sequence[Event]) -> dict[str, str]:
    """Why each thing is still misplaced, in the words of `REASONS`."""
    return Course(events).reasons()
