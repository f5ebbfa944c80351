"""The text oracle where things are brought all over a house: with the paper's words alone, too."""

from pathlib import Path

import pytest

from coterie.episode.setup import build
from coterie.protocols.dynahmrc.oracle_paper import _doors, homes_of
from coterie.protocols.shared import sentences
from tests.protocols.dynahmrc.helpers import of, run

EXAMPLE = Path(__file__).parents[3] / "examples" / "tea_for_anna.toml"
CLOSED = "No path leads Alice to stand_pose_0 of bed: {} is closed."


@pytest.mark.parametrize("level", ["assisted", "full", "paper"])
def test_it_brings_things_to_people_and_into_caddies_through_closed_doors(level):
    played, _, _ = run(task=str(EXAMPLE), scene="", seed=0, protocol=f"dynahmrc:{level}")
    assert played.result.success


@pytest.mark.parametrize("level", ["assisted", "full", "paper"])
def test_a_thing_on_a_work_table_that_no_arm_watches_is_found(level):
    """The first drawn task in which one lies there."""
    house = {"task": "bring-things", "team": "MoMa", "protocol": f"dynahmrc:{level}", "scene": "house:0"}
    for seed in range(0, 40, 2):
        played, asked, _ = run(**house, seed=seed, level="easy")
        task = build(played.config)[1]
        if any(place == "table_0" for thing, place, _ in task.setting.things if thing.name in task.goal.targets):
            assert "table_0" in "\n".join(t for _, t in of(asked, "HMRC")[0].prompt) and played.result.success
            return
    pytest.fail("no thing lay there")


def test_homes_are_read_from_the_goal():
    goal = "Bring cup_0 to Anna, caddy_0 to porch and spoon_0 to caddy_0."
    assert homes_of(goal) == {"cup_0": "Anna", "caddy_0": "porch", "spoon_0": "caddy_0"}
    assert homes_of("Put cup_0 into the tray, and nothing else.") == {}


def test_a_door_is_closed_until_it_is_opened_or_said_to_be():
    stopped = f"4 navigate(bed, 0) FAILED: {CLOSED.format('den_door')}"
    asked = f'5 Lucy: "{sentences.OPEN.say("Alice", "porch_door")}"'
    assert _doors(stopped, asked) == ["den_door", "porch_door"]
    assert _doors(f"{stopped}; 6 open(den_door)", asked) == ["porch_door"]
    assert _doors(stopped, f'{asked} 7 Bob: "{sentences.STATE.say("den_door", "open")} now."') == ["porch_door"]
    assert _doors(f"{stopped}; 6 open(den_door); 8 {stopped[2:]}", "") == ["den_door"]
    assert _doors("9 wait()", asked) == []  # asked before the first action that is remembered


def test_teams_in_a_house_of_closed_doors_get_through_by_asking():
    played, _, _ = run(
        task="pack-objects", team="Ma-MoMa-UAV-UAV-Mo", scene="house:4:7", seed=4, level="wide-search",
        protocol="dynahmrc:paper",
    )  # fmt: skip
    said = [e.data["args"][0] for e in played.log.events if e.kind == "act" and e.data["skill"] == "communicate"]
    opened = [e for e in played.log.events if e.kind == "act" and e.data["skill"] == "open"]
    assert any("please open" in words for words in said) and opened and played.result.success
