"""A scene and what was tried in it, as the words of a prompt. Nothing that the beliefs given do not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from coterie.core.protocol import RobotView
from coterie.protocols.rounds.parse import Plan, tidy, written
from coterie.protocols.rounds.scene import Scene, form
from coterie.protocols.shared.replies import quoted
from coterie.worlds.tabletop.skills import VERBS

# -- record of past rounds --------------------------------------------------------------------------------------------
# A planner's record of past rounds: what was done, what was refused or failed in execution, what a memo said.
MEMO = "memo"  # who tells that a remembered plan was tried first
MOST_MEMOS = 2
MOST_MEMO = 2000  # characters
MOST_FAILED = 5


class Attempt(NamedTuple):
    """A plan that was refused or failed, and why."""

    plan: str
    reason: str


class Done(NamedTuple):
    """A round that is over."""

    step: int
    words: str
    talk: str = ""
    failed: bool = False  # in execution


@dataclass
class Book:
    rounds: list[Done] = field(default_factory=list)
    failed: list[Attempt] = field(default_factory=list)  # in execution, since something last went well
    refused: list[Attempt] = field(default_factory=list)  # in rounds in which no plan passed, since then, too
    memos: list[str] = field(default_factory=list)
    _under_way: tuple[int, Plan | None, str] | None = None  # step, plan (None: nobody moves), talk

    def began(self, step: int, plan: Plan, talk: str = "") -> None:
        self._under_way = (step, plan, talk)

    def spent(self, step: int, attempts: Sequence[Attempt]) -> None:
        """No plan of a round passed its checks; the next round, with all as before, is told which and why."""
        self._under_way = (step, None, "")
        self.refused = list({a.plan: a for a in (*self.refused, *attempts)}.values())[-MOST_FAILED:]

    def settle(self, views: Mapping[str, RobotView], step: int) -> None:
        """Take in what became of the last round, and what a memo said since."""
        heard = [m.text for v in views.values() for m in v.inbox if m.sender == MEMO]
        for text in dict.fromkeys(heard):
            self.memos = [*self.memos, tidy(text, MOST_MEMO)][-MOST_MEMOS:]
        last, self._under_way = self._under_way, None
        if last is None or last[0] != step - 1:
            return  # another decider, such as a memo, decided for that round
        began, plan, talk = last
        outcomes = [v.outcome for v in views.values() if v.outcome is not None]
        outcome = next((o for o in outcomes if o.status != "failed"), None)
        mishaps = [o.reason for o in outcomes if o.status == "failed"]
        if plan is None:
            self.rounds.append(Done(began, "no plan passed the checks; nobody moved"))
        elif mishaps:
            self.failed, self.refused = [], []
            self.rounds.append(Done(began, f"{_line(plan)}. But: {' '.join(mishaps)}", talk))
        elif outcome is not None and not outcome.ok:
            self.failed = [*self.failed, Attempt(plan.text(), outcome.reason)][-MOST_FAILED:]
            self.rounds.append(Done(began, "the plan failed to execute; all is as before", failed=True))
        else:
            self.failed, self.refused = [], []
            self.rounds.append(Done(began, _line(plan), talk))


def _line(plan: Plan) -> str:
    return "; ".join(f"{r}: {written(a._replace(path=()))}" for r, a in plan.joint.items())


def talk_of(lines: Sequence[tuple[str, str]], most: int) -> str:
    """A talk in short."""
    return "\n".join(f"{who} said: {quoted(text, most) or '(silence)'}" for who, text in lines)


FEEDBACK = "[Environment Feedback]:"
MOST_REASON = 600  # characters of a reason that are shown
POINTS = 4


def values(scene: Scene, book: Book, attempts: Sequence[Attempt] = ()) -> dict[str, str]:
    """The slots that all prompts on the table share."""
    limit = scene.limit
    return {
        "job": scene.job,
        "goal": scene.goal,
        "robots": ", ".join(scene.robots),
        "roles": "\n".join(scene.role(r) for r in scene.views if scene.role(r)),
        "actions": actions(scene),
        "things": ", ".join(scene.things),
        "targets": targets(scene),
        "reach": reach(scene),
        "line": "<agent> ACTION <action>" + (f" PATH [{', '.join(['(x, y, z)'] * POINTS)}]" if scene.paths else ""),
        "path_rule": path_rule(scene),
        "memo": memo(book),
        "history": history(book),
        "refused": _attempts(book.refused),  # of earlier rounds, while all stood as it stands now
        "failed": _attempts(book.failed),
        "state": state(scene),
        "status": scene.status,
        "feedback": feedback(attempts),
        "step": str(scene.step + 1),
        "limit": str(limit) if limit is not None else "no limit",
    }


# -- what does not change ---------------------------------------------------------------------------------------------
def actions(scene: Scene) -> str:
    """The actions of each robot; robots that can do the same stand on one line."""
    able: dict[tuple[str, ...], list[str]] = {}
    for robot in scene.robots:
        able.setdefault(scene.verbs(robot), []).append(robot)
    return "\n".join(
        f"- {', '.join(names)}: {'; '.join(f'{form(v)} ({VERBS[v].help})' for v in verbs)}"
        for verbs, names in able.items()
    )


def targets(scene: Scene) -> str:
    """Possible second names, where actions have one."""
    found: dict[str, None] = {}
    for robot in scene.robots:
        for verb in scene.verbs(robot):
            if len(VERBS[verb].params) > 1:
                found.update(dict.fromkeys(scene.targets(robot, verb)))
    return ", ".join(found)


def reach(scene: Scene) -> str:
    """The room in which hands may be, for planners that give points."""
    if not scene.paths:
        return ""
    told = []
    for robot in scene.robots:
        box = [f"{axis} {lo:g} to {hi:g}" for axis, (lo, hi) in zip("xyz", scene.box(robot))]
        told.append(f"{robot} {', '.join(box)}")
    return f"{'; '.join(told)}."


def path_rule(scene: Scene) -> str:
    if not scene.paths:
        return ""
    return (
        f"{POINTS} points of the hand on its way from where it is to the target, evenly spaced, high enough to "
        "pass over everything, apart from the other hand. All PATHs have the same number of points."
    )


# -- what does --------------------------------------------------------------------------------------------------------
def state(scene: Scene) -> str:
    """The present views: first what all see alike, then what each sees on its own."""
    notes = {r: scene.notes(r) for r in scene.views}
    if len(notes) == 1:
        (mine,) = notes.values()
        return f"You see: {'; '.join(mine.values()) or 'nothing'}."
    first = next(iter(notes.values()))
    common = [t for t, words in first.items() if all(n.get(t) == words for n in notes.values())]
    lines = [f"All see: {'; '.join(first[t] for t in common)}."] if common else []
    for robot, seen in notes.items():
        own = [w.replace("your side", f"{robot}'s side") for thing, w in seen.items() if thing not in common]
        lines += [f"{robot} sees: {'; '.join(own)}."] if own else []
    return "\n".join(lines)


def memo(book: Book) -> str:
    return "\n[Memory]: ".join(map(inset, book.memos))


def history(book: Book) -> str:
    lines = []
    for done in book.rounds:
        lines += [f"- round {done.step + 1}: {done.words}"]
        lines += [f"  {line}" for line in done.talk.splitlines()]
    return "\n".join(lines)


def _attempts(attempts: Sequence[Attempt]) -> str:
    return "\n".join(f"- {one_line(a.plan or '(no plan)')}\n  because: {inset(cut(a.reason))}" for a in attempts)


def feedback(attempts: Sequence[Attempt]) -> str:
    """The refusals of this round; a new plan has to do better."""
    lines = []
    for n, a in enumerate(attempts, 1):
        lines.append(f"{f'{FEEDBACK} ' * (n > 1)}plan {n} of this round was refused.")
        lines += [f"  {line}" for line in (a.plan or "(no plan)").splitlines()]
        lines.append(f"  Reason: {inset(cut(a.reason))}")
    if lines:
        lines.append("Write a plan that is not refused for these reasons.")
    return "\n".join(lines)


def one_line(plan: str) -> str:
    return plan.replace("\n", " | ")


def inset(text: str) -> str:
    """Lines after the first are set in, so that no text can pose as a heading of the prompt."""
    return text.replace("\n", "\n    ")


def cut(text: str) -> str:
    return text if len(text) <= MOST_REASON else text[: MOST_REASON - 1] + "…"
