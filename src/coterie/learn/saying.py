"""Replies of the network, many at once: each is begun as soon as there is room, and goes out once it is whole."""

from __future__ import annotations

import queue
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.learn.growing import SPARE, Batch, PendingReply
from coterie.learn.holding import Holding
from coterie.learn.network import PARTS, Network
from coterie.learn.pool import OPEN, as_turn
from coterie.learn.trained import Trained, load
from coterie.learn.weights import File, Tokens, needed
from coterie.models.adapter import FOR_LEVEL, UNTRAINED
from coterie.models.choices import read_choices, snap
from coterie.models.store import fetched

torch = needed("torch")
AT_ONCE = 4_400_000  # tokens in memory at most, prompts and what may follow: more gain nothing
SHARE = 0.5  # of a GPU's free memory, where nobody says how much
ON_CPU_GB = 2.0  # there a larger number at once is no faster
ROOM = 1_408  # tokens of a prompt and its reply in a row; doubled where they need more
MOST = 512  # rows
CACHED_TURNS = 50_000  # whose words are kept


class Speaker:
    """A model as `coterie.models` has them, on whatever device PyTorch finds. Replies are the likeliest ones."""

    def __init__(
        self,
        network: Network,
        tokens: Tokens,
        max_tokens: int = 512,
        name: str = "torch",
        held: bool = False,
        memory_gb: float | None = None,
    ):
        self.name, self.tokens, self.max_tokens = name, tokens, max_tokens
        self.holding = Holding(tokens) if held else None  # without: grammars are not enforced
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.kind = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.network = Network(network.shape).to(self.device, self.kind).eval()
        self.at_once = self._tokens_in(memory_gb)
        self._batch: Batch | None = None
        self._read: dict[str, array[int]] = {}
        self._come: queue.SimpleQueue[list[PendingReply]] = queue.SimpleQueue()
        self._waiting: deque[PendingReply] = deque()  # for a batch
        self.renew(network)

    def _tokens_in(self, memory_gb: float | None) -> int:
        """How many tokens of prompts and replies are kept at once: each leaves a key and a value in every layer."""
        s, bits = self.network.shape, torch.finfo(self.kind).bits
        if memory_gb is None:
            free = SHARE * torch.cuda.mem_get_info()[0] if self.device == "cuda" else ON_CPU_GB * 1e9
        else:
            free = memory_gb * 1e9
        return max(1, min(AT_ONCE, int(free / (2 * s.layers * s.kv_heads * s.head * bits // 8))))

    def renew(self, network: Network) -> None:
        """Speak as this one does from now on."""
        self.network.load_state_dict(_merged(network), strict=True)

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        found: list[list[Reply]] = []
        self.take(asks, found.append)
        while not found:
            self.step()
        return found[0]

    def say(self, prompts: Sequence[Sequence[int]], holds: Sequence[Any] = ()) -> list[list[int]]:
        """`holds`: what each reply is held to, or None."""
        found: list[list[list[int]]] = []
        self._want(prompts, holds, found.append)
        while not found:
            self.step()
        return found[0]

    def take(self, asks: Sequence[Ask], then: Callable[[list[Reply]], None]) -> None:
        """Have requests answered by those calls of `step` that follow; `then` gets all replies. Any thread may."""
        prompts = [self._numbers(ask.prompt) for ask in asks]
        holds = [self.holding.of(a) for a in asks] if self.holding else []

        def replied(said: list[list[int]]) -> None:
            parts = zip(asks, prompts, said)
            then([Reply(_meant(ask, self.tokens.text(ids)), len(prompt), len(ids)) for ask, prompt, ids in parts])

        self._want(prompts, holds, replied)

    def _numbers(self, prompt: Prompt) -> list[int]:
        """The words of a prompt; those of a turn that was read before are known."""
        known, turns = self._read if len(self._read) <= CACHED_TURNS else {}, [*map(as_turn, prompt), OPEN]
        new = [turn for turn in turns if turn not in known]
        known.update((turn, array("i", ids)) for turn, ids in zip(new, self.tokens.many(new)))
        self._read = known
        return [word for turn in turns for word in known[turn]]

    def _want(
        self, prompts: Sequence[Sequence[int]], holds: Sequence[Any], then: Callable[[list[list[int]]], None]
    ) -> None:
        left = len(prompts)

        def one_more() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                said, pending[:] = [r.said for r in pending], ()  # they know this function: to be freed at once
                then(said)

        pending = [PendingReply(prompt, hold, one_more) for prompt, hold in zip_longest(prompts, holds)]
        if pending:
            self._come.put(pending)
        else:
            then([])

    @torch.no_grad()
    def step(self, wait_s: float = 0.0) -> None:
        """Say some words more of all replies that are wanted; where none is, wait so long for one."""
        busy = self._waiting or (self._batch is not None and self._batch.busy)
        self._take_up(0.0 if busy else wait_s)
        if self._batch is not None:
            self._batch.grow()
            for reply in self._batch.ended():
                reply.after()

    def _take_up(self, wait_s: float) -> None:
        with suppress(queue.Empty):
            while True:
                self._waiting += self._come.get(block=wait_s > 0, timeout=wait_s or None)
                wait_s = 0.0
        while self._waiting and (batch := self._batch_for(self._waiting[0])) is not None:
            batch.waiting.append(self._waiting.popleft())

    def _batch_for(self, reply: PendingReply) -> Batch | None:
        """Rows that hold a prompt and its reply. Where they are too short, memory is dealt out anew once all other
        replies have ended; until then None."""
        need = len(reply.prompt) + self.max_tokens + SPARE
        room = ROOM if self._batch is None else self._batch.room
        if self._batch is not None and (need <= room or self._batch.busy):
            return self._batch if need <= room else None
        while room < need:
            room *= 2
        rows, self._batch = max(1, min(MOST, self.at_once // room)), None  # freed before more is taken
        self._batch = Batch(self.network, rows, room, self.tokens.end, self.max_tokens, self.kind, self.holding)
        return self._batch


def opened(base: Path | None, rank: int, alpha: float) -> tuple[Network, Tokens]:
    """The embedded model, or another one of its kind, with thin matrices beside its own."""
    path = base if base is not None else fetched()
    try:
        file = File(path)
        network, words = Network(file.shape, rank, alpha), file.words()
        network.load(file.weights())
    except OSError as err:
        raise CoterieError(f"The base model '{path}' cannot be read: {err.strerror or err}.") from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RuntimeError):
        what = "a GGUF file of a model of the Llama kind, such as the embedded one"
        raise CoterieError(f"'{path}' is no base model: it has to be {what}.") from None
    return network, Tokens(*words)


def start_from(network: Network, trained: Trained, path: Path) -> None:
    """Let a network be what a training had made of it."""
    try:
        network.set_pairs(trained.pairs)
    except (KeyError, RuntimeError):
        raise CoterieError(f"'{path}' is a training of another base model: name that one with --base.") from None


def speaker_of(training: Path, base: Path | None = None, held: bool = True, memory_gb: float | None = None) -> Speaker:
    """A training, or an adapter made of one, as a model; `UNTRAINED`: the base as it came; `conversation`: the packaged
    adapter for that level."""
    training = FOR_LEVEL.get(str(training), training)
    trained = load(training) if training != UNTRAINED else None
    network, tokens = opened(base, *(trained[:2] if trained else (0, 0.0)))
    if trained:
        start_from(network, trained, training)
    return Speaker(network, tokens, name=f"torch:{training}", held=held, memory_gb=memory_gb)


def _meant(ask: Ask, text: str) -> str:
    """Where only some strings may be said, the one that is meant."""
    held = read_choices(ask.choices)
    return (snap(text.rpartition("Leader:")[2], held.value) or text) if held.kind == "strings" else text


def _merged(network: Network) -> dict[str, Any]:
    """The weights of a network without thin matrices that says the same."""
    found = {"embedding": network.embedding.data, "output_norm": network.output_norm.data}
    for n, layer in enumerate(network.layers):
        for part in PARTS:
            found[f"layers.{n}.{part}.weight"] = getattr(layer, part).merged().data
        for part in ("attn_norm", "ffn_norm"):
            found[f"layers.{n}.{part}"] = getattr(layer, part).data
    return found
