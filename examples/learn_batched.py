"""A team that learns to search and carry, in a thousand worlds at once, with numpy alone.

    python examples/learn_batched.py [--rounds 40]

Each robot has weights of its own for a few columns of what it sees: of places when it chooses where to go, of things
when it chooses what to take. It acts by chance, the more often the higher the score. Weights of many teams are drawn,
each team plays the same tasks, and the best are the middle of the next draw (the cross-entropy method). In the end the
middle plays tasks that no team was trained on. Nothing is told of who may do what: that the arm at the table alone may
put things into the tray, and the others must lay them within its reach, is found out.
"""

import argparse
import time

import numpy as np

from coterie.core.config import Config
from coterie.gym import batched

TEAMS, EACH, BEST = 128, 8, 12  # teams of a round, tasks that each plays, teams that are kept
TRAIN, TEST = range(400), range(10_000, 10_256)
GO = ("there", "is a door", "opens", "known to be closed", "the robot stands there", "looked into",
      "wanted things known to be there, a tenth each", "things belong there, or on a platform that lies there",
      "closed to the robot", "what the robot holds does")  # fmt: skip
PUT = ("is furniture", "is a platform or a caddy", "what the robot holds does")
TAKE = ("there", "wanted", "wanted, and not where it belongs", "place known")
LINE = "{:14} round {:2}: {:9,} steps, {:4.0f} s; unseen tasks: {:.2f} of the goal, {:.2f} done"
STANDS = 4
DECIDED = 3.0  # how much scores weigh against chance
ROUNDS = {"easy": 10, "medium": 20, "medium-search": 40}  # of each level, the easier first
AWAY = ("x from the robot [10 m]", "y from the robot [10 m]")
SIZES = (len(GO) + 1, STANDS, STANDS, 2, len(TAKE), len(PUT), 3)  # of the weights of one robot, part by part


class Team:
    """Robots that score their actions; every world has weights of its own."""

    def __init__(self, env, rng):
        self.env, self.rng = env, rng
        self.places, self.things = env.layout.parts["places"], env.layout.parts["things"]
        self.go, self.put, self.take, self.away = (
            [part.columns.index(c) for c in names]
            for part, names in ((self.places, GO), (self.places, PUT), (self.things, TAKE), (self.places, AWAY))
        )

    def act(self, observed, weights):
        """Numbers of actions, (worlds, agents); `weights` are (worlds, agents, all of one robot)."""
        chosen = []
        for k, agent in enumerate(self.env.agents):
            seen, mask = observed[agent]["observation"], observed[agent]["action_mask"]
            n = len(seen)
            places = seen[:, self.places.start : self.places.end].reshape(n, self.places.rows, -1)
            things = seen[:, self.things.start : self.things.end].reshape(n, self.things.rows, -1)
            go, side, home_side, opens, take, put, rest = np.split(weights[:, k], np.cumsum(SIZES)[:-1], axis=1)
            scores = np.full(mask.shape, -20.0, np.float32)
            away = np.hypot(*np.moveaxis(places[:, :, self.away], 2, 0))[:, :, None]
            known = np.concatenate((places[:, :, self.go], away), axis=2)
            to = np.einsum("npc,nc->np", known, go)[:, :, None] + side[:, None]
            to = to + places[:, :, self.go[-1], None] * home_side[:, None]
            self._fill(scores, "navigate", to.reshape(n, -1))
            self._fill(scores, "open", opens[:, :1] + opens[:, 1:] * places[:, :, self.go[5]])
            self._fill(scores, "pick", np.einsum("npc,nc->np", things[:, :, self.take], take))
            self._fill(scores, "place", np.einsum("npc,nc->np", places[:, :, self.put], put))
            for i, skill in enumerate(("move", "communicate", "wait")):
                self._fill(scores, skill, rest[:, i : i + 1])
            chance = -np.log(-np.log(self.rng.random(scores.shape, np.float32) + 1e-12) + 1e-12)
            chosen.append(np.where(mask > 0, DECIDED * scores + chance, -np.inf).argmax(1))
        return np.stack(chosen, axis=1)

    def _fill(self, scores, skill, values):
        first, last = self.env.spans[skill]
        scores[:, first:last] = values


def play(env, team, weights, seeds):
    """One episode in every world; the share of the goal that was reached, and whether all of it was."""
    observed, _ = env.reset(seeds=seeds)
    share, done, over = np.zeros(env.n), np.zeros(env.n, bool), np.zeros(env.n, bool)
    while not over.all():
        observed, _, _, _, infos = env.step(team.act(observed, weights))
        for i, world in enumerate(infos.get("ended", ())):
            if not over[world]:
                over[world] = True
                share[world], done[world] = infos["final"]["partial"][i], infos["final"]["success"][i]
    return share, done


def train(rounds=ROUNDS, seed=1, say=print, teams=TEAMS, each=EACH):
    """Train through the levels; rows of level, round, steps, seconds, and share and success on tasks never seen."""
    rng, curve, steps, begun = np.random.default_rng(seed), [], 0, time.process_time()
    middle, spread = None, None
    for level, count in rounds.items():
        config = Config("pack-objects", level=level)
        env, test = batched(config, teams * each, seeds=TRAIN), batched(config, len(TEST), seeds=TEST)
        learners, tried = Team(env, rng), Team(test, rng)
        shape = (len(env.agents), sum(SIZES))
        middle = np.zeros(shape) if middle is None else middle
        spread = np.full(shape, 3.0) if spread is None else np.maximum(spread, 2.0)
        for n in range(count + 1):
            if n % 5 == 0 or n == count:
                share, done = play(test, tried, np.repeat(middle[None], test.n, 0), list(TEST))
                curve.append((level, n, steps, time.process_time() - begun, share.mean(), done.mean()))
                say(LINE.format(*curve[-1]))
            if n == count:
                break
            drawn = middle + spread * rng.normal(size=(teams, *shape))
            drawn[0] = middle
            seeds = np.tile(rng.choice(TRAIN, each, replace=False), teams).tolist()
            share, done = play(env, learners, np.repeat(drawn, each, 0), seeds)
            steps += env.n * int(env.twin.worlds.limit[0])
            scores = (share + 0.2 * done).reshape(teams, each).mean(1)
            best = drawn[np.argsort(scores)[-BEST:]]
            middle = 0.3 * middle + 0.7 * best.mean(0)
            spread = 0.3 * spread + 0.7 * (best.std(0) + 0.2)
    return curve


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS["medium-search"], help="of the last level")
    args = parser.parse_args()
    train({**ROUNDS, "medium-search": args.rounds})
