"""Where a robot that has nothing to do stops for good: the nearest place at which it is in nobody's way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.action import Action
from coterie.houses.lattice import FAR
from coterie.protocols.house_expert.site import Leg, Mask, Site
from coterie.worlds.household.bodies import STOP

MOST_SPOTS = 150  # places that are thought over
LOST = 0.02  # of all places: so many may be cut off


def parks(leg: Leg | None) -> bool:
    return leg is not None and leg.action.skill == STOP


def parking(site: Site, name: str) -> Leg:
    heading, place = site.state(name)
    free = site.free()
    for other, worker in site.workers.items():  # and of those who are about to stop
        if other != name and worker.leg is not None and parks(worker.leg):
            free[list(site.traffic.near(worker.leg.place))] = False
    shun = site.wanted()
    costs = site.from_state((heading, place))[heading]
    working = [n for n in site.awake() if site.workers[n].left]
    busy, needed = [site.state(n)[1] for n in working], _needed(site, working)
    chosen = place
    for spot in np.argsort(costs, kind="stable")[:MOST_SPOTS].tolist():
        if costs[spot] < FAR and free[spot] and spot not in shun and _harmless(site, spot, free, busy, needed):
            chosen = spot
            break
    there = site.from_state((heading, chosen))
    return Leg(Action(STOP), chosen, heading, site.pose(name)[3], there, int(costs[chosen]))


def _needed(site: Site, working: Sequence[str]) -> list[Mask]:
    """The states of all that is still to be done: one of each has to stay within reach."""
    rounds, found = site.rounds, []
    for name in working:
        takes, held = rounds.takes_of(site.eyes(name)), site.world.truth.facts["holding", name]
        for i, thing in enumerate(rounds.misplaced):
            if thing in site.workers[name].left:
                found += [rounds.puts[i]] if thing == held else [rounds.puts[i], takes[i]]
    return found


def _harmless(site: Site, spot: int, free: Mask, busy: Sequence[int], needed: Sequence[Mask]) -> bool:
    """Whether, with a robot standing there, all that is to be handled can still be, and everybody gets about."""
    rest, lattice = free.copy(), site.lattice
    rest[list(site.traffic.near(spot))] = False
    left = np.flatnonzero(rest & lattice.main)
    if not all(rest[place] for place in busy) or not len(left):
        return not busy
    reached = site.from_state((slice(None), [busy[0] if busy else int(left[0])]), rest)[0] < FAR
    if (rest & lattice.main & ~reached).sum() > LOST * lattice.main.sum():
        return False
    return all((states.any(axis=0) & reached & rest).any() for states in needed)
