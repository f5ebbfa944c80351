"""The interface of a mission to its world, besides skills and facts. `WorldEntry.domain` gives one.

A mission knows no world by name: goals in people's words, facts and steps in ours, and usual times come from here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from coterie.core.action import Action
from coterie.core.card import Card
from coterie.core.expr import Expr, Lookup
from coterie.core.skill import Rule, Skill
from coterie.core.skills import Skills
from coterie.mission.assess import Trials
from coterie.planning.question import Step

Key = tuple[str, ...]


class Domain(Protocol):
    @property
    def skills(self) -> Skills: ...

    def objects(self) -> Mapping[str, str]:
        """Every name on the map with its kind; robots come from the team."""

    def people(self) -> Mapping[str, str]:
        """Names with their roles."""

    def rights(self) -> Mapping[str, frozenset[str]]:
        """Roles that there are besides the usual ones, with what they may do (`core.rights.ACTS`)."""

    def said(self) -> Mapping[Key, object]:
        """The facts expected before anybody has looked, by key."""

    def read(self, text: str) -> Any:
        """The wish that a phrase means; a `CoterieError` that says what can be asked for where it means none."""

    def amended(self, wish: Any, text: str) -> Any | None:
        """A wish as a person wants it now ("medkit to 1 painkiller and 1 bandage box"); None where that says nothing
        of it."""

    def wishes(self, goal: Any) -> Sequence[Any]:
        """Wishes of a task itself; `goal.by` asks for them."""

    def meanings(
        self, wish: Any, look: Lookup, taken: Collection[str], mine: str = ""
    ) -> Iterator[tuple[str, list[Expr]]]:
        """Ways to fulfil a wish, the likeliest first: the name that is set aside for it (or none), and conditions.

        `taken` is set aside for others, `mine` was for this wish so far.
        """

    def before(self, wish: Any, look: Lookup, stuck: bool, robots: Collection[str]) -> Iterator[tuple[str, Expr]]:
        """Subgoals to bring about first, each in words ("look for the mug in the kitchen") and as a condition, the
        best first; `stuck`: there is no plan for the wish itself."""

    def told(self, text: str) -> Sequence[tuple[Key, object]] | None:
        """The facts that a sentence states; None where it states none."""

    def counted(self, pred: str) -> bool:
        """True if a fluent counts things, of which there can be several."""

    def told_fact(self, pred: str, args: Sequence[Any], value: Any, count: int = 1) -> Sequence[tuple[Key, object]]:
        """A fact as it is kept: a fluent may follow from others, and there may be several of a thing."""

    def behind(self, pred: str, args: Sequence[Any]) -> Sequence[Key]:
        """The facts that a fluent follows from, for those who are told of it."""

    def request(
        self, pred: str, args: Sequence[Any], value: Any, count: int = 1
    ) -> tuple[str, Mapping[str, Any]] | None:
        """A request to a person that would make a fact true: its words, and the request as data; None where
        people cannot help."""

    def disturbs(self, skill: str) -> bool:
        """True if a skill changes a thing that it names, or takes it away; putting it somewhere does not."""

    def keeping(self, wish: Any, look: Lookup) -> Rule | None:
        """A rule against taking away what a wish has brought somewhere; None where nothing is taken from it."""

    def label(self, name: str) -> str: ...
    def fact_words(self, pred: str, args: Sequence[Any], value: Any) -> str: ...
    def step_words(self, robot: str, action: Action) -> str: ...

    def usual_s(self, card: Card, action: Action) -> float:
        """How long an action usually takes [s], as far as its maker and the map can tell."""

    def experience(self, card: Card) -> Iterable[tuple[str, bool, float, float, str]]:
        """Earlier records of a body: skill, whether it worked, how long it took and usually takes [s], and
        what it was about."""


# -- how long steps take ----------------------------------------------------------------------------------------------
# How long steps take, by what they are about, and times in words.
ANY = "any"  # the context of a step that is about no thing


def context_of(action: Action, skill: Skill | None) -> str:
    """The object that matters to an action besides who does it: the thing, the door or the person it is about."""
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
