"""The next round of `task-expert`, for a world that somebody else plays."""

from __future__ import annotations

from coterie.core.action import Action
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.rounds.oracle import TaskExpert
from coterie.worlds.tabletop.world import TabletopWorld


def next_round(world: TabletopWorld) -> dict[str, Action]:
    views = {}
    for name, card in world.robots().items():
        belief = Belief(world.map())
        belief.tell_all(world.observe(name).facts)
        views[name] = RobotView(name, card, belief, belief.value, time=world.now)
    deciding = TaskExpert().decide(TeamView(views, 0, world.now, checker=world.check), list(views))
    try:
        next(deciding)
    except StopIteration as end:
        return dict(end.value)
    raise AssertionError("it asked a model")
