"""`coterie demo`: one episode that shows what a team does, from any folder, with or without a language model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from coterie.models.store import SMOLLM2

MORE = """\
see it: {page} in a browser, or as it happens with coterie demo --live
with a small language model in every robot ({size:.0f} MB, needs coterie[embedded]): coterie demo --model embedded"""


def add(commands: Any) -> None:
    p = commands.add_parser(
        "demo",
        description="An arm, a mobile manipulator and a drone pack a tray; at step 5 their goal changes. Log, "
        "picture and page go to a folder.",
    )
    p.add_argument("--model", metavar="M", default="none", help="the model that each robot asks (default none: rules)")
    p.add_argument("--protocol", metavar="P", help="how the robots decide (default rules, with a model dynahmrc)")
    p.add_argument("--base-url", metavar="U", help="address of an OpenAI-compatible endpoint")
    p.add_argument("--out", metavar="DIR", type=Path, default=Path("runs"), help="folder for its files (default runs)")
    p.add_argument("--json", action="store_true", help="print one JSON object instead of the story")
    p.add_argument("--live", dest="page", action="store_true", help="watch it in your browser; the link is printed")
    p.set_defaults(func=demo)


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
