"""From the map and the pooled beliefs of a party to the model that search plays in: everything is numbered (furniture,
locations to stand at, positions to lie at), then who can do what from where is tabled."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.mcts.model import Model
from coterie.protocols.shared.reading import Pool

Spot = tuple[float, float, float]

FLOOR = "floor@"
TOO_NEAR_M = 0.3  # two robots of one layer cannot stand nearer
MARGIN_M = 0.08  # things lie at least this far from the edge
#: Keys that a goal must have to be pictured; those of the indoor tasks do.
GOAL = ("kind", "targets", "platforms", "home", "text")
#: For so many steps an action that failed is not tried again: not every failure leaves a fact to learn from.
PATIENCE_STEPS = 2
Deed = tuple[str, str, tuple[Any, ...]]  # robot, skill, arguments


class Past:
    """The recent past of a party, beside its beliefs: orders, failures, and distances once measured."""

    def __init__(self) -> None:
        self.pool = Pool()
        self.commands: dict[str, Action] = {}  # what each robot was last told to do
        self.gaps: dict[tuple[str, tuple[float, float], str], float] = {}  # (robot, pose, platform) -> distance [m]
        self._failed: dict[Deed, int] = {}

    def take_in(self, team: TeamView) -> TeamView:
        """How the last actions ended and what is known now; the same view of the team, with beliefs pooled."""
        team = replace(team, robots=self.pool.gather(team))
        for name, me in team.robots.items():
            last = me.outcome
            if last is not None and last.status in ("failed", "refused"):
                self._failed.setdefault((name, last.action.skill, last.action.args), me.step)
            for action, _ in me.refusals:
                self._failed[name, action.skill, action.args] = me.step
            self._measure(name, me)
        self._failed = {d: s for d, s in self._failed.items() if team.step - s < PATIENCE_STEPS}
        return team

    def _measure(self, name: str, me: RobotView) -> None:
        """How far the platforms are from here: the map does not say, but a robot that stands there can tell."""
        pose = me.belief.value("pose", name)
        if not isinstance(pose, tuple) or not me.card.manipulates:
            return
        platforms: Any = me.look("platforms")
        for platform in platforms or ():
            if (name, pose, platform) not in self.gaps:
                gap = me.look("gap_to", name, platform)
                if isinstance(gap, float):
                    self.gaps[name, pose, platform] = gap

    def failed(self, robot: str, skill: str, args: tuple[Any, ...]) -> bool:
        return (robot, skill, args) in self._failed


def read(team: TeamView, past: Past) -> Model | None:
    """The model of this moment, from pooled views; None where there is no goal that it can picture."""
    goal = next(iter(team.robots.values())).belief.value("goal")
    if not all(hasattr(goal, part) for part in GOAL) or not goal.targets:  # type: ignore[attr-defined]
        return None
    v = Survey(team, past, goal)
    abilities(v)
    _moment(v)
    _guess(v)
    reaches(v)
    v.model.count(v.model.start)
    return v.model


class Survey:
    """A model in the making: its tables, and the words they came from."""

    def __init__(self, team: TeamView, past: Past, goal: Any):
        self.past, self.goal = past, goal
        self.me: list[RobotView] = list(team.robots.values())
        self.belief = self.me[0].belief  # pooled: the same for all
        self.cards: list[Card] = [me.card for me in self.me]
        self.look = self.me[0].look
        self.furniture: tuple[str, ...] = self.look("all_furniture")  # type: ignore[assignment]
        self.number = {f: i for i, f in enumerate(self.furniture)}
        self.platforms: tuple[str, ...] = tuple(goal.platforms)
        self.held = [self._name("holding", me.name) for me in self.me]
        self.inside = [self._contents(p) for p in self.platforms]
        known = (*goal.targets, *(t for p in self.inside for t in p), *(h for h in self.held if h))
        self.things = tuple(dict.fromkeys(known))
        self.spots: list[Spot | None] = []  # of positions; None: anywhere there
        self.model = self._begin()
        for platform in self.platforms:  # their positions are the first
            self.position(platform, None)

    def _begin(self) -> Model:
        things, goal = self.things, self.goal
        order = tuple(things.index(t) for t in goal.targets)
        home = [self.platforms.index(p) if (p := goal.home(t)) in self.platforms else -1 for t in things]
        m = Model(
            robots=tuple(me.name for me in self.me),
            furniture=self.furniture,
            platforms=self.platforms,
            things=things,
            kind=goal.kind,
            order=order,
            targets=sum(1 << t for t in order),
            home=tuple(home),
            containers=sum(1 << i for i, f in enumerate(self.furniture) if self.look("openable", f)),
        )
        self._locations(m)
        return m

    def _name(self, pred: str, *args: str) -> str | None:
        value = self.belief.value(pred, *args)
        return value if isinstance(value, str) else None

    def _contents(self, place: str) -> tuple[str, ...]:
        listed = self.belief.value("contents", place)
        return listed if isinstance(listed, tuple) else ()

    # -- locations ------------------------------------------------------------------------------------------------
    def _locations(self, m: Model) -> None:
        for i, f in enumerate(self.furniture):
            for stand in self.look("all_stands", f) or ():  # type: ignore[attr-defined]
                self._location(m, i, stand, self.look("stand_pose", f, stand))
        for me in self.me:
            here = self.number.get(self._name("at", me.name) or "", -1)
            stand = self._name("stand", me.name)
            known = [k for k, s in enumerate(m.loc_stand) if s == stand and m.loc_furniture[k] == here >= 0]
            m.start.loc.append(known[0] if known else len(m.loc_pose))
            if not known:
                self._location(m, here, None, self.belief.value("pose", me.name))
        for p in m.loc_pose:
            near = [k for k, q in enumerate(m.loc_pose) if math.hypot(p[0] - q[0], p[1] - q[1]) < TOO_NEAR_M]
            m.near.append(sum(1 << k for k in near))

    def _location(self, m: Model, furniture: int, stand: str | None, pose: Any) -> None:
        m.loc_furniture.append(furniture)
        m.loc_stand.append(stand)
        m.loc_pose.append(pose if isinstance(pose, tuple) else (math.inf, math.inf))

    # -- positions ------------------------------------------------------------------------------------------------
    def furniture_of(self, place: str) -> int | None:
        owner = place.removeprefix(FLOOR) if place.startswith(FLOOR) else self.look("part_of", place)
        return self.number.get(owner) if isinstance(owner, str) else None

    def position(self, place: str, spot: Spot | None) -> int:
        m, f = self.model, self.furniture_of(place)
        assert f is not None
        m.pos_place.append(len(self.furniture) + self.platforms.index(place) if place in self.platforms else f)
        m.pos_furniture.append(f)
        m.pos_box.append(m.containers & 1 << f if place == self.furniture[f] else 0)
        self.spots.append(spot)
        return len(m.pos_place) - 1


# -- who can do what from where ---------------------------------------------------------------------------------------
def abilities(v: Survey) -> None:
    """Fill the tables of a model that say who may go, open, put, lay and lift; `reaches` comes last."""
    m = v.model
    for r, (me, card) in enumerate(zip(v.me, v.cards)):
        same = [o for o, c in enumerate(v.cards) if o != r and c.mobility == card.mobility]
        m.beside.append(tuple(same) if card.moves else ())
        m.go.append(_go(v, me) if "navigate" in card.skills else 0)
        m.opens.append(_opens(v, me) if "open" in card.skills else 0)
        m.put.append([_put(v, r, p) for p in v.platforms] if card.manipulates else [])
        m.lay.append(_lay(v, r) if card.manipulates else {})
        m.lift.append(_lift(v, me) if card.manipulates else 0)


def _go(v: Survey, me: RobotView) -> int:
    """Stand poses that nothing known forbids: height, closed zones, paths, recent failures."""
    mask = 0
    for k, (f, stand) in enumerate(zip(v.model.loc_furniture, v.model.loc_stand)):
        place = v.furniture[f]
        if stand is None or v.past.failed(me.name, "navigate", (place, stand)):
            continue
        barred = (("allowed", me.name, place), ("stand_allowed", me.name, place, stand))
        if any(v.belief.value(*key) is False for key in barred) or me.look("level_ok", me.name, place) is False:
            continue
        if me.look("path", me.name, place, stand) is not False:
            mask |= 1 << k
    return mask


def _opens(v: Survey, me: RobotView) -> int:
    mask = 0
    for k, f in enumerate(v.model.loc_furniture):
        if f < 0 or not v.model.containers >> f & 1 or v.past.failed(me.name, "open", (v.furniture[f],)):
            continue
        rect: Any = v.look("rect", v.furniture[f])
        height: Any = v.look("height", v.furniture[f])
        x, y = v.model.loc_pose[k]
        nearest = (min(max(x, rect[0]), rect[2]), min(max(y, rect[1]), rect[3]), height)
        if me.card.gap((x, y), nearest) <= me.card.reach_m:
            mask |= 1 << k
    return mask


def _put(v: Survey, r: int, platform: str) -> int:
    """Locations from which a robot may put things onto a platform: all at its table, until it knows better."""
    me, held = v.me[r], v.held[r]
    if any(f.value is False and f.args[0] == me.name for f in v.belief.facts("may_place")):
        return 0  # what holds on one platform holds on all
    if held and v.past.failed(me.name, "place", (held, platform)):
        return 0
    return _in_range(v, r, platform)


def _in_range(v: Survey, r: int, platform: str) -> int:
    """Locations at a platform's table from which it is not known to be out of reach."""
    mask, table = 0, v.furniture_of(platform)
    for k, f in enumerate(v.model.loc_furniture):
        gap = v.past.gaps.get((v.me[r].name, v.model.loc_pose[k], platform), 0.0)
        if f == table and gap <= v.cards[r].reach_m:
            mask |= 1 << k
    return mask


def _lay(v: Survey, r: int) -> dict[int, int]:
    """Where things put down come to lie: on the work table, and what is not wanted also right here."""
    m, me, held = v.model, v.me[r], v.held[r]
    table, here = str(v.look("work_table")), m.start.loc[r]
    out: dict[int, int] = {}
    for k, f in enumerate(m.loc_furniture):
        stand = m.loc_stand[k]
        if stand is not None and v.furniture[f] == table and me.card.moves:
            spot = me.look("lay_spot", me.name, table, stand)
            if isinstance(spot, tuple):
                out[k] = v.position(table, spot)
    at = v.furniture[m.loc_furniture[here]] if m.loc_furniture[here] >= 0 else None
    if at is None:
        return out
    if here not in out and (at == table or held not in v.goal.targets) and _can_lay(v, me, at):
        out[here] = v.position(at, None)
    if held and v.past.failed(me.name, "place", (held, at)):
        out.pop(here, None)
    return out


def _can_lay(v: Survey, me: RobotView, place: str) -> bool:
    gap = me.look("gap_to", me.name, place)
    shut = bool(v.look("openable", place)) and v.belief.value("open", place) is not True
    near = isinstance(gap, float) and gap <= me.card.reach_m
    return near and not shut and me.look("room_on", me.name, place) is not False


def _lift(v: Survey, me: RobotView) -> int:
    mask = 0
    for t, thing in enumerate(v.things):
        mass = v.belief.value("mass", thing)
        heavy = isinstance(mass, (int, float)) and mass > me.card.payload_kg
        if not heavy and not v.past.failed(me.name, "pick", (thing,)):
            mask |= 1 << t
    return mask


def reaches(v: Survey) -> None:
    """From which locations each robot's arm reaches each position, once all positions are known."""
    m = v.model
    beside: dict[int, list[int]] = {}
    for k, f in enumerate(m.loc_furniture):
        beside.setdefault(f, []).append(k)
    for r, card in enumerate(v.cards):
        masks = []
        for pos, (f, spot) in enumerate(zip(m.pos_furniture, v.spots)):
            here = beside.get(f, [])
            if not card.manipulates:
                masks.append(0)
            elif m.pos_place[pos] >= len(v.furniture):
                masks.append(_in_range(v, r, v.platforms[m.pos_place[pos] - len(v.furniture)]))
            elif spot is None:
                masks.append(sum(1 << k for k in here))
            elif card.reach_low_m <= spot[2] <= card.reach_high_m:
                masks.append(sum(1 << k for k in here if card.gap(m.loc_pose[k], spot) <= card.reach_m))
            else:
                masks.append(0)
        m.take.append(masks)


# -- the moment -------------------------------------------------------------------------------------------------------
def _moment(v: Survey) -> None:
    """Fill in where everything is believed to be now."""
    s, things = v.model.start, v.things
    s.held = [things.index(h) if h else -1 for h in v.held]
    s.inside = [[things.index(t) for t in p] for p in v.inside]
    s.open = sum(1 << i for i, f in enumerate(v.furniture) if v.belief.value("open", f) is True)
    s.unseen = sum(1 << i for i, f in enumerate(v.furniture) if v.belief.value("contents", f) is UNKNOWN)
    for r, me in enumerate(v.me):
        if me.outcome is not None and me.outcome.ok and me.outcome.action.skill == "navigate":
            s.went |= 1 << r
    for t, thing in enumerate(things):
        on = next((p for p, inside in enumerate(s.inside) if t in inside), -1)
        s.pos.append(on)
        if on >= 0 or t in s.held:
            continue
        place = v.belief.value("where", thing)
        if isinstance(place, str) and place not in v.platforms and v.furniture_of(place) is not None:
            spot = v.belief.value("spot", thing)
            s.pos[t] = v.position(place, spot if isinstance(spot, tuple) else None)
        else:  # nobody knows, or it was with a robot that is gone
            s.hidden |= 1 << t


def _guess(v: Survey) -> None:
    """A target whose place is unknown may lie on or in any furniture that nobody has looked at, anywhere on it.

    What a robot held that is gone has dropped where it stood. When every place has been looked at, things have been
    moved since, so that all places count again, but those that a robot stands at.
    """
    m, s = v.model, v.model.start
    lattice: dict[int, list[int]] = {}
    for thing in m.bits(s.hidden):
        positions = _dropped(v, m.things[thing])
        if not positions:
            if not s.unseen:
                every = range(len(v.furniture))
                watched = {m.loc_furniture[k] for k in s.loc}
                s.unseen = sum(1 << f for f in every if f not in watched) or sum(1 << f for f in every)
            for f in m.bits(s.unseen):
                if f not in lattice:
                    lattice[f] = _lattice(v, f)
                positions += lattice[f]
        m.guesses.append((thing, tuple(positions), tuple(float(i + 1) for i in range(len(positions)))))


def _lattice(v: Survey, f: int) -> list[int]:
    """Nine positions all over a surface: what can be reached from a stand pose depends on where a thing lies."""
    rect: Any = v.look("rect", v.furniture[f])
    height: Any = v.look("height", v.furniture[f])
    x0, y0, x1, y1 = rect
    xs = (x0 + MARGIN_M, (x0 + x1) / 2, x1 - MARGIN_M)
    ys = (y0 + MARGIN_M, (y0 + y1) / 2, y1 - MARGIN_M)
    return [v.position(v.furniture[f], (x, y, height)) for x in xs for y in ys]


def _dropped(v: Survey, thing: str) -> list[int]:
    """The floor beside the furniture that a robot was nearest to when it was last heard of, if nobody looked since."""
    m = v.model
    fact = v.belief.fact("where", thing)
    pose = v.belief.value("pose", fact.value) if fact is not None and isinstance(fact.value, str) else None
    if fact is None or not isinstance(pose, tuple):
        return []
    stands = [k for k, stand in enumerate(m.loc_stand) if stand is not None]
    near = min(stands, key=lambda k: math.dist(m.loc_pose[k], pose))
    floor = FLOOR + v.furniture[m.loc_furniture[near]]
    looked = v.belief.fact("contents", floor)
    if looked is not None and looked.time > fact.time:
        return []
    return [v.position(floor, (*m.loc_pose[near], 0.0))]
