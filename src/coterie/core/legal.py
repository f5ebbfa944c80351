"""The actions that a robot may try now: all calls of its skills that it does not know to be impossible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.judge import ruled_out
from coterie.core.kinds import Able, Kind
from coterie.core.language import language_of
from coterie.core.skill import Skill

Args = tuple[Any, ...]


def legal_actions(me: Able, numbers: int = 3) -> list[Action]:
    """Every action that guard rails would not refuse, skill by skill; `numbers` values of a distance are offered.

    Free words stand as an empty text, to be filled in, and go to all. Waiting is always possible.
    """
    found = []
    for name, skill in me.skills.items():
        calls = [args for args in _calls(me, skill, numbers) if not args or any(a != 0.0 for a in args)]
        found += [Action(name, args) for args, no in zip(calls, ruled_out(me, skill, calls)) if not no]
    return found if WAIT in me.skills else [*found, Action(WAIT)]


def _calls(me: Able, skill: Skill, numbers: int, before: Args = ()) -> Iterator[Args]:
    if len(before) == len(skill.params):
        yield before
        return
    param = skill.params[len(before)]
    if pred := skill.stated(param):
        value = me.look(pred, me.name)
        values: Sequence[Any] = (value,) if isinstance(value, str) else ()
    else:
        values = _values(me, language_of(me.skills).kind(param.kind), numbers, before)
    for value in values:
        yield from _calls(me, skill, numbers, (*before, value))


def _values(me: Able, kind: Kind, numbers: int, before: Args) -> Sequence[Any]:
    if kind.span is not None:
        low, high = kind.span
        return [round(low + (high - low) * i / max(1, numbers - 1), 3) for i in range(numbers)]
    if kind.quoted:
        return ("",)
    if kind.many:
        return (("all",),)
    return list(dict.fromkeys(kind.tried(me, before) if kind.tried is not None else kind.names(me)))
