"""Marks before what somebody said: how it came here. They are part of what is heard, so that a log keeps them."""

from __future__ import annotations

PERHAPS = "perhaps: "  # what follows was put into these words by somebody else, and is read back before it is done
HEARD = "heard: "  # what follows was made out from sound, which may be wrong: it is read back before it is done
FAINT = "heard faintly: "  # the same, where it may well have been something else: not even a yes counts before it is
# confirmed
EARLY = "before that was proposed: "  # what follows was said before its speaker was told what is proposed now


def unheard(text: str) -> str:
    """Words without the marks of when they were said, and that they were made out from sound."""
    return text.removeprefix(EARLY).removeprefix(HEARD).removeprefix(FAINT)
