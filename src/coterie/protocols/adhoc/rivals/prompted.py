"""Strangers that ask a model for their next sub-task in other ways than IRoT. What is misplaced and which sub-skill
comes next they ask as it does.

- `naive`: one question, without a word on how to think.
- `cot`: one question, to be thought about step by step.
- `gpl`: first what every teammate will do next, then candidates with scores against that; the best one is taken.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Reply, RobotView, protocols
from coterie.core.replies.sections import spoken, torn
from coterie.protocols.adhoc.irot import Irot, Options
from coterie.protocols.adhoc.irot.answers import blocks_of, candidates
from coterie.protocols.adhoc.rivals import oracle as _answers  # noqa: F401 (the oracle learns to answer)
from coterie.protocols.adhoc.stranger import Choosing
from coterie.protocols.adhoc.subtasks import Phrase, read_subtask
from coterie.protocols.shared.templates import asked_at

_RESULT = re.compile(r"\[?\bresult\b\]?:?", re.I)
_SCORED = re.compile(
    r"^(.*?)\s*(?:\||:|[-\u2013\u2014]|=|,|\()\s*(?:score\W*)?(\d{1,3}(?:\.\d+)?)(?:\s*/\s*10+)?\)?\s*(?:[|(].*)?$",
    re.I,
)
MOST_SCORED = 6


class Asker(Irot):
    """One question, one sub-task."""

    template = "rival_naive"
    stage = "NEXT"
    reflecting = False
    replies, long_replies, stages = asked_at("adhoc", "NEXT", "SKILL", "SEE")

    def choose(self, me: RobotView) -> Choosing:
        found = yield from self.ask(me, self.stage, self.template, next_subtask, refused="none")
        return self.at_last(me) if isinstance(found, Misread) else found


class Naive(Asker):
    about = "household: a stranger that only asks a model for its next sub-task"


class Cot(Asker):
    about = "household: a stranger whose model thinks step by step about its next sub-task"
    template = "rival_cot"


class Gpl(Asker):
    about = "household: a stranger that predicts what teammates do next, and scores its own choices against that"
    replies, long_replies, stages = asked_at("adhoc", "PREDICT", "SCORE", "SKILL", "SEE")

    def choose(self, me: RobotView) -> Choosing:
        predicted = yield from self._predict(me)
        found = yield from self.ask(me, "SCORE", "rival_score", scored, refused="none", predicted=predicted)
        if isinstance(found, Misread):
            return self.at_last(me)
        return max(found, key=lambda item: item[1])[0]

    def _predict(self, me: RobotView) -> Generator[list[Ask], Sequence[Reply], str]:
        names = list(self.company.mates)
        if not names:
            return "none"
        read = partial(predictions, names=names)
        found = yield from self.ask(me, "PREDICT", "rival_predict", read, refused="none")
        return "none" if isinstance(found, Misread) else "\n".join(f"{n}: {words}" for n, words in found.items())


# -- reading replies --------------------------------------------------------------------------------------------------
def _after(reply: str) -> list[str]:
    """The lines of what a reply settles on."""
    text = spoken(reply)
    marks = list(_RESULT.finditer(text))
    return [row.strip() for row in (text[marks[-1].end() :] if marks else text).splitlines() if row.strip()]


def next_subtask(reply: str) -> Phrase | Misread:
    if torn(spoken(reply), "result"):
        return Misread("it gives several sub-tasks and settles on none")
    found = candidates(reply, free=False)
    if isinstance(found, Misread):
        return found
    return found[0] if len(found) == 1 else Misread("it gives several sub-tasks; write the next one alone")


def predictions(reply: str, names: Sequence[str]) -> dict[str, str] | Misread:
    """Of each teammate, the words on what it will do."""
    found: dict[str, str] = {}
    for row in _after(reply):
        match = re.match(r"[\W_]*(\w+)[\W_]*?:\s*(.+)", row)
        name = next((n for n in names if match is not None and n.lower() == match[1].lower()), "")
        if match is not None and name:
            found[name] = match[2][:120]
    return found or Misread("no line after [result] begins with the name of a teammate")


def scored(reply: str) -> list[tuple[Phrase, float]] | Misread:
    """Sub-tasks with their scores."""
    found: list[tuple[Phrase, float]] = []
    for item in blocks_of(reply):
        listed: Any = item.get("result", item.get("scores", [item])) if isinstance(item, dict) else ()
        if isinstance(item, dict) and item and all(isinstance(v, (int, float)) for v in item.values()):
            listed = item
        if isinstance(listed, dict):  # {"Stop": 1}
            listed = [{"subtask": k, "score": v} for k, v in listed.items()]
        for one in listed:
            if isinstance(one, dict) and "score" in one:
                words = " ".join(str(v) for k, v in one.items() if k not in ("score", "reason", "why"))
                phrase = read_subtask(words)
                if phrase is not None and isinstance(one["score"], (int, float)) and len(found) < MOST_SCORED:
                    found.append((phrase, float(one["score"])))
    for row in _after(reply) if not found else ():
        match = _SCORED.match(re.sub(r"\*\*|`", "", row).strip("| "))
        phrase = read_subtask(match[1]) if match is not None else None
        if match is not None and phrase is not None and len(found) < MOST_SCORED:
            found.append((phrase, float(match[2])))
    return found or Misread("no line after [result] is a sub-task with a score behind it")


for _name, _kind in (("naive", Naive), ("cot", Cot), ("gpl", Gpl)):
    protocols.put(_name, _kind, "household", "oracle")
    protocols.put(f"{_name}:full", partial(_kind, Options(style="full")), "household", "oracle", "ablation")
