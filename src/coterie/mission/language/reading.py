"""The meaning of a sentence, from its tree: each alternative of the grammar is a row of `grammar/meanings.toml`, or a
method of `Reading`. Parts of an alternative are names, numbers, and what other rows have made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from inspect import signature
from typing import Any

from coterie.core.files import tables
from coterie.mission.language.signs import Signed
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want
from coterie.talk.vocabulary import Vocabulary

IT, ALL = "@it", "@all"
SAME = "@same"  # one more of what was spoken of, where `IT` is that one itself
SO_MANY = "@so many"  # of what stands before it in the sentence
GOODS = ("kit", "item", "caddy")  # what is brought
PLACES = ("room", "table", "place")
_DROP = re.compile(r"^(?:please )?drop\b")
_NOT_NOW = re.compile(r"\b(?:was|were|had|should be)\b")
_TOGETHER = "several"  # things: how long they take together is not computed
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
# Each makes a meaning of the reading and the parts of an alternative; the fields of its row come behind them.
def stock(
    reading: Any,
    parts: Parts,
    things: int = 0,
    where: int | None = None,
    holds: bool = True,
    elsewhere: int | None = None,
    kind: str = m.STOCK,
) -> tuple[Claim, ...]:
    """That things are somewhere, were put there, or are not; none of a thing is that it is not there."""
    place = str(parts[where]) if where is not None and where < len(parts) else ""
    some = [(t, holds and t.many != 0) for t in things_of(parts[things])]
    found = tuple(Claim(kind, str(t), place, t.many if so else None, so) for t, so in some)
    gone = stock(reading, parts, things, elsewhere, False) if elsewhere is not None else ()
    return (*found, *gone)


def supply(reading: Any, parts: Parts, holds: bool = True) -> tuple[Claim, ...]:
    some = [(str(t), t.many if holds else None) for t in things_of(parts[1])]
    return tuple(Claim(m.SUPPLY, what, str(parts[0]), count, holds) for what, count in some)


def closed(reading: Any, parts: Parts, holds: bool = True) -> tuple[Claim, ...]:
    """That a place is closed for robots, or for all."""
    where = _first(parts, lambda n: n.kind != "robot")
    return tuple(Claim(m.CLOSED, r.replace(ALL, ""), where, holds=holds) for r in every(reading, parts) or ("",))


def wants(
    reading: Any, parts: Parts, kind: str, things: int | str = 0, where: int | None = None, source: int | None = None
) -> tuple[Want, ...]:
    place, origin = (str(parts[i]) if i is not None and i < len(parts) else "" for i in (where, source))
    some = things_of(parts[things] if isinstance(things, int) else parts)
    count = [1 if kind == m.LOOK else t.so_many for t in some]
    return tuple(Want(kind, str(t), place, n, source=origin) for t, n in zip(some, count))


def steer(reading: Any, parts: Parts, how: str, level: str = "") -> m.Steer:
    meant = next((p for p in parts if isinstance(p, m.Steer)), m.Steer(""))
    return replace(meant, how=how, level=level or meant.level)


def _could(reading: Any, parts: Parts, about: str) -> m.Ask:
    """A question about a wish, and who could do it: "send Spot to alpha" wants Spot at alpha."""
    robot = "".join(every(reading, parts[:-1])[:1])
    whole = next((w for w in parts[-1] if isinstance(w, m.Order)), m.Order(parts[-1]))
    return m.Ask(about, robot="".join(whole.robots[:1]) or robot, wants=whole.wants)


def _of_one(reading: Any, parts: Parts, how: str, level: str = "") -> m.Steer | None:
    many = [t for p in parts for t in (things_of(p) if not isinstance(p, int) else ())]
    return m.Steer(how, str(many[0]), level) if len(many) == 1 else None


def _alter(reading: Any, parts: Parts, how: str, kit: int, things: int, count: int | None = None) -> m.Alter | None:
    many = things_of([p for p in parts if not isinstance(p, int)][things])  # "three painkillers, not two"
    if len(many) != 1:
        return None
    return m.Alter(str(parts[kit]), how, str(many[0]), many[0].so_many if count is None else count)


_KINDS: dict[str, Callable[..., Any]] = {
    "stock": stock, "supply": supply, "closed": closed, "wants": wants, "of_one": _of_one, "steer": steer,
    "could": _could, "alter": _alter, "silent": lambda reading, parts: None,
    "skill": lambda reading, parts, skill: (skill, next(names(parts), "")),
}  # fmt: skip
_SEVERAL = ("wants", "claims", "trigger")  # fields that hold several, of which a row may make one


@cache
def table() -> Mapping[str, Row]:
    """All rows, by the alternatives that they are of."""
    found: dict[str, Row] = {}
    for kind, table in tables(__package__, "grammar/meanings.toml").items():
        for name, row in table.items():
            found[name] = _of_kind(kind, row) if kind in _KINDS else _made(kind, row, found)
    return found


def _of_kind(kind: str, row: Mapping[str, Any]) -> Row:
    signature(_KINDS[kind]).bind(None, (), **row)  # complain about a wrong field now, not when somebody says it
    return partial(_KINDS[kind], **row)


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


# -- what alternatives mean that need more than a row ---------------------------------------------------------------
class Reading:
    """One tree of the grammar, from the leaves up."""

    def __init__(self, signed: Signed, vocabulary: Vocabulary):
        self.signed, self.vocabulary = signed, vocabulary

    def of(self, tree: Any) -> Meaning | None:
        found = self._value(tree)
        if isinstance(found, m.Order) and not found.wants:  # what it wants may be one thing or another
            return None
        return found if isinstance(found, Meaning) else None

    def _value(self, node: Any) -> Any:
        if not hasattr(node, "children"):
            return self._token(node)
        parts = [v for v in (self._value(c) for c in node.children) if v is not None]
        if (row := table().get(str(node.data))) is not None:
            return row(self, parts)
        if (method := getattr(self, str(node.data), None)) is not None:
            return method(*parts)
        return parts[0] if len(parts) == 1 else parts or None

    def _token(self, token: Any) -> Any:
        text, kind = str(token), token.type
        if kind == "NUM":
            return self.signed.numbers[text]
        if kind == "LABEL":
            return named(self.signed.labels[text], "label")
        if kind == "WORD":
            return named(text, "word")
        if text in self.signed.names and kind != "FETCH":
            return named(self.signed.names[text], self.vocabulary.kind_of(self.signed.names[text]))
        return None

    def _said(self, *words: str) -> bool:
        """True if one of these words was said."""
        return not set(words).isdisjoint(self.signed.text.split())

    def fetch_robot(self) -> Name:
        return named(self.signed.names.get("fetch", "fetch"), "robot")

    def door_of(self, room: Name) -> Name:
        phrase = f"door of {self.vocabulary.phrase(room)}"
        return named(self.vocabulary.phrases.get(phrase, ("door", f"door of {room}"))[1], "door")

    # -- orders ---------------------------------------------------------------------------------------------------
    def deeds(self, *deeds: Any) -> tuple[Want, ...]:
        found = flat(deeds)
        if len(found) > 1 and any(isinstance(w, Meaning) for w in found):  # others are meant by a part of it
            return ()
        return joined(list(found))

    def order(self, wanted: Any) -> Meaning:
        wants = wanted if isinstance(wanted, tuple) else (wanted,)
        whole = [w for w in wants if isinstance(w, Meaning)]
        return whole[0] if len(whole) == 1 else m.Order(wants)

    def order_to(self, *parts: Any) -> Meaning | None:
        if any(isinstance(w, Meaning) for w in parts[-1]):  # "Spot, drop the gloves", which it may hold: that is asked
            return None
        return m.Order(parts[-1], every(self, parts))

    def order_urgent(self, order: m.Order) -> Meaning | None:
        last = len(order.wants) > 1 and self.signed.text.endswith(" first")  # the last of them, before the others
        return m.Order(order.wants, order.robots, order.when, True) if not last else None

    def bring_apart(self, things: Name, *parts: Want) -> tuple[Want, ...]:
        """ "Two medkits, one for alpha and one for beta": they have to be as many as were said."""
        if things.many is not None and things.so_many != sum(p.count for p in parts):
            return ()
        kind = m.KIT if things.kind == "kit" else m.STOCK
        return tuple(Want(kind, str(things), p.where, p.count) for p in parts)

    def bring_several(self, *parts: Any) -> tuple[Want, ...]:
        """Several things to several places; "another one" and "two" are what stands before it."""
        found: list[Want] = []
        for want in flat(parts):
            if want.what == SO_MANY and not found:
                return ()
            same = want.what in (SAME, SO_MANY) and found
            found.append(replace(found[-1], where=want.where, count=want.count) if same else want)
        return tuple(found)

    def bring_kit_each(self, *parts: Any) -> tuple[Want, ...] | None:
        """Two kits to two rooms may be two or four: that is asked about."""
        one, *rooms = sorted(names(parts), key=lambda n: n.kind != "kit")
        return tuple(kit(self, (one, room)) for room in rooms) if self._said("each") or one.so_many == 1 else None

    def rooms_need_kits(self, *parts: Name) -> tuple[Want, ...]:
        pairs = zip(parts, ("", *parts))
        return tuple(kit(self, (name, before)) for name, before in pairs if name.kind == "kit")

    def kit_somewhere(self, one: Name) -> Want | Meaning | None:
        if self._said("return"):  # whence and whereto is not said
            return None
        return self._dropped(one) if _DROP.search(self.signed.text) else kit(self, (one,))

    def _dropped(self, *things: Name) -> Meaning | None:
        """ "Drop the medkit", without a place, calls off an order; which of several, or how many, is asked."""
        return m.Steer("cancel", str(things[0])) if len(things) == 1 and things[0].many is None else None

    def fetch_things(self, things: Any) -> tuple[Want, ...] | Meaning | None:
        if self.signed.text in ("drop it", "drop that", "drop this"):
            return m.Steer("cancel")
        if _DROP.search(self.signed.text):
            return self._dropped(*things_of(things))
        return tuple(Want(m.STOCK, str(t), count=t.so_many) for t in things_of(things))

    def look_at(self, where: Name, things: Any = "") -> tuple[Want, ...]:
        return tuple(Want(m.LOOK, str(thing), str(where)) for thing in (things_of(things) if things else [""]))

    def check_claims(self, claims: tuple[Claim, ...]) -> Any:
        """To check whether a thing is on a table is to look; whether a door is open is known, or asked."""
        if all(c.kind == m.STOCK and c.what and c.where for c in claims):
            return tuple(Want(m.LOOK, c.what, c.where) for c in claims)
        return m.Ask("is it so", claims=claims)

    def tell(self, claims: tuple[Claim, ...]) -> Meaning | None:
        """A statement; None where it is about what was or should be so, not now: that is asked about."""
        return None if _NOT_NOW.search(self.signed.text) else m.Tell(claims)

    def thing_at_all(self, things: Any, *places: Name) -> tuple[Claim, ...]:
        """ "There are gloves on table C and table D." """
        return flat(stock(self, (things, place), where=1) for place in places)

    # -- questions ------------------------------------------------------------------------------------------------
    def how_long_there(self, *parts: Any) -> Meaning:
        found = [n for n in names(parts) if n.kind != "robot"]
        one = next(n for n in found if n.kind == "kit")
        return m.Ask("duration", what=str(one), where=str(found[-1])) if one.so_many == 1 else m.Ask(_TOGETHER)

    def ask_duration(self, *parts: Any) -> Meaning | None:
        asks = [p for p in parts if isinstance(p, m.Ask)] or [m.Ask("duration", what=str(next(names(parts), "")))]
        return asks[0] if asks[0].about != _TOGETHER else None

    def ask_why_closed(self, *parts: Any) -> Meaning:
        """A door that is closed may be shut; one that is closed to robots is off limits."""
        place: Name = parts[0]
        if place.kind == "door" and len(parts) == 1 and not self._said("limits"):
            return m.Ask("why so", claims=(Claim(m.DOOR, str(place), holds=False),))
        return m.Ask("why so", claims=closed(self, parts))

    def ask_why_not_thing(self, thing: Any, *rest: Any) -> Meaning | None:
        (what, *more), where = things_of(thing), next(names(rest[-1:]), None)
        return m.Ask("why not", what=str(what), where=str(where)) if where is not None and not more else None

    def ask_can(self, robot: Name, *rest: Any) -> Meaning:
        skill, what = rest[-1]
        if skill == "pack" and isinstance(what, Name) and what.so_many > 1:
            return m.Ask("can", robot=str(robot), wants=(Want(m.KIT, str(what), "", what.so_many),))
        return m.Ask("can", robot=str(robot), skill=skill, what=str(what))

    def ask_under_way(self, *parts: Any) -> Meaning | None:
        """A question whether a thing is being brought somewhere: who, what and where, as far as they are named."""
        found = list(names(parts))
        robot, where = (next((n for n in found if n.kind in k), "") for k in (("robot",), PLACES))
        what = [n for n in found if n not in (robot, where)]
        if len(what) > 1:  # which of them is asked
            return None
        return m.Ask("under way", what="".join(map(str, what)), where=str(where), robot=str(robot))

    # -- answers --------------------------------------------------------------------------------------------------
    def without(self, some: Any) -> Meaning | None:
        """Nothing but whom it is to be done without."""
        less = robots(self, (some,))
        return m.Correct(m.Order((), without=less)) if less else None

    def things(self, *things: Any) -> Any:
        return [t for part in things for t in things_of(part)]

    def said(self, value: Any = None) -> Any:
        if isinstance(value, list) and value and all(isinstance(v, Name) for v in value):
            return m.Things(tuple((str(v), v.so_many) for v in value))
        return value

    def unknown_words(self, *parts: Any) -> Meaning:
        """Words that nobody knows, with how many there are of that if a number stands before them."""
        words = " ".join(str(p) for p in parts if not isinstance(p, int))
        return m.Things(tuple((words, p) for p in parts if isinstance(p, int)), (words,))

    def wrong_one(self, *parts: Any) -> Name | None:
        """A name that was said before, and is not meant."""
        name = next(names(parts), None)
        return named(name, "wrong") if name is not None and name.kind != "robot" else None

    def correct(self, *parts: Any) -> Meaning:
        wrong = next((str(p) for p in parts if getattr(p, "kind", "") == "wrong"), "")
        value = self.said(next((p for p in parts if getattr(p, "kind", "") != "wrong"), None))
        return m.Correct(value, wrong) if isinstance(value, Meaning) else m.Refuse()

    # -- steering -------------------------------------------------------------------------------------------------
    def cancel(self, *parts: Any) -> Meaning:
        meant = steer(self, parts, "cancel")
        whole = self._said("everything", "all") and not (meant.what or meant.where)
        return replace(meant, level="all") if whole else meant

    def cancel_going(self, *parts: Any) -> Meaning | None:
        """ "The banana should not go into the tray": what is on its way there is called off."""
        meant = steered(self, parts)
        return m.Steer("cancel", meant.what, where=meant.where) if meant.what else None

    def cancel_deeds(self, *parts: Any) -> Meaning | None:
        """Not to do something takes back an order to do it; not to go somewhere closes the way."""
        who, deeds = every(self, parts) if len(parts) > 1 else (), parts[-1]
        if len(deeds) != 1 or not isinstance(deeds[0], Want):  # which of them is not to be done is asked
            return None
        if deeds[0].kind == m.AT:
            return m.Zone(deeds[0].where, tuple(r for r in who if r != ALL))
        if who:  # whether others are to do it is asked
            return None
        return m.Steer("cancel", deeds[0].what, where=deeds[0].where if deeds[0].kind == m.KIT else "")

    # -- lessons --------------------------------------------------------------------------------------------------
    def policy(self, *parts: Any) -> Meaning:
        """A policy from its reaction and its trigger, in either order."""
        reaction = next(p for p in parts if isinstance(p, m.Policy))
        return replace(reaction, trigger=flat(p for p in parts if p is not reaction))

    # -- zones ----------------------------------------------------------------------------------------------------
    def zoned(self, *parts: Any) -> Meaning:
        """A place that is closed, for some minutes where that is said."""
        zone = next(p for p in parts if isinstance(p, m.Zone))
        return replace(zone, minutes=next((p for p in parts if isinstance(p, int)), 0))


def joined(wants: list[Any]) -> tuple[Any, ...]:
    """Wants of one order, in which what points at the one before is part of it."""
    for i in range(len(wants) - 1, 0, -1):  # "make a medkit and bring it to beta" is one kit at beta
        first, second = wants[i - 1], wants[i]
        both = isinstance(first, Want) and isinstance(second, Want)
        put = both and second.kind == m.STOCK and second.what == IT and second.where
        same = both and second.what == IT and not second.where
        if put and first.kind in (m.KIT, m.STOCK) and not first.where:
            wants[i - 1 : i + 1] = [replace(first, where=second.where)]
        elif put and first.kind == m.HOLD:  # "take two gloves from table C and put them on table D"
            wants[i - 1 : i + 1] = [Want(m.STOCK, first.what, second.where, first.count, source=first.where)]
        elif both and first.kind == m.AT and second.kind in (m.HOLD, m.LOOK) and second.what != IT and not second.where:
            wants[i - 1 : i + 1] = [replace(second, where=first.where)]  # "go to table C and pick up the gloves"
        elif same and second.kind == m.HOLD and (first.kind == m.HOLD or (first.kind == m.STOCK and not first.where)):
            # "take it off table C and hold it"
            wants[i - 1 : i + 1] = [Want(m.HOLD, first.what, first.where or first.source, first.count)]
        elif same and first.kind == second.kind == m.STOCK and first.where and second.source and not first.source:
            # "three gloves on table F, get them from the nurse"
            wants[i - 1 : i + 1] = [replace(first, source=second.source)]
    return tuple(wants)
