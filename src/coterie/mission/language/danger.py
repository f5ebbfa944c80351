"""What is cried: oaths, which say nothing by themselves, and danger, which is a stop in any words."""

from __future__ import annotations

import re

from coterie.mission.language.vocabulary import Vocabulary

_HOLY = r"(?:god|goodness|gosh|lord|jesus(?: christ)?|christ|heavens?)"
_OATH = (
    rf"for (?:{_HOLY}|pete|pity|fuck)(?:'?s)? sakes?|for crying out loud|for the love of {_HOLY}|"
    rf"(?:oh |o |ah )?(?:my |dear |good |sweet ){_HOLY}|oh {_HOLY}|{_HOLY}(?=[,!])|good grief|"
    r"(?:bloody |oh )?hell(?=[,!])|"
    r"holy (?:cow|shit|moly|crap)|damn(?: it)?(?=[,!])|shit(?=[,!])|oh dear(?=,)|help(?=[,!] ?\w)|h[ae]y(?=!)"
)
_BEFORE = re.compile(rf"^\W*(?:(?:{_OATH})\b[\s,!.:-]*)+(?=\w)", re.I)
_BEHIND = re.compile(rf"[\s,]+(?:{_OATH})[\s!.]*$", re.I)

_WHOLE = r"(?:me|us|him|her|them|somebody|someone|people|any(?:body|one))"
_PERSON = r"(?:patient|child|kid|boy|girl|baby|man|woman|lady|person|visitor|nurse|doctor|guest|granny|grandma|grandpa)"
_PART = r"(?:foot|feet|leg|toe|hand|arm|finger|head|bed|wheelchair|skirt|coat|sleeve)"
_BODY = (
    rf"(?:{_WHOLE}|(?:the|a|that|this|my|our|his|her) (?:little |old |poor )?{_PERSON}s?|children|"
    rf"(?:my|his|her|our|their|somebody's|the patient's|the child's) {_PART}s?)"
)
_HURT = r"(?:hit|hurt|crush|squash|squeeze|pinch|trample|burn|injur|kick|strangl|kill|touch|ramm?|bump)"
_OVER = r"(?:runn?|driv|roll|knock|push|crash|bump|com|go|mov|walk)"
#: What a robot does to somebody now, or is about to.
_DOES = (
    rf"(?:about to|going to|gonna) (?:{_HURT}e?(?: into)? {_BODY}|"
    rf"{_OVER}e? (?:{_BODY} (?:over|down)|(?:over|into|at) {_BODY}))|"
    rf"{_HURT}t?ing (?:into )?{_BODY}|{_OVER}ing (?:{_BODY} (?:over|down)|(?:over|into|right at|straight at) {_BODY})|"
    rf"(?:standing |driving |rolling )?(?:on|over) (?:my|his|her|our|their|the patient's|the child's) {_PART}s?"
)
_PAIN = r"(?:ouch|ow+|aua|argh)(?: that hurts)?|that hurts|it hurts|you hurt me"
_MIND = (
    r"(?:careful|look out|watch out|watch it|mind|beware(?: of)?|attention|danger)(?: for| with)?"
    rf"(?: there is| there's)? {_BODY}"
)
_NOW = r"(?:now|again|here|there|please|quick|quickly|help|you|all|robots?)"
#: What is told, supposed or asked about.
_TOLD = re.compile(
    r"\b(?:if|when|whenever|unless|before|said|says|told|tells|heard|thinks?|thought|yesterday|earlier|ago|last|was|were|"
    r"why|who|what|how|did|not|never|suppose|imagine|might|could|would|should)\b|n't\b",
    re.I,
)
#: A no that is cried out: again and again, or without a word of what.
_NO = re.compile(
    r"\W*(?:(?:oh|hey|god|please)\W+)*(?:(?:no+\W+){2,}no+|(?:no+\W+)+no+(?=\W*!)|(?:no){3,}|"
    r"(?:(?:no+|please)\W+)*do(?:n't| not)(?: please)?(?=\W*!))(?:\W+please)?\W*",
    re.I,
)


def cries_no(sentence: str) -> bool:
    """Whether somebody cries no. To what they were asked that is an answer; to nobody it is a stop."""
    return _NO.fullmatch(without_oaths(sentence)) is not None


def without_oaths(sentence: str) -> str:
    """A sentence without the oaths around it; as it was where it is nothing else."""
    short = _BEHIND.sub(".", _BEFORE.sub("", sentence))
    return short if short != sentence and re.search(r"\w", short) else sentence


def in_danger(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether somebody cries that they, or somebody else, are being hurt or about to be."""
    text = sentence.lower()
    if text.rstrip().endswith("?") or _TOLD.search(text):
        return False
    names = "|".join(re.escape(r.lower()) for r in vocabulary.names("robot")) or r"(?!)"
    who = rf"(?:{names}|you|it|they|he|she|(?:the|that|this|your|one of the) (?:robot|thing|machine)s?|robots?)"
    cries = rf"{who}(?: is| are|'s|'re)(?: (?:just|now|all|still|really))* (?:{_DOES})|{_PAIN}"
    clauses = [" ".join(c.split()) for c in re.split(r"[,.;:!]+|\s[-\u2013\u2014]+\s", text) if c.strip()]
    whole = " ".join(clauses)
    clauses.append(whole)
    mind = re.fullmatch(rf"(?:(?:{names}|please|hey|oh) )*{_MIND}(?: {_NOW})*", whole)
    return mind is not None or any(re.fullmatch(rf"(?:{cries})(?: {_NOW})*", c) for c in clauses)
