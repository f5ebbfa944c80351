"""Pleas to stand still, which are stops in other words: "Nobody move!", "Spot, stay where you are!"."""

from __future__ import annotations

import re

from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.stops.bodies import BEAST, HOLDS, HUMAN, KIND, PART, WORN
from coterie.mission.language.stops.callings import CALLED
from coterie.mission.language.stops.cries import without_oaths
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

_FURTHER = (
    r"(?:a muscle|an inch|a step|(?:any )?(?:further|farther|closer|nearer)|another \w+|one (?:more )?\w+(?: further)?|"
    r"at all|any ?more|on|in|in there|inside|anywhere|from there|forwards?)"
)
_MOVE = (
    r"(?:moves?|budges?|stirs?|drives?|walks?|rolls?|comes?|goes|go|advances?|proceeds?|"
    r"keep (?:going|moving))"
)
SPAN = (
    r"(?:just )?(?:for )?(?:just )?(?:a|an|one|two|half a|another) (?:little |short |quick )?"
    r"(?:moment|second|sec|minute|min|bit|while|tick|mo|jiffy|instant)s?"
)
_BRAKE = (
    r"(?:(?:hit|slam(?: on)?|apply|use|pull|put on|step on|jump on|on) )?(?:the |your |those )?(?:emergency )?"
    r"(?:brakes?|hand ?brakes?)(?: on)?|(?:brake|break)(?: hard)?"
)
_MOTOR = r"(?:power|plugs?|engines?|motors?|juice|current|electricity|wheels|drives?|machines?)"
_POWER = (
    rf"(?:kill|cut|pull|stop|shut|turn|switch|disconnect|unplug)(?: off| out)? "
    rf"(?:(?:the|your|its|their|all|all the) )?{_MOTOR}(?: off| down| out)?|"
    r"(?:kill|unplug) (?:it|them|NAMES|the robots?|everything)|"
    r"(?:shut|turn|switch|power) (?:it|them|everything|this|that)(?: all)? (?:off|down)"
)
#: Somebody, or what is theirs, that a robot is to keep off.
_SOMEBODY = (
    rf"(?:me|us|him|her|them|people|children|(?:the|that|this|my|our|his|her|your|their|somebody's) {KIND}"
    rf"(?:{HUMAN}|{BEAST}|{PART}|{WORN}|BED)s?(?:'s \w+)?)"
)
#: What is held and to be let go of.
_HELD = (
    r"(?:it|that|this|them|those|these|everything|that one|that thing|"
    r"what(?:ever)? (?:you|it) (?:are|is) (?:holding|carrying))"
)
#: What people come through with.
_PASSES = (
    r"(?:the|a|an|our|this|that) (?:\w+ )?(?:bed|stretcher|trolley|wheelchair|gurney|cart|team|doctor|nurse|ambulance)"
)
_PLEAS = "|".join(
    (
        rf"{DO_NOT} (?:you (?:dare )?|dare |any(?:body|one) |any of you )?{_MOVE}(?: {_FURTHER})?",
        rf"{DO_NOT} take (?:another|one more|a) (?:single )?step(?: (?:further|closer|nearer|more))?",
        rf"{NOBODY}(?: (?:is to|may|should|must|can))? {_MOVE}(?: {_FURTHER})?",
        r"(?:stand|stay|keep|hold|remain|be) (?:quite |perfectly |very )?still",
        r"(?:stays?|remains?|stands?|stops?|halts?|freezes?|holds?|waits?) (?:right |exactly |just )?where "
        r"(?:you|it|they) (?:are|is)",
        r"(?:stay|remain|stand) (?:right )?(?:put|there|here|back)",
        r"hold (?:it )?right (?:there|here|now)|hold (?:it|it there|it now|(?:(?:your|that|this|all) )?positions?)",
        r"(?:not|no) (?:one|another|a|a single) (?:more |single )?(?:step|inch|move|metre|meter)(?: \w+)?",
        r"not any (?:further|farther|closer|nearer)|that(?:'s| is) (?:far|close) enough",
        r"(?:quit|cease|no more|suspend|end|abort|cut|kill) (?:all )?(?:moving|movements?|driving|motion|"
        r"activit(?:y|ies)|"
        r"operations?|work|action)|(?:bring|put) (?:it|this|that|everything|all of it|them) to (?:a|an)(?: \w+)? "
        r"(?:halt|stop|standstill|end)|come to a(?: \w+)? (?:halt|stop|standstill)|put (?:a stop|an end) to "
        r"(?:it|this|that)|"
        r"call a halt|all stop|full stop|(?:hit|press|push) (?:the )?(?:pause|stop)(?: button)?|"
        r"no more of (?:that|this)|cease(?: and desist)?|"
        r"desist|stand down",
        r"(?:quit|cut|knock) it(?: (?:out|off))?|watch out",
        r"(?:abort|enough)(?: (?:abort|enough))*",
        r"(?:that(?:'s| is)|i have had|i've had) (?:quite )?enough(?: of (?:that|this|it))?",
        rf"(?:{DO_NOT}|{NOBODY}) (?:even |dare )?(?:touch|grab|take hold of|hit|hurt) BODY"
        r"(?: (?:in|on|at) [\w ]{1,20})?",
        rf"{DO_NOT} (?:come|get|go|drive|roll|move|walk) (?:any(?:where)? )?(?:near|close to|"
        r"towards|at|into) "
        rf"(?:it|this|that|any(?:body|one)|{_SOMEBODY})|{NOBODY} (?:comes?|gets?|goes|go|drives?|moves?) "
        rf"(?:near|close to|towards|at|into) {_SOMEBODY}|(?:stay|keep|get) (?:away from|off|clear of) "
        r"(?:me|us|him|her|them|it|this|that|there)|hands off(?: BODY| (?:the|that|this|my|those) \w+(?: \w+)?)?|"
        r"leave (?:me|us|him|her|them|that|this|it|those|these) alone",
        r"(?:let|make|have|tell|get|can|could|would|will|must) (?:all |all the |the |these |your |both )?robots "
        r"(?:(?:to|all|please|just) )*(?:wait|pause|rest|halt|stop|stand still|hold still|stay put)",
        r"time ?out|(?:shut|power|switch|turn) (?:down|off)|(?:turn|switch|shut|power) (?:off|down) OFF|"
        r"(?:turn|switch|shut|power) OFF (?:off|down)|(?:deactivate|disable|immobili[sz]e) OFF",
        r"(?:get|take|pull|drag|keep|move|lift|push|call) OFF (?:right )?"
        rf"(?:(?:off(?: of)?|away from|out of|back from|from) {_SOMEBODY}|out of (?:here|the way|my way|our way)|"
        rf"off (?:here|there))",
        r"(?:get|move|drive|roll|go|keep|stay|step|be) (?:right )?(?:out of|from|off) (?:my|our|the|his|her|their|this|"
        r"that) (?:way|path|feet)|out of (?:my|our|the) way|(?:move|step|stand|get|pull) (?:aside|over|away|off|back)|"
        rf"move(?: (?:it|move))+|(?:make|clear) (?:the |a )?(?:way|room|space)(?: for (?:{_SOMEBODY}|{_PASSES}))?|"
        r"(?:we are |i am |i'm |we're )?"
        r"coming through|gangway|"
        r"let (?:me|us|him|her|them|the \w+) (?:through|pass|by|past)|(?:look|mind) out|watch it|beware|danger",
        r"w(?:hoa+|oah+)(?: w(?:hoa+|oah+))*|not so (?:fast|quick|quickly)|hold your horses|back (?:off|up|away)",
        r"wait (?:right )?(?:here|there)|wait(?: wait)+|stay(?: stay)*|(?:hang|hold) on(?: (?:hang|hold) on)+",
        rf"{DO_NOT} move the robots?|(?:hold|hang)(?: on| up| off| fire| tight)? {SPAN}|hang tight|"
        r"wait (?:just )?(?:for )?(?:just )?(?:a|another) (?:little |short )?(?:bit|while|tick|mo|jiffy|instant)|"
        rf"give (?:me|us|him|her|them) {SPAN} before (?:you|they|any\w+) .+",
        r"(?:everybody|everyone|all of you|all robots|robots) (?:please )?hold(?: on| up)?|(?:NAMES) hold",
        r"hold(?: hold)*|(?:i|we) (?:want|need) (?:everything|all|it all|them all|them|it|this) "
        r"(?:stopped|halted|switched off|turned off|shut down)",
        rf"{_BRAKE}|{_POWER}|(?:press|push|hit|use) the (?:red|stop|emergency(?: stop)?) button|e stop|red light",
        r"(?:everybody|everyone|all of you|all robots|robots) (?:take|have) a (?:break|rest|pause|breather)|"
        r"(?:take|have) a (?:break|rest|pause|breather) (?:everybody|everyone|all|all of you|robots)|"
        r"sit(?: down| still)?|park (?:yoursel(?:f|ves)|it)",
        rf"(?:(?:get|take|come|move|step|roll|drive|stay|keep|go|be|stand)(?: your \w+)?|keep your (?:distance|hands)) "
        rf"(?:off|away from|clear of|back from|from) {_SOMEBODY}|off {_SOMEBODY}|"
        rf"(?:let go of|release|free|let loose of) {_SOMEBODY}|let (?:me|us|him|her|them) go|let go",
        rf"{DO_NOT} (?:hit|hurt|run over|drive over|roll over|step on|run into|drive into|bump into) {_SOMEBODY}",
        rf"(?:put|set|lay) {_HELD} (?:back )?down(?: again)?|(?:put|set|lay) down {_HELD}",
        r"(?:NAMES )?(?:had|have|has) better (?:not (?:move|go on|take another step)|stop|stand still)",
    )
)
#: Pleas that are cried, or wanted at once: said calmly, they may call off an order, or tell what is broken.
_CRIED = "|".join(
    (
        r"drop (?:everything|all of (?:it|that|them)|what(?:ever)? (?:you|they) (?:are|'re) "
        r"(?:doing|holding|carrying))",
        r"(?:put|set|lay|let) (?:the|that|this|those|these|your|my|his|her) (?:\w+ ){1,3}down|"
        r"(?:put|set|lay) down (?:the|that|this|those|these|your|my|his|her) \w+(?: \w+){0,2}",
        r"down|(?:get|lie|go|stay|lay) down|down (?:boy|girl|dog)|heel|lower (?:it|that|your arms?)|"
        r"hold (?:them|those|these)",
    )
)
_AT_ONCE = re.compile(r"!|\b(?:now|right away|immediately|at once|this instant|quick|quickly)\b", re.I)
#: That what is held is to be put down, said calmly, which a step of a lesson may say.
_PUTS_DOWN = re.compile(
    rf"\W*(?:(?:and|then|now|please|just|\w+)[\s,]+)*?(?:put|set|lay) (?:{_HELD} down|down {_HELD})[\s.]*", re.I
)
#: What is not to be touched: somebody or something that is pointed at.
_BODY = (
    r"(?:me|us|him|her|it|them|that|this|those|these|any(?:thing|body|one)|"
    r"(?:the|that|this|my|his|her|our) (?:patient|child|kid|boy|girl|baby|man|woman|lady|bed|person|people)s?)"
)
#: What can be turned off, or taken off somebody.
_OFF = (
    r"(?:everything|NAMES|it|that|this|them|(?:the|all|that|this|those|these|your|all the|that damn|this damn) "
    r"(?:\w+ )?(?:robot|thing|machine|dog|beast|monster|contraption)s?)"
)
_PLEAS = _PLEAS.replace("BODY", _BODY).replace("OFF", _OFF)
_BEFORE = (
    rf"{CALLED}|every robot|all|you|"
    r"(?:can|could|would|will) (?:you|everybody|everyone)|(?:i|we) (?:need|want|would like) "
    r"(?:you(?: all| both| two| guys)?|everything|everybody|everyone|all of you|them all|all robots|the robots) to|"
    r"be so kind (?:as to|and)|(?:must|have to|need to|should)|to|"
    r"tell|have|make|let|get|both|and|then"
)
_BEHIND = (
    r"now|right now|right there|right away|please|immediately|at once|(?:right )?this (?:second|minute|moment|instant)|"
    r"straight away|instantly|quick|quickly|already|for good|once and for all|everybody|everyone|all|all of you|"
    r"you|you two|"
    r"both|both of you|robots?|guys|(?:for )?(?:a|one) (?:moment|second|sec|minute|bit|while)|and|will you|"
    r"would you|i said|thanks|thank you|thank you very much"
)


#: That something is enough, which may also end a list.
_ENOUGH = re.compile(r"\W*(?:(?:ok|okay|right|no)\W+)?(?:enough|that(?:'s| is) enough)[\s.]*", re.I)
#: That somebody is to stay somewhere, which a step of a lesson may say.
_STAYS = re.compile(
    r"\W*(?:(?:and|then|now|please|just|\w+)[\s,]+)*?(?:stay|wait|remain|stand|hold)(?: right)? "
    r"(?:there|here|put|by|where (?:you are|it is))(?: (?:then|please|for now))?[\s.]*",
    re.I,
)


#: What comes after something else, which is no stop now: "Go to beta, then wait there."
_LATER = re.compile(r"\W*(?:and )?(?:then|afterwards|after that)\b", re.I)


def ends_a_list(sentence: str) -> bool:
    """Whether a plea says that something is enough, without a cry."""
    return _ENOUGH.fullmatch(sentence) is not None


def tells_to_stay(sentence: str) -> bool:
    """Whether a plea says that somebody is to stay where they are, without a cry."""
    return _STAYS.fullmatch(sentence) is not None


def puts_down(sentence: str) -> bool:
    """Whether a plea says that something is to be put down, without a cry."""
    return _PUTS_DOWN.fullmatch(sentence) is not None


def cried(sentence: str, vocabulary: Vocabulary) -> m.Stop | None:
    """The stop that a cry is which, said calmly, may be something else: "Drop everything!", "Spot, down!"."""
    robots = {r.lower(): r for r in vocabulary.names("robot")}
    names = "|".join(map(re.escape, robots)) or r"(?!)"
    called = re.match(rf"\W*(?:{names})\s*[,!]", sentence, re.I)  # "Spot, down."
    if not (_AT_ONCE.search(sentence) or called) or sentence.rstrip().endswith("?"):
        return None
    plain = " ".join(re.sub(r"[,!.;:\u2013\u2014-]+", " ", without_oaths(sentence).lower()).split())
    found = re.fullmatch(rf"(?:(?:{_BEFORE}|{names}) )*(?:{_CRIED})(?: (?:{_BEHIND}|{names}))*", plain)
    return m.Stop(tuple(dict.fromkeys(robots[w] for w in plain.split() if w in robots))) if found else None


def plea(sentence: str, vocabulary: Vocabulary) -> m.Stop | None:
    """The stop that a sentence is, if it is a plea to stand still and nothing else."""
    robots = {r.lower(): r for r in vocabulary.names("robot")}
    names = "|".join(map(re.escape, robots)) or r"(?!)"
    plain = " ".join(re.sub(r"[,!.;:\u2013\u2014-]+", " ", without_oaths(sentence).lower()).split())
    asked = plain.endswith("?") and not re.match(r"(?:can|could|would|will) ", plain)
    plain = re.sub(r" (?:until|till) .+", "", plain.rstrip(" ?"))  # a stop holds until somebody says continue
    bed = r"(?!)" if "bed" in vocabulary.phrases else HOLDS  # a place by that name can be closed
    pleas = (
        rf"{_PLEAS.replace('NAMES', names).replace('BED', bed)}|hold on (?:{names})|(?:{names}) no (?:further|closer)"
    )
    found = re.fullmatch(rf"(?:(?:{_BEFORE}|{names}) )*(?:{pleas})(?: (?:{_BEHIND}|{names}))*", plain)
    if found is None or asked:
        return None
    return m.Stop(tuple(dict.fromkeys(robots[w] for w in plain.split() if w in robots)))


def plea_among(sentence: str, vocabulary: Vocabulary) -> tuple[m.Stop | None, str]:
    """The stop that a clause of a sentence is, and the rest of the sentence."""
    clauses = re.split(r"(?<=[,.;:!?])\s+|\s[-\u2013\u2014]+\s", sentence)
    later = [i > 0 and _LATER.match(c) is not None for i, c in enumerate(clauses)]
    stops = [None if put_off else plea(c, vocabulary) or cried(c, vocabulary) for c, put_off in zip(clauses, later)]
    rest = " ".join(c for c, stop in zip(clauses, stops) if stop is None)
    return next((s for s in stops if s is not None), None), rest
