"""Files that survive: one writer at a time, whole lines only, whole files only.

Everything that Coterie keeps goes through here. A kill at any byte leaves at most half a line at the end of a file;
whoever appends next cuts it off first. A second process that would write to the same file is told which one does.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from coterie.core.bounds import read_bounded
from coterie.core.errors import CoterieError

#: What file systems of clusters say that have no locks: the last one to write wins.
NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)


class InUse(CoterieError):
    """Another process writes to this file."""


class CannotWrite(CoterieError):
    """A disk is full, or a place may not be written to."""


class Lock:
    """Keeps others from writing to a file for as long as it is held; a process that ends lets go of it.

    It stands in a hidden file beside its target, which says who holds it.
    """

    def __init__(self, target: Path, patient: bool = False):
        """`patient`: wait for the process that holds it, instead of raising `InUse`."""
        self.target = target
        self.path = _beside(target)
        self._file: IO[str] | None = None
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "it is not a file")
        while self._file is None:
            file = self.path.open("a+", encoding="utf-8")
            try:
                self._take(file, patient)
            except BaseException:
                file.close()
                raise
            if _is_at(file, self.path):
                self._file = file
            else:  # the holder before us has just removed it
                file.close()
        try:
            if os.fstat(self._file.fileno()).st_size:  # of one who was killed
                self._file.truncate(0)
            self._file.write(json.dumps(_myself()) + "\n")
            self._file.flush()
        except OSError:  # a full disk
            self.release()
            raise

    def _take(self, file: IO[str], patient: bool) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
        except BlockingIOError:
            file.seek(0)
            raise InUse(f"'{self.target}' is being written by {_holder(file.read(), self.path)}") from None
        except OSError as err:
            if err.errno not in NO_LOCKS:
                raise

    def release(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                self.path.unlink()  # while it is still held: nobody else can have it
            with contextlib.suppress(OSError):
                file.close()

    def fileno(self) -> int:
        """Its open file: a process that inherits it holds the lock, too."""
        return self._file.fileno() if self._file is not None else -1

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _beside(target: Path) -> Path:
    """Where the lock of a file stands, by whatever name the file is known."""
    folder, name = os.path.split(os.path.realpath(target))
    if not name or target.name in ("", "..") or os.path.isdir(os.path.join(folder, name)):
        raise OSError(errno.EISDIR, "it is a folder")
    return Path(folder, f".{name}.lock")


def in_use(target: Path) -> bool:
    """Return whether another process holds the lock of a file, or the file cannot be locked at all."""
    try:
        if _beside(target).exists():
            Lock(target).release()
    except (InUse, OSError):
        return True
    return False


def _is_at(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def host() -> str:
    """The name of this machine."""
    return os.uname().nodename  # without `socket`, which takes longer to load than all else here


def _myself() -> dict[str, Any]:
    words = [Path(sys.argv[0]).name, *(w for w in sys.argv[1:3] if not w.startswith("-"))]  # no addresses, no keys
    now = time.strftime("%Y-%m-%d %H:%M:%S")
    return {"pid": os.getpid(), "host": host(), "command": " ".join(words)[:80], "since": now}


def _holder(text: str, lock: Path) -> str:
    """The holder of a lock, in words, with advice about one on another machine."""
    try:
        pid, machine, command, since = (json.loads(text)[k] for k in ("pid", "host", "command", "since"))
    except (ValueError, KeyError, TypeError):
        return "another process."
    where, dead = ("", "") if machine == host() else (f" on {machine}", f" If that machine is dead, delete '{lock}'.")
    return f"process {pid}{where} since {since} ({command}). Wait for it, or end it.{dead}"


@contextlib.contextmanager
def writing(what: str, advice: str = "") -> Iterator[None]:
    """A disk that does not take it, in a sentence."""
    try:
        yield
    except OSError as err:
        raise CannotWrite(f"Cannot write {what}: {err.strerror}.{advice}") from err


# -- lines ----------------------------------------------------------------------------------------------------------
def whole_lines(path: Path, what: str = "file") -> list[str]:
    """The lines of a file that are whole; half a line at its end, which a kill leaves, is not one of them."""
    return read_bounded(path, what).decode("utf-8", errors="replace").split("\n")[:-1]


def append(path: Path, after: Sequence[str] | None = None, good: Callable[[str], bool] | None = None) -> IO[str]:
    """Open a file to add lines to: after the last whole one that is good, or after those that were read from it."""
    if after is not None:
        os.truncate(path, len("".join(line + "\n" for line in after).encode("utf-8", "surrogatepass")))
        return _adding(path)
    with path.open("ab+") as file:
        end = file.seek(0, os.SEEK_END)
        whole = _whole(file, end)
        before = _whole(file, whole - 1)
        if before > 0 and good is not None:  # a machine that lost its power may leave a line, and yet none of ours
            file.seek(before)
            if not good(file.read(whole - 1 - before).decode("utf-8", errors="replace")):
                whole = before
        if whole < end:
            file.truncate(whole)
    return _adding(path)


def _whole(file: IO[bytes], end: int) -> int:
    """How many of the first bytes of a file are whole lines, looked for from the end."""
    while end > 0:
        begin = max(0, end - 65536)
        file.seek(begin)
        cut = file.read(end - begin).rfind(b"\n")
        if cut >= 0:
            return begin + cut + 1
        end = begin
    return 0


def _adding(path: Path) -> IO[str]:
    return path.open("a", encoding="utf-8", errors="backslashreplace")  # half a letter is still JSON


# -- whole files ----------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to; what is there at the end takes its place at once, or is gone after a failure.

    A draft keeps its suffix, by which writers of pictures know what to write. Links stay links, and devices are written
    to as they are.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    part = path.with_name(f".part-{os.getpid()}-{path.name}")
    try:
        yield part
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def drafted(path: Path, what: str) -> Iterator[Path]:
    """A draft of a file in a folder that is made if need be; a disk that does not take it is told as `what`."""
    with writing(f"{what} '{path}'"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft(path) as part:
            yield part


def replace_text(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file atomically, with the permissions of `mode` from the first moment on."""
    with draft(path) as part:
        if part != path.resolve():
            part.unlink(missing_ok=True)  # of one who was killed, with another mode

        def opened(name: str, flags: int) -> int:
            return os.open(name, flags, mode)

        with open(part, "w", encoding="utf-8", errors="backslashreplace", opener=opened) as file:
            file.write(text)


# -- the user's cache -------------------------------------------------------------------------------------------------
# Where a user's cache lives: models that were fetched, plans that are remembered.
def cache_dir() -> Path:
    """COTERIE_CACHE, or `coterie` in the user's cache."""
    own = os.environ.get("COTERIE_CACHE")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared and os.path.isabs(shared) else Path.home() / ".cache") / "coterie"


# -- what comes with a package ----------------------------------------------------------------------------------------
def shipped(package: str | None, name: str) -> str:
    """The text of a file that lies in a package; call it with `__package__`."""
    return Path(sys.modules[package or __package__].__path__[0], name).read_text("utf-8")


def tables(package: str | None, name: str) -> dict[str, Any]:
    """The tables of a TOML file that lies in a package."""
    import tomllib

    return tomllib.loads(shipped(package, name))
