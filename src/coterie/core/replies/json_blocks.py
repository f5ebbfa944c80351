"""JSON in what a model says: objects, lists and calls of tools, with the slips undone that models make in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.replies.headings import named
from coterie.core.replies.tool_dialects import yaml

MOST_OPEN = 40  # brackets that nothing closes before it is given up
MOST_BLOCKS = 8  # of JSON in one reply


def blocks(text: str) -> list[Any]:
    """The JSON objects and lists in a text, outermost ones, with what models often do to them undone."""
    whole = _yaml(text)
    if whole is not None:
        return [whole]
    found: list[Any] = []
    at = open_ended = 0
    while len(found) < MOST_BLOCKS and open_ended < MOST_OPEN:
        begin = re.compile(r"[{\[]").search(text, at)
        if begin is None:
            break
        end = _closing(text, begin.start())
        at = begin.end()
        if end is None:
            open_ended += 1
            continue
        value = unwrapped(load_loosely(text[begin.start() : end]))
        if isinstance(value, (dict, list)) and value and not _names_only(value):
            found.append(value)
            at = end
    return found


def _yaml(text: str) -> dict[str, Any] | None:
    """A text that is YAML from its first line to its last, with known keys, and with lists of keys in it."""
    if not re.match(r"\s{0,80}[a-z_]{1,40}:", text) or not re.search(
        r"^[ \t]{0,20}- [a-z_]{1,40}:|^[a-z_]{1,40}:[ \t]*\n[ \t]{1,20}[a-z_]{1,40}:", text, re.M
    ):
        return None
    found = yaml(text)
    return found if found is not None and all(named(k) for k in found) else None


def _names_only(value: object) -> bool:
    return isinstance(value, list) and not any(isinstance(v, (dict, list)) for v in value)


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
        elif c == '"' or (c == "'" and re.match(r"[\s{\[,:(]", text[i - 1 : i])):
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
    for text in _readings(block):
        try:
            return load_json(text)
        except (ValueError, TypeError):
            continue
    return None


def _readings(block: str) -> Iterator[str]:
    """A block as it stands, and with the slips mended that models make."""
    yield block
    mended = _uncommented(block) if "//" in block or "/*" in block or "#" in block else block
    mended = re.sub(r",(\s*[}\]])", r"\1", mended)
    yield mended
    if '"' not in mended:
        yield mended.replace("'", '"')
    words = {"True": "true", "False": "false", "None": "null"}
    mended = re.sub(r"(?<=[:\[,\s])(True|False|None)(?=\s*[,}\]])", lambda m: words[m.group(1)], mended)
    yield re.sub(r"'([^'\"\n]*)'(?=\s*[:,}\]])", r'"\1"', mended)
    yield re.sub(r"(?<=[{,])\s*([A-Za-z_]\w*)\s*:", r'"\1":', mended)


def _uncommented(block: str) -> str:
    """JSON without comments; what looks like one within quotes stays."""
    parts = re.split(r'("(?:[^"\\\n]|\\.)*")', block)
    bare = [
        re.sub(r"//[^\n]*|/\*.*?\*/|(?<=\s)#[^\n]*", "", x, flags=re.S) if i % 2 == 0 else x
        for i, x in enumerate(parts)
    ]
    return "".join(bare)


def flat(value: object) -> str:
    """A value of JSON as a line of words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{k}: {flat(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "; ".join(flat(v) for v in value)
    return "" if value is None else str(value)


def tool_calls(text: str) -> list[tuple[str, Any]]:
    """Calls of tools or of functions: a name, and its arguments as they were given."""
    found: list[tuple[str, Any]] = []
    for block in blocks(text):
        found += _calls(block)
    return found


def _calls(item: Any, deep: int = 0) -> list[tuple[str, Any]]:
    """The calls in a value: itself, those of a list in their order, or those that makers of models wrap."""
    if isinstance(item, list):
        return [c for i in item for c in _calls(i, deep + 1)] if deep < MOST_DEEP else []
    call = _tool(item)
    if call is not None:
        return [call]
    if not isinstance(item, Mapping) or deep >= MOST_DEEP:
        return []
    inner = [v for k, v in item.items() if isinstance(v, (Mapping, list)) and (_wraps(k) or named(k) == "action")]
    return _calls(inner[0], deep + 1) if len(inner) == 1 else []


MOST_DEEP = 5
_WRAPPERS = frozenset(
    [
        "response",
        "output",
        "result",
        "reply",
        "message",
        "messages",
        "parts",
        "part",
        "candidates",
        "choices",
        "content",
        "assistant",
        "data",
        "answer",
        "functioncall",
        "functioncalls",
        "toolcall",
        "toolcalls",
        "tooluse",
        "function",
        "call",
        "calls",
        "robot",
        "steps",
        "sequence",
        "json",
        "final",
    ]
)


def _wraps(key: object) -> bool:
    return re.sub(r"[\W_]", "", str(key)).lower() in _WRAPPERS


def unwrapped(block: Any, deep: int = 0) -> Any:
    """Return the content of a reply in JSON without its wrapper: `{"response": {"action": ...}}`."""
    if isinstance(block, Mapping) and deep < MOST_DEEP:
        inner = [v for k, v in block.items() if _wraps(k) and isinstance(v, (Mapping, list))]
        if len(inner) == 1 and (len(block) == 1 or not any(named(k) for k in block)):
            return unwrapped(inner[0], deep + 1)
    return block


_CALLED = (
    "name",
    "action",
    "skill",
    "function",
    "tool",
    "tool_name",
    "action_name",
    "action_type",
    "skill_name",
    "command",
    "subskill",
    "sub_skill",
    "type",
)
_NO_ARGUMENT = ("thought", "other", "answer", "plan", "summary", "speech")
GIVEN = ("arguments", "args", "parameters", "params", "input", "action_input", "kwargs", "inputs")


def _tool(item: Any) -> tuple[str, Any] | None:
    if not isinstance(item, Mapping):
        return None
    low = {str(k).lower(): v for k, v in item.items()}
    for key in (
        "function_call",
        "tool_call",
        "function",
        "action",
        "call",
        "next_action",
        "final_action",
        "functioncall",
        "tool_use",
        "tool_calls",
    ):
        inner = low.get(key)
        if isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        if isinstance(inner, Mapping):
            return _tool(inner)
    name = next((low[k] for k in _CALLED if isinstance(low.get(k), str)), None)
    if name is None:
        if len(low) == 1:  # {"pick": {"object": "apple_0"}}
            ((only, args),) = item.items()
            if isinstance(args, (Mapping, list)) and re.fullmatch(r"[A-Za-z_]\w{0,40}", str(only)) and not named(only):
                return str(only), args
        return None
    if not re.fullmatch(r"[A-Za-z_]\w{0,40}", name.strip()):
        return None
    given = next((low[k] for k in GIVEN if k in low), None)
    if given is None:
        used = {k for k in low if k in _CALLED or named(k) in _NO_ARGUMENT}
        given = {k: v for k, v in item.items() if str(k).lower() not in used}
    if isinstance(given, str):
        read = load_loosely(given.strip()) if given.strip()[:1] in ("{", "[") else None
        given = read if isinstance(read, (dict, list)) else [given] if given.strip() else []
    return name.strip(), given
