"""Monte Carlo tree search over the joint actions of a team.

- *Joint actions.* One step of the team is a chain of nodes, one per robot: a robot chooses knowing what those before it
  have chosen in this step, and all act when the last has chosen. This is the joint action space, factored so that a
  node has dozens of children rather than tens of thousands; it still grows with every robot.
- *Unknown places.* Every iteration draws where unseen targets lie and plays in that world. A branch is told apart by
  what came into sight on it, so no choice rests on what could not be known when it is made.
- *Selection* is PUCT: mean return plus `explore * prior * sqrt(visits) / (1 + own visits)`; the prior is uniform unless
  one is given. A child never tried counts as its parent's mean.
- *Return.* What partial success gains, and 1 more for the whole task, each worth less the later it comes (`discount`),
  which is the cost of a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

from coterie.protocols.mcts.model import WAIT, Model, State


@dataclass(frozen=True)
class Tuning:
    iterations: int = 1000  # of every decision
    handling_first: bool = True  # who has just gone somewhere first does what can be done there
    explore: float = 1.5
    discount: float = 0.95
    horizon: int = 20  # steps looked ahead


class Node:
    """A choice of one robot, told apart by all choices and finds before it."""

    __slots__ = ("children", "stats", "value", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.value = 0.0  # sum of returns
        self.stats: dict[int, list[float]] = {}  # action -> [visits, sum of returns]
        self.children: dict[tuple[int, ...], Node] = {}

    def child(self, key: tuple[int, ...]) -> Node:
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = Node()
        return found


class Search:
    """One decision: `run`, then `choice`."""

    def __init__(
        self,
        model: Model,
        tuning: Tuning,
        rng: Random,
        forced: Mapping[int, int] | None = None,
        prior: Mapping[tuple[int, int], float] | None = None,
        steps_left: int | None = None,
    ):
        self.model, self.tuning, self.rng = model, tuning, rng
        self.forced = forced or {}  # robots that are busy, and what they do in this step
        self.prior = prior or {}  # (robot, action) -> weight
        self.horizon = min(tuning.horizon, steps_left) if steps_left is not None else tuning.horizon
        self.root = Node()
        self.iterations = 0
        self.tried: dict[int, int] = {}  # robot -> in how many iterations its choice was tried, once chosen

    def run(self) -> None:
        for _ in range(self.tuning.iterations):
            self._iterate()

    # -- one iteration --------------------------------------------------------------------------------------------
    def _iterate(self) -> None:
        self.iterations += 1
        s = self.model.sample(self.rng)
        joint: list[int] = []
        rewards: list[float] = []
        trail = self._descend(s, joint, rewards)
        self._play_out(s, joint, rewards)
        self._back_up(trail, rewards)

    def _descend(self, s: State, joint: list[int], rewards: list[float]) -> list[tuple[Node, int, int]]:
        """Down the tree to a node never visited. What is gone through comes back as (node, action, step)."""
        model, robots, first = self.model, len(self.model.robots), self.tuning.handling_first
        trail: list[tuple[Node, int, int]] = []
        node, key = self.root, ()  # type: Node, tuple[int, ...]
        while not s.done and len(rewards) < self.horizon:
            r = len(joint)
            if not rewards and r in self.forced:
                joint.append(self.forced[r])
            else:
                options = model.actions(s, r, joint, first)
                if len(options) > 1:  # where there is no choice there is no node
                    if key:
                        node = node.child(key)
                    if not node.visits:
                        trail.append((node, -1, len(rewards)))
                        break
                    a = self._select(node, r, options)
                    trail.append((node, a, len(rewards)))
                    key = (a,)
                    joint.append(a)
                else:
                    joint.append(options[0])
            if len(joint) == robots:
                key += (self._step(s, joint, rewards),)
                joint.clear()
        return trail

    def _step(self, s: State, joint: list[int], rewards: list[float]) -> int:
        before = s.score
        found = self.model.step(s, joint)
        rewards.append(s.score - before + s.done)
        return found

    def _select(self, node: Node, r: int, options: Sequence[int]) -> int:
        stats, n = node.stats, len(options)
        mean = node.value / node.visits
        bonus = self.tuning.explore * sqrt(node.visits)
        shares = self._shares(r, options)
        offset = int(self.rng.random() * n)  # ties go to anybody
        best, best_score = options[0], -1e9
        for k in range(-offset, n - offset):
            known = stats.get(options[k])
            if known is None:
                score = mean + bonus * shares[k]
            else:
                score = known[1] / known[0] + bonus * shares[k] / (1.0 + known[0])
            if score > best_score:
                best, best_score = options[k], score
        return best

    def _shares(self, r: int, options: Sequence[int]) -> Sequence[float]:
        """The prior over these options. Half of it is uniform, so that advice rules nothing out."""
        even = 1.0 / len(options)
        if self.prior:
            weights = [self.prior.get((r, a), 0.0) for a in options]
            total = sum(weights)
            if total > 0:
                return [0.5 * even + 0.5 * w / total for w in weights]
        return (even,) * len(options)

    def _play_out(self, s: State, joint: list[int], rewards: list[float]) -> None:
        """Any relevant actions, to the horizon."""
        robots, random, forced = len(self.model.robots), self.rng.random, self.forced
        while not s.done and len(rewards) < self.horizon:
            for r in range(len(joint), robots):
                if forced and not rewards and r in forced:
                    joint.append(forced[r])
                else:
                    joint.append(self._any(s, r, joint, random()))
            self._step(s, joint, rewards)
            joint.clear()

    def _any(self, s: State, r: int, joint: list[int], draw: float) -> int:
        hand = self.model.handling(s, r, joint)
        if hand and self.tuning.handling_first and s.went >> r & 1:
            return hand[int(draw * len(hand))]
        go = self.model.going(s, r, joint)
        k = int(draw * (len(hand) + len(go)))
        if k < len(hand):
            return hand[k]
        return go[k - len(hand)] if go else WAIT

    def _back_up(self, trail: list[tuple[Node, int, int]], rewards: list[float]) -> None:
        to_go = [0.0] * (len(rewards) + 1)
        for i in range(len(rewards) - 1, -1, -1):
            to_go[i] = rewards[i] + self.tuning.discount * to_go[i + 1]
        for node, a, depth in trail:
            gain = to_go[depth]
            node.visits += 1
            node.value += gain
            known = node.stats.get(a)
            if known is not None:
                known[0] += 1
                known[1] += gain
            elif a >= 0:
                node.stats[a] = [1, gain]

    # -- the result -----------------------------------------------------------------------------------------------
    def choice(self) -> list[int]:
        """The joint action tried most often, robot by robot; where nothing was tried, any relevant one."""
        model, s = self.model, self.model.start
        node: Node | None = self.root
        joint: list[int] = []
        for r in range(len(model.robots)):
            if r in self.forced:
                joint.append(self.forced[r])
                continue
            options = model.actions(s, r, joint, self.tuning.handling_first)
            if len(options) == 1:
                joint.append(options[0])
                continue
            tried = node.stats if node is not None else {}
            known = [a for a in options if a in tried]
            if known:
                joint.append(max(known, key=lambda a: (tried[a][0], tried[a][1])))
                self.tried[r] = int(tried[joint[-1]][0])
            else:
                joint.append(self._any(s, r, joint, self.rng.random()))
            node = node.children.get((joint[-1],)) if node is not None else None
        return joint
