"""Many worlds of one task at once, for learners and for search: `batched(Config("pack-objects"), 1024)`.

What agents see, what they may do and what comes of it is that of `parallel_env`, number for number; there are no words,
no seconds and no logs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.seeds import rng_of
from coterie.gym.actions import ROW, VALUE, ActionList
from coterie.gym.episodes import settled, task_for
from coterie.gym.rows import Layout
from coterie.worlds import entry_of

TRAINING = range(100)  # tasks are drawn before the first step, some milliseconds each
Array = NDArray[Any]


class BatchedEnv:
    """PettingZoo's parallel form over a batch: everything an agent is given or gives has one row for each world.

    Worlds whose episode ends begin another one in the same step: what is observed then is its beginning, and
    `infos["ended"]` says what has ended, with what was last seen of it in `infos["final"]`.
    """

    def __init__(
        self,
        config: Config,
        n: int = 1,
        seeds: Sequence[int] = TRAINING,
        step_cost: float = 0.0,
        numbers: int = 3,
        room: Mapping[str, int] | None = None,
    ):
        """`seeds` are those that episodes are drawn from; the rest is as in `TeamEnv`."""
        if n < 1 or not len(seeds):
            raise CoterieError("Batched worlds need at least one world, and one seed to draw episodes from.")
        self.config, self.n, self.step_cost = settled(config), n, step_cost
        entry = entry_of(self.config.task)
        twin, senses = entry.twin(self.config), entry.senses()
        if twin is None or senses is None:
            raise CoterieError(
                f"The world '{entry.name}' has no batched twin, so '{self.config.task}' has none; the indoor world has "
                "one. Take parallel_env() instead."
            )
        self.seeds = list(seeds)
        tasks = [task_for(replace(self.config, seed=seed)) for seed in self.seeds]
        self.layout = Layout(senses, {**senses.room(tasks[0]), **(room or {})})
        self.actions = ActionList(entry.language, self.layout, numbers)
        self.spans = self.actions.spans
        moves = [tuple(p.what for p in d.picks) for d in self.actions.list if d.skill == "move"]
        self.twin = twin(tasks, self.layout, self.spans, moves, n)
        self.possible_agents = self.agents = list(self.twin.tables.robots)
        self._table = _numbered(self.actions, self.twin.skills)
        self._draws = np.random.default_rng(0)
        self._begun = False
        size = len(self.actions)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32),
                "action_mask": spaces.MultiBinary(size),
            }
        )
        self.single_action_space = spaces.Discrete(size)

    # -- episodes -------------------------------------------------------------------------------------------------
    def reset(self, seed: int | None = None, seeds: Sequence[int] | None = None) -> tuple[Any, Any]:
        """Begin an episode in every world: those of `seeds`, one for each world, or drawn ones."""
        if seed is not None:
            self._draws = np.random.default_rng(rng_of("seeds", seed).getrandbits(64))
        chosen = self._drawn(self.n) if seeds is None else np.array([self._index(s) for s in seeds])
        if len(chosen) != self.n:
            raise CoterieError(f"There are {self.n} worlds, and {len(chosen)} seeds.")
        self.twin.begin(np.arange(self.n), chosen)
        self.twin.look()
        self._begun = True
        return self._observed(), {"seed": np.array(self.seeds)[self.twin.worlds.start]}

    def _drawn(self, count: int) -> Array:
        return self._draws.integers(len(self.seeds), size=count)

    def _index(self, seed: int) -> int:
        if seed not in self.seeds:
            raise CoterieError(f"Seed {seed} is not among those that these worlds were made with.")
        return self.seeds.index(seed)

    def step(self, actions: Mapping[str, Any] | Array) -> tuple[Any, Any, Any, Any, Any]:
        """One step in every world; `actions` are numbers by agent, or (worlds, agents) as one array."""
        if not self._begun:
            raise CoterieError("Call reset() before the first step().")
        w = self.twin.worlds
        before = w.partial.copy()
        self._act(actions)
        reward = w.partial - before - self.step_cost
        terminated = w.done.copy()
        truncated = ~terminated & (w.step >= w.limit)
        infos: dict[str, Any] = {"outcome": w.outcome.copy()}
        ended = np.flatnonzero(terminated | truncated)
        self.twin.look()
        if len(ended):
            rows = w.flat(ended)
            infos["ended"] = ended
            infos["final"] = {
                "observation": self.twin.shown.vectors[rows].reshape(len(ended), len(self.agents), -1),
                "success": w.done[ended],
                "partial": w.partial[ended],
                "steps": w.step[ended],
                "seed": np.array(self.seeds)[w.start[ended]],
            }
            self.twin.begin(ended, self._drawn(len(ended)))
            self.twin.look(ended)
        each = dict.fromkeys
        return (
            self._observed(),
            each(self.agents, reward),
            each(self.agents, terminated),
            each(self.agents, truncated),
            infos,
        )

    def _act(self, actions: Mapping[str, Any] | Array) -> None:
        if isinstance(actions, Mapping):
            missing = [a for a in self.agents if a not in actions]
            if missing:
                raise CoterieError(
                    f"No action was given for {missing[0]}; there must be one for each of {self.agents}."
                )
            actions = np.stack([np.asarray(actions[a]).reshape(self.n) for a in self.agents], axis=1)
        actions = np.asarray(actions)
        if actions.shape != (self.n, len(self.agents)) or actions.min() < 0 or actions.max() >= len(self.actions):
            raise CoterieError(
                f"Actions are numbers from 0 to {len(self.actions) - 1}, one for each of {self.n} worlds and each of "
                f"{self.agents}."
            )
        self.twin.act(*self._table[:, actions])

    def _observed(self) -> dict[str, dict[str, Array]]:
        """Observations of the agents: views of arrays that the next step overwrites; copy what is to be kept."""
        shown, r = self.twin.shown, len(self.agents)
        return {
            agent: {"observation": shown.vectors[k::r], "action_mask": shown.masks[k::r]}
            for k, agent in enumerate(self.agents)
        }


def _numbered(listed: ActionList, skills: Sequence[str]) -> Array:
    """For each action its skill, the row (or the move) and the side that it names. (3, actions)"""
    table = np.zeros((3, len(listed)), np.int64)
    for i, action in enumerate(listed.list):
        rows = [p.row for p in action.picks if p.how == ROW]
        table[0, i] = skills.index(action.skill)
        table[1, i] = i - listed.spans["move"][0] if action.skill == "move" else rows[0] if rows else 0
        sides = [p.what for p in action.picks if p.how == VALUE and isinstance(p.what, str)]
        table[2, i] = int(sides[0].rpartition("_")[2]) if sides else 0
    return table


class FastEnv(ParallelEnv):
    """One batched world as a plain PettingZoo environment: `parallel_env` without words and logs."""

    metadata = {"name": "coterie_fast_v0", "render_modes": [], "is_parallelizable": True}
    render_mode = None

    def __init__(self, config: Config, **options: Any):
        self.batch = BatchedEnv(config, 1, **options)
        self.possible_agents, self.agents = list(self.batch.agents), []  # type: list[str], list[str]
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.batch.single_observation_space)
        self.action_spaces = {a: spaces.Discrete(len(self.batch.actions)) for a in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
        """Begin the episode of a seed, or one that is drawn; there are no options."""
        known = seed is not None and seed in self.batch.seeds
        observed, _ = self.batch.reset(seed, [seed] if known and seed is not None else None)
        self.agents = list(self.possible_agents)
        return self._single(observed), {a: {} for a in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        observed, rewards, ended, cut, infos = self.batch.step(actions)
        seen, acted = self._single(observed), self.agents
        about: dict[str, dict[str, Any]] = {a: {} for a in acted}
        if "final" in infos:
            final = infos["final"]
            about = {a: {k: final[k][0].item() for k in ("success", "partial", "steps")} for a in acted}
            for k, agent in enumerate(acted):
                seen[agent]["observation"] = final["observation"][0, k]
            self.agents = []
        reward = {a: float(rewards[a][0]) for a in acted}
        terminated, truncated = ({a: bool(d[a][0]) for a in acted} for d in (ended, cut))
        return seen, reward, terminated, truncated, about

    @staticmethod
    def _single(observed: Mapping[str, Mapping[str, Array]]) -> dict[str, dict[str, Array]]:
        return {a: {k: v[0].copy() for k, v in o.items()} for a, o in observed.items()}
