"""Places of a user's own: read from files, complained about by line, and played like the hospital."""

import io
import json
import re
from pathlib import Path

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.episode.mission import Said, resume, serve
from coterie.episode.talk import Talk
from coterie.log.file import read_log
from coterie.mission.planner import STATES, MissionPlanner
from coterie.mission.story import Story
from coterie.planning.answer import Limits
from coterie.worlds import worlds
from coterie.worlds.hospital.bodies import load_card
from coterie.worlds.hospital.places import FOLDER, load_place, place, place_names
from coterie.worlds.hospital.tasks import draw_case, make
from coterie.worlds.hospital.witness import witness

pytestmark = pytest.mark.usefixtures("quick")
PAGE = (Path(__file__).parents[3] / "docs" / "own_mission.md").read_text()
CABIN, ROVER = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
(RING,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)


@pytest.fixture
def cabin(tmp_path):
    file = tmp_path / "cabin.toml"
    file.write_text(CABIN)
    return file


def with_mate(text, role):
    """A place where somebody else is, too."""
    mate = f'[[person]]\nname = "mate"\nrole = "{role}"\nroom = "store"\n\n'
    return text.replace("[[robot]]", mate + "[[robot]]", 1)


def lesson(kind, label, by="mate", words="", **data):
    return {"kind": kind, "label": label, "by": by, "words": words, "data": data}


def lessons(folder, *rows):
    file = folder / "lessons.json"
    file.write_text(json.dumps({"format": "coterie lessons 1", "lessons": rows}))
    return file


def goes_on(log, **more):
    """From the first half of a log; whether it comes to the same."""
    whole = log.read_text()
    log.write_text("".join(whole.splitlines(keepends=True)[: whole.count("\n") // 2]))
    return resume(log, **more).success and log.read_text() == whole


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "cabin"\n', "", r"line 6: room number 2: `name` is missing; add a line"),
        ('name = "cabin"', 'name = "ca bin"', r"line 6: room 'ca bin': `name` is 'ca bin'; use letters"),
        ("rect = [6, 0, 10, 4]", "rect = [6, 0, 6, 4]", r"line 6: room 'cabin': `rect` is .*right, top\] in metres"),
        ("at = [6, 2]", "at = [3, 2]", r"line 10: door 'cabindoor': `at` \[3, 2\] is not in a wall of 'cabin'"),
        ('["store", "cabin"]', '["store", "attic"]', r"line 10: door .*`between` names 'attic'"),
        ("at = [1, 1]", "at = [1, 9]", r"line 16: table 'desk': `at` \[1, 9\] lies in no room"),
        ("{ desk = 2 }", "{ desk = -1 }", r"line 25: thing 'lamp': at: `desk` is -1; it must be between 0 and 99"),
        ("{ lamp = 1 }", '{ lamp = "one" }', r"line 29: kit 'nightkit': contents: `lamp` must be a whole number"),
        ("[[table]]", "[[tabel]]", r"line 16: No key 'tabel'. Did you mean 'table'"),
        ('[[caddy]]\nname = "basket"\nat = "desk"\n', "", r"line 26: kit 'nightkit': .*add a \[\[caddy\]\]"),
        ('[[room]]\nname = "store"', '[roles]\nwatch = ["comand"]\n[[room]]\nname = "store"',
         r"line 1: `roles`: watch: No act 'comand'. Did you mean 'command'"),
        ('[[room]]\nname = "store"', 'taught = "none.json"\n[[room]]\nname = "store"',
         r"line 1: `taught` names '.*none.json', which is not there"),
        ("{ desk = 2 }", "{ shelf = 1 }", r"line 25: thing 'lamp': `at` names 'shelf', which is not here"),
        ("{ lamp = 1 }", "{ torch = 1 }", r"line 29: kit 'nightkit': `contents` names 'torch'"),
        ('"instructor"', '"boss"', r"line 33: person 'captain': No `role` 'boss'"),
        ('card = "Spot"', 'card = "Spott"', r"line 48: robot 'Spot': `card`: No robot 'Spott'. Did you mean 'Spot'"),
        ('name = "Spot"', 'name = "captain"', r"line 48: robot 'captain': there is a person of that name already"),
        ('card = "Temi"\nroom', 'card = "Temi"\nat', r"line 43: robot 'Temi': `at` names 'cabin', which is not here"),
        ('at = "desk"', 'at = "desk"\ncolour = "red"', r"line 21: caddy 'basket': No key 'colour'"),
        ("[[kit]]", 'faults = ["flood"]\n[[kit]]', r"thing 'lamp': No key 'faults'"),
    ],
)  # fmt: skip
def test_a_complaint_names_the_line_and_the_fix(cabin, old, new, words):
    assert old in CABIN
    cabin.write_text(CABIN.replace(old, new))
    with pytest.raises(CoterieError, match=words):
        load_place(cabin)


def test_a_complaint_about_a_table_in_braces_names_its_line(tmp_path):
    file = tmp_path / "ward.toml"
    text = (FOLDER / "ward.toml").read_text()
    file.write_text(text.replace("at = [2.0, 1.0]", "at = [2.0, 99.0]"))
    line = next(i for i, row in enumerate(text.splitlines(), 1) if "at = [2.0, 1.0]" in row)
    with pytest.raises(CoterieError, match=rf"line {line}: table 'tableA'.*lies in no room"):
        load_place(file)


@pytest.mark.parametrize(
    "name", ["office", *(pytest.param(n, marks=pytest.mark.long) for n in place_names() if n not in ("ward", "office"))]
)
def test_a_drawn_mission_of_a_place_is_served(name):
    case = draw_case(3, name)
    task = make(3, "drawn", case.faults, "none", name=name)
    assert witness(task).status == "plan"
    served = serve(name, [case.goal], seed=3, level="drawn", faults=case.faults, answers="yes")
    assert served.success and not served.played.log.events[0].data["config"]["scene"].endswith(".toml")


def test_a_mission_in_a_place_of_ones_own_goes_on_from_its_log(cabin, tmp_path):
    log = tmp_path / "log.jsonl"
    served = serve(str(cabin), ["nightkit at cabin"], answers="yes", log_path=log)
    assert served.success and served.notes[0]["what"] == "joined"
    assert any(n["what"] == "goal" and n["by"] == "captain" for n in served.notes), "its instructor asks"
    assert goes_on(log)


def test_what_is_really_there_may_be_otherwise(cabin):
    cabin.write_text(CABIN.replace("at = { desk = 2 }", "at = { desk = 2 }\nreally = { desk = 0 }"))
    served = serve(str(cabin), ["nightkit at cabin"], answers="yes")
    assert [n["why"] for n in served.notes if n["what"] == "failure"] == ["not objectAt(lamp, desk)"]
    assert served.success, "somebody was asked to put one there"


def test_a_role_of_a_places_own_has_the_rights_that_it_says(cabin):
    cabin.write_text('[roles]\nwatch = ["command", "ask"]\n\n' + with_mate(CABIN, "watch"))
    served = serve(str(cabin), ["open the door of cabin"], by="mate", answers="yes")
    assert served.success and served.mission.authority.refusal("mate", "approve") is not None


def test_robots_by_card_and_skills_of_ones_own_join(cabin, tmp_path, capsys, own_names):
    card, skill = tmp_path / "rover.toml", tmp_path / "ring.py"
    card.write_text(ROVER.replace('"opendoor"', '"ring"'))
    skill.write_text(RING)
    cabin.write_text(CABIN[: CABIN.rindex("[[robot]]")])  # without Spot, who alone opens doors
    words = ["mission", str(cabin), "--goal", "open the door of cabin", "--json", "--log"]
    assert main([*words, str(tmp_path / "a.jsonl")]) == 1, "nobody can open it"
    more = ["--card", str(card), "--load", str(skill)]
    capsys.readouterr()
    assert main([*words, str(tmp_path / "b.jsonl"), *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["success"] and found["plans"][0]["steps"] <= 2
    card.write_text(ROVER.replace('"opendoor"', '"dance"'))
    assert main([*words, str(tmp_path / "c.jsonl"), *more]) == 2
    assert "No skill 'dance'" in capsys.readouterr().err
    cabin.write_text(CABIN)
    for change, told in (("Spot", "there is another 'Spot'"), ("Rover", "somebody named 'Temi'")):
        card.write_text(ROVER.replace('name = "Rover"', 'name = "Temi"').replace("Rover", change))
        with pytest.raises(CoterieError, match=told):
            serve(str(cabin), ["nightkit"], cards=[str(card)])


def test_who_joins_is_told_with_its_skills_in_words(tmp_path):
    file = tmp_path / "rover.toml"
    file.write_text(ROVER)
    data = {"kind": "change", "source": "drivers", "change": "join", "data": {"card": load_card(file)}}
    (line,) = Story(None).of(Event(1, 0, 12.0, "input", "", data, ()))
    assert line.endswith("drivers: join Rover with skills goto, passdoor, opendoor, wait")


DEPOT = """\
from coterie.core.entry import worlds
from coterie.core.registry import Registry
from coterie.worlds.hospital.entry import HospitalEntry
from coterie.worlds.hospital.tasks import draw_medkit


class Depot(HospitalEntry):
    name = "depot"

    def __init__(self):
        super().__init__()
        self.tasks = Registry("task")
        self.tasks.put("depot-kit", draw_medkit)


worlds.put("depot", Depot(), replace=True)
"""


def test_a_world_of_ones_own_joins_by_a_file(cabin, tmp_path, capsys, own_names):
    world, log = tmp_path / "depot.py", tmp_path / "log.jsonl"
    world.write_text(DEPOT)
    cabin.write_text('world = "depot"\n' + CABIN)
    words = ["mission", str(cabin), "--goal", "open the door of cabin", "--json"]
    assert main([*words, "--load", str(world), "--log", str(log)]) == 0
    assert json.loads(log.read_text().splitlines()[0])[5]["world"] == "depot"


DAYKIT = lesson("kit", "daykit", words="a daykit", container="caddy", contents={"lamp": 2})
OPENS = {"is": "Want", "kind": "door", "what": "cabindoor"}
NIGHTROUND = lesson("task", "nightround", words="open the door of the cabin", wants=[OPENS])


def test_a_talk_in_a_place_begins_as_its_teacher_with_what_is_taught_there(cabin, monkeypatch, capsys):
    cabin.write_text('taught = "lessons.json"\n' + with_mate(CABIN, "teacher"))
    lessons(cabin.parent, DAYKIT)
    monkeypatch.setattr("sys.stdin", io.StringIO("what is in a daykit?\n"))
    assert main(["talk", "--scene", str(cabin), "--model", "none", "--log", str(cabin.with_name("log.jsonl"))]) == 0
    said = capsys.readouterr().out
    assert "You are mate." in said and "two lamps" in said.lower()


@pytest.mark.parametrize("goal", ["do the nightround", "deliver a daykit to the cabin"])
def test_a_mission_serves_what_was_taught_and_goes_on_with_it(cabin, tmp_path, goal):
    cabin.write_text(with_mate(CABIN, "teacher"))
    log = tmp_path / "log.jsonl"
    words = ["mission", str(cabin), "--goal", goal, "--approve", "--json", "--log", str(log)]
    assert main([*words, "--taught", str(lessons(tmp_path, NIGHTROUND, DAYKIT))]) == 0
    assert goes_on(log)
    told = list(Story(worlds.get("hospital").domain({})).lines(read_log(log)))
    assert any("mate: lessons from a file" in line for line in told) and not any("wants" in line for line in told)
    cabin.write_text('taught = "lessons.json"\n' + cabin.read_text())
    assert serve(str(cabin), [goal], answers="yes").success
    with pytest.raises(CoterieError, match="'basketball' is neither a kit nor a thing"):
        serve("ward", ["basketball at alpha"])


@pytest.mark.parametrize("typed", ["rover.toml", "rover.toml@soon", "@20"])
def test_a_complaint_about_who_joins_names_what_was_typed(typed, capsys):
    assert main(["mission", "ward", "--goal", "medkit at alpha", "--join", typed]) == 2
    told = capsys.readouterr().err
    assert f"--join {typed}: write a card and a time" in told and "join:" not in told


@pytest.mark.parametrize(
    ("more", "goal", "said"),
    [
        ({}, "medkit at alpha", "no file of lessons ('format')"),
        ({"format": "coterie lessons 1", "lessons": []}, "", "Name a goal with --goal"),
        ({"format": "coterie lessons 1", "lessons": [], "engine": "own"}, "medkit at alpha", "leave the engine out"),
    ],
)
def test_a_mission_with_lessons_complains_before_anything_is_played(tmp_path, more, goal, said):
    file = tmp_path / "lessons.json"
    engine = more.pop("engine", "")
    file.write_text(json.dumps(more))
    with pytest.raises(CoterieError, match=re.escape(said)):
        serve("ward", [goal], taught=file, engine=engine)


def test_a_goal_that_nobody_understood_is_in_the_result(tmp_path, capsys):
    taught = str(lessons(tmp_path))
    words = ["mission", "ward", "--goal", "deliver a basketball to alpha", "--taught", taught, "--json"]
    assert main([*words, "--log", str(tmp_path / "log.jsonl")]) == 1
    (told,) = json.loads(capsys.readouterr().out)["unclear"]
    assert "I do not know 'basketball'" in told


def test_a_thing_that_was_shown_elsewhere_hinders_no_kit(cabin, tmp_path):
    """Nobody can say how many torches are in the basket, as there are none here."""
    kit = lesson("kit", "daykit", "captain", container="basket", contents={"lamp": 1})
    torch = {**lesson("item", "torch", "captain"), "data": {"words": "torch"}}
    nobody = r'nobody here may teach; give the place a \[\[person\]\] with role = "teacher"'
    with pytest.raises(CoterieError, match=nobody):
        serve(str(cabin), ["nightkit at cabin"], taught=lessons(tmp_path))
    cabin.write_text(cabin.read_text().replace('role = "instructor"', 'role = "teacher"'))
    assert serve(str(cabin), ["deliver a daykit to the cabin"], taught=lessons(tmp_path, kit, torch)).success


def test_a_robot_joins_on_the_way_and_the_plan_that_is_better_with_it_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(MissionPlanner, "usual", Limits(states=STATES))  # or no plan is better than another
    card, log = tmp_path / "rover.toml", tmp_path / "log.jsonl"
    skills = '"goto", "passdoor", "opendoor", "perceiveobject", "pickup", "putdown", "putin", "deliverkit", "wait"'
    card.write_text(ROVER[: ROVER.index("skills")] + f"skills = [{skills}]\nspeed_mps = 1.5\npayload_kg = 4.0\n")
    served = serve("office", ["mailkit at sales"], answers="yes", faults=[f"join:{card}@20"], log_path=log)
    of = {n["what"]: n for n in served.notes}
    assert of["changed_over"]["robots"] == ["Rover"] and of["changed_over"]["t"] >= 20
    assert served.success and any("Rover can help" in n["text"] for n in served.notes if n["what"] == "tell")
    assert goes_on(log)


def test_a_robot_joins_a_talk_by_a_word_at_the_keyboard(cabin, monkeypatch, capsys):
    card = cabin.with_name("rover.toml")
    card.write_text(ROVER)
    lines = ["join nowhere.toml", f"join {card}", "who can open doors?", "where is Rover?"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["talk", "--scene", str(cabin), "--model", "none", "--log", str(cabin.with_name("log.jsonl"))]) == 0
    said = capsys.readouterr().out
    assert "There is no robot card" in said and "Rover and Spot can open doors." in said


def test_a_day_of_waiting_is_a_page_of_log_and_what_was_brought_is_used(cabin, tmp_path):
    log = tmp_path / "log.jsonl"
    brought = [Said(9000, "captain", "3 lamps on desk")]
    later = [Said(40000, "captain", "4 lamps on desk")]
    served = serve(
        str(cabin), ["nightkit at cabin"], answers="yes", hours=24, script=later, restock=brought, log_path=log
    )
    done = [n["t"] for n in served.notes if n["what"] == "done"]
    assert served.success and done[0] < 300 and 40000 <= done[1] < 40015, "four are there since some were brought"
    waits = [e for e in served.played.log.events if e.kind == "act" and e.data["skill"] == "wait" and e.t > 1000]
    assert len(waits) < 3 * 2 * 40000 / 600
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[: len(lines) // 2]))
    assert resume(log, script=[Said(50000, "captain", "nightkit")]).played.result.time_s >= 50000


def test_robots_are_drawn_in_houses_alone(capsys):
    assert main(["run", "pack-objects", "--team-size", "4"]) == 2
    assert "--team-size draws robots in houses alone" in capsys.readouterr().err


def test_any_fault_is_one_that_may_happen_there():
    with pytest.raises(CoterieError, match=r"write the card of the robot and when"):
        make(faults=["join:rover.toml@soon"])
    drawn = [make(seed, faults=["any"], name="office").about["faults"] for seed in range(8)]
    kinds = {fault["kind"] for faults in drawn for fault in faults}
    allowed = {k for text in place("office").faults for k in text.split("+")}
    assert len(kinds) > 1 and kinds <= allowed


def test_people_restock_in_words_and_are_asked_for_what_is_short(cabin):
    with Talk(str(cabin)) as talk:
        assert talk.say("captain", "We just restocked the desk with two lamps.") == ["Thank you; I take note of it."]
        assert talk.say("captain", "What is on the desk?") == ["Four lamps and a caddy."]
        assert "on tables: the desk" in talk.say("captain", "I have put 3 lamps in the cabin.")[0]
        talk.say("stranger", "I have put 9 lamps on the desk.")
        talk.say("captain", "I have put 2 lamps on the desk.")
        talk.say("captain", "Undo that.")
        talk.say("captain", "Bring 7 lamps to the desk.")
        talk.until("captain", "put 3 lamps on the desk. It will take")
        talk.say("captain", "Yes.")
        talk.until("captain", "Say done")
        talk.say("captain", "Done.")
        talk.until("captain", "Done: 7 lamps at the desk")
    events = talk.served.played.log.events
    put = [e.data["data"]["count"] for e in events if e.kind == "input" and e.data.get("change") == "put"]
    assert put == [2, 2, -2, 3], "what people say that they did is done there, too"
