"""The actions of one robot as numbers: every skill of its card with every row that its parameters can be.

The list is made once, from the card and the skills' own declarations. Which of it makes sense at a moment is a mask:
what the robot itself knows to be impossible is left out, by the same judgement that guard rails use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import WAIT, Action
from coterie.core.card import Card
from coterie.core.expr import Compare, Fluent
from coterie.core.judge import ruled_out
from coterie.core.language import Language
from coterie.core.protocol import RobotView
from coterie.core.skill import Param, Skill
from coterie.gym.rows import Layout, Rows

ROW, VALUE, STATED, NEWS = "row", "value", "stated", "news"


class Pick(NamedTuple):
    """How a parameter is filled in: with the name in a row of a table, a value, what a fluent of the robot says now
    (what it holds), or with what it has seen since it last spoke."""

    how: str
    what: Any = None
    row: int = 0


class Deed(NamedTuple):
    """One number of the action space."""

    skill: str
    picks: tuple[Pick, ...] = ()


class Deeds:
    """All that a robot with this card can be asked to do."""

    def __init__(self, card: Card, language: Language, layout: Layout, numbers: int = 3):
        """`numbers`: how many values of a distance are offered, evenly spaced over what is worth trying."""
        self.layout, self.numbers = layout, numbers
        self.list: list[Deed] = []
        self.spans: dict[str, tuple[int, int]] = {}  # of each skill, the first number and the one after its last
        for name in card.skills:
            skill = language.skills.find(name)
            first = len(self.list)
            choices = None if skill is None else self._choices(skill, language)
            for picks in product(*choices) if choices is not None else ():
                if not picks or any(p.what != 0.0 or p.how != VALUE for p in picks):  # going nowhere is no move
                    self.list.append(Deed(name, picks))
            self.spans[name] = (first, len(self.list))
        if not any(d.skill == WAIT for d in self.list):
            self.spans[WAIT] = (len(self.list), len(self.list) + 1)
            self.list.append(Deed(WAIT))  # the loop itself lets robots wait; a mask is never empty

    def _choices(self, skill: Skill, language: Language) -> list[list[Pick]] | None:
        """What each parameter can be; None for a skill with one that no learner can fill in."""
        senses = self.layout.senses
        found = []
        for param in skill.params:
            kind = language.kind(param.kind)
            stated = _stated(skill, param)
            if stated:
                picks = [Pick(STATED, stated)]
            elif kind.name in senses.kinds:
                table = senses.kinds[kind.name]
                picks = [Pick(ROW, table, i) for i in range(self.layout.room[table])]
            elif kind.name in senses.values:
                picks = [Pick(VALUE, v) for v in senses.values[kind.name]]
            elif kind.span is not None:
                picks = [Pick(VALUE, round(float(v), 3)) for v in np.linspace(*kind.span, self.numbers)]
            elif kind.quoted:
                picks = [Pick(NEWS)]
            elif kind.many:
                picks = [Pick(VALUE, ("all",))]
            else:
                return None
            found.append(picks)
        return found

    def __len__(self) -> int:
        return len(self.list)

    def action(self, me: RobotView, rows: Rows, number: int, told: int = 0) -> Action | None:
        """The action that a number stands for now; None where it names a row in which nothing stands, or where there
        is nothing to tell. `told` is how much of its belief the robot has told already."""
        deed = self.list[number]
        args: list[Any] = []
        facts: Sequence[Any] = ()
        for how, what, row in deed.picks:
            value: Any = what
            if how == ROW:
                value = rows.name(what, row)
            elif how == STATED:
                value = me.look(what, me.name)
                value = value if isinstance(value, str) else None
            elif how == NEWS:
                value, facts = self.layout.senses.news(me, told)
                value = value if value and me.heartbeat else None
            if value is None:
                return None
            args.append(value)
        return Action(deed.skill, tuple(args), facts=tuple(facts))

    def mask(self, me: RobotView, rows: Rows, told: int = 0) -> NDArray[np.int8]:
        """1 for what the robot does not know to be impossible."""
        mask = np.zeros(len(self.list), np.int8)
        for name, (first, last) in self.spans.items():
            skill = me.skills.get(name)
            if skill is None:
                mask[first:last] = name == WAIT
                continue
            calls = (self.action(me, rows, i, told) for i in range(first, last))
            mask[first:last] = np.logical_not(ruled_out(me, skill, (c and c.args for c in calls)))
        return mask


def _stated(skill: Skill, param: Param) -> str:
    """The fluent of the robot alone that a parameter must equal, like what it holds; empty where there is none."""
    for clause in skill.when:
        expr = clause.expr
        if (
            isinstance(expr, Compare)
            and expr.op == "=="
            and isinstance(expr.left, Fluent)
            and expr.left.args == ("?robot",)
            and expr.right == f"?{param.name}"
        ):
            return expr.left.pred
    return ""
