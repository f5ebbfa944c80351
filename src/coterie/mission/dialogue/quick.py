"""Answers while the mission thinks: questions that only look something up need not wait for a plan to be found.

They are read and answered beside the mission, from what stands at that moment, and change nothing at all. The mission
hears the same words when it has thought, in their order, so that everything comes out as it would have without this.
"""

from __future__ import annotations

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.manager import unheard
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.thread import Thread
from coterie.mission.language import meanings as m
from coterie.mission.language.understand import understand

#: What is looked up; all else would be planned, or belongs to the thread of talk.
LOOKED_UP = frozenset({
    "plan", "doing", "why", "why that", "who can", "ability", "history", "where", "how many", "is it so", "contents",
    "taught", "who may", "goals", "who", "help",
})  # fmt: skip


def quick(mission: Mission, person: str, text: str) -> str | None:
    """The answer to a question that can be looked up; None for everything else, and where things change just now."""
    partner = mission.partner
    read = understand(unheard(text), partner.vocabulary, ())
    asked = [x for x in read if isinstance(x, m.Ask) and x.about in LOOKED_UP]
    if not read or len(asked) != len(read) or any("@" in str(x) for x in asked):
        return None
    if mission.dialogue.threads.of(person).asking is not None:
        return None
    beside = Thread(person)  # the thread itself stays as it is
    try:
        with partner.answers.looking():
            return "\n".join(partner.answers.of(beside, x) for x in asked)
    except (CoterieError, RuntimeError, KeyError):  # what was looked at has changed meanwhile
        return None
