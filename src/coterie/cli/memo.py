"""`coterie memo`: what is remembered, and forgetting it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.options import add_command
from coterie.cli.out import DONE, console, say_json
from coterie.core.errors import CoterieError, unknown_name

if TYPE_CHECKING:
    from coterie.memo import Store

WHAT = ("stats", "list", "clear")


def add(commands: Any) -> None:
    add_command(commands, "memo", run, uses="|".join(WHAT))


def run(args: argparse.Namespace) -> int:
    from coterie.cli.show import line
    from coterie.memo import Store, default_path

    if args.what not in WHAT:
        raise unknown_name("use of the memo", args.what, WHAT)
    if args.limit < 0:
        raise CoterieError(f"--limit counts tasks; it cannot be {args.limit}.")
    path: Path = args.file or default_path()
    if args.file is not None and not path.exists():
        raise CoterieError(f"There is no memo '{path}'.")
    if not path.exists():
        shown: dict[str, Any] = {
            "json": {"file": str(path), "tasks": {}},
            "words": f"Nothing is remembered yet ({path}).",
        }
    else:
        with Store(path) as store:
            shown = {"stats": _stats, "list": _list, "clear": _clear}[args.what](args, store)
    if args.json:
        say_json(shown["json"])
        return DONE
    out = console(plain_width=240)
    if shown.get("rows"):
        from coterie.cli.list import _table

        _table(out, shown["heads"], shown["rows"])
    out.print(line((shown["words"], "dim")), soft_wrap=True)
    return DONE


def _stats(args: argparse.Namespace, store: Store) -> dict[str, Any]:
    from coterie.memo import family_of
    from coterie.worlds import worlds

    worlds.names()  # all of them bring the families of their tasks

    tasks = [row for row in store.tasks() if args.task in (None, row[0])]
    rows = [(task, str(n), str(min(n, family_of(task).k)), str(uses)) for task, n, uses in tasks]
    size = store.path.stat().st_size
    words = f"{store.path}, {size / 1e6:.1f} MB, {_count(store.lesson_count(), 'lesson')}."
    data: dict[str, Any] = {
        "file": str(store.path),
        "bytes": size,
        "lessons": store.lesson_count(),
        "tasks": {task: {"kept": n, "fast": min(n, family_of(task).k), "uses": uses} for task, n, uses in tasks},
    }
    if args.check:
        data["damaged"] = _damaged(store, [task for task, *_ in tasks])
        words += f" {_count(data['damaged'], 'damaged plan')}."
    return {"json": data, "heads": ("task", "kept", "in the fast table", "used"), "rows": rows, "words": words}


def _damaged(store: Store, tasks: list[str]) -> int:
    before = store.skipped
    for task in tasks:
        for id in store.ids(task):
            store.get(id)
    return store.skipped - before


def _list(args: argparse.Namespace, store: Store) -> dict[str, Any]:
    found = store.rows(args.task, args.limit)
    rows = [(row.task, row.episode, str(row.steps), str(row.freq)) for row in found]
    words = f"{_count(len(found), 'task')}, the most used first." if found else "Nothing is remembered."
    data = {"tasks": [row._asdict() for row in found]}
    return {"json": data, "heads": ("task", "solved in episode", "rounds", "used"), "rows": rows, "words": words}


def _clear(args: argparse.Namespace, store: Store) -> dict[str, Any]:
    known = [task for task, *_ in store.tasks()]
    if args.task is not None and args.task not in known:
        raise unknown_name("remembered task", args.task, known)
    gone = store.clear(args.task)
    what = f" of {args.task}" if args.task else ""
    return {"json": {"forgotten": gone}, "words": f"Forgotten: {_count(gone, 'entry')}{what}."}


def _count(n: int, what: str) -> str:
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{n} {what if n == 1 else plural}"
