"""A mind that reads nothing but the text of a prompt and answers in the protocol's format.

It has no memory and no access to beliefs: whatever it decides well, the prompt has told it. It tests prompts, parser
and the way over HTTP without a language model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coterie.core.protocol import Ask, Reply


def answer(messages: Sequence[tuple[str, str]]) -> str:
    """The reply to one prompt, a sequence of (role, text)."""
    system = messages[0][1] if messages else ""
    text = "\n".join(t for _, t in messages)
    if "Introduce yourself" in system:
        return f"Thought: They should know me.\nContent: I am {_name(system)}, {_after(system, 'You are [^,]+, ')}"
    if "Propose who" in system:
        return f"Thought: Everybody gets a share.\nPlan: {_division(text)}\nSpeech: My plan leaves no place out."
    if "elects a leader" in system or "You are the referee" in system:
        names = _after(text, "Candidates: ").split(", ")
        return f"Thought: The plans are alike.\nReason: first by name.\nLeader: {sorted(names)[0]}"
    if "You shift your base" in system:
        return f"Move: {_best_shift(messages[-1][1])}"
    if "stops for a discussion" in system:
        return f"Thought: Let us see.\nSummary: {_after(text, 'Searched: ') or 'nothing searched yet'}\nPlan: go on."
    if "You lead the team" in system:
        return f"Thought: The shares hold.\nPlan: {_division(text)}"
    if "You coordinate a team" in system:
        return _for_everybody(text)
    thought, action = _Scene.read(text).decide()
    if "You may send one message" in system:
        words = re.match(r'communicate\("(.*)", all\)', action)
        return f"Message: {words.group(1) if words else 'nothing'}"
    if "Choose the best of the options" in system:
        listed = {what: letter for letter, what in re.findall(r"^([A-Z]{1,2})\. (.*)$", text, re.M)}
        told = next((letter for what, letter in listed.items() if what.startswith("communicate(")), None)
        letter = told if action.startswith("communicate(") and told else listed.get(action, listed.get("wait()", "A"))
        return f"Thought: {thought}\nOption: {letter}"
    return f"Thought: {thought}\nAction: {action}"


def _for_everybody(text: str) -> str:
    """The central planner's prompt: one line a robot, each decided as if it had asked alone."""
    team, history, status = (_after(text, heading) for heading in ("Team: ", "History: ", "Status: "))
    head = text.partition("\n[")[0].splitlines()[2:]
    division = _division("\n".join(["You are nobody, nothing.", f"Team: {team}", *head]))
    shares = dict(part.split(": ", 1) for part in division.split("; ") if ": " in part)
    lines: list[str] = []
    taken: set[str] = set()
    for name, block in re.findall(r"^\[(\w+)\] (.*?)(?=^\[\w+\] |^Status: )", text, re.S | re.M):
        card = re.search(rf"\b{name}: ([^()]+) \(([^()]*)\)\. ?", team)
        if card is None:
            continue
        own = "; ".join(step + what for step, what in re.findall(rf"(\d+ ){name}: ([^;]*)", history))
        first, *rest = block.strip().splitlines()
        prompt = [
            f"You are {name}, {card.group(1)}.", f"Team: {team.replace(card.group(0), '')}", *head,
            *(f"{skill}(): one of your skills" for skill in card.group(2).split(", ")),
            f"Leader: none. Plan: {name}: {shares.get(name, '')}", *rest, f"Done lately: {own}",
            f"Status: {status}", f"Step 0 of 0. {first}",
        ]  # fmt: skip
        scene = _Scene.read("\n".join(prompt))
        if "pick" in scene.able:  # what one fetches, no other need
            scene.needed = {t: s for t, s in scene.needed.items() if t not in taken}
        thought, action = scene.decide()
        if action.startswith("communicate("):
            action = "wait()"
        taken |= {t for t in scene.needed if t in f"{thought} {action}" and "I look for" not in thought}
        lines.append(f"{name}: {action}")
    return "\n".join(lines)


class Oracle:
    """The text oracle as a model in this process."""

    name = "oracle"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = []
        for ask in asks:
            text = answer(ask.prompt)
            replies.append(Reply(text, sum(len(t) for _, t in ask.prompt) // 4, len(text) // 4))
        return replies


# -- reading ----------------------------------------------------------------------------------------------------------
def _name(text: str) -> str:
    return _after(text, "You are ").split(",")[0]


def _after(text: str, heading: str) -> str:
    found = re.search(rf"^{heading}(.*)$", text, re.M)
    return found.group(1).strip() if found else ""


def _places(text: str) -> dict[str, tuple[str, int]]:
    """name -> (tag, number of sides), in either style of prompt."""
    found: dict[str, tuple[str, int]] = {}
    for item in _after(text, "Places with their sides: ").split(", "):
        if match := re.fullmatch(r"(\w+)( box| high)? (?:\d+-)?(\d+)", item):
            found[match.group(1)] = ((match.group(2) or "").strip(), int(match.group(3)) + 1)
    for match in re.finditer(
        r"^(\w+): \w+, (box|high|surface)( open| closed)?, [\d.]+ m high, sides (.*)$", text, re.M
    ):
        found[match.group(1)] = (match.group(2).replace("surface", ""), len(match.group(4).split()))
    return found


def _team(text: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """name -> (about, skills) of everybody, the reader too."""
    me = _name(text)
    own = tuple(re.findall(r"^(\w+)\(.*\):", text, re.M))
    about = _after(text, "You are [^,]+, ")
    able = own or tuple(
        s for s, w in (("navigate", "drive"), ("navigate", "fl"), ("open", "opens"), ("pick", "carr")) if w in about
    )
    out = {me: (about, able)}
    for match in re.finditer(r"(\w+): ([^()]+) \(([^()]*)\)\.", _after(text, "Team: ")):
        out[match.group(1)] = (match.group(2), tuple(match.group(3).split(", ")))
    return out


def _division(text: str) -> str:
    """Shares of the search: what few can do first, each to the one with the least to do."""
    places, team = _places(text), _team(text)
    movers = sorted(n for n, (_, able) in team.items() if "navigate" in able)
    load = dict.fromkeys(movers, 0)
    shares: dict[str, list[str]] = {n: [] for n in movers}

    def able(place: str) -> list[str]:
        tag = places[place][0]
        return [n for n in movers if _can_search(tag, *team[n])]

    for place in sorted(places, key=lambda p: (len(able(p)), p)):
        if able(place):
            robot = min(able(place), key=lambda n: (load[n], n))
            load[robot] += 2 if places[place][0] == "box" else 1
            shares[robot].append(place)
    parts = [f"{n}: {', '.join(found)}" for n, found in shares.items() if found]
    arms = [f"{n}: the final placement" for n in team if n not in movers]
    return "; ".join(parts + arms)


def _can_search(tag: str, about: str, able: tuple[str, ...]) -> bool:
    if tag == "high":
        return bool(re.search(r"\b(fl(y|ies|ying)|drone)\b", about))
    return tag != "box" or "open" in able


def _best_shift(costmap: str) -> str:
    """The spot marked o that is nearest to R; the rows say their dy."""
    best = None
    for row, dy in re.findall(r"^([#.oRT]+)  dy=([-+][\d.]+)$", costmap, re.M):
        middle = len(row) // 2
        for i, sign in enumerate(row):
            if sign == "o":
                dx, y = (i - middle) * 0.2, float(dy)
                if best is None or dx * dx + y * y < best[0]:
                    best = (dx * dx + y * y, f"{dx:.1f}, {y:.1f}")
    return best[1] if best else "0.0, 0.0"


@dataclass
class _Scene:
    """What one action prompt says."""

    me: str
    about: str
    able: tuple[str, ...]
    team: dict[str, tuple[str, tuple[str, ...]]]
    places: dict[str, tuple[str, int]]
    table: str
    table_sides: int
    goal: str
    share: list[str]
    searched: list[str]
    needed: dict[str, str]
    on_table: dict[str, tuple[bool, bool]]  # thing -> (needed, within the arm's reach)
    closed: str
    past: str
    said: str
    heard: list[tuple[str, str]]
    wrong: list[str]
    status: str
    itself: str
    alive: list[str]

    @classmethod
    def read(cls, text: str) -> _Scene:
        team = _team(text)
        me = _name(text)
        plan = _after(text, "Leader: [^.]*. Plan: ")
        share = next((p for p in plan.split(";") if p.strip().startswith(f"{me}:")), "")
        table = re.search(r"^Work table: (\w+) (?:\d+-)?(\d+)", text, re.M)
        step = re.search(r"^Step \d+ of \w+\. (.*)$", text, re.M)
        past = _after(text, "Done lately: ") + " ".join(re.findall(r"^\d+ \w+\(.*$", text, re.M))
        needed = {}
        for item in _after(text, "Needed: ").split("; "):
            thing, _, state = item.partition(" ")
            if state:
                needed[thing] = state
        on_table = {}
        line = re.search(r"^On \w+: (.*)$", text, re.M)
        for thing, need, reach in re.findall(r"(\S+) \((needed|not needed), ([^()]*)\)", line.group(1) if line else ""):
            on_table[thing] = (need == "needed", not reach.startswith("out of"))
        itself = step.group(1) if step else ""
        wrong = re.search(r"To be taken off: ([^.]*)\.", text)
        return cls(
            me, *team[me], team, _places(text), table.group(1) if table else "",
            int(table.group(2)) + 1 if table else 1,
            _after(text, "Goal: "), re.findall(r"\w+", share.partition(":")[2]),
            re.findall(r"(\w+) \(", _after(text, "Searched: ")), needed, on_table, _after(text, "Closed to you: "),
            past, " ".join(re.findall(r'communicate\("([^"]*)"', past)),
            re.findall(r'(\w+): "([^"]*)"', _after(text, "Heard: ")),
            wrong.group(1).split(", ") if wrong else [], _after(text, "Status: "), itself,
            re.findall(r"\w+", _between(itself, "Alive: ", ".")),
        )  # fmt: skip

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self) -> tuple[str, str]:
        return self._mover() if "navigate" in self.able else self._arm()

    @property
    def held(self) -> str | None:
        found = re.search(r"You hold (\S+) \((needed|not needed)\)", self.itself)
        return found.group(1) if found else None

    @property
    def at(self) -> str | None:
        found = re.search(r"You are at (\w+)", self.itself)
        return found.group(1) if found else None

    def _arm(self) -> tuple[str, str]:
        nxt = self._next_layer()
        if self.held is not None:
            home = self._home(self.held)
            turn = nxt is None or (nxt == self.held and not self.wrong)
            place = home if home and turn and "(needed)" in self.itself else self.table
            return f"{self.held} goes on {place}.", f"place({self.held}, {place})"
        far = [t for t, (need, reach) in self.on_table.items() if need and not reach and t not in self.said]
        if far:
            return "I cannot reach it.", self._request(far)
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

    def _next_layer(self) -> str | None:
        """For a stack, the layer that comes next; None for other goals."""
        if "bottom to top: " not in self.goal:
            return None
        layers = self.goal.split("bottom to top: ")[1].rstrip(".").split(", ")
        there = self.status.split("bottom to top: ")[-1].split(".")[0].split(", ")
        good = 0
        while good < len(there) and good < len(layers) and there[good] == layers[good]:
            good += 1
        return layers[good] if good < len(layers) else ""

    def _home(self, thing: str) -> str | None:
        if match := re.search(rf"\b{re.escape(thing)} on (\w+_panel)", self.goal):
            return match.group(1)
        match = re.search(r"into the (\w+)|Stack on the (\w+)", self.goal)
        return (match.group(1) or match.group(2)) if match else None

    def _request(self, things: list[str], words: str = "Out of my reach") -> str:
        carriers = [
            n for n, (_, able) in sorted(self.team.items()) if n in self.alive and {"navigate", "pick"} <= set(able)
        ]
        asked = [f"{carriers[i % len(carriers)]}, please bring {t}." for i, t in enumerate(things)] if carriers else []
        return f'communicate("{words}: {", ".join(things)}. {" ".join(asked)}", all)'

    @property
    def shut_out(self) -> set[str]:
        """Places closed to me as a whole; a closed side leaves the others."""
        return {p for p in self.closed.split(".")[0].split(", ") if not p.startswith("side ")}

    def _failed(self, action: str) -> bool:
        """Did this fail within the last few deeds?"""
        return any(f"{action} FAILED" in deed for deed in re.split(r"; (?=\d+ )", self.past)[-4:])

    def _mover(self) -> tuple[str, str]:
        if self.held is not None:
            return self._carry(self.held)
        lost = [t for t, s in self.needed.items() if s == "not found"]
        if lost and "closed box" in self.itself and "open" in self.able and not self._failed(f"open({self.at})"):
            return "It may be inside.", f"open({self.at})"
        mine, telling = self._known()
        if telling:
            return "Somebody else must take it.", self._request(telling, "I found them, but cannot take them")
        near = _between(self.itself, "Within your reach: ", ".").split(", ")
        for thing, place, sides in mine:
            if thing in near:
                return f"{thing} is needed and here.", f"pick({thing})"
            side = re.search(r"side (\d+)", self.itself)
            if place == self.at and (not sides or (side and side.group(1) in sides)) and "move" in self.able:
                return f"{thing} is just out of reach.", "move()"
            for s in sides or ["0"]:
                if not self._failed(f"navigate({place}, {s})"):
                    return f"{thing} is there.", f"navigate({place}, {s})"
        if lost and (found := self._next_place()):
            return f"I look for {', '.join(lost)}.", f"navigate({found[0]}, {found[1]})"
        if self.at and any(s.startswith(f"at {self.at}") for s in self.needed.values()):
            aside = [p for p in self.searched if p in self.places and p != self.at and p not in self.shut_out]
            free = [p for p in aside if not any(s.startswith(f"at {p}") for s in self.needed.values())]
            if free:
                return "I make room for the one who fetches it.", f"navigate({free[0]}, 0)"
        return "Others have it in hand.", "wait()"

    def _carry(self, thing: str) -> tuple[str, str]:
        sides = re.findall(r"\d+", _between(self.itself, "lay it there from side ", "."))
        here = re.search(r"You are at (\w+), side (\d+)", self.itself)
        if "(not needed)" in self.itself and self.at and "closed box" not in self.itself:
            return f"{thing} is not wanted.", f"place({thing}, {self.at})"
        if here and here.group(1) == self.table and (here.group(2) in sides or not sides):
            return "The arm can take it from here.", f"place({thing}, {self.table})"
        free = [s for s in sides if not self._failed(f"navigate({self.table}, {s})")] or sides or ["0"]
        return f"I bring {thing} to the table.", f"navigate({self.table}, {free[0]})"

    def _known(self) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
        """Things found that I should fetch (thing, place, sides), and those that I must tell others of."""
        mine, telling = [], []
        words = " ".join(w for _, w in self.heard)
        for thing, state in self.needed.items():
            match = re.match(r"at (\w+)(?: \((.*)\))?", state)
            if match is None:
                continue
            place, how = match.group(1), match.group(2) or ""
            asked = re.findall(rf"(\w+), please bring {re.escape(thing)}\b", f"{words} {self.said}")
            others = [n for n in asked if n in self.alive and n != self.me]
            if "pick" not in self.able or how.startswith("you cannot") or place in self.shut_out:
                mine_to_pass_on = bool(asked) and asked[-1] == self.me
                if thing not in self.said and (thing not in words or mine_to_pass_on):
                    telling.append(thing)
            elif not others or (asked and asked[-1] == self.me):
                mine.append((thing, place, re.findall(r"\d+", how)))
        able = [n for n, (_, a) in self.team.items() if n in self.alive and {"navigate", "pick"} <= set(a)]
        return mine, telling if able else []

    def _next_place(self) -> tuple[str, str] | None:
        def open_to_me(place: str) -> bool:
            tag, _ = self.places[place]
            opened = place in self.searched and tag == "box"
            return place not in self.shut_out and (opened or _can_search(tag, self.about, self.able))

        fresh = [p for p in self.places if p not in self.searched and open_to_me(p)]
        first = [p for p in self.share if p in fresh] + [p for p in reversed(sorted(fresh)) if p not in self.share]
        again = [p for p in self.searched if p in self.places and open_to_me(p) and p != self.at]
        recent = re.findall(r"navigate\((\w+),", self.past)[-6:]
        again.sort(key=lambda p: p in recent)
        for place in first + again:
            for side in range(self.places[place][1]):
                if not self._failed(f"navigate({place}, {side})"):
                    return place, str(side)
        return None


def _between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""
