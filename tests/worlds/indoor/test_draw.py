"""Drawn tasks are of the wanted level, feasible, repeatable, and never share names or scenes between splits."""

import pytest

from coterie.core.errors import CoterieError
from coterie.houses.generate import generate_scene
from coterie.houses.names import scene, scene_names
from coterie.worlds.indoor.bodies import TEAMS
from coterie.worlds.indoor.plans.joint import Planner
from coterie.worlds.indoor.tasks.changes import TRANSITIONS, Dynamic
from coterie.worlds.indoor.tasks.difficulty import LEVELS, STEP_LIMITS, WIDE, level_of, wide_limit
from coterie.worlds.indoor.tasks.draw import KINDS, draw_task
from coterie.worlds.indoor.tasks.vocabulary import COLOURS, PACK, SANDWICH, SHAPES
from coterie.worlds.indoor.world import IndoorWorld


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_in_every_scene_for_every_team(kind, level):
    for i, team in enumerate(TEAMS):
        where = ("flat", "loft", "bungalow")[i % 3]
        task = draw_task(kind, level, team, scene(where), 10_000 + i)
        d, locations = task.about["difficulty"], task.about["locations"]
        plan = Planner(IndoorWorld(task)).best()
        if level == WIDE:  # by the time of the best plan
            planner = Planner(IndoorWorld(task), clock=True)
            assert task.step_limit == wide_limit(planner.seconds(planner.best())) <= STEP_LIMITS[WIDE]
            assert 3 <= len(locations) <= 5 and set(locations) == {2}
        else:
            assert task.step_limit == STEP_LIMITS[level]
        if level == "medium-search":
            assert 2 <= len(locations) <= 3 and 2 in locations
        elif level != WIDE:
            assert level_of(d) == level
        assert 1 <= len(locations) <= 5
        assert plan is not None and plan.steps <= task.step_limit
        assert len(task.setting.things) > len(task.goal.targets)  # there are distractors


def test_feasibility_depends_on_the_team():
    for seed in range(6):
        task = draw_task("pack-objects", "medium-search", "Ma-UAV", scene("flat"), seed)
        closed = {f.name for f in task.setting.scene.furniture if f.opens}
        where = {t.name: p for t, p, _ in task.setting.things}
        assert not closed & {where[t] for t in task.goal.targets}
        task = draw_task("pack-objects", "medium-search", "Ma-MoMa", scene("flat"), seed)
        where = {t.name: p for t, p, _ in task.setting.things}
        assert not {"wall_top", "cabinet_top"} & {where[t] for t in task.goal.targets}


def test_splits_share_no_names():
    for words in (PACK, SANDWICH):
        kinds = {split: {w.kind for w in ws} for split, ws in words.items()}
        assert (
            not kinds["test"] & kinds["dev"]
            and not kinds["test"] & kinds["train"]
            and not kinds["dev"] & kinds["train"]
        )
    for names in (SHAPES, COLOURS):
        assert len(set().union(*names.values())) == sum(map(len, names.values()))


def test_splits_share_no_scenes():
    assert {scene(n).split for n in scene_names()} == {"test"}
    assert [generate_scene(s).split for s in (0, 1, 10_000)] == ["train", "dev", "test"]
    for seed in range(5):
        made = generate_scene(seed)
        assert generate_scene(seed) == made
        assert sum(f.opens for f in made.furniture) >= 2
        assert any(f.surface_m > 1.6 for f in made.furniture)


@pytest.mark.parametrize("kind", KINDS)
def test_newcomers_are_needed_and_the_rest_can_do_without_the_vanished(kind):
    for before, after in TRANSITIONS:
        body = next(b for b in after.split("-") if b not in before.split("-"))
        joins = draw_task(kind, "medium-search", before, scene("loft"), 10_001, accept=Dynamic("anc", 5, body))
        world = IndoorWorld(joins)
        assert Planner(world).best() is None
        change = joins.changes[0]
        assert Planner(world, extra={change.data["robot"]: change.data["card"]}).best() is not None
        leaves = draw_task(kind, "medium-search", after, scene("loft"), 10_001, accept=Dynamic("rec", 5, body))
        world = IndoorWorld(leaves)
        gone = leaves.changes[0].data["robot"]
        assert Planner(world).best().uses(gone)
        assert Planner(world, without=[gone]).best() is not None


def test_rejections_are_counted():
    drawn = [
        draw_task("pack-objects", "medium-search", "Ma-MoMa-UAV", scene("flat"), s, accept=Dynamic("rec", 5, "UAV"))
        for s in range(8)
    ]
    assert sum(t.about["rejected"] for t in drawn) > 0


def test_impossible_wishes_are_sentences():
    with pytest.raises(CoterieError, match="no fixed arm"):
        draw_task("pack-objects", "easy", "MoMa-UAV", scene("flat"), 1)
    with pytest.raises(CoterieError, match="No level"):
        draw_task("pack-objects", "silly", "Ma-MoMa", scene("flat"), 1)
    with pytest.raises(CoterieError, match="already has Lucy"):
        draw_task("pack-objects", "medium-search", "Ma-UAV", scene("flat"), 1, accept=Dynamic("anc", 5, "UAV"))
