"""What all strangers have in common: how they join, what they tell, and how a sub-task becomes actions.

A stranger is a party of its own. It hears the words of teammates and nothing else of them, and they hear its own. Who
writes one fills in `choose`: the next sub-task. The rest is here:

- On joining it broadcasts its state and what it can do. Every finished or new sub-task and sub-skill is told.
- A sub-task is carried out by the sub-skills of the world (`skill`).
- After every action the state is assessed (`_watch`): what is newly seen and misplaced is told and re-plans sub-task
  and sub-skill; a new receptacle is told and re-plans the sub-skill, or the sub-task where something that lies astray
  may have waited for it; an action that failed re-plans the sub-skill.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from coterie.core.action import WAIT, Action, Message
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import Ask, Asking, Decision, Reply, RobotView, TeamProtocol, TeamView
from coterie.protocols.adhoc.company import Company
from coterie.protocols.adhoc.deeds import LetFall, Pause, skill_words
from coterie.protocols.adhoc.looking import LEAST_M as CLOSE_M
from coterie.protocols.adhoc.looking import LookCloser, Looks, reach_of
from coterie.protocols.adhoc.speech import SEEN_CELLS, TALL_M, Speech
from coterie.protocols.adhoc.subtasks import EXPLORE, REPLACE, STOP, Phrase
from coterie.protocols.adhoc.views import Views
from coterie.worlds.household.chart import chart_of
from coterie.worlds.household.graph import Thing, number_of, room_at
from coterie.worlds.household.hearsay import let_go
from coterie.worlds.household.house import FLOOR
from coterie.worlds.household.options import (
    DropInRoom,
    Explore,
    GoToRoom,
    PickupObject,
    PutObject,
    StopHere,
    SubSkill,
    put_at,
    within_reach,
)
from coterie.worlds.household.survey import Survey, survey_of

Choosing = Generator[list[Ask], Sequence[Reply], Phrase | None]
Skilling = Generator[list[Ask], Sequence[Reply], SubSkill | None]
STUCK_LOOKS, STUCK_M = 5, 1.5  # so many looks in a row with nothing new, within so little room, lead nowhere
STATE_STEPS = 20  # between two times that it says where it is
FEW = 4  # places at which the known of a room ends: so few are left for later
LOOK_STEPS = 10  # between two looks at which rooms are explored
MOST_PLANS = 4  # sub-tasks that may turn out to be over at once, within one decision
AGAIN_S = 60  # after a failure, before the same thing is tried again
MOST_FAILURES = 3
ENDS_STEPS = 60  # of battery: who holds something then looks for a place with this in mind
SOON_STEPS = 16  # of battery: who still holds something then may put it where others find it
LAST_STEPS = 3  # of battery: who still holds something then lets it fall, so that others can take it
CAREFUL = True  # a room is told to be explored only when everything in it was looked at from near
WAITING = Phrase("Wait")  # what it says it does when nothing is to be done for the moment


class Stranger(TeamProtocol):
    """One stranger's mind. What it knows of the house is in its belief, what it knows of others in `company`."""

    sees = "own"
    about = "household: a robot of nobody's team that joins on the way"
    explores: type[Explore] = Views

    def __init__(self) -> None:
        self.company = Company()
        self.speech = Speech(self.company.note)
        self.looks = Looks()
        self.subtask: Phrase | None = None  # under way
        self.said: Phrase | None = None  # the sub-task that it told last
        self.option: SubSkill | None = None  # the sub-skill under way
        self.joined_at: int | None = None  # the step at which it came
        self.why = "I have just joined"  # why it plans
        self.failed: dict[str, list[int]] = {}  # thing -> the times at which taking it went wrong
        self.jammed: dict[str, int] = {}  # room -> the step at which there was no way to go on exploring it
        self.bad_homes: set[tuple[str, str]] = set()  # (thing, place) that did not work
        self.finished: list[Phrase] = []
        self.assessed: list[str] = []  # what the last assessments said, newest last
        self.since: dict[str, int] = {}  # misplaced things that were thought about -> since when they are known
        self._track: deque[tuple[float, float, int]] = deque(maxlen=STUCK_LOOKS)  # where it was, and how much was known
        self._pieces = 0  # how much furniture was known when it last planned
        self._corners = False  # it explores what is left of a room
        self._by_word: set[str] = set()  # of those, what was not seen where others said it lies
        self._began: tuple[float, ...] = ()  # where it was when the sub-skill under way began
        self._vain: tuple[str, tuple[float, ...]] = ("", ())  # a sub-skill that ended where it began, and where
        self._crowd = 0  # how many others explore the same room, when that was last thought about
        self._again = False  # it explores what others have explored
        self._searched = False  # others searched, too, when it last planned
        self._checked = -1  # the step at which it last looked at all that is looked at now and then
        self._seen = self._heard = -1  # the states of survey and company that were last thought about

    # -- for those who write one ----------------------------------------------------------------------------------
    @abstractmethod
    def choose(self, me: RobotView) -> Choosing:
        """The next sub-task: `Phrase("Explore", ("room_2",))`, `Phrase("Re-place", (thing, receptacle kind, room
        kind))` or `Phrase("Stop")`.

        It is a generator, which may yield requests to a model (`[]` is a barrier at which what others say arrives) and
        returns the sub-task, or None to wait a little and be asked again. It is asked on joining, when a sub-task is
        finished or has failed, and when something new was seen or heard that may change the plan; `self.why` says
        which. What it may use: `me` (the robot's own belief, its card), `survey_of(me)`, `self.company` (what others
        said), `self.astray(me)`, `self.homes(me, kind)`, `self.rooms_left(me)`, `self.can_take(me, thing)`,
        `self.intend(me, phrase)`.
        """

    def skill(self, me: RobotView, subtask: Phrase) -> Skilling:
        """The next sub-skill of a sub-task; None where the sub-task is done or cannot be gone on with."""
        return self.by_rule(me, subtask)
        yield []  # makes this a generator

    def judge(self, me: RobotView, survey: Survey) -> Mapping[str, Thing]:
        """What is misplaced of all that is known, by name: by the placement table."""
        return survey.astray

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        joins = self.joined_at is None
        if joins:
            self.joined_at = me.step
            self.speech.introduce(me)
        self.looks.update(me)
        self._look_back(me)
        self._tell(me, survey_of(me))
        self.speech.send(me)
        yield []  # what the others say at this moment is heard
        if joins:
            yield []  # and who they are
        decision = yield from self._decide(me)
        self.speech.send(me)
        return {me.name: decision}

    def _decide(self, me: RobotView) -> Generator[list[Ask], Sequence[Reply], Decision]:
        for _ in range(MOST_PLANS):
            if self.subtask is None or self.why:
                self.subtask = yield from self.choose(me)
                if self.subtask is None:
                    if self.said != WAITING:
                        self.speech.task(me, WAITING)
                    self.said = WAITING
                    self.option, self.why = Pause(self._watch), "nothing was accepted a moment ago"
                    return self.option
                if self.subtask != self.said:
                    self.speech.task(me, self.subtask)
                self.said = self.subtask
            self.why = ""
            for name in self.astray(me):
                self.since.setdefault(name, me.step)
            self._seen, self._heard = survey_of(me).version, self.company.version
            self._pieces = len(survey_of(me).pieces)
            self._corners = bool(self.subtask.args) and self.corners(me, self.subtask.args[0])
            self._crowd = len(self.crowd(me, self.subtask.args[0])) if self.subtask.args else 0
            self._again = self.subtask.args[:1] != () and self.subtask.args[0] in self.company.explored(self.low(me))
            self._searched = self.others_search(me)
            option = yield from self.skill(me, self.subtask)
            if option is not None and self._vain == (option.name, chart_of(me).pose):
                option = None  # it has just ended by itself, and has led nowhere
            if option is not None:
                self.option, self._began = option, chart_of(me).pose
                self.speech.skill(skill_words(me, option))
                return option
            if self.subtask.name == EXPLORE and self.subtask.args:
                self.jammed[self.subtask.args[0]] = me.step
            self._finish(me, "it is done, or nothing is left to do for it")
        return Action(WAIT, why="nothing to do that I could do")

    def _finish(self, me: RobotView, why: str, put: bool = False) -> None:
        if self.subtask is not None:
            self.finished.append(self.subtask)
            if self.subtask.name == REPLACE and not put:
                self.speech.given_up(self.subtask)
            else:
                self.speech.done(self.subtask)
            if self.subtask.name == EXPLORE:
                self.speech.explored(self._surely_explored(me, survey_of(me)))
            elif put:
                self._tell_of(me, self.subtask.args[0])
        self.subtask, self.why = None, f"the last sub-task is over: {why}"

    def _leave(self, me: RobotView, thing: str) -> None:
        """It is for others to take now."""
        self.failed[thing] = [round(me.time)] * MOST_FAILURES

    def _tell_of(self, me: RobotView, thing: str) -> None:
        where, spot = me.belief.value("where", thing), me.belief.value("spot", thing)
        if isinstance(where, str) and isinstance(spot, tuple):
            pieces = survey_of(me).pieces
            self.speech.put(thing, where, pieces[where][1] if where in pieces else room_at(me.belief, *spot[:2]))

    # -- assessing ------------------------------------------------------------------------------------------------
    def _look_back(self, me: RobotView) -> None:
        """What became of the sub-skill that has ended by itself."""
        option, self.option, self._vain = self.option, None, ("", ())
        if option is None or option.ok is None or self.subtask is None:
            return
        if chart_of(me).pose == self._began and not isinstance(option, Pause):
            self._vain = (option.name, self._began)
        thing = self.subtask.args[0] if self.subtask.args else ""
        if isinstance(option, (PutObject, DropInRoom)):
            if option.ok:
                home = thing not in self.astray(me)  # else it lies where others can take it
                if not home:
                    self._leave(me, thing)
                self._finish(me, f"the thing is {'where it belongs' if home else 'put down'}", put=home)
            else:
                place = option.target if isinstance(option, PutObject) else f"{FLOOR}@{option.room}"
                self.bad_homes.add((thing, place))
                self.assessed.append(f"step {me.step}: {option.name} failed: {option.why}")
        elif isinstance(option, LetFall):
            self._leave(me, thing)
            self._finish(me, "my battery ends, and it lies where others can take it")
        elif isinstance(option, PickupObject) and not option.ok:
            spot = me.belief.fact("spot", option.target)
            if spot is not None and spot.source != me.name:
                self._by_word.add(option.target)
            self.failed.setdefault(option.target, []).append(round(me.time))
            self.speech.failed(option.target, option.why)
            self.assessed.append(f"step {me.step}: {option.name} failed: {option.why}")
            self.subtask, self.why = None, f"{option.name} failed: {option.why}"
        elif not option.ok:
            self.assessed.append(f"step {me.step}: {option.name} failed: {option.why}")
            if self.subtask.name == EXPLORE:
                self.jammed[thing] = me.step
                self.subtask, self.why = None, f"{option.name} failed: {option.why}"

    def _watch(self, me: RobotView) -> str | None:
        """The assessment before every further action of a sub-skill: tell what is new; why to plan again, if so."""
        let_go(me)
        self.looks.update(me)
        survey = survey_of(me)
        if me.step % STATE_STEPS == 0 and self.speech.once("state", me.step):
            self.speech.state(me)
        if self._ends_now(me) or self._ends_soon(me):
            self.speech.state(me)
            self.speech.send(me)
            return "my battery is about to end, and I hold something"
        if me.step % LOOK_STEPS == 0 and me.step != self._checked:
            self._checked = me.step
            self.speech.explored(self._surely_explored(me, survey))
            if self._ends_with_hands_full(me):
                return "my battery ends, and I hold something"
            if isinstance(self.option, Explore) and self._stuck(me):
                where = self.option.room or room_at(me.belief, *chart_of(me).pose[:2])
                self.jammed[where] = me.step
                self.subtask = None if self.option.room else self.subtask
                self.why = f"I get nowhere with exploring {where}"
                self.speech.send(me)
                return self.why
            if isinstance(self.option, Explore) and self.option.room and not self._corners:
                self._corners = self.corners(me, self.option.room)
                crowd = self.crowd(me, self.option.room)
                if self._corners:
                    self.why = f"nothing but corners is left to explore of {self.option.room}"
                elif len(crowd) > self._crowd:
                    self.why = f"{' and '.join(crowd)} explore {self.option.room} as well"
                elif self._searched and not self.others_search(me):
                    self.why = "nobody else explores any more"
                if self.why:
                    self._crowd = len(crowd)
                    self.speech.send(me)
                    return self.why
        if survey.version == self._seen and self.company.version == self._heard:
            self.speech.send(me)
            return None
        self._seen, self._heard = survey.version, self.company.version
        self._tell(me, survey)
        self.speech.send(me)
        why = self._new_plan(me, survey)
        if why:
            self.why = why
        return why or self._new_skill(me, survey)

    def _ends_holding(self, me: RobotView, steps: int) -> str:
        """What it holds while its battery has so few steps left; empty where it is not so."""
        held, left = me.belief.value("holding", me.name), me.belief.value("battery", me.name)
        return held if isinstance(held, str) and isinstance(left, (int, float)) and left <= steps else ""

    def _ends_with_hands_full(self, me: RobotView) -> bool:
        """Whether the battery is about to end while a place is looked for that is clear: any may have to do."""
        return self._ends_holding(me, ENDS_STEPS) != "" and isinstance(self.option, Explore)

    def _ends_soon(self, me: RobotView) -> bool:
        """Whether it is time to think of where others could take what is in the hand; once for each thing."""
        held = self._ends_holding(me, SOON_STEPS)
        return held != "" and self.speech.once("ends", held)

    def _ends_now(self, me: RobotView) -> bool:
        """Whether these are the last steps, something is in the hand, and it cannot be put away from here."""
        if not self._ends_holding(me, LAST_STEPS):
            return False
        if isinstance(self.option, PutObject) and within_reach(me, self.option.target):
            return False
        return not isinstance(self.option, LetFall)

    def _stuck(self, me: RobotView) -> bool:
        """Whether it has seen nothing new for a while and was all the time at about one place."""
        chart = chart_of(me)
        self._track.append((chart.pose[0], chart.pose[1], int((chart.cells > 0).sum())))
        first = self._track[0]
        if len(self._track) < STUCK_LOOKS or self._track[-1][2] != first[2]:
            return False
        if any(math.dist(first[:2], at[:2]) > STUCK_M for at in self._track):
            return False
        self._track.clear()
        return True

    def _tell(self, me: RobotView, survey: Survey) -> None:
        """What was seen since: things astray, and furniture that things can be put on."""
        for thing in self.astray(me).values():
            spot = me.belief.fact("spot", thing.name)
            if spot is not None and spot.source == me.name:
                self.speech.misplaced(thing, survey.room_of(thing))
        for piece in survey.pieces:
            box = me.belief.fact("box", piece)
            if box is not None and box.source == me.name and box.value[6]:  # type: ignore[index]
                self.speech.receptacle(survey, piece)

    def _new_plan(self, me: RobotView, survey: Survey) -> str:
        """Why the sub-task is to be planned again, in words; empty: it stands."""
        new = [name for name in self.astray(me) if name not in self.since]
        if new:
            return f"{', '.join(new)} lies where it does not belong"
        task = self.subtask
        if task is None or not task.args:
            return ""
        if task.name == EXPLORE and len(survey.pieces) > self._pieces:
            self._pieces = len(survey.pieces)
            for name in self.astray(me):
                if not self.can_take(me, name):
                    return f"there may be a place now for {name}"
        if isinstance(self.option, PickupObject) and me.belief.value("holding", me.name) != task.args[0]:
            if task.args[0] not in self.astray(me):
                return f"{task.args[0]} is not astray any more"
            other = self.company.at_work_on(task.args[0])
            if other:
                return f"{other} is at {task.args[0]}"
        if task.name == EXPLORE and not self._again and task.args[0] in self.company.explored(self.low(me)):
            return f"others have explored {task.args[0]}"
        return ""

    def _new_skill(self, me: RobotView, survey: Survey) -> str | None:
        """Why the sub-skill is to be planned again: there is a place for what the robot holds and looks a place for."""
        held, task = me.belief.value("holding", me.name), self.subtask
        if isinstance(held, str) and isinstance(self.option, Explore) and task is not None and task.name == REPLACE:
            return f"there is a place for {held}" if self.place_for(me, task) else None
        return None

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        self.company.hear(me, new)

    # -- what may be used to choose -------------------------------------------------------------------------------
    def astray(self, me: RobotView) -> Mapping[str, Thing]:
        """What is taken to be misplaced, by name; what others have put away since is not."""
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
        times = self.failed.get(thing, ())
        if len(times) >= MOST_FAILURES or any(me.time - t < AGAIN_S for t in times):
            return "it failed before"
        return ""

    def homes(self, me: RobotView, kind: str) -> list[tuple[str, str, str]]:
        """Known places where a kind of thing belongs, nearest first: place, kind of receptacle, kind of room."""
        survey, at = survey_of(me), chart_of(me).pose
        found = []
        for piece in survey.receptacles_for(kind):
            box = me.belief.value("box", piece)
            if isinstance(box, tuple):
                on, room = survey.pieces[piece]
                far = round(math.dist(box[:2], at[:2]), 2)
                found.append((far, piece, on, survey.kind_of_room(room)))
        floors = [(math.inf, f"{FLOOR}@{r}", FLOOR, survey.kind_of_room(r)) for r in survey.rooms_for(kind)]
        return [entry[1:] for entry in sorted(found) + sorted(floors)]

    def low(self, me: RobotView) -> bool:
        """Whether this robot's camera is a low one, which sees what lies on the floor."""
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
        """Whether so little is left to explore of a room that others come first."""
        chart, number = chart_of(me), number_of(room)
        few = (chart.frontier & chart.room(number)).bit_count() <= FEW if number else False
        return few and int((chart.cells == number).sum()) >= SEEN_CELLS

    def explored(self, me: RobotView, survey: Survey) -> list[str]:
        """Rooms in which nothing is left to explore, by what this robot has seen."""
        chart = chart_of(me)
        found = []
        for room in survey.rooms:
            number = number_of(room)
            if int((chart.cells == number).sum()) >= SEEN_CELLS and not chart.frontier & chart.room(number):
                found.append(room)
        return found

    def _surely_explored(self, me: RobotView, survey: Survey) -> list[str]:
        """Of these, what it can tell others with a good conscience, who look elsewhere then: its eyes tell things on
        the floor apart, and nothing of the room was seen from afar alone."""
        found = self.explored(me, survey)
        if not CAREFUL or not found:
            return found
        if reach_of(me, 0.0) < CLOSE_M:
            return []
        return [room for room in found if not self.looks.places(me, room)]

    def closer(self, me: RobotView) -> dict[str, tuple[int, int]]:
        """Rooms in which something was seen from afar alone: how many places, and the steps to the nearest of them."""
        chart, found = chart_of(me), {}
        for room in survey_of(me).rooms:
            places = self.looks.places(me, room)
            goals = 0
            for place in places:
                goals |= place.stands
            steps = chart.steps_to(goals) if goals else None
            if steps is not None:
                found[room] = (len(places), steps)
        return found

    def intend(self, me: RobotView, phrase: Phrase) -> Generator[list[Ask], Sequence[Reply], None]:
        """Broadcast an intention and hear what the others say to it: in `self.company.fresh`, by name."""
        self.company.fresh.clear()
        self.speech.intention(phrase)
        self.speech.send(me)
        yield []  # the others hear it, and answer
        yield []  # their answers are heard

    # -- from sub-tasks to sub-skills -----------------------------------------------------------------------------
    def by_rule(self, me: RobotView, subtask: Phrase) -> SubSkill | None:
        """The next sub-skill of a sub-task; None where nothing is left to do for it."""
        held = me.belief.value("holding", me.name)
        if isinstance(held, str) and subtask.name != REPLACE:
            subtask = self._carrying(me, held) or subtask  # hands have to be empty first
        if subtask.name == STOP:
            return StopHere()
        if subtask.name == EXPLORE:
            return self._explore(me, subtask.args[0] if subtask.args else "")
        thing = subtask.args[0]
        if self._ends_now(me):
            return LetFall()
        if held == thing:
            place = self.place_for(me, subtask)
            if place:
                return put_at(place, self._watch)
            return self._explore(me, "")
        if held is not None and held is not UNKNOWN:
            return None
        if self.can_take(me, thing) or me.belief.value("spot", thing) is UNKNOWN:
            return None
        return PickupObject(thing, self._watch)

    def _carrying(self, me: RobotView, held: str) -> Phrase | None:
        homes = self.homes(me, str(me.belief.value("kind", held)))
        return Phrase(REPLACE, (held, homes[0][1], homes[0][2])) if homes else None

    def place_for(self, me: RobotView, subtask: Phrase) -> str:
        """The nearest known place that a sub-task asks for; where it names none that is known, where the thing belongs
        by the table. Empty: there is none yet."""
        thing, on, room = (*subtask.args, "", "")[:3]
        survey, at = survey_of(me), chart_of(me).pose
        found = []
        for piece, (kind, inside) in survey.pieces.items():
            box = me.belief.value("box", piece)
            if not isinstance(box, tuple) or not box[6] or (thing, piece) in self.bad_homes:
                continue
            if on in (kind, piece) and room in ("", inside, survey.kind_of_room(inside)):
                found.append((round(math.dist(box[:2], at[:2]), 2), piece))
        if found:
            return min(found)[1]
        if on.lower() == FLOOR:
            fit = (f"{FLOOR}@{r}" for r in survey.rooms if room in (r, survey.kind_of_room(r)))
            return next((place for place in fit if (thing, place) not in self.bad_homes), "")
        known = self.homes(me, str(me.belief.value("kind", thing)))
        return next((place for place, _, _ in known if (thing, place) not in self.bad_homes), "")

    def _explore(self, me: RobotView, room: str) -> SubSkill | None:
        """In a room, or wherever the known ends outside the rooms that others have explored."""
        held = isinstance(me.belief.value("holding", me.name), str)  # then it looks for a place, wherever that is
        explored = self.company.explored(self.low(me))
        option = self.explores(room, self._watch, self.aims(me), () if room or held else explored)
        if isinstance(option, Views) and not held:
            option.looks = self.looks
        if room not in explored and option.worthwhile(me):
            return option
        look = LookCloser(self.looks, room, self._watch)
        if room and look.worthwhile(me):
            return look
        if room in explored and option.worthwhile(me):
            return option
        if room and room_at(me.belief, *chart_of(me).pose[:2]) != room and room not in self.explored(me, survey_of(me)):
            there = GoToRoom(room, self._watch)
            if there.step(me) is not None:
                return GoToRoom(room, self._watch)
        return None

    def aims(self, me: RobotView) -> list[tuple[float, float]]:
        """Where others are, who explore: places near them are left to them."""
        return [at for name in self.company.mates if self.exploring(name) and (at := self.whereabouts(me, name))]

    def exploring(self, name: str) -> bool:
        task = self.company.mates[name].subtask
        return task is not None and task.name == EXPLORE

    def others_search(self, me: RobotView) -> bool:
        """Whether somebody else explores, and its battery is not empty by what it said."""
        for name, told in self.company.mates.items():
            left = told.battery_left
            flat = left is not None and left <= me.time - self.company.spoke.get(name, me.time)
            if self.exploring(name) and not flat:
                return True
        return False

    def whereabouts(self, me: RobotView, name: str) -> tuple[float, float] | None:
        """Where somebody was last, by its own word or by what this robot saw, whichever is newer."""
        told, spoke = self.company.mates[name].position, self.company.placed.get(name, -math.inf)
        seen = me.belief.fact("pose", name)
        if seen is not None and isinstance(seen.value, tuple) and seen.source == me.name and seen.time > spoke:
            return float(seen.value[0]), float(seen.value[1])
        return told

    def room_of(self, me: RobotView, name: str) -> str:
        """The room that somebody was in last."""
        at, told = self.whereabouts(me, name), self.company.mates[name]
        if at is None or at == told.position:
            return told.room or ""
        return room_at(me.belief, *at)

    def crowd(self, me: RobotView, room: str) -> list[str]:
        """Who else explores a room."""
        return [name for name in self.company.mates if self.exploring(name) and self.room_of(me, name) == room]


def unknown(value: Any) -> bool:
    return value is UNKNOWN or value is None
