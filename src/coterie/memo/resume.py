"""Continuous planning: a reused plan failed half-way, and the model goes on from there, told what happened."""

from __future__ import annotations

from typing import NamedTuple

from coterie.memo.plan import Plan
from coterie.memo.settings import MemoSettings
from coterie.memo.splanner import Draft


class Resume(NamedTuple):
    """Where a reused plan stopped. The caller keeps the state of the world as it is, or goes back to the start."""

    done: tuple[str, ...]  # rounds that were carried out, in words
    failed: str  # the round that was not
    reason: str  # as the checks put it
    from_scratch: bool = False  # the ablation: back to the start, and the model learns nothing of it

    def words(self) -> str:
        """For the prompt of the model that takes over; empty when it starts from scratch."""
        if self.from_scratch:
            return ""
        lines = ["A plan of an earlier, similar task was tried first."]
        if self.done:
            lines += ["These rounds of it are done, and the state below is what they led to:", *self.done]
        else:
            lines.append("None of its rounds could be done.")
        lines.append(f"Then this failed: {self.failed}")
        lines.append(f"The reason: {self.reason}")
        lines.append("Plan from here on; do not start over.")
        return "\n".join(lines)


def resume(plan: Plan | Draft, failed_step: int, reason: str, settings: MemoSettings | None = None) -> Resume:
    """The report for the model when round `failed_step` (counted from 0) of a reused plan has failed."""
    lines = [
        f"round {i}: " + "; ".join(f"{robot} {act}" for robot, act in step.items())
        for i, step in enumerate(plan.steps, 1)
    ]
    failed = lines[failed_step] if failed_step < len(lines) else "the plan had ended, but the goal was not reached"
    words = reason.strip() or "no reason was given"
    if settings is not None and not settings.continues:
        return Resume((), failed, words, from_scratch=True)
    return Resume(tuple(lines[:failed_step]), failed, words)
