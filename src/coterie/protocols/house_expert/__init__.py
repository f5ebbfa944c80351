"""The upper bound in houses: sees the truth, divides what is misplaced, and walks the shortest rounds.

Each robot goes from place to place on the floor as it is, with poses that were tried beforehand: from there its camera
shows what it takes, or the furniture that it puts something on (`legs.py`). Ways are planned so that robots do not meet
(`worlds/household/navigation/lattice_traffic.py`), and those with nothing to do stop where they are in nobody's way
(`parking.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Asking, TeamProtocol, TeamView
from coterie.core.task import Change
from coterie.houses.model import House
from coterie.protocols.house_expert.site import Leg, Site, Worker, handled, next_leg, parking, parks, sight
from coterie.worlds.household.bodies import REPORT, STOP
from coterie.worlds.household.navigation.lattice_traffic import HORIZON, State, Traffic, Trip
from coterie.worlds.household.setting import Start
from coterie.worlds.household.tasks.bound import Rounds, full_of, shares
from coterie.worlds.household.tasks.draw import replaced
from coterie.worlds.household.tasks.goals import Search
from coterie.worlds.household.world import STEP_S, HouseholdWorld

SPARES = (0.15, 0.05, 0.0)  # the part of their actions that robots keep, as long as there is a division that allows it
MOST_THINGS = 5  # that are divided at once where more come in time
PATIENCE = 4  # steps that a robot waits for another to get out of its picture
_MOVES = ("MoveAhead", "MoveLeft", "MoveBack", "MoveRight")


class HouseExpert(TeamProtocol):
    sees = "truth"
    about = "sees the truth and plans for all robots together (upper bound)"
    goals = frozenset({"tidy", "search", "rearrange"})

    def __init__(self) -> None:
        self.site: Site | None = None
        self.robots: tuple[str, ...] = ()  # for whom the plan was made
        self.known: frozenset[str] = frozenset()  # what was misplaced when plans were made
        self.planned: set[str] = set()  # and what of that they were made for
        self.slips = 0  # grasps that did not hold, when plans were made
        self.moment: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())  # who is still, who is busy
        self.routes: dict[str, list[State]] = {}
        self.expected: dict[str, State] = {}
        self.turning: dict[str, Action] = {}  # for turns that take several actions

    def told(self, change: Change) -> None:
        self.robots = ()

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        world = team.world
        assert isinstance(world, HouseholdWorld)
        if isinstance(world.goal, Search):
            return _reports(world, world.goal, idle)
        if self.site is None or self.robots != tuple(world.truth.cards) or self._more(world, self.site):
            self.known = frozenset(astray(world))
            self.site = planned(world, self.planned)
            self.robots, self.expected = tuple(world.truth.cards), {}
            self.planned.update(self.site.rounds.misplaced)
        site = self.site
        still, busy = frozenset(world.resting), frozenset(n for n, w in site.workers.items() if w.left)
        fresh = (still, busy) != self.moment
        if still != self.moment[0]:  # who stands still for good may be in the way of what was planned
            for worker in site.workers.values():
                worker.leg = None
        self.moment = (still, busy)
        # Those with something to do choose first, and those who only stop choose again what they left.
        for name in sorted(idle, key=lambda n: not site.workers[n].left):
            if fresh and parks(site.workers[name].leg):
                site.workers[name].leg = None
            fresh |= _settle(site, name)
        if fresh or any(self.expected.get(n) != site.state(n) for n in idle if not site.turning(n)):
            self._route(site)
        return {name: self._next(site, name) for name in idle}
        yield []

    def _more(self, world: HouseholdWorld, site: Site) -> bool:
        """True if residents have left something since or something slipped, or nothing is left to do of a plan that
        was made for a part."""
        if not world.residents and world.physics is None:
            return False
        slips, self.slips = self.slips, len(slipped(world))
        if slips != self.slips:
            self.planned.clear()
            return True
        now = [t for t in astray(world) if world.truth.scene.lying(t) is not None]
        self.planned.intersection_update(now)  # what is put away and left again is new
        left = [t for w in site.workers.values() for t in w.left]
        new = not self.known.issuperset(now) or any(world.truth.get("tidy", t) for t in left)
        self.known = self.known.intersection(now)
        return new or (not left and not self.planned.issuperset(now))

    # -- on the way ---------------------------------------------------------------------------------------------------
    def _route(self, site: Site) -> None:
        """Ways for all, those first who have the least to spare."""
        at = {n: site.state(n) for n in site.awake()}
        trips, spare = {}, {}
        wanted = site.wanted()
        for name in at:
            leg, battery = site.workers[name].leg, site.world.truth.facts["battery", name]
            spare[name] = float("inf")
            if leg is None:  # one that acts at this moment, where robots do not wait for each other
                trips[name] = Trip(None)
            elif parks(leg):
                trips[name] = Trip((leg.heading, leg.place), leg.field, HORIZON, wanted)
            else:
                tilts = round(abs(site.pose(name)[3] - leg.tilt) / site.world.steps.tilt)
                trips[name] = Trip((leg.heading, leg.place), leg.field, tilts + 2, sight=sight(site, leg))
                spare[name] = float("inf") if battery is None else battery - leg.cost
        order = sorted(at, key=lambda n: (parks(site.workers[n].leg), spare[n], n))
        self.routes = site.traffic.routes(at, trips, [*site.standing(), *site.others()], order)

    def _next(self, site: Site, name: str) -> Action:
        if site.turning(name):
            return self.turning[name]
        here, worker = site.state(name), site.workers[name]
        route = self.routes.get(name) or []
        there = self.expected[name] = route.pop(0) if route else here
        if there != here:
            return self._step(site, name, here, there)
        leg = worker.leg
        if leg is None:
            return Action(WAIT)
        if here != (leg.heading, leg.place):
            del self.expected[name]  # no way was found: look for one again
            return Action(WAIT)
        tilt = site.pose(name)[3]
        if parks(leg) or abs(tilt - leg.tilt) < 1e-6:
            return _handle(site, name, worker, leg)
        return Action("LookDown" if tilt > leg.tilt else "LookUp")

    def _step(self, site: Site, name: str, here: State, there: State) -> Action:
        if there[0] != here[0]:
            self.turning[name] = Action("RotateLeft" if (there[0] - here[0]) % 4 == 1 else "RotateRight")
            return self.turning[name]
        columns = site.lattice.columns
        way = (1, columns, -1, -columns).index(there[1] - here[1])
        return Action(_MOVES[(way - here[0]) % 4])


def astray(world: HouseholdWorld) -> list[str]:
    """The things that are not where they belong: misplaced ones, and what was carried."""
    carried = [t for t in world.truth.moved if t not in world.setting.misplaced]
    found = [t for t in (*world.setting.misplaced, *carried) if not world.truth.get("tidy", t)]
    return [t for t in found if world.truth.get("keep", t) is None] if world.residents else found


def slipped(world: HouseholdWorld) -> list[tuple[str, tuple[float, float, float]]]:
    """Things that slipped out of hands, and from where they were taken."""
    return [(key[1], pose) for key, poses in world.truth.facts.items() if key[0] == "slipped" for pose in poses]


def planned(world: HouseholdWorld, before: Collection[str] = ()) -> Site:
    """The division of the work from how things are now. A robot puts away itself what it holds. Of more things than can
    be divided well those come first that no plan was made for `before`."""
    truth = world.truth
    house = _as_it_is(world)
    held = {truth.facts["holding", n]: n for n in truth.cards if truth.facts["holding", n]}
    loose = tuple(t for t in astray(world) if t not in held)
    if world.residents or world.physics is not None:
        loose = tuple(sorted(loose, key=lambda t: t in before)[:MOST_THINGS])
    rounds = Rounds(house, loose, world.steps, full=full_of(house, loose))
    team = [n for n in truth.cards if n not in world.residents]
    able = {n: truth.cards[n] for n in team if n not in world.resting}
    cards = {n: replace(c, battery_steps=truth.facts["battery", n]) for n, c in able.items()}
    starts = {n: Start(*truth.facts["pose", n][:3]) for n in able}
    limit = None if world.limit_s is None else round((world.limit_s - world.now) / STEP_S)
    plan = None
    for spare in SPARES:
        plan = plan or shares(rounds, cards, starts, limit, spare)
    plan = plan or shares(rounds, cards, starts, limit, part=True) or {}
    workers = {n: Worker(list(plan[n].things) if n in plan else []) for n in team}
    for thing, (x, y, heading) in slipped(world):
        for worker in workers.values():
            worker.bad.add((thing, round(heading / 90.0) % 4, rounds.lattice.place((x, y))))
    return Site(world, rounds, Traffic(rounds.lattice), workers)


def _settle(site: Site, name: str) -> bool:
    """Let a robot have a leg; whether it has a new one."""
    worker, held = site.workers[name], site.world.truth.facts["holding", name]
    if worker.leg is not None:
        return False
    if held is not None and held not in worker.left:  # it came with it, or putting it down did not work out
        worker.left.insert(0, held)
    while worker.leg is None and worker.left:
        worker.leg = next_leg(site, name)
        if worker.leg is None:  # nothing can be done about it any more
            worker.left.remove(held if held is not None else worker.left[0])
            if held is not None:
                break
    worker.leg = worker.leg or parking(site, name)
    return True


def _handle(site: Site, name: str, worker: Worker, leg: Leg) -> Action:
    """Take or put something; from somewhere else where that does not work out."""
    if parks(leg):
        return Action(WAIT) if site.lively() else leg.action
    if not site.world.check({name: leg.action})[name].ok:
        worker.waited += 1  # a robot may stand between
        if worker.waited > PATIENCE:
            worker.bad.add((handled(leg.action), leg.heading, leg.place))
            worker.waited, worker.leg = 0, None
        return Action(WAIT)
    held = site.world.truth.facts["holding", name]
    if held is not None:
        worker.left.remove(held)
    worker.waited, worker.leg = 0, None
    return leg.action


def _reports(world: HouseholdWorld, goal: Search, idle: Sequence[str]) -> dict[str, Action]:
    """Reports of the things that are asked for: the expert knows where they are."""
    truth = world.truth
    left = [t for t in goal.things if truth.get("reported", t) != truth.get("where", t)]
    found = {}
    for name in idle:
        found[name] = Action(REPORT, (left[0], truth.get("where", left[0]))) if left else Action(STOP)
        left = left[1:]
    return found


def _as_it_is(world: HouseholdWorld) -> House:
    """The house with things where they lie now."""
    things = []
    for thing in world.setting.house.things:
        lying = world.truth.scene.lying(thing.name)
        things.append(thing if lying is None else replace(thing, on=lying.on, spot=lying.spot))
    return replaced(world.setting.house, tuple(things))
