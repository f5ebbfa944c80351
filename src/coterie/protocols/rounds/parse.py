"""Plans in words, read into actions. Replies are data: whatever a model writes ends as a plan or as a sentence.

    EXECUTE
    NAME Alice ACTION PICK apple PLACE bin PATH [(0.1, 0.2, 0.4), ...]
    NAME Bob ACTION WAIT

What only the world can judge (who holds what, whether paths are equally long) is left to its check.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from coterie.core.action import WAIT, Action
from coterie.core.replies.action import by_name
from coterie.core.replies.sections import spoken
from coterie.core.skill import Skill
from coterie.protocols.rounds.scene import Point, Scene, form
from coterie.worlds.tabletop.skills import VERBS, keywords, spelt, unknown

EXECUTE = "EXECUTE"
MOST_CHARS = 6000  # of a reply that are looked at
MOST_POINTS = 64  # of a path
MOST_NAMED = 60  # characters of a name that are repeated
_FILLER = {"on", "onto", "in", "into", "at", "to", "the", "a"}
_JOINED = {name: keywords(skill) for name, skill in VERBS.items() if len(keywords(skill)) > 1}
_LINE = re.compile(r"^[\s>*`#.\d-]*NAME\b[\s:]*(?P<rest>.*)$")
_POINT = re.compile(r"\(([^()]{0,200})\)")


@dataclass(frozen=True)
class Plan:
    """The actions of all robots in a round."""

    joint: Mapping[str, Action]

    def text(self) -> str:
        return "\n".join(f"NAME {r} ACTION {written(a)}" for r, a in self.joint.items())


class Misread(NamedTuple):
    """Why a reply is no plan, and what of it can be shown again."""

    reason: str
    shown: str


def tidy(reply: str, most: int = MOST_CHARS) -> str:
    """A reply without control characters and overlong runs; lines stay lines."""
    lines: list[str] = []
    for line in spoken(reply, most).splitlines():
        flat = "".join(c if c.isprintable() else " " for c in line).strip()
        if flat or (lines and lines[-1]):
            lines.append(flat)
    return "\n".join(lines).strip()


def says(word: str, text: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None


def read_plan(reply: str, scene: Scene) -> Plan | Misread:
    """The plan in a reply, or what is wrong with it."""
    text = _aloud(tidy(reply))
    shown = text[-400:]
    if not text:
        return Misread("the reply was empty", "")
    if not says(EXECUTE, text):
        return Misread(f"the keyword {EXECUTE} is missing", shown)
    lines = _lines(text, scene.robots)
    shown = "\n".join(lines)[:1200] or shown
    found: dict[str, list[Action]] = {}
    for line in lines:
        got = _line(line, scene)
        if isinstance(got, str):
            return Misread(got, shown)
        found.setdefault(got[0], []).append(got[1])
    if not found:
        return Misread(f"the keyword NAME is missing after {EXECUTE}", shown)
    missing = [r for r in scene.robots if r not in found]
    if missing:
        return Misread(f"no line for {', '.join(missing)}; write exactly one line per agent", shown)
    twice = next((r for r, actions in found.items() if len(actions) > 1), None)
    if twice:
        return Misread(f"{twice} has {len(found[twice])} lines; write exactly one line per agent", shown)
    return Plan({r: found[r][0] for r in scene.robots})


def _aloud(text: str) -> str:
    """Keywords in capitals where they stand alone or begin a line, however they are written."""
    text = re.sub(r"^(\W*)execute(\W*)$", rf"\1{EXECUTE}\2", text, flags=re.I | re.M)
    return re.sub(r"^(\W*)name\b(\W+\w+\W+)action\b", r"\1NAME\2ACTION", text, flags=re.I | re.M)


def _lines(text: str, robots: Iterable[str]) -> list[str]:
    """The lines after the last EXECUTE that is followed by any; a PATH may stand on a line of its own. Where nobody is
    called by the keyword, those that begin with a robot's name, or its entry in JSON."""
    parts = re.split(rf"\b{EXECUTE}\b", text)[1:]
    part = next((p for p in reversed(parts) if re.search(r"\b(NAME|ACTION)\b", p)), "")
    part = re.sub(r"(?<=\S)[ \t]+(?=NAME[ \t]+\w+[ \t]+ACTION\b)", "\n", part)
    tabled = re.search(r"^[ \t]*[|{\[]", part, re.M)  # by columns or keys
    listed = by_name(parts[-1].lstrip('": \n'), robots) if parts and tabled else {}
    if parts and (not part or set(listed) >= set(robots)):
        return [f"NAME {name} ACTION {what}" for name, what in by_name(parts[-1].lstrip('": \n'), robots).items()]
    lines: list[str] = []
    for line in part.splitlines():
        bare = line.strip(" \t*`>-")
        if lines and re.match(r"PATH\b", bare):
            lines[-1] += f" {bare}"
        elif re.search(r"\b(NAME|ACTION)\b", bare):
            lines.append(bare)
    return lines


def _line(line: str, scene: Scene) -> tuple[str, Action] | str:
    match = _LINE.match(line)
    if match is None:
        return f"the keyword NAME is missing in '{line[:MOST_NAMED]}'"
    head, word, rest = match["rest"].partition("ACTION")
    name = re.sub(r"[^\w-]", "", head)[:MOST_NAMED]
    if not word:
        return f"the keyword ACTION is missing in the line of {name or 'an agent'}"
    if name not in scene.robots:
        return f"there is no agent {name or 'without a name'}; the agents are {', '.join(scene.robots)}"
    said, word, way = rest.partition("PATH")
    action = _action(name, said, scene)
    if isinstance(action, str):
        return f"{name}: {action}"
    if not scene.paths or (action.skill == WAIT and not word):
        return name, action
    if not word:
        return f"{name}: the keyword PATH is missing"
    path = read_path(way)
    return f"{name}: {path}" if isinstance(path, str) else (name, action._replace(path=path))


def _action(robot: str, said: str, scene: Scene) -> Action | str:
    """`PICK o PLACE t`, `PUT o t`, `WAIT`..."""
    words = [w for w in re.findall(r"[\w-]+", said) if w.lower() not in _FILLER]
    verbs = scene.verbs(robot)
    can = "; ".join(form(v) for v in verbs)
    if not words:
        return f"no action is given; write one of: {can}"
    verb, names = words[0].lower(), words[1:]
    for whole, (first, *others) in _JOINED.items():  # actions of several keywords
        inner = [i for i, w in enumerate(names) if w.upper() in others]
        if verb == first.lower() and inner:
            verb, names = whole, [w for i, w in enumerate(names) if i not in inner]
    if verb == WAIT:
        names = []
    if verb not in verbs:
        torn = next((v for v, words in _JOINED.items() if v in verbs and verb.upper() in words), None)
        if torn is not None:
            return f"{' and '.join(_JOINED[torn])} must come together, as {form(torn)}"
        return f"{unknown(words[0][:MOST_NAMED])}; {robot} can: {can}"
    params = VERBS[verb].params
    if len(names) != len(params):
        return f"'{' '.join(words)[:MOST_NAMED]}' does not fit; write {form(verb)}"
    return _names(robot, verb, names, scene) or Action(verb, tuple(names))


def _names(robot: str, verb: str, names: Sequence[str], scene: Scene) -> str:
    if names and names[0] not in scene.things:
        return f"unknown object {names[0][:MOST_NAMED]}; there are {', '.join(scene.things)}"
    targets = scene.targets(robot, verb)
    if len(names) > 1 and targets and names[1] not in targets:
        return f"unknown target {names[1][:MOST_NAMED]}; there are {', '.join(targets)}"
    return ""


def read_path(text: str) -> tuple[Point, ...] | str:
    """`[(x, y, z), ...]` as points, or what is wrong with it."""
    found = _POINT.findall(text)
    if not found:
        return "the PATH has no points; write it as [(x, y, z), (x, y, z), ...]"
    if len(found) > MOST_POINTS:
        return f"a PATH of {len(found)} points is too long; give 4"
    points = []
    for k, inner in enumerate(found, 1):
        values = [_number(v) for v in inner.split(",")]
        if len(values) != 3 or not all(v is not None and math.isfinite(v) and abs(v) < 100 for v in values):
            return f"point {k} of the PATH is not three finite numbers in metres"
        points.append(tuple(v for v in values if v is not None))
    return tuple(points)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def written(action: Action) -> str:
    """An action as a planner writes it."""
    skill = VERBS.find(action.skill) or Skill(action.skill, ())
    return spelt(skill, action.args) + (f" PATH {way(action.path)}" if action.path else "")


def way(path: Sequence[Point]) -> str:
    return "[" + ", ".join("(" + ", ".join(f"{v:.2f}" for v in p) + ")" for p in path) + "]"
