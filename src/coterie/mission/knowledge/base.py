"""Facts that robots and people reported, claims that wait for confirmation, and the knowledge of each person."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.facts import NOW, UNKNOWN, Fact
from coterie.mission.journal import Journal
from coterie.mission.knowledge.authority import Authority
from coterie.mission.knowledge.rules import Rules
from coterie.mission.knowledge.terms import Facts, Key, Supposed, check_fact, same
from coterie.mission.knowledge.view import View

ISA = "isa"  # isa(Entity, Type): of an entity's type and all types above it


class Lack(NamedTuple):
    """A fact that a person lacks, and what the person believes instead (UNKNOWN for nothing)."""

    fact: Fact
    instead: object = UNKNOWN


class Mind:
    """The knowledge of one person. `public` predicates are known to all, as they are."""

    def __init__(self, common: Facts, public: Container[str]):
        self.own = Facts()
        self.common, self.public = common, public

    def hear(self, fact: Fact) -> None:
        """Older news does not change a mind."""
        old = self.own.by_key.get((fact.pred, *fact.args))
        if old is None or fact.time >= old.time:
            self.own.put(fact)

    def __iter__(self) -> Iterator[Fact]:
        yield from (f for f in self.common if f.pred in self.public)
        yield from (f for f in self.own if f.pred not in self.public)

    def fact(self, key: Key) -> Fact | None:
        return (self.common if key[0] in self.public else self.own).fact(key)

    def value(self, key: Key) -> object:
        fact = self.fact(key)
        return UNKNOWN if fact is None else fact.value

    def lacks(self, facts: Iterable[Fact]) -> list[Lack]:
        """Those of the facts that are news to the person."""
        found = []
        for fact in facts:
            held = self.value((fact.pred, *fact.args))
            if not same(held, fact.value):
                found.append(Lack(fact, held))
        return found


class Claim(NamedTuple):
    """A report of a source that may not state facts. A value of UNKNOWN denies what is known."""

    fact: Fact
    heard: float  # [s]


class Lesson(NamedTuple):
    """Rules that were taught, by whom, and when [s]."""

    rules: str
    by: str
    time: float


@dataclass(frozen=True)
class Heard:
    """The result of telling facts."""

    new: tuple[Fact, ...] = ()  # changed what is known
    same: tuple[Fact, ...] = ()  # were known, or are older than what is known
    claims: tuple[Claim, ...] = ()  # wait until they are seen or confirmed


class Knowledge(View):
    """The part "knowledge" of a journal: facts, claims, types, rules, and what each person knows.

    Changes are serial, in whatever thread they come, and kept in the journal before they are taken in. Facts are
    those of `core/facts`: `Fact("where", ("box1",), "table_e", time, source)`; the source is who reports it, and what
    the source may do (`authority`) decides whether it is known or only claimed.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        authority: Authority | None = None,
        rules: str = "",
        types: Mapping[str, str] | None = None,
        public: Iterable[str] = (),
    ):
        """`rules` in the language of clingo; `types` to their parents; `public`: predicates that everybody
        knows, such as the map."""
        self.journal = journal or Journal()
        self.authority = authority or Authority(self.journal)
        self.store = Facts()
        self.types: dict[str, str] = dict(types or {})
        self.public = frozenset(public) | {ISA}
        self.kinds: dict[str, str] = {}  # entity -> type
        self.claims: dict[Key, dict[str, Claim]] = {}  # by source
        self.minds: dict[str, Mind] = {}
        self.changes: list[Fact] = []  # every change, in order; a value of UNKNOWN is a retraction
        self.lessons: dict[int, Lesson] = {}  # rules that people taught
        self._lessons, self._own_rules, self._taught = 0, rules, False
        self._widths: dict[str, int] = {}  # how many arguments a predicate has
        super().__init__(self.store, Rules(rules), self.journal.mutex)
        self.journal.attach("knowledge", self._take)

    # -- telling --------------------------------------------------------------------------------------------------
    def tell(self, *facts: Fact) -> Heard:
        """Take in what was reported, all of it or, where one is wrong, nothing.

        The word of a robot, or of a person who may state facts, is taken. That of others is kept as a claim until it
        is seen or confirmed: until a source whose word is taken says the same. Older news never overwrites newer.
        """
        with self.journal.mutex:
            now = self.journal.now()
            stamped = [f._replace(time=now) if f.time == NOW else f for f in facts]
            for fact in stamped:
                self._check(fact)
                if not self.authority.may(fact.source, "tell", fact.pred):
                    self.authority.require(fact.source, "claim", fact.pred)
            new: list[Fact] = []
            old: list[Fact] = []
            claims: list[Claim] = []
            with self.journal.together():
                for fact in stamped:
                    if not self.authority.may(fact.source, "tell", fact.pred):
                        held = self.store.fact((fact.pred, *fact.args))
                        if held is not None and same(held.value, fact.value):
                            old.append(fact)
                            self._write("told", {"person": fact.source, "facts": (held,)})
                            continue
                        claims.append(Claim(fact, now))
                        self._write("claim", {"fact": fact})
                        continue
                    fresh = self._is_new(fact)
                    if fresh is not None:
                        self._write("tell", {"fact": fact, "person": self.authority.is_person(fact.source)})
                    (new if fresh else old).append(fact)
            return Heard(tuple(new), tuple(old), tuple(claims))

    def _is_new(self, fact: Fact) -> bool | None:
        """True if a fact changes what is known; None where it is older than that."""
        held = self.store.fact((fact.pred, *fact.args))
        if held is None:
            return fact.value is not UNKNOWN
        return None if fact.time < held.time else not same(held.value, fact.value)

    def retract(self, pred: str, *args: Any, by: str) -> bool:
        """Retract a fact, whatever its value; False where nothing was known."""
        heard = self.tell(Fact(pred, args, UNKNOWN, NOW, by))
        return bool(heard.new)

    def _check(self, fact: Fact) -> None:
        check_fact(fact)
        width = self._widths.get(fact.pred, len(fact.args))
        if len(fact.args) != width:
            raise CoterieError(f"{fact} has {len(fact.args)} arguments, but '{fact.pred}' has {width}.")
        if fact.pred == ISA:
            raise CoterieError(f"{fact} cannot be told: types are given with knowledge.entity.")

    def entity(self, name: str, kind: str) -> None:
        """There is something of a type; a new type is told of by `kind_of`."""
        if self.types and kind not in self.types:
            raise unknown_name("type", kind, self.types)
        if self.kinds.get(name) != kind:
            self._write("entity", {"name": name, "kind": kind})

    def kind_of(self, kind: str, parent: str = "") -> None:
        """There is a type, below another one or below none."""
        if parent and parent not in self.types:
            raise unknown_name("type", parent, self.types)
        above, seen = parent, set()
        while above and above not in seen:
            if above == kind:
                raise CoterieError(f"A {kind} cannot be a {parent}: a {parent} is a {kind} already.")
            seen.add(above)
            above = self.types.get(above, "")
        if self.types.get(kind) != parent:
            self._write("type", {"name": kind, "parent": parent})

    def learn(self, rules: str, by: str = "mission") -> int:
        """Add rules, from a person who may teach. They hold at once; the number says which lesson that was."""
        self.authority.require(by, "teach")
        with self.journal.mutex:
            Rules(self.rules.text + "\n" + rules)  # complains before anything is kept
            number = self._lessons + 1
            self._write("learn", {"number": number, "rules": rules, "by": by})
            return number

    # -- reading --------------------------------------------------------------------------------------------------
    def fact(self, pred: str, *args: Any) -> Fact | None:
        """The last fact told, with its source and time."""
        return self.store.fact((pred, *args))

    def facts(self, pred: str | None = None) -> Iterator[Fact]:
        return (f for f in self.store if f.pred == pred or (pred is None and f.pred != ISA))

    def supposing(self, *facts: Fact) -> View:
        """A view in which these facts hold; UNKNOWN as a value takes away what is known. It follows later changes of
        all else, and changes nothing."""
        for fact in facts:
            self._check(fact)
        return View(Supposed(self.store, facts), self.rules, self.journal.mutex)

    # -- people ---------------------------------------------------------------------------------------------------
    def told(self, person: str, facts: Iterable[Fact]) -> None:
        """A person was told, or saw, that this is so (UNKNOWN: that it is no longer known)."""
        found = tuple(facts)
        if found:
            self._write("told", {"person": person, "facts": found})

    def lacks(self, person: str, facts: Iterable[Fact]) -> list[Lack]:
        """Which of the facts a person does not know yet, and what the person believes instead."""
        return self._mind(person).lacks(facts)

    def who_lacks(self, fact: Fact) -> list[str]:
        """People who are here and do not know a fact."""
        return [p for p in self.authority.people() if self.lacks(p, (fact,))]

    def of(self, person: str) -> View:
        """A view of what a person knows."""
        return View(self._mind(person), self.rules, self.journal.mutex)

    def contradictions(self) -> list[tuple[str, dict[str, Any]]]:
        """Constraints that the facts break, each with the values for which it is broken. They gag no answer."""
        with self.journal.mutex:
            return self.rules.contradictions(self.store)

    def mistakes(self, person: str) -> list[Lack]:
        """Wrong beliefs of a person, as far as is known."""
        mine = self._mind(person).own.by_key
        return [
            Lack(now, held.value)
            for key, held in mine.items()
            if (now := self.store.fact(key)) is not None and not same(now.value, held.value)
        ]

    def _mind(self, person: str) -> Mind:
        mind = self.minds.get(person)
        if mind is None:
            mind = self.minds[person] = Mind(self.store, self.public)
        return mind

    # -- changes, now and from the journal ------------------------------------------------------------------------
    def _write(self, kind: str, data: Any) -> None:
        self.journal.write("knowledge", kind, data)

    def _take(self, kind: str, data: Any, time: float) -> None:
        if kind == "tell":
            self._take_fact(data["fact"])
            if data["person"]:
                self._mind(data["fact"].source).hear(data["fact"])
        elif kind == "claim":
            fact = data["fact"]
            self.claims.setdefault((fact.pred, *fact.args), {})[fact.source] = Claim(fact, time)
            self._mind(fact.source).hear(fact)
        elif kind == "told":
            for fact in data["facts"]:
                self._mind(data["person"]).hear(fact._replace(time=time))
        elif kind == "entity":
            self._put_kind(data["name"], data["kind"])
        elif kind == "type":
            self.types[data["name"]] = data["parent"]
            for name, of in list(self.kinds.items()):
                self._put_kind(name, of)
        elif kind == "learn":
            self.lessons[data["number"]] = Lesson(data["rules"], data["by"], time)
            self._lessons = data["number"]
            self._taught = True

    def _take_fact(self, fact: Fact) -> None:
        key = (fact.pred, *fact.args)
        self.claims.pop(key, None)
        self._widths.setdefault(fact.pred, len(fact.args))
        old = self.store.drop(key) if fact.value is UNKNOWN else self.store.put(fact)
        if not same(old.value if old is not None else UNKNOWN, fact.value):
            self.changes.append(fact)

    @property
    def rules(self) -> Rules:
        """The first rules and those that were taught; read when they are used, since lessons may be many."""
        with self.journal.mutex:
            if self._taught:
                texts = [self._own_rules, *(lesson.rules for lesson in self.lessons.values())]
                self._rules, self._taught = Rules("\n".join(texts)), False
            return self._rules

    def _put_kind(self, name: str, kind: str) -> None:
        self.kinds[name] = kind
        seen: list[str] = []
        while kind and kind not in seen:
            seen.append(kind)
            kind = self.types.get(kind, "")
        self.store.put(Fact(ISA, (name,), tuple(seen)))
