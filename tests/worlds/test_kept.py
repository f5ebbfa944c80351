"""Episodes go as they went, and pictures show things where they were; see kept.py for how to accept a meant change."""

import importlib.util
import platform

import pytest

from tests.worlds.kept import (
    DRAWN,
    ROOMS,
    TABLE,
    deeds,
    ended,
    episodes,
    kept,
    kept_pictures,
    marks,
    name_of,
    pictures,
    tables,
)
from tests.worlds.plainly import compare

ARMS = pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="the table needs coterie[arms]")
BEFORE = kept()
ACCEPT = "tests.worlds.kept"


def as_before(name, played):
    compare(name, BEFORE[name]["deeds"], deeds(played.log.events), ACCEPT)
    assert ended(played) == BEFORE[name]["ended"]


@pytest.mark.parametrize("config", ROOMS, ids=name_of)
def test_episodes_in_rooms(config):
    as_before(*next(episodes([config])))


@pytest.mark.long
@ARMS
@pytest.mark.parametrize("config", TABLE, ids=name_of)
def test_episodes_at_the_table(config):
    """Physics and sampling planners are exact on one kind of processor; on another they must only succeed."""
    name, played = next(episodes([config]))
    if platform.machine() == BEFORE["machine"]:
        as_before(name, played)
    assert played.result.success and BEFORE[name]["ended"][0]


@pytest.mark.parametrize(
    "drawn", [lambda: pictures(dict(episodes([ROOMS[n] for n in DRAWN]))), pytest.param(tables, marks=ARMS)]
)
def test_pictures_and_what_stands_on_the_tables(drawn):
    was = kept_pictures()
    for name, now in drawn():
        compare(name, was[name], now, ACCEPT)


@pytest.mark.long
@pytest.mark.parametrize("config", ROOMS, ids=name_of)
def test_marks_of_pictures(config):
    ((name, mark),) = marks(dict(episodes([config])))
    assert BEFORE[name]["pictures"] == mark, f"drawn otherwise; meant? python -m {ACCEPT}"
