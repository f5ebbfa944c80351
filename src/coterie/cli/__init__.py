"""The command line: `coterie run`, `list`, `replay`, `doctor` and their siblings, one file each."""

from __future__ import annotations

from coterie.cli.app import main

__all__ = ["main"]
