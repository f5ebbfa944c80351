"""A house as its log tells it, as a floor plan and frames: rooms, fog, furniture, things, what was carried."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.core.card import PERSON
from coterie.core.lazy import np
from coterie.houses.model import FLOOR, Furniture
from coterie.log.state import RobotState, State, ThingState
from coterie.render.describe import (
    Agent,
    Bar,
    Cells,
    Door,
    Fixture,
    FloorPlan,
    Frame,
    Item,
    Pin,
    Region,
    Row,
    Section,
    Trail,
)  # fmt: skip
from coterie.render.states import agent, colours, frame, subtitle, talk, title
from coterie.worlds.household.bodies import RESIDENT
from coterie.worlds.household.pictures.eyes import look_of
from coterie.worlds.household.pictures.plan import Plan, room_words

Spot = tuple[float, ...]


@dataclass
class Carried:
    """One thing in one hand, from when it was taken until it was laid down."""

    thing: str
    robot: str
    taken: int  # step
    place: str  # where it was taken
    spot: Spot
    put: int | None = None
    to: str = ""
    there: Spot = ()


@dataclass
class Story:
    """Everything that robots carried, in order; what was misplaced at first, or what they are to look for."""

    misplaced: tuple[str, ...] = ()
    sought: tuple[str, ...] = ()
    carried: list[Carried] = field(default_factory=list)
    lying: dict[str, tuple[str, Spot]] = field(default_factory=dict)
    in_hand: dict[str, Carried] = field(default_factory=dict)
    kept: dict[str, Spot] = field(default_factory=dict)  # where residents want things to stay

    @classmethod
    def begun(cls, plan: Plan, state: State) -> Story:
        """With a first state, before anything was carried."""
        lying = {t.name: (t.on, tuple(t.spot)) for t in plan.house.things}
        if state.goal.get("things"):  # they are asked for by name, and nobody tidies up
            return cls((), tuple(t for t in state.goal["things"] if t in plan.house.thing), lying=lying).follow(state)
        astray = tuple(t.name for t in plan.house.things if not plan.tidy(t.name, t.on, t.spot))
        return cls(astray, lying=lying).follow(state)

    def follow(self, state: State) -> Story:
        """Take in the next state."""
        for name in self.lying:
            place = str(state.true.get(("where", name), self.lying[name][0]))
            self.kept[name] = tuple(state.true.get(("keep", name)) or ())
            if place in state.robots:
                if name not in self.in_hand:
                    self.in_hand[name] = Carried(name, place, max(state.step, 0), *self.lying[name])
                    self.carried.append(self.in_hand[name])
                continue
            spot = tuple(state.true.get(("spot", name)) or ())
            if name not in (*self.misplaced, *self.sought) and state.true.get(("left", name)):
                self.misplaced = (*self.misplaced, name)  # by a resident
            if name in self.in_hand:
                one = self.in_hand.pop(name)
                one.put, one.to, one.there = max(state.step, 0), place, spot
            self.lying[name] = (place, spot or self.lying[name][1])
        return self

    def right(self, plan: Plan, one: Carried) -> bool | None:
        """True if a thing was laid where it belongs, or is to stay; None while it is in a hand."""
        kept = self.kept.get(one.thing) or None
        return None if one.put is None else kept == one.there or plan.tidy(one.thing, one.to, one.there)

    def marked(self, plan: Plan, state: State) -> list[str]:
        """The things that the episode is about at a moment: misplaced ones, or those that are looked for."""
        return list(self.sought) or self.still_misplaced(plan, state)

    def still_misplaced(self, plan: Plan, state: State) -> list[str]:
        """The things that were misplaced at first and still are."""
        found = []
        for name in self.misplaced:
            place, spot = str(state.true.get(("where", name), FLOOR)), state.true.get(("spot", name)) or ()
            kept = state.true.get(("keep", name))
            if not plan.tidy(name, place, spot) and (not kept or tuple(kept) != tuple(spot)):
                found.append(name)
        return found


FOG = "#6c6f7d96"
TRAIL_STEPS = 25  # of the trails that a picture of one step shows
WALL_M = 0.09


# -- the house ----------------------------------------------------------------------------------------------------
def floor_plan(state: State, plan: Plan) -> FloorPlan:
    house = plan.house
    rooms = [Region(r.name, tuple(r.polygon), room_words(r.kind), room_words(r.kind), r.name) for r in house.rooms]
    pieces = sorted(house.furniture, key=lambda p: p.base_m + p.size[2])
    return FloorPlan(
        title(state.start),
        subtitle(state.start, f"{len(house.rooms)} rooms"),
        tuple(rooms),
        tuple((w.a, w.b) for w in house.walls),
        tuple(Door(d.name, d.a, d.b) for d in house.doors),
        tuple(fixture(p) for p in pieces),
        wall_m=WALL_M,
        wanted="looked for" if state.goal.get("things") else "misplaced",
        trail_steps=TRAIL_STEPS,
    )


def fixture(piece: Furniture) -> Fixture:
    return Fixture(piece.name, tuple(piece.corners), look_of(piece.kind), piece.room, room_words(piece.kind))


def fog(plan: Plan, known: np.ndarray) -> Cells:
    """The cells of the house that are not among the known ones."""
    low, rooms = plan.ground
    return cells(plan, np.where((rooms >= 0) & ~known, ord("a"), ord(" ")), (FOG,), low)


def cells(plan: Plan, letters: np.ndarray, shades: tuple[str, ...], low: tuple[int, int]) -> Cells:
    """Cells of the ground from letters, (rows, columns)."""
    rows = tuple(bytes(row).decode("ascii") for row in letters.astype(np.uint8))
    return Cells((low[0] * plan.cell_m, low[1] * plan.cell_m), plan.cell_m, shades, rows)


# -- a moment -----------------------------------------------------------------------------------------------------
def frame_of(state: State, plan: Plan, story: Story, whole: bool = False) -> Frame:
    robots = [name for name, robot in state.robots.items() if not lives(robot)]
    known, seen = plan.seen(state, robots), seen_names(state)
    marked, hue = story.marked(plan, state), colours(state)
    named = {*marked, *(c.thing for c in story.carried)}
    lying = [t for t in state.things.values() if t.place not in state.robots and len(t.spot) > 1]
    _, rooms = plan.ground
    share = float((known & (rooms >= 0)).sum() / max(1, (rooms >= 0).sum()))
    places = {place for c in story.carried for place in (c.place, c.to)} | {state.things[n].place for n in marked}
    return frame(
        state,
        whole,
        bars=(Bar("Done", state.partial, state.status_text), Bar("Seen", share, "of the floor, by all")),
        items=tuple(_item(t, t.name in named, t.name in marked, t.name not in seen) for t in lying),
        agents=tuple(_agent(state, plan, robot, hue[name], whole) for name, robot in state.robots.items()),
        trails=tuple(_trails(state, story.carried, None if whole else state.step - TRAIL_STEPS)),
        pins=tuple(_pins(state, story.carried, whole)),
        shut=frozenset(d.name for d in plan.house.doors if not d.open),
        unseen=frozenset(p.name for p in plan.house.furniture if p.name not in seen),
        named=frozenset(p for p in places if p in plan.house.piece),
        cells=fog(plan, known),
        sections=(*_sections(state, plan, story, marked), talk(state)),
        busy=any(state.step in (c.taken, c.put) for c in story.carried),
    )


def seen_names(state: State) -> set[str]:
    """Furniture and things that robots have seen or heard of."""
    found: set[str] = set()
    for name, robot in state.robots.items():
        for told in () if lives(robot) else robot.seen:
            found |= {args[0] for pred, args, *_ in told.rows(name) if pred in ("box", "where") and args}
    return found


def _item(thing: ThingState, named: bool, wanted: bool, hidden: bool) -> Item:
    place = "" if thing.place == FLOOR else thing.place
    at = (float(thing.spot[0]), float(thing.spot[1])) if len(thing.spot) > 1 else (0.0, 0.0)
    return Item(thing.name, at, thing.kind, thing.colour, place, thing.name if named else "", wanted, hidden)


def _agent(state: State, plan: Plan, robot: RobotState, colour: str, whole: bool) -> Agent:
    pose = state.true.get(("pose", robot.name))
    heading = float(pose[2]) if pose is not None and len(pose) > 2 else 90.0
    thing = state.things.get(robot.holding or "")
    here = plan.room_at(robot.pose) if robot.pose is not None else None
    parts = [f"in {here.name} ({room_words(here.kind)})"] if here is not None else []
    parts += [f"holds {robot.holding}"] if robot.holding else []
    more: dict[str, Any] = {"where": ", ".join([*parts, *battery_words(robot, state)]), "at": robot.pose}
    if thing is not None:
        more["held"] = _item(thing, False, True, False)
    if robot.card.get("body") in (PERSON, RESIDENT):
        more["base"] = "person"
    if robot.online:
        more["view_deg"] = float(robot.card.get("fov_deg") or 90.0)
    if whole and robot.online:
        way = sum(math.dist(a, b) for (_, a), (_, b) in zip(robot.trail, robot.trail[1:]))
        said = sum(who == robot.name for who, _ in state.talk)
        more["note"] = f"went {way:.0f} m, knows of {len(robot.known)} things, sent {said} message{'s' * (said != 1)}"
    return agent(state, robot, colour, whole, heading_deg=heading, body=body_words(robot), **more)


def lives(robot: RobotState) -> bool:
    """True if it is a resident of the house, and no robot."""
    return bool(robot.card.get("body") == RESIDENT)


def body_words(robot: RobotState) -> str:
    card = robot.card
    if lives(robot):
        return "lives here"
    lifts = f"lifts {card['payload_kg']:g} kg" if card.get("payload_kg") else "no arm"
    return f"camera at {card.get('camera_m') or 1.6:g} m, {lifts}"


def battery_words(robot: RobotState, state: State) -> list[str]:
    left, whole = state.true.get(("battery", robot.name)), robot.card.get("battery_steps")
    if state.true.get(("stopped", robot.name)):
        return ["has stopped"]
    if left == 0:
        return ["battery flat"]
    return [f"battery {left} of {whole}"] if whole and left is not None else []


# -- trails and pins ----------------------------------------------------------------------------------------------
def _trails(state: State, carried: Sequence[Carried], since: int | None) -> Iterator[Trail]:
    """Where robots went, and on top of that where they carried something."""
    for name, robot in state.robots.items():
        trail = robot.trail
        if since is not None:
            trail = [*[row for row in trail if row[0] < since][-1:], *(row for row in trail if row[0] >= since)]
        if len(trail) > 1:
            yield Trail(name, tuple(p for _, p in trail))
        for one in carried:
            end = one.put if one.put is not None else math.inf
            before = [p for step, p in trail if step <= one.taken][-1:]
            points = (*before, *(p for step, p in trail if one.taken < step <= end))
            if one.robot == name and len(points) > 1:
                yield Trail(name, points, loaded=True)


def _pins(state: State, carried: Sequence[Carried], whole: bool) -> Iterator[Pin]:
    """Where each thing was taken and laid down, by its number in the story."""
    for name, robot in state.robots.items():
        if whole and len(robot.trail) > 1:
            yield Pin(robot.trail[0][1], name, "start")
    for i, one in enumerate(carried, 1):
        for spot, kind in ((one.spot, "take"), (one.there, "put")):
            if len(spot) > 1:
                yield Pin((float(spot[0]), float(spot[1])), one.robot, kind, str(i))


# -- words --------------------------------------------------------------------------------------------------------
def _sections(state: State, plan: Plan, story: Story, marked: Sequence[str]) -> Iterator[Section]:
    rows = [_carried(i, one, story, plan) for i, one in enumerate(story.carried, 1)]
    yield Section("What was carried", tuple(rows) or (Row("nothing", tone="grey"),))
    heading = "Looked for" if story.sought else "Misplaced" if state.end is None else "Still misplaced"
    yield Section(heading, tuple(_marked(state.things[name], story, plan, state) for name in marked))


def _carried(number: int, one: Carried, story: Story, plan: Plan) -> Row:
    right = story.right(plan, one)
    steps = f"steps {one.taken} to {one.put}" if one.put is not None else f"since step {one.taken}"
    to = "still in the hand" if right is None else f"to {_short(one.to, one.there, plan)}"
    sign, tone = {True: ("✓ ", "good"), False: ("✗ ", "bad"), None: ("", "grey")}[right]
    note = f"{sign}from {_short(one.place, one.spot, plan)} {to}"
    return Row(f"{one.thing}, by {one.robot}, {steps}", one.robot, number=number, note=note, tone=tone)


def _marked(thing: ThingState, story: Story, plan: Plan, state: State) -> Row:
    place = f"in {thing.place}'s hand" if thing.place in state.robots else _short(thing.place, thing.spot, plan)
    item, tone = _item(thing, False, True, False), ""
    if story.sought:
        reported = state.true.get(("reported", thing.name))
        right = reported == thing.place
        tone = "grey" if reported is None else "good" if right else "bad"
        place += ", not reported" if reported is None else f", reported {'✓' if right else f'at {reported} ✗'}"
    return Row(f"{thing.name}: {place}", item=item, tone=tone)


def _short(place: str, spot: Sequence[float], plan: Plan) -> str:
    room = plan.room_of(place, spot)
    return f"{'the floor' if place == FLOOR else place}{f' ({room_words(room.kind)})' if room is not None else ''}"
