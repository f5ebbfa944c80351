"""A human in a house: looks around and tidies up as heuristic teammates do, in their own time, and speaks in sentences.

What people say is read in the formats of teammates, so they understand robots and strangers, and are understood.
"""

from __future__ import annotations

from coterie.core.action import WAIT, Action
from coterie.core.card import PERSON
from coterie.core.protocol import Decision, RobotView, protocols
from coterie.core.seeds import rng_of
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.heuristic.lines import Lines, sentences, values
from coterie.protocols.heuristic.talk import Talk
from coterie.worlds.household.knowledge.graph import Survey

REST_STEPS = 6  # between two sub-tasks, at most


def spoken(lines: Lines) -> str:
    """Lines as sentences of a human, who has neither a camera nor a battery to tell of."""
    able = [f"I carry up to {values(words)['payload']} kg." for key, words in lines if key == "ability"]
    said = [(key, words) for key, words in lines if key != "ability"]
    return " ".join([sentences(said[:1]), *able, sentences(said[1:])]).strip()


class PersonTalk(Talk):
    write = staticmethod(spoken)


class Person(Heuristic):
    """One human. How long they rest between two sub-tasks is drawn from the seed."""

    about = "household: a human, who looks around and tidies up in their own time and speaks in sentences"
    body = PERSON
    talks = PersonTalk

    def __init__(self) -> None:
        super().__init__()
        self.rest = 0

    def _look_back(self, me: RobotView) -> None:
        if self.option is not None and self.option.ok is not None:
            self.rest = rng_of(me.seed, me.name, "rest", me.step).randint(0, REST_STEPS)
        super()._look_back(me)

    def _choose(self, me: RobotView, survey: Survey) -> Decision:
        if self.rest > 0:
            self.rest -= 1
            return Action(WAIT, why=f"{me.name} takes a moment")
        return super()._choose(me, survey)


protocols.put("person", Person, "household")
