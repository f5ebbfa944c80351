"""The embedded model as a network in PyTorch: a decoder with grouped heads, rotated in pairs, and pairs of thin
matrices that are trained beside its frozen weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.learn.weights import Shape, needed

torch = needed("torch")
nn, F = torch.nn, torch.nn.functional

BLOCK = 128  # places that a GPU looks at together
#: The matrices of a layer, as the model file names them.
PARTS = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


class Thin(nn.Module):  # type: ignore[name-defined]
    """A frozen matrix, and a product of two thin ones that is added to it."""

    def __init__(self, ins: int, outs: int, rank: int, scale: float):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outs, ins), requires_grad=False)
        self.rank, self.scale = rank, scale
        if rank:
            self.a = nn.Parameter(torch.empty(rank, ins))
            self.b = nn.Parameter(torch.zeros(outs, rank))
            nn.init.normal_(self.a, std=1.0 / ins**0.5)

    def forward(self, x: Any) -> Any:
        y = F.linear(x, self.weight)
        if self.rank:
            y = y + self.scale * F.linear(F.linear(x, self.a.to(x.dtype)), self.b.to(x.dtype))
        return y

    def merged(self) -> Any:
        if not self.rank:
            return self.weight
        return self.weight + (self.scale * self.b.float() @ self.a.float()).to(self.weight.dtype)


class Layer(nn.Module):  # type: ignore[name-defined]
    def __init__(self, s: Shape, rank: int, scale: float):
        super().__init__()
        self.shape = s
        kv = s.kv_heads * s.head
        sizes = {
            "attn_q": (s.width, s.width), "attn_k": (s.width, kv), "attn_v": (s.width, kv),
            "attn_output": (s.width, s.width), "ffn_gate": (s.width, s.inner), "ffn_up": (s.width, s.inner),
            "ffn_down": (s.inner, s.width),
        }  # fmt: skip
        for part, (ins, outs) in sizes.items():
            setattr(self, part, Thin(ins, outs, rank, scale))
        self.attn_norm = nn.Parameter(torch.ones(s.width), requires_grad=False)
        self.ffn_norm = nn.Parameter(torch.ones(s.width), requires_grad=False)

    def before(self, x: Any, cos: Any, sin: Any) -> tuple[Any, Any, Any]:
        """Queries, keys and values."""
        s = self.shape
        h = normed(x, self.attn_norm, s.epsilon)
        q = self.attn_q(h).view(*h.shape[:2], s.heads, s.head).transpose(1, 2)
        k = self.attn_k(h).view(*h.shape[:2], s.kv_heads, s.head).transpose(1, 2)
        v = self.attn_v(h).view(*h.shape[:2], s.kv_heads, s.head).transpose(1, 2)
        return rotated(q, cos, sin), rotated(k, cos, sin), v

    def after(self, x: Any, seen: Any) -> Any:
        """With what was seen by looking back."""
        x = x + self.attn_output(seen.transpose(1, 2).reshape(x.shape))
        h = normed(x, self.ffn_norm, self.shape.epsilon)
        return x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))


def _copied(parameter: Any, array: np.ndarray) -> None:
    if tuple(parameter.shape) != array.shape:  # PyTorch would repeat what is smaller
        raise RuntimeError(f"{array.shape} is not {tuple(parameter.shape)}")
    parameter.data.copy_(torch.from_numpy(np.array(array, dtype=np.float32)))


class Network(nn.Module):  # type: ignore[name-defined]
    def __init__(self, shape: Shape, rank: int = 0, alpha: float | None = None):
        super().__init__()
        self.shape, self.rank = shape, rank
        self.alpha = float(rank if alpha is None else alpha)
        scale = self.alpha / rank if rank else 0.0
        self.embedding = nn.Parameter(torch.empty(shape.words, shape.width), requires_grad=False)
        self.layers = nn.ModuleList(Layer(shape, rank, scale) for _ in range(shape.layers))
        self.output_norm = nn.Parameter(torch.ones(shape.width), requires_grad=False)
        self._before, self._after = Layer.before, Layer.after
        nn.init.normal_(self.embedding, std=0.02)
        for module in self.modules():
            if isinstance(module, Thin):
                nn.init.normal_(module.weight, std=0.02)

    def load(self, weights: dict[str, np.ndarray]) -> None:
        def put(parameter: Any, name: str) -> None:
            _copied(parameter, weights[name])

        put(self.embedding, "token_embd.weight")
        put(self.output_norm, "output_norm.weight")
        for n, layer in enumerate(self.layers):
            put(layer.attn_norm, f"blk.{n}.attn_norm.weight")
            put(layer.ffn_norm, f"blk.{n}.ffn_norm.weight")
            for part in PARTS:
                put(getattr(layer, part).weight, f"blk.{n}.{part}.weight")

    def frozen_to(self, kind: Any) -> Network:
        """Make the weights that are not trained narrower."""
        for parameter in self.parameters():
            if not parameter.requires_grad:
                parameter.data = parameter.data.to(kind)
        return self

    def pairs(self) -> dict[str, np.ndarray]:
        """The trained matrices, by the names of those that they change."""
        found = {}
        for n, layer in enumerate(self.layers):
            for part in PARTS:
                thin = getattr(layer, part)
                found[f"blk.{n}.{part}.weight.lora_a"] = thin.a.detach().float().cpu().numpy().astype(np.float16)
                found[f"blk.{n}.{part}.weight.lora_b"] = thin.b.detach().float().cpu().numpy().astype(np.float16)
        return found

    def set_pairs(self, pairs: dict[str, np.ndarray]) -> None:
        for n, layer in enumerate(self.layers):
            for part in PARTS:
                for side in ("a", "b"):
                    array = pairs[f"blk.{n}.{part}.weight.lora_{side}"]
                    _copied(getattr(getattr(layer, part), side), array)

    def hidden(self, ids: Any, positions: Any, attend: Any) -> Any:
        """`attend(layer)` gives what a layer looks back with."""
        x = F.embedding(ids, self.embedding)
        cos, sin = angles(positions, self.shape, x.dtype)
        for n, layer in enumerate(self.layers):
            q, k, v = self._before(layer, x, cos, sin)
            x = self._after(layer, x, attend(n)(q, k, v))
        return normed(x, self.output_norm, self.shape.epsilon)

    def compile_layers(self) -> None:
        """All layers have one shape and share what is compiled: seconds, where all of the network takes minutes."""
        self._before, self._after = torch.compile(Layer.before), torch.compile(Layer.after)

    def scores(self, hidden: Any) -> Any:
        return F.linear(hidden, self.embedding)


def normed(x: Any, weight: Any, epsilon: float) -> Any:
    if not torch.is_grad_enabled() and x.dtype == weight.dtype:  # in one go
        return F.rms_norm(x, weight.shape, weight, epsilon)
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight


def angles(positions: Any, shape: Shape, kind: Any) -> tuple[Any, Any]:
    half = torch.arange(0, shape.head, 2, device=positions.device, dtype=torch.float32)
    turn = positions[..., None].float() * shape.rope_base ** (-half / shape.head)
    return turn.cos()[:, None].to(kind), turn.sin()[:, None].to(kind)  # (rows, 1, length, head / 2)


def rotated(x: Any, cos: Any, sin: Any) -> Any:
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def dense(mask: Any) -> Any:
    """Looks back by a mask of all places, for short texts and machines without a GPU."""

    def attend(q: Any, k: Any, v: Any) -> Any:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)

    return lambda layer: attend


def sparse(until: Any, flex: Any) -> Any:
    """The same as `dense(packed_mask(until))` without looking at what is masked, for long rows on a GPU."""
    mask = _blocks(until)

    def attend(q: Any, k: Any, v: Any) -> Any:
        return flex(q, k, v, block_mask=mask, enable_gqa=True)

    return lambda layer: attend


def _blocks(until: Any) -> Any:
    """Which blocks of places look back at which, some of their places or all. PyTorch finds that out from the mask
    itself; for rows this long, compiling how takes minutes."""
    length = until.shape[1]
    blocks = F.pad(until, (0, -length % BLOCK), value=-1).unflatten(1, (-1, BLOCK))
    count = torch.arange(blocks.shape[1], device=until.device)
    begin, earlier = (count * BLOCK)[:, None], count[None] < count[:, None]
    latest, least = (ends[:, None] for ends in (blocks.amax(-1), blocks.amin(-1)))
    whole = earlier & (least >= begin + BLOCK - 1)
    some = (earlier & (latest >= begin) & ~whole) | (count[None] == count[:, None])

    def listed(those: Any) -> tuple[Any, Any]:
        order = those.int().argsort(dim=-1, descending=True, stable=True)
        return those.sum(-1, dtype=torch.int32)[:, None], order.int()[:, None]

    def before(row: Any, head: Any, q: Any, k: Any) -> Any:
        return (k <= q) & (q <= until[row, k])

    kind = needed("torch.nn.attention.flex_attention").BlockMask
    return kind.from_kv_blocks(*listed(some), *listed(whole), BLOCK, before, (length, length))


def packed_mask(until: Any) -> Any:
    """(rows, 1, length, length): each place sees itself, and those before it that are looked back at so far."""
    places = torch.arange(until.shape[1], device=until.device)
    return ((places[None, None] <= places[None, :, None]) & (places[None, :, None] <= until[:, None]))[:, None]
