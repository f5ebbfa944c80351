"""Strangers that know types of teammates: they watch what the others do, name the likeliest type, and play as one who
has worked with that type before.

`plastic` infers the type by Bayes from how well each known type predicts what is seen. Of what the others say, it reads
no more than where a robot is and whether it holds something: how it is said, and what else, stays hidden. It tells what
it intends every few steps, so that the others answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from coterie.core.action import Message
from coterie.core.protocol import Asking, RobotView, TeamView, protocols
from coterie.protocols.adhoc.stranger import Choosing, Stranger
from coterie.protocols.adhoc.subtasks import EXPLORE, REPLACE, STOP, Phrase
from coterie.protocols.adhoc.types import EVERY, TYPES, Track, library
from coterie.protocols.heuristic.adapter import read
from coterie.protocols.learning.features import SKILLS, fused, mate_rows, own_row, weights
from coterie.worlds.household.knowledge.chart import chart_of
from coterie.worlds.household.knowledge.graph import Thing, room_at, survey_of
from coterie.worlds.household.options import Explore

WATCH_STEPS = 60  # after joining, in which it looks at the others at every chance
SELDOM = 10  # steps between two looks after that
TOLD_STEPS = 10  # between two notes on types in the log
NAMED_STEPS = 50  # after joining, when the type is noted in any case
NEARER_M = 1.0


class Typed(Stranger):
    about = "household: a stranger that infers the type of its teammates from what they do (PLASTIC)"

    def __init__(self) -> None:
        super().__init__()
        self.tracks: dict[str, Track] = {}
        self.shares: dict[str, float] = dict.fromkeys(TYPES, 1.0 / len(TYPES))
        self._asked = self._noted = -1
        self._named = False

    # -- watching -------------------------------------------------------------------------------------------------
    def hear(self, me: RobotView, new: Sequence[Message]) -> None:
        """Where a robot is and whether its hands are full; nothing else of what is said."""
        for message in new:
            heard = read(message.text, message.sender)
            if heard.position is not None:
                track = self.tracks.setdefault(message.sender, Track())
                track.add(round(message.time), heard.position, bool(heard.holding))

    def _look(self, me: RobotView) -> None:
        """Let the others say where they are, by telling them what this robot intends."""
        due = me.step % (EVERY if self._since(me) <= WATCH_STEPS else SELDOM) == 0
        if due and self._asked != me.step and self.subtask is not None:
            self._asked = me.step
            self.speech.say("intention", self.subtask)
            self.speech.send(me)

    def _watch(self, me: RobotView) -> str | None:
        self._look(me)
        why = super()._watch(me)
        if why is None and self._since(me) >= NAMED_STEPS and not self._named:
            return "it is time to name their type"
        return why

    def _since(self, me: RobotView) -> int:
        return me.step - (self.joined_at if self.joined_at is not None else me.step)

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        self._look(me)
        done = yield from super().decide(team, idle)
        since = self._since(me)
        late = since >= NAMED_STEPS and not self._named
        if late or self._noted < 0 or me.step - self._noted >= TOLD_STEPS:
            self._noted, self._named = me.step, self._named or late
            self.infer()
            shares = {t: round(p, 4) for t, p in self.shares.items()}
            team.notes.append({"what": "types", "robot": me.name, "since": since, "types": shares})
        return done

    def infer(self) -> dict[str, float]:
        self.shares = library().posterior([t.looks for t in self.tracks.values()])
        return self.shares

    # -- playing --------------------------------------------------------------------------------------------------
    def choose(self, me: RobotView) -> Choosing:
        held = me.belief.value("holding", me.name)
        if isinstance(held, str):
            return self._carrying(me, held) or Phrase(REPLACE, (held, "", ""))
        shares = self.infer()
        return POLICIES[max(TYPES, key=lambda t: shares[t])](self, me)
        yield []  # makes this a generator

    def nearest(self, me: RobotView, alone: bool = True) -> Phrase | None:
        """The nearest thing that it can put away; unless `alone`, what others are clearly nearer to is theirs."""
        at = chart_of(me).pose
        for thing in sorted(self.astray(me).values(), key=lambda t: (_far(t, at[:2]), t.name)):
            homes = self.homes(me, thing.kind)
            if self.can_take(me, thing.name) or not homes or thing.spot is None:
                continue
            others = [(t.looks[-1].x, t.looks[-1].y) for t in self.tracks.values() if t.looks]
            if alone or not any(_far(thing, o) + NEARER_M < _far(thing, at[:2]) for o in others):
                return Phrase(REPLACE, (thing.name, homes[0][1], homes[0][2]))
        return None

    def roam(self, me: RobotView) -> Phrase:
        return Phrase(EXPLORE) if Explore("").worthwhile(me) else Phrase(STOP)


def _far(thing: Thing, at: Sequence[float]) -> float:
    return math.dist(thing.spot[:2], at[:2]) if thing.spot is not None else math.inf


# -- the library of policies ------------------------------------------------------------------------------------------
def as_heuristic(self: Typed, me: RobotView) -> Phrase:
    """The nearest thing that is misplaced, else wherever the known ends."""
    return self.nearest(me) or self.roam(me)


def as_learnt(self: Typed, me: RobotView) -> Phrase:
    """The choice of the network that was trained on demonstrations."""
    survey = survey_of(me)
    own = own_row(me, survey, list(self.failed), None)
    rows, there = mate_rows(me, survey, list(self.failed))
    scores, _ = fused(weights("skill"), own[None], rows[None], there[None])
    skill = SKILLS[int(np.argmax(scores[0]))]
    return (self.nearest(me) if skill == "PickupObject" else None) or self.roam(me)


def as_negotiator(self: Typed, me: RobotView) -> Phrase:
    """A thing that nobody else is nearer to; else the nearest room with something left in it where nobody is."""
    found = self.nearest(me, alone=False)
    if found is not None:
        return found
    there = {room_at(me.belief, t.looks[-1].x, t.looks[-1].y) for t in self.tracks.values() if t.looks}
    left = self.rooms_left(me)
    room = next((r for r in left if r not in there), next(iter(left), ""))
    return Phrase(EXPLORE, (room,)) if room else self.roam(me)


POLICIES: dict[str, Callable[[Typed, RobotView], Phrase]] = {
    "heuristic": as_heuristic, "learning": as_learnt, "negotiate": as_negotiator,
}  # fmt: skip


protocols.put("plastic", Typed, "no-model", "household")
