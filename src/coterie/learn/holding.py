"""Replies that are held to a grammar while they grow, as the engine on a processor does it.

The likeliest word is nearly always allowed, so it is tried first; only where it is not, all words that are allowed are
looked up and the likeliest of those is taken. What comes out is the same, and it costs a hundredth.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from coterie.core.protocol import Ask
from coterie.learn.weights import Tokens, needed
from coterie.models.choices import grammar_of, read_choices

KEPT = 4_096  # grammars: robots ask with the same one again and again


class Holding:
    """Makes what holds a reply, for the words of one model."""

    def __init__(self, tokens: Tokens):
        self._library = needed("llguidance")
        self._converted = needed("llguidance.gbnf_to_lark").gbnf_to_lark
        self.size = tokens.codec.get_vocab_size()
        self._words = self._library.LLTokenizer(tokens.codec.to_str(), self.size, tokens.end)
        self._made: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._many = self._library.LLExecutor()  # looks up the words of several replies side by side

    def of(self, ask: Ask) -> Any:
        """The matcher that constrains the reply to this request; None where anything may be said."""
        held = read_choices(ask.choices)
        if held.kind == "schema":
            return self._copy(self._library.LLMatcher.grammar_from_json_schema, held.value)
        if held.kind == "free":
            return None
        text = grammar_of(held.value) if held.kind == "strings" else held.value
        return self._copy(lambda gbnf: self._library.LLMatcher.grammar_from_lark(self._converted(gbnf)), text)

    def _copy(self, made_from: Any, value: Any) -> Any:
        key = value if isinstance(value, str) else repr(value)
        with self._lock:
            found = self._made.get(key)
        if found is None:
            found = self._library.LLMatcher(self._words, made_from(value))
            if found.is_error():
                raise ValueError(f"A grammar cannot be read: {found.get_error()}")
        with self._lock:
            self._made[key] = found
            self._made.move_to_end(key)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
            return found.deep_copy()

    def allowed(self, matchers: list[Any]) -> np.ndarray:
        """(rows, words): which may come next."""
        raw = np.zeros((len(matchers), -(-self.size // 32)), dtype=np.int32)
        self._many.unsafe_compute_mask_ptr(
            [(m, n) for n, m in enumerate(matchers)], raw.ctypes.data, raw[0].nbytes, len(raw)
        )
        return np.unpackbits(raw.view(np.uint8), axis=1, bitorder="little")[:, : self.size].astype(bool)
