"""Answers while the mission thinks: nobody waits for a plan that another person wants.

Questions that can be looked up, or reckoned from the plan there is, are answered beside the mission (`quick`), from
what stands at that moment, and change nothing at all. All else is told that it was heard (`noticed`). The mission hears
the same words when it has thought, in their order, so that everything comes out as it would have without this.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.mission.dialogue.clarification import cannot
from coterie.mission.dialogue.conversation import Thread
from coterie.mission.dialogue.effects import taken_for
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.table import greeting
from coterie.mission.dialogue.utterance import Certainty, heard
from coterie.talk import meanings as m
from coterie.talk.marks import unheard

#: Questions that are looked up; all else would be planned, or belongs to the thread of talk.
LOOKED_UP = frozenset({
    "plan", "doing", "why", "why that", "who can", "ability", "history", "where", "how many", "is it so", "contents",
    "taught", "who may", "goals", "who", "help", "progress", "rights", "changed", "which", "who stopped",
    "who said", "reaction", "under way", "took", "delivered",
})  # fmt: skip
#: Questions that are computed from a plan, once there is one.
RECKONED = frozenset({"chance", "duration"})
MOST_SHOWN = 80  # characters of what was heard


class Asked(NamedTuple):
    """The questions of an utterance; `lead` says for what other words were taken."""

    questions: list[m.Ask]
    lead: str = ""


def asked(mission: Mission, person: str, text: str) -> Asked:
    """The questions of an utterance that has nothing else in it and points at nothing; none otherwise."""
    if mission.dialogue.threads.of(person).asking is not None:
        return Asked([])
    said = heard(text, mission.partner.vocabulary)
    asks = [x for x in said.meanings if isinstance(x, m.Ask)]
    of_last = any(x.about in ("can", "who can") and not x.skill and not x.wants for x in asks)  # what was ordered last
    if len(asks) != len(said.meanings) or of_last or any("@" in str(x) or cannot(x, ()) for x in asks):
        return Asked([])
    return Asked(asks, taken_for(mission.dialogue.wording, asks[0]) if said.certainty < Certainty.PLAIN else "")


def quick(mission: Mission, person: str, text: str) -> str | None:
    """The answer to a greeting or to a question that needs no plan; None where things change just now, too."""
    said = asked(mission, person, text)
    if said.questions:
        return _answered(mission, person, said) if all(_at_hand(mission, x) for x in said.questions) else None
    if mission.dialogue.threads.of(person).asking is not None:
        return None
    found = heard(text, mission.partner.vocabulary).meanings
    return greeting(person, found[0]) if len(found) == 1 and isinstance(found[0], m.Greet) else None


def _answered(mission: Mission, person: str, said: Asked) -> str | None:
    beside = Thread(person, seen=mission.dialogue.threads.of(person).seen)  # the thread itself stays as it is
    try:
        before = _mark(mission)
        words = "\n".join(mission.partner.beside.of(beside, x) for x in said.questions)
        return said.lead + words if _mark(mission) == before else None  # else half of it may be old
    except (CoterieError, RuntimeError, KeyError, IndexError):  # what was looked at has changed meanwhile
        return None


def _mark(mission: Mission) -> Any:
    """How much is known, wanted and planned: what is answered is from one such moment."""
    agenda = mission.agenda
    wanted = tuple((g.id, g.state) for g in mission.goals.all())
    return len(mission.knowledge.changes), mission.trials.number, agenda.made, len(agenda.past), wanted


def _at_hand(mission: Mission, x: m.Ask) -> bool:
    if x.about in LOOKED_UP or (x.about == "can" and not x.wants) or (x.about == "why not" and not x.wants):
        return True
    ordered = not x.what or bool(mission.ordered(x.what))
    return x.about in RECKONED and ordered and not _unplanned(mission, x)


def _unplanned(mission: Mission, x: m.Ask) -> bool:
    """True if a question is about a plan that is still sought."""
    answers = mission.partner.answers
    return any(not answers.steps_of([g]) for g in mission.ordered(x.what))


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
