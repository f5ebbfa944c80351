"""Reference resolution: "it", "there", "the other one", "that door", "me"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.replies.fields import clean
from coterie.mission.dialogue.conversation import Thread
from coterie.talk import meanings as m
from coterie.talk.meanings import Ask, Claim, Correct, Order, Policy, Want, parts_of
from coterie.talk.vocabulary import KINDS, WHICH, Vocabulary
from coterie.talk.wording import Wording

THINGS = ("item", "caddy", "kit")
PLACES = ("table", "room")
MOST_NAMED = 8


class Unclear(CoterieError):
    """Nobody knows what a word points at; the sentence asks."""


class Which(Unclear):
    """A word may mean several; `words` asks which of them is to be named instead of `word`: a list of them, if none."""

    def __init__(self, word: str, noun: str, names: list[str], vocabulary: Vocabulary, words: str = ""):
        self.word, self.names = word, names
        said = [Wording(vocabulary).name(n) for n in names]
        self.example = next(iter(said), "")
        more = f"{', '.join(said[:MOST_NAMED])}{' ...' if len(said) > MOST_NAMED else ''}"
        super().__init__(words or f"Which {noun} do you mean: {more}?")


class References:
    """For one thread."""

    def __init__(self, thread: Thread, vocabulary: Vocabulary, home: Callable[[str], str], robots: Iterable[str]):
        self.thread, self.vocabulary, self.home, self.robots = thread, vocabulary, home, tuple(robots)
        self._asks = False

    def resolved(self, meaning: Any) -> Any:
        """The same meaning with names for words that point; what is named can be pointed at from now on."""
        self._asks = isinstance(meaning, Ask)
        if isinstance(meaning, Order) and any(m.SAME in (w.kind, w.what * w.more) for w in meaning.wants):
            meaning = replace(meaning, wants=self._same(meaning.wants))
        if isinstance(meaning, Policy):  # what it is about can be pointed at by what is done then
            self.mention(meaning.trigger)
        found = self._in_turn(meaning) if isinstance(meaning, Order) else self._inside(meaning)
        if isinstance(found, Correct) and isinstance(found.instead, Order):
            return replace(found, instead=self._kits(found.instead))
        if not isinstance(found, Order):
            return found
        return self._kits(replace(found, robots=self.robots) if found.robots == ("@all",) else found)

    def _same(self, wants: Sequence[Want]) -> tuple[Want, ...]:
        """The wants of this person's last order, for "the same" and "three more"; elsewhere, where that is said."""
        last = next((d.meaning.wants for d in self.thread.deeds if isinstance(d.meaning, Order)), ())
        if not last:
            raise Unclear("The same as what? You have ordered nothing so far; say it as a whole.")
        found: list[Want] = []
        for w in wants:
            same = [replace(o, where=w.where or o.where) for o in last] if m.SAME in (w.kind, w.what * w.more) else [w]
            found += [more_of(same[0], w.count)] if w.more and len(same) == 1 else same
        return tuple(found)

    def _in_turn(self, order: Order) -> Order:
        """Resolve references of an order to its own earlier parts: "open the beta door and bring a kit there"."""
        when: list[Any] = []
        wants: list[Want] = []
        for claim in order.when:
            when.append(self._inside(claim, "when", order))
            self.mention(when[-1])
        for want in order.wants:
            if want.what == "@it":
                self._one_of(want, wants)
            wants.append(self._inside(want, "wants", order))
            self.mention(wants[-1])
            room = wants[-1].what.removesuffix("door")
            if self.vocabulary.kind_of(room) == "room":
                self.thread.mention("room", room)
        robots = tuple(self._inside(r, "robots", order) for r in order.robots)
        return replace(order, when=tuple(when), wants=tuple(wants), robots=robots)

    def _one_of(self, want: Want, before: Sequence[Want]) -> None:
        """ "It" behind two things, in one sentence or in the order just before, may be either, and is asked about."""
        kinds = self._kinds("@it", "", "what", want)
        last = self.thread.last
        if not before and last is not None and isinstance(last.meaning, Order) and last.turn + 1 == self.thread.spoken:
            before = last.meaning.wants
        names = list(dict.fromkeys(w.what for w in before if self.vocabulary.kind_of(w.what) in kinds))
        if len(names) > 1:
            said = " or ".join(Wording(self.vocabulary).name(n) for n in names)
            words = f"Which do you mean: {said}? For more than one, say it again with their names."
            raise Which("@it", "", names, self.vocabulary, words)

    def _kits(self, order: Order) -> Order:
        """Turn a thing that "it" names into a kit where it is one: kits are brought in another way."""
        kits = self.vocabulary.names("kit")
        wants = [replace(w, kind="kit") if w.kind == "stock" and w.what in kits else w for w in order.wants]
        return replace(order, wants=tuple(wants))

    def mention(self, meaning: Any) -> None:
        """Names in the order of the sentence: the last one is nearest."""
        for name in names_in(meaning):
            if kind := self.vocabulary.kind_of(name):
                self.thread.mention(kind, name)

    def _inside(self, value: Any, field: str = "", whole: Any = None) -> Any:
        return renamed(value, self._name, field, whole)

    def _name(self, word: str, field: str, whole: Any) -> str:
        if not word.startswith("@"):
            return word
        base, _, kind = word.partition(" ")
        if base == "@all" and field == "robots":
            return word
        if base == "@all":
            raise Unclear("That would be all of them. Say each one by its name.")
        if base in ("@me", "@here"):
            to_me = isinstance(whole, Want) and whole.kind in (m.GIVE, m.FOLLOW)
            of_me = isinstance(whole, Claim) and (whole.kind == m.SUPPLY or field == "what")
            may = isinstance(whole, Ask) and whole.about == "may"
            who = field == "person" or to_me or of_me or may  # who has something
            if found := self.thread.person if who else self.home(self.thread.person):
                return found
            raise self._any(word, PLACES, "Where are you? Say it with the name of the room.")
        if base == WHICH:
            return self._which(word, kind)
        kinds = self._kinds(base, kind, field, whole)
        recent = self.thread.recent(*kinds)
        if base == "@other":
            return self._other(kinds, recent)
        told = {name for k in kinds for name in self.thread.told.get(k, ())}
        if len(told) == 1 and (not recent or kinds == ("door",)):  # people order things, and are told of doors
            return told.pop()
        if not recent and kinds == ("door",) and len(self.vocabulary.names("door")) > 1:
            raise Which(word, "door", self.vocabulary.names("door"), self.vocabulary)
        if not recent:
            what = {"door": "door", "place": "place"}.get(kind, "place" if base == "@there" else "thing")
            raise self._any(word, kinds, f"Which {what} do you mean?")
        return recent[0]

    def _any(self, word: str, kinds: tuple[str, ...], words: str) -> Which:
        """A question for any name of some kinds."""
        places = "room" in kinds
        names = [n for k in (("room", "table") if places else kinds) for n in self.vocabulary.names(k)]
        return Which(word, "", names, self.vocabulary, words)

    def _which(self, word: str, phrase: str) -> str:
        """The referent of a word for several things. In a question it is the one that was spoken of last; what is
        ordered or stated is about one that was named, or that the person points at ("that table")."""
        kind = phrase if phrase in KINDS else self.vocabulary.phrases.get(phrase, ("", ""))[0]
        if not kind:
            raise Unclear(f"I know nothing that is called '{clean(phrase, 40)}'. What do you mean?")
        names = self.vocabulary.called(phrase, kind)
        recent = [n for n in self.thread.recent(kind) if n in names and self._asks]
        if recent or len(names) == 1:
            return recent[0] if recent else names[0]
        raise Which(word, phrase, names, self.vocabulary)

    @staticmethod
    def _kinds(base: str, kind: str, field: str, whole: Any) -> tuple[str, ...]:
        if kind in ("robot", "table", "room"):
            return (kind,)
        if kind == "door" or (isinstance(whole, (Want, Claim)) and whole.kind in (m.DOOR, m.JAMMED)):
            return ("door",)
        if kind == "place" or base == "@there" or field == "where":
            return PLACES
        if field in ("robots", "robot"):
            return ("robot",)
        return THINGS

    def _other(self, kinds: tuple[str, ...], recent: list[str]) -> str:
        """The one of two that was not spoken of last."""
        if len(recent) > 1 and self.vocabulary.kind_of(recent[0]) == self.vocabulary.kind_of(recent[1]):
            return recent[1]
        if recent:
            same = [n for n in self.vocabulary.names(self.vocabulary.kind_of(recent[0])) if n != recent[0]]
            if len(same) == 1:
                return same[0]
        raise Unclear("Which other one do you mean? Say its name.")


def renamed(value: Any, name: Callable[[str, str, Any], str], field: str = "", whole: Any = None) -> Any:
    """A meaning with other names: `name` is given each, the field in which it stands, and what that is a field of."""
    if isinstance(value, str):
        return name(value, field, whole)
    if isinstance(value, tuple):
        return tuple(renamed(v, name, field, whole) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: renamed(getattr(value, f.name), name, f.name, value) for f in fields(value)})
    return value


def more_of(want: Want, count: int) -> Want:
    """So many of what is wanted, besides those that are there."""
    return replace(want, count=count, more=want.kind == m.STOCK)


def names_said(text: str, vocabulary: Vocabulary) -> dict[str, list[str]]:
    """The names of the scene in a text of our own, by kind; of phrases within each other the longest counts."""
    words, found = f" {''.join(c if c.isalnum() else ' ' for c in text.lower())} ", dict[str, list[str]]()
    words = " ".join(words.split()).join("  ")
    for phrase, (kind, name) in sorted(vocabulary.phrases.items(), key=lambda row: -len(row[0])):
        if f" {phrase.lower()} " in words:
            words = words.replace(f" {phrase.lower()} ", "  ")
            found.setdefault(kind, []).append(name)
    return found


def names_in(meaning: Any) -> list[str]:
    return [part for part in parts_of(meaning) if isinstance(part, str)]
