"""The same joint actions in `parallel_env` and in batched worlds: what differs, in words.

python -m tests.gym.side_by_side 40    plays 40 episodes of every case, some ten thousand joint actions
"""

import sys
from collections import Counter

import numpy as np

from coterie.core.config import Config
from coterie.gym import batched, parallel_env
from coterie.worlds.indoor.twin.worlds import cause_of

CASES = {
    "pack": Config("pack-objects", level="medium-search"),
    "sort, other rooms": Config("sort-solids", level="hard", scene="loft"),
    "stack, two on wheels": Config("make-sandwich", level="hard", scene="bungalow", team="Ma-MoMa-MoMa-UAV"),
    "stack in a drawn house": Config("make-sandwich", level="easy", scene="house:3"),
    "six robots": Config("pack-objects", level="hard", team="Ma-MoMa-MoMa-Mo-UAV-UAV"),
    "closed doors": Config("pack-objects", level="wide-search", scene="house:17:8", team="Ma-MoMa-MoMa-UAV"),
}


def choose(env, observed, rng):
    """Mostly what is not known to be impossible, hands before feet; sometimes anything, sometimes talk."""
    found = {}
    for agent in env.agents:
        legal = np.flatnonzero(observed[agent]["action_mask"])
        u = rng.random()
        hands = [i for i in legal if env.actions.list[i].skill in ("pick", "place", "open", "close")]
        if u < 0.15:
            found[agent] = int(rng.integers(len(env.actions)))
        elif u < 0.2:
            found[agent] = env.actions.spans["communicate"][0]
        else:
            found[agent] = int(rng.choice(hands if hands and u < 0.7 else legal))
    return found


def truth_of(world):
    where = {k[1]: v for k, v in world.truth.items() if k[0] == "where"}
    spots = {k[1]: tuple(v) for k, v in world.truth.items() if k[0] == "spot"}
    robots = {r: tuple(world.truth[pred, r] for pred in ("pose", "at", "holding")) for r in world.cards}
    doors = {k[1]: v for k, v in world.truth.items() if k[0] == "open"}
    return where, spots, robots, doors, {k: tuple(v) for k, v in world.inside.items() if v and k not in world.cards}


def truth_in(env, i):
    """The same of one batched world."""
    w, t = env.twin.worlds, env.twin.tables
    things = w.starts[w.start[i]].names
    places = [*t.names, *t.robots]
    where = {x: places[w.where[i, k]] for k, x in enumerate(things)}
    spots = {x: tuple(t.spot_xyz[w.spot[i, k]].tolist()) for k, x in enumerate(things)}
    robots = {}
    for k, robot in enumerate(t.robots):
        at, held = w.at[i, k], w.held[i, k]
        pose = tuple(t.xy[w.pose[i, k]].tolist())
        robots[robot] = (pose, t.names[at] if at >= 0 else None, things[held] if held >= 0 else None)
    doors = {x: bool(w.open[i, k]) for k, x in enumerate(t.names) if t.opens[k]}
    listed = {x: t.listings.tuples[w.listing[i, k]] for k, x in enumerate(t.names)}
    return where, spots, robots, doors, {p: tuple(things[k] for k in ks) for p, ks in listed.items() if ks}


def play_both(config, seeds, draw=0):
    """Play an episode of each seed here and, all at once, there; how often each skill was tried."""
    rng, tried = np.random.default_rng(draw), Counter()
    env, episodes = parallel_env(config, seeds=seeds), []
    for seed in seeds:
        observed, _ = env.reset(seed=seed)
        steps = [(None, observed, truth_of(env.episode.world), 0.0, False, False, None)]
        while env.agents:
            actions = choose(env, observed, rng)
            tried.update(env.actions.list[a].skill for a in actions.values())
            observed, rewards, ended, cut, _ = env.step(actions)
            outcomes = {a: v.outcome for a, v in env.episode.episode.views.items()}
            causes = {a: "" if o.ok else o.cause.clause for a, o in outcomes.items()}
            one = env.possible_agents[0]
            steps.append((actions, observed, truth_of(env.episode.world), rewards[one], ended[one], cut[one], causes))
        episodes.append(steps)
    twin = batched(config, len(seeds), seeds=seeds)
    observed, _ = twin.reset(seeds=seeds)
    waits = twin.spans["wait"][0]
    for k in range(max(map(len, episodes))):
        playing = [i for i, steps in enumerate(episodes) if k < len(steps)]
        ended, last, infos, done, cut = {}, {}, {}, {}, {}
        if k:
            numbers = np.full((twin.n, len(twin.agents)), waits)
            for i in playing:
                numbers[i] = [episodes[i][k][0][a] for a in twin.agents]
            begin = twin.twin.begin

            def keep(worlds, chosen, begin=begin, last=last):  # the truth of episodes that end, before others begin
                last.update({int(i): truth_in(twin, i) for i in worlds})
                begin(worlds, chosen)

            twin.twin.begin = keep
            observed, rewards, done, cut, infos = twin.step(numbers)
            twin.twin.begin = begin
            ended = {int(i): n for n, i in enumerate(infos.get("ended", ()))}
        for i in playing:
            _, seen, truth, reward, is_done, is_cut, causes = episodes[i][k]
            at = f"seed {seeds[i]}, step {k}"
            if k:
                agent = twin.agents[0]
                assert causes == {a: cause_of(infos["outcome"][i, n]) for n, a in enumerate(twin.agents)}, at
                assert abs(rewards[agent][i] - reward) < 1e-9, at
                assert (done[agent][i], cut[agent][i]) == (is_done, is_cut) and (i in ended) == (is_done or is_cut), at
            assert (last.get(i) or truth_in(twin, i)) == truth, at
            for n, a in enumerate(twin.agents):
                mine = infos["final"]["observation"][ended[i], n] if i in ended else observed[a]["observation"][i]
                np.testing.assert_allclose(mine, seen[a]["observation"], atol=2e-6, err_msg=f"{at}, {a}")
                if i not in ended:
                    np.testing.assert_array_equal(
                        observed[a]["action_mask"][i], seen[a]["action_mask"], err_msg=f"{at}, {a}"
                    )
    return tried, sum(len(steps) - 1 for steps in episodes)


if __name__ == "__main__":
    for name, config in CASES.items():
        tried, steps = play_both(config, range(int(sys.argv[1])))
        print(f"{name}: the same in {steps} steps; {dict(tried)}", flush=True)
