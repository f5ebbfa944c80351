"""`bring-things`: tasks in which things are brought all over a house, drawn from a seed."""

from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.log.fold import opened
from coterie.worlds.indoor.plans.errands import planner_of
from coterie.worlds.indoor.tasks.bring import COUNTS
from coterie.worlds.indoor.tasks.vocabulary import CADDIES, PACK, PEOPLE
from coterie.worlds.indoor.world import IndoorWorld

PLAIN = Config("bring-things", "MoMa-UAV", "rules", seed=4, scene="house:4")


def tasks(count=24, **more):
    for n in range(count):
        yield build(replace(PLAIN, seed=2 * n, scene=f"house:{2 * (n % 5)}", **more))[1]


def test_the_same_seed_is_the_same_task_and_all_kinds_of_homes_come():
    assert build(PLAIN)[1].goal == build(PLAIN)[1].goal != build(replace(PLAIN, seed=6))[1].goal
    kinds = set()
    for task in tasks():
        scene = task.setting.scene
        for thing, home in task.goal.pairs:
            held = next((x.holds for x, _, _ in task.setting.things if x.name == home), 0)
            kinds.add("room" if home in scene.room else "caddy" if held else scene.piece[home].kind == "person")
            assert not task.goal.at_home(IndoorWorld(task).look, thing)
    assert kinds == {"room", "caddy", True, False}


@pytest.mark.parametrize("level", COUNTS)
def test_levels_say_how_many_things_and_every_task_can_be_done_in_time(level):
    fewest, most = COUNTS[level]
    for task in tasks(6, level=level):
        plan = planner_of(IndoorWorld(task)).best()
        assert fewest <= len(task.goal.targets) <= most and plan is not None and 2 * plan.steps < task.step_limit


def test_words_of_training_tuning_and_tests_do_not_mix():
    for words in (PACK, CADDIES):
        kinds = [{w.kind for w in words[split]} for split in ("train", "dev", "test")]
        assert not (kinds[0] & kinds[1] | kinds[0] & kinds[2] | kinds[1] & kinds[2])
    assert not set(PEOPLE["train"]) & {*PEOPLE["dev"], *PEOPLE["test"]}
    for task in tasks(6):
        assert {x.kind for x, _, _ in task.setting.things} <= {w.kind for w in (*PACK["train"], *CADDIES["train"])}


def test_a_goal_changes_and_a_log_knows_people_and_caddies():
    played = play(replace(PLAIN, seed=12, scene="house:12", changes=("cto@3",)))
    (change,) = (e for e in played.log.events if e.kind == "change")
    assert change.data["bites"] and change.data["goal"] != played.log.events[0].data["goal"]
    assert opened(played.log.events).goal["kind"] == "bring"
    assert played.result.success


@pytest.mark.parametrize(
    ("more", "why"),
    [({"changes": ("anc@5:UAV",)}, "takes no --change anc"), ({"team": "Mo"}, "add MoMa or UAV"),
     ({"level": "silly"}, "No level 'silly'")],
)  # fmt: skip
def test_what_cannot_be_drawn_is_explained(more, why):
    with pytest.raises(CoterieError, match=why):
        build(replace(PLAIN, **more))


@pytest.mark.parametrize("change", ["cto@3", "irz@3:1", "rec@3", "rec@15", "door@3:any"])
def test_changes_go_with_it_early_and_late(change):
    scene = "house:4:6" if change.startswith("door") else PLAIN.scene
    config = replace(PLAIN, level="hard", changes=(change,), scene=scene)
    assert any(e.kind == "change" for e in play(config).log.events)


def test_a_second_one_of_a_kind_has_a_first_one_beside_it():
    for task in tasks(60):
        names = {thing.name for thing, _, _ in task.setting.things}
        assert all(f"{name[:-2]}_0" in names for name in names if name.endswith("_1"))


@pytest.mark.parametrize("level", ["paper", "conversation"])
def test_the_script_goes_to_where_a_thing_is_to_be_brought(level):
    played = play(replace(PLAIN, seed=0, scene="house:0", level="easy", protocol=f"dynahmrc:{level}", model="script"))
    assert played.result.steps and any(e.kind == "act" and e.data["skill"] == "place" for e in played.log.events)
