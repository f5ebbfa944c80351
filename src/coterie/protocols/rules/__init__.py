"""Rule minds: each robot decides alone, from its own belief and a small explicit memory.

`next_action` is a pure function, so it can label any state: it is the default protocol and the teacher of learnt minds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coterie.core.action import COMMUNICATE, WAIT, Action, Outcome
from coterie.core.causes import LOST_CONTACT, NO_HEARTBEAT, STOPPED
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import Asking, RobotView, TeamProtocol, TeamView
from coterie.protocols.rules.arm import arm_action, ask_for_far, at_door, through_doors
from coterie.protocols.rules.hospital import WORLD, Notes, next_in_ward, talk
from coterie.protocols.rules.mover import from_here, mover_action
from coterie.protocols.rules.news import Memory, seen_in_words, settle, tell_news
from coterie.protocols.shared.hearing import body_in_words, greet, hear, introduction, notice
from coterie.protocols.shared.reading import Reading

MOST_WORDS = 8  # that a mind says, or keeps to itself, in one decision
Speak = Callable[[Action], None]

#: Clauses of `pick` that the arm does not meet from where the robot stands; from elsewhere it may.
ARM = frozenset({"arm_posture", "height_ok", "arm_free_posture", "arm_path"})
#: Causes that say nothing against the action: once the robot can be reached and may move, it is tried again.
CUT_OFF = frozenset({LOST_CONTACT, NO_HEARTBEAT, STOPPED})
IN_THE_WAY = "occupant"  # the clause of `navigate` that a robot that stands there does not meet


def next_action(me: RobotView, memory: Memory, speak: Speak | None = None) -> tuple[Action, Memory]:
    """The next action of this robot, and its new memory. Words go out by `speak`, which takes no step; without it
    they are actions."""
    memory = memory.meet(frozenset((*me.heartbeat, me.name)))
    signs = memory.signs if me.pulse is None else notice(me, memory.signs)
    if signs is not memory.signs:
        memory = memory._replace(signs=signs)
    last = me.outcome
    if last is not None and last.status in ("failed", "refused"):
        if me.card.moves and last.action.skill == "pick" and last.cause is not None and last.cause.clause in ARM:
            memory = memory.tell(from_here(Reading.of(me), last.action.args[0]))
        elif not (at_door(me, last.action) or (last.cause is not None and last.cause.clause in CUT_OFF)):
            memory = _remember(memory, last, me.step)
    if me.belief.value("goal") is UNKNOWN:
        return Action(WAIT, (), "I do not know the goal."), memory
    reading = Reading.of(me, memory.signs.missed)
    act = mover_action if me.card.moves else arm_action
    action, memory = through_doors(reading, *act(reading, memory))
    for _ in range(MOST_WORDS if memory.silent or speak is not None else 0):
        if action.skill != COMMUNICATE:
            break
        if speak is not None and not memory.silent:  # else what it would have said counts as said
            speak(action)
            reading = Reading.of(me, memory.signs.missed)
        action, memory = through_doors(reading, *act(reading, memory))
    if memory.silent and action.skill == COMMUNICATE:
        return Action(WAIT, (), "I say nothing."), memory
    if (memory.failures and memory.hopeless(str(action), me.step)) or action.skill not in me.card.skills:
        return Action(WAIT, (), f"I have tried {action} often enough."), memory
    return action, memory


def _remember(memory: Memory, last: Outcome, step: int) -> Memory:
    """Remember a failure. A robot in the way has mostly gone on when I try again at once."""
    what = str(last.action)
    if last.cause is not None and last.cause.clause == IN_THE_WAY and not memory.failed(f"blocked {what}", step):
        return memory.fail(f"blocked {what}", step)
    return memory.fail(what, step)


def _say(me: RobotView, words: Action) -> None:
    """Say it inside the decision; whom a robot was asked for counts for the speaker, too."""
    text, to = words.args
    me.say(text, to=to, facts=words.facts)
    me.belief.tell_all([f for f in words.facts if f.pred == "job"])


class Rules(TeamProtocol):
    sees = "own"
    about = "rules for each robot, on its own belief; robots talk when it helps (default)"

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent
        if silent:
            self.about = "the same rules, but robots only introduce themselves: shows what talk is worth"
        self.memory = Memory()
        self.met: frozenset[str] = frozenset()
        self.notes = Notes()
        self.in_ward: bool | None = None  # once it has seen its robot
        self.shared = 0  # how much of what it has come to believe the others were told

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        me = team.me
        if self.in_ward is None:
            self.in_ward = self._in_ward(me)
        if self.in_ward:
            talk(me, self.notes)
            yield []  # what others have seen arrives here
            return {me.name: next_in_ward(me, self.notes)}
        if not self.memory.introduced:
            text, facts = introduction(Reading.of(me))
            seen = seen_in_words(Reading.of(me), [f.args[0] for f in facts if f.pred == "contents"])
            if self.silent:  # that it is here, and what it is
                greet(Reading.of(me), ("all",), words=body_in_words(Reading.of(me)))
            else:
                me.say(text + body_in_words(Reading.of(me)) + seen, facts=facts)
            yield []  # introductions arrive here
            hear(me)
            self.memory = Memory(introduced=True, silent=self.silent)
            if not (me.card.moves or self.silent) and (asked := ask_for_far(Reading.of(me), self.memory)) is not None:
                request, self.memory = asked
                me.say(request.args[0], facts=request.facts)
            yield []  # and the first division of labour here
        elif new := [n for n in me.heartbeat if n not in self.met]:
            greet(Reading.of(me), frozenset(new), words=body_in_words(Reading.of(me)))
            yield []  # and they say who they are
        if not self.met.issuperset(me.heartbeat):
            self.met = self.met.union(me.heartbeat)
        before = me.belief.cursor
        if not self.silent:
            self.shared, said = tell_news(me, self.shared)
            self.memory = self.memory.tell(*said) if said else self.memory
            yield []  # what others have seen arrives here
        hear(me)
        settle(me, before)
        action, self.memory = next_action(me, self.memory, lambda words: _say(me, words))
        return {me.name: action}

    @staticmethod
    def _in_ward(me: RobotView) -> bool:
        home = next((s.home for s in me.skills.values() if s is not None and s.home is not None), None)
        return getattr(home, "world", "") == WORLD
