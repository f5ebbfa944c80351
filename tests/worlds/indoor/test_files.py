"""Scenes, cards and tasks from files: what is wrong is told with its place and the fix."""

from pathlib import Path

import pytest

from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import build
from coterie.houses.toml import load_scene
from coterie.worlds.indoor.bodies import add_card, load_card

HOUSES = Path(load_scene.__code__.co_filename).parent / "built_in"
CARDS = Path(load_card.__code__.co_filename).parent
EXAMPLE = Path(__file__).parents[3] / "examples" / "set_the_table.toml"


NO_BEDROOM_DOOR = """[[door]]
name = "bedroom_door"
between = ["living_room", "bedroom"]
at = [4.0, 4.5]
"""


def complains(make, *words: str) -> None:
    with pytest.raises(CoterieError) as err:
        make()
    for word in words:
        assert word in str(err.value), str(err.value)


def change(source: Path, target: Path, old: str, new: str) -> Path:
    text = source.read_text()
    assert old in text
    target.write_text(text.replace(old, new, 1))
    return target


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rect = [0.4, 0.1, 2.0, 0.8]", "rect = [4.5, 0.1, 5.3, 0.8]", ["'sofa' and 'book_case' overlap", "move one"]),
        ("rect = [0.4, 0.1, 2.0, 0.8]", "rect = [2.0, 0.1, 0.4, 0.8]", ["sofa", "[left, bottom, right, top]"]),
        ("rect = [0.4, 0.1, 2.0, 0.8]", "rect = [-0.4, 0.1, 2.0, 0.8]", ["sofa", "through the wall"]),
        ("rect = [0.4, 0.1, 2.0, 0.8]", "rect = [40, 1, 41, 2]", ["sofa", "lies in no room"]),
        ("rect = [0.4, 0.1, 2.0, 0.8]", 'rect = "big"', ["sofa", "list of 4 numbers"]),
        ("height_m = 0.45", "height_m = -1", ["sofa", "height_m", "between 0.05", "-1"]),
        ("height_m = 0.45", "heigth_m = 0.45", ["sofa", "heigth_m", "Did you mean 'height_m'"]),
        ("height_m = 0.45", "height_m = 0.45\nstands = [[1.2, 0.5]]", ["stand pose 0 of 'sofa'", "obstacle"]),
        ('name = "sofa"', 'name = "fridge"', ["'fridge' is used twice"]),
        ('name = "sofa"', "", ["furniture number 2", "`name` is missing"]),
        ('between = ["living_room", "bedroom"]', 'between = ["living_room", "cellar"]', ["cellar", "There are"]),
        ("at = [4.0, 4.5]", "at = [4.0, 1.0]", ["bedroom_door", "does not lie in the wall between"]),
        (NO_BEDROOM_DOOR, "", ["'bed' has no free side", "get to"]),
        ("arm = [1.9, 2.65]", "arm = [9.0, 2.65]", ["work.arm", "table_0"]),
        ('table = "table_0"', 'table = "desk"', ["work.table", "desk"]),
        ("[work]", "[work", ["not valid TOML"]),
    ],
)
def test_scene_complaints(tmp_path, old, new, words):
    path = change(HOUSES / "flat.toml", tmp_path / "mine.toml", old, new)
    complains(lambda: load_scene(path), str(path), *words)


def test_a_given_stand_pose_must_be_reachable(tmp_path):
    text = (HOUSES / "flat.toml").read_text().replace(NO_BEDROOM_DOOR, "")
    for name, stand in (("bed", "[3.0, 6.0]"), ("drawer", "[3.5, 6.5]")):
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\nstands = [{stand}]\n')
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(CoterieError, match=r"stand pose 0 of 'bed'.*cannot be reached"):
        load_scene(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("payload_kg = 3.0", "payload_kg = -3.0", ["payload_kg", "between"]),
        ('"move", ', '"mvoe", ', ["No skill 'mvoe'", "'move'"]),
        ('mobility = "ground"', 'mobility = "water"', ["mobility", "ground"]),
        ('mobility = "ground"', 'mobility = "fixed"', ["navigate", "mobility"]),
        ("reach_m = 0.95", "", ["reach_m", "above 0"]),
        ('body = "MoMa"', 'body = "Mo-Ma"', ["body", "letters"]),
        ("speed_mps = 0.8", "speed_mps = nan", ["speed_mps", "number"]),
    ],
)
def test_card_complaints(tmp_path, old, new, words):
    path = change(CARDS / "moma.toml", tmp_path / "mine.toml", old, new)
    complains(lambda: load_card(path), *words)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass_kg = 0.3", "mass_kg = -0.3", ["thing 'cup_0'", "mass_kg", "-0.3"]),
        ('place = "dishwasher"', 'place = "dishwater"', ["cup_0", "Did you mean 'dishwasher'"]),
        ('targets = ["cup_0", "plate_0"]', 'targets = ["cap_0"]', ["No thing 'cap_0'", "Did you mean 'cup_0'"]),
        ('targets = ["cup_0", "plate_0"]', "targets = []", ["targets", "empty"]),
        ('kind = "pack" ', 'kind = "pick" ', ["kind", "pack"]),
        ('team = "Ma-MoMa-UAV"', 'team = "Ma-MoMo"', ["No robot 'MoMo'", "MoMa"]),
        ('team = "Ma-MoMa-UAV"', 'team = "Ma-MoMa"', ["cannot be done", "plate_0", "cabinet_top", "Alice (MoMa)"]),
        ('team = "Ma-MoMa-UAV"', 'team = "MoMa-UAV"', ["no fixed arm"]),
        ('name = "plate_0"', 'name = "cup_0"', ["two things are named 'cup_0'"]),
        ("step = 5", "step = -5", ["step", "-5"]),
        ('kind = "goal"', 'kind = "gaol"', ["goal"]),
        ('scene = "flat"', 'scene = "flta"', ["No scene 'flta'", "'flat'"]),
        ("step_limit = 30", 'step_limit = "long"', ["step_limit", "whole number"]),
        ("mass_kg = 0.4", "mass_kg = 2.5", ["cannot be done", "lifts only 1.5 kg"]),
    ],
)
def test_task_complaints(tmp_path, old, new, words):
    path = change(EXAMPLE, tmp_path / "mine.toml", old, new)
    complains(lambda: build(Config(task=str(path))), *words)


def with_change(folder: Path, lines: str) -> Path:
    path = folder / "mine.toml"
    text = EXAMPLE.read_text()
    path.write_text(text[: text.index("[[change]]")] + "[[change]]\n" + lines)
    return path


def test_changes_of_every_kind_are_read(tmp_path):
    def read(lines):
        (found,) = build(Config(task=str(with_change(tmp_path, lines))))[1].changes
        return found.at.step, found.kind, found.data, found.told

    assert read('step = 3\nkind = "zones"\nrobot = "Alice"\nplaces = ["sofa", "bed/stand_pose_1"]\n') == (
        3, "zones", {"closed": {"Alice": ["sofa", "bed/stand_pose_1"]}, "zones": 2}, (),
    )  # fmt: skip
    step, kind, data, told = read('step = 4\nkind = "join"\nbody = "Mo"\n')
    assert (step, kind, data["robot"], data["card"].body, told) == (4, "join", "David", "Mo", ("all",))
    assert read('step = 4\nkind = "join"\nbody = "MoMa"\nrobot = "Eve"\n')[2]["robot"] == "Eve"
    assert read('step = 29\nkind = "leave"\nrobot = "Alice"\n') == (29, "leave", {"robot": "Alice"}, ())
    goal = read('step = 5\nkind = "goal"\ntargets = ["napkin_0"]\n')
    assert (goal[2]["goal"].targets, goal[3]) == (("napkin_0",), ("all",))


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('kind = "leave"\nrobot = "Alice"\n', "`step` is missing"),
        ("step = 3\n", "`kind` is missing"),
        ('step = 30\nkind = "leave"\nrobot = "Alice"\n', "the task ends after 30 steps"),
        ('step = 3\nkind = "goal"\n', "`targets` is missing"),
        ('step = 3\nkind = "zones"\nplaces = ["sofa"]\n', "`robot` is missing"),
        ('step = 3\nkind = "zones"\nrobot = "Alice"\n', "`places` is missing"),
        ('step = 3\nkind = "zones"\nrobot = "Alice"\nplaces = []\n', "empty"),
        ('step = 3\nkind = "zones"\nrobot = "Alice"\nplaces = ["soda"]\n', "Did you mean 'sofa'"),
        ('step = 3\nkind = "zones"\nrobot = "Alice"\nplaces = ["sofa/stand_pose_9"]\n', "'sofa' has no 'stand_pose_9'"),
        ('step = 3\nkind = "zones"\nrobot = "Alise"\nplaces = ["sofa"]\n', "Did you mean 'Alice'"),
        ('step = 3\nkind = "join"\n', "`body` is missing"),
        ('step = 3\nkind = "join"\nbody = "MoMa"\n', "the team already has a Alice"),
        ('step = 3\nkind = "leave"\n', "`robot` is missing"),
        ('step = 3\nkind = "leave"\nrobot = "Zed"\n', "Zed"),
        ('step = 3\nkind = "leave"\nrobot = "Alice"\nwhy = "x"\n', "why"),
    ],
)
def test_complaints_about_changes(tmp_path, lines, words):
    complains(lambda: build(Config(task=str(with_change(tmp_path, lines)))), words)


# -- cards ----------------------------------------------------------------------------------------------------------
def test_what_a_card_leaves_out_is_the_usual(tmp_path):
    file = tmp_path / "cart.toml"
    file.write_text('body = "Cart"\nmobility = "ground"\nskills = ["navigate", "wait"]\n')
    card = load_card(file)
    assert card == Card("Cart", "Cart", "ground", ("navigate", "wait"), "a Cart robot")
    usual = (card.footprint_m, card.height_m, card.speed_mps, card.reach_m, card.reach_low_m, card.reach_high_m)
    assert usual == (0.25, 1.0, 0.8, 0.0, 0.0, 1.3)
    assert (card.shoulder_m, card.payload_kg, card.camera_high_m, card.battery_steps) == (0.8, 0.0, 1.7, None)
    assert card.moves
    assert not card.manipulates


def test_the_gap_is_measured_from_the_shoulder():
    card = Card("A", "A", "ground", ("pick",), "", shoulder_m=0.5, payload_kg=1.0)
    assert card.gap((1.0, 2.0), (1.0 + 2.0, 2.0 + 3.0, 0.5 + 6.0)) == 7.0
    assert card.manipulates


def test_who_lifts_nothing_has_no_payload(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text('body = "Odd"\nmobility = "ground"\nskills = ["navigate", "wait"]\npayload_kg = 2.0\n')
    with pytest.raises(CoterieError, match=r"cannot `pick` takes nothing up; leave out `payload_kg`, or add the skill"):
        load_card(path)
    assert Card("B", "B", "ground", ("grab",), "", payload_kg=1.0).manipulates, "whatever a world calls it"


def test_a_body_that_exists_already_says_in_which_line_to_rename_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('# mine\nbody = "MoMa"\nmobility = "ground"\nskills = ["navigate", "wait"]\n')
    with pytest.raises(CoterieError, match=r"line 2: `body`: there is a robot 'MoMa' already; .* like \"MoMa2\""):
        add_card(path)
    assert load_card(path).body == "MoMa"  # to check a card is no reason to complain
