"""Whatever a log, a file or a command line holds, a terminal is told to do nothing by it."""

import ast
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import coterie.cli
from coterie.cli.terminal import Terminal
from coterie.core.visible import visible_lines

#: Sets the title, clears the screen, writes the clipboard, moves up; C1; turned letters; unseen ones; half a letter.
ATTACK = "\x1b]0;mine\x07\x1b[2J\x1b]52;c;bWluZQ==\x1b\\\x1b[9A\x9b31m\u202egnp.\u2066\u200b\ufeff\ud800\r\x08[/b]|`"
NAME = f"Alice{ATTACK}".replace("\ud800", "")  # which nobody could type
TEXTS = ("text", "why", "reason", "goal_text", "status", "task", "team", "protocol", "scene", "stage", "error", "name")


def harmless(said):
    return said.out == visible_lines(said.out) and said.err == visible_lines(said.err)


def attacked(value, key=""):
    """The same data with the attack in every text that is shown, and a robot that is named after it."""
    if isinstance(value, dict):
        return {k.replace("Alice", NAME): attacked(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [attacked(v, key) for v in value]
    if isinstance(value, str):
        value = value.replace("Alice", NAME)
        return value + ATTACK + "\nDone in 1 step." if key in TEXTS else value
    return value


@pytest.fixture
def foreign(cli, asker, tmp_path):
    """A log of somebody who means no good."""
    cli("run", "pack-objects", "--protocol", "asker", "--model", asker, "--log", "own.jsonl")
    lines = []
    for line in Path("own.jsonl").read_text().splitlines():
        seq, step, t, kind, who, data, causes = json.loads(line)
        lines.append(json.dumps([seq, step, t, kind, attacked(who), attacked(data), causes]))
    Path("foreign.jsonl").write_text("".join(line + "\n" for line in lines))
    return "foreign.jsonl"


def test_a_foreign_log_is_told_without_doing_anything(cli, foreign):
    told = cli("replay", foreign)
    assert told.code == 0 and r"\x1b]0;mine\x07" in told.out and r"\u202egnp" in told.out and harmless(told)
    assert "\nDone in 1 step." not in told.out  # a line of its own would look like ours
    for words in (["--step", 1], ["--step", 1, "--robot", NAME], ["--robot", NAME]):
        told = cli("replay", foreign, *words)
        assert told.code == 0 and harmless(told), words


def test_prompts_and_replies_are_shown_line_by_line(cli, foreign):
    told = cli("replay", foreign, "--prompt", "--step", 0)
    assert told.code == 0 and harmless(told)
    assert "[bold]What now?[/bold]\nAnswer." in told.out and r"I rest.\x1b]0;mine" in told.out


def test_the_end_of_a_foreign_log_and_its_damage(cli, foreign):
    lines = Path(foreign).read_text().splitlines(keepends=True)
    Path(f"cut{ATTACK[:4]}.jsonl").write_text("".join(lines[:-1]))
    assert harmless(cli("replay", f"cut{ATTACK[:4]}.jsonl"))
    Path(foreign).write_text(lines[0] + json.dumps([1, 0, 0.0, f"see{ATTACK}", "", {}, []]) + "\nnot\x1b[2J a line\n\n")
    said = cli("replay", foreign)
    assert said.code == 2 and harmless(said)


def test_a_picture_of_a_foreign_log(cli, foreign):
    assert cli("replay", foreign, "--picture", "p.svg").code == 0
    text = Path("p.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert visible_lines(text) == text and "<script" not in text


@pytest.mark.parametrize(
    "words",
    [
        [ATTACK],
        ["run", ATTACK],
        ["run", "pack-objects", f"--{ATTACK}"],
        ["run", "pack-objects", "--seed", ATTACK],
        ["run", "pack-objects", "--guard", ATTACK],
        ["run", "pack-objects", "--team", ATTACK],
        ["run", "pack-objects", "--scene", ATTACK],
        ["run", "pack-objects", "--picture", ATTACK],
        ["run", f"{ATTACK}.toml"],
        ["bench", ATTACK],
        ["bench", "smoke", "--methods", ATTACK],
        ["replay", ATTACK],
        ["list", ATTACK],
        ["memo", ATTACK],
        ["memo", "stats", "--file", ATTACK],
    ],
)
def test_words_of_a_command_line(cli, words):
    said = cli(*words)
    assert said.code == 2 and harmless(said) and said.err.count("\n") == 1, said


@pytest.mark.parametrize("line", ['name = "x\x1b[2J"', "a\x1b = 1", 'team = "\\u001b]0;x\\u0007"', "[[\u202e]]"])
def test_complaints_about_files(cli, line):
    Path("my.toml").write_text(line)
    for words in (["run", "my.toml"], ["run", "pack-objects", "--card", "my.toml"]):
        said = cli(*words)
        assert said.code == 2 and harmless(said), said


def test_pictures_with_square_brackets_in_their_names(cli):
    Path("[").mkdir()
    said = cli("run", "pack-objects", "--picture", "[/x].svg", "--log", "[red]a[/].jsonl")
    assert said.code == 0 and "picture  [/x].svg" in said.out and "log  [red]a[/].jsonl" in said.out


def test_a_console_only_does_what_coterie_wants():
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    file = io.StringIO()
    out = Terminal(file=file, force_terminal=True, color_system="truecolor", markup=False, emoji=False, width=200)
    table = Table(title=ATTACK)
    table.add_column(ATTACK)
    table.add_row(ATTACK)
    out.print(table, Panel(ATTACK, title=Text(ATTACK)), ATTACK, style="bold red")
    out.rule(ATTACK)
    said = file.getvalue()
    assert "\x1b[1;31m" in said  # colours are ours
    for part in ("\x1b]", "\x1b[2J", "\x9b", "\u202e", "\u200b", "\ud800"):
        assert part not in said


def test_everything_is_printed_in_one_place():
    for path in Path(coterie.cli.__file__).parent.glob("*.py"):
        if path.name in ("out.py", "terminal.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            names = [a.name for a in node.names] if isinstance(node, ast.ImportFrom) else []
            assert name != "print" and "Console" not in names, f"{path.name}: {ast.unparse(node)}"


@pytest.mark.parametrize(
    "words", ["plain", "", "[bold]no markup[/]", "“é” 中 :smile:", "\x1b[2J\u202e", "two\nlines", "x" * 500]
)
def test_a_pipe_gets_the_words_that_a_console_would_lay_out(words):
    """They are written past the console's layout, which takes longer than all else."""
    from rich.console import Console
    from rich.text import Text

    from coterie.cli.terminal import terminal

    for object_ in (words, Text(words, style="bold")):
        out = terminal(width=160, soft_wrap=True)
        out.file = io.StringIO()
        out.print(object_)
        quick, out.file = out.file.getvalue(), io.StringIO()
        Console.print(out, object_)
        assert quick == out.file.getvalue()


def test_a_reader_who_has_seen_enough_is_no_failure(cli, tmp_path):
    cli("run", "pack-objects", "--seed", "3", "--log", "x.jsonl")
    words = [sys.executable, "-m", "coterie", "replay", "x.jsonl"]
    for path in ("quick", "laid out"):
        more = {} if path == "quick" else {"FORCE_COLOR": "1"}
        process = subprocess.Popen(
            words, cwd=tmp_path, env={**os.environ, **more}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        assert (process.wait(), said) == (0, b"")
