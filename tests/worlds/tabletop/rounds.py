"""Worlds of the table, and rounds in them that somebody else plays."""

from __future__ import annotations

from coterie.core.action import WAIT as WAITS
from coterie.core.action import Action, Outcome
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView, TeamView
from coterie.protocols.rounds.oracle import TaskExpert
from coterie.worlds.tabletop.job import Refusal
from coterie.worlds.tabletop.noise import Noise
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld

WAIT = Action(WAITS)


def make(name: str = "sort-cubes", seed: int = 3, level: str = "rocobench", noise: Noise | None = None):
    return TabletopWorld(draw_tabletop(name, level, seed), seed, noise=noise)


def play(world: TabletopWorld, **joint: Action) -> dict[str, Outcome]:
    world.start(joint)
    return {o.robot: o for o in world.advance(None)}


def cube_at(world: TabletopWorld, panel: str) -> str:
    return next(c for c in world.setting.layout.things if world.job.area(c, world.table.pos(c)) == panel)


def bring(cube: str, panel: str) -> Action:
    return Action("pick_place", (cube, panel))


def words_of(refusal: Refusal | None) -> str:
    return refusal.words if refusal is not None else ""


def next_round(world: TabletopWorld) -> dict[str, Action]:
    """The next round of `task-expert`."""
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
