"""A house from a user's file, for tidying up: its furniture and rooms in ProcTHOR's kinds, and things in it.

The placement table knows what belongs where by those kinds. Furniture of another kind is an obstacle; a room of
another kind is taken for a living room. Things lie where they belong; which, is drawn from the name of the house.
"""

from __future__ import annotations

import random
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.houses.model import ROOM_KINDS, WALL_HEIGHT_M, Furniture, House, Thing, spots_on
from coterie.houses.placement import Kind, kinds, usual, words
from coterie.houses.procthor import walls
from coterie.houses.procthor.furnish import guessed, words_of
from coterie.houses.procthor.items import snake
from coterie.motion import polygons

LEAST_THINGS = 12  # so that there is something to tidy up
MOST_ALIKE, MOST_ON_ONE = 3, 6
ROUNDS = 6
HIGHEST_M = 1.5  # of a surface that robots put things on


def stocked(house: House) -> House:
    """The house in kinds that the table knows, with things where they belong."""
    notes: list[str] = list(house.notes)
    rooms = tuple(replace(r, kind=room_kind(r.kind, r.name, notes)) for r in house.rooms)
    furniture = tuple(_known(f, notes) for f in house.furniture)
    house = replace(house, rooms=rooms, furniture=furniture, walls=_walls(house), notes=tuple(notes))
    return house if house.things else replace(house, things=_things(house))


def room_kind(kind: str, name: str, notes: list[str]) -> str:
    plain = {k.lower(): k for k in ROOM_KINDS}
    for said in (kind, name):
        found = plain.get("".join(words_of(said)))
        if found is not None:
            return found
    notes.append(f"{name} is a {kind}, which no table knows; it is taken for a LivingRoom.")
    return "LivingRoom"


def furniture_kind(text: str) -> str:
    """The kind of the table that some words speak of, empty where they speak of none."""
    said = words_of(text)
    return guessed(text) or (words()["also"].get(said[-1], "") if said else "")


def _known(f: Furniture, notes: list[str]) -> Furniture:
    kind = furniture_kind(f.kind) or furniture_kind(f.name)
    usable = f.receptacle and not f.person
    if usable and f.surface_m > HIGHEST_M:
        notes.append(f"{f.name} is {f.surface_m:g} m high, above what robots reach here; nothing lies there.")
    elif usable and kind and kinds()[kind].receptacle:
        return replace(f, kind=kind)
    elif usable:
        notes.append(f"{f.name} is a {f.kind}, on which nothing belongs by the table; robots go round it.")
    return replace(f, kind=kind or f.kind, receptacle=False)


def _walls(house: House) -> tuple[walls.Wall, ...]:
    """Along the sides of the rooms, without the openings of doors."""
    sides = [walls.Side("", a, b, WALL_HEIGHT_M, False) for r in house.rooms for a, b in polygons.edges(r.polygon)]
    return house.walls or walls.standing(sides, [(d.a, d.b) for d in house.doors])[0]


def _things(house: House) -> tuple[Thing, ...]:
    """Some of what belongs on each piece of furniture, the usual more often."""
    rng, found, counts = rng_of("stock", house.name), list[Thing](), dict[str, int]()
    places = [f for f in house.furniture if f.receptacle]
    for _ in range(ROUNDS):
        for f in places:
            could = [k for k in kinds().values() if f.kind in k.on and usual(k.name, house.room[f.room].kind)]
            for kind in could:
                if rng.random() < kind.on[f.kind]:
                    _lay(f, kind, rng, found, counts)
        if len(found) >= LEAST_THINGS:
            break
    if not found:
        some = ", ".join(sorted({f.kind for f in house.furniture if not f.person})[:8])
        raise CoterieError(
            f"The house '{house.name}' has no furniture that things belong on (it has {some}); give some of it a "
            f"`kind` like DiningTable, Desk, Sofa or Fridge, in a room with a `kind` like {', '.join(ROOM_KINDS)}."
        )
    return tuple(found)


def _lay(f: Furniture, kind: Kind, rng: random.Random, found: list[Thing], counts: dict[str, int]) -> None:
    lying = [t for t in found if t.on == f.name]
    if len(lying) >= MOST_ON_ONE or sum(t.kind == kind.name for t in lying) >= MOST_ALIKE:
        return
    name = f"{snake(kind.name)}_{counts.get(kind.name, 0)}"
    thing = Thing(name, kind.name, f.name, (0.0, 0.0, 0.0), kind.size_m, kind.mass_kg)
    spots = list(spots_on(f, thing, [(t, t.spot[:2]) for t in lying]))
    if spots:
        x, y = rng.choice(spots)
        counts[kind.name] = counts.get(kind.name, 0) + 1
        found.append(replace(thing, spot=(round(x, 3), round(y, 3), round(f.surface_m, 3))))
