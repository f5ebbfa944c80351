"""SmolLM2-135M in this process, through llama.cpp: no network, no key, no GPU.

Parallel slots keep the beginnings of prompts, so that what never changes costs nothing from the second call on. The
price is that replies may depend on what a slot did before; `exact` uses one slot and no cache, and repeats.

The library's own server is asked over loopback HTTP rather than by its Python calls: those cannot be broken off, and a
process that ends during one crashes.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import importlib
import json
import math
import os
import platform
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.files import cache_dir
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.models import adapter as adapters
from coterie.models.budget import Budget
from coterie.models.chat import MaxTokens, Progress, limit_for, plain
from coterie.models.choices import grammar_of, read_choices
from coterie.models.ledger import Call, Ledger, estimate_tokens
from coterie.models.store import fetched
from coterie.models.threads import threads_to_use
from coterie.models.together import gather
from coterie.models.wire import Answer, Endpoint, Refused

MAX_TOKENS = 512  # a plan with the paths of two hands takes 350; what is trained ends by itself
MOST_HELD = 192  # a grammar ends a reply by itself; one that is cut before its end says nothing
SLOTS = 4
CONTEXT = 6144  # tokens in one slot, prompt and reply
MOST_KEPT = 8  # prompts on disk, of a few megabytes each
PATIENCE_S = 3600  # for one reply, on the slowest of machines


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
        budget: Budget | None = None,
        apart: bool = False,
        level: str = "",
    ):
        """`apart`: in a process of its own, so that nobody here waits while it is loaded. `level`: how much the prompts
        tell, which decides which of the packaged adapters answers them."""
        arm = platform.machine().lower() in ("arm64", "aarch64")
        wide = (arm or not apart) and _wide(_library())  # complain before a download
        self.name = "embedded:exact" if exact else f"embedded:{adapter or ''}".rstrip(":")
        self.temperature, self.max_tokens, self.exact = temperature, max_tokens, exact
        self.slots = 1 if exact else max(1, slots)
        self.threads, self.apart = threads, apart
        self.ledger = Ledger()
        self.budget = budget or Budget(token_limit)
        if adapter is None and (packaged := adapters.FOR_LEVEL.get(level, adapters.PACKAGED)).is_file():
            adapter = packaged
        base = fetched(progress=progress)
        trained = adapter if adapter != adapters.UNTRAINED else None
        self.file = base if trained is None else adapters.merged(base, trained, progress, wide)
        self._engine: _Engine | None = None

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        if not asks:
            return []
        return gather(self._one, asks, self.slots, self.load().abandon)

    def load(self) -> _Engine:
        """Load the model now rather than when it is first asked."""
        if self._engine is None:
            self._engine = _engine(
                _Setup(str(self.file), self.slots, self.threads, self.exact, os.getpid(), self.apart)
            )
        return self._engine

    def remember(self, ask: Ask) -> None:
        """Have a prompt in the cache of the only slot, so that what begins like it is answered faster. What it has read
        once is kept on disk, where it has a process of its own."""
        text = f"{self.file.name} {chatml(ask.prompt)}"
        name = f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.slot"
        if not (self.apart and self.load().slot("restore", name)):
            self.answer([ask])
            if self.apart and self.load().slot("save", name):
                for old in sorted(_kept().glob("*.slot"), key=os.path.getmtime)[:-MOST_KEPT]:
                    old.unlink(missing_ok=True)

    def scored(self, ask: Ask) -> tuple[Reply, float]:
        """A reply, and how probable the model holds the whole of it."""
        found: list[float] = []
        (reply,) = gather(lambda one, stop: self._one(one, stop, found), [ask], 1, self.load().abandon)
        return reply, found[0] if found else 0.0

    def _one(self, ask: Ask, stop: threading.Event, scores: list[float] | None = None) -> Reply:
        request = self._request(ask)
        if scores is not None:
            request["logprobs"] = 1
        with self.budget.hold(estimate_tokens(request["prompt"]) + request["max_tokens"]):
            try:
                answer = self.load().complete(request, stop)
            except Refused as no:
                return self._gave_up(ask, no)
            usage, timings = answer.data["usage"], answer.data["timings"]
            call = Call(
                ask.robot,
                ask.stage,
                usage["prompt_tokens"],
                usage["completion_tokens"],
                usage.get("prompt_tokens_details", {}).get("cached_tokens", 0),
                answer.seconds,
                timings["prompt_ms"] / 1000,
                timings["predicted_ms"] / 1000,
            )
            self.ledger.add(call, ask)
            self.budget.spend(call.tokens_in + call.tokens_out)
        if scores is not None:
            scores.append(_probability(answer.data))
        text = answer.data["choices"][0]["text"].encode("utf-8", "replace").decode("utf-8")
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
            request["max_tokens"] = max(request["max_tokens"], MOST_HELD)
        elif held.kind == "schema":
            request["json_schema"] = dict(held.value)
        return request

    def _gave_up(self, ask: Ask, no: Refused) -> Reply:
        if not no.too_long:
            raise CoterieError(f"The embedded model could not answer {ask.robot} at stage '{ask.stage}': {no.words}.")
        error = f"The prompt is too long for the embedded model: {no.words}."
        self.ledger.add(Call(ask.robot, ask.stage, error=error), ask)
        return Reply("", error=error)


def _probability(data: dict[str, Any]) -> float:
    """Of a whole reply: the product over its tokens, each as the model sees it before a grammar."""
    tokens = (data["choices"][0].get("logprobs") or {}).get("content") or []
    return math.exp(sum(min(0.0, t["logprob"]) for t in tokens)) if tokens else 0.0


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
    engine = model.load()
    nonce = secrets.token_hex(4)
    prompt = chatml((("user", f"{nonce} " + "robot table door cup " * (tokens // 4)),))
    request = {"prompt": prompt, "max_tokens": replies, "temperature": 0, "ignore_eos": True, "cache_prompt": False}
    timings = engine.complete(request).data["timings"]
    return Speed(timings["prompt_per_second"], timings["predicted_per_second"], engine.threads)


# -- llama.cpp --------------------------------------------------------------------------------------------------------
class _Setup(NamedTuple):
    file: str
    slots: int
    threads: int | None
    exact: bool
    process: int  # threads do not survive a fork
    apart: bool = False


class _Engine:
    """A loaded model: where its server listens. The server itself is kept in `_servers`, for `_end`."""

    def __init__(self, endpoint: Endpoint, threads: int):
        self.endpoint, self.threads = endpoint, threads

    def complete(self, request: dict[str, Any], stop: threading.Event | None = None) -> Answer:
        return self.endpoint.call("POST", "/v1/completions", request, stop)

    def slot(self, action: str, name: str) -> bool:
        """Save what the first slot has read to a file, or restore it; whether that worked."""
        try:
            self.endpoint.call("POST", f"/slots/0?action={action}", {"filename": name})
        except (Refused, CoterieError):
            return False
        return True

    def tokens(self, text: str) -> list[int]:
        """As the model reads it, marks of turns included."""
        found: list[int] = self.endpoint.call("POST", "/tokenize", {"content": text, "parse_special": True}).data[
            "tokens"
        ]
        return found

    def abandon(self, stop: threading.Event) -> None:
        if self.endpoint.abandon(stop):
            _abandoned.append(time.monotonic())


_engines: dict[_Setup, _Engine] = {}  # models that were loaded are shared by all episodes of a process
_servers: list[Any] = []
_abandoned: list[float] = []  # when calls were broken off
_loading = threading.Lock()


def _engine(setup: _Setup) -> _Engine:
    with _loading:
        if setup not in _engines:
            _engines[setup] = _load(setup)
        return _engines[setup]


def _load(setup: _Setup) -> _Engine:
    threads = setup.threads or threads_to_use()
    key = secrets.token_urlsafe(24)
    wanted = {
        "model.path": setup.file,
        "n_ctx": CONTEXT * setup.slots,
        "n_parallel": setup.slots,
        "n_batch": 256,  # prompts are read in pieces, between which a call can be broken off
        "cpuparams.n_threads": threads,
        "cpuparams_batch.n_threads": threads,
        "cache_ram_mib": 0 if setup.exact else 512,  # prompts that had to leave their slot
        "verbosity": -1,
        "warmup": False,
        "port": 0,
        "api_keys": [key],  # nobody else on this machine is answered
        "n_threads_http": setup.slots + 2,
        "timeout_read": PATIENCE_S,
        "timeout_write": PATIENCE_S,
        **({"slot_save_path": f"{_kept()}{os.sep}", "endpoint_slots": True} if setup.apart else {}),
    }
    try:
        server = Apart(wanted) if setup.apart else server_of(_library(), wanted)
    except RuntimeError as err:
        raise CoterieError(f"The model '{setup.file}' cannot be loaded; delete it and it is made anew.") from err
    if not _servers:
        atexit.register(_end)
    _servers.append(server)
    return _Engine(Endpoint(server.listening_address, key, timeout_s=PATIENCE_S, retries=0, root=""), threads)


def _kept() -> Path:
    """Where prompts that were read are kept."""
    folder = cache_dir() / "prompts"
    with contextlib.suppress(OSError):  # a cache that nobody may write to: nothing is kept
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _wide(library: Any) -> bool:
    """Whether weights of 32 bits are quicker here, as in builds for ARM that lack its dot product."""
    features = library.get_system_info()
    return "NEON = 1" in features and "DOTPROD = 1" not in features


def _end() -> None:
    """Unload all models before the process ends; a call that was broken off is noticed there within a second."""
    if _abandoned:
        time.sleep(max(0.0, _abandoned[-1] + 1.5 - time.monotonic()))
    for engine in _engines.values():
        engine.endpoint.close()
    _engines.clear()
    _servers.clear()


def _library() -> Any:
    ours = {name: value for name, value in WAITING.items() if name not in os.environ}
    os.environ.update(ours)
    try:
        import xllamacpp
    except ImportError as err:
        raise CoterieError("The embedded model needs xllamacpp: pip install 'coterie[embedded]'.") from err
    finally:
        for name in ours:
            os.environ.pop(name, None)
    return xllamacpp


# -- a server of its own ----------------------------------------------------------------------------------------------
# A model's server in a process of its own: loading a model holds the interpreter for a second, in which nobody would
# be answered. Such a process begins at once, since this file imports nothing of the package.
#: Read by OpenMP when it is loaded. Threads that spin while they wait for each other are ten times slower as soon as
#: another process wants their core; those that soon go to sleep are not, and lose nothing on an idle machine.
WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10000"}


def server_of(library: Any, wanted: Mapping[str, Any]) -> Any:
    """A server of the library with these parameters, like `model.path`."""
    params = library.CommonParams()
    for path, value in wanted.items():
        *above, name = path.split(".")
        setattr(functools.reduce(getattr, above, params), name, value)
    return library.Server(params)


class Apart:
    """Such a server in a child, which ends when the other end of its input is closed."""

    def __init__(self, wanted: Mapping[str, Any]):
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            [sys.executable, __file__], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True,
            env={**WAITING, **os.environ},
        )  # fmt: skip
        assert self._child.stdin is not None and self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps(wanted) + "\n")
            self._child.stdin.flush()
        except OSError as err:
            raise RuntimeError("The child has ended.") from err
        self.listening_address = self._child.stdout.readline().strip()
        if not self.listening_address:
            raise RuntimeError("The model was not loaded.")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from the terminal of the parent, which ends it
    server = server_of(importlib.import_module("xllamacpp"), json.loads(sys.stdin.readline()))
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)
