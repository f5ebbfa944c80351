"""Answers while the mission thinks: nobody waits for a plan that another person wants.

Questions that can be looked up are answered beside the mission (`quick`), from what stands at that moment, and change
nothing. All else is told that it was heard (`noticed`). The mission hears the same words when it has thought.
"""

from __future__ import annotations

from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.mission.dialogue.clarification import MOST_SHOWN, cannot
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.effects import taken_for
from coterie.mission.dialogue.listening import Certainty, heard
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.table import greeting
from coterie.talk import meanings as m
from coterie.talk.marks import unheard

#: Questions that are looked up. For others plans would be made, or they belong to the thread of talk.
LOOKED_UP = frozenset({
    "plan", "doing", "why", "why that", "who can", "ability", "history", "where", "how many", "is it so", "contents",
    "taught", "who may", "goals", "who", "help", "progress", "rights", "changed", "which", "who stopped",
    "who said", "reaction", "under way", "took", "delivered",
})  # fmt: skip
#: Questions that are computed from a plan, once there is one.
RECKONED = frozenset({"chance", "duration"})


def quick(mission: Mission, person: str, text: str) -> str | None:
    """The answer to a greeting or to a question that needs no plan; None where things change just now, too."""
    said, thread = heard(text, mission.partner.vocabulary), mission.dialogue.threads.of(person)
    if thread.asking is not None:
        return None
    if len(said.meanings) == 1 and isinstance(said.meanings[0], m.Greet):
        return greeting(person, said.meanings[0])
    asks = [x for x in said.meanings if isinstance(x, m.Ask) and _at_hand(mission, x)]
    if not asks or len(asks) != len(said.meanings):  # what else was said may change the answer
        return None
    lead = taken_for(mission.dialogue.wording, asks[0]) if said.certainty < Certainty.PLAIN else ""
    beside = Thread(person, seen=thread.seen)  # the thread itself stays as it is
    try:
        before = _mark(mission)
        words = "\n".join(mission.partner.beside.of(beside, x) for x in asks)
        return lead + words if _mark(mission) == before else None  # else half of it may be old
    except (CoterieError, RuntimeError, KeyError, IndexError):  # what was looked at has changed meanwhile
        return None


def _mark(mission: Mission) -> Any:
    """How much is known, wanted and planned: what is answered is from one such moment."""
    agenda = mission.agenda
    wanted = tuple((g.id, g.state) for g in mission.goals.all())
    return len(mission.knowledge.changes), mission.trials.number, agenda.made, len(agenda.past), wanted


def _at_hand(mission: Mission, x: m.Ask) -> bool:
    """True if the answer can be looked up: it points at nothing, and is about no plan that is still sought."""
    of_last = x.about in ("can", "who can") and not x.skill and not x.wants  # what was ordered last
    if of_last or "@" in str(x) or cannot(x, ()):
        return False
    if x.about in LOOKED_UP or (x.about in ("can", "why not") and not x.wants):
        return True
    goals = mission.ordered(x.what)
    planned = all(mission.partner.answers.steps_of([g]) for g in goals)
    return x.about in RECKONED and planned and bool(goals or not x.what)


# -- what is heard and has to wait ------------------------------------------------------------------------------------
def noticed(mission: Mission, person: str, text: str) -> str:
    """The immediate reply to a person whose words have to wait."""
    found = heard(text, mission.partner.vocabulary).meanings
    wanted = [mission.name_of(g) for g in mission.ordered(states=("submitted", "recovering"))]
    busy = f"I am looking for a plan{f' for {wanted[0]}' if wanted else ''}"
    if any(isinstance(x, m.Stop) for x in found):
        return "I have heard the stop: no robot begins anything before I have stopped."
    if found and all(isinstance(x, m.Ask) for x in found):
        return f"{busy}; then I answer you."
    said = clean(unheard(text), MOST_SHOWN).rstrip(" .!")
    if any(isinstance(x, m.Steer) and x.how in ("cancel", "pause") for x in found):
        return f"I have heard you: '{said}'. No robot begins anything before I have seen to it."
    return f"I have heard you: '{said}'. {busy}, and see to it then."
