"""SmolLM2-135M in this process, through llama.cpp: no network, no key, no GPU.

Parallel slots keep the beginnings of prompts, so that what never changes costs nothing from the second call on. The
price is that replies may depend on what a slot did before; `exact` uses one slot and no cache, and repeats.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.llm import adapter as adapters
from coterie.llm.budget import Budget
from coterie.llm.chat import MaxTokens, Progress, limit_for, plain
from coterie.llm.choices import grammar_of, read_choices
from coterie.llm.ledger import Call, Ledger, estimate_tokens
from coterie.llm.store import fetched
from coterie.llm.threads import threads_to_use
from coterie.llm.together import gather

MAX_TOKENS = 96
SLOTS = 4
CONTEXT = 4096  # tokens in one slot, prompt and reply


class Embedded:
    """The embedded model. It is fetched (and an adapter merged) when it is made, and loaded when it is first asked."""

    def __init__(
        self,
        adapter: Path | None = None,
        temperature: float = 0.0,
        max_tokens: MaxTokens = None,
        exact: bool = False,
        slots: int = SLOTS,
        threads: int | None = None,
        token_limit: int | None = None,
        progress: Progress | None = None,
    ):
        _library()  # complain before a download
        self.name = "embedded:exact" if exact else "embedded"
        self.temperature, self.max_tokens, self.exact = temperature, max_tokens, exact
        self.slots = 1 if exact else max(1, slots)
        self.threads = threads
        self.ledger = Ledger()
        self.budget = Budget(token_limit)
        if adapter is None and adapters.PACKAGED.is_file():
            adapter = adapters.PACKAGED
        base = fetched(progress=progress)
        self.file = base if adapter is None else adapters.merged(base, adapter, progress)
        self._engine: Any = None

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        return gather(self._one, asks, self.slots)

    def load(self) -> None:
        """Load the model now rather than when it is first asked."""
        if self._engine is None:
            self._engine = _engine(_Setup(str(self.file), self.slots, self.threads, self.exact, os.getpid()))

    def _one(self, ask: Ask, stop: threading.Event) -> Reply:
        self.load()
        request = self._request(ask)
        with self.budget.hold(estimate_tokens(request["prompt"]) + request["max_tokens"]):
            begun = time.perf_counter()
            answer = _complete(self._engine, request)
            seconds = time.perf_counter() - begun
            error = answer.get("error")
            if error:
                return self._gave_up(ask, error)
            choice, usage, timings = answer["choices"][0], answer["usage"], answer.get("timings", {})
            call = Call(
                ask.robot,
                ask.stage,
                usage["prompt_tokens"],
                usage["completion_tokens"],
                usage.get("prompt_tokens_details", {}).get("cached_tokens", 0),
                seconds,
                timings["prompt_ms"] / 1000 if "prompt_ms" in timings else None,
                timings["predicted_ms"] / 1000 if "predicted_ms" in timings else None,
            )
            self.ledger.add(call)
            self.budget.spend(call.tokens_in + call.tokens_out)
        text = str(choice["text"]).encode("utf-8", "replace").decode("utf-8")
        return Reply(text, call.tokens_in, call.tokens_out)

    def _request(self, ask: Ask) -> dict[str, Any]:
        request: dict[str, Any] = {
            "prompt": chatml(ask.prompt),
            "max_tokens": limit_for(ask.stage, self.max_tokens, MAX_TOKENS),
            "temperature": self.temperature,
            "seed": ask.seed & 0x7FFFFFFF,
            "cache_prompt": not self.exact,
        }
        held = read_choices(ask.choices)
        if held.kind == "strings":
            request["grammar"] = grammar_of(held.value)
            request["max_tokens"] = max(len(s.encode("utf-8", "replace")) for s in held.value) + 1  # never cut one
        elif held.kind == "gbnf":
            request["grammar"] = held.value
        elif held.kind == "schema":
            request["json_schema"] = dict(held.value)
        return request

    def _gave_up(self, ask: Ask, error: dict[str, Any]) -> Reply:
        words = str(error.get("message", error))
        if error.get("type") != "exceed_context_size_error":
            raise CoterieError(f"The embedded model could not answer {ask.robot} at stage '{ask.stage}': {words}.")
        words = f"The prompt is too long for the embedded model: {words}."
        self.ledger.add(Call(ask.robot, ask.stage, error=words))
        return Reply("", int(error.get("n_prompt_tokens", 0)), 0, words)


def chatml(prompt: Prompt) -> str:
    """The format the model was trained with; what people and robots say cannot end a turn."""
    turns = (f"<|im_start|>{plain(role)}\n{plain(text)}<|im_end|>\n" for role, text in prompt)
    return "".join(turns) + "<|im_start|>assistant\n"


class Speed(NamedTuple):
    """Tokens a second."""

    prompt: float
    reply: float
    threads: int


def speed(model: Embedded, tokens: int = 120, replies: int = 24) -> Speed:
    """Measure one call with a prompt that no slot has seen."""
    model.load()
    nonce = secrets.token_hex(4)
    prompt = chatml((("user", f"{nonce} " + "robot table door cup " * (tokens // 4)),))
    request = {"prompt": prompt, "max_tokens": replies, "temperature": 0, "ignore_eos": True, "cache_prompt": False}
    timings = _complete(model._engine, request)["timings"]
    return Speed(timings["prompt_per_second"], timings["predicted_per_second"], model._engine.threads)


# -- llama.cpp --------------------------------------------------------------------------------------------------------
class _Setup(NamedTuple):
    file: str
    slots: int
    threads: int | None
    exact: bool
    process: int  # threads do not survive a fork


class _Engine(NamedTuple):
    server: Any
    threads: int


_engines: dict[_Setup, _Engine] = {}  # models that were loaded are shared by all episodes of a process
_loading = threading.Lock()


def _engine(setup: _Setup) -> _Engine:
    with _loading:
        if setup not in _engines:
            _engines[setup] = _load(setup)
        return _engines[setup]


def _load(setup: _Setup) -> _Engine:
    library = _library()
    threads = setup.threads or threads_to_use()
    params = library.CommonParams()
    params.model.path = setup.file
    params.n_ctx = CONTEXT * setup.slots
    params.n_parallel = setup.slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cache_ram_mib = 0 if setup.exact else 512  # prompts that had to leave their slot
    params.verbosity = -1
    params.warmup = False
    params.port = 0  # the library also listens on this machine: at any port, and to nobody
    params.api_keys = [secrets.token_urlsafe(24)]
    try:
        return _Engine(library.Server(params), threads)
    except RuntimeError as err:
        raise CoterieError(f"The model '{setup.file}' cannot be loaded; delete it and it is made anew.") from err


def _complete(engine: _Engine, request: dict[str, Any]) -> dict[str, Any]:
    try:
        answer = engine.server.handle_completions(request)
    except RuntimeError as err:
        raise CoterieError(f"The embedded model failed: {err}.") from err
    return answer if isinstance(answer, dict) else {"error": {"message": str(answer)}}


def _library() -> Any:
    # Read by OpenMP when it is loaded. Threads that sleep while they wait leave busy machines usable and are ten times
    # as fast there as threads that spin.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ImportError as err:
        raise CoterieError("The embedded model needs xllamacpp: pip install 'coterie[embedded]'.") from err
    return xllamacpp
