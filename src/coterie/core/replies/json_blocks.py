"""JSON in what a model says: objects, lists and calls of tools, with a few slips undone that models make in them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.replies.headings import named

MOST_OPEN = 40  # brackets that nothing closes before it is given up
MOST_BLOCKS = 8  # of JSON in one reply
MOST_DEEP = 4
_BEGIN = re.compile(r"[{\[]")
_WORD = re.compile(r"[A-Za-z_]\w{0,40}", re.ASCII)
_CALLED = ("name", "action", "skill", "function", "tool", "subskill")
_WRAPPERS = ("function", "tool_calls", "tool_call", "function_call", "call")
_GIVEN = ("arguments", "args", "parameters", "params", "input", "action_input")


def blocks(text: str) -> list[Any]:
    """The JSON objects and lists in a text, outermost ones; lists of plain values are none."""
    found: list[Any] = []
    at = open_ended = 0
    while len(found) < MOST_BLOCKS and open_ended < MOST_OPEN and (begin := _BEGIN.search(text, at)) is not None:
        end = _closing(text, begin.start())
        at = begin.end()
        if end is None:
            open_ended += 1
            continue
        value = load_loosely(text[begin.start() : end])
        nested = isinstance(value, dict) or (
            isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value)
        )
        if value and nested:
            found.append(value)
            at = end
    return found


def _closing(text: str, begin: int) -> int | None:
    """Where the bracket at `begin` is closed, minding quotes."""
    depth, quote = 0, ""
    i = begin
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = ""
        elif c == '"' or (c == "'" and text[i - 1 : i] in (*" {[,:(\n",)):
            quote = c
        elif c in "{[":
            depth += 1
        elif c in "}]":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return None


def load_loosely(block: str) -> Any:
    """The value of JSON, also with commas before a bracket or written as Python would; None where it is neither."""
    for text in (block, re.sub(r",(\s*[}\]])", r"\1", block)):
        try:
            return load_json(text)
        except (ValueError, TypeError):
            continue
    try:
        return load_json(json.dumps(ast.literal_eval(block)))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def flat(value: object) -> str:
    """A value of JSON as a line of words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{k}: {flat(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "; ".join(flat(v) for v in value)
    return "" if value is None else str(value)


def tool_calls(text: str) -> list[tuple[str, Any]]:
    """Calls of tools or of functions: a name, and its arguments as they were given."""
    return [call for block in blocks(text) for call in _calls(block)]


def _calls(item: Any, deep: int = 0) -> list[tuple[str, Any]]:
    """The calls in a value: itself, those of a list in their order, or those that servers wrap (`tool_calls`)."""
    if deep > MOST_DEEP:
        return []
    if isinstance(item, list):
        return [c for i in item for c in _calls(i, deep + 1)]
    if not isinstance(item, Mapping):
        return []
    call = _call(item)
    if call is not None:
        return [call]
    inner = [v for k, v in item.items() if isinstance(v, (Mapping, list)) and _holds_calls(k)]
    return _calls(inner[0], deep + 1) if len(inner) == 1 else []


def _holds_calls(key: object) -> bool:
    return str(key).lower() in _WRAPPERS or named(key) == "action"


def _call(item: Mapping[Any, Any]) -> tuple[str, Any] | None:
    low = {str(k).lower(): v for k, v in item.items()}
    name = next((low[k] for k in _CALLED if isinstance(low.get(k), str)), None)
    if name is None:
        ((only, args),) = item.items() if len(item) == 1 else ((None, None),)  # {"pick": {"object": "apple_0"}}
        inside = isinstance(args, (Mapping, list)) and _WORD.fullmatch(str(only))
        return (str(only), args) if inside and not named(only) and not _holds_calls(only) else None
    if not _WORD.fullmatch(name.strip()):
        return None
    given = next((low[k] for k in _GIVEN if k in low), None)
    if given is None:
        given = {k: v for k, v in low.items() if k not in _CALLED and named(k) not in ("thought", "other")}
    if isinstance(given, str):
        read = load_loosely(given) if given.strip()[:1] in ("{", "[") else None
        given = read if isinstance(read, (dict, list)) else [given] if given.strip() else []
    return name.strip(), given
