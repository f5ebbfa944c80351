"""What methods with a language model do besides acting, read from the log: unreadable replies and loops.

- *unreadable*: a robot waits because no reply to its question could be read. *asked again*: a question is put a second
  time because the first reply could not be read.
- *repeated failures*: a robot tries the very action that it tried last, and fails again; waiting and talking in between
  change nothing. *repeated messages*: a robot says what it has said before. A change of the task begins both anew.
"""

from __future__ import annotations

from coterie.core.action import UNREAD
from coterie.log.fold import Moment
from coterie.log.state import Act


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
            self.unreadable += act.origin == UNREAD
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
