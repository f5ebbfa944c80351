"""`coterie export`: a house as a model for a physics engine."""

from __future__ import annotations

import argparse
from typing import Any

from coterie.cli.options import add_command
from coterie.core.errors import CoterieError


def add(commands: Any) -> None:
    add_command(commands, "export", run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE, say_result
    from coterie.core.files import replace_text
    from coterie.houses.mjcf import to_mjcf, unsettled
    from coterie.houses.names import house

    of = house(args.scene)
    made = to_mjcf(of)
    try:
        replace_text(args.mjcf, made.xml)
    except OSError as err:
        raise CoterieError(f"'{args.mjcf}' cannot be written: {err.strerror}.") from err
    moved = [m.thing for m in unsettled(of, made.xml)] if args.settle else []
    counts = {name: value for name, value in made._asdict().items() if name != "xml"}
    words = (
        f"{args.mjcf}: {made.walls} walls, {made.doors} doors on hinges, {made.furniture} pieces of furniture, "
        f"{made.compartments} with compartments, {made.things} things, {made.narrowed} of them narrowed to fit."
    )
    if args.settle:
        others = f"; these do not: {', '.join(moved)}" if moved else ""
        words += f"\nAfter two seconds {made.things - len(moved)} things stand where they stood{others}."
    say_result(args.json, words, file=str(args.mjcf), **counts, unsettled=moved if args.settle else None)
    return DONE
