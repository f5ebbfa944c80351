"""Prompts have a budget, because users have CPUs. Tokens are counted as 3.6 characters each."""

import itertools
from statistics import median

from tests.protocols.dynahmrc.helpers import of, run


def tokens(ask):
    return sum(len(t) for _, t in ask.prompt) / 3.6


def uncached(before, now):
    """Tokens after the first difference to the robot's last prompt of the same stage."""
    a, b = ("\n".join(t for _, t in x.prompt) for x in (before, now))
    same = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return (len(b) - same) / 3.6


def test_budgets_of_a_three_robot_pack_task():
    counts = {"HMRC": [], "TALB": [], "LE": [], "GD": []}
    fresh = []
    for seed in range(6):
        _, asked, _ = run(seed=10_000 + seed, scene=("flat", "loft", "bungalow")[seed % 3])
        for stage, found in counts.items():
            found += [tokens(a) for a in of(asked, stage)]
        for robot in ("Alice", "Bob", "Lucy"):
            mine = of(asked, "HMRC", robot)
            fresh += [uncached(a, b) for a, b in itertools.pairwise(mine)]
    assert median(counts["HMRC"]) <= 600
    assert median(counts["TALB"]) <= 500
    assert median(counts["LE"]) <= 600
    assert median(counts["GD"]) <= 600
    assert median(fresh) <= 250
