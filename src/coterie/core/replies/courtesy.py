"""Parts of a reply that are no answer: greetings, farewells, refusals, offers of help, turns of other speakers."""

from __future__ import annotations

import re

_ROLE = re.compile(r"^[^\w\n]{0,4}(user|human|system|assistant|ai)[*_`]{0,3}[ \t]{0,2}:", re.I | re.M)


def own_turn(text: str) -> str:
    """The one turn that is an answer, where a model writes those of others, too: that before the first of them."""
    if ":" not in text or (first := _ROLE.search(text)) is None:
        return text
    begin = 0
    if not re.search(r"\w", text[: first.start()]):  # what was asked is repeated
        own = next((m for m in _ROLE.finditer(text) if m.group(1).lower() in ("assistant", "ai")), first)
        begin = own.end()
    end = next((m.start() for m in _ROLE.finditer(text, begin) if m.group(1).lower() in ("user", "human")), len(text))
    return text[begin:end] if re.search(r"\w", text[begin:end]) else text


# What is said to whoever asked, and not as an answer: before it up to a colon or a mark, and behind it.
_OPENING = re.compile(
    r"\A\s*(?:sure|certainly|of course|absolutely|okay|ok|understood|got it|great|alright|here (?:is|are)|here's|"
    r"(?:i(?:'m| am) )?sorry|(?:my |i )?apolog(?:y|ies|i[sz]e))\b[^\n]{0,200}(?:(?<=[:!])|(?:sorry|"
    r"apolog)[^\n]{0,200})\n+(?=\s*\S)",
    re.I,
)
_CLOSING = re.compile(
    r"[\s(*_>-]{0,6}(?:(?:please )?let me know|i hope|hope (?:this|that)|thanks?\b|feel free|would you like|"
    r"do you want|"
    r"shall i\b|should you|is there anything|if you (?:need|have|want|would|like|prefer)|good luck|"
    r"(?:i(?:'m| am) )?(?:happy|glad) to|does (?:this|that)|looking forward|please (?:tell|confirm|note)|"
    r"(?:again,? )?(?:sorry|apologies|i apologi[sz]e))",
    re.I,
)
_REFUSAL = re.compile(
    r"\A(?:\W|\b(?:i|i'm|i am|am|'m|very|so|really|sorry|unfortunately|apologi[sz]e|apologies|but|however|my|"
    r"as an ai(?: language)?(?: model| assistant)?)\b)*(?:(?:cannot|can't|can not|won't|not able to|unable to|"
    r"must decline to)"
    r" (?:\w+ ){0,2}?(?:help|make (?:a|any) (?:plan|decision)|decide|determine|choose|control|assist|comply|"
    r"share|discuss|respond|reply|engage|process|generate|produce|"
    r"create|do (?:that|this)|fulfil+|provide|participate|campaign|answer|"
    r"take part|continue)|"
    r"as an ai\b|an? (?:ai|large language model|language model|virtual assistant)\b)",
    re.I,
)


def polite(text: str) -> str:
    """A text without what only greets, excuses itself or takes its leave, where something else is said."""
    opening = _OPENING.match(text)
    if opening is not None and re.search(r"\w", text[opening.end() :]) and not refuses(text):
        text = text[opening.end() :]
    for _ in range(2):  # the last paragraph
        lines = text.rstrip().split("\n")
        begin = next((i for i in range(len(lines) - 1, 0, -1) if not lines[i - 1].strip()), 0)
        before = "\n".join(lines[:begin])
        if not begin or not _CLOSING.match(lines[begin]) or not re.search(r"\w", before):
            break
        text = before
    return text


def refuses(text: str) -> bool:
    """Whether a text says little but that it will not answer."""
    return len(text) < 400 and _REFUSAL.match(text[:160]) is not None


_OFFER = re.compile(
    r"\b(?:i (?:can|could|will) (?:gladly )?help|i(?: would|'d| will) need (?:to know|more|the)|please (?:share|"
    r"provide|give|"
    r"tell|specify)|(?:could|can|would) you (?:please )?(?:share|provide|give|tell|clarify)|how can i (?:help|"
    r"assist))\b",
    re.I,
)


def asks_back(text: str) -> bool:
    """Whether a text without headings asks for what it was to be made of."""
    return (
        len(text) < 600
        and len(_OFFER.findall(text)) > 0
        and re.search(r"\b(?:need|help|assist)\b|\?", text, re.I) is not None
    )
