"""A mind that reads nothing but the text of a prompt and answers in the protocol's format.

It has no memory and no access to beliefs: whatever it decides well, the prompt has told it. It tests prompts, parser
and the way over HTTP without a language model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.protocols.dynahmrc import paper_reading

PATIENCE = 9  # steps that somebody who gives no sign may take for a thing it was asked for
_SITUATION = re.compile(r"^Step \d+ of \w+\. ", re.M)  # how a prompt that asks for an action ends
#: Answers to prompts of further protocols: from the system message and the whole text, None where it is not theirs.
others: list[Callable[[str, str], str | None]] = []


def answer(messages: Sequence[tuple[str, str]]) -> str:
    """The reply to one prompt, a sequence of (role, text)."""
    system = messages[0][1] if messages else ""
    text = paper = "\n".join(t for _, t in messages)
    if paper_reading.is_paper(text):
        text = paper_reading.as_compact(text)
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
        return f"Thought: What is left is shared again.\nPlan: {_division(text, _reported(text))}"
    if "You coordinate a team" in system:
        return _for_everybody(text)
    for other in others:
        if (reply := other(system, text)) is not None:
            return reply
    if _SITUATION.search(text) is None:
        raise CoterieError(
            "The oracle cannot read this prompt: it knows those of dynahmrc, coherent, coela, llm-mcts and planners "
            "on the table. Choose another --model."
        )
    thought, action = _Scene.read(text).decide()
    if text is not paper:
        action = paper_reading.final(action, paper)
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
    if "\nLeft to search: " in text:
        head = [line for line in head if not line.startswith("Left to search: ")]
        head.append(f"Searched: {', '.join(p for p in _places(text) if p in _reported(text))}")
    division = _division("\n".join(["You are nobody, nothing.", f"Team: {team}", *head]))
    shares = dict(part.split(": ", 1) for part in division.split("; ") if ": " in part)
    scenes: list[_Scene] = []
    for name, block in re.findall(r"^\[(\w+)\] (.*?)(?=^\[\w+\] |^Status: )", text, re.S | re.M):
        card = re.search(rf"\b{name}: ([^()]+) \(([^()]*)\)\. ?", team)
        if card is None:
            continue
        own = "; ".join(step + what for step, what in re.findall(rf"(\d+ ){name}: ([^;]*)", history))
        first, *rest = block.strip().splitlines()
        prompt = [
            f"You are {name}, {card.group(1)}.", f"Team: {team.replace(card.group(0), '')}", *head,
            *(f"{skill}(): one of your skills" for skill in card.group(2).split(", ")),
            f'The plan: "{name}: {shares.get(name, "")}"', *rest, f"Done lately: {own}",
            f"Status: {status}", f"Step 0 of 0. {first}",
        ]  # fmt: skip
        scenes.append(_Scene.read("\n".join(prompt)))
    return "\n".join(["Thought: Everybody does what it can.", *_one_after_another(scenes)])


def _one_after_another(scenes: list[_Scene]) -> list[str]:
    """Who has something needed at hand chooses first, so that nobody is sent away from it."""
    lines: list[str] = []
    taken: set[str] = set()

    def at_hand(scene: _Scene) -> list[str]:
        near = _between(scene.itself, "ithin your reach: ", ".").split(", ")
        return [t for t in scene.needed if t in near]

    for scene in sorted(scenes, key=lambda s: not at_hand(s)):
        if "pick" in scene.able:  # what one fetches, no other need
            first = [*at_hand(scene), *scene.needed]
            scene.needed = {t: scene.needed[t] for t in dict.fromkeys(first) if t not in taken}
        scene.said = " ".join([*scene.needed, *scene.on_table, *scene.places])  # all is pooled: no need to talk
        thought, action = scene.decide()
        if action.startswith("communicate("):
            action = "wait()"
        taken |= {t for t in scene.needed if t in f"{thought} {action}" and "I look for" not in thought}
        lines.append(f"{scene.me}: {action}")
    return lines


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
        if match := re.fullmatch(r"(\w+)( box| high)?((?: \d+)+)", item):
            found[match.group(1)] = ((match.group(2) or "").strip(), len(match.group(3).split()))
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


def _reported(text: str) -> set[str]:
    """Places that somebody has searched, by what the leader knows and the others report."""
    if (left := re.search(r"^Left to search: (.*)$", text, re.M)) is not None:
        return set(_places(text)) - set(re.findall(r"\w+", re.sub(r"[^:;]*: ", "", left.group(1))))
    return set(re.findall(r"(\w+) \(", _after(text, "Searched: ") + _between(text, "\nReports:", "\nStatus: ")))


def _division(text: str, done: Collection[str] = ()) -> str:
    """Shares of the search: what few can do first, each to the one with the least to do."""
    everywhere, team = _places(text), _team(text)
    places = {p: how for p, how in everywhere.items() if p not in done} or everywhere
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
    told = re.search(r"free and close enough: (\S+, \S+)", costmap)
    return best[1] if best else told.group(1) if told else "0.0, 0.0"


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
    def read(cls, text: str) -> _Scene:
        team = _team(text)
        me = _name(text)
        plan = _after(text, r"[\w' ]+ plan: ").strip('"')
        share = next((p for p in plan.split(";") if p.strip().startswith(f"{me}:")), "")
        table = re.search(r"^Work table: (\w+)((?: \d+)+)", text, re.M)
        step = re.search(r"^Step (\d+) of \w+\. (.*)$", text, re.M)
        past = _after(text, "Done lately: ") or _past(text)
        needed: dict[str, str] = {}
        for item in re.split(r"; (?!asked: )", _after(text, "Needed: ")):
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
        wrong = re.search(r"To be taken off: ([^.]*)\.", _after(text, "Status: "))
        return cls(
            me, *team[me], team, _places(text), table.group(1) if table else "",
            len(table.group(2).split()) if table else 1,
            _after(text, "Goal: "), re.findall(r"\w+", share.partition(":")[2]),
            _searched(text), _left(text), needed, on_table, _closed(text),
            past, " ".join(re.findall(r'communicate\("([^"]*)"', past)),
            [(int(s) - 1, n, w) for s, n, w in re.findall(r'(\d+) (\w+): "([^"]*)"', _after(text, "Heard: "))],
            wrong.group(1).split(", ") if wrong else [], _after(text, "Status: "), itself,
            re.findall(r"\w+", _between(itself, "Alive: ", ".")),
            _signs(itself), int(step.group(1)) if step else 0,
            re.findall(r"(\w+) joined at step", _unquoted(text)),
            _doors(_unquoted(text)), re.findall(r"No path leads \w+ to [^:]*: (\w+) is closed", past),
            "\nOptions:\n" in text and re.search(r"^[A-Z]{1,2}\. communicate\(", text, re.M) is None,
        )  # fmt: skip

    def __post_init__(self) -> None:
        """Who was asked for something long ago, and gave no sign since, is not counted on."""
        for name in [n for n in self.alive if n in self.signs]:
            asked = [step for thing in self.needed for step, helper in self._requests(thing) if helper == name]
            if asked and self.now - max(min(asked), self.signs[name]) > PATIENCE:
                self.alive.remove(name)

    # -- deciding -------------------------------------------------------------------------------------------------
    def decide(self) -> tuple[str, str]:
        if "navigate" not in self.able:
            return self._arm()
        return self._way_barred() or self._mover()

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
        far = [t for t, (need, reach) in self.on_table.items() if need and not reach and not self._said(t)]
        if far:
            return "I cannot reach it.", self._request(far, f"Out of my reach at {self.table}")
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

    # -- talking --------------------------------------------------------------------------------------------------
    def _said(self, word: str) -> bool:
        return _names(word, self.said)

    def _request(self, things: list[str], words: str = "Out of my reach") -> str:
        """Every thing is asked of somebody who could bring it, and they take turns."""
        asked: list[str] = []
        busy = dict.fromkeys(self._carriers(), 0)
        for thing in things:
            if helpers := self._helpers(thing) or list(busy):
                helper = min(helpers, key=lambda n: (busy[n], n))
                busy[helper] += 1
                asked.append(f"{helper}, please bring {thing}.")
        where = [f"{t} is at {place}. " for t in things if (place := self._place_of(t))]
        return f'communicate("{words}: {", ".join(things)}. {"".join(where)}{" ".join(asked)}", all)'

    def _carriers(self) -> list[str]:
        return [n for n, (_, able) in sorted(self.team.items()) if n in self.alive and {"navigate", "pick"} <= {*able}]

    def _helpers(self, thing: str) -> list[str]:
        """Teammates that could bring a thing: they get to its place, and have not said that they cannot take it."""
        refused = {n for _, n, words in self.heard if _names(thing, _between(words, "cannot take them: ", "."))}
        return [n for n in self._bringers(thing) if n not in refused]

    def _bringers(self, thing: str) -> list[str]:
        """Teammates whose bodies get to the place of a thing and carry it away."""
        place = self._place_of(thing)
        tag = self.places.get(place, ("", 0))[0]
        able = [n for n in self._carriers() if place not in self.closed.get(n, ())]
        return [n for n in able if tag != "high" or _can_search(tag, *self.team[n])]

    def _place_of(self, thing: str) -> str:
        found = re.match(r"at (\w+)", self.needed.get(thing, ""))
        return found.group(1) if found else ""

    def _asked_for(self, thing: str) -> list[str]:
        """Who was asked to bring a thing, by anybody, the last one last."""
        return [name for _, name in self._requests(thing)]

    def _requests(self, thing: str) -> list[tuple[int, str]]:
        """When somebody was asked to bring a thing, and who."""
        own = [(int(s), self.me, w) for s, w in re.findall(r'(\d+) communicate\("([^"]*)"', self.past)]
        asked = rf"(\w+), please bring {re.escape(thing)}(?!\w)"
        return [(step, name) for step, _, words in sorted(self.heard + own) for name in re.findall(asked, words)]

    def _welcome(self) -> str | None:
        """What a newcomer has missed: it was told before it came."""
        known = [f"{t} is at {place}." for t in self.needed if (place := self._place_of(t))]
        name = next((n for n in self.new if n in self.alive and not self._said(f"Welcome, {n}")), None)
        if name is None or not (known or self.searched):
            return None
        seen = f" Searched: {', '.join(self.searched)}." if self.searched else ""
        return f'communicate("Welcome, {name}. {" ".join(known)}{seen}", {name})'

    def _pass_on_places(self) -> list[str]:
        """Places still to be searched that are closed to me, and where somebody else could go."""
        shut = [] if self.mute else sorted(self.shut_out)
        if self.left is not None:
            return [] if self.mute else [p for _, p, side, who in self.left
                                         if not side and who != "nobody can" and not self._said(p)
                                         and p in self.shut_out]  # fmt: skip
        left = [p for p in shut if p in self.places and p not in self.searched and not self._said(p)]
        others = [n for n in self.team if n in self.alive and "navigate" in self.team[n][1]]
        return [p for p in left if any(self._could_search(n, p) for n in others)]

    def _could_search(self, name: str, place: str) -> bool:
        return place not in self.closed.get(name, ()) and _can_search(self.places[place][0], *self.team[name])

    @property
    def shut_out(self) -> set[str]:
        """Places closed to me as a whole; a closed side leaves the others."""
        return {p for p in self.closed.get("you", ()) if not p.startswith("side ")}

    def _deeds(self, last: int) -> list[str]:
        return re.split(r"; (?=\d+ )", self.past)[-last:]

    def _failed(self, action: str) -> bool:
        """Did this fail within the last few deeds? One who stands in the way may be gone in the next step."""
        failed = [f"{action} FAILED" in deed for deed in self._deeds(4)]
        return failed[-1] or any(f and "stands there" not in deed for f, deed in zip(failed, self._deeds(4)))

    def _moved_in_vain(self) -> bool:
        """Two shifts in a row, and still I reach nothing: a third will not help."""
        return all(re.match(r"\d+ move\(", deed) for deed in self._deeds(2)) and len(self._deeds(2)) == 2

    def _mover(self) -> tuple[str, str]:
        if self.held is not None:
            return self._carry(self.held)
        lost = [t for t, s in self.needed.items() if s == "not found"]
        if lost and "closed box" in self.itself and "open" in self.able and not self._failed(f"open({self.at})"):
            return "It may be inside.", f"open({self.at})"
        mine, telling = self._known()
        if telling:
            return "Somebody else must take it.", self._request(telling, "I found them, but cannot take them")
        near = _between(self.itself, "ithin your reach: ", ".").split(", ")
        if lost and (shut := self._pass_on_places()):
            words = f"I may not enter {', '.join(shut)}; please search there instead of me."
            return "Others can look there.", f'communicate("{words}", all)'
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
        asked = [d for _, _, words in self.heard for d in re.findall(rf"{self.me}, please open (\w+)", words)]
        for door in dict.fromkeys([*self.stopped, *asked]):
            if door not in self.doors:
                continue
            if "open" not in self.able:
                able = [n for n, (_, skills) in sorted(self.team.items()) if n in self.alive and "open" in skills]
                if able and not self.mute and not self._said(door):
                    words = f"{door} is closed, and I cannot open it. {able[0]}, please open {door}."
                    return "Somebody else must open it.", f'communicate("{words}", all)'
            elif self.at == door:
                return f"{door} is in the way.", f"open({door})"
            else:
                for side in range(self.doors[door]):
                    if not self._failed(f"navigate({door}, {side})"):
                        return f"{door} is in the way.", f"navigate({door}, {side})"
        return None

    def _in_the_way(self) -> bool:
        """I stand where somebody of my kind must come to fetch something; what flies passes what rolls."""
        flies = _can_search("high", self.about, self.able)
        alike = [n for n in self._carriers() if _can_search("high", *self.team[n]) is flies]
        return bool(alike) and self.at in {self._place_of(t) for t in self.needed}

    def _aside(self) -> tuple[str, str] | None:
        """A place where nothing needed lies."""
        wanted = {self._place_of(t) for t in self.needed} | {self.at}
        free = [p for p in [*self.searched, *self.places] if p in self.places and p not in wanted | self.shut_out]
        tags = {p: self.places[p][0] for p in free}
        return self._way_to([p for p in free if tags[p] == "box" or _can_search(tags[p], self.about, self.able)])

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
        sides = re.findall(r"\d+", _between(self.itself, "lay it there from side ", "."))
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
        words = _between(self.itself, "It belongs ", ".")
        if into := re.match(r"into (\w+), which is (?:at (\w+)|not found)", words):
            homes = [(into.group(1), into.group(2))] if into.group(2) else []
        else:
            named = words.partition(": put it on ")[2].split(" or ") if ": put it on " in words else [words[3:]]
            homes = [(name, name) for name in named]
        sides = {**{p: n for p, (_, n) in self.places.items()}, self.table: self.table_sides}
        able = [(h, p) for h, p in homes if _can_search(self.places.get(p, ("", 0))[0].replace("box", ""),
                                                        self.about, self.able)]  # fmt: skip
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
        return "I wait until there is a way.", "wait()"

    def _known(self) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
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
            able = {self.me, *self._bringers(thing)}  # whoever asks: nobody waits for one who cannot
            asked = [n for n in self._asked_for(thing) if n in able]
            cannot = how.startswith("you cannot") or (place == self.at and self._moved_in_vain())
            if "pick" not in self.able or cannot or place in self.shut_out:
                mine_to_pass_on = bool(asked) and asked[-1] == self.me
                if not self._said(thing) and (not _names(thing, words) or mine_to_pass_on):
                    telling.append(thing)
            elif not asked or asked[-1] == self.me:
                mine.append((thing, place, sides))
        return mine, telling if self._carriers() else []

    def _next_place(self) -> tuple[str, str] | None:
        if self.left is not None:
            return self._next_left(self.left)

        def open_to_me(place: str) -> bool:
            tag, _ = self.places[place]
            opened = place in self.searched and tag == "box"
            return place not in self.shut_out and (opened or _can_search(tag, self.about, self.able))

        fresh = [p for p in self.places if p not in self.searched and open_to_me(p)]
        asked = [p for _, _, w in self.heard for p in _between(w, "I may not enter ", "; please search").split(", ")]
        first = [p for p in (*self.share, *asked) if p in fresh]
        first += [p for p in reversed(sorted(fresh)) if p not in first]
        again = [p for p in self.searched if p in self.places and open_to_me(p) and p != self.at]
        recent = re.findall(r"navigate\((\w+),", self.past)[-6:]
        again.sort(key=lambda p: p in recent)
        return self._way_to(first + again)

    def _next_left(self, left: list[tuple[str, str, str, str]]) -> tuple[str, str] | None:
        """What is mine, what I was asked to search, what is nobody's, and what others have, from its end."""
        asked = [p for _, _, w in self.heard for p in _between(w, "I may not enter ", "; please search").split(", ")]
        mine = [(p, side) for whose, p, side, _ in left if side and whose == "yours"]
        more = [(p, side) for _, p, side, _ in left if side and p in asked]
        free = [(p, side) for whose, p, side, _ in left if side and whose == "nobody's"]
        rest = [(p, side) for whose, p, side, _ in reversed(left) if side]
        return next(iter([*mine, *more, *free, *rest]), None)


def _unquoted(text: str) -> str:
    """A prompt without what teammates said: nothing in quotes is a line of the system's."""
    return re.sub(r'"[^"\n]*"', '""', text)


def _past(text: str) -> str:
    """Actions and what came of them, which a full prompt lists apart, as a compact one writes them."""
    failed = dict(re.findall(r"^(\d+) (FAILED: .*)$", text, re.M))
    deeds = re.findall(r"^(\d+) (\w+\(.*)$", text, re.M)
    return "; ".join(f"{step} {action} {failed.get(step, '')}".strip() for step, action in deeds)


def _left(text: str) -> list[tuple[str, str, str, str]] | None:
    """What a compact prompt says is left to search: whose, place, the side if I can, who can if it is nobody's."""
    line = re.search(r"^Left to search: (.*)$", text, re.M)
    if line is None:
        return None
    found = []
    for group in line.group(1).removeprefix("nothing new; ").split("; "):
        whose, colon, places = group.partition(": ")
        for place, behind, side, who in re.findall(
            r"(\w+)(?: \((behind \w+)\))?(?: (\d+))?(?: \(([^()]*)\))?", places if colon else group
        ):
            found.append((whose if colon else "nobody's", place, side, who or behind))
    return found


def _searched(text: str) -> list[str]:
    """Places that somebody has searched: those named, or all that are not left."""
    if (named := _after(text, "Searched: ")) or "\nLeft to search: " not in text:
        return re.findall(r"(\w+) \(", named) or [p for p in named.split(", ") if p]
    left = {place for _, place, _, _ in _left(text) or ()}
    return [p for p in _places(text) if p not in left] if "nothing new" not in text else [*_places(text)]


def _names(word: str, text: str) -> bool:
    """Whether a text names a thing: can_0 is not in toucan_0."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _closed(text: str) -> dict[str, list[str]]:
    """robot -> what is closed to it."""
    line = re.search(r"^Closed to .*$", text, re.M)
    found = re.findall(r"Closed to (\w+): ([^.]*)\.", line.group(0)) if line else []
    return {name: places.split(", ") for name, places in found}


def _signs(text: str) -> dict[str, int]:
    """teammate -> step of its last sign; nothing where a heartbeat tells who is there."""
    return {n: int(s) for n, s in re.findall(r"(\w+) (\d+)", _between(text, "last sign of each: ", "."))}


def _doors(text: str) -> dict[str, int]:
    """Closed doors, with the number of their sides (a full prompt does not say it: every door has two)."""
    short = re.search(r"Closed doors with their sides: ([^.;]*)", text)
    if short:
        return {name: len(sides.split()) for name, sides in re.findall(r"(\w+)((?: \d+)+)", short.group(1))}
    return dict.fromkeys(re.findall(r"\w+", _between(text, "Closed doors: ", ".")), 2)


def _between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""
