"""The suite of hospitals: people answer in it, noise reaches the world, and fewer ways out are fewer successes."""

import pytest

from coterie.bench.playing import Job, play_job
from coterie.bench.studies.hospital import explained, hospital, spec
from coterie.bench.suites import FIRST_SEED
from coterie.worlds import entry_of
from coterie.worlds.hospital.chance import RATES
from coterie.worlds.hospital.tasks import make

pytestmark = pytest.mark.usefixtures("quick")


def one(*faults):
    """The first episode of the suite with this trouble and no other."""
    return next(s for s in hospital() if s.config.changes == faults and s.config.noise == "none")


def played(chosen, method):
    from dataclasses import replace

    config = replace(chosen.config, protocol=method, model="none")
    return play_job(Job(chosen.key, method, config, chosen.labels))[0]


@pytest.mark.long
def test_ways_out_make_the_difference_where_something_is_missing():
    chosen = one("missing")
    full, none = played(chosen, "mission"), played(chosen, "mission:no-recovery")
    assert full["witness"] == none["witness"] == "plan" and full["witness_s"] > 0
    assert full["success"] and full["asked"] >= 1 and full["recoveries"] >= 1, "somebody said yes"
    assert not none["success"] and none["asked"] == none["recoveries"] == 0
    assert none["explained"] and none["time_s"] < full["time_s"], "it ends when it is given up"


def test_rule_minds_deliver_kits_where_nothing_is_wrong_and_bring_what_is_missing():
    assert played(one(), "rules")["success"]
    row = played(one("missing"), "rules")
    assert row["success"] and row["told"] == row["asked"] == 0


def test_an_explanation_is_right_if_it_names_what_was_wrong():
    notes = [{"what": "failed", "because": ["not objectAt(gloves, tableD)", "luck(Fetch, goto)"]}]
    assert explained(notes, [{"pred": "objectAt"}])
    assert not explained(notes, [{"pred": "jammed"}]) and not explained([], [{"pred": "objectAt"}])


def test_noise_reaches_a_world_whose_task_was_drawn_without():
    chosen = spec(next(n for n in range(FIRST_SEED, FIRST_SEED + 50) if spec(n).config.noise == "real"))
    calm = make(chosen.config.seed, "drawn", chosen.config.changes)
    world = entry_of("medkit").world(calm, chosen.config)
    assert world.setting.rates == RATES and not calm.setting.rates
