"""The text oracle's answers to the prompt of a negotiation: it reads the lines of the situation, and nothing else."""

from __future__ import annotations

import re

from coterie.protocols.dynahmrc.oracle import answers
from coterie.protocols.negotiate.rule import candidates, homed, obeys, objection, replacing
from coterie.protocols.negotiate.situation import read
from coterie.protocols.shared.templates import Page


def answer(page: Page) -> str:
    """The reply to a prompt of `negotiate`."""
    s = homed(read(page["situation"]), page["situation"])
    if against := page["objections"]:
        return _reply("Others object, so I do something else.", "agree", candidates(obeys(s, against))[0])
    mate, why = objection(s)
    if not mate:
        return _reply("The plans of the others fit.", "agree", candidates(s)[0])
    nearer = re.match(r"I am nearer to (\w+)", why)
    thing = next((t for t in s.astray if nearer is not None and t.name == nearer[1]), None)
    task = replacing(thing) if thing is not None else candidates(s)[0]
    return _reply("One of the plans does not fit.", f"object {mate}: {why}", task)


def _reply(analysis: str, said: str, task: str) -> str:
    return f"Analysis: {analysis}\nAnswer: {said}\nTask: {task}"


answers["negotiate/plan"] = answer
