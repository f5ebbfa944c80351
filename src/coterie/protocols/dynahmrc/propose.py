"""Stage 2: every robot proposes a division of labour and says why it should lead."""

from __future__ import annotations

from coterie.protocols.dynahmrc.parse import field
from coterie.protocols.dynahmrc.state import Asking, Mind, ask, whole


def propose(mind: Mind) -> Asking[None]:
    heard = "\n".join(f"{n}: {mind.said('intro', n)}" for n in mind.online())
    prompt = mind.prompt("talb", introductions=heard)
    found = yield from ask(mind, "TALB", prompt, _read)
    plan, speech = found if isinstance(found, tuple) else ("", "")
    mind.tell("proposal", (mind.me.name,), (plan, speech), f"Plan: {plan} Speech: {speech}")
    yield []


def _read(reply: str) -> tuple[str, str]:
    plan = field(reply, "Plans?") or field(reply, "Contents?") or whole(reply)
    return plan, field(reply, "Speech") or ""
