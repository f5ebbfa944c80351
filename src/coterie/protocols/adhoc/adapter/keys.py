"""Names of keys in messages, compared without case, signs and units: `Payload (kg)`, `max_payload_kg`, `PL`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_name("keys.toml").read_text("utf-8"))


def _meant(words: Mapping[str, list[str]]) -> dict[str, str]:
    """Every word with what it stands for; of two, what comes first."""
    found: dict[str, str] = {}
    for name, many in words.items():
        for word in many:
            found.setdefault(word, name)
    return found


_FIELDS, _THINGS, _SECTIONS = (_meant(_TABLE[name]) for name in ("fields", "things", "sections"))
_UNITS = re.compile(r"[\s_(\[]*\b(?:kg|kgs|g|m|metres?|meters?|cm|kilograms?|in kg|in m|in steps)\b[\s)\]]*$", re.I)


def plain(key: str) -> str:
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key.strip().strip("\"'`*#<>[](){}"))
    text = re.sub(r"[_\-.\s]+", " ", text).strip().lower()
    shorter = _UNITS.sub("", text).strip()
    return re.sub(r"^(?:my|the|our|robot|current|its) (?=\w)", "", shorter or text)


def field_of(key: str) -> str:
    """The field that a key stands for; empty for one that nobody knows."""
    word = re.sub(r"[_\-.\s]+", " ", key).strip().lower()
    return _FIELDS.get(word) or _FIELDS.get(plain(key), "")


def section_of(key: str) -> str | None:
    """`ability`, `state`, or empty for another heading; None for what is no heading."""
    found = _SECTIONS.get(plain(key))
    return "" if found == "other" else found


def thing_key(key: str) -> str:
    return _THINGS.get(plain(key), "")
