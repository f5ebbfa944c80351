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
            number = int(text) if len(text) <= 30 else None  # Python does not read more than 4,300 digits
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            shown = text if len(text) <= 30 else f"{text[:29]}…"
            bounds = f" from {low:,} to {high:,}" if high < MOST else f" from {low:,} on" if low > -MOST else ""
            raise argparse.ArgumentTypeError(f"{shown} is not {what}{bounds}")
        return number

    return read


def seconds(text: str) -> float:
    """The type of an option that takes a time in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= MOST_DEADLINE_S:
        shown = text if len(text) <= 30 else f"{text[:29]}…"
        raise argparse.ArgumentTypeError(f"{shown} is not a number of seconds above zero, up to {MOST_DEADLINE_S:,.0f}")
    return number


def share(text: str) -> float:
    """The type of an option that takes a part of a whole."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        shown = text if len(text) <= 30 else f"{text[:29]}…"
        raise argparse.ArgumentTypeError(f"{shown} is not a share from 0 to 1")
    return number


def above_zero(what: str, or_zero: bool = False) -> Callable[[str], float]:
    """The type of an option that takes a number above zero, such as a rate, or also zero."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not (0 < number < math.inf or (or_zero and number == 0)):
            shown = text if len(text) <= 30 else f"{text[:29]}…"
            raise argparse.ArgumentTypeError(f"{shown} is not {what} {'from zero on' if or_zero else 'above zero'}")
        return number

    return read
