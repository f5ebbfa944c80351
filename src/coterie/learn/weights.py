"""The weights and the words of the embedded model, read from its file.

Weights keep the order that the file has: queries and keys are rotated in neighbouring pairs. A network that does so
needs no other order, and what is trained on it goes back as it is.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from coterie.core.bounds import MOST_INT
from coterie.core.errors import CoterieError
from coterie.models.tensors import Gguf

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
        self._file = Gguf(path)

    def _number(self, name: str) -> float:
        found = self._file.number(name)
        if found is None or not 0 < found < MOST_INT:
            raise CoterieError(f"'{self._file.path}' is no model that can be trained: `{name}` is missing, or odd.")
        return found

    def _texts(self, name: str) -> list[str]:
        field = self._file.fields.get(name)
        if field is None or not isinstance(field.value, list):
            raise CoterieError(f"'{self._file.path}' is no model that can be trained: `{name}` is missing.")
        return list(field.value)

    @property
    def shape(self) -> Shape:
        def whole(name: str) -> int:
            return int(self._number(f"llama.{name}"))

        found = Shape(
            whole("block_count"), whole("embedding_length"), whole("feed_forward_length"),
            whole("attention.head_count"), whole("attention.head_count_kv"), len(self._texts("tokenizer.ggml.tokens")),
            self._number("llama.rope.freq_base"), self._number("llama.attention.layer_norm_rms_epsilon"),
        )  # fmt: skip
        self._check(found)
        return found

    def _check(self, s: Shape) -> None:
        """A network is as large as its shape says: that has to be the size of the weights that are there."""
        there = {tensor.name: tensor.shape for tensor in self._file.tensors}
        wanted = {
            "token_embd.weight": (s.words, s.width),
            f"blk.{s.layers - 1}.attn_q.weight": (s.width, s.width),
            f"blk.{s.layers - 1}.attn_k.weight": (s.kv_heads * s.head, s.width),
            f"blk.{s.layers - 1}.ffn_up.weight": (s.inner, s.width),
        }
        odd = [name for name, shape in wanted.items() if there.get(name) != shape]
        if odd or s.width % s.heads or s.heads % s.kv_heads:
            what = f"`{odd[0]}` is missing, or not as large as it says" if odd else "its heads do not share its width"
            raise CoterieError(f"'{self._file.path}' is no model that can be trained: {what}.")

    def weights(self) -> dict[str, np.ndarray]:
        """name -> array, (out, in) where there are two dimensions."""
        return {tensor.name: self._file.array(tensor) for tensor in self._file.tensors}

    def words(self) -> tuple[list[str], list[str]]:
        """Tokens in their order, and merges."""
        return self._texts("tokenizer.ggml.tokens"), self._texts("tokenizer.ggml.merges")


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


class Missing(CoterieError, ImportError):
    """A module that could not be imported, in a sentence."""


def needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Missing(f"Training needs the package {module.partition('.')[0]}: pip install 'coterie[learn]'.") from None
