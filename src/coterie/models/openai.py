"""A model behind any OpenAI-compatible chat endpoint: OpenAI, vLLM, Ollama, llama.cpp and others.

Servers differ in how they hold a reply to some choices and in which parameters they take. What one refuses is left out
or said in another way from then on, so that no server needs a setting of its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models.budget import Budget
from coterie.models.chat import MaxTokens, limit_for, plain
from coterie.models.choices import Held, grammar_of, read_choices, snap, unwrapped, wrapped_schema
from coterie.models.ledger import Call, Ledger, estimate_tokens
from coterie.models.together import gather
from coterie.models.wire import Answer, Endpoint, Refused

MAX_TOKENS = 512
THINKING = 4096  # for models that think before they speak

#: A parameter that some models refuse, and what to send instead (nothing, or under another name).
_INSTEAD = {"max_tokens": "max_completion_tokens", "temperature": None, "seed": None}


class OpenAI:
    """`OpenAI("gpt-4o-mini")`, or `OpenAI("llama3", Endpoint("http://localhost:11434/v1"))`."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint | None = None,
        temperature: float = 0.0,
        max_tokens: MaxTokens = None,
        concurrency: int = 16,
        token_limit: int | None = None,
        budget: Budget | None = None,
    ):
        self.model_name, self.name = model, f"openai:{model}"
        self.endpoint = endpoint or Endpoint()
        self.temperature, self.max_tokens, self.concurrency = temperature, max_tokens, max(1, concurrency)
        self.ledger = Ledger()
        self.budget = budget or Budget(token_limit)
        self._room = threading.BoundedSemaphore(self.concurrency)  # over all threads that ask
        self._refused: set[str] = set()  # parameters this endpoint does not take
        self._least = 0  # tokens that every reply may have, whatever its stage
        self._way: dict[str, int] = {}  # how it holds replies to choices: kind -> index into `_ways`

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return gather(self._one, asks, self.concurrency, self.endpoint.abandon)

    def _one(self, ask: Ask, stop: threading.Event) -> Reply:
        held = read_choices(ask.choices)
        ways = _ways(held)
        way = min(self._way.get(held.kind, 0), len(ways) - 1)
        tokens_in = tokens_out = 0
        while True:
            body = {**self._body(ask), **ways[way]}
            try:
                said = self._call(ask, body, stop)
            except Refused as no:
                if no.too_long:
                    return self._gave_up(ask, tokens_in, tokens_out, f"The prompt is too long: {no.words}.")
                parameter = _named_parameter(no, body)
                if parameter:
                    self._refused.add(parameter)
                elif no.status in (400, 422) and way + 1 < len(ways):
                    way += 1
                else:
                    raise CoterieError(self._refusal(no)) from None
                continue
            tokens_in, tokens_out = tokens_in + said.call.tokens_in, tokens_out + said.call.tokens_out
            if said.reason == "length" and not said.text.strip() and self._least < THINKING:
                self._least = THINKING  # it thinks before it speaks, and had no room left to speak
                continue
            text = _settle(said, held, last=way + 1 == len(ways))
            if text is None:  # the server took the request and ignored the choices
                way += 1
                continue
            self._way[held.kind] = max(way, self._way.get(held.kind, 0))
            error = said.call.error
            if not error and held.kind == "strings" and text not in held.value:
                error = "The reply is none of the choices."
            return Reply(text, tokens_in, tokens_out, error)

    def _gave_up(self, ask: Ask, tokens_in: int, tokens_out: int, error: str) -> Reply:
        self.ledger.add(Call(ask.robot, ask.stage, error=error), ask)
        return Reply("", tokens_in, tokens_out, error)

    # -- the request ----------------------------------------------------------------------------------------------
    def _body(self, ask: Ask) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": role, "content": plain(text)} for role, text in ask.prompt],
        }
        wanted = {
            "temperature": self.temperature,
            "max_tokens": self._most(ask),
            "seed": ask.seed & 0x7FFFFFFF,  # what servers keep in 32 bits
        }
        for name, value in wanted.items():
            name = _INSTEAD[name] or "" if name in self._refused else name
            if name and name not in self._refused:
                body[name] = value
        return body

    def _most(self, ask: Ask) -> int:
        """Tokens of a reply to this request."""
        return max(self._least, limit_for(ask.stage, self.max_tokens, MAX_TOKENS))

    def _call(self, ask: Ask, body: dict[str, Any], stop: threading.Event) -> Said:
        most = sum(estimate_tokens(text) for _, text in ask.prompt) + self._most(ask)
        with self._room, self.budget.hold(most):
            said = self._read(ask, self.endpoint.call("POST", "/chat/completions", body, stop))
            self.ledger.add(said.call, ask)
            self.budget.spend(said.call.tokens_in + said.call.tokens_out)
            return said

    def _refusal(self, no: Refused) -> str:
        if no.status in (401, 403) and not self.endpoint.has_key:
            return f"{self.endpoint.address} wants a key: set OPENAI_API_KEY ({no.status}: {no.words})."
        if no.status in (401, 403):
            return f"{self.endpoint.address} does not accept the key in OPENAI_API_KEY ({no.status}: {no.words})."
        if no.status == 404:
            return f"{self.endpoint.address} has no model '{self.model_name}', or no chat ({no.status}: {no.words})."
        return f"{self.endpoint.address} refused a request ({no.status}: {no.words})."

    # -- the answer -----------------------------------------------------------------------------------------------
    def _read(self, ask: Ask, answer: Answer) -> Said:
        data = answer.data
        try:
            choice = data["choices"][0]
            content, reason = choice["message"].get("content"), str(choice.get("finish_reason") or "")
        except (KeyError, IndexError, TypeError, AttributeError):
            words = self.endpoint.words(json.dumps(data)[:2000].encode())
            raise CoterieError(f"{self.endpoint.address} gave no chat completion: {words}.") from None
        if isinstance(content, list):  # parts
            content = "".join(str(p.get("text", "")) for p in content if isinstance(p, dict))
        text = content if isinstance(content, str) else ""
        text = text.encode("utf-8", "replace").decode("utf-8")
        error = "" if text.strip() else f"The model gave no text (it ended with '{reason or 'nothing'}')."
        usage = _usage(data)
        if usage is None:
            tokens_in, tokens_out = sum(estimate_tokens(t) for _, t in ask.prompt), estimate_tokens(text)
        else:
            tokens_in, tokens_out = usage
        call = Call(
            ask.robot,
            ask.stage,
            tokens_in,
            tokens_out,
            _cached(data),
            answer.seconds,
            _timing(data, "prompt_ms"),
            _timing(data, "predicted_ms"),
            usage is None,
            answer.tries,
            error,
        )
        return Said(text, reason, call)


class Said(NamedTuple):
    text: str
    reason: str  # why the model stopped
    call: Call


def _ways(held: Held) -> list[dict[str, Any]]:
    """How to ask for a held reply, in the order in which to try; the last way only hopes."""
    if held.kind == "strings":
        strings = list(dict.fromkeys(held.value))
        own = {  # of vLLM, old and new, and of llama.cpp; each ignores the others'
            "guided_choice": strings,
            "structured_outputs": {"choice": strings},
            "grammar": grammar_of(strings),
        }
        return [own, {"response_format": _format(wrapped_schema(strings))}, {}]
    if held.kind == "gbnf":
        own = {"grammar": held.value, "guided_grammar": held.value, "structured_outputs": {"grammar": held.value}}
        return [own, {}]
    if held.kind == "schema":
        loose = {"response_format": _format(held.value, strict=False)}
        return [{"response_format": _format(held.value)}, loose, {"response_format": {"type": "json_object"}}, {}]
    return [{}]


def _format(schema: Any, strict: bool = True) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": strict}}


def _settle(said: Said, held: Held, last: bool) -> str | None:
    """The text of the reply, or None if the server ignored what the reply was held to and there is another way."""
    if held.kind == "strings":
        text = unwrapped(said.text)
        if text in held.value:
            return text
        if last or said.reason == "length":
            return snap(text, held.value) or said.text
        return None
    if held.kind == "schema" and not last and said.reason != "length":
        try:
            json.loads(said.text)
        except (ValueError, RecursionError):
            return None
    return said.text


def _named_parameter(no: Refused, body: dict[str, Any]) -> str:
    """The parameter that a refusal is about, if it names one that can be left out."""
    if no.status in (400, 422):
        for name in ("max_completion_tokens", *_INSTEAD):
            if name in body and name in no.words:
                return name
    return ""


def _usage(data: Any) -> tuple[int, int] | None:
    """Tokens in and out, if the server counts them."""
    try:
        counts = data["usage"]["prompt_tokens"], data["usage"]["completion_tokens"]
    except (KeyError, TypeError):
        return None
    return counts if all(type(n) is int and n >= 0 for n in counts) else None


def _cached(data: Any) -> int:
    try:
        cached = data["usage"]["prompt_tokens_details"]["cached_tokens"]
    except (KeyError, TypeError):
        return 0
    return cached if type(cached) is int and cached >= 0 else 0


def _timing(data: Any, name: str) -> float | None:
    """Milliseconds that llama.cpp's server tells, in seconds."""
    try:
        value = data["timings"][name]
    except (KeyError, TypeError):
        return None
    return value / 1000.0 if isinstance(value, int | float) and not isinstance(value, bool) else None
