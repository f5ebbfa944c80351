"""Monte Carlo tree search for a whole team, on what its robots have seen together.

`mcts` searches plainly, `mcts-noins` without the instruction to act where one has gone, `llm-mcts` with a language
model's advice (`advice.py`). All pool the beliefs of the party, read them into a model, search it and tell the idle
robots; none looks at the truth: what nobody has seen is unknown, a rule is learnt by breaking it, a closed zone by
being turned away. The budget of a decision is a number of iterations, never a time.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Ask, Asking, Reply, TeamProtocol, TeamView
from coterie.core.seeds import rng_of
from coterie.protocols.mcts.model import Model
from coterie.protocols.mcts.read import Past, read
from coterie.protocols.mcts.search import Search, Tuning

BUDGETS = (100, 1000, 10_000)  # iterations of a decision

Places = Mapping[str, Mapping[str, float]]  # target -> furniture -> how likely it lies there
Policy = Mapping[tuple[int, int], float]  # (robot, action) of the model -> how good it looks


class Mcts(TeamProtocol):
    """Plain search. `places` and `policy` are hooks for those who know more; they may ask a model."""

    sees = "pooled"
    about = "tree search over joint actions on pooled beliefs; a robot that went somewhere acts there first"
    goals = frozenset({"pack", "sort", "stack"})  # what its model of the house can count
    handling_first = True

    def __init__(self, iterations: int = 1000):
        self.tuning = Tuning(iterations, self.handling_first)
        self.past = Past()
        self.iterations = 0  # of the whole episode
        self.decisions = 0

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        team = self.past.take_in(team)
        model = read(team, self.past)
        if model is None:
            return {n: Action(WAIT, (), "There is no goal to search for.") for n in idle}
        model.lean((yield from self.places(team, model, idle)))
        prior = yield from self.policy(team, model, idle)
        search = Search(model, self.tuning, self._rng(team, idle), self._busy(model, idle), prior, self._left(team))
        search.run()
        self.iterations += search.iterations
        self.decisions += 1
        chosen = dict(zip(model.robots, enumerate(search.choice())))
        for name in idle:
            r, a = chosen[name]
            self.past.commands[name] = Action(*model.words(model.start, r, a), self.why(search, r, a))
        return {n: self.past.commands[n] for n in idle}

    # -- hooks ----------------------------------------------------------------------------------------------------
    def places(
        self, team: TeamView, model: Model, idle: Sequence[str]
    ) -> Generator[list[Ask], Sequence[Reply], Places]:
        """Where unseen targets are likely to be; without a word about one, everywhere alike."""
        return {}
        yield []  # makes this a generator

    def policy(
        self, team: TeamView, model: Model, idle: Sequence[str]
    ) -> Generator[list[Ask], Sequence[Reply], Policy]:
        """Weights of actions to try first; without a word about a robot, all alike."""
        return {}
        yield []

    def why(self, search: Search, r: int, a: int) -> str:
        tried = search.tried.get(r)
        return f"Tried in {tried} of {search.iterations} simulations." if tried else ""

    # -- the moment -----------------------------------------------------------------------------------------------
    def _rng(self, team: TeamView, idle: Sequence[str]) -> Any:
        """Decisions of one step differ by who is idle: robots that end at other times, or were refused."""
        me = next(iter(team.robots.values()))
        refused = sum(len(team.robots[n].refusals) for n in idle)
        return rng_of(me.seed, "mcts", team.step, round(team.time, 6), *idle, refused)

    def _busy(self, model: Model, idle: Sequence[str]) -> dict[int, int]:
        """Robots that go on with what they were told before."""
        busy = {}
        for r, name in enumerate(model.robots):
            if name not in idle:
                command = self.past.commands.get(name, Action(WAIT))
                busy[r] = model.number(model.start, r, command.skill, command.args)
        return busy

    def _left(self, team: TeamView) -> int | None:
        limit = next(iter(team.robots.values())).step_limit
        return None if limit is None else max(1, limit - team.step)


class MctsNoIns(Mcts):
    """Without the instruction to act where one has gone; what is pruned stays the same."""

    about = "tree search over joint actions on pooled beliefs, without the instruction to act before going on"
    handling_first = False
