"""Remarks with a word of stopping in them that stop nobody: people who stop something of their own, idioms, names."""

from __future__ import annotations

import re

_STOP = r"(?:stop|halt|freeze|wait|pause|quit)"
_CLOCK = (
    r"(?:(?:at|by|around|after|before) (?:about |around |half past |quarter (?:to|past) )*(?:noon|midnight|"
    r"lunch(?:time)?|"
    r"night|dinner|dawn|dusk|weekends|\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"(?! (?:metre|meter|step|inch|second|foot|feet|cent))|"
    r"in (?:an hour|\w+ (?:hours?|days?|weeks?|minutes?))|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|every \w+|"
    r"for (?:lunch|dinner|a (?:coffee|drink|beer|bite|chat|smoke|cigarette|snack)|coffee|petrol|gas|tea|"
    r"breakfast|the night))"
)
_WE = (
    r"(?:i|we|he|she|people|everybody here|(?:the|my|our|his|her|your|this|that) (?!robots?\b|machines?\b|things?\b)"
    r"[a-z]+(?: [a-z]+)?)"
)
_WILL = (
    r"(?:(?:'ll|'d|'m| am| are| is)?(?: (?:will|shall|would|must|should|can|could|might|may|always|usually|often|never|"
    r"have to|has to|had to|need to|needs to|want to|wants to|ought to|going to|trying to|try to|like to|used to|just|"
    r"really|only|to|about to|finally|also|then|probably|simply|won't|cannot|can't|don't|did not|didn't|couldn't))*)"
)
#: What people do, and robots do not.
_THEIRS = (
    r"(?:(?:eat|drink|smok|laugh|cry|think|talk|worry|tak|hav|play|wear|buy|watch|read|learn|drink|snor|sing|"
    r"danc|complain|"
    r"cough|sneez|shak|bleed|sweat|rain|snow|hurt|wonder|lov|lik|car|feel|sleep|dream|pretend|teas|argu|fight|shopp|"
    r"spend|wast|study|writ|chew|gambl|swear|lying|believ|hop|procrastinat|apologi[sz]|being|us|scroll|text|bit|"
    r"scratch|"
    r"star|gossip|knitt|jogg|vap|giggl|whin|yawn|itch)(?:ing)?\b|(?:the|my|his|her|our) (?:\w+ )?(?:infusion|drip|"
    r"medication|medicine|treatment|therapy|bleeding|drug|antibiotics?|rumou?rs?|car|bus|bike|train|engine|music|"
    r"smoking|"
    r"war|clock|show|game|leak|pain|film|nonsense|gossip|coffee|diet|course|subscription|habit)s?\b)"
)
_BEHIND = (
    rf"(?:\s+(?:work|working|here|there|it|driving))?\s+(?:{_CLOCK}|{_THEIRS}|(?:by|off|over)\b|(?:at|in|on)(?! "
    rf"(?:once|here|there|the spot|front|place|its|their|your)\b) )"
)
_PATTERNS = (
    # somebody stops something of their own, or at an hour
    rf"\b{_WE}{_WILL} {_STOP}s?{_BEHIND}",
    # what is said to comfort somebody; "Stop hurting me" is said to whoever does it
    r"^\W*(?:(?:please|just|oh|and|well)\W+)*(?:stop|quit) (?:worry|cry|laugh|smok|snor|gossip|complain|eat|drink|"
    r"apologi[sz])ing\b(?!.*\b(?:robots?|everything|everybody)\b)",
    # one word of two
    r"\b(?:stop|halt|freeze|wait)-(?!stop|halt|freeze|wait|now|please)\w+|\w+-(?:stop|halt|freeze|"
    r"wait)\b(?<!stop-stop)",
    r"\b(?:bus|tram|train|pit|rest|truck|next|last|first|short|door|glottal|f|one|whistle) stops?\b|"
    r"\b(?:brain|hiring|deep|price|pay|wage|budget) freeze\b",
    # names and titles
    r"\b(?:called|titled|named|film|movie|song|book|album|band|play|poem|sign|word|button|game)s?\b[^!]*\bstop\b|"
    r"\bstop\b[^!]*\b(?:by the (?:supremes|beatles|spice girls)|is (?:a|the|my) (?:\w+ )?(?:film|movie|song|book|album|"
    r"word|band))\b",
    # idioms
    r"\bwait (?:till|until) (?:you|they|he|she|we|i|everybody) (?:see|sees|hear|hears|taste|tastes|try|tries|"
    r"meet|meets|"
    r"read|reads|find out|get a load|smell|watch|know|learn)\b",
    r"\b(?:can't|cannot|can not|can hardly|could hardly) wait\b|\bwait and see\b|\bworth the wait\b|\bhold on to "
    r"(?:that|your)"
    r" (?:thought|hat|idea|hope|dream)s?\b|\b(?:hell|water|lake|pipes?|pond|river|roads?|toes|fingers) (?:to |"
    r"will |would |"
    r"might |may |could |can )?(?:freezes?|freeze over)\b|\bi(?:'ll| will| would|'d)? freeze\b|\bfreeze to death\b",
    r"\b(?:watch|look) out\W+(?:here|there) (?:comes|goes) (?:the (?:sun|spring|summer|weekend|boss|rain|bride|judge)|"
    r"trouble|summer|christmas|monday)\b|\b(?:watch|look) out (?:world|hollywood|broadway)\b",
)
#: A pain that something else gives than a robot.
_JEST = re.compile(
    r"\b(?:ouch|ow|oof)\W+(?:that(?:'s| is| was)|what) (?:(?:a|an|one|quite a|some|really|so|too|pretty|very) )?"
    r"(?:\w+ )?(?:expensive|pricey|costly|steep|dear|joke|pun|price|bill|score|result|comparison|comment|remark|"
    r"comeback|insult|burn|defeat|grade|mark|salary|ticket|fine)\b",
    re.I,
)
_UNMEANT = re.compile("|".join(f"(?:{p})" for p in _PATTERNS), re.I)
_TO_ROBOTS = re.compile(
    r"!|\b(?:you|everybody|everyone|robots?|everything|all of|them|machines?|now|right away|immediately|at once)\b",
    re.I,
)


#: A word of pain about a slip of somebody's own.
_SLIP = re.compile(
    r"^\W*(?:a+r+g+h+|u+r*g+h+|ow|ouch|oof)\W+(?=[^!]*\b(?:wrong|mixed|mix-?up|forgot|forgotten|mistake|mistyped|typo|meant|"
    r"mistook|confused|misread|misheard|misspelt|misspelled|mislaid|overlooked|clicked|slip|messed|my bad|"
    r"lost (?:count|"
    r"track))\b)",
    re.I,
)
#: Comfort: nobody but people worries.
_COMFORT = re.compile(
    r"^\W*(?:(?:please|just|oh|and|well|come on|now)\W+)*(?:stop|quit) (?:worry|frett|complain|fuss|moan|whin|panick|"
    r"apologi[sz]|stress|overthink|grumbl|nagg|sulk|being (?:so |too )?(?:hard on|silly|modest|shy|kind)|"
    r"feel)(?:ing)?\b(?P<more>.*)",
    re.I | re.S,
)
_TO_STOP = re.compile(
    r"!|\b(?:stop|halt|wait|freeze|robots?|everything|everybody|everyone|machines?|moving|now)\b", re.I
)


def in_earnest(sentence: str) -> str:
    """A sentence without a pain that is none: "Ouch, that's an expensive coffee.", "Argh, wrong patient." """
    return _SLIP.sub("", _JEST.sub("", sentence))


def unmeant(sentence: str) -> bool:
    """Whether a stop is one of people, of a name or of an idiom, and nobody but people is spoken to. What is cried, or
    said to robots, is no such remark."""
    comfort = _COMFORT.match(sentence)
    if comfort is not None and not _TO_STOP.search(comfort["more"]):
        return True
    found = _UNMEANT.search(sentence)
    return found is not None and _TO_ROBOTS.search(sentence.replace(found[0], " ")) is None and "!" not in found[0]
