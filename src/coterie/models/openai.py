"""A model behind any OpenAI-compatible chat endpoint: OpenAI, vLLM, Ollama, llama.cpp and others.

Servers differ in how they hold a reply to some choices and in which parameters they take. What one refuses is left out
or said in another way, so that no server needs a setting of its own. What is remembered of a server spares requests
that it would refuse, and nothing else: a reply is the same whether a client has met the server before or not.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.core.bounds import load_json
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models.budget import Budget
from coterie.models.chat import MaxTokens, content, limit_for, without_pictures
from coterie.models.choices import Held, grammar_of, read_choices, snap, unwrapped, wrapped_schema
from coterie.models.ledger import Call, Ledger, estimate_tokens
from coterie.models.together import gather
from coterie.models.wire import Answer, Endpoint, Refused

MAX_TOKENS = 512
THINKING = 4096  # for models that think before they speak

_LENGTHS = ("max_tokens", "max_completion_tokens")  # two names for one thing; models take one of them, or none
_LEFT_OUT = (
    *reversed(_LENGTHS),
    "temperature",
    "seed",
    "stream_options",
    "stream",
)  # what a model may refuse, and do without
TOOL = "reply"  # the one that is offered to endpoints that hold replies to nothing else
MOST_SERVED = 120  # characters of the name under which a server answers
_MOST_COUNT = 10**9  # tokens; a server that counts more has miscounted
_ENDINGS = ("stop", "length", "tool_calls", "function_call", "content_filter")


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
        stream: bool = False,
    ):
        self.stream = stream
        self.model_name, self.name = model, f"openai:{model}"
        self.endpoint = endpoint or Endpoint()
        self.temperature, self.max_tokens, self.concurrency = temperature, max_tokens, max(1, concurrency)
        self.ledger = Ledger()
        self.budget = budget or Budget(token_limit)
        self._room = threading.BoundedSemaphore(self.concurrency)  # over all threads that ask
        self._refused: set[str] = set()  # parameters this endpoint does not take
        self._refused_ways: set[tuple[str, int]] = set()  # to hold a reply: kind and index into `_ways`

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return gather(self._one, asks, self.concurrency, self.endpoint.abandon)

    def _one(self, ask: Ask, stop: threading.Event) -> Reply:
        held = read_choices(ask.choices)
        ways, way = _ways(held), 0
        most = limit_for(ask.stage, self.max_tokens, MAX_TOKENS)
        denied: set[str] = set()  # parameters for which this very request was refused
        while True:
            while (held.kind, way) in self._refused_ways:
                way += 1
            body = {**self._body(ask, most, denied), **ways[way]}
            try:
                said = self._call(ask, body, most, stop)
            except Refused as no:
                if no.filtered:
                    self.ledger.add(Call(ask.robot, ask.stage, error=f"A filter refused it: {no.words}."), ask)
                    return _reply(ask, "", "A content filter of the endpoint refused the request.")
                if no.too_long:
                    self.ledger.add(Call(ask.robot, ask.stage, error=f"The prompt is too long: {no.words}."), ask)
                    return _reply(ask, "", "The prompt is too long for the model.")
                parameter = _named_parameter(no, body)
                if parameter:
                    denied.add(parameter)
                    self._refused |= {parameter} if no.lasts else set()
                elif no.status in (400, 422) and way + 1 < len(ways):
                    if no.lasts and any(no.names(name) for name in ways[way]):
                        self._refused_ways.add((held.kind, way))
                    way += 1
                else:
                    raise CoterieError(self._refusal(no)) from None
                continue
            if said.reason == "length" and not said.text.strip() and most < THINKING:
                most = THINKING  # it thinks before it speaks, and had no room left to speak
                continue
            text = _settle(said, held, last=not any(ways[way + 1 :]))
            if text is None:  # the server took the request and ignored the choices
                way += 1
                continue
            error = said.call.error
            if not error and held.kind == "strings" and text not in held.value:
                error = "The reply is none of the choices."
            return _reply(ask, text, error, said.served if said.served != self.model_name else "")

    # -- the request ----------------------------------------------------------------------------------------------
    def _body(self, ask: Ask, most: int, denied: set[str]) -> dict[str, Any]:
        refused = self._refused | denied
        if refused.issuperset(_LENGTHS):  # a server may have changed its mind: what it has just refused counts
            refused = (refused - {*_LENGTHS}) | denied
        body: dict[str, Any] = {
            "model": self.model_name,
            "messages": [{"role": role, "content": content(text, ask.stage)} for role, text in ask.prompt],
            "temperature": self.temperature,
            "seed": ask.seed & 0x7FFFFFFF,  # what servers keep in 32 bits
        }
        if self.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        body |= {name: most for name in _LENGTHS if name not in refused}
        if all(name in body for name in _LENGTHS):
            del body[_LENGTHS[1]]
        if "stream" in refused:
            body.pop("stream_options", None)
        return {name: value for name, value in body.items() if name not in refused}

    def _call(self, ask: Ask, body: dict[str, Any], most: int, stop: threading.Event) -> Said:
        with self._room, self.budget.hold(_prompt_tokens(ask) + most):
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
        if isinstance(data, dict) and data.get("error") and not data.get("choices"):  # it costs a reply, not the run
            words = f"The endpoint answered with an error: {self.endpoint.words(answer.raw)}."
            call = Call(ask.robot, ask.stage, seconds=answer.seconds, tries=answer.tries, error=words)
            return Said("", "error", call)
        try:
            choice = data["choices"][0]
            content, reason = choice["message"].get("content"), choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            words = self.endpoint.words(answer.raw)
            raise CoterieError(f"{self.endpoint.address} gave no chat completion: {words}.") from None
        if isinstance(content, list):  # parts
            content = "".join(p["text"] for p in content if isinstance(p, dict) and isinstance(p.get("text"), str))
        text = content if isinstance(content, str) else ""
        text = text if text.strip() else _called(choice["message"]) or text
        text = self.endpoint.without_key(text.encode("utf-8", "replace").decode("utf-8"))
        reason = reason if reason in _ENDINGS else "nothing" if not reason else "something else"
        error = "" if text.strip() else f"The model gave no text (it ended with '{reason}')."
        if reason == "content_filter":
            error = "A content filter of the endpoint stopped the reply (it ended with 'content_filter')."
        usage = _usage(data)
        tokens_in, tokens_out = usage or (_prompt_tokens(ask), estimate_tokens(text))
        call = Call(
            ask.robot,
            ask.stage,
            tokens_in,
            tokens_out,
            min(_cached(data), tokens_in),
            answer.seconds,
            _timing(data, "prompt_ms"),
            _timing(data, "predicted_ms"),
            usage is None,
            answer.tries,
            error,
            answer.first_s,
        )
        return Said(text, reason, call, self.endpoint.without_key(_served(data)))


class Said(NamedTuple):
    text: str
    reason: str  # why the model stopped
    call: Call
    served: str = ""


def _served(data: Any) -> str:
    """Which model it was, as the server names it: a name such as `gpt-4o` means another one every few months."""
    parts = [data.get(k) for k in ("model", "system_fingerprint")] if isinstance(data, dict) else []
    named = " ".join(p for p in parts if isinstance(p, str) and p.strip())
    return "".join(c if c.isprintable() else " " for c in named)[:MOST_SERVED].strip()


def _reply(ask: Ask, text: str, error: str, served: str = "") -> Reply:
    """Tokens are counted by length here, for all servers alike: the same words are the same reply, whatever tries they
    took and whether the server counts. What it counted itself is in the ledger, and what a run may spend goes by that.
    """
    return Reply(text, _prompt_tokens(ask), estimate_tokens(text), error, served)


def _prompt_tokens(ask: Ask) -> int:
    return sum(estimate_tokens(without_pictures(text)) for _, text in ask.prompt)


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
        return [own, *([{"response_format": _format(held.schema)}, _tool(held.schema)] if held.schema else []), {}]
    if held.kind == "schema":
        loose = {"response_format": _format(held.value, strict=False)}
        plain = {"response_format": {"type": "json_object"}}
        return [{"response_format": _format(held.value)}, loose, plain, _tool(held.value), {}]
    return [{}]


def _format(schema: Any, strict: bool = True) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": strict}}


def _tool(schema: Any) -> dict[str, Any]:
    """For servers that hold the arguments of a tool to a schema, and replies to none."""
    function = {"name": TOOL, "description": "Give your reply.", "parameters": schema}
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": TOOL}},
    }


def _called(message: Any) -> str:
    """Return the text of a tool call: the arguments of our own tool, any other call as JSON; empty for none."""
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    function = calls[0].get("function") if isinstance(calls, list) and calls and isinstance(calls[0], dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(name, str) or not isinstance(function, dict):
        return ""
    given = function.get("arguments")
    if name == TOOL:
        return given if isinstance(given, str) else json.dumps(given)
    try:
        return json.dumps({"name": name, "arguments": load_json(given) if isinstance(given, str) else given})
    except ValueError:
        return f"{name}({given})"


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
            load_json(said.text)
        except ValueError:
            return None
    return said.text


def _named_parameter(no: Refused, body: dict[str, Any]) -> str:
    """The parameter that a refusal is about, if it names one that can be left out."""
    if no.status in (400, 422):
        for name in _LEFT_OUT:
            if name in body and no.names(name):
                return name
    return ""


def _count(value: Any) -> int | None:
    """A number of tokens, if it can be one."""
    return value if type(value) is int and 0 <= value <= _MOST_COUNT else None


def _at(data: Any, *path: str) -> Any:
    """The value under these nested keys, or None."""
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _usage(data: Any) -> tuple[int, int] | None:
    """Tokens in and out, if the server counts them."""
    tokens_in, tokens_out = (_count(_at(data, "usage", f"{part}_tokens")) for part in ("prompt", "completion"))
    return None if tokens_in is None or tokens_out is None else (tokens_in, tokens_out)


def _cached(data: Any) -> int:
    return _count(_at(data, "usage", "prompt_tokens_details", "cached_tokens")) or 0


def _timing(data: Any, name: str) -> float | None:
    """Milliseconds that llama.cpp's server tells, in seconds."""
    value = _at(data, "timings", name)
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
    return value / 1000.0 if good else None
