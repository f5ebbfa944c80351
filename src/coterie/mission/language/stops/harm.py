"""Harm that is told as it happens: a robot hurts somebody or is about to, somebody is caught, or lies before a robot.

All of that is a stop. What is told of another time, denied, supposed or asked about is none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from coterie.mission.language.stops.bodies import BEAST, CARRIED, HOLDS, HUMAN, KIN, KIND, PART, WORN
from coterie.mission.language.stops.contact import meets
from coterie.mission.language.stops.peril import perils, unheeding
from coterie.mission.language.stops.unmeant import in_earnest
from coterie.talk.vocabulary import Vocabulary

_SOME = r"somebody|someone|some person|people|children|kids"
_MINE = r"(?:my|our|his|her|their|your|somebody's|someone's)"
#: What harms whatever it is done to, and what harms nobody but a body, in all their forms.
_HITS = (
    r"hit(?:s|ting)?|hurt(?:s|ing)?|crush(?:es|ed|ing)?|squash(?:es|ed|ing)?|squeez(?:es?|ed|ing)|pinch(?:es|ed|ing)?|"
    r"trampl(?:es?|ed|ing)(?: on)?|burn(?:s|ed|t|ing)?|injur(?:es?|ed|ing)|kick(?:s|ed|ing)?|kill(?:s|ed|ing)?|"
    r"ramm?(?:s|ed|ing)?|str(?:ikes?|uck|iking)|smash(?:es|ed|ing)?|bump(?:s|ed|ing)?|knock(?:s|ed|ing)?"
)
_TUGS = (
    r"strangl(?:es?|ed|ing)|chok(?:es?|ed|ing)|shov(?:es?|ed|ing)|scratch(?:es|ed|ing)?|trap(?:s|ped|ping)?|"
    r"pinn?(?:s|ed|ing)?|jam(?:s|med|ming)?|grabb?(?:s|ed|ing)?|stab(?:s|bed|bing)?|bit(?:es?|ten|ing)?|touching|"
    r"push(?:es|ed|ing)?|pull(?:s|ed|ing)?(?: on| at)?|tripp?(?:s|ed|ing)?|attack(?:s|ed|ing)?|breaking|broke|broken"
)
_GOES = (
    r"r[ua]n(?:s|ning)?|driv(?:es?|en|ing)|drove|roll(?:s|ed|ing)?|com(?:es?|ing)|came|go(?:es|ing|ne)?|went|"
    r"mov(?:es?|ed|ing)|walk(?:s|ed|ing)?|step(?:s|ped|ping)?|tr(?:eads?|od|odden|eading)|crash(?:es|ed|ing)?|"
    r"bump(?:s|ed|ing)?|slam(?:s|med|ming)?|back(?:s|ed|ing)?(?: up)?|f(?:alls?|ell|allen|alling)|knock(?:s|ed|ing)?|"
    r"steer(?:s|ed|ing)?|head(?:s|ed|ing)?|push(?:es|ed|ing)?"
)
_SITS = r"st(?:ands?|ood|anding)|sit(?:s|ting)?|sat|step(?:s|ped|ping)?|lean(?:s|ed|ing)?|driving|rolling|parked"
_INTO = r"(?:(?:right|straight|directly|almost) )?(?:over|into|onto|against|on top of)|(?:right|straight|directly) at"
_STUCK = (
    r"stuck|caught|trapped|jammed|pinned|pinched|squeezed|crushed|wedged|entangled|tangled(?: up)?|clamped|run over|"
    r"squashed"
)
_LIES = (
    r"(?:lying|laying|standing|sitting|kneeling|crouching|sleeping|crawling|walking|playing|running|right|still|stuck|down|"
    r"out cold|unconscious|directly)"
)
_DOWN = r"collapsed|fainted|fallen(?: over| down)?|passed out|tripped|slipped"
_FLOOR = r"on the (?:floor|ground)"
_SOON = r"(?:about to|going to|gonna|trying to|close to)"
_STRESS = r"(?:just|now|all|still|really|nearly|almost|always|already|currently|also|totally|actually|even|simply)"
_BEFORE = (
    r"(?:help|please|hey|oh|oi|no|ow|ouch|aua|argh|careful|stop|god|look|quick|quickly|attention|watch out|look out|"
    r"damn|and|but|because|you|now)"
)
_NOW = (
    r"(?:now|again|here|there|please|quick|quickly|help|you|all|robots?|over|down|badly|hard|right now|just now|"
    r"(?:in|into|on|onto|off|at|by|near|against|with|under|between|behind|to|towards|down|out of|from|through|along) "
    r"(?:(?:the|a|an|its|his|her|my|your|that|this|one of the) )?"
    r"(?:(?!morning|evening|night|afternoon|dream|film|movie|story|game|past|week|month|year|home)[\w']+)"
    r"(?: (?!morning|evening|night|week|month|year)[\w']+)?)"
)
_PAIN = (
    r"(?:ouch|ow+|aua|argh)(?: (?:that|it) hurts)?|(?:that|it) hurts|you hurt me|(?:i am|i'm) (?:being )?"
    r"(?:hurt|bleeding|injured|crushed|run over|squashed)"
)
#: What hangs on somebody, or feeds a machine.
_LINE = r"(?:\w+ )?(?:hoses?|tubes?|tubing|cables?|cords?|wires?|drip|iv|infusion|catheter|lines?|leads?|plug)"
_WOUNDED = r"(?:hurt|injured|bleeding)"
_MIND = (
    r"(?:careful|look out|watch out|watch it|mind|beware(?: of)?|attention|danger)(?: for| with)?"
    r"(?: there is| there's)?"
)
#: What is told of another time, supposed, or in somebody's mouth: nothing in the sentence stops.
_ELSEWHERE = re.compile(
    r"\b(?:if|when|whenever|unless|before|said|says?|told|tells|tell|heard|hear|thinks?|thought|believes?|yesterday|"
    r"earlier|ago|last|(?<!at )once|used to|formerly|recently|often|sometimes|usually|afraid|worried|fear|hope|film|"
    r"movie|dream\w*|suppose|imagine|report\w*|promise\w*|since|today|tomorrow|one day|some day|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.I,
)
#: What is denied or only thought of, in its own clause.
_DENIED = re.compile(
    r"\b(?:not|never|no|nobody|none|hardly|without|might|could|would|should|may|can|cannot|was|were|why|who|what|how|"
    r"did|does|do|is it true|whether)\b|n't\b",
    re.I,
)


#: Somebody who is taken somewhere on wheels: no harm, unless it is cried, or they would end on a floor or at a wall.
_DET = r"(?:(?:the|a|an|room|our|his|her|their|that|this) )*"
_FALLS = r"(?:floor|ground|stairs|steps|staircase|edges?|ledge|railing|windows?)"
_PUSHES = r"(?:push|pull|wheel|roll|mov|driv)(?:es?|ed|ing)? (?:the|a|an|that|this|our) [\w ]{2,30}?"
_INDOORS = (
    r"(?:bath(?:room)?|room|ward|lift|elevator|bed|corridor|hall(?:way)?|shower|office|theatre|garden|toilet|kitchen)"
)
_TO = (
    rf"(?:(?:over |back |out |up |down )?to|towards|down) (?!{_DET}(?:{_FALLS}|walls?|corners?|side|doors?|doorway|"
    r"tables?|robots?|others?|people|me|us|him|them|crowd|wheels?)\b)\w+|"
    rf"(?:along|through|out of|from) (?!{_DET}(?:{_FALLS}|bed|chair|wheelchair|people|crowd)\b)\w+"
)
#: What leads in what somebody sees.
_SEES = re.compile(r"\b(?:i|we) (?:can see|see|think|believe|tell you|am telling you|say)(?: that)?[\s,:]+")

#: A word to be careful, which is as good as a cry.
_WARNED = re.compile(r"\W*(?:(?:hey|oh|no)\W+)*(?:careful|look out|watch out|watch it|beware|attention|danger)\b")

_IS = re.compile(rf"\b(it|that|he|she|there|someone|somebody)'s\b(?! (?:{PART}|{WORN}|{HOLDS})\b)")


def in_danger(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether somebody cries that they, or somebody else, are being hurt, are about to be, or are in a robot's way."""
    text = in_earnest(_SEES.sub("", sentence.lower().strip()))
    if text.endswith("?") or _ELSEWHERE.search(text):
        return False
    calm = "!" not in text and not re.search(r"\b(?:help|quick|quickly|careful|ouch|ow|stop)\b", text)
    parts = [" ".join(c.split()) for c in re.split(r"[,.;:!]+|\s[-\u2013\u2014]+\s", text) if c.strip()]
    every = list(dict.fromkeys((*parts, " ".join(parts))))
    clauses = [c for c in every if not _DENIED.search(c)]
    clauses = [c for c in clauses if not (calm and _taken(c, vocabulary))]
    aloud = "!" in text or _WARNED.match(text) is not None
    team = (tuple(vocabulary.names("robot")), tuple(vocabulary.names("person")))
    cry, unheeded = _cries(*team, aloud)
    plain = [_IS.sub(r"\1 is", c) for c in every]
    if any(cry.fullmatch(c) for c in (*clauses, *(_IS.sub(r"\1 is", c) for c in clauses))):
        return True
    words = words_for(*team)
    near = any(meets(c, words.robot, words.whole, words.living) for c in clauses)
    return near or any(unheeded.fullmatch(c) for c in (*every, *plain))


def _taken(clause: str, vocabulary: Vocabulary) -> bool:
    """Whether somebody is taken somewhere: into a room, or to anything that hurts nobody."""
    rooms = [re.escape(p) for p, (kind, _) in vocabulary.phrases.items() if kind == "room"]
    into = rf"into {_DET}(?:\w+ )?(?:{'|'.join([_INDOORS, *rooms])})\b"
    return re.search(rf"{_PUSHES} (?:{_TO}|{into})", clause) is not None


class Words(NamedTuple):
    """Patterns for the names of robots, for any robot, for somebody, and for a living being."""

    names: str
    robot: str
    whole: str
    living: str


@lru_cache(maxsize=16)
def words_for(robots: tuple[str, ...], people: tuple[str, ...]) -> Words:
    names = "|".join(re.escape(r.lower()) for r in robots) or r"(?!)"
    human = "|".join((HUMAN, *(re.escape(p.lower()) for p in people)))
    living = rf"{KIND}(?:{human}|{BEAST})"
    whole = rf"(?:me|us|him|them|her|{_SOME}|{KIN}|(?:the|a|an|that|this|my|our|his|her|your|their) {living}s?)"
    robot = rf"(?:{names}|(?:the|that|this|your|one of (?:the|your)|a) (?:\w+ )?(?:robot|thing|machine|dog)s?|robots?)"
    return Words(names, robot, whole, living)


@lru_cache(maxsize=16)
def _cries(robots: tuple[str, ...], people: tuple[str, ...], aloud: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """All cries of harm in a team of these robots, among these people, and those with a no in them; `aloud`: with an
    exclamation mark."""
    names, robot, whole, living = words_for(robots, people)
    owner = rf"(?:{_MINE}|(?:the|a|that|this|my) {living}'s)"
    part = rf"{owner} (?:(?:left|right|other|bad|whole) )?(?:{PART}|{WORN})s?"
    bed = rf"(?:the|a|that|this|{owner}) {KIND}(?:{HOLDS})s?"
    body = rf"(?:{part}|{bed}|{whole})"
    limb = rf"(?:your|its|(?:{names}|the robot)'s) (?:\w+ )?(?:wheel|arm|gripper|hand|leg|foot|base|tray|body)s?"
    robot = rf"(?:{robot}|{limb})"
    it, they = rf"(?:{robot}|you|it)", rf"(?:{robot}|you|it|they|he|she)"
    be, stress = r"(?: is| are|'s|'re| am|'m)", rf"(?: {_STRESS})*"
    harms = (
        rf"(?:(?:{_HITS})(?: into| against)? {body}(?: (?:over|down))?|(?:{_TUGS}) (?:{part}|{whole})|"
        rf"(?:{_GOES}) (?:{body} (?:over|down)|(?:{_INTO}) {body})|(?:{_SITS}) on(?: top of)? {part})"
    )
    stuck = (
        rf"{part}(?:{be}|(?: has| have)?(?: got(?:ten)?| been)){stress}(?: being| getting)? (?:{_STUCK})|"
        rf"(?:i|we|he|she|{whole})(?:{be}|(?: has| have)? got(?:ten)?){stress} (?:{_STUCK}) (?:in|under|underneath|"
        rf"between|against|behind|by) .*(?:{names}|robot|wall|gripper|wheel|machine|you|(?:two|both|one) of them)\b.*"
    )
    there = rf"(?:(?:there's|there is|there are|we have)(?: {_STRESS})* )?{whole}"
    way = (
        rf"(?:(?:in front of|under|underneath|below|beneath|ahead of|in the (?:way|path) of|between) "
        rf"(?:{robot}|you|it|(?:its|your|the) wheels)(?: and .+)?|in (?:(?:{names})'s|your|the robot's|its) "
        rf"(?:way|path)|behind (?:you|{names}))"
    )
    cries = [
        rf"{it}(?: has| have|'s|'ve)?{stress} {harms}",
        rf"{they}(?:{be}{stress}(?: {_SOON})?| will{stress}|'ll{stress}) {harms}",
        rf"{they}{be}{stress} (?:on|over|on top of) {part}",
        rf"{it}(?: has| have|'s|'ve) (?:got hold of|hold of|got) {part}",
        rf"{it}(?: has| have|'s|'ve)?{stress} (?:got(?:ten)? )?(?:(?:a )?hold of|grabbed|snatched|hooked|caught|torn|"
        rf"run off with|(?:is |are )?(?:dragging|tearing|ripping|eating|crushing)) {owner} (?:\w+ )?(?:{CARRIED})",
        stuck,
        rf"{there}(?:{be})?{stress}(?: {_LIES})*(?: {_FLOOR})? (?:{_FLOOR}|{way})",
        rf"{there}(?: has| have|'s| just){stress} (?:{_DOWN})",
        rf"(?:{_SOME}|a {living}){be}{stress}(?: {_SOON})?(?: get| be| being| getting)?{stress} {_WOUNDED}",
        rf"(?:there's|there is){stress} (?:a )?(?:fire|smoke)",
        rf"{_MIND} (?:{whole}|{part})",
        _PAIN,
    ]
    if aloud:
        breaks = r"(?:crush|break|hit|squash|squeez|spill)(?:e|t?ing)? (?:it|that|this)"
        cries += [
            part,
            "fire",
            rf"{they}(?:{be}| will|'ll){stress}(?: {_SOON})? {breaks}",
            rf"{there} (?:{_DOWN}|fell)",
            rf"{they}{be}{stress}(?: right)?(?: (?:standing|driving|parked|sitting|rolling|going|running))? "
            rf"(?:on|over|on top of|across|caught in|pulling(?: on| out)?) (?:the|my|his|her|that|this|a|an) {_LINE}",
        ]
        cries += [r"(?:[\w']+ ){1,3}(?:is|are) on fire", rf"(?:{whole}|he|she|i){be}{stress} {_WOUNDED}"]
    cries += perils(robot, whole, owner, living, aloud)
    cry = re.compile(rf"(?:(?:{_BEFORE}|{names}) )*(?:{'|'.join(cries)})(?: {_NOW}| {way})*")
    return cry, unheeding(robot, whole)
