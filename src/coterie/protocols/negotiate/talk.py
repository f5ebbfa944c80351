"""How negotiating teammates talk, in sentences, and how the reply of a model that plans for one is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from coterie.core.kinds import Misread
from coterie.core.protocol import RobotView
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import sections, spoken, under
from coterie.protocols.heuristic.adapter.values import Phrase, bare, subtask
from coterie.protocols.heuristic.lines import sentences
from coterie.protocols.heuristic.talk import Talk
from coterie.worlds.household.knowledge.graph import Survey

OVER_M = 0.1  # things stand out so far from what they lie on: eyes a little lower than that still see them


class FreeTalk(Talk):
    write = staticmethod(sentences)

    def _saw(self, me: RobotView, survey: Survey, room: str) -> bool:
        """True if this robot's camera is high enough to have seen what lies on most furniture there."""
        inside = (piece for piece, (_, where) in survey.pieces.items() if where == room)
        boxes = (me.belief.value("box", piece) for piece in inside)
        tops = [box[6] for box in boxes if isinstance(box, tuple) and box[6]]
        eyes = me.card.camera_m
        return eyes is None or 2 * sum(top > eyes + OVER_M for top in tops) <= len(tops)


_TASK = re.compile(
    r"^([\s>*_#`-]{0,6}(?:[0-9][.)]\s)?[*_`\[]{0,2})(?:next |my )?(?:sub-?)?task(?=\W{0,3}[:\]])", re.I | re.M
)
_UNSURE = re.compile(r"\b(?:or|either|maybe|perhaps|if|unless)\b|\?", re.I)
MOST_WHY = 120


class Planned(NamedTuple):
    task: Phrase
    against: str = ""  # whose plan is objected to
    why: str = ""


def read_plan(reply: str, names: Sequence[str]) -> Planned | Misread:
    text = re.sub(r"(?<=\S)[ \t]+(?=(?:Answer|Subtask|Task): )", "\n", spoken(reply))  # headings within a line
    text = _TASK.sub(r"\1Subtask", text)
    pairs = [pair for b in blocks(text) if isinstance(b, dict) for pair in b.items()]
    lines = [body.split("\n")[0] for name, body in sections(text) if name == "subtask" and body]
    lines = lines or [str(v) for k, v in pairs if str(k).lower() in ("task", "subtask", "sub-task")]
    if len(set(lines)) > 1:
        return Misread("it gives several tasks and settles on none")
    if lines and _UNSURE.search(lines[-1]):
        return Misread("it gives several tasks, or none for sure")
    task = read_task(lines[-1]) if lines else None
    if task is None:
        return Misread("it has no line `Task: ...` with Explore, Re-place or Stop")
    said = under(text, "answer") or ""
    found = re.match(r"(?:i )?(?:object|disagree)\w*(?: to| with)?\W+(\w+)\W*(.*)", said, re.I)
    name = next((n for n in names if found and n.lower() == found[1].lower()), "")
    return Planned(task, name, bare(found[2])[:MOST_WHY] if found and name else "")


def read_task(line: str) -> Phrase | None:
    """A sub-task with its brackets, or in words."""
    head = re.match(r"\W*(explore|re-?place|stop)\b(.*)", line, re.I)
    if head is None:
        return subtask(line)
    args = [a.strip() for a in re.findall(r"<([^<>]*)>", head[2])]
    name = head[1].lower().replace("-", "")
    if name == "stop":
        return Phrase("Stop")
    if name == "explore" and args:
        return Phrase("Explore", (args[0].replace(" ", "_"),))
    if name == "replace" and args and args[0]:
        return Phrase("Re-place", (args[0].replace(" ", "_"), *(a.replace(" ", "") for a in (*args[1:], "", "")[:2])))
    return subtask(line)
