"""Forms in which meanings are said and written: texts with slots, of which parts in [brackets] may be left out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

_OPTIONAL = re.compile(r"\[([^\]]*)\]")


@cache
def forms() -> dict[str, dict[str, Any]]:
    """The tables of `forms.toml`."""
    text = resources.files("coterie.talk").joinpath("forms.toml").read_text("utf-8")
    return tomllib.loads(text)


def filled(table: str, key: str, slots: Mapping[str, str], holds: bool = True, usual: str = "") -> str:
    """The first form under a key for which there is something in each slot, or else the last; the one under "KEY not"
    where that does not hold."""
    rows, text = forms()[table], ""
    found = rows.get(key if holds else f"{key} not") or rows.get(key, usual)
    for form in [found] if isinstance(found, str) else found:
        text = _OPTIONAL.sub(lambda part: part[1] if _complete(part[1], slots) else "", form)
        if _complete(text, slots):
            break
    return text.format(**slots)


def _complete(form: str, slots: Mapping[str, str]) -> bool:
    return all(slots.get(slot) for _, slot, _, _ in Formatter().parse(form) if slot)
