"""The base of all strangers: how they join, what they tell, and how a sub-task becomes actions.

A stranger is a party of its own. It hears the words of teammates and nothing else of them, and they hear its own. Who
writes one fills in `choose`: the next sub-task. The rest is here:

- On joining it broadcasts its state and what it can do. Every finished or new sub-task and sub-skill is told.
- A sub-task is carried out by the sub-skills of the world (`skill`).
- After every action the state is assessed (`_watch`): what is newly seen and misplaced is told and re-plans sub-task
  and sub-skill; a new receptacle is told and re-plans the sub-skill, or the sub-task where something that is misplaced
  may have waited for it; an action that failed re-plans the sub-skill.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import deque
from collections.abc import Generator, Sequence

from coterie.core.action import WAIT, Action, Message
from coterie.core.protocol import Ask, Asking, Decision, Reply, RobotView, TeamView
from coterie.houses.model import FLOOR
from coterie.protocols.adhoc.carrying_out import LAST_STEPS, Doing
from coterie.protocols.adhoc.close_looks import LookCloser
from coterie.protocols.adhoc.subtasks import DIRECT, EXPLORE, REPLACE, LetFall, Phrase, skill_words
from coterie.protocols.heuristic.lines import MOST_FAILURES, ability, pairs, state
from coterie.protocols.heuristic.passing import Stay, ask_way
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, let_go, room_at, survey_of
from coterie.worlds.household.options import DropInRoom, Explore, PickupObject, PutObject, SubSkill

Choosing = Generator[list[Ask], Sequence[Reply], Phrase | None]
Skilling = Generator[list[Ask], Sequence[Reply], SubSkill | None]
STUCK_LOOKS, STUCK_M = 5, 1.5  # so many looks in a row with nothing new, within so little room, lead nowhere
STATE_STEPS = 20  # between two times that it says where it is
PAUSE_STEPS = 8  # if nothing of what it meant to do was accepted
ASK_STEPS = 20  # between two times that it asks others where a thing belongs that it holds
LOOK_STEPS = 10  # between two looks at which rooms are explored
MOST_PLANS = 4  # sub-tasks that may turn out to be over at once, within one decision
ENDS_STEPS = 60  # of battery: who holds something then looks for a place with this in mind
SOON_STEPS = 16  # of battery: who still holds something then may put it where others find it
SOONER_M = 1.0  # a place that is nearer by so much is gone to instead
WAITING = Phrase("Wait")  # what it says it does when nothing is to be done for the moment


class Stranger(Doing):
    """One stranger's mind: its knowledge is in `knowledge.py`, its actions in `carrying_out.py`."""

    sees = "own"
    about = "household: a robot of no team that joins during the episode"
    asks = False  # others, where what it holds belongs

    def __init__(self) -> None:
        super().__init__()
        self.subtask: Phrase | None = None  # under way
        self.said: Phrase | None = None  # the sub-task that it told last
        self.joined_at: int | None = None  # the step at which it came
        self.why = "I have just joined"  # why it plans
        self.jammed: dict[str, int] = {}  # room -> the step at which there was no way to go on exploring it
        self.finished: list[Phrase] = []
        self.assessed: list[str] = []  # what the last assessments said, newest last
        self.since: dict[str, int] = {}  # misplaced things that were thought about -> since when they are known
        self._track: deque[tuple[float, float, int]] = deque(maxlen=STUCK_LOOKS)  # where it was, and how much was known
        self._pieces = 0  # how much furniture was known when it last planned
        self._corners = False  # it explores what is left of a room
        self._began: tuple[float, ...] = ()  # where it was when the sub-skill under way began
        self._carried = ""  # and what it held then
        self._vain: tuple[str, tuple[float, ...]] = ("", ())  # a sub-skill that ended where it began, and where
        self._crowd = 0  # how many others explore the same room, when that was last thought about
        self._again = False  # it explores what others have explored
        self._worked = False  # others were at work, too, when it last planned
        self._sought = ("", 0)  # what it held when it last asked where that belongs, and the step
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
        which. It may use `me` (the robot's own belief, its card), `survey_of(me)`, `self.company` (what others
        said), `self.astray(me)`, `self.homes(me, kind)`, `self.rooms_left(me)`, `self.can_take(me, thing)`,
        `self.intend(me, phrase)`.
        """

    def skill(self, me: RobotView, subtask: Phrase) -> Skilling:
        """The next sub-skill of a sub-task; None where the sub-task is done or cannot be gone on with."""
        return self.by_rule(me, subtask)
        yield []  # makes this a generator

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        joins = self.joined_at is None
        if joins:
            self.joined_at = me.step
            self.speech.say("ability", ability(me))
            self.speech.say("state", state(me))
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
                    self._tell_task(me, WAITING)
                    self.option = Stay(PAUSE_STEPS, self._watch, "others may find something for me", "Pause")
                    self.why = "nothing was accepted a moment ago"
                    return self.option
                self._tell_task(me, self.subtask)
            self.why = ""
            for name in self.astray(me):
                self.since.setdefault(name, me.step)
            self._seen, self._heard = survey_of(me).version, self.company.version
            self._pieces = len(survey_of(me).pieces)
            self._corners = bool(self.subtask.args) and self.corners(me, self.subtask.args[0])
            self._crowd = len(self.crowd(me, self.subtask.args[0])) if self.subtask.args else 0
            self._again = self.subtask.args[:1] != () and self.subtask.args[0] in self.company.explored(self.low(me))
            self._worked = self.others_work(me)
            option = yield from self.skill(me, self.subtask)
            if option is not None and self._vain == (option.name, chart_of(me).pose):
                option = None  # it has just ended by itself, and has led nowhere
            if option is not None:
                self.option, self._began = option, chart_of(me).pose
                held = me.belief.value("holding", me.name)
                self._carried = held if isinstance(held, str) else ""
                self.speech.say("skill", skill_words(me, option))
                return option
            if self.subtask.name == EXPLORE and self.subtask.args:
                self.jammed[self.subtask.args[0]] = me.step
            self._finish(me, "it is done, or nothing is left to do for it")
        return Action(WAIT, why="nothing to do that I could do")

    def _tell_task(self, me: RobotView, phrase: Phrase) -> None:
        if phrase != self.said:
            self.speech.say("state", state(me))
            self.speech.say("task", phrase)
        self.said = phrase

    def _finish(self, me: RobotView, why: str, put: str = "") -> None:
        """The sub-task is over; `put`: by what was put where it belongs."""
        if self.subtask is not None:
            done = self._as_put(me, self.subtask, put) if put else self.subtask
            self.finished.append(done)
            if done.name == REPLACE and not put:
                self.speech.say("given up", done)
            elif done != DIRECT:
                self.speech.say("done", done)
            if done.name == EXPLORE:
                self.speech.explored(self._surely_explored(me, survey_of(me)))
            elif put:
                self._tell_of(me, put)
        self.subtask, self.why = None, f"the last sub-task is over: {why}"

    def _as_put(self, me: RobotView, subtask: Phrase, name: str) -> Phrase:
        """A sub-task as it was done: with the place where the thing lies now, which may be another one than was
        meant."""
        survey = survey_of(me)
        thing = survey.things.get(name)
        if subtask.name != REPLACE or thing is None:
            return subtask
        kind = survey.pieces[thing.where][0] if thing.where in survey.pieces else thing.where
        return Phrase(REPLACE, (thing.name, kind, survey.kind_of_room(survey.room_of(thing))))

    def _tell_of(self, me: RobotView, thing: str) -> None:
        """Tell where a thing has been put, so that nobody goes for it where it was."""
        where, spot = me.belief.value("where", thing), me.belief.value("spot", thing)
        if isinstance(where, str) and isinstance(spot, tuple):
            pieces = survey_of(me).pieces
            room = pieces[where][1] if where in pieces else room_at(me.belief, *spot[:2])
            self.speech.say("done", f"{thing} {pairs(on=where, room=room)}")

    # -- assessing ------------------------------------------------------------------------------------------------
    def _look_back(self, me: RobotView) -> None:
        """Take in the outcome of the sub-skill that has ended by itself."""
        option, self.option, self._vain = self.option, None, ("", ())
        if option is None or option.ok is None or self.subtask is None:
            return
        if chart_of(me).pose == self._began and not isinstance(option, Stay):
            self._vain = (option.name, self._began)
        thing = self.subtask.args[0] if self.subtask.args else ""
        failed = "" if option.ok or isinstance(option, LetFall) else f"{option.name} failed: {option.why}"
        if failed:
            self.assessed.append(f"step {me.step}: {failed}")
        if isinstance(option, (PutObject, DropInRoom, LetFall)):
            thing = self._carried or thing
            home = not failed and not isinstance(option, LetFall) and thing not in self.astray(me)
            if failed:
                place = option.target if isinstance(option, PutObject) else f"{FLOOR}@{option.room}"  # type: ignore[union-attr]
                self.bad_homes.add((thing, place))
            elif home:
                self._finish(me, "the thing is where it belongs", put=thing)
            else:  # it is for others to take now
                self.failed[thing] = [round(me.time)] * MOST_FAILURES
                let_fall = "my battery ends, and it lies where others can take it"
                self._finish(me, let_fall if isinstance(option, LetFall) else "the thing is put down")
        elif failed and isinstance(option, PickupObject):
            spot = me.belief.fact("spot", option.target)
            if spot is not None and spot.source != me.name:
                self._by_word.add(option.target)
            self.failed.setdefault(option.target, []).append(round(me.time))
            self.speech.say("failed", f"{option.target}: {option.why}")
            self.subtask, self.why = None, failed
        elif failed and self.subtask.name == EXPLORE:
            self.jammed[thing] = me.step
            self.subtask, self.why = None, failed

    def _watch(self, me: RobotView) -> str | None:
        """The assessment before every further action of a sub-skill: tell what is new; why to plan again, if so."""
        let_go(me)
        ask_way(me, self.company.residents)
        self.looks.update(me)
        survey = survey_of(me)
        if me.step % STATE_STEPS == 0 and self.speech.once("state", me.step):
            self.speech.say("state", state(me))
        ends = self._ends_holding(me, SOON_STEPS)  # then it thinks of where others could take that; once for each thing
        if self._ends_now(me) or (ends and self.speech.once("ends", ends)):
            self.speech.say("state", state(me))
            self.speech.send(me)
            return "my battery is about to end, and I hold something"
        if isinstance(self.option, PickupObject) and self._too_late(me):
            self.subtask, self.why = None, "my battery ends, and what I took would stay in my hand"
            self.speech.send(me)
            return self.why
        self._ask_for_home(me)
        if me.step % LOOK_STEPS == 0 and me.step != self._checked:
            self._checked = me.step
            self.speech.explored(self._surely_explored(me, survey))
            if self._ends_holding(me, ENDS_STEPS) and isinstance(self.option, Explore):  # any place may have to do
                return "my battery ends, and I hold something"
            if isinstance(self.option, Explore) and self._stuck(me):
                where = self.option.room or room_at(me.belief, *chart_of(me).pose[:2])
                self.jammed[where] = me.step
                self.subtask = None if self.option.room else self.subtask
                self.why = f"I get nowhere with exploring {where}"
                self.speech.send(me)
                return self.why
            if self._why_search_on(me):
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

    def _why_search_on(self, me: RobotView) -> str:
        """Why to think again whether a room is to be searched on, now and then; empty: it is."""
        option = self.option
        if not isinstance(option, (Explore, LookCloser)) or not option.room:
            return ""
        crowd = self.crowd(me, option.room)
        if self._worked and not self.others_work(me):
            self.why, self._worked = "nobody else is at work any more", False
        elif isinstance(option, Explore) and not self._corners:
            self._corners = self.corners(me, option.room)
            if self._corners:
                self.why = f"nothing but corners is left to explore of {option.room}"
            elif len(crowd) > self._crowd:
                self.why = f"{' and '.join(crowd)} explore {option.room} as well"
        if self.why:
            self._crowd = len(crowd)
        return self.why

    def _too_late(self, me: RobotView) -> bool:
        """True if the battery ends before anything could be put down again."""
        left, held = me.belief.value("battery", me.name), me.belief.value("holding", me.name)
        return isinstance(left, (int, float)) and left < LAST_STEPS and not isinstance(held, str)

    def _ask_for_home(self, me: RobotView) -> None:
        """Tell the intention while looking for a place for the held thing, at once and now and then: others may have
        seen one."""
        task, held = self.subtask, me.belief.value("holding", me.name)
        if not self.asks or not isinstance(self.option, Explore):
            return
        if task is None or task.name != REPLACE or task.args[:1] != (held,):
            return
        if self._sought[0] != task.args[0] or me.step - self._sought[1] >= ASK_STEPS:
            self._sought = task.args[0], me.step
            self.speech.say("state", state(me))
            self.speech.say("intention", task)

    def _stuck(self, me: RobotView) -> bool:
        """True if it has seen nothing new for a while and was all the time at about one place."""
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
        """Tell what was seen since: misplaced things, and furniture that things can be put on."""
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
        """Why the sub-skill is to be planned again: there is a place for what the robot holds and looks a place for, or
        a nearer one than the one it is going to."""
        held, task = me.belief.value("holding", me.name), self.subtask
        if not isinstance(held, str) or task is None or task.name != REPLACE:
            return None
        if isinstance(self.option, Explore):
            return f"there is a place for {held}" if self.place_for(me, task) else None
        more, self._pieces = len(survey.pieces) > self._pieces, len(survey.pieces)
        if more and isinstance(self.option, PutObject) and self._nearer(me, held, self.option.target):
            return f"there is a nearer place for {held}"
        return None

    def _nearer(self, me: RobotView, held: str, target: str) -> bool:
        """True if a place for a thing is known that is clearly nearer than another one."""
        places = (place for place, _, _ in self.homes(me, str(me.belief.value("kind", held))))
        best = next((place for place in places if (held, place) not in self.bad_homes), target)
        boxes, at = (me.belief.value("box", best), me.belief.value("box", target)), chart_of(me).pose
        if best == target or not all(isinstance(box, tuple) for box in boxes):
            return False
        near, far = (math.dist(box[:2], at[:2]) for box in boxes)  # type: ignore[index]
        return near < far - SOONER_M

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        self.company.hear(me, new)
