"""Two environments that differ only in what nobody has perceived, stepped side by side."""

import numpy as np

from coterie.core.event import to_line


def drawn(env, observed, rng, without=()):
    """An action for every agent, within its mask."""
    actions = {}
    for agent in env.agents:
        mask = observed[agent]["action_mask"].copy()
        for skill in without:
            mask[slice(*env.actions.spans[skill])] = 0
        actions[agent] = int(rng.choice(np.flatnonzero(mask)))
    return actions


def lives(env):
    """What each robot has perceived so far."""
    env.episode.log.release()
    lived = {a: [] for a in env.possible_agents}
    for e in env.episode.log.events:
        if e.who in lived and e.kind in ("see", "did", "outcome"):
            lived[e.who].append(to_line(e._replace(seq=0, causes=())))
    return lived


def compared(envs, seed, steps, without=()):
    """Both give the same numbers to each robot until it perceives a difference; how often that was compared."""
    one, two = (env.reset(seed=seed)[0] for env in envs)
    rng, alike, count = np.random.default_rng(seed), dict.fromkeys(one, True), 0
    for _ in range(steps):
        lived = [lives(env) for env in envs]
        for agent in one:
            alike[agent] &= lived[0][agent] == lived[1][agent]
            if alike[agent]:
                count += 1
                assert np.array_equal(one[agent]["observation"], two[agent]["observation"])
                assert np.array_equal(one[agent]["action_mask"], two[agent]["action_mask"])
        if not any(alike.values()) or not all(env.agents for env in envs):
            break
        actions = drawn(envs[0], one, rng, without)
        one, two = (env.step(actions)[0] for env in envs)
    return count
