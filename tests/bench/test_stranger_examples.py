"""What is read from a stranger's log: how well it judged, and the examples that figures show."""

from coterie.bench.studies.irot import examples
from coterie.bench.studies.irot.columns import _judged
from coterie.worlds.household.setting import Start
from tests.protocols.adhoc.test_stranger import arm, eye, joined


def test_a_log_tells_how_a_stranger_judged_and_what_it_did():
    starts = {"Eve": Start(1.0, 1.0, 0.0)}
    log = joined((eye(sight=1.5),), arm("Zoe"), limit=400, astray=("mug_0",), starts=starts)[2].events
    found = _judged(log, {"Zoe"}, {"mug_0"})
    assert found["right"] == 1 and not found["missed"]  # that it lies in order once it was put away is no miss
    assert found["home_right"] and not found["home_wrong"]
    assert _judged(log, {"Zoe"}, {"plate_0"})["missed"] <= 1 and _judged(log, {"Zoe"}, set())["wrong"] >= 1
    plan, story = "\n".join(examples.planning(log)), "\n".join(examples.story(log))
    assert "GEN" in plan and "intention: " in plan and "[judgement] " in plan
    assert "Zoe joins" in story and "Zoe PickUp mug_0" in story and "Zoe PutDown" in story
    assert "[subskill] PickupObject <mug_0>" in "\n".join(examples.sub_skill(log))
    assert not list(examples.mistakes(log))
    assert not list(examples.planning(log[:1])) and not list(examples.sub_skill(log[:1]))
