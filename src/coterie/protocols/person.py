"""A human in a house: looks around and tidies up as heuristic teammates do, in their own time, and speaks in sentences;
one at a keyboard picks what to do next, and says what they like.

What people say is read in the formats of teammates, so they understand robots and strangers, and are understood.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

from coterie.core.action import WAIT, Action
from coterie.core.card import PERSON
from coterie.core.protocol import Ask, Asking, Decision, Reply, RobotView, TeamView, protocols
from coterie.core.seeds import rng_of
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.lines import Lines, sentences, values
from coterie.protocols.heuristic.talk import Talk
from coterie.worlds.household import options as skills
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Survey, room_at, rooms_known, survey_of

REST_STEPS = 6  # between two sub-tasks, at most
TYPED = "TYPED"  # the stage at which a keyboard answers
NEAREST = 8  # things and pieces of furniture to choose from
PAUSE_STEPS = 10  # of "wait a moment"
LOOK_STEPS = 25  # of looking around, before that is asked again
MOST_SAID = 20  # sentences before something is chosen


def spoken(lines: Lines) -> str:
    """Lines as sentences of a human, who has neither a camera nor a battery to tell of."""
    able = [f"I carry up to {values(words)['payload']} kg." for key, words in lines if key == "ability"]
    said = [(key, words) for key, words in lines if key != "ability"]
    return " ".join([sentences(said[:1]), *able, sentences(said[1:])]).strip()


def picked(
    me: RobotView, situation: str, menu: list[str], say: Callable[[str], object]
) -> Generator[list[Ask], list[Reply], str]:
    """Ask at a keyboard until something of a menu is picked, or nothing; other words are said."""
    words = ""
    for attempt in range(MOST_SAID if menu else 0):
        (reply,) = yield [Ask(me.name, TYPED, me.step, attempt, (("user", situation),), menu)]
        words = reply.text
        if not words or words in menu:
            break
        say(words)
    return words


class PersonTalk(Talk):
    write = staticmethod(spoken)


class Person(Heuristic):
    """One human. How long they rest between two sub-tasks is drawn from the seed."""

    about = "household: a human who looks around, tidies up at their own pace and speaks in sentences"
    body = PERSON
    talks = PersonTalk
    rest = 0  # steps

    def _look_back(self, me: RobotView) -> None:
        if self.option is not None and self.option.ok is not None:
            self.rest = rng_of(me.seed, me.name, "rest", me.step).randint(0, REST_STEPS)
        super()._look_back(me)

    def _choose(self, me: RobotView, survey: Survey) -> Decision:
        if self.rest > 0:
            self.rest -= 1
            return Action(WAIT, why=f"{me.name} takes a moment")
        return super()._choose(me, survey)


class Keyboard(Person):
    """A human who picks what to do; other words are said to all, and none leave it to what `person` does."""

    about = "household: you, at this keyboard: pick the next action and say what you like"
    stages = {TYPED: "what the human does next"}

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me, last, rest = team.me, self.option, self.rest
        self._open(me)
        self.rest = rest  # who is asked rests when they say so
        yield []
        survey = survey_of(me)
        menu = dict(self._menu(me, survey)) if not self.rest else {}
        words = yield from picked(me, self._situation(me, last), list(menu), me.say)
        decision = menu[words]() if words in menu else self._choose(me, survey)
        self.talk.task(me, self._words(me), self._aim())
        self.talk.send(me)
        return {me.name: decision}

    def _situation(self, me: RobotView, last: skills.SubSkill | None) -> str:
        held = me.belief.value("holding", me.name)
        room = room_at(me.belief, *chart_of(me).pose[:2]) or "a room that is not known yet"
        words = f"{me.name} is in {room} and holds {held if isinstance(held, str) else 'nothing'}."
        if last is not None and last.ok is False and last.why:
            words += f" {last.name} did not work: {last.why}."
        return words

    def _menu(self, me: RobotView, survey: Survey) -> Iterator[tuple[str, Callable[[], Decision]]]:
        """The menu of what can be done now: things and furniture that were seen, misplaced and near ones first."""
        here, held = chart_of(me).pose[:2], me.belief.value("holding", me.name)
        self.thing, self.home = held if isinstance(held, str) else "", ""
        if self.thing:
            for piece in survey.by_distance(survey.pieces, here)[:NEAREST]:
                yield f"put {held} on {piece} in {survey.pieces[piece][1]}", partial(self._hands, self.thing, piece)
        free = [t for t in survey.things.values() if not self.thing and self._can(me, t, me.name)]
        far = {t: (t.name not in survey.astray, math.dist(t.spot[:2], here)) for t in free if t.spot is not None}
        for thing in sorted(far, key=lambda t: far[t])[:NEAREST]:
            hint = " (it does not seem to belong there)" if thing.name in survey.astray else ""
            where = f"{thing.where} in {survey.room_of(thing) or '?'}"
            yield f"take {thing.name} from {where}{hint}", partial(self._hands, thing.name)
        for room in rooms_known(me.belief):
            yield f"look around in {room}", partial(self._do, skills.Explore(room, partial(self._looking, me.step)))
        yield "look around elsewhere", partial(self._explore, me)
        yield "wait a moment", self._pause
        yield "stay here", partial(self._do, skills.StopHere())

    def _hands(self, thing: str, home: str = "") -> Decision:
        """Take a thing, or put it somewhere, to the end; what is seen on the way is told."""
        self.thing, self.home = thing, home
        return self._do(skills.put_at(home, self._telling) if home else skills.PickupObject(thing, self._telling))

    def _looking(self, begun: int, me: RobotView) -> str | None:
        return self._watch(me) or (f"{me.name} may decide anew" if me.step >= begun + LOOK_STEPS else None)

    def _telling(self, me: RobotView) -> None:
        self._watch(me)

    def _pause(self) -> Decision:
        self.rest = PAUSE_STEPS - 1
        return Action(WAIT, why="a person takes a moment")


protocols.put("person", Person, "household")
protocols.put("keyboard", Keyboard, "household")
