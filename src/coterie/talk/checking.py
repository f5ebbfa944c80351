"""Meanings against the types and names of a world: what is wrong with one, as data, before anything acts on it.

Every part of a meaning that names something has a type here: the kinds of names that may stand there. A meaning that
is uttered, guessed or corrected comes through `check`; what it finds is asked about. It knows no sentences.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

from coterie.core.replies.fields import clean
from coterie.talk import meanings as m
from coterie.talk.forms import forms
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, upper

Kinds = Mapping[str, Collection[str]]  # names of a world with their kinds

PLACES = ("table", "room")
THINGS = ("item", "caddy")
ANY = ("robot", "person", "room", "table", "door", "item", "caddy", "kit", "task")
MOST_SHOWN = 40  # characters of a name that nobody knows
MOST_NAMED = 8
_NOUNS = {**{kind: kind for kind in ANY}, "item": "thing"}


class Type(NamedTuple):
    """The kinds of names that may stand somewhere, and whether something has to."""

    kinds: tuple[str, ...]
    needed: bool = False

    @classmethod
    def of(cls, text: str) -> Type:
        return cls(tuple(k for k in text.split() if k != "!"), text.startswith("!"))


NOTHING = Type(())
_TYPES = tomllib.loads(resources.files("coterie.talk").joinpath("types.toml").read_text("utf-8"))
#: The parts of wants and claims, by their kinds. A part that is not here cannot be said of them.
WANTS: dict[str, dict[str, Type]]
CLAIMS: dict[str, dict[str, Type]]
WANTS, CLAIMS = (
    {kind: {part: Type.of(text) for part, text in row.items()} for kind, row in _TYPES[table].items()}
    for table in ("wants", "claims")
)
#: The parts of meanings, with what may stand there.
PARTS: dict[str, dict[str, str]] = _TYPES["meanings"]
_ABILITY = (m.ABLE, "where")
#: The kind of names of which one can ask of which something is so, by the kinds of claims.
OF_WHICH = {m.DOOR: "door", m.JAMMED: "door", m.ABLE: "robot", m.PRESENT: "person", m.EMPTY: "table", m.CLOSED: "table"}
_OF_SOMETHING = ("where", "how many", "contents")  # questions that name something
_OF_CLAIMS = ("is it so", "what if", "why so", "which")  # questions about something that may be so


def place_of(meaning: Meaning, kind: str) -> str:
    """The part of a meaning in which a name of some kind stands; empty where there is none."""
    parts = PARTS.get(type(meaning).__name__, {})
    rows = {part: ("robot",) if text == "robots" else Type.of(text).kinds for part, text in parts.items()}
    return next((part for part, kinds in rows.items() if kind in kinds), "")


class Problem(NamedTuple):
    """A part of a meaning that does not fit: the part ("wants.0.source"), what stands there and of which kinds it is
    (none: nobody knows it), and the kinds or words that could stand there (none: nothing can)."""

    part: str
    name: str
    kinds: tuple[str, ...]
    may: tuple[str, ...]

    def words(self, vocabulary: Vocabulary) -> str:
        """The question that is asked about it."""
        said, wording = clean(self.name, MOST_SHOWN), Wording(vocabulary)
        name = wording.name(self.name) if self.kinds and vocabulary.kind_of(self.name) else f"'{said}'"
        if self.part.endswith(".source") and not self.may:
            return f"That cannot come from {name} as a whole. What do you want from {name}?"
        if not self.may:
            return f"I do not know what {name} has to do with that. What do you want?"
        if not set(self.may) <= _NOUNS.keys():  # words of ours, or a number
            return f"I do not know what '{said}' means there. What do you want?"
        noun = " or ".join(dict.fromkeys(_NOUNS[k] for k in self.may))
        names = [wording.name(n) for n in vocabulary.names(*self.may)]
        some = f": {', '.join(names[:MOST_NAMED])}{' ...' * (len(names) > MOST_NAMED)}" if names else ""
        which = f"Which {noun} do you mean{some}?"
        if not self.name:
            return which
        if self.kinds:
            return f"{upper(name)} is a {_NOUNS[self.kinds[0]]}, and no {noun}. {which}"
        return f"I know no {noun} called '{said}'. {which}"


def check(meaning: Meaning, kinds: Kinds, wants: Collection[str] = ()) -> list[Problem]:
    """The problems of a meaning with the names of a world and their kinds; none, where all fits.

    A stop always fits: robots stop, whatever it names. So does what names nothing, and an answer: who asked for it
    knows what fits. `wants` are kinds of wants that are brought about here besides the usual ones: where places are
    looked at, too, nothing has to be looked for.
    """
    return list(_Check(kinds, wants).of(meaning))


class _Check:
    def __init__(self, kinds: Kinds, more: Collection[str] = ()):
        self.kinds, self.more = kinds, more

    def of(self, meaning: Meaning) -> Iterator[Problem]:
        for part, text in PARTS.get(type(meaning).__name__, {}).items():
            yield from self._part(getattr(meaning, part), part, text, meaning)
        if isinstance(meaning, m.Ask):
            yield from self._asked(meaning)

    def _part(self, value: Any, part: str, text: str, meaning: Meaning) -> Iterator[Problem]:
        how, *words = text.split()
        if how == "wants":
            yield from self._wants(value, "?" not in words)
        elif how == "claims":
            yield from self._claims(value, part, "?" not in words)
        elif how == "robots":
            for i, robot in enumerate(value):
                yield from self._name(robot, f"{part}.{i}", Type(("robot",), True))
        elif how == "words":
            yield from self._word(value, part, [w.replace("_", " ") for w in words])
        elif how == "number":
            yield from self._number(value, part, *map(int, words))
        elif not isinstance(meaning, m.Ask) or part != "what" or meaning.about != "who said":  # yes or no
            kinds, needed = Type.of(text)
            needed |= isinstance(meaning, m.Ask) and part == "what" and meaning.about in _OF_SOMETHING
            needed |= isinstance(meaning, m.Policy) and meaning.then in ("ask", "bring")
            yield from self._name(value, part, Type(kinds, needed))

    def _asked(self, ask: m.Ask) -> Iterator[Problem]:
        """The problems of a question's parts; what is left open is what it asks for."""
        yield from self._word(ask.about, "about", tuple(forms()["asks"]))
        which = ask.about == "which"
        kinds = [c.kind for c in ask.claims if not which or c.kind in OF_WHICH]
        if (ask.about in _OF_CLAIMS and not kinds) or (which and len(ask.claims) != 1):
            yield Problem("claims", "", (), tuple(OF_WHICH if which else CLAIMS))

    def _wants(self, wants: Sequence[Want], whole: bool) -> Iterator[Problem]:
        for i, want in enumerate(wants):
            open_ = want.kind == m.LOOK and bool(want.where) and m.LOOK in self.more
            yield from self._row(want, f"wants.{i}", WANTS, ("what", "where", "source"), whole and not open_)
            if want.kind in (m.KIT, m.STOCK):
                yield from self._number(want.count, f"wants.{i}.count", 0)

    def _claims(self, claims: Sequence[Claim], part: str, whole: bool) -> Iterator[Problem]:
        for i, claim in enumerate(claims):
            yield from self._row(claim, f"{part}.{i}", CLAIMS, ("what", "where"), whole)
            if claim.count is not None:
                yield from self._number(claim.count, f"{part}.{i}.count", 0)

    def _row(
        self, row: Want | Claim, part: str, types: Mapping[str, Mapping[str, Type]], names: Sequence[str], whole: bool
    ) -> Iterator[Problem]:
        of = types.get(row.kind)
        if of is None:
            yield Problem(f"{part}.kind", str(row.kind), (), tuple(types))
            return
        for field in names:
            if (row.kind, field) != _ABILITY:
                type_ = of.get(field, NOTHING)
                yield from self._name(getattr(row, field), f"{part}.{field}", type_ if whole else Type(type_.kinds))

    def _name(self, name: str, part: str, type_: Type) -> Iterator[Problem]:
        known = tuple(self.kinds.get(name, ()))
        if (name or type_.needed) and not set(known) & set(type_.kinds):
            yield Problem(part, name, known, type_.kinds)

    @staticmethod
    def _word(word: str, part: str, known: Sequence[str]) -> Iterator[Problem]:
        if word not in known:
            yield Problem(part, str(word), (), tuple(known))

    @staticmethod
    def _number(count: int, part: str, least: int, most: float = float("inf")) -> Iterator[Problem]:
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not least <= count <= most:
            yield Problem(part, str(count), (), ("number",))
