"""Writes `placement.toml` and `assets.csv` of the household world anew, from the JSON of the PyPI package `procthor`.

pip download --no-deps procthor==0.0.1.dev2 && unzip procthor-*.whl -d DIR
python -m tests.houses.distil DIR/procthor/databases
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from coterie import houses as household

ROOMS = ("Kitchen", "LivingRoom", "Bedroom", "Bathroom")
# What is no receptacle of a robot's: carried itself, hung on the wall, or a machine.
NO_RECEPTACLES = {"Bowl", "Box", "Plate", "Pot", "CoffeeMachine", "HandTowelHolder", "TowelHolder", "ToiletPaperHanger"}
# ProcTHOR has no bathtub; iTHOR has, and tidying up is less fun without: sizes are the usual ones of iTHOR.
OURS = {"Bathtub": ("Bathtub_1", (1.8, 0.9, 0.55))}
# ProcTHOR places these as parts of groups, and says nothing about their rooms.
OUR_ROOMS = {"Bathtub": [0, 0, 0, 2], "Sink": [1, 0, 0, 2], "Television": [0, 2, 1, 0]}
OUR_SURFACES = {"Bathtub": 0.25}  # the bottom of the basin

HEAD = """\
# What belongs where, how heavy and how large it is: the commonsense of tidying up.
#
# Source: the data of ProcTHOR (Deitke et al., NeurIPS 2022; package procthor 0.0.1.dev2, Apache-2.0), put together
# anew: rooms from placement-annotations.json, receptacles from receptacles.json (in which of iTHOR's and RoboTHOR's
# scenes a thing lies on what), masses and heights of surfaces from ai2thor-object-metadata.json, sizes from
# asset-database.json. The bathtub is ours: ProcTHOR has none; so are
# the rooms of sinks and televisions. Written by tests/houses/distil.py.
#
# rooms: how usual in Kitchen, LivingRoom, Bedroom, Bathroom: 0 never, 1 sometimes, 2 often.
# on: on which part of all such receptacles one lies, the most usual first; "floor" is 0 where it may stand there. A
#   thing belongs where the receptacle is in its list and the room is not 0 for it.
# mass_kg; size_m: width, depth, height, the median over all assets of the kind.
# surface: how high things lie on a receptacle, as a part of its height; most_m: and at most, for bounding boxes hold
#   headboards and lamps, too (nine in ten lie no higher).
# hung: on a wall, out of everybody's way.
"""


def main(folder: Path) -> None:
    read = {
        name: json.loads((folder / f"{name}.json").read_text())
        for name in ("placement-annotations", "receptacles", "asset-database", "ai2thor-object-metadata")
    }
    notes, lies, assets = read["placement-annotations"], read["receptacles"], read["asset-database"]
    boxes = {a["assetId"]: (kind, _size(a["boundingBox"])) for kind, many in assets.items() for a in many}
    boxes |= {name: (kind, size) for kind, (name, size) in OURS.items()}
    masses, surfaces, highest = _measured(read["ai2thor-object-metadata"])
    sizes = defaultdict(list)
    for kind, size in boxes.values():
        sizes[kind].append(size)
    typical = {kind: [round(median(s[i] for s in many), 3) for i in range(3)] for kind, many in sizes.items()}
    rooms = {kind: [notes[f"in{room}s"][kind] or 0 for room in ROOMS] for kind in notes["onFloor"]}
    rooms |= OUR_ROOMS
    things = sorted(k for k, v in notes["isPickupable"].items() if v)
    receptacles = sorted((set(lies) | set(OURS)) - NO_RECEPTACLES)
    others = sorted(k for k in rooms if k not in things and k not in receptacles)
    on = {t: _homes(t, lies, receptacles, t in things and bool(notes["onFloor"][t])) for t in (*things, *others)}
    table = [HEAD, "[things]"]
    table += [
        f"{t} = {{ mass_kg = {masses[t]:g}, size_m = {typical[t]}, rooms = {rooms[t]}, on = {on[t]} }}" for t in things
    ]
    table += ["", "[receptacles]"]
    table += [
        f"{r} = {{ surface = {surfaces[r]:g}, most_m = {highest[r]:g}, size_m = {typical[r]}, rooms = {rooms[r]} }}"
        for r in receptacles
    ]
    table += ["", "[furniture]"]
    hung = {k for k in others if notes["onWall"].get(k) and k != "Television"} | {"Blinds"}
    structure = {k for k, v in notes["isStructure"].items() if v}
    table += [
        f"{k} = {{ size_m = {typical[k]}, rooms = {rooms[k]}{', hung = true' if k in hung else f', on = {on[k]}'} }}"
        for k in others
        if k not in structure
    ]
    home = Path(household.__file__).parent
    (home / "placement.toml").write_text("\n".join(table) + "\n")
    rows = sorted((kind, name, *size) for name, (kind, size) in boxes.items())
    lines = ["# Assets of ProcTHOR by their names, with the kind and the bounding box [m]; source: see placement.toml."]
    lines += ["asset,kind,width,depth,height"]
    lines += [f"{name},{kind},{w:g},{d:g},{h:g}" for kind, name, w, d, h in rows]
    (home / "assets.csv").write_text("\n".join(lines) + "\n")


def _size(box: dict[str, float]) -> tuple[float, float, float]:
    return round(box["x"], 3), round(box["z"], 3), round(box["y"], 3)


def _homes(thing: str, lies: dict[str, Any], receptacles: list[str], floor: bool) -> str:
    parts = {r: max(round(lies[r][thing]["p"], 2), 0.01) for r in receptacles if thing in lies.get(r, {})}
    usual = {r: parts[r] for r in sorted(parts, key=lambda r: (-parts[r], r))} | ({"floor": 0} if floor else {})
    return "{ " + ", ".join(f"{r} = {p:g}" for r, p in usual.items()) + " }" if usual else "{}"


def _measured(scenes: dict[str, Any]) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """The usual mass of each kind; how high on a receptacle things lie, as a part of its height, and at most."""
    masses, parts, heights = defaultdict(list), defaultdict(list), defaultdict(list)
    for scene in (s for many in scenes.values() for s in many):
        by_id = {o["objectId"]: o for o in scene}
        for o in (o for o in scene if o["pickupable"]):
            masses[o["objectType"]].append(o["mass"])
            for parent in (by_id[p] for p in o["parentReceptacles"] or () if p in by_id):
                (low, _), (under, high) = _extent(o), _extent(parent)
                parts[parent["objectType"]].append(min(max((low - under) / max(high - under, 1e-6), 0.0), 1.0))
                heights[parent["objectType"]].append(low - under)
    parts["CounterTop"], heights["CounterTop"] = [1.0], [0.95]  # there it is the slab alone; ProcTHOR's stand
    heights["Sink"], heights["Bathtub"] = [1.05], [0.2]  # in a counter, there
    surfaces = {kind: round(median(many), 2) for kind, many in parts.items()} | OUR_SURFACES
    highest = {kind: round(sorted(many)[int(0.9 * len(many))], 2) for kind, many in heights.items()}
    usual = {kind: median(many) for kind, many in masses.items()}
    return usual, defaultdict(lambda: 1.0, surfaces), defaultdict(lambda: 1.0, highest)


def _extent(o: dict[str, Any]) -> tuple[float, float]:
    box = o["axisAlignedBoundingBox"]
    return box["center"]["y"] - box["size"]["y"] / 2, box["center"]["y"] + box["size"]["y"] / 2


if __name__ == "__main__":
    main(Path(sys.argv[1]))
