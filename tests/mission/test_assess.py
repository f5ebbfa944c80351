"""Assessment: chances and durations follow what was recorded, and doubt is as wide as data is scarce."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import CoterieError
from coterie.core.expr import eq, fl
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.skill import Clause, Effect, Param, Skill, decrease, increase
from coterie.mission.assess import (
    Assessor,
    PlanStep,
    Progress,
    Told,
    Trial,
    Trials,
    first_broken,
    in_order,
    what_if,
)
from coterie.mission.assess import trials as module
from coterie.mission.assess.rates import Correction, Rates
from coterie.mission.journal import Journal
from coterie.mission.knowledge import Knowledge


def step(id, skill="goto", robot="fetch", after=(), usual_s=10.0, place="table"):
    return PlanStep(id, skill, robot, (place,), tuple(after), usual_s)


def record(trials, number, rate, skill="goto", robot="fetch", place="table", ratio=1.0, spread=0.0, seed=0, plan=""):
    rng = random.Random(seed)
    good = round(number * rate)
    for i in range(number):
        took = 10.0 * ratio * rng.lognormvariate(0, spread)
        trials.add(Trial(skill, robot, i < good, took, 10.0, place, plan))


def test_without_data_the_doubt_is_wide_and_shrinks_with_it():
    trials = Trials()
    assessor = Assessor(trials, 1)
    before = assessor.assess([step("a")])
    assert before.chance_high - before.chance_low > 0.5 and before.high_s / before.low_s > 4
    widths = []
    for number in (5, 50, 500):
        record(trials, number, 0.9, spread=0.2, seed=number)
        told = assessor.assess([step("a")])
        widths.append((told.chance_high - told.chance_low, told.high_s / told.low_s))
    assert widths == sorted(widths, reverse=True) and widths[-1][0] < 0.06 and widths[-1][1] < 2.0
    assert told.chance == pytest.approx(0.9, abs=0.03) and told.duration_s == pytest.approx(10.2, rel=0.1)


def test_robots_and_places_have_their_own_rates_and_few_trials_lean_on_many():
    trials = Trials()
    record(trials, 200, 0.95, robot="fetch")
    record(trials, 200, 0.50, robot="spot")
    rates = Rates(trials)
    assert rates.lean_robot <= 8, "robots that differ lean little on each other"
    assert rates.mean("goto", "fetch") == pytest.approx(0.95, abs=0.02)
    assert rates.mean("goto", "spot") == pytest.approx(0.5, abs=0.02)
    assert 0.6 < rates.mean("goto", "temi") < 0.8, "of another one the skill alone is known"
    record(trials, 3, 0.0, robot="temi")
    assert 0.1 < Rates(trials).mean("goto", "temi") < 0.6, "three failures are few, and something"
    assert 0.85 < Rates(trials).mean("goto", "fetch", "cellar") < 0.97, "another place, the same robot"
    alike = Trials()
    for i in range(12):
        record(alike, 60, 0.8, robot=f"r{i}")
    assert Rates(alike).lean_robot >= 64, "robots that do not differ are as good as one"


def test_actions_that_fail_together_make_a_plan_likelier_to_work():
    together, apart = Trials(), Trials()
    for i in range(80):
        bad = i % 5 == 0
        for j in range(5):
            together.add(Trial("goto", "fetch", not bad, 10.0, 10.0, "table", f"p{i}"))
            apart.add(Trial("goto", "fetch", (i + j) % 5 != 0, 10.0, 10.0, "table", f"p{i}"))
    plan = [step(f"s{i}") for i in range(5)]
    assert Rates(together).shared < 4 and Rates(apart).shared == float("inf")
    assert Assessor(apart, 1).assess(plan).chance == pytest.approx(0.8**5, abs=0.05)
    assert Assessor(together, 1).assess(plan).chance > 0.5


def test_steps_side_by_side_take_as_long_as_the_longest():
    trials = Trials()
    for robot in ("fetch", "spot"):
        record(trials, 200, 1.0, robot=robot)
    assessor = Assessor(trials, 1)
    both = [step("a"), step("b", robot="spot")]
    assert assessor.assess(both).duration_s == pytest.approx(10, rel=0.15)
    assert assessor.assess([step("a"), step("b", robot="spot", after=["a"])]).duration_s == pytest.approx(20, rel=0.15)
    assert assessor.assess([step("a"), step("b")]).duration_s == pytest.approx(20, rel=0.15), "one thing at a time"
    assert assessor.assess([step("a", usual_s=40.0)]).duration_s == pytest.approx(40, rel=0.15), "ratios travel"
    assert assessor.assess([]).chance == 1.0 and assessor.assess([]).duration_s == pytest.approx(0, abs=0.01)


def test_skewed_durations_stay_skewed():
    trials = Trials()
    rng = random.Random(2)
    for _ in range(400):
        trials.add(Trial("wait", "fetch", True, 100.0 if rng.random() < 0.15 else 10.0, 10.0, "x"))
    told = Assessor(trials, 1).assess([step("a", "wait", place="x")])
    assert told.low_s < 12 and told.high_s > 80 and 20 < told.duration_s < 30


def test_what_is_known_of_a_plan_changes_as_it_runs():
    trials = Trials()
    record(trials, 100, 0.9, spread=0.3)
    assessor = Assessor(trials, 1)
    plan = [step(f"s{i}") for i in range(4)]
    told = [assessor.assess(plan)]
    ended = {}
    for i in range(4):
        ended[f"s{i}"] = 10.0 * (i + 1)
        told.append(assessor.assess(plan, Progress(10.0 * (i + 1), {}, dict(ended))))
    chances = [t.chance for t in told]
    assert chances == sorted(chances) and chances[-1] == 1.0
    widths = [t.high_s - t.low_s for t in told]
    assert widths == sorted(widths, reverse=True) and widths[-1] == 0.0 and told[-1].duration_s == pytest.approx(40.0)
    slow = assessor.assess(plan, Progress(100.0, {"s0": 0.0}))
    assert slow.low_s > 100 and slow.duration_s > told[0].duration_s + 60, "a step that lasts is not over yet"


def test_the_weakest_step_is_named():
    trials = Trials()
    record(trials, 50, 0.98)
    record(trials, 50, 0.6, skill="pickup")
    told = Assessor(trials, 1).assess([step("a"), step("b", "pickup"), step("c")])
    assert told.weakest[0].step == "b" and told.weakest[0].chance == pytest.approx(0.6, abs=0.08)
    assert told.chance < told.weakest[0].chance


def test_the_same_seed_gives_the_same_figures_and_another_close_ones():
    trials = Trials()
    record(trials, 40, 0.9, spread=0.4)
    plan = [step(f"s{i}") for i in range(6)]
    one = Assessor(trials, 5).assess(plan)
    assert one == Assessor(trials, 5).assess(plan) != Assessor(trials, 6).assess(plan)
    assert Assessor(trials, 6).assess(plan).chance == pytest.approx(one.chance, abs=0.05)
    assert one == Assessor(trials, 5).assess(list(plan)), "as often as one asks"


@given(st.lists(st.booleans(), min_size=1, max_size=2 * 7))
def test_only_the_newest_count(outcomes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEPT", 7)
        trials = Trials()
        for ok in outcomes:
            trials.add(Trial("goto", "fetch", ok, 1.0))
        last = outcomes[-7:]
        assert trials.counts("goto") == (sum(last), len(last) - sum(last)) == trials.counts("goto", "fetch")


def test_what_cannot_be_a_plan_or_a_trial():
    with pytest.raises(CoterieError, match="wait for each other: a, b"):
        in_order([step("a", after=["b"]), step("b", robot="spot", after=["a"])])
    with pytest.raises(CoterieError, match="waits for z, which is not part"):
        in_order([step("a", after=["z"])])
    with pytest.raises(CoterieError, match="same id"):
        in_order([step("a"), step("a")])
    with pytest.raises(CoterieError, match="goto of fetch"):
        Trials().add(Trial("goto", "fetch", True, 1.0, 0.0))
    with pytest.raises(CoterieError, match="goto of fetch"):
        Trials().add(Trial("goto", "fetch", True, float("nan")))


@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(0, 60))
def test_figures_are_in_bounds_whatever_the_data(seed, number, trials_number):
    rng = random.Random(seed)
    trials = Trials()
    for i in range(trials_number):
        skill, robot = rng.choice(["goto", "pickup"]), rng.choice(["fetch", "spot"])
        trials.add(Trial(skill, robot, rng.random() < 0.5, rng.expovariate(0.1), 10.0, rng.choice("xy"), f"p{i % 7}"))
    for i in range(seed % 5):
        trials.foretold(Told(f"p{i}", rng.random(), 1 + 20 * rng.random(), 0.01 + rng.random()))
        trials.ended(f"p{i}", rng.random() < 0.5, 40 * rng.random())
    plan = [
        PlanStep(f"s{i}", rng.choice(["goto", "pickup"]), rng.choice(["fetch", "spot"]), ("x",),
                 (f"s{rng.randrange(i)}",) if i and rng.random() < 0.5 else (), 10.0)
        for i in range(number)
    ]  # fmt: skip
    done = {f"s{i}": 5.0 * i for i in range(rng.randint(0, number))}
    told = Assessor(trials, seed, samples=100).assess(plan, Progress(5.0 * number, {}, done))
    assert 0 <= told.chance_low <= told.chance <= told.chance_high <= 1
    assert 0 <= told.low_s <= told.high_s < float("inf") and np.isfinite(told.duration_s)
    assert len(done) < number or told.chance == 1.0


# -- forecasts held to the truth ------------------------------------------------------------------------------------
def calibrated(pairs):
    """Of (assessment, whether it worked, how long it took): the mean distance between what is told and what comes, in
    ten bins of equal width; mean squared distances, its own and of who always tells the share of plans that worked;
    and the share of durations that lie in their intervals."""
    chances, came = (np.array(column, float) for column in zip(*((a.chance, ok) for a, ok, _ in pairs)))
    bins = np.minimum((chances * 10).astype(int), 9)
    error = sum(abs((chances - came)[bins == b].sum()) for b in range(10)) / len(pairs)
    inside = [a.low_s <= took <= a.high_s for a, ok, took in pairs if ok]
    return error, np.mean((chances - came) ** 2), np.mean((came.mean() - came) ** 2), np.mean(inside)


def told(chance, ok, ratio=1.0, known=100, spread=0.2):
    return Told("p", chance, 100.0, spread, known, ok, 100.0 * ratio)


def test_forecasts_that_are_wrong_as_a_rule_are_bent():
    rng = random.Random(1)
    right = Correction([told(0.8, rng.random() < 0.8) for _ in range(300)])
    assert right.chance(0.8) == pytest.approx(0.8, abs=0.05) and right.chance(1.0) == 1.0
    high = Correction([told(p, rng.random() < p - 0.3) for p in [0.7, 0.8, 0.9] for _ in range(100)])
    assert high.chance(0.8) == pytest.approx(0.5, abs=0.1)
    few = Correction([told(0.8, False) for _ in range(3)])
    assert few.chance(0.8) > 0.65, "three plans are no rule"
    blind = Correction([told(rng.random(), rng.random() < 0.5) for _ in range(400)])
    assert blind.slope < 0.4 and abs(blind.chance(0.95) - 0.5) < 0.25, "chances that mean nothing are drawn together"
    assert Correction().chance(0.37) == pytest.approx(0.37)


def test_what_was_told_with_far_less_known_does_not_count():
    early = [told(0.2, True, known=10) for _ in range(100)]
    late = [told(0.8, i % 5 != 0, known=1000) for i in range(100)]
    assert Correction([*early, *late]).chance(0.8) == pytest.approx(0.8, abs=0.02)


def test_intervals_are_stretched_and_drawn_in():
    total = 100.0 * np.exp(np.random.default_rng(0).normal(0, 0.15, 2000))
    raw = Told("", 0.5, 100.0, 0.2)
    rng = random.Random(3)
    _, low, high = Correction().duration(total, raw, 0.8)
    assert low == pytest.approx(100 * np.exp(-0.19), rel=0.03) and high == pytest.approx(100 * np.exp(0.19), rel=0.03)
    wild = Correction([told(0.5, True, rng.lognormvariate(0, 0.6)) for _ in range(200)])
    _, wide_low, wide_high = wild.duration(total, raw, 0.8)
    assert wide_low < 60 and wide_high > 180
    slow = Correction([told(0.5, True, rng.lognormvariate(0.5, 0.15)) for _ in range(200)])
    expected, slow_low, _ = slow.duration(total, raw, 0.8)
    assert expected == pytest.approx(160, rel=0.1) and slow_low > 110
    _, tame_low, tame_high = Correction([told(0.5, True, rng.lognormvariate(0, 0.02)) for _ in range(200)]).duration(
        total, raw, 0.8
    )
    assert tame_high - tame_low < 0.5 * (high - low)


def test_plans_are_foretold_and_held_to_what_became_of_them(tmp_path):
    trials = Trials(Journal(tmp_path / "j"))
    record(trials, 30, 0.9)
    assessor = Assessor(trials, 1)
    assessor.foretell("g1.1", [step("a"), step("b")])
    trials.ended("g1.1", True, 22.0)
    trials.ended("never told", True, 22.0)
    trials.journal.close()
    again = Trials(Journal(tmp_path / "j"))
    assert [(p.plan, p.ok, p.duration_s, p.known) for p in again.finished()] == [("g1.1", True, 22.0, 30)]
    assert Assessor(again, 1).assess([step("a")]) == assessor.assess([step("a")])
    again.journal.close()


def test_a_plan_without_steps_is_not_held_to_how_long_others_take():
    """What is under way for others already brings it about: nothing was foretold of it."""
    assessor = Assessor(Trials(), 1)
    before = assessor.assess([step("a")])
    assessor.foretell("g2.1", [])
    assessor.trials.ended("g2.1", True, 22.0)
    assert assessor.assess([step("a")]) == before


def test_a_small_world_is_foretold_well():
    """Robots that differ, skewed durations, luck that is shared."""
    rng = np.random.default_rng(4)
    rate = {"fetch": 0.97, "spot": 0.85, "temi": 0.92}
    trials = Trials()
    assessor = Assessor(trials, 1, samples=200)
    pairs = []
    for number in range(420):
        robots = rng.choice(list(rate), size=rng.integers(2, 9))
        plan = [step(f"s{i}", robot=str(r)) for i, r in enumerate(robots)]
        held_out = number >= 220
        forecast = assessor.assess(plan) if held_out else assessor.foretell(f"p{number}", plan)
        luck, ok, free = rng.normal(0, 0.5), True, {}
        for s in plan:
            logit = np.log(rate[s.robot] / (1 - rate[s.robot])) + luck
            took = 10 * float(rng.lognormal(0.1, 0.4))
            free[s.robot] = free.get(s.robot, 0.0) + took
            ok = ok and bool(rng.random() < 1 / (1 + np.exp(-logit)))
            if not held_out:
                trials.add(Trial(s.skill, s.robot, ok, took, 10.0, s.where, f"p{number}"))
            if not ok:
                break
        if held_out:
            pairs.append((forecast, ok, max(free.values()) if ok else None))
        else:
            trials.ended(f"p{number}", ok, max(free.values()))
    error, brier, base_brier, coverage = calibrated(pairs)
    assert error < 0.1 and brier < base_brier and 0.66 < coverage < 0.93


# -- what if --------------------------------------------------------------------------------------------------------
SKILLS = {
    s.name: s
    for s in (
        Skill("goto", (Param("place", "place"),), then=(Effect(fl("at", "?robot"), "?place"),)),
        Skill(
            "take",
            (Param("thing", "thing"), Param("place", "place")),
            when=(
                Clause(eq(fl("at", "?robot"), "?place"), "{robot} is not at {place}."),
                Clause(fl("on", "?thing", "?place"), "There is no {thing} on {place}."),
            ),
            then=(Effect(fl("on", "?thing", "?place"), False), increase(fl("held", "?robot"))),
        ),
        Skill("put", (Param("thing", "thing"),), then=(decrease(fl("held", "?robot")),)),
    )
}
PLAN = [
    PlanStep("1", "goto", "fetch", ("table_e",)),
    PlanStep("2", "take", "fetch", ("bandage", "table_e"), ("1",)),
    PlanStep("3", "put", "fetch", ("bandage",), ("2",)),
]


def test_what_if_table_e_is_empty():
    k = Knowledge()
    k.tell(Fact("at", ("fetch",), "base"), Fact("on", ("bandage", "table_e"), True))
    trials = Trials()
    assessor = Assessor(trials, 1)
    assert what_if(assessor, PLAN, SKILLS, k.value).broken is None
    assert what_if(assessor, PLAN, SKILLS, k.value) == assessor.assess(PLAN)
    empty = k.supposing(Fact("on", ("bandage", "table_e"), False))
    found = what_if(assessor, PLAN, SKILLS, empty.value)
    assert found.chance == 0.0 == found.chance_high and found.broken_step == "2"
    assert found.broken.clause == "on" and found.broken.fact == ("on", ("bandage", "table_e"), False)
    broken = first_broken(PLAN, SKILLS, empty.value)
    assert broken.words == "There is no bandage on table_e." and broken.step.id == "2"
    assert k.value("on", "bandage", "table_e") is True, "nothing has happened"


def test_what_is_not_known_breaks_no_plan_and_what_is_done_is_done():
    assert first_broken(PLAN, SKILLS, lambda pred, *args: UNKNOWN) is None
    nowhere = {("at", "fetch"): "base", ("on", "bandage", "table_e"): False}

    def look(pred, *args):
        return nowhere.get((pred, *args), UNKNOWN)

    assert first_broken(PLAN, SKILLS, look, done=["1", "2"]) is None
    alone = PlanStep("2", "take", "fetch", ("bandage", "table_e"))
    assert first_broken([alone], SKILLS, look).words == "fetch is not at table_e."
    twice = [PLAN[0], PLAN[1], PlanStep("2b", "take", "fetch", ("bandage", "table_e"))]
    nowhere["on", "bandage", "table_e"] = True
    assert first_broken(twice, SKILLS, look).step.id == "2b", "the first has taken it"
