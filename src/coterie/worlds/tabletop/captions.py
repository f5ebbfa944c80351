"""Rounds at the table as read from a log, and the captions below their pictures."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from coterie.core import records
from coterie.core.action import MEMO, WAIT
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.world import ACCIDENT
from coterie.log.words import action_words, back_words, change_words, gone_words

CHANGES = ("change", "leave", "join")
PICK = "pick"


@dataclass
class Round:
    """One round, as read from a log."""

    step: int
    acts: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)  # status and reason
    poses: list[Sequence[float]] = field(default_factory=list)
    before: str = ""  # the status line at the beginning of the round
    after: str = ""
    end: bool | None = None  # whether the task was achieved, once it is over
    remembered: bool = False  # all of it was used again
    about: set[str] = field(default_factory=set)  # names that its actions and its news speak of
    aims: dict[str, tuple[str, ...]] = field(default_factory=dict)  # robot that does not wait -> what it is to act on
    news: list[str] = field(default_factory=list)  # what changed before it
    away: tuple[str, ...] = ()  # robots that left and are not back
    moved: tuple[str, ...] = ()  # what was dropped or nudged before it
    picks: dict[str, str] = field(default_factory=dict)  # robot -> what it is to take and keep

    def taken(self) -> dict[str, str]:
        """Things that robots took in this round and hold at its end."""
        return {who: thing for who, thing in self.picks.items() if self.outcomes.get(who, ("",))[0] == "done"}

    def caption(self, over: bool) -> str:
        """Heading, what changed, a line for each robot, and the status line; what came of the actions is told when they
        are over."""
        words = f"Round {self.step + 1}" + (" · remembered" if self.remembered else "")
        if over and self.end is not None:
            words += " · the task is done" if self.end else " · the task was not achieved"
        lines = [words, *self.news]
        bad = {who: (s, why) for who, (s, why) in self.outcomes.items() if over and s not in ("", "done")}
        once = len(bad) > 1 and len(set(bad.values())) == 1  # a round that is taken back is so for all
        for name, act in self.acts.items():
            lines.append(f"{name}: {act}" + (f" {': '.join(bad[name])}" if name in bad and not once else ""))
        lines += [": ".join(why) for why in list(bad.values())[:1] if once]
        lines += [f"{name}: away" for name in self.away]
        return "\n".join([*lines, (self.after if over else self.before) or " "])


def rounds(events: Iterable[Event]) -> list[Round]:
    """The rounds of an episode. Status and end come after a round and carry the number of the next one; changes come
    before the round that they are told with, as does the status of another goal. Where nobody moved, all stands as it
    stood."""
    found: list[Round] = []
    news: list[str] = []
    moved: list[str] = []
    away: list[str] = []
    goal = -1  # the step at which it changed
    status = ""
    for event in events:
        if event.kind == "status":
            status = read(records.StatusEvent, event).text
            if found and event.step != goal:
                found[-1].after = status
        elif event.kind == "end":
            if found:
                found[-1].end = read(records.EndEvent, event).success
        elif event.kind in CHANGES:
            news += _changed(event, away)
            goal = event.step if event.kind == "change" and read(records.ChangeEvent, event).kind == "goal" else goal
        elif event.kind in ("act", "outcome", "truth"):
            if not found or found[-1].step != event.step:
                now = Round(event.step, before=status, after=status, news=news, away=tuple(away))
                now.moved, now.about = tuple(moved), set(moved)
                found.append(now)
                news, moved = [], []
            _note(found[-1], event)
        moved += _moved(event)
    for last, now in itertools.pairwise(found):
        now.poses = now.poses or last.poses[-1:]
    return found


def _changed(event: Event, away: list[str]) -> list[str]:
    """The sentence for a change; who is away is noted."""
    if event.kind == "change":
        return [change_words(read(records.ChangeEvent, event))]
    if event.kind == "leave":
        away.append(event.who)
        return [gone_words(event.who, read(records.LeaveEvent, event).dropped)]
    if event.who not in away:
        return []  # a team is told of in the first line
    away.remove(event.who)
    return [back_words(event.who)]


def _moved(event: Event) -> list[str]:
    """Things that a leaving robot let go of, or that were nudged."""
    if event.kind == "leave":
        return [thing] if (thing := read(records.LeaveEvent, event).dropped) else []
    facts = read(records.TruthEvent, event).facts if event.kind == "truth" else ()
    return [str(thing) for pred, things, _ in facts if pred == ACCIDENT for thing in things]


def _note(now: Round, event: Event) -> None:
    if event.kind == "act":
        act = read(records.ActEvent, event)
        again = act.origin == MEMO
        now.remembered = again and (now.remembered or not now.acts)
        now.about.update(str(a) for a in act.args)
        if act.skill != WAIT:
            now.aims[event.who] = tuple(str(a) for a in act.args)
        if act.skill == PICK and act.args:
            now.picks[event.who] = str(act.args[0])
        now.acts[event.who] = action_words(act.skill, act.args) + (" (remembered)" if again else "")
    elif event.kind == "outcome":
        outcome = read(records.OutcomeEvent, event)
        now.outcomes[event.who] = (outcome.status, outcome.reason)
    else:
        now.poses += [pose for _, pose in poses_of(event)]


def poses_of(event: Event) -> list[tuple[float, Sequence[float]]]:
    """Moments [s] of a round, each with the positions of all joints."""
    facts = read(records.TruthEvent, event).facts if event.kind == "truth" else ()
    return [(t, pose) for pred, _, moments in facts if pred == "frames" for t, pose in moments]
