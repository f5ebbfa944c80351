"""Whether a file in the cache is still what it was when it was made.

To hash a hundred megabytes at every start takes a third of a second. So a stamp beside the file keeps its hash, and the
size and time that it had when it was hashed: while both are the same, the file is taken for sound. Otherwise it is
hashed once more, and one that was only copied or touched gets a new stamp.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from coterie.core.bounds import open_plain, read_json
from coterie.core.errors import CoterieError
from coterie.core.files import replace_text

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
