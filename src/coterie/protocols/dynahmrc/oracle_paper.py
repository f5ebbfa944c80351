"""How the text oracle reads the paper's prompts: it works out from graph, queues and words what other prompts say.

The result is the same page with the digests of a compact one. What is not in the text is not in it either: who has
looked where is known for the last ten actions and messages alone, and who may do the final placement only once a robot
has failed at it.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from coterie.protocols.dynahmrc.oracle_deciding import Deciding
from coterie.protocols.dynahmrc.oracle_scene import NODE, SHUT, can_search, homes_of, names, past_of
from coterie.protocols.shared import sentences
from coterie.protocols.shared.templates import Page, first

_SIDE = re.compile(r"(\d+)=\(([-\d.]+),([-\d.]+)\)")
_THING = re.compile(r"(\w+)(?: on the floor)?(?: \(([-\d.]+),([-\d.]+),[-\d.]+\))?(?:, |$)")
_TARGET = re.compile(r"\b[a-z]\w*_\d+\b")
MANY = 10**6  # steps
SAME = 0.08  # m: distances in the prompt are rounded
_TELLS = re.compile(r"\b(\w+) is (?:at|on|in) (\w+)")


class Node(NamedTuple):
    """A piece of furniture as the scene graph shows it."""

    name: str
    tag: str
    state: str
    sides: dict[str, tuple[float, float]]
    carries: str
    things: dict[str, tuple[float, float] | None]
    room: str = ""


def is_paper(page: Page) -> bool:
    """True if a page is in the paper's style: besides its scene graph, nothing says where things are."""
    return bool(page["scene_graph"]) and not (page["table_line"] or page["found"])


def with_digests(page: Page) -> Page:
    """The page with what the slots of a compact prompt would hold."""
    nodes = [_node(m) for m in NODE.finditer(page["scene_graph"])]
    table = next((n for n in nodes if n.carries), None)  # there is none where things are brought all over a house
    team = _team(page)
    arm = next((n for n, able in team.items() if "navigate" not in able), "the arm")
    listed = [" ".join(filter(None, (n.name, n.tag, *n.sides))) for n in nodes if n is not table]
    page = page.but(
        team=" ".join(f"{n}: {_about(page, n)} ({', '.join(able)})." for n, able in team.items()),
        places=", ".join(listed),
        table_line=f"{table.name} {' '.join(table.sides)}, with {table.carries}; {arm} works there."
        if table is not None
        else "none in this house.",
    )
    if not page["step"]:
        return page.but(scene_graph="")
    gone = _gone(page, team)
    past = "; ".join(d for d in past_of(page).split("; ") if not any(f"{n}, please" in d for n in gone))
    found, on_table = _needed(page, nodes, table, past)
    failed = re.findall(r"navigate\((\w+), \d+\) FAILED: [^;]*closed to", past)
    shut = sorted({p for p in failed if _barred(p, nodes, past)})
    off = _off(page["goal"], page["status"])
    return page.but(
        scene_graph="",
        lately=past,
        found=found,
        on_table=on_table,
        searched=", ".join(_searched(nodes, table, past, page["messages"])),
        closed=f"Closed to you: {', '.join(shut)}." if shut else "",
        doors=f"Closed doors: {', '.join(doors)}." if (doors := _doors(past, page["messages"])) else "",
        status=page["status"] + (f" To be taken off: {', '.join(off)}." if off else ""),
        self=_itself(page, table, nodes, [n for n in team if n not in gone], arm),
    )


def evidence(scene: Deciding, page: Page) -> str:
    """Evidence for a decision, thing by thing and place by place: a pupil that says it first has less to find out."""
    nodes = {n.name: n for n in (_node(m) for m in NODE.finditer(page["scene_graph"]))}
    if "navigate" not in scene.able and scene.table in nodes:
        spots, here = nodes[scene.table].things, _position(page)
        needed = [t for t, (need, _) in scene.on_table.items() if need]
        far = [f"{t} {_off_by(page, t, spots.get(t), here)}" for t in needed]
        layer = f"Next: {nxt}. " if (nxt := scene.next_layer()) else ""
        return f"{layer}Here: {', '.join(far) or 'nothing needed'}."
    if scene.held is not None:
        home = _home_words(page, scene.held, [*nodes.values()]) if scene.held in homes_of(page["goal"]) else "needed."
        return f"In hand: {scene.held}, {home if '(needed)' in scene.itself else 'not needed.'}"
    mine = {t for t, _, _ in scene.known()[0]}
    first_of_mine = next((t for t in scene.needed if t in mine), "")
    things = [
        f"{t} {_whence(page, nodes, t, scene.needed[t]) if t == first_of_mine else _whereabouts(scene, t)}"
        for t in targets_of(page["goal"])
    ]
    told = f"Things: {'; '.join(things)}."
    return told if mine or "not found" not in scene.needed.values() else f"{told} Places: {_looked_through(scene)}."


def _whereabouts(scene: Deciding, thing: str) -> str:
    """In few words where a thing is and who sees to it."""
    state = scene.needed.get(thing)
    if state is None:
        return "on the table" if thing in scene.on_table else "there"
    place = first(r"^at (\w+)", state)
    if not place:
        return "unseen"
    asked = scene.asked_for(thing)
    if asked and asked[-1] != scene.me:
        return f"at {place}, for {asked[-1]}"
    if "you cannot" not in state:
        return f"at {place}"
    known = scene.has_said(thing) or names(thing, " ".join(words for _, _, words in scene.heard))
    return f"at {place}, not for me, {'told' if known else 'to tell'}"


def _looked_through(scene: Deciding) -> str:
    """Places in the order in which they are searched, up to the first that is left: mine, else all from the last on."""
    own = [p for p in scene.share if p in scene.places]
    for places in (own, [p for p in reversed(scene.places) if p not in own]):
        marks = [f"{p} {_mark(scene, p)}" for p in places]
        if left := [m for m in marks if m.endswith(" new")]:
            return ", ".join(marks[: marks.index(left[0]) + 1])
    return "all seen"


def _mark(scene: Deciding, place: str) -> str:
    tag, _ = scene.places[place]
    if place in scene.shut_out:
        return "shut"
    if place in scene.searched:
        return "seen"
    return "new" if can_search(tag, scene.about, scene.able) else tag.replace("box", "closed")


def _whence(page: Page, nodes: dict[str, Node], thing: str, where: str) -> str:
    """Where a thing is, and how far it is from each side of its place."""
    place = first(r"^at (\w+)", where)
    if not place:
        return where.replace("your", "my")
    node = nodes[place]
    if "you cannot" in where:
        return f"at {node.name}, not for me"
    spot = node.things.get(thing)
    if spot is None:
        return f"at {node.name}, told"
    return f"at {node.name}, {', '.join(f'{s} {_off_by(page, thing, spot, at)}' for s, at in node.sides.items())}"


def _off_by(page: Page, thing: str, spot: tuple[float, float] | None, at: tuple[float, float]) -> str:
    if spot is None:
        return "near"
    near = "near" if _near(page, thing, spot, at) else "far"
    return f"{abs(at[0] - spot[0]):.1f} {abs(at[1] - spot[1]):.1f} {near}"


def final(action: str, page: Page) -> str:
    """A carrier tries to put a thing where it belongs, until a robot has failed at that."""
    placed = re.fullmatch(r"place\((\w+), (\w+)\)", action)
    table = next((m for m in NODE.finditer(page["scene_graph"]) if m["carries"]), None)
    if placed is None or table is None or placed.group(2) != table["name"]:
        return action
    platforms, goal = table["carries"].split(", "), page["goal"]
    tried = any(re.search(rf"place\(\w+, {p}\) FAILED", past_of(page)) for p in platforms)
    aimed = first(rf"\b{placed.group(1)} on (\w+_panel)", goal, platforms[0] if len(platforms) == 1 else "")
    wanted = aimed and placed.group(1) in goal
    return f"place({placed.group(1)}, {aimed})" if wanted and not tried else action


# -- pieces -----------------------------------------------------------------------------------------------------------
def _node(m: re.Match[str]) -> Node:
    sides = {s: (float(x), float(y)) for s, x, y in _SIDE.findall(m["sides"])}
    things = {t: (float(x), float(y)) if x else None for t, x, y in _THING.findall(m["things"] or "") if t}
    tag = m["kind"].replace("surface", "")
    room = m.group().partition(": ")[2].partition(",")[0]
    return Node(m["name"], tag, m["state"] or "", sides, m["carries"] or "", things, room)


def targets_of(goal: str) -> list[str]:
    return [*homes_of(goal)] or list(dict.fromkeys(_TARGET.findall(goal)))


def _arrived(page: Page) -> str:
    """The things that are where they belong, as the status says; not the names of their homes."""
    return re.sub(r"\([^()]*\)", "", page["status"])


def _doors(past: str, heard: str) -> list[str]:
    """Doors that are closed, as far as I know: one stopped me or I was asked to open it, and I have not tried to since,
    nor heard that it is open. What was asked before my memory begins, I have done."""
    begin = int(first(r"^(\d+) ", past, "0"))
    last = {door: int(step) for step, door in SHUT.findall(past)}
    tried = {door: int(step) for step, door in re.findall(r"(\d+) open\((\w+)\)", past)}
    for step, words in re.findall(r'(\d+) \w+: "([^"]*)"', heard):
        asked = {door for _, door in sentences.OPEN.heard(words)} if int(step) >= begin else set()
        last |= dict.fromkeys(asked - {*last, *tried}, int(step))
        tried |= {door: int(step) for door, state in sentences.STATE.heard(words) if state == "open"}
    return [door for door, step in last.items() if tried.get(door, -1) < step]


def _home_words(page: Page, thing: str, nodes: list[Node]) -> str:
    """Where a thing belongs, as short prompts say it: a place, places of a room, or what holds things."""
    homes = homes_of(page["goal"])
    home = homes[thing]
    inside = [n.name for n in nodes if n.room == home]
    if inside or any(n.name == home for n in nodes):
        return f"It belongs to {home}{': put it on ' if inside else ''}{' or '.join(inside)}."
    told = _told(page["messages"], nodes, past_of(page)).get(home, "")
    if home in _arrived(page):  # in a room, it may be anywhere
        told = told or next((n.name for n in nodes if n.name == homes.get(home)), "")
    at = next((n.name for n in nodes if home in n.things), told)
    return f"It belongs into {home}, which is at {at}." if at else f"It belongs into {home}, which is not found."


def _team(page: Page) -> dict[str, list[str]]:
    found = {}
    for name, said in re.findall(r'(\w+) says: "([^"]*)"', page["team"]):
        able = ["navigate"] if re.search(r"\b(drives?|fl(?:y|ies)|wheel\w*|drone)\b", said) else []
        able += ["open"] if re.search(r"(?<!cannot )\bopens?\b", said) else []
        able += ["pick", "place"] if re.search(r"\b(carr(?:y|ies)|picks?|gripper|manipulator)\b", said) else []
        found[name] = able
    return found


def _about(page: Page, name: str) -> str:
    return re.sub(r"[()\"']", "", first(rf'{name} says: "([^"]*)"', page["team"], "unknown")).rstrip(".")


def _searched(nodes: list[Node], table: Node | None, past: str, heard: str) -> list[str]:
    told = re.findall(r"Searched: ([\w, ]+)\.", heard)
    there = [p for names in told for p in names.split(", ")]
    for done in past.split("; "):
        if "FAILED" not in done:
            there += re.findall(r"(?:navigate|open)\((\w+)", done)
    return [n.name for n in nodes if n is not table and (n.things or (n.name in there and n.state != "closed"))]


def _needed(page: Page, nodes: list[Node], table: Node | None, past: str) -> tuple[str, str]:
    """Things that are still to be fetched, and those that lie on the table."""
    held, heard = first(r"You hold (\S+)\.", page["self"]), page["messages"]
    told = _told(heard, nodes, past)
    parts, on_table = [], []
    homes, surface = homes_of(page["goal"]), table.name if table is not None else ""
    into = {*homes.values()} - {x for n in nodes for x in (n.name, n.room, *n.things)}  # to be found, too
    for t in dict.fromkeys([*targets_of(page["goal"]), *sorted(into)]):
        node = next((n for n in nodes if t in n.things), None)
        if re.search(rf"\b{t}\b", _arrived(page)) or t == surface or (t in into - {*homes} and t in told):
            continue
        if held == t:
            parts.append(f"{t} in your hand")
        elif table is not None and node is table and not _left_to_me(page, t, heard, past):
            on_table.append(f"{t} (needed, {_arm_words(page, table, t)})")
        elif node is not None or t in told:
            parts.append(f"{t} at {_from(page, node, told.get(t, ''), t, nodes)}")
        else:
            parts.append(f"{t} not found")
    lying = f"{surface}: {'; '.join(on_table)}" if on_table else ""
    return "; ".join(parts) or "nothing more has to be fetched", lying


def _told(heard: str, nodes: list[Node], past: str) -> dict[str, str]:
    """Where things are, as teammates say; what I have looked for there since is not believed any longer."""
    found: dict[str, str] = {}
    seen = {place: int(step) for step, place in re.findall(r"(\d+) (?:navigate|open)\((\w+)[^;]*\)(?! FAILED)", past)}
    looked = {n.name: -1 if n.state == "closed" else seen.get(n.name, -1) for n in nodes}
    for step, words in re.findall(r'(\d+) \w+: "([^"]*)"', heard):
        told = dict(_TELLS.findall(words))
        for place, things in sentences.OUT_OF_REACH.heard(words):
            told |= dict.fromkeys(things, place)
        found |= {t: p for t, p in told.items() if looked.get(p, MANY) <= int(step)}
    return found


def _left_to_me(page: Page, thing: str, heard: str, past: str) -> bool:
    """True if the arm says that it does not reach a thing on its table, and I have not laid it there since."""
    said = [int(step) for step, words in re.findall(r'(\d+) \w+: "([^"]*)"', heard)
            if any(thing in things for _, things in sentences.OUT_OF_REACH.heard(words))]  # fmt: skip
    laid = [int(step) for step in re.findall(rf"(\d+) place\({thing}, \w+\)(?! FAILED)", past)]
    return _moves(page) and bool(said) and max(said) > max(laid, default=-1)


def _moves(page: Page) -> bool:
    return "navigate(" in page["skills"]


def _off(goal: str, status: str) -> list[str]:
    """Things in the status that do not belong there; of a stack everything from the first wrong layer on."""
    there, wanted = _TARGET.findall(status), _TARGET.findall(goal)
    if homes_of(goal):  # nothing is in the wrong place
        return []
    if "bottom to top" in goal:
        good = 0
        while good < min(len(there), len(wanted)) and there[good] == wanted[good]:
            good += 1
        return there[: good - len(there) - 1 : -1] if good < len(there) else []
    wrong = [t for t in there if t not in wanted]
    placed = re.findall(r"(\w+_\d+) on (\w+_panel)", status)
    return wrong + [t for t, panel in placed if t in wanted and f"{t} on {panel}" not in goal]


def _position(page: Page) -> tuple[float, float]:
    found = re.search(r"Your position is \(([-\d.]+),([-\d.]+)\)", page["self"])
    return (float(found.group(1)), float(found.group(2))) if found else (0.0, 0.0)


def _near(page: Page, thing: str, spot: tuple[float, float], at: tuple[float, float] | None = None) -> bool:
    """True if a thing is within reach from there, and was not too far at that very distance."""
    far = math.dist(at or _position(page), spot)
    missed = re.findall(rf"FAILED: {thing} is out of reach: it is ([\d.]+) m", past_of(page))
    reach = float(first(r"You reach ([\d.]+) m far", page["self"], "0"))
    if far > reach or any(abs(float(m) - far) < SAME for m in missed):
        return False
    return not missed or not any(math.dist(stood, spot) < far + SAME for stood in _missed_from(page, thing))


def _missed_from(page: Page, thing: str) -> list[tuple[float, float]]:
    """Positions from which picking a thing failed because it was out of reach; its height counts, too."""
    sides = {(m["name"], s): (float(x), float(y)) for m in NODE.finditer(page["scene_graph"])
             for s, x, y in _SIDE.findall(m["sides"])}  # fmt: skip
    found, stood = [], None
    for done in past_of(page).split("; "):
        if went := re.match(r"\d+ (?:navigate\((\w+), (\d+)\)(?! FAILED)|move\()", done):
            stood = sides.get((went[1], went[2]))
        elif stood is not None and f"pick({thing}) FAILED" in done and "out of reach" in done:
            found.append(stood)
    return found


def _lies_here(page: Page, thing: str) -> bool:
    """Of a thing on the floor beside a place, which has no position: whether I have not just failed to take it."""
    return f"pick({thing}) FAILED" not in past_of(page).rpartition("navigate(")[2]


def _gone(page: Page, team: dict[str, list[str]]) -> list[str]:
    """Teammates that my last message to all did not reach any more."""
    sent = re.findall(r"The message was sent to ([\w, ]+)\.", page["feedback"])
    known = [n for n in team if sent and sent[-1].count(",") > 0 and n not in sent[-1].split(", ")]
    return known if len(known) < len(team) else []


def _barred(place: str, nodes: list[Node], past: str) -> bool:
    """True if all of a place is closed to me, not some sides of it."""
    if f"FAILED: {place} lies" in past:
        return True
    sides = set(re.findall(rf"navigate\({place}, (\d+)\) FAILED", past))
    return any(n.name == place and sides >= {*n.sides} for n in nodes)


def _arm_words(page: Page, table: Node, thing: str) -> str:
    spot = table.things[thing]
    far = not _moves(page) and not (_near(page, thing, spot) if spot is not None else _lies_here(page, thing))
    return "out of your reach" if far else "the arm reaches it"


def _from(page: Page, node: Node | None, told: str, thing: str, nodes: list[Node]) -> str:
    """The place, the side nearest to the thing, and whether the reader can go there."""
    node = node or next(n for n in nodes if n.name == told)
    flies = re.search(r"\b(fl(?:y|ies)|drone)\b", page["about"]) is not None
    if "pick(" not in page["skills"] or not _moves(page) or (node.tag == "high" and not flies):
        return f"{node.name} (you cannot take it)"
    spot = node.things.get(thing)
    if spot is None:
        return f"{node.name} (from side {' '.join(node.sides)})"
    best = sorted(node.sides, key=lambda s: math.dist(node.sides[s], spot))
    near = [s for s in best if _near(page, thing, spot, node.sides[s])]
    return f"{node.name} (from side {' '.join(near)})" if near else f"{node.name} {best[0]}, move closer (you)"


def _itself(page: Page, table: Node | None, nodes: list[Node], team: list[str], arm: str) -> str:
    line, targets = page["self"], set(targets_of(page["goal"]))
    here = next((n for n in nodes if n.name == first(r"You are at (\w+)", line)), None)
    if here is not None and here.state == "closed":
        line = re.sub(r"(You are at \w+(?:, side \d+)?)\.", r"\1, which is a closed box.", line)
    spots = here.things.items() if here is not None else ()
    near = [t for t, spot in spots if (spot is None and _lies_here(page, t)) or (spot and _near(page, t, spot))]
    if held := re.search(r"You hold (\S+)\.", line):
        need = "needed" if held.group(1) in targets else "not needed"
        line = line.replace(held.group(), f"You hold {held.group(1)} ({need}).")
    if held and held.group(1) in homes_of(page["goal"]):
        line += f" {_home_words(page, held.group(1), nodes)}"
    elif held and table is not None:
        line += f" {arm} can take it from {table.name} if you lay it there from side {' or '.join(table.sides)}."
    elif not held:
        line += f" Within your reach: {', '.join(near) or 'nothing'}."
    return f"{line} Alive: {', '.join(team) or 'nobody else'}."
