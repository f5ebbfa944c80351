"""Hand-made situations in one furnished flat: what a robot believes and remembers, in a few words.

The flat: a work table `table_0` with the arm Bob and the tray on it (stands 0 to 3), `sofa`, `book_case` and the high
shelf `wall_top` beside it; `fridge` and `dishwasher` (shut boxes) and `table_1` in the kitchen; `bed` and `drawer` (a
box); `washstand` and the high `cabinet_top`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import Action, Cause, Outcome, Status
from coterie.core.config import Config
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import RobotView
from coterie.episode.setup import build
from coterie.protocols.rules import Memory, next_action
from coterie.worlds.indoor.bodies import team as team_of
from coterie.worlds.indoor.tasks.goals import Pack, Stack

CARDS = dict(team_of("Ma-MoMa-Mo-UAV-MoMa"))  # Bob, Alice, David, Lucy, Alice2
NEAR = (2.1, 2.3, 0.75)  # a spot of the work table that Bob reaches
FAR = (3.46, 2.64, 0.75)  # and one that he does not
PACK = Pack(("cup_0", "book_0"))
STACK = Stack(("bread_0", "ham_0", "bread_1"))
NOW = 50.0


@functools.cache
def world(task: str = "pack-objects") -> Any:
    return build(Config(task=task, scene="flat", seed=4, team="Ma-MoMa-Mo-UAV"))[0]


@dataclass(frozen=True)
class Case:
    """`knows` are facts as (predicate, *args, value), seen just now. Nothing is remembered beyond what is said here."""

    name: str
    who: str
    does: tuple[Any, ...]  # skill and arguments; of what is said, only words that must be there
    knows: tuple[tuple[Any, ...], ...] = ()
    at: str | None = None
    stand: int = 0
    holds: str | None = None
    goal: Any = PACK
    others: tuple[str, ...] = ()  # by default the rest of Alice, Bob and Lucy
    strangers: tuple[str, ...] = ()  # of the others, those who have not introduced themselves
    memory: Memory = field(default_factory=lambda: Memory(introduced=True))
    last: tuple[Any, ...] | None = None  # (status, the clause that did not hold, skill, *args)
    step: int = 6
    limit: int | None = 40
    tells: tuple[tuple[Any, ...], ...] = ()  # facts that must go with the words
    remembers: tuple[str, ...] = ()  # must be in `said` afterwards
    sure: bool = True  # of its radio

    def __post_init__(self) -> None:
        if not self.others:
            object.__setattr__(self, "others", tuple(n for n in ("Alice", "Bob", "Lucy") if n != self.who))


def view(case: Case) -> RobotView:
    house = world("make-sandwich" if case.goal is not None and case.goal.kind == "stack" else "pack-objects")
    belief = Belief(house.map(), house.listings())
    fixed = not CARDS[case.who].moves
    own = (
        house.scene.work.arm
        if fixed
        else house.look("stand_pose", case.at, f"stand_pose_{case.stand}")
        if case.at
        else (5.0, 4.0)
    )
    facts: list[tuple[Any, ...]] = [("card", n, CARDS[n]) for n in (case.who, *case.others) if n not in case.strangers]
    facts += [("pose", "Bob", house.scene.work.arm)] if "Bob" in (case.who, *case.others) else []
    facts += [
        ("at", case.who, case.at),
        ("stand", case.who, f"stand_pose_{case.stand}" if case.at and not fixed else None),
    ]
    facts += [("pose", case.who, own), ("holding", case.who, case.holds)]
    facts += [("where", case.holds, case.who)] if case.holds else []
    if case.goal is not None:
        facts += [("goal", case.goal), *(("contents", p, ()) for p in case.goal.platforms)]
    early = [Fact(pred, tuple(args), value, NOW - 10, case.who) for pred, *args, value in facts]
    for fact in [*early, *(_fact(case.who, known) for known in case.knows)]:
        belief.tell(fact)
    outcome = None
    if case.last is not None:
        status: Status = case.last[0]
        action = Action(case.last[2], tuple(case.last[3:]))
        outcome = Outcome(case.who, action, status, case.last[1], cause=Cause(case.last[1]))
    return RobotView(
        case.who,
        CARDS[case.who],
        belief,
        house.lookup(belief),
        step=case.step,
        time=NOW,
        step_limit=case.limit,
        outcome=outcome,
        heartbeat=case.others,
        sure=case.sure,
    )


def _fact(who: str, known: tuple[Any, ...]) -> Fact:
    if isinstance(known, Fact):  # heard from somebody, or seen at another time
        return known
    pred, *args, value = known
    return Fact(pred, tuple(args), value, NOW, who)


def played(case: Case) -> tuple[Action, Memory]:
    return next_action(view(case), case.memory)


def searched(*but: str, table: bool = False) -> tuple[tuple[Any, ...], ...]:
    """Every place was looked at and was empty, but these."""
    places = world().look("all_furniture")
    return tuple(("contents", f, ()) for f in places if f not in but and (table or f != "table_0"))


def lies(
    thing: str, place: str, spot: tuple[float, float, float] | None = None, mass: float = 0.2
) -> tuple[tuple[Any, ...], ...]:
    """A thing was seen somewhere, and nothing else there."""
    spot = spot or spot_at(place)
    return (("contents", place, (thing,)), ("spot", thing, spot), ("mass", thing, mass))


def spot_at(place: str, n: int = 0) -> tuple[float, float, float]:
    return world().scene.piece[place.removeprefix("floor@")].spots[n]


def said(*what: str, **more: Any) -> Memory:
    return Memory(introduced=True, said=frozenset(what), **more)


def failed(*actions: str, step: int = 5, times: int = 2, **more: Any) -> Memory:
    return Memory(introduced=True, failures=tuple((a, step) for a in actions for _ in range(times)), **more)
