"""Replies that are held to a grammar while they grow, as the engine on a processor does it.

The likeliest word is nearly always allowed, so it is tried first; only where it is not, all words that are allowed are
looked up and the likeliest of those is taken. What comes out is the same, and it costs a hundredth.
"""

from __future__ import annotations

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
        words = _Words(tokens)
        self.size = len(words.tokens)
        self._words = self._library.LLTokenizer(self._library.TokenizerWrapper(words))
        self._made: OrderedDict[str, Any] = OrderedDict()

    def of(self, ask: Ask) -> Any:
        """The matcher that constrains the reply to this request; None where anything may be said."""
        held = read_choices(ask.choices)
        if held.kind == "schema":
            return self._copy(self._library.LLMatcher.grammar_from_json_schema, held.value)
        if held.kind == "free":
            return None
        return self._copy(self._from_gbnf, grammar_of(held.value) if held.kind == "strings" else held.value)

    def _from_gbnf(self, text: str) -> Any:
        return self._library.LLMatcher.grammar_from_lark(self._converted(text))

    def _copy(self, made_from: Any, value: Any) -> Any:
        key = value if isinstance(value, str) else repr(value)
        if key not in self._made:
            found = self._library.LLMatcher(self._words, made_from(value))
            if found.is_error():
                raise ValueError(f"A grammar cannot be read: {found.get_error()}")
            self._made[key] = found
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key].deep_copy()

    def allowed(self, matchers: list[Any]) -> np.ndarray:
        """(rows, words): which may come next."""
        raw = np.stack([np.frombuffer(m.compute_bitmask(), dtype=np.uint8) for m in matchers])
        return np.unpackbits(raw, axis=1, bitorder="little")[:, : self.size].astype(bool)


class _Words:
    """The vocabulary as bytes."""

    bos_token_id = None

    def __init__(self, tokens: Tokens):
        byte = {char: number for number, char in _letters().items()}
        size = tokens.codec.get_vocab_size()
        names = [tokens.codec.id_to_token(n) for n in range(size)]
        self.special_token_ids = [n for n, name in enumerate(names) if name.startswith("<|") and name.endswith("|>")]
        special = set(self.special_token_ids)
        self.tokens = [name.encode() if n in special else bytes(byte[c] for c in name) for n, name in enumerate(names)]
        self.eos_token_id = tokens.end
        self._many = tokens.many

    def __call__(self, text: bytes | str) -> list[int]:
        return self._many([text.decode("utf-8", "replace") if isinstance(text, bytes) else text])[0]


def _letters() -> dict[int, str]:
    """byte -> the character that stands for it in vocabularies of this kind: itself where it can be seen, another one
    from 256 on where not."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    unseen = [n for n in range(256) if n not in seen]
    return {n: chr(n) for n in seen} | {n: chr(256 + i) for i, n in enumerate(unseen)}
