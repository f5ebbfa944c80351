"""Whether a hospital can be mastered, by somebody who knows everything: a witness whose schedule holds, or a proof."""

import pytest

from coterie.core.config import Config
from coterie.planning.judge import faults
from coterie.worlds.hospital.tasks import asked, make
from coterie.worlds.hospital.witness import meanings, question_of, witness
from coterie.worlds.hospital.world import HospitalWorld

CONFIG = Config(task="medkit", level="paper", synchronous=False)


@pytest.mark.parametrize("wanted", [None, "medkit at alpha"], ids=["of the task", "asked for in words"])
def test_a_witness_is_carried_out_in_the_world_and_judged(wanted):
    goal = None if wanted is None else asked(CONFIG, [wanted])
    task = make(7, faults=["missing:bandagebox"], goal=goal)
    found = witness(task)
    assert found.solvable and found.seconds > 0
    assert [s.step.action.skill for s in found.done].count("deliverkit") == 1
    assert any("pharmacist" in s.step.action.args for s in found.done), "it knows that the box is missing"
    question = question_of(HospitalWorld(task), next(iter(meanings(task))))
    assert faults(question, found.done) == []
    without = [s for s in found.done if s.step.action.skill != "opendoor"]
    assert faults(question, without), "the judge sees that Temi went through a shut door"


def test_a_proof_names_what_nobody_can_bring_about():
    always = next(s for s in range(50) if make(s, faults=["grasp"]).about["faults"][0]["times"] > 100)
    found = witness(make(always, faults=["grasp"]))
    assert found.status == "none" and found.why is not None
    assert found.why.cause is not None and found.why.cause.fact is not None


@pytest.mark.long
def test_a_robot_that_is_gone_too_early_is_a_proof_and_one_that_is_gone_late_is_none():
    early = next(s for s in range(50) if make(s, faults=["robot:Fetch"]).about["faults"][0]["at"] < 25)
    late = next(s for s in range(400) if make(s, faults=["robot:Fetch"]).about["faults"][0]["at"] > 145)
    assert witness(make(early, faults=["robot:Fetch"])).status == "none"
    assert witness(make(late, faults=["robot:Fetch"])).status != "none"
