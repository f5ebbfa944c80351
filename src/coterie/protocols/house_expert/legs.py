"""The next pose of a robot: the best for all that is still to do, of those that show what is to be handled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.action import Action
from coterie.houses.floor import nearest_on
from coterie.houses.lattice import FAR, Field
from coterie.houses.model import FLOOR
from coterie.protocols.house_expert.site import Leg, Mask, Site
from coterie.worlds.household.perception import Eye, camera_of
from coterie.worlds.household.tasks.bound import Rounds
from coterie.worlds.household.tasks.draw import homes_in

MOST_TRIES = 150  # poses that are looked from before something else is tried
ASIDE = 60.0  # degrees: what is farther to the side is hardly ever in the picture


def next_leg(site: Site, name: str) -> Leg | None:
    """Where a robot takes the next thing, or puts down the one it holds; None where there is no way to do that."""
    lattice, free, worker = site.lattice, site.free(), site.workers[name]
    start = site.from_state(site.state(name), free)
    for action, cost in _wanted(site, name):
        what, tried = handled(action), 0
        total = start + cost
        for state in np.argsort(total, axis=None, kind="stable").tolist():
            heading, place = divmod(state, lattice.size)
            if total[heading, place] >= FAR or tried >= MOST_TRIES:
                break
            if (what, heading, place) in worker.bad or not free[place]:
                continue
            tried += 1
            tilt = _tilt(site, name, what, heading, place)
            if tilt is not None:
                there = site.from_state((heading, place), free)
                return Leg(action, place, heading, tilt, there, int(total[heading, place]))
    return None


def handled(action: Action) -> str:
    """The thing that an action takes, or the place it puts something on."""
    return action.args[0] if action.args else FLOOR


def sight(site: Site, leg: Leg) -> frozenset[int]:
    """Where nobody else should stand while a robot looks at what it handles."""
    truth, what = site.world.truth, handled(leg.action)
    if what in truth.house.piece:
        here = np.array([site.lattice.point(leg.place)])
        x, y = nearest_on(truth.house.piece[what], here)[0].tolist()
        return site.traffic.between(leg.place, (x, y))
    lying = truth.scene.lying(what) if what in truth.house.thing else None
    return site.traffic.between(leg.place, lying.spot[:2]) if lying is not None else frozenset()


def _wanted(site: Site, name: str) -> Iterator[tuple[Action, Field]]:
    """Possible next actions, the best first, each with the cost of all the rest from each state in which it is done."""
    rounds, truth, left = site.rounds, site.world.truth, site.workers[name].left
    eyes, lattice, here = site.eyes(name), site.lattice, site.state(name)
    held = truth.facts["holding", name]
    share = sum(1 << i for i, t in enumerate(rounds.misplaced) if t in left and t != held)
    if held is None:
        costs = {i: rounds.taking(eyes, share, i) for i in range(len(rounds.misplaced)) if share >> i & 1}
        best = sorted(costs, key=lambda i: int(lattice.spread(costs[i])[here]))
        yield from ((Action("PickUp", (rounds.misplaced[i],)), costs[i]) for i in best)
        return
    then, thing = rounds.rest(eyes, share), truth.house.thing[held]
    homes = []
    for home in homes_in(truth.house, thing.kind):
        states = rounds.put_at(thing, home)
        if home != FLOOR:
            if truth.get("free_spot", name, home) is None:
                continue
            states &= _faced(rounds, home)
        cost = np.where(states, then + 1, FAR).astype(np.int32)
        homes.append((int(lattice.spread(cost)[here]), home, cost))
    for _, home, cost in sorted(homes, key=lambda h: h[:2]):
        yield Action("Drop") if home == FLOOR else Action("PutDown", (home,)), cost


def _tilt(site: Site, name: str, what: str, heading: int, place: int) -> float | None:
    """A tilt at which a pose shows a thing or a piece, the nearest to the one now; None where none does."""
    truth, now = site.world.truth, site.pose(name)[3]
    if what == FLOOR:
        return now
    alone = truth.scene._replace(robots={})  # who stands there now is gone by then
    camera, (x, y) = camera_of(truth.cards[name]), site.lattice.point(place)
    for tilt in sorted(site.eyes(name).tilts, key=lambda t: abs(t - now)):
        seen = truth.sight.look(alone, Eye(x, y, heading * 90.0, tilt), camera, name)
        if what in seen.pieces or any(t.name == what for t in seen.things):
            return tilt
    return None


def _faced(rounds: Rounds, piece: str) -> Mask:
    """(4, places): whether a heading looks towards a piece."""
    lattice = rounds.lattice
    to = nearest_on(rounds.house.piece[piece], lattice.points) - lattice.points
    angle = np.degrees(np.arctan2(to[:, 1], to[:, 0]))
    off = np.abs((angle[None] - np.arange(4)[:, None] * 90.0 + 180.0) % 360.0 - 180.0)
    found: Mask = off <= ASIDE
    return found
