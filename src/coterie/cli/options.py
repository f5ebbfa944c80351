"""Commands and their options, from the TOML file of each command in `commands`; argparse reads them.

An option is `"--seed" = { metavar = "N", whole = ["a seed", 0], default = 0, help = "..." }`. Its type is a `type` by
name, `whole` or `above_zero` with bounds; a `switch` takes no value (`"or none"`: None where
it is not given), and one that may be given `again` collects them.
`"@page" = "watch"` stands for the options of that name in `shared`, of the file itself or of `shared.toml`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from coterie.cli.numbers import above_zero, seconds, share, temperature, whole
from coterie.core.reader import load_toml

FOLDER = Path(__file__).with_name("commands")

TYPES: dict[str, Callable[[str], Any]] = {
    "path": Path, "int": int, "float": float, "seconds": seconds, "share": share, "temperature": temperature,
}  # fmt: skip
Run = Callable[[argparse.Namespace], int]


def add_command(
    commands: Any, name: str, run: Run | Mapping[str, Run], defaults: Mapping[str, Any] | None = None, **more: Any
) -> argparse.ArgumentParser:
    """Add a command with the options of its file, and what runs it, or each of its parts.

    `defaults` are values that only code knows; `more` are words for a `<name>` in the help of an option, or types.
    """
    file = read_commands(name)
    told: dict[str, Any] = {"description": file["description"]}
    if "examples" in file:
        told |= {"epilog": file["examples"], "formatter_class": argparse.RawDescriptionHelpFormatter}
    p: argparse.ArgumentParser = commands.add_parser(name, **told)
    shared = {**file.get("shared", {}), **more}
    _add(p, file.get("options", {}), shared)
    for title, options in file.get("groups", {}).items():
        _add(p.add_argument_group(title), options, shared)
    if callable(run):
        p.set_defaults(func=run, **(defaults or {}))
        return p
    parts = p.add_subparsers(**file["parts"].pop("of"), required=True)
    for part, words in file["parts"].items():
        q = parts.add_parser(part, help=words["help"], description=words.get("description"))
        _add(q, words["options"], shared)
        known = {a.dest for a in q._actions}
        q.set_defaults(func=run[part], **{k: v for k, v in (defaults or {}).items() if k in known})
    return p


def words_of(args: argparse.Namespace, names: Iterable[str], usual: Mapping[str, Any] = {}) -> list[str]:
    """The options of these names as words of a command line, without those that were not given or are as `usual`."""
    words = []
    for name in names:
        value, flag = getattr(args, name.replace("-", "_")), f"--{name}"
        given = value is not None and value is not False and value != usual.get(name)
        for one in (value if isinstance(value, list) else [value]) if given else ():
            words += [flag] if one is True else [flag, f"{one:g}" if isinstance(one, float) else str(one)]
    return words


def read_commands(name: str) -> dict[str, Any]:
    """The file of a command, as data."""
    return load_toml(FOLDER / f"{name}.toml", "options of a command")


@cache
def _in_common(folder: Path) -> Mapping[str, Any]:
    """Options that several commands have, by name; a command may ask for many of them."""
    return load_toml(folder / "shared.toml", "options of commands")


def _add(p: Any, options: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
    for flags, option in options.items():
        if flags.startswith("@") and flags[1:] in shared:
            _add(p, shared[flags[1:]], shared)
        elif flags.startswith("@"):
            _add(p, _in_common(FOLDER)[flags[1:]], {"what": option})
        else:
            p.add_argument(*flags.split(), **_made(dict(option), shared))


def _made(option: dict[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """An option as `add_argument` takes it."""
    for key, slot in product(("help", "metavar"), words):
        if f"<{slot}>" in option.get(key, ""):
            option[key] = option[key].replace(f"<{slot}>", words[slot])
    switch = option.pop("switch", False)
    if switch:
        option |= {"action": "store_true", "default": None if switch == "or none" else False}
    elif option.pop("again", False):
        option["action"] = "append"
    if "type" in option:
        option["type"] = words.get(option["type"]) or TYPES[option["type"]]
    for name, made in (("whole", whole), ("above_zero", above_zero)):
        if name in option:
            option["type"] = made(*option.pop(name))
    return option
