"""Missions in houses: what nobody has seen is looked for, brought, given and tidied, and people are asked and told."""

import io
import os
from importlib.resources import files
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.episode.mission import Said, judged, place_of, serve
from coterie.episode.talk import Talk
from coterie.mission.dialogue.talker import LESSONS
from coterie.worlds.hospital.entry import HOSPITAL
from coterie.worlds.hospital.goals import Wish
from coterie.worlds.hospital.places import place
from coterie.worlds.hospital.searching import Search
from coterie.worlds.hospital.tasks import draw_case, make
from coterie.worlds.hospital.witness import witness

pytestmark = pytest.mark.usefixtures("quick")
REAL = os.environ.get("COTERIE_HOUSES", "")


def told(served):
    return [n["text"] for n in served.notes if n["what"] == "tell"]


def acts(served, skill):
    return [e for e in served.played.log.events if e.kind == "act" and e.data["skill"] == skill]


def test_a_house_is_a_place_in_which_nobody_has_seen_anything():
    scene = place("flat")
    assert set(scene.rooms) == {"living_room", "kitchen", "bedroom", "bathroom"}
    assert not any(key[0] == "stock" for key in scene.expected) and scene.really
    assert scene.belongs["pillow", "bed"] > 0 and ("pillow", "fridge") not in scene.belongs
    other = place("rooms:5:3")
    assert {"sofa", "coffee_table", "bedroom_1_bed"} <= set(other.tables)  # as people call them
    bread = Search(other.map()).in_room(Wish("stock", "bread", "bathroom"), lambda *_: UNKNOWN)
    assert "toilet" in other.tables and bread == ["sink"]
    assert place_of("flat") is not None and place_of("attic") is None
    with pytest.raises(CoterieError, match="No place of a mission 'attic'"):
        serve("attic", ["mug in kitchen"])


@pytest.mark.parametrize(
    ("goal", "so"),
    [
        ("put the remote control in the kitchen", lambda look: look("stock", "remote_control", "table_1") == 1),
        ("the pen to the resident", lambda look: look("has", "resident", "pen") == 1),
        ("tidy the kitchen", lambda look: look("seen", "fridge") and not look("stock", "laptop", "table_1")),
        ("look in the bathroom", lambda look: look("seen", "washstand") is True),
    ],
)  # fmt: skip
def test_goals_in_a_house_are_searched_for_and_reached(goal, so):
    served = serve("flat", [goal], answers="yes")
    assert served.success and so(served.mission.now_only().look) and not judged(served.played)
    assert acts(served, "lookat")


def test_what_is_found_ends_the_search_and_what_was_told_needs_none():
    served = serve("flat", ["egg in bedroom"], answers="yes")
    assert served.success and told(served)[0].startswith("First I look for the egg in the kitchen")
    assert not any("bathroom" in text for text in told(served))  # it was found before
    known = serve("flat", ["look in the bathroom"], script=[Said(1, "resident", "there is a pen on the drawer"),
                                                            Said(60, "resident", "pen in the kitchen")])  # fmt: skip
    after = [t for t in told(known) if "pen" in t]
    assert known.success and not any("look for the pen" in t for t in after)


def test_what_is_nowhere_is_said_after_all_was_looked_at_and_a_person_is_asked():
    served = serve("flat", ["4 eggs in bedroom"], answers="yes")
    looked = {e.data["args"][0] for e in acts(served, "lookat")}
    assert looked == set(place("flat").tables)
    assert any(n["what"] == "request" for n in served.notes) or not served.success
    assert any("egg" in n["words"] for n in served.notes if n["what"] in ("failure", "failed"))


@pytest.mark.long
def test_what_the_page_says_to_the_team_of_a_house_is_done():
    page = (Path(__file__).parents[3] / "docs" / "own_mission.md").read_text()
    with Talk("flat", speed=40.0) as talk:

        def say(words):
            assert f"`{words}`" in page
            return " ".join(talk.say("resident", words))

        say("there is a pen on the drawer")
        assert "pen at the drawer" in talk.say("resident", "Where is the pen?")[0]
        assert "with the resident" in say("Bring me the book when you find it.")
        talk.until("resident", "Done: 1 book")
        assert "a book with the resident" in " ".join(talk.say("resident", "Where is the book?"))
        assert "as soon as the bathroom door is open" in say("When the bathroom door is open, look in the bathroom.")
        assert "order in the living room" in say("Tidy the living room.")
        talk.until("resident", "Done: order")
        assert not any("Could I please have" in t.text for t in talk.hall.told)


@pytest.mark.parametrize("seed", [3, pytest.param(8, marks=pytest.mark.long)])
def test_drawn_houses_have_a_witness(seed):
    case = draw_case(seed, "flat")
    task = make(seed, "drawn", case.faults, case.noise, None, "flat")
    assert case.goal and task.setting.truth
    served = serve("flat", [case.goal], seed=seed, level="drawn", faults=case.faults, answers="yes")
    assert witness(served.played.task).status == "none" or served.success
    (wish,) = make(5, "drawn", name="rooms:4:3").goal.wishes
    assert draw_case(5, "rooms:4:3").goal == "tidy kitchen" and (wish.kind, wish.where) == ("tidy", "kitchen")


@pytest.mark.skipif(not REAL, reason="COTERIE_HOUSES names no folder with real ProcTHOR houses")
def test_a_mug_is_put_into_the_kitchen_of_a_real_house():
    served = serve(f"{REAL}/procthor_houses.jsonl.gz#3", ["put the mug in the bathroom"], answers="yes")
    assert served.success


def test_a_person_in_the_team_is_asked_step_by_step_and_does_what_no_robot_is_left_for():
    options = {"seed": 1, "faults": ["robot:Temi", "join:person:Ann@2"], "answers": "yes"}
    served = serve("ward", ["medkit at alpha"], **options)
    asked = [n["text"] for n in served.notes if n["what"] == "tell" and n["to"] == "Ann"]
    assert served.success and any("please deliver the medical caddy to alpha" in text for text in asked)
    with pytest.raises(CoterieError, match="write the name of the person"):
        serve("ward", ["medkit at alpha"], cards=["person:"])


def test_a_person_of_the_team_speaks_for_herself():
    with Talk("flat", speed=40.0, cards=["person:Ann"]) as talk:
        talk.say("resident", "Hello.")
        talk.say("Ann", "Hello.")
        assert "Ann at the kitchen" in talk.say("resident", "Ann should go to the kitchen.")[0]
        talk.until("Ann", "please go")
        assert talk.say("Ann", "One moment.")[0].startswith("All right")
        assert talk.say("Ann", "Done.") == ["Thank you."]
        talk.until("resident", "Done: Ann at the kitchen")
        assert "may not give commands" in talk.say("Ann", "Tidy the kitchen.")[0]


def test_a_person_who_cannot_do_a_step_is_not_asked_for_it_again():
    with Talk("flat", cards=["person:Ann"]) as talk:
        talk.say("Ann", "Hello.")
        talk.say("resident", "There is a pen on the drawer.")
        asked = len(talk.hall.told)
        talk.say("resident", "Ann should put the pen in the kitchen.")
        while "put the pen" not in talk.until("Ann", "please", after=asked):
            asked = len(talk.hall.told)
            talk.say("Ann", "Done.")
        refused = len(talk.hall.told)
        assert talk.say("Ann", "I cannot.") == ["I see; I look for another way."]
        assert "Spot puts the pen on the table 1" in talk.until("resident", "Do you want me", after=refused)
        assert not [t for t in talk.hall.told[refused:] if t.person == "Ann" and "please" in t.text]
        assert any("Ann cannot put the pen" in r.clause.words for r in talk.mission.recovery.rules.values())
        talk.say("resident", "No.")
        talk.until("resident", "I give up 1 pen", after=refused)
        again = len(talk.hall.told)
        talk.say("resident", "Put the pen in the kitchen.")  # it may be that now she can
        assert "put the pen" in talk.until("Ann", "please", after=again)


def test_lessons_of_one_place_work_in_another_and_what_does_not_fit_is_asked_about(tmp_path):
    with Talk("flat") as talk:
        for words in ("Learn a new task named 'bedtime'.", "The bathroom door is open.", "Nothing else."):
            talk.say("resident", words)
        taught = talk.mission.lessons.export()
    with Talk("rooms:5:3") as talk:  # has a bathroom with a door, too
        talk.say("resident", LESSONS + taught)
        assert not any("instead" in t.text for t in talk.hall.told)
        assert "bathroom" in talk.say("resident", "Do bedtime.")[0]
    with Talk("ward") as talk:
        talk.say("teacher", LESSONS + taught)
        asked = [t.text for t in talk.hall.told]
        assert any("What is to be instead of 'bathroom_door' in bedtime?" in text for text in asked)
        assert "bedtime" in talk.say("teacher", "What have you learned?")[0]


def test_a_thing_that_was_shown_in_one_place_is_asked_for_in_another():
    with Talk("flat", speed=40.0) as talk:
        for what in ("torch", "shawl"):
            talk.say("resident", f"I want to teach you a new object called {what}.")
            talk.say("resident", "This is one.")
            talk.say("resident", "on the sofa")
        taught = talk.mission.lessons.export()
    with Talk("ward", speed=60.0) as talk:
        talk.say("teacher", LESSONS + taught)
        asked = "I know {} from another place. Could you show me one here, or say where there is one?"
        talk.until("teacher", asked.format("a torch"))
        told = talk.say("teacher", "This is one.")[0]
        assert "sees a torch at table" in told and told.endswith(asked.format("a shawl"))
        assert "what a shawl looks like" in talk.say("teacher", "On table C.")[0]
        talk.say("teacher", "Bring the torch to table F.")
        talk.until("teacher", "Done: 1 torch at table F")
        assert "table C" in talk.say("teacher", "Where is the shawl?")[0]
    with Talk("ward") as talk:
        talk.say("teacher", LESSONS + taught)
        assert "I leave the thing torch" in talk.say("teacher", "Never mind.")[0]


def test_a_new_robot_is_here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rover.toml").write_text(
        'body = "Rover"\nname = "Rover"\nmobility = "ground"\nskills = ["goto", "passdoor", "lookat", "wait"]\n'
    )
    said = "A new robot is here: Rover.\nA new person is here: Ann\nWho is here?\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    assert main(["talk", "--scene", "flat", "--model", "none", "--speed", "1000"]) == 0
    told = capsys.readouterr().out
    assert "Rover joins, and can goto, passdoor, lookat." in told and "Ann joins" in told
    assert "Rover" in told.partition("Ann joins")[2]


@pytest.mark.parametrize(
    ("known", "first"),
    [({}, True), ({("stock", "pen", "drawer"): 1}, False), ({("holding", "Stretch"): "pen"}, False)],
)
def test_what_nobody_knows_of_is_looked_for_before_a_plan_is_sought(known, first):
    domain = HOSPITAL.domain(HOSPITAL.world(make(0, "paper", name="flat"), Config(task="medkit")).map())
    wish = Wish("stock", "pen", "kitchen")
    assert any(domain.before(wish, lambda *key: known.get(key, UNKNOWN), False, ["Stretch"])) is first


def test_what_cannot_lie_in_a_room_without_furniture_is_said(tmp_path):
    house = tmp_path / "bare.toml"
    text = Path(str(files("coterie.houses") / "built_in" / "flat.toml")).read_text()
    house.write_text("[[".join(t for t in text.split("[[") if "washstand" not in t))
    assert "bathroom" not in place(str(house)).wards
    for goal in ("tidy the bathroom", "book in the bathroom"):
        with pytest.raises(CoterieError, match="in the bathroom is no furniture on which things could lie"):
            serve(str(house), [goal])


def test_cards_that_come_with_it_need_no_file():
    served = serve("office", ["mailkit at sales"], answers="yes", cards=["Stretch"])
    assert served.success and "Stretch" in served.mission.reports.robots
    with pytest.raises(CoterieError, match=r"No robot 'Fetsh'\. Did you mean 'Fetch'"):
        serve("flat", ["pen in the kitchen"], cards=["Fetsh"])


def test_more_than_was_wanted_is_done_and_nobody_is_asked():
    """A second book lay where nobody had looked."""
    served = serve("flat", ["put the book in the kitchen"], answers=None)
    whats = [n["what"] for n in served.notes]
    assert "failure" in whats and "proposal" not in whats and served.success
