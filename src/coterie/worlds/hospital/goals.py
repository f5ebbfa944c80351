"""Goals of people in the hospital, judged on the truth: kits in rooms, things at places, doors open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coterie.core.expr import Lookup
from coterie.core.facts import Fact
from coterie.core.task import Goal, Progress, goals
from coterie.worlds.hospital.scene import BELONGS, INSIDE, KIT, counted, label

STOCK, DOOR = "stock", "door"
AT, HOLD, LOOK = "at", "hold", "look"  # a robot somewhere, a thing in its hand, a thing or a place looked at
GIVE, TIDY = "give", "tidy"  # a thing with a person, a room in order


@dataclass(frozen=True)
class Wish:
    """One thing to be brought about: a kit (with `contents`) at a room or just packed, `count` of a thing at a place,
    a door open; a robot (`what`) at a place, a thing with a robot (`where`), a thing seen on a table, a place seen, a
    thing with a person (`where`), a room (`where`) tidy."""

    kind: str
    what: str
    where: str = ""
    contents: tuple[tuple[str, int], ...] = ()
    count: int = 1

    def text(self) -> str:
        if self.kind == KIT:
            inside = ", ".join(counted(n, item) for item, n in self.contents)
            a = "an" if self.what[:1] in "aeiou" else "a"
            return f"{a} {self.what} ({inside}) {'at ' + label(self.where) if self.where else 'packed'}"
        if self.kind == DOOR:
            return f"the {label(self.what)} open"
        if self.kind == AT:
            return f"{self.what} at {label(self.where)}"
        if self.kind == HOLD:
            return f"the {label(self.what)} with {self.where or 'a robot'}"
        if self.kind == GIVE:
            return f"{counted(self.count, self.what)} with the {label(self.where)}"
        if self.kind == TIDY:
            return f"order in {label(self.where)}"
        if self.kind == LOOK and not self.what:
            return f"a look at {label(self.where)}"
        if self.kind == LOOK:
            return f"a look for the {label(self.what)}{' on ' + label(self.where) if self.where else ''}"
        return f"{counted(self.count, self.what)} at {label(self.where)}"

    def to_json(self) -> dict[str, Any]:
        contents = [[item, n] for item, n in self.contents]
        return {"kind": self.kind, "what": self.what, "where": self.where, "contents": contents, "count": self.count}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Wish:
        contents = tuple((str(item), int(n)) for item, n in data.get("contents", ()))
        return cls(data["kind"], data["what"], data.get("where", ""), contents, int(data.get("count", 1)))


@dataclass(frozen=True)
class Errands(Goal):
    """All that is wanted. `by` is who asks for it; where nobody is named, people ask for it in words of their own."""

    wishes: tuple[Wish, ...] = ()
    caddies: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    by: str = ""
    tables: tuple[str, ...] = ()  # of places where things are looked for
    kind: str = "errands"

    def progress(self, look: Lookup) -> Progress:
        left = list(self.caddies)
        met = [self._met(wish, look, left) for wish in self.wishes]
        done, closed = bool(met) and all(met), look("closed") is True
        over = closed or bool(self.by)  # where people ask in words, more may be asked for until they close
        partial = sum(met) / len(met) if met else 0.0
        text = f"{sum(met)} of {len(met)} done." if met else "Nothing is asked for."
        return Progress(done and over, partial, text, lost=closed and not done)

    def _met(self, wish: Wish, look: Lookup, left: list[str]) -> bool:
        if wish.kind == DOOR:
            return look("open", wish.what) is True
        if wish.kind == STOCK:
            places = [t for t in self.tables if look(INSIDE, t) == wish.where] or [wish.where]
            return any(count_of(look("stock", wish.what, p)) >= wish.count for p in places)
        if wish.kind == GIVE:
            return count_of(look("has", wish.where, wish.what)) >= wish.count
        if wish.kind == TIDY:
            room = [t for t in self.tables if look(INSIDE, t) == wish.where]
            wrong = [(x, t) for t in room for x in self.items if not look(BELONGS, x, t)]
            lying = {x for x, t in wrong if count_of(look("stock", x, t))}
            return not any(look(BELONGS, x, t) for x in lying for t in self.tables)
        if wish.kind in (AT, HOLD, LOOK):
            return True  # it was so at some moment, or the mission says why not
        wanted = dict(wish.contents)
        for caddy in left:  # one caddy serves one wish
            packed = all((look("amount", caddy, i) or 0) == wanted.get(i, 0) for i in self.items)
            if packed and (not wish.where or look("stock", caddy, wish.where) == 1):
                left.remove(caddy)
                return True
        return False

    def text(self) -> str:
        return f"Wanted: {'; '.join(w.text() for w in self.wishes)}." if self.wishes else "Nothing is asked for yet."

    def facts(self) -> list[Fact]:
        return [Fact("goal", (), self)]

    def to_json(self) -> dict[str, Any]:
        wishes = [w.to_json() for w in self.wishes]
        names = {"caddies": list(self.caddies), "items": list(self.items)}
        names |= {"tables": list(self.tables)} if self.tables else {}
        return {"kind": self.kind, "wishes": wishes, **names, "by": self.by}


def count_of(value: object) -> int:
    """A count that is known, else 0."""
    return value if isinstance(value, int) else 0


def _errands(data: Mapping[str, Any]) -> Errands:
    caddies, items, tables = (tuple(data.get(key, ())) for key in ("caddies", "items", "tables"))
    return Errands(tuple(Wish.from_json(w) for w in data["wishes"]), caddies, items, data["by"], tables)


goals.put("errands", _errands)
