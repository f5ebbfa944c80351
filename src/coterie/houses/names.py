"""Houses by name, for either world: written ones, the same with other names, generated ones, and files.

`flat` and the others of `built_in/`, `flat:unseen`, `house:17`, `house:17:12` and FILE.toml have a work table and
containers; `rooms:6:17`, FILE.json and FILE.jsonl.gz#3 are in ProcTHOR's format, with things where they belong.
`scene` makes a scene of any of them, `house` one to tidy up.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.seeds import rng_of
from coterie.houses.generate import FEWEST_ROOMS, MOST_ROOMS, generate_scene, large_scene
from coterie.houses.model import House
from coterie.houses.placement import words
from coterie.houses.scene import Scene
from coterie.houses.toml import load_scene

NAMES = words()["furniture"]


def renamed(scene: Scene, names: str) -> Scene:
    """Each piece of furniture by a name of that list; which one is fixed by the house."""
    if names not in NAMES:
        raise CoterieError(f"'{scene.name}:{names}': write {' or '.join(f'{scene.name}:{n}' for n in NAMES)}.")
    known = NAMES[names]["names"].split()
    if len(scene.furniture) > len(known):
        raise CoterieError(f"'{scene.name}' has {len(scene.furniture)} pieces of furniture, and there are names for "
                           f"{len(known)}.")  # fmt: skip
    drawn = rng_of("names", scene.name, names).sample(known, len(scene.furniture))
    new = {f.name: name for f, name in zip(scene.furniture, drawn)}
    # A thing's name by kind is its old name, too; "high shelf" tells how high it hangs, and stays.
    furniture = tuple(
        replace(f, name=new[f.name], kind=new[f.name] if f.kind.replace(" ", "_") in f.name else f.kind)
        for f in scene.furniture
    )
    work = replace(scene.work, table=new[scene.work.table]) if scene.work is not None else None
    return replace(
        Scene.of(scene), name=f"{scene.name}:{names}", furniture=furniture, work=work, split=NAMES[names]["split"]
    )


_FOLDER = Path(__file__).parent / "built_in"
_IN_ROOMS = re.compile(r"rooms:(\d{1,2})(?::(\d{1,18}))?", re.ASCII)
Stamp = tuple[int, ...]


def scene_names() -> list[str]:
    return sorted(p.stem for p in _FOLDER.glob("*.toml"))


def scene(name: str) -> Scene:
    """A scene by name or file. Scenes are kept, with the paths found in them; a file that has changed is read again."""
    return _scene(name, _stamp(name))


def house(name: str, seed: int = 0) -> House:
    """A house to tidy up, by name or file; `rooms:6` is the one of the seed. Houses are kept, with their floors."""
    found = _IN_ROOMS.fullmatch(name)
    if found:
        from coterie.houses.procthor.generate import generated  # needs numpy, which other houses do without

        return generated(int(found[1]), int(found[2] or seed))
    if not (".json" in name or name.endswith(".toml") or name.partition(":")[0] in ("house", *scene_names())):
        raise CoterieError(
            f"No house '{name}'. Write rooms:6 for a house of 6 rooms, rooms:6:17 for that of seed 17, FILE.json for a "
            "house in ProcTHOR's format, FILE.jsonl.gz#3 for the fourth of a file with one a line, FILE.toml for one "
            f"of your own, or one of {', '.join(scene_names())}."
        )
    return _house(name, _stamp(name))


def real_houses() -> list[str]:
    """Houses of the files in the folder that COTERIE_HOUSES names, in order; the shipped ones where it names none."""
    folder = os.environ.get("COTERIE_HOUSES", "")
    if not folder:
        return scene_names()
    from coterie.houses.procthor.load import houses_in

    found = [name for path in sorted(Path(folder).glob("*.json*")) for name in houses_in(path)]
    if not found:
        raise CoterieError(f"COTERIE_HOUSES names '{folder}', which holds no house (.json, .jsonl or .jsonl.gz).")
    return found


def _stamp(name: str) -> Stamp:
    """When a file was written, and its size; () for other names."""
    try:
        there = Path(name).stat() if name.endswith((".toml", ".json")) else None
    except OSError:
        there = None
    return (there.st_mtime_ns, there.st_size) if there is not None else ()


@lru_cache(maxsize=32)
def _house(name: str, stamp: Stamp) -> House:
    from coterie.houses.procthor.load import load_house

    if ".json" in name:
        return load_house(name)
    from coterie.houses.repair import repaired
    from coterie.houses.stock import stocked

    return repaired(stocked(scene(name)))


@lru_cache(maxsize=64)
def _scene(name: str, stamp: Stamp) -> Scene:
    if name.startswith("house:"):
        return _generated(name)
    first, colon, names = name.partition(":")
    if colon and first in scene_names():
        return renamed(_scene(first, stamp), names)
    if name in scene_names():
        return load_scene(_FOLDER / f"{name}.toml")
    in_rooms = _IN_ROOMS.fullmatch(name)
    if in_rooms or ".json" in name:
        return _of_procthor(name, in_rooms)
    if name.endswith(".toml") or "/" in name:
        return load_scene(Path(name))
    raise unknown_name("scene", name, [*scene_names(), "house:SEED"])


def _generated(name: str) -> Scene:
    seed, sized, rooms = name[6:].partition(":")
    if not (seed.isascii() and seed.isdecimal() and len(seed) <= 18):
        raise CoterieError(f"'{name}': write house:SEED with a whole number of at most 18 digits, like house:17.")
    if not sized:
        return generate_scene(int(seed))
    if not (rooms.isascii() and rooms.isdecimal() and len(rooms) <= 2):
        raise CoterieError(f"'{name}': write house:SEED:ROOMS with {FEWEST_ROOMS} to {MOST_ROOMS} rooms.")
    return large_scene(int(seed), int(rooms))


def _of_procthor(name: str, in_rooms: re.Match[str] | None) -> Scene:
    from coterie.houses.procthor.load import read_house
    from coterie.houses.work_table import scene_from

    if in_rooms is None:
        return scene_from(read_house(name))
    if in_rooms[2] is None:
        raise CoterieError(f"'{name}': write {name}:SEED here, like {name}:17.")
    return scene_from(house(name))
