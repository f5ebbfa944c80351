"""Things for all over the house: furniture, rooms, people and caddies as homes, with and without a work table."""

import re
from pathlib import Path

import pytest

from coterie.bench.validate import validate
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.task import Goal, goal_from_json
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.houses.names import scene
from coterie.houses.scene import nearest_in
from coterie.protocols.dynahmrc.oracle import Oracle
from coterie.worlds.indoor.tasks.goals import Bring, Pack, Stack
from coterie.worlds.indoor.world import IndoorWorld
from tests.worlds.indoor.conftest import do, make_world

EXAMPLE = Path(__file__).parents[3] / "examples" / "tea_for_anna.toml"

TASK = """
scene = "flat"
team = "{team}"
step_limit = 60
[goal]
kind = "bring"
{items}
[[person]]
name = "Anna"
at = [8.0, 2.2]
{things}
"""


def near(place: str) -> str:
    """At the edge of the furniture, where one arm's length is enough."""
    f = scene("flat").piece.get(place)
    return "" if f is None else f"at = {list(nearest_in(f.rect, f.stands[0]))}\n"


def written(path: Path, homes: dict[str, str], places: dict[str, str], team: str = "MoMa-UAV", more: str = "") -> str:
    items = "".join(f'[[goal.item]]\nthing = "{t}"\nto = "{h}"\n' for t, h in homes.items())
    things = "".join(f'[[thing]]\nname = "{t}"\nplace = "{p}"\n{near(p)}' for t, p in places.items())
    path.write_text(TASK.format(team=team, items=items, things=things + more))
    return str(path)


@pytest.mark.parametrize(("team", "protocol"), [("Ma-MoMa-UAV", "expert"), ("MoMa", "rules")])
def test_any_mixture_of_homes_is_reached_by_any_team_that_can(tmp_path, team, protocol):
    homes = {"cup_0": "Anna", "plate_0": "bedroom", "book_0": "dishwasher", "key_0": "sofa"}
    places = {"cup_0": "fridge", "plate_0": "sofa", "book_0": "bed", "key_0": "dishwasher"}
    played = play(Config(task=written(tmp_path / "t.toml", homes, places, team), protocol=protocol))
    assert validate(played.log.events).reason == ""


@pytest.mark.parametrize("protocol", ["rules", "expert"])
def test_the_example_with_a_person_a_caddy_and_doors(protocol):
    played = play(Config(task=str(EXAMPLE), protocol=protocol))
    verdict = validate(played.log.events)
    assert verdict.reason == "" and verdict.steps <= {"rules": 24, "expert": 20}[protocol]


def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path):
    config = Config(task=str(EXAMPLE), protocol="rules", seed=2, synchronous=False, guard=True, noise="real")
    path = tmp_path / "run.jsonl"
    play(config, path)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    play(config, path, resume=True)
    assert path.read_bytes() == whole


def test_a_goal_says_what_is_missing_and_where_it_belongs():
    world = make_world({"cup_0": "sofa", "pen_0": "bed"})
    goal: Goal = Bring((("cup_0", "living_room"), ("pen_0", "sofa")))
    assert goal_from_json(goal.to_json()) == goal
    assert [tuple(w) for w in goal.missing(world.look)] == [("pen_0", "sofa")]  # the sofa stands in the living room
    assert goal.home("cup_0") == "living_room" and goal.home("tray") is None and goal.platforms == ()
    assert goal.progress(world.look).partial == 0.5 and "pen_0 to sofa" in goal.text()
    assert [w.thing for w in Pack(("cup_0",)).missing(world.look)] == ["cup_0"]
    assert [w.thing for w in Stack(("cup_0", "pen_0")).missing(world.look)] == ["cup_0", "pen_0"]


def test_on_the_floor_beside_it_is_in_the_room_but_not_on_the_furniture():
    world = make_world({"cup_0": "sofa"})
    world.put("cup_0", "floor@sofa", (1.0, 1.0, 0.0))
    assert Bring((("cup_0", "sofa"),)).missing(world.look)
    assert not Bring((("cup_0", "living_room"),)).missing(world.look)


@pytest.mark.parametrize(
    ("homes", "places", "team", "words"),
    [
        ({"cup_0": "sofaa"}, {"cup_0": "bed"}, "MoMa", ["sofaa", "Did you mean 'sofa'"]),
        ({"cap_0": "sofa"}, {"cup_0": "bed"}, "MoMa", ["No thing 'cap_0'"]),
        ({}, {"cup_0": "bed"}, "MoMa", ["goal.item"]),
        ({"cup_0": "sofa"}, {"cup_0": "fridge"}, "UAV", ["cannot be done", "fridge is closed"]),
        ({"cup_0": "dishwasher"}, {"cup_0": "sofa"}, "UAV", ["cannot be done", "dishwasher is closed"]),
        ({"cup_0": "wall_top"}, {"cup_0": "sofa"}, "MoMa", ["cannot be done", "finds no way to put it to wall_top"]),
        ({"cup_0": "cup_0"}, {"cup_0": "sofa"}, "MoMa", ["cup_0"]),
    ],
)
def test_complaints(tmp_path, homes, places, team, words):
    with pytest.raises(CoterieError, match="(?s)" + ".*".join(words)):
        build(Config(task=written(tmp_path / "t.toml", homes, places, team)))


def test_pack_still_needs_an_arm_and_a_table_and_says_so(tmp_path):
    text = EXAMPLE.read_text()
    head = text[: text.index("[goal]")].replace('"studio.toml"', '"flat"')
    goal = '[goal]\nkind = "pack"\ntargets = ["cup_0"]\n[[thing]]\nname = "cup_0"\nplace = "sofa"\n'
    (tmp_path / "t.toml").write_text(head + goal)
    with pytest.raises(CoterieError, match="no fixed arm for the final placement; add Ma"):
        build(Config(task=str(tmp_path / "t.toml")))
    studio = EXAMPLE.with_name("studio.toml")
    with pytest.raises(CoterieError, match=r"has no work table, which pack-objects needs"):
        build(Config(task="pack-objects", scene=str(studio)))
    with pytest.raises(CoterieError, match=r"no work table for a fixed arm; take Ma out"):
        build(Config(task=str(EXAMPLE), team="Ma-MoMa-UAV"))


# -- caddies ----------------------------------------------------------------------------------------------------------
CADDY = '[[thing]]\nname = "caddy_0"\nplace = "sofa"\nmass_kg = 0.5\nholds = 2\n' + near("sofa")


def caddy_world(tmp_path, places, more="") -> IndoorWorld:
    path = written(tmp_path / "t.toml", {"caddy_0": "bed"}, places, "MoMa-MoMa", CADDY + more)
    return IndoorWorld(build(Config(task=path))[1])


def test_a_caddy_is_carried_with_what_is_in_it(tmp_path):
    world = caddy_world(tmp_path, {"cup_0": "caddy_0", "pen_0": "caddy_0"})
    assert world.look("mass", "caddy_0") == pytest.approx(0.9)
    assert do(world, "Alice", "navigate", "sofa", "stand_pose_0").reason.endswith("In caddy_0: cup_0, pen_0.")
    seen = {f.args: f.value for f in world.observe("Alice").facts if f.pred == "contents"}
    assert seen["caddy_0",] == ("cup_0", "pen_0")
    assert do(world, "Alice", "pick", "caddy_0").ok
    assert not do(world, "Alice", "place", "caddy_0", "caddy_0").ok and world.truth["where", "caddy_0"] == "Alice"
    assert "not in the scene graph" in do(world, "Alice2", "pick", "cup_0").reason
    world.restore(world.snapshot())
    assert do(world, "Alice", "navigate", "bed", "stand_pose_0").ok and do(world, "Alice", "place", "caddy_0", "bed").ok
    assert world.truth["where", "cup_0"] == "caddy_0"
    assert world.truth["spot", "cup_0"] == world.truth["spot", "caddy_0"] and world.progress().done
    assert do(world, "Alice", "pick", "cup_0").ok and world.look("mass", "caddy_0") == pytest.approx(0.7)


def test_a_caddy_holds_so_many_and_weighs_so_much(tmp_path):
    world = caddy_world(tmp_path, {"cup_0": "caddy_0", "pen_0": "caddy_0", "key_0": "sofa"})
    assert do(world, "Alice", "navigate", "sofa", "stand_pose_0").ok and do(world, "Alice", "pick", "key_0").ok
    assert "no free spot" in do(world, "Alice", "place", "key_0", "caddy_0").reason
    heavy = '[[thing]]\nname = "lead_0"\nplace = "caddy_0"\nmass_kg = 2.9\n'
    with pytest.raises(CoterieError, match="lifts only"):
        caddy_world(tmp_path, {}, heavy)
    with pytest.raises(CoterieError, match="holds only 2"):
        caddy_world(tmp_path, {"cup_0": "caddy_0", "pen_0": "caddy_0", "key_0": "caddy_0"})


@pytest.mark.parametrize("protocol", ["coela:full", "coherent"])
def test_prompts_say_enough_to_bring_things_home(protocol):
    """Rooms, people, caddies and closed doors: who reads the prompts and nothing else gets the tea to Anna."""
    played = play(Config(task=str(EXAMPLE), protocol=protocol, model="oracle"))
    assert played.result.success
    asked = [e.data["prompt"] for e in played.log.events if e.kind == "ask"]
    text = "\n".join(part for prompt in asked for _, part in prompt)
    assert "lay it on the work table" not in text


def test_what_a_thing_belongs_into_is_looked_for_and_where_that_is_said(tmp_path):
    caddy = '[[thing]]\nname = "caddy_0"\nholds = 4\nplace = "sofa"\n' + near("sofa")
    task = written(tmp_path / "a.toml", {"cup_0": "caddy_0", "key_0": "bedroom"}, {"cup_0": "bed", "key_0": "sofa"},
                   team="MoMa", more=caddy)  # fmt: skip
    played = play(Config(task=task, protocol="dynahmrc", model="oracle"))
    asked = "\n".join(e.data["prompt"][1][1] for e in played.log.events if e.kind == "ask")
    assert re.search(r"not found: [^\n]*caddy_0", asked)
    assert "You hold cup_0 (needed). It belongs into caddy_0, which is at " in asked
    assert "You hold key_0 (needed). It belongs to bedroom: put it on " in asked
    assert played.result.success


@pytest.mark.parametrize("config", [{"protocol": "mcts"}, {"parties": ("scouts=llm-mcts:100:Lucy",)}])
def test_who_does_not_know_such_goals_is_refused_before_anything_begins(tmp_path, config):
    asked = "knows pack, sort, stack. Those that can play it: rules, expert, .*dynahmrc"
    with pytest.raises(CoterieError, match=rf"cannot play 'tea-for-anna': its goal is of the kind 'bring', .*{asked}"):
        play(Config(task=str(EXAMPLE), model="none", **config), tmp_path / "a.jsonl")
    assert not (tmp_path / "a.jsonl").exists()


def test_a_grammar_names_doors_to_open_and_caddies_to_fill():
    class Kept(Oracle):
        grammars: list[str] = []

        def answer(self, asks):
            self.grammars += [a.choices["gbnf"] for a in asks if isinstance(a.choices, dict)]
            return super().answer(asks)

    assert play(Config(task=str(EXAMPLE), protocol="dynahmrc"), model=Kept()).result.success
    first = dict(rule.split(" ::= ", 1) for rule in Kept.grammars[0].splitlines())
    assert "_door" not in first["place"]  # nobody has met a closed one yet
    places = [dict(rule.split(" ::= ", 1) for rule in g.splitlines())["place"] for g in Kept.grammars]
    assert any('"porch_door"' in p for p in places)
    assert any('"porch_door"' not in grammar for grammar in Kept.grammars)  # of one that knows it open
    assert first["platform"] == '"caddy_0"'
