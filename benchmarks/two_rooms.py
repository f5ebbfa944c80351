"""Two rooms, drawn anew again and again, with and without the stranger (Sec. VI of the paper on strangers).

    python benchmarks/two_rooms.py                       50 variants of both cases, heuristic teams
    python benchmarks/two_rooms.py --variants 5 --teammates negotiate

Time is that of the last thing that was put where it belongs, as the paper counts it; and when the last robot stopped.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from coterie.core.config import Config
from coterie.episode.play import play
from coterie.worlds.household.tasks.two_rooms import NAME, cases, written
from coterie.worlds.household.tasks.unfinished import Course


class Ended(NamedTuple):
    success: bool
    tidy_s: float  # when the last thing was put where it belongs; infinite where it never was
    stopped_s: float


def variant(given: tuple[str, int, str, str]) -> Ended:
    level, seed, team, stranger = given
    played = play(Config(task=NAME, level=level, seed=seed, protocol=team, stranger=stranger, model="oracle"))
    course = Course(played.log.events)
    ended = (e for e in played.log.events if e.kind == "outcome" and e.data["status"] == "done")
    done = [e.t for e in ended if str(e.data["action"]).startswith(("PutDown(", "Drop("))]
    tidy = not course.reasons()
    return Ended(played.result.success, max(done, default=0.0) if tidy else float("inf"), played.result.time_s)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--variants", type=int, default=50)
    p.add_argument("--seed", type=int, default=0, help="of the first variant")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--teammates", default="heuristic")
    p.add_argument("--cases", default=",".join(cases()))
    p.add_argument("--stranger", default=str(written()["stranger"]))
    args = p.parse_args()
    seeds = range(args.seed, args.seed + args.variants)
    with ProcessPoolExecutor(args.jobs) as pool:
        for level in args.cases.split(","):
            about = cases().get(level, "")
            alone, joined = (
                list(pool.map(variant, [(level, seed, args.teammates, who) for seed in seeds]))
                for who in ("none", args.stranger)
            )
            print(f"{level}: {about}")
            for name, some in (("alone", alone), (args.stranger, joined)):
                times = sorted(e.tidy_s for e in some if e.success)
                middle = f"{times[len(times) // 2]:.0f} s" if times else "-"
                print(f"    {name}: {len(times)} of {len(some)} done, the middle one tidy after {middle}")
            only = sum(b.success and not a.success for a, b in zip(alone, joined))
            faster = sum(b.tidy_s < a.tidy_s for a, b in zip(alone, joined))
            slower = [seed for seed, a, b in zip(seeds, alone, joined) if b.tidy_s > a.tidy_s]
            print(
                f"    only with the stranger: {only}; tidy sooner: {faster}; later: {len(slower)} {slower}", flush=True
            )


if __name__ == "__main__":
    main()
