"""Reading files that people write: every complaint names the file, the place in it and the fix."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from coterie.core.action import WAIT
from coterie.core.bounds import (
    MOST_DEEP,
    MOST_NAME,
    MOST_PARTS,
    MOST_TOML,
    brief,
    can_take_part,
    is_word,
    odd_value,
    read_bounded,
)
from coterie.core.card import MOBILITIES, MOST_ABOUT, Card
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.visible import visible


class Toml(dict[str, Any]):
    """The tables of a file, with its text, so that complaints can name the line."""

    text = ""

    def line(self, key: str, index: int) -> str:
        """In which line a table of a list is, in words; empty where that is not to be found."""
        heads = list(re.finditer(rf"^[ \t]*\[\[\s*{re.escape(key)}\s*\]\]", self.text, re.M))
        found = heads[index] if index < len(heads) else re.search(rf"^[ \t]*{re.escape(key)}\s*=", self.text, re.M)
        name = self[key][index].get("name") if isinstance(self[key][index], dict) else None
        if found is not None and not heads and isinstance(name, str):  # tables in braces
            named = re.compile(rf"""name\s*=\s*["']{re.escape(name)}["']""")
            found = named.search(self.text, found.end()) or found
        return "" if found is None else f", line {self.text.count(chr(10), 0, found.start()) + 1}"


def load_toml(path: Path, what: str) -> Toml:
    try:
        text = read_bounded(path, f"{what} file", MOST_TOML).decode("utf-8")
        if costly := costly_toml(text):
            raise CoterieError(f"{path}: {costly}.")
        data = Toml(tomllib.loads(text))
        data.text = text
    except UnicodeDecodeError as err:
        raise CoterieError(f"Cannot read the {what} file '{path}': {err}.") from None
    except tomllib.TOMLDecodeError as err:
        raise CoterieError(f"{path}: not valid TOML: {err}. Every line is `key = value` or a `[[heading]]`.") from None
    except RecursionError:
        raise CoterieError(f"{path}: its tables and lists are nested too deep.") from None
    except ValueError as err:  # a number that Python does not read
        raise CoterieError(f"{path}: not valid TOML: {err}.") from None
    odd = odd_value(data)
    if odd:
        raise CoterieError(f"{path}: {odd}.")
    return data


#: What of TOML is looked at before it is parsed: texts, in which nothing counts, and then what nests or joins keys.
_TOKENS = re.compile(
    r"""
    "{3} (?: [^\\] | \\. )*? (?: "{3,5} | \Z )   # texts of several lines, closed or not
    | '{3} .*? (?: '{3,5} | \Z )
    | " (?: [^"\\\n] | \\. )*+ "?                # texts of one line
    | ' [^'\n]*+ '?
    | \# [^\n]*+                                 # a comment
    | [\[\]{}.,=\n]
    """,
    re.DOTALL | re.VERBOSE,
)


def costly_toml(text: str) -> str:
    """Why a parser should not see this text; empty for what it reads in a time and a memory that go with its length."""
    deep = parts = 0
    for found in _TOKENS.finditer(text):
        token = found[0]
        if token == ".":
            parts += 1
            if parts >= MOST_PARTS:
                return f"a key has more than {MOST_PARTS} parts, joined with dots"
        elif len(token) > 1 or token in "\"'#":  # a text, which may be part of a key, or a comment
            continue
        else:
            parts = 0
            deep += (token in "[{") - (token in "]}")
            if deep > MOST_DEEP:
                return f"it is nested more than {MOST_DEEP} deep"
    return ""


MOST_TABLES = 1000  # of one kind, where a file says nothing else
FARTHEST_M = 1000  # from the origin


class Reader:
    """One table of a TOML file. Getters check type and range; `done` refuses keys that were never read."""

    def __init__(self, data: Mapping[str, Any], place: str, row: tuple[Reader, str, int] | None = None):
        """`row`: the table whose list this one stands in, its key and the number in it."""
        self.data, self.place, self._row = data, place, row
        if not isinstance(data, Mapping):
            raise self.fail(f"expected a table of `key = value` lines, found {brief(data)}.")
        self._asked: set[str] = set()

    def fail(self, message: str) -> CoterieError:
        if self._row is not None and isinstance(text := self._row[0].data, Toml):
            file, key, index = self._row
            return CoterieError(f"{file.place}{text.line(key, index)}{self.place[len(file.place) :]}: {message}")
        return CoterieError(f"{self.place}{self._line(message)}: {message}")

    def _line(self, message: str) -> str:
        """In which line the key stands that a complaint is about; empty where that is not to be found."""
        text = self.data.text if isinstance(self.data, Toml) else ""
        key = re.match(r"`(\w+)`|No key '(\w+)'", message)
        found = key and re.search(rf"^[ \t]*\[{{0,2}}{key[1] or key[2]}\s*[=\]]", text, re.M)
        return f", line {text.count(chr(10), 0, found.start()) + 1}" if found else ""

    def _get(self, key: str, default: Any) -> Any:
        self._asked.add(key)
        if key in self.data:
            return self.data[key]
        if default is _REQUIRED:
            raise self.fail(f"`{key}` is missing; add a line `{key} = ...`.")
        return default

    def text(
        self, key: str, default: Any = None, choices: Sequence[str] = (), required: bool = False, most: int = MOST_NAME
    ) -> Any:
        value = self._get(key, _REQUIRED if required else default)
        if value is not None and not isinstance(value, str):
            raise self.fail(f'`{key}` must be text in quotes, not {brief(value)}. Write {key} = "...".')
        if value is not None and len(value) > most:
            raise self.fail(f"`{key}` has {len(value):,} characters; the most are {most:,}.")
        if choices and value not in choices and value is not None:
            raise self.fail(str(unknown_name(f"`{key}`", value, choices)))
        return value

    def number(
        self,
        key: str,
        default: Any = None,
        low: float | None = None,
        high: float | None = None,
        required: bool = False,
        whole: bool = False,
    ) -> Any:
        value: Any = self._get(key, _REQUIRED if required else default)
        if value is None:
            return None
        good = isinstance(value, int) or (isinstance(value, float) and not whole and math.isfinite(value))
        if isinstance(value, bool) or not good:
            raise self.fail(f"`{key}` must be a {'whole ' if whole else ''}number, not {brief(value)}.")
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"between {low} and {high}" if high is not None else f"at least {low}"
            raise self.fail(f"`{key}` is {value}; it must be {bounds}.")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.fail(f"`{key}` must be true or false, not {brief(value)}.")
        return value

    def numbers(self, key: str, count: int, default: Any = None, required: bool = False) -> Any:
        value = self._get(key, _REQUIRED if required else default)
        if value is None:
            return None
        good = isinstance(value, list) and len(value) == count
        if not good or any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in value):
            raise self.fail(f"`{key}` must be a list of {count} numbers, like {[0.0] * count}; found {brief(value)}.")
        self.near(key, value)
        return tuple(float(v) for v in value)

    def near(self, key: str, values: Iterable[float]) -> None:
        """Complain about coordinates that no house has."""
        far = [v for v in values if not abs(v) < FARTHEST_M]
        if far:
            raise self.fail(f"`{key}` holds {brief(far[0])}; coordinates are less than {FARTHEST_M} m from 0.")

    def texts(self, key: str, default: Any = (), required: bool = False) -> tuple[str, ...]:
        value = self._get(key, _REQUIRED if required else default)
        if not isinstance(value, (list, tuple)) or any(not isinstance(v, str) for v in value):
            raise self.fail(f'`{key}` must be a list of texts, like ["a", "b"]; found {brief(value)}.')
        return tuple(value)

    def known(self, what: str, name: str, among: Collection[str]) -> None:
        """Complain about a name of something that is not there."""
        if name not in among:
            raise self.fail(str(unknown_name(what, name, among)))

    def tables(self, key: str, most: int = MOST_TABLES) -> list[Reader]:
        value = self._get(key, [])
        if not isinstance(value, list):
            raise self.fail(f"`{key}` must be a list of tables; head each with [[{key}]].")
        if len(value) > most:
            raise self.fail(f"there are {len(value)} of [[{key}]]; the most are {most}.")
        return [Reader(v, f"{self.place}: {key} {_label(v, i)}", (self, key, i)) for i, v in enumerate(value)]

    def table(self, key: str) -> Reader:
        value = self._get(key, {})
        if isinstance(value, dict) and isinstance(self.data, Toml):
            value = Toml(value)
            value.text = self.data.text
        return Reader(value, f"{self.place}: {key}", self._row)

    def raw(self, key: str, default: Any = None) -> Any:
        return self._get(key, default)

    def done(self) -> None:
        for key in self.data:
            if key not in self._asked:
                raise self.fail(str(unknown_name("key", key, self._asked)))


_REQUIRED = object()


def _label(value: Any, index: int) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        return f"'{value['name']}'"
    return f"number {index + 1}"


# -- cards ------------------------------------------------------------------------------------------------------------
# Robot cards as files: what every world asks of one.
MOST_KG = 100_000.0  # that a thing weighs or a robot lifts


def read_card(r: Reader, skills: Collection[str]) -> Card:
    """The card in a file, of a world with these skills; complaints name the file, the line's key and the fix."""
    body = r.text("body", required=True)
    if not is_word(body):
        raise r.fail(f"`body` is {brief(body)}; use letters, digits and _ only (teams join bodies with dashes).")
    names = r.texts("skills", required=True)
    for name in names:
        if name not in skills:
            raise r.fail(str(unknown_name("skill", name, skills)))
    card = Card(
        body=body,
        name=r.text("name", default=body),
        mobility=r.text("mobility", choices=MOBILITIES, required=True),
        skills=names,
        about=r.text("about", default=f"a {body} robot"),
        footprint_m=r.number("footprint_m", 0.25, low=0.05, high=1.0),
        height_m=r.number("height_m", 1.0, low=0.05, high=3.0),
        speed_mps=r.number("speed_mps", 0.8, low=0.01, high=20.0),
        reach_m=r.number("reach_m", 0.0, low=0.0, high=3.0),
        reach_low_m=r.number("reach_low_m", 0.0, low=-0.5, high=3.0),
        reach_high_m=r.number("reach_high_m", 1.3, low=0.0, high=4.0),
        shoulder_m=r.number("shoulder_m", 0.8, low=0.0, high=3.0),
        payload_kg=r.number("payload_kg", 0.0, low=0.0, high=MOST_KG),
        camera_high_m=r.number("camera_high_m", 1.7, low=0.0, high=4.0),
        battery_steps=r.number("battery_steps", None, low=1, high=1_000_000, whole=True),
    )
    r.done()
    if len(card.about) > MOST_ABOUT or visible(card.about) != card.about:
        raise r.fail(f"`about` goes into prompts: write one line of at most {MOST_ABOUT} characters.")
    if not can_take_part(card.name):
        raise r.fail(f"`name` is {brief(card.name)}; use letters, digits and _, and not the words all, floor and memo.")
    if WAIT not in card.skills:
        raise r.fail("every robot can `wait`; add it to `skills`.")
    return card
