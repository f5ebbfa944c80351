"""Planned arms in the house: what a pick and a place cost, and how often the geometric test says the same.

    python benchmarks/planned_arms.py [--houses 20] [--each 30]

Times are processor time of one core; nothing is asked twice, so that no answer is a remembered one. "The same" is
counted where the geometric test says yes and where it says no (things up to 0.3 m out of reach); in the world itself
those are refused before anything is planned.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from coterie.bench.table import markdown
from coterie.testing.reach import Situation, situations
from coterie.worlds.indoor.arms.surroundings import LID_M


def kind_of(s: Situation) -> str:
    """What the furniture is to an arm."""
    f = s.furniture
    if s.robot == "Bob":
        return "work table, fixed arm"
    if not f.opens:
        return "surface"
    return "container, from above" if f.top_m - f.surface_m <= LID_M + 1e-6 else "container, by the door"


def share(rows: Sequence[Situation]) -> str:
    return (
        f"{sum(s.agree for s in rows)} of {len(rows)} ({100 * np.mean([s.agree for s in rows]):.1f} %)" if rows else "-"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--houses", type=int, default=20)
    parser.add_argument("--each", type=int, default=30, help="picks in every house")
    args = parser.parse_args()
    found = list(situations(args.houses, args.each))
    times = []
    for skill in ("pick", "place"):
        ms = [1000 * s.cpu_s for s in found if s.skill == skill]
        times.append([skill, str(len(ms)), *(f"{v:.0f}" for v in (np.median(ms), np.percentile(ms, 95), max(ms)))])
    print("\n".join(markdown(["skill", "asked", "median [ms]", "95 % [ms]", "longest [ms]"], times)))
    groups = []
    for kind in sorted({kind_of(s) for s in found}):
        mine = [s for s in found if kind_of(s) == kind]
        yes, no = [s for s in mine if s.geometric], [s for s in mine if not s.geometric]
        groups.append([kind, share(yes), share(no), share(mine)])
    yes, no = [s for s in found if s.geometric], [s for s in found if not s.geometric]
    groups.append(["all", share(yes), share(no), share(found)])
    print("\n".join(markdown(["where", "same where within reach", "same where out of reach", "same"], groups)))
    print("Where they differ:")
    differ = Counter((s.skill, kind_of(s), s.geometric, s.found, s.touches) for s in found if not s.agree)
    for (skill, kind, geometric, what, touches), n in differ.most_common():
        says = f"{what}{f' ({touches})' if touches else ''}"
        print(f"  {n:3d} x {skill}, {kind}: geometric says {'yes' if geometric else 'no'}, the arm finds {says}")


if __name__ == "__main__":
    main()
