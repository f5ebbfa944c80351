"""Replies of the network, many at once: prompts are read in one go, and all replies grow side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.learn.holding import Holding
from coterie.learn.network import PARTS, Network
from coterie.learn.pool import as_prompt
from coterie.learn.samples import Sample
from coterie.learn.trained import Trained, load
from coterie.learn.weights import File, Tokens, needed
from coterie.models.adapter import UNTRAINED
from coterie.models.choices import read_choices, snap
from coterie.models.store import fetched

torch = needed("torch")
F = torch.nn.functional
AT_ONCE = 900_000  # tokens in memory at most, prompts and what may follow: more gain nothing
SHARE = 0.5  # of a GPU's free memory, where nobody says how much
ON_CPU_GB = 2.0  # there a larger number at once is no faster
STEP = 128  # lengths are rounded up to a multiple of this
ROWS = (1, 16, 64, 128, 256, 384, 512)  # numbers of prompts are rounded up to one of these, on a GPU


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
        self._memory: Any = None
        self._prepared: dict[tuple[int, int], Growing] = {}
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
        prompts = self.tokens.many([as_prompt(Sample(a.stage, a.prompt, "")) for a in asks])
        holds = [self.holding.of(a) for a in asks] if self.holding else []
        said = self.say(prompts, holds)
        return [
            Reply(_meant(ask, self.tokens.text(ids)), len(prompt), len(ids))
            for ask, prompt, ids in zip(asks, prompts, said)
        ]

    def say(self, prompts: Sequence[Sequence[int]], holds: Sequence[Any] = ()) -> list[list[int]]:
        """Prompts of like length go together. `holds`: what each reply is held to, or None."""
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        found: dict[int, list[int]] = {}
        while order:
            room = self._room(len(prompts[order[-1]]))
            most = max(n for n in ROWS if n == 1 or n * room <= self.at_once)
            some, order = order[-most:], order[:-most]
            found.update(zip(some, self._say([prompts[i] for i in some], [holds[i] for i in some] if holds else [])))
        return [found[i] for i in range(len(prompts))]

    def _room(self, longest: int) -> int:
        return -(-(longest + self.max_tokens) // STEP) * STEP

    def _growing(self, rows: int, room: int) -> Growing:
        """Replies of that many prompts; on a GPU few shapes are used, and each is prepared once."""
        if self.device == "cpu":
            return Growing(self.network, rows, room, self.tokens.end, self.kind)
        if (rows, room) not in self._prepared:
            if self._memory is None:
                s = self.network.shape
                size = 2 * s.layers * s.kv_heads * s.head * max(self.at_once, room)
                self._memory = torch.zeros(size, dtype=self.kind, device=self.device)
            growing = Growing(self.network, rows, room, self.tokens.end, self.kind, self._memory)
            growing.prepare()
            self._prepared[rows, room] = growing
        return self._prepared[rows, room]

    @torch.no_grad()
    def _say(self, prompts: Sequence[Sequence[int]], holds: Sequence[Any]) -> list[list[int]]:
        net, count = self.network, len(prompts)
        rows = count if self.device == "cpu" else next(n for n in ROWS if n >= count)
        longest = max(len(p) for p in prompts)
        room = self._room(longest)
        growing = self._growing(rows, room)
        ids = torch.zeros(rows, longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, : len(prompt)] = torch.tensor(prompt)
        ids = ids.to(self.device)
        lengths = torch.tensor([*map(len, prompts), *[1] * (rows - count)], device=self.device)
        places = torch.arange(longest, device=self.device).expand(rows, -1)
        hidden = net.hidden(ids, places, growing.reading(longest))
        every = torch.arange(rows, device=self.device)
        growing.begin(net.scores(hidden[every, lengths - 1]), lengths, every >= count)
        self._hold(growing, holds)
        said = [growing.last.clone()]
        for n in range(self.max_tokens - 1):
            if (holds or n % 4 == 0) and bool(growing.over.all()):  # asking costs time
                break
            growing.step()
            self._hold(growing, holds)
            said.append(growing.last.clone())
        return [_until(row, self.tokens.end) for row in torch.stack(said, 1)[:count].tolist()]

    def _hold(self, growing: Growing, holds: Sequence[Any]) -> None:
        """Where the word that was just found is not allowed, the likeliest one that is."""
        if self.holding is None or not holds:
            return
        found, wrong, late = growing.last.tolist(), list[int](), list[int]()
        for row, hold in enumerate(holds):
            if hold is None:
                continue
            if hold.is_stopped():  # nothing may follow
                if found[row] != self.tokens.end:
                    late.append(row)
            elif not hold.try_consume_tokens([found[row]]):
                wrong.append(row)
        if late:
            growing.change(late, torch.full((len(late),), self.tokens.end, device=self.device))
        if wrong:
            allowed = torch.from_numpy(self.holding.allowed([holds[row] for row in wrong])).to(self.device)
            better = growing.scores[wrong].masked_fill(~allowed, -math.inf).argmax(-1)
            growing.change(wrong, better)
            for row, word in zip(wrong, better.tolist()):
                holds[row].consume_token(word)


class Growing:
    """Replies that grow side by side, and what they look back at. A step is the same for all shapes of texts, so a GPU
    records it once and plays it again."""

    def __init__(self, net: Network, rows: int, room: int, end: int, kind: Any, memory: Any = None):
        s = net.shape
        shape = (s.layers, 2, rows, s.kv_heads, room, s.head)
        where = net.embedding.device
        if memory is None:
            self.kept = torch.zeros(shape, dtype=kind, device=where)
        else:
            self.kept = memory[: math.prod(shape)].view(shape)
        self.net, self.end, self.graph = net, end, None
        self.last, self.at = (torch.zeros(rows, dtype=torch.long, device=where) for _ in range(2))
        self.over = torch.zeros(rows, dtype=torch.bool, device=where)
        self.scores = torch.zeros(rows, s.words, dtype=kind, device=where)
        self._rows, self._columns = torch.arange(rows, device=where), torch.arange(room, device=where)

    def reading(self, longest: int) -> Any:
        """How prompts are read; their keys and values are kept."""

        def layer(n: int) -> Any:
            def attend(q: Any, k: Any, v: Any) -> Any:
                self.kept[n, 0, :, :, :longest], self.kept[n, 1, :, :, :longest] = k, v
                return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

            return attend

        return layer

    def begin(self, scores: Any, at: Any, over: Any) -> None:
        self.scores.copy_(scores)
        self.last.copy_(scores.argmax(-1))
        self.at.copy_(at)
        self.over.copy_(over | (self.last == self.end))

    def change(self, rows: list[int], words: Any) -> None:
        """Other words than those that were found last."""
        self.last[rows] = words
        self.over[rows] = words == self.end

    def step(self) -> None:
        if self.graph is not None:
            self.graph.replay()
        else:
            self._step()

    def prepare(self) -> None:
        """Record a step; where that fails it is computed one part after another."""
        try:
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.no_grad(), torch.cuda.stream(aside):
                self._step()
                self._step()
            torch.cuda.current_stream().wait_stream(aside)
            graph = torch.cuda.CUDAGraph()
            with torch.no_grad(), torch.cuda.graph(graph):
                self._step()
            self.graph = graph
        except RuntimeError:
            self.graph = None

    def _step(self) -> None:
        s, rows = self.net.shape, len(self.last)
        mask = (self._columns[None] <= self.at[:, None])[:, None, None]

        def recalling(n: int) -> Any:
            def attend(q: Any, k: Any, v: Any) -> Any:
                self.kept[n, 0, self._rows, :, self.at] = k[:, :, 0]
                self.kept[n, 1, self._rows, :, self.at] = v[:, :, 0]
                # Heads that share keys stand side by side as if they were places: nothing is copied for them.
                several = q.view(rows, s.kv_heads, s.heads // s.kv_heads, s.head)
                seen = F.scaled_dot_product_attention(several, self.kept[n, 0], self.kept[n, 1], attn_mask=mask)
                return seen.reshape(rows, s.heads, 1, s.head)

            return attend

        hidden = self.net.hidden(self.last[:, None], self.at[:, None], recalling)
        self.scores.copy_(self.net.scores(hidden[:, 0]))
        self.last.copy_(torch.where(self.over, self.end, self.scores.argmax(-1)))
        self.over.logical_or_(self.last == self.end)
        self.at.add_(1)


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


def _with(base: Path | None, training: Path) -> tuple[Network, Tokens]:
    if training == UNTRAINED:
        return opened(base, 0, 0.0)
    trained = load(training)
    network, tokens = opened(base, trained.rank, trained.alpha)
    start_from(network, trained, training)
    return network, tokens


def speaker_of(training: Path, base: Path | None = None, held: bool = True, memory_gb: float | None = None) -> Speaker:
    """A training, or an adapter made of one, as a model; `UNTRAINED`: the base as it came."""
    network, tokens = _with(base, training)
    return Speaker(network, tokens, name=f"torch:{training}", held=held, memory_gb=memory_gb)


def _until(ids: list[int], end: int) -> list[int]:
    return ids[: ids.index(end)] if end in ids else ids


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
