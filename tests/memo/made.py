"""Cases and plans for the tests: groceries on a table, cubes on panels."""

from __future__ import annotations

import math

import numpy as np

from coterie.memo import Act, Case, Motion, Plan, Thing
from coterie.worlds import worlds

worlds.names()  # all of them bring the families of their tasks

HOME = (0.3, 0.1, 0.5)
SLOT = (0.45, 0.5, 0.36)
ROBOTS = (("Alice", "ur5e"), ("Bob", "panda"))


def pack(apple=(-0.5, 0.4, 0.3), milk=(-0.25, 0.6, 0.3), task: str = "pack-grocery", **more) -> Case:
    things = {"apple": Thing("apple", "", *apple), "milk": Thing("milk", "", *milk)}
    return Case("tabletop", task, "Pack everything.", ROBOTS, things, **more)


def sort(blue="panel5", x=0.4, yaw=0.0, task: str = "sort-cubes") -> Case:
    things = {"blue": Thing("cube", blue, x, 0.5, 0.2, yaw), "pink": Thing("cube", "panel1", -1.1, 0.5, 0.2)}
    return Case("tabletop", task, "Sort the cubes.", ROBOTS, things)


def arc(a, b, n: int = 30, high: float = 0.2) -> np.ndarray:
    t = np.linspace(0, 1, n)[:, None]
    way = (1 - t) * np.array(a, dtype=float) + t * np.array(b, dtype=float)
    way[:, 2] += high * np.sin(math.pi * t[:, 0])
    return way


def knots(seed: int = 0, n: int = 4) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 7))


def pick(thing: str, at, home=HOME) -> Act:
    return Act("PICK", (thing,), None, (Motion(knots(1), arc(home, at), toward=thing),))


def place(thing: str, at, slot: str = "slot", to=SLOT) -> Act:
    put = Motion(knots(2), arc(at, to), toward=slot, holds=thing)
    return Act("PLACE", (thing, slot), arc(at, to, 4), (put, Motion(knots(3), arc(to, HOME))))


def wait() -> Act:
    return Act("WAIT", (), None, (Motion(knots(4, 1), [HOME]),))


def pack_plan(case: Case, things=("apple",)) -> Plan:
    steps = []
    for name in things:
        at = case.objects[name][2:5]
        steps += [{"Alice": pick(name, at), "Bob": wait()}, {"Alice": place(name, at), "Bob": wait()}]
    return Plan(tuple(steps))
