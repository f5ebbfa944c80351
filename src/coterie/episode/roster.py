"""The agents of an episode by name, and the parties they belong to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.facts import Belief
from coterie.core.protocol import Party, RobotView, TeamProtocol, TeamView
from coterie.core.task import Task
from coterie.core.world import Driver, Twin, World
from coterie.episode.agent import Agent, Side


class Roster:
    def __init__(
        self,
        world: World,
        task: Task,
        parties: Sequence[Party],
        seed: int,
        drivers: Mapping[str, Driver] | None = None,
        sure: bool = True,
    ):
        self.world, self.task, self.seed, self.sure = world, task, seed, sure
        self.sides = [Side(p) for p in parties]
        self.drivers = dict(drivers or {})
        if self.drivers and not isinstance(world, Twin):
            raise CoterieError("This world takes no robots with drivers of their own: it has no `accept`.")
        self.agents: dict[str, Agent] = {}
        self.stopped = ""  # who has stopped everybody, those who come later included
        self.rung = ""  # who has done so with the bell
        self.side_of: dict[str, Side] = {}  # also of those who have left, whose words may still be on their way

    def __iter__(self) -> Iterator[Agent]:
        return iter(self.agents.values())

    @property
    def someone_held(self) -> bool:
        return any([a.held for a in self.agents.values()])

    @property
    def resting(self) -> Collection[str]:
        """Return the robots that neither see nor act any more, in worlds that have such."""
        found: Collection[str] = getattr(self.world, "resting", ())
        return found

    def sync(self, joined: Mapping[str, str]) -> None:
        """Bring the agents in line with who is online; `joined` names the parties of newcomers, where that was said."""
        online = self.world.robots()
        for name in [n for n in self.agents if n not in online]:
            for link in self.agents.pop(name).side.links:
                link.leave(name)
        for name, card in online.items():
            if name not in self.agents:
                side = self.side_of[name] = self._side(name, joined.get(name))
                belief = Belief(self.world.map(), self.world.listings())
                view = RobotView(
                    name,
                    card,
                    belief,
                    self.world.lookup(belief),
                    rules=tuple(r for r in self.task.rules if r.public),
                    skills={s: self.world.skill(s) for s in card.skills},
                    step_limit=self.task.step_limit,
                    seed=self.seed,
                    sure=self.sure,
                )
                self.agents[name] = Agent(view, side, driver=self.drivers.get(name), stopped=self.stopped)
                for link in side.links:
                    link.enter(name)

    def _side(self, name: str, wanted: str | None) -> Side:
        if wanted:
            named = {s.name: s for s in self.sides}
            if wanted not in named:
                raise unknown_name("party", wanted, named)
            return named[wanted]
        return next((s for s in self.sides if name in s.party.robots), self.sides[0])

    def shared(self) -> list[tuple[Side, TeamProtocol]]:
        """The minds that decide for all robots of a party."""
        return [(s, s.protocol.shared) for s in self.sides if s.protocol.shared is not None]

    def members(self, side: Side) -> dict[str, RobotView]:
        return {a.name: a.view for a in self if a.side is side}

    def in_contact(self, side: Side) -> dict[str, RobotView]:
        """Return the robots of a party that are in contact now."""
        return {a.name: a.view for a in self if a.side is side and a.standing.there}

    def teammates(self, agent: Agent, names: Sequence[str]) -> tuple[str, ...]:
        """Return the robots of its own party. Others are not announced: they are seen, or say something."""
        return tuple(n for n in names if self.side_of[n] is agent.side)

    def view_of(self, robots: Mapping[str, RobotView], step: int, truth: bool) -> TeamView:
        """Return the view of a mind that decides for these robots."""
        world = self.world
        return TeamView(
            robots,
            step,
            world.now,
            self.task if truth else None,
            world if truth else None,
            world.check if world.free_check else None,
            world.lookup,
            can_rewind=len(self.sides) == 1,
        )
