"""Episodes of Habitat and PARTNR: read from files in their formats, played, and judged by their own propositions."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.task import goals
from coterie.episode.play import play as run
from coterie.episode.setup import resolve
from coterie.houses.habitat import EXAMPLE, all_episodes, load_episode
from coterie.worlds.household.entry import HOUSEHOLD
from coterie.worlds.household.tasks.rearrange import Rearrange, draw_rearrange, play

TEAM = "SmallArm-TallArm"


def edited(folder: Path, **changes: Any) -> str:
    """The first shipped episode with some keys changed, beside its scene."""
    for file in EXAMPLE.parent.iterdir():
        shutil.copy(file, folder)
    row = json.loads(EXAMPLE.read_text("utf-8"))["episodes"][0] | changes
    with gzip.open(folder / "own.json.gz", "wt", encoding="utf-8") as file:
        json.dump({"episodes": [row]}, file)
    return f"{folder / 'own.json.gz'}#0"


def on_top(*things: str, to: str = "counter", **more: Any) -> dict[str, Any]:
    args = {"object_handles": list(things), "receptacle_handles": [to], "number": 1}
    return {"function_name": "is_on_top", "args": args | more}


def goal(*propositions: dict[str, Any], needs: Any = (), bounds: Any = ()) -> Rearrange:
    return Rearrange("", propositions, list(needs), list(bounds), {})


def course(*moments: dict[str, str]) -> list[dict[str, tuple[str, Any]]]:
    return [{thing: (place, (0.0, 0.0, 0.5)) for thing, place in lies.items()} for lies in moments]


def counted(asked: Rearrange, *moments: dict[str, str]) -> set[int]:
    _, since, broken = asked.judged(course(*moments))
    return set(since) - broken


# -- files ------------------------------------------------------------------------------------------------------------
def test_a_scene_becomes_a_house_in_which_every_room_is_reached() -> None:
    episode = load_episode(f"{EXAMPLE}#0")
    assert {r.name for r in episode.house.rooms} == {"kitchen_0", "living_room_0", "bedroom_0", "living_room_1"}
    assert len(episode.house.doors) == 5
    assert not [note for note in episode.house.notes if "cannot be reached" in note]
    assert episode.house.thing[episode.named["mug_red_:0000"]].on == episode.named["coffee_table_04_:0000"]


def test_their_z_is_turned_round_and_their_turns_are_ours() -> None:
    house = load_episode(f"{EXAMPLE}#0").house
    fridge, stand = house.piece["fridge_0"], house.piece["tv_stand_0"]
    assert (fridge.centre[0] - house.moved[0], fridge.centre[1] - house.moved[1]) == pytest.approx((3.2, -0.5))
    assert stand.yaw_deg == pytest.approx(90.0)  # a quarter about their y is one about our z


def test_nothing_is_lost_without_a_word() -> None:
    episode = load_episode(f"{EXAMPLE}#3")
    told = " ".join(play(f"{EXAMPLE}#3")[2])
    assert "1 of kind Painting hang on the walls" in told
    assert "1 objects of the scene are no furniture" in told
    assert "A proposition is left out: is_clean is nothing that is judged here." in told
    assert "1 of 3 propositions are not judged." in told
    assert len(episode.house.thing) == 3


def test_targets_of_habitat_are_judged_by_their_receptacles_and_a_thing_of_no_known_kind_has_a_stand_in() -> None:
    episode, asked, _ = play(f"{EXAMPLE}#1")
    assert asked.wanted == {"bowl_0": ("dining_table_0",), "cup_0": ("fridge_0",)}
    assert episode.house.thing[episode.named["005_tomato_soup_can_:0000"]].kind == "Cup"
    assert any("tomato" in note and "Cup stands in" in note for note in episode.house.notes)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"scene_id": "castle"}, "no 'castle.scene_instance.json' beside it; set COTERIE_HABITAT"),
        ({"rigid_objs": [["mug.object_config.json", 3]]}, "is not written as"),
        ({"evaluation_propositions": [on_top("gone_:0000")]}, "asks for nothing that can be judged here"),
        ({"evaluation_propositions": [{"args": {}}]}, "is not written as"),
    ],
)
def test_a_bad_file_ends_in_a_sentence(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(CoterieError, match=words):
        play(edited(tmp_path, **changes))


def test_names_of_no_episode_are_told() -> None:
    for name, words in ((f"{EXAMPLE}#4", "has 4 episodes"), ("rooms:6", "write FILE.json.gz#3")):
        with pytest.raises(CoterieError, match=words):
            load_episode(name)


def test_scenes_are_found_in_the_folders_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = edited(tmp_path)
    elsewhere = tmp_path / "data" / "scenes"
    elsewhere.mkdir(parents=True)
    for file in tmp_path.glob("cottage*"):
        file.rename(elsewhere / file.name)
    away = tmp_path / "episodes"
    away.mkdir()
    Path(where.removesuffix("#0")).rename(away / "own.json.gz")
    with pytest.raises(CoterieError, match="COTERIE_HABITAT"):
        load_episode(f"{away / 'own.json.gz'}#0")
    monkeypatch.setenv("COTERIE_HABITAT", str(tmp_path / "data"))
    assert len(load_episode(f"{away / 'own.json.gz'}#0").house.rooms) == 4


def test_a_scene_without_rooms_is_one_room(tmp_path: Path) -> None:
    where = edited(tmp_path)
    (tmp_path / "cottage.semantic_config.json").unlink()
    episode = load_episode(where)
    assert len(episode.house.rooms) == 1 and any("is one LivingRoom" in note for note in episode.house.notes)


def test_another_storey_is_left_out_with_all_that_stands_there(tmp_path: Path) -> None:
    where = edited(tmp_path)
    rooms, scene = (tmp_path / f"cottage.{kind}.json" for kind in ("semantic_config", "scene_instance"))
    data = json.loads(rooms.read_text("utf-8"))
    loft = [[x, 3.0, z] for x, _, z in data["region_annotations"][0]["poly_loop"]]
    data["region_annotations"].append({"name": "loft", "label": "bedroom", "poly_loop": loft})
    rooms.write_text(json.dumps(data), "utf-8")
    objects = json.loads(scene.read_text("utf-8"))
    objects["object_instances"].append({"template_name": "sofa_up", "translation": [2.0, 3.0, 2.5]})
    scene.write_text(json.dumps(objects), "utf-8")
    house = load_episode(where).house
    assert len(house.rooms) == 4 and [f.name for f in house.furniture if f.kind == "Sofa"] == ["sofa_0"]
    assert "'loft' is on another storey; it is left out." in house.notes
    assert any(note.startswith("2 objects of the scene are no furniture of this storey") for note in house.notes)


# -- judging ----------------------------------------------------------------------------------------------------------
def test_as_many_as_are_asked_for_and_at_the_same_place() -> None:
    two = goal(on_top("a", "b", "c", number=2))
    assert counted(two, {"a": "counter", "b": "desk", "c": "desk"}) == set()
    assert counted(two, {"a": "counter", "b": "desk", "c": "counter"}) == {0}
    same = on_top("a", "b", number=2, is_same_receptacle=True)
    same["args"]["receptacle_handles"] = ["counter", "desk"]
    assert counted(goal(same), {"a": "counter", "b": "desk"}) == set()
    assert counted(goal(same), {"a": "desk", "b": "desk"}) == {0}


def test_there_and_back_again() -> None:
    back = [{"proposition_indices": [1], "depends_on": [0], "relation_type": "after_unsatisfied"}]
    asked = goal(on_top("a", to="sink"), on_top("a", to="table"), needs=back)
    assert counted(asked, {"a": "table"}) == set()
    assert counted(asked, {"a": "table"}, {"a": "Bob"}, {"a": "sink"}) == {0}
    assert counted(asked, {"a": "table"}, {"a": "sink"}, {"a": "Bob"}, {"a": "table"}) == {0, 1}


def test_one_that_is_looked_at_while_another_holds() -> None:
    while_ = [{"proposition_indices": [1], "depends_on": [0], "relation_type": "while_satisfied"}]
    asked = goal(on_top("a"), on_top("b"), needs=while_)
    assert counted(asked, {"a": "desk", "b": "counter"}) == set()
    assert counted(asked, {"a": "counter", "b": "counter"}) == {0, 1}


def test_an_order_that_was_not_kept_does_not_count() -> None:
    order = [{"type": "TemporalConstraint", "args": {"dag_edges": [[0, 1], [1, 2]]}}]
    asked = goal(on_top("a"), on_top("b"), on_top("c"), bounds=order)
    start = {"a": "desk", "b": "desk", "c": "desk"}
    first, second = start | {"a": "counter"}, start | {"a": "counter", "b": "counter"}
    last = dict.fromkeys("abc", "counter")
    assert counted(asked, start, first, second, last) == {0, 1, 2}
    assert counted(asked, start, start | {"b": "counter"}, second, last) == {0}
    assert counted(asked, start, last) == {0}


def test_what_must_hold_at_the_end_must() -> None:
    end = [{"type": "TerminalSatisfactionConstraint", "args": {"proposition_indices": [0]}}]
    assert counted(goal(on_top("a"), bounds=end), {"a": "counter"}, {"a": "desk"}) == set()
    assert counted(goal(on_top("a")), {"a": "counter"}, {"a": "desk"}) == {0}


@pytest.mark.parametrize("kind, places, holds", [
    ("SameArgConstraint", ("counter", "counter"), {0, 1}), ("SameArgConstraint", ("counter", "desk"), {0}),
    ("DifferentArgConstraint", ("counter", "counter"), {0}), ("DifferentArgConstraint", ("counter", "desk"), {0, 1}),
])  # fmt: skip
def test_the_same_place_or_another(kind: str, places: tuple[str, str], holds: set[int]) -> None:
    args = {"proposition_indices": [0, 1], "arg_names": ["receptacle_handles"] * 2}
    both = [on_top("a"), on_top("b")]
    for proposition in both:
        proposition["args"]["receptacle_handles"] = ["counter", "desk"]
    asked = goal(*both, bounds=[{"type": kind, "args": args}])
    one, two = places
    assert counted(asked, {"a": "sofa", "b": "sofa"}, {"a": one, "b": "sofa"}, {"a": one, "b": two}) == holds
    assert len({asked.wanted["a"], asked.wanted["b"]}) == 1 + (kind == "DifferentArgConstraint")


def test_next_to_each_other() -> None:
    near = {"function_name": "is_next_to", "args": {"entity_handles_a": ["a"], "entity_handles_b": ["b"]}}
    at = [{"a": ("desk", (0.0, 0.0, 0.7)), "b": ("desk", (x, 0.0, 0.7))} for x in (0.9, 0.4)]
    assert set(goal(near).judged(at[:1])[1]) == set()
    assert set(goal(near).judged(at)[1]) == {0}


def test_a_goal_goes_through_its_json() -> None:
    asked = play(f"{EXAMPLE}#2")[1]
    assert goals.get("rearrange")(json.loads(json.dumps(asked.to_json()))).text() == asked.text()


# -- playing ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("number", "protocol"), [*((n, "expert") for n in range(4)), (2, "heuristic")])
def test_every_shipped_episode_is_carried_out(number: int, protocol: str) -> None:
    assert Path(all_episodes()[number]).name == f"episodes.json#{number}"
    config = Config(task="rearrange", scene=f"{EXAMPLE}#{number}", team=TEAM, protocol=protocol)
    assert run(config).result.success


def test_a_task_says_what_is_asked_for_and_where_robots_bring_it() -> None:
    task = draw_rearrange(Config(task="rearrange", scene=f"{EXAMPLE}#3", team=TEAM))
    assert task.goal.text().startswith("Wash the mug, then put it and the apple on the bench in the hallway.")
    assert task.about["left_out"] == 1 and set(task.setting.misplaced) == {"mug_0", "apple_0"}


def test_what_was_not_brought_has_a_reason_and_two_that_carry_are_the_usual_team() -> None:
    usual = resolve(Config("rearrange"))
    assert usual.team == "SmallArm-TallArm" and usual.scene == f"{EXAMPLE}#0"
    few = resolve(Config("rearrange", team="TallEye-SmallEye"))
    events = run(few, task=replace(draw_rearrange(few), step_limit=200)).log.events
    assert HOUSEHOLD.missed(events) == ["mug_0 (too heavy): nobody in the team lifts it."]
