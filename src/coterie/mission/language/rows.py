"""The rows of `grammar/meanings.toml`: each makes what an alternative of the grammar means from its parts.

Parts are names, numbers, and what other rows have made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from coterie.core.files import tables
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Want

IT, ALL = "@it", "@all"
SAME = "@same"  # one more of what was spoken of, where `IT` is that one itself
SO_MANY = "@so many"  # of what stands before it in the sentence
GOODS = ("kit", "item", "caddy")  # what is brought
PLACES = ("room", "table", "place")
Parts = Sequence[Any]
Row = Callable[[Any, Parts], Any]  # of the reading and the parts of an alternative


class Name(str):
    """A name with its kind; for things, how many."""

    kind: str = ""
    many: int | None = None

    @property
    def so_many(self) -> int:
        """How many; one where no number was said. Zero is a number."""
        return 1 if self.many is None else self.many


def named(name: str, kind: str, count: int | None = None) -> Name:
    found = Name(name)
    found.kind, found.many = kind, count
    return found


def names(parts: Any) -> Iterator[Name]:
    """All names in what was read."""
    if isinstance(parts, Name):
        yield parts
    elif isinstance(parts, (list, tuple)):
        for part in parts:
            yield from names(part)


def flat(parts: Any) -> tuple[Any, ...]:
    """Parts of which some are several, one after the other."""
    return tuple(x for p in parts for x in (p if isinstance(p, tuple) else (p,)))


def things_of(value: Any) -> list[Name]:
    return [value] if isinstance(value, Name) else list(value)


# -- what a field picks from the parts --------------------------------------------------------------------------------
def robots(reading: Any, parts: Parts) -> tuple[str, ...]:
    """The robots that are named; none where everybody is meant."""
    return tuple(r for r in every(reading, parts) if r != ALL)


def every(reading: Any, parts: Parts) -> tuple[str, ...]:
    """The robots that are named, or `ALL`."""
    return tuple(str(n) for n in names(parts) if n.kind == "robot" and n)


def kit(reading: Any, parts: Parts) -> Want:
    """A kit, and a place or a person that it goes to, in either order."""
    found = next(n for n in names(parts) if n.kind == "kit")
    return Want(m.KIT, str(found), str(next((n for n in names(parts) if n is not found), "")), found.so_many)


def _first(parts: Parts, among: Callable[[Name], bool] = lambda name: True) -> str:
    return str(next((n for n in names(parts) if among(n)), ""))


def steered(reading: Any, parts: Parts) -> m.Steer:
    """What a command is about: a thing, and the place that it goes to."""
    found = list(names(parts))
    places = [n for n in found if n.kind in PLACES]
    what = str(next((n for n in found if n not in places), ""))
    return m.Steer("", what, where="".join(map(str, places[:1])))


PICKS: dict[str, Row] = {
    "text": lambda reading, parts: str(parts[0]),
    "count": lambda reading, parts: parts[0] if len(parts) > 1 else None,
    "minutes": lambda reading, parts: next((p for p in parts if isinstance(p, int)), 0),
    "first": lambda reading, parts: _first(parts),
    "goods": lambda reading, parts: _first(list(names(parts))[:1], lambda n: n.kind in GOODS),
    "place": lambda reading, parts: _first(parts, lambda n: n.kind in PLACES),
    "no_place": lambda reading, parts: _first(parts, lambda n: n.kind not in PLACES),
    "no_robot": lambda reading, parts: _first(parts, lambda n: n.kind != "robot"),
    "robot": lambda reading, parts: _first(parts, lambda n: n.kind == "robot").replace(ALL, ""),
    "called": lambda reading, parts: _first(parts) or str(reading.fetch_robot()),  # which may be called like a verb
    "all": lambda reading, parts: tuple(p for p in parts if p),
    "flat": lambda reading, parts: flat(parts),
    "words": lambda reading, parts: " ".join(map(str, parts)),
    "kit_called": lambda reading, parts: f"{parts[0]} kit",
    "policy": lambda reading, parts: f"policy {parts[0]}",
    "steered": steered,
    "place_alone": lambda reading, parts: m.Steer("", where=_first(parts)),
    "mine": lambda reading, parts: m.Steer("", "", "mine", where=_first(parts)),
    "skill": lambda reading, parts: parts[-1][0],
    "skill_of": lambda reading, parts: str(parts[-1][1]),
    "robots": robots,
    "every": every,
    "kit": kit,
}


# -- kinds of rows ----------------------------------------------------------------------------------------------------
def stock(
    things: int = 0, where: int | None = None, holds: bool = True, elsewhere: int | None = None, kind: str = m.STOCK
) -> Row:
    """That things are somewhere, were put there, or are not; none of a thing is that it is not there."""

    def make(reading: Any, parts: Parts) -> tuple[Claim, ...]:
        place = str(parts[where]) if where is not None and where < len(parts) else ""
        some = [(t, holds and t.many != 0) for t in things_of(parts[things])]
        found = tuple(Claim(kind, str(t), place, t.many if so else None, so) for t, so in some)
        gone = stock(things, elsewhere, False)(reading, parts) if elsewhere is not None else ()
        return (*found, *gone)

    return make


def supply(holds: bool = True) -> Row:
    return lambda reading, parts: tuple(
        Claim(m.SUPPLY, str(t), str(parts[0]), t.many if holds else None, holds) for t in things_of(parts[1])
    )


def closed(holds: bool = True) -> Row:
    """That a place is closed for robots, or for all."""

    def make(reading: Any, parts: Parts) -> tuple[Claim, ...]:
        where = _first(parts, lambda n: n.kind != "robot")
        return tuple(Claim(m.CLOSED, r.replace(ALL, ""), where, holds=holds) for r in every(reading, parts) or ("",))

    return make


def wants(kind: str, things: int | str = 0, where: int | None = None, source: int | None = None) -> Row:
    def make(reading: Any, parts: Parts) -> tuple[Want, ...]:
        place, origin = (str(parts[i]) if i is not None and i < len(parts) else "" for i in (where, source))
        some = things_of(parts[things] if isinstance(things, int) else parts)
        count = [1 if kind == m.LOOK else t.so_many for t in some]
        return tuple(Want(kind, str(t), place, n, source=origin) for t, n in zip(some, count))

    return make


def steer(how: str, level: str = "") -> Row:
    def make(reading: Any, parts: Parts) -> m.Steer:
        meant = next((p for p in parts if isinstance(p, m.Steer)), m.Steer(""))
        return replace(meant, how=how, level=level or meant.level)

    return make


def _could(about: str) -> Row:
    """A question about a wish, and who could do it: "send Spot to alpha" wants Spot at alpha."""

    def make(reading: Any, parts: Parts) -> m.Ask:
        robot = "".join(every(reading, parts[:-1])[:1])
        whole = next((w for w in parts[-1] if isinstance(w, m.Order)), m.Order(parts[-1]))
        return m.Ask(about, robot="".join(whole.robots[:1]) or robot, wants=whole.wants)

    return make


def _of_one(how: str, level: str = "") -> Row:
    def make(reading: Any, parts: Parts) -> m.Steer | None:
        many = [t for p in parts for t in (things_of(p) if not isinstance(p, int) else ())]
        return m.Steer(how, str(many[0]), level) if len(many) == 1 else None

    return make


def _alter(how: str, kit: int, things: int, count: int | None = None) -> Row:
    def make(reading: Any, parts: Parts) -> m.Alter | None:
        many = things_of([p for p in parts if not isinstance(p, int)][things])  # "three painkillers, not two"
        if len(many) != 1:
            return None
        return m.Alter(str(parts[kit]), how, str(many[0]), many[0].so_many if count is None else count)

    return make


def _skill(skill: str) -> Row:
    return lambda reading, parts: (skill, next(names(parts), ""))


_KINDS: dict[str, Callable[..., Row]] = {
    "stock": stock, "supply": supply, "closed": closed, "wants": wants, "of_one": _of_one, "steer": steer,
    "could": _could, "alter": _alter, "skill": _skill, "silent": lambda: lambda reading, parts: None,
}  # fmt: skip
_SEVERAL = ("wants", "claims", "trigger")  # fields that hold several, of which a row may make one


@cache
def table() -> Mapping[str, Row]:
    """All rows, by the alternatives that they are of."""
    found: dict[str, Row] = {}
    for kind, table in tables(__package__, "grammar/meanings.toml").items():
        for name, row in table.items():
            found[name] = _KINDS[kind](**row) if kind in _KINDS else _made(kind, row, found)
    return found


def _made(kind: str, row: Any, found: Mapping[str, Row]) -> Row:
    """A row that makes a meaning, a name or a value of its fields."""
    make: Callable[..., Any] = named if kind == "name" else getattr(m, kind, dict)

    def value(x: Any, reading: Any, parts: Parts) -> Any:
        if isinstance(x, str) and x.startswith("$"):
            pick, _, inner = x.removeprefix("$").partition(".")
            if not pick.lstrip("-").isdigit():
                return (PICKS.get(pick) or found[pick])(reading, parts)
            part = getattr(parts[int(pick)], inner) if inner else parts[int(pick)]
            return str(part) if isinstance(part, str) else part
        return tuple(x) if isinstance(x, list) else x

    def fill(reading: Any, parts: Parts) -> Any:
        if kind == "value":
            return value(row, reading, parts)
        fields = {name: value(x, reading, parts) for name, x in row.items()}
        return make(**{k: flat((v,)) if k in _SEVERAL else v for k, v in fields.items()})

    return fill
