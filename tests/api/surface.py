"""What others rely on, as text: public names with their parameters, options of commands, keys of JSON.

python -m tests.api.surface    renews surface.txt and the mark in CHANGELOG.md
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import inspect
import io
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import coterie
from coterie.cli import main
from coterie.cli.app import COMMANDS, parser

HERE = Path(__file__).parent
KEPT = HERE / "surface.txt"
CHANGELOG = HERE.parents[1] / "CHANGELOG.md"
MARK = re.compile(r"<!-- surface: (\S+) -->")


def names() -> list[str]:
    found = []
    for name in sorted(coterie.__all__):
        item = getattr(coterie, name)
        if inspect.isfunction(item):
            found.append(f"{name}({', '.join(inspect.signature(item).parameters)})")
        elif dataclasses.is_dataclass(item):
            found.append(f"{name}({', '.join(f.name for f in dataclasses.fields(item))})")
        elif hasattr(item, "_fields"):
            found.append(f"{name}({', '.join(item._fields)})")
        else:
            found.append(name)
    return found


def options() -> list[str]:
    return list(_options(parser(list(COMMANDS)), "coterie"))


def _options(command: argparse.ArgumentParser, name: str) -> Iterator[str]:
    """Those of a command, and of the commands in it."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part, inner in sorted(action.choices.items()):
                yield from _options(inner, f"{name} {part}")
        elif name != "coterie":
            yield f"{name} {', '.join(action.option_strings) or action.metavar or action.dest}"


def keys(data: object, path: str = "") -> list[str]:
    if not isinstance(data, dict):
        return []
    return [p for k, v in data.items() for p in (f"{path}{k}", *keys(v, f"{path}{k}."))]


def printed(*words: str) -> dict:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main([*words, "--json"])
    return json.loads(out.getvalue())


def json_keys() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        run = printed("run", "pack-objects", "--seed", "4", "--log", f"{folder}/log.jsonl")
        bench = printed("bench", "smoke", "--methods", "rules", "--episodes", "2", "--no-plots", "--out", folder)
        row = json.loads(Path(folder, "results.jsonl").read_text().splitlines()[0])
    row["robots"], row["stages"] = {}, {}
    bench["methods"] = {"NAME": bench["methods"]["rules"]}
    found = [f"run --json: {k}" for k in keys(run)] + [f"bench --json: {k}" for k in keys(bench)]
    return sorted(found) + sorted(f"results.jsonl: {k}" for k in keys(row))


def text() -> str:
    return "\n".join([*names(), "", *options(), "", *json_keys()]) + "\n"


def digest(surface: str) -> str:
    return hashlib.blake2b(surface.encode(), digest_size=6).hexdigest()


if __name__ == "__main__":
    now = text()
    KEPT.write_text(now, encoding="utf-8")
    CHANGELOG.write_text(MARK.sub(f"<!-- surface: {digest(now)} -->", CHANGELOG.read_text(encoding="utf-8")), "utf-8")
