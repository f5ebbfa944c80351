"""Plans as partial orders: what has to be over before what, so that robots work at the same time.

A step comes after an earlier one if one of them changes what the other counts on or changes, or if both are done by the
same robot. All else can go on together.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.planning.answer import Use
from coterie.planning.question import Step


def partial_order(steps: Sequence[Step], uses: Sequence[Use]) -> tuple[frozenset[int], ...]:
    """For each step those right before it; what follows from others is left out."""
    behind: list[set[int]] = []  # of each step all that come before it
    after: list[frozenset[int]] = []
    for j, (step, use) in enumerate(zip(steps, uses)):
        near: set[int] = set()
        far: set[int] = set()
        for i in range(j - 1, -1, -1):
            if i in far:
                continue
            if step.robot == steps[i].robot or use.disturbs(uses[i]):
                near.add(i)
                far |= behind[i]
        behind.append(near | far)
        after.append(frozenset(near - far))
    return tuple(after)
