"""How much is taken from outside: plain files of a size, texts that can be names, data that is not nested without end.

The bounds are generous; they are there so that whoever meets one reads a sentence instead of waiting for the memory to
run out. What others wrote is never trusted to be small.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from coterie.core.errors import CoterieError
from coterie.core.visible import visible

MOST_TEXT = 400  # of a message or a plan that are kept

MB = 1_000_000
MOST_TOML = 1 * MB  # a scene, a task, a card
MOST_PARTS = 8  # of a key with dots in it: parsers keep every beginning of one
MOST_LINES = 500 * MB  # a log, a recording: read whole
MOST_LINE = 16 * MB  # a row of results, a sample: read one at a time
MOST_BESIDE = 100 * MB  # what stands beside a log or a file of samples
MOST_DEEP = 64  # tables in tables
MOST_INT = 2**63  # what other programs can hold; Python does not even write numbers of 4,301 digits
MOST_NAME = 4096  # characters of a path
MOST_DEADLINE_S = 7 * 86400.0  # that anybody waits for one answer
MOST_WORD = 60  # of the name of a thing, a place or a robot; replies with longer ones are not read


#: How files are opened: without waiting for whoever would write to a pipe. Not all systems know all of these.
_PLAIN = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"))


def open_plain(path: Path, what: str) -> io.BufferedReader:
    """A plain file to be read; a pipe, a socket, a device or a folder is a sentence, and none of them is waited for."""
    try:
        opened = os.open(path, _PLAIN)
    except FileNotFoundError:
        raise CoterieError(f"There is no {what} '{path}'.") from None
    except OSError as err:
        raise CoterieError(f"Cannot read the {what} '{path}': {err.strerror or err}.") from None
    except ValueError as err:  # a name that no file can have
        raise CoterieError(f"Cannot read the {what} '{path}': {err}.") from None
    mode = os.fstat(opened).st_mode
    if not stat.S_ISREG(mode):
        os.close(opened)
        kind = "Is a directory" if stat.S_ISDIR(mode) else "it is a pipe or a device, and only plain files are read"
        raise CoterieError(f"Cannot read the {what} '{path}': {kind}.")
    return io.BufferedReader(io.FileIO(opened, "rb"))


def read_bounded(path: Path, what: str, most: int = MOST_LINES) -> bytes:
    """A file as bytes, or a sentence about it."""
    with open_plain(path, what) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise CoterieError(f"The {what} '{path}' is larger than {most / MB:g} MB; that is more than is read.")
        try:
            return file.read(size)
        except OSError as err:
            raise CoterieError(f"Cannot read the {what} '{path}': {err.strerror or err}.") from None


def read_lines(path: Path, what: str, most: int = MOST_LINE) -> Iterator[bytes]:
    """The lines of a file, one at a time, for files of any length; the last one may lack its end."""
    with open_plain(path, what) as file:
        yield from bounded_lines(file, f"{what} '{path}'", most)


def bounded_lines(file: IO[bytes], what: str, most: int = MOST_LINE) -> Iterator[bytes]:
    """The same of a file that is open."""
    try:
        while line := file.readline(most + 1):
            if len(line) > most:
                raise CoterieError(f"The {what} has a line of more than {most / MB:g} MB; that is more than is read.")
            yield line
    except OSError as err:
        raise CoterieError(f"Cannot read the {what}: {err.strerror or err}.") from None


def read_json(path: Path, what: str, most: int = MOST_BESIDE) -> Any:
    """A file of JSON, or a sentence about it."""
    try:
        return load_json(read_bounded(path, what, most).decode("utf-8"))
    except ValueError as err:
        raise CoterieError(f"The {what} '{path}' is no JSON: {err}.") from None


def is_name(text: str) -> bool:
    """Whether a text could name a file: short enough, with no 0 in it, in letters the system has."""
    try:
        return len(text) <= MOST_NAME and "\0" not in text and bool(os.fsencode(text) or True)
    except UnicodeEncodeError:
        return False


def is_word(name: str) -> bool:
    """Whether a text can be the name of a thing, a place or a robot: letters, digits and _, all of them to be seen."""
    return name.isidentifier() and len(name) <= MOST_WORD and visible(name) == name


def can_take_part(name: str) -> bool:
    """Whether a text can be the name of a robot or a person: a word that addresses nobody else."""
    return is_word(name) and name not in ("all", "floor", "memo")


def odd_value(data: Any) -> str:
    """Describe what is wrong with data that was read, and where; empty if it is usable."""
    level: list[tuple[str, Any]] = [("", data)]
    for _ in range(MOST_DEEP):
        for where, value in level:
            found = _odd(value)
            if found:
                return f"{where.removeprefix('.')}: {found}" if where else found
        level = [item for where, value in level for item in _members(where, value)]
        if not level:
            return ""
    return f"it is nested more than {MOST_DEEP} deep"


def load_json(text: str) -> Any:
    """Parse untrusted JSON; ValueError for invalid text, infinite numbers and too deep nesting."""
    try:
        data = _decode(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if text.count("[") + text.count("{") > MOST_DEEP and _too_deep(data):
        raise ValueError("nested too deep")
    return data


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0.0:  # quicker than asking whether it is finite
        raise ValueError(f"{text[:40]} is not a number to work with")
    return number


def _not_a_number(text: str) -> float:
    raise ValueError(f"{text} is not a number to work with")


_decode = json.JSONDecoder(parse_float=_finite, parse_constant=_not_a_number).decode


def _too_deep(data: Any, most: int = MOST_DEEP) -> bool:
    """Whether lists and tables are nested deeper than anybody's code wants to follow."""
    level = [data]
    for _ in range(most):
        tables = [v.values() for v in level if type(v) is dict]
        inner = [v for v in level if type(v) is list]
        level = [v for values in (*tables, *inner) for v in values if type(v) in _NESTS]
        if not level:
            return False
    return True


_NESTS = frozenset({dict, list})


def _odd(value: Any) -> str:
    if isinstance(value, bool):
        return ""
    if isinstance(value, int) and not -MOST_INT <= value < MOST_INT:
        return "a whole number with too many digits"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a number to work with"
    if isinstance(value, str) and "\0" in value:
        return "a text with the character number 0 in it"
    return ""


def _members(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield f"{where}.{str(key)[:40]}", member
    elif isinstance(value, (list, tuple)):
        for i, member in enumerate(value):
            yield f"{where}[{i}]", member


def brief(value: Any, most: int = 80) -> str:
    """A value as it would be typed, cut to what a sentence has room for."""
    shown = repr(value)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def clean(text: object, most: int = MOST_TEXT) -> str:
    """One line without control characters, quotes that could end a quotation, or overlong runs."""
    flat = str(text)[: 4 * most]
    if not flat.isprintable():
        flat = "".join([c if c.isprintable() else " " for c in flat])
    if "  " in flat:  # what is printable has no other white space
        flat = re.sub(r"\s+", " ", flat)
    flat = flat.strip().replace('"', "'")
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
