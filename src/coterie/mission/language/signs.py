"""A sentence as the grammar wants it: names and numbers as signs, contractions written out, politeness gone."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from coterie.core.files import tables
from coterie.talk.vocabulary import KINDS, NUMBERS, Vocabulary

MOST_CHARS = 600  # of one sentence; nobody instructs a robot in more
MOST_SENTENCES = 8
_DOZENS = {"a dozen": 12, "half a dozen": 6, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "a hundred": 100}
_SAID = tables(__package__, "signs.toml")
_CONTRACTED: dict[str, str] = dict(_SAID["whole"])
for _row in _SAID["endings"]:
    _CONTRACTED |= {f"{word}{_row['end']}": f"{word} {_row['whole']}" for word in _row["behind"].split()}
_POLITE = "|".join(_SAID["polite"]["words"])
#: Patterns of what stands around a sentence, with the words that are heard and ignored, and numbers in letters.
AROUND = {
    name: re.compile(text.replace("POLITE", _POLITE).replace("NUMBER", "|".join(NUMBERS[1:])), re.I)
    for name, text in _SAID["patterns"].items()
}


@dataclass
class Signed:
    """A sentence in signs, and what the signs stand for."""

    text: str
    names: dict[str, str] = field(default_factory=dict)  # sign -> name
    numbers: dict[str, int] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


def straight(text: str) -> str:
    """The same with apostrophes as on a keyboard. Whatever hears people does that first."""
    return text.replace("\u2019", "'").replace("\u2018", "'")


def sentences(text: str) -> list[tuple[str, bool]]:
    """The sentences of what was said, in plain signs, and whether each ends with a question mark; a full stop within
    a number or a name ends none."""
    flat = unicodedata.normalize("NFKC", text)
    flat = re.sub(r"[\u201c\u201d\u00ab\u00bb]", '"', flat)
    flat = "".join(c if c.isprintable() else " " for c in flat)
    parts = re.split(r"(?<=[.!?;])\s+", " ".join(flat.split()))
    return [(p.strip(" .!?;"), p.endswith("?")) for p in parts if re.search(r"\w", p)][:MOST_SENTENCES]


def is_polite(words: str) -> bool:
    """True if words are heard and ignored."""
    return re.fullmatch(_POLITE, words) is not None or not AROUND["anywhere"].sub("", words).strip()


def signed(sentence: str, vocabulary: Vocabulary) -> Signed:
    """One sentence in signs."""
    found = Signed("")
    text = sentence
    for i, quoted in enumerate(re.findall(r"\"([^\"]{1,60})\"|(?<!\w)'([^']{1,60})'(?!\w)", text)):
        word = quoted[0] or quoted[1]
        sign = f"«q{i}»"
        found.labels[sign] = word.strip()
        text = text.replace(f'"{word}"', sign, 1) if quoted[0] else text.replace(f"'{word}'", sign, 1)
    text = text.lower()
    text = AROUND["hours"].sub(_in_minutes, re.sub(r"\bhalf (?:an )?hour\b", "30 minutes", text))
    for short, pattern, whole in _WHOLE:
        if short in text:
            text = pattern.sub(whole, text)
    text = _names(text, vocabulary, found)
    text = _numbers(text, found)
    hello = AROUND["hello"].match(text.strip(" ,"))
    if hello is not None and len(text[hello.end() :].split()) > 1:
        text = text[hello.end() :]
    text = re.sub(r"\b(?:and )?after (?:that|this)\b(?! \w+ is)", "then", text)
    if re.search(r"\b(?:then|afterwards|next)\b", text):  # the first of several, and nothing urgent
        text = re.sub(r"^[\s,]*(?:please )?(?:first|firstly|to begin with)(?: of all)?\b[\s,]*", "", text)
    before = ""
    while before != text:  # "please could you just ..."
        before, bare = text, AROUND["called"].sub(r"\1 ", AROUND["start"].sub("", text.strip(" ,")))
        text = AROUND["inner"].sub("", bare)
    text = AROUND["turned"].sub(r"\1 \2 not", text)
    text = AROUND["anywhere"].sub(" ", re.sub(r"[,:]", " ", text))
    found.text = re.sub(r"\s+", " ", re.sub(r"[^\w«»'\- ]", " ", text)).strip()
    return found


_WHOLE = [(s, re.compile(rf"(?<!\w){re.escape(s)}(?!\w)"), whole) for s, whole in _CONTRACTED.items()]


def number_of(word: str) -> int:
    """A number in letters or digits."""
    return NUMBERS.index(word.lower()) if word.lower() in NUMBERS else int(word)


def _in_minutes(found: re.Match[str]) -> str:
    if found["quarter"]:
        return "15 minutes"
    hours = number_of(found["many"] or "one")
    return f"{60 * hours + 30 * bool(found['half'] or found['more'])} minutes"


def _names(text: str, vocabulary: Vocabulary, found: Signed) -> str:
    """Phrases of the vocabulary, the longest first, as signs. A robot that is called like a verb stays a word."""
    pattern = _pattern(tuple(vocabulary.phrases))
    if pattern is None:
        return text

    def sign(match: re.Match[str]) -> str:
        phrase = re.sub(r"\s+", " ", match.group(0))
        kind, name = vocabulary.phrases[phrase]
        if phrase in VERBS:
            found.names[phrase] = name
            return phrase
        mark = f"«{KINDS[kind]}{len(found.names)}»"
        found.names[mark] = name
        return mark

    return pattern.sub(sign, text)


VERBS = ("fetch",)


@lru_cache(maxsize=32)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str] | None:
    if not phrases:
        return None
    longest = sorted(phrases, key=len, reverse=True)
    words = "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in longest)
    return re.compile(rf"(?<![\w«'-])(?:{words})(?![\w»-])")


def _numbers(text: str, found: Signed) -> str:
    def sign(match: re.Match[str]) -> str:
        word = match.group(0)
        value = NUMBERS.index(word) if word in NUMBERS else _DOZENS.get(word) or int(word)
        mark = f"«n{len(found.numbers)}»"
        found.numbers[mark] = value
        return mark

    text = re.sub(r"(«[ick]\d+») x ?([0-9]{1,9})(?![\w»])", r"\2 \1", text)  # "gloves x3", "3x gloves"
    text = re.sub(r"(?<![\w«-])([0-9]{1,9}) ?x(?= )", r"\1", text)
    words = "|".join(sorted((n for n in NUMBERS if n != "one"), key=len, reverse=True))
    # "one" is a word, too: "the other one", "that one", "one more"
    one = r"(?<!other )(?<!that )(?<!this )(?<!which )(?<!is )one(?! (?:more|moment|second|sec)\b)"
    one += r"(?!(?<=\bthe one) (?:to|for|with|of|at|on|in|into|going|that|which|from)\b)"  # "the one to table G"
    number = rf"{'|'.join(reversed(_DOZENS))}|{words}|{one}|[0-9]{{1,9}}"
    return re.sub(rf"(?<![\w«.-])(?:{number})(?![\w»]|\.[0-9])", sign, text)
