"""Introductions of robots in every protocol, and the facts that travel with their words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from coterie.core.bounds import clean
from coterie.core.card import MOST_ABOUT
from coterie.core.facts import UNKNOWN, Fact
from coterie.protocols.shared import sentences
from coterie.protocols.shared.reading import Reading


def introduction(r: Reading) -> tuple[str, list[Fact]]:
    facts = [Fact("card", (r.name,), r.card, r.me.time, r.name)]
    if not r.card.moves:
        facts.append(Fact("pose", (r.name,), r.pose, r.me.time, r.name))
    text = f"I am {r.name}, {clean(r.card.about, MOST_ABOUT)}."
    if r.at is not None:  # what I see from where I begin
        for fact in r.belief.facts():
            if fact.pred in ("contents", "spot", "mass") and fact.source == r.name:
                facts.append(fact)
        text += f" At {r.at} I see {', '.join(r.contents(r.at)) or 'nothing'}."
    return text, facts


def body_in_words(r: Reading) -> str:
    """The body in words, for a radio that carries no facts: which it is, and where the foot of an arm stands."""
    foot = f" {sentences.FOOT.say(*r.pose[:2])}" if not r.card.moves else ""
    return f" {sentences.BODY.say(r.card.body)}{foot}"


def greet(r: Reading, newcomers: Iterable[str], more: Iterable[Fact] = (), words: str = "", share: bool = True) -> None:
    """Say to those who have just come who I am: nobody else does."""
    facts = [Fact("card", (r.name,), r.card, r.me.time, r.name)] if share else []
    if share and not r.card.moves:
        facts.append(Fact("pose", (r.name,), r.pose, r.me.time, r.name))
    r.me.say(
        f"I am {r.name}, {clean(r.card.about, MOST_ABOUT)}.{words}", to=tuple(sorted(newcomers)), facts=[*facts, *more]
    )


def named_facts(r: Reading, text: str) -> list[Fact]:
    """The speaker's facts about the things and places it names, which travel with its words."""
    named = set(re.findall(r"[\w@-]+", text))
    facts = []
    for fact in r.belief.facts():
        if fact.value is UNKNOWN or fact.pred not in ("where", "spot", "mass", "contents", "open", "allowed"):
            continue
        if fact.pred == "allowed":  # of itself alone: where it may not go
            if fact.args[0] == r.name and fact.args[1] in named:
                facts.append(fact)
        elif fact.args[0] in named and not (fact.pred == "where" and fact.value == r.name):
            facts.append(fact)
    boxes = {f.value for f in facts if f.pred == "where"}  # and whether the box it lies in stands open
    facts += [f for f in r.belief.facts("open") if f.args[0] in boxes and f not in facts and f.value is not UNKNOWN]
    return facts[:60]
