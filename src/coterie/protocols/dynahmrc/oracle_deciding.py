"""Actions and messages of a robot, decided from its prompt alone."""

from __future__ import annotations

import re

from coterie.protocols.dynahmrc.oracle_scene import Scene, between, can_search, names
from coterie.protocols.shared import sentences


class Talking(Scene):
    """Messages to others."""

    def _request(self, things: list[str], words: str) -> str:
        """Every thing is asked of a robot that could bring it, and they take turns; `words` say what is with them."""
        asked: list[str] = []
        busy = dict.fromkeys(self._carriers(), 0)
        for thing in things:
            if helpers := self._helpers(thing) or list(busy):
                helper = min(helpers, key=lambda n: (busy[n], n))
                busy[helper] += 1
                asked.append(sentences.BRING.say(helper, thing))
        where = [f"{sentences.LIES.say(t, place)} " for t in things if (place := self._place_of(t))]
        return f'communicate("{words} {"".join(where)}{" ".join(asked)}", all)'

    def _welcome(self) -> str | None:
        """A message with what a newcomer has missed."""
        known = [sentences.LIES.say(t, place) for t in self.needed if (place := self._place_of(t))]
        name = next((n for n in self.new if n in self.alive and not self.has_said(f"Welcome, {n}")), None)
        if name is None or not (known or self.searched):
            return None
        seen = f" Searched: {', '.join(self.searched)}." if self.searched else ""
        return f'communicate("Welcome, {name}. {" ".join(known)}{seen}", {name})'

    def _pass_on_places(self) -> list[str]:
        """Places still to be searched that are closed to me, and where another robot could go."""
        shut = [] if self.mute else sorted(self.shut_out)
        if self.left is not None:
            return [] if self.mute else [p for _, p, side, who in self.left
                                         if not side and who != "nobody can" and not self.has_said(p)
                                         and p in self.shut_out]  # fmt: skip
        left = [p for p in shut if p in self.places and p not in self.searched and not self.has_said(p)]
        others = [n for n in self.team if n in self.alive and "navigate" in self.team[n][1]]
        able = {p: [n for n in others if can_search(self.places[p][0], *self.team[n])] for p in left}
        return [p for p in left if any(p not in self.closed.get(n, ()) for n in able[p])]


class Deciding(Talking):
    """The next action."""

    def decide(self) -> tuple[str, str]:
        if "navigate" not in self.able:
            return self._arm()
        return self._way_barred() or self._mover()

    def _arm(self) -> tuple[str, str]:
        nxt = self.next_layer()
        if self.held is not None:
            home = self._home(self.held)
            turn = nxt is None or (nxt == self.held and not self.wrong)
            place = home if home and turn and "(needed)" in self.itself else self.table
            return f"{self.held} goes on {place}.", f"place({self.held}, {place})"
        far = [t for t, (need, reach) in self.on_table.items() if need and not reach and not self.has_said(t)]
        if far:
            return "I cannot reach it.", self._request(far, sentences.OUT_OF_REACH.say(self.table, far))
        if (news := self._welcome()) is not None:
            return "A newcomer should know what we know.", news
        if self.wrong and (nxt is not None or not self._ready(nxt)):
            return "It does not belong there.", f"pick({self.wrong[0]})"
        ready = self._ready(nxt)
        if ready:
            return "It is needed and within my reach.", f"pick({ready[0]})"
        if self.wrong:
            return "It does not belong there.", f"pick({self.wrong[0]})"
        return "Nothing for me to do now.", "wait()"

    def _ready(self, nxt: str | None) -> list[str]:
        near = [t for t, (need, reach) in self.on_table.items() if need and reach]
        return [t for t in near if nxt is None or t == nxt]

    def _mover(self) -> tuple[str, str]:
        if self.held is not None:
            return self._carry(self.held)
        lost = [t for t, s in self.needed.items() if s == "not found"]
        if lost and "closed box" in self.itself and "open" in self.able and not self._failed(f"open({self.at})"):
            return "It may be inside.", f"open({self.at})"
        mine, telling = self.known()
        if telling:
            return "Somebody else must take it.", self._request(telling, sentences.CANNOT_TAKE.say(telling))
        near = between(self.itself, "ithin your reach: ", ".").split(", ")
        if lost and (shut := self._pass_on_places()):
            return "Others can look there.", f'communicate("{sentences.MAY_NOT_ENTER.say(shut)}", all)'
        for thing, place, sides in mine:
            if thing in near:
                return f"{thing} is needed and here.", f"pick({thing})"
            if place == self.at and "closed box" in self.itself and "open" in self.able:
                return f"{thing} is inside.", f"open({place})"
            side = re.search(r"side (\d+)", self.itself)
            if place == self.at and (not sides or (side and side.group(1) in sides)) and "move" in self.able:
                return f"{thing} is just out of reach.", "move()"
            for s in sides or ["0"]:
                if not self._failed(f"navigate({place}, {s})"):
                    return f"{thing} is there.", f"navigate({place}, {s})"
        if lost and (found := self._next_place()):
            return f"I look for {', '.join(lost)}.", f"navigate({found[0]}, {found[1]})"
        if self._in_the_way() and (free := self._aside()):
            return "I make room for the one who fetches it.", f"navigate({free[0]}, {free[1]})"
        return "Others have it in hand.", "wait()"

    def _way_barred(self) -> tuple[str, str] | None:
        """A closed door that stopped me, or that I was asked to open, before anything else."""
        asked = {d: s for s, _, words in self.heard for who, d in sentences.OPEN.heard(words) if who == self.me}
        for door, step in asked.items():
            if door not in self.doors and not self.mute and self._opened(door, step):
                return "They do not know yet.", f'communicate("{sentences.STATE.say(door, "open")} now.", all)'
        for door in dict.fromkeys([*self.stopped, *asked]):
            if door not in self.doors:
                continue
            if "open" not in self.able:
                able = [n for n, (_, skills) in sorted(self.team.items()) if n in self.alive and "open" in skills]
                if able and not self.mute and not self.has_said(door):
                    shut = sentences.STATE.say(door, "closed")
                    words = f"{shut}, and I cannot open it. {sentences.OPEN.say(able[0], door)}"
                    return "Somebody else must open it.", f'communicate("{words}", all)'
                if self.at != door and f": {door} is closed" in self._actions(1)[0] and (there := self._to_door(door)):
                    return f"Is {door} open by now?", there
            elif self.at == door:
                return f"{door} is in the way.", f"open({door})"
            elif there := self._to_door(door):
                return f"{door} is in the way.", there
        return None

    def _to_door(self, door: str) -> str:
        """To one of its sides where I have not just failed to get."""
        every = [f"navigate({door}, {side})" for side in range(self.doors[door])]
        return next((action for action in every if not self._failed(action)), "")

    def _opened(self, door: str, asked: int) -> bool:
        """I have opened a door, or found it open, before I was asked to the last time, and have not said so since."""
        done = [int(s) for s in re.findall(rf"(\d+) open\({door}\)(?! FAILED(?!: {door} is already open))", self.past)]
        told = [int(s) for s in re.findall(rf'(\d+) communicate\("[^"]*\b{door} is open\b', self.past)]
        return bool(done) and done[0] + 1 < asked and max(told, default=-1) <= asked

    def _in_the_way(self) -> bool:
        """I stand where a robot of my kind must come to fetch something; what flies passes what rolls."""
        flies = can_search("high", self.about, self.able)
        alike = [n for n in self._carriers() if can_search("high", *self.team[n]) is flies]
        return bool(alike) and self.at in {self._place_of(t) for t in self.needed}

    def _aside(self) -> tuple[str, str] | None:
        """A place where nothing needed lies."""
        wanted = {self._place_of(t) for t in self.needed} | {self.at}
        free = [p for p in [*self.searched, *self.places] if p in self.places and p not in wanted | self.shut_out]
        tags = {p: self.places[p][0] for p in free}
        return self._way_to([p for p in free if tags[p] == "box" or can_search(tags[p], self.about, self.able)])

    def _way_to(self, places: list[str]) -> tuple[str, str] | None:
        """The first place and side where I have not just failed to get."""
        for place in places:
            for side in range(self.places[place][1]):
                if not self._failed(f"navigate({place}, {side})"):
                    return place, str(side)
        return None

    def _carry(self, thing: str) -> tuple[str, str]:
        if "It belongs " in self.itself:
            return self._bring(thing)
        sides = re.findall(r"\d+", between(self.itself, "lay it there from side ", "."))
        here = re.search(r"You are at (\w+), side (\d+)", self.itself)
        full = self._failed(f"place({thing}, {self.at})")  # there was no room
        if "(not needed)" in self.itself and self.at and "closed box" not in self.itself and not full:
            return f"{thing} is not wanted.", f"place({thing}, {self.at})"
        at_table = here.group(2) if here and here.group(1) == self.table else ""
        if at_table and (at_table in sides or not sides) and not (full and len(sides) > 1):
            return "The arm can take it from here.", f"place({thing}, {self.table})"
        good = [s for s in sides if s != at_table] or sides or ["0"]
        free = [s for s in good if not self._failed(f"navigate({self.table}, {s})")] or good
        return f"I bring {thing} to the table.", f"navigate({self.table}, {free[0]})"

    def _bring(self, thing: str) -> tuple[str, str]:
        """To where it belongs: a place, one of the places in a room, or a thing that holds things."""
        words = between(self.itself, "It belongs ", ".")
        if into := re.match(r"into (\w+), which is (?:at (\w+)|not found)", words):
            homes = [(into.group(1), into.group(2))] if into.group(2) else []
        else:
            named = words.partition(": put it on ")[2].split(" or ") if ": put it on " in words else [words[3:]]
            homes = [(name, name) for name in named]
        sides = {**{p: n for p, (_, n) in self.places.items()}, self.table: self.table_sides}
        flies = can_search("high", self.about, self.able)
        able = [(h, p) for h, p in homes if p not in self.shut_out and (flies or not self._high([p]))]
        for home, place in sorted(able, key=lambda hp: hp[1] != self.at):
            if place == self.at and "closed box" in self.itself and "open" in self.able:
                return f"{thing} belongs there.", f"open({place})"
            if place == self.at and not self._failed(f"place({thing}, {home})"):
                return f"{thing} belongs there.", f"place({thing}, {home})"
            here = re.search(r"side (\d+)", self.itself)
            for side in map(str, range(sides.get(place, 1))):
                there = place == self.at and here is not None and here.group(1) == side
                if not there and not self._failed(f"navigate({place}, {side})"):
                    return f"I bring {thing} to {home}.", f"navigate({place}, {side})"
        if not homes and (found := self._next_place()):
            return "I look for what it belongs into.", f"navigate({found[0]}, {found[1]})"
        if not self._can_put(thing) and self.at and not self._failed(f"place({thing}, {self.at})"):
            return "Somebody else must bring it.", f"place({thing}, {self.at})"
        return "I wait until there is a way.", "wait()"

    def known(self) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
        """Things found that I should fetch (thing, place, sides), and those that I must tell others of."""
        mine, telling = [], []
        words = " ".join(w for _, _, w in self.heard)
        for thing, state in self.needed.items():
            match = re.match(r"at (\w+)(?: (\d+))?(?:,? ?\(?move closer\)?| \(blocked\))?(?: \((.*)\))?", state)
            if match is None:
                continue
            place, side, how = match.group(1), match.group(2), match.group(3) or ""
            sides = [side] if side else re.findall(r"\d+", how)
            if how and not re.match(r"you\b|from side|move closer", how):
                how = "you cannot take it"  # others can, or nobody
            able = {self.me, *self._bringers(thing)}  # nobody waits for a robot that cannot
            asked = [n for n in self.asked_for(thing) if n in able]
            cannot = (
                how.startswith("you cannot") or not self._can_put(thing) or (place == self.at and self._moved_in_vain())
            )
            if "pick" not in self.able or cannot or place in self.shut_out:
                mine_to_pass_on = bool(asked) and asked[-1] == self.me
                if not self.has_said(thing) and (not names(thing, words) or mine_to_pass_on):
                    telling.append(thing)
            elif not asked or asked[-1] == self.me:
                mine.append((thing, place, sides))
        return mine, telling if self._carriers() else []

    def _next_place(self) -> tuple[str, str] | None:
        if self.left is not None:
            return self._next_left(self.left)
        return self._way_to([place for places in self.to_search() for place in places])

    def to_search(self) -> tuple[list[str], list[str], list[str]]:
        """Places still to be searched: mine or asked of me, those of others from the end, those seen before."""

        def open_to_me(place: str) -> bool:
            tag, _ = self.places[place]
            opened = place in self.searched and tag == "box"
            return place not in self.shut_out and (opened or can_search(tag, self.about, self.able))

        fresh = [p for p in self.places if p not in self.searched and open_to_me(p)]
        asked = [p for _, _, w in self.heard for (places,) in sentences.MAY_NOT_ENTER.heard(w) for p in places]
        mine = [p for p in dict.fromkeys([*self.share, *asked]) if p in fresh]
        others = [p for p in reversed(fresh) if p not in mine]
        again = [p for p in self.searched if p in self.places and open_to_me(p) and p != self.at]
        recent = re.findall(r"navigate\((\w+),", self.past)[-6:]
        again.sort(key=lambda p: p in recent)
        return mine, others, again

    def _next_left(self, left: list[tuple[str, str, str, str]]) -> tuple[str, str] | None:
        """The next place: mine, one I was asked to search, a free one, or one of others, from the end of their list."""
        asked = [p for _, _, w in self.heard for (places,) in sentences.MAY_NOT_ENTER.heard(w) for p in places]
        mine = [(p, side) for whose, p, side, _ in left if side and whose == "yours"]
        more = [(p, side) for _, p, side, _ in left if side and p in asked]
        free = [(p, side) for whose, p, side, _ in left if side and whose == "nobody's"]
        rest = [(p, side) for whose, p, side, _ in reversed(left) if side]
        return next(iter([*mine, *more, *free, *rest]), None)
