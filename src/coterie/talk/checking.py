"""Meanings against the types and names of a world: what is wrong with one, as data, before anything acts on it.

Every part of a meaning that names something has a type here: the kinds of names that may stand there. A meaning that
somebody utters, guesses or puts right comes through `check`; what it finds is asked about. It knows no sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from coterie.core.replies.fields import clean
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording, upper

Kinds = Mapping[str, Collection[str]]  # names of a world with their kinds

PLACES = ("table", "room")
THINGS = ("item", "caddy")
EVERYWHERE = (*PLACES, "door", "person")
ANY = ("robot", "person", "room", "table", "door", "item", "caddy", "kit", "task")
MOST_SHOWN = 40  # characters of a name that nobody knows
MOST_NAMED = 8
_NOUNS = {**{kind: kind for kind in ANY}, "item": "thing"}
MOST_MINUTES = 60 * 24 * 366  # for which a right is given or a place closed


class Type(NamedTuple):
    """The kinds of names that may stand somewhere, and whether something has to."""

    kinds: tuple[str, ...]
    needed: bool = False


NOTHING = Type(())
#: What wants and claims are about, by their kinds. What a part is called that is not here cannot be said of them.
WANTS: dict[str, dict[str, Type]] = {
    m.KIT: {"what": Type(("kit",), True), "where": Type(PLACES)},
    m.STOCK: {
        "what": Type(THINGS, True),
        "where": Type((*PLACES, *THINGS, "person")),
        "source": Type((*PLACES, "person")),
    },
    m.DOOR: {"what": Type(("door",), True)},
    m.AT: {"what": Type(("robot",)), "where": Type(EVERYWHERE, True)},
    m.HOLD: {"what": Type(THINGS, True), "where": Type(PLACES), "source": Type((*PLACES, "person"))},
    m.LOOK: {"what": Type(THINGS, True), "where": Type(PLACES)},
    m.TASK: {"what": Type(("task",), True)},
    m.PUT: {"what": Type(THINGS, True), "where": Type((*PLACES, *THINGS), True)},
    m.GIVE: {"what": Type(THINGS, True), "where": Type(("person", "robot"), True)},
    m.TIDY: {"where": Type(PLACES, True)},
}
CLAIMS: dict[str, dict[str, Type]] = {
    m.KIT: {"what": Type(("kit",), True), "where": Type(PLACES)},
    m.STOCK: {"what": Type(THINGS, True), "where": Type(EVERYWHERE)},
    m.BROUGHT: {"what": Type(THINGS, True), "where": Type(PLACES, True)},
    m.DOOR: {"what": Type(("door",), True)},
    m.JAMMED: {"what": Type(("door",), True)},
    m.AT: {"what": Type(("robot", "person"), True), "where": Type(EVERYWHERE, True)},
    m.HOLD: {"what": Type((*THINGS, "robot"), True), "where": Type((*PLACES, "robot"))},
    m.LOOK: {"what": Type(THINGS, True), "where": Type(PLACES)},
    m.TASK: {"what": Type(("task",), True)},
    m.EMPTY: {"where": Type((*PLACES, "caddy"), True)},
    m.SUPPLY: {"what": Type(THINGS, True), "where": Type(("person",), True)},
    m.ABLE: {"what": Type(("robot",), True)},  # `where` is an ability, in a word
    m.PRESENT: {"what": Type(("person", "robot"), True)},
    m.CLOSED: {"what": Type(("robot",)), "where": Type(EVERYWHERE, True)},
}
_ABILITY = (m.ABLE, "where")
_STEERS = ("pause", "resume", "cancel", "prioritise", "retry", "help")
_THEN = ("ask", "retry", "bring", "other robot", "give up", "wants")
_RIGHTS = ("command", "teach", "approve", "stop", "policy", "prioritise")
#: The kind of names of which one can ask of which something is so, by the kinds of claims.
OF_WHICH = {m.DOOR: "door", m.JAMMED: "door", m.ABLE: "robot", m.PRESENT: "person", m.EMPTY: "table", m.CLOSED: "table"}
_OF_SOMETHING = ("where", "how many", "contents")  # questions that name something
_OF_CLAIMS = ("is it so", "what if", "why so", "which")  # questions about something that may be so


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
    """What of a meaning does not fit the names of a world and their kinds; nothing, where all does.

    A stop always fits: whoever it names, robots stop. So does what names nothing, and an answer: whoever asked for it
    knows what fits. `wants` are kinds of wants that are brought about here besides the usual ones: where places are
    looked at, too, nothing has to be looked for.
    """
    return list(_Check(kinds, wants).of(meaning))


class _Check:
    def __init__(self, kinds: Kinds, more: Collection[str] = ()):
        self.kinds, self.more = kinds, more

    def of(self, meaning: Meaning) -> Iterator[Problem]:
        if isinstance(meaning, m.Order):
            yield from self._wants(meaning.wants)
            yield from self._robots(meaning.robots, "robots")
            yield from self._robots(meaning.without, "without")
            yield from self._claims(meaning.when, "when")
        elif isinstance(meaning, m.Tell):
            yield from self._claims(meaning.claims, "claims")
        elif isinstance(meaning, m.Policy):
            yield from self._claims(meaning.trigger, "trigger", whole=False)
            yield from self._word(meaning.then, "then", _THEN)
            yield from self._name(meaning.person, "person", Type(("person",), meaning.then in ("ask", "bring")))
            yield from self._wants(meaning.wants)
        elif isinstance(meaning, m.Alter):
            yield from self._name(meaning.kit, "kit", Type(("kit",), True))
            yield from self._word(meaning.how, "how", ("add", "remove", "set"))
            yield from self._name(meaning.item, "item", Type(THINGS, True))
            yield from self._number(meaning.count, "count", 0)
        elif isinstance(meaning, m.Permit):
            yield from self._name(meaning.person, "person", Type(("person", "robot"), True))
            yield from self._word(meaning.right, "right", _RIGHTS)
            yield from self._number(meaning.minutes, "minutes", 0, MOST_MINUTES)
        elif isinstance(meaning, m.Zone):
            yield from self._name(meaning.where, "where", Type(EVERYWHERE, True))
            yield from self._robots(meaning.robots, "robots")
            yield from self._number(meaning.minutes, "minutes", 0, MOST_MINUTES)
        elif isinstance(meaning, m.Steer):
            yield from self._word(meaning.how, "how", _STEERS)
            yield from self._name(meaning.what, "what", Type(ANY))
            yield from self._name(meaning.where, "where", Type(EVERYWHERE))
            yield from self._robots(meaning.robots, "robots")
        elif isinstance(meaning, m.Ask):
            yield from self._asked(meaning)

    def _asked(self, ask: m.Ask) -> Iterator[Problem]:
        """Of a question, the names: what is left open is what it asks for."""
        yield from self._word(ask.about, "about", tuple(m.QUESTIONS))
        if ask.about != "who said":  # of that, `what` is yes or no
            yield from self._name(ask.what, "what", Type(ANY, ask.about in _OF_SOMETHING))
        yield from self._name(ask.where, "where", Type(ANY))
        yield from self._name(ask.robot, "robot", Type(("robot", "person")))
        yield from self._claims(ask.claims, "claims", whole=False)
        yield from self._wants(ask.wants, whole=False)
        which = ask.about == "which"
        kinds = [c.kind for c in ask.claims if not which or c.kind in OF_WHICH]
        if (ask.about in _OF_CLAIMS and not kinds) or (which and len(ask.claims) != 1):
            yield Problem("claims", "", (), tuple(OF_WHICH if which else CLAIMS))

    def _wants(self, wants: Sequence[Want], whole: bool = True) -> Iterator[Problem]:
        for i, want in enumerate(wants):
            open_ = want.kind == m.LOOK and bool(want.where) and m.LOOK in self.more
            yield from self._row(want, f"wants.{i}", WANTS, ("what", "where", "source"), whole and not open_)
            if want.kind in (m.KIT, m.STOCK):
                yield from self._number(want.count, f"wants.{i}.count", 0)

    def _claims(self, claims: Sequence[Claim], part: str, whole: bool = True) -> Iterator[Problem]:
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

    def _robots(self, robots: Sequence[str], part: str) -> Iterator[Problem]:
        for i, robot in enumerate(robots):
            yield from self._name(robot, f"{part}.{i}", Type(("robot",), True))

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
