"""Houses as environments: low-level steps or sub-skills, maps, robots that come to rest, talk at no cost."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import parallel_api_test, parallel_seed_test

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.task import Change, Trigger
from coterie.episode.setup import build
from coterie.gym import parallel_env
from coterie.gym.env import TeamEnv
from coterie.worlds.household.bodies import card
from tests.gym.alike import compared, drawn

TIDY = Config("tidy", scene="rooms:2", seed=3)
JOINED = replace(TIDY, stranger="irot@2", cards=("resident:Ann",))
MODES = {"steps": {"pixels": 16}, "options": {"options": True}, "shared": {"options": True, "share": True}}


def first(env, skill):
    return env.actions.spans[skill][0]


@pytest.mark.parametrize(
    ("config", "mode"), [(TIDY, "steps"), (replace(TIDY, task="search"), "shared"), (JOINED, "options")]
)
def test_pettingzoos_own_checks(config, mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(config, **MODES[mode]), num_cycles=6)
        parallel_seed_test(lambda: parallel_env(config, **MODES[mode]), num_cycles=4)


def test_strangers_and_residents_are_no_agents_and_all_teams_have_the_same_spaces():
    env = parallel_env(JOINED)
    env.reset(seed=3)
    for _ in range(3):
        env.step(dict.fromkeys(env.agents, first(env, "wait")))
    assert env.possible_agents == env.agents == ["Alice", "Bob", "Carol"]
    assert {"Zoe", "Ann"} <= set(env.episode.world.robots()), "they are there"
    env = parallel_env(TIDY)
    sizes = set()
    for seed in range(3):
        observed, _ = env.reset(seed=seed)
        sizes |= {len(o["action_mask"]) for o in observed.values()}
        for agent, o in observed.items():
            assert env.observation_space(agent).contains(o)
            arm = env.episode.views[agent].card.manipulates
            assert arm or not o["action_mask"][slice(*env.actions.spans["PickUp"])].any()
    assert sizes == {len(env.actions)}


def test_a_robot_that_stops_is_terminated_and_all_at_rest_end_the_episode():
    env = parallel_env(TIDY)
    env.reset(seed=3)
    everybody = list(env.agents)
    for agent in everybody:
        actions = {a: first(env, "Stop" if a == agent else "wait") for a in env.agents}
        observed, _, ended, _, infos = env.step(actions)
        assert ended[agent] and agent not in env.agents and agent in observed
    assert not env.agents and infos[everybody[-1]]["success"] is False


def test_a_flat_battery_is_the_end_of_an_agent():
    env = parallel_env(replace(TIDY, team="TallArm-SmallEye"))
    task = env._task(3)
    weak = tuple((n, replace(c, battery_steps=3) if n.startswith("Small") else c) for n, c in task.robots)
    env._task = lambda seed: replace(task, robots=weak)
    env.reset(seed=3)
    for step in range(3):
        _, _, ended, *_ = env.step(dict.fromkeys(env.agents, first(env, "RotateLeft")))
        assert ended["SmallEye2"] == (step == 2)
    assert env.agents == ["TallArm1"]


def test_a_stranger_that_joins_appears():
    env = parallel_env(TIDY)
    task = env._task(3)
    join = Change(Trigger(step=2), "join", {"robot": "Zoe", "card": card(True, False, 0.0, 90, "Zoe")})
    made = replace(task, changes=(join,))
    env = _with_task(TIDY, made)
    assert env.possible_agents[-1] == "Zoe"
    env.reset(seed=3)
    assert "Zoe" not in env.agents
    for _ in range(2):
        observed, *_ = env.step(dict.fromkeys(env.agents, first(env, "wait")))
    assert "Zoe" in env.agents and observed["Zoe"]["observation"].any()


def _with_task(config, task, **options):
    """An environment in which every seed has this task."""

    class Fixed(TeamEnv):
        def _draw(self, seed):
            return task

    return Fixed(config, **options)


def test_the_map_turns_with_the_robot():
    env = parallel_env(replace(TIDY, team="TallEye"))
    observed, _ = env.reset(seed=3)
    part = env.layout.parts["ground"]

    def ground():
        return part.of(observed["TallEye1"]["observation"])

    once = ground().copy()
    assert {-1.0, 0.0, 1.0} == set(np.unique(once).tolist())
    for _ in range(4):
        observed, *_ = env.step({"TallEye1": first(env, "RotateLeft")})
    whole = ground().copy()
    assert (whole != 0).sum() > (once != 0).sum(), "it has looked about"
    observed, *_ = env.step({"TallEye1": first(env, "RotateLeft")})
    turned = ground()
    # a robot that turns to its left finds at its right what was ahead
    assert np.mean(np.rot90(whole, -1) == turned) > 0.97


def test_options_explore_and_can_be_called_off():
    env = parallel_env(replace(TIDY, team="SmallArm-TallEye"), options=True)  # with batteries for long
    observed, _ = env.reset(seed=3)
    before = {a: len(v.belief.area) for a, v in env.episode.views.items()}
    explore, stay = first(env, "Explore"), first(env, "go on")
    assert not any(o["action_mask"][stay] for o in observed.values()), "nothing is under way yet"
    observed, _, _, _, infos = env.step(dict.fromkeys(env.agents, explore))
    assert max(i["step"] for i in infos.values()) > 3, "many steps"
    after = {a: len(v.belief.area) for a, v in env.episode.views.items()}
    assert after and all(after[a] > before[a] for a in after)  # a battery may be flat by now
    busy = [a for a in env.agents if observed[a]["action_mask"][stay]]
    free = [a for a in env.agents if a not in busy]
    assert free, "somebody has come to an end"
    if busy:
        options = {a: env.episode.under_way[a] for a in busy}
        env.step({a: stay if a in busy[1:] else first(env, "wait") for a in env.agents})
        told = [e for e in env.episode.log.events if e.kind == "option" and e.who == busy[0]]
        assert [e.data["state"] for e in told][:2] == ["begun", "interrupted"]
        assert all(env.episode.under_way.get(a) in (options[a], None) for a in busy[1:])


def test_options_may_be_chosen_anew_every_so_often():
    env = parallel_env(replace(TIDY, team="SmallArm"), options=True, every=7)
    observed, _ = env.reset(seed=1)
    explore, go_on = first(env, "Explore"), first(env, "go on")
    (agent,) = env.agents
    took, busy = [], explore
    for _ in range(4):
        observed, _, _, _, infos = env.step({agent: busy})
        took.append(infos[agent]["step"])
        busy = go_on if observed[agent]["action_mask"][go_on] else explore
    assert took == [7, 14, 21, 28]
    _, _, _, _, infos = env.step({agent: first(env, "wait")})
    assert infos[agent]["step"] == 35


def test_options_tidy_up():
    """Picking what it judges to be misplaced and putting it where it belongs pays: the sub-skills do the walking."""
    env = parallel_env(replace(TIDY, team="SmallArm", level="1", scene="rooms:1"), options=True)
    part_things, part_places = env.layout.parts["things"], env.layout.parts["furniture"]
    astray, homed = (part_things.columns.index(c) for c in ("judged to be misplaced", "a place for it is known"))
    home = part_places.columns.index("what the robot holds belongs there")
    best = 0.0
    for seed in range(4):
        observed, _ = env.reset(seed=seed)
        steps, total = 0, 0.0
        while env.agents and steps < 40:
            steps += 1
            o = observed["SmallArm1"]
            mask, vector = o["action_mask"], o["observation"]
            things, places = part_things.of(vector), part_places.of(vector)
            takes = first(env, "PickupObject") + np.flatnonzero((things[:, astray] > 0) & (things[:, homed] > 0))
            puts = first(env, "PutObject") + np.flatnonzero(places[:, home] > 0)
            wanted = [*puts, *takes, first(env, "Explore"), first(env, "StopHere")]
            action = next(int(i) for i in wanted if mask[i])
            observed, rewards, *_ = env.step({"SmallArm1": action})
            total += rewards["SmallArm1"]
        best += total
    assert best >= 1.0, "at least one of four rooms is put in order"


def test_robots_that_share_know_the_same_ground():
    env = parallel_env(TIDY, share=True)
    env.reset(seed=3)
    for _ in range(3):
        env.step(dict.fromkeys(env.agents, first(env, "RotateLeft")))
    env.step(dict.fromkeys(env.agents, first(env, "wait")))
    areas = [v.belief.area.patch() for v in env.episode.views.values()]
    assert all(a == areas[0] for a in areas)
    alone = parallel_env(TIDY)
    alone.reset(seed=3)
    for _ in range(4):
        alone.step(dict.fromkeys(alone.agents, first(alone, "RotateLeft")))
    areas = [v.belief.area.patch() for v in alone.episode.views.values()]
    assert any(a != areas[0] for a in areas)


def test_reports_are_offered_for_what_is_asked_for():
    env = parallel_env(replace(TIDY, task="search", scene="rooms:1", level="3"))
    observed, _ = env.reset(seed=5)
    rng, seen = np.random.default_rng(0), set()
    for _ in range(60):
        for agent in env.agents:
            goal = env.episode.views[agent].belief.value("goal")
            start, end = env.actions.spans["Report"]
            for i in start + np.flatnonzero(observed[agent]["action_mask"][start:end]):
                action = env.decision(agent, int(i))
                seen.add(action.args[0])
                assert action.args[0] in goal.things
                assert action.args[1] == env.episode.views[agent].belief.value("where", action.args[0])
        observed, *_ = env.step(drawn(env, observed, rng, ("Stop", "Report")))
    assert seen


@settings(max_examples=2)
@given(st.integers(0, 200))
def test_what_was_not_seen_is_not_observed(seed):
    """Two houses that differ only in things that nobody has seen give the same numbers until somebody sees it."""
    config = replace(TIDY, seed=seed)
    _, task = build(config)
    house = task.setting.house
    fewer = replace(house, things=house.things[::2])
    astray = tuple(t for t in task.setting.misplaced if t in fewer.thing)
    other = replace(task, setting=replace(task.setting, house=fewer, misplaced=astray))
    compared([_with_task(config, t) for t in (task, other)], seed, steps=12, without=("Stop",))


def test_pictures_show_what_stands_before_the_camera():
    """Where the segmentation says that a thing is, the depth is how far that thing is away; walls hide the rest."""
    env = parallel_env(TIDY, pixels=64)
    observed, _ = env.reset(seed=3)
    names, truth, told = env.entry.segments(), env.episode.world.truth, 0
    for agent, o in observed.items():
        assert env.observation_space(agent).contains(o)
        x, y, heading, _ = truth.get("pose", agent)
        eye = truth.eye(agent)
        for thing in truth.house.things:
            seen = o["segmentation"] == names.index(thing.kind)
            alone = sum(t.kind == thing.kind for t in truth.house.things) == 1
            if not alone or not seen.any() or abs(eye.tilt_deg) > 1:
                continue
            ahead = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
            away = float((np.array(truth.scene.lying(thing.name).spot[:2]) - (x, y)) @ ahead)
            assert abs(np.median(o["depth"][seen]) - away) < max(thing.size[:2]), thing.name
            told += 1
        assert (o["depth"][o["segmentation"] == names.index("wall")] > 0).all()
        assert o["rgb"].std() > 0
        ground = o["rgb"][o["segmentation"] == names.index("ground")]
        assert len(ground) < 200 or len(np.unique(ground, axis=0)) > 1, "floors have boards or tiles"
    assert told


@pytest.mark.parametrize(
    ("task", "pixels", "words"), [("tidy", 4, "take 8 to"), ("pack-objects", 64, "have no cameras")]
)
def test_pictures_that_cannot_be(task, pixels, words):
    with pytest.raises(CoterieError, match=words):
        parallel_env(Config(task), pixels=pixels)
