"""The weights and the words of the embedded model, read from its file.

Weights keep the order that the file has: queries and keys are rotated in neighbouring pairs. A network that does so
needs no other order, and what is trained on it goes back as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.learn.needs import needed

START, END = "<|im_start|>", "<|im_end|>"


class Shape(NamedTuple):
    layers: int
    width: int
    inner: int
    heads: int
    kv_heads: int
    words: int
    rope_base: float
    epsilon: float

    @property
    def head(self) -> int:
        return self.width // self.heads


#: A network that is trained in a second, for tests.
TINY = Shape(2, 32, 48, 4, 2, 300, 10_000.0, 1e-5)


class File:
    """A model file."""

    def __init__(self, path: Path):
        self._reader = needed("gguf").GGUFReader(path)

    def _value(self, name: str) -> Any:
        return self._reader.get_field(name).contents()

    @property
    def shape(self) -> Shape:
        v = self._value
        return Shape(
            v("llama.block_count"), v("llama.embedding_length"), v("llama.feed_forward_length"),
            v("llama.attention.head_count"), v("llama.attention.head_count_kv"), len(v("tokenizer.ggml.tokens")),
            float(v("llama.rope.freq_base")), float(v("llama.attention.layer_norm_rms_epsilon")),
        )  # fmt: skip

    def weights(self) -> dict[str, np.ndarray]:
        """name -> array, (out, in) where there are two dimensions."""
        dequantize = needed("gguf").quants.dequantize
        return {
            t.name: np.asarray(dequantize(t.data, t.tensor_type), dtype=np.float32).reshape(tuple(t.shape)[::-1])
            for t in self._reader.tensors
        }

    def words(self) -> tuple[list[str], list[str]]:
        """Tokens in their order, and merges."""
        return list(self._value("tokenizer.ggml.tokens")), list(self._value("tokenizer.ggml.merges"))


class Tokens:
    """Texts as numbers, as the engine reads them; turns are written as ChatML."""

    def __init__(self, tokens: list[str], merges: list[str]):
        library = needed("tokenizers")
        pairs = [tuple(m.split(" ")) for m in merges]
        vocabulary = {t: i for i, t in enumerate(tokens)}
        self.codec = library.Tokenizer(library.models.BPE(vocab=vocabulary, merges=pairs))
        pre = library.pre_tokenizers
        self.codec.pre_tokenizer = pre.Sequence(
            [pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False)]
        )
        self.codec.decoder = library.decoders.ByteLevel()
        self.codec.add_special_tokens([t for t in tokens if t.startswith("<|") and t.endswith("|>")])
        self.start, self.end = vocabulary[START], vocabulary[END]

    def many(self, texts: list[str]) -> list[list[int]]:
        return [e.ids for e in self.codec.encode_batch(texts, add_special_tokens=False)]

    def text(self, ids: list[int]) -> str:
        return str(self.codec.decode(ids))
