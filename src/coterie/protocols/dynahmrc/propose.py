"""Stage 2: every robot proposes a division of labour and says why it should lead."""

from __future__ import annotations

from coterie.protocols.shared.mind import SHARED_PLAN, Asking, Mind, ask, hear
from coterie.protocols.shared.replies import Misread, field, quoted, whole


def propose(mind: Mind) -> Asking[None]:
    heard = "\n".join(f"{n}: {quoted(mind.said('intro', n))}" for n in mind.online())
    prompt = mind.prompt("talb", introductions=heard)
    found = yield from ask(mind, "TALB", prompt, _read)
    plan, speech = found if isinstance(found, tuple) else (SHARED_PLAN, "")
    mind.tell("proposal", (mind.me.name,), (plan, speech), f"Plan: {plan} Speech: {speech}".removesuffix(" Speech: "))
    yield from hear(mind, "proposal")


def _read(reply: str) -> tuple[str, str] | Misread:
    plan = field(reply, "Plans?") or field(reply, "Contents?") or whole(reply)
    return plan if isinstance(plan, Misread) else (plan, field(reply, "Speech") or "")
