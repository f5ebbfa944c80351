"""The houses of the suites."""

from __future__ import annotations

from coterie.houses.generate import TEST_FROM

SUITE_ROOMS = (1, 2, 3, 4, 5, 6, 7, 8, 10)  # ProcTHOR-10K has no house of nine
HOUSES_EACH = 10


def house_name(rooms: int, seed: int) -> str:
    return f"rooms:{rooms}:{seed}"


def suite_houses() -> list[str]:
    """Ten of each number of rooms. Any other seed makes a house, too."""
    return [house_name(rooms, TEST_FROM + i) for rooms in SUITE_ROOMS for i in range(HOUSES_EACH)]
