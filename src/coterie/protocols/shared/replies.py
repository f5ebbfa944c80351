"""Replies are data: read tolerantly, never evaluated, cut to size.

What cannot be read is a `Misread` with the reason in words. Actions are read by the language of the world
(`coterie.core.language`); what all of them share is in `coterie.core.spoken`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coterie.core.blocks import blocks
from coterie.core.kinds import Misread
from coterie.core.said import NUMBER, clean, field, names_it, numbers, quoted, thought
from coterie.core.spoken import MOST_CHARS, lacking, refuses, sections, spoken, stood_by, under, unlisted

__all__ = [
    "MOST_CHARS", "Misread", "PlanReader", "clean", "field", "names_it", "one_of", "plan_for",
    "quoted", "shift", "spoken", "thought", "whole",
]  # fmt: skip
MOST_PLAN = 900  # characters of a plan: a part for every robot
_REJECTED = re.compile(
    r"(?:\bnot|\bthan|\binstead of|\bover|\bexcept|n't)(?:\s(?:to|be|for|vote|choose))*[\s*_`\"']*$", re.I
)
_CHOSEN = (
    r"\b(?:vote(?: is| goes)? (?:for|to)|(?:choice|vote|leader|answer|winner) is|(?:choose|elect|pick|select|nominate|"
    r"declare|appoint|support|back|go with|going with|settle on|settled on|decide for|in favou?r of))"
    r"[\s*_`\"':]{1,6}(?P<a>%s)(?!\w)(?!'s?\b)(?!\s+(?:or|and)\b)"
    r"|(?<!\w)(?P<b>%s)[\s*_`\"']{1,6}(?:(?:should|will|must|is to|shall) (?:lead|be (?:the |our )?leader)|"
    r"is (?:my (?:vote|choice|pick)|the (?:leader|winner|best)"
    r"(?: \w+)?)|gets my vote|has my vote|wins|it is)\b"
)
_UNSURE = re.compile(r"(?:\bnot|n't|\bnever|\bif|\bmight|\bmay|\bcould|\bwould)\b[\w\s]{0,16}$", re.I)
_OPEN = re.compile(r"\b(?:or|either|neither|unsure|depends)\b(?! (?:else|not)\b)|\?", re.I)
_DENIED = re.compile(r"\b(?:not|never|no|neither|nor|cannot|abstain|against|unless|if|depends)\b|n't\b|\?", re.I)
_VOTING = frozenset(  # words that may stand before the name that is chosen
    re.findall(
        r"\S+",
        "i i'd i'll we my vote votes choose pick think it is should be for the robot candidate elect with go goes to "
        "support select leader nominate clearly definitely would say not but rather than instead of a name final "
        "answer decision therefore so hence thus agree that back as our propose suggest recommend prefer",
    )
)
_SHIFT = re.compile(
    r"^[^\w\n]{0,8}(?:step [0-9]{1,2}\s?[-:.]\s)?(?:[0-9][.)] )?[*_`\[<]{0,3}(?:final )?(?:move|shift)[*_`\]>\s]{0,6}"
    r"(?:[:\n]|(?<=[\]>]))(.*(?:\n.*)?)$",
    re.I | re.M,
)
_PAIR = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_BEGINS = re.compile(r"[\s*_`(\[]*[-+]?[0-9]*\.?[0-9]+\s?m?\s?[,;/]\s?[-+]?[0-9]*\.?[0-9]+(?![0-9.]*[*/])")
_AXES = re.compile(r"\b(?:d|delta[_ ]?)?([xy])\b[\"'*_`]{0,3}\s*[:=]\s*([-+]?[0-9.]+)", re.I)


def whole(reply: str, most: int = 400) -> str | Misread:
    """All of a reply that has words in it: what was said without its heading."""
    said = "\n".join(body for name, body in sections(spoken(reply)) if name not in ("thought", "other"))
    if refuses(said):
        return Misread("it says that it will not answer")
    text = clean(unlisted(said), most)
    return text if any(c.isalnum() for c in text) else Misread("it is empty")


class PlanReader:
    """Reads a plan with a part for every robot. One that forgets somebody is asked for again; who then still forgets
    some is taken at its word, who forgets all has no plan."""

    def __init__(self, names: Iterable[str]):
        self.names, self.again = list(names), False

    def __call__(self, reply: str) -> str | Misread:
        plan = plan_for(reply, self.names if not self.again else ())
        if self.again and isinstance(plan, str) and len(lacking(plan, self.names)) == len(self.names):
            return plan_for(reply, self.names)
        self.again = True
        return plan


def plan_for(reply: str, names: Iterable[str]) -> str | Misread:
    """A plan in which every name is named, or why it is none."""
    names = list(names)
    plan = field(reply, "plan", MOST_PLAN) or field(reply, "content", MOST_PLAN)
    if plan is None:
        found = whole(reply, MOST_PLAN)
        if isinstance(found, Misread):
            return found
        if found.count("?") > 1 or (names and not _parted(found, names)):
            return Misread("it has no heading Plan, and no part for each robot")
        plan = found
    without = lacking(plan, names)
    return Misread(f"the plan has no part for {', '.join(without)}") if without else plan


def _parted(plan: str, names: Iterable[str]) -> bool:
    """Whether something is said of each name, and not only of several together."""
    words = "|".join(re.escape(n) for n in names)
    behind = re.split(rf"(?<!\w)(?:{words})(?!\w)", plan, flags=re.I)[1:]
    return all(re.search(r"\w", re.sub(r"\b(?:and|or|also|too)\b", "", x)) for x in behind)


def one_of(reply: str, heading: str, names: Iterable[str]) -> str | None:
    """The name a reply settles on: behind its heading, or the only one it mentions."""
    names = list(names)
    text = spoken(reply)
    said = under(text, heading) or under(text, "answer") or ""
    if re.search(r"\w", said):  # who is named elsewhere was not chosen there
        found = _mentioned(said, names)
        if not found or not _chosen_first(said, found[0], names):
            return None
        if len(found) == 1:
            return found[0] if not _OPEN.search(said) else None
        return found[0] if _only_reasons(said, found) else None
    chosen = _settled(text, names)
    if chosen is not None:
        return chosen
    found = _mentioned(text, names)
    return found[0] if len(found) == 1 and not _DENIED.search(text) else None


def _chosen_first(said: str, name: str, names: Iterable[str]) -> bool:
    """Whether nothing but a vote stands before a name: `I would need to know more about Bob` is none."""
    at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.I)
    words = re.findall(r"[a-z']+", said[: at.start()].lower()) if at is not None else ["?"]
    return len(words) <= 6 and set(words) <= {*_VOTING, *(n.lower() for n in names)}


def _settled(text: str, names: Iterable[str]) -> str | None:
    """The one of several names of which a reply without a heading says that it is chosen."""
    words = "|".join(re.escape(n) for n in names)
    first = re.match(rf"\W*({words})\W{{1,4}}(?:because|since)\b", text, re.I)
    if first is not None:
        return next(n for n in names if n.lower() == first.group(1).lower())
    chosen_in = re.finditer(_CHOSEN % (words, words), text, re.I)
    found = [(m["a"] or m["b"], text[max(0, m.start() - 24) : m.start()]) for m in chosen_in]
    chosen = {n.lower() for n, before in found if not _UNSURE.search(before)}
    return next((n for n in names if {n.lower()} == chosen), None)


def _mentioned(text: str, names: Iterable[str]) -> list[str]:
    """The names in a text in their order, but those it turns down."""
    low, found = text.lower(), []
    for name in names:
        for m in re.finditer(rf"(?<!\w){re.escape(name.lower())}(?!\w)", low):
            if not _REJECTED.search(low[max(0, m.start() - 30) : m.start()]):
                found.append((m.start(), name))
                break
    return [name for _, name in sorted(found)]


def _only_reasons(text: str, found: list[str]) -> bool:
    """Whether the first name stands by itself, and the others only in what is said about it."""
    first, second = (re.search(rf"(?<!\w){re.escape(n)}(?!\w)", text, re.I) for n in found[:2])
    assert first is not None and second is not None
    between = text[first.end() : second.start()]
    return not re.fullmatch(r"[\s*_`\"',/]*(?:\b(?:or|and|/)\b)?[\s*_`\"']*", between, re.I)


def shift(reply: str) -> tuple[float, float] | None:
    """`Move: 0.4, -0.2` to two numbers."""
    text = spoken(reply)
    lines = _SHIFT.findall(text)
    said = stood_by(lines[-1], "move") if lines else None
    if said is not None and not said.split("\n")[0].strip(" *_`"):  # its numbers stand below
        said = "\n".join(text[text.rindex(lines[-1]) :].split("\n")[:4])
    for part in (said, text):
        if part is None:
            continue
        axes = {axis.lower(): value for axis, value in _AXES.findall(part)}
        if len(axes) == 2:
            return _two(f"{axes['x']}, {axes['y']}")
        begins = _BEGINS.match(part) if part is said else None
        if begins is not None:
            return _two(begins.group())
        pairs = [p for p in _PAIR.findall(part) if _two(p) is not None and len(NUMBER.findall(p)) == 2]
        if pairs:
            return _two(pairs[0] if part is said else pairs[-1])
        count = len(NUMBER.findall(part))
        if count == 2 or (part is said and count > 2):
            return _two(part)
        if part is said and count:
            return None
    inside = [b for b in blocks(text) if isinstance(b, dict)]
    return None if not inside else _two(", ".join(str(v) for v in inside[-1].values()))


def _two(text: str) -> tuple[float, float] | None:
    found = numbers(text, 2)
    return None if found is None else (found[0], found[1])
