"""Files of a user's own: how they are loaded, what they bring, and which text stands for them.

A file may import others that lie beside it, as a script does. What a result depends on is read from the text: a file
and all that it imports from its own folder.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from coterie.core.errors import CoterieError
from coterie.protocols import protocols
from coterie.worlds import worlds

_loaded: dict[Path, object] = {}
_brought: dict[Path, frozenset[tuple[str, str, str]]] = {}  # file -> (world, what, name): skills, tasks, bodies
_FRAME = re.compile(r'^ *(?:\| *)?File "([^"\n]+)", line (\d+), in (.+)$', re.M)


def load_plugins(paths: Iterable[str]) -> None:
    """Import Python files that register worlds, tasks, skills or protocols of a user's own; each file once."""
    for name in paths:
        path = Path(name).resolve()
        if path in _loaded:
            continue
        if path.is_dir():
            raise CoterieError(f"'{name}' is a folder; --load takes a .py file in it, which may import the others.")
        if not path.is_file():
            raise CoterieError(f"There is no file '{name}' to load.")
        spec = importlib.util.spec_from_file_location(f"coterie_plugin_{len(_loaded)}_{path.stem}", path)
        if spec is None or spec.loader is None:
            raise CoterieError(f"'{name}' is not a Python file; --load takes a .py file.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        protocols.names()  # all of ours, so that names which are taken are told at once
        before = _registered()
        try:
            with _beside(path):
                spec.loader.exec_module(module)
        except CoterieError:
            raise
        except (Exception, SystemExit) as err:
            line = re.search(r", line \d+", own_line(err, [path]))
            raise CoterieError(
                f"'{name}'{line[0] if line else ''} could not be loaded: {type(err).__name__}: {err}."
            ) from err
        _loaded[path] = module
        after = _registered()
        _brought[path] = frozenset(key for key, item in after.items() if before.get(key) != item)


def loaded_files() -> tuple[Path, ...]:
    """All files of users' own in this process, with those that they import."""
    return tuple(dict.fromkeys(file for path in _loaded for file in with_siblings(path)))


def own_line(error: BaseException, files: Iterable[Path]) -> str:
    """The last line of these files on the way to an error, in words; empty where it came by none of them.

    It is read from the trace as text: that of an error in another process is nothing else.
    """
    import traceback

    named = {str(path) for path in files}
    found = [m for m in _FRAME.finditer("".join(traceback.format_exception(error))) if m[1] in named]
    if not found:
        return ""
    path, line, where = found[-1].groups()
    return f"'{path}', line {line}" + ("" if where == "<module>" else f" (in {where})")


def brings(files: Iterable[str], world: str, task: str, bodies: Iterable[str]) -> bool:
    """True if one of these files has put this task into a world, a skill, or one of these bodies."""
    found = {key for name in files for key in _brought.get(Path(name).resolve(), ())}
    own = {(world, "task", task), *((world, "body", body) for body in bodies)}
    return bool(found & own) or any(where == world and what == "skill" for where, what, _ in found)


def text_hash(files: Iterable[str]) -> list[str]:
    """Return a hash of the text of each file and of all that it imports from its own folder."""
    found = []
    for name in files:
        path = Path(name).resolve()
        hashed = hashlib.blake2b(path.read_bytes(), digest_size=8)
        for sibling in with_siblings(path)[1:]:
            hashed.update(sibling.relative_to(path.parent).as_posix().encode() + b"\0" + sibling.read_bytes())
        found.append(hashed.hexdigest())
    return found


def with_siblings(path: Path) -> list[Path]:
    """A file, and those of its folder that it imports, directly or through others. The text says so, not what happened
    to be imported: an import inside a function counts from the beginning."""
    found = {path: None}
    waiting = [path]
    while waiting:
        for sibling in _imports(waiting.pop(), path.parent):
            if sibling not in found:
                found[sibling] = None
                waiting.append(sibling)
    return [path, *sorted(found.keys() - {path})]


def _imports(file: Path, folder: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            base = folder
        elif isinstance(node, ast.ImportFrom):
            named = node.module or ""
            names = [named, *(f"{named}.{alias.name}".lstrip(".") for alias in node.names)]
            base = file.parents[node.level - 1] if node.level else folder  # dots lead up from where the file lies
        else:
            continue
        for name in filter(None, names):
            yield from _files(base, name)


def _files(base: Path, name: str) -> Iterator[Path]:
    """The files that importing a dotted name runs, as far as they lie here."""
    parts = name.split(".")
    for n in range(1, len(parts) + 1):
        there = base.joinpath(*parts[:n])
        for candidate in (there.with_suffix(".py"), there / "__init__.py"):
            if candidate.is_file():
                yield candidate.resolve()


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Imports find what lies beside a file first, as with a script. Another folder may have a file of the same name:
    what came from there gives way. Later imports, inside functions, find the folder behind all that is installed."""
    folder = str(path.parent)
    for name in [name for name in sys.modules if _in_the_way(name, path.parent)]:
        for part in [n for n in sys.modules if n == name or n.startswith(f"{name}.")]:
            del sys.modules[part]
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


def _in_the_way(name: str, folder: Path) -> bool:
    """True if a module of this name came from the folder of another file that was loaded, and one lies here, too."""
    origin = getattr(sys.modules.get(name), "__file__", None)
    if not _loaded or not origin or "." in name or Path(origin).is_relative_to(folder):
        return False
    theirs = any(Path(origin).resolve().is_relative_to(path.parent) for path in _loaded)
    return theirs and any(True for _ in _files(folder, name))


def _registered() -> dict[tuple[str, str, str], int]:
    """Return the registered entries of all worlds, each with a mark that tells it from another of the same name."""
    found: dict[tuple[str, str, str], int] = {}
    for world, entry in worlds.items():
        for what, names in (("skill", entry.skills), ("task", entry.tasks), ("body", entry.bodies)):
            found |= {(world, what, name): id(item) for name, item in names.items()}
    return found
