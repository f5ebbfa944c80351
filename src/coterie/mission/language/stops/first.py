"""A plea to stop that a sentence begins with, whatever it goes on with: "Stop and tell me what is going on."."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from coterie.mission.language.calm import unneeded
from coterie.mission.language.heard import heard_of
from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.smooth import smooth
from coterie.mission.language.stops.ahead import behind_front, forbidden, uncourteous
from coterie.mission.language.stops.bodies import HUMAN, KIND
from coterie.mission.language.stops.callings import CALLED
from coterie.mission.language.stops.closing import not_from
from coterie.mission.language.stops.cries import alarmed, without_oaths
from coterie.mission.language.stops.harm import in_danger
from coterie.mission.language.stops.reasons import apart, behind_reason, is_reason, puts_right
from coterie.mission.language.stops.still import SPAN, cried, plea
from coterie.mission.language.stops.unmeant import unmeant
from coterie.mission.language.stops.waits import asked_to_wait
from coterie.mission.language.understand import understand
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

_SAID = r"(?:i|we) (?:said|say|repeat|told you(?: to)?|tell you(?: to)?|am telling you to|asked you to)"
#: That somebody holds that robots should stop, or that somebody else wants it.
_WISH = (
    r"(?:i|we) (?:really |do |just |would )?(?:think|believe|guess|suppose|feel|reckon|insist|demand|suggest|"
    r"request|say)"
    r"(?: that)?(?= (?:you|it|this|that|they|everybody|everyone|everything|all|the|these|robots?|NAMES)\b)|"
    r"(?:he|she|they|(?:the|my|our|this|that) \w+(?: \w+)?|everybody|everyone|somebody|someone|people|we all|i|we)"
    r"(?: all| really| also| both)* (?:wants?|needs?|asks?|begs?|urges?|orders?|would like|prefers?|(?:am|is|"
    r"are) (?:asking|"
    r"begging|telling|ordering|warning|urging)) "
    r"(?:you|it|them|this|that|everything|everybody|everyone|the robots?|the machines?|NAMES)(?: all| both| guys|"
    r" now)* to|"
    r"(?:you|they|it) (?:are|is) (?:supposed|meant|ordered|asked|requested|required) to|"
    r"(?:it|they|this|that|these|(?:the|these|those|that|this|your) (?:robot|thing|machine|dog)s?)"
    r"(?= (?:must|should|ought|had better|has to|have to|needs? to|better)\b)|it is time (?:for (?:you|them|it) )?to|"
    r"make (?:it|them|him|her|that thing|this thing|NAMES)|(?:can|could|would|will) (?:somebody|"
    r"someone)"
)
_BEFORE = (
    rf"{_SAID}|{_WISH}|do(?:n't| not)(?=\s*[,!.])|{CALLED}|kindly|right|sorry|listen|look out|"
    r"you(?: all| guys| two| both)?|"
    r"(?:can|could|would|will) (?:you|everybody|everyone)(?: all)?(?: please)?|"
    r"(?:must|should|ought to|had better|better|have to|has to|need to|needs to)|"
    r"(?:i|we) (?:need|want|beg|ask|urge) (?:you(?: all| both| two| guys)?|everybody|everyone|them) to|"
    r"i would like you(?: all)? to"
)
_OBJECT = (
    r"it|that|this|everything|all|all of it|all (?:the )?robots|the robots|robots?|everybody|everyone|you|all of you|"
    r"moving|working|driving|rolling|walking|doing (?:it|that|this|anything|everything)|"
    r"all (?:movements?|motion|activit(?:y|ies)|operations?|traffic|machines|units|systems|driving|action)|"
    r"(?:that|this|the|those|these|your) (?:\w+ )?(?:thing|machine|robot|dog)s?|"
    r"(?:doing )?what(?:ever)? (?:you|they|it) (?:are|is) doing|all work|work|the work"
)
_HOW = (
    r"now|right now|right there|right here|right away|there|here|please|immediately|at once|instantly|dead|"
    r"(?:right |exactly |just )?where (?:you|they|it) (?:are|is)|for now|"
    rf"{SPAN}|i said|will you|would you"
)
_STOP = r"(?:stop|halt|freeze|cease)(?:[\s,!]+(?:stop|halt|freeze))*|emergency stop"
_STILL = (
    r"(?:stand|stay|keep|hold|remain) (?:quite |perfectly |very )?still|(?:stay|remain) (?:right )?put|hold it|"
    rf"(?:stay|remain|stand) (?:right |exactly |just )?where (?:you|they) are|{DO_NOT} move"
)
_WAIT = (
    r"wait with (?:the |that |this |my |all )?(?:delivery|deliveries|orders?|work|task|it|that|this|everything)|"
    r"(?:just )?(?:a|one|two|half a) (?:moment|second|sec|minute|tick)s?|"
    r"wait|hold off|hold fire|hold on|hang on|hold up|stay|stay (?:right )?(?:here|there)|stand by"
)
#: What the rest of a sentence begins with. A stop holds until somebody says continue, so "until" changes nothing.
_AND = (
    r"(?:\s*[,;:]\s*|\s+[-\u2013\u2014]+\s*|\s*[\u2013\u2014]\s*)(?:and |then |but )*|\s+(?:and|then|but)(?: then)?\s+"
)
_UNTIL = (
    r"(?:\s*,)?\s+(?P<until>until|till|while|as long as|before|because|so that|so|since|or|"
    r"except(?: for)?|apart from|other than)\s+"
)
_END = r"\s*[.!?]+\s*|\s*$"
#: What is no stop now after all: told of somebody, put off, or bound to something.
_NOT_NOW = re.compile(
    r"(?:(?:did|does|do|has|have) )?(?:he|she|they|you|it|somebody|someone|the \w+)(?: \w+)? "
    r"(?:sa(?:id|ys?)|shout(?:ed|s)?|cried|cries|told|called|yelled|wrote)\b|"
    r"(?:if|when|whenever|once|after|unless|as soon as|in case|later|tomorrow|only|not|never)\b",
    re.I,
)
#: What follows a stop and says nothing more.
_IDLE = re.compile(
    r"(?:(?:and|then|please|just|now|to me|all of you|everybody)\W*)*(?:(?:listen|look|see|think|relax|breathe|"
    r"calm down|be careful|be quiet|pay attention|thanks|thank you|please|now|watch out)"
    r"(?: to me| carefully| here)?\W*)*",
    re.I,
)


#: What is not to be done before something else.
_PUT_OFF = re.compile(
    rf"\W*(?:please )?(?P<what>{DO_NOT} .{{3,80}}?)"
    r"(?:,? (?:until|till|before|unless) .+|(?P<yet>(?: just)? yet)[\s.!]*)",
    re.I | re.S,
)


#: What is not to be done with a thing of an order, so that what needs it rests.
_PACKED = re.compile(rf"{DO_NOT} (?:pack|take|fetch|load|pick up|grab|use|touch|move|get|collect|unpack|open) ", re.I)
#: What is to rest as long as something else is so; what is to be done then is an order.
_WHILE = re.compile(r"\W*(?P<what>.{6,80}?),? (?:until|till|while|as long as) (?!.*\b(?:and|then)\b)[^?]+", re.I | re.S)


#: Why everybody is to wait: somebody or something comes by, or lies there.
_PASSES = re.compile(
    r"(?:(?:for|because|since|as) )?(?:(?:the|a|an|my|our|this|that|some|two|there is|there's|i am|i'm|we are|"
    r"we're|let) )*"
    r"(?:[\w']+ ){0,3}(?:(?:is|are|has to|have to|need to|needs to|wants to|must|got to) )?(?:coming|come|passing|pass|"
    r"crossing|cross|get (?:by|past|through|out)|going (?:by|past|through)|through|by here|on the (?:floor|ground)|"
    r"in (?:the|my|your|our) way|behind you|in front of (?:you|it)|underneath|wet|slippery|fell|falling|clean(?:ing)?|"
    r"mopp?(?:ing)?|not safe|dangerous|stuck|hurt)\b(?!.*\?)|"
    rf"(?:there is |there's |there are |i see )?(?:somebody|someone|people|children|kids|(?:a|an|the|my|some) "
    rf"{KIND}(?:{HUMAN}))"
    r"\b(?!.*\?)",
    re.I,
)


#: A plea in the form of a question.
_MILD = re.compile(
    r"^\W*(?:please[\s,]+)?(?:(?:(?:would|do|will) you |you )?mind |how about |what about )(?:please |just |all )*"
    r"(?P<verb>stop|halt|paus|wait|hold|hang|freez|stand)p?ing\b|"
    r"^\W*why (?:don't|do not|won't) (?:you|we)(?: all| just| please| simply)* (?=(?:stop|halt|wait|freeze)\b)",
    re.I,
)
_WHOLE = {"paus": "pause", "freez": "freeze"}
#: A stop of something that is told rather than named: "Stop the one to beta.", "Stop driving that cart."
_OF = (
    r"(?:the|that|this|those|these|my|your|his|her|our|their|its|all|any|every|each|both|whoever|whatever|what|him|"
    r"them)\b"
)
#: What robots do; to stop asking is no stop of what moves.
_DOING = r"(?!(?:ask|tell|say|repeat|remind|talk|mention|greet)ing\b)[a-z]{2,}ing\b"
_NO_STOP = re.compile(
    r"\b(?:if|when|whenever|unless|as soon as|in case|once|later|tomorrow|tonight|after|before|next time|lesson|"
    r"teaching|from|at (?:noon|midnight|night)|in \w+ minutes)\b",
    re.I,
)
#: What begs in the form of a question.
_REQUEST = re.compile(r"(?:[\w' ]{1,30}[,:] )?(?:can|could|would|will|won't) ", re.I)
#: What nobody is to touch.
_TOUCH = re.compile(
    rf"\W*(?:please[\s,]+)?(?:{DO_NOT}|{NOBODY})(?: (?:you|dare|even|to|is to|may|should|must|any of you))* "
    r"(?:touch(?:es)?|grabs?|lays? (?:a |your )?(?:hands?|fingers?) on) .+",
    re.I | re.S,
)
#: A reason behind what is not to be done.
_REASON = re.compile(
    r"(?P<what>[^,;.!]{6,80}?)(?:\s*[,;.!:\u2013\u2014-]+\s+|,?\s+(?=because|since|as)\b)(?:(?:because|since|as|for) )?"
    r"(?P<why>(?:the|an?|there|it|i|we|he|she|they|somebody|someone|people|this|that|my|our|his|her|their|some)\b.+)",
    re.I | re.S,
)

#: A stop at the end, for whom is not plain; and what makes it one that is told, or put off.
_ENDS = re.compile(
    r"(?P<head>.*)(?:[,;:]|\b(?:rest|others?|remaining ones?|everybody else|everyone else|everybody|everyone)(?: of "
    r"(?:you|them))?(?: (?:should|must|has to|have to))?)\s*(?:please )?(?:stop|halt|freeze)"
    rf"(?: (?:{_OBJECT}))?(?: now| please| at once)*\s*[.!]+",
    re.I | re.S,
)
_TOLD = re.compile(
    r"\b(?:i|we|he|she|they)\b(?!.*[,;:]\s*$)|"
    r"\b(?:if|when|whenever|once|after|unless|before|until|till|said|says|told|tells|tomorrow|later|why|who|what|how|"
    r"never|without|bus|next|don't|do not)\b",
    re.I,
)


class First(NamedTuple):
    """What a sentence begins with: a stop, a plea to wait, or that the order of one thing is to stop (`of`); the
    rest, as an utterance of its own; what it leaves out, which stops all the same (`but`); and the plea without the
    reason behind it (`alone`), which may be something else where a lesson asks."""

    meaning: Meaning
    rest: str = ""
    of: str = ""
    but: str = ""
    alone: str = ""


def ready(vocabulary: Vocabulary) -> None:
    """Make the patterns for these names before anybody needs them: a stop must not wait for a quarter of a second."""
    for said in ("Stop!", "Could you wait?", "Wait, I am here."):
        stop_first(said, vocabulary)


def stop_first(sentence: str, vocabulary: Vocabulary) -> First | None:
    """The plea that a sentence begins with, and what is said behind it. None where a sentence does not begin so, and
    where it is read as it stands."""
    first = _begins(sentence, vocabulary) or _waits(sentence, vocabulary)
    return first or _behind_courtesy(sentence, vocabulary) or _behind_front(sentence, vocabulary)


def _behind_courtesy(sentence: str, vocabulary: Vocabulary) -> First | None:
    """ "Excuse me, would you mind waiting?": what it is without the courtesy."""
    short = uncourteous(sentence)
    if short == sentence or unmeant(sentence) or _all_read(sentence, vocabulary):
        return None
    first = stop_first(short, vocabulary)
    if first is None:
        plain = _plea_before(short, vocabulary)
        return First(plain) if plain is not None else None
    return first


def _behind_front(sentence: str, vocabulary: Vocabulary) -> First | None:
    """ "While I get by, please wait.": the plea, and what was told before it where it is a fact."""
    text = " ".join(without_oaths(sentence).split())
    if unmeant(text) or text[:1] in "\"'\u201c\u2018":
        return None
    for told, rest in behind_front(text, vocabulary):
        if text.endswith("?") and not _REQUEST.match(rest):
            continue
        first = stop_first(rest, vocabulary)
        meaning = first.meaning if first is not None else _plea_before(rest, vocabulary)
        if meaning is None or (first is not None and (first.of or first.but)) or _all_read(text, vocabulary):
            continue
        fact = told if forbidden(told, vocabulary) else behind_reason(told, vocabulary, waits=False) or ""
        return First(meaning, (first.rest if first is not None else "") or fact, alone=rest)
    return None


def _begins(sentence: str, vocabulary: Vocabulary) -> First | None:
    if in_danger(sentence, vocabulary):
        return First(m.Stop())
    if unmeant(sentence) or _unneeded(sentence, vocabulary):
        return None
    if alarmed(sentence):
        return First(m.Stop(), "help" if "help" in sentence.lower() else "")
    cry = cried(sentence, vocabulary)
    if cry is not None:
        return First(cry)
    sentence = without_oaths(sentence)
    text = " ".join(sentence.split())
    mild = _MILD.match(text)
    if mild is not None:
        verb = (mild["verb"] or "").lower()
        text = f"could you {_WHOLE.get(verb, verb)} ".rstrip() + " " * (not verb) + text[mild.end() :]
    text = re.sub(r"\b(you|they|we|what|that|it|i)'(re|s|m|d)\b", _full, text, flags=re.I)
    later = _not_until(text, vocabulary) or _rests_until(text, vocabulary) or _stop_last(text, vocabulary)
    if later is not None:
        return later
    robots = {r.lower(): r for r in vocabulary.names("robot")}
    names = "|".join(map(re.escape, robots)) or r"(?!)"
    behind = _stop_behind(text, names, robots, vocabulary)
    if behind is not None:
        return behind
    several = rf"(?:{names})(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:{names}))*\b"
    things = {p: n for p, (kind, n) in vocabulary.phrases.items() if kind in ("item", "kit")}
    thing = "|".join(map(re.escape, sorted(things, key=len, reverse=True))) or r"(?!)"
    order = (
        rf"(?:with )?(?:(?:the|my|that|this) )?(?:(?:order|delivery) (?:of|for|with) (?:a |an |the )?)?(?P<of>{thing})"
    )
    head = (
        rf"\W*(?P<before>(?:(?:{_BEFORE.replace('NAMES', names)}|{several})[\s,!.:]+)*)"
        rf"(?P<plea>(?P<hard>(?:{_STOP})(?: {order}(?: (?:order|delivery))?)?|{_STILL})|{_WAIT})\b"
        rf"(?P<whom>(?:[\s,]+(?:{_OBJECT}|{several}))?)(?P<how>(?:[\s,]+(?:{_HOW}|{several}))*)"
    )
    found = re.match(rf"{head}(?P<join>{_UNTIL}|{_AND}|{_END})(?P<rest>.*)", text, re.I | re.S)
    if text[:1] in "\"'\u201c\u2018":
        return None
    if found is None:
        return _stop_of(text, things, vocabulary) or _not_to_be(text, vocabulary)
    requested = re.search(r"\b(?:can|could|would|will) ", found["before"], re.I) is not None
    doubted = re.match(r"\W*(?:should|must|ought|have|has|need)", found["before"], re.I) is not None
    either = (found["until"] or "").lower() == "or"
    asked = text.endswith("?") and (doubted or either or not found["rest"]) and not requested
    weak = found["hard"] is None
    begs = (
        rf"{_SAID}|\b(?:needs?|wants?|begs?|asks?|urges?|like|asking|begging|think|believe) (?:you|everybody|everyone)"
    )
    said = mild is not None or re.search(begs, found["before"], re.I) is not None
    if asked or _NOT_NOW.match(found["rest"]):
        return None
    waits = (found["until"] or "").lower() in ("until", "till", "while", "as long as")
    if weak and waits and re.search(r"\b(?:and|then)\b", found["rest"], re.I):  # "and then put a box on it" is an order
        return None
    passes = weak and _PASSES.match(found["rest"]) is not None and not _all_read(found["rest"], vocabulary)
    joined = re.search(r"\band\b", found["join"], re.I)
    if weak and not (said or waits or passes or joined):  # "Wait, two." puts something right
        return None
    if (found["until"] or "").lower() == "before" and _place_next(found["rest"], vocabulary):
        return None
    called = found["before"] + found["whom"] + found["how"]
    who = tuple(dict.fromkeys(robots[x.lower()] for x in re.findall(rf"\b(?:{names})\b", called, re.I)))
    meaning: Meaning = m.Steer("pause", robots=who) if weak else m.Stop(who)
    rest = "" if found["until"] or _says_no_more(found["rest"], vocabulary) else found["rest"].strip()
    if passes and not puts_right(rest, vocabulary):
        rest = behind_reason(rest, vocabulary) or ""
    rest = rest.rstrip("?") if requested else rest
    of = things[found["of"].lower()] if found["of"] else ""
    leaves = re.match(r"except|apart|other", found["until"] or "", re.I)
    but = found["rest"].rstrip(" .!") if leaves else ""
    read = understand(sentence, vocabulary, ())
    whole = all(isinstance(x, Meaning) for x in read) and (isinstance(read[0], m.Stop) or m.only_waits(read[0]))
    sentence_of_its_own = re.search(r"[.!?]", found["join"]) and rest and isinstance(read[0], m.Stop)
    alone = f"{text[: found.start('join')]}." if passes else ""
    return None if whole or sentence_of_its_own else First(meaning, rest, of, but, alone)


def _waits(sentence: str, vocabulary: Vocabulary) -> First | None:
    """A plea in the words of `waits.py`, and any plea with a reason behind it: "Wait, I'm vacuuming here." """
    text = " ".join(without_oaths(sentence).split())
    if unmeant(text) or text[:1] in "\"'\u201c\u2018" or _all_read(text, vocabulary):
        return None
    alone = asked_to_wait(text, vocabulary)
    if alone is not None:
        return First(alone)
    for what, told in apart(text):
        told = told.rstrip("?") if _REQUEST.match(what) else told  # "Could you wait, I have to get by?"
        meaning = _plea_before(what, vocabulary) if not _NOT_NOW.match(told) else None
        rest = behind_reason(told, vocabulary, m.only_waits(meaning)) if meaning is not None else None
        if meaning is not None and rest is not None:
            return First(meaning, rest, alone=what)
    return None


def _plea_before(what: str, vocabulary: Vocabulary) -> Meaning | None:
    """The stop or wait that stands before a reason."""
    asked = asked_to_wait(what, vocabulary, reason=True)
    if asked is not None:
        return asked
    first = _begins(what, vocabulary) if not in_danger(what, vocabulary) else None
    if first is not None:
        return first.meaning if not (first.rest or first.of or first.but) else None
    read = understand(what, vocabulary, ())
    meaning = read[0] if len(read) == 1 else None
    return meaning if isinstance(meaning, m.Stop) or m.only_waits(meaning) else None


def _unneeded(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether nobody needs to stop, and nothing behind that is a stop: "No need to stop, I can walk around you." """
    behind = (told for what, told in apart(sentence) if unneeded(what))
    return unneeded(sentence) or any(stop_first(told, vocabulary) is None for told in behind)


def _not_until(text: str, vocabulary: Vocabulary) -> First | None:
    """ "Do not deliver it until I say so": that rests."""
    found = _PUT_OFF.fullmatch(text)
    read = understand(found["what"], vocabulary, ()) if found is not None else []
    meaning = read[0] if len(read) == 1 else None
    if found is not None and found["yet"] and isinstance(meaning, m.Zone) and meaning.holds:
        return First(meaning)
    if found is not None and isinstance(meaning, m.Unclear) and _PACKED.match(found["what"]):
        return First(m.Steer("pause")) if heard_of(found["what"], vocabulary, False).of("item", "kit") else None
    if not isinstance(meaning, m.Steer) or meaning.how != "cancel":
        return None
    return First(replace(meaning, how="pause"))


def _rests_until(text: str, vocabulary: Vocabulary) -> First | None:
    """ "Wait with the medkit until I am back": that rests, until somebody says continue."""
    found = _WHILE.fullmatch(text)
    read = understand(found["what"], vocabulary, ()) if found is not None else []
    meaning = read[0] if len(read) == 1 else None
    return First(meaning) if isinstance(meaning, m.Steer) and meaning.how == "pause" else None


def _stop_of(text: str, things: Mapping[str, str], vocabulary: Vocabulary) -> First | None:
    """ "Stop the one to beta.": what is to stop is told in other words, so all stop; one thing that is named rests."""
    begins = rf"\W*(?:(?:{_BEFORE})[\s,!.:]+)*(?:(?:{_STOP})[\s,]+(?=(?:with )?{_OF}|{_DOING})|quit (?={_DOING}))"
    found = re.match(rf"{begins}(?P<what>.*?)(?:{_AND}|{_END})(?P<rest>.*)", text, re.I | re.S)
    if found is None or text.endswith("?") or _NO_STOP.search(found["what"]) or _NOT_NOW.match(found["rest"]):
        return None
    if _all_read(text, vocabulary):
        return None
    named = {n for p, n in things.items() if re.search(rf"\b{re.escape(p)}\b", found["what"], re.I)}
    rest = "" if _says_no_more(found["rest"], vocabulary) else found["rest"].strip()
    return First(m.Stop(), rest, named.pop() if len(named) == 1 and re.match(_DOING, found["what"], re.I) else "")


def _not_to_be(text: str, vocabulary: Vocabulary) -> First | None:
    """What nobody is to touch, or where nobody is to go, with a reason behind it."""
    kept = not_from(text, vocabulary)
    if kept is not None:
        return First(kept)
    if text.endswith("?") or _NO_STOP.search(text):
        return None
    found = _REASON.fullmatch(text)
    reads = understand(text, vocabulary, ())
    if found is not None and not all(isinstance(x, Meaning) for x in reads):
        what = re.sub(rf" (?:{SPAN}|for now|for the moment)$", "", found["what"], flags=re.I)
        read = [understand(x, vocabulary, ()) for x in (what, smooth(what))]
        zone = next((x[0] for x in read if len(x) == 1 and isinstance(x[0], m.Zone) and x[0].holds), None)
        why = understand(found["why"], vocabulary, ())
        if zone is not None:
            return First(zone, found["why"] if all(isinstance(x, Meaning) for x in why) else "")
    touched = _TOUCH.fullmatch(text) and not any(isinstance(x, Meaning) for x in reads)
    return First(m.Stop()) if touched else None


def _stop_last(text: str, vocabulary: Vocabulary) -> First | None:
    """ "Fetch, keep going, the rest of you stop!": whoever is meant, a stop for all is safe."""
    found = _ENDS.fullmatch(text)
    if found is None or _TOLD.search(text[: found.end("head") + 1]):
        return None
    read = understand(text, vocabulary, ())
    return None if all(isinstance(x, Meaning) for x in read) else First(m.Stop())


def _stop_behind(text: str, names: str, robots: Mapping[str, str], vocabulary: Vocabulary) -> First | None:
    """ "Two painkillers, and stop Temi": the stop is done, and what stands before it is heard by itself."""
    whom = rf"(?:{names})(?:(?:\s*,\s*|\s+and\s+)(?:{names}))*|everything|everybody|everyone|(?:all )?(?:the )?robots"
    stop = rf"(?:please )?(?:stop|halt|freeze) (?P<whom>{whom})(?: (?:now|please|at once|immediately|right now))*"
    found = re.fullmatch(
        rf"(?P<head>.{{2,120}}?)(?:\s*[,;.!:]+(?: (?:and|but))?|\s+and) {stop}[\s.!]*", text, re.I | re.S
    )
    if found is None or _TOLD.search(found["head"] + ",") or re.search(r"\b(?:to|then|i|we)$", found["head"], re.I):
        return None
    if _all_read(text, vocabulary):
        return None
    who = tuple(dict.fromkeys(robots[x.lower()] for x in re.findall(rf"\b(?:{names})\b", found["whom"], re.I)))
    return First(m.Stop(who), found["head"].strip())


def _all_read(text: str, vocabulary: Vocabulary) -> bool:
    return all(isinstance(x, Meaning) and not getattr(x, "unknown", ()) for x in understand(text, vocabulary, ()))


def _full(found: re.Match[str]) -> str:
    return f"{found[1]} {({'re': 'are', 's': 'is', 'm': 'am', 'd': 'would'})[found[2].lower()]}"


def _place_next(rest: str, vocabulary: Vocabulary) -> bool:
    """Whether a place comes next, at which somebody is to stop: "before table D"."""
    plain = re.sub(r"^the ", "", rest.lower().rstrip(" .!"))
    return vocabulary.phrases.get(plain, ("", ""))[0] in ("room", "table", "door")


def _says_no_more(rest: str, vocabulary: Vocabulary) -> bool:
    """Whether what follows a stop is another plea to stop, a reason that names nothing, or nothing."""
    if _IDLE.fullmatch(rest) or plea(rest, vocabulary) is not None:
        return True
    if is_reason(rest, vocabulary) and not heard_of(rest, vocabulary, False).names:
        return True
    more = rf"(?: (?:for (?:me|us)|{_HOW}|until .*|till .*))*[\s.!?]*"
    return re.fullmatch(rf"(?:(?:{_BEFORE})[\s,]+)*(?:{_STOP}|{_STILL}|{_WAIT}){more}", rest, re.I) is not None
