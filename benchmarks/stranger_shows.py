"""Seeds in which a stranger arrives, tells its intention, is contradicted, changes its mind and carries a thing home.

    python benchmarks/stranger_shows.py --first 100 --seeds 60 --jobs 16

What a seed shows depends on how minds behave: after a change of rules, look again, and name one of those that are found
in `worlds/household/tasks/tidy.py` (JOINED).
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from coterie.bench.studies.irot.examples import Change, change_of_mind
from coterie.core.config import Config
from coterie.episode.play import play


def shown(given: tuple[str, str, str, int]) -> tuple[int, Change | None, bool]:
    scene, team, stranger, seed = given
    played = play(Config(task="tidy", scene=scene, protocol=team, stranger=stranger, seed=seed))
    return seed, change_of_mind(played.log.events), played.result.success


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--first", type=int, default=0)
    p.add_argument("--seeds", type=int, default=30)
    p.add_argument("--rooms", type=int, default=6)
    p.add_argument("--teammates", default="heuristic")
    p.add_argument("--stranger", default="irot@50")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--seconds", type=float, default=float("inf"), help="begin no further seed after that")
    args = p.parse_args()
    begun, count = time.monotonic(), 0
    seeds = iter(range(args.first, args.first + args.seeds))
    with ProcessPoolExecutor(args.jobs) as pool:
        going = set()
        while True:
            while len(going) < args.jobs and time.monotonic() - begun < args.seconds:
                seed = next(seeds, None)
                if seed is None:
                    break
                going.add(pool.submit(shown, (f"rooms:{args.rooms}", args.teammates, args.stranger, seed)))
            if not going:
                break
            done = next(as_completed(going))
            going.discard(done)
            seed, change, success = done.result()
            count += 1
            if change is not None:
                print(f"seed {seed}: {change}{', everything is tidy' if success else ''}", flush=True)
    print(f"{count} seeds")


if __name__ == "__main__":
    main()
