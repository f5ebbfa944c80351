"""Hands touch what they hold, joints keep to their speed, and nobody lets go before it has arrived."""

import numpy as np
import pytest

pytest.importorskip("mujoco")

from coterie.core.action import Action
from coterie.motion.bodies import tool_of
from coterie.worlds.tabletop.arms import grips, rounds
from coterie.worlds.tabletop.arms.reaching import Reaching
from coterie.worlds.tabletop.job import STAY, down
from coterie.worlds.tabletop.table import Table
from coterie.worlds.tabletop.tasks import draw_tabletop
from coterie.worlds.tabletop.world import TabletopWorld
from tests.worlds.tabletop.test_hints import BRING, WAIT, start


@pytest.fixture(scope="module")
def watched():
    """A cube brought by fingers, with every step of the physics looked at."""
    world, speeds, gaps = start(), [], []
    usual, table = Table.step, world.table

    def step(self, n=1):
        usual(self, n)
        speeds.append(max(float(np.abs(self.data.qvel[a.dof]).max()) for a in self.arms.values()))
        if self.held:
            gaps.append(grips.farthest(self, grips.pairs(self, "Bob", self.held["Bob"])))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "step", step)
        world.start({"Alice": WAIT, "Bob": BRING, "Chad": WAIT})
        done = {o.robot: o for o in world.advance(None)}
    assert done["Bob"].status == "done" and not table.held
    return speeds, gaps


def test_no_joint_is_faster_than_its_limit(watched):
    speeds, _ = watched
    assert rounds.SPEED * 0.9 < max(speeds) <= rounds.SPEED * 1.05  # and the limit is used


def test_both_fingers_touch_what_they_hold_from_the_first_moment(watched):
    _, gaps = watched
    assert len(gaps) > 200 and max(gaps) <= grips.GAP_M


@pytest.mark.parametrize(("robot", "food"), [("Chad", "tomato"), ("Dave", "bread_slice1")])
@pytest.mark.parametrize("high", [0.0, 0.01])
def test_a_cup_or_a_palm_above_a_thing_does_not_hold_it(monkeypatch, robot, food, high):
    usual = Table.over
    monkeypatch.setattr(Table, "over", lambda table, robot, thing: usual(table, robot, thing) + high)
    world = TabletopWorld(draw_tabletop("sandwich", "rocobench", 7), 7)
    before = world.table.pos(food)
    world.start({"Chad": WAIT, "Dave": WAIT, robot: Action("pick", (food,))})
    (done,) = (o for o in world.advance(None) if o.robot == robot)
    if not high:
        assert done.status == "done" and world.table.held == {robot: food}
        return
    assert done.status == "failed" and f"closed 9 mm beside {food}" in done.reason and not world.table.held
    assert (done.cause.clause, done.cause.moment) == ("beside", "during")
    assert world.table.pos(food) == pytest.approx(before, abs=0.001)


def test_fingers_that_close_on_nothing_hold_nothing_and_open_again():
    table = start().table
    missed = grips.close(table, {"Bob": "pink_polygon"}, table.step)
    assert set(missed) == {"Bob"} and "beside pink_polygon" in missed["Bob"].words
    assert not table.data.ctrl[table.arms["Bob"].fingers].any()


def test_fingers_reach_down_beside_a_cube_and_a_cup_stays_on_top():
    table = start().table
    top = table.half("pink_polygon")[2]
    tips = {r: table.over(r, "pink_polygon") - tool_of(table.arms[r].body).tip for r in ("Alice", "Bob", "Chad")}
    assert tips["Alice"] == tips["Bob"] == pytest.approx(top - 0.03)
    assert tips["Chad"] == pytest.approx(top - 0.001)
    quats, free = table.turns("Bob", "pink_polygon")
    assert len(quats) == 6 and not free
    assert table.turns("Chad", "pink_polygon")[1]


def test_nobody_lets_go_where_it_has_not_arrived(monkeypatch):
    world = start()
    usual = rounds.distance
    monkeypatch.setattr(rounds, "distance", lambda a, b: usual(a, b) + (0.1 if world.table.held else 0.0))
    world.start({"Alice": WAIT, "Bob": Action(BRING.skill, BRING.args), "Chad": WAIT})
    bob = next(o for o in world.advance(None) if o.robot == "Bob")
    assert bob.status == "rewound" and "from where it was to let go of pink_polygon" in bob.reason


def nearest(table, data, stack, ends):
    """Between any links of Alice and Bob, in a configuration of all arms."""
    for arm, a, b in zip(table.arms.values(), ends, ends[1:]):
        data.qpos[arm.qpos] = stack[a:b]
    table.mj.mj_kinematics(table.model, data)
    solid = [g for g in range(table.model.ngeom) if table.model.geom_contype[g]]
    own = {r: [g for g in solid if table.model.body(table.model.geom_bodyid[g]).name.startswith(r)] for r in table.arms}
    line = np.zeros(6)
    far = [table.mj.mj_geomDistance(table.model, data, a, b, 0.3, line) for a in own["Alice"] for b in own["Bob"]]
    return min(far)


@pytest.mark.parametrize(("loose", "least", "most"), [(False, 0.005, 0.01), (True, -0.0015, 0.001)])
def test_arms_keep_apart_on_their_way_unless_there_is_no_other(loose, least, most):
    """Both hands go towards one point above the table, until the check says no."""
    table = TabletopWorld(draw_tabletop("pack-grocery", "rocobench", 0), 0).table
    reaching = Reaching(table, table.data, {}, dict.fromkeys(table.arms, STAY), loose)
    rng = np.random.default_rng(0)
    ends = [reaching._ik(a, (0.0, 0.5, 0.6), down(0.0), start=a.home, free_yaw=True, rng=rng) for a in reaching.arms]
    free, met = reaching.now, np.concatenate(ends)
    assert reaching.far.free(free) and not reaching.far.free(met)
    for _ in range(14):
        middle = (free + met) / 2
        free, met = (middle, met) if reaching.far.free(middle) else (free, middle)
    assert reaching.far.pairs(met) == [("Alice", "Bob")]
    assert least <= nearest(table, reaching.scratch, free, reaching.ends) <= most


@pytest.mark.parametrize("arms", [(), ("welded",)])
def test_fingers_hold_by_friction_unless_they_are_welded(arms):
    """A thing that slips out on the way is told of, and is in no hand any more."""
    world = start(arms=arms)
    table, usual, active = world.table, world.table.grasp, []

    def grasp(robot, thing):
        usual(robot, thing)
        active.append(int(table.data.eq_active.sum()))
        table.arms[robot].grip(table.data, 0.0)  # fingers that give way

    table.grasp = grasp
    world.start({"Alice": WAIT, "Bob": BRING, "Chad": WAIT})
    (done,) = (o for o in world.advance(None) if o.robot == "Bob")
    assert active == [len(arms)] and not table.held
    assert done.status == ("done" if arms else "failed")
    assert bool(arms) or "slipped out of the hand of Bob on the way" in done.reason
