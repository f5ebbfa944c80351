"""A stranger's knowledge for its choices: misplaced things and their homes, rooms left to explore, who does what. All
of it is from its own belief and from what others said."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence

from coterie.core.protocol import Ask, Reply, RobotView, TeamProtocol
from coterie.houses.model import FLOOR
from coterie.houses.placement import homes
from coterie.protocols.adhoc.close_looks import LEAST_M as CLOSE_M
from coterie.protocols.adhoc.close_looks import Looks, reach_of, stands_of
from coterie.protocols.adhoc.subtasks import EXPLORE, REPLACE, Phrase
from coterie.protocols.adhoc.teammates import Company, Speech
from coterie.protocols.heuristic.lines import SEEN_CELLS, TALL_M, gave_up, is_explored
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, number_of, room_at, survey_of

FEW = 4  # places at which the known of a room ends: so few are left for later


class Knowing(TeamProtocol):
    """A stranger's questions to itself. What it knows of the house is in its belief, of others in `company`."""

    def __init__(self) -> None:
        self.company = Company()
        self.speech = Speech(self.company.note)
        self.looks = Looks()
        self.failed: dict[str, list[int]] = {}  # thing -> the times at which taking it went wrong
        self._by_word: set[str] = set()  # of those, what was not seen where others said it lies

    def judge(self, me: RobotView, survey: Survey) -> Mapping[str, Thing]:
        """Misplaced things by name, according to the placement table."""
        return survey.astray

    # -- things ---------------------------------------------------------------------------------------------------
    def astray(self, me: RobotView) -> Mapping[str, Thing]:
        """Things taken to be misplaced, by name, but for those that others have put away since."""
        found, done = self.judge(me, survey_of(me)), self.company.done
        if not any(name in done for name in found):
            return found
        times = {name: spot.time for name in found if (spot := me.belief.fact("spot", name)) is not None}
        return {name: thing for name, thing in found.items() if times.get(name, 0.0) > done.get(name, -math.inf)}

    def can_take(self, me: RobotView, thing: str) -> str:
        """Why this robot cannot take a thing, as far as it knows; empty: it can try."""
        if not me.card.manipulates:
            return "no arm"
        mass = me.belief.value("mass", thing)
        if isinstance(mass, (int, float)) and mass > (me.card.payload_kg or 0.0):
            return "too heavy"
        spot = me.belief.fact("spot", thing)
        if thing in self._by_word and spot is not None and spot.source == me.name:
            self._by_word.discard(thing)  # by now it was seen: it is not where others said, or can be got at
            self.failed.pop(thing, None)
        return "it failed before" if gave_up(self.failed.get(thing, ()), me.time) else ""

    def homes(self, me: RobotView, kind: str) -> list[tuple[str, str, str]]:
        """Known places where a kind of thing belongs, nearest first: place, kind of receptacle, kind of room."""
        survey, (pieces, rooms) = survey_of(me), self.fitting(me, kind)
        found = ((piece, *survey.pieces[piece]) for piece in survey.by_distance(pieces, chart_of(me).pose))
        floors = ((f"{FLOOR}@{room}", FLOOR, room) for room in sorted(rooms))
        return [(place, on, survey.kind_of_room(room)) for place, on, room in (*found, *floors)]

    def fitting(self, me: RobotView, kind: str) -> tuple[list[str], list[str]]:
        """Known furniture on which a kind of thing belongs, and rooms on whose floor it does, by the table."""
        return survey_of(me).receptacles_for(kind), survey_of(me).rooms_for(kind)

    def home_rooms(self, kind: str) -> set[str]:
        """Kinds of rooms in which such a thing can have a home, by the placement table; empty: any may be."""
        return {room for _, room in homes(kind)}

    # -- rooms ----------------------------------------------------------------------------------------------------
    def low(self, me: RobotView) -> bool:
        """True if this robot's camera is a low one, which sees what lies on the floor."""
        return bool((me.card.camera_m or 0.0) <= TALL_M)

    def rooms_left(self, me: RobotView) -> dict[str, int]:
        """Rooms in which the known ends, as far as this robot knows, that nobody has said are explored; each with the
        steps to where it does. The nearest comes first, and those last of which only corners are left."""
        chart, done = chart_of(me), self.company.explored(self.low(me))
        found: dict[str, int] = {}
        for room in survey_of(me).rooms | {room_at(me.belief, *chart.pose[:2]): ()}:
            number = number_of(room)
            goals = chart.frontier & chart.room(number) if number and room not in done else 0
            steps = chart.steps_to(goals) if goals else None
            if steps is not None:
                found[room] = steps
        return dict(sorted(found.items(), key=lambda item: (self.corners(me, item[0]), item[1])))

    def corners(self, me: RobotView, room: str) -> bool:
        """True if so little is left to explore of a room that others come first."""
        chart, number = chart_of(me), number_of(room)
        few = (chart.frontier & chart.room(number)).bit_count() <= FEW if number else False
        return few and int((chart.cells == number).sum()) >= SEEN_CELLS

    def explored(self, me: RobotView, survey: Survey) -> list[str]:
        """Rooms in which nothing is left to explore, by what this robot has seen."""
        chart = chart_of(me)
        return [room for room in survey.rooms if is_explored(chart, room)]

    def _surely_explored(self, me: RobotView, survey: Survey) -> list[str]:
        """Of these, what it can tell others with a good conscience, who look elsewhere then: its eyes tell things on
        the floor apart, and nothing of the room was seen from afar alone."""
        sharp = reach_of(me, 0.0) >= CLOSE_M
        return [room for room in self.explored(me, survey) if sharp and not self.looks.places(me, room)]

    def closer(self, me: RobotView) -> dict[str, tuple[int, int]]:
        """Rooms in which something was seen from afar alone: how many places, and the steps to the nearest of them."""
        chart, found = chart_of(me), {}
        for room in survey_of(me).rooms:
            places = self.looks.places(me, room)
            steps = chart.steps_to(stands_of(places))
            if steps is not None:
                found[room] = (len(places), steps)
        return found

    # -- the others -----------------------------------------------------------------------------------------------
    def intend(self, me: RobotView, phrase: Phrase) -> Generator[list[Ask], Sequence[Reply], None]:
        """Broadcast an intention and hear what the others say to it: in `self.company.fresh`, by name."""
        self.company.fresh.clear()
        self.speech.say("intention", phrase)
        self.speech.send(me)
        yield []  # the others hear it, and answer
        yield []  # their answers are heard

    def aims(self, me: RobotView) -> list[tuple[float, float]]:
        """Where others are, who explore: places near them are left to them."""
        return [at for name in self.company.mates if self.exploring(me, name) and (at := self.whereabouts(me, name))]

    def exploring(self, me: RobotView, name: str, tasks: Sequence[str] = (EXPLORE,)) -> bool:
        """True if a robot is at such a sub-task, and its battery is not empty by what it said."""
        told = self.company.mates[name]
        left = told.battery_left
        flat = left is not None and left <= me.time - self.company.spoke.get(name, me.time)
        return told.subtask is not None and told.subtask.name in tasks and not flat

    def others_work(self, me: RobotView) -> bool:
        """True if another robot explores or re-places something."""
        return any(self.exploring(me, name, (EXPLORE, REPLACE)) for name in self.company.mates)

    def whereabouts(self, me: RobotView, name: str) -> tuple[float, float] | None:
        """Where a robot was last, by its own word or by what this robot saw, whichever is newer."""
        told, spoke = self.company.mates[name].position, self.company.placed.get(name, -math.inf)
        seen = me.belief.fact("pose", name)
        if seen is not None and isinstance(seen.value, tuple) and seen.source == me.name and seen.time > spoke:
            return float(seen.value[0]), float(seen.value[1])
        return told

    def room_of(self, me: RobotView, name: str) -> str:
        """The room that a robot was in last."""
        at, told = self.whereabouts(me, name), self.company.mates[name]
        if at is None or at == told.position:
            return told.room or ""
        return room_at(me.belief, *at)

    def crowd(self, me: RobotView, room: str) -> list[str]:
        """The other robots that explore a room."""
        return [name for name in self.company.mates if self.exploring(me, name) and self.room_of(me, name) == room]
