"""Writes docs/commands.md from the help of every command:  python docs/commands.py"""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

PAGE = Path(__file__).with_name("commands.md")


def help_of(*words: str) -> str:
    from coterie.cli import main

    os.environ["COLUMNS"] = "100"
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([*words, "--help"])
    return out.getvalue().rstrip()


def page() -> str:
    from coterie.cli.app import COMMANDS

    parts = ["# Every command", "", "This page is what `coterie COMMAND --help` prints.", ""]
    inner = tuple(("learn", part) for part in ("demos", "train", "export", "eval", "serve"))
    for words in ((), *((name,) for name in COMMANDS), *inner):
        parts += [f"## coterie {' '.join(words)}".rstrip(), "", "```", help_of(*words), "```", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
