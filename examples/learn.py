"""A policy that is learnt: one line of weights for the whole team, by the cross-entropy method, with numpy alone.

    python examples/learn.py

Every robot gives each of its actions a score, the sum of a few features of the action times the weights, and takes the
best. The features are read from the observation that the environment gives, which is the robot's own belief: is this a
thing that is wanted, have I looked into that cupboard, does what I hold belong there? Weights start at random; in every
round those of the best teams are the middle of the next draw. At the end the weights are tried on tasks of the same
level that they were not trained on: easy ones, in which the arm at the table learns to take what is wanted and to put
it into the tray, and the other not to get in its way.
"""

import time

import numpy as np

from coterie.core.config import Config
from coterie.gym import parallel_env

ROUNDS, TEAMS, BEST = 10, 14, 4
ENOUGH = 0.9  # what the teams of a round reach on average when no further round is needed
TRAIN, TEST = (0, 1), range(100, 106)
#: What an action can be, by its skill, and which columns of the row that it names count for it.
COLUMNS = {
    "navigate": ("looked into", "wanted things known to be there, a tenth each", "what the robot holds does"),
    "pick": ("wanted", "wanted, and not where it belongs"),
    "place": ("what the robot holds does", "is a platform or a caddy"),
    "open": (),
    "close": (),
    "move": (),
    "communicate": (),
    "wait": (),
}
FEATURES = [f"{skill}: {column}" for skill, columns in COLUMNS.items() for column in ("it is that", *columns)]


class Reader:
    """From an observation to the features of all actions of a robot, by the environment's own account of both."""

    def __init__(self, env, agent):
        #: (action, feature, number in the observation) wherever a feature is a column of the row that an action names
        self.links = []
        self.plain = np.zeros((len(env.actions), len(FEATURES)))
        for i, action in enumerate(env.actions.list):
            f = FEATURES.index(f"{action.skill}: it is that")
            self.plain[i, f] = 1
            named = [pick for pick in action.picks if pick.how == "row"]
            for k, column in enumerate(COLUMNS[action.skill], f + 1):
                part = env.layout.parts[named[0].what]
                at = part.start + named[0].row * len(part.columns) + part.columns.index(column)
                self.links.append((i, k, at))
        self.links = np.array(self.links).reshape(-1, 3).T

    def features(self, observation):
        rows = self.plain.copy()
        i, k, at = self.links
        rows[i, k] = observation[at] > 0
        return rows


def play(env, readers, weights, seed, rng):
    """One episode; how far the goal came, and in how many steps."""
    observed, _ = env.reset(seed=seed)
    info = {}
    while env.agents:
        actions = {}
        for agent in env.agents:
            o = observed[agent]
            scores = readers[agent].features(o["observation"]) @ weights + 0.01 * rng.random(len(o["action_mask"]))
            actions[agent] = int(np.where(o["action_mask"], scores, -np.inf).argmax())
        observed, _, _, _, infos = env.step(actions)
        info = next(iter(infos.values()))
    return info["partial"], info["steps"]


def mean(env, readers, weights, seeds, rng):
    played = [play(env, readers, weights, seed, rng) for seed in seeds]
    return np.mean([partial for partial, _ in played]), np.mean([steps for _, steps in played])


def train(seed=1, rounds=ROUNDS, teams=TEAMS, say=print):
    rng = np.random.default_rng(seed)
    env = parallel_env(Config("pack-objects", level="easy", team="Ma-MoMa"), numbers=2)
    readers = {agent: Reader(env, agent) for agent in env.possible_agents}
    middle, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    before = np.mean([mean(env, readers, rng.normal(size=len(FEATURES)), TEST[:2], rng) for _ in range(6)], axis=0)
    say(f"untrained: {before[0]:.0%} of the goal in {before[1]:.0f} steps, on tasks that nobody trains on")
    for n in range(rounds):
        drawn = middle + spread * rng.normal(size=(teams, len(FEATURES)))
        scores = []
        for weights in drawn:
            partial, steps = mean(env, readers, weights, TRAIN, rng)
            scores.append(partial - 0.002 * steps)
        best = drawn[np.argsort(scores)[-BEST:]]
        middle, spread = best.mean(axis=0), best.std(axis=0) + 0.2
        say(f"round {n + 1}: the teams reach {np.mean(scores):.2f}, the best {max(scores):.2f}")
        if np.mean(scores) > ENOUGH:
            break
    after = mean(env, readers, middle, TEST, rng)
    say(f"trained: {after[0]:.0%} of the goal in {after[1]:.0f} steps, on {len(TEST)} tasks that it never saw")
    for name, weight in sorted(zip(FEATURES, middle), key=lambda p: -p[1]):
        say(f"  {weight:+.2f}  {name}")
    return before[0], after[0]


if __name__ == "__main__":
    begun = time.perf_counter()
    train()
    print(f"{time.perf_counter() - begun:.0f} s")
