"""A task as a PettingZoo `ParallelEnv`: robots are agents, which come and go as the task has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import Fact
from coterie.core.protocol import Decision, Option
from coterie.core.seeds import rng_of
from coterie.core.task import Task
from coterie.core.world import Photographed
from coterie.episode.parties import other_parties
from coterie.gym.actions import ActionList
from coterie.gym.episodes import Answer, OpenEpisode, settled, task_for
from coterie.gym.rows import Layout, Rows
from coterie.log.fold import state_at
from coterie.worlds import entry_of

TRAINING = range(10_000)  # suites of the benchmark test on the seeds above
RGB = "rgb_array"
MOST_PIXELS = 1024

Observed = dict[str, Any]  # "observation" and "action_mask", and pictures where they are wanted


class TeamEnv(ParallelEnv):
    """Every robot of the team is an agent. What it sees is its own belief; what it does are its card's skills.

    An agent that vanishes or comes to rest is terminated; one that joins appears. The reward, the same for all, is how
    much further the goal has come in this step, less `step_cost`.
    """

    metadata = {"name": "coterie_v0", "render_modes": [RGB], "is_parallelizable": True, "render_fps": 2}

    def __init__(
        self,
        config: Config,
        render_mode: str | None = None,
        room: Mapping[str, int] | None = None,
        step_cost: float = 0.0,
        seeds: Sequence[int] = TRAINING,
        numbers: int = 3,
        options: bool = False,
        share: bool = False,
        logs: str | Path | None = None,
        answer: Answer | None = None,
        pixels: int = 0,
        every: int = 0,
    ):
        """`seeds` are those that episodes are drawn from; `room` changes how many rows a table has; `numbers` is how
        many values of a distance are offered. With `options` actions are decisions over many steps, in worlds that have
        such, asked for when one has ended, or at latest `every` so many steps; a wait lasts as long, then. With `share`
        robots tell each other what they see, at no cost. `logs` names a folder for a log of every episode; `answer` is
        a model for other parties that ask one. `pixels` adds what the robot's camera shows, that many pixels wide and
        high: `rgb`, `depth` [m] and `segmentation`, in worlds whose robots have cameras."""
        if render_mode not in (None, RGB):
            raise CoterieError(f"There is no render mode '{render_mode}'; there is '{RGB}'.")
        if not len(seeds):
            raise CoterieError("An environment needs at least one seed to draw episodes from.")
        self.config, self.render_mode, self.step_cost = settled(config), render_mode, step_cost
        self.entry = entry_of(self.config.task)
        senses = self.entry.senses()
        if senses is None:
            raise CoterieError(
                f"The world '{self.entry.name}' does not say how beliefs become numbers, so '{self.config.task}' is no "
                "environment yet: give its entry `senses`."
            )
        if options and not senses.options:
            raise CoterieError(f"The world '{self.entry.name}' has no options over many steps; leave out `options`.")
        self.seeds, self.answer, self.options, self.share, self.every = seeds, answer, options, share, every
        self.logs = None if logs is None else Path(logs)
        self._task = lru_cache(maxsize=256)(self._draw)  # drawing one may take longer than playing it
        task = self._task(self.config.seed)
        away = {r for p in other_parties(self.config) for r in p.robots}
        self.cards = {n: c for n, c in _robots(task).items() if n not in away}
        sizes = dict(senses.room(task))
        for table, rows in (room or {}).items():
            if table not in sizes:
                raise CoterieError(f"There is no table '{table}' to make room in. There are: {', '.join(sizes)}.")
            sizes[table] = rows
        self.layout = Layout(senses, sizes)
        self.possible_agents = list(self.cards)
        self.actions = ActionList(self.entry.language, self.layout, numbers, options)
        vector = spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32)
        count = len(self.actions)
        shown = {"observation": vector, "action_mask": spaces.MultiBinary(count), **self._pictured(pixels)}
        self.pixels = pixels
        self.observation_spaces = {n: spaces.Dict(shown) for n in self.cards}
        self.action_spaces = {n: spaces.Discrete(count) for n in self.cards}
        self.agents: list[str] = []
        self.episode: OpenEpisode | None = None
        self.seed = self.config.seed  # of the episode
        self.rows: dict[str, Rows] = {}
        self._told: dict[str, Any] = {}
        self._shared: dict[str, Any] = {}
        self._masks: dict[str, tuple[Any, NDArray[np.int8]]] = {}
        self._draws, self._count = rng_of("seeds", self.config.seed), 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    # -- one episode ----------------------------------------------------------------------------------------------
    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, Any]:
        """Begin an episode: that of a seed, or one drawn from `seeds`. There are no options."""
        if seed is not None:
            self._draws = rng_of("seeds", seed)
        self.seed = int(self._draws.choice(self.seeds) if seed is None else seed)
        task = self._task(self.seed)
        self._check_robots(task)
        path = None if self.logs is None else self.logs / f"{self._count:05d}-seed-{self.seed}.jsonl"
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self.close()
        self._count += 1
        self.rows, self._told, self._shared, self._masks = {}, {}, {}, {}
        self.agents = []
        self.episode = OpenEpisode(replace(self.config, seed=self.seed), task, path, self.answer)
        self._go_on_without_agents()
        self.agents = [n for n in self.possible_agents if n in self.episode.views]
        return {n: self._observed(n) for n in self.agents}, {n: {} for n in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        if self.episode is None:
            raise CoterieError("Call reset() before the first step().")
        if not self.agents:
            return {}, {}, {}, {}, {}
        e, before = self.episode, self.episode.partial
        given = {n: self._given(n, actions) for n in self.agents}
        views, acting = dict(e.views), set(self.agents)
        e.go({n: d for n, d in given.items() if d is not None}, self._said())
        due = e.episode.step + (self.every or 10**9) * self.options - 1
        idle = {n for n, d in given.items() if self.every and isinstance(d, Action) and d.skill == WAIT}
        while e.result is None and set(e.views) == acting == idle | set(e.under_way) and e.episode.step < due:
            e.go({}, self._said())  # everybody is busy
        self._go_on_without_agents()
        reward = float(e.partial - before - self.step_cost)
        now = e.views
        new = [n for n in self.possible_agents if n in now and n not in self.agents]
        acted, self.agents = self.agents, [*(n for n in self.agents if n in now), *new]
        ended, done = e.result is not None, e.result is not None and e.result.status in ("done", "lost")
        for name, view in views.items():
            now.setdefault(name, view)  # who has vanished is seen once more, with what it knew last
        everybody = [*acted, *new]
        observed = {n: self._observed(n, now) for n in everybody}
        left = set(everybody) - set(self.agents)
        terminated = {n: n in left or done for n in everybody}
        truncated = {n: ended and not terminated[n] for n in everybody}
        infos = {n: self._info(n, given.get(n), now) for n in everybody}
        if ended:
            self.agents = []
        return observed, dict.fromkeys(everybody, reward), terminated, truncated, infos

    def _go_on_without_agents(self) -> None:
        """Finish the episode without agents: other parties may still work or robots join, but no learner is left."""
        assert self.episode is not None
        while self.episode.result is None and not self.episode.views:
            self.episode.go({})

    def _said(self) -> dict[str, tuple[str, Sequence[Fact]]]:
        """Return the messages that robots send on their own."""
        assert self.episode is not None
        senses, found = self.layout.senses, {}
        for name, view in self.episode.views.items() if self.share else ():
            words, facts = senses.news(view, self._shared.get(name))
            self._shared[name] = senses.cursor(view)
            if words and view.heartbeat:
                found[name] = (words, facts)
        return found

    def _given(self, agent: str, actions: Mapping[str, Any]) -> Decision | None:
        if agent not in actions:
            raise CoterieError(f"No action was given for {agent}; there must be one for each of {self.agents}.")
        number = int(actions[agent])
        if not 0 <= number < len(self.actions):
            raise CoterieError(f"{agent} has the actions 0 to {len(self.actions) - 1}, and not {number}.")
        decision = self.decision(agent, number)
        if isinstance(decision, Action) and decision.facts:
            assert self.episode is not None
            self._told[agent] = self.layout.senses.cursor(self.episode.views[agent])
        return decision

    def decision(self, agent: str, number: int) -> Decision | None:
        """The action, or the option, that a number stands for at this moment; None for what cannot be named now: the
        robot goes on with the option that is under way, or waits."""
        assert self.episode is not None
        return self.actions.decision(self.episode.views[agent], self.rows[agent], number, self._told.get(agent))

    def _observed(self, agent: str, views: Mapping[str, Any] | None = None) -> Observed:
        assert self.episode is not None
        view = (views or self.episode.views)[agent]
        rows = self.rows.setdefault(agent, Rows(self.layout))
        told, busy = self._told.get(agent), agent in self.episode.under_way
        vector, known = rows.look(view), self.layout.senses.cursor(view)
        key = (known, told, view.heartbeat, busy, view.step if self.options else 0)
        if agent not in self._masks or self._masks[agent][0] != key:  # a mask follows from the belief alone
            self._masks[agent] = (key, self.actions.mask(view, rows, told, busy))
        found: Observed = {"observation": vector, "action_mask": self._masks[agent][1].copy()}
        if self.pixels:
            found.update(self._photograph(agent))
        return found

    def _pictured(self, pixels: int) -> dict[str, Any]:
        """The spaces of a camera's pictures; none where none are wanted."""
        if not pixels:
            return {}
        if not 8 <= pixels <= MOST_PIXELS:
            raise CoterieError(f"pixels={pixels}: take 8 to {MOST_PIXELS}.")
        names = self.entry.segments()
        if not names:
            raise CoterieError(f"Robots of the world '{self.entry.name}' have no cameras; leave out `pixels`.")
        size = (pixels, pixels)
        return {
            "rgb": spaces.Box(0, 255, (*size, 3), np.uint8),
            "depth": spaces.Box(0.0, np.inf, size, np.float32),
            "segmentation": spaces.Box(0, len(names) - 1, size, np.int16),
        }

    def _photograph(self, agent: str) -> Mapping[str, Any]:
        """The picture of an agent's camera; black for one that is gone."""
        assert self.episode is not None
        world = self.episode.world
        if agent in world.robots():
            assert isinstance(world, Photographed)
            return world.photograph(agent, self.pixels)
        space = self.observation_spaces[agent]
        return {n: np.zeros(space[n].shape, space[n].dtype) for n in ("rgb", "depth", "segmentation")}

    def _info(self, agent: str, decision: Decision | None, views: Mapping[str, Any]) -> dict[str, Any]:
        """Return the action and its outcome in words, the step, and at the end whether the task was done."""
        assert self.episode is not None
        outcome, result = views[agent].outcome, self.episode.result
        words = decision.name if isinstance(decision, Option) else "" if decision is None else str(decision)
        info: dict[str, Any] = {"action": words, "step": self.episode.episode.step}
        if outcome is not None:
            info |= {"status": outcome.status, "reason": outcome.reason}
        if result is not None:
            info |= {"success": result.success, "partial": result.partial, "steps": result.steps}
        return info

    # -- the rest -------------------------------------------------------------------------------------------------
    def render(self) -> NDArray[np.uint8]:
        """The world from above as it is now, as pixels."""
        from coterie.render.raster import need_pillow, to_image

        pictures = self.entry.pictures()
        if self.episode is None or pictures is None:
            raise CoterieError("There is nothing to draw yet: call reset() first.")
        need_pillow()
        drawing = pictures.draw(state_at(self.episode.log.events))
        return np.asarray(to_image(drawing).convert("RGB"))

    def close(self) -> None:
        if self.episode is not None:
            self.episode.log.close()

    def _draw(self, seed: int) -> Task:
        return task_for(replace(self.config, seed=seed))

    def _check_robots(self, task: Task) -> None:
        """Agents are fixed when an environment is made, and none can come back."""
        away = {r for p in other_parties(self.config) for r in p.robots}
        for name in _robots(task):
            if name not in away and name not in self.cards:
                raise CoterieError(
                    f"The task of seed {self.seed} has a robot {name}, and that of seed {self.config.seed} has none: "
                    "an environment has robots of the same names in every episode. Take a fixed team."
                )


def _robots(task: Task) -> dict[str, Card]:
    """All that ever come but for strangers, those of the beginning first."""
    robots: dict[str, Card] = dict(task.robots)
    for change in task.changes:
        if change.kind == "join" and "party" not in change.data:
            name = str(change.data["robot"])
            if name in robots:
                raise CoterieError(
                    f"{name} leaves and comes back, and PettingZoo knows no agent that does; give it another name."
                )
            robots[name] = change.data["card"]
    return robots
