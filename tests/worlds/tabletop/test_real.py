"""A real table: what lies on it is what arms report; here the arms stand at a table of their own."""

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.sight import Detection, Sight
from coterie.episode.play import play
from coterie.episode.setup import build, resolve
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.elsewhere import Elsewhere, Liar, drivers


def see(world, name):
    lying = [t for t in world.setting.layout.things if not world.table.holder(t)]
    things = tuple(Detection(t, world.table.pos(t)) for t in lying)
    hand = Detection("hand", world.table.ee(name))
    return Sight(things=(*things, hand), holds=world.table.held.get(name, ""))


def table(task, seed=1):
    return TabletopWorld(build(resolve(Config(task=task, seed=seed)), None)[1], seed)


def played(task, world, make=Elsewhere, seed=1, **more):
    config = Config(task=task, seed=seed, real="robots", synchronous=False)
    return play(config, drivers=drivers(world, see, make), **more)


@pytest.mark.long
def test_arms_reach_their_goal_on_what_they_see():
    world = table("sandwich")
    assert played("sandwich", world).result.success
    assert world.progress().done, "at the other table, too"


def test_a_cube_that_lies_elsewhere_is_taken_there():
    """At the coordinator's table of this seed it would lie in another panel."""
    world = table("sort-cubes", seed=2)
    assert played("sort-cubes", world, seed=1).result.success and world.progress().done


def test_arms_that_do_nothing_and_see_nothing_sort_nothing():
    result = played("sort-cubes", table("sort-cubes"), Liar).result
    assert not result.success and result.partial == 0


@pytest.mark.parametrize("task", ["move-rope", "arrange-cabinet", "sweep-floor"])
def test_what_no_report_says_is_refused(task):
    with pytest.raises(CoterieError, match="takes no --real: "):
        resolve(Config(task=task, real="robots"))
