"""The S-Planner: a plan for the new task from that of a similar one, without a model.

Actions are inherited. Of every motion it says how to come by it: `reuse` the old knots, `guide` the motion planner with
way points from the old path, or plan `anew`. Nothing of this is safe to execute as it is: what comes out goes through
the same checks as a model's plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from coterie.memo.case import Case
from coterie.memo.geometry import Point, key_points, resample
from coterie.memo.legs import Ends, Fit, Laid, Probe, fit, lay
from coterie.memo.plan import Motion, Plan
from coterie.memo.settings import MemoSettings, family_of
from coterie.memo.similarity import Ratio, ratios

How = Literal["reuse", "guide", "anew"]
_RANK = {"reuse": 0, "guide": 1, "anew": 2}
_WORDS: dict[How, str] = {"reuse": "reused as they are", "guide": "guided by the old way", "anew": "planned anew"}


class Drafted(NamedTuple):
    """One motion: how to come by it, and from what."""

    how: How
    old: Motion  # the motion of the old plan; its knots are what `reuse` reuses
    points: np.ndarray  # (n, 3) way points for `guide`, and for `reuse` where another arm's motion is none; else empty
    start: Point  # where the memo takes the hand to start and end now
    goal: Point

    @property
    def knots(self) -> np.ndarray:
        return self.old.knots


class DraftAct(NamedTuple):
    skill: str
    args: tuple[str, ...]
    motions: tuple[Drafted, ...]

    def __str__(self) -> str:
        return " ".join((self.skill, *self.args))


class Draft(NamedTuple):
    """A plan for the new task that has still to be checked."""

    steps: tuple[dict[str, DraftAct], ...]
    ratios: tuple[Ratio, ...] = ()  # of the subtasks, with high overlap

    def count(self, how: How) -> int:
        return sum(m.how == how for step in self.steps for act in step.values() for m in act.motions)

    def together(self, step: int, number: int) -> How:
        """How the arms come by a motion that they do at the same time: they are planned together."""
        hows = [act.motions[number].how for act in self.steps[step].values() if number < len(act.motions)]
        return max(hows, key=_RANK.__getitem__, default="anew")

    def words(self) -> str:
        """For the user: what is used again, and what is not."""
        total = sum(len(act.motions) for step in self.steps for act in step.values())
        rounds = f"{len(self.steps)} round{'' if len(self.steps) == 1 else 's'}"
        parts = [f"{n} {words}" for how, words in _WORDS.items() if (n := self.count(how))]
        return f"{rounds} inherited; of {total} motions: {', '.join(parts)}." if total else f"{rounds} inherited."


def draft(
    ref: Case,
    plan: Plan,
    cur: Case,
    settings: MemoSettings,
    probe: Probe | None = None,
    ends: Ends | None = None,
    fits: Sequence[Fit] = (),
) -> Draft:
    """The new plan. `fits` are what a similarity test has found out already; the same probe is then not asked again."""
    laid = lay(ref, plan, cur, settings, ends)
    if not settings.splanner:
        return _assemble(plan, [_drafted("reuse" if len(x.motion.knots) else "anew", x) for x in laid])
    if family_of(cur.task).overlap == "low":
        return _assemble(plan, [_low(x, probe, settings) for x in laid])
    known = {f.laid.leg: f for f in fits}
    all_fits = [known.get(x.leg) or fit(x, probe, settings) for x in laid]
    return _assemble(plan, [_high(f, settings) for f in all_fits])._replace(ratios=tuple(ratios(all_fits)))


def _drafted(how: How, laid: Laid, points: np.ndarray | None = None) -> tuple[Laid, Drafted]:
    return laid, Drafted(how, laid.motion, np.empty((0, 3)) if points is None else points, laid.start, laid.goal)


def _low(laid: Laid, probe: Probe | None, settings: MemoSettings) -> tuple[Laid, Drafted]:
    """Eq. 6: the old trajectory where neither end moved. Where one did, the paper plans anew; what is left of the old
    way still guides that, which costs nothing where it is of no use."""
    if not len(laid.motion.knots):
        return _drafted("anew", laid)
    return _reused(laid, settings) if laid.moved <= settings.eps else _guided(fit(laid, probe, settings), settings)


def _reused(laid: Laid, settings: MemoSettings) -> tuple[Laid, Drafted]:
    """The old motion; its key points are for a motion that is planned together with one that cannot be reused."""
    return _drafted("reuse", laid, key_points(resample(laid.motion.ee), settings.eta))


def _high(found: Fit, settings: MemoSettings) -> tuple[Laid, Drafted]:
    """The old trajectory where neither end moved and nothing is in its way, else its key points, if there are any."""
    laid = found.laid
    if not len(laid.motion.knots):  # a hand that is led needs no hint
        return _drafted("anew", laid)
    return _reused(laid, settings) if laid.moved <= settings.eps and found.free else _guided(found, settings)


def _guided(found: Fit, settings: MemoSettings) -> tuple[Laid, Drafted]:
    """A motion that is planned anew, by way of the key points that are left of the old one, if there are any."""
    points = key_points(found.kept, settings.eta)
    return _drafted("guide", found.laid, points) if len(points) else _drafted("anew", found.laid)


def _assemble(plan: Plan, drafted: Sequence[tuple[Laid, Drafted]]) -> Draft:
    by_leg = {(x.leg.step, x.leg.robot, x.leg.number): d for x, d in drafted}
    steps = tuple(
        {
            robot: DraftAct(act.skill, act.args, tuple(by_leg[i, robot, j] for j in range(len(act.motions))))
            for robot, act in step.items()
        }
        for i, step in enumerate(plan.steps)
    )
    return Draft(steps)


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
