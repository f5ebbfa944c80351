"""What solved tasks say in a house nobody knows yet: where such things were found, who did what. Hints, never facts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from coterie.core.bounds import load_json
from coterie.core.event import Event
from coterie.core.protocol import Ask, Asking, RobotView, TeamProtocol, TeamView
from coterie.memo import MemoSettings, PriorCase
from coterie.memo.before.cases import MEMO
from coterie.memo.before.desk import Desk
from coterie.memo.priors import kind_of
from coterie.worlds.indoor.memory.lessons import learn

HUNCH = "hunch"  # (furniture) -> weight: a prior, which no skill and no guard rail is judged by


class HouseRecall(TeamProtocol):
    """Asks once, tells the team what earlier episodes suggest, and leaves every decision to it."""

    sees = "pooled"
    about = "priors from solved tasks: where kinds of things were found, and who did what"
    thinks = False

    def __init__(self, settings: MemoSettings | None = None) -> None:
        self.asked = False

    @staticmethod
    def keep(desk: Desk, events: Sequence[Event], planning_s: float) -> str:
        """What is kept of a success: a lesson."""
        return desk.learn(learn(events))

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        if self.asked:
            return {}
        self.asked = True
        request = prior_request(team)
        replies = yield [Ask(MEMO, MEMO, team.step, 0, ((MEMO, json.dumps(request, sort_keys=True)),))]
        found = load_json(replies[0].text)
        if not found["episodes"]:
            team.notes.append({"found": False, "why": "no lesson fits this house, team and goal"})
            return {}
        hunches = [[HUNCH, [name], weight] for name, weight in found["order"].items() if weight > 0]
        count = found["episodes"]
        text = f"Hints from {count} earlier episode{'' if count == 1 else 's'}:"
        team.notes.append(
            {"found": True, "prior": True, "text": text, "words": found["words"], "facts": hunches, "episode": "priors"}
        )
        return {}


def prior_request(team: TeamView) -> dict[str, Any]:
    """The house, the team and the goal, as every robot knows them."""
    view: RobotView = next(iter(team.robots.values()))
    goal = view.belief.value("goal")
    targets = getattr(goal, "targets", ())
    case = PriorCase(
        str(view.belief.value("house")),
        tuple(sorted(v.card.body for v in team.robots.values())),
        str(getattr(goal, "kind", "")),
        tuple(sorted({kind_of(str(t)) for t in targets})),
    )
    kinds = view.belief.value("furniture_kinds")
    return {"prior": [case.scene, list(case.team), case.goal, list(case.kinds)], "furniture": dict(kinds)}  # type: ignore[call-overload]
