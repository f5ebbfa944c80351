"""The interface of a job on the table: its robots, things, actions, rules and success, as the world needs them.

A job says where hands have to go; it never moves anything. The world plans the motion, checks it and carries it out.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from coterie.core.action import NOT_ASKED, WAIT, Action, Cause, Moment
from coterie.core.causes import of_teammate
from coterie.core.skill import Skill
from coterie.core.task import Progress
from coterie.worlds.tabletop.declared import JOBS, Posts, in_tuples
from coterie.worlds.tabletop.skills import VERBS

if TYPE_CHECKING:
    from coterie.motion.bodies import Mount

Table = Any  # `coterie.worlds.tabletop.table.Table`, which is made of a job
Xyz = tuple[float, float, float]
Quat = tuple[float, float, float, float]

ROCOBENCH, MECOBENCH, CLUTTERED = "rocobench", "mecobench", "cluttered"
MODES = (ROCOBENCH, MECOBENCH, CLUTTERED)  # narrow and wide randomisation; the wide one among posts

POSTS = "posts"  # of `Layout.more`: half sizes by name; where they stand is in `Layout.fixed`
TABLE_TOP = 0.15
DOWN: Quat = (0.0, 1.0, 0.0, 0.0)  # the tool's axis points to the floor
HIGH = 0.5  # hands that carry something between places come by at this height, or above it


class Box(NamedTuple):
    """The part of space in which a hand may work."""

    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float] = (0.16, 1.0)

    def holds(self, p: Xyz, slack: float = 1e-6) -> bool:
        return all(lo - slack <= v <= hi + slack for v, (lo, hi) in zip(p, self))


class Pose(NamedTuple):
    """Where a thing lies."""

    at: Xyz
    yaw: float = 0.0


@dataclass(frozen=True)
class Layout:
    """Everything that was drawn from the seed; plain data, so that it can be written down and compared."""

    things: Mapping[str, Pose]
    fixed: Mapping[str, Pose] = field(default_factory=dict)  # furniture whose place was drawn too
    more: Mapping[str, Any] = field(default_factory=dict)

    def posts(self) -> dict[str, tuple[Pose, Xyz]]:
        """Where posts stand, and their half sizes."""
        return {n: (self.fixed[n], (h[0], h[1], h[2])) for n, h in self.more.get(POSTS, {}).items()}

    def to_json(self) -> dict[str, Any]:
        return {
            "things": {n: [*p.at, p.yaw] for n, p in self.things.items()},
            "fixed": {n: [*p.at, p.yaw] for n, p in self.fixed.items()},
            "more": dict(self.more),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Layout:
        things = {n: Pose((v[0], v[1], v[2]), v[3]) for n, v in data["things"].items()}
        fixed = {n: Pose((v[0], v[1], v[2]), v[3]) for n, v in data["fixed"].items()}
        return cls(things, fixed, dict(data["more"]))


@dataclass(frozen=True)
class Leg:
    """One stretch of a hand's way: from where it is, to a point short of the target, to the target, and off again.

    Only the first part is planned; the approach and the retreat are straight and short. All robots' legs of one number
    run at the same time.
    """

    at: Xyz
    quats: tuple[Quat, ...] = (DOWN,)  # any of them will do
    free_yaw: bool = False
    approach: Xyz = (0.0, 0.0, 0.0)  # from the point before the target to be reached, seen from the target
    retreat: Xyz = (0.0, 0.0, 0.0)  # likewise, afterwards
    grasp: str = ""  # what to hold from here on
    release: str = ""  # what to let go of here
    path: tuple[Xyz, ...] = ()  # points on the way that a planner above asked for
    line: tuple[Xyz, ...] = ()  # the hand is led along straight lines through these points, at last to the target;
    #                             it turns evenly on the way (a full dustpan stays level, a handle keeps to its arc)
    any_way: bool = False  # where the line is not free, any other way will do
    stay: bool = False  # the hand does not move
    touch: tuple[str, ...] = ()  # what the hand may touch on this leg
    hint: Any = None  # a motion that is known already: {"knots": ...} or {"guide": ...}
    slow: float = 1.0  # share of the usual speed


#: Ways in which something can be done; in each, one after the other, what hands are at the same time.
Need = Sequence[Sequence[Mapping[str, Leg]]]
PINCHED = (0, 0.0)  # `Job.sides` of what is held between closed finger tips, which need not open to let go of it
STILL = Action(WAIT, why="nothing was asked of it", origin=NOT_ASKED)  # of an arm that was told nothing
STAY = Leg((0.0, 0.0, 0.0), stay=True)


class Tether(NamedTuple):
    """Two robots whose hands hold ends of one thing and cannot go farther apart than it is long [m]."""

    a: str
    b: str
    length: float


@dataclass(frozen=True)
class Refusal:
    """Why a joint action cannot be carried out: the clause that does not hold, and the words for the planner.

    `fact` is what the clause turned on; `robot` is with whom it lies, if it lies with one.
    """

    clause: str
    words: str
    fact: tuple[str, tuple[Any, ...], Any] | None = None
    robot: str = ""
    moment: Moment = "before"

    def said(self, before: str, after: str = "") -> Refusal:
        """The same with more words around it."""
        return replace(self, words=f"{before}{self.words}{after}")

    def of(self, robot: str) -> Refusal:
        """The same, of a robot; the words begin with its name."""
        return replace(self, words=f"{robot}: {self.words}", robot=robot)

    def at(self, moment: Moment) -> Refusal:
        return replace(self, moment=moment)

    def cause(self, robot: str) -> Cause:
        """The cause as it concerns one of the robots."""
        cause = Cause(self.clause, self.fact, self.moment)
        return cause if self.robot in ("", robot) else of_teammate(self.robot, cause)


class Job(ABC):
    """One of the tasks on the table."""

    name: ClassVar[str]
    asks: ClassVar[str] = ""  # the goal in words, where it is always the same
    mounts: tuple[Mount, ...]  # of the class; arms of one's own take their places in a copy
    boxes: ClassVar[Mapping[str, Box]]  # robot -> where its hand may work
    verbs: ClassVar[Mapping[str, tuple[str, ...]]]  # robot -> skills
    passing: ClassVar[float] = 0.005  # [m] between two arms on their way: lines are checked every 2 cm, and servos lag
    overlap: ClassVar[str] = "low"  # do the robots work in one space ("high"), or each in its own ("low")?
    rounds: ClassVar[int] = 10
    settle_steps: ClassVar[int] = 100
    paths: ClassVar[bool] = False  # do actions carry way points?
    path_std: ClassVar[float] = 1.0  # how uneven their steps may be
    stretch: ClassVar[tuple[str, ...]] = ("wait", "move")  # actions that last as long as the others'
    all_or_none: ClassVar[bool] = False  # does it take all arms, so that a grasp that fails spoils the others, too?
    can_change: ClassVar[bool] = False  # may something else be asked for on the way?
    tolerant: ClassVar[frozenset[str]] = frozenset()  # what arms may touch where there is no better path
    tools: ClassVar[Mapping[str, str]] = {}  # robot -> what is fixed to its hand
    hole: ClassVar[tuple[float, float, float, float] | None] = None  # x0, y0, x1, y1 cut out of the table
    welded: bool = False  # do fingers hold by welds, as cups do, instead of by friction?
    clutter: Sequence[Posts] = ()  # the posts among which it is played, in the order in which they are drawn
    shown: Mapping[str, Any] = {}  # what a log says of it for pictures, where nobody knows it by its name

    def __init_subclass__(cls) -> None:
        """A job that comes with the table is told of its arms, posts and more by `jobs.toml`."""
        declared = JOBS.get(cls.__dict__.get("name", ""))
        if declared is not None:
            arms = declared["arms"]
            cls.mounts = tuple(_mount(**arm) for arm in arms)
            cls.boxes = {arm["name"]: Box(*map(tuple, arm["box"])) for arm in arms}
            cls.verbs = {arm["name"]: tuple(arm["verbs"]) for arm in arms}
            cls.overlap = declared["family"]["overlap"]
            cls.asks = declared.get("goal", "")
            for name, value in in_tuples(declared.get("plays", {})).items():
                setattr(cls, name, value)
            cls.clutter = tuple(Posts(**in_tuples(row)) for row in declared["clutter"])

    # -- the scene ------------------------------------------------------------------------------------------------
    @abstractmethod
    def draw(self, rng: Random, mode: str) -> Layout: ...
    def drawn_like(self, layout: Layout, rng: Random) -> Layout:
        """A draw of the wide randomisation that has a chance to be similar to a layout: any, if chances are good."""
        return self.draw(rng, MECOBENCH)

    @abstractmethod
    def furnish(self, spec: Any, layout: Layout) -> None:
        """Add furniture and things to the model."""

    def equip(self, spec: Any, layout: Layout) -> None:  # noqa: B027 - most hands are empty
        """Add what is fixed to hands or has to know the arms, once these are in the model."""

    def reached(self, layout: Layout) -> tuple[Xyz, ...]:
        """Places that hands have to reach besides the things themselves; nothing is put into their way."""
        return ()

    def needs(self, table: Table) -> Iterator[Need]:
        """Where hands have to get for the job to be done at all; the table is theirs to look at, and to change. Among
        posts, layouts are drawn until all of it has free postures."""
        return iter(())

    def trips(self, layout: Layout) -> tuple[tuple[str, Xyz, str, Xyz], ...]:
        """Robot, where its hand comes from, thing, where that goes: a plain way to do the job, for jobs in which robots
        share the space. Streams of similar tasks are drawn by it."""
        return ()

    def choices(self, layout: Layout) -> dict[str, tuple[list[Xyz], list[Xyz]]]:
        """For every thing, where hands may come from to it and where it may go: every plan takes one of each. Streams
        of unlike tasks are drawn by it."""
        return {thing: ([start], [goal]) for _, start, thing, goal in self.trips(layout)}

    def fits(self, layout: Layout) -> bool:
        """True if this layout is possible at the beginning."""
        return True

    def places(self, layout: Layout) -> Mapping[str, Xyz]:
        """Places that plans name and that are no things, for pictures."""
        return {}

    def solids(self, layout: Layout) -> tuple[tuple[Any, ...], ...]:
        """Furniture in the way of hands: name, x, y, z, yaw, half sizes. Everybody knows it."""
        return ()

    def prepare(self, table: Table) -> None:  # noqa: B027 - most jobs start with empty hands
        """Bring the scene into its first state, before it settles."""

    def graspable(self, layout: Layout) -> tuple[str, ...]:
        return tuple(layout.things)

    def half(self, thing: str) -> Xyz | None:
        """Half the sizes of a thing, where the job knows them better than its model."""
        return None

    def wanted(self, layout: Layout) -> tuple[str, ...]:
        """The things that the task asks for; others lie about."""
        return tuple(layout.things)

    def grip_kind(self, thing: str) -> str:
        """How a hand holds a thing: "weld" as a whole, "ball" at a point about which it can turn, "" not at all."""
        return "weld"

    # -- acting ---------------------------------------------------------------------------------------------------
    @abstractmethod
    def legs(self, table: Table, robot: str, action: Action) -> list[Leg] | Refusal:
        """The legs of one action, or why there are none."""

    def rules(self, table: Table, joint: Mapping[str, Action]) -> Refusal | None:
        """Why the task forbids a joint action; None when it does not."""
        return None

    def homing(self, action: Action) -> bool:
        """Does the hand go home after this action?"""
        return action.skill in ("pick_place", "place", "put")

    def allowed(self, a: str, b: str) -> bool:
        """May these two touch while arms move? Robots, things, furniture; hands and what they hold are left out."""
        return False

    def tolerated(self, a: str, b: str) -> bool:
        """The same where there is no better path: an arm, or a thing in a hand, may touch what is `tolerant`."""
        other = {a, b} - set(self.verbs)
        return self.allowed(a, b) or (bool(other) and other <= self.tolerant)

    def laid_at(self, table: Table, robot: str) -> tuple[float, float] | None:
        """Where a robot that leaves lays what it holds; None: it drops it where its hand is."""
        return None

    def apart(self, a: str, b: str) -> float:
        """How far these two should stay apart on the way [m]; given up for want of a better way."""
        return 0.0

    def sides(self, thing: str) -> tuple[int, float]:
        """Across how many pairs of sides fingers can close, and the direction of the first, seen from the thing: a
        square has four in a turn, a round thing 0."""
        return 0, 0.0

    def tethers(self, table: Table, held: Mapping[str, str]) -> tuple[Tether, ...]:
        """Hands that are tied together by what they hold."""
        return ()

    # -- what is seen, and what counts ----------------------------------------------------------------------------
    @abstractmethod
    def notes(self, table: Table, robot: str) -> dict[str, str]:
        """The view of one robot, a sentence for each thing; things it cannot see are left out."""

    @abstractmethod
    def progress(self, table: Table) -> Progress: ...
    def goal(self, layout: Layout) -> str:
        """The goal as the team is told it."""
        return self.asks

    def changed(self, table: Table, rng: Random) -> Layout | None:
        """The same layout with another goal that can still be reached; None where there is none by now."""
        return None

    def role(self, robot: str) -> str:
        """Instructions for this robot alone."""
        return ""

    def area(self, thing: str, at: Xyz) -> str:
        """The work area in which a thing lies; similar tasks have the same."""
        return "left" if at[0] < 0 else "right"

    def turn(self, thing: str, yaw: float) -> float:
        """How a thing lies, as far as it matters for grasping it; the same for all turns in which it looks the same."""
        return 0.0

    def targets(self, robot: str, skill: str) -> tuple[str, ...]:
        """Names that the last parameter of a skill may take."""
        return ()

    def skills(self) -> dict[str, Skill]:
        return {n: VERBS[n] for n in dict.fromkeys(v for verbs in self.verbs.values() for v in verbs)}


def _mount(name: str, body: str, at: list[float], rail: list[float], home: Sequence[float] = (), **_: Any) -> Mount:
    from coterie.motion.bodies import Mount

    (x, y, z), (low, high) = at, rail
    return Mount(name, body, (x, y, z), rail=(low, high), home=tuple(home))


def everybody_waits(joint: Mapping[str, Action]) -> Refusal | None:
    """Nobody of those who were asked does anything; arms that were told nothing do not count."""
    waits = all(a.skill == WAIT and a.origin != NOT_ASKED for a in joint.values())
    return Refusal("may_wait", "not all robots may WAIT", ("may_wait", tuple(joint), False)) if waits else None


def alone(robot: str, legs: Sequence[Leg] | Refusal, touch: tuple[str, ...] = ()) -> Need:
    """One robot has to do this, leg by leg; it may come by any way, and touch these besides."""
    if isinstance(legs, Refusal):
        return []
    return [[{robot: replace(leg, line=(), touch=(*leg.touch, *touch))} for leg in legs]]


# -- small geometry -------------------------------------------------------------------------------------------------
def down(yaw: float) -> Quat:
    """The tool points down, its fingers open along `yaw`."""
    return (0.0, math.cos(yaw / 2), math.sin(yaw / 2), 0.0)


def up(height: float) -> Xyz:
    """Straight up, as an approach or a retreat."""
    return (0.0, 0.0, max(height, 0.0))


def above(p: Xyz, dz: float) -> Xyz:
    return (p[0], p[1], p[2] + dz)


def flat_distance(a: Xyz, b: Xyz) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def distance(a: Xyz, b: Xyz) -> float:
    return math.dist(a, b)


def spoken(p: Xyz) -> str:
    return f"({p[0]:.2f}, {p[1]:.2f}, {p[2]:.2f})"
