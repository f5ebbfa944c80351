"""Scenes by name: hand-made ones, the same with other names (`flat:unseen`), generated ones (`house:17`), and files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from coterie.core.errors import CoterieError, unknown_name
from coterie.houses.generate import FEWEST_ROOMS, MOST_ROOMS, generate_scene, large_scene
from coterie.houses.renamed import renamed
from coterie.houses.scene import Scene
from coterie.houses.toml import load_scene

_FOLDER = Path(__file__).parent / "built_in"


def scene_names() -> list[str]:
    return sorted(p.stem for p in _FOLDER.glob("*.toml"))


def scene(name: str) -> Scene:
    """A scene by name, by `house:SEED`, or by the path of a file. Scenes are kept, with the paths found in them; a file
    that has changed is read again."""
    try:
        there = Path(name).stat() if name.endswith(".toml") else None
    except OSError:
        there = None
    return _scene(name, (there.st_mtime_ns, there.st_size) if there is not None else ())


@lru_cache(maxsize=64)
def _scene(name: str, stamp: tuple[int, ...]) -> Scene:
    if name.startswith("house:"):
        seed, sized, rooms = name[6:].partition(":")
        if not (seed.isascii() and seed.isdecimal() and len(seed) <= 18):
            raise CoterieError(f"'{name}': write house:SEED with a whole number of at most 18 digits, like house:17.")
        if not sized:
            return generate_scene(int(seed))
        if not (rooms.isascii() and rooms.isdecimal() and len(rooms) <= 2):
            raise CoterieError(f"'{name}': write house:SEED:ROOMS with {FEWEST_ROOMS} to {MOST_ROOMS} rooms.")
        return large_scene(int(seed), int(rooms))
    first, colon, names = name.partition(":")
    if colon and first in scene_names():
        return renamed(_scene(first, stamp), names)
    if name in scene_names():
        return load_scene(_FOLDER / f"{name}.toml")
    if name.endswith(".toml") or "/" in name:
        return load_scene(Path(name))
    raise unknown_name("scene", name, [*scene_names(), "house:SEED"])
