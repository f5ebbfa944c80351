"""Words that calm: all is well, and nothing has to stop. They stop nobody and make nobody go on by themselves."""

from __future__ import annotations

import re

from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.signs import straight

_STOP = (
    r"(?:stop|halt|pause|wait|freeze|hold on|interrupt (?:it|that|anything|your work)|"
    r"be (?:stopped|interrupted|paused))"
)
_BEFORE = (
    r"(?:(?:please|no|oh|ok|okay|hey|well|really|honestly|sorry|robots|team|guys|everybody|everyone|all|you|"
    r"thanks)\W+)*"
)
_BEHIND = (
    r"(?:\W+(?:please|now|here|for (?:me|us|him|her|them|that|this|it)|because of (?:me|us|him|her|that|this|it)|"
    r"on my account|at all|anything|any ?more|thanks|thank you|yet|working|what (?:you|they) are doing))*\W*"
)
#: Nothing has to stop.
_UNNEEDED = re.compile(
    rf"\W*{_BEFORE}(?:(?:nothing|{NOBODY}) (?:needs?|has|have|ought) to {_STOP}|"
    rf"(?:nothing|{NOBODY}) (?:must|should|need) {_STOP}|"
    rf"(?:there(?: is|'s) )?no (?:need|reason) (?:for (?:you|anybody|anyone|them) )?to {_STOP}|"
    rf"(?:you|they|we|robots) (?:{DO_NOT}|need not|needn't|should not|shouldn't|must not|mustn't)"
    rf"(?: (?:need|have) to)? {_STOP}|{DO_NOT} {_STOP})"
    rf"{_BEHIND}",
    re.I,
)
_WELL = (
    r"(?:fine|ok|okay|well|good|great|safe|clear|dry|clean|free|alright|all right|in order|under control|sorted|"
    r"settled)"
)
_HOW = r"(?:(?:all|quite|perfectly|just|really|totally|already) )*"
_WHO = (
    r"(?:everything|all|it|that|things|we|i|he|she|they|everybody|everyone|the (?:patient|nurse|doctor|situation|floor|"
    r"way|coast|path|corridor|visitor|child|man|woman))"
)
_HARMLESS = (
    r"(?:thanks|thank you)(?: (?:a lot|very much|so much|all|everybody|everyone|robots))?|"
    rf"{_WHO}(?:'s| is| are|'re| am|'m| looks?| seems?) {_HOW}{_WELL}"
    r"(?: (?:again|now|here|there|with (?:me|us|him|her)))*|"
    rf"all {_WELL}|false alarm|"
    r"(?:it|that) was (?:just )?(?:a |an )?(?:false alarm|mistake|accident|misunderstanding|nothing)|"
    r"no (?:problems?|worries|harm done|danger|issues?)|nothing (?:has )?happened|never mind(?: me| us| that)?|"
    r"(?:nobody|no one)(?: is|'s| was| got) hurt|my (?:mistake|bad|fault)|(?:i am|i'm) sorry|"
    r"sorry(?: about (?:that|it))?|"
    r"danger over|(?:the )?(?:danger|alarm|emergency) is over|do(?:n't| not) (?:worry|mind me)"
)
_CALMED = re.compile(
    rf"\W*(?:(?:{_HARMLESS})\s*(?:[,.;:!]+|\s[-\u2013\u2014]+|\band\b|\bso\b)[\s,]*(?:and |so |but )*)+(?P<rest>\w.*)",
    re.I | re.S,
)

#: Somebody goes back to work of their own; nobody else does by that.
_OWN_WORK = re.compile(
    rf"\W*{_BEFORE}(?:(?:so|now|right|then|and|time|it is|it's|i am|i'm|we are|we're|i will|i'll|we'll|i|we|must|"
    rf"should|"
    r"have to|need to|got to|better|going|to|go|get|getting|off)\W+)*"
    r"back to (?:my |our )?(?:work|business|the office|the ward|the grind|it|duty|my desk|my patients) "
    r"(?:for|with) (?:me|us|him|her|them|myself|the \w+)(?: (?:then|now|too|again))*\W*",
    re.I,
)


def own_work(sentence: str) -> bool:
    """Whether somebody says that they themselves go back to work."""
    return not sentence.rstrip().endswith("?") and _OWN_WORK.fullmatch(sentence) is not None


def unneeded(sentence: str) -> bool:
    """Whether somebody says that nothing has to stop, and no more."""
    return not sentence.rstrip().endswith("?") and _UNNEEDED.fullmatch(sentence) is not None


#: By which robots may begin again, where they rest; where something is proposed, it is a yes.
_GO_AHEAD = re.compile(
    r"\W*(?:(?:please|now|so|then|and|just)\W+)*(?:you (?:can|may) )?(?:go ahead|proceed|off you go|do go on|"
    r"move along|start again|carry on then|"
    r"(?<=can |may )(?:carry on|go on|continue|move on|keep going))"
    r"(?:\W+(?:now|again|please|then|all|everybody|everyone|thanks))*\W*",
    re.I,
)


def goes_ahead(sentence: str) -> bool:
    """Whether somebody lets robots begin again, in words that may also be a yes."""
    return _GO_AHEAD.fullmatch(sentence) is not None


def calmed(sentence: str) -> str:
    """What is said behind a word that all is well; empty where a sentence does not begin with one."""
    found = _CALMED.fullmatch(straight(sentence))
    return found["rest"] if found is not None else ""
