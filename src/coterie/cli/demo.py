"""`coterie demo`: one episode that shows what a team does, from any folder, with or without a language model."""

from __future__ import annotations

import argparse
from typing import Any

from coterie.cli.options import add_command
from coterie.models.store import SMOLLM2

MORE = """\
see it: {page} in a browser, or as it happens with coterie demo --live
with a small language model in every robot ({size:.0f} MB, needs coterie[embedded]): coterie demo --model embedded"""


def add(commands: Any) -> None:
    add_command(commands, "demo", demo)


def demo(args: argparse.Namespace) -> int:
    from coterie.cli.app import parser
    from coterie.cli.out import say

    args.out.mkdir(parents=True, exist_ok=True)
    log = args.out / "demo.jsonl"
    log.unlink(missing_ok=True)  # of an earlier one, perhaps with another model
    protocol = args.protocol or ("rules" if args.model == "none" else "dynahmrc")
    words = ["run", "pack-objects", "--team", "Ma-MoMa-UAV", "--scene", "flat", "--seed", "4", "--change", "cto@5"]
    for option, value in {
        "model": args.model, "protocol": protocol, "base-url": args.base_url, "log": log,
        "picture": log.with_suffix(".svg"), "html": log.with_suffix(".html"),
    }.items():  # fmt: skip
        words += [f"--{option}", str(value)] if value else []
    words += [option for option, wanted in (("--live", args.page), ("--json", args.json)) if wanted]
    told = parser(["run"]).parse_args(words)
    code: int = told.func(told)
    if args.model == "none" and not args.json:
        say(MORE.format(page=log.with_suffix(".html"), size=SMOLLM2.wheel_size / 1e6))
    return code
