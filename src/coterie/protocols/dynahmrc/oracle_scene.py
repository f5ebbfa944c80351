"""One prompt that asks for an action, read: who is there, what lies where, what was said and tried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from coterie.protocols.dynahmrc.oracle_reading import (
    after,
    between,
    closed_to,
    doors_of,
    left_of,
    name_of,
    names,
    past_of,
    places_of,
    searched_of,
    signs_of,
    team_of,
    unquoted,
)  # fmt: skip
from coterie.protocols.dynahmrc.oracle_sharing import can_search
from coterie.protocols.shared import sentences

S = TypeVar("S", bound="Scene")
PATIENCE = 9  # steps that somebody who gives no sign may take for a thing it was asked for


@dataclass
class Scene:
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
    left: list[tuple[str, str, str, str]] | None  # whose, place, side, who else; None in a prompt that does not say it
    needed: dict[str, str]
    on_table: dict[str, tuple[bool, bool]]  # thing -> (needed, within the arm's reach)
    closed: dict[str, list[str]]  # robot -> places; my own under "you"
    past: str
    said: str
    heard: list[tuple[int, str, str]]  # step of the saying, who, what
    wrong: list[str]
    status: str
    itself: str
    alive: list[str]
    signs: dict[str, int]  # where no heartbeat tells: teammate -> step of its last sign
    now: int  # step
    new: list[str]  # teammates that joined later
    doors: dict[str, int]  # closed ones -> number of sides
    stopped: list[str]  # doors that were in my way
    mute: bool  # the options to choose from hold no message

    @classmethod
    def read(cls: type[S], text: str) -> S:
        team = team_of(text)
        me = name_of(text)
        plan = after(text, r"[\w' ]+ plan: ").strip('"')
        share = next((p for p in plan.split(";") if p.strip().startswith(f"{me}:")), "")
        table = re.search(r"^Work table: (\w+)((?: \d+)+)", text, re.M)
        step = re.search(r"^Step (\d+) of \w+\. (.*)$", text, re.M)
        past = after(text, "Done lately: ") or past_of(text)
        needed: dict[str, str] = {}
        for item in re.split(r"; (?!asked: )", after(text, "Needed: ")):
            thing, _, state = item.partition(" ")
            if item.startswith("not found: "):
                needed |= dict.fromkeys(item[11:].split(", "), "not found")
            elif state:
                needed[thing] = state
        on_table = {}
        line = re.search(r"^On \w+: (.*)$", text, re.M)
        for thing, need, reach in re.findall(r"(\S+) \((needed|not needed), ([^()]*)\)", line.group(1) if line else ""):
            on_table[thing] = (need == "needed", not reach.startswith("out of"))
        itself = step.group(2) if step else ""
        wrong = re.search(r"To be taken off: ([^.]*)\.", after(text, "Status: "))
        return cls(
            me, *team[me], team, places_of(text), table.group(1) if table else "",
            len(table.group(2).split()) if table else 1,
            after(text, "Goal: "), re.findall(r"\w+", share.partition(":")[2]),
            searched_of(text), left_of(text), needed, on_table, closed_to(text),
            past, " ".join(re.findall(r'communicate\("([^"]*)"', past)),
            [(int(s) - 1, n, w) for s, n, w in re.findall(r'(\d+) (\w+): "([^"]*)"', after(text, "Heard: "))],
            wrong.group(1).split(", ") if wrong else [], after(text, "Status: "), itself,
            re.findall(r"\w+", between(itself, "Alive: ", ".")),
            signs_of(itself), int(step.group(1)) if step else 0,
            re.findall(r"(\w+) joined at step", unquoted(text)),
            doors_of(unquoted(text)), re.findall(r"No path leads \w+ to [^:]*: (\w+) is closed", past),
            "\nOptions:\n" in text and re.search(r"^[A-Z]{1,2}\. communicate\(", text, re.M) is None,
        )  # fmt: skip

    def __post_init__(self) -> None:
        """Who was asked for something long ago, and gave no sign since, is not counted on."""
        for name in [n for n in self.alive if n in self.signs]:
            asked = [step for thing in self.needed for step, helper in self._requests(thing) if helper == name]
            if asked and self.now - max(min(asked), self.signs[name]) > PATIENCE:
                self.alive.remove(name)

    @property
    def held(self) -> str | None:
        found = re.search(r"You hold (\S+) \((needed|not needed)\)", self.itself)
        return found.group(1) if found else None

    @property
    def at(self) -> str | None:
        found = re.search(r"You are at (\w+)", self.itself)
        return found.group(1) if found else None

    @property
    def shut_out(self) -> set[str]:
        """Places closed to me as a whole; a closed side leaves the others."""
        return {p for p in self.closed.get("you", ()) if not p.startswith("side ")}

    def _said(self, word: str) -> bool:
        return names(word, self.said)

    def _carriers(self) -> list[str]:
        return [n for n, (_, able) in sorted(self.team.items()) if n in self.alive and {"navigate", "pick"} <= {*able}]

    def _helpers(self, thing: str) -> list[str]:
        """Teammates that could bring a thing: they get to its place, and have not said that they cannot take it."""
        refused = {n for _, n, words in self.heard for (row,) in sentences.CANNOT_TAKE.heard(words) if thing in row}
        return [n for n in self._bringers(thing) if n not in refused]

    def _bringers(self, thing: str) -> list[str]:
        """Teammates whose bodies get to the place of a thing and carry it away."""
        place = self._place_of(thing)
        tag = self.places.get(place, ("", 0))[0]
        able = [n for n in self._carriers() if place not in self.closed.get(n, ())]
        return [n for n in able if tag != "high" or can_search(tag, *self.team[n])]

    def _place_of(self, thing: str) -> str:
        found = re.match(r"at (\w+)", self.needed.get(thing, ""))
        return found.group(1) if found else ""

    def _asked_for(self, thing: str) -> list[str]:
        """Who was asked to bring a thing, by anybody, the last one last."""
        return [name for _, name in self._requests(thing)]

    def _requests(self, thing: str) -> list[tuple[int, str]]:
        """When somebody was asked to bring a thing, and who."""
        own = [(int(s), self.me, w) for s, w in re.findall(r'(\d+) communicate\("([^"]*)"', self.past)]
        asked = [(step, *row) for step, _, words in sorted(self.heard + own) for row in sentences.BRING.heard(words)]
        return [(step, name) for step, name, what in asked if what == thing]

    def _could_search(self, name: str, place: str) -> bool:
        return place not in self.closed.get(name, ()) and can_search(self.places[place][0], *self.team[name])

    def _deeds(self, last: int) -> list[str]:
        return re.split(r"; (?=\d+ )", self.past)[-last:]

    def _failed(self, action: str) -> bool:
        """Did this fail within the last few deeds? One who stands in the way may be gone in the next step."""
        failed = [f"{action} FAILED" in deed for deed in self._deeds(4)]
        return failed[-1] or any(f and "stands there" not in deed for f, deed in zip(failed, self._deeds(4)))

    def _moved_in_vain(self) -> bool:
        """Two shifts in a row, and still I reach nothing: a third will not help."""
        return all(re.match(r"\d+ move\(", deed) for deed in self._deeds(2)) and len(self._deeds(2)) == 2

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
