"""Guesses at answers and small talk."""

from __future__ import annotations

import re
from functools import cache

from coterie.mission.language.guess_words import CARRY
from coterie.mission.language.heard import Heard
from coterie.mission.language.listing import muses, tells_of
from coterie.mission.language.understand import known_words
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning


def answer(h: Heard) -> Meaning | None:
    kinds = {k for k, _, _ in h.names}
    if h.names and kinds <= {"item", "caddy"} and not h.asked and len(h.text.split()) <= 12:
        strange = [w for w in re.findall(r"[a-z']+", re.sub(r"«\w+»", " ", h.text)) if w not in _around()]
        other = h.has(CARRY, "open|look|find|where|grab|not|missing|skip|without|except|but|or")
        if not strange and not other and not tells_of(h.text) and not muses(h.text):
            if h.numbers and (len(h.names) > 1 or len(h.numbers) > 1 or h.names[0][2] is not None):
                return None
            rows = tuple(dict.fromkeys((n, (h.numbers or [1])[0] if c is None else c) for _, n, c in h.names))
            return m.Things(rows)
        return None
    if h.names:
        return None
    if h.has(_AS_IT_IS) and not h.asked and not h.negated:
        return m.Greet("unchanged")
    if h.has("teach|taught|lesson|unlearn|learned|learnt") and h.has(
        "undo|unlearn|forget|scrap|revert|take back|last|delete|erase|wipe|discard|remove|drop|cancel|throw away|"
        "ignore|disregard|strike|clear|get rid|lose"
    ):
        return m.Forget()
    if h.begins("forget|undo|scrap|unlearn") and h.has("that|last|it") and not h.has("plan|task|order|whole"):
        return m.Forget()
    if h.has(
        "what did you (?:just )?say|say (?:that|it|this) (?:again|once more|one more time)|repeat|come again|"
        "once more|did not (?:quite )?(?:catch|hear|get|understand|follow)|"
        "say again|pardon|one more time|what was that|missed (?:that|what)|what you (?:just )?said|"
        "tell me (?:that )?again|^(?:and |once )?again$",
    ) and not h.has("try|do it|start"):
        return m.Repeat()
    if (
        h.has(
            "rather (?:you )?(?:did )?not|do not (?:do|want|agree|like)|cannot agree|disagree|not (?:like that|"
            "that way|agree)|let us not"
        )
        and not h.asked
    ):
        return m.Refuse()
    if h.has(
        "goodbye|bye|bye-bye|(?<!to )see you|see ya|cya|(?<!taking )(?<!take )(?<!you )(?<!it )(?<!been )"
        "so long(?! as)|farewell|have a (?:good|nice|great)|good night|"
        "take care|"
        "until (?:tomorrow|next|later)|"
        "talk to you (?:later|soon|tomorrow)|signing off|off now|i am off|catch you later|i am leaving|got to go|"
        "have to go|must go|until then|cheerio|(?:talk|speak|until|till) later$|going home",
    ):
        return m.Greet("bye")
    if h.has(
        "thanks|thank you|thx|cheers|much appreciated|appreciate|appreciated|grateful|well done|good job|great job|"
        "nice job|very kind|so kind|kind of you|"
        "nice of you|much obliged|great help|very helpful|good work|great work|nice work|ta|thank",
    ):
        return m.Greet("thanks")
    if h.begins(
        "hello|hi|hey|good morning|good afternoon|good evening|good day|greetings|morning|afternoon|evening|howdy|"
        "welcome|nice to (?:see|meet|have|be)(?: you| here| back|$)|nice to (?:hear|know) you|"
        "good to see(?: you|$)|hiya|"
        "pleased to|"
        "how do you do|how are you|what is up|glad to|yo|i am back(?: again)?$|i am here(?: again| now)?$",
    ):
        return m.Greet("hello")
    if len(h.numbers) == 1 and len(h.text.split()) <= 9 and not h.asked:
        rest = set(re.findall(r"[a-z']+", re.sub(r"«\w+»", " ", h.text)))
        if rest <= _AROUND_NUMBER:
            return m.Number(h.numbers[0])
    no = h.has(_NO)
    yes = h.has(
        "yes|sure|fine|okay|ok|good|go ahead|proceed|approve|approval|approved|agreed|agree|agreeing|"
        "happy with|happy for you|glad for you|happy to|do it|works for me|go for it|sounds|permission|green light|"
        "all right|alright|yup|yeah|yep|aye|roger|deal|confirmed|"
        "please do|by all means|carry on with that|absolutely|definitely|of course|perfect|accept|accepted|"
        "be my guest|my blessing|"
        "on board|make it so|let us (?:do|go)|like (?:it|that|the plan|your plan|the idea)|no objections?|granted|"
        "certainly|great idea|do so|"
        "in favou?r|support|i am in|you may|as you (?:suggest|propose)\\w*|as (?:suggested|proposed|planned)",
    )
    asks = h.begins("(?:can|may|could|might|am|should|shall) (?:i|we)") or h.has(
        "(?:fine|ok|okay|good|all right) again"
    )
    short = len(h.text.split()) <= 14 and not h.asked and not asks
    fine = (
        "no objections?|not a problem|no (?:problems?|issues?|trouble|doubt)|nothing against|"
        "(?:do|would|will) not (?:mind|object|oppose|disagree)(?: (?:it|that|to it|to that|with it|with that|at all))?|"
        "nothing (?:speaks|to say|to be said) against(?: (?:it|that))?|why not|not (?:too |so |half )?bad"
    )
    if short and not yes and h.has("no worries|not to worry|no worry"):  # neither a yes nor a no
        return m.Greet("no worries")
    if short and h.has(fine) and (yes or not re.search(rf"\b(?:{_NO})\b", re.sub(rf"\b(?:{fine})\b", "", h.text))):
        return m.Approve()
    if (
        no
        and short
        and not h.numbers
        and not h.begins("if|when|whenever|should|in case")
        and h.has(
            "no|that|this|plan|it|agree|absolutely|you did not|way|do so|want|rather|idea|so|not|reject|against|"
            "object|veto"
        )
    ):
        return m.Refuse()
    if (
        yes
        and short
        and not no
        and not h.has(
            "if|unless|but|except|until|once|when|after|before|only|first|though|later|tomorrow|said|says|he|she|they|"
            "was|were"
        )
    ):
        return m.Approve()
    return None


#: Nothing is to be changed.
_AS_IT_IS = (
    "(?:leave|keep) (?:it|this|that|them|things|everything|all)(?: just| exactly)? "
    "(?:as (?:it|this|that|they|things|everything) (?:is|are|was|were|stands?)|as (?:planned|agreed|ordered|before)|"
    "the way (?:it|this|that|they|things|everything) (?:is|are|was|were))"
)
_NO = (
    "no|not|never|cannot|did not|do not|disagree|reject|rejected|rather you did not|nope|refuse|against|bad idea|nah|"
    "negative|object|veto|"
    "decline|denied|out of the question|would rather not|better not|rather not"
)
_AROUND_NUMBER = frozenset(
    [
        "it",
        "is",
        "its",
        "i",
        "think",
        "guess",
        "say",
        "said",
        "would",
        "make",
        "that",
        "be",
        "will",
        "do",
        "just",
        "only",
        "of",
        "them",
        "those",
        "these",
        "please",
        "pieces",
        "we",
        "you",
        "should",
        "need",
        "needs",
        "want",
        "take",
        "there",
        "are",
        "in",
        "total",
        "exactly",
        "altogether",
        "ok",
        "okay",
        "yes",
        "hm",
        "um",
        "uh",
        "well",
        "so",
        "let",
        "us",
        "have",
        "give",
        "me",
        "the",
        "a",
        "all",
        "count",
        "number",
        "answer",
        "enough",
        "like",
        "as",
        "far",
        "i'd",
    ]
)


@cache
def _around() -> frozenset[str]:
    """Words that may stand around things in an answer; where there is another, it may be a thing that is not known."""
    more = "i guess think suppose hm hmm um uh er maybe probably kinds kind sort please think needs need"
    return known_words() | frozenset(more.split())
