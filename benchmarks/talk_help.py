"""How far the planner brings teams of houses that cannot help themselves, once people say yes.

python benchmarks/talk_help.py [--model garbled:1.0] [--seeds 1,3]

Each team is played twice: left to itself, and with somebody who says "Help the team." at step 20 and yes to what is
proposed. Prints a line for each, and how many reached their goal.
"""

from __future__ import annotations

import argparse
import itertools

from coterie.episode import talk_team
from coterie.episode.inputs import Inputs, Utterance
from coterie.episode.loop import Episode

TASKS = ("pack-objects", "sort-solids", "make-sandwich")
SCENES = ("flat", "house:21", "house:5", "house:8")
MOST_STEPS = 150
EVERY = 20  # steps between two calls for help


def played(scene: str, task: str, seed: int, model: str, helped: bool) -> tuple[bool, int, int]:
    """Whether the goal was reached, in how many steps, and how often help was asked for."""
    config, made = talk_team.config_of(scene, task, seed, "dynahmrc", model)
    hall = talk_team.TeamHall(Inputs())
    hall.waits, asked = False, [0]

    def tick(episode: Episode) -> None:
        if episode.world.progress().done or episode.step > MOST_STEPS:
            hall.ended = True
        elif helped and hall.helper.waiting:
            hall.inputs.put(Utterance("instructor", "Yes."))
        elif helped and not hall.helper.guide.on and episode.step >= EVERY * (1 + asked[0]):
            asked[0] += 1
            hall.inputs.put(Utterance("instructor", "Help the team."))

    hall.tick = tick
    talk_team.run(hall, config, made)
    assert hall.episode is not None
    return hall.episode.world.progress().done, hall.episode.step, asked[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="garbled:1.0")
    parser.add_argument("--seeds", default="1,3")
    args = parser.parse_args()
    cases = list(itertools.product(TASKS, SCENES, [int(s) for s in args.seeds.split(",")]))
    counts = {False: 0, True: 0}
    for task, scene, seed in cases:
        shown = []
        for helped in (False, True):
            done, steps, asked = played(scene, task, seed, args.model, helped)
            counts[helped] += done
            shown.append(f"{'done' if done else 'not done'} in {steps} steps" + (f", asked {asked} times" * helped))
        print(f"{task:14s} {scene:9s} {seed:2d}   alone: {shown[0]:24s} helped: {shown[1]}", flush=True)
    print(f"of {len(cases)}: alone {counts[False]}, helped {counts[True]}")


if __name__ == "__main__":
    main()
