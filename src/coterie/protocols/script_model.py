"""A control for models: `script` follows the hints of a prompt as a simple program can, and knows nothing else.

Short patterns, no memory, of what teammates say our own sentences alone. Where it wins, the prompt has done the
thinking, and a model that wins there has shown nothing. Without a hint it waits, agrees or says nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import Kind, Model, Options, models
from coterie.protocols.dynahmrc.oracle_scene import NODE, best_shift
from coterie.protocols.shared.conversation import unfolded
from coterie.protocols.shared.templates import first
from coterie.protocols.shared.together import apart

_XY = r"\((-?[\d.]+),(-?[\d.]+)"
#: Needed things for me: place, side, whether to move closer, the sides in a full prompt, who was asked; and for others.
_MINE = re.compile(
    r"\w+ at (\w+)(?: (\d+))?(,? \(?move closer\)?)?"
    r"(?: \((?:you|from side ([\d ]+))[^();]*(?:; asked: (\w+))?\)|$|(?=;))"
)
_OTHERS = re.compile(r"(\w+) at (\w+)(?: \((?!from|move|blocked)(\w+)[^();]*(?:; asked: (\w+))?\)|$|(?=;))")
_FAILED = re.compile(r"(\w+\([^()]*\)) FAILED")
_THING = re.compile(r"\b[a-z]\w*_\d+\b")
SAID = "As the prompt says."


class Hints(NamedTuple):
    """The hints of a prompt for one robot, each list in the order in which it would go about it."""

    able: Collection[str]
    at: str
    side: str
    table: str
    held: str
    wanted: bool  # what it holds is needed
    homes: list[str]  # where that goes
    vain: list[str]  # what has just failed
    shut: bool = False  # it stands at a closed box or door
    sides: Sequence[str] = ()  # of the table, from which the arm takes what is laid down
    take: Sequence[str] = ()
    fetch: Sequence[tuple[str, str, bool]] = ()  # place, side, and whether to move closer there
    left: Sequence[tuple[str, str]] = ()  # places to search, with a side
    tell: str = ""
    aside: Sequence[str] = ()  # places where it is in nobody's way, if it stands where something is to be fetched

    def wishes(self) -> Iterator[str]:
        """Its wishes, the best first, without those that it cannot do or that have just failed."""
        able = {*self.able, "communicate"}
        return (deed for deed in self._wishes() if deed not in self.vain and deed.partition("(")[0] in able)

    def _wishes(self) -> Iterator[str]:
        here, moves = (self.at, self.side), "navigate" in self.able
        if self.held:
            if not self.wanted:
                yield f"place({self.held}, {self.at})"
            yield from (f"place({self.held}, {home})" for home in self.homes if home == self.at or not moves)
            if self.at == self.table and (self.side in self.sides or not moves):
                yield f"place({self.held}, {self.table})"
            ways = [(self.table, s) for s in self.sides] or [(home, s) for home in self.homes for s in "0123"]
            yield from (f"navigate({p}, {s})" for p, s in ways if (p, s) != here)
            return
        yield from (f"pick({thing})" for thing in self.take)
        yield from (f"open({self.at})" for _ in range(self.shut))
        yield from (f'communicate("{self.tell}", all)' for _ in range(bool(self.tell)))
        yield from ("move()" if (p, s) == here and closer else f"navigate({p}, {s})" for p, s, closer in self.fetch)
        yield from (f"navigate({p}, {s})" for p, s in self.left if (p, s) != here)
        yield from (f"navigate({p}, 0)" for p in self.aside)


class Script:
    name = "script"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        texts = ["\n".join(t for _, t in unfolded(ask.prompt)) for ask in asks]
        said = [reply_to(ask.prompt[0][1], text) for ask, text in zip(asks, texts)]
        lacking = "The script finds nothing to follow in this prompt."
        return [Reply(s, len(t) // 4, len(s) // 4, "" if s else lacking) for s, t in zip(said, texts)]


def reply_to(system: str, text: str) -> str:
    """The reply to a prompt, whose stage shows in what it asks for; empty where it hints at nothing."""
    me = first(r"You are (\w+)", system)
    if "elects a leader" in system or "referee of an election" in system:
        return f"Leader: {min(first(r'^Candidates: (.*)', text).split(', '))}"
    if "Introduce yourself" in system:
        return f"Content: I am {me}, {first(r'You are [^,]*, (.*)', system).rstrip('.')}."
    if "Propose who" in system or "You lead the team" in system:
        return f"Plan: {_shares(text)}\nSpeech: My plan leaves no place out."
    if "stops for a discussion" in system:
        return f"Summary: {first(r'^Searched: (.*)', text) or 'nothing searched yet'}\nPlan: go on."
    if "You shift your base" in system:
        return f"Move: {best_shift(text)}"
    if "You coordinate a team" in system:
        return f"Thought: {SAID}\n{_orders(text)}"
    if "You may send one message" in system:
        return f"Message: {_hints(text, me).tell or 'nothing'}"
    if "Choose the best of the options" in system:
        listed = {what: letter for letter, what in re.findall(r"^([A-Z]{1,2})\. (.*)$", text, re.M)}
        told = next((letter for what, letter in listed.items() if what.startswith("communicate(")), "")
        wishes = _hints(text, me, {what.partition("(")[0] for what in listed}).wishes()
        letters = (told if w.startswith("communicate(") else listed.get(w) for w in (*wishes, "wait()"))
        return f"Thought: {SAID}\nOption: {next(filter(None, letters), 'A')}"
    if "Action: one skill" in system:
        graph = ", carries " in system and "\nNeeded: " not in text
        return f"Thought: {SAID}\nAction: {next((_in_graph if graph else _hints)(text, me).wishes(), 'wait()')}"
    return _elsewhere(system, text)


# -- reading ----------------------------------------------------------------------------------------------------------
def _listed(pattern: str, text: str) -> list[str]:
    return [x for x in re.split(r", | or ", first(pattern, text)) if x and x != "nothing"]


def _names(word: str, text: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None


def _base(text: str, able: Collection[str] = ()) -> Hints:
    """The hints that all prompts give alike."""
    held, past = first(r"You hold (\w+)", text), first(r"^Done lately: (.*)", text)
    failed = re.findall(r"^(\d+) FAILED", text, re.M)
    acts = [f"{n} {a}{' FAILED' * (n in failed)}" for n, a in re.findall(r"^(\d+) (\w+\(.*)$", text, re.M)]
    vain = _FAILED.findall("; ".join((re.split(r"; (?=\d+ )", past) if past else acts)[-4:]))
    homes = [first(r"It goes on (\w+)", text) or first(rf"^Goal:.*\b{held} on (\w+_panel)", text)]
    if bring := first(r"It belongs (?:to|into) ([^.]*)", text):
        homes = re.findall(r"\w+", re.sub(r".*put it on |, which.*| or ", " ", bring))
    elif not homes[0]:
        homes = [first(r"^Goal:.*?(?:into|Stack on) the (\w+)", text)]
    return Hints(
        able or re.findall(r"^(\w+)\(.*\):", text, re.M), first(r"You are at (\w+)", text),
        first(r"You are at \w+, side (\d+)", text), first(r"^Work table: (\w+)", text), held,
        "(not needed)" not in first(r"(You hold .*)", text), homes, vain, "which is a closed" in text,
    )  # fmt: skip


def _hints(text: str, me: str, able: Collection[str] = ()) -> Hints:
    """Of a prompt with bookkeeping: `assisted` has all of it, `full` leaves out sides and whose turn it is."""
    h = _base(text, able)
    needed, moves = first(r"^Needed: (.*)", text), "navigate" in h.able
    take = _listed(r"[Ww]ithin your reach: ([^.]*)\.", text)
    if "To take within" not in text:
        ready = re.findall(rf"(\w+) \(needed, (?:you|{me}) reach", first(r"^On (.*)", text))
        ready = [t for t in ready if _layer(text) in ("", t)] + _listed(r"To be taken off: ([^.]*)\.", text)[:1]
        take = [t for t in take if _names(f"{t} at", needed)] if moves else ready
    said = " ".join(re.findall(r"communicate\(.*?\)", text.partition("Goal: ")[2].partition("\nOptions:")[0]))
    known = f"{said} {first(r'^Heard: (.*)', text)}"
    carriers = [n for n, about in sorted(_team(text).items()) if "carries" in about and n != me]
    tell = [
        f"{thing} is at {place}. {who if who in carriers else carriers[-1]}, please bring {thing}."
        for thing, place, who, asked in _OTHERS.findall(needed if carriers else "")
        if who != "nobody" and (who != "you" or "you cannot" in needed)
        and not _names(thing, said if asked == "you" else known)
    ]  # fmt: skip
    fetch = [
        (place, side or from_side[:1] or "0", bool(closer))
        for place, side, closer, from_side, asked in _MINE.findall(needed if {"navigate", "pick"} <= {*h.able} else "")
        if asked in ("", "you") and (side or closer or from_side)
    ]
    sides = re.findall(r"\d+", first(r"lay it there from side ([\d or]+)", text))
    aside = [p for p in _within(text, me) if not _names(p, needed)] if _names(f"at {h.at}", needed) else []
    return h._replace(sides=sides, take=take, fetch=fetch, left=_left(text, me), tell=" ".join(tell), aside=aside)


def _layer(text: str) -> str:
    """The next layer of a stack; empty where there is none."""
    goal, there = (_listed(rf"^{head}:.*bottom to top: ([^.]*)", text) for head in ("Goal", "Status"))
    return next((t for i, t in enumerate(goal) if t not in there[i : i + 1]), "")


def _left(text: str, me: str) -> list[tuple[str, str]]:
    """The places left to search: mine, nobody's, then what others have, from the end."""
    if left := first(r"^Left to search: (.*)", text):
        groups = re.findall(r"(?:^|; )(?:([\w' ]+): )?([^:;]+)", left)
        rank = [({"yours": 0, "nobody's": 1, "": 1}.get(whose, 2), places) for whose, places in groups]
        found = [(r, re.findall(r"(\w+)(?: \(behind \w+\))? (\d+)", places)) for r, places in rank]
        return [x for _, places in sorted((r, p if r < 2 else p[::-1]) for r, p in found) for x in places]
    return [(p, s) for p in _unsearched(text, me) for s in "01"] if "not found" in text else []


def _unsearched(text: str, name: str) -> list[str]:
    """Places that a robot can search and nobody has, as a prompt lists them: its own part of the plan first."""
    left, seen = first(r"^Left to search: (.*)", text), first(r"^Searched: (.*)", text)
    own = first(rf"\b{name}: ([\w, ]+)", first(r"plan: \"(.*)\"", text)).split(", ")
    return sorted(
        (p for p in _within(text, name) if (_names(p, left) if left else not _names(p, seen))),
        key=lambda p: p not in own,
    )


def _within(text: str, name: str) -> list[str]:
    return [p for p, tag in _places(text).items() if _can(_team(text).get(name, ""), tag)]


def _places(text: str) -> dict[str, str]:
    """Furniture but the table, with what it is: a box, high, or neither."""
    listed = re.findall(r"(\w+)( box| high)?(?: \d+)+(?:, |$)", first(r"^Places with their sides: (.*)$", text))
    nodes = {m["name"]: m["kind"].replace("surface", "") for m in NODE.finditer(text) if not m["carries"]}
    return nodes or {name: tag.strip() for name, tag in listed}


def _can(about: str, tag: str) -> bool:
    flies, opens = re.search(r"\bflies\b|\bdrone\b", about), "opens" in about
    return bool(flies) if tag == "high" else opens if tag == "box" else bool(flies or "drives" in about)


def _team(text: str) -> dict[str, str]:
    own = re.findall(r'You are (\w+), "([^"]*)"', text)
    return dict([*own, *re.findall(r'(\w+)(?: says)?: "([^"]*)"', apart(first(r"^Team: (.*)", text)))])


def _shares(text: str) -> str:
    """Every place for one who can search it and has least to do."""
    shares: dict[str, list[str]] = {name: [] for name in sorted(_team(text))}
    able = {p: [n for n in shares if p in _unsearched(text, n)] for p in _places(text)}
    for place in sorted(able, key=lambda p: len(able[p])):
        if able[place]:
            shares[min(able[place], key=lambda n: len(shares[n]))].append(place)
    return "; ".join(f"{n}: {', '.join(found) or 'what is within its reach'}" for n, found in shares.items())


def _orders(text: str) -> str:
    """One planner for all: each robot by its own lines, and no two for the same."""
    common, *blocks = re.split(r"^\[(?=\w+\] )", text, flags=re.M)
    lines, taken = list[str](), set[str]()
    status = "".join(blocks[-1].partition("\nStatus:")[1:])
    for name, own in (block.split("] ", 1) for block in blocks):
        able = first(rf"\b{name}: [^()]*\(([^()]*)\)", common).split(", ")
        acts = re.findall(rf"\d+ {name}: (\w+\([^()]*\))( FAILED|)", common)[-4:]
        left = [(p, s) for p in _unsearched(common, name) for s in "01"]
        h = _hints(f"{common}\n{own}\n{status}", name, able)
        h = h._replace(left=left, tell="", vain=[act for act, failed in acts if failed])
        deed = next((d for d in h.wishes() if not {*re.findall(r"\w+", d)} & taken), "wait()")
        lines.append(f"{name}: {deed}")
        taken |= {*re.findall(r"\((\w+)", deed)} - {h.table} if not deed.startswith("place(") else set()
    return "\n".join(lines)


# -- with the paper's information -------------------------------------------------------------------------------------
def _in_graph(text: str, me: str) -> Hints:
    """Of a prompt with a scene graph and queues: what is needed and where, worked out from names and positions."""
    goal, status, heard = (apart(first(rf"^{head}: (.*)", text)) for head in ("Goal", "Status", "Heard"))
    nodes, h, done = {m["name"]: m for m in NODE.finditer(text)}, _base(text), text.partition("Your last actions")[2]
    table, team = next((n for n, m in nodes.items() if m["carries"]), ""), _team(text)
    table = first(rf"\b{h.held} to (\w+)", goal) if h.held and not table else table
    wanted = [t for t in _THING.findall(goal) if t != table and not _names(t, status)]
    spots = {
        t: (float(x), float(y)) for m in nodes.values() for t, x, y in re.findall(rf"(\w+) {_XY}", m["things"] or "")
    }
    here, reach = _spot(text), float(first(r"You reach ([\d.]+) m", text) or 0)
    near = [t for t, spot in spots.items() if math.dist(spot, here) <= reach]
    laid = {t: int(n) for n, t in re.findall(r"^(\d+) place\((\w+)", done, re.M)}
    too_far = re.findall(r'(\d+) \w+: "Out of my reach at (\w+): ([\w, ]+)\.', heard)
    far = {t: p for n, p, row in too_far for t in row.split(", ") if int(n) > laid.get(t, -1)}
    where = {t: p for t, p in re.findall(r"(\w+) is at (\w+)", heard) if p in nodes} | far
    where |= {t: n for n, m in nodes.items() for t in re.findall(r"(\w+) \(", m["things"] or "")}
    asked = {t: n for n, t in re.findall(r"(\w+), please bring (\w+)", heard)}
    mine, others, moves = list[str](), list[str](), "navigate" in h.able
    for t in (t for t in wanted if t in where):
        if where[t] == table and t not in far:
            others += [t] if not moves and t in spots and t not in near else []
        elif moves and "pick" in h.able and _can(team[me], nodes[where[t]]["kind"].replace("box", "")):
            mine += [t] if asked.get(t, me) == me else []
        elif moves:
            others.append(t)
    take = [t for t in mine if t in near]
    if not moves:
        take = [t for t in wanted if t in near and where.get(t) == table and _layer(text) in ("", t)]
        take += [t for t in _THING.findall(status) if not _names(t, goal)]
    carriers = [n for n, about in sorted(team.items()) if "carries" in about and n != me]
    words = "{0} is at {1}. {2}, please bring {0}." if moves else "Out of my reach at {1}: {0}. {2}, please bring {0}."
    told = " ".join(re.findall(r"communicate\(.*", done))
    untold = [t for t in others if carriers and t not in asked and not _names(t, told)]
    tell = [words.format(t, where[t], carriers[-1]) for t in untold]
    fetch = [(where[t], s, True) for t in mine for s in _sides(nodes[where[t]]["sides"], spots.get(t, here))]
    lost, walked = any(t not in where for t in wanted), re.findall(r"navigate\((\w+)", done)
    fresh = sorted(_unsearched(text, me), key=lambda p: (walked.count(p), bool(nodes[p]["things"])))
    sides = _sides(nodes[table]["sides"], here) if moves and table in nodes else []
    if any(_names(h.held or "-", row) for _, _, row in too_far):
        sides = sides[1:] + sides[:1]  # from where it was laid before, the arm did not reach it
    return h._replace(
        table=table, wanted=h.held in wanted, sides=sides, take=take,
        shut=lost and h.at in nodes and nodes[h.at]["state"] == "closed",
        fetch=fetch, left=[(p, s) for p in fresh if lost for s in "01"], tell=" ".join(tell),
        aside=[p for p in _within(text, me) if p not in where.values()] if h.at in where.values() else [],
    )  # fmt: skip


def _spot(text: str) -> tuple[float, float]:
    found = re.search(rf"Your position is {_XY}", text)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def _sides(sides: str, spot: tuple[float, float]) -> list[str]:
    """The nearest first."""
    rows = [(math.dist((float(x), float(y)), spot), s) for s, x, y in re.findall(rf"(\d+)={_XY}", sides)]
    return [s for _, s in sorted(rows)]


# -- other worlds -----------------------------------------------------------------------------------------------------
def _elsewhere(system: str, text: str) -> str:
    """The first choice in a yard; at a table and in a house nothing hints at what is to be done."""
    if "around a table" in system:
        waits = [f"NAME {name} ACTION WAIT" for name in first(r"arms ([\w, ]+) around", system).split(", ")]
        return "I Agree" if '"I Agree"' in system else "\n".join(["Nothing hints at a plan.", "EXECUTE", *waits])
    return first(r"^Answer with one of: (.*?)(?:, |\.$)", system)


def _make(rest: str, options: Options) -> Model:
    if rest:
        raise CoterieError(f"The model 'script' takes nothing after it, not '{rest}'.")
    return Script()


models.put("script", Kind("script", "a program that follows a prompt's hints: a control for every model", _make))
