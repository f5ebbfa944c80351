"""What is said while something waits for a yes: whether words that nobody understood may be about it, and whether they
are a no to asking somebody."""

from __future__ import annotations

import re

from coterie.mission.language.heard import heard_of
from coterie.mission.language.no_words import DO_NOT
from coterie.mission.language.smooth import requested
from coterie.talk.vocabulary import Vocabulary

#: Somebody thinks, and has not said anything yet.
_THINKS = re.compile(r"\W*(?:(?:h+m+|e+r+m*|e+h+|u+h*m*|a+h+|o+h+|well|so|okay so|let me (?:see|think))\b\W*)+", re.I)
#: A question in words, with or without its mark.
_ASKS = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|hm+|well)\W+)*(?:(?:who|whom|whose|what|where|why|which|how|when will)\b|"
    r"(?:is|are|was|were|do|does|did|has|have|can|could|will|would) (?:it|that|this|he|she|they|you|we|i|the|there|an?)"
    r"\b)",
    re.I,
)
#: A remark about the world outside: it tells something of its own, and wants nothing.
_TELLS = re.compile(
    r"\W*(?:(?:oh|ah|well|hm+|wow|you know|by the way)\W+)*(?:(?:what an?|lovely|nice|funny|good old)\b|"
    r"(?:i|we|he|she|they|it|there|that|this|everybody|somebody|nobody|people)(?:'s|'m|'re|'ve)?\b|"
    r"(?:my|our|his|her|the)(?: \w+){1,3} (?:is|are|was|were|has|have|had|will|looks?|seems?|went|came|left|\w+ed)\b)",
    re.I,
)
#: Words by which it wants something all the same, or speaks of what waits.
_WANTS = re.compile(
    r"\b(?:want|wants|need|needs|like|prefer|rather|better|should|must|shall|would|could|can|cannot|please|instead|"
    r"without|except|but|only|just|not|no|never|none|nobody|nothing|until|before|after|first|later|yet|if|unless|"
    r"it|that|this|them|those|one|plan|proposal|idea|way|change|leave|skip|mind|wait|hold|enough|more|less|fewer|"
    r"you|your|robots?|guess|suppose|doubts?|unnecessary|needless|decides?|decided|yes|careful)\b|n't\b|\d",
    re.I,
)
#: A question by which something else is wanted: "What about leaving it out?"
_OTHERWISE = re.compile(
    r"\b(?:without|instead|rather|leav(?:e|ing) (?:\w+ )*out|skip|how about|what about|why not|except|omit)\b|"
    r"n't (?:you|we|it|that)\b",
    re.I,
)
_NO_LEAD = r"\W*(?:(?:no|nope|nah|oh|please|sorry|actually|well|but|hm+)\W+)*"
#: Not to turn to somebody, who stands for «p0»; a reason may follow.
_NOT_THEM = re.compile(
    rf"{_NO_LEAD}(?:(?:(?:you )?(?:{DO_NOT}|never|let us not|need not|must not|should not|better not)|"
    r"(?:there is )?no need to|i would rather(?: that)? you (?:did|do) not|i do not want you to|"
    r"(?:i|we) would rather not)(?: please)?(?: go and)?(?: have to| want to)? "
    r"(?:ask|bother|disturb|trouble|involve|call|ring|phone|wake|contact|annoy|pester|bug|interrupt|go to|send \w+ to|"
    r"turn to|get|use)(?: for)? (?:the |our )?«p0»|"
    r"(?:leave|keep) (?:the |our )?«p0» (?:alone|in peace|out of (?:it|this|that)|be)|not (?:from |with |by )?(?:the "
    r")?«p0»|anybody but (?:the )?«p0»|without (?:the )?«p0»)"
    r"(?: for (?:it|that|this|one|an? \S+|the \S+|any \S+))?(?: (?:again|now|today|tonight|about (?:it|that|this)))*"
    r"(?:\W+(?P<told>.*))?",
    re.I | re.S,
)
#: A reason: somebody or something is so, or does something.
_REASON = re.compile(
    r"(?:because |since |as |for )?(?:he|she|they|it|i|we|that|this|there|nobody|everybody|the \S+|«\w+»)"
    r"(?: (?:is|are|was|were|has|have|had|will|would|does|do|did|can|cannot|may|might|needs?|wants?|looks?|seems?|"
    r"works?|went|left|\w+ed)\b.*)",
    re.I | re.S,
)
#: Whoever was asked for something has none of it, or cannot: a no. They have some: a yes.
_BEFORE = r"\W*(?:(?:no|sorry|oh|but|unfortunately|i am afraid|i'm afraid|well)\W+)*"
_NONE = (
    r"(?:i|we) (?:can't|can not|cannot|could not|couldn't)(?: do (?:that|it|so)| help(?: you)?(?: with (?:that|it))?)?"
    r"(?: right now| now| today| at the moment)?|"
    r"(?:i|we)(?:'ve| have)? (?:got )?none(?: left| here)?|(?:i|we) (?:don't|do not|haven't|have not) (?:have |got )?"
    r"(?:any|one|those|them|it)(?: left| more| here)?|there(?:'s| is| are) none(?: left| here)?|"
    r"(?:i'm|i am|we're|we are) (?:all )?out(?: of (?:them|those|it|that))?|that(?:'s| is) not possible"
)
_HAS_NONE = re.compile(rf"{_BEFORE}(?:{_NONE})(?:(?:\W+(?:and|because|since|as|but)?\W*)+(?:{_NONE}))*\W*", re.I)
_HAS_SOME = re.compile(
    r"\W*(?:(?:yes|sure|of course|ok|okay|no problem)\W+)*(?:(?:i|we)(?:'ve| have| do have| have got|'ve got) "
    r"(?:some|one|plenty|enough|it|them|those)(?: here| left)?\W*)?(?:(?:so |just |please |and )*"
    r"(?:come (?:by|over|round|and (?:get|fetch|collect) (?:it|them|one|some))|"
    r"you can (?:come|get|fetch|collect|have) ?(?:by|over|it|them|one|some)?))?\W*",
    re.I,
)


def of_what_was_asked(sentence: str) -> bool | None:
    """What somebody says who was asked for something: a yes, a no, or neither of them."""
    if sentence.rstrip().endswith("?"):
        return None
    if _HAS_NONE.fullmatch(sentence):
        return False
    return True if re.search(r"\w", sentence) and _HAS_SOME.fullmatch(sentence) else None


def may_be_about(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether words that were not understood may be about what waits for a yes: anything but a question that wants
    nothing, or a remark that names nothing here and wants nothing."""
    if _THINKS.fullmatch(sentence):
        return False
    if sentence.rstrip().endswith("?") or _ASKS.match(sentence):
        return requested(sentence) or _OTHERWISE.search(sentence) is not None
    remark = _TELLS.match(sentence) is not None and not _WANTS.search(_TELLS.sub("", sentence, count=1))
    return not remark or bool(heard_of(sentence, vocabulary, False).names)


def not_them(sentence: str, vocabulary: Vocabulary) -> str:
    """Whom somebody is against turning to: "No, don't bother the pharmacist, he's busy." Nobody where anything else is
    said with it."""
    heard = heard_of(re.sub(r"\blet's\b", "let us", sentence.strip(" .!"), flags=re.I), vocabulary, False)
    people = heard.of("person")
    if sentence.rstrip().endswith("?") or not people:
        return ""
    text = re.sub(r"«p\d+»", "«p0»", heard.text)
    found = _NOT_THEM.fullmatch(text)
    if found is None or (found["told"] and not _REASON.fullmatch(found["told"])):
        return ""
    return people[0]
