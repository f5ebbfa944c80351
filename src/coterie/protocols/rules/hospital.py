"""Rule minds for hospitals: each robot knows its trade and does what comes next in it, from its own belief.

Who packs takes item after item to the caddy and hands it over; who carries waits for it and takes it to the room; who
helps opens doors on the way and brings from people what is nowhere on the tables. They tell each other what they see.
Nothing is planned, nobody asks for approval, and what fails three times is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from coterie.core.action import WAIT, Action
from coterie.core.facts import UNKNOWN
from coterie.core.protocol import RobotView

WORLD = "hospital"
TRIES = 3
SHARED = frozenset({"body", "at", "holding", "stock", "amount", "open", "jammed", "answers", "delivered"})


@dataclass
class Notes:
    """A robot's memory besides its belief."""

    said: int = 0  # of its belief
    failed: dict[str, int] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)  # caddies that it handed over


class Ward:
    """One robot's reading of the place."""

    def __init__(self, me: RobotView, notes: Notes):
        self.me, self.notes, self.map = me, notes, me.belief.base
        self.at = str(me.look("at", me.name))
        self.room = self._room(self.at)
        self.holds = me.look("holding", me.name)

    def known(self, pred: str, *args: Any) -> Any:
        """The believed value; of what I have not seen, the expected one."""
        value = self.me.look(pred, *args)
        return self.map.get(("expected", pred, *args)) if value is UNKNOWN else value

    def names(self, kind: str) -> list[str]:
        return [key[1] for key, value in self.map.items() if key[0] == "kind" and value == kind]

    def _room(self, pose: str) -> str:
        return str(self.map.get(("room_of", pose)))

    def stock(self, thing: str) -> dict[str, int]:
        """Tables on which a thing is, as far as I know."""
        found = {table: self.known("stock", thing, table) for table in self.names("table")}
        return {table: n for table, n in found.items() if isinstance(n, int) and n > 0}

    def poses(self, pred: str, *args: str) -> list[str]:
        """Where I may stand and this is so, and nobody else stands."""
        return [p for p in self.names("pose") if self.map.get((pred, p, *args)) is True and self.open_to_me(p)]

    def open_to_me(self, pose: str) -> bool:
        mine = self.me.look("may", self.me.name, pose) is True
        return mine and (pose == self.at or self.me.look("free", pose) is not False)

    # -- ways -----------------------------------------------------------------------------------------------------
    def doors(self) -> Mapping[str, frozenset[str]]:
        """The rooms on both sides of each door."""
        found: dict[str, set[str]] = {}
        for key in self.map:
            if key[0] == "beside":
                found.setdefault(key[2], set()).add(self._room(key[1]))
        return {door: frozenset(rooms) for door, rooms in found.items()}

    def way(self, start: str, goal: str) -> list[tuple[str, str]] | None:
        """Doors and the rooms behind them; shut ones only where there is no other way, jammed ones never."""
        for shut_too in (False, True):
            ways: dict[str, list[tuple[str, str]]] = {start: []}
            rooms_left = [start]
            for room in rooms_left:  # which grows on the way
                for door, rooms in self.doors().items():
                    passable = self.known("jammed", door) is not True and (shut_too or self.known("open", door))
                    for new in rooms - {room} - {*ways} if room in rooms and passable else ():
                        ways[new] = [*ways[room], (door, new)]
                        rooms_left.append(new)
            if goal in ways:
                return ways[goal]
        return None

    def go(self, targets: Iterable[str]) -> Action | None:
        """The next step towards the first of some poses that can be reached; None where I stand at one."""
        targets = list(targets)
        if self.at in targets:
            return None
        for target in targets:
            way = self.way(self.room, self._room(target))
            if way is None:
                continue
            if not way:
                return Action("goto", (self.at, target))
            door, room = way[0]
            if self.known("open", door) is False:
                return self.open(door)
            last = len(way) == 1
            landings = [target] if last else [p for p in self.names("pose") if self._room(p) == room]
            free = [p for p in landings if self.open_to_me(p)]
            if free:
                return Action("passdoor", (self.at, door, free[0]))
        return Action(WAIT, (), "there is no way")

    def open(self, door: str) -> Action:
        if "opendoor" not in self.me.card.skills:
            return Action(WAIT, (), f"{door} is shut")
        near = [p for p in self.poses("reaches", door) if self._room(p) == self.room]
        return self.go(near or self.poses("reaches", door)) or Action("opendoor", (door, self.at))

    # -- trades ---------------------------------------------------------------------------------------------------
    def next_action(self) -> Action:
        goal = self.me.belief.value("goal")
        kits = [w for w in getattr(goal, "wishes", ()) if w.kind == "kit"]
        alike = [n for n in (self.me.name, *self.me.heartbeat) if self.known("body", n) == self.me.card.body]
        if min(alike, default=self.me.name) != self.me.name:
            return self.aside()
        if len(self.notes.given) >= len(kits):
            return Action(WAIT, (), "nothing to do")
        wish = kits[len(self.notes.given)]
        skills = self.me.card.skills
        if "putin" in skills:
            return self.pack(wish)
        return self.carry(wish) if "deliverkit" in skills else self.help(wish)

    def aside(self) -> Action:
        """Out of the way of the one that does the work: where nobody has to stand."""
        free = [p for p in self.names("pose") if self._room(p) == self.room and self.open_to_me(p) and self.spare(p)]
        return self.go(free) or Action(WAIT, (), "another one does it") if free else Action(WAIT, (), "is in the way")

    def spare(self, pose: str) -> bool:
        tables = [key[2] for key in self.map if key[:2] == ("overlooks", pose)]
        ways = {t: sum(key[0] == "overlooks" and key[2] == t for key in self.map) for t in tables}
        needed = any(key[0] in ("meets", "reaches", "near") and key[1] == pose for key in self.map)
        return not needed and all(n > 1 for n in ways.values())

    def caddy(self) -> str:
        """The one that the kit goes into: begun before those that are not, and known to be somewhere."""
        there = [c for c in self.names("caddy") if c not in self.notes.given and (c == self.holds or self.stock(c))]
        packed = {c: sum(self.known("amount", c, i) or 0 for i in self.names("item")) for c in there}
        return max(there, key=lambda c: (c == self.holds, packed[c]), default="")

    def missing(self, wish: Any, caddy: str) -> dict[str, int]:
        short = {item: n - (self.known("amount", caddy, item) or 0) for item, n in wish.contents}
        return {item: n for item, n in short.items() if n > 0}

    def at_table(self, table: str, thing: str, then: str, *args: str) -> Action:
        """Do something with a thing at a table, once I stand there and have perceived it."""
        step = self.go(self.poses("overlooks", table))
        if step is not None:
            return step
        if self.me.look("perceived", thing, table) is not True:
            return Action("perceiveobject", (thing, table, self.at))
        return Action(then, (*args, table, self.at))

    def pack(self, wish: Any) -> Action:
        caddy = self.caddy()
        if not caddy:
            return Action(WAIT, (), "there is no caddy")
        if self.holds == caddy:
            return self.hand_over(caddy)
        if self.holds is not None:
            return self.at_table(next(iter(self.stock(caddy)), ""), caddy, "putin", str(self.holds), caddy)
        missing = self.missing(wish, caddy)
        for item in missing:
            for table in self.stock(item):
                step = self.at_table(table, item, "pickup", item)
                if not self.hopeless(step):
                    return step
        if missing:
            return Action(WAIT, (), f"there is no {' and no '.join(missing)}")
        return self.at_table(next(iter(self.stock(caddy))), caddy, "pickup", caddy)

    def hand_over(self, caddy: str) -> Action:
        pairs = [key[1:] for key in self.map if key[0] == "meets"]
        step = self.go(p for p, _ in pairs if self.open_to_me(p))
        if step is not None:
            return step
        for other in self.me.heartbeat:
            theirs = self.known("at", other)
            if (self.at, theirs) in pairs and self.me.look("carries", other, caddy) is True:
                return Action("handover", (caddy, other, self.at, theirs))
        return Action(WAIT, (), "nobody takes it")

    def carry(self, wish: Any) -> Action:
        if self.holds is None:
            step = self.go(key[1] for key in self.map if key[0] == "meets" and self.open_to_me(key[1]))
            return step or Action(WAIT, (), "waits for a kit")
        inside = [p for p in self.names("pose") if self._room(p) == wish.where and self.open_to_me(p)]
        return self.go(inside) or Action("deliverkit", (str(self.holds), wish.where, self.at))

    def help(self, wish: Any) -> Action:
        if self.holds is not None:
            thing = str(self.holds)
            for table in self.names("table"):
                if poses := self.poses("overlooks", table):
                    return self.go(poses) or Action("putdown", (thing, table, self.at))
        for item, n in wish.contents:
            packed = max((self.known("amount", c, item) or 0 for c in self.names("caddy")), default=0)
            held = sum(self.known("holding", o) == item for o in self.me.heartbeat)
            if packed + held + sum(self.stock(item).values()) < n:
                for step in self.fetch(item):
                    if not self.hopeless(step):
                        return step
        tables = (pose for table in self.names("table") for pose in self.poses("overlooks", table))
        way = self.way(self._room(next(tables, self.at)), wish.where)
        for door, _ in way or ():
            if self.known("open", door) is False and not self.hopeless(step := self.open(door)):
                return step
        return Action(WAIT, (), "nothing to do")

    def fetch(self, item: str) -> Iterator[Action]:
        for person in self.names("person"):
            if self.map.get(("supplies", person, item)) is True and self.known("answers", person) is not False:
                step = self.go(self.poses("near", person))
                yield step or Action("receiveitem", (item, person, self.at))

    def hopeless(self, action: Action) -> bool:
        return action.skill == WAIT or self.notes.failed.get(str(action), 0) >= TRIES


def talk(me: RobotView, notes: Notes) -> None:
    """Tell the others what I have found out since I last said something."""
    new = [f for f in me.belief.since(notes.said) if f.source == me.name and f.pred in SHARED]
    notes.said = me.belief.cursor
    if new:
        me.say(f"I am {me.name}, and I tell what I see.", facts=new[-60:])


def next_in_ward(me: RobotView, notes: Notes) -> Action:
    """The next action of this robot."""
    last = me.outcome
    if last is not None and last.status in ("failed", "refused"):
        notes.failed[str(last.action)] = notes.failed.get(str(last.action), 0) + 1
    elif last is not None and last.action.skill == "handover":
        notes.given.add(str(last.action.args[0]))
    action = Ward(me, notes).next_action()
    often = notes.failed.get(str(action), 0) >= TRIES and action.skill != WAIT
    return Action(WAIT, (), f"I have tried {action} often enough.") if often else action
