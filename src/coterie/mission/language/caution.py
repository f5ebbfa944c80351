"""Words that turn a sentence round: a guess that makes nothing of them says the opposite.

What is found here is asked about; nothing is done, and nothing that leaves the word out is read back. A stop is the
other way round: it is honoured in any words, unless one of them puts it off (`stops_at_once`).
"""

from __future__ import annotations

import re

from coterie.mission.language.heard import heard_of
from coterie.mission.language.no_words import DO_NOT, NOBODY
from coterie.mission.language.smooth import requested
from coterie.mission.language.stops.still import plea_among
from coterie.mission.language.stops.unmeant import unmeant
from coterie.mission.language.understand import known_words
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary

#: A no that denies what follows it: "No gloves."; after a comma it puts right: "No, gloves.".
_DENIES = re.compile(
    r"\b(?:no|nope|nah)\s+(?!(?:wait|sorry|not|nope|no|i|i'm|we|make|rather|hang|hold|the|an?|my|our|this|that|it|let|have|"
    r"get|use|take|send|to|at|in|on|into|only|just|please|actually|wrong|correction|oops|sir|thanks|thank|but|"
    r"better|instead|should)\b)(?=\w)",
    re.I,
)
_ALL_THE_SAME = re.compile(r"\b(?:should|must|shall|can|instead|rather|meant|mean)\b", re.I)

#: Words that change what was listed, or leave it open.
_CHANGES = re.compile(
    r"\b(?:remove|removing|delete|drop|strike|scratch|erase|take out|leave out|take away|throw out|skip|without|except|"
    r"minus|not|never|cannot|less|fewer|more|another|additional|extra|further|twice|double|half|maybe|perhaps|possibly|"
    r"might|probably not|at most|at least|up to|no|instead of|rather than|if|unless|or|either|when|whenever|only when|"
    r"sometimes|optional|optionally|about|around|roughly|approximately|too (?:many|much))\b|n't\b|\?\s*$",
    re.I,
)
_NOTHING = re.compile(r"\b(?:no|nothing|not|never) (?:more|else|further)\b\s*(?:$|[.,!;])", re.I)

#: What somebody leaves out of what they speak of: no meaning says it.
_EXCEPT = re.compile(
    r"\b(?:except|excepting|excluding|minus|apart from|aside from|other than|save for|with the exception)\b|"
    r"\b(?:all|any|every|each|everything|everybody|everyone|anybody|anyone|anything|nobody|nothing|none|no one|no \w+|"
    r"anywhere|everywhere|wherever|nowhere)"
    r"(?: \w+){0,3} but\b(?! (?:do|please|then|first)\b)",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:avoid|avoiding|avoids|forbidden|forbid|prohibited|prohibit|banned|refrain|nobody|no one|never|"
    rf"(?:{DO_NOT}|never) (?:let|allow|permit)|not (?:allowed|permitted)|prevent|"
    r"keep(?: \w+){1,4} (?:from|out|away|off)|"
    r"instead of|rather than|as opposed to|unlike|in contrast to|anything but|need(?:n't| not))\b",
    re.I,
)
_NO_ASKING = re.compile(r"(?:\b(?:not|never|dont|without|no need to)|n't)\b(?: \w+){0,3}? (?:ask|bother)", re.I)
#: What is not to be done in a case: behind it, or before it.
_NOT_THEN = re.compile(
    r"^\W*(?:if|when|whenever|once|in case|as soon as)\b.*?(?:,|\bthen\b)\W*(?:please\W+)?"
    rf"(?:{DO_NOT}|never|{NOBODY})\b|"
    rf"^\W*(?:please\W+)?(?:{DO_NOT}|never|{NOBODY})\b"
    r".*\b(?:if|when|whenever|once|in case)\b",
    re.I | re.S,
)
_WITHOUT = re.compile(r"\bwithout\b", re.I)
_NO_YES = re.compile(
    r"\b(?:forget|myself|ourselves|cancel|stop|halt|wait|hold on|never mind|without|instead|except|but|everybody may|"
    r"everyone may|anybody may|anyone may|(?:i|we) (?:will|shall|can|would rather) do|(?:i|we)'ll do|leave it|"
    r"skip|drop it|nobody|never|avoid|forbidden|abort|pause|undo|slowly|quietly|carefully|gently|quickly|faster|"
    r"thinking|considering|deciding|unsure|take back|withdraw|revoke|retract|"
    # what is good is something else
    r"good (?:question|point|grief|lord|god|heavens|gracious|luck|riddance|stopping|catch|try|while|bit|deal))\b",
    re.I,
)
#: What is no no although it has one in it: it is denied, taken back or left open, or more is to come.
_NO_NO = re.compile(
    r"\b(?:take|took|taking|withdraw|revoke|retract)\b.*\b(?:no|objection|veto|refusal)\b|"
    r"(?:\bnot|n't|\bnever)(?: \w+)? an? no\b|\bnot no\b|\byes and no\b|\bno and yes\b|"
    r"\bno (?:other|better) (?:way|choice|option)\b|"
    r"\b(?:not|never|nothing|hardly|cannot|no one|nobody|n't)\b(?: \w+){0,3} "
    r"(?:object|objects|against|oppose|opposes|mind|refuse|disagree|veto)\b|"
    r"n't (?:\w+ )?(?:object|oppose|mind|refuse|disagree|veto)\b|"
    r"(?:\bnot|n't) (?:\w+ )?(?:sure|certain)\b|\bunsure\b|"
    r"(?:\bnot|n't) (?:quite |yet |really )*(?:everything|all|it|done|finished|complete)(?: yet)?\W*$",
    re.I,
)
#: A fact that somebody doubts, has from others, or tells of another time.
_DOUBTED = re.compile(
    r"\b(?:bet on|count on (?:it|that)|swear to|vouch for|doubt|doubts|rumou?rs?|supposedly|allegedly|hearsay|"
    r"used to)\b|"
    r"(?:\bnot|n't) (?:\w+ )?(?:sure|certain|convinced|believe|trust)\b|\bunsure\b",
    re.I,
)
#: What people elsewhere do: nobody is asked to do it.
_OTHERS_DO = re.compile(
    r"^\W*(?:(?:some|most|many|other|few|lots of|a lot of) "
    r"(?:people|nurses|doctors|teams|hospitals|wards|houses|folks|of (?:us|them))|"
    r"people|others|elsewhere)\b",
    re.I,
)
#: Which of several, by its place among them: a bare yes would be one to the first.
_WHICH = re.compile(r"\b(?:first|second|third|fourth|fifth|last|other|another|latter|former)\b", re.I)
_GO_ON = re.compile(
    r"\b(?:not|never|n't|dont|cannot|no need to|no reason to|without)\b[^,.;]{0,20}?"
    r"\b(?:stop|stopping|cancel|cancelling|canceling|halt|abort|aborting|pause|pausing|quit|give up|interrupt|wait)\b|"
    r"n't (?:\w+ )?(?:stop|cancel|halt|abort|pause|quit|wait|give up)\b",
    re.I,
)
#: Words by which a sentence is about another time, another case, or what somebody else has said.
_ELSEWHERE = (
    "unless|until|till|tomorrow|yesterday|tonight|later|said|says|told|thinks?|heard|might|or|when|before|"
    r"after(?! all\b)"
)
#: What an order is put off or bound by; a guess that says nothing of it leaves it out.
_LEFT_OUT = re.compile(
    rf"\b(?:{_ELSEWHERE}|except(?: for)?|only if|(?<!even )(?<!see )(?<!check )(?<!look )if|maybe|perhaps|"
    r"at (?:noon|midnight|half past \w+|\w+ o'clock)|"
    r"next (?:week|time|month)|last (?:week|time|month)|either|in an hour|\w+ (?:minutes|hours)|"
    r"(?:at|by|from|since|until) \d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m|p\.m|h)?|"
    r"(?:at|by|since|until) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?! \w*(?:s|es)\b)|"
    r"(?:by|on|next|this|every|until) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"by (?:noon|midnight|tonight|then)|on (?:weekdays|weekends)|"
    r"this (?:morning|afternoon|evening|week)|at (?:night|lunch|weekends)|during the (?:day|night)|"
    r"(?:nearly |almost )?all(?: of)?(?: the| my| our| these| those)?"
    r"(?= (?!of\b|the\b|right\b|robots?\b|at\b|this\b|that\b)\w+s\b)|"
    r"(?:the )?(?:rest|remainder|remaining|half|majority|most|some|none|both|each|a third|a quarter|a few|any)(?: of)"
    r"(?: the| my| our| these| those| them)?|remaining|at least|at most|up to|more than|less than|fewer than|"
    r"half (?:the|a|my|our)|only for|several|twice|three times|again and again|hourly|daily|"
    r"(?:every|each) (?:(?:few|other|\w+) )?"
    r"(?:hours?|days?|minutes?|mornings?|evenings?|afternoons?|nights?|weeks?|time|shift)|"
    r"as long as|so long as|provided|assuming|supposing|depending on|today|"
    r"the (?:moment|minute|second|instant)(?! being)|as soon as(?! (?:possible|you|we|it|that)\b)|"
    r"(?<!at )(?<!all )once|(?<!a )while|temporarily|"
    r"for the (?:day|night|shift|week|weekend)|"
    r"for (?:the )?(?:next|rest)(?: \w+){1,3}|for (?:a|one|\w+) (?:days?|weeks?|months?|hours?)|this time|during)\b",
    re.I,
)
#: What else is left out of a meaning of a kind: how sure a fact is, of which kit, where exactly, and when.
_MORE: tuple[tuple[type | tuple[type, ...], re.Pattern[str]], ...] = (
    (m.Tell, re.compile(r"\b(?:may|could|must|should) (?:well )?(?:be|have)\b|\bprobably\b", re.I)),
    (m.Alter, re.compile(r"\b(?:this|that) one\b[^.]*\bonly\b|\bonly\b|\bjust (?:this|that)\b", re.I)),
    (m.Order, re.compile(
        r"\b(?:next|close) to\b|\b(?:beside|underneath|beneath|under|below|above|behind)\b(?= \w)|"
        r"\bto the (?:left|right) of\b|\bin front of\b(?! me)", re.I)),
    ((m.Steer, m.Stop, m.Zone), re.compile(r"\b(?:afterwards|after that)\b", re.I)),
)  # fmt: skip
#: A second thing to do, in a word that nobody knows.
_AND_DO = re.compile(r"\band (?:then |also )?([a-z]+)(?= (?:the|an?|my|our|his|her|their|him|them|it) ?)", re.I)
#: Another thing to do behind it.
_THEN_DO = re.compile(r"(?:,| and)? (?:then|afterwards|after that) \w+(?: \w+){0,4}", re.I)
#: Words by which a stop is not meant now, or is no stop.
_NOT_NOW = re.compile(
    r"\b(?:bus|tram|train|pit|non|truck)[ -]?stops?\b|\bstop[ -]?(?:watch|sign|light|over|gap)s?\b|"
    rf"\b(?:{_ELSEWHERE}|tells?|say|saying|ask(?:s|ed)?|thinking|thought|believes?|wonder\w*|dream\w*|"
    r"imagin\w*|suppose\w*|hear|wrote|reads?|means?|meant|if|whenever|while|(?<!at )once|today|"
    r"soon|noon|midnight|next|last|ago|week|hour|hours|minutes?|should|shall|would|may|who|what|why|how|"
    r"where|which|whether|did|does|"
    r"was|were|had|has(?! to)|been|never|not|(?<=\w )no|almost|nearly|without|wanted|wrong|film|movie|game|"
    r"\w+n't|stopped|stops|stopping|twice|used to|usually|often|evening|morning|half|than|with|"
    r"earlier|recently|formerly|previously|"
    r"(?<!\bi )(?<!\bwe )(?:shout(?:s|ed)|scream(?:s|ed)|yell(?:s|ed)|cried|cries|called|begged|ordered|demanded)|"
    r"he|she|they|her|him|his|their|my)\b",
    re.I,
)
#: Words by which a plea to stand still, which a clause of its own says, is told or put off all the same.
_NOT_MEANT = re.compile(
    rf"\b(?:{_ELSEWHERE}|tells?|saying|ask(?:s|ed)|thought|dream\w*|imagin\w*|suppose\w*|wrote|reads?|if|whenever|"
    r"tomorrow|yesterday|ago|week|last|shout(?:s|ed)|scream(?:s|ed)|yell(?:s|ed)|cried|cries|called|begged|ordered)\b",
    re.I,
)
#: Words with a capital that call nobody: robots are named in the meaning.
_CALLED = frozenset(
    "please hey oh no ok okay quick quickly everybody everyone stop halt freeze now all robots "  # noqa: SIM905
    "robot team danger fire help emergency wait i god jesus hell damn guys folks right attention whoa woah wow ouch ow "
    "argh ugh yikes careful watch look listen hold enough crap shit man boy dear gosh ah eh uh um hmm yo oi hi".split()
)


_COUNTS = frozenset("two three four five six seven eight nine ten eleven twelve half".split())  # noqa: SIM905


def denies(sentence: str, meaning: m.Correct) -> bool:
    """Whether a correction may be a no to what it names: "No gloves." """
    named = isinstance(meaning.instead, (m.Things, m.Somewhere, m.Number))
    return named and _DENIES.search(sentence) is not None and _ALL_THE_SAME.search(sentence) is None


def changes(sentence: str, puts_right: bool = False) -> str:
    """The word by which an answer changes a list or leaves it open; none where it just lists. What puts an answer right
    has a no of its own: "no, gloves", "gloves, not gauze", "gloves instead of gauze"."""
    plain = _NOTHING.sub(" ", sentence)
    plain = re.sub(r"\b(?:no|not|instead of|rather than)\b", " ", plain, flags=re.I) if puts_right else plain
    found = _CHANGES.search(plain)
    return found.group(0).strip().lower() if found is not None else ""


#: By which something that was listed is taken out of a list again; the thing stands for «i0».
_OUT = (
    r"(?:remove|delete|drop|strike|scratch|erase|skip|omit|scrap|lose|ditch|exclude|cancel|forget|forget about|"
    r"never mind|leave out|take out|keep out|throw out|take away|cut|cut out|cross out|get rid of|do without|without|"
    r"minus|except|except for|not|but not|only not|everything but|all but) ARTICLE NAMES(?: AGAIN)?",
    r"(?:take|leave|keep|throw|cut|put|get|cross|strike) ARTICLE NAMES (?:back )?(?:out|away|off|aside|back)"
    r"(?: of (?:it|that|this|there|the kit|the list))?(?: AGAIN)?",
    r"(?:remove|delete|drop|strike|take|leave|keep|cut|throw) ARTICLE NAMES (?:out of|from|off) "
    r"(?:it|that|this|there|the kit|the list)(?: AGAIN)?",
    r"ARTICLE NAMES (?:should|must|shall|does|do|is|are|need|needs|can|will|may)(?: to)? "
    r"(?:not|out|go out|come out|be out|be left out|be removed|be dropped|go)(?: .*)?",
    r"(?:i|we|it|that|this|you)(?: would| will| really)* (?:do|does|should|must|would|will|need) not "
    r"(?:want|need|contain|have|include|use|take|get|hold|like)(?: to have)? ARTICLE NAMES(?: .*)?",
)
_OUT_OF = re.compile(
    "|".join(
        p.replace("ARTICLE ", r"(?:(?:the|any|all|all of|of|those|these|that|this) )*")
        .replace("NAMES", r"«i\d+»(?:(?: and| or)?(?: the)? «i\d+»)*")
        .replace("AGAIN", r"(?:again|please|after all|then|now|for now|altogether|completely|entirely|though| )+")
        for p in _OUT
    )
)
_BEFORE_OUT = re.compile(
    r"^(?:(?:please|no|oh|ok|okay|actually|sorry|and|but|well|hm+|wait|just|then|let us|you can) )+"
)


def taken_out(sentence: str, vocabulary: Vocabulary) -> list[str]:
    """The things that a sentence takes out of a list; none where it does something else, or takes out some of them."""
    if re.match(r"\W*(?:(?:no|sorry|oh)\W+)*not\b[^,;]*[,;]", sentence, re.I):  # "not this, that" puts right
        return []
    before, _, behind = sentence.rpartition(",")
    both = before and all(heard_of(part, vocabulary, False).names for part in (before, behind))
    if both and not re.search(r"\b(?:and|or)\b", behind, re.I):  # "without this, that" may be either
        return []
    heard = heard_of(sentence.strip(" .!"), vocabulary, False)
    plain = _BEFORE_OUT.sub("", heard.text.strip())
    if sentence.rstrip().endswith("?") or not heard.names or any(k != "item" or c for k, _, c in heard.names):
        return []
    return heard.of("item") if _OUT_OF.fullmatch(plain) else []


def all_but(sentence: str) -> str:
    """What stands behind a word by which something is left out of all: "everything but the soap"."""
    found = _EXCEPT.search(sentence)
    return sentence[found.end() :] if found is not None else ""


def turned_round(sentence: str) -> bool:
    """Whether a sentence has a word that makes the rest of it mean something else."""
    return any(p.search(sentence) for p in (_EXCEPT, _AGAINST, _WITHOUT, _GO_ON))


def contrary(sentence: str, meaning: Meaning) -> bool:
    """Whether a guess leaves out a word that turns a sentence round."""
    if isinstance(meaning, (m.Ask, m.Greet, m.Repeat, m.Stop)):
        return False
    if _EXCEPT.search(sentence) is not None:
        return True
    if isinstance(meaning, m.Approve):
        patterns = (_NO_YES,) if meaning.what else (_NO_YES, _LEFT_OUT, _WHICH)
        return any(p.search(sentence) for p in patterns)
    if isinstance(meaning, m.Refuse) and _NO_NO.search(sentence) is not None:
        return True
    if isinstance(meaning, (m.Refuse, m.Forget)):
        return _GO_ON.search(sentence) is not None
    if isinstance(meaning, m.Tell) and _DOUBTED.search(sentence) is not None:
        return True
    if isinstance(meaning, (m.Order, m.Alter, m.Policy)) and _OTHERS_DO.search(sentence) is not None:
        return True
    if isinstance(meaning, m.Steer):
        return meaning.how in ("cancel", "pause") and _GO_ON.search(sentence) is not None
    if isinstance(meaning, (m.Order, m.Policy)) and _NOT_THEN.search(sentence) is not None:
        return True
    if isinstance(meaning, m.Policy) and _NO_ASKING.search(sentence) is not None:
        return True
    if _WITHOUT.search(sentence) is not None and not _none_there(meaning):
        return True
    return _AGAINST.search(sentence) is not None and not _says_no(meaning)


def loses(sentence: str, meaning: Meaning, vocabulary: Vocabulary) -> bool:
    """Whether a bare yes, no or cancel would be made of words that also say who, how many, which or rather."""
    bare = isinstance(meaning, m.Refuse) or (isinstance(meaning, m.Approve) and not meaning.what)
    cancels = isinstance(meaning, m.Steer) and meaning.how in ("cancel", "pause") and meaning == m.Steer(meaning.how)
    if not bare and not cancels:
        return False
    words = set(re.findall(r"[a-z]+|\d+", sentence.lower()))
    names = {w for r in vocabulary.names("robot") for w in r.lower().split()}
    rather = isinstance(meaning, m.Approve) and words & {"rather", "prefer", "instead"}
    many = (cancels and _WHICH.search(sentence) is not None) or words & {"both", "earlier", "previous", "latest"}
    return bool(rather or many or words & names or words & _COUNTS or any(w.isdigit() for w in words))


def stops_at_once(sentence: str, vocabulary: Vocabulary) -> bool:
    """Whether a stop in other words is meant now. One that is told, supposed, asked about, put off, denied or meant for
    somebody else is read back first; whatever else is cried with it does not matter."""
    if unmeant(sentence):
        return False
    still, rest = plea_among(sentence.strip(), vocabulary)
    text = rest if still is not None else sentence.strip()
    if text.endswith("?") and "!" not in text and not requested(text):
        return False
    named = re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text)
    called = re.match(r"([A-Z][a-z]+),", text)
    strangers = {w.lower() for w in (*named, *(called.groups() if called else ()))}
    known = {w for p in vocabulary.phrases for w in p.split()}
    not_now = _NOT_NOW if still is None else _NOT_MEANT
    return not_now.search(text) is None and not strangers - _CALLED - known


def left_out(sentence: str, meaning: Meaning) -> list[str]:
    """Words that set a condition or a time, or say whose word it is, and that a guess at a sentence leaves out."""
    kinds = (m.Order, m.Tell, m.Stop, m.Alter, m.Correct, m.Permit, m.Steer, m.Policy, m.Zone, m.Forget)
    if not isinstance(meaning, kinds) or (isinstance(meaning, m.Order) and meaning.when):
        return []
    words = [x.group(0).lower() for x in _LEFT_OUT.finditer(sentence)]
    if isinstance(meaning, m.Permit) and meaning.minutes:
        words = [w for w in words if not w.endswith(("minutes", "hours", "hour"))]
    if isinstance(meaning, (m.Permit, m.Steer)) and re.search(r"\bonly\b(?! for)", sentence, re.I):
        words.append("only")
    more = next((p for kinds, p in _MORE if isinstance(meaning, kinds)), None)
    words += [x.group(0).lower() for x in more.finditer(sentence)] if more is not None else []
    if isinstance(meaning, m.Order) and len(meaning.wants) == 1 and (second := _THEN_DO.search(sentence)) is not None:
        words.append(second.group(0).strip(" ,.!").lower())
    if isinstance(meaning, m.Policy):  # it has one condition, and says it
        words = [w for w in words if w not in ("if", "when", "or", "before", "after", "told")]
    known = known_words()
    words += [x.group(0).lower() for x in _AND_DO.finditer(sentence) if x.group(1).lower() not in known]
    several = isinstance(meaning, m.Order) and len(meaning.wants) > 1  # then these say what comes first
    return list(dict.fromkeys(w for w in words if not (several and w in ("when", "before", "after", "once"))))


def _none_there(meaning: Meaning) -> bool:
    return isinstance(meaning, m.Policy) or (
        isinstance(meaning, m.Tell) and any(c.kind in (m.STOCK, m.EMPTY) for c in meaning.claims)
    )


def _says_no(meaning: Meaning) -> bool:
    """Whether a meaning has a no in it."""
    if isinstance(meaning, m.Permit):
        return not meaning.holds
    if isinstance(meaning, m.Tell):
        return any(not c.holds or c.kind in (m.EMPTY, m.JAMMED) for c in meaning.claims)
    if isinstance(meaning, m.Order):
        return any(not w.holds for w in meaning.wants)
    if isinstance(meaning, m.Alter):
        return meaning.how == "remove" or meaning.count == 0
    return isinstance(meaning, (m.Zone, m.Policy, m.Correct, m.Nothing))
