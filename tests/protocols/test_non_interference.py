"""Two worlds that differ only in what a robot has not perceived give it the same decisions until it perceives it."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.config import Config
from coterie.core.event import to_line
from coterie.core.seeds import rng_of
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.setting import Setting

TEAMS = ("Ma-MoMa", "Ma-UAV", "Ma-MoMa-Mo", "Ma-MoMa-UAV", "Ma-MoMa-Mo-UAV")


def other_world(task, seed):
    """The same task with the things off the work table laid elsewhere."""
    rng = rng_of("elsewhere", seed)
    scene = task.setting.scene
    table = scene.work.table
    used, moved = set(), []
    for thing, place, spot in task.setting.things:
        if place != table:
            f = rng.choice([f for f in scene.furniture if f.name != table])
            place, spot = f.name, rng.choice([s for s in f.spots if s not in used])
            used.add(spot)
        moved.append((thing, place, spot))
    return replace(task, setting=Setting(scene, task.setting.platforms, tuple(moved)))


def lives(log, names):
    """For every robot, its perceptions and decisions in order, as text."""
    out = {n: [] for n in names}
    for e in log.events:
        if e.kind in ("see", "outcome", "refused"):
            out[e.who].append(("in", to_line(e._replace(seq=0, causes=()))))
        elif e.kind in ("message", "say"):
            for n in names:
                if n != e.who and (n in e.data["to"] or "all" in e.data["to"]):
                    out[n].append(("in", f"{e.who}: {e.data['text']} {e.data['facts']}"))
        elif e.kind == "act":
            out[e.who].append(("do", f"{e.step} {e.data}"))
        elif e.kind == "ask" and e.who in out:  # what a robot's model is shown must not tell more than it knows
            out[e.who].append(("do", f"{e.step} {e.data['stage']} {e.data['prompt']}"))
    return out


def compare(protocol, team, seed, task="pack-objects", guard=False, model=""):
    """Decisions compared, and whether the robots' perceptions parted at all."""
    scene = f"house:{2 * (seed % 30) + 1}"
    config = Config(task, team, protocol, model, seed, scene, guard=guard)
    _, drawn = build(config)
    return compare_tasks(config, drawn, other_world(drawn, seed))


def compare_tasks(config, one, two):
    names = [n for n, _ in one.robots]
    a = lives(play(config, task=one).log, names)
    b = lives(play(config, task=two).log, names)
    compared, parted = 0, False
    for name in names:
        for (kind_a, text_a), (kind_b, text_b) in zip(a[name], b[name]):
            if kind_a == kind_b == "in" and text_a == text_b:
                continue
            if kind_a == kind_b == "do":
                assert text_a == text_b, f"{name} decided otherwise on the same perceptions: {text_a} / {text_b}"
                compared += 1
                continue
            parted = True
            break
    return compared, parted


@settings(max_examples=5)
@given(st.sampled_from(TEAMS), st.integers(0, 5000), st.sampled_from(("pack-objects", "sort-solids", "make-sandwich")))
def test_rules(team, seed, task):
    compare("rules", team, seed, task)


@pytest.mark.parametrize("protocol", ["dynahmrc", "dynahmrc:full", "coela"])
def test_prompts(protocol):
    results = [compare(protocol, TEAMS[seed % 5], 100 + seed, model="oracle") for seed in range(2)]
    assert sum(c for c, _ in results) > 40


def test_the_test_compares_something():
    results = [compare("rules", "Ma-MoMa-UAV", seed) for seed in range(3)]
    assert sum(c for c, _ in results) > 6
    assert sum(p for _, p in results) >= 2


def test_guard_rails_do_not_leak():
    for seed in range(2):
        compare("random", "Ma-MoMa-UAV", seed, guard=True)


def test_the_test_catches_a_mind_that_peeks():
    """The expert sees the truth: it must fail this test."""
    with pytest.raises(AssertionError, match="decided otherwise"):
        for seed in range(10):
            compare("expert", "Ma-MoMa-UAV", seed)


@pytest.mark.parametrize("guard", [False, True])
def test_a_door_that_nobody_has_seen(guard):
    """Closed or open behind their backs, with and without guard rails: robots act alike until one fails at it."""
    parted = []
    for seed in range(2):
        door = ("kitchen_door", "bedroom_door")[seed % 2]
        config = Config(team="Ma-MoMa-UAV", seed=seed, protocol="rules", guard=guard, changes=(f"door@0:{door}",))
        _, shut = build(config)
        compared, met = compare_tasks(config, shut, replace(shut, changes=()))
        assert compared > 0
        parted.append(met)
    assert any(parted)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_things_and_caddies_all_over_the_house(seed):
    example = Path(__file__).parents[2] / "examples" / "tea_for_anna.toml"
    config = Config(task=str(example), protocol="rules", seed=seed)
    _, task = build(config)
    rng = rng_of("elsewhere", seed)
    spots = {f.name: list(f.spots) for f in task.setting.scene.places}
    moved, at = [], {}
    for thing, place, spot in task.setting.things:
        if place in spots:
            place = rng.choice(("desk", "shelf", "couch"))  # nothing's home, which the status line would tell
            spot = spots[place].pop()
        else:
            spot = at[place]  # in the caddy, wherever that stands
        at[thing.name] = spot
        moved.append((thing, place, spot))
    other = replace(task, setting=replace(task.setting, things=tuple(moved)))
    compared, parted = compare_tasks(config, task, other)
    assert compared > 0 and parted
