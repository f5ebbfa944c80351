"""`coterie list`: what there is to choose from."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coterie.cli.run import LOAD_HELP
from coterie.core.errors import unknown_name

Rows = Iterable[Sequence[str]]


def add(commands: Any) -> None:
    p = commands.add_parser(
        "list",
        help="what there is: tasks, teams, robots, protocols, models, suites, scenes",
        description="List the names that other commands take.",
    )
    p.add_argument("what", metavar="|".join(KINDS), help="what to list")
    p.add_argument("--load", action="append", default=[], metavar="FILE", help=LOAD_HELP)
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    from coterie.cli.app import DONE
    from coterie.cli.show import console

    if args.what not in KINDS:
        raise unknown_name("list", args.what, KINDS)
    if args.load:
        from coterie.episodes import load_plugins

        load_plugins(args.load)
    heads, rows, note = KINDS[args.what]()
    out = console(plain_width=240)
    _table(out, heads, rows)
    if note:
        out.print(note, style="dim", soft_wrap=True)
    return DONE


def _table(out: Any, heads: Sequence[str], rows: Rows) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD if out.is_terminal else None, padding=(0, 2, 0, 0), header_style="bold")
    for i, head in enumerate(heads):
        table.add_column(head, no_wrap=i == 0, style="cyan" if i == 0 else "")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)


def tasks() -> tuple[Sequence[str], Rows, str]:
    from coterie.tasks import tasks as known
    from coterie.tasks.difficulty import STEP_LIMITS
    from coterie.tasks.tabletop import MODES

    rows = [(name, ", ".join(sorted(known.tags(name))), _about(known.get(name))) for name in known]
    levels = ", ".join(f"{name} ({limit} steps)" for name, limit in STEP_LIMITS.items())
    note = f"Levels: {levels}; on the table {', '.join(MODES)}. A .toml file is a task, too."
    return ("task", "tags", "what is to be done"), rows, note


def teams() -> tuple[Sequence[str], Rows, str]:
    from coterie.robots import TEAMS, team

    rows = [(name, ", ".join(f"{robot} ({card.body})" for robot, card in team(name))) for name in TEAMS]
    return ("team", "robots"), rows, "Any other bodies joined with dashes are a team, too, like Ma-UAV-UAV."


def robots() -> tuple[Sequence[str], Rows, str]:
    from coterie.robots import robots as known
    from coterie.worlds.tabletop.cards import ARMS

    rows = []
    for name, card in [*known.items(), *ARMS.items()]:
        arm = f"{card.reach_m:g} m, {card.payload_kg:g} kg" if card.reach_m else "–"
        rows.append((name, card.name, card.mobility, arm, ", ".join(card.skills), card.about))
    heads = ("robot", "name", "mobility", "reach, payload", "skills", "about")
    note = f"{', '.join(ARMS)} stand at the table, where each task says what they do. Bring your own with --card FILE."
    return heads, rows, note


def protocols() -> tuple[Sequence[str], Rows, str]:
    from coterie.protocols import protocols as known

    rows = []
    for name, make in known.items():
        model = "no" if "no-model" in known.tags(name) else "yes"
        mind = make()
        about = f"{name.partition(':')[0]}, the variant {name.partition(':')[2]}" if ":" in name else _about(mind)
        rows.append((name, "table" if "tabletop" in known.tags(name) else "rooms", mind.sees, model, about))
    return ("protocol", "plays in", "sees", "asks a model", "about"), rows, ""


def models() -> tuple[Sequence[str], Rows, str]:
    import coterie.protocols  # noqa: F401 (brings minds that can be asked like models)
    from coterie.llm import models as known

    return ("model", "about"), [(kind.form, kind.about) for _, kind in known.items()], ""


def suites() -> tuple[Sequence[str], Rows, str]:
    from coterie.bench.suites import FIRST_SEED
    from coterie.bench.suites import suites as known

    rows = []
    for name, make in known.items():
        rows.append((name, str(len(make(FIRST_SEED))), ", ".join(sorted(known.tags(name))), _about(make)))
    return ("suite", "episodes", "tags", "about"), rows, ""


def scenes() -> tuple[Sequence[str], Rows, str]:
    from coterie.worlds.indoor.scenes import scene, scene_names

    rows = []
    for name in scene_names():
        s = scene(name)
        closed = sum(f.opens for f in s.furniture)
        rooms = ", ".join(r.name.replace("_", " ") for r in s.rooms)
        rows.append((name, rooms, str(len(s.furniture)), str(closed), s.split))
    rows.append(("house:SEED", "a house drawn from a seed, like house:17", "", "", "by seed"))
    return ("scene", "rooms", "furniture", "containers", "split"), rows, "A .toml file is a scene, too."


def _about(item: Any) -> str:
    """What a thing says of itself: `about`, or the first line of its documentation."""
    words = getattr(item, "about", "") or getattr(item, "__doc__", "") or ""
    return str(words).strip().split("\n")[0]


KINDS: dict[str, Callable[[], tuple[Sequence[str], Rows, str]]] = {
    "tasks": tasks,
    "teams": teams,
    "robots": robots,
    "protocols": protocols,
    "models": models,
    "suites": suites,
    "scenes": scenes,
}
