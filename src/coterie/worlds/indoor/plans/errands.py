"""Joint plans for things that belong all over the house: who brings what, in which order, who opens what.

Every carrier brings things to their homes itself; nobody hands over. The plan is built one errand after the other, each
given to the robot that is back first with it, and then improved by giving single errands to others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.core.action import Action
from coterie.core.lazy import kept
from coterie.worlds.indoor.plans.joint import NEVER, Plan, Planner, Way
from coterie.worlds.indoor.world import IndoorWorld

MOST_TRIES = 400  # changes of a plan that are tried to make it shorter


class Stop(NamedTuple):
    """Where to stand for something."""

    furniture: str
    stand: str


class Errand(NamedTuple):
    """One thing on its way home with one carrier: where it is taken, where it is put, and what must be open."""

    thing: str
    carrier: str
    take: Stop | None  # None: it is in the hand already
    put: Stop
    onto: str
    boxes: tuple[tuple[str, str], ...] = ()  # (closed container, who opens it), in the order in which they matter


class Errands(Planner):
    """Plans for a `bring` goal."""

    def __init__(self, world: IndoorWorld, *args: Any, **kwargs: Any):
        super().__init__(world, *args, **kwargs)
        self._taken = self._occupied()

    # -- what is to be done ---------------------------------------------------------------------------------------
    def to_fetch(self) -> list[str]:
        """Things away from home that nobody holds."""
        where = self.world.truth
        missing = [w.thing for w in self.goal.missing(self.world.look)]
        return [t for t in missing if where["where", t] not in self.cards]

    def homes(self, thing: str) -> list[str]:
        """Where a thing can be put so that it is at home."""
        home = str(self.goal.home(thing))
        if home in self.scene.room:
            return [f.name for f in self.scene.places if f.room == home and not f.person]
        return [home]

    def ways(self, thing: str) -> list[Way]:
        boxes = [(e, [o for _, o in e.boxes if o != e.carrier]) for e in self.errands(thing)]
        return [Way(e.carrier, helpers[0] if helpers else None) for e, helpers in boxes]

    def feasible(self) -> bool:
        held = [self.world.truth["holding", n] for n in self.cards if n in self.world.cards]
        missing = {w.thing for w in self.goal.missing(self.world.look)}
        return all(self.errands(t) for t in [*self.to_fetch(), *(h for h in held if h in missing)])

    # -- ways -----------------------------------------------------------------------------------------------------
    def _occupied(self) -> set[tuple[str, Stop]]:
        """(mobility, stop) of robots as they stand now: others had better use another side."""
        truth = self.world.truth
        return {
            (c.mobility, Stop(truth["at", n], truth["stand", n]))
            for n, c in self.cards.items()
            if n in self.world.cards and truth["at", n] is not None and truth["stand", n] is not None
        }

    def stops(self, robot: str, furniture: str) -> list[tuple[str, Any]]:
        """Allowed stand poses, those where another robot stands last."""
        mobility = self.cards[robot].mobility
        here = Stop(self.world.truth.get(("at", robot)) or "", self.world.truth.get(("stand", robot)) or "")

        def taken(stand: str) -> bool:
            stop = Stop(furniture, stand)
            return stop != here and (mobility, stop) in self._taken

        return sorted(self.stands(robot, furniture), key=lambda s: taken(s[0]))

    @kept
    def errands(self, thing: str) -> list[Errand]:
        """Every carrier that can bring a thing home, with the best way it has."""
        found = [self._errand(n, thing) for n in self.carriers]
        return [e for e in found if e is not None]

    def _errand(self, robot: str, thing: str) -> Errand | None:
        truth = self.world.truth
        place = truth["where", thing]
        take: Stop | None = None
        boxes: list[str] = []
        if place != robot:
            if place in self.cards:
                return None  # another one has it in hand
            furniture = self.fluents.base_of(self.world.look, place)
            stand = self.pick_stand(robot, thing)
            if furniture is None or stand is None:
                return None
            take = Stop(furniture, stand)
            shut = self.shut_place(furniture) if place == furniture else None
            boxes += [shut] if shut else []
        put = self._put(robot, thing, take)
        if put is None:
            return None
        stop, onto = put
        shut = self.shut_place(onto)
        boxes += [shut] if shut and shut not in boxes else []
        openers: list[tuple[str, str]] = []
        for box in boxes:
            opener = self._opener(robot, box)
            if opener is None:
                return None
            openers.append((box, opener))
        return Errand(thing, robot, take, stop, onto, tuple(openers))

    def _opener(self, robot: str, box: str) -> str | None:
        if robot in self.openers and self.open_stand(robot, box) is not None:
            return robot
        return next((o for o in self.openers if o != robot and self.open_stand(o, box) is not None), None)

    def _put(self, robot: str, thing: str, take: Stop | None) -> tuple[Stop, str] | None:
        """Where to put a thing down: what stands open first, then what is nearest to where it was taken."""
        card = self.cards[robot]
        nav = self.nav(robot)
        start = self.scene.stand_poses[take] if take is not None else self.pose(robot)
        found = []
        for home in self.homes(thing):
            furniture = self.fluents.base_of(self.world.look, home)
            if furniture is None:
                continue
            shut = self.shut_place(furniture)
            for i, (stand, pose) in enumerate(self.stops(robot, furniture)):
                if self.fluents.free_spot(self.world.look, card, pose, home) is None:
                    continue
                if self.fluents.reach_gap(self.world.look, card, pose, home) <= card.reach_m:
                    far = nav.length(start, pose)
                    found.append((shut is not None, i, far if far is not None else 999.0, furniture, stand, home))
        if not found:
            return None
        _, _, _, furniture, stand, home = min(found)
        return Stop(furniture, stand), home

    # -- plans ----------------------------------------------------------------------------------------------------
    def best(self, part: bool = False) -> Plan | None:
        if not part and not self.feasible():
            return None
        fetch = [t for t in self.to_fetch() if self.errands(t)]
        moving = [t for t in fetch if t in self.fluents.holders]  # caddies go home first, then things go into them
        later = [t for t in fetch if self.goal.home(t) in moving]
        fetch = [t for t in fetch if t not in later]
        lists: dict[str, list[Errand]] = {n: self._in_hand(n) for n in self.carriers}
        left = list(fetch)
        while left:
            options = [(self._time([*lists[e.carrier], e]), n, e) for n, t in enumerate(left) for e in self.errands(t)]
            _, _, chosen = min(options, key=lambda o: (o[0], o[1], o[2].carrier))
            lists[chosen.carrier].append(chosen)
            left.remove(chosen.thing)
        self._improve(lists)
        queues = self._queues(lists)
        steps = max((self._time(v) for v in lists.values()), default=0) + self.doors.lead(queues)
        ways = {e.thing: Way(e.carrier, None) for v in lists.values() for e in v}
        helped = {b for v in lists.values() for e in v for b, o in e.boxes if o != e.carrier}
        plan = Plan(steps + 2 * len(helped) + 4 * len(later), queues, ways)
        return plan if part else self.within_batteries(plan)

    def _in_hand(self, robot: str) -> list[Errand]:
        held = self.world.truth.get(("holding", robot))
        if held is None or held not in {w.thing for w in self.goal.missing(self.world.look)}:
            return []
        return [e for e in self.errands(held) if e.carrier == robot]

    def _improve(self, lists: dict[str, list[Errand]]) -> None:
        """Give errands of the busiest robot to others as long as that ends sooner."""
        for _ in range(MOST_TRIES):
            times = {n: self._time(v) for n, v in lists.items()}
            worst = max(times, key=lambda n: (times[n], n), default=None)
            if worst is None or times[worst] == 0:
                return
            moves = []
            for e in lists[worst]:
                rest = self._time([x for x in lists[worst] if x != e])
                for other in self.errands(e.thing):
                    if e.take is not None and other.carrier != worst:
                        longer = self._time([*lists[other.carrier], other])
                        if max(rest, longer) < times[worst]:
                            moves.append((max(rest, longer), e.thing, other.carrier, e, other))
            if not moves:
                return
            _, _, _, e, other = min(moves, key=lambda m: m[:3])
            lists[worst].remove(e)
            lists[other.carrier].append(other)

    def _time(self, errands: list[Errand]) -> int:
        """Steps a robot needs for its errands."""
        if not errands:
            return 0
        truth, robot = self.world.truth, errands[0].carrier
        t = 0 if truth.get(("holding", robot)) is None or errands[0].take is None else 2
        here: object = (truth.get(("at", robot)), truth.get(("stand", robot)))
        opened: set[str] = set()
        for e in errands:
            for box, opener in e.boxes:
                if opener == robot and box not in opened:
                    t += 2
                    opened.add(box)
            if e.take is not None:
                t += (here != e.take) + 1
                here = e.take
            t += (here != e.put) + 1
            here = e.put
        return min(t, NEVER)

    def _queues(self, lists: dict[str, list[Errand]]) -> dict[str, list[Action]]:
        queues: dict[str, list[Action]] = {robot: [] for robot in lists}
        opened: set[str] = set()
        for robot, errands in lists.items():
            held, out = self.world.truth.get(("holding", robot)), queues[robot]
            if held is not None and (not errands or errands[0].take is not None):
                out += self._rid(robot, held)
            for e in errands:
                for box, opener in e.boxes:
                    if box not in opened:
                        stop = Action("navigate", (box, self.open_stand(opener, box)))
                        queues.setdefault(opener, []).extend([stop, Action("open", (box,))])
                        opened.add(box)
                if e.take is not None:
                    out += [Action("navigate", e.take), Action("pick", (e.thing,))]
                out += [Action("navigate", e.put), Action("place", (e.thing, e.onto))]
        return {n: q for n, q in queues.items() if q}

    def _rid(self, robot: str, held: str) -> list[Action]:
        """Lay down what is in the hand and belongs nowhere: here, or at the nearest place with room."""
        at = self.world.truth.get(("at", robot))
        if at is not None and self.world.check({robot: Action("place", (held, at))})[robot].ok:
            return [Action("place", (held, at))]
        card = self.cards[robot]
        for f in self.scene.places:
            if f.opens and not self.world.truth["open", f.name]:
                continue
            for stand, pose in self.stops(robot, f.name):
                if self.fluents.free_spot(self.world.look, card, pose, f.name) is not None:
                    return [Action("navigate", (f.name, stand)), Action("place", (held, f.name))]
        return []


def planner_of(world: IndoorWorld, **kwargs: Any) -> Planner:
    """The planner for the world's goal, or for `goal`."""
    goal = kwargs.get("goal") or world.goal
    return (Planner if goal.platforms else Errands)(world, **kwargs)
