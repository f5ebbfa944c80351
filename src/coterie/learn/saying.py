"""Replies of the network, many at once: prompts are read in one go, and all replies grow side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.core.protocol import Ask, Reply
from coterie.learn.needs import needed
from coterie.learn.network import PARTS, Network
from coterie.learn.packing import as_prompt
from coterie.learn.samples import Sample
from coterie.learn.trained import load
from coterie.learn.weights import File, Tokens
from coterie.models.choices import read_choices, snap
from coterie.models.store import fetched

torch = needed("torch")
F = torch.nn.functional
AT_ONCE = 600_000  # tokens in memory: prompts and what may follow
STEP = 64  # lengths are rounded up to a multiple of this


class Speaker:
    """A model as `coterie.models` has them, on whatever device PyTorch finds. Replies are the likeliest ones."""

    def __init__(self, network: Network, tokens: Tokens, max_tokens: int = 128, name: str = "torch"):
        self.name, self.tokens, self.max_tokens = name, tokens, max_tokens
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.kind = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.network = Network(network.shape).to(self.device, self.kind).eval()
        self.renew(network)

    def renew(self, network: Network) -> None:
        """Speak as this one does from now on."""
        self.network.load_state_dict(_merged(network), strict=True)

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        prompts = self.tokens.many([as_prompt(Sample(a.stage, a.prompt, "")) for a in asks])
        texts = [self.tokens.text(ids) for ids in self.say(prompts)]
        return [
            Reply(_held(ask, text), len(prompt), len(self.tokens.many([text])[0]))
            for ask, prompt, text in zip(asks, prompts, texts)
        ]

    def say(self, prompts: Sequence[Sequence[int]]) -> list[list[int]]:
        """Prompts of like length go together, as many as memory holds."""
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        found: dict[int, list[int]] = {}
        while order:
            longest = len(prompts[order[-1]]) + self.max_tokens + STEP
            some, order = order[-max(1, AT_ONCE // longest) :], order[: -max(1, AT_ONCE // longest)]
            found.update(zip(some, self._say([prompts[i] for i in some])))
        return [found[i] for i in range(len(prompts))]

    @torch.inference_mode()
    def _say(self, prompts: Sequence[Sequence[int]]) -> list[list[int]]:
        net, s, rows = self.network, self.network.shape, len(prompts)
        lengths = torch.tensor([len(p) for p in prompts], device=self.device)
        longest = -(-int(lengths.max()) // STEP) * STEP
        room = longest + self.max_tokens
        ids = torch.zeros(rows, longest, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, : len(prompt)] = torch.tensor(prompt)
        ids = ids.to(self.device)
        kept = torch.zeros(s.layers, 2, rows, s.kv_heads, room, s.head, dtype=self.kind, device=self.device)

        def reading(layer: int) -> Any:
            def attend(q: Any, k: Any, v: Any) -> Any:
                kept[layer, 0, :, :, :longest], kept[layer, 1, :, :, :longest] = k, v
                return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

            return attend

        places = torch.arange(longest, device=self.device).expand(rows, -1)
        hidden = net.hidden(ids, places, reading)
        every = torch.arange(rows, device=self.device)
        last = net.scores(hidden[every, lengths - 1]).argmax(-1)
        said, over, at = [last], last == self.tokens.end, lengths.clone()
        columns = torch.arange(room, device=self.device)
        for n in range(self.max_tokens - 1):
            if n % 4 == 0 and bool(over.all()):  # asking costs time
                break
            mask = (columns[None] <= at[:, None])[:, None, None]

            def recalling(layer: int, at: Any = at, mask: Any = mask) -> Any:
                def attend(q: Any, k: Any, v: Any) -> Any:
                    kept[layer, 0, every, :, at], kept[layer, 1, every, :, at] = k[:, :, 0], v[:, :, 0]
                    # Heads that share keys stand side by side as if they were places: nothing is copied for them.
                    several = q.view(rows, s.kv_heads, s.heads // s.kv_heads, s.head)
                    seen = F.scaled_dot_product_attention(several, kept[layer, 0], kept[layer, 1], attn_mask=mask)
                    return seen.reshape(rows, s.heads, 1, s.head)

                return attend

            hidden = net.hidden(last[:, None], at[:, None], recalling)
            last = torch.where(over, self.tokens.end, net.scores(hidden[:, 0]).argmax(-1))
            said.append(last)
            over, at = over | (last == self.tokens.end), at + 1
        return [_until(row, self.tokens.end) for row in torch.stack(said, 1).tolist()]


class Renewed:
    """The model of a training that goes on: as its file was when it last changed."""

    def __init__(self, base: Path | None, training: Path):
        self.name, self.training = f"torch:{training}", training
        trained = load(training)
        self._network, tokens = opened(base, trained.rank, trained.alpha)
        self._network.to("cuda" if torch.cuda.is_available() else "cpu")
        self._network.set_pairs(trained.pairs)
        self._speaker, self._changed = Speaker(self._network, tokens, name=self.name), training.stat().st_mtime_ns

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        if (changed := self.training.stat().st_mtime_ns) != self._changed:
            self._network.set_pairs(load(self.training).pairs)
            self._speaker.renew(self._network)
            self._changed = changed
        return self._speaker.answer(asks)


def opened(base: Path | None, rank: int, alpha: float) -> tuple[Network, Tokens]:
    """The embedded model, or another one of its kind, with thin matrices beside its own."""
    file = File(base if base is not None else fetched())
    network = Network(file.shape, rank, alpha)
    network.load(file.weights())
    return network, Tokens(*file.words())


def speaker_of(training: Path, base: Path | None = None) -> Speaker:
    trained = load(training)
    network, tokens = opened(base, trained.rank, trained.alpha)
    network.set_pairs(trained.pairs)
    return Speaker(network, tokens, name=f"torch:{training}")


def _until(ids: list[int], end: int) -> list[int]:
    return ids[: ids.index(end)] if end in ids else ids


def _held(ask: Ask, text: str) -> str:
    """Where only some strings may be said, the one that is meant; a grammar is not enforced here."""
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
