"""From a sentence to its meaning, by the grammar beside this file."""

from __future__ import annotations

import difflib
import importlib.util
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.files import shipped
from coterie.mission.language.parser import QuickParser, hoisted, parser_of
from coterie.mission.language.reading import Reading, joined
from coterie.mission.language.signs import AROUND, MOST_CHARS, is_polite, sentences, signed, straight
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning, Unclear
from coterie.talk.vocabulary import Vocabulary, plural, spaced

#: The files of the grammar. Where a sentence can be read in two ways, what stands first may win.
PARTS = ("names", "orders", "facts", "questions", "answers", "steering", "teaching", "policies", "zones", "signs")
NEAREST = 3  # suggestions
NEARLY = 0.7  # of its letters, from which a sentence is like another that shares no word with it
PLAIN = frozenset(("a", "an", "the", "to", "is", "are", "it", "me", "i", "you", "do", "of", "in", "on", "and", "that"))
MOST_PARTS = 4  # of a sentence with commas
MOST_STRANGE = 2  # words that no rule knows: a new label or thing has two at most, and nothing else any
MOST_NAME = 40  # characters of a name that a person gives
LOOKED_AT = 12  # that share the most words, of which letters are compared


def understand(text: str, vocabulary: Vocabulary) -> list[Meaning | Unclear]:
    """The meaning of each sentence, in order."""
    if len(text) > 4 * MOST_CHARS:
        return [Unclear(text[:80] + " ...")]
    text = AROUND["then"].sub(" and then ", straight(text))
    robots = "|".join(re.escape(r) for r in vocabulary.names("robot"))
    text = re.sub(rf"^\s*({robots})\s*[!.]+\s+(?=\w)", r"\1, ", text, flags=re.I) if robots else text  # "Spot! Stop!"
    found: list[Meaning | Unclear] = []
    for sentence, asks in sentences(text):
        some = _some(sentence, vocabulary)
        if asks:  # without a word that only leads the question in: "Wait, what is Spot doing?"
            alone = not any(isinstance(x, m.Ask) for x in some)
            some = [_asked(x, sentence) for x in some if alone or not m.only_waits(x)]
        found += some
    return found or [Unclear(text[:80])]


def requested(sentence: str) -> bool:
    """True if a sentence with a question mark wants something done: "could you ...?", "open it, will you?"."""
    text = sentence.rstrip(" ?.!;,")
    return AROUND["request"].search(text) is not None and AROUND["asks"].search(text) is None


def _asked(found: Meaning | Unclear, sentence: str) -> Meaning | Unclear:
    """With a question mark, nothing is stated: "table E is empty?" asks, and so may "open the door?"."""
    if isinstance(found, m.Tell):
        return m.Ask("is it so", claims=found.claims)
    if isinstance(found, m.Zone) and re.search(r"\bis\b", sentence, re.I):
        closed = tuple(m.Claim(m.CLOSED, r, found.where, holds=found.holds) for r in found.robots or ("",))
        return m.Ask("is it so", claims=closed)
    if isinstance(found, (m.Approve, m.Refuse)):  # "OK?" asks
        return Unclear(sentence)
    kept = (m.Ask, m.Greet, m.Repeat, m.Things, m.Somewhere, m.Number, m.Nothing, m.Show, Unclear)
    return found if isinstance(found, kept) or requested(sentence) else Unclear(sentence)


def _some(sentence: str, vocabulary: Vocabulary) -> list[Meaning | Unclear]:
    """A sentence, or what stands between its commas where that is several: "hold on, the nurse is away"."""
    whole = _one(sentence, vocabulary)
    parts = [p for p in re.split(r"[,;:]|\s[-\u2013\u2014]\s", sentence) if p.strip()]
    if isinstance(whole, Meaning) or not 1 < len(parts) <= MOST_PARTS or len(sentence) > MOST_CHARS:
        return [whole]
    if any(re.match(r"\s*but\b|.*\b(?:first|before that|beforehand)\s*$", p, re.I) for p in parts[1:]):
        return [whole]  # what is said last comes first
    found = [_one(p.strip(), vocabulary) for p in parts]
    wants = [w for x in found if isinstance(x, m.Order) and not x.when for w in x.wants]
    if all(isinstance(x, m.Order) and not x.when for x in found) and len({x.robots for x in found}) == 1:  # type: ignore[union-attr]
        return [replace(found[0], wants=joined(wants))]  # type: ignore[type-var]
    return list(found) if _stand_alone(found) else [whole]


def _stand_alone(found: Sequence[Meaning | Unclear]) -> bool:
    """True if parts of a sentence mean on their own what they mean in it. A yes or a no beside something else may be
    about that, and a bare name or number may belong to it."""
    bare = (m.Things, m.Somewhere, m.Number, m.Nothing, m.Show)
    alone = [x for x in found if isinstance(x, Meaning) and not isinstance(x, bare)]
    orders = [x for x in alone if x.commands or isinstance(x, (m.Tell, m.Teach, m.Alter, m.Policy, m.Permit, m.Zone))]
    answers = [x for x in alone if isinstance(x, (m.Approve, m.Refuse, m.Forget, m.Correct))]
    return len(alone) == len(found) and len(orders) + len(answers) <= 1


def _one(sentence: str, vocabulary: Vocabulary) -> Meaning | Unclear:
    if len(sentence) > MOST_CHARS:
        return Unclear(sentence[:80] + " ...")
    words = signed(sentence, vocabulary)
    tree = _tree(words.text)
    if (meaning := Reading(words, vocabulary).of(tree) if tree is not None else None) is not None:
        return _told_where(meaning) if AROUND["found"].match(sentence) else meaning
    plain = re.sub(r"«\w+»", " ", words.text)
    unknown = tuple(w for w in re.findall(r"[^\W\d_][\w'-]*", plain) if w not in known_words())
    return Unclear(sentence, tuple(dict.fromkeys(unknown))[:5])


def _told_where(meaning: Meaning) -> Meaning:
    """ "You will find them on table C" sends nobody to look: it says where they are."""
    want = meaning.wants[0] if isinstance(meaning, m.Order) and len(meaning.wants) == 1 else None
    if want is None or want.kind != m.LOOK or not want.where:
        return meaning
    return m.Tell((m.Claim(m.STOCK, want.what, want.where),))


@lru_cache(maxsize=4096)
def _tree(text: str) -> Any:
    """The tree of a sentence in signs: sentences that differ in their names alone share it."""
    with _loading:
        lark, errors = _lark()
    strange = [w for w in re.sub(r"«\w+»", " ", text).split() if w not in known_words()]
    if not text or len(strange) > MOST_STRANGE:
        return None
    try:
        return lark.parse(text)
    except errors:
        return None


def needs_lark() -> None:
    """Says what to install where sentences cannot be read, before anybody has said one."""
    if importlib.util.find_spec("lark") is None:
        raise CoterieError("Reading sentences needs lark: pip install 'coterie[mission]'.")


_loading = threading.Lock()  # the grammar takes a second; several who speak at once do not load it each


@lru_cache(maxsize=1)
def _lark() -> tuple[Any, Any]:
    needs_lark()
    from lark.exceptions import UnexpectedInput

    return QuickParser(parser_of(hoisted(grammar()))), UnexpectedInput


@lru_cache(maxsize=1)
def grammar() -> str:
    return "".join(shipped(__package__, f"grammar/{part}.lark") for part in PARTS)


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Every word that the grammar knows."""
    return frozenset(re.findall(r'"([a-z]+)"', grammar()))


def nearest(sentence: str, examples: Sequence[str]) -> tuple[str, ...]:
    """The possible sentences most similar to one: by its words first, then by its letters."""
    mine, text = _words(sentence) - PLAIN, sentence.lower()[:MOST_CHARS]
    shared = [(len(mine & (its := _words(e))) / max(len(mine | its), 1), -i, e) for i, e in enumerate(examples)]
    rated = []
    for share, i, example in sorted(shared, reverse=True)[:LOOKED_AT]:
        alike = difflib.SequenceMatcher(None, text, example.lower()).ratio()
        if share > 0 or alike >= NEARLY:
            rated.append((share + 0.5 * alike, i, example))
    return tuple(e for _, _, e in sorted(rated, reverse=True)[:NEAREST])


@lru_cache(maxsize=4096)
def _words(sentence: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", sentence.lower()))


# -- names that people give to what they teach ------------------------------------------------------------------------
_NAME = re.compile(r"[^\W\d_][\w '-]*")


def taken(label: str, vocabulary: Vocabulary) -> str:
    """Why something cannot be called so, as the beginning of a sentence; nothing where it can. Names stand before all
    other words when a sentence is read: a kit called "stop" would hide the word by which everybody stops robots."""
    plain = " ".join(label.lower().split())
    if not _NAME.fullmatch(plain) or len(plain) > MOST_NAME:
        return f"A name begins with a letter, has letters, digits and spaces, and at most {MOST_NAME} of them"
    for form in dict.fromkeys((plain, spaced(label), plural(plain))):
        if form in vocabulary.phrases:
            return f"'{label}' is the name of something else here"
        if _means_something(form, vocabulary):
            return f"'{label}' is a word that I need for something else"
    return ""


def _means_something(form: str, vocabulary: Vocabulary) -> bool:
    """True if a word is politeness, a number, a word of the grammar, or a sentence by itself."""
    text = signed(form, vocabulary).text
    if not text or is_polite(form) or (" " not in form and (text != form or form in known_words())):
        return True
    (found,) = understand(form, vocabulary) or [m.Nothing()]
    return isinstance(found, Meaning) and not (isinstance(found, m.Things) and bool(found.unknown))
