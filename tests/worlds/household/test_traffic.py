"""Ways that do not meet: robots step one after the other, and nobody ever touches anybody."""

from __future__ import annotations

import math

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from coterie.houses.floor import floor_of
from coterie.houses.lattice import FAR, Lattice
from coterie.houses.procthor.generate import generated
from coterie.houses.procthor.load import house_from
from coterie.worlds.household.navigation.lattice_traffic import HORIZON, State, Traffic, Trip
from tests.worlds.household.plans import thing, two_rooms

LATTICE = Lattice(floor_of(generated(2, 6)))


def trip(lattice: Lattice, to: State, stay: int = HORIZON) -> Trip:
    start = np.full((4, lattice.size), FAR, np.int32)
    start[to] = 0
    return Trip(to, lattice.spread(start), stay)


def walk(lattice: Lattice, at: dict[str, State], routes: dict[str, list[State]]) -> dict[str, State]:
    """Let all robots step, one after the other as the world does; whoever touches somebody fails the test."""
    now = dict(at)
    for t in range(max(map(len, routes.values()), default=0)):
        for name, route in routes.items():
            if t >= len(route):
                continue
            state, to = now[name], route[t]
            after = lattice.next_states[state[0] * lattice.size + state[1]]
            assert to == state or to[0] * lattice.size + to[1] in after
            for other, (_, place) in now.items():
                if other != name and to[1] != state[1]:
                    assert math.dist(lattice.point(to[1]), lattice.point(place)) > 0.5 - 1e-6, (t, name, other)
            now[name] = to
    return now


@settings(max_examples=12)
@given(st.integers(0, 100_000))
def test_nobody_touches_anybody(seed: int):
    rng = np.random.default_rng(seed)
    places = np.flatnonzero(LATTICE.main)
    chosen: list[int] = []
    for place in rng.permutation(places).tolist():
        if all(math.dist(LATTICE.point(place), LATTICE.point(p)) >= 0.5 for p in chosen):
            chosen.append(place)
        if len(chosen) == 5:
            break
    at = {name: (int(rng.integers(4)), place) for name, place in zip("abcd", chosen, strict=False)}
    goals = {name: (int(rng.integers(4)), int(rng.choice(places))) for name in "ab"}
    trips = {name: trip(LATTICE, goals[name]) if name in goals else Trip(None) for name in at}
    standing = [chosen[4]]
    routes = Traffic(LATTICE).routes(at, trips, standing, list(at))
    end = walk(LATTICE, at, routes)
    for name, goal in goals.items():
        assert end[name] == goal or not routes[name] or at[name] == goal
    for place in (s[1] for route in routes.values() for s in route):
        assert math.dist(LATTICE.point(place), LATTICE.point(standing[0])) >= 0.5 - 1e-6


def test_the_second_waits_at_a_door_for_the_first():
    """A corridor of one robot's width between two rooms: both want through it, from either side."""
    data = two_rooms()
    data["doors"][0]["holePolygon"][0]["x"], data["doors"][0]["holePolygon"][1]["x"] = 1.7, 2.4
    data["objects"] = []
    lattice = Lattice(floor_of(house_from(data)))
    one, two = (0, lattice.place((2.5, 2.0))), (0, lattice.place((5.5, 2.0)))
    at, trips = {"a": one, "b": two}, {"a": trip(lattice, two), "b": trip(lattice, one)}
    routes = Traffic(lattice).routes(at, trips, [], ["a", "b"])
    assert walk(lattice, at, routes) == {"a": two, "b": one}
    straight = int(trips["a"].field[one])  # type: ignore[index]
    assert len(routes["a"]) <= straight + 4 < len(routes["b"])


def test_who_stands_in_a_dead_end_is_let_out_first():
    """b stands where a wants to go, in a niche between two counters, and a in its mouth."""
    data = two_rooms()
    data["objects"] = [
        thing("Countertop_I_6x2", "x", 0.85, 3.0, 0.47, turn=90),
        thing("Countertop_I_6x2", "y", 2.15, 3.0, 0.47, turn=90),
    ]
    lattice = Lattice(floor_of(house_from(data)))
    deep, out = (1, lattice.place((1.5, 3.5))), (1, lattice.place((3.0, 1.0)))
    at = {"a": (1, lattice.place((1.5, 2.5))), "b": deep}
    assert lattice.free[deep[1]] and not lattice.free[lattice.place((1.75, 3.0))]
    routes = Traffic(lattice).routes(at, {"a": trip(lattice, deep), "b": trip(lattice, out)}, [], ["a", "b"])
    assert walk(lattice, at, routes) == {"a": deep, "b": out}


def test_who_only_makes_way_leaves_the_places_it_is_to_shun():
    place = int(np.flatnonzero(LATTICE.main)[100])
    traffic = Traffic(LATTICE)
    wanted = traffic.near(place)
    at = {"a": (0, place)}
    assert traffic.routes(at, {"a": Trip(None)}, [], ["a"]) == {"a": []}
    end = walk(LATTICE, at, traffic.routes(at, {"a": Trip(None, shun=wanted)}, [], ["a"]))
    assert end["a"][1] not in wanted


def test_between_two_points():
    traffic = Traffic(LATTICE)
    place = LATTICE.place(LATTICE.points[LATTICE.main].mean(0).tolist())  # with places all around
    x, y = LATTICE.point(place)
    hides = traffic.between(place, (x + 1.5, y))
    assert LATTICE.place((x + 0.75, y)) in hides and LATTICE.place((x + 0.75, y + 0.25)) in hides
    assert LATTICE.place((x + 0.75, y + 0.5)) not in hides and LATTICE.place((x + 2.0, y)) not in hides
