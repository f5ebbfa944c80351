"""`coterie list`: what there is to choose from."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coterie.cli.options import add_command
from coterie.core.errors import unknown_name

Rows = Iterable[Sequence[str]]
NARROW = 100  # columns of a terminal below which a table would cut its words
GROUPED = {"protocols": 80}  # columns for those that stand below headings, by their second column


def add(commands: Any) -> None:
    add_command(commands, "list", run, kinds="|".join(KINDS))


def run(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE, console, say_json

    if args.what not in KINDS:
        raise unknown_name("list", args.what, KINDS)
    if args.load:
        from coterie.episode.setup import load_plugins

        load_plugins(args.load)
    heads, rows, note = KINDS[args.what]()
    if args.json:
        say_json({args.what: [dict(zip(heads, map(str, row))) for row in rows], "note": note})
        return DONE
    out = console(plain_width=GROUPED.get(args.what, 240))
    (_groups if args.what in GROUPED else _table)(out, heads, rows)
    if note:
        out.print(note, style="dim", soft_wrap=args.what not in GROUPED)
    return DONE


def _table(out: Any, heads: Sequence[str], rows: Rows) -> None:
    from rich import box
    from rich.table import Table

    from coterie.cli.show import line

    if out.is_terminal and out.width < NARROW and len(heads) > 2:
        _told(out, heads, rows)
        return
    table = Table(box=box.SIMPLE_HEAD if out.is_terminal else None, padding=(0, 2, 0, 0), header_style="bold")
    for i, head in enumerate(heads):
        table.add_column(head, no_wrap=i == 0, style="cyan" if i == 0 else "")
    for row in rows:
        table.add_row(*(line(str(cell)) for cell in row))
    out.print(table)


def _told(out: Any, heads: Sequence[str], rows: Rows, indent: int = 0) -> None:
    """Where columns would be cut: the name, what belongs to it in a line, and below that what it is about."""
    import textwrap

    from coterie.cli.show import line

    margin = " " * (4 + indent)
    for name, *cells, about in rows:
        small = [f"{head}: {cell}" for head, cell in zip(heads[1:-1], cells) if str(cell)]
        out.print(line(" " * indent, (str(name), "cyan"), *((f"  {text}", "dim") for text in small)))
        for text in textwrap.wrap(str(about), out.width, initial_indent=margin, subsequent_indent=margin):
            out.print(line(text))


def _groups(out: Any, heads: Sequence[str], rows: Rows) -> None:
    """Rows with the same second cell below a heading of their own, each told in lines."""
    from itertools import groupby

    from coterie.cli.show import line

    for place, some in groupby(rows, key=lambda row: row[1]):
        out.print(line((f"{heads[1]}: {place}", "bold")))
        _told(out, [heads[0], *heads[2:]], [(row[0], *row[2:]) for row in some], indent=2)
        out.print("")


def _worlds() -> Iterable[tuple[str, Any]]:
    from coterie.worlds import worlds as known

    return known.items()


def worlds() -> tuple[Sequence[str], Rows, str]:
    rows = [(name, entry.protocol, ", ".join(entry.tasks), entry.about) for name, entry in _worlds()]
    return ("world", "decides unless told", "tasks", "about"), rows, "Bring your own with --load FILE."


def tasks() -> tuple[Sequence[str], Rows, str]:
    rows, levels = [], []
    for world, entry in _worlds():
        rows += [(name, world, _about(make)) for name, make in entry.tasks.items()]
        remarks = [f"{name} ({remark})" if remark else name for name, remark in entry.levels().items()]
        levels += [f"  {world}: {', '.join(remarks)}"] if remarks else []
    note = "\n".join(["A .toml file is a task, too. Levels, for TASK:LEVEL:", *levels])
    return ("task", "world", "what is to be done"), rows, note


def teams() -> tuple[Sequence[str], Rows, str]:
    rows = []
    for world, entry in _worlds():
        for name, members in entry.teams().items():
            rows.append((name, world, ", ".join(f"{robot} ({card.body})" for robot, card in members)))
    note = "Where a task leaves the team to you, any other bodies joined with dashes are one, like Ma-UAV-UAV."
    return ("team", "world", "robots"), rows, note


def robots() -> tuple[Sequence[str], Rows, str]:
    rows = []
    amiss = [words for _, entry in _worlds() for words in entry.amiss()]  # first: what is mended by now is listed
    for world, entry in _worlds():
        for name, card in entry.bodies.items():
            arm = f"{card.reach_m:g} m, {card.payload_kg:g} kg" if card.reach_m else "–"
            rows.append((name, card.name, world, card.mobility, arm, ", ".join(card.skills), card.about))
    heads = ("robot", "name", "world", "mobility", "reach, payload", "skills", "about")
    return heads, rows, "\n".join(["Bring your own with --card FILE.", *amiss])


def skills() -> tuple[Sequence[str], Rows, str]:
    rows = []
    for world, entry in _worlds():
        rows += [(skill.signature, world, skill.help) for _, skill in entry.skills.items()]
    return ("skill", "world", "about"), rows, "Bring your own with --load FILE."


def protocols() -> tuple[Sequence[str], Rows, str]:
    from coterie.core.protocol import asks_model
    from coterie.protocols import protocols as known
    from coterie.worlds import worlds

    rows = []
    for name, make in known.items():
        if ":" in name:
            continue
        mind = make()
        variants = ", ".join(other.partition(":")[2] for other in known if other.startswith(f"{name}:"))
        where = ", ".join(worlds.get(w).place for w in worlds if w in known.tags(name)) or "any world"
        about = f"{_about(mind)}; variants: {variants}" if variants else _about(mind)
        rows.append((name, where, mind.sees, "yes" if asks_model(name) else "no", about))
    rows.sort(key=lambda row: row[1])  # what plays in one place stands together
    note = "A variant is named behind a colon, several joined with -and-: dynahmrc:paper, dynahmrc:no-leader-and-full."
    return ("protocol", "plays in", "sees", "asks a model", "about"), rows, note


def models() -> tuple[Sequence[str], Rows, str]:
    import coterie.protocols  # noqa: F401 (brings minds that can be asked like models)
    from coterie.models import models as known

    return ("model", "about"), [(kind.form, kind.about) for _, kind in known.items()], ""


def suites() -> tuple[Sequence[str], Rows, str]:
    from coterie.bench.suites import FIRST_SEED
    from coterie.bench.suites import suites as known

    rows = []
    for name, make in known.items():
        rows.append((name, str(len(make(FIRST_SEED))), ", ".join(sorted(known.tags(name))), _about(make)))
    return ("suite", "episodes", "tags", "about"), rows, ""


def scenes() -> tuple[Sequence[str], Rows, str]:
    rows = [(name, world, about) for world, entry in _worlds() for name, about in entry.scenes()]
    return ("scene", "world", "about"), rows, ""


def changes() -> tuple[Sequence[str], Rows, str]:
    rows = [(form, world, about) for world, entry in _worlds() for form, about in entry.changes().items()]
    return ("change", "world", "what happens"), rows, "Use them with --change; a task file may have its own."


def studies() -> tuple[Sequence[str], Rows, str]:
    from coterie.bench.studies import studies as known

    rows = [(name, ", ".join(study.settings.values()), _about(study)) for name, study in known.items()]
    return ("study", "settings", "about"), rows, "Bring your own with --load FILE."


def _about(item: Any) -> str:
    """Return the `about` of an object, or the first line of its documentation."""
    words = getattr(item, "about", "") or getattr(item, "__doc__", "") or ""
    return str(words).strip().split("\n")[0]


KINDS: dict[str, Callable[[], tuple[Sequence[str], Rows, str]]] = {
    kind.__name__: kind
    for kind in (worlds, tasks, teams, robots, skills, protocols, models, suites, scenes, changes, studies)
}
