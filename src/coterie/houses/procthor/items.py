"""Reading JSON of others item by item, so that every complaint names the item."""

from __future__ import annotations

import math
import re
from typing import Any

from coterie.core.bounds import brief
from coterie.core.errors import CoterieError
from coterie.houses.model import Point

FARTHEST_M = 10_000.0  # from the origin, or as an extent


class Item:
    """A table of the file, and where it stands there."""

    __slots__ = ("data", "where")

    def __init__(self, where: str, data: Any):
        self.where = where
        if not isinstance(data, dict):
            raise CoterieError(f"{where} should be a JSON object, not {brief(data)}.")
        self.data: dict[str, Any] = data

    @property
    def words(self) -> str:
        """For a sentence: its id where it has one."""
        name = self.data.get("id")
        return f"{self.where} ({brief(name)})" if isinstance(name, str) and name else self.where

    def fail(self, words: str) -> CoterieError:
        return CoterieError(f"{self.words} {words}.")

    def part(self, key: str) -> Item:
        """A table in it; an empty one where there is none."""
        return Item(f"{self.where}.{key}", self.data.get(key) or {})

    def text(self, key: str) -> str:
        found = self.data.get(key, "")
        if not isinstance(found, str):
            raise self.fail(f"has `{key}` {brief(found)}; that should be a text")
        return found

    def number(self, key: str, default: float | None = None) -> float:
        found = self.data.get(key, default)
        number = isinstance(found, (float, int)) and not isinstance(found, bool)
        if found is not None and number and abs(found) <= FARTHEST_M:  # false for what is not a number, too
            return float(found)
        raise self.fail(f"has `{key}` {brief(found)}; that should be a number up to {FARTHEST_M:g}")

    def point(self) -> Point:
        """Where it is on the floor: their x and z."""
        return self.number("x"), self.number("z")


def items(top: Item, key: str, most: int) -> list[Item]:
    """The members of a list of tables at the top of the file, which may be missing."""
    return _members(top, key, most, key)


def listed(item: Item, key: str, most: int) -> list[Item]:
    return _members(item, key, most, f"{item.words}.{key}")


def _members(item: Item, key: str, most: int, where: str) -> list[Item]:
    found = item.data.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise item.fail(f"has `{key}` {brief(found)}; that should be a list")
    if len(found) > most:
        raise item.fail(f"has {len(found)} members in `{key}`; at most {most} are taken")
    return [Item(f"{where}[{i}]", member) for i, member in enumerate(found)]


def snake(kind: str) -> str:
    """DiningTable: dining_table, TVStand: tv_stand."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()


def turned(degrees: float) -> float:
    """Their clockwise angles as ours, in [0, 360), without the noise of their physics."""
    return round(-degrees, 2) % 360.0


def spun(size: tuple[float, float, float], x_deg: float, z_deg: float) -> tuple[float, float, float]:
    """The box around something that was tipped over: about their x and their z axis."""
    w, d, h = size
    c, s = abs(math.cos(math.radians(x_deg))), abs(math.sin(math.radians(x_deg)))
    d, h = d * c + h * s, d * s + h * c
    c, s = abs(math.cos(math.radians(z_deg))), abs(math.sin(math.radians(z_deg)))
    return w * c + h * s, d, w * s + h * c
