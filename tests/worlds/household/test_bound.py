"""The bound on what can be done at all: by battery, payload and distance, and exactly so in houses one can count."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from coterie.core.card import Card
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.houses.lattice import FAR
from coterie.houses.model import FLOOR, House
from coterie.houses.procthor.generate import generated
from coterie.houses.procthor.load import house_from
from coterie.worlds.household.bodies import card
from coterie.worlds.household.setting import Setting, Start, Steps
from coterie.worlds.household.tasks.bound import Rounds, eyes_of, feasible, shares
from coterie.worlds.household.tasks.draw import mislaid, replaced, starts_in
from coterie.worlds.household.tasks.goals import Tidy
from tests.worlds.household.plans import two_rooms

ARM = card(tall=False, arm=True, payload_kg=5.0, battery=500)


def astray(x: float = 6.0, y: float = 2.0) -> House:
    """The mug of the kitchen counter lies on the floor of the bathroom."""
    house = house_from(two_rooms())
    (mug,) = house.things
    return replaced(house, (replace(mug, on=FLOOR, spot=(x, y, 0.0)),))


def task(house: House, robot: Card, limit: int = 500) -> Task:
    setting = Setting(house, (("a", Start(5.0, 2.0, 0.0)),), ("mug_0",))
    return Task("tidy", Tidy(), setting, (("a", robot),), step_limit=limit)


def needs(house: House, start: Start, **kinds: object) -> int | None:
    found = shares(Rounds(house, ("mug_0",)), {"a": ARM}, {"a": start}, 500)
    return found["a"].actions if found else None


def test_a_round_that_one_can_count():
    """From (5, 2), looking at the mug 1 m ahead: take it, go, put it down.

    The counter's corner is at (1.92, 3.30). From (2.5, 2.0) and (2.75, 2.25) it is within 1.5 m: ten steps of 0.25 m.
    """
    assert needs(astray(), Start(5.0, 2.0, 0.0)) == 1 + 10 + 1
    assert needs(astray(), Start(5.0, 2.0, 90.0)) == 1 + 1 + 10 + 1  # a turn first
    assert needs(astray(), Start(5.0, 2.0, 180.0)) == 2 + 1 + 10 + 1


def test_battery_payload_and_arms_decide():
    house = astray()
    for battery, payload, arm, expected in (
        (12, 5.0, True, True),
        (11, 5.0, True, False),
        (500, 1.0, True, True),  # the mug weighs 1 kg
        (500, 0.99, True, False),
        (500, 5.0, False, False),
        (None, 5.0, True, True),
    ):
        robot = card(tall=False, arm=arm, payload_kg=payload, battery=battery)
        assert feasible(task(house, robot)) is expected, (battery, payload, arm)
    assert not feasible(task(house, ARM, limit=11))
    assert feasible(task(house, ARM, limit=12))


def test_nothing_is_taken_through_a_wall_or_out_of_the_picture():
    house = astray(4.4, 0.6)  # just behind the wall, seen from the kitchen
    rounds = Rounds(house, ("mug_0",))
    (states,) = rounds.takes_of(eyes_of(ARM, Steps()))
    lattice = rounds.lattice
    assert not states[:, lattice.place((3.5, 0.5))].any()
    beside = lattice.place((5.5, 0.5))
    assert states[:, beside].tolist() == [False, False, True, False]  # only looking west
    shorter = Rounds(house, ("mug_0",), Steps(reach=0.8))
    assert not shorter.takes_of(eyes_of(ARM, Steps()))[0][:, beside].any()


def test_a_longer_reach_is_never_worse_and_a_tall_camera_looks_down():
    house, names = mislaid(generated(3, 8), 3, rng_of("reach"))
    start = starts_in(house, ["a"], rng_of("s"))[0][1]
    cost = [
        shares(Rounds(house, names, Steps(reach=r)), {"a": ARM}, {"a": start}, None)["a"].actions  # type: ignore[index]
        for r in (1.2, 1.5, 2.0)
    ]
    assert cost == sorted(cost, reverse=True)
    tall = card(tall=True, arm=True, payload_kg=5.0, battery=500)
    far = replace(tall, sight_m=3.0)
    assert shares(Rounds(house, names), {"a": far}, {"a": start}, None)
    assert any(house.thing[n].on == FLOOR for n in names)
    assert shares(Rounds(house, names), {"a": tall}, {"a": start}, None) is None, "its eyes do not reach the floor"


def test_the_division_is_the_best_of_all():
    """Against every order and every division, from distances between single rounds."""
    house, names = mislaid(generated(4, 12), 3, rng_of("division"))
    rounds = Rounds(house, names)
    cards = {n: card(tall=False, arm=True, payload_kg=20.0, battery=500) for n in ("a", "b")}
    starts = dict(starts_in(house, list(cards), rng_of("starts", 1)))
    eyes = eyes_of(ARM, Steps())

    def alone(robot: str, order: tuple[int, ...]) -> int:
        """The shortest round in one order: spread forwards from the start, instead of backwards from the end."""
        lattice = rounds.lattice
        now = np.full((4, lattice.size), FAR, np.int32)
        s = starts[robot]
        now[round(s.heading_deg / 90) % 4, lattice.place((s.x, s.y))] = 0
        for i in order:
            for allowed in (rounds.takes_of(eyes)[i], rounds.puts[i]):
                now = np.where(allowed, lattice.spread(now) + 1, FAR).astype(np.int32)
        return int(now.min()) if order else 0

    best = min(
        max(min(alone(r, order) for order in permutations([i for i in range(3) if who[i] == r])) for r in cards)
        for who in product(cards, repeat=3)
    )
    found = shares(rounds, cards, starts, None)
    assert found is not None and max(s.actions for s in found.values()) == best
    assert sorted(t for s in found.values() for t in s.things) == sorted(names)


def test_a_plunger_goes_back_to_the_bathroom_floor():
    house = house_from(two_rooms())
    mug = house.things[0]
    plunger = replace(mug, name="plunger_0", kind="Plunger", on=FLOOR, spot=(2.0, 2.0, 0.0))
    rounds = Rounds(replaced(house, (plunger,)), ("plunger_0",))
    (places,) = rounds.puts
    east, west = (rounds.lattice.points[places[heading]][:, 0] for heading in (0, 2))
    assert east.min() == 3.75 and west.min() == 4.5  # it comes to lie 0.3 m ahead


@pytest.mark.parametrize("turn", [90.0, 45.0])
def test_finer_turns_only_help(turn: float):
    rounds = Rounds(astray(), ("mug_0",), Steps(turn=turn))
    found = shares(rounds, {"a": ARM}, {"a": Start(5.0, 2.0, 180.0)}, None)
    assert found is not None and found["a"].actions == (14 if turn == 90.0 else 12)
