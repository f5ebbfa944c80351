"""The group discussion: every robot sums up, and the leader makes a new plan of it.

Where the leader is gone, those who are left say first what they know; then they propose anew and elect one of them.
"""

from __future__ import annotations

from coterie.protocols.dynahmrc.elect import elect
from coterie.protocols.dynahmrc.propose import propose
from coterie.protocols.shared import sentences
from coterie.protocols.shared.introductions import named_facts
from coterie.protocols.shared.mind import LATE, SHARED_PLAN, Asking, Mind, ask
from coterie.protocols.shared.replies import Misread, PlanReader, field, quoted, whole


def discuss(mind: Mind) -> Asking[None]:
    mind.discussed = mind.me.step
    yield from _report(mind)
    if mind.options.leader and mind.options.reelect and mind.leader is not None and mind.leader not in mind.online():
        yield from propose(mind, anew=True)
        yield from elect(mind)
    else:
        yield from lead(mind)


def _report(mind: Mind) -> Asking[None]:
    """Everybody says what it did and knows; who does not, is missed."""
    me = mind.me
    report = yield from ask(mind, "GD", mind.prompt("gd", long=True), _read_report)
    if isinstance(report, str):  # what cannot be read is not passed on
        grounds = named_facts(mind.reading(), report) if mind.options.share else []
        mind.tell("report", (me.name,), report, sentences.REPORT.say(report), grounds)
    elif me.pulse is not None:  # but that it is here
        mind.tell("report", (me.name,), "", sentences.REPORT.say(f"{me.name} is here."))
    yield []  # the reports arrive
    mind.ears()
    for _ in range(LATE if me.pulse is not None else 0):  # those that come late, or that nobody sends any more
        if all(_reported(mind, n) for n in mind.online()):
            break
        yield []
        mind.ears()
    mind.miss(n for n in mind.online() if n != me.name and not _reported(mind, n))


def _reported(mind: Mind, name: str) -> bool:
    """There is a word of it since this discussion began, if only that it has nothing to say."""
    return name == mind.me.name or mind.fresh("report", name)


def lead(mind: Mind) -> Asking[None]:
    """The leader writes the new plan; the others wait for it. What cannot be read leaves the plan as it is."""
    me = mind.me
    if mind.options.leader and mind.leader == me.name:
        reports = "\n".join(f"{n}: {quoted(mind.said('report', n) or mind.said('intro', n))}" for n in mind.online())
        found = yield from ask(mind, "LP", mind.prompt("lp", long=True, reports=reports), PlanReader(mind.online()))
        plan = (
            found if isinstance(found, str) else mind.plan() or SHARED_PLAN
        )  # told again: a newcomer has not heard it
        mind.tell("leader", (), me.name, sentences.LEADS.say(plan))
        mind.tell("team_plan", (), plan, f"The plan: {plan}")
        yield []


def _read_report(reply: str) -> str | Misread:
    summary, plan = field(reply, "summary"), field(reply, "plan") or field(reply, "next")
    return whole(reply) if summary is None else " ".join(p for p in (summary, plan) if p)
