"""A reason behind a plea or an order: "Wait, I'm vacuuming here.", "Could you hold on? I have to get by."

A reason is told: somebody or something, and what they do, are or did. A question, an order, a bare name or number and
what puts something right ("Wait, I want three.") are none.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from coterie.mission.language.heard import heard_of
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

_WHY = (
    r"(?:because|since|as(?! (?:you|it|they) (?:are|is|were)\b)|for|cause|'cause|cos|seeing that|given that|now that)"
)
_BREAK = re.compile(rf"\s*[,;:.!?]+\s+|\s+[-\u2013\u2014]+\s+|\s*[\u2013\u2014]\s*|\s+(?={_WHY} )", re.I)
#: Where things are that were named before: "I've found two painkillers, they're on table B."
_PLACED = re.compile(
    r"(?:and )?(?:they|it|both|all)(?:'re|'s| are| is) (?:all |both )?(?:on|at|in|under|behind|next to) ", re.I
)
_CLAUSE = re.compile(r"[,;.!]\s+|(?<=\?)\s+|\s[-\u2013\u2014]+\s")
MOST_BREAKS = 8  # at which a reason, or a clause of it, is looked for
_LEAD = re.compile(
    rf"\W*(?:(?:{_WHY}|sorry|you see|look|please|and|but|honestly|really|right now|just now)[\s,]+)*", re.I
)
_IS = (
    r"(?:is|are|am|was|were|has|have|had|do|does|did|will|would|can|could|must|might|isn't|aren't|wasn't|weren't|hasn't|"
    r"haven't|hadn't|doesn't|don't|didn't|won't|wouldn't|can't|cannot|couldn't|needs?|wants?|'s|'re|'m|'ve|'ll|'d)"
)
_ONE = (
    r"(?:i|we|he|she|they|it|that|this|there|these|those|somebody|someone|something|people|nobody|no one|everybody|"
    r"everyone|nothing|anything|anybody|anyone|everything|children|kids|visitors)"
)
_MY = r"(?:the|an?|my|our|his|her|their|your|its|some|two|three|this|that|these|those|another|one of [a-z]+)"
_PAST = (
    r"(?:came|went|fell|left|lost|broke|ran|got|took|forgot|found|felt|said|saw|made|began|gave|put|cut|hurt|sat|stood|"
    r"slept|spilt|spoke|threw|woke|hung|held|kept|brought|caught|stuck|rang|burst|blew|bled|shut|swam|tore|bit|hit)"
)
_NOW = r"(?:need|want|have|play|come|go|look|feel|live|sleep|eat|work|get|hate|keep|lie|sit|stand|walk|pass|cross|wait)"
_VERB = rf"(?:{_IS}|{_PAST}|{_NOW}|[a-z]{{2,}}(?:ed|s))\b"
#: Somebody or something, and what they do or are; or what is so, without a verb.
_TOLD = re.compile(
    rf"{_ONE}(?:'\w+|(?: all| just| both| really| still| also| only| almost| nearly| never| always)* [a-z']{{2,}})\b.*|"
    rf"(?:{_MY} )(?:[\w'-]+ ){{1,5}}?{_VERB}.*|{_MY} [\w-]+(?:'s|'re) .+|"
    rf"(?:[\w'-]+ ){{1,3}}?(?:is|are|was|were|has|have|had|isn't|aren't|hasn't|haven't|needs?|wants?|just)\b .+|"
    r"(?:[a-z']+ ){1,3}[a-z]{2,}ing\b.*|"
    r"(?:too|not|no|nearly|almost|still|wet|slippery|fresh) (?!that\b|this\b|it\b|one\b|so\b|him\b|there\b|here\b)"
    r"[a-z]+\b.*|you (?:are|look|seem|'re|scare|scared|frighten|make|made|woke)\b.+|you're .+",
    re.I | re.S,
)
#: What is asked, or what somebody is to do.
_ASKS = re.compile(
    r"\W*(?:(?:and|but|so|then|please|just)[\s,]+)*(?:who|what|where|why|how|which|when|is|are|was|were|do|does|did|don't|"
    r"can|could|would|will|should|shall|may|has|have|if|unless|whether|then|instead|rather|let|let's|take|bring|use|put|"
    r"go|try|make|get|give|send|keep|tell|ask|show|open|close|shut|deliver|pack|start|continue|leave|turn|move|pick|drop|"
    r"check|find|look|listen|say|call|help|come|wait|stop|halt|add|remove|fetch|load|carry|cancel|pause|resume|forget)\b",
    re.I,
)
_SHOULD = r"(?:should|must|shall|ought to|has to|have to|needs to|can|could|may) (?!not\b|see\b|hear\b)\w+"
_WRONG = re.compile(
    r"\b(?:wrong|mistaken?|incorrect|not (?:right|correct|true|what|it|that|the one)|isn't (?:right|it|what|true)|"
    r"instead|rather|i (?:meant|mean)\b|changed my mind|nearer|closer|faster|better|quicker|"
    r"the other one|i (?:did not|didn't|never) (?:say|mean|ask|want|order)|question|enough|"
    r"(?:is|was) (?:right|correct|meant))\b",
    re.I,
)
_WANTS = (
    r"(?:want|wants|wanted|need|needs|needed|meant|means?|said|says?|ordered|asked for|prefers?|like|likes|forgot|took|"
    r"take|takes|use|bring|send|be|(?:room|table|place|door|kit|one)(?: is| was)|"
    r"(?:it|that|this|they)(?:'s| is| are| was| were|'re)?(?: (?:goes|going|go|belongs?|"
    r"meant) (?:to|for|in|on))?)"
)
#: What nobody wants is a reason: "They don't need it in alpha any more."
_UNWANTED = re.compile(
    r"\b(?:(?:do|does|did|will|would)(?: not|n't) (?:need|want|require|use)|no longer (?:needs?|wants?|requires?))\b.*",
    re.I,
)
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|half)"
_SMALL = rf"(?:(?:to have|for|at|in|on|the|an?|some|another|only|just|about|of|my|our|more|{_NUMBER}) )*"
_COUNT = rf"{_NUMBER}(?= more\b| of\b| instead\b|\W*$)"


def apart(text: str) -> Iterator[tuple[str, str]]:
    """Where a reason may begin: what stands before it, with its mark, and what is told."""
    for found in itertools.islice(_BREAK.finditer(text), MOST_BREAKS):
        what, told = text[: found.start()].strip(), text[found.end() :].strip()
        if what and told:
            yield what + next((mark for mark in "?!" if mark in found[0]), "."), told


def behind_reason(told: str, vocabulary: Vocabulary, waits: bool = True) -> str | None:
    """What is said behind a reason and is none, or all of it, where it is a known fact or names things; None where
    there is no reason. `waits`: before it stands a mere wait, after which people put right what they said."""
    short = _short(told)
    if not _TOLD.match(short):
        return None
    ends = [0, *(x.end() for x in itertools.islice(_CLAUSE.finditer(short), MOST_BREAKS)), len(short)]
    for begin, end in itertools.pairwise(ends):
        if not _is_told(short[begin:end], vocabulary, waits):
            placed = _PLACED.match(short[begin:]) and heard_of(short[:begin], vocabulary, False).of("item", "kit")
            return short if placed else short[begin:] if begin else None
    known = all(isinstance(x, m.Tell) for x in understand(short, vocabulary, ()))
    return short if known or heard_of(short, vocabulary, False).of("item", "kit", "caddy") else ""


def is_reason(told: str, vocabulary: Vocabulary, waits: bool = True) -> bool:
    """Whether a reason is told, and nothing else."""
    return behind_reason(told, vocabulary, waits) in ("", _short(told))


def _short(told: str) -> str:
    found = _LEAD.match(told)
    return told[found.end() :] if found is not None else told


def _is_told(clause: str, vocabulary: Vocabulary, waits: bool) -> bool:
    if "?" in clause or _ASKS.match(clause):
        return False
    if puts_right(clause, vocabulary, waits):
        return False
    return all(_only_told(x) for x in understand(clause, vocabulary, ()))


def _only_told(found: Meaning | m.Unclear) -> bool:
    return isinstance(found, (m.Tell, m.Unclear)) or (isinstance(found, m.Things) and bool(found.unknown))


def puts_right(clause: str, vocabulary: Vocabulary, waits: bool = True) -> bool:
    """Whether a clause says what somebody wants, or behind a mere wait that something is wrong, rather than why."""
    wrong = _WRONG.search(clause) if waits else None
    clause = _UNWANTED.sub("", clause)
    return (wrong or _wanted(*_names(vocabulary)).search(clause)) is not None


def _names(vocabulary: Vocabulary) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(vocabulary.phrases), tuple(vocabulary.names("robot"))


@lru_cache(maxsize=16)
def _wanted(phrases: tuple[str, ...], robots: tuple[str, ...]) -> re.Pattern[str]:
    """What somebody wants, by its name or number; and what robots are to do."""
    names = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or r"(?!)"
    whom = "|".join(("you", *map(re.escape, robots)))
    return re.compile(
        rf"^\W*{_NUMBER} (?:is|are|will|would)\b|"
        rf"\b{_WANTS} {_SMALL}(?:{names}|{_COUNT})\b|\b(?:{whom}) {_SHOULD}|\b(?:it|that|they) should\b",
        re.I,
    )


#: What is to rest, in words that the grammar does not have; and in its own.
_RESTS = re.compile(
    r"^\W*(?:(?:please|ok|okay|no|just|and|but)[\s,]+)*(?:let(?:'s| us)(?: just| please| rather)* (?:wait|hold off|"
    r"hang on|hold on) (?:with|on) (?P<what>.+?)|(?:let|leave) (?P<it>it|that|this|(?:the|my|our|that|this) .{2,40}?) "
    r"(?:rest|wait|lie|be|sit|stand|for now|for the moment|for later)(?: (?:for now|for the moment|"
    r"(?:for )?a (?:bit|while|"
    r"moment|minute|little|second)|please|first))*|(?:hold|keep) (?P<held>(?:the|my|our|that|this) .{2,40}?) back|"
    r"(?:let(?:'s| us) |we (?:can|could|should|will) |we'll )?(?:rather )?(?:do|see to|bring|deliver|get|"
    r"postpone) (?P<late>"
    r"(?:the|my|our|that|this) .{2,40}?) (?:later(?: on)?|another time|some other time))[\s.!]*$",
    re.I,
)
#: What somebody would do with an order, rather than robots.
_WE = re.compile(
    r"^\W*(?:(?:i think|maybe|perhaps|sorry|so|ok|okay)[\s,]+)*(?:we|i) (?:really |just )?(?:need|have|want|"
    r"ought|would like|"
    r"will have|'d like|'ll have|should|must|had better|better)(?: to)? (?=(?:put|hold|pause|postpone|cancel|call) )",
    re.I,
)
#: An order by where it goes; and why nobody needs it there.
_FOR = re.compile(
    r"^(?P<off>\W*(?:please )?)(?:drop|skip|cancel|scrap) (?P<what>(?:the|my|our|that) .{2,40}?) for (?=\w)", re.I
)
_GONE = re.compile(
    r"\b(?:moved|gone|left|discharged|died|dead|transferred|sent home|went|not there|cancell?ed|any ?more|no longer|"
    r"not need(?:ed)?|n't need|unneeded|wrong|recovered|well again|sorted|solved)\b",
    re.I,
)


def to_rest(text: str, vocabulary: Vocabulary) -> str:
    """What is to rest, to be called off or not to be now, without the reason behind it and in plain words; a sentence
    as it was where it says something else, or is read as it stands."""
    if all(isinstance(x, Meaning) for x in understand(text, vocabulary, ())):
        return text
    for what, told in ((text, ""), *apart(text)):
        if _GONE.search(told):
            what = _FOR.sub(r"\g<off>cancel \g<what> to ", what)
        plain = _RESTS.sub(lambda f: f"pause {f['what'] or f['it'] or f['held'] or f['late']}.", _WE.sub("", what))
        if _rests(plain, plain != what, vocabulary) and (not told or is_reason(told, vocabulary, waits=False)):
            return plain
    return text


def _rests(plain: str, changed: bool, vocabulary: Vocabulary) -> bool:
    read = understand(plain, vocabulary, ())
    steer = read[0] if len(read) == 1 else None
    named = isinstance(steer, m.Steer) and steer.how in ("pause", "cancel") and not m.only_waits(steer)
    return named or (changed and isinstance(steer, m.Steer)) or steer == m.Refuse(m.LATER)
