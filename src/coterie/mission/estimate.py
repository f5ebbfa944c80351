"""How long steps take, by what they are about, and times in words."""

from __future__ import annotations

from collections.abc import Mapping

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.skill import Skill
from coterie.mission.assess import Trials
from coterie.mission.domain import Domain
from coterie.planning.question import Step

ANY = "any"  # the context of a step that is about no thing


def context_of(action: Action, skill: Skill | None) -> str:
    """What matters for how an action goes besides who does it: the thing, the door or the person that it is about."""
    if skill is None:
        return ANY
    about = [str(a) for p, a in zip(skill.params, action.args) if p.kind not in ("pose", "table", "room", "robot")]
    return about[0] if about else ANY


class Lasting:
    """How long steps will take, by what was recorded of them until now [s]. It holds data alone, so it travels to where
    engines run."""

    def __init__(self, domain: Domain, cards: Mapping[str, Card], trials: Trials):
        self.domain, self.cards, self.known = domain, dict(cards), trials.number
        self.ratios: dict[tuple[str, ...], float] = {}  # to what is usual: the middle one of those that worked
        for width in (2, 3):
            for key, found in trials.groups(width):
                good = sorted(t.ratio for t in found if t.ok)
                self.ratios[key] = good[len(good) // 2] if good else 1.0

    def __call__(self, step: Step) -> float:
        skill = step.action.skill
        context = context_of(step.action, self.domain.skills.find(skill))
        at_it = self.ratios.get((skill, step.robot), 1.0)
        return self.domain.usual_s(self.cards[step.robot], step.action) * self.ratios.get(
            (skill, step.robot, context), at_it
        )


def minutes(seconds: float) -> str:
    """A time in words: "2 minutes 9 seconds"."""
    whole = round(seconds)
    mins, secs = divmod(whole, 60)
    parts = [f"{mins} minute{'s' * (mins != 1)}"] if mins else []
    parts += [f"{secs} second{'s' * (secs != 1)}"] if secs or not mins else []
    return " ".join(parts)
