"""Clarification: what is asked because something is missing, may mean several things, or was not understood."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from coterie.core.replies.fields import clean
from coterie.mission.dialogue.conversation import NO_GOAL, NOT_READ, US, Interaction, Question, Said, Thread, single
from coterie.mission.dialogue.effects import Conversation, Effects
from coterie.mission.dialogue.reference import MOST_NAMED
from coterie.mission.language.understand import nearest
from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import KINDS

MOST_SHOWN = 80  # characters of what was not understood
#: Corrections that are named beside an unchanged proposal.
_WISHES = ("things", "number", "somewhere", "correct")


# -- what is missing --------------------------------------------------------------------------------------------------
def incomplete(talk: Conversation, meaning: Meaning, then: Callable[[Meaning], Effects]) -> Interaction | None:
    """The question to ask before acting: how many, where, who. `then` does the whole."""
    if isinstance(meaning, (m.Order, m.Policy)) and any(w.count == 0 for w in meaning.wants):
        return _how_many(talk, meaning, then)
    missing = talk.partner.missing(meaning)
    if missing is None:
        return None
    question, complete = missing
    return single(question, complete, then, pending=meaning)


def _how_many(talk: Conversation, meaning: m.Order | m.Policy, then: Callable[[Meaning], Effects]) -> Interaction:
    """The question for the number meant where a person said zero: nobody orders none of a thing."""
    what = next(talk.wording.some(w.what, 0) for w in meaning.wants if w.count == 0)
    words = f"You said {what}. How many should it be? Say none to leave it."
    question = Question(words, (m.Number, m.Things, m.Nothing, m.Refuse), "one")

    def count(answer: Meaning) -> int | None:
        if isinstance(answer, m.Things):
            return answer.items[0][1] if len(answer.items) == 1 else None
        return answer.count if isinstance(answer, m.Number) else 0

    def done(count: int) -> Effects:
        whole = replace(meaning, wants=tuple(replace(w, count=w.count or count) for w in meaning.wants))
        return then(whole) if count else ["All right; I do nothing."]

    return single(question, count, done)


# -- what is not known, or may be several -----------------------------------------------------------------------------
def unknown(talk: Conversation, thread: Thread, said: Said) -> Effects:
    name, vocabulary = said.meaning.name, talk.partner.vocabulary
    names = vocabulary.names("kit", "item", "room", "table", "door", "robot", "person")
    phrases = {vocabulary.phrase(n): n for n in names}
    near = difflib.get_close_matches(name.lower(), list(phrases), MOST_NAMED // 2)
    shown = list(dict.fromkeys((*near, *phrases)))[:MOST_NAMED]
    there = ", ".join(talk.wording.name(phrases[p]) for p in shown)
    return [f"I know no {clean(name, 40)} here. There are: {there}{' ...' * (len(phrases) > len(shown))}."]


def ambiguous(talk: Conversation, thread: Thread, said: Said) -> Effects:
    """Which one is meant: of the kinds that were spoken of, or of all."""
    words = set(thread.heard.lower().replace("?", " ").replace(".", " ").split())
    kinds = [k for k in KINDS if words & {k, f"{k}s"}] or ["kit", "item"]
    names = [talk.wording.name(n) for n in talk.partner.vocabulary.names(*kinds)]
    more = " ..." * (len(names) > MOST_NAMED)
    return [f"Which one do you mean? Say it with a name: {', '.join(names[:MOST_NAMED])}{more}."]


# -- what was not understood ------------------------------------------------------------------------------------------
def not_understood(talk: Conversation, thread: Thread, found: m.Unclear) -> str:
    said = clean(found.text, MOST_SHOWN) or "that"
    strange = [f"'{clean(w, 30)}'" for w in found.unknown[:3]]
    unknown = " or ".join(filter(None, (", ".join(strange[:-1]), *strange[-1:])))
    unknown = f" I do not know {unknown}." if unknown else ""
    could = _could(talk, found.text)
    asked = " What do you want? Say help for what can be said." if thread.asking is None else ""
    return f"{NOT_READ}'{said}'.{unknown}" + (f" You could say:{could}" if could else asked)


def rephrase(talk: Conversation, thread: Thread, meaning: Meaning) -> Effects:
    """Say how an unlikely reading was taken, and what could be said instead."""
    could = _could(talk, thread.heard)
    more = f"You could say:{could}" if could else ""
    taken = f"I take it for: {talk.wording.sentence(meaning)} I am not sure of that, so I do nothing."
    return [taken, "Please say it in other words.", more]


def _could(talk: Conversation, said: str) -> str:
    """The possible sentences most similar to the one said."""
    return "".join(f"\n  {e}" for e in nearest(said, talk.partner.examples()))


# -- a yes after that -------------------------------------------------------------------------------------------------
def yes_to_what(talk: Conversation, thread: Thread) -> str:
    """The question at a yes to a proposal, where its speaker has said something since that was not understood or
    changed nothing; empty where it is a yes and no more. The question tells the proposal anew: the next yes counts."""
    proposed = talk.partner.proposed(thread.person)
    told = max((i for i, t in enumerate(thread.turns) if t.by == US and proposed in t.text), default=-1)
    turns = thread.turns[told + 1 :] if proposed and told >= 0 else []
    for turn, reply in reversed(list(pairwise(turns))):
        if turn.by != thread.person or reply.by != US:
            continue
        lost = "unclear" in turn.meaning and NOT_READ in reply.text
        if lost or reply.text.startswith(NO_GOAL) or turn.meaning.startswith(_WISHES):
            what = "which I did not understand" if lost else "and that changes nothing of it"
            shown = clean(turn.text, MOST_SHOWN).rstrip(" .!")
            return f"You also said '{shown}', {what}. Do you mean my proposal as it stands? {proposed}"
    return ""


# -- what cannot be done yet ------------------------------------------------------------------------------------------
# What can be understood and not acted on yet: for each such part of a meaning one honest sentence, in `forms.toml`.
def cannot(meaning: Meaning, robots: Sequence[str], can: Collection[str] = ()) -> str:
    """The part of a meaning that cannot be done, for "I cannot"; `can` are kinds of wants that can be had here."""
    inner = meaning.instead if isinstance(meaning, m.Correct) else meaning
    kind, rows = type(inner).__name__, forms()["cannot"]
    for want in getattr(inner, "wants", ()) if isinstance(inner, (m.Order, m.Policy)) else ():
        if want.kind in rows["wants"] and want.kind not in can:
            return str(rows["wants"][want.kind])
    if isinstance(inner, m.Order) and set(inner.without) - set(robots):
        return "leave things out of one order alone; take them out of the kit instead"
    if isinstance(inner, m.Approve) and inner.what and not inner.what.isdigit():
        return "tell which that is; say yes with the plan's number"
    values = [getattr(inner, part, "") for part in ("about", "how", "then")]
    values += [c.kind for c in inner.claims] if isinstance(inner, m.Tell) else []
    parts = [part for part in rows.get(kind, {}) if getattr(inner, part, None) or part in values]
    return str(rows[kind][parts[0]]) if parts else ""


def adapted(meaning: Meaning, robots: Sequence[str]) -> Meaning:
    """A meaning in the terms that can be acted on: robots by name where some are excepted, a danger at a place as that
    place closed, enough of a thing as some that were brought."""
    if isinstance(meaning, (m.Stop, m.Zone, m.Steer)) and meaning.but:
        return replace(meaning, robots=tuple(r for r in robots if r not in meaning.but), but=())
    claims = meaning.claims if isinstance(meaning, m.Tell) else ()
    if len(claims) == 1 and claims[0].kind == m.HAZARD and claims[0].where:
        return m.Zone(claims[0].where, holds=claims[0].holds)
    if len(claims) == 1 and claims[0].kind == m.LOW and claims[0].what and not claims[0].holds:
        return m.Tell((replace(claims[0], kind=m.BROUGHT, holds=True),))
    return meaning
