"""The language of people in the hospital, as wishes, conditions, facts and limits, for talk with a mission.

Everything comes in plain words and names, as `coterie.talk.meanings` has them: a kind (kit, stock, door,
at, hold, look, jammed, empty, supply, able, present), what, where, how many, and whether it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import Expr, Lookup, all_of, any_of, eq, fl, ge
from coterie.core.facts import UNKNOWN
from coterie.core.files import tables
from coterie.worlds.hospital.goals import AT, DOOR, GIVE, HOLD, KIT, LOOK, STOCK, TIDY, Wish
from coterie.worlds.hospital.scene import LABELS, Key, Kit, kits_of, label

_WORDS = tables(__package__, "words.toml")
ABILITIES: Mapping[str, Sequence[str]] = _WORDS["abilities"]
PUT, BROUGHT = "put", "brought"  # a thing somewhere: it is wanted there; somebody has put it there


class HospitalSpeech:
    """For one map, and what was taught since."""

    def __init__(self, domain: Any):
        """`domain` is that of the hospital, which has this as its `speech`."""
        self.domain = domain
        self.kits: dict[str, Kit] = kits_of(domain.chart)

    # -- names ----------------------------------------------------------------------------------------------------
    def names(self) -> dict[str, str]:
        """Every name that people use, with its kind."""
        return {n: kind for n, kind in self.domain.objects().items() if kind != "pose"}

    def labels(self) -> Mapping[str, str]:
        return LABELS

    def containers(self) -> Sequence[str]:
        return self.domain.names.of("caddy")

    def kit_names(self) -> dict[str, tuple[str, Mapping[str, int]]]:
        return {k.name: (k.container, k.contents) for k in self.kits.values()}

    def put_kit(self, name: str, container: str, contents: Mapping[str, int]) -> None:
        self.kits[name] = Kit(name, container, dict(contents))

    def drop_kit(self, name: str) -> None:
        self.kits.pop(name, None)

    def new_item(self, name: str) -> str:
        """A kind of thing that nobody knew, from its name in words."""
        word = "".join(c for c in name.lower() if c.isalnum()) or "thing"
        self.domain.names.kinds.setdefault(word, "item")
        return word

    # -- what is wanted -------------------------------------------------------------------------------------------
    def wish(self, kind: str, what: str, where: str, count: int, holds: bool, robot: str = "") -> Wish:
        """The wish of an order; an error with a sentence where it makes no sense here."""
        kinds, search = self.domain.objects(), self.domain.search
        kind = STOCK if kind == PUT else kind
        if kind == GIVE or (kind == STOCK and kinds.get(where) == "person" and search.gives):
            return Wish(GIVE, what, where, count=count)
        if kind == TIDY:
            if where not in search.rooms:
                raise CoterieError(f"Which room? There are: {', '.join(label(n) for n in search.rooms)}.")
            return Wish(TIDY, "", where)
        if kind == KIT:
            kit = self.kits.get(what)
            if kit is None:
                raise CoterieError(f"I know no kit called {what}.")
            if strange := [label(i) for i in kit.contents if i not in kinds]:
                raise CoterieError(f"A {label(what)} contains what is not here: {', '.join(strange)}. Teach it anew.")
            if where and kinds.get(where) != "room":
                rooms = ", ".join(label(n) for n, k in kinds.items() if k == "room")
                raise CoterieError(f"Kits are brought to rooms: {rooms}.")
            return Wish(KIT, what, where, tuple(kit.contents.items()))
        if kind == DOOR:
            if not holds:
                raise CoterieError(f"Nobody here can shut doors: no skill makes it so that the {label(what)} is shut.")
            return Wish(DOOR, what)
        if kind == STOCK and where and kinds.get(where) != "table" and not (search.looks and where in search.rooms):
            tables = ", ".join(label(n) for n, k in kinds.items() if k == "table")
            raise CoterieError(f"Things are put on tables: {tables}. Kits are brought to rooms.")
        if kind == STOCK:
            return Wish(STOCK, what, where, count=count)
        if kind in (AT, HOLD):
            return Wish(kind, robot if kind == AT else what, where if kind == AT else robot)
        return Wish(LOOK, what, where)

    def doer(self, wish: Wish) -> tuple[str, dict[str, str]]:
        """The skill by which a wish comes true, and what it is about: who is told to do it does that step."""
        if wish.kind == KIT and wish.where:
            return "deliverkit", {"room": wish.where}
        about = {
            STOCK: {"thing": wish.what, **({} if wish.where in self.domain.search.rooms else {"table": wish.where})},
            DOOR: {"door": wish.what},
            LOOK: {"thing": wish.what},
            GIVE: {"thing": wish.what, "person": wish.where},
        }
        return _WORDS["does"].get(wish.kind, ""), about.get(wish.kind, {})

    def elsewhere(self, wish: Wish, source: str, look: Lookup) -> list[tuple[str, dict[str, str]]]:
        """Steps that would take a thing from anywhere but where it is to come from."""
        kinds, thing = self.domain.objects(), wish.what
        if kinds.get(source) in ("table", "person"):
            tables = [
                t for t, n in self.where(thing, look) if kinds.get(t) == "table" and t not in (source, wish.where)
            ]
            people = [p for p, k in kinds.items() if k == "person" and p != source]
            found = [("pickup", {"thing": thing, "table": t}) for t in tables]
            return found + [("receiveitem", {"thing": thing, "person": p}) for p in people]
        return []

    # -- what is so -----------------------------------------------------------------------------------------------
    def condition(self, kind: str, what: str, where: str, count: int | None, holds: bool) -> list[Expr]:
        """A claim as conditions; none where there is nothing to look up."""
        if kind == "stock":
            places = [where] if where else self.domain.names.of("table", "room")
            if holds:
                return [any_of(*(ge(fl("stock", what, p), count or 1) for p in places))] if len(places) > 1 else [
                    ge(fl("stock", what, where), count or 1)
                ]  # fmt: skip
            return [eq(fl("stock", what, p), 0) for p in places]
        if kind == "empty":
            empty: list[Expr] = [eq(fl("stock", t, where), 0) for t in self.domain.names.of("item", "caddy")]
            return empty if holds else [any_of(*(ge(fl("stock", t, where), 1) for t in self.domain.names.of("item")))]
        if kind in ("door", "jammed"):
            return [eq(fl("open" if kind == "door" else "jammed", what), holds)]
        if kind == "supply":
            return [eq(fl("supplies", where, what), holds)]
        if kind == "present":
            return [eq(fl("answers", what), holds)]
        if kind == "able" and not where:
            return [eq(fl("online", what), holds)]
        if kind == "at":
            poses = [eq(fl("at", what), p) for p in self.poses(where)]
            return [any_of(*poses)] if poses else []
        if kind == "kit":
            kit = self.kits.get(what)
            items = dict(kit.contents) if kit is not None else {}
            packed = [all_of(*(eq(fl("amount", c, i), n) for i, n in items.items())) for c in self.containers()]
            return [any_of(*packed)] if packed and items else []
        return []

    def poses(self, place: str) -> list[str]:
        """Where one stands to be at a place."""
        chart = self.domain.chart
        at = [k[1] for k, v in chart.items() if k[0] == "overlooks" and k[2] == place and v]
        at = at or [k[1] for k in chart if k[0] == "near" and k[2] == place]
        return at or [k[1] for k, room in chart.items() if k[0] == "room_of" and room == place]

    def facts(
        self, kind: str, what: str, where: str, count: int | None, holds: bool, look: Lookup
    ) -> list[tuple[Key, object]]:
        """The facts that a claim states; none where robots know it better, or it is a limit (see `limits`)."""
        if kind == "stock":
            if not holds:
                places = [where] if where else [p for p, _ in self.where(what, look)]
                return [(("stock", what, p), 0) for p in places]
            known = look("stock", what, where)
            least = known if isinstance(known, int) and known > 0 else 1
            return [(("stock", what, where), count if count is not None else least)] if where else []
        if kind == BROUGHT:
            self.wish(STOCK, what, where, 1, True)  # complains where nothing can be put there
            return [(("stock", what, where), self.amount(what, where, look) + (count or 1))]
        if kind == "empty" and holds:
            return [(("stock", t, where), 0) for t in self.domain.names.of("item", "caddy")]
        if kind == "door":
            return [(("open", what), holds)]
        if kind == "jammed":
            return [(("jammed", what), holds), *([(("open", what), False)] if holds else [])]
        if kind == "present":
            return [(("answers", what), holds)]
        return []

    def limits(self, kind: str, what: str, where: str, holds: bool) -> list[tuple[str, dict[str, str]]] | None:
        """Steps that a claim says nobody can do, by skill and arguments; None where it is no such claim."""
        if kind == "able" and not where:
            return [(s, {"robot": what}) for s, _ in self.domain.skills.items()]
        if kind == "able":
            return [(s, {"robot": what}) for s in ABILITIES.get(where, ())]
        if kind == "supply":
            return [("receiveitem", {"thing": what, "person": where})]
        return None

    def ways(self, place: str) -> list[tuple[str, dict[str, str]]]:
        """Steps that lead to a place, or through a door."""
        if self.domain.objects().get(place) == "door":
            return [("passdoor", {"door": place}), ("opendoor", {"door": place})]
        return [(skill, {"to": pose}) for pose in self.poses(place) for skill in ("goto", "passdoor")]

    # -- looking up -----------------------------------------------------------------------------------------------
    def abilities(self, word: str) -> tuple[str, ...]:
        return tuple(ABILITIES.get(word, ()))

    def where(self, name: str, look: Lookup) -> list[tuple[str, int]]:
        """Places at which something is, and how many of it; for a robot or what it holds, the pose or the robot."""
        if self.domain.objects().get(name) in ("item", "caddy"):
            found = [(p, look("stock", name, p)) for p in self.domain.names.of("table", "room")]
            found += [(p, look("has", p, name)) for p in self.domain.names.of("person") if self.domain.search.gives]
            return [(p, n) for p, n in found if isinstance(n, int) and n > 0]
        pose = look("at", name)
        if pose is not UNKNOWN and pose is not None:
            return [(str(pose), 1)]
        near = [k[1] for k in self.domain.chart if k[0] == "near" and k[2] == name]
        return [(str(self.domain.chart.get(("room_of", p), p)), 1) for p in near[:1]]

    def amount(self, thing: str, place: str, look: Lookup) -> int:
        """How many of a thing are on a table, with a person, or on the table of a room that has the most."""
        among = (place, *self.domain.search.rooms.get(place, ()))
        return max((n for where, n in self.where(thing, look) if where in among), default=0)

    def contents(self, name: str, look: Lookup) -> list[tuple[str, int]] | None:
        """Contents of a kit, a caddy or a place; None where they are not known."""
        if name in self.kits:
            return list(self.kits[name].contents.items())
        kinds = self.domain.objects()
        pred = "amount" if kinds.get(name) == "caddy" else "stock"
        things = self.domain.names.of("item") if pred == "amount" else self.domain.names.of("item", "caddy")
        keys = [((pred, name, t) if pred == "amount" else (pred, t, name), t) for t in things]
        counts = [(t, look(*key)) for key, t in keys]
        if all(n is UNKNOWN for _, n in counts):
            return None
        return [(t, n) for t, n in counts if isinstance(n, int) and n > 0]

    def wants(self) -> Sequence[str]:
        """Kinds of what robots here bring about besides the usual ones."""
        search = self.domain.search
        return (*((PUT, TIDY, LOOK) if search.looks else ()), *((GIVE,) if search.gives else ()))

    def home(self, person: str) -> str:
        """The room of a person, as far as the map says; where robots hand things over, the person."""
        if self.domain.search.gives:
            return person
        near = [k[1] for k in self.domain.chart if k[0] == "near" and k[2] == person]
        return str(self.domain.chart.get(("room_of", near[0]), "")) if near else ""

    def views(self, person: str, robots: Sequence[str], look: Lookup) -> list[tuple[str, str]]:
        """Robots with the tables that they see from where they stand. Who is in the team sees for themselves; else
        those in the room of the person come alone if there are any."""
        chart = self.domain.chart
        stands = {robot: look("at", robot) for robot in robots}
        tables = [k[1:] for k, seen in chart.items() if k[0] == "overlooks" and seen]
        found = [(robot, table) for robot, at in stands.items() for pose, table in tables if pose == at]
        rooms = {chart.get(("room_of", k[1])) for k in chart if k[0] == "near" and k[2] == person}
        near = [row for row in found if chart.get(("room_of", str(stands[row[0]]))) in rooms]
        return [row for row in found if row[0] == person] or near or found

    def shown(self, name: str, place: str, count: int) -> dict[str, Any]:
        """The change of the world when a person shows a new kind of thing and says where there are some."""
        return {"change": ["show", {"thing": name, "place": place, "count": count}]}

    def put(self, name: str, place: str, count: int) -> list[Any] | None:
        """The change of the world when a person puts things onto a table; below 0, takes so many away again."""
        if count < 0 and name in self.containers():
            raise CoterieError(f"The {self.domain.label(name)} stays where it was put; say where it is now.")
        asked = self.domain.request("objectAt", (name, place), True, count)
        return None if asked is None else list(asked[1]["change"])

    def answered(self, person: str, says: str) -> list[Any]:
        """The change of the world when a person answers a robot that asks for an item."""
        return ["person", {"person": person, "says": says}]

    def holders(self, thing: str, able: Mapping[str, Sequence[str]], look: Lookup) -> list[str]:
        """Robots that could take a thing; `able` are their skills."""
        return [r for r, skills in able.items() if "pickup" in skills and look("carries", r, thing) is True]

    def people_of(self, thing: str) -> list[str]:
        """People who supply a thing."""
        return [k[1] for k in self.domain.chart if k[0] == "supplies" and k[2] == thing]

    def again(self, wish: Wish) -> Wish:
        """A wish as it would be given now: the kit may have been changed."""
        kit = self.kits.get(wish.what) if wish.kind == KIT else None
        return wish if kit is None else replace(wish, contents=tuple(kit.contents.items()))

    def trigger(self, kind: str, holds: bool) -> tuple[str, ...]:
        """The predicates that failures of this kind turn on."""
        found = {
            ("stock", False): ("objectAt", "stock", "perceived"),
            ("empty", True): ("objectAt", "stock", "perceived"),
            ("jammed", True): ("jammed",),
            ("door", False): ("open",),
            ("hold", False): ("graspable", "holding", "luck"),
            ("present", False): ("answers",),
            ("able", False): ("online",),
        }
        return found.get((kind, holds), ())
