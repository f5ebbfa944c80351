"""Rights of people: roles, permissions that they give and take back, and refusals that name who may.

Roles are data (`ROLES`); a scene may bring its own. An unknown person is a visitor. A stop is honoured from anybody.
Everything is kept in the journal, refusals too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.replies.fields import clean
from coterie.core.rights import ACTS, ROLES
from coterie.mission.journal import Journal

STOP = "stop"
ANYBODY = "visitor"  # the role of those who are not known
OURS = ("mission", "world")  # who reports what nobody has to vouch for


@dataclass(frozen=True)
class Member:
    """A person or a robot. Who has left keeps the roles for the day of return."""

    name: str
    roles: tuple[str, ...] = (ANYBODY,)
    present: bool = True


@dataclass(frozen=True)
class Grant:
    """A permission that a person gave: for one act, for all or one thing it is about, for good or until a time [s]."""

    number: int
    person: str
    act: str
    giver: str
    about: str = ""  # a robot, a goal, a skill; empty: all
    until: float | None = None
    further: bool = False  # may be given on


class Refusal(NamedTuple):
    """The reason why a person may not, as data and in words."""

    person: str
    act: str
    about: str
    who_may: tuple[str, ...]
    words: str
    time: float


class Refused(CoterieError):
    """An error: a person asked for what they may not do; `refusal` says it as data."""

    def __init__(self, refusal: Refusal):
        super().__init__(refusal.words)
        self.refusal = refusal


class Authority:
    """The part "authority" of a journal."""

    def __init__(self, journal: Journal | None = None, roles: Mapping[str, frozenset[str]] | None = None):
        self.journal = journal or Journal()
        self.roles = {**ROLES, **(roles or {})}
        for role, acts in self.roles.items():
            for act in acts:
                if act not in ACTS:
                    raise CoterieError(f"Role '{role}': {unknown_name('act', act, ACTS)}")
        self.members: dict[str, Member] = {}
        self.grants: dict[int, Grant] = {}
        self.refusals: list[Refusal] = []
        self._numbers = 0
        self.journal.attach("authority", self._take)

    # -- who is here ----------------------------------------------------------------------------------------------
    def join(self, name: str, *roles: str) -> None:
        """Add a person with roles; one who comes back without any keeps those of before."""
        for role in roles:
            if role not in self.roles:
                raise unknown_name("role", role, self.roles)
        before = self.members.get(name)
        kept = roles or (before.roles if before is not None else (ANYBODY,))
        if before != Member(name, tuple(kept)):
            self.journal.write("authority", "join", {"name": name, "roles": tuple(kept)})

    def leave(self, name: str) -> None:
        if name in self.members and self.members[name].present:
            self.journal.write("authority", "leave", {"name": name})

    def roles_of(self, name: str) -> tuple[str, ...]:
        member = self.members.get(name)
        return member.roles if member is not None else ("mission",) if name in OURS else (ANYBODY,)

    def is_person(self, name: str) -> bool:
        return not {"robot", "mission"} & set(self.roles_of(name))

    def people(self, present: bool = True) -> list[str]:
        return [m.name for m in list(self.members.values()) if self.is_person(m.name) and (m.present or not present)]

    # -- who may --------------------------------------------------------------------------------------------------
    def may(self, person: str, act: str, about: str = "") -> bool:
        """True if a person may now, by role or by a permission that still holds."""
        if act not in ACTS:
            raise unknown_name("act", act, ACTS)
        return act == STOP or self._by_role(person, act) or self._granted(person, act, about, frozenset())

    def _by_role(self, person: str, act: str) -> bool:
        return any(act in self.roles[role] for role in self.roles_of(person))

    def _granted(self, person: str, act: str, about: str, seen: frozenset[int], further: bool = False) -> bool:
        return any(
            grant.person == person
            and grant.act == act
            and grant.about in ("", about)
            and (grant.further or not further)
            and number not in seen
            and self._holds(grant, seen | {number})
            for number, grant in list(self.grants.items())
        )

    def _holds(self, grant: Grant, seen: frozenset[int]) -> bool:
        """A permission holds until its time, and as long as its giver could still give it."""
        if grant.until is not None and self.journal.now() >= grant.until:
            return False
        return self._can_give(grant.giver, grant.act, grant.about, seen)

    def _can_give(self, giver: str, act: str, about: str, seen: frozenset[int]) -> bool:
        """True if a person can give a permission: any with "permit"; else theirs by role, or one to be given on."""
        if self._by_role(giver, "permit") or self._by_role(giver, act):
            return True
        return self._granted(giver, "permit", about, seen) or self._granted(giver, act, about, seen, further=True)

    def who_may(self, act: str, about: str = "") -> list[str]:
        """People who may, those who are here first."""
        names = [n for n in self.people(present=False) if self.may(n, act, about)]
        return sorted(names, key=lambda n: (not self.members[n].present, n))

    def refusal(self, person: str, act: str, about: str = "") -> Refusal | None:
        """None where a person may; otherwise why not, which is kept."""
        with self.journal.mutex:
            if self.may(person, act, about):
                return None
            found = self._refusal(person, act, about)
            self.journal.write("authority", "refused", found._asdict())
            return found

    def require(self, person: str, act: str, about: str = "") -> None:
        """As `refusal`, for those who would rather catch `Refused`."""
        found = self.refusal(person, act, about)
        if found is not None:
            raise Refused(found)

    def _refusal(self, person: str, act: str, about: str) -> Refusal:
        who = tuple(n for n in self.who_may(act, about) if n != person)
        whose = f" for {clean(about, 60)}" if about else ""
        role = " and ".join(self.roles_of(person))
        can = ", ".join(sorted(words for a, words in ACTS.items() if self.may(person, a, about)))
        named = _either(who[:4]) if who else "Nobody here"
        words = (
            f"{clean(person, 60)} ({role}) may not {ACTS[act]}{whose}, but may {can}. "
            f"{named} may{'' if who else '; somebody with the role ' + self._role_with(act) + ' could'}."
        )
        return Refusal(person, act, about, who, words, self.journal.now())

    def _role_with(self, act: str) -> str:
        return _either([r for r, acts in self.roles.items() if act in acts and r not in ("mission", "robot")] or ["?"])

    # -- permissions ----------------------------------------------------------------------------------------------
    def grant(
        self, giver: str, person: str, act: str, about: str = "", until: float | None = None, further: bool = False
    ) -> Grant:
        """Give a permission, or hand on one's own; `Refused` for what is not the giver's to give."""
        if act not in ACTS:
            raise unknown_name("act", act, ACTS)
        with self.journal.mutex:
            if not self._can_give(giver, act, about, frozenset()):
                self.require(giver, "permit", about)
            data = Grant(self._numbers + 1, person, act, giver, about, until, further)
            self.journal.write("authority", "grant", vars(data) | {})
            return data

    def revoke(self, by: str, person: str, act: str, about: str = "") -> list[Grant]:
        """Take back what one gave, or anything for those who give permissions. What hangs on it falls, too."""
        with self.journal.mutex:
            theirs = [g for g in list(self.grants.values()) if (g.person, g.act, g.about) == (person, act, about)]
            allowed = [g for g in theirs if g.giver == by or self.may(by, "permit", about)]
            if theirs and not allowed:
                self.require(by, "permit", about)
            for found in allowed:
                self.journal.write("authority", "revoke", {"number": found.number, "by": by})
            return allowed

    def _take(self, kind: str, data: Any, time: float) -> None:
        if kind == "join":
            self.members[data["name"]] = Member(data["name"], tuple(data["roles"]))
        elif kind == "leave":
            self.members[data["name"]] = Member(data["name"], self.members[data["name"]].roles, False)
        elif kind == "grant":
            self.grants[data["number"]] = Grant(**data)
            self._numbers = data["number"]
        elif kind == "revoke":
            self.grants.pop(data["number"], None)
        elif kind == "refused":
            self.refusals.append(Refusal(**{**data, "who_may": tuple(data["who_may"])}))


def _either(names: tuple[str, ...] | list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
