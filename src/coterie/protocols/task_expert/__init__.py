"""Scripted plans for the jobs on the table, and one for all jobs of files: no model, so that motion and memo can be
measured alone.

Each script looks at the table as it is and says what every arm does in the next round. It is a high-level plan and
nothing more: how arms move is planned below it, and a round that was rewound is planned again, another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coterie.core.action import WAIT, Action
from coterie.core.errors import CoterieError
from coterie.core.protocol import Asking, TeamProtocol, TeamView

if TYPE_CHECKING:
    from coterie.worlds.tabletop.world import TabletopWorld


Joint = dict[str, Action]


class TaskExpert(TeamProtocol):
    sees = "truth"
    about = "a scripted plan for each job on the table; sees the truth"

    def __init__(self) -> None:
        self._last: Joint = {}  # what all arms were told in the round before
        self._refused: list[Joint] = []  # rewound since a round was last carried out

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        world: TabletopWorld = team.world  # type: ignore[assignment]
        if not hasattr(world, "job"):
            raise CoterieError("'task-expert' plays on the table only; try: coterie run sort-cubes")
        from coterie.protocols.task_expert.scripts import SCRIPTS, declared  # only where the table is played on

        rewound = any(v.outcome is not None and v.outcome.status == "rewound" for v in team.robots.values())
        self._refused = [*self._refused, self._last] if rewound else []
        joint = SCRIPTS.get(world.job.name, declared)(world, self._refused)
        if rewound:
            joint = _possible(team, joint)
        self._last = {n: joint.get(n, Action(WAIT)) for n in idle}
        return self._last
        yield []  # makes this a generator


def _possible(team: TeamView, joint: Joint) -> Joint:
    """After a round that was rewound: what the script says, or as much of it as passes the checks without one arm."""
    for waits in ("", *[n for n, a in joint.items() if a.skill != WAIT]):
        fewer = {n: Action(WAIT) if n == waits else a for n, a in joint.items()}
        if next(iter(team.check(fewer).values())).ok is not False:
            return fewer
    return joint
