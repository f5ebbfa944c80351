"""Tasks as PettingZoo environments: its own checks, and ours on what agents see and do, and on how they come and go."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import parallel_api_test, parallel_seed_test

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import to_line
from coterie.core.judge import known_verdict
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.gym import parallel_env
from coterie.gym.episodes import OpenEpisode, settled
from coterie.log.file import read_log
from coterie.log.fold import state_at
from tests.gym.alike import compared, drawn
from tests.protocols.test_non_interference import other_world

PLAIN = Config("pack-objects", level="easy")
LEAVES = Config("pack-objects", level="medium", changes=("rec@3:UAV",))
JOINS = Config("sort-solids", team="Ma-MoMa", changes=("anc@2:UAV",))
#: What a learner sees of a task is fixed when the environment is made.
CASES = {"plain": PLAIN, "leaves": LEAVES, "joins": JOINS, "stack": Config("make-sandwich", scene="house:3")}


def wander(env, seed, steps=100):
    """Play an episode at random, within the mask; what each step gave."""
    rng = np.random.default_rng(seed)
    observed, _ = env.reset(seed=seed)
    while env.agents and steps:
        steps -= 1
        before, actions = list(env.agents), drawn(env, observed, rng)
        observed, rewards, ended, cut, infos = env.step(actions)
        yield before, actions, observed, rewards, ended, cut, infos


@pytest.mark.parametrize("case", ("leaves", "joins"))
def test_pettingzoos_own_checks(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # what it only warns of is wrong, too
        parallel_api_test(parallel_env(CASES[case]), num_cycles=25)
        parallel_seed_test(lambda: parallel_env(CASES[case]), num_cycles=10)


def test_the_mask_is_what_guard_rails_say():
    env = parallel_env(Config("pack-objects", level="medium"), seeds=range(5))
    tried = 0
    for _, _, observed, *_ in wander(env, 0, steps=8):
        for agent in env.agents:
            view = env.episode.views[agent]
            for number, allowed in enumerate(observed[agent]["action_mask"]):
                action = env.decision(agent, number)
                known = action is not None and known_verdict(view, action).ok is not False
                assert bool(allowed) == known, (agent, action)
                tried += known
    assert tried > 100


def test_a_row_keeps_its_name_and_an_action_its_meaning():
    env = parallel_env(PLAIN)
    seen: dict = {}
    for _, _, observed, *_ in wander(env, 4):
        for agent in observed:
            for table, names in env.rows[agent].names.items():
                assert names[: len(seen.get((agent, table), ()))] == seen.get((agent, table), [])
                seen[agent, table] = list(names)
                part = env.layout.parts[table].of(observed[agent]["observation"])
                assert part[:, 0].tolist() == [1.0] * len(names) + [0.0] * (len(part) - len(names))


def test_a_robot_that_vanishes_is_terminated():
    env = parallel_env(LEAVES)
    for acted, _, observed, _, ended, cut, _ in wander(env, 0):
        if "Lucy" in acted and "Lucy" not in env.agents and env.agents:
            assert ended["Lucy"] and not cut["Lucy"] and "Lucy" in observed
            assert not any(ended[a] or cut[a] for a in env.agents)
            break
    else:
        pytest.fail("Lucy never left")
    assert "Lucy" not in env.step(dict.fromkeys(env.agents, 0))[0]


def test_a_robot_that_joins_appears():
    env = parallel_env(JOINS)
    assert env.possible_agents == ["Bob", "Alice", "Lucy"]
    env.reset(seed=0)
    assert env.agents == ["Bob", "Alice"]
    steps = [(acted, observed) for acted, _, observed, *_ in wander(env, 0, steps=4)]
    assert [len(acted) for acted, _ in steps] == [2, 2, 3, 3]
    assert "Lucy" in steps[1][1], "it sees before it first acts"


def test_rewards_add_up_to_the_score():
    env = parallel_env(PLAIN, step_cost=0.01)
    total, last = 0.0, None
    for *_, rewards, _, cut, infos in wander(env, 0):
        total, all_cut = total + rewards["Bob"], all(cut.values())
        assert len(set(rewards.values())) == 1
        last = infos["Bob"]
    assert total == pytest.approx(last["partial"] - 0.01 * last["steps"])
    assert all_cut and last["steps"] == 20
    assert last["partial"] > 0, "a seed at which something is achieved"


@settings(max_examples=3)
@given(st.integers(0, 500))
def test_the_world_is_the_one_that_protocols_play_in(seed):
    """What a random mind did, done again through an environment's episode, comes out the same."""
    config = Config("pack-objects", level="medium", seed=seed, protocol="random-legal")
    played = play(config)
    acts: dict = {}
    for e in played.log.events:
        if e.kind == "act":
            acts.setdefault(e.step, {})[e.who] = e.data
    again = OpenEpisode(settled(replace(config, protocol="")), played.task)
    step = 0
    while again.result is None:
        again.go({who: Action(d["skill"], tuple(d["args"]), d.get("why", "")) for who, d in acts[step].items()})
        step += 1
    assert again.result == played.result

    def told(log):
        return [to_line(e) for e in log.events[1:]]

    assert told(again.log) == told(played.log)


@settings(max_examples=2)
@given(st.integers(0, 2000))
def test_what_was_not_perceived_is_not_observed(seed):
    """Two worlds that differ only where nobody has looked give the same numbers until somebody looks."""
    config = Config("pack-objects", seed=seed, scene=f"house:{2 * (seed % 30) + 1}")
    _, task = build(config)
    envs = [parallel_env(config) for _ in range(2)]
    for env, mine in zip(envs, (task, other_world(task, seed))):
        env._task = lambda _, mine=mine: mine
    assert compared(envs, seed, steps=100)


def test_robots_tell_each_other_what_they_saw():
    env = parallel_env(PLAIN)
    observed, _ = env.reset(seed=0)
    tell = next(i for i, d in enumerate(env.actions.list) if d.skill == "communicate")
    assert observed["Bob"]["action_mask"][tell], "it stands at the table and sees what is there"
    told = env.decision("Bob", tell)
    before = {f.args[0] for f in env.episode.views["Alice"].belief.facts("where")}
    observed, *_ = env.step({a: tell if a == "Bob" else env.actions.spans["wait"][0] for a in env.agents})
    after = {f.args[0] for f in env.episode.views["Alice"].belief.facts("where")}
    assert told.facts and after > before
    assert not observed["Bob"]["action_mask"][tell], "nothing new to tell"


def test_teammates_that_play_by_themselves():
    env = parallel_env(replace(PLAIN, parties=("others=rules:Bob,Lucy",)))
    assert env.possible_agents == ["Alice"]
    waits = env.actions.spans["wait"][0]
    env.reset(seed=3)
    while env.agents:
        *_, infos = env.step({"Alice": waits})
    assert infos["Alice"]["success"]


def test_logs_are_kept_and_pictures_made_of_them(tmp_path):
    env = parallel_env(PLAIN, logs=tmp_path / "logs", render_mode="rgb_array")
    list(wander(env, 6, steps=3))
    assert env.render().shape[2] == 3
    env.reset(seed=7)
    first, second = sorted((tmp_path / "logs").glob("*.jsonl"))
    assert first.name == "00000-seed-6.jsonl" and second.name == "00001-seed-7.jsonl"
    state = state_at(read_log(first))
    assert state.step == 3 and state.start.config["protocol"] == "outside"
    env.close()


def test_seeds_are_drawn_from_those_of_training():
    env = parallel_env(PLAIN, seeds=range(40, 44))
    drawn = [env.reset() and env.seed for _ in range(12)]
    assert set(drawn) == {40, 41, 42, 43}
    env.reset(seed=5)
    again = [env.reset() and env.seed for _ in range(3)]
    env.reset(seed=5)
    assert again == [env.reset() and env.seed for _ in range(3)]


def test_an_action_that_names_nothing_is_a_wait_and_missing_and_wrong_ones_are_named():
    env = parallel_env(PLAIN)
    env.reset(seed=0)
    with pytest.raises(CoterieError, match="No action was given for Bob"):
        env.step({"Alice": 0})
    with pytest.raises(CoterieError, match="Bob has the actions 0 to"):
        env.step(dict.fromkeys(env.agents, 10_000))
    empty = next(i for i, d in enumerate(env.actions.list) if d.skill == "pick" and d.picks[0].row == 31)
    *_, infos = env.step({a: empty if a == "Bob" else 0 for a in env.agents})
    assert infos["Bob"] == {"action": "", "step": 1, "status": "done", "reason": "Bob waited."}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: parallel_env(replace(PLAIN, protocol="rules")), "played from outside, not by 'rules'"),
        (lambda: parallel_env(replace(PLAIN, synchronous=False)), "goes step by step"),
        (lambda: parallel_env(replace(PLAIN, memo="memo")), "uses no memo"),
        (lambda: parallel_env(PLAIN, room={"cups": 3}), "no table 'cups' to make room in. There are: places, things"),
        (lambda: parallel_env(PLAIN, render_mode="human"), "no render mode 'human'"),
        (lambda: parallel_env(PLAIN, seeds=()), "at least one seed"),
        (lambda: parallel_env(PLAIN, options=True), "has no options over many steps"),
        (lambda: parallel_env(Config("move-rope")), "does not say how beliefs become numbers"),
        (lambda: parallel_env(PLAIN, room={"things": 1}).reset(seed=0), "room={'things': 10}"),
        (lambda: parallel_env(PLAIN).step({}), "Call reset"),
    ],
)
def test_what_cannot_be_is_said(made, words):
    with pytest.raises(CoterieError, match=words.replace("(", r"\(").replace("{", r"\{")):
        made()


@pytest.mark.parametrize("task", ["pack-objects", "make-sandwich", "tidy", "search"])
def test_legal_actions_are_those_of_the_mask(task):
    """A mask also leaves out what is of no use (`sensible`), and what a robot says follows from its news."""
    env = parallel_env(Config(task, level="medium" if task == "pack-objects" else ""))
    senses, compared = env.layout.senses, 0
    for _, _, observed, *_ in wander(env, 2, steps=16):
        for agent in env.agents:
            view = env.episode.views[agent]
            numbers = np.flatnonzero(observed[agent]["action_mask"])
            masked = {a for n in numbers if (a := env.decision(agent, n)).skill != "communicate"}
            legal = view.legal()
            assert len(set(legal)) == len(legal)
            legal = {a for a in legal if a.skill != "communicate" and senses.sensible(view, a.skill, a.args)}
            assert legal == masked
            compared += len(legal)
    assert compared > 50
