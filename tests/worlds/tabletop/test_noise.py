"""What goes wrong at a table, and what changes on the way: told in words, drawn from the seed, and survived."""

from __future__ import annotations

import pytest

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import RobotView
from coterie.core.seeds import rng_of
from coterie.core.task import Change, Trigger
from coterie.core.world import ACCIDENT
from coterie.episode.play import play as episode
from coterie.episode.setup import resolve
from coterie.protocols.rounds.parse import Plan
from coterie.protocols.rounds.words import Book
from coterie.worlds.tabletop.arms import grips
from coterie.worlds.tabletop.changes import changes_of
from coterie.worlds.tabletop.job import flat_distance
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.noise import Luck, Noise, alone
from coterie.worlds.tabletop.tasks import draw_tabletop
from tests.worlds.tabletop.rounds import WAIT, make, next_round, play

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("text", "words"), [
    ("slip=2", "between 0 and 1"), ("pose=0.2", "at most 0.05 m"), ("slip", "like slip=0.1"), ("slide=0.1", "slip"),
    ("slip=0.1,slip=0.2", "slip stands there twice"),
])  # fmt: skip
def test_noise_that_makes_no_sense_is_refused_in_a_sentence(text, words):
    with pytest.raises(CoterieError, match=words):
        resolve(Config(task="sandwich", noise=text))
    assert Noise.read("real") == Noise.real and not Noise.read("none").any


@pytest.mark.parametrize(("text", "words"), [
    ("goal@x", "goal@ROUND"), ("goal@2:Chad", "takes nothing"), ("leave@1:Bob", "Chad"), ("explode@2", "leave"),
])  # fmt: skip
def test_changes_that_make_no_sense_are_refused_in_a_sentence(text, words):
    with pytest.raises(CoterieError, match=words):
        draw_tabletop("sandwich", "rocobench", 1, [text])
    with pytest.raises(CoterieError, match="stays as it is"):
        draw_tabletop("move-rope", "rocobench", 1, ["goal@2"])


def test_a_grasp_that_slips_leaves_the_thing_where_it_was_and_says_so():
    world = make("sandwich", noise=Noise(slip=1.0))
    food = next(f for f in ("bread_slice1", "cheese", "bacon", "bread_slice2"))
    before = world.table.pos(food)
    outcome = play(world, Chad=WAIT, Dave=Action("pick", (food,)))["Dave"]
    assert outcome.status == "failed" and food in outcome.reason and "slipped" in outcome.reason
    assert outcome.cause is not None and (outcome.cause.clause, outcome.cause.moment) == ("slip", "during")
    assert not world.table.held
    assert world.table.pos(food) == pytest.approx(before, abs=0.005)
    assert world.rounds.number == 1


def test_luck_is_the_same_for_the_same_moment_and_another_later():
    grasps = [[Luck(Noise(slip=0.5), 7, n, t).grasp("Bob", "milk") is None for n in range(40)] for t in (1.0, 1.0, 2.0)]
    assert grasps[0] == grasps[1] != grasps[2]
    assert 8 < sum(grasps[0]) < 32
    assert all(Luck(Noise(pose=0.001), 7, n, 0.0).grasp("Bob", "milk") is None for n in range(40))
    missed = [Luck(Noise(pose=0.02), 7, n, 0.0).grasp("Bob", "milk") for n in range(40)]
    assert sum(m is not None and "beside milk" in m.words for m in missed) > 20


@pytest.mark.parametrize(("job", "robot", "thing"), [("sandwich", "Dave", "cheese"), ("sandwich", "Chad", "tomato")])
def test_a_hand_that_misjudges_a_place_closes_beside_the_thing_and_leaves_it_alone(monkeypatch, job, robot, thing):
    noise, seen = Noise(pose=0.02), []
    seed = next(n for n in range(3, 40) if Luck(noise, n, 0, 0.0).grasp(robot, thing) is not None)
    world = make(job, seed, noise=noise)
    usual, before = grips.close, world.table.pos(thing)

    def close(table, wanted, steps):
        seen.append((table.ee(robot), wanted))
        return usual(table, wanted, steps)

    monkeypatch.setattr(grips, "close", close)
    outcome = play(world, **{**dict.fromkeys(world.cards, WAIT), robot: Action("pick", (thing,), motion=())})[robot]
    assert outcome.status == "failed" and f"mm beside {thing}" in outcome.reason and not world.table.held
    (hand,) = (at for at, wanted in seen if wanted)
    said = int(outcome.reason.split(" mm")[0].split()[-1]) / 1000
    assert said > 0.012 and flat_distance(hand, before) == pytest.approx(said, abs=0.006)
    assert world.table.pos(thing) == pytest.approx(before, abs=0.002)


def test_what_is_nudged_lies_elsewhere_and_touches_nothing_new():
    world = make("sandwich", noise=Noise(nudge=1.0))
    before = {f: world.table.pos(f) for f in world.setting.layout.things}
    touches = world.table.touches()
    play(world, Chad=WAIT, Dave=WAIT)
    moved = [
        f for f, at in before.items() if abs(at[0] - world.table.pos(f)[0]) + abs(at[1] - world.table.pos(f)[1]) > 0.01
    ]
    assert len(moved) == 1 and world.table.touches() == touches
    assert set(moved) <= set(alone(world.table))
    (told,) = (row for row in world.trace() if row[0] == ACCIDENT)
    assert told[1] == moved and f"came against {moved[0]}" in told[2]


def test_a_nudge_stands_in_the_log():
    """In the round in which it happens, as news."""
    log = episode(Config(task="sandwich", protocol="task-expert", seed=3, noise="nudge=0.4")).log
    accidents = [
        (e.step, row[2]) for e in log.events if e.kind == "truth" for row in e.data["facts"] if row[0] == ACCIDENT
    ]
    news = [(e.step, e.data["text"]) for e in log.events if e.kind == "change"]
    assert news == accidents and len(news) > 1


def test_without_noise_nothing_is_drawn():
    world = make("sandwich")
    play(world, Chad=WAIT, Dave=WAIT)
    assert world.rounds.luck is None and not world.noise.any


def test_ends_of_a_rope_slip_together():
    world = make("move-rope", noise=Noise(slip=0.5))
    joint = {r: Action("pick", (e,)) for r, e in zip(("Alice", "Bob"), ("rope_front_end", "rope_back_end"))}
    legs = {r: world.job.legs(world.table, r, a)[0] for r, a in joint.items()}
    counts = set()
    for number in range(12):
        world.rounds.luck = Luck(world.noise, 3, number, 0.0)
        counts.add(len(world.rounds._missed(legs)))
    assert counts == {0, 2} and not alone(world.table)


@pytest.mark.parametrize("seed", range(6))
def test_another_sandwich_can_still_be_made(seed):
    """What is stacked stays, what is in a hand comes next, and the order is another one."""
    world, job = make("sandwich", seed=seed), jobs.get("sandwich")
    order = job.order(world.table)
    side = {"left": "Dave", "right": "Chad"}[job.side(world.table.pos(order[2]))]
    world.table.held[side] = order[2]
    layout = job.changed(world.table, rng_of(seed, "test"))
    new = layout.more["order"]
    assert sorted(new) == sorted(order) and new != order
    assert (new[0], new[-1]) == (order[0], order[-1]) and new[1] == order[2]


def test_a_goal_that_changes_is_told_and_the_memo_takes_it_for_another_task():
    world = make("pack-grocery")
    before = world.map()["goal",]
    (event,) = world.apply(Change(Trigger(step=2), "goal", {"choose": {"seed": 3}}, ("all",)))
    spared = world.job.spared(world.setting.layout)
    assert event.data["bites"] and len(spared) == 1 and f"Leave on the table: {spared[0]}" in event.data["text"]
    assert world.map()["goal",] == event.data["text"] != before
    wrong = world.check({"Alice": Action("pick", (spared[0],), motion=()), "Bob": WAIT})["Alice"]
    assert wrong.ok is False and "stay on the table" in wrong.reason
    assert spared[0] not in world.map()["wanted",]
    kept = world.snapshot()
    world.apply(Change(Trigger(step=3), "goal", {}, ("all",)))
    world.restore(kept)
    assert world.map()["goal",] == event.data["text"]


def test_an_arm_that_has_left_cannot_be_planned_for_and_comes_back():
    world = make("sandwich")
    job, cards = jobs.get("sandwich"), dict(world.cards)
    gone, back = changes_of(["leave@2:Dave"], job, cards, 1)
    assert (gone.at.step, back.at.step, gone.awaited) == (2, 4, False)
    world.apply(gone)
    assert world.map()["robots",] == ("Chad",)
    assert "not here" in world.check({"Chad": WAIT, "Dave": WAIT})["Dave"].reason
    world.apply(back)
    assert set(world.map()["robots",]) == {"Chad", "Dave"}
    assert changes_of(["leave@2"], job, cards, 1) == changes_of(["leave@2"], job, cards, 1)


@pytest.mark.parametrize("robot", ["Chad", "Dave"])
def test_a_food_in_the_hand_of_an_arm_that_leaves_stays_on_the_table_and_in_reach(robot):
    world = make("sandwich")
    food = {"Chad": "tomato", "Dave": "cheese"}[robot]
    play(world, **{"Chad": WAIT, "Dave": WAIT, robot: Action("pick", (food,))})
    assert world.table.pos(food)[1] < 0.1 or world.table.pos(food)[1] > 0.8, "a hand at rest is beside the table"
    gone, back = changes_of([f"leave@1:{robot}"], world.job, dict(world.cards), 1)
    world.apply(gone)
    world.apply(back)
    assert world.table.touch(food, "table") and robot not in world.table.held
    verdicts = world.check({"Chad": WAIT, "Dave": WAIT, robot: Action("pick", (food,))})
    assert verdicts[robot].ok


def test_both_hands_let_go_of_a_rope_when_one_leaves_and_the_other_waits():
    world = make("move-rope")
    both = next_round(world)
    assert {o.status for o in play(world, **both).values()} == {"done"} and set(world.table.held) == {"Alice", "Bob"}
    gone, back = changes_of(["leave@1:Alice"], world.job, dict(world.cards), 1)
    world.apply(gone)
    assert not world.table.held
    assert next_round(world) == {"Bob": WAIT} and world.check({"Bob": WAIT})["Bob"].ok
    refused = world.check({"Bob": both["Bob"]})["Bob"]
    assert refused.ok is False and "not all are here" in refused.reason
    assert [k[2] for k in world.map() if k[:2] == ("targets", "Bob")] == ["wait"]
    world.apply(back)
    assert "may WAIT" in world.check({"Alice": WAIT, "Bob": WAIT})["Bob"].reason
    assert all(v.ok for v in world.check(next_round(world)).values())


def test_nobody_leaves_who_is_away():
    job, cards = jobs.get("sandwich"), dict(make("sandwich").cards)
    for texts in (
        ["leave@2:Dave", "leave@3:Dave"],
        ["leave@4:Dave", "leave@2:Dave"],
        ["leave@1", "leave@2", "leave@3"],
    ):
        with pytest.raises(CoterieError, match="away about that round"):
            changes_of(texts, job, cards, 1)
    for seed in range(20):
        first, _, second, _ = changes_of(["leave@1", "leave@2"], job, cards, seed)
        assert first.data["robot"] != second.data["robot"]
    assert len(changes_of(["leave@1:Dave", "leave@4:Dave"], job, cards, 1)) == 4


def test_whoever_begins_again_finds_who_is_here_and_what_is_asked_for_now():
    world = make("sandwich")
    start, first = world.snapshot(), world.map()["goal",]
    gone, back = changes_of(["leave@1:Chad"], world.job, dict(world.cards), 1)
    play(world, Chad=WAIT, Dave=Action("pick", ("cheese",)))
    world.apply(gone)
    (event,) = world.apply(Change(Trigger(step=2), "goal", {"choose": {"seed": 1}}, ("all",)))
    assert event.data["text"] != first
    world.begin_again(start)
    assert not world.table.held and world.map()["goal",] == event.data["text"] == world.goal.text()
    assert set(world.robots()) == {"Dave"} == set(world.map()["robots",])
    assert world.job.order(world.table) == list(world.setting.layout.more["order"])
    world.apply(back)
    world.restore(start)
    assert world.map()["goal",] == first and set(world.robots()) == {"Chad", "Dave"}


def test_planners_read_what_a_hand_missed_and_may_try_it_again():
    world = make("sandwich", noise=Noise(slip=1.0))
    joint = {"Chad": WAIT, "Dave": Action("pick", ("cheese",))}
    outcomes = play(world, **joint)
    views = {n: RobotView(n, c, None, None, outcome=outcomes[n]) for n, c in world.cards.items()}
    book = Book()
    book.began(0, Plan(joint))
    book.settle(views, 1)
    assert "But: cheese slipped" in book.rounds[-1].words and not book.failed
