"""The talk of the stages where only words travel (`--radio text=1`): read from the sentences in which it is said.

Everything that a stage needs is in its words: who speaks, which round, for whom, which plan. What is read is a fact
about what was said, as its speaker's word. Only talk inside a decision counts: no message that a model writes can pose
as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coterie.core.action import STAGE, Message
from coterie.core.facts import Fact
from coterie.core.protocol import RobotView
from coterie.protocols.shared import hearing, sentences
from coterie.protocols.shared.mind import Mind

_BODY = re.compile(r" My body: .*$", re.S)


def take_in(mind: Mind, since: int = 0) -> None:
    """Note what teammates said in their stages, where no facts came along."""
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
