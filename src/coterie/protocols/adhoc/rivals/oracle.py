"""The rule mind's answers to the prompts of `naive`, `cot` and `gpl`: it reads their text and nothing else.

What differs is what each prompt brings to mind. Asked plainly, it takes the nearest thing to do, whatever others do.
Thinking step by step, it weighs steps, battery and the others, as IRoT's ranking does over what it listed: so `cot` and
`irot:no-rf` differ only in that the latter lists three candidates first.
"""

from __future__ import annotations

import re

from coterie.protocols.adhoc.irot.oracle import Mate, Outlook, rows
from coterie.protocols.adhoc.subtasks import EXPLORE, PICK, PUT, REPLACE, STOP, Phrase, read_subtask
from coterie.protocols.dynahmrc.oracle import answers
from coterie.protocols.shared.templates import Page

SAME_THING, SAME_ROOM = 8.0, 3.0  # points that are lost where a teammate is predicted to do the same
STEPS_A_POINT = 25.0
MOST = 4  # candidates


def plainly(page: Page) -> str:
    return f"[result] {_heedless(Outlook(page))}"


def _heedless(now: Outlook) -> Phrase:
    """The nearest sub-task, whatever others do."""
    if now.held:
        return now.replacing(now.held, now.held_kind, now.at) or Phrase(REPLACE, (now.held, "", ""))
    for thing in sorted(now.things, key=lambda t: (t.steps, t.name)):
        phrase = now.replacing(thing.name, thing.kind, thing.at)
        if phrase is not None and now.can(thing):
            return phrase
    left = [r for r in now.rooms.values() if r.steps is not None]
    return Phrase(EXPLORE, (min(left, key=lambda r: (r.steps, r.name)).name,)) if left else Phrase(STOP)


def step_by_step(page: Page) -> str:
    now = Outlook(page)
    options = now.options()
    best = min(options, key=now.worth, default=Phrase(STOP))
    return f"[analysis] {best} is worth most among {len(options)} that I could do.\n[result] {best}"


# -- predictions ------------------------------------------------------------------------------------------------------
def predicted(page: Page) -> str:
    now = Outlook(page)
    lines = [f"{mate.name}: {_next(now, mate)}" for mate in now.mates.values()]
    return "\n".join(["[analysis] They go on with what they said.", "[result]", *lines])


def _next(now: Outlook, mate: Mate) -> str:
    if mate.holds:
        return f"Re-place <{mate.holds}>; {PUT}"
    if mate.task is not None and mate.task.name == REPLACE:
        return f"{mate.task}; {PICK} <{mate.task.args[0]}>"
    near = [t for t in now.things if mate.arm and mate.kg >= t.kg and mate.at is not None and not now.at_it(t.name)]
    if near and mate.at is not None and (mate.task is None or mate.task.name != STOP):
        thing = min(near, key=lambda t: (_gap(t.at, mate.at), t.name))
        mine = min((_gap(t.at, now.at) for t in near), default=0.0)
        if _gap(thing.at, mate.at) <= mine:
            return f"Re-place <{thing.name}>; {PICK} <{thing.name}>"
    task = mate.task if mate.task is not None else Phrase(EXPLORE)
    return f"{task}; {EXPLORE if task.name == EXPLORE else STOP}"


def _gap(a: tuple[float, float], b: tuple[float, float] | None) -> float:
    return 1e3 if b is None else abs(a[0] - b[0]) + abs(a[1] - b[1])


def scored(page: Page) -> str:
    now = Outlook(page)
    said = [row.partition(": ")[2].partition(";")[0] for row in rows(page["predicted"])]
    tasks = [p for p in map(_loosely, said) if p is not None]
    options = now.options()
    for phrase in [] if now.held else [_heedless(now)]:
        options.setdefault(phrase, 0)
    best = sorted(((_points(now, p, tasks, steps), str(p)) for p, steps in options.items()), reverse=True)[:MOST]
    listed = [f"{i}. {words} | {points:.1f}" for i, (points, words) in enumerate(best, 1)]
    return "\n".join(["[analysis] What nobody else will do counts most.", "[result]", *(listed or ["1. Stop | 1"])])


def _points(now: Outlook, phrase: Phrase, tasks: list[Phrase], steps: int) -> float:
    points = {REPLACE: 10.0, EXPLORE: 8.0}.get(phrase.name, 1.0)
    for task in tasks:
        if task.name == phrase.name == REPLACE and task.args[:1] == phrase.args[:1] and phrase.args[0] != now.held:
            points -= SAME_THING
        if task.name == phrase.name == EXPLORE and task.args and task.args == phrase.args:
            points -= SAME_ROOM
    return max(0.0, points - steps / STEPS_A_POINT)


def _loosely(words: str) -> Phrase | None:
    """A sub-task of which only the beginning is said."""
    found = re.match(r"\W*(Re-place|Explore)\s*(?:<(\w+)>)?", words)
    if found is None:
        return read_subtask(words)
    return Phrase(found[1], (found[2],) if found[2] else ())


answers.update(
    {
        "adhoc/rival_naive": plainly,
        "adhoc/rival_cot": step_by_step,
        "adhoc/rival_predict": predicted,
        "adhoc/rival_score": scored,
    }
)
