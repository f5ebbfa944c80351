"""Replies in many formats, each written before the readers were tried on it: read as meant or asked for again.

Prompts ask for lines with headings; readers also take Markdown, fenced or bare JSON and tool calls, and ask again for
all else (other tongues, LaTeX, tables, corrections within an answer). Of these 2,478 replies, odd ones by design, 1,692
are read as meant at once. What is done (an action, a vote, a shift) is never read as something else; of free words some
have more in them than was meant.

A table is a text file. `@@ stage name meant` begins a reply; what is meant is JSON, null where the reply settles on
nothing and must be asked for again. Stages whose answer is free text say which words it has and which it lacks.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from coterie.core.action import Action
from coterie.core.kinds import Misread
from coterie.protocols.adhoc.irot import answers
from coterie.protocols.adhoc.rivals.prompted import next_subtask, scored
from coterie.protocols.adhoc.subtasks import Phrase
from coterie.protocols.coela import LETTERS, _read_choice, _read_draft
from coterie.protocols.coherent import Coherent
from coterie.protocols.dynahmrc.stages import _read as read_proposal
from coterie.protocols.dynahmrc.stages import _read_report, read_introduction
from coterie.protocols.negotiate.talk import read_plan as read_task
from coterie.protocols.rounds.hmas2 import words_against
from coterie.protocols.rounds.parse import Plan, read_plan
from coterie.protocols.shared.replies import PlanReader, one_of, shift
from coterie.worlds import entry_of
from tests.protocols.rounds.helpers import scene

HERE = Path(__file__).parent
TABLES = ("first.txt", "second.txt", "third.txt", "fourth.txt", "fifth.txt", "sixth.txt", "seventh.txt", "eighth.txt")
LANGUAGE = entry_of("pack-objects").language
TEAM = ["Alice", "Bob", "Lucy"]
SCENE = scene(panels=tuple(f"panel{n}" for n in range(1, 8)))
OPTIONS = [Action("pick", ("cup_0",)), Action("open", ("fridge",)), Action("wait")]
GIVEN = [Phrase("Explore", ("room_2",)), Phrase("Re-place", ("mug_0", "CounterTop", "Kitchen")), Phrase("Stop")]


class Case(NamedTuple):
    stage: str
    name: str
    meant: object
    reply: str


def cases(table: str) -> Iterator[Case]:
    text = (HERE / table).read_text(encoding="utf-8")
    for head, reply in re.findall(r"^@@ (.*)\n((?:(?!@@ ).*\n)*)", text, re.M):
        stage, name, meant = head.split(" ", 2)
        yield Case(stage, name, json.loads(meant), reply.strip("\n"))


def action(found: object) -> object:
    """An action as it stands in the table."""
    if not isinstance(found, Action):
        return None
    return [found.skill, *(list(a) if isinstance(a, tuple) else _one_line(a) for a in found.args)]


def _one_line(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value


def team(reply: str) -> object:
    return {n: action(Coherent()._read(reply, ["Alice", "Bob"], LANGUAGE)[0].get(n)) for n in ("Alice", "Bob")}


def option(reply: str) -> object:
    found = _read_choice(reply, OPTIONS, LANGUAGE)
    return None if isinstance(found, Misread) else LETTERS[[o[:2] for o in OPTIONS].index(found[:2])]


def phrases(found: object) -> object:
    if isinstance(found, Phrase):
        return " ".join((found.name, *found.args))
    return [phrases(f) for f in found] if isinstance(found, list) else None


def joint(found: object) -> object:
    return {n: action(a) for n, a in found.joint.items()} if isinstance(found, Plan) else None


def scores(found: object) -> object:
    return found if isinstance(found, Misread) else {phrases(p): score for p, score in found}


def negotiated(found: object) -> object:
    if isinstance(found, Misread):
        return None
    against = f" against {found.against}" if found.against else ""
    return " ".join((found.task.name, *found.task.args)) + against


def settled(found: object) -> object:
    return None if isinstance(found, Misread) or (not found and found not in (False, [])) else found


READ: dict[str, Callable[[str], object]] = {
    "action": lambda r: action(LANGUAGE.read(r, ["Bob", "Lucy"])),
    "vote": lambda r: one_of(r, "leader", TEAM),
    "referee": lambda r: one_of(r, "leader", TEAM),
    "plan": lambda r: PlanReader(TEAM)(r),
    "proposal": lambda r: read_proposal(r, PlanReader(TEAM)),
    "report": _read_report,
    "intro": read_introduction,
    "shift": lambda r: list(shift(r) or ()) or None,
    "team": team,
    "option": option,
    "draft": _read_draft,
    "candidates": lambda r: phrases(answers.candidates(r, free=False)),
    "ranking": lambda r: phrases(answers.ranking(r, GIVEN, False)),
    "judgement": answers.judgement,
    "subskill": lambda r: phrases(answers.subskill(r)),
    "round": lambda r: joint(read_plan(r, SCENE)),
    "ballot": lambda r: words_against(r) or True,
    "next": lambda r: phrases(next_subtask(r)),
    "scores": lambda r: scores(scored(r)),
    "task": lambda r: negotiated(read_task(r, TEAM)),
    "misplaced": lambda r: answers.misplaced(r, ["mug_0", "plate_1"]),
}


def verdict(case: Case) -> tuple[str, object]:
    """`as meant`, `asked again` or `wrong`, and what was read."""
    found = settled(READ[case.stage](case.reply))
    meant = case.meant
    if isinstance(meant, dict) and isinstance(found, dict):
        if meant == found:
            return "as meant", found
        return ("asked again" if all(found[n] in (None, m) for n, m in meant.items()) else "wrong"), found
    if found is None or meant is None:
        return ("as meant" if found is meant else "asked again" if found is None else "wrong"), found
    if not isinstance(meant, dict):
        return ("as meant" if found == meant else "wrong"), found
    said, speech = found if case.stage == "proposal" else (found, "")
    said, speech = " ".join(str(said).split()), str(speech)
    good = all(w in said for w in meant["has"]) and not any(w in said for w in meant["lacks"])
    return ("as meant" if good and meant.get("speech", "") in speech else "wrong"), found


WORDS = ("plan", "proposal", "report", "intro", "draft", "candidates")  # whose answers are texts and lists


@pytest.mark.parametrize("stage", READ)
def test_read_as_meant_or_asked_again(stage):
    tried = [(c, *verdict(c)) for table in TABLES for c in cases(table) if c.stage == stage]
    assert len(tried) >= 10
    wrong = [(c, found) for c, how, found in tried if how == "wrong"]
    missed = [c for c, how, _ in tried if how == "asked again"]
    most = 0.2 * len(tried) if stage in WORDS else 0
    assert len(wrong) <= most, "\n\n".join(f"{c.name}: {c.reply}\n>> {found}" for c, found in wrong)
    assert len(missed) <= 0.55 * len(tried), "\n\n".join(f"{c.name}: {c.reply}" for c in missed)
