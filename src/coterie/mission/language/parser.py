"""Earley parsing of short sentences with a large grammar, in a few milliseconds.

Lark writes brackets with alternatives out as products; `hoisted` gives each a rule of its own instead, whose name
begins with `_`, so that trees show none of them. Rules with words that are not in the sentence are left out before the
parser predicts, which is where its time goes; what is found is the same.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import importlib
import os
import pickle
import re
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.files import cache_dir, draft

_RULE = re.compile(r"\s*\||[a-z_?]\w*\s*:")
_BRACKET = re.compile(r'"[^"]*"|/(?:[^/\\]|\\.)*/|\(((?:"[^"]*"|/(?:[^/\\]|\\.)*/|[^()"/])*)\)')  # one with none in it


def hoisted(grammar: str) -> str:
    """The same grammar without brackets."""
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        """The name of the rule that stands for a bracket."""
        inside = found[1]
        return found[0] if inside is None else names.setdefault(" ".join(inside.split()), f"_b{len(names)}")

    out = []
    for line in grammar.splitlines():
        before = "" if _RULE.match(line) else line
        while before != line:  # the innermost first
            before, line = line, _BRACKET.sub(named, line)
        out.append(line)
    return "\n".join([*out, *(f"{name}: {inside}" for inside, name in names.items())]) + "\n"


def parser_of(grammar: str) -> Any:
    """The parser that lark makes of a grammar. That takes a second, so it is kept in the user's cache."""
    import lark

    if lark.__version__ < "1":
        raise CoterieError(
            "In the place of lark there is lark-parser, which rclpy brings and does not need; put lark back with: "
            "pip install --force-reinstall --no-deps 'lark>=1.2'"
        )
    key = f"{lark.__version__} {sys.version} {grammar}"
    path = cache_dir() / "grammars" / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.pickle"
    with contextlib.suppress(Exception), path.open("rb") as file:  # nothing is kept, or half of it
        if os.fstat(file.fileno()).st_uid == os.geteuid():  # what others wrote is not run
            return pickle.load(file)
    made = lark.Lark(grammar, parser="earley", lexer="basic", ambiguity="resolve").parser
    with contextlib.suppress(OSError, pickle.PicklingError, AttributeError, TypeError, RecursionError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with draft(path) as part, part.open("wb") as file:
            _Pickler(file).dump(made)
    return made


class _Pickler(pickle.Pickler):
    """Parsers hold the module of their regular expressions."""

    def reducer_override(self, value: Any) -> Any:
        return (importlib.import_module, (value.__name__,)) if isinstance(value, ModuleType) else NotImplemented


class QuickParser:
    """Around an Earley parser of lark with a basic lexer; anything else is parsed as it is."""

    def __init__(self, parser: Any):
        self.parser = parser
        earley = getattr(parser, "parser", None)
        known = hasattr(earley, "predictions") and hasattr(parser, "_make_lexer_thread")  # other versions may differ
        self._earley = earley if known else None
        if self._earley is not None:
            rules = list(dict.fromkeys(r for found in self._earley.predictions.values() for r in found))
            terms = [frozenset(s.name for s in r.expansion if s.is_term) for r in rules]
            self._rows = list(zip(rules, terms, (frozenset(s for s in r.expansion if not s.is_term) for r in rules)))

    def parse(self, text: str) -> Any:
        if self._earley is None:
            return self.parser.parse(text)
        words = {token.type for token in self.parser._make_lexer_thread(text).lex(None)}
        earley = copy.copy(self._earley)
        earley.predictions = _Predictions(self._earley.predictions, self._alive(words))
        frontend = copy.copy(self.parser)
        frontend.parser = earley
        return frontend.parse(text)

    def _alive(self, words: Iterable[str]) -> set[Any]:
        """Rules that can be gone through with these words, however often and in whatever order."""
        present, made, waiting = frozenset(words), set[Any](), list[Any]()
        alive, left = set[Any](), [(rule, parts) for rule, terms, parts in self._rows if terms <= present]
        while len(left) != len(waiting):
            waiting, left = left, []
            for rule, parts in waiting:
                if parts <= made:
                    alive.add(rule)
                    made.add(rule.origin)
                else:
                    left.append((rule, parts))
        return alive


class _Predictions(dict[Any, Any]):
    """Those of a parser, without the rules that are out of the question; each part is looked through when it is met."""

    def __init__(self, whole: Any, alive: set[Any]):
        super().__init__()
        self._whole, self._alive = whole, alive

    def __missing__(self, origin: Any) -> Any:
        found = self[origin] = [rule for rule in self._whole[origin] if rule in self._alive]
        return found
