"""A sentence without what people put around its meaning, and with the plainest of several words for the same.

It serves guesses alone, which are read back before anything is done: what is left out here was said all the same. So
nothing that makes a sentence mean less or something else is left out: a condition, a time, a no, a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from coterie.mission.language.signs import NUMBERS, number_of
from coterie.mission.language.stops.cries import without_oaths

#: Courtesy that looks like a condition.
_NO_TROUBLE = re.compile(
    r",?\s*\b(?:maybe,? )?if (?:it|that)(?: is|'s| isn't) (?:not )?(?:too )?(?:much )?(?:of a )?"
    r"(?:trouble|bother|hassle|problem|to ask)\b,?", re.I
)  # fmt: skip
_SECOND = re.compile(
    r"^\s*(?:(?:on second thoughts?|come to think of it|or rather)\b[\s,]*|"
    r"(?:(?:no|sorry|oh|actually|well|wait)[,.]? )*"
    r"i(?:'ve| have| just|'ve just| have just)? changed my mind\s*[,:;\u2013\u2014-]+\s*)(?=\w)",
    re.I,
)
#: A softer way to ask, and a reason behind what is wanted, which change nothing.
_POSSIBLY = re.compile(
    r"\b((?:can|could|would|will) (?:you|somebody|someone))(?: (?:possibly|perhaps|maybe|kindly))+\b", re.I
)
_NO_NEED = re.compile(
    r",\s*(?:because |since |as )?(?:we|i|they|she|he|nobody) (?:do(?:es)? not|don't|doesn't|no longer|won't|will not) "
    r"needs? (?:it|them|that|those|this|one)(?: (?:any ?more|any longer|after all|now|today|right now))?[\s.!]*$",
    re.I,
)
_CALLS_OFF = re.compile(
    r"\W*(?:please |ok |okay )?(?:forget|cancel|drop|never mind|leave|skip|call off|scrap|abort|do not|don't|"
    r"remove|omit)\b",
    re.I,
)
#: What is meant stands before it: "Three gloves, I mean."
_I_MEAN = re.compile(r"^\s*(?!no\b)([^,;.!?]{2,60}?)\s*,\s*i (?:mean|meant)\s*[.!]*\s*$", re.I)
_LETTERS = r"(?![\w'])"
#: Before what is meant.
_LEADS = (
    r"(?:just )?(?:so|for) you(?: to)? know(?: that)?|(?:just )?(?:to )?let(?:ting)? you know(?: that)?|"
    r"(?:just )?(?:a )?(?:quick )?(?:heads[- ]up|note|reminder|info|update|word)(?: that)?(?=[,:])|fyi|"
    r"(?:just )?(?:a|one|half a) (?:sec|second|moment|minute|tick)(?=,? (?:who|what|where|which|why|how|when|is|"
    r"are|does|did)\b)|"
    r"for your info(?:rmation)?|btw|by the way|"
    r"(?:please |kindly )?(?:note|be aware|be advised|keep in mind|bear in mind|remember)(?: that)?|"
    r"(?:i am|i'm|we are|we're) (?:afraid|sorry|sorry to say|sad to say)(?: to say)?(?: that)?(?=,| (?!to\b))|"
    r"unfortunately|sadly|regrettably|luckily|good news|bad news|guess what|listen(?: up)?|look(?=,)|see(?=,)|"
    r"it (?:looks like|looks as if|seems(?: that| like)?|turns out(?: that)?|appears(?: that)?)|"
    r"as far as i (?:can see|can tell|know)|(?:as )?i (?:can )?see(?: that)?(?! any| no)|i noticed(?: that)?|"
    r"i (?:have )?(?:just )?(?:looked|checked|saw|walked past|came from there|had a look)(?: at it| there)?(?: and|:|"
    r",)|"
    r"you (?:should|might want to|ought to|may want to|need to|must) know(?: that)?|i (?:have|want|wanted|"
    r"need) to (?:tell|inform) you(?: that)?|"
    r"i (?:would|'d) (?:really )?appreciate it if you (?:could|would)|i would be (?:glad|happy|"
    r"grateful) if you (?:could|would)|"
    r"i'd be (?:glad|happy|grateful) if you (?:could|would)|it(?:'d| would) be (?:great|nice|good|lovely|kind|"
    r"helpful) if you(?: could| would)?|"
    r"(?:do you think|is there any chance|any chance(?: that)?|is it possible that|"
    r"would it be possible that) you (?:could|would|can)|"
    r"(?:can|could|may|might) i (?:ask|get|have|trouble|bother|want) you to|i (?:must|have to|need to|would like to|"
    r"'d like to|want to) ask you to|"
    r"i (?:want|need|would like|'d like|expect) you to|(?:would|could|can|will) (?:you|somebody|someone|anybody|"
    r"anyone|one of you|any of you)(?: guys)?(?: please| kindly)?(?: mind| be able to| be so kind as to|"
    r" be so kind and| go and| go| quickly)?(?! (?:tell|say|explain|give me|confirm|find out whether)\b)|"
    r"(?:please )?(?:go and|go ahead and|try to|try and|be so kind as to|be so kind and|be a dear and|"
    r"do me a favou?r and|see to it that you|make sure(?: that)? you|go(?= (?:see|check|look|find|open|close|shut|get|"
    r"grab|fetch)\b))|"
    r"(?:hi|hello|hey)(?: (?:there|all|team|everyone|everybody|guys|you))?(?! (?:there|all|team|everyone|everybody|"
    r"guys|you)\b)|good (?:morning|afternoon|evening|day)|"
    r"please|pls|plz|kindly|well|so|okay|ok|alright|all right|right|now|and|but|also|oh|ah|hm+|um+|uh+|er+|actually|"
    r"you know|you see|i think|i guess|i believe|i suppose|i mean(?=,)|excuse me|sorry to (?:bother|interrupt|"
    r"trouble)(?: you)?|team|robots?|guys|everyone(?=,)|everybody(?=,)"
)
_LEAD = re.compile(rf"^(?:{_LEADS}){_LETTERS}[\s,:;.!-]*(?=\w|\"|')", re.I)
#: After what is meant.
_TAILS = (
    r"please|pls|plz|kindly|thanks(?: a lot| so much| in advance| very much)?|thank you(?: very much| so much)?|thx|"
    r"cheers|"
    r"(?:would|will|could|can|won't) you(?: please)?|if you (?:do not|don't) mind|if you (?:can|could|would|like|"
    r"please|wish)|if possible|if that is ok(?:ay)?|"
    r"if that's ok(?:ay)?|if you would be so kind|for (?:me|us)|right now|at the moment|at present|just now|currently|"
    r"for now|for the moment|"
    r"i'?m (?:afraid|sorry(?: to say)?)|i am (?:afraid|sorry(?: to say)?)|sorry(?: about that)?|unfortunately|sadly|"
    r"ok(?:ay)?|alright|all right|"
    r"you know|i think|i guess|i believe|i suppose|i'd say|as far as i (?:can see|can tell|know)|by the way|"
    r"when you (?:can|get a chance|have a moment|have time|get a moment|are free)|as you can see|mate|guys|dear|buddy|"
    r"there'?s a good robot|now"
)
_TAIL = re.compile(rf"[\s,;.!-]+(?:{_TAILS})[\s.,!?]*$", re.I)
_BE = (
    r"(?:open|shut|closed|locked|unlocked|ready|packed|done|finished|complete|empty|bare|clear|cleared|gone|missing|"
    r"out|down|broken|dead|stuck|jammed|blocked|urgent|here|there|back|away|in|on|at|not|no|now|all|already|still|"
    r"just|needed|wide|standing|good|to|the|with|able|unable|no longer|more|most|first|important|coming|going|doing|"
    r"free|available|present)"
)
#: (what is said, what is meant by it); longer ones first where one begins like another.
_PLAIN: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"\bthe (?:door|doorway) (?:that |which )?(?:leads?|leading|goes|going|opens?|opening|belongs?|belonging) (?:to|"
    r"into|onto) (?:the )?(?:room )?", "the door to "),
    (r"\bthe (?:door|doorway) (?:in front of|for|on|over at|by|outside) (?:the )?(?:room )?(?=\w)", "the door to "),
    (rf"\b(door|it|that|what|who|where|how|here|there|everything|something|nobody|«\w+»|"
     rf"\w+)'s(?= {_BE}\b)(?! door)", r"\1 is"),
    (r"\b(it|that|there|what|where|how|who|she|he)s (?=(?:a|an|the|on|in|at|not|no|nothing|your|up|open|empty|gone|"
    r"ready|here)\b)", r"\1 is "),
    (r"\b(does|is|has|do|can|could|would|did|was|are|have|should)nt\b", r"\1n't"),
    (r"\b(?:anymore|any longer)\b", "any more"),
    (r"\bno more\b(?= of)", "no"),
    (r"\b(?:hasn't|haven't|has not|have not) got\b(?: any| a single| one)?", "has no"),
    (r"\b(?:isn't|is not|aren't|are not) (?:a single|any|even one|even a|one single|one)\b", "is no"),
    (r"\bnot (?:a single|even one|even a|one single)\b", "no"),
    (r"\b(?:know|tell me|say|wonder|wondering|see|check|ask|asking|unsure|sure|look|find out|verify) if\b",
     lambda f: f.group(0)[:-2] + "whether"),
    (r"\bhave a (?:quick )?look (?:whether|if)\b", "check whether"),
    (r"\b(?:verify|make sure|find out|see|look|confirm|double[- ]check|go see|go and see) (?:whether|"
    r"that)(?= there\b)", "check whether"),
    (r"\b(?:verify|find out|see|confirm|double[- ]check) whether\b", "check whether"),
    (r"\b(?:over|back|across|along|through|straight) to\b", "to"),
    (r"\b(?:get|lay|take) (?:a )?hold of\b", "pick up"),
    (r"\b(?:brought|carried|taken|delivered|transported|moved|sent) (?:over )?to\b", "delivered to"),
    (r"\b(?:opening|unlocking|unlock) up\b", "opening"),
    (r"\bunlock\b", "open"),
    (r"\b(?:tidy|tidying)-up\b", "tidy up"),
    (r"\b(?:what is|what's) the (\w+(?: \w+)?) count\b", r"how many \1"),
    (r"\b(?:what is|what's) the (?:number|count|amount) of\b", "how many"),
    (r"^(.{3,40}?)\s*(?:[-:,\u2013\u2014]|\.\.\.)+\s+(?:please |then )?(close|shut|open|cancel|pause|resume|stop|"
    r"pack) it\b",
     r"\2 \1"),
    (r"^(?:i|we)(?:'d| would) (?:rather|prefer|like)(?: (?:to |that |if |it if |for )?)(?:have |see |let )?"
     r"((?!you\b|i\b|we\b|it\b|not\b)\w+) (?:to )?(?:do|did|does|handled?) (?:it|that|this)(?: instead| rather)?$",
     r"let \1 do it"),
    (r"\b(?:let|have|get) (\w+) (?:to )?(?:do|handle) (?:it|that|this) (?:instead|rather)$", r"let \1 do it"),
    (rf"\b({'|'.join(NUMBERS[1:])}|\d{{1,2}}) pairs? of\b", lambda f: str(2 * number_of(f.group(1)))),
    (r"\bthx\b", "thanks"), (r"\bpls\b|\bplz\b", "please"), (r"\bu\b", "you"), (r"\bur\b", "your"),
]  # fmt: skip
_COMPILED = [(re.compile(p, re.I), to) for p, to in _PLAIN]
MOST_TURNS = 6
#: A question that is none: somebody asks for something to be done.
_REQUEST = re.compile(
    r"\b(?:can|could|would|will|won't|may|might) (?:you|we|i|somebody|someone|anybody|anyone|one of you|any of you)\b|"
    r"^\W*(?:can|could|would|will) (?:(?!table|the\b|it\b|that\b|this\b|there\b|an?\b|they|he\b|she\b)\w+)\b|"
    r"\bplease\b|\bpls\b|\bmind\b|\b(?:ok|okay|alright|all right)$",
    re.I,
)
_ASKS = re.compile(
    r"^(?:\W*(?:and|so|but|ok|okay|hey|hi|hello|well|sorry|please)\b)*\W*(?:how|what|where|who|whose|why|which|when|"
    r"is|are|does|do|did|has|have|should|was|were)\b|"
    r"\b(?:tell me|know|say|explain|confirm|wonder|wondering|let me know|give me)\b|\b(?:do you think|would it|"
    r"could the|would the|should)\b",
    re.I,
)


def smooth(sentence: str) -> str:
    """The same, shorter and plainer; a question mark stays."""
    text = " ".join(sentence.split()).rstrip(" .!;,")
    asked = text.endswith("?")
    text = text.rstrip(" ?.!;,")
    asked = asked and (_REQUEST.search(text) is None or _ASKS.search(text) is not None)
    for _ in range(MOST_TURNS):
        before, text = text, _TAIL.sub("", _LEAD.sub("", text)).strip(" ,;:.!-")
        if text == before or len(text.split()) < 2:
            text = text or before
            break
    if asked:
        text = re.sub(r"[\s,]+or (?:not|closed|shut|is it not|isn't it|full)$", "", text, flags=re.I)
    for pattern, to in _COMPILED:
        text = pattern.sub(to, text)
    return text + "?" * asked


def courteous(text: str) -> str:
    """A sentence without oaths, and without courtesy that looks like a condition: "if it is not too much trouble"."""
    text = _I_MEAN.sub(r"I meant \1.", _POSSIBLY.sub(r"\1", _SECOND.sub("", without_oaths(text))))
    if _CALLS_OFF.match(text):
        text = _NO_NEED.sub(".", text)
    return " ".join(_NO_TROUBLE.sub(" ", text).split()) if _NO_TROUBLE.search(text) else text
