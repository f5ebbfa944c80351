"""How a model is asked, from the command line: the same options for one episode and for a bench."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coterie.cli.numbers import add_rows, number, seconds, whole

DEADLINE_HELP = "of one call to an endpoint, with all its tries (default COTERIE_DEADLINE, or 600); also --timeout"


def add_asking(p: argparse.ArgumentParser, interval: bool = False) -> None:
    p.add_argument("--deadline", "--timeout", dest="deadline", type=seconds, metavar="SECONDS", help=DEADLINE_HELP)
    add_rows(
        p,
        ("--temperature", "T", "how freely a model chooses words (default 0)", {"type": _temperature}),
        ("--max-tokens", "N", "the most tokens of one reply, at every stage (default what the protocol needs)",
         {"type": whole("a number of tokens", 1)}),
        ("--stream", "", "take words from an endpoint as they come, and note when the first came",
         {"action": "store_true"}),
    )  # fmt: skip
    if interval:  # a bench has methods such as dynahmrc:interval-5
        p.add_argument(
            "--interval",
            type=whole("a number of steps", 1, 9999),
            metavar="STEPS",
            help="between two discussions of dynahmrc (default 10)",
        )


def asking_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options as arguments of `make_model`."""
    said = {"deadline_s": args.deadline, "temperature": args.temperature, "max_tokens": args.max_tokens}
    return {**{name: value for name, value in said.items() if value is not None}, "stream": args.stream}


def asking_words(args: argparse.Namespace) -> list[str]:
    """The same as words of a command line, for going on with a run; the log names the protocol with its interval."""
    words = []
    for flag, value in (("deadline", args.deadline), ("temperature", args.temperature)):
        words += [f"--{flag}", f"{value:g}"] if value is not None else []
    words += ["--max-tokens", str(args.max_tokens)] if args.max_tokens is not None else []
    return [*words, *(["--stream"] if args.stream else [])]


def _temperature(text: str) -> float:
    return number(text, lambda n: 0 <= n <= 2, "a temperature: it lies between 0 and 2")


def unlearnt(model: str, protocols: Sequence[str]) -> str:
    """A sentence where the adapter of a model such as `embedded` or `embedded:mine.gguf` was trained on other prompts;
    the model may stand in another, as in `reworded:embedded`."""
    _, embedded, file = f":{model}".partition(":embedded")
    if not embedded or file == ":untrained":
        return ""
    from coterie.core.protocol import asks_model
    from coterie.learn.binding import mismatch
    from coterie.models.adapter import PACKAGED

    path = Path(file.removeprefix(":")) if file.endswith(".gguf") else PACKAGED
    if not path.is_file():
        return ""

    return mismatch(path, [name for name in protocols if asks_model(name)])
