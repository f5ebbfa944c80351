"""DynaHMRC: self-description, proposals, election, and a closed loop of acting and reflecting; one model per robot.

Every robot is a generator of its own that sees its own belief. What robots say in the stages (`stages.py`)
reaches the others at a barrier, so that all their requests are answered together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.action import COMMUNICATE, PERSON, STAGE, Message
from coterie.core.facts import Fact
from coterie.core.files import tables
from coterie.core.protocol import Asking, RobotView, TeamProtocol, TeamView
from coterie.protocols.dynahmrc.stages import act, discuss, elect, introduce, lead, propose
from coterie.protocols.shared import hearing, sentences
from coterie.protocols.shared.memory import BLOCK, Memory
from coterie.protocols.shared.mind import Mind, Options, hear, wait_until
from coterie.protocols.shared.replies import clean
from coterie.protocols.shared.templates import LEVELS, asked_at


class DynaHmrc(TeamProtocol):
    sees = "own"
    about = "one language model per robot: introduce, propose, elect, act and reflect"
    prompts = "dynahmrc"
    replies, long_replies, stages = asked_at("dynahmrc")

    def __init__(self, options: Options | None = None):
        o = options or Options()
        memory = Memory(o.memory, o.long_memory, o.goal_aware, o.feedback, 1 if o.exact else BLOCK)
        self.mind = Mind(o, memory=memory)
        self.mind.ears = self._listen
        self.met: frozenset[str] = frozenset()
        self._read = 0  # messages of this decision's inbox taken in

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        mind = self.mind
        mind.me = me = team.me
        self._read = 0
        self._listen()
        newcomer = me.step > 0 and not mind.introduced
        if not mind.introduced:
            yield from introduce(mind)
            self._listen()
            if mind.options.leader and not newcomer:
                yield from propose(mind)
                yield from elect(mind)
        else:
            yield from self._greet()
        self.met |= frozenset(me.heartbeat)
        if newcomer:
            mind.discussed = me.step  # the last discussion was before its time
            yield []  # the leader makes room for me in the plan
            yield []
        elif mind.options.leader:
            yield from self._keep_leader()
        if self._time_to_discuss():
            yield from discuss(mind)
        self._listen()
        return {me.name: (yield from act(mind))}

    def _listen(self) -> None:
        """Take in what happened since the last decision."""
        mind, me = self.mind, self.mind.me
        _take_in(mind, self._read)
        mind.look_out()
        r = mind.reading()
        mind.memory.note_goal(r.goal, me.step)
        mind.memory.note_team(frozenset(r.online), me.step)
        mind.memory.note_outcome(me.outcome, me.step, me.language)
        for message in me.inbox[self._read :]:  # talk of the stages is kept as facts about what was said
            if message.via in (COMMUNICATE, PERSON) or message.sender == "memo":
                mind.memory.note_message(
                    message, me.step, clean(message.text, 200 if message.sender != "memo" else 400)
                )
        self._read = len(me.inbox)
        leader = me.belief.value("leader")
        if isinstance(leader, str):
            mind.leader = leader

    def _greet(self) -> Asking:
        """Introduce this robot to newcomers, and hear their introductions."""
        mind, me = self.mind, self.mind.me
        new = frozenset(me.heartbeat) - self.met
        if new:
            said = me.belief.fact("intro", me.name)
            hearing.greet(mind.reading(), new, [said] if said is not None else [], share=mind.options.share)
            yield from hear(mind, "intro")
            self._listen()
        return {}

    def _keep_leader(self) -> Asking:
        """A vanished leader is replaced; newcomers are planned in."""
        mind, o = self.mind, self.mind.options
        online = frozenset(mind.online())
        new, mind.known = online - mind.known if mind.known else frozenset(), online
        if mind.leader is not None and mind.leader not in online:
            together = mind.me.pulse is None or not o.reflection  # else the next discussion finds out, for all at once
            if o.reelect and together:
                yield from discuss(mind)
        elif new - {mind.me.name} and mind.leader == mind.me.name:
            yield from wait_until(lambda: all(mind.said("intro", n) for n in new))  # hear the newcomers first
            yield from lead(mind)
        return {}

    def _time_to_discuss(self) -> bool:
        o, step = self.mind.options, self.mind.me.step
        return o.reflection and step > 0 and step // o.interval > self.mind.discussed // o.interval


# -- where only words travel (`--radio text=1`) ------------------------------------------------------------------------
_BODY = re.compile(r" My body: .*$", re.S)


def _take_in(mind: Mind, since: int) -> None:
    """Note what teammates said in their stages, where no facts came along: all that a stage needs is in its words (who
    speaks, which round, for whom, which plan), and what is read is a fact about what was said, as its speaker's word.
    Only talk inside a decision counts: no message that a model writes can pose as one."""
    me = mind.me
    for message in me.inbox[since:]:
        if message.facts or message.sender == me.name or message.sender not in me.heartbeat:
            continue
        if message.via == STAGE and sentences.INTRODUCTION.whole(message.text):
            mind.words_alone = True  # an introduction always carries something, if anything is carried
        if not mind.words_alone:
            continue
        for fact in _said(me, message) if message.via == STAGE else ():
            me.belief.tell(fact)
        if mind.options.share:
            hearing.believe(me, message)


def _said(me: RobotView, message: Message) -> Iterator[Fact]:
    text, who, time = message.text, message.sender, message.time
    if said := sentences.INTRODUCTION.whole(text):
        yield Fact("intro", (who,), _BODY.sub("", said[0]), time, who)
    elif said := sentences.REPORT.whole(text):
        yield Fact("report", (who,), said[0], time, who)
    elif vote := sentences.VOTE.whole(text):
        yield Fact("vote", (who, f"{me.step}.{vote[0]}"), vote[1], time, who)
    elif chosen := sentences.REFEREE.whole(text):
        yield Fact("vote", ("referee", f"{me.step}.referee"), chosen[0], time, who)
    elif leads := sentences.LEADS.whole(text):
        yield Fact("leader", (), who, time, who)
        yield Fact("team_plan", (), leads[0], time, who)
    elif proposal := sentences.PLAN_WITH_SPEECH.whole(text):
        yield Fact("proposal", (who,), proposal, time, who)
    elif plan := sentences.PLAN.whole(text):
        yield Fact("proposal", (who,), (plan[0], ""), time, who)


#: Variants by name: in words, and the options that they change.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    name: (row.pop("about"), row) for name, row in tables(__package__, "variants.toml").items()
}


def changed(name: str) -> tuple[str, dict[str, Any]] | None:
    """A variant in words and options, also `interval-5`: a discussion every 5 steps; None for no such name."""
    match = re.fullmatch(r"interval-([1-9]\d{0,3})", name)
    steps = match.group(1) if match is not None else ""
    return (f"with a discussion every {steps} steps", {"interval": int(steps)}) if steps else VARIANTS.get(name)


def variant(name: str = "") -> DynaHmrc:
    parts = {part: changed(part) or VARIANTS[part] for part in name.split("-and-") if part}
    options = Options()
    for part in sorted(parts, key=lambda p: p not in LEVELS):  # a style is a whole set: what else is said, goes on top
        options = replace(options, **parts[part][1])
    mind = DynaHmrc(options)
    mind.about = f"dynahmrc {' and '.join(words for words, _ in parts.values())}" if parts else mind.about
    return mind
