"""How many of a thing are brought in one order: what is beyond that is answered at once, and nobody plans for it."""

from __future__ import annotations

from collections.abc import Mapping

from coterie.core.expr import Lookup
from coterie.mission.dialogue.speech import Speech
from coterie.talk.wording import Wording, listed

MOST_OF_ONE = 50  # of a thing in one order, or in one kit


def too_many(thing: str, count: int, speech: Speech, look: Lookup, wording: Wording) -> str:
    """Why so many of a thing are not brought; empty where they are."""
    if count <= MOST_OF_ONE:
        return ""
    known = sum(n for _, n in speech.where(thing, look))
    some = wording.some(thing, known) if known else f"no {wording.name(thing)}"
    people = [wording.name(p) for p in speech.people_of(thing)]
    more = f", and {listed(people)} {'has' if len(people) == 1 else 'have'} more" if people else ""
    why = f"{count} are too many for one order: robots carry one at a time. I know of {some}{more}."
    return f"{why} I bring at most {MOST_OF_ONE}."


def kit_too_large(contents: Mapping[str, int], wording: Wording) -> str:
    """Why no kit holds so many of a thing; empty where one may."""
    found = next((name for name, count in contents.items() if count > MOST_OF_ONE), "")
    return f"{wording.some(found, contents[found])} are too many: a kit holds at most {MOST_OF_ONE}." if found else ""
