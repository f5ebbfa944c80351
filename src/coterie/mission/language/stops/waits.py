"""Pleas to wait or stop by who is spoken of, what they are to do and for how long: "Could the robots wait a minute?",
"I'd feel better if it stopped.", "Can somebody make Fetch wait?", "Call them off."."""

from __future__ import annotations

import re
from functools import lru_cache

from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.stops.callings import CALLED
from coterie.mission.language.stops.cries import without_oaths
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

_KIND = r"(?:robots?|machines?|bots?|dogs?|units?|vehicles?|team|robot team)"
_THEM = (
    rf"(?:(?:NAMES)(?: (?:and )?(?:NAMES))*|(?:(?:all|both|all of) )?(?:the|these|those|that|this|your|our) (?:\w+ )?"
    rf"(?:{_KIND}|things?|two|lot)|(?:all )?robots|any robots?|everything|everybody|everyone|all of (?:you|them))"
)
_IT = rf"(?:{_THEM}|it|they|them(?: all)?)"
_THAT = (
    r"(?:this|that|(?:this|that|the) (?:\w+ )?(?:thing|job|work|delivery|order|task)|your work|"
    r"what(?:ever)? (?:you|they|it)(?: are| is|'re|'s) doing)"
)
_ALL = r"(?: all| guys| two| three| four| both| lot| folks| people)?"
_YOU = rf"(?:{_IT}|you{_ALL})"
_PLACE = r"(?:where (?:you|they|it) (?:are|is)|put|there|here|back)"
#: What they are to do, which is a stop or a wait; what they would have done; and what is done to them.
_STOP = (
    r"(?:not (?:move|drive|roll|come in|go in|come through|go through)(?: (?:here|there|in here))?|"
    r"stop(?: moving| driving| working| it)?|halt|freeze|(?:stand|hold|keep|stay|remain) (?:\w+ )?still|"
    rf"(?:stay|remain|stand) (?:right |exactly |just )?{_PLACE}|stop what (?:you|they|it) (?:are|is) doing)"
)
_WAIT = r"(?:wait(?: up)?|pause|hold(?: on| off| up| fire| position)?|hang (?:on|back)|stand by|rest|stay|take a break)"
_DID = (
    r"(?:stopped(?: moving)?|halted|froze|waited|paused|held (?:on|off|still|back)|rested|kept still|"
    rf"(?:stood|stayed|remained) (?:still|{_PLACE})|did not move|didn't move)"
)
_TO_THEM = (
    rf"(?:(?:stop|halt|pause|freeze|park|hold(?: up| back)?|call (?:off|back)|rein in|(?:switch|turn|shut) off) {_THEM}"
    rf"|(?:stop|halt|pause|freeze|park) (?:it|them)|(?:call|hold|keep|rein|pull|switch|turn|shut) (?:{_IT}|him|her|"
    rf"your \w+|that \w+) (?:off|back|in|down|still)|put (?:{_IT}|{_THAT}) on (?:hold|pause|ice)|"
    rf"pull the plug (?:on|of|from) (?:{_IT}|{_THAT})|(?:interrupt|postpone|suspend) (?:{_IT}|{_THAT}))"
)
_STOPPED = r"(?:stopped|halted|paused|held(?: back| up)?|parked|called off|(?:switched|turned|shut) (?:off|down))"
_ON_THEM = rf"(?:{_TO_THEM}|(?:make|have|let|get|tell|ask|order) {_IT} (?:to )?(?:{_STOP}|{_WAIT}))"
_DO = rf"(?:{_STOP}|{_WAIT}|{_ON_THEM})"
_KINDLY = r"(?: (?:please|just|all|both|kindly|maybe|perhaps|possibly|now|quickly|briefly|really|ever so kindly))*"
_WOULD = r"(?:can|could|would|will|won't|can't|couldn't)"
_BETTER = (
    r"(?:feel (?:\w+ ){0,2}(?:better|safer|calmer|happier|comfortable|easier)|be (?:\w+ ){0,2}(?:happy|happier|glad|"
    r"grateful|thankful|relieved|calmer|obliged)|appreciate it|prefer(?: it)?|like it|love it)(?: better| more| a lot)*"
)
_GOOD = (
    r"(?:\w+ )?(?:nice|great|better|best|good|safer|kind|wise|wiser|lovely|helpful|wonderful|a good idea|appreciated)"
)
_CALL = r"(?:everybody|everyone|all of you|all robots|robots|guys|team|folks)"
_BREAK = r"(?:take|have) (?:(?:a|another) (?:short |little |quick |wee )?(?:break|rest|pause|breather)|five|ten)"
_SPELL = r"(?:for (?:now|the moment|the time being|a (?:bit|while|moment|minute)))"
_MINUTES = r"(?:moment|second|sec|minute|min|bit|while|tick|mo|jiffy|instant|hour)s?"
_ASKED = (
    rf"{_WOULD} (?:you|somebody|someone|anybody|anyone|one of you){_ALL}{_KINDLY} {_DO}",
    rf"{_WOULD} we{_KINDLY} {_ON_THEM}",
    rf"(?:could|would|will) {_IT}{_KINDLY} (?:{_STOP}|{_WAIT})|{_WOULD} {_IT}{_KINDLY} be{_KINDLY} {_STOPPED}",
    rf"(?:is|would|will|could|might) it (?:be )?(?:at all )?(?:possible|ok|okay|alright|all right|too much to ask|an "
    rf"option) (?:to{_KINDLY} {_ON_THEM}|for {_YOU} to{_KINDLY} {_DO}|(?:that|if) {_YOU}{_KINDLY} (?:{_DID}|{_STOP}|"
    rf"{_WAIT}))|(?:would|will|could|might) it be (?:at all )?possible to{_KINDLY} (?:{_STOP}|{_WAIT})",
    rf"(?:is there )?any (?:way|chance) (?:that )?(?:to {_DO}|(?:you|we|{_IT}) (?:can|could){_KINDLY} {_DO})",
    rf"how about (?:{_YOU}{_KINDLY} )(?:{_STOP}|{_WAIT})|would it (?:hurt|kill you) to {_DO}",
    rf"can {_IT}{_KINDLY} (?:{_STOP}|{_WAIT}) (?:for )?(?:just )?(?:a|one|two|five|a few) {_MINUTES}",
    rf"are (?:you|{_IT}) able to{_KINDLY} {_WAIT} (?:for )?(?:a|one) {_MINUTES}",
    rf"do you think (?:you|{_IT}) (?:can|could){_KINDLY} {_DO}|would you be so (?:kind|good)(?: as to| and) {_DO}",
)
_WISHED = (
    rf"(?:i|we|he|she|(?:my|our|the) \w+)(?: would| really| all| just| do)* (?:want|wants|need|needs|like|love|prefer|"
    rf"ask|beg|urge)(?: for)? {_IT} to{_KINDLY} (?:{_STOP}|{_WAIT})",
    rf"(?:i|we|he|she|they|(?:my|our|the) \w+) would(?: all| really| much| so)* (?:{_BETTER} if|rather(?: that)?) "
    rf"{_YOU}{_KINDLY} (?:{_DID}|(?:could|would){_KINDLY} {_DO})",
    rf"(?:it|that) (?:would|might|will) be {_GOOD} (?:if {_YOU}{_KINDLY} (?:{_DID}|(?:could|"
    rf"would){_KINDLY} {_DO})|for {_YOU} to "
    rf"{_DO}|to {_DO})|it(?: is|'s) (?:better|best|wiser|safer) (?:to|if you) {_DO}|"
    rf"(?:{_THAT}|everything|it all) (?:will have to|has to|must|should|needs to) {_WAIT}",
    rf"{_IT} (?:should|must|has to|have to|had better|needs? to|ought to|(?:is|are) to){_KINDLY} "
    rf"(?:{_STOP}|{_WAIT}|be{_KINDLY} {_STOPPED})|(?:i|we)(?: really| all)? (?:want|need) (?:{_IT}|{_THAT}) {_STOPPED}",
    rf"(?:make|have|let|get|tell|ask|order) {_IT} (?:to )?{_KINDLY} ?(?:{_STOP}|{_WAIT})|{_TO_THEM}|wait(?: up)?|"
    r"hold (?:on|off|up|fire|position)|hang (?:on|back)|pause|stand by|"
    rf"stop(?: stop)*(?= please|$)|do (?:{_STOP}|{_WAIT})|make sure(?: that)? {_IT} (?:{_STOP}|{_WAIT}|"
    rf"do not move|don't move)",
)
#: What robots are to leave, for now.
_LATER = (
    r"(?:come|try|check) back (?:later|another time|some other time|in (?:a|an|one|two|five|ten|a few) (?:bit|"
    r"while|hour|"
    r"minute)s?)",
    r"wait outside (?:of )?(?:the )?\w+(?: \w+)?",
    rf"{DO_NOT} (?:do|deliver|bring|start) anything(?: yet)?|do nothing (?=for|until|till|right now|just yet|"
    rf"yet)(?:yet|just yet)?",
    rf"(?:we|i)(?: all| really| just)* (?:need|have|want|ought|would like|are going|will have|had better)(?: to)? "
    rf"{_TO_THEM}",
    rf"(?:please|NAMES|{_CALL})(?: (?:please|NAMES|{_CALL}))* (?:let's |let us )?{_BREAK}|(?:let's |let us )?{_BREAK}"
    rf" (?:please|NAMES|{_CALL})",
    rf"(?:{NOBODY}|{DO_NOT}) (?:starts?|begins?|does|do|touch(?:es)?) (?:anything|something)(?: (?:else|"
    rf"new))? (?:before|until)"
    r" .+",
    r"(?:easy|steady|gently)(?: (?:easy|steady|gently|now|there))+",
    r"hands off (?:the )?(?:table|door|room|kit|drawer|shelf|cabinet)(?: \w+)?",
    r"hold (?:the|that|this|your) (?:first|second|third|last|next|other|previous|new|old) (?:one|order|delivery|kit)",
    rf"{_IT} (?:should|must|has to|have to|had better|needs? to|ought to|(?:is|are) to){_KINDLY} (?:stay|remain|wait) "
    rf"(?:in|at|inside|by|near) (?:the )?\w+(?: \w+)? {_SPELL}",
    rf"{DO_NOT} (?:drive|roll|walk|come|go) (?:through|past|by|along) (?:here|there)|{DO_NOT} (?:drive|roll|move)",
    rf"{_IT} (?:must not|mustn't|should not|shouldn't|(?:is|are) not to|may not|(?:is not|isn't|are not|"
    rf"aren't) (?:allowed|permitted|supposed) to) (?:leave|enter|go|start|"
    rf"depart)(?: (?:to|"
    rf"in|into|from|out of|near|the|for|off))*(?: \w+){{0,2}} (?:{_SPELL}|yet|just yet)",
)
#: Somebody else is to come first, something is to be let alone, or no robot is to come where somebody points.
_SOME = r"(?:the|this|that|these|those|my|our|his|her|their)"
_OUTDOORS = r"(?:sun|rain|cold|grass|wind|light|sea|war|news|argument|fight|discussion|conversation|way|trouble|press)"
_KEPT = (
    r"let (?:me|us|him|her|them|(?:the|my|our|this|that) (?:\w+ )?\w+) (?:through|pass|by|past|cross|go|"
    r"get (?:by|past|through|out|in)|go (?:by|past|through|ahead|in|out))(?: (?:here|there))? first",
    r"let (?:us|him|her|them|(?:the|my|our|this|that) (?:\w+ )?\w+) (?:\w+ ){1,3}first",
    r"let (?:me|us|him|her|them|(?:the|my|our|this|that) (?:\w+ )?\w+) (?:through|pass|by|past|cross|go|"
    r"get (?:by|past|through|out|in)|go (?:by|past|through|ahead|in|out)) before (?:you|they|it|any\w+) .+",
    r"let (?:the|my|our|this|that|these|those) (?:\w+ )?\w+ (?:through|pass|past)",
    r"(?:step|move|stand|get|pull) (?:aside|back|over|away) and wait",
    r"keep (?:NAMES|(?:the|all|your|these) robots?) (?:in|at|inside|by) (?:the )?\w+(?: \w+)?",
    rf"leave {_SOME} (?:[\w']+ )?\w+ (?:alone|be|in peace)",
    rf"{_IT} (?:must not|mustn't|should not|shouldn't|(?:is|are) not to) (?:move|go on|continue|drive|come)(?: \w+)?",
    rf"keep {_IT} (?:still|back|here|there|parked|(?:right |exactly |just )?where (?:they|it) (?:are|is))",
    rf"{DO_NOT} let {_IT} (?:move|go|drive|come|roll|continue|pass|start|leave|through|in|near|out|by)(?: \w+){{0,3}}",
    rf"(?:all )?robots (?:off|out of|away from|back from) {_SOME} (?:\w+ )?\w+",
    rf"(?:stay|keep|remain|get|be) (?:out of|away from|clear of|off|outside) (?:of )?{_SOME} (?!{_OUTDOORS}\b)(?:\w+ )?"
    r"(?!alone\b)\w+",
    r"(?:(?:there should be |i want |we want )?no|keep (?:all|the|your|those|these)) robots (?:out of|in|near|at|"
    r"around|inside|beyond|past|by|away from) (?:here|there|this \w+|us|me|him|her|them|(?:the|my|our) \w+)",
)
_NOBODY_GOES = (
    rf"no more (?:deliveries|orders|work|driving|trips|robots)|"
    rf"(?:{NOBODY}|nothing|{DO_NOT})(?: (?:is to|may|should|must|can))? (?:leaves?|enters?|exits?|passes|pass|"
    rf"crosses|cross|"
    rf"(?:go|goes|comes?|drives?|gets?|rolls?|moves?|walks?) (?:in|out|near|into|past|through|out of|by|over|along|"
    rf"across|a?round|up|down|behind|under|onto))(?: {_SOME} (?:\w+ )?\w+| here| there| this way)?"
)
_BEFORE = (
    rf"{CALLED}|excuse me|pardon(?: me)?|sorry|hi|hello|you|do me a favou?r(?: and)?|be so kind and|kindly|for now|"
    r"right|listen|look|alright|all right|um|uh|well|maybe|perhaps|and|but|"
    r"(?:i|we)(?: really| do)? (?:think|believe|guess|suppose|feel|reckon|suggest|insist)(?: that)?"
)
_BEHIND = (
    rf"(?:just )?(?:for )?(?:just )?(?:(?:a|an|one|two|three|five|ten|half a|another|a few|some|\d+) )(?:(?:little|"
    rf"short|quick|more|couple of) )?{_MINUTES}|for (?:now|the moment|the time being|me|us|a bit)|right "
    r"(?:now|away|there|here)|at once|immediately|here|there|please|first|thanks|thank you|honestly|really|ok|okay|"
    r"will you|would you|already|again|too|as well|all|both|briefly|if (?:possible|you can|you would)|"
    r"where (?:you|they|it) (?:are|is)|in here|over there|with (?:it|that|this|everything)|a bit|"
    r"a (?:little|tad|touch)(?: bit| longer| while)?|outside|a bit longer|"
    r"for (?:(?:the|a|our|my|their) )?(?:lunch|dinner|breakfast|supper|coffee|tea|prayers?|meal|night|evening|"
    r"ward round|"
    r"visit|rest of the day|today)(?: break| time)?|now|everybody|everyone|all of you|all robots|robots|guys|"
    r"team|just|quick"
)
#: What can be closed by its name instead: "Alice, leave the drawer alone."
_ALONE = re.compile(rf"\bleave {_SOME} (?P<what>[\w' ]+?) (?:alone|be|in peace)\b")
#: What else is a stop, rather than a wait.
_STAND = (
    "hands off",
    "plug",
    "interrupt",
    "easy",
    "steady",
    "gently",
    "do anything",
    "do nothing",
    "not leave",
    "must not",
    "not enter",
)
#: A stop and a please that were typed in haste.
_TYPED_STOP = re.compile(r"^(?:s+tp+|sotp|stpo|tsop|stopp+|s{2,}to+p+|stopo|stpp)\b")
_TYPED_PLEASE = re.compile(r"\b(?:plese|pleas|plase|pls|plz|pleae|plesae|pleaes|pelase|pleease)\b")
_UNTIL = re.compile(r" (?:until|till|while|as long as) (?!.*\b(?:and|then)\b).+")


@lru_cache(maxsize=16)
def _patterns(robots: tuple[str, ...], asked: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """All pleas for robots of these names, or those that ask; prohibitions that want an until or a reason; stops."""
    names = "|".join(re.escape(r.lower()) for r in robots) or r"(?!)"
    around = rf"(?:(?:{_BEFORE}|{names}) )*(?:%s)(?: (?:{_BEHIND}|{names}))*"
    pleas = around % "|".join(_ASKED if asked else (*_ASKED, *_WISHED, *_LATER, *_KEPT))
    stops = rf"\b(?:{'|'.join((_STOP, 'stopped', 'halted', 'froze', 'stood', 'stayed', 'off', *_STAND, *_KEPT))})\b"
    return tuple(re.compile(p.replace("NAMES", names)) for p in (pleas, around % _NOBODY_GOES, stops))  # type: ignore[return-value]


def asked_to_wait(sentence: str, vocabulary: Vocabulary, reason: bool = False) -> m.Stop | m.Steer | None:
    """The stop or the wait that a sentence asks for, if it does nothing else; `reason`: one is said behind it."""
    plain = " ".join(re.sub(r"[,!.;:?\u2013\u2014-]+", " ", without_oaths(sentence).lower()).split())
    plain = _TYPED_PLEASE.sub("please", _TYPED_STOP.sub("stop", plain))
    plain = re.sub(r"\b(i|we|he|she|they|it|that|you)'d\b", r"\1 would", plain)
    plain = re.sub(r"\blet us (?=wait|stop|pause)|\blet's (?=wait|stop|pause)", "", plain)
    short = _UNTIL.sub("", plain)
    robots = {r.lower(): r for r in vocabulary.names("robot")}
    asked = sentence.rstrip().endswith("?") and "please" not in plain  # "Stop Spot?" asks whether
    pleas, nobody_goes, stops = _patterns(tuple(robots), asked)
    whole = pleas.fullmatch(short) is not None
    goes = (reason or short != plain) and nobody_goes.fullmatch(short) is not None
    alone = _ALONE.search(short)
    if not (whole or goes) or (alone is not None and alone["what"] in vocabulary.phrases):
        return None
    who = tuple(dict.fromkeys(robots[w] for w in short.split() if w in robots))
    return m.Stop(() if goes else who) if goes or stops.search(short) else m.Steer("pause", robots=who)
