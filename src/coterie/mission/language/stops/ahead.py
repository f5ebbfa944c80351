"""What people say in front of a plea: a courtesy ("Excuse me, would you mind waiting?"), and why or how long ("While I
get by, please wait.", "My mom is on crutches, so please wait.")."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from coterie.mission.language.heard import heard_of
from coterie.mission.language.stops.bodies import HOLDS, HUMAN, KIND
from coterie.mission.language.stops.reasons import MOST_BREAKS, apart, is_reason, to_rest
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

_ASK = r"(?:must|have to|need to|would like to|'d like to|want to|am going to have to|'m going to have to)"
#: Words that say nothing but that somebody is spoken to, or is begged.
_COURTESY = re.compile(
    r"^\W*(?:(?:excuse me|pardon(?: me)?|(?:pardon|excuse|forgive) (?:me|the \w+|my \w+)|(?:i am |i'm )?(?:so |"
    r"very |terribly )?sorry(?: to (?:bother|interrupt|disturb|"
    r"trouble|be a (?:pain|bother))(?: you(?: all)?)?)?|(?:i am|i'm) (?:talking|speaking) to you|(?:i am|i'm) afraid"
    r"(?: that)?|i hate to (?:ask|interrupt|be a bother)|if you (?:do not|don't) mind|if it is not too much trouble|"
    r"with (?:all )?(?:due )?respect|i know (?:you are|you're) (?:\w+ )?busy|i mean|hi|hello|hi there|hello there|"
    r"good (?:morning|afternoon|evening)|do me a favou?r(?: and)?|my dear|(?:dear |you )?(?:robots|guys|folks))\b"
    rf"(?:\s*[,;:.!]+|\s+[-\u2013\u2014]+)?\s*(?:but |and )?|(?:i|we)(?: really| just)? {_ASK} (?:ask|beg|request) you"
    r"(?: all| both| guys)? to )+(?=\w)",
    re.I,
)
#: A wish in the form of a condition: "If you could stop for a bit, that'd be great."
_IF_YOU = re.compile(
    r"^\W*if (?P<who>you|they|(?:the|these|those|your) (?:robots|machines))(?: all| guys| two)? (?:could|would|can|"
    r"might)(?P<what>[^,;.!?]{4,80}?),? (?:that|it|this)(?:'d| would| will|'ll) be (?:\w+ )?(?:great|nice|good|lovely|"
    r"kind|helpful|appreciated|wonderful|perfect|super|fantastic|ideal|best)\b(?P<more>.*)",
    re.I | re.S,
)
_IF_MIND = re.compile(
    r"^\W*if you (?:wouldn't|would not|do not|don't) mind (?P<what>\w+ing\b[^,;.!?]{0,60}),? (?:that|it|"
    r"this)(?:'d| would) be \w+"
    r"[\s.!]*$",
    re.I,
)
_MAY_I = re.compile(
    r"^\W*(?:(?:may|might|could|can) (?:i|we) (?:ask|beg|get) (?P<who>you|everybody|everyone)(?: all| guys)? to|"
    r"would you be (?:a "
    r"(?:dear|darling|sweetheart)|an angel|so (?:kind|nice)) (?:and|as to)) ",
    re.I,
)
#: A word with which a plea begins, behind what stands in front of it.
_PLEA = (
    r"(?:(?:please|just|everybody|everyone|robots|all of you|now|quick|kindly|you|can|could|would|will|must|should|"
    r"better|have|need|to|let's|let|get|keep|put|leave|make|tell|don't|do not|do|nobody|no robots?|stop|halt|freeze|"
    r"wait|hold|hang|pause|stand|stay|cease|stp|interrupt|take|not|back|forget|cancel|drop|skip|call|scrap|i|we|spare)"
    r"\b|NAMES)"
)
#: One of which is in any plea.
_RESTING = re.compile(
    r"\b(?:stop|halt|freez|wait|hold|hang|paus|still|stay|stand|put|ceas|move|moving|interrupt|break|rest|off|first|pass|"
    r"let|by|past|through|nobody|no one|no robots?|enter|leave|forget|cancel|drop|skip|scrap|later|do not|don't|"
    r"not|back|stp)",
    re.I,
)
_SO = r"(?:(?:so|and|therefore|hence|thus)[\s,]+)?"
_WHILE = re.compile(
    r"\W*(?:before|while|whilst|until|till|as long as|because|since|as|seeing(?: that| as)?|given(?: that)?|now that|"
    r"considering(?: that)?)\s+(?P<told>.+)",
    re.I | re.S,
)
#: Who or what passes: it does so now, if somebody pleads to wait when it does.
_PASSER = (
    r"(?:i|we|he|she|they|people|somebody|someone|everybody|(?:the|a|an|my|our|this|that|these|those|some) "
    rf"(?:\w+ )?{KIND}(?:{HUMAN}|{HOLDS}|trolley|gurney|ambulance|ward round|funeral|children|people|porter|surgeon)s?)"
)
_PASSES_BY = re.compile(
    rf"\W*(?:when|as) {_PASSER}(?: (?:is|are|am|has to|have to|needs? to|want to|wants to|must|just|all))* "
    r"(?:com(?:es?|ing)|go(?:es|ing)?|pass(?:es|ing)?|cross(?:es|ing)?|walk(?:s|ing)?|get(?:s|ting)?|squeez(?:es?|ing)|"
    r"run(?:s|ning)?)(?: (?:by|past|through|along|out|in|over|here|there|this way|you|the \w+))+",
    re.I,
)
#: What is not to come to pass: "Before you hurt somebody, stop!"
_ELSE = re.compile(
    r"\W*before (?:(?:you|it|they|the robots?|somebody|someone|any\w+) )?(?:\w+ )?(?:gets? (?:hurt|run over|"
    r"killed)|hurts?|"
    r"hits?|kills?|runs? (?:over|into)|crash(?:es)?|breaks?|crush(?:es)?|knocks?|trips?|falls?|happens?)\b.*",
    re.I,
)
#: Why, without a verb: "Due to the fire drill, please stop."
_DUE = re.compile(
    r"\W*(?:given|due to|owing to|because of|in view of|considering|after what|for (?:safety|your own good|"
    r"everybody's sake|"
    r"the sake of)|with (?:all|so many|these|those|people|children|patients|visitors))\b[^?]{0,60}",
    re.I,
)
#: What is told of words, of another time, or of what robots are to do first.
_SAID = re.compile(r"\b(?:said|says?|told|tells?|asked)\b", re.I)
_SPOKEN = re.compile(
    r"\b(?:said|says?|told|tells?|shout(?:ed|s)?|cried|cries|yell(?:ed|s)|wrote|writes|reads?|called|means?|asked|"
    r"yesterday|tomorrow|last|if|when|whenever|unless|then|always|usually|never|would|i want|i need|i'd like)\b",
    re.I,
)
_BREAK = re.compile(rf"\s*[,;:.!]+\s+{_SO}|\s+[-\u2013\u2014]+\s+{_SO}|\s*[\u2013\u2014]\s*{_SO}|\s+so\s+", re.I)


def uncourteous(text: str) -> str:
    """A sentence without the courtesy in front of it; as it was where there is none."""
    mind = _IF_MIND.match(text)
    if mind is not None:
        return f"would you mind {mind['what']}?"
    text = _MAY_I.sub(lambda f: f"could {f['who'] or 'you'} ", text)
    wish = _IF_YOU.match(text)
    if wish is not None:
        more = wish["more"].strip()
        return f"could {wish['who']}{wish['what']}" + (more if more[:1] in ",.;:!?" else f", {more}" if more else "?")
    return _COURTESY.sub("", text)


@lru_cache(maxsize=16)
def _pleading(robots: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(_PLEA.replace("NAMES", "|".join(map(re.escape, robots)) or r"(?!)"), re.I)


def behind_front(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """Where a plea may stand behind why or how long: what is told there, and the rest of the sentence."""
    begins = _pleading(tuple(vocabulary.names("robot")))
    for found in itertools.islice(_BREAK.finditer(text), MOST_BREAKS):
        front, rest = text[: found.start()].strip(), text[found.end() :].strip()
        pleads = begins.match(rest) and _RESTING.search(rest)
        so = re.search(r"\bso\b", found[0], re.I)  # "The nurse says it is not safe, so wait."
        if front and pleads and _explains(front, vocabulary, so is not None):
            yield _told_in(front), rest


def _told_in(front: str) -> str:
    found = _WHILE.fullmatch(front)
    return found["told"] if found is not None else front


def _explains(front: str, vocabulary: Vocabulary, so: bool) -> bool:
    """Whether a clause tells why, how long, or that somebody passes: a rule for robots, or for later, does not, nor
    does what somebody said, unless a `so` stands behind it."""
    if any(x.fullmatch(front) for x in (_PASSES_BY, _ELSE, _DUE)):
        return True
    told = _told_in(front)
    if _SPOKEN.search(_SAID.sub("", told) if so else told) or "?" in told:
        return False
    return forbidden(told, vocabulary) or is_reason(told, vocabulary, waits=False)


def forbidden(told: str, vocabulary: Vocabulary) -> bool:
    """Whether nobody is to go somewhere: "Nobody enters alpha, so wait." """
    read = understand(told, vocabulary, ())
    return len(read) == 1 and isinstance(read[0], m.Zone) and read[0].holds


_NOT_NOW = re.compile(
    r"\W*(?:(?:please|no|sorry|hey|oh|robots|guys|team|everybody|everyone)\W+)*(?:not (?:right )?now|"
    r"not (?:in )?here|(?:do not|"
    r"don't) (?:start|begin)(?: it| that| anything)? (?:yet|now|just yet))"
    r"(?:\W+(?:please|thanks|thank you|robots|guys|everybody|everyone))*\W*",
    re.I,
)


def not_now(text: str, vocabulary: Vocabulary) -> bool:
    """Whether somebody says "not now", "not here" or "don't start yet", with a reason behind it or without."""
    told = any(_NOT_NOW.fullmatch(x) and is_reason(why, vocabulary, waits=False) for x, why in apart(text))
    return told or _NOT_NOW.fullmatch(text) is not None


def resting(text: str, vocabulary: Vocabulary) -> str:
    """What is to rest or to be called off, without the reason around it; a sentence as it was where it is none."""
    plain = to_rest(text, vocabulary)
    if plain != text or text.endswith("?"):
        return plain
    for told, rest in behind_front(text, vocabulary):
        read = understand(short := to_rest(rest, vocabulary), vocabulary, ())
        steer = read[0] if len(read) == 1 else None
        named = isinstance(steer, m.Steer) and (steer.what or not heard_of(told, vocabulary, False).of("item", "kit"))
        if named and isinstance(steer, m.Steer) and steer.how in ("pause", "cancel"):
            return short
    return text
