"""A real house, seen step by step: things are where robots report them; here they live in a house of their own."""

from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.sight import Detection, Sight
from coterie.episode.play import play
from coterie.episode.setup import build, resolve, task_of
from coterie.worlds.household.world import HouseholdWorld
from tests.worlds.elsewhere import Elsewhere, Liar, drivers

CONFIG = Config(task="tidy", scene="rooms:2", team="drawn:2", seed=3, synchronous=False)


def see(world, name):
    truth = world.truth
    x, y, heading, tilt = truth.facts["pose", name]
    seen = truth.sight.look(truth.scene, truth.eye(name), truth.camera(name), name).things
    things = tuple(Detection(truth.house.thing[t.name].kind, t.spot) for t in seen)
    held = truth.facts["holding", name]
    holds = truth.house.thing[held].kind if held else ""
    return Sight((x, y), things, holds=holds, heading_deg=heading, tilt_deg=tilt)


def house(config=CONFIG):
    return HouseholdWorld(build(resolve(config), None)[1], config.seed)


def played(world, make=Elsewhere, config=CONFIG, steps=500):
    real = resolve(replace(config, real="robots"))
    return play(real, task=replace(task_of(real), step_limit=steps), drivers=drivers(world, see, make))


def test_a_team_tidies_up_what_its_robots_see():
    world = house()
    result = played(world).result
    there = world.goal.progress(world.look)
    assert result.partial > 0 and result.partial == there.partial, "as much as in the other house"
    simulated = play(CONFIG).result
    assert result.partial >= simulated.partial - 0.2


def test_robots_that_do_nothing_and_see_nothing_tidy_nothing_up():
    result = played(house(), Liar, steps=60).result
    assert not result.success and result.partial == 0


def test_a_thing_that_is_elsewhere_is_found_there():
    """Nobody is told where it is; in the house of the coordinator's own seed it would lie elsewhere."""
    config = replace(CONFIG, task="search")
    world = house(config)
    thing = world.goal.things[0]
    other = next(t.name for t in world.setting.house.things if t.name not in world.goal.things)
    mine, its = (world.truth.scene.lying(t) for t in (thing, other))
    for name, lying in ((thing, its), (other, mine)):
        world.truth.set(("where", name), lying.on)
        world.truth.set(("spot", name), lying.spot)
    end = played(world, config=config)
    reported = [e.data["args"] for e in end.log.events if e.kind == "act" and e.data["skill"] == "Report"]
    assert (thing, its.on) in [tuple(args) for args in reported]


def test_a_thing_that_is_carried_off_is_looked_for_again():
    moved = []

    class Robbed(Elsewhere):
        """What its robot reaches for first has just changed places with something else."""

        def do(self, action, job):
            if action.skill == "PickUp" and not moved:
                truth, thing = self.world.truth, action.args[0]
                mine = truth.scene.lying(thing)
                lying = {t.name: truth.scene.lying(t.name) for t in self.world.setting.house.things if t.name != thing}
                other, its = next((n, at) for n, at in lying.items() if at and at.on != mine.on)
                for name, at in ((thing, its), (other, mine)):
                    truth.set(("where", name), at.on)
                    truth.set(("spot", name), at.spot)
                moved.append((thing, other))
            return super().do(action, job)

    world = house()
    end = played(world, Robbed)
    picked = [(e.data["args"][0], e.t) for e in end.log.events if e.kind == "act" and e.data["skill"] == "PickUp"]
    assert [thing for thing, _ in picked].count(moved[0][0]) == 1, "it is not reached for again where it was"
    assert end.result.partial == world.goal.progress(world.look).partial == 1.0, "all of the task is where it belongs"


def test_pictures_are_refused_with_a_sentence():
    with pytest.raises(CoterieError, match="takes no --camera with --real"):
        resolve(Config(task="tidy", real="robots", camera="vision"))
