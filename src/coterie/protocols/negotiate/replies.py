"""Replies to the prompt of a negotiation: whether the robot agrees, and its next sub-task."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from coterie.core.kinds import Misread
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import sections, spoken, took_back
from coterie.protocols.adhoc.adapter.record import Subtask
from coterie.protocols.adhoc.adapter.values import bare, subtask

_HEAD = r"^[\W_]{0,6}(?:(?:\d|[a-z]|[ivx]{1,3})[.)]\s)?(?:my |the |next )?(%s)[\W_]{0,4}?(?::|\]|=)[\s*_`]*(.*)$"
_TASK = re.compile(
    _HEAD % r"sub-?task|task|result|plan|next sub-?task|compito|tarea|tâche|aufgabe|tarefa|задача|任务", re.I | re.M
)
_ANSWER = re.compile(
    _HEAD % r"answer|judge?ment|agreement|reply|risposta|respuesta|réponse|antwort|resposta|ответ|回答", re.I | re.M
)
_OWN = re.compile(
    r"^([\W_]*(?:(?:[0-9]{1,2}|[a-z]|[ivx]{1,3})[.)]\s+|(?:step|part) [0-9]{1,2}\s?[-:.]\s+)?[\W_]*)"
    r"(?:(?:my|the|next) ){0,2}(?:sub-?)?task(?=[\W_]|\Z)",
    re.I | re.M,
)
_UNSURE = re.compile(r"\b(?:or|either|maybe|perhaps|if|unless)\b|\?", re.I)
MOST_WHY = 120


class Planned(NamedTuple):
    task: Subtask
    against: str = ""  # whose plan is objected to
    why: str = ""


def read_plan(reply: str, names: Sequence[str]) -> Planned | Misread:
    text = spoken(_headed(reply))
    text = "\n".join([text, *(f"{k}: {v}" for b in blocks(text) for k, v in _entries(b))])
    lines = [bare(line) if "<" not in line else line.strip(" \"'`,") for _, line in _TASK.findall(text)]
    if not lines:  # under headings of other shapes
        lines = [body.lstrip("=-\n").split("\n")[0] for name, body in sections(text) if name == "subtask" and body]
    if len(set(lines)) > 1 and took_back(text) is None:
        return Misread("it gives several tasks and settles on none")
    if lines and _UNSURE.search(lines[-1]):
        return Misread("it gives several tasks, or none for sure")
    task = read_task(lines[-1]) if lines else None
    if task is None:
        return Misread("it has no line `Task: ...` with Explore, Re-place or Stop")
    answers = _ANSWER.findall(text)
    said = answers[-1][1] if answers else ""
    found = re.match(r"(?:i )?(?:object|disagree)\w*(?: to| with)?\W+(\w+)\W*(.*)", said, re.I)
    name = next((n for n in names if found and n.lower() == found[1].lower()), "")
    return Planned(task, name, bare(found[2])[:MOST_WHY] if found and name else "")


def _headed(reply: str) -> str:
    """A reply in which `Task` is a heading that all readers know, and an answer between tags is no whole answer."""
    if re.search(r"<(?:sub-?)?task>", reply, re.I):
        reply = re.sub(r"\s*<(answer|(?:sub-?)?task)>\s*(.*?)\s*</\1>", r"\n\1: \2", reply, flags=re.I | re.S)
    reply = re.sub(r"(?<=\S)[ \t]+(?:\|[ \t]+)?(?=(?:Answer|Task|Subtask): )", "\n", reply)  # within a line
    return _OWN.sub(r"\1Subtask", reply)


def _entries(block: Any) -> list[tuple[str, Any]]:
    """The keys and values of JSON, also of what stands alone in a list or within its answer."""
    if isinstance(block, list):
        return _entries(block[0]) if len(block) == 1 else []
    if not isinstance(block, dict):
        return []
    return [pair for k, v in block.items() for pair in (_entries(v) if isinstance(v, dict) else [(k, v)])]


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
