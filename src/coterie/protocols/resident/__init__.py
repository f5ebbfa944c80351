"""A resident of a house: takes things, uses them elsewhere, leaves some of them there, and rests in between.

What they do is drawn from their habits (`habits.toml`) and the seed. They know their house, and where things lay at
first; what became of them since they see, or ask for. They tell others what they are done with and what is to stay,
and answer who asks for a thing. All of it is said in a sentence with a line that robots read (`lines.py`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from coterie.core.action import WAIT, Action, Message
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, Decision, RobotView, TeamProtocol, TeamView, protocols
from coterie.core.seeds import rng_of
from coterie.houses.model import FLOOR
from coterie.protocols.heuristic.guests import note_told
from coterie.protocols.heuristic.lines import KEEP, LIVES, SEEN, SOUGHT, read
from coterie.protocols.heuristic.talk import lies
from coterie.protocols.resident.habits import USUAL, Habit, read_habits
from coterie.worlds.household import bodies
from coterie.worlds.household.bodies import RESIDENT
from coterie.worlds.household.knowledge.graph import Thing, survey_of
from coterie.worlds.household.options import GoToObject, PickupObject, PutObject, StopHere, SubSkill, Until

ANSWER_STEPS = 2  # that one waits for an answer

Day = Iterator[Decision]


class Stay(SubSkill):
    """Some steps on the spot."""

    def __init__(self, steps: int, until: Until | None = None):
        super().__init__(f"Stay({steps})", until)
        self.left = steps

    def step(self, me: RobotView) -> Action | None:
        self.left -= 1
        return Action(WAIT) if self.left >= 0 else self.end(True)


class Resident(TeamProtocol):
    sees = "own"
    about = "household: a resident, who takes, uses and leaves things by habit"
    goals = frozenset({"tidy-up", "find"})
    body = RESIDENT

    def __init__(self, file: Path = USUAL):
        self.habits = read_habits(file)
        self.day: Day | None = None

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        if self.day is None:
            self.day = self._day(me)
            me.say(f"I am {me.name}. I live here.\n{LIVES}: {me.name}")
        return {me.name: next(self.day)}
        yield []  # makes this a generator

    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        """Tell those who ask for things where they lie, and note what others answer."""
        for message in new:
            asked = []
            for key, words in read(message.text):
                if key == SEEN:
                    note_told(me, message, words)
                elif key == SOUGHT:
                    asked += [thing for name in words.split(", ") if (thing := survey_of(me).things.get(name))]
            if asked:
                me.say("\n".join(f"{SEEN}: {lies(survey_of(me), thing)}" for thing in asked), to=(message.sender,))

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
            yield StopHere()

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
        return on in habit.source if habit.source else bool(on) or thing.where == FLOOR

    def _use(self, me: RobotView, habit: Habit, thing: Thing, piece: str, rng: random.Random) -> Day:
        """Take a thing, use it elsewhere, and leave it there or bring it back."""
        yield (take := PickupObject(thing.name))
        if not take.ok and not take.hopeless:
            me.say(f"Where is {thing.name}?\n{SOUGHT}: {thing.name}")
            yield Stay(ANSWER_STEPS)
            yield (take := PickupObject(thing.name))
        if not take.ok:
            return
        yield GoToObject(piece)
        yield Stay(rng.randint(*habit.stays))
        leaves, roll = rng.random() < habit.leaves, rng.random()
        yield from self._put(me, (piece, thing.where) if leaves else (thing.where, piece))
        left = survey_of(me).astray.get(thing.name)
        if left is None or left.spot is None:  # it lies where it belongs
            return
        if roll < habit.keeps:
            me.say(f"Please leave {thing.name} where it is.\n{KEEP}: {lies(survey_of(me), left)}")
            yield Action(bodies.KEEP, (thing.name,))
        elif roll < habit.keeps + habit.says:
            me.say(f"I am done with {thing.name}.\nmisplaced: {lies(survey_of(me), left)}")

    def _put(self, me: RobotView, places: Sequence[str]) -> Day:
        """Put what is held on the first of some places that takes it, and where none does on the floor."""
        for place in places:
            if place != FLOOR:
                yield (put := PutObject(place))
                if put.ok:
                    return
        yield Action("Drop")


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
protocols.rule(_from_file)
