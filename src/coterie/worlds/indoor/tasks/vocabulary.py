"""Names and masses of things, by split (`vocabulary.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_READ = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Word(NamedTuple):
    kind: str
    mass_kg: float


def _words(rows: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[Word, ...]]:
    return {split: tuple(Word(*row) for row in words.items()) for split, words in rows.items()}


PACK, SANDWICH, TOYS = _words(_READ["pack"]), _words(_READ["sandwich"]), _words(_READ["toys"])["all"]
CADDIES = _words(_READ["caddies"])
SHAPES, COLOURS, PEOPLE = (
    {split: tuple(names) for split, names in _READ[key].items()} for key in ("shapes", "colours", "people")
)
