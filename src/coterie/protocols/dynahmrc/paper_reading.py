"""How the text oracle reads the paper's prompts: it works out from graph, queues and words what other prompts say.

The result is the same situation in the lines of a compact prompt. What is not in the text is not in it either: who has
looked where is known for the last ten actions and messages alone, and who may do the final placement only once somebody
has failed at it.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from coterie.protocols.shared import sentences

_NODE = re.compile(
    r"^(?P<name>\w+): \w+, (?P<kind>box|high|surface)(?:, (?P<state>open|closed))?, [\d.]+ m high, "
    r"sides (?P<sides>(?:\d+=\([-\d.,]+\) ?)+)(?:, carries (?P<carries>[\w, ]+?))?(?:, things: (?P<things>.*))?$",
    re.M,
)
_SIDE = re.compile(r"(\d+)=\(([-\d.]+),([-\d.]+)\)")
_THING = re.compile(r"(\w+)(?: on the floor)?(?: \(([-\d.]+),([-\d.]+),[-\d.]+\))?(?:, |$)")
_TARGET = re.compile(r"\b[a-z]\w*_\d+\b")
_TELLS = re.compile(r"\b(\w+) is (?:at|on|in) (\w+)")


class Node(NamedTuple):
    """A piece of furniture as the scene graph shows it."""

    name: str
    tag: str
    state: str
    sides: dict[str, tuple[float, float]]
    carries: str
    things: dict[str, tuple[float, float] | None]


def is_paper(text: str) -> bool:
    """Only its scene graph has the table in it, with what stands on it."""
    return any(m["carries"] for m in _NODE.finditer(text))


def as_compact(text: str) -> str:
    """A prompt of the paper's style in the lines of a compact one; the stages are told apart as always."""
    nodes = [_node(m) for m in _NODE.finditer(text)]
    table = next((n for n in nodes if n.carries), None)
    places = [n for n in nodes if n is not table]
    team = _team(text)
    arm = next((n for n, able in team.items() if "navigate" not in able), "the arm")
    kept = [
        line for line in text.splitlines() if not _NODE.match(line) and not line.startswith(("Team: ", "Scene graph"))
    ]
    cards = [f"{n}: {_about(text, n)} ({', '.join(able)})." for n, able in team.items()]
    listed = [" ".join(filter(None, (n.name, n.tag, *n.sides))) for n in places]
    head = [f"Team: {' '.join(cards)}", f"Places with their sides: {', '.join(listed)}"]
    if table is not None:
        head.append(f"Work table: {table.name} {' '.join(table.sides)}, with {table.carries}; {arm} works there.")
    out = [kept[0], *head, *kept[1:]]
    if re.search(r"^Step \d+ of", text, re.M) is None or table is None:
        return "\n".join(out)
    past = _past(text)
    lines = [*_needed(text, nodes, table, past), f"Done lately: {past}"]
    searched = _searched(nodes, table, past, text)
    lines.append(f"Searched: {', '.join(searched)}" if searched else "")
    shut = sorted(set(re.findall(r"navigate\((\w+), \d+\) FAILED: [^;]*closed to", past)))
    lines.append(f"Closed to you: {', '.join(shut)}." if shut else "")
    at = next(i for i, line in enumerate(out) if line.startswith("Step "))
    lines = [x for x in lines if x]
    goal, status = (next((x for x in out if x.startswith(head)), "") for head in ("Goal: ", "Status: "))
    if off := _off(goal, status):
        out = [f"{x} To be taken off: {', '.join(off)}." if x is status else x for x in out]
    return "\n".join([*out[:at], *lines, _itself(out[at], text, table, nodes, team, arm)])


def final(action: str, text: str) -> str:
    """A carrier tries to put a thing where it belongs, until somebody has failed at that."""
    placed = re.fullmatch(r"place\((\w+), (\w+)\)", action)
    table = next((m for m in _NODE.finditer(text) if m["carries"]), None)
    if placed is None or table is None or placed.group(2) != table["name"]:
        return action
    platforms = table["carries"].split(", ")
    tried = any(re.search(rf"place\(\w+, {p}\) FAILED", _past(text)) for p in platforms)
    goal = re.search(r"^Goal: (.*)$", text, re.M)
    home = re.search(rf"\b{placed.group(1)} on (\w+_panel)", goal.group(1) if goal else "")
    aimed = home.group(1) if home else platforms[0] if len(platforms) == 1 else ""
    wanted = aimed and goal is not None and placed.group(1) in goal.group(1)
    return f"place({placed.group(1)}, {aimed})" if wanted and not tried else action


# -- pieces -----------------------------------------------------------------------------------------------------------
def _node(m: re.Match[str]) -> Node:
    sides = {s: (float(x), float(y)) for s, x, y in _SIDE.findall(m["sides"])}
    things = {t: (float(x), float(y)) if x else None for t, x, y in _THING.findall(m["things"] or "") if t}
    return Node(m["name"], m["kind"].replace("surface", ""), m["state"] or "", sides, m["carries"] or "", things)


def _team(text: str) -> dict[str, list[str]]:
    found = {}
    for name, said in re.findall(r'(\w+) says: "([^"]*)"', text):
        able = ["navigate"] if re.search(r"\b(drives?|fl(?:y|ies)|wheel\w*|drone)\b", said) else []
        able += ["open"] if re.search(r"(?<!cannot )\bopens?\b", said) else []
        able += ["pick", "place"] if re.search(r"\b(carr(?:y|ies)|picks?|gripper|manipulator)\b", said) else []
        found[name] = able
    return found


def _about(text: str, name: str) -> str:
    said = re.search(rf'{name} says: "([^"]*)"', text)
    return re.sub(r"[()\"']", "", said.group(1) if said else "unknown").rstrip(".")


def _past(text: str) -> str:
    failed = dict(re.findall(r"^(\d+) (FAILED: .*)$", text, re.M))
    deeds = re.findall(r"^(\d+) (\w+\(.*)$", text, re.M)
    return "; ".join(f"{step} {action} {failed.get(step, '')}".strip() for step, action in deeds)


def _searched(nodes: list[Node], table: Node, past: str, text: str) -> list[str]:
    heard = re.search(r"^Heard: (.*)$", text, re.M)
    told = re.findall(r"Searched: ([\w, ]+)\.", heard.group(1) if heard else "")
    there = [p for names in told for p in names.split(", ")]
    for deed in past.split("; "):
        if "FAILED" not in deed:
            there += re.findall(r"(?:navigate|open)\((\w+)", deed)
    known = [n.name for n in nodes if n is not table and (n.things or (n.name in there and n.state != "closed"))]
    return known + [
        p for p in there if p in {n.name for n in nodes if n.state != "closed" and n is not table} - {*known}
    ]


def _needed(text: str, nodes: list[Node], table: Node, past: str) -> list[str]:
    goal = re.search(r"^Goal: (.*)$", text, re.M)
    status = re.search(r"^Status: (.*)$", text, re.M)
    held = re.search(r"You hold (\S+)\.", text)
    heard = re.search(r"^Heard: (.*)$", text, re.M)
    told = _told(heard.group(1) if heard else "", nodes)
    targets = dict.fromkeys(_TARGET.findall(goal.group(1) if goal else ""))
    parts, on_table = [], []
    for t in targets:
        node = next((n for n in nodes if t in n.things), None)
        if (status and re.search(rf"\b{t}\b", status.group(1))) or t == table.name:
            continue
        if held is not None and held.group(1) == t:
            parts.append(f"{t} in your hand")
        elif node is table and not _left_to_me(text, t, heard.group(1) if heard else "", past):
            on_table.append(f"{t} (needed, {_arm_words(text, table, t)})")
        elif node is not None or t in told:
            parts.append(f"{t} at {_from(text, node, told.get(t, ''), t, nodes)}")
        else:
            parts.append(f"{t} not found")
    lines = [f"Needed: {'; '.join(parts) or 'nothing more has to be fetched'}"]
    return lines + ([f"On {table.name}: {'; '.join(on_table)}"] if on_table else [])


def _told(heard: str, nodes: list[Node]) -> dict[str, str]:
    """Where things are, as teammates say."""
    found = dict(_TELLS.findall(heard))
    for place, things in sentences.OUT_OF_REACH.heard(heard):
        found |= dict.fromkeys(things, place)
    return {t: p for t, p in found.items() if p in {n.name for n in nodes}}


def _left_to_me(text: str, thing: str, heard: str, past: str) -> bool:
    """Whether the arm says that it does not reach a thing on its table, and I have not laid it there since."""
    said = [int(step) for step, words in re.findall(r'(\d+) \w+: "([^"]*)"', heard)
            if any(thing in things for _, things in sentences.OUT_OF_REACH.heard(words))]  # fmt: skip
    laid = [int(step) for step in re.findall(rf"(\d+) place\({thing}, \w+\)(?! FAILED)", past)]
    return _moves(text) and bool(said) and max(said) > max(laid, default=-1)


def _moves(text: str) -> bool:
    return "navigate(" in text.partition("\nPrinciples")[0]


def _off(goal: str, status: str) -> list[str]:
    """What the status names that does not belong there; of a stack everything from the first wrong layer on."""
    there, wanted = _TARGET.findall(status), _TARGET.findall(goal)
    if "bottom to top" in goal:
        good = 0
        while good < min(len(there), len(wanted)) and there[good] == wanted[good]:
            good += 1
        return there[: good - len(there) - 1 : -1] if good < len(there) else []
    wrong = [t for t in there if t not in wanted]
    placed = re.findall(r"(\w+_\d+) on (\w+_panel)", status)
    return wrong + [t for t, panel in placed if t in wanted and f"{t} on {panel}" not in goal]


def _position(text: str) -> tuple[float, float]:
    found = re.search(r"Your position is \(([-\d.]+),([-\d.]+)\)", text)
    return (float(found.group(1)), float(found.group(2))) if found else (0.0, 0.0)


def _reach(text: str) -> float:
    found = re.search(r"You reach ([\d.]+) m far", text)
    return float(found.group(1)) if found else 0.0


def _arm_words(text: str, table: Node, thing: str) -> str:
    spot = table.things[thing]
    far = not _moves(text) and spot is not None and math.dist(_position(text), spot) > _reach(text)
    return "out of your reach" if far else "the arm reaches it"


def _from(text: str, node: Node | None, told: str, thing: str, nodes: list[Node]) -> str:
    """The place, the side nearest to the thing, and whether the reader can go there."""
    node = node or next(n for n in nodes if n.name == told)
    flies = re.search(r"^You are [^\n]*\b(fl(?:y|ies)|drone)\b", text) is not None
    if "\npick(" not in text or "\nnavigate(" not in text or (node.tag == "high" and not flies):
        return f"{node.name} (you cannot take it)"
    spot = node.things.get(thing)
    if spot is None:
        return f"{node.name} (from side {' '.join(node.sides)})"
    best = sorted(node.sides, key=lambda s: math.dist(node.sides[s], spot))
    near = [s for s in best if math.dist(node.sides[s], spot) <= _reach(text)]
    return f"{node.name} (from side {' '.join(near)})" if near else f"{node.name} {best[0]}, move closer (you)"


def _itself(line: str, text: str, table: Node, nodes: list[Node], team: dict[str, list[str]], arm: str) -> str:
    goal = re.search(r"^Goal: (.*)$", text, re.M)
    targets = set(_TARGET.findall(goal.group(1) if goal else ""))
    at = re.search(r"You are at (\w+)", line)
    here = next((n for n in nodes if at is not None and n.name == at.group(1)), None)
    if here is not None and here.state == "closed":
        line = re.sub(r"(You are at \w+(?:, side \d+)?)\.", r"\1, which is a closed box.", line)
    spots = here.things.items() if here is not None else ()
    near = [t for t, spot in spots if spot is not None and math.dist(_position(text), spot) <= _reach(text)]
    if held := re.search(r"You hold (\S+)\.", line):
        need = "needed" if held.group(1) in targets else "not needed"
        line = line.replace(held.group(), f"You hold {held.group(1)} ({need}).")
    if "You hold" in line:
        line += f" {arm} can take it from {table.name} if you lay it there from side {' or '.join(table.sides)}."
    else:
        line += f" Within your reach: {', '.join(near) or 'nothing'}."
    return f"{line} Alive: {', '.join(team) or 'nobody else'}."
