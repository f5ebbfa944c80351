"""How negotiating teammates talk: in sentences.

I am Alice. I have an arm that lifts 6.22 kg, my camera is at 1.6 m and my battery lasts 63 steps in all.
I am at (2.5, 1.25) in room_3 and I hold nothing; 41 steps are left. I am exploring room_2. I have explored room_1.
mug_0 is misplaced: it lies on bathtub_0 in room_2 at (4.1, 6.32). I saw sink_0 in room_2 at (3.5, 0.5). I object:
room_1 is explored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from coterie.core.kinds import Misread
from coterie.core.protocol import RobotView
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import sections, spoken, under
from coterie.protocols.adhoc.adapter.values import Subtask, bare, subtask
from coterie.protocols.heuristic.lines import values
from coterie.protocols.heuristic.talk import Talk
from coterie.worlds.household.knowledge.graph import Survey

_CAMERAS = {"tall": "1.6", "small": "0.9"}
OVER_M = 0.1  # things stand out so far from what they lie on: eyes a little lower than that still see them


def sentences(lines: Sequence[tuple[str, str]]) -> str:
    """Lines of keys and words, in sentences."""
    return " ".join(filter(None, (_one(key, words) for key, words in lines)))


def _one(key: str, words: str) -> str:
    given = values(words)
    if key == "robot":
        return f"I am {words}."
    if key == "ability":
        arm = f"an arm that lifts {given['payload']} kg" if given["arm"] == "yes" else "no arm"
        camera = f", my camera is at {_CAMERAS[given['height']]} m" if given["height"] in _CAMERAS else ""
        lasts = f" and my battery lasts {given['battery']} steps in all" if given["battery"].isdecimal() else ""
        return f"I have {arm}{camera}{lasts}."
    if key == "state":
        held = "nothing" if given["holding"] == "none" else given["holding"]
        room = "" if given["room"] == "none" else f" in {given['room']}"
        left = f"; {given['battery']} steps are left" if given["battery"].isdecimal() else ""
        return f"I am at ({given['x']}, {given['y']}){room} and I hold {held}{left}."
    if key == "task":
        return _task(words)
    if key == "explored":
        return f"I have explored {words.replace(', ', ' and ')}."
    if key == "misplaced":
        room = "" if given["room"] == "none" else f" in {given['room']}"
        lies = f"it lies on {given['on']}{room} at ({given['x']}, {given['y']})"
        return f"{words.split()[0]} is misplaced: {lies}."
    if key == "receptacle":
        return f"I saw {words.split()[0]} in {given['room']} at ({given['x']}, {given['y']})."
    if key == "done":
        room = "" if given["room"] == "none" else f" in {given['room']}"
        return f"I have put {words.split()[0]} on {given['on']}{room}."
    if key == "failed":
        return f"I could not take {words.partition(':')[0]}."
    if key == "answer":
        said, _, why = words.partition(", ")
        return f"I object: {why}." if said == "no" else "I agree."
    return f"{key}: {words}."


def _task(words: str) -> str:
    args = re.findall(r"<([^<>]*)>", words)
    if words.startswith("Re-place") and len(args) == 3:
        room = f" in the {args[2]}" if args[2] else ""
        return f"I am taking {args[0]} to the {args[1] or 'right place'}{room}."
    if words.startswith("Explore"):
        return f"I am exploring {args[0]}." if args else "I am exploring."
    return "I stop here." if words == "Stop" else "I wait and watch."


class FreeTalk(Talk):
    write = staticmethod(sentences)

    def _saw(self, me: RobotView, survey: Survey, room: str) -> bool:
        """Whether this robot's camera is high enough to have seen what lies on most furniture there."""
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
    task: Subtask
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


def read_task(line: str) -> Subtask | None:
    """A sub-task with its brackets, or in words."""
    head = re.match(r"\W*(explore|re-?place|stop)\b(.*)", line, re.I)
    if head is None:
        return subtask(line)
    args = [a.strip() for a in re.findall(r"<([^<>]*)>", head[2])]
    name = head[1].lower().replace("-", "")
    if name == "stop":
        return Subtask("Stop")
    if name == "explore" and args:
        return Subtask("Explore", (args[0].replace(" ", "_"),))
    if name == "replace" and args and args[0]:
        return Subtask("Re-place", (args[0].replace(" ", "_"), *(a.replace(" ", "") for a in (*args[1:], "", "")[:2])))
    return subtask(line)
