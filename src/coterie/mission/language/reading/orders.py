"""What people want done."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from coterie.mission.language.reading.fixed import ALL, IT, SAME, Name
from coterie.mission.language.reading.names import Names
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want

_SO_MANY = "@so many"  # of what stands before it in the sentence
_DROP = re.compile(r"^(?:please )?drop\b")


def joined(wants: list[Any]) -> tuple[Any, ...]:
    """Wants of one order, in which what points at the one before is part of it."""
    for i in range(len(wants) - 1, 0, -1):  # "make a medkit and bring it to beta" is one kit at beta
        first, second = wants[i - 1], wants[i]
        both = isinstance(first, Want) and isinstance(second, Want)
        put = both and second.kind == m.STOCK and second.what == IT and second.where
        if put and first.kind in (m.KIT, m.STOCK) and not first.where:
            wants[i - 1 : i + 1] = [replace(first, where=second.where)]
        elif put and first.kind == m.HOLD:  # "take two gloves from table C and put them on table D"
            wants[i - 1 : i + 1] = [Want(m.STOCK, first.what, second.where, first.count, source=first.where)]
        elif both and first.kind == m.AT and second.kind in (m.HOLD, m.LOOK) and second.what != IT and not second.where:
            wants[i - 1 : i + 1] = [replace(second, where=first.where)]  # "go to table C and pick up the gloves"
        elif both and _held(first, second):  # "take it off table C and hold it"
            wants[i - 1 : i + 1] = [Want(m.HOLD, first.what, first.where or first.source, first.count)]
        elif both and _from_there(first, second):  # "three gloves on table F, get them from the nurse"
            wants[i - 1 : i + 1] = [replace(first, source=second.source)]
    return tuple(wants)


def _from_there(first: Want, second: Want) -> bool:
    return (
        first.kind == second.kind == m.STOCK
        and bool(first.where and second.source)
        and second.what == IT
        and not first.source
        and not second.where
    )


def _held(first: Want, second: Want) -> bool:
    return (
        second.kind == m.HOLD
        and second.what == IT
        and not second.where
        and (first.kind == m.HOLD or (first.kind == m.STOCK and not first.where))
    )


class Orders(Names):
    """What people want done."""

    def deeds(self, *deeds: Any) -> tuple[Want, ...]:
        wants = [w for d in deeds for w in (d if isinstance(d, tuple) else (d,))]
        if len(wants) > 1 and any(isinstance(w, Meaning) for w in wants):  # others are meant by a part of it
            return ()
        return joined(wants)

    def order(self, wants: Any) -> Meaning:
        whole = [w for w in wants if isinstance(w, Meaning)] if isinstance(wants, tuple) else [wants]
        if len(whole) == 1 and isinstance(whole[0], Meaning):
            return whole[0]
        return m.Order(wants if isinstance(wants, tuple) else (wants,))

    def order_to(self, *parts: Any) -> Meaning | None:
        robots, wants = parts[0], parts[-1]
        if any(isinstance(w, Meaning) for w in wants):  # "Spot, drop the gloves", which it may hold: that is asked
            return None
        return m.Order(wants, self._robots(robots))

    def order_with(self, wants: tuple[Want, ...], robots: Any) -> Meaning:
        return m.Order(wants, self._robots(robots))

    def order_without(self, wants: tuple[Want, ...], robots: Any) -> Meaning:
        return m.Order(wants, without=tuple(r for r in self._robots(robots) if r != ALL))

    def _robots(self, robots: Any) -> tuple[str, ...]:
        many = robots if isinstance(robots, tuple) else (robots,)
        return tuple(str(r) for r in many if r)

    def again_at(self, *parts: Any) -> Meaning:
        return m.Order((Want(m.STOCK, SAME, str(parts[-1])),))

    def again_to(self, *parts: Any) -> Want:
        return Want(m.STOCK, SAME, str(parts[-1]))

    def again_many(self, count: int, where: Name) -> Want:
        return Want(m.STOCK, _SO_MANY, str(where), count)

    def bring_apart(self, things: Name, *parts: Want) -> tuple[Want, ...]:
        """ "Two medkits, one for alpha and one for beta": they have to be as many as were said."""
        if things.many is not None and things.so_many != sum(p.count for p in parts):
            return ()
        kind = m.KIT if things.kind == "kit" else m.STOCK
        return tuple(Want(kind, str(things), p.where, p.count) for p in parts)

    def rooms(self, *rooms: Name) -> tuple[Name, ...]:
        return rooms

    def bring_several(self, *wants: Any) -> tuple[Want, ...]:
        """Several things to several places; "another one" and "two" are what stands before it."""
        found: list[Want] = []
        for want in (w for part in wants for w in (part if isinstance(part, tuple) else (part,))):
            if want.what == _SO_MANY and not found:
                return ()
            same = want.what in (SAME, _SO_MANY) and found
            found.append(replace(found[-1], where=want.where, count=want.count) if same else want)
        return tuple(found)

    def bring_kit_each(self, kit: Name, rooms: tuple[Name, ...]) -> tuple[Want, ...] | None:
        """Two kits to two rooms may be two or four: that is asked about."""
        each = "each" in self.signed.text.split() or kit.so_many == 1
        return tuple(self._kit(kit, room) for room in rooms) if each else None

    def bring_rooms_kit(self, rooms: tuple[Name, ...], kit: Name) -> tuple[Want, ...] | None:
        return self.bring_kit_each(kit, rooms)

    def rooms_need_kits(self, *parts: Name) -> tuple[Want, ...]:
        found, where = [], ""
        for name in parts:
            where = str(name) if name.kind != "kit" else where
            found += [self._kit(name, where)] if name.kind == "kit" else []
        return tuple(found)

    def order_when(self, claims: tuple[Claim, ...], order: Any) -> Meaning:
        return m.Order(order.wants, order.robots, claims, order.urgent)

    def order_to_when(self, *parts: Any) -> Meaning:
        return m.Order(parts[-2], self._robots(parts[0]), parts[-1])

    def order_after(self, wants: tuple[Want, ...], claims: tuple[Claim, ...]) -> Meaning:
        return m.Order(wants, (), claims)

    def order_urgent(self, order: m.Order) -> Meaning | None:
        if len(order.wants) > 1 and self.signed.text.endswith(" first"):  # the last of them, before the others
            return None
        return m.Order(order.wants, order.robots, order.when, True)

    def order_instead(self, wants: tuple[Want, ...]) -> Meaning:
        return m.Order(wants)

    def _kit(self, kit: Name, where: str = "") -> Want:
        return Want(m.KIT, str(kit), str(where), kit.so_many)

    def bring_kit(self, *names: Name) -> Want:
        """A kit, and a place or a person that it goes to, in either order."""
        kit = next(n for n in names if n.kind == "kit")
        return self._kit(kit, next((n for n in names if n is not kit), ""))

    def kit_somewhere(self, kit: Name) -> Want | Meaning | None:
        if "return" in self.signed.text.split():  # whence and whereto is not said
            return None
        return self._dropped(kit) if _DROP.search(self.signed.text) else self._kit(kit)

    def _dropped(self, *things: Name) -> Meaning | None:
        """ "Drop the medkit", without a place, calls off an order; which of several, or how many, is asked."""
        return m.Steer("cancel", str(things[0])) if len(things) == 1 and things[0].many is None else None

    def _stock(self, things: Any, where: str = "", source: str = "") -> tuple[Want, ...]:
        return tuple(Want(m.STOCK, str(t), str(where), t.so_many, source=str(source)) for t in self._things(things))

    def bring_things(self, things: Any, where: Name | str = "") -> tuple[Want, ...]:
        return self._stock(things, where)

    def bring_things_from(self, things: Any, source: Name, where: Name) -> tuple[Want, ...]:
        return self._stock(things, where, source)

    def bring_things_back(self, things: Any, where: Name, source: Name) -> tuple[Want, ...]:
        return self._stock(things, where, source)

    def fetch_things_from(self, things: Any, source: Name) -> tuple[Want, ...]:
        return self._stock(things, "", source)

    def bring_to_place(self, where: Name, things: Any) -> tuple[Want, ...]:
        return self._stock(things, where)

    def fetch_things(self, things: Any) -> tuple[Want, ...] | Meaning | None:
        if self.signed.text in ("drop it", "drop that", "drop this"):
            return m.Steer("cancel")
        if _DROP.search(self.signed.text):
            return self._dropped(*self._things(things))
        return self._stock(things)

    def open_door(self, door: Name) -> Want:
        return Want(m.DOOR, str(door))

    want_door = open_door

    def open_doors(self, *doors: Name) -> tuple[Want, ...]:
        return tuple(self.open_door(d) for d in doors)

    def shut_door(self, door: Name) -> Want:
        return Want(m.DOOR, str(door), holds=False)

    def send_robots(self, robots: Any, where: Name) -> Meaning:
        return m.Order((Want(m.AT, "", str(where)),), self._robots(robots))

    def take_things(self, things: Any, where: Name | None = None) -> tuple[Want, ...]:
        return tuple(Want(m.HOLD, str(t), str(where or ""), t.so_many) for t in self._things(things))

    def look_for(self, things: Any, where: Name | None = None) -> tuple[Want, ...]:
        return tuple(Want(m.LOOK, str(t), str(where or "")) for t in self._things(things))

    def look_at(self, where: Name, things: Any = None) -> tuple[Want, ...]:
        if things is None:
            return (Want(m.LOOK, "", str(where)),)
        return self.look_for(things, where)

    def do_tasked(self, *parts: Any) -> tuple[Want, ...]:
        """ "Spot, patrol." """
        return (Want(m.TASK, str(parts[-1])),)

    def check_claims(self, claims: tuple[Claim, ...]) -> Any:
        """To check whether a thing is on a table is to look; whether a door is open is known, or asked."""
        if all(c.kind == m.STOCK and c.what and c.where for c in claims):
            return tuple(Want(m.LOOK, c.what, c.where) for c in claims)
        return m.Ask("is it so", claims=claims)

    def want_robot(self, robot: Name, wants: tuple[Want, ...]) -> Meaning:
        return m.Order(wants, (str(robot),) if robot else ())
