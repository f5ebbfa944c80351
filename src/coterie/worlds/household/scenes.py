"""Houses by name: generated ones (`rooms:6`, `rooms:6:10003`), and files in ProcTHOR's JSON."""

from __future__ import annotations

import re
from functools import lru_cache

from coterie.core.errors import CoterieError
from coterie.houses.model import House
from coterie.houses.procthor.generate import TEST_FROM, generated
from coterie.houses.procthor.load import load_house

SUITE_ROOMS = (1, 2, 3, 4, 5, 6, 7, 8, 10)  # ProcTHOR-10K has no house of nine
HOUSES_EACH = 10
_GENERATED = re.compile(r"rooms:(\d{1,2})(?::(\d{1,18}))?", re.ASCII)


def house_name(rooms: int, seed: int) -> str:
    return f"rooms:{rooms}:{seed}"


def scene_names() -> list[str]:
    """The houses of the suites: ten of each number of rooms. Any other seed makes a house, too."""
    return [house_name(rooms, TEST_FROM + i) for rooms in SUITE_ROOMS for i in range(HOUSES_EACH)]


def house(name: str, seed: int = 0) -> House:
    """A house by its name or file; `rooms:6` is the one of the seed. Houses are kept, with their floors."""
    found = _GENERATED.fullmatch(name)
    if found:
        return generated(int(found[1]), int(found[2] or seed))
    if ".json" in name:
        return _loaded(name)
    raise CoterieError(
        f"No house '{name}'. Write rooms:6 for a house of 6 rooms, rooms:6:17 for that of seed 17, FILE.json for a "
        "house in ProcTHOR's format, or FILE.jsonl.gz#3 for the fourth of a file with one a line."
    )


@lru_cache(maxsize=32)
def _loaded(name: str) -> House:
    return load_house(name)
