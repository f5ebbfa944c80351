"""Which Coterie is running: its commit, where it runs from a source tree."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import coterie


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the source tree that runs, if it is one; else nothing. What is not committed does not show."""
    git = Path(coterie.__file__).resolve().parents[2] / ".git"
    try:
        if git.is_file():  # a worktree: the folder is elsewhere, and names are kept in that of the whole
            git = (git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir: ").strip()).resolve()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        ref = head.removeprefix("ref: ")
        if ref != head:
            shared = git / "commondir"
            names = (git / shared.read_text(encoding="utf-8").strip()).resolve() if shared.is_file() else git
            loose = names / ref
            packed = (names / "packed-refs").read_text(encoding="utf-8") if not loose.is_file() else ""
            found = [line.split()[0] for line in packed.splitlines() if line.endswith(f" {ref}")]
            head = loose.read_text(encoding="utf-8").strip() if loose.is_file() else "".join(found[:1])
    except (OSError, ValueError):
        return ""
    return head[:12] if re.fullmatch(r"[0-9a-f]{40}", head) else ""
