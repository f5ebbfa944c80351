"""What methods with a language model do besides acting, read from the log: unreadable replies, loops, votes.

- *unreadable*: a robot waits because no reply to its question could be read. *asked again*: a question is put a second
  time because the first reply could not be read.
- *repeated failures*: a robot tries the very action that it tried last, and fails again; waiting and talking in between
  change nothing. *repeated messages*: a robot says what it has said before. A change of the task begins both anew.
- *elections*: the votes that robots tell each other at one time. Rounds are counted up to the decision, by a referee
  where no round gave one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.core.event import Event
from coterie.core.kinds import SayEvent
from coterie.core.told import read
from coterie.log.fold import Moment
from coterie.log.state import Act

UNREADABLE = ("unreadable reply", "the coordinator said nothing readable")
REFEREE = "referee"


class Loops:
    """Looks at one moment after another."""

    def __init__(self) -> None:
        self.failures = self.messages = self.unreadable = 0
        self._last: dict[str, Act] = {}
        self._said: set[tuple[str, str]] = set()

    def look(self, moment: Moment) -> None:
        if moment.changes:
            self._last.clear()
            self._said.clear()
        for act in moment.acts:
            self.unreadable += act.why.startswith(UNREADABLE)
            if act.words:
                said = (act.robot, " ".join(act.words.lower().split()))
                self.messages += said in self._said
                self._said.add(said)
            elif act.skill not in ("wait", "communicate"):
                last = self._last.get(act.robot)
                self.failures += (
                    last is not None
                    and (last.skill, last.args) == (act.skill, act.args)
                    and last.status == act.status == "failed"
                )
                self._last[act.robot] = act


def elections(events: Sequence[Event], bodies: dict[str, str]) -> list[dict[str, Any]]:
    """Every election in order: its step, rounds, whether a referee decided, and who leads from then on."""
    found: list[dict[str, Any]] = []
    rounds: set[str] = set()
    for e in events:
        for pred, args, value, *_ in read(SayEvent, e).facts if e.kind == "say" else ():
            if pred == "vote":
                voter, key = args[0], str(args[1]).rpartition(".")[2]
                if not found or found[-1]["step"] != e.step:
                    found.append({"step": e.step, "rounds": 0, "referee": False, "leader": "", "body": ""})
                    rounds = set()
                if voter == REFEREE:
                    found[-1]["referee"] = True
                else:
                    rounds.add(key)
                    found[-1]["rounds"] = len(rounds)
            elif pred == "leader" and isinstance(value, str):
                if not found or found[-1]["leader"] not in ("", value):  # nobody else was there to vote
                    found.append({"step": e.step, "rounds": 0, "referee": False, "leader": "", "body": ""})
                found[-1].update(leader=value, body=bodies.get(value, "?"))
    return found
