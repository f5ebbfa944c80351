"""When something is due: changes, the end of thinking, limits."""

from __future__ import annotations

from collections.abc import Iterable

from coterie.core.task import Change, Task


class Clock:
    """Steps are rounds of decisions; where robots do not wait for each other, they are spans of `step_s`."""

    def __init__(self, task: Task, synchronous: bool, step_s: float):
        self.task, self.synchronous, self.step_s = task, synchronous, step_s
        self.pending = list(task.changes)
        self.step = 0

    def due(self, now: float) -> list[Change]:
        """The changes that have come due, each once."""
        found = [c for c in self.pending if c.at.due(self.step, now)]
        for change in found:
            self.pending.remove(change)
        return found

    def awaits(self) -> bool:
        """True if a change is still to come within the limits that the episode goes on for."""
        return any(c.awaited and self._will_come(c) for c in self.pending)

    def _will_come(self, change: Change) -> bool:
        at, task = change.at, self.task
        if at.step is not None:
            return task.step_limit is None or at.step < task.step_limit
        return at.time is not None and (task.time_limit_s is None or at.time < task.time_limit_s)

    def out_of_steps(self) -> bool:
        return self.task.step_limit is not None and self.step >= self.task.step_limit

    def out_of_time(self, now: float) -> bool:
        return self.task.time_limit_s is not None and now >= self.task.time_limit_s - 1e-9

    def tick(self, now: float) -> None:
        """A round has been played, or time has passed."""
        self.step = self.step + 1 if self.synchronous else int((now + 1e-9) / self.step_s)

    def next(self, now: float, thinking: Iterable[float] = (), default: float | None = None) -> float | None:
        """The next moment at which something is due besides the end of an action."""
        times = [c.at.time for c in self.pending if c.at.time is not None]
        times += thinking
        if self.task.time_limit_s is not None:
            times.append(self.task.time_limit_s)
        if not self.synchronous:
            steps = [c.at.step for c in self.pending if c.at.step is not None]
            steps += [self.task.step_limit] if self.task.step_limit is not None else []
            times += [step * self.step_s for step in steps]
        return min((t for t in times if t > now + 1e-9), default=default)
