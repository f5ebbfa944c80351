"""Robots with drivers of their own, in every world: what they say is done is done in the simulated one, too."""

from dataclasses import replace

import pytest

from coterie.core.action import Action, Outcome
from coterie.core.config import Config
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of


class Obedient:
    """A driver that says of everything that it is done, when it is asked for the second time; `stubborn`: that it is
    not."""

    def __init__(self, stubborn=False):
        self.stubborn, self.did = stubborn, []

    def start(self, robot, action, now):
        self.did.append(action.skill)
        return Doing(robot, action, now, "failed" if self.stubborn else "done")


class Doing:
    def __init__(self, *about):
        self.about, self.asked = about, 0

    def poll(self, now):
        self.asked += 1
        robot, action, began, status = self.about
        return Outcome(robot, action, status, "The motors say so.", began, now - began) if self.asked > 1 else None

    def cancel(self, now):
        robot, action, began, _ = self.about
        return Outcome(robot, action, "cancelled", "", began, now - began)


HOUSES = {"rooms": Config(task="pack-objects", seed=1), "house": Config(task="two-rooms", seed=1)}


def few_steps(config, steps):
    return replace(task_of(resolve(config)), step_limit=steps)


@pytest.mark.parametrize("name", HOUSES)
def test_what_a_driver_says_is_done_is_done_in_the_simulated_world(name):
    config, driver = HOUSES[name], Obedient()
    task = few_steps(config, 12)
    robot = next(n for n, card in task.robots if card.moves)
    played = play(config, task=task, drivers={robot: driver})
    ends = [e for e in played.log.events if e.who == robot and e.kind in ("outcome", "did")]
    assert driver.did and len(driver.did) <= len(ends)
    facts = [f for e in played.log.events if e.kind == "truth" for f in e.data["facts"]]
    moved = [value for pred, args, value in facts if (pred, *args) == ("pose", robot)]
    assert len(moved) > 1, "it goes where its driver says that it has gone"


@pytest.mark.parametrize("name", HOUSES)
def test_what_a_driver_cannot_do_is_not_done(name):
    task = few_steps(HOUSES[name], 6)
    drivers = {robot: Obedient(stubborn=True) for robot, _ in task.robots}
    played = play(HOUSES[name], task=task, drivers=drivers)
    assert not played.result.success and any(d.did for d in drivers.values())
    failed = [e for e in played.log.events if e.kind == "outcome" and e.data["status"] == "failed"]
    assert failed and {e.data["reason"] for e in failed} == {"The motors say so."}


def test_what_an_arm_has_done_is_played_at_the_table_and_what_cannot_be_has_failed():
    pytest.importorskip("mujoco", reason="mujoco is missing: pip install 'coterie[arms]'")
    from tests.worlds.tabletop.test_hints import BRING, start

    world = start()
    cube = BRING.args[0]
    before = world.table.pos(cube)
    told = Outcome("Bob", BRING, "done", "The motors say so.", 0.0, 3.0)
    assert world.accept(told) == told and world.table.pos(cube) != before
    lie = told._replace(action=Action(BRING.skill, (cube, "moon")))
    done = world.accept(lie)
    assert done.status == "failed" and done.cause.moment == "after" and done.reason != told.reason
    assert world.accept(told._replace(status="failed")).reason == "The motors say so."
    assert world.advance(world.now + 1.0) == [], "nothing of it is told twice"


def test_a_driver_of_an_arm_is_told_the_trajectory_that_is_then_played():
    pytest.importorskip("mujoco", reason="mujoco is missing: pip install 'coterie[arms]'")
    from tests.worlds.tabletop.test_hints import BRING, start

    world = start()
    table, before = world.table, world.table.data.qpos.copy()
    (fact,) = world.guide("Bob", BRING)
    assert (table.data.qpos == before).all() and not table.held, "nothing has moved yet"
    names, points = fact.value["joint_names"], fact.value["points"]
    own = [int(table.model.joint(f"Bob/{name}").qposadr[0]) for name in names]
    assert points[0]["positions"] == pytest.approx(before[own], abs=1e-3)
    world.accept(Outcome("Bob", BRING, "done", "The motors say so.", 0.0, 3.0))
    assert points[-1]["positions"] == pytest.approx(table.data.qpos[own], abs=0.02)
    assert world.guide("Bob", Action(BRING.skill, (BRING.args[0], "moon"))) == ()
