"""A yes and a no in other words than the grammar has, which are plain where something waits for one, and there alone:
elsewhere "go" or "please don't" may be about anything."""

from __future__ import annotations

import re

from coterie.talk import meanings as m

_IT = r"(?:it|that|this|so)"
_PLAN = rf"(?:{_IT}|(?:the|your|that|this) (?:plan|proposal|idea))"
_TAIL = r"(?:\W+(?:please|thanks|thank you|sorry|dear|then))*\W*"
_YES = re.compile(
    r"\W*(?:(?:ok|okay|yes|yeah|yep|sure|alright|all right|well|oh|fine)\W+)*(?:"
    rf"please,? do(?: {_IT})?|do,? please|go|u+h-?huh|m+h?m+|i said yes|(?:my|the) answer is yes|fine|"
    r"(?:yes|yeah|yep)(?:,? (?:now|right away|at once))?|yes,? please,? (?:now|right away|at once)|"
    rf"(?:that )?sounds (?:good|fine)(?: to me)?(?:\W+do {_IT}(?: that way)?)?|"
    rf"(?:please )?(?:proceed|go ahead)(?: with {_PLAN})?|i agree (?:with|to) {_PLAN}|"
    rf"that(?:'s| is) (?:alright|all right|fine|okay|ok)(?: (?:by|with) me)?(?:\W+go ahead)?){_TAIL}",
    re.I,
)
_NO = re.compile(
    r"\W*(?:(?:no|nope|nah|sorry|please|oh|well|ok|okay)\W+)*(?:"
    rf"(?:don't|do not)(?: you dare(?: do {_IT})?)?|(?:let's|let us) not(?: do {_IT})?|under no circumstances|"
    rf"(?:i|we) (?:forbid|(?:don't|do not|won't|will not) allow) {_PLAN}|(?:i said|my answer is|the answer is) no|"
    r"(?:thanks|thank you),? but no(?:,? (?:thanks|thank you))?|"
    r"i(?:'d| would) (?:rather|prefer(?: it)?(?: that| if)?) you (?:did not|didn't|do not|don't)"
    rf"(?: do {_IT})?|not like that|i(?:'m afraid i| am afraid i)? (?:can't|cannot) agree (?:to|with) {_PLAN}"
    rf"){_TAIL}",
    re.I,
)


def plainly(sentence: str) -> m.Approve | m.Refuse | None:
    """The yes or the no that a sentence is, where one is waited for; None where it is neither, or asks."""
    if "?" in sentence:
        return None
    if _YES.fullmatch(sentence):
        return m.Approve()
    return m.Refuse() if _NO.fullmatch(sentence) else None
