"""Teammates by rule: they explore where the known ends, each away from the others; the robot nearest to a misplaced
thing that has an arm to lift it and free hands puts it where it belongs.

Each robot decides for itself from what it saw and what the others told it. They tell each other in lines
(`lines.py`): what they can do, what they do, what they found misplaced, which rooms are explored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from coterie.core.action import MEMO, WAIT, Action, Message
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import Asking, Decision, RobotView, TeamProtocol, TeamView, protocols
from coterie.houses.model import FLOOR
from coterie.protocols.heuristic.lines import MOST_FAILURES, gave_up
from coterie.protocols.heuristic.talk import Talk
from coterie.worlds.household import options as skills
from coterie.worlds.household.bodies import REPORT
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, note_piece, note_thing, survey_of

EXPLORE, REPLACE, STOP, WATCH = "Explore", "Re-place", "Stop", "Watch"
EXPLORED_STEPS = 20  # between two looks at which rooms are explored
BESIDE_M = 0.75  # who waits so near to where another one wants to explore is in its way


class Heuristic(TeamProtocol):
    """One robot's mind. It keeps what it does and what went wrong; all else is in the belief."""

    sees = "own"
    about = "household: frontier exploration; the nearest robot that can puts misplaced things back"

    talks: type[Talk] = Talk

    def __init__(self) -> None:
        self.talk = self.talks()
        self.option: skills.SubSkill | None = None
        self.thing = ""  # what it re-places
        self.home = ""  # and where to
        self.failed: dict[str, list[float]] = {}  # thing -> when it went wrong
        self.looked_up: set[str] = set()  # things that it has looked for where they were seen before
        self.bad_homes: set[tuple[str, str]] = set()  # (thing, receptacle) that did not work
        self._seen = -1  # the state of the survey that was last thought about

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        self._open(me)
        yield []  # what the others say at the same moment is heard
        decision = self._choose(me, survey_of(me))
        self.talk.task(me, self._words(me), self._aim())
        self.talk.send(me)
        return {me.name: decision}

    def _open(self, me: RobotView) -> None:
        """Before anything is decided: what became of the last choice, and what is new for others."""
        self._look_back(me)
        self.talk.introduce(me)
        self.talk.news(me, survey_of(me))
        self.talk.explored(me, survey_of(me))
        self.talk.send(me)

    def _look_back(self, me: RobotView) -> None:
        """Take in the outcome of the sub-skill that has ended."""
        option, self.option = self.option, None
        if option is None or option.ok is None:
            return
        if isinstance(option, (skills.PutObject, skills.DropInRoom)) and option.ok:
            self.talk.done(me, survey_of(me), self.thing)
            self.thing = self.home = ""
        elif not option.ok and isinstance(option, (skills.PutObject, skills.DropInRoom)):
            self.bad_homes.add((self.thing, self.home))
            self.home = ""
        elif not option.ok and isinstance(option, skills.PickupObject):
            self.failed.setdefault(self.thing, []).extend([me.time] * (MOST_FAILURES if option.hopeless else 1))
            self.talk.failed(me, self.thing, option.why)
            self.thing = self.home = ""

    def _choose(self, me: RobotView, survey: Survey) -> Decision:
        self._seen = survey.version
        held = me.belief.value("holding", me.name)
        if isinstance(held, str):
            return self._put(me, survey, held)
        report = self._report(me)
        if report is not None:
            return report
        sought = getattr(me.belief.value("goal"), "things", ())
        if sought and all(isinstance(me.belief.value("reported", name), str) for name in sought):
            return self._do(skills.StopHere())
        mine = self._mine(me, survey)
        if mine is not None:
            self.thing, self.home = mine
            return self._do(skills.PickupObject(self.thing, self._watch))
        self.thing = self.home = ""
        return self._look_up(me) or self._explore(me)

    def _do(self, option: skills.SubSkill) -> skills.SubSkill:
        self.option = option
        return option

    def _put(self, me: RobotView, survey: Survey, held: str) -> Decision:
        """Bring the held thing where it belongs; explore with it while no such place is known."""
        self.thing = held
        kind = me.belief.value("kind", held)
        self.home = self.home or self._home(me, survey, Thing(held, str(kind), me.name, None)) or ""
        if self.home:
            return self._do(skills.put_at(self.home, self._watch))
        return self._explore(me)

    def _explore(self, me: RobotView) -> Decision:
        away = [f.value for f in me.belief.facts("aim") if f.args[0] in me.heartbeat and f.value is not UNKNOWN]
        explored = {f.args[0] for f in me.belief.facts("explored") if f.value and f.source != me.name}
        claimed = self.talk.guests.explored()
        shown = self.talk.guests.shown(me, survey_of(me)) if claimed else claimed
        for done in (explored | claimed, explored | shown) if claimed - shown else (explored | shown,):
            option = skills.Explore("", self._watch, away, done)  # type: ignore[arg-type]
            if option.worthwhile(me):
                return self._do(option)
        if self._wanted(me):
            here = chart_of(me).pose
            wanted = [at for at in away if isinstance(at, tuple) and math.dist(at, here[:2]) < BESIDE_M]
            return self._do(skills.GoAside(wanted, self._watch)) if wanted else Action(WAIT, why="others still explore")
        return self._do(skills.StopHere())

    def _wanted(self, me: RobotView) -> bool:
        """True if others may still find something for this robot's hands, or it holds something."""
        if not me.card.manipulates:
            return False
        doing = (str(me.belief.value("doing", other)) for other in me.heartbeat)
        return any(words.startswith((EXPLORE, "UNKNOWN")) for words in doing) or self.talk.guests.searching(me.time)

    # -- what to do with what is misplaced -------------------------------------------------------------------------
    def _mine(self, me: RobotView, survey: Survey) -> tuple[str, str] | None:
        """The nearest thing that this robot is to re-place, and where to."""
        astray = self._astray(me, survey)
        if not me.card.manipulates or not astray:
            return None
        taken = {self._task_of(me, other) for other in me.heartbeat}
        taken |= {thing_of(words) for words in self.talk.guests.tasks(me.time)}
        pose = chart_of(me).pose
        for thing in sorted(astray.values(), key=lambda t: (math.dist(pose[:2], t.spot[:2]), t.name)):  # type: ignore[index]
            if thing.name in taken or not self._can(me, thing, me.name) or self._gave_up(me, thing.name):
                continue
            if any(self._closer(me, other, thing) for other in me.heartbeat):
                continue
            home = self._home(me, survey, thing)
            if home is not None:
                return thing.name, home
        return None

    def _astray(self, me: RobotView, survey: Survey) -> dict[str, Thing]:
        """Misplaced things, by what is known and by what others said."""
        guests = self.talk.guests
        found = {**guests.astray(me, survey), **survey.astray} if guests.things else survey.astray
        away = guests.away(me, found) if guests.done else ()
        return {name: thing for name, thing in found.items() if name not in away} if away else found

    def _task_of(self, me: RobotView, robot: str) -> str:
        """The thing that a teammate said it re-places."""
        return thing_of(str(me.belief.value("doing", robot)))

    def _can(self, me: RobotView, thing: Thing, robot: str) -> bool:
        """True if a robot lifts a thing: while nobody has tried, the robot that has an arm may."""
        payload = me.belief.value("payload", robot)
        if not isinstance(payload, (int, float)) or payload <= 0:
            return False
        mass = me.belief.value("mass", thing.name)
        return not isinstance(mass, (int, float)) or mass <= payload

    def _closer(self, me: RobotView, other: str, thing: Thing) -> bool:
        """True if a teammate with free hands would be there sooner; of two equally near, the first by name."""
        if self._task_of(me, other) or not self._can(me, thing, other):
            return False
        if me.belief.value("failed_at", other, thing.name) is True:
            return False
        theirs, mine = me.belief.value("pose", other), chart_of(me).pose
        if not isinstance(theirs, tuple):
            return False
        near = [(round(math.dist(p[:2], thing.spot[:2]), 2), n) for p, n in ((theirs, other), (mine, me.name))]  # type: ignore[index]
        return near[0] < near[1]

    def _gave_up(self, me: RobotView, thing: str) -> bool:
        return gave_up(self.failed.get(thing, ()), me.time)

    def _home(self, me: RobotView, survey: Survey, thing: Thing) -> str | None:
        """The nearest known receptacle on which a thing belongs, or a room on whose floor it does."""
        fit = [p for p in survey.receptacles_for(thing.kind, thing.name) if (thing.name, p) not in self.bad_homes]
        at = thing.spot if thing.spot is not None else chart_of(me).pose
        near = survey.by_distance(fit, at)
        if near:
            return near[0]
        floors = (f"{FLOOR}@{room}" for room in survey.rooms_for(thing.kind, thing.name))
        floor = next((place for place in floors if (thing.name, place) not in self.bad_homes), None)
        if floor is not None or not self.talk.guests.pieces:
            return floor
        bad = {place for name, place in self.bad_homes if name == thing.name}
        return self.talk.guests.home(me, survey, thing.kind, bad) or None

    # -- searching ------------------------------------------------------------------------------------------------
    def _report(self, me: RobotView) -> Action | None:
        """Where a thing is that the goal asks for and nobody has reported."""
        for name in getattr(me.belief.value("goal"), "things", ()):
            where, told = self._found(me, name), me.belief.value("reported", name)
            if where not in (None, told, me.name) and me.belief.value("spot", name) is not UNKNOWN:
                self.talk.report(me, name, where)
                return Action(REPORT, (name, where))
        return None

    def _found(self, me: RobotView, name: str) -> str | None:
        """The place of a thing, if a robot has seen it there in this episode."""
        fact = me.belief.fact("where", name)
        return fact.value if fact is not None and isinstance(fact.value, str) and fact.source != MEMO else None

    def _look_up(self, me: RobotView) -> Decision | None:
        """To the nearest place where a thing that is sought was seen before, unless a teammate is nearer to it."""
        here, mates = chart_of(me).pose, []
        for name in me.heartbeat:
            pose = me.belief.value("pose", name)
            mates += [(pose[:2], name)] if isinstance(pose, tuple) else []
        left = []
        for name in getattr(me.belief.value("goal"), "things", ()):
            told = self.talk.guests.seen.get(name)
            if told is not None and name not in self.looked_up and self._found(me, name) is None:
                far = [(round(math.dist(told.at, at), 2), who) for at, who in (*mates, (here[:2], me.name))]
                left += [(far[-1], name)] if min(far) == far[-1] else []
        if not left:
            return None
        name = min(left)[1]
        told = self.talk.guests.seen[name]
        self.looked_up.add(name)
        piece = self.talk.guests.pieces.get(told.on)
        if piece is not None:
            note_piece(me.belief, piece.who, told.on, piece.kind, piece.room, piece.at)
        note_thing(me.belief, me.name, told.who, name, told.kind, told.on, piece.room if piece else "", told.at)
        option = skills.GoToObject(name, self._watch)
        option.aim = told.at
        return self._do(option)

    def _explores(self) -> bool:
        """True if it explores, or is on its way to where it looks for a thing."""
        return self.option is not None and (isinstance(self.option, skills.Explore) or self.option.aim is not None)

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        told = len(self.talk.guests.pieces)
        self.talk.hear(me, survey_of(me), self._words(me), new)
        if len(self.talk.guests.pieces) > told:
            self._seen = -1  # there may be a place now for what is misplaced

    # -- on the way -----------------------------------------------------------------------------------------------
    def _watch(self, me: RobotView) -> str | None:
        """Asked before every step of a sub-skill: tell what is new; why to think again, if there is a reason."""
        self.talk.guests.on_the_way(me)
        survey, option = survey_of(me), self.option
        if me.step % EXPLORED_STEPS == 0:
            self.talk.explored(me, survey)
            self.talk.send(me)
            if isinstance(option, skills.Explore) and self.talk.guests.shown(me, survey).difference(option.done):
                return "a guest has explored what is left"
        if survey.version == self._seen:
            return None
        self._seen = survey.version
        self.talk.news(me, survey)
        self.talk.send(me)
        if isinstance(option, skills.PickupObject):
            if self.thing not in self._astray(me, survey) and me.belief.value("holding", me.name) is None:
                return f"{self.thing} is not astray any more"
        elif self._explores():
            held = me.belief.value("holding", me.name)
            if isinstance(held, str):
                thing = Thing(held, str(me.belief.value("kind", held)), me.name, None)
                return "there is a place for what I hold" if self._home(me, survey, thing) is not None else None
            if self._mine(me, survey) is not None:
                return "something lies astray"
            if self._unreported(me):
                return "something is found"
        return None

    def _unreported(self, me: RobotView) -> bool:
        value = me.belief.value
        wanted = getattr(value("goal"), "things", ())
        return any(self._found(me, n) is not None and value("reported", n) is UNKNOWN for n in wanted)

    # -- words ----------------------------------------------------------------------------------------------------
    def _words(self, me: RobotView) -> str:
        """The sub-task, as it is told."""
        if self.thing and self.home:
            floor, _, where = self.home.partition("@")
            on = floor if where else me.belief.value("kind", self.home)
            room = survey_of(me).kind_of_room(where or str(me.belief.value("in_room", self.home)))
            return f"{REPLACE} <{self.thing}> <{on}> <{room}>"
        if isinstance(self.option, skills.StopHere):
            return STOP
        return EXPLORE if self._explores() else WATCH

    def _aim(self) -> tuple[float, float] | None:
        return self.option.aim if self.option is not None else None


def thing_of(task: str) -> str:
    """The thing that a sub-task re-places."""
    words = task.split()
    return words[1].strip("<>") if len(words) > 1 and words[0] == REPLACE else ""


protocols.put("heuristic", Heuristic, "no-model", "household")
