"""A small, fast picture of an indoor task for search: whole numbers and bit masks instead of names and facts.

It holds what a party believes, never more. Robots stand at *locations* (a stand pose, or wherever a robot is now),
things lie at *positions* (a place and, where it is known, a spot). What the picture leaves out: time within a step,
doors (taken as they are believed to be), `move` and talk, and how many things fit on a surface.

Actions that cannot work are pruned, and handling is restricted to what concerns the targets: they are picked up from
where they do not belong, put on any platform or the work table; containers are opened while something is missing.
Going somewhere is not restricted, because a look anywhere may matter; most actions are therefore of this kind.
`read.py` makes the tables from beliefs, `search.py` plays in them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import Any

# An action is a number: its kind in thousands, its argument (location, thing, furniture, place) in the rest.
WAIT, NAVIGATE, PICK, OPEN, PLACE = 0, 1000, 2000, 3000, 4000
KIND = 1000


class State:
    """One moment. Bit i of `hidden`, `wants` is thing i; of `unseen`, `open` furniture i; of `went` robot i."""

    __slots__ = ("done", "held", "hidden", "inside", "loc", "open", "pos", "score", "unseen", "wants", "went")

    def __init__(self) -> None:
        self.loc: list[int] = []  # of each robot
        self.held: list[int] = []  # thing in each robot's hand, or -1
        self.pos: list[int] = []  # position of each thing, or -1 in a hand; of hidden things it is a guess
        self.inside: list[list[int]] = []  # things on each platform, from the bottom up
        self.hidden = 0  # targets that nobody has seen yet
        self.unseen = 0  # furniture that nobody has looked at yet
        self.open = 0  # open containers
        self.went = 0  # robots whose last action was `navigate`
        self.wants = 0  # things to be picked up: out of place, seen, lying free
        self.score = 0.0  # partial success, below 0 when more is wrong than right
        self.done = False

    def copy(self) -> State:
        s = State.__new__(State)
        s.loc, s.held, s.pos = self.loc[:], self.held[:], self.pos[:]
        s.inside = [p[:] for p in self.inside]
        s.hidden, s.unseen, s.open, s.went = self.hidden, self.unseen, self.open, self.went
        s.wants, s.score, s.done = self.wants, self.score, self.done
        return s


@dataclass
class Model:
    """The tables of one decision. Masks over locations say from where something can be done."""

    robots: tuple[str, ...]
    furniture: tuple[str, ...]
    platforms: tuple[str, ...]
    things: tuple[str, ...]
    kind: str  # of the goal: "pack", "sort" or "stack"
    order: tuple[int, ...]  # targets; in a stack from the bottom up
    targets: int  # the same as a mask
    home: tuple[int, ...]  # platform of each thing, or -1
    containers: int = 0  # mask of furniture
    # locations
    loc_furniture: list[int] = field(default_factory=list)  # -1: beside none
    loc_stand: list[str | None] = field(default_factory=list)
    loc_pose: list[tuple[float, float]] = field(default_factory=list)
    near: list[int] = field(default_factory=list)  # location -> mask of those too near for a second robot
    # positions
    pos_place: list[int] = field(default_factory=list)  # furniture, then platforms
    pos_furniture: list[int] = field(default_factory=list)
    pos_box: list[int] = field(default_factory=list)  # bit of the container that must be open
    # what each robot can do
    beside: list[tuple[int, ...]] = field(default_factory=list)  # robots of the same layer, floor or air
    go: list[int] = field(default_factory=list)  # locations it may go to
    opens: list[int] = field(default_factory=list)  # locations from which it opens the container there
    take: list[list[int]] = field(default_factory=list)  # [robot][position] -> locations
    lift: list[int] = field(default_factory=list)  # things not too heavy for it
    lay: list[dict[int, int]] = field(default_factory=list)  # location -> position of what it puts down there
    put: list[list[int]] = field(default_factory=list)  # [robot][platform] -> locations
    start: State = field(default_factory=State)
    guesses: list[tuple[int, tuple[int, ...], tuple[float, ...]]] = field(default_factory=list)
    _bits: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _goes: dict[int, tuple[int, ...]] = field(default_factory=dict)

    # -- belief ---------------------------------------------------------------------------------------------------
    def sample(self, rng: Random) -> State:
        """The present moment, with every unseen target laid somewhere it may be.

        `guesses` lists, for each of them, the positions and their cumulative weights.
        """
        s = self.start.copy()
        for thing, positions, weights in self.guesses:
            s.pos[thing] = positions[bisect_right(weights, rng.random() * weights[-1])]
        return s

    def lean(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        """Make some furniture likelier than other for some targets; what is not named shares the least weight."""
        for i, (thing, positions, _) in enumerate(self.guesses):
            likely = weights.get(self.things[thing])
            if likely:
                least = min(likely.values()) / 2
                each = [likely.get(self.furniture[self.pos_furniture[p]], least) for p in positions]
                self.guesses[i] = (thing, positions, tuple(accumulate(each)))

    # -- what can be done -----------------------------------------------------------------------------------------
    def bits(self, mask: int) -> tuple[int, ...]:
        found = self._bits.get(mask)
        if found is None:
            found = self._bits[mask] = tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
        return found

    def handling(self, s: State, r: int, taken: Sequence[int] = ()) -> list[int]:
        """Actions other than going somewhere; those out of reach or of no use for the targets are left out.

        So are those that fail because of what robots before it do in the same step (`taken`).
        """
        loc, held, out = s.loc[r], s.held[r], []
        if held >= 0:
            if loc in self.lay[r]:
                out.append(PLACE + self.loc_furniture[loc])
            for p, mask in enumerate(self.put[r]):
                if mask >> loc & 1:
                    a = PLACE + len(self.furniture) + p
                    if self.kind != "sort" or not (s.inside[p] or a in taken):  # a panel holds one thing
                        out.append(a)
            return out
        wants = s.wants & self.lift[r]
        if wants:
            takes = self.take[r]
            for thing in self.bits(wants):
                pos = s.pos[thing]
                if takes[pos] >> loc & 1 and not self.pos_box[pos] & ~s.open and PICK + thing not in taken:
                    out.append(PICK + thing)
        if self.opens[r] >> loc & 1:
            f = self.loc_furniture[loc]
            if self._worth_opening(s, f) and OPEN + f not in taken:
                out.append(OPEN + f)
        return out

    def _worth_opening(self, s: State, f: int) -> bool:
        if s.open >> f & 1:
            return False
        if s.hidden and s.unseen >> f & 1:
            return True
        return any(self.pos_box[s.pos[t]] >> f & 1 for t in self.bits(s.wants))

    def going(self, s: State, r: int, taken: Sequence[int] = ()) -> tuple[int, ...]:
        """Going to every stand pose that is not known to be closed, cut off or taken."""
        mask = self.go[r]
        if not mask:
            return ()
        mask &= ~(1 << s.loc[r])
        for other in self.beside[r]:
            mask &= ~self.near[s.loc[other]]
            if other < len(taken) and NAVIGATE <= taken[other] < PICK:
                mask &= ~self.near[taken[other] - NAVIGATE]
        found = self._goes.get(mask)
        if found is None:
            found = self._goes[mask] = tuple(NAVIGATE + loc for loc in self.bits(mask))
        return found

    def actions(self, s: State, r: int, taken: Sequence[int], handling_first: bool) -> list[int]:
        """The actions of robot `r`; never empty.

        With `handling_first`, who has just gone somewhere does not go on if there is something to do.
        """
        out = self.handling(s, r, taken)
        if out and handling_first and s.went >> r & 1:
            return out
        out.extend(self.going(s, r, taken))
        out.append(WAIT)
        return out

    # -- what comes of it -----------------------------------------------------------------------------------------
    def step(self, s: State, joint: list[int]) -> int:
        """All robots act at once; returns the mask of targets that came into sight."""
        news = False
        moved = False
        for r, a in enumerate(joint):
            if NAVIGATE <= a < PICK:
                s.loc[r] = a - NAVIGATE
                s.went |= 1 << r
                moved = True
                continue
            s.went &= ~(1 << r)
            if a >= PLACE:
                self._place(s, r, a - PLACE)
                news = True
            elif a >= OPEN:
                s.open |= 1 << (a - OPEN)
                moved = True
            elif a >= PICK:
                self._pick(s, r, a - PICK)
                news = True
        found = self._look(s) if moved and s.hidden else 0
        if news or found:
            self.count(s)
        return found

    def _pick(self, s: State, r: int, thing: int) -> None:
        platform = self.pos_place[s.pos[thing]] - len(self.furniture)
        if platform >= 0:
            s.inside[platform].remove(thing)
        s.pos[thing] = -1
        s.held[r] = thing

    def _place(self, s: State, r: int, place: int) -> None:
        thing, s.held[r] = s.held[r], -1
        platform = place - len(self.furniture)
        if platform >= 0:
            s.inside[platform].append(thing)
            s.pos[thing] = platform  # the first positions are the platforms
        else:
            s.pos[thing] = self.lay[r][s.loc[r]]

    def _look(self, s: State) -> int:
        """Robots see what lies where they stand, unless it is in a closed container."""
        found = 0
        shut = self.containers & ~s.open
        hidden = self.bits(s.hidden)
        for loc in s.loc:
            f = self.loc_furniture[loc]
            if f >= 0:
                s.unseen &= shut | ~(1 << f)
                for thing in hidden:
                    pos = s.pos[thing]
                    if self.pos_furniture[pos] == f and not self.pos_box[pos] & shut:
                        found |= 1 << thing
        s.hidden &= ~found
        return found

    def count(self, s: State) -> None:
        """Bring up to date what is right, what is wrong, and what is still to be picked up."""
        busy = s.hidden
        for thing in s.held:
            if thing >= 0:
                busy |= 1 << thing
        wanted = self.targets
        right = wrong = 0
        for p, inside in enumerate(s.inside):
            fits = True
            for i, thing in enumerate(inside):
                if self.kind == "stack":
                    fits = fits and i < len(self.order) and self.order[i] == thing
                    covered = i < len(inside) - 1
                else:
                    fits, covered = self.home[thing] == p, False
                right += fits
                wrong += not fits
                wanted |= 1 << thing
                if fits or covered:
                    busy |= 1 << thing
        s.wants = wanted & ~busy
        s.score = (right - wrong) / len(self.order)
        s.done = right == len(self.order) and not wrong

    # -- names ----------------------------------------------------------------------------------------------------
    def words(self, s: State, r: int, a: int) -> tuple[str, tuple[Any, ...]]:
        """Skill and arguments of an action of robot `r`."""
        kind, arg = a // KIND * KIND, a % KIND
        if kind == NAVIGATE:
            return "navigate", (self.furniture[self.loc_furniture[arg]], self.loc_stand[arg])
        if kind == PICK:
            return "pick", (self.things[arg],)
        if kind == OPEN:
            return "open", (self.furniture[arg],)
        if kind == PLACE:
            return "place", (self.things[s.held[r]], (*self.furniture, *self.platforms)[arg])
        return "wait", ()

    def number(self, s: State, r: int, skill: str, args: tuple[Any, ...]) -> int:
        """The action of robot `r` with this skill and these arguments; WAIT for what the picture does not hold."""
        options = (*self.handling(s, r), *self.going(s, r))
        return next((a for a in options if self.words(s, r, a) == (skill, args)), WAIT)
