"""A resident of a house: takes things, uses them elsewhere, leaves some of them there, and rests in between.

What they do is drawn from their habits (`habits.toml`) and the seed. They know their house, and where things lay at
first; what became of them since they see, or ask for. They tell others what they are done with and what is to stay,
and answer who asks for a thing. All of it is said in a sentence with a line that robots read (`lines.py`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from coterie.core.action import WAIT, Action, Message
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, Decision, RobotView, TeamProtocol, TeamView, protocols
from coterie.core.seeds import rng_of
from coterie.houses.model import FLOOR
from coterie.protocols.heuristic.guests import note_told
from coterie.protocols.heuristic.lines import KEEP, LIVES, PASS, SEEN, SOUGHT, point, read
from coterie.protocols.heuristic.passing import Stay
from coterie.protocols.heuristic.talk import lies
from coterie.protocols.person import NEAREST, TYPED, picked
from coterie.protocols.resident.habits import USUAL, Habit, read_habits
from coterie.worlds.household import bodies
from coterie.worlds.household import options as skills
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, Thing, room_at, rooms_known, survey_of

ANSWER_STEPS, STAY_STEPS = 2, 10  # that one waits for an answer, and that one at a keyboard stays
LATER_STEPS = 120  # until one thinks again of a thing that one could not get, or did not find

Day = Iterator[Decision]


class Resident(TeamProtocol):
    sees = "own"
    about = "household: a resident, who takes, uses and leaves things by habit"
    goals = frozenset({"tidy-up", "find"})
    body = bodies.RESIDENT

    def __init__(self, file: Path = USUAL):
        self.habits = read_habits(file)
        self.day: Day | None = None
        self.last: Decision | None = None
        self.later: dict[str, int] = {}  # things that could not be had, and until which step one does without

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        self.last = next(self._days(team.me))
        return {team.me.name: self.last}
        yield []  # makes this a generator

    def _days(self, me: RobotView) -> Day:
        """What is decided by habit, one decision after the other, after saying who this is."""
        if self.day is None:
            self.day = self._day(me)
            me.say(f"I am {me.name}. I live here.\n{LIVES}: {me.name}")
        return self.day

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        """Tell those who ask for things where they lie, note what others answer, and let those pass who ask to."""
        for message in new:
            for key, words in read(message.text):
                if key == SEEN:
                    note_told(me, message, words)
                elif key == PASS and (at := point(words)) is not None:
                    self._let_pass(me, message.sender, at)
                elif key == SOUGHT and (asked := survey_of(me).things.keys() & words.split(", ")):
                    self._answer(me, message.sender, sorted(asked))

    def _answer(self, me: RobotView, who: str, names: Sequence[str]) -> None:
        survey = survey_of(me)
        me.say("\n".join(f"{SEEN}: {lies(survey, survey.things[name])}" for name in names), to=(who,))

    def _let_pass(self, me: RobotView, who: str, at: tuple[float, float]) -> None:
        if isinstance(self.last, Stay):
            self.last.let_pass(me, at)

    # -- a day --------------------------------------------------------------------------------------------------------
    def _day(self, me: RobotView) -> Day:
        """All that a resident decides, one decision after the other."""
        rng = rng_of(me.seed, me.name, "habits")
        mine = rng.sample(self.habits.all, min(self.habits.each, len(self.habits.all)))
        often = sum(habit.often for habit in mine) / 100
        while True:
            rest = math.ceil(rng.expovariate(often))
            yield Stay(max(1, min(rest, self.habits.until - me.step)))
            if me.step >= self.habits.until:
                break
            chosen = self._choice(me, mine, rng)
            if chosen is not None:
                yield from self._use(me, *chosen, rng)
        while True:
            yield skills.StopHere()

    def _choice(self, me: RobotView, mine: Sequence[Habit], rng: random.Random) -> tuple[Habit, Thing, str] | None:
        """A habit, a thing for it and a piece of furniture to go to with it, of those that are known."""
        survey = survey_of(me)
        found = []
        for habit in mine:
            things = [t for t in survey.things.values() if t.kind in habit.takes and self._lies(me, t, habit)]
            pieces = [name for name, (kind, _) in survey.pieces.items() if kind in habit.to]
            some = [(thing, piece) for thing in things for piece in pieces if thing.where != piece]
            found += [(habit, *rng.choice(some))] if some else []
        return rng.choices(found, [habit.often for habit, *_ in found])[0] if found else None

    def _lies(self, me: RobotView, thing: Thing, habit: Habit) -> bool:
        """True if a thing lies where one would take it from."""
        on = survey_of(me).pieces.get(thing.where, ("", ""))[0]
        there = on in habit.source if habit.source else bool(on) or thing.where == FLOOR
        return there and self.later.get(thing.name, 0) <= me.step

    def _use(self, me: RobotView, habit: Habit, thing: Thing, piece: str, rng: random.Random) -> Day:
        """Take a thing, use it elsewhere, and leave it there or bring it back."""
        yield (take := skills.PickupObject(thing.name))
        if take.lost:
            me.say(f"Where is {thing.name}?\n{SOUGHT}: {thing.name}")
            yield Stay(ANSWER_STEPS)
            if survey_of(me).things.get(thing.name, thing) != thing:  # somebody knows
                yield (take := skills.PickupObject(thing.name))
        if not take.ok:
            self.later[thing.name] = me.step + LATER_STEPS
            yield Action(WAIT, why=f"gives up for now: {take.why}")
            return
        yield skills.GoToObject(piece)
        yield Stay(rng.randint(*habit.stays))
        leaves, roll = rng.random() < habit.leaves, rng.random()
        yield from self._put(me, (piece, thing.where) if leaves else (thing.where, piece))
        left = survey_of(me).astray.get(thing.name)  # None: it lies where it belongs
        if left is not None and roll < habit.keeps:
            yield self._speak_of(me, left, keep=True)
        elif left is not None and roll < habit.keeps + habit.says:
            self._speak_of(me, left, keep=False)

    def _speak_of(self, me: RobotView, left: Thing, keep: bool) -> Action:
        """Say that a thing is to stay where it lies, or that one is done with it."""
        words = f"Please leave {left.name} where it is.\n{KEEP}" if keep else f"I am done with {left.name}.\nmisplaced"
        me.say(f"{words}: {lies(survey_of(me), left)}")
        return Action(bodies.KEEP, (left.name,)) if keep else Action(WAIT)

    def _put(self, me: RobotView, places: Sequence[str]) -> Day:
        """Put what is held on the first of some places that takes it, and where none does on the floor."""
        for place in places:
            if place != FLOOR:
                yield (put := skills.PutObject(place))
                if put.ok:
                    return
        yield Action("Drop")


class AtKeyboard(Resident):
    """A resident at this keyboard, who picks what to do; habits decide where nothing is picked."""

    about = "household: you, at this keyboard, as one who lives in the house"
    stages = {TYPED: "what the resident does next"}

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[tuple[str, str], None] = {}  # who has asked for which things
        self.passing: dict[str, tuple[float, float]] = {}  # who has asked to pass since the last decision, and where
        self.taken: set[str] = set()

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        day, survey = self._days(me), survey_of(me)
        if isinstance(self.last, skills.PickupObject) and self.last.ok:
            self.taken.add(self.last.target)
        menu = dict(self._menu(me, survey))
        words = yield from picked(me, self._situation(me, survey), list(menu), partial(self._say, me))
        self.last = menu[words]() if words in menu else next(day)
        self.passing.clear()
        return {me.name: self.last}

    def _say(self, me: RobotView, words: str) -> None:
        """Say what was typed; a question that names things asks for them."""
        asked = words[:-1].replace(",", " ").split() if words.endswith("?") else ()
        named = [t for t in survey_of(me).things if t in asked]
        me.say(f"{words}\n{SOUGHT}: {', '.join(named)}" if named else words)

    def _answer(self, me: RobotView, who: str, names: Sequence[str]) -> None:
        self.asked.update(((who, name), None) for name in names)

    def _tell(self, me: RobotView, who: str, name: str) -> Action:
        """Answer with where a thing lies by now."""
        del self.asked[who, name]
        super()._answer(me, who, [name])
        return Action(WAIT)

    def _let_pass(self, me: RobotView, who: str, at: tuple[float, float]) -> None:
        if isinstance(self.last, Stay) and self.last.until is not None:  # it was picked, and is no habit
            self.passing[who] = at
        else:
            super()._let_pass(me, who, at)

    def _situation(self, me: RobotView, survey: Survey) -> str:
        room, held = room_at(me.belief, *chart_of(me).pose[:2]) or "", me.belief.value("holding", me.name)
        words = f"{me.name} is in {survey.kind_of_room(room, 0)} ({room}) and holds {held or 'nothing'}."
        if isinstance(self.last, skills.SubSkill) and self.last.ok is False and self.last.why:
            words += f" {self.last.name} did not work: {self.last.why}."
        sought = (f"{who} asks where {name} is." for who, name in self.asked if name in survey.things)
        return " ".join([words, *sought, *(f"{who} asks to pass." for who in self.passing)])

    def _menu(self, me: RobotView, survey: Survey) -> Iterator[tuple[str, Callable[[], Decision]]]:
        """What can be done now, near things and furniture first."""
        here, held = chart_of(me).pose[:2], me.belief.value("holding", me.name)
        for who, name in self.asked:
            if name in survey.things:
                yield f"tell {who} where {name} is", partial(self._tell, me, who, name)
        for who, at in self.passing.items():
            yield f"step aside for {who}", partial(Stay(ANSWER_STEPS).let_pass, me, at)
        if isinstance(held, str):
            for piece in survey.by_distance(survey.pieces, here)[:NEAREST]:
                yield f"put {held} on {piece} in {survey.pieces[piece][1]}", partial(skills.PutObject, piece)
            yield f"drop {held}", partial(Action, "Drop")
        else:
            near = sorted(survey.things.values(), key=lambda t: math.dist(t.spot[:2], here))  # type: ignore[index]
            for thing in near[:NEAREST]:
                yield f"take {thing.name} from {thing.where}", partial(skills.PickupObject, thing.name)
        for name, left in survey.astray.items():
            if name in self.taken:
                yield f"say that {name} is to stay where it lies", partial(self._speak_of, me, left, True)
                yield f"say that you are done with {name}", partial(self._speak_of, me, left, False)
        for room in rooms_known(me.belief):
            yield f"go to {survey.kind_of_room(room, 0)} ({room})", partial(skills.GoToRoom, room)
        doors = [f.value[2:4] for f in me.belief.facts("joins")]  # type: ignore[index]
        for door in sorted(doors, key=lambda at: math.dist(at, here))[:1]:
            yield "stand in the nearest doorway", partial(skills.GoToPoint, door)
        stay = partial(Stay, STAY_STEPS, lambda _: "somebody asks to pass" if self.passing else None)
        yield f"stay here for {STAY_STEPS} steps", stay
        yield "rest for good", skills.StopHere


def _from_file(name: str) -> tuple[partial[Resident], tuple[str, ...]] | None:
    """`resident:FILE.toml`: with habits of one's own."""
    base, _, file = name.partition(":")
    if base != "resident" or not file.endswith(".toml"):
        return None
    path = Path(file)
    if not path.is_file():
        raise CoterieError(f"There is no file '{file}' with habits; write --card resident:Ann for the usual ones.")
    return partial(Resident, path), ("no-model", "household")


protocols.put("resident", Resident, "no-model", "household")
protocols.put("resident:keyboard", AtKeyboard, "household")
protocols.rule(_from_file)
