"""A completion that comes in pieces, as one: server-sent events put together, and when the first word came."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

KIND = "text/event-stream"
_PARTS = ("content", "refusal")


def events(raw: bytes) -> list[Any]:
    """The JSON of every `data:` line but the last, which says that it is over. ValueError for what is none."""
    found = []
    for line in raw.decode("utf-8", "replace").splitlines():
        kind, _, said = line.partition(":")
        if kind == "data" and said.strip() not in ("", "[DONE]"):
            found.append(json.loads(said, parse_int=lambda digits: int(digits[:19])))
    return found


def whole(raw: bytes) -> dict[str, Any]:
    """The chat completion that its pieces make. An error on the way is an error; a stream that broke off is told by the
    reason that is missing. ValueError where nothing of it is a completion."""
    data: dict[str, Any] = {}
    words = {part: "" for part in _PARTS}
    call = {"name": "", "arguments": ""}  # of a tool; the first counts
    reason: Any = None
    seen = False
    for event in events(raw):
        if not isinstance(event, dict):
            raise ValueError("not an object")
        if event.get("error"):
            return {"error": event["error"], **({"model": data["model"]} if "model" in data else {})}
        data |= {k: event[k] for k in ("id", "model", "usage", "timings", "system_fingerprint") if event.get(k)}
        for choice in event.get("choices") or ():
            if not isinstance(choice, dict) or choice.get("index", 0) != 0:
                continue
            seen = True
            delta: Any = choice.get("delta") if isinstance(choice.get("delta"), dict) else {}
            for part in _PARTS:
                words[part] += delta[part] if isinstance(delta.get(part), str) else ""
            for piece in delta["tool_calls"] if isinstance(delta.get("tool_calls"), list) else ():
                function = piece.get("function") if isinstance(piece, dict) and piece.get("index", 0) == 0 else None
                if isinstance(function, dict):
                    for part in call:
                        call[part] += function[part] if isinstance(function.get(part), str) else ""
            reason = choice.get("finish_reason") or reason
    if not seen:
        raise ValueError("no completion")
    message: dict[str, Any] = {part: said for part, said in words.items() if said or part == "content"}
    message = {"role": "assistant", **message, **({"tool_calls": [{"function": call}]} if call["name"] else {})}
    return {**data, "choices": [{"index": 0, "message": message, "finish_reason": reason}]}


def first_word(pieces: Sequence[tuple[float, bytes]]) -> float | None:
    """When the first piece of text had come, of pieces with the seconds at which each came."""
    raw = b""
    for seconds, piece in pieces:
        raw += piece
        complete = raw[: raw.rfind(b"\n") + 1]
        try:
            found = whole(complete)
        except ValueError:
            continue
        if "error" not in found and found["choices"][0]["message"]["content"]:
            return seconds
    return None
