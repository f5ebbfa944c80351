"""Constraints on a reply: a list of strings, a GBNF grammar, or a JSON schema."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from coterie.core.errors import CoterieError


class Held(NamedTuple):
    kind: Literal["free", "strings", "gbnf", "schema"]
    value: Any = None  # a tuple of strings, the text of a grammar, or a schema
    schema: Any = None  # what a server may be given that knows no grammars


FREE = Held("free")


def read_choices(choices: Any) -> Held:
    """`Ask.choices` in one shape."""
    if choices is None:
        return FREE
    if isinstance(choices, Mapping):
        schema = choices.get("schema")
        if isinstance(choices.get("gbnf"), str) and len(choices) == 1 + isinstance(schema, Mapping):
            return Held("gbnf", choices["gbnf"], schema)
        if isinstance(choices.get("schema"), Mapping) and len(choices) == 1:
            return Held("schema", choices["schema"])
    elif isinstance(choices, Sequence) and not isinstance(choices, str):
        strings = tuple(choices)
        if strings and all(isinstance(s, str) for s in strings):
            return Held("strings", strings)
    raise CoterieError(
        "The choices of a request must be strings, {'gbnf': grammar}, {'schema': JSON schema} or both of these, not "
        f"{str(choices)[:80]!r}."
    )


def grammar_of(strings: Sequence[str]) -> str:
    """A GBNF grammar that allows exactly these strings."""
    return "root ::= " + " | ".join(f'"{_escape(s)}"' for s in dict.fromkeys(strings))


def _escape(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\x{ord(m[0]):02x}", text)


def wrapped_schema(strings: Sequence[str]) -> dict[str, Any]:
    """An object with one of these strings: endpoints that hold replies to a schema want an object."""
    return {
        "type": "object",
        "properties": {"choice": {"type": "string", "enum": list(dict.fromkeys(strings))}},
        "required": ["choice"],
        "additionalProperties": False,
    }


def unwrapped(text: str) -> str:
    """The string in an object of `wrapped_schema`; any other text as it is."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    found = data.get("choice") if isinstance(data, dict) else None
    return found if isinstance(found, str) else text


def snap(text: str, strings: Sequence[str]) -> str | None:
    """The one of these strings that a free reply means, if that is clear."""
    for candidate in (text, text.strip(), text.strip().strip("\"'`*.").strip()):
        if candidate in strings:
            return candidate
        same = [s for s in strings if s.lower() == candidate.lower()]
        if len(same) == 1:
            return same[0]
    named = [s for s in strings if s and re.search(rf"(?<!\w){re.escape(s)}(?!\w)", text, re.IGNORECASE)]
    longest = [s for s in named if not any(s != other and s.lower() in other.lower() for other in named)]
    return longest[0] if len(longest) == 1 else None
