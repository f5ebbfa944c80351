"""The group discussion: every robot sums up, and the leader makes a new plan of it."""

from __future__ import annotations

from coterie.protocols.shared.mind import SHARED_PLAN, Asking, Mind, ask
from coterie.protocols.shared.replies import Misread, PlanReader, field, quoted, whole
from coterie.protocols.shared.talk import named_facts


def discuss(mind: Mind) -> Asking[None]:
    me = mind.me
    mind.discussed = me.step
    report = yield from ask(mind, "GD", mind.prompt("gd", long=True), _read_report)
    if isinstance(report, str):  # what cannot be read is not passed on
        grounds = named_facts(mind.reading(), report) if mind.options.share else []
        mind.tell("report", (me.name,), report, report, grounds)
    yield []  # the reports arrive
    yield from lead(mind)


def lead(mind: Mind) -> Asking[None]:
    """The leader writes the new plan; the others wait for it. What cannot be read leaves the plan as it is."""
    me = mind.me
    if mind.options.leader and mind.leader == me.name:
        reports = "\n".join(f"{n}: {quoted(mind.said('report', n) or mind.said('intro', n))}" for n in mind.online())
        found = yield from ask(mind, "LP", mind.prompt("lp", long=True, reports=reports), PlanReader(mind.online()))
        plan = (
            found if isinstance(found, str) else mind.plan() or SHARED_PLAN
        )  # told again: a newcomer has not heard it
        mind.tell("leader", (), me.name, f"I lead. Plan: {plan}")
        mind.tell("team_plan", (), plan, f"The plan: {plan}")
        yield []


def _read_report(reply: str) -> str | Misread:
    summary, plan = field(reply, "summary"), field(reply, "plan")
    return " ".join(p for p in (summary, plan) if p) or whole(reply)
