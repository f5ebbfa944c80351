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


@pytest.fixture(scope="module")
def before():
    return kept()


def compare(name, played, before):
    now = deeds(played.log.events)
    for a, b in zip(before[name]["deeds"], now):
        assert a == b, f"{name}: meant? python -m tests.worlds.kept"
    assert len(now) == len(before[name]["deeds"])
    assert ended(played) == before[name]["ended"]


@pytest.mark.parametrize("config", ROOMS, ids=name_of)
def test_episodes_in_rooms(config, before):
    compare(*next(episodes([config])), before)


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="the table needs coterie[arms]")
@pytest.mark.parametrize("config", TABLE, ids=name_of)
def test_episodes_at_the_table(config, before):
    """Physics and sampling planners are exact on one kind of processor; on another they must only succeed."""
    name, played = next(episodes([config]))
    if platform.machine() == before["machine"]:
        compare(name, played, before)
    assert played.result.success and before[name]["ended"][0]


def test_pictures():
    was = kept_pictures()
    for name, now in pictures(dict(episodes([ROOMS[n] for n in DRAWN]))):
        for n, (a, b) in enumerate(zip(was[name], now)):
            assert a == b, f"{name}, shape {n}: meant? python -m tests.worlds.kept"
        assert len(now) == len(was[name])


@pytest.mark.long
@pytest.mark.parametrize("config", ROOMS, ids=name_of)
def test_marks_of_pictures(config, before):
    ((name, mark),) = marks(dict(episodes([config])))
    assert before[name]["pictures"] == mark, "drawn otherwise; meant? python -m tests.worlds.kept"


@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="the table needs coterie[arms]")
def test_what_stands_on_the_tables():
    was = kept_pictures()
    for name, now in tables():
        for a, b in zip(was[name], now):
            assert a == b, f"{name}: meant? python -m tests.worlds.kept"
        assert len(now) == len(was[name])
