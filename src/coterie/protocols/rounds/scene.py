"""The table as a planner may read it: from the beliefs it was given, one robot's own or those of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView, TeamView
from coterie.worlds.tabletop.skills import VERBS, spelt

Point = tuple[float, ...]


@dataclass(frozen=True)
class Scene:
    """The table as some robots see it now. What one of them saw before and sees no longer is left out."""

    views: Mapping[str, RobotView]

    @classmethod
    def of(cls, team: TeamView) -> Scene:
        scene = cls(team.robots)
        if scene._common("job") is None:
            raise CoterieError("This planner plays on the table only; try: coterie run sort-cubes")
        return scene

    def alone(self, robot: str) -> Scene:
        """The same scene as one robot sees it."""
        return Scene({robot: self.views[robot]})

    def _common(self, *key: str) -> Any:
        value = next(iter(self.views.values())).belief.value(*key)
        return None if value is UNKNOWN else value

    # -- what everybody knows -------------------------------------------------------------------------------------
    @property
    def robots(self) -> tuple[str, ...]:
        return tuple(self._common("robots") or self.views)

    @property
    def goal(self) -> str:
        return str(self._common("goal"))

    @property
    def job(self) -> str:
        return str(self._common("job"))

    @property
    def paths(self) -> bool:
        return bool(self._common("paths"))

    @property
    def things(self) -> tuple[str, ...]:
        return tuple(self._common("things") or ())

    def verbs(self, robot: str) -> tuple[str, ...]:
        base = next(iter(self.views.values())).belief.base
        return tuple(k[2] for k in base if k[0] == "targets" and k[1] == robot)

    def targets(self, robot: str, verb: str) -> tuple[str, ...]:
        return tuple(self._common("targets", robot, verb) or ())

    def role(self, robot: str) -> str:
        return str(self._common("role", robot) or "")

    def box(self, robot: str) -> tuple[tuple[float, float], ...]:
        return tuple(self._common("box", robot) or ())

    # -- what is seen now -----------------------------------------------------------------------------------------
    def notes(self, robot: str) -> dict[str, str]:
        """Sentences about what a robot sees, by what they are about; with positions where ways are asked for."""
        view = self.views[robot]
        found = {}
        for fact in view.belief.facts("note"):
            if fact.time < view.time:
                continue
            thing, words = fact.args[0], str(fact.value)
            at = view.belief.fact("hand" if thing == robot else "at", thing)
            if self.paths and "(" not in words and at is not None and at.time >= view.time:
                words += f", at {spoken(at.value)}"
            found[thing] = words
        return found

    @property
    def status(self) -> str:
        return str(self._common("status") or "")

    @property
    def step(self) -> int:
        return next(iter(self.views.values())).step

    @property
    def limit(self) -> int | None:
        return next(iter(self.views.values())).step_limit


def spoken(point: Any) -> str:
    return "(" + ", ".join(f"{v:.2f}" for v in point) + ")"


def form(verb: str) -> str:
    """How an action is written: `PICK <object> PLACE <target>`."""
    skill = VERBS[verb]
    return spelt(skill, [f"<{p.label}>" for p in skill.params])
