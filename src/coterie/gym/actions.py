"""The actions of robots as numbers: every skill with every row that its parameters can be.

The list is made once, from the skills' own declarations, and is the same for all robots of a world. Which of it makes
sense for one robot at a moment is a mask: what is not on its card, and what the robot itself knows to be impossible, by
the same judgement that guard rails use.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coterie.core.action import WAIT, Action
from coterie.core.judge import ruled_out
from coterie.core.language import Language
from coterie.core.protocol import Decision, RobotView
from coterie.core.skill import Skill
from coterie.gym.rows import Layout, Rows

ROW, VALUE, STATED, FOLLOWS, NEWS = "row", "value", "stated", "follows", "news"
GO_ON = "go on"  # with the option that is under way


class Pick(NamedTuple):
    """How a parameter is filled in: with the name in a row of a table, a value, what a fluent of the robot says now
    (what it holds), what follows from the others, or with what it has seen since it last spoke."""

    how: str
    what: Any = None
    row: int = 0


class NumberedAction(NamedTuple):
    """One number of the action space: a skill, or an option of the world, with what fills it in."""

    skill: str
    picks: tuple[Pick, ...] = ()


class ActionList:
    """All that robots of a world can be asked to do."""

    def __init__(self, language: Language, layout: Layout, numbers: int = 3, options: bool = False):
        """`numbers`: how many values of a distance are offered, evenly spaced over what is worth trying. With `options`
        there are those of the world, and of the skills only those that no option has a use for."""
        self.layout, self.numbers = layout, numbers
        self.list: list[NumberedAction] = []
        self.spans: dict[str, tuple[int, int]] = {}  # of each skill, the first number and the one after its last
        self.options = dict(layout.senses.options) if options else {}
        for name, tables in self.options.items():
            self._add(name, [self._rows(table) for table in tables])
        if options:
            self._add(GO_ON, [])
        for name, skill in language.skills.items():
            choices = self._choices(skill, language)
            if choices is not None and not (options and not layout.senses.beside_options(name)):
                self._add(name, choices)
        if WAIT not in self.spans:  # the loop itself lets robots wait; a mask is never empty
            self._add(WAIT, [])

    def _add(self, name: str, choices: list[list[Pick]]) -> None:
        first = len(self.list)
        for picks in product(*choices):
            if not picks or any(p.what != 0.0 or p.how != VALUE for p in picks):  # going nowhere is no move
                self.list.append(NumberedAction(name, picks))
        self.spans[name] = (first, len(self.list))

    def _rows(self, table: str) -> list[Pick]:
        return [Pick(ROW, table, i) for i in range(self.layout.room[table])]

    def _choices(self, skill: Skill, language: Language) -> list[list[Pick]] | None:
        """Return the choices for each parameter; None for a skill that no learner can fill in."""
        senses = self.layout.senses
        found = []
        for param in skill.params:
            kind = language.kind(param.kind)
            stated = skill.stated(param)
            if (skill.name, param.name) in senses.follows:
                picks = [Pick(FOLLOWS, param.name)]
            elif stated:
                picks = [Pick(STATED, stated)]
            elif kind.name in senses.kinds:
                picks = self._rows(senses.kinds[kind.name])
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

    # -- one moment -----------------------------------------------------------------------------------------------
    def decision(self, me: RobotView, rows: Rows, number: int, told: Any = None) -> Decision | None:
        """Return the decision that a number stands for now; None where it names an empty row, where there is nothing to
        tell, or an option that cannot be. `told` is how much of its belief the robot has told already."""
        deed = self.list[number]
        if deed.skill == GO_ON:
            return None
        args: list[Any] = []
        facts: Sequence[Any] = ()
        senses = self.layout.senses
        for how, what, row in deed.picks:
            value: Any = what
            if how == ROW:
                value = rows.name(what, row)
            elif how == STATED:
                value = me.look(what, me.name)
                value = value if isinstance(value, str) else None
            elif how == FOLLOWS:
                value = senses.following(me, deed.skill, what, args)
            elif how == NEWS:
                value, facts = senses.news(me, told)
                value = value if value and me.heartbeat else None
            if value is None:
                return None
            args.append(value)
        if deed.skill in self.options:
            return senses.option(me, deed.skill, args)
        return Action(deed.skill, tuple(args), facts=tuple(facts))

    def mask(self, me: RobotView, rows: Rows, told: Any = None, under_way: bool = False) -> NDArray[np.int8]:
        """1 for what the robot does not know to be impossible."""
        mask = np.zeros(len(self.list), np.int8)
        senses = self.layout.senses
        for name, (first, last) in self.spans.items():
            skill = me.skills.get(name)
            if name == GO_ON:
                mask[first:last] = under_way
            elif name in self.options:
                for i in range(first, last):
                    mask[i] = self.decision(me, rows, i, told) is not None
            elif skill is None:
                mask[first:last] = name == WAIT
            else:
                some = [self.decision(me, rows, i, told) for i in range(first, last)]
                calls = [a.args if isinstance(a, Action) and senses.sensible(me, name, a.args) else None for a in some]
                mask[first:last] = np.logical_not(ruled_out(me, skill, calls))
        return mask
