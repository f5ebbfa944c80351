"""The interface of a world: ground truth and its physics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from coterie.core.action import Action, Outcome, Verdict
from coterie.core.area import Patch
from coterie.core.card import Card
from coterie.core.event import Event
from coterie.core.expr import Lookup
from coterie.core.facts import Belief, Fact
from coterie.core.sight import Sight
from coterie.core.task import Change, Progress

ACCIDENT = "accident"  # a predicate of `World.trace`: what happened by itself, with a sentence as its value


class Observation(NamedTuple):
    """The perception of a robot now. The heartbeat names the teammates in range that are alive; it is free.

    `area` is the ground that it sees, for worlds that are seen cell by cell. `gone` is what it sees not to be so: a
    belief that holds it lets go of it, and one that does not learns nothing.
    """

    robot: str
    time: float
    facts: tuple[Fact, ...]
    heartbeat: tuple[str, ...]
    area: Patch | None = None
    gone: tuple[Fact, ...] = ()


@runtime_checkable
class Running(Protocol):
    """An action under way, in a simulated world or on a real robot."""

    def poll(self, now: float) -> Outcome | None: ...
    def cancel(self, now: float) -> Outcome: ...


class Driver(Protocol):
    """Carries out the actions of one robot: a real one, or one in another simulation. Nobody knows when it will end."""

    def start(self, robot: str, action: Action, now: float) -> Running: ...


class Standing(NamedTuple):
    """How a robot with a driver of its own stands: whether it can be reached, and who has stopped it."""

    there: bool = True
    stopped: str = ""  # by whom
    why: str = ""  # it cannot be reached


@runtime_checkable
class FarDriver(Driver, Protocol):
    """A driver that may lose its robot, whose robot may be stopped by others, and which outlives the run."""

    poll_s: float  # simulated time between two questions

    def begin(self, run: str) -> None: ...  # a run has a name of its own, and keeps it when it is resumed
    def standing(self, robot: str) -> Standing: ...


@runtime_checkable
class NotingDriver(FarDriver, Protocol):
    """A driver that keeps notes of what it was asked for, so that a run that is resumed does nothing twice."""

    def is_ahead(self, number: int) -> bool: ...  # whether it has notes of the run about actions after this one
    def act_for(self, run: str, number: int) -> None: ...  # the next action is noted as this one of a run of that name


@runtime_checkable
class OpenFleet(Protocol):
    """Drivers of a team that others may join, whose drivers bring their cards."""

    def newcomers(self) -> Sequence[tuple[str, Card]]: ...  # that have come since it was last asked
    def admit(self, robot: str) -> FarDriver: ...  # for the run that is under way


@runtime_checkable
class SensingDriver(FarDriver, Protocol):
    """A driver whose robot reports what it perceives."""

    def sensed(self, robot: str, wait_s: float = 0.0) -> Sequence[Sight]: ...  # since it was last asked, oldest first
    def keep_pace(self, now: float) -> None: ...  # wait until the clock has come as far as the simulated time


@runtime_checkable
class GuidingWorld(Protocol):
    """A world that tells drivers where what an action names is, or how an arm is to move for it."""

    def guide(self, robot: str, action: Action) -> tuple[Fact, ...]: ...


@runtime_checkable
class RealWorld(GuidingWorld, Protocol):
    """A world that is not simulated: it knows what robots report, and nothing else."""

    def sense(self, robot: str, sight: Sight) -> None: ...


@runtime_checkable
class Twin(Protocol):
    """A world that takes over what a robot with a driver of its own has done."""

    def accept(self, outcome: Outcome) -> Outcome: ...


@runtime_checkable
class Placed(Protocol):
    """A world that knows how far robots are apart, so that a radio can have a range; any world may offer it."""

    def distance(self, a: str, b: str) -> float | None: ...  # [m]; None where nobody can say, which is near enough


@runtime_checkable
class Photographed(Protocol):
    """A world whose robots have cameras that take pictures."""

    #: `rgb` (pixels, pixels, 3), `depth` (pixels, pixels) [m] and `segmentation` (pixels, pixels) as arrays
    def photograph(self, robot: str, pixels: int) -> Mapping[str, Any]: ...


@runtime_checkable
class World(Protocol):
    """Ground truth. Robots and protocols see it only through observations and outcomes.

    Every outcome that is not done, and every refusal of `check`, carries its `Cause`.

    A world may also have `brief = True`: its steps are many and small, and the log tells each that is done in one line
    (`did`). And it may have `resting`, the names of robots that neither see nor act any more: nobody asks their minds;
    and `begin_again(first)`, which is `restore` of its first snapshot, but that changes which have come stay.
    """

    #: True where whole teams may ask for free what a joint action would do (arms that plan before they move).
    free_check: bool
    now: float

    def robots(self) -> Mapping[str, Any]: ...  # name -> card, of those online
    def map(self) -> Mapping[tuple[str, ...], object]: ...  # common knowledge that never changes
    def listings(self) -> Mapping[str, str]: ...  # for Belief
    def lookup(self, belief: Belief) -> Lookup: ...  # a belief, and the fluents that follow from it
    def skill(self, name: str) -> Any: ...  # the Skill, or None
    def observe(self, robot: str) -> Observation: ...
    def check(self, joint: Mapping[str, Action]) -> Mapping[str, Verdict]: ...
    def start(self, joint: Mapping[str, Action]) -> None: ...
    def advance(self, until: float | None = None) -> list[Outcome]: ...
    def cancel(self, robot: str) -> Outcome | None: ...
    def apply(self, change: Change) -> list[Event]: ...
    def progress(self) -> Progress: ...
    def trace(self) -> list[list[Any]]: ...  # [pred, args, value] that became true since the last call
    def start_data(self) -> dict[str, Any]: ...  # what a reader of the log has to know: robots, scene, things
    def snapshot(self) -> bytes: ...
    def restore(self, data: bytes) -> None: ...
