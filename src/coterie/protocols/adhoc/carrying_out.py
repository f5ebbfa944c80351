"""How a stranger carries out a sub-task: the next sub-skill of it, by rule, and what ends with the battery."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.close_looks import LookCloser
from coterie.protocols.adhoc.knowledge import Knowing
from coterie.protocols.adhoc.subtasks import EXPLORE, REPLACE, STOP, LetFall, Phrase
from coterie.protocols.adhoc.viewpoints import Views
from coterie.worlds.household import options as skills
from coterie.worlds.household.knowledge.chart import Chart, chart_of
from coterie.worlds.household.knowledge.graph import number_of, room_at, survey_of

DOOR_M = 1.0  # from a doorway: what is seen there leads on to another room
LAST_STEPS = 3  # of battery: who still holds something then lets it fall, so that others can take it


class Doing(Knowing):
    """A stranger's hands and feet."""

    explores: type[skills.Explore] = Views

    def __init__(self) -> None:
        super().__init__()
        self.option: skills.SubSkill | None = None  # the sub-skill under way
        self.bad_homes: set[tuple[str, str]] = set()  # (thing, place) that did not work

    @abstractmethod
    def _watch(self, me: RobotView) -> str | None:
        """Asked before every further action of a sub-skill: why to plan again, if so."""

    def by_rule(self, me: RobotView, subtask: Phrase) -> skills.SubSkill | None:
        """The next sub-skill of a sub-task; None where nothing is left to do for it."""
        held = me.belief.value("holding", me.name)
        if isinstance(held, str) and subtask.name != REPLACE:
            subtask = self._carrying(me, held) or subtask  # hands have to be empty first
        if subtask.name == STOP:
            return skills.StopHere()
        if subtask.name == EXPLORE:
            return self._explore(me, subtask.args[0] if subtask.args else "")
        if not subtask.args:  # in words of its own, or none at all: what it holds, it looks a place for
            return LetFall() if self._ends_now(me) else self._explore(me, "")
        thing = subtask.args[0]
        if self._ends_now(me):
            return LetFall()
        if held == thing:
            place = self.place_for(me, subtask)
            if place:
                return skills.put_at(place, self._watch)
            return self._explore(me, "")
        if held is not None and held is not UNKNOWN:
            return None
        if self.can_take(me, thing) or me.belief.value("spot", thing) is UNKNOWN:
            return None
        return skills.PickupObject(thing, self._watch)

    def _carrying(self, me: RobotView, held: str) -> Phrase | None:
        homes = self.homes(me, str(me.belief.value("kind", held)))
        return Phrase(REPLACE, (held, homes[0][1], homes[0][2])) if homes else None

    def place_for(self, me: RobotView, subtask: Phrase) -> str:
        """The nearest known place that a sub-task asks for; where it names none that is known, a home of such
        things. Empty: there is none yet."""
        thing, on, room = (*subtask.args, "", "")[:3]
        survey = survey_of(me)
        named = (p for p, (kind, inside) in survey.pieces.items()
                 if on in (kind, p) and room in ("", inside, survey.kind_of_room(inside)))  # fmt: skip
        near = survey.by_distance((p for p in named if (thing, p) not in self.bad_homes), chart_of(me).pose)
        if near:
            return near[0]
        if on.lower() == FLOOR:
            fit = (f"{FLOOR}@{r}" for r in survey.rooms if room in (r, survey.kind_of_room(r)))
            return next((place for place in fit if (thing, place) not in self.bad_homes), "")
        known = self.homes(me, str(me.belief.value("kind", thing)))
        return next((place for place, _, _ in known if (thing, place) not in self.bad_homes), "")

    def _explore(self, me: RobotView, room: str) -> skills.SubSkill | None:
        """In a room, or wherever the known ends outside the rooms that others have explored."""
        held = isinstance(me.belief.value("holding", me.name), str)  # then it looks for a place, wherever that is
        explored = self.company.explored(self.low(me))
        option = self.explores(room, self._watch, self.aims(me), () if room or held else explored)
        if isinstance(option, Views):
            option.looks = None if held else self.looks
            option.last = partial(self._no_home_here, me) if held else None
        if room not in explored and option.worthwhile(me):
            return option
        look = LookCloser(self.looks, room, self._watch)
        if room and look.worthwhile(me):
            return look
        if room in explored and option.worthwhile(me):
            return option
        if room and room_at(me.belief, *chart_of(me).pose[:2]) != room and room not in self.explored(me, survey_of(me)):
            there = skills.GoToRoom(room, self._watch)
            if there.step(me) is not None:
                return skills.GoToRoom(room, self._watch)
        return None

    def _no_home_here(self, me: RobotView, chart: Chart) -> int:
        """Nodes of rooms of a clear kind in which what it holds has no home; not those before their doors."""
        survey, held = survey_of(me), me.belief.value("holding", me.name)
        kinds = self.home_rooms(str(me.belief.value("kind", held))) if isinstance(held, str) else set()
        found = 0
        for room in survey.rooms if kinds else ():
            if survey.kind_of_room(room) not in kinds | {""}:
                found |= chart.room(number_of(room))
        doors = [f.value[2:4] for f in me.belief.facts("joins")] if found else []  # type: ignore[index]
        return found & ~chart.near(doors, DOOR_M) if doors else found

    # -- when the battery ends ------------------------------------------------------------------------------------
    def _ends_holding(self, me: RobotView, steps: int) -> str:
        """The thing in the hand while the battery has at most so many steps left; empty otherwise."""
        held, left = me.belief.value("holding", me.name), me.belief.value("battery", me.name)
        return held if isinstance(held, str) and isinstance(left, (int, float)) and left <= steps else ""

    def _ends_now(self, me: RobotView) -> bool:
        """True if these are the last steps, something is in the hand, and it cannot be put away from here."""
        if not self._ends_holding(me, LAST_STEPS):
            return False
        if isinstance(self.option, skills.PutObject) and skills.within_reach(me, self.option.target):
            return False
        return not isinstance(self.option, LetFall)
