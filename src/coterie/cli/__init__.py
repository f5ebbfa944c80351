"""The command line: `coterie run`, `list`, `replay`, `doctor` and their siblings, one file each."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # `typing` and `collections` take longer to load than a stop may
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    words = [*(sys.argv[1:] if argv is None else argv)]  # `list` is a command here
    if words[:1] == ["stop"]:  # robots do not wait until Python has found everything else
        from coterie.link.fire import fire

        if fire(words[1:]):
            return 0
    from coterie.cli.app import main as run

    return run(words)
