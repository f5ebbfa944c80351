"""Stage 2: every robot proposes a division of labour and says why it should lead."""

from __future__ import annotations

from coterie.protocols.shared.mind import SHARED_PLAN, Asking, Mind, ask, hear
from coterie.protocols.shared.replies import Misread, PlanReader, field, quoted


def propose(mind: Mind) -> Asking[None]:
    heard = "\n".join(f"{n}: {quoted(mind.said('intro', n))}" for n in mind.online())
    prompt = mind.prompt("talb", introductions=heard)
    read = PlanReader(mind.online())
    found = yield from ask(mind, "TALB", prompt, lambda reply: _read(reply, read))
    plan, speech = found if isinstance(found, tuple) else (SHARED_PLAN, "")
    mind.tell("proposal", (mind.me.name,), (plan, speech), f"Plan: {plan} Speech: {speech}".removesuffix(" Speech: "))
    yield from hear(mind, "proposal")


def _read(reply: str, read: PlanReader) -> tuple[str, str] | Misread:
    plan = read(reply)
    return plan if isinstance(plan, Misread) else (plan, field(reply, "speech") or "")
