"""An episode that stands still wherever somebody outside has to decide.

It is the loop of `coterie.episode`, cut open at the decision: the same changes, observations, guard rails, skills and
log. Robots of other parties, and their models, decide as they always do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from coterie.core.action import WAIT, Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.judge import known_verdict
from coterie.core.protocol import Ask, Party, Reply, RobotView, SoloProtocol
from coterie.core.task import Task
from coterie.episode.loop import Episode, Result, Settings
from coterie.episode.parties import TEAM, parties_of
from coterie.episode.play import start_data
from coterie.episode.radio import parse_radio
from coterie.episode.setup import build, resolve
from coterie.log.file import Log
from coterie.worlds import entry_of

OUTSIDE = "outside"  # the protocol's name in logs: whoever decided sat outside
_STAND_IN = "random-legal"  # any protocol that plays everything, while a configuration is filled in

Answer = Callable[[Sequence[Ask]], Sequence[Reply]]


class Hands(SoloProtocol):
    """Does what it was handed."""

    def __init__(self, given: Mapping[str, Action]):
        self.given = given

    def act(self, me: RobotView) -> Action:
        return self.given.get(me.name) or Action(WAIT, why="told nothing")


def settled(config: Config) -> Config:
    """A configuration with everything filled in, to be played from outside."""
    if config.protocol not in ("", OUTSIDE):
        raise CoterieError(
            f"The team of an environment is played from outside, not by '{config.protocol}'; leave the protocol out. "
            f"Teammates that play by themselves are a party: parties=('others={config.protocol}:ROBOT',)."
        )
    if not config.synchronous:
        raise CoterieError("An environment goes step by step; leave `synchronous` as it is.")
    if config.memo:
        raise CoterieError("An environment uses no memo; leave it out.")
    return replace(resolve(replace(config, protocol=_STAND_IN)), protocol=OUTSIDE)


def task_for(config: Config) -> Task:
    """The task of a settled configuration."""
    return build(replace(config, protocol=_STAND_IN))[1]


class OpenEpisode:
    """One episode: `given` actions, `go` to the next decision, until `result` is there."""

    def __init__(self, config: Config, task: Task, log_path: Path | None = None, answer: Answer | None = None):
        self.world, self.task = build(replace(config, protocol=_STAND_IN), task)
        self.log = Log(log_path)
        self._given: dict[str, Action] = {}
        self._answer = answer
        entry = entry_of(config.task)
        team, *others = parties_of(replace(config, protocol=_STAND_IN), self.task, entry)
        parties = [Party(TEAM, lambda: Hands(self._given), team.robots), *others]
        self.log.add("start", data=start_data(config, self.task, self.world, "own"))
        guard = known_verdict if config.guard else None
        settings = Settings(seed=config.seed, guard=guard, radio=parse_radio(config.radio))
        self.episode = Episode(self.world, self.task, parties, self.log, settings)
        self.result: Result | None = None
        self.episode.begin()
        self._to_decision()

    @property
    def views(self) -> dict[str, RobotView]:
        """The robots that are played from outside, as they see themselves."""
        return {a.name: a.view for a in self.episode.roster if a.side.name == TEAM}

    @property
    def partial(self) -> float:
        return self.world.progress().partial

    def go(self, given: Mapping[str, Action]) -> None:
        """Carry out what was decided, and go on to where the next decision is due."""
        e = self.episode
        self._given.clear()
        self._given.update(given)
        deciding = e.decide()
        try:
            asks = next(deciding)
            while True:
                asks = deciding.send(self._replies(asks))
        except StopIteration as end:
            joint = end.value
        e.start(joint)
        e.hear(e.advance())
        e.record()
        self._to_decision()

    def _to_decision(self) -> None:
        e = self.episode
        if not e.over():
            e.apply_changes()
            e.observe()
            return
        self.result = e.end()
        for name, view in e.views.items():  # a last look, which no decision rests on any more
            view.belief.tell_all(self.world.observe(name).facts)
            view.step = e.step
        self.log.close()

    def _replies(self, asks: Sequence[Ask]) -> Sequence[Reply]:
        if asks and self._answer is None:
            raise CoterieError(f"A party of {asks[0].robot} asks a model; give the environment one with `answer`.")
        return self._answer(asks) if asks and self._answer is not None else []
