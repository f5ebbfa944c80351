"""Endpoints that change their mind: what they refuse, ignore and count differs from request to request, and what they
say does not."""

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

from coterie.core.errors import CoterieError
from coterie.models.choices import snap
from coterie.protocols.dynahmrc.oracle import answer as oracle
from tests.models.faulty import Fault, Faulty

OWN = ("guided_choice", "guided_grammar", "structured_outputs", "grammar")
Mood = Callable[[dict[str, Any], str], Fault | None]  # of the request and what would be said


def say(text: str, reason: str = "stop", **more: Any) -> Fault:
    data = {"model": "mind", "choices": [{"message": {"content": text}, "finish_reason": reason}], **more}
    return Fault(body=json.dumps(data).encode())


def strings(body: dict[str, Any]) -> list[str]:
    """What the reply is held to, said in one way or another."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    return body.get("guided_choice") or schema.get("properties", {}).get("choice", {}).get("enum") or []


def holds(body: dict[str, Any], text: str) -> Fault | None:
    return say(snap(text, strings(body)) or text) if strings(body) else None


def ignores(body: dict[str, Any], text: str) -> Fault | None:
    return say(f"After some thought: {text}!") if strings(body) else None


def wraps(body: dict[str, Any], text: str) -> Fault | None:
    """As OpenAI's own: unknown parameters are refused, and a choice comes in an object."""
    for name in OWN:
        if name in body:
            return Fault(status=400, words=f"Unrecognized request argument supplied: {name}")
    return say(json.dumps({"choice": snap(text, strings(body))})) if strings(body) else None


def mutters(body: dict[str, Any], text: str) -> Fault | None:
    """Refuses and says nothing about why."""
    return Fault(status=400, words="bad request") if {*OWN, "response_format"} & {*body} else None


def picky(body: dict[str, Any], text: str) -> Fault | None:
    for name in ("max_tokens", "temperature", "seed"):
        if name in body:
            return Fault(status=400, words=f"Unsupported parameter: '{name}' is not supported with this model.")
    return None


def picky_too(body: dict[str, Any], text: str) -> Fault | None:
    if "max_completion_tokens" in body:
        return Fault(status=422, words="max_completion_tokens: Extra inputs are not permitted")
    return None


def thinks(body: dict[str, Any], text: str) -> Fault | None:
    most = body.get("max_tokens") or body.get("max_completion_tokens") or 9999
    return say("", "length", usage={"prompt_tokens": 9, "completion_tokens": most}) if most < 1000 else None


def counts(body: dict[str, Any], text: str) -> Fault | None:
    return say(text, usage={"prompt_tokens": 7 * len(text), "completion_tokens": 10**6})


def counts_nothing(body: dict[str, Any], text: str) -> Fault | None:
    return Fault(usage=False)


def busy(body: dict[str, Any], text: str) -> Fault | None:
    return Fault(status=429, headers={"Retry-After": "0"}) if len(str(body)) % 2 else None


MOODS: tuple[Mood, ...] = (
    holds, ignores, wraps, mutters, picky, picky_too, thinks, counts, counts_nothing,
)  # fmt: skip


class Fickle(Faulty):
    """Is in each of its moods for `stays` requests, then in the next."""

    def __init__(self, moods: Sequence[Mood], stays: int = 1, watch: Callable[[int], None] | None = None):
        super().__init__(lambda messages, options: text_for(messages), faults=self._mood)
        self._moods, self._stays, self._watch = moods, stays, watch
        self._telling = threading.Lock()

    def _mood(self, number: int, body: dict[str, Any]) -> Fault | None:
        if self._watch is not None:
            with self._telling:
                self._watch(number)
        return self._moods[number // self._stays % len(self._moods)](body, text_for(body["messages"]))


def text_for(messages: list[dict[str, str]]) -> str:
    try:
        return oracle(tuple((m["role"], m["content"]) for m in messages))
    except CoterieError:  # not a prompt of ours
        return "Hello."
