"""Rounds on the table with replies from a function, and without the cost of physics."""

from dataclasses import replace
from functools import cache

from coterie.core.facts import Belief
from coterie.core.protocol import Party, RobotView
from coterie.episode import loop
from coterie.log.file import Log
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.rounds import PLANNERS, oracle  # noqa: F401 (which learns to answer these planners)
from coterie.protocols.rounds.scene import Scene
from coterie.worlds.tabletop.arms.rounds import Round, Rounds
from coterie.worlds.tabletop.job import Refusal
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld

AGREE = "I Agree"
WAITS = "EXECUTE\nNAME Alice ACTION WAIT\nNAME Bob ACTION WAIT\nNAME Chad ACTION WAIT"
MOVES = "EXECUTE\nNAME Alice ACTION WAIT\nNAME Bob ACTION PICK pink_polygon PLACE panel4\nNAME Chad ACTION WAIT"


def made_up(words):
    return Refusal("made_up", words) if words else None


class Stage(Rounds):
    """Checks and motions that come out as a test says; `words` maps a joint action to what is wrong with it."""

    def __init__(self, table, words=None, failures=()):
        super().__init__(table, 0)
        self.words, self.failures, self.checks = words, list(failures), 0

    def _check(self, joint):
        self.checks += 1
        return made_up(self.words(joint)) if self.words is not None else super()._check(joint)

    def run(self, joint):
        self.number += 1
        self.forget()
        return Round(failure=made_up(self.failures.pop(0)) if self.failures else None, seconds=1.0)


@cache
def table(job):
    """A world that can be used again and again, since nothing moves in it."""
    return TabletopWorld(draw_tabletop(job, "rocobench", 0), 0)


def fine(joint):
    return ""


def play(
    planner, reply=None, job="sort-cubes", words=fine, failures=(), rounds=1, style="compact", first=None, world=None
):
    """Some rounds of a job; what was asked, what each robot did, and the world."""
    task = replace(draw_tabletop(job, "rocobench", 0), step_limit=rounds)
    world = world or table(job)
    world.rounds = Stage(world.table, words, failures)
    asked = []

    def say(ask):
        asked.append(ask)
        text = reply(ask) if reply is not None else None
        return answer(ask.prompt) if text is None else text

    log = Log()
    party = Party("team", lambda: PLANNERS[planner](style=style), tuple(world.robots()), (first,) if first else ())
    loop.run(world, task, [party], log, Scripted(say).answer, loop.Settings())
    acts = [(e.step, e.who, e.data["skill"], tuple(e.data["args"])) for e in log.events if e.kind == "act"]
    return asked, acts, world


def agreed(ask):
    """Always the same plan, and no robot has anything against it."""
    return AGREE if ask.stage == "VOTE" else MOVES


def text_of(ask):
    return "\n".join(text for _, text in ask.prompt)


def scene(job="sort-cubes", panels=("panel2", "panel3")):
    """What is common knowledge in a job, without a world."""
    robots = ("Alice", "Bob")
    known = {("robots",): robots, ("goal",): "Do it.", ("job",): job, ("paths",): job == "pack-grocery"}
    if job == "sort-cubes":
        known["things",] = ("blue_square", "pink_polygon")
        verbs, targets = ("pick_place", "wait"), panels
    else:
        known["things",] = ("apple", "milk")
        verbs, targets = ("pick", "place", "put", "open", "move", "sweep", "dump"), ("bin_left", "bin_right")
    for robot in robots:
        for verb in verbs:
            known["targets", robot, verb] = targets
    belief = Belief(known)
    return Scene({"Alice": RobotView("Alice", None, belief, belief.value)})
