import argparse
from pathlib import Path

import pytest

from coterie.cli import options
from coterie.cli.app import COMMANDS, Parser, parser
from coterie.core.errors import CoterieError

FILE = """
description = "Draw lots."
[shared.common]
"--json" = { switch = true, help = "print one object" }
[options]
people = { metavar = "PERSON", nargs = "+", help = "among whom: <names>" }
"--lots --tries" = { metavar = "N", whole = ["a number of lots", 1, 9], default = 3 }
"--chance" = { type = "share" }
"--rule" = { type = "rule", again = true }
"--quiet" = { switch = "or none" }
"@common" = ""
"@page" = "draw"
"""


def made(tmp_path: Path, monkeypatch, text: str = FILE) -> argparse.ArgumentParser:
    (tmp_path / "shared.toml").write_text((options.FOLDER / "shared.toml").read_text())
    (tmp_path / "lots.toml").write_text(text)
    monkeypatch.setattr(options, "FOLDER", tmp_path)
    top = Parser()
    commands = top.add_subparsers()
    options.add_command(commands, "lots", lambda args: 7, {"chance": 0.5}, names="Ann, Ben", rule=str.upper)
    return top


def test_options_of_a_file_are_read_with_their_types(tmp_path, monkeypatch):
    args = made(tmp_path, monkeypatch).parse_args(["lots", "Ann", "--tries", "5", "--rule", "a", "--rule", "b"])
    assert args.people == ["Ann"] and args.lots == 5 and args.chance == 0.5 and args.rule == ["A", "B"]
    assert args.quiet is None and args.json is False and args.live is None and args.func(args) == 7


@pytest.mark.parametrize("words", [["--lots", "10"], ["--chance", "2"], ["--lots", "few"]])
def test_values_out_of_bounds_are_refused(tmp_path, monkeypatch, words):
    with pytest.raises(CoterieError):
        made(tmp_path, monkeypatch).parse_args(["lots", "Ann", *words])


def test_words_of_code_stand_in_the_help(tmp_path, monkeypatch, capsys):
    with pytest.raises(SystemExit):
        made(tmp_path, monkeypatch).parse_args(["lots", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "among whom: Ann, Ben" in told and "draw on a page in your browser" in told


def test_every_command_has_a_file_and_every_file_a_command():
    files = {path.stem for path in options.FOLDER.glob("*.toml")} - {"coterie", "shared"}
    assert files == set(COMMANDS)


def test_no_help_has_a_place_that_nothing_fills():
    top = parser(COMMANDS)
    commands = next(a for a in top._actions if isinstance(a, argparse._SubParsersAction)).choices
    every = [*commands.values()]
    for p in every:
        for action in p._actions:
            if isinstance(action, argparse._SubParsersAction):
                every += action.choices.values()
            assert "<" not in f"{action.help or ''}{action.metavar or ''}"
