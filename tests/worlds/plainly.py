"""What is kept of worlds as lines that are short, readable, and the same on every machine."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from coterie.core.facts import UNKNOWN

ROOT = Path(__file__).parents[2]


def plain(value: Any) -> Any:
    """Short, the same on every machine, and readable."""
    if isinstance(value, float):
        return round(value, 2) + 0.0
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(v) for v in value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if value is UNKNOWN:
        return "?"
    if value is None or isinstance(value, (str, int)):
        return value
    if hasattr(value, "to_json"):
        return plain(value.to_json())
    return str(value)


def line(*parts: Any) -> str:
    text = " ".join(p if isinstance(p, str) else json.dumps(plain(p)) for p in parts)
    text = re.sub(r"There are: [^.]*\bUAV\b[^.]*\.", "There are: all bodies.", text)  # a test may have added one
    return text.replace(str(ROOT), "")


def keep(file: Path, tables: dict[str, list[str]]) -> None:
    file.write_bytes(gzip.compress(json.dumps(tables).encode(), 9, mtime=0))


def kept_in(file: Path) -> dict[str, list[str]]:
    return json.loads(gzip.decompress(file.read_bytes()))


def compare(name: str, was: list[str], now: list[str], how: str) -> None:
    for n, (before, after) in enumerate(zip(was, now)):
        assert after == before, f"{name}, line {n}: meant? python -m {how}"
    assert len(now) == len(was)
