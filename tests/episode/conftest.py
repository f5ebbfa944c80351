"""Minds that do as they are told, for tests of the loop."""

from collections.abc import Callable, Sequence

import pytest

from coterie.core.action import WAIT, Action
from coterie.core.protocol import Option, SoloProtocol


@pytest.fixture
def doing() -> Callable[..., Callable[[], SoloProtocol]]:
    """`doing(Ada=["right", Action("grab", ("ball",))])`: a mind that does one after the other, then waits."""

    def make(**plans: Sequence[str | Action | Option]) -> Callable[[], SoloProtocol]:
        class Doing(SoloProtocol):
            def __init__(self):
                self.done = 0

            def act(self, me):
                plan = plans.get(me.name, ())
                self.done += 1
                if self.done > len(plan):
                    return Action(WAIT)
                wanted = plan[self.done - 1]
                return Action(wanted) if isinstance(wanted, str) else wanted

        return Doing

    return make
