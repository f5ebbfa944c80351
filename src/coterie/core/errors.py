"""Errors a person reads: one sentence that says what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class CoterieError(Exception):
    """Wrong use or bad input. The text is a sentence for a person; the command line prints it and exits with 2."""


class ReplayMismatch(CoterieError):
    """A resumed run did something else than its log says."""


class UnknownName(CoterieError):
    """A name that does not exist, of something (`what`) of which there are others (`known`)."""

    def __init__(self, words: str, what: str = "", known: Sequence[str] = ()):  # from another process: the words alone
        super().__init__(words)
        self.what, self.known = what, tuple(known)

    @property
    def brief(self) -> str:
        """The sentence without all that there is."""
        return str(self).partition(" There are: ")[0]


def unknown_name(what: str, name: str, known: Iterable[str], own: str = "") -> UnknownName:
    """The sentence for a name that does not exist: what was probably meant, and what there is."""
    import difflib  # only what is misspelt needs it

    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if not near:
        near = [n for n in names if n.lower() == name.lower()][:1]
    hint = f" Did you mean '{near[0]}'?" if near else ""
    shown = ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else "")
    words = f"No {what} '{name}'.{hint} There are: {shown or 'none'}.{f' {own}' if own else ''}"
    return UnknownName(words, what, names)
