"""Things that somebody lists where some are asked for, known ones and new ones: "gel, two gloves and a thermometer"."""

from __future__ import annotations

import re

from coterie.mission.language.signs import signed
from coterie.mission.language.understand import known_words
from coterie.talk import meanings as m
from coterie.talk.vocabulary import Vocabulary

_APART = re.compile(r"\s*(?:[,;&+]|\band\b|\bplus\b|\bas well as\b|\bwith\b|\bthen\b)\s*", re.I)
#: Words around a thing that do not change what is listed.
_LEAD = re.compile(
    r"^(?:(?:call (?:it|this|that)|name it|its name (?:is|should be)|the name is|it is called|it is named|"
    r"it should be called|let us call it)|"
    r"(?:it|they|this|that|the kit|one)\s+(?:also\s+)?(?:needs?|contains?|has|have|holds?|gets?|includes?|uses?|"
    r"takes?|is|wants?|requires?|comprises?|consists? of|is made of|"
    r"should (?:contain|have|hold|include|get|be)|must (?:contain|have|be)|will (?:contain|need|have|be)|it would be|"
    r"would be|goes (?:in|into)|comes in)|"
    r"there (?:is|are|should be|must be)|(?:the )?same (?:things? )?(?:as|like)(?: in| for)?|as in|like in|"
    r"everything (?:from|of|in)|what is in|(?:i|we|you) (?:want|need|would like|take|use)|let us (?:say|take|use|have)|"
    r"also|add|put|include|use|take|make it|hm+|um+|uh+|er+|ok(?:ay)?|only|exactly|a single|single|pieces? of|maybe|"
    r"first|"
    r"of course|another|"
    r"one of|of|the|an?(?! (?:pair|couple) of)|some|in|into|please|just|yes|for example|say)\s+"
)
_TAIL = re.compile(
    r"\s+(?:(?:should |must |will )?(?:belongs?|goes|go|comes?|has to go|have to go|needs? to go|needs? to be|be|are|"
    r"is|fits?|should be) (?:in|into|inside) (?:it|there|the kit|that|this)|"
    r"(?:should |must |will )?(?:belongs?|goes|go) (?:in|inside)|(?:is|are) (?:all |what )?(?:it needs|needed|"
    r"required|part of it|enough)|in total|in all|altogether|in the kit|"
    r"in it|in there|inside|into it|too|also|as well|i guess|i think|i suppose|first|please|then|for now|"
    r"at least|each|as the container|for the container)$"
)
_END = re.compile(
    r"(?:(?:and )?(?:that is (?:it|all|everything)|nothing else|nothing more|no more|(?:we are |i am )?done|"
    r"finished|in it|etc))"
)
#: Words of talk: where one of them is left over, it is no name of a thing.
_TALK = frozenset(
    re.findall(
        r"\w+",
        """i me my we us our you your he she they them it its this that these those what who why how where when which
        whose is are was were be been am do does did done have has had can could will would shall should may might must
        let not no yes stop halt yeah nope nah okay ok think know mean guess same as if else then than there here now
        later again please sorry thanks thank hello hi hey bye to for from at by of or but so because until idea nothing
        something anything everything all none never mind forget cancel wait hold pause continue undo help show tell ask
        say see look like want need go get give take make put bring deliver open close too very much many few more
        most""",
    )
)
MOST_WORDS = 3  # of the name of a new thing
#: What tells of things, of how they are or of another time, and lists none.
_TELLS = re.compile(
    r"\b(?:is|are|am|be|being|becomes?|looks?|seems?|feels?|gets?|stays?) (?:(?:all|very|too|so|quite|really|still|now|"
    r"already|just|only|both|even) )*(?:broken|empty|full|open|shut|closed|jammed|stuck|blocked|gone|missing|away|"
    r"absent|down|out|off|dead|defective|wrong|late|urgent|free|busy|idle|ready|done|finished|packed|delivered|here|"
    r"back|on|at|safe|certain|fine|good|bad|new|old|working|waiting|moving|coming|going|\w+ing)\b|"
    r"\b(?:broken|defective|empty|jammed|stuck|missing|gone|wrong|expired|dirty|used)\b(?= «)|"
    r"\b(?:was|were|been|had|did|used|took|got|gave|went|came|saw|found|left|lost|made|brought|ran|broke|kept|knew|"
    r"thought|asked|ordered|told|said|happened|failed|stopped|changed|tried|worked|packed|carried|moved|opened)\b|"
    r"\b(?:last|next|other|that|this) (?:time|week|month|year|night|day|shift|morning|evening|afternoon)\b|"
    r"\b(?:yesterday|tomorrow|formerly|previously|earlier|recently|lately|ago|back then|in the past|before|normally|"
    r"usually|sometimes|often|later|soon)\b",
    re.I,
)


def tells_of(sentence: str) -> bool:
    """Whether a sentence tells how things are, or of another time: such a sentence lists nothing."""
    return _TELLS.search(sentence) is not None


#: What people think, remember, or wished; with a no before it something is put right.
_MUSES = re.compile(
    r"(?:\b(?:was|were|been|am|are|is)|'m|'re|'s) (?:\w+ )?(?:thinking|dreaming|wondering|wishing|hoping|considering|"
    r"planning|reminded)\b|\b(?:thought|wondered|dreamt|dreamed|wished|hoped|wanted|considered|planned|liked|"
    r"remembered|recalled|imagined|remember|recall|wish|miss)\b|\b(?:in mind|used to)\b",
    re.I,
)
_PUTS_RIGHT = re.compile(r"\W*(?:no|nope|not|sorry|oops|wrong|correction)\b", re.I)


def muses(sentence: str) -> bool:
    """Whether a sentence only tells what somebody thinks, remembers or wished, and lists nothing by it."""
    return _MUSES.search(sentence) is not None and _PUTS_RIGHT.match(sentence) is None


def listing(sentence: str, vocabulary: Vocabulary) -> m.Things | None:
    """The things that a sentence lists; None where any part of it may be something else."""
    plain = sentence.strip(" .!")
    if plain.endswith("?") or len(plain) > 300 or tells_of(plain) or muses(plain):
        return None
    items: dict[str, int] = {}
    unknown: list[str] = []
    for part in _parts(plain):
        words = signed(part, vocabulary)
        text = _bare(words.text)
        if not text or _END.fullmatch(text) or _END.fullmatch(words.text.strip()):
            continue
        found = re.fullmatch(
            r"(?:(«n\d+»|a couple of|a pair of)( pairs?(?= of))?\s*(?:of )?(?:the |these |those )?)?(.+)", text
        )
        assert found is not None
        count = (1 if not found[1] else words.numbers.get(found[1], 2)) * (2 if found[2] else 1)
        what = _bare(found[3])
        if what in words.names and what[1:2] in "ick":
            items[words.names[what]] = count
        elif what in words.labels:
            unknown.append(words.labels[what])
            items[words.labels[what]] = count
        elif _new(what):
            unknown.append(what)
            items[what] = count
        else:
            return None
    return m.Things(tuple(items.items()), tuple(unknown)) if items else None


def _parts(sentence: str) -> list[str]:
    """A list at its commas and its ands, but not within a name in quotes."""
    quoted = re.findall(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)", sentence)
    for i, name in enumerate(quoted):
        sentence = sentence.replace(name, f"\x00{i}\x00", 1)
    parts = [p for p in _APART.split(sentence) if p.strip()]
    return [re.sub(r"\x00(\d+)\x00", lambda f: quoted[int(f[1])], p) for p in parts]


def _bare(text: str) -> str:
    before = None
    while before != text:
        before, text = text, _TAIL.sub("", _LEAD.sub("", text.strip()))
    return text


def _new(words: str) -> bool:
    """Whether words may name a thing that nobody knows."""
    parts = words.split()
    plain = all(re.fullmatch(r"[a-z][a-z'-]*", w) and w not in _TALK for w in parts)
    return plain and 0 < len(parts) <= MOST_WORDS and any(w not in known_words() for w in parts)


#: What leads a name in.
_CALLED = re.compile(
    r"\W*(?:(?:well|ok|okay|hm+|um+|please|so|then|i think|i guess|maybe|perhaps)\W+)*"
    r"(?:(?:let's|let us|we(?:'ll| will| could| can| should)?|i(?:'ll| will| would|'d| want to)?(?: like to)?|"
    r"you (?:can|may|should))\s+)?(?:just )?(?:call|name) (?:it|this|that|the \w+)\s+|"
    r"\W*(?:its name (?:is|should be|will be)|the name (?:is|should be|will be)|"
    r"it(?:'s| is| will be| should be| shall be| can be) (?:called|named)|how about|what about)\s+",
    re.I,
)
_NAME = re.compile(r"[a-z][\w-]*(?: [a-z][\w-]*){0,2}", re.I)


def called_so(sentence: str, vocabulary: Vocabulary) -> str:
    """The name that somebody gives where one is asked for: "evening check", "Let's call it evening check."; nothing
    where it may be something else."""
    plain = sentence.strip(" .!")
    led = _CALLED.match(plain)
    name = re.sub(r"^(?:the|an?)\s+|[\"']|\s+(?:please|then)$", "", plain[led.end() if led else 0 :].rstrip("?"))
    if _NAME.fullmatch(name) is None or (plain.endswith("?") and led is None):
        return ""
    if led is None and (set(name.lower().split()) & _TALK or signed(name, vocabulary).names):
        return ""
    return name.lower()
