"""Other wordings for what teammates said: they are free to say it as they like, and larger models do.

Only words in quotes are told otherwise, and lists in which the order means nothing. What the system says of its own
stays as it is rendered, for that is what a pupil will be asked with.
"""

from __future__ import annotations

import random
import re

from coterie.core.protocol import Prompt

TOLD = 0.5  # of samples: words of others are told otherwise in them
_QUOTED = re.compile(r'"[^"\n]*"')
_OWN = re.compile(r'communicate\("[^"\n]*"')  # what a robot said itself stays: it says it in its own words
#: What is said usually -> how else it may be said; {0} and {1} are names or lists of them.
_SAYINGS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(usual), others)
    for usual, others in (
        (r"(\w+) is at (\w+)\.", ("{0} lies at {1}.", "I saw {0} at {1}.", "{1} has {0}.", "There is {0} at {1}.")),
        (r"\bI am (\w+), ", ("My name is {0}, ", "This is {0}, ", "Hello, I am {0}, ", "{0} here, ")),
        (r"\bSearched: ([\w, ]+)\.", ("We have looked at {0}.", "Already seen: {0}.", "Done with {0}.")),
        (r"My plan leaves no place out\.", (
            "Nothing is forgotten in my plan.", "I thought of every place.", "With me nobody walks twice.",
            "Let me lead, my plan is complete.", "This covers the whole house.",
        )),
        (r"\bnothing searched yet", ("I have not searched anything yet", "no place seen so far", "nothing so far")),
        (r"\bgo on\.", ("I go on as planned.", "carry on.", "I keep to my part.", "continue.")),
        (r"\bOut of my reach at (\w+): ", ("At {0}, too far for my arm: ", "I cannot reach these at {0}: ")),
        (r"; please search there instead of me\.", ("; somebody else has to look there.", "; search it for me.")),
    )
)  # fmt: skip


def reworded(prompt: Prompt, rng: random.Random) -> Prompt:
    """The same told otherwise, or as it is; every saying in its own way each time."""
    if rng.random() >= TOLD:
        return prompt

    def text_of(text: str) -> str:
        own = {m.end() for m in _OWN.finditer(text)}
        return _QUOTED.sub(lambda m: m.group() if m.end() in own else _said(m.group(), rng), text)

    return tuple((role, text_of(text)) for role, text in prompt)


def _said(words: str, rng: random.Random) -> str:
    for usual, others in _SAYINGS:
        words = usual.sub(lambda m, o=others: rng.choice((m.group(), *(x.format(*m.groups()) for x in o))), words)  # type: ignore[misc]
    return words
