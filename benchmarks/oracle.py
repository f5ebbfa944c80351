"""What the text oracle makes of the prompts: success and steps, protocol by protocol and setting by setting.

    python benchmarks/oracle.py [--protocols dynahmrc,dynahmrc:full] [--suites SUITE,...] [--sample 12] [--seed N]
                                [--jobs 1] [--failed]

The oracle reads nothing but prompts, so that two styles that tell the same give the same. A sample takes every n-th
episode of a suite; `--sample 0` plays all.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from coterie.bench.suites import FIRST_SEED, EpisodeSpec, suites
from coterie.bench.table import markdown
from coterie.episode.play import play
from coterie.protocols.dynahmrc.oracle import Oracle

SUITES = "dynahmrc-static,dynahmrc-cto,dynahmrc-irz,dynahmrc-anc,dynahmrc-rec"
Score = tuple[bool, int, float]


def one(job: tuple[str, EpisodeSpec]) -> Score:
    protocol, spec = job
    result = play(replace(spec.config, protocol=protocol), model=Oracle()).result
    return result.success, result.steps, result.partial


def sample(name: str, number: int, seed: int) -> list[EpisodeSpec]:
    specs = list(suites.get(name)(seed))
    return specs if not number or number >= len(specs) else specs[:: len(specs) // number][:number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocols", default="dynahmrc,dynahmrc:full")
    parser.add_argument("--suites", default=SUITES)
    parser.add_argument("--sample", type=int, default=12)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failed", action="store_true", help="name the episodes that failed")
    args = parser.parse_args()
    protocols = args.protocols.split(",")
    drawn = {name: sample(name, args.sample, args.seed) for name in args.suites.split(",")}
    jobs = [(p, s) for specs in drawn.values() for p in protocols for s in specs]
    if args.jobs > 1:
        with ProcessPoolExecutor(args.jobs) as pool:
            scores = iter(list(pool.map(one, jobs, chunksize=4)))
    else:
        scores = iter([one(job) for job in jobs])
    rows, failed = [], []
    for name, specs in drawn.items():
        row = [name, str(len(specs))]
        for protocol in protocols:
            found = [next(scores) for _ in specs]
            failed += [f"{protocol} {s.key}" for s, f in zip(specs, found) if not f[0]]
            won, steps = (sum(f[i] for f in found) / len(specs) for i in (0, 1))
            row += [f"{won:.3f}", f"{steps:.1f}"]
        rows.append(row)
    heads = ["suite", "episodes", *(h for p in protocols for h in (f"{p} SUCC", "TS"))]
    print("\n".join(markdown(heads, rows)))
    if args.failed:
        print("\n".join(failed))


if __name__ == "__main__":
    main()
