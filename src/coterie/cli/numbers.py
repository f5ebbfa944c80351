"""Numbers on a command line, with bounds: what cannot be meant is refused with a sentence before anything is begun."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from coterie.core.bounds import MOST_DEADLINE_S

MOST = 2**63 - 1  # what logs and databases can hold


def whole(what: str, low: int = -MOST, high: int = MOST) -> Callable[[str], int]:
    """The type of an option that takes a whole number."""

    def read(text: str) -> int:
        try:
            found = int(text) if len(text) <= 30 else None  # Python does not read more than 4,300 digits
        except ValueError:
            found = None
        if found is None or not low <= found <= high:
            bounds = f" from {low:,} to {high:,}" if high < MOST else f" from {low:,} on" if low > -MOST else ""
            raise argparse.ArgumentTypeError(f"{_shown(text)} is not {what}{bounds}")
        return found

    return read


def number(text: str, allowed: Callable[[float], bool], what: str) -> float:
    """Return the number of a text if it is allowed; `what` says which are."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not allowed(found):
        raise argparse.ArgumentTypeError(f"{_shown(text)} is not {what}")
    return found


def _shown(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"


def seconds(text: str) -> float:
    """The type of an option that takes a time in seconds."""
    most = f"a number of seconds above zero, up to {MOST_DEADLINE_S:,.0f}"
    return number(text, lambda n: 0 < n <= MOST_DEADLINE_S, most)


def share(text: str) -> float:
    """The type of an option that takes a part of a whole."""
    return number(text, lambda n: 0 <= n <= 1, "a share from 0 to 1")


def temperature(text: str) -> float:
    """The type of the option for how freely a model chooses words."""
    return number(text, lambda n: 0 <= n <= 2, "a temperature: it lies between 0 and 2")


def above_zero(what: str, or_zero: bool = False) -> Callable[[str], float]:
    """The type of an option that takes a number above zero, such as a rate, or also zero."""
    where = "from zero on" if or_zero else "above zero"
    return lambda text: number(text, lambda n: 0 < n < math.inf or (or_zero and n == 0), f"{what} {where}")
