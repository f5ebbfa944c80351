"""Utterances of each person become meanings, are done or answered, and nothing else happens.

This knows no mission: whom it speaks for is a `Partner`, which does and answers what was meant. So missions with plans,
and teams of other minds, are talked with in the same way. What a meaning does is in `table.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.mission.dialogue.clarification import not_understood
from coterie.mission.dialogue.conversation import CHANGES, US, Said, Thread, Threads
from coterie.mission.dialogue.counterpart import Partner
from coterie.mission.dialogue.effects import Conversation, State, confirm_all
from coterie.mission.dialogue.listening import Certainty, Named, Utterance, heard, named_speaker
from coterie.mission.dialogue.table import TABLE, needs_yes, one_answer
from coterie.mission.journal import Journal
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.writing import brief

COURTESY = (m.Approve, m.Greet)
MOST_CHARS = 2000  # of an utterance, in the journal


def conversation(partner: Partner, journal: Journal, say: Callable[[str, str], None]) -> Conversation:
    """The conversation of a team, whose turns a journal keeps."""
    return Conversation(partner, Threads(journal), say, TABLE)


def hear(talk: Conversation, person: str, text: str) -> list[Meaning | m.Unclear]:
    """One utterance; what it was taken to mean. Whatever cannot be done is said, and ends nothing."""
    try:
        return _hear(talk, person, text)
    except CoterieError as err:
        _answer(talk, talk.threads.of(person), [str(err)])
        return [m.Unclear(text)]


def _hear(talk: Conversation, person: str, text: str) -> list[Meaning | m.Unclear]:
    thread, partner = talk.threads.of(person), talk.partner
    other = named_speaker(text, partner.people())
    if other is not None and other.known and other.person != person:
        return _for_somebody(talk, thread, text, other)
    text = other.words if other is not None and other.known else text
    said = _showing(thread, text, partner.vocabulary) or heard(text, partner.vocabulary)
    said = replace(said, meanings=tuple(_named(thread, x) for x in _unreleased(said)))
    _note(talk, thread, said)
    proposed = partner.proposed(person) if said.early and thread.asking is None else ""
    if proposed and any(isinstance(x, (m.Approve, m.Refuse)) for x in said.meanings):
        _answer(talk, thread, [f"You said that before I could tell you what I propose. {proposed}"])
        return list(said.meanings)
    meant, owed = _yes_alone(thread, said)
    replies = _taken(talk, thread, said, meant)
    if said.unclear:
        replies.append(not_understood(talk, thread, max(said.unclear, key=lambda x: len(x.text))))
    replies.append(_asked_again(talk, thread) if owed else "")
    _answer(talk, thread, replies)
    return list(said.meanings)


def _showing(thread: Thread, text: str, vocabulary: Vocabulary) -> Utterance | None:
    """ "This is a torch", where the person is asked to show one: its name means nothing else yet."""
    if m.Show not in thread.question.forms or not thread.question.place_of:
        return None
    named = copy.deepcopy(vocabulary)
    named.add("item", thread.question.place_of)
    said = heard(text, named)
    return said if said.meanings and all(isinstance(x, m.Show) for x in said.meanings) else None


def _note(talk: Conversation, thread: Thread, said: Utterance) -> None:
    """An utterance and what it meant are part of the thread."""
    perhaps = "perhaps " * (said.certainty < Certainty.SURE)
    words = perhaps + "; ".join(brief(x) for x in said.meanings)
    talk.threads.said(thread.person, US, clean(said.said, MOST_CHARS), words)
    if [getattr(x, "about", "") for x in said.meanings] != ["understood"]:
        thread.meanings, thread.unread = tuple(said.meant), said.unclear[0].text if said.unclear else ""


def _taken(talk: Conversation, thread: Thread, said: Utterance, meant: list[Meaning]) -> list[str]:
    """Replies to each meaning; several that wait for a yes wait for one."""
    rows = [Said(x, said.of(x), said.missing) for x in one_answer(talk, thread, meant)]
    waiting = [x.meaning for x in rows if isinstance(x.meaning, CHANGES) and needs_yes(x)]
    if len(waiting) < 2 or said.certainty == Certainty.UNLIKELY:
        return [talk.take(thread, x) for x in rows]
    rest = [talk.take(thread, x) for x in rows if x.meaning not in waiting]
    try:
        asked = confirm_all(talk.wording, [talk.resolved(thread, x) for x in waiting], said.missing)
        return [*rest, talk.perform(thread, [asked])]
    except CoterieError as err:
        return [*rest, str(err)]


def _named(thread: Thread, found: Meaning | m.Unclear) -> Meaning | m.Unclear:
    """A word that nobody knows names a thing where one is asked for, and nothing elsewhere."""
    listed = m.Things in thread.question.forms
    if listed and isinstance(found, m.Unknown):
        return m.Things(((found.name, 1),), (found.name,))
    if listed or not isinstance(found, m.Things) or not found.unknown or len(found.items) > len(found.unknown):
        return found
    return m.Unclear(" ".join(found.unknown), found.unknown)


def _for_somebody(talk: Conversation, thread: Thread, text: str, said: Named) -> list[Meaning | m.Unclear]:
    """Words under another person's name count for nobody: neither has said them. A stop counts from anybody."""
    found = heard(said.words, talk.partner.vocabulary)
    _note(talk, thread, replace(found, said=text))
    if (stop := next((x for x in found.meant if isinstance(x, m.Stop)), None)) is not None:
        _answer(talk, thread, [talk.take(thread, Said(stop))])
        return [stop]
    may = f"You are {thread.person} here, and nobody speaks for {said.person} but {said.person}, so I do nothing."
    _answer(talk, thread, [f"{may} Say it without the name if you want it yourself."])
    return [m.Unclear(text)]


def _answer(talk: Conversation, thread: Thread, replies: list[str]) -> None:
    """All replies as one, with what is still asked at the end."""
    still = thread.question.words
    asked = "" if any(still in r for r in replies) else still
    if words := "\n".join(dict.fromkeys(r for r in (*replies, asked) if r)):
        talk.say(thread.person, words)


def _yes_alone(thread: Thread, said: Utterance) -> tuple[list[Meaning], bool]:
    """A yes counts by itself, or with courtesy: beside anything else it is none, and the rest stands. In a lesson a
    yes only leads an answer in. Whether what it was said to is asked again comes with it."""
    meant = said.meant
    yes = list(dict.fromkeys(x for x in meant if isinstance(x, m.Approve)))
    if not yes or len(said.meanings) == 1:
        return meant, False
    rest = [x for x in meant if not isinstance(x, COURTESY)]
    if not rest and len(yes) == 1 and not said.unclear:
        return [yes[0], *(x for x in meant if isinstance(x, m.Greet))], False
    asking = thread.asking
    ends = any(isinstance(x, (m.Refuse, m.Stop, m.Steer, m.Forget)) for x in rest)
    if asking is not None and asking.passing is None and asking.fits(yes[0]) and not ends:
        return meant, False
    return [x for x in rest if not isinstance(x, m.Refuse)], True


def _asked_again(talk: Conversation, thread: Thread) -> str:
    """The question that a yes with more words may have been said to, if it is still open."""
    proposed = talk.partner.proposed(thread.person) if thread.asking is None else ""
    if not proposed and talk.state_of(thread) != State.CONFIRMING:
        return ""
    return f"I have not taken that for a yes, since you said more. Say yes or no by itself.\n{proposed}".rstrip()


def _unreleased(said: Utterance) -> list[Meaning | m.Unclear]:
    """The meanings without a continue that a stop or a wait for all follows: nothing is let go in between."""
    rows = list(enumerate(said.meanings))
    held = max((i for i, x in rows if (isinstance(x, m.Stop) or m.only_waits(x)) and not x.robots), default=0)
    return [x for i, x in rows if i >= held or not isinstance(x, m.Steer) or x.how != "resume"]
