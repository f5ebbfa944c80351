"""Replies are data: read tolerantly, never evaluated, cut to size.

What cannot be read is a `Misread` with the reason in words. Actions are read by the language of the world
(`coterie.core.language`); what all of them share is in `coterie.core.replies.sections`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeVar

from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Prompt, Reply
from coterie.core.replies.courtesy import asks_back, refuses
from coterie.core.replies.fields import NUMBER, blank, clean, field, names_it, numbers, quoted, thought
from coterie.core.replies.headings import LEAD
from coterie.core.replies.json_blocks import blocks
from coterie.core.replies.sections import MOST_CHARS, lacking, sections, spoken, stood_by, torn, under, unlisted

__all__ = [
    "MOST_CHARS", "Misread", "PlanReader", "ask_twice", "clean", "field", "names_it", "one_of", "plan_for",
    "quoted", "shift", "spoken", "thought", "whole",
]  # fmt: skip
T = TypeVar("T")
MOST_PLAN = 900  # characters of a plan: a part for every robot
_REJECTED = re.compile(
    r"(?:\bnot|\bthan|\binstead of|\bover|\bexcept|n't)(?:\s(?:to|be|for|vote|choose))*[\s*_`\"']*$", re.I
)
_CHOSEN = (
    r"\b(?:vote(?: therefore| thus| clearly)?(?: is| goes)? (?:for|to)|vote\b[^.\n]{1,40}\bgoes to|(?:choice|"
    r"vote|leader|answer|"
    r"winner) (?:is|should be|will be|must be)|(?:choose|elect|pick|select|nominate|"
    r"declare|appoint|support|back|go with|going with|settle on|settled on|leaves|decide for|in favou?r of))"
    r"[\s*_`\"':]{1,6}(?P<a>%s)(?!\w)(?!'s?\b)(?!\s+(?:or|and)\b)"
    r"|(?<!\w)(?P<b>%s)[\s*_`\"']{1,6}(?:(?:should|will|must|is to|shall) (?:lead|be (?:the |our )?leader)|"
    r"is (?:my (?:vote|choice|pick)|the (?:leader|winner|best)"
    r"(?: \w+)?)|gets my vote|has my vote|has the (?:best|strongest|most complete|better) (?:plan|proposal)|"
    r"wins|it is)\b"
)
_UNSURE = re.compile(r"(?:\bnot|n't|\bnever|\bif|\bmight|\bmay|\bcould|\bwould)\b[\w\s]{0,16}$", re.I)
_OPEN = re.compile(r"\b(?:or|either|neither|unsure|depends)\b(?! (?:else|not)\b)|\?", re.I)
_DENIED = re.compile(r"\b(?:not|never|no|neither|nor|cannot|abstain|against|unless|if|depends)\b|n't\b|\?", re.I)
_VOTING = frozenset(  # words that may stand before the name that is chosen
    re.findall(
        r"\S+",
        "i i'd i'll me myself we my vote votes choose pick think it is should be for the robot candidate elect with "
        "go goes to "
        "support select leader nominate clearly definitely would say not but rather than instead of a name final "
        "answer decision therefore so hence thus agree that back as our propose suggest recommend prefer",
    )
)
_SHIFT = re.compile(
    rf"^[^\w\n]{{0,8}}(?:step [0-9]{{1,2}}\s?[-:.]\s)?(?:[0-9][.)] )?[*_`\[<]{{0,3}}"
    rf"{LEAD}(?:move|shift)[*_`\]>)#|\s]{{0,8}}"
    r"(?:[:\n|]|[\u2013\u2014-]\s|(?<=[\]>)|#])|(?<=[\]>)|#]\s))(.*(?:\n.*)?)$",
    re.I | re.M,
)
_PAIR = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_BEGINS = re.compile(r"[\s*_`(\[]*[-+]?[0-9]*\.?[0-9]+\s?m?\s?[,;/]\s?[-+]?[0-9]*\.?[0-9]+(?![0-9.]*[*/])")
_AXES = re.compile(r"\b(?:d|delta[_ ]?)?([xy])\b[\"'*_`]{0,3}\s*[:=][\s*_`\"']{0,4}([-+]?[0-9.]+)", re.I)


def ask_twice(
    ask: Ask, read: Callable[[str], T | Misread], form: str, first: Callable[[str], T | Misread] | None = None
) -> Generator[list[Ask], Sequence[Reply], T | Misread]:
    """Ask, and where the reply cannot be read ask once more with the reason, for `form`. `first` reads the first reply,
    if it is to be read more strictly."""
    (reply,) = yield [ask]
    found = Misread(reply.error) if reply.error else (first or read)(reply.text)
    if not isinstance(found, Misread):
        return found
    again = f"That could not be read: {found.reason}. Answer again, in {form} and nothing else."
    prompt: Prompt = (*ask.prompt, ("assistant", clean(reply.text, 300) or "(nothing)"), ("user", again))
    (reply,) = yield [ask._replace(attempt=1, prompt=prompt)]
    return Misread(reply.error) if reply.error else read(reply.text)


def whole(reply: str, most: int = 400) -> str | Misread:
    """All of a reply that has words in it: what was said without its heading."""
    said = "\n".join(
        body for name, body in sections(spoken(reply)) if name not in ("thought", "other") and not blank(body)
    )
    if refuses(said):
        return Misread("it says that it will not answer")
    if asks_back(said):
        return Misread("it asks for what it was to be made of")
    text = clean(unlisted(said), most)
    if not any(c.isalnum() for c in text) or blank(text):
        return Misread("it is empty")
    if all(x.rstrip().endswith("?") for x in re.findall(r"[^.!?]+[.!?]*", text) if re.search(r"\w", x)):
        return Misread("it asks instead of answering")
    return text


class PlanReader:
    """Reads a plan with a part for every robot. One that forgets a robot is asked for again; who then still forgets
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
    body = under(spoken(reply), "plan")
    if body is not None and names:
        body = _to_the_last_part(body, names)
    plan = clean(unlisted(body), MOST_PLAN) if body is not None and not refuses(body) else ""
    plan = plan if any(c.isalnum() for c in plan) and not blank(plan) else field(reply, "content", MOST_PLAN) or ""
    if not plan:
        found = whole(reply, MOST_PLAN)
        if isinstance(found, Misread):
            return found
        if found.count("?") > 1 or (names and not _parted(found, names)):
            return Misread("it has no heading Plan, and no part for each robot")
        if any(re.search(rf"(?<!\w){re.escape(n)} (?:is|was|has|had|reported|said)\b", found, re.I) for n in names):
            return Misread("it tells how things stand, and has no heading Plan")
        plan = found
    if refuses(plan) or re.match(r"\W*(?:there is )?no (?:new )?plan\b", plan, re.I):
        return Misread("it has no plan")
    if re.fullmatch(r"[^.;:]*\?\W*", plan):
        return Misread("it asks instead of planning")
    without = lacking(plan, names)
    if without:
        return Misread(f"the plan has no part for {', '.join(without)}")
    if names and not re.search(
        r"\w", re.sub(rf"\b(?:{'|'.join(map(re.escape, names))}|and|all)\b", "", plan, flags=re.I)
    ):
        return Misread("the plan has names and no parts")
    every = "|".join(map(re.escape, names))
    if (
        names
        and (empty := re.search(rf"(?<!\w)({every})\W{{0,3}}:\W*(?:\Z|(?:{every})\W{{0,3}}:)", plan, re.I)) is not None
    ):
        return Misread(f"the plan has no part for {empty.group(1)}")
    return plan


_TITLE = re.compile(r"[ \t]*(?:#{1,6} \S.*|\*\*[^*\n]{2,60}\*\*:?|[A-Z][\w ]{2,40}:)[ \t]*$")


def _to_the_last_part(body: str, names: Iterable[str]) -> str:
    """A plan without what stands behind all parts of it: a section of its own, or a question."""
    lines = body.splitlines()
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.I)
    last = max((i for i, line in enumerate(lines) if named.search(line)), default=len(lines))
    for i in range(last + 1, len(lines)):
        if _TITLE.match(lines[i]) or (lines[i].rstrip().endswith("?") and not lines[i - 1].strip()):
            return "\n".join(lines[:i])
    return body


def _parted(plan: str, names: Iterable[str]) -> bool:
    """Whether something is said of each name, and not only of several together."""
    words = "|".join(re.escape(n) for n in names)
    behind = re.split(rf"(?<!\w)(?:{words})(?!\w)", plan, flags=re.I)[1:]
    return all(re.search(r"\w", re.sub(r"\b(?:and|or|also|too)\b", "", x)) for x in behind)


def one_of(reply: str, heading: str, names: Iterable[str]) -> str | None:
    """The name a reply settles on: behind its heading, or the only one it mentions."""
    names = list(names)
    text = spoken(reply)
    if torn(text, heading):
        return None
    said = under(text, heading) or under(text, "answer") or ""
    if re.search(r"\w", said):  # who is named elsewhere was not chosen there
        found = _mentioned(said, names)
        line = said.strip().split("\n")[0]
        if not found or _conditional(line, names):
            return None
        if _mentioned(line, names) == found[:1] and _chosen_first(line, found[0], names) and not _OPEN.search(line):
            return found[0] if not _spoken_against(line, found[0]) else None
        if not _chosen_first(said, found[0], names):
            return _settled(said, names)
        if len(found) > 1 and _spoken_against(said, found[0]):
            found = [n for n in found if not _spoken_against(said, n)]
            return found[0] if len(found) == 1 else None
        if len(found) == 1:
            return found[0] if not _OPEN.search(said) else None
        return found[0] if _only_reasons(said, found) else None
    chosen = _settled(text, names)
    if chosen is not None:
        return chosen
    found = _mentioned(text, names)
    if len(found) != 1 or _DENIED.search(text) or _PAST.search(text):
        return None
    if blocks(text):
        return found[0]
    long = len(re.findall(r"[^\W\d_]+", text)) > 4
    if (long and (not _VOTES.search(text) or _WISHES.search(text))) or re.search(
        rf"(?<!\w){re.escape(found[0])}\W{{0,3}}:\W*\w", text, re.I
    ):
        return None  # something is said of it, or by it
    return found[0]


_VOTES = re.compile(
    r"\b(?:vote (?:for|therefore|goes|is)|my vote|vote|choose|support|trust|best|elect|goes to|back|endorse|"
    r"second|favou?r)\b",
    re.I,
)
_WISHES = re.compile(r"\b(?:would like|wants?|before|needs?|more from|more about)\b", re.I)
_PAST = re.compile(r"\b(?:voted|last round|previous(?:ly)?|earlier|was|were|says?|said)\b", re.I)


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
    alone = re.match(
        rf"\W*({words})\W*(?:\n|\Z)|[\s\S]*(?:\b(?:so|therefore|hence|thus)\b\W{{1,3}}|[a-z][.!?]\s+[*_`]{{0,3}})({words})\W*\Z",
        text,
        re.I,
    )
    lone = {s.strip(" \t\n*_`#0123456789").lower() for s in re.split(r"[.!?\n]", text)} & {n.lower() for n in names}
    if alone is not None and len(lone) < 2:
        return next(n for n in names if n.lower() == (alone.group(1) or alone.group(2)).lower())
    chosen_in = re.finditer(_CHOSEN % (words, words), text, re.I)
    found = [(m["a"] or m["b"], text[max(0, m.start() - 24) : m.start()]) for m in chosen_in]
    chosen = {n.lower() for n, before in found if not _UNSURE.search(before)}
    return next((n for n in names if {n.lower()} == chosen), None)


def _conditional(said: str, names: list[str]) -> bool:
    """Whether a vote holds only if something else does, or gives several names something each."""
    split = [
        n for n in names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)[\s,]{{0,2}}(?:for|does|handles)\b", said, re.I)
    ]
    return (
        len(split) > 1 or re.search(r"\b(?:as long as|provided|unless|if|assuming|only when)\b", said, re.I) is not None
    )


def _spoken_against(text: str, name: str) -> bool:
    against = r"(?:cannot|can't|is not|isn't|won't|has no|forgets?|leaves?|lacks?|is too|does not|doesn't)\b"
    return re.search(rf"(?<!\w){re.escape(name)}(?:'s plan|'s)?,? {against}", text, re.I) is not None


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
    return not re.fullmatch(r"[\s*_`\"',/=&+|(]*(?:\b(?:or|and|/)\b)?[\s*_`\"']*", between, re.I)


def shift(reply: str) -> tuple[float, float] | None:
    """`Move: 0.4, -0.2` to two numbers."""
    text = re.sub(r"[\u0394\u2206]\s?(?=[xy]\b)", "d", spoken(reply))
    text = re.sub(r"^[ \t]*```\w*[ \t]*\n?", "", text, flags=re.M) if "```" in text else text
    lines = _SHIFT.findall(text)
    if torn(text, "move"):  # a way with several legs is no shift
        return None
    said = stood_by(lines[-1], "move") if lines else under(text, "move")
    if said is not None and re.match(r"\W*(?:not|never|no)\b", said, re.I):
        return None
    if said is not None and not said.split("\n")[0].strip(" *_`"):  # its numbers stand below
        said = "\n".join(text[text.rindex(lines[-1]) :].split("\n")[:4])
    for part in (said, text):
        if part is None:
            continue
        found = _along(part, part is said)
        if part is not said and _TOLD.search(part) and not _CHOOSES.search(part) and len(_AXES.findall(part)) < 2:
            return None
        if found is not None or (part is said and NUMBER.search(part)):
            return found if found is None or _fits(part if part is said else "", found) else None
    inside = [b for b in blocks(text) if isinstance(b, dict)]
    return None if not inside else _two(", ".join(str(v) for v in inside[-1].values()))


_TOLD = re.compile(r"\b(?:is|am|are|lies?|was|stands?) (?:at|located)\b|\bfree\b|\bblocked\b", re.I)  # not where to go
_NO_METRES = re.compile(
    r"[0-9]\s?(?:cells?|signs?|cm|mm|steps?|squares?|tiles?)\b|(?<![.0-9])[0-9],[0-9](?!\.)|[0-9]-[0-9]", re.I
)
_ROUTE = re.compile(r"\bfrom\b.*\bto\b|\b(?:or|and then|either)\b[\s(\[]*[-+]?[0-9]", re.I)


def _along(part: str, headed: bool) -> tuple[float, float] | None:
    """Two numbers that a text settles on: by their axes, as a pair in brackets, or as all that it has."""
    axes = {axis.lower(): value for axis, value in _AXES.findall(part)}
    if len(axes) == 2:
        return _two(f"{axes['x']}, {axes['y']}")
    pairs = [_two(p) for p in _PAIR.findall(part) if _two(p) is not None and len(NUMBER.findall(p)) == 2]
    if _ROUTE.search(part.split("\n")[0] if headed else part):
        return None
    begins = _BEGINS.match(part) if headed else None
    if begins is not None:
        more = re.match(r"\s?[,;/]\s?[-+]?[0-9]", part[begins.end() :])
        return (
            _two(begins.group())
            if more is None and not _NO_METRES.search(begins.group() + part[begins.end() :][:4])
            else None
        )
    if pairs:
        chosen = _two(m.group(1)) if (m := _CHOOSES.search(part)) is not None else None
        return pairs[0] if len(set(pairs)) == 1 else chosen
    count = len(NUMBER.findall(part))
    if _NO_METRES.search(part) or not (count == 2 or (headed and count > 2)):
        return None
    return _two(part)


_CHOOSES = re.compile(
    r"\b(?:choose|chose|take|pick|go (?:to|with)|move (?:to|by)|answer is|so|therefore|hence|"
    r"best (?:\w+ )?is)\b[^()\n\d]{0,30}"
    r"[(\[]([^()\[\]]{1,60})[)\]][\s.*_`!]*\Z",
    re.I,
)
_SIDES = (
    ("left|west|leftwards?", 0, 1),
    ("right|east", 0, -1),
    ("down|below|south|downwards?", 1, 1),
    ("up|above|north", 1, -1),
)


def _fits(part: str, found: tuple[float, float]) -> bool:
    """Whether words of direction do not say the contrary: `right 0.4, down 0.2` has a sign in words."""
    line = part.split("\n")[0]
    return not any(
        re.search(rf"\b(?:{words})\b", line, re.I) and found[axis] * sign > 0 for words, axis, sign in _SIDES
    )


def _two(text: str) -> tuple[float, float] | None:
    found = numbers(text, 2)
    return None if found is None else (found[0], found[1])
