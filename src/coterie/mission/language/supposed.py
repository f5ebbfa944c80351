"""Questions with a condition: "how long will it take if table E is empty", "who can open doors without Spot".

The question and the condition are read each by itself. A condition is never left out in silence: one that means nothing
here is kept in its own words, so that whoever answers says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning
from coterie.talk.vocabulary import Vocabulary

Reader = Callable[[str], Meaning | None]

_IF = "even if|only if|if|in case|when|whenever|once|unless|supposing|suppose|assuming|provided|as long as|without"
_BEHIND = re.compile(rf"^(?P<ask>.+?)[\s,]+(?P<word>{_IF}|with)\s+(?:that\s+)?(?P<what>.+?)$", re.I)
_BEFORE = re.compile(
    rf"^(?P<word>{_IF}|should|with)\s+(?:that\s+)?(?P<what>[^,]+?)\s*,\s*(?:then\s+)?(?P<ask>.+)$", re.I
)
#: Questions that have these words in them by themselves.
_OWN = re.compile(r"\b(?:what|know|tell me|wonder|see|check|ask|sure|happens?|about|happen) (?:if|when)\b", re.I)
_DONE = re.compile(
    r"^(?:and )?(?:what|how) (?:do|would|will|can|could|should) (?:you|we|they) (?:do|cope|manage)$", re.I
)
#: What is not to be done then: no question.
_ORDERS = re.compile(rf"\W*(?:please\W+)?(?:{DO_NOT}|never|{NOBODY})\b", re.I)


def supposed(sentence: str, vocabulary: Vocabulary, read: Reader) -> m.Ask | None:
    """A question with its condition; None where the sentence is none. `read` reads what the grammar does not know."""
    text = sentence.strip().rstrip("?!. ")
    if _OWN.search(text):
        return None
    for found in (_BEFORE.match(text), _BEHIND.match(text)):
        if found is None or (_ORDERS.match(found["ask"]) and not sentence.rstrip().endswith("?")):
            continue
        word = found["word"].lower()
        if word == "with" and not (_strictly(found["ask"], vocabulary)):
            continue  # "what is wrong with Spot" is one question
        plan = m.Ask("plan") if _DONE.match(found["ask"]) else None
        ask = plan or _strictly(found["ask"], vocabulary) or read(found["ask"])
        if isinstance(ask, m.Ask) and not ask.given and ask.about not in ("what if", "help"):
            claims = _claims(word, found["what"], vocabulary, read)
            return replace(ask, given=claims, unheard="" if claims else f"{word} {found['what']}".lower())
    return None


def _strictly(text: str, vocabulary: Vocabulary) -> m.Ask | None:
    found = understand(text, vocabulary)
    return found[0] if len(found) == 1 and isinstance(found[0], m.Ask) else None


def _claims(word: str, text: str, vocabulary: Vocabulary, read: Reader) -> tuple[Claim, ...]:
    """What is supposed; nothing where it is not clear what that would mean."""
    if word == "with":
        return ()
    if word == "without":
        return _without(text, vocabulary)
    if word == "should":
        text = re.sub(r"\bbe\b", "is", text, count=1)
    asked = f"what if {text}"
    found = _strictly(asked, vocabulary) or read(asked + "?")
    claims = found.claims if isinstance(found, m.Ask) and found.about == "what if" else ()
    if word == "unless":
        return (replace(claims[0], holds=not claims[0].holds),) if len(claims) == 1 else ()
    return claims


def _without(text: str, vocabulary: Vocabulary) -> tuple[Claim, ...]:
    """Somebody, or a thing, that is not there; several are named by "and"."""
    found = []
    for part in re.split(r"\band\b|\bor\b|,", text.lower()):
        words = re.sub(r"^(?:the|an?|any|our)\s+", "", part.strip())
        kind, name = vocabulary.phrases.get(words, ("", ""))[:2]
        if kind == "robot":
            found.append(Claim(m.ABLE, name, holds=False))
        elif kind == "person":
            found.append(Claim(m.PRESENT, name, holds=False))
        elif kind == "item":
            found.append(Claim(m.STOCK, name, holds=False))
        else:
            return ()
    return tuple(found)
