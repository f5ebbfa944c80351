"""An episode that pauses wherever a learner outside has to decide.

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
from coterie.core.facts import Fact
from coterie.core.judge import known_verdict
from coterie.core.protocol import Ask, Decision, Option, Party, Reply, RobotView, SoloProtocol
from coterie.core.task import Task
from coterie.episode.loop import Episode, Result, Settings
from coterie.episode.parties import TEAM, parties_of
from coterie.episode.play import start_data
from coterie.episode.radio import parse_heartbeat, parse_radio
from coterie.episode.setup import build, model_for, resolve
from coterie.log.file import Log
from coterie.worlds import entry_of

OUTSIDE = "outside"  # the protocol's name in logs: whoever decided sat outside
_STAND_IN = "random-legal"  # any protocol that plays everything, while a configuration is filled in

Answer = Callable[[Sequence[Ask]], Sequence[Reply]]


class Chosen(Option):
    """An option that the learner who chose it may cancel."""

    def __init__(self, option: Option):
        self.option, self.name = option, option.name
        self.called_off = False

    def step(self, me: RobotView) -> Action | None:
        return self.option.step(me)

    def interrupted(self, me: RobotView) -> str | None:
        return "told otherwise" if self.called_off else self.option.interrupted(me)


class Hands(SoloProtocol):
    """Does what it was handed."""

    def __init__(self, given: Mapping[str, Decision]):
        self.given = given

    def act(self, me: RobotView) -> Decision:
        decision = self.given.get(me.name)
        return Action(WAIT, why="told nothing") if decision is None else decision


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
    """One episode: `go` from one decision to the next with what was decided, until `result` is there."""

    def __init__(self, config: Config, task: Task, log_path: Path | None = None, answer: Answer | None = None):
        self.world, self.task = build(replace(config, protocol=_STAND_IN), task)
        self.log = Log(log_path)
        self._given: dict[str, Decision] = {}
        self._answer = answer or model_for(replace(config, protocol=_STAND_IN)).answer
        entry = entry_of(config.task)
        team, *others = parties_of(replace(config, protocol=_STAND_IN), self.task, entry)
        parties = [Party(TEAM, lambda: Hands(self._given), team.robots), *others]
        self.log.add("start", data=start_data(config, self.task, self.world, "own"))
        guard = known_verdict if config.guard else None
        settings = Settings(
            seed=config.seed,
            guard=guard,
            radio=parse_radio(config.radio),
            heartbeat_m=parse_heartbeat(config.heartbeat),
        )
        self.episode = Episode(self.world, self.task, parties, self.log, settings)
        self.result: Result | None = None
        self.episode.begin()
        self._to_decision()

    @property
    def views(self) -> dict[str, RobotView]:
        """The robots that are played from outside, as they see themselves; not those that have come to rest."""
        roster = self.episode.roster
        return {a.name: a.view for a in roster if a.side.name == TEAM and a.name not in roster.resting}

    @property
    def under_way(self) -> dict[str, Chosen]:
        """The options that robots go on with, unless they are told otherwise."""
        agents = self.episode.roster.agents
        options = {name: agents[name].option for name in self.views}
        return {name: option for name, option in options.items() if isinstance(option, Chosen)}

    @property
    def partial(self) -> float:
        return self.world.progress().partial

    def go(self, given: Mapping[str, Decision], say: Mapping[str, tuple[str, Sequence[Fact]]] | None = None) -> None:
        """Carry out what was decided, and go on to where the next decision is due. `say` is told to all teammates
        before, at no cost."""
        e, views = self.episode, self.views
        self._given.clear()
        for name, decision in given.items():
            self._given[name] = Chosen(decision) if isinstance(decision, Option) else decision
            if name in self.under_way:
                self.under_way[name].called_off = True
        for name, (words, facts) in (say or {}).items():
            if name in views:
                views[name].say(words, facts=facts)
        deciding = e.decide()
        try:
            asks = next(deciding)
            while True:
                asks = deciding.send(self._answer(asks) if asks else [])
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
            seen = self.world.observe(name)
            view.belief.tell_all(seen.facts)
            if seen.area is not None:
                view.belief.area.tell(seen.area)
            view.step = e.step
        self.log.close()
