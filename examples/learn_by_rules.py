"""A team that learns from rules, then goes on by itself: `python examples/learn_by_rules.py pack` (or `tidy`).

At first a rule plays and the policy of `policy.py` copies what each robot chose. Then the policy plays, and learns what
the rule would have chosen where the policy has led the robot (DAgger). The rule judges by the belief of the one robot
and keeps silent; both see no more than the robot. Tests are tasks whose seeds are never trained on; there the policy is
alone. With `--blind`, it is without its traces of the past.

    pack   three unlike robots pack a tray with what they have to look for, in a house that they know
    tidy   two tall and two small robots put three things where they belong, in houses of one room never seen before
"""

import argparse
import time

import numpy as np
from policy import Memory, Policy, imitate, joined, odds

from coterie.core.action import WAIT
from coterie.core.config import Config
from coterie.gym import batched, parallel_env
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.rules import Memory as Notes
from coterie.protocols.rules import next_action
from coterie.worlds.household.knowledge.graph import survey_of

TRAIN, TEST = 10_000, 10_000  # seeds below, and from here on
LED = (1.0, 0.5, 0.2, 0.0)  # how often the rule acts, by round; later ones are all the policy's
UPDATES = 250  # of the weights, in each round
RATES = (2e-3, 1e-3)  # of learning, in the first rounds and later


class Pack:
    """Things to look for in a known house; one step is one action."""

    config = Config("pack-objects", level="medium-search")
    numbered, rounds, episodes, tests, closed = ("places",), 6, 30, 256, ()

    def __init__(self):
        self.env = parallel_env(self.config)
        self.many = batched(self.config, self.tests, seeds=range(TEST, TEST + self.tests))

    def begin(self):
        self.notes = dict.fromkeys(self.env.possible_agents, Notes(introduced=True, silent=True))

    def label(self, agent, memory):
        """The number of what the rule would do."""
        env, names = self.env, self.env.rows[agent].names
        action, self.notes[agent] = next_action(env.episode.views[agent], self.notes[agent])
        first, _ = env.actions.spans[action.skill]
        places = [names["places"].index(a) for a in action.args if a in names["places"]]
        if action.skill == "navigate":
            return first + 4 * places[0] + int(action.args[1][-1])
        if action.skill == "pick":
            return first + names["things"].index(action.args[0])
        return first + places[0] if places else env.actions.spans[WAIT][0]

    def test(self, policy, rng, blind):
        """Share of the goal, tasks done and steps, on all test tasks at once."""
        env, n = self.many, self.tests
        memory = Memory(env, n * len(env.agents), self.numbered, blind)
        seen, _ = env.reset(seeds=env.seeds)
        found = np.full((n, 3), np.nan)
        while np.isnan(found).any():
            parts = [np.concatenate([seen[a][k] for a in env.agents]) for k in ("observation", "action_mask")]
            actions = chosen(policy, rng, memory.look(parts[0]), parts[1])
            memory.did(actions)
            seen, _, _, _, infos = env.step(actions.reshape(-1, n).T)
            for i, world in enumerate(infos.get("ended", ())):
                if np.isnan(found[world, 0]):
                    found[world] = [infos["final"][key][i] for key in ("partial", "success", "steps")]
        return found.mean(0)


class Tidy:
    """Three misplaced things in houses never seen before; actions are options of many steps."""

    config = Config("tidy", scene="rooms:1", level="3", team="TallArm-SmallArm-TallArm-SmallArm")
    numbered, rounds, episodes, tests, closed = (), 3, 14, 32, ("Report", "Keep")

    def __init__(self):
        self.env = parallel_env(self.config, options=True, every=20)

    def begin(self):
        pass

    def label(self, agent, memory):
        env, span = self.env, {skill: first for skill, (first, _) in self.env.actions.spans.items()}
        view, names, mind = env.episode.views[agent], env.rows[agent].names, Heuristic()
        at = env.possible_agents.index(agent)
        tried, doing = memory.count[at], memory.doing[at]
        for i, thing in enumerate(names["things"], span["PickupObject"]):
            mind.failed[thing] = [view.time] * int(tried[i] - (doing == i))
        held = view.belief.value("holding", agent)
        pieces = enumerate(names["furniture"], span["PutObject"])
        mind.bad_homes = {(held, piece) for i, piece in pieces if tried[i] > 3}
        decision = mind._choose(view, survey_of(view))
        skill, _, name = getattr(decision, "name", WAIT).rstrip(")").partition("(")
        table = {"PickupObject": "things", "PutObject": "furniture"}.get(skill)
        if table is not None and name in names[table]:
            return span[skill] + names[table].index(name)
        return span["Explore" if table else skill if skill in span else WAIT]

    def test(self, policy, rng, blind):
        memory = Memory(self.env, len(self.env.possible_agents), self.numbered, blind)
        return np.mean([play(self, policy, rng, memory, TEST + i)[1] for i in range(self.tests)], axis=0)


def chosen(policy, rng, seen, masks):
    """Actions by chance, the likelier ones more often."""
    p = odds(policy.scores(seen)[0], masks).cumsum(1)
    return (p < rng.random((len(p), 1)) * p[:, -1:]).sum(1)


def play(lesson, policy, rng, memory, seed, led=None):
    """One episode: what was seen, ruled out and would have been right, if `led` by the rule at times; and its end."""
    env, agents, kept = lesson.env, lesson.env.possible_agents, []
    observed, _ = env.reset(seed=seed)
    memory.forget()
    lesson.begin()
    nothing = {"observation": np.zeros(env.layout.size, np.float32), "action_mask": np.eye(len(env.actions))[-1]}
    while env.agents:
        at = [i for i, agent in enumerate(agents) if agent in env.agents]
        now = [observed[agent] if agent in env.agents else nothing for agent in agents]
        seen, masks = memory.look(np.stack([o["observation"] for o in now])), np.stack([o["action_mask"] for o in now])
        for first, last in (env.actions.spans[skill] for skill in lesson.closed):
            masks[:, first:last] = 0
        actions = chosen(policy, rng, seen, masks)
        if led is not None:
            right = actions.copy()
            right[at] = [lesson.label(agents[i], memory) for i in at]
            goes_on = (right == memory.doing) & (masks[:, memory.go_on] > 0) & (memory.go_on >= 0)
            right[goes_on] = memory.go_on
            fine = [i for i in at if masks[i, right[i]]]
            kept.append(({name: x[fine] for name, x in seen.items()}, masks[fine], right[fine]))
            actions = np.where((rng.random(len(at)) < led)[0] & (masks[range(len(agents)), right] > 0), right, actions)
        memory.did(actions)
        observed, _, _, _, infos = env.step({agents[i]: int(actions[i]) for i in at})
    end = next(iter(infos.values()))
    return kept, [end[key] for key in ("partial", "success", "steps")]


def train(lesson, seed=1, blind=False, say=print):
    """Learn in rounds; rows of episodes, processor seconds, and share, success and steps on tasks never seen."""
    rng, kept, curve, spent = np.random.default_rng(seed), [], [], 0.0
    memory = Memory(lesson.env, len(lesson.env.possible_agents), lesson.numbered, blind)
    policy = Policy(memory, rng)
    for n in range(lesson.rounds + 1):
        by_chance = np.random.default_rng((seed, n))  # what is tested changes nothing of what is learnt
        curve.append((n * lesson.episodes, spent, *lesson.test(policy, by_chance, blind)))
        say("{:4} episodes, {:4.0f} s; unseen tasks: {:.2f} of the goal, {:.2f} done, {:.0f} steps".format(*curve[-1]))
        if n == lesson.rounds:
            break
        begun = time.process_time()
        for _ in range(lesson.episodes):
            kept += play(lesson, policy, rng, memory, int(rng.integers(TRAIN)), LED[min(n, len(LED) - 1)])[0]
        seen, masks, labels = joined([k[0] for k in kept]), *(np.concatenate([k[i] for k in kept]) for i in (1, 2))
        imitate(policy, rng, seen, masks, labels, RATES[n > 2], UPDATES)
        spent += time.process_time() - begun
    return curve


def draw(curve, path):
    """The curve as a picture."""
    from matplotlib.figure import Figure

    axes = (figure := Figure((5, 2.6), layout="constrained")).subplots()
    episodes, _, share, done, _ = zip(*curve)
    axes.plot(episodes, share, "o-", label="share of the goal")
    axes.plot(episodes, done, "s--", label="tasks done")
    axes.axhline(0.9, color="grey", linewidth=0.6)
    axes.set(xlabel="training episodes", ylabel="unseen tasks", ylim=(0, 1.03))
    axes.legend(loc="lower right")
    figure.savefig(path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("pack", "tidy"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blind", action="store_true", help="without traces of the past")
    parser.add_argument("--picture", help="a file for the curve, such as curve.svg; needs matplotlib")
    args = parser.parse_args()
    curve = train({"pack": Pack, "tidy": Tidy}[args.task](), args.seed, args.blind)
    if args.picture:
        draw(curve, args.picture)
